/*
 * The views: panes in which outputs are looked at from above or in depth, with their tools:
 * read-out, measures, handles, brushes. Threads: the window's.
 */
#ifndef ED_VIEW_VIEWS_H
#define ED_VIEW_VIEWS_H

#include "editor/session/session.h"

/* `project` must outlive the views. */
struct ed_views *ed_views_create(struct ed_project *project,
                                 struct oro_error *err); /* ORO_E_KERNEL: shaders do not compile */
void ed_views_destroy(struct ed_views *views);
/* Once a frame, before and after all that are drawn. */
void ed_views_begin(struct ed_session *session);
void ed_views_end(struct ed_session *session);
void ed_view_draw(struct ed_session *session, int index, struct ui_rect rect);
/* Whether keys are for a view: the pointer is over one, or the keyboard was moved there. */
bool ed_views_hovered(const struct ed_session *session);
/* Whether keys move a camera, or a stroke is under way: then keys are no commands. */
bool ed_views_take_keys(const struct ed_session *session);
/* Puts the tool in the hand away. False: there was none. */
bool ed_views_end_tool(struct ed_session *session);
/* Call this for another document: forgets the old one's cameras, pins and strokes. */
void ed_views_reset(struct ed_session *session);
/* How outputs are looked at, to be kept for the document; and the same again. */
struct json_t *ed_views_keep(const struct ed_session *session);
void ed_views_bring(struct ed_session *session, const struct json_t *kept);
/* The outputs that the views show, for the live thread; the texts are valid until the next change. */
size_t ed_views_wants(const struct ed_session *session, struct ed_want wants[ED_VIEWS_MAX]);
/* Whether something is still being drawn, so that frames must go on. */
bool ed_views_busy(const struct ed_session *session);
/* The revision of the document that the first view shows; 0: nothing. */
uint64_t ed_views_shown(const struct ed_session *session);

/* ---- Commands */
void ed_views_frame(struct ed_session *session);        /* sees all of the terrain */
void ed_views_toggle_scene(struct ed_session *session); /* from above, or in depth */
void ed_views_next_lighting(struct ed_session *session);
void ed_views_pin(struct ed_session *session);
void ed_views_wipe(struct ed_session *session);
void ed_views_sketch(struct ed_session *session);     /* lines are drawn, or no longer */
void ed_views_region(struct ed_session *session);     /* regions are copied, or no longer */
void ed_views_screenshot(struct ed_session *session); /* asks how large, and where */
void ed_views_film(struct ed_session *session);
bool ed_views_can_film(const struct ed_session *session);
void ed_views_stop_picture(struct ed_session *session);
bool ed_views_makes_picture(const struct ed_session *session);
bool ed_views_is_scene(const struct ed_session *session);
bool ed_views_is_pinned(const struct ed_session *session);
bool ed_views_is_sketching(const struct ed_session *session);
bool ed_views_is_copying(const struct ed_session *session);
bool ed_views_is_wiped(const struct ed_session *session);

#endif
