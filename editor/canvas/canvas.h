/*
 * The canvas: the shown graph as nodes and links, to be looked at and worked on.
 * Threads: the window's.
 */
#ifndef ED_CANVAS_CANVAS_H
#define ED_CANVAS_CANVAS_H

#include "editor/canvas/direction.h"
#include "editor/session/session.h"

struct ed_canvas *ed_canvas_create(void); /* NULL: memory is out */
void ed_canvas_destroy(struct ed_canvas *canvas);
void ed_canvas_draw(struct ed_session *session, struct ui_rect rect);
/* Whether the pointer is over the canvas, or the keyboard was moved there, so that its keys work. */
bool ed_canvas_hovered(const struct ed_session *session);
/* Forgets what it knows of the graph, because another document or another group is shown. */
void ed_canvas_reset(struct ed_session *session);
/* Ids of the nodes that were visible in the last frame, for thumbnails; valid until the next. */
size_t ed_canvas_visible(const struct ed_session *session, const char *const **nodes);
/* How large nodes are drawn, in units of the document. */
struct ed_sizes ed_canvas_sizes(struct ed_session *session);
/* Where new nodes go, in units of the document: where the pointer is; when it is elsewhere, the middle of
 * what is seen, or a place below that where no node is covered. */
void ed_canvas_place(struct ed_session *session, double *x, double *y);
/* Where to put something that is to be linked to a node's input: left of the node, where it covers no other.
 * Without a node (NULL) the same as ed_canvas_place. */
void ed_canvas_place_before(struct ed_session *session, const char *node, double *x, double *y);
/* Moves the view just far enough to show the whole node. */
void ed_canvas_reveal(struct ed_session *session, const char *node);
/* Brings a node to the middle of the view, and chooses it. */
void ed_canvas_show(struct ed_session *session, const char *node);

/* How the graph is looked at, to be kept for the document; and the same again. */
struct json_t *ed_canvas_keep(const struct ed_session *session);
void ed_canvas_bring(struct ed_session *session, const struct json_t *kept);

/* A heightfield was dropped on the window: adds a node that imports it. False: the user was told why not. */
bool ed_canvas_drop_file(struct ed_session *session, const char *path);

/* With the arrow keys to another node, which is chosen, or, with `add`, chosen as well. */
void ed_canvas_walk(struct ed_session *session, enum ed_walk walk, bool add);

/* Shows the next node that has failed. */
void ed_canvas_next_problem(struct ed_session *session);

/* ---- Commands ---- on what is chosen */
bool ed_canvas_has_chosen(const struct ed_session *session); /* nodes, or a frame */
void ed_canvas_frame_selected(struct ed_session *session);
void ed_canvas_frame_all(struct ed_session *session);
void ed_canvas_search(struct ed_session *session); /* opens the search in the graph */
void ed_canvas_copy(struct ed_session *session);
void ed_canvas_cut(struct ed_session *session);
void ed_canvas_paste(struct ed_session *session);
void ed_canvas_duplicate(struct ed_session *session); /* the copies hang on the pointer until a click */
void ed_canvas_delete(struct ed_session *session);
void ed_canvas_dissolve(struct ed_session *session); /* delete and heal */
void ed_canvas_mute(struct ed_session *session);
void ed_canvas_collapse(struct ed_session *session);
void ed_canvas_group(struct ed_session *session);
void ed_canvas_ungroup(struct ed_session *session);
void ed_canvas_enter(struct ed_session *session); /* the chosen graph; without one, goes up */
/* ---- graphs.c: the graph that the chosen node uses. Nothing happens where it uses none. */
bool ed_canvas_has_graph(const struct ed_session *session);
bool ed_canvas_has_file(const struct ed_session *session);
void ed_canvas_embed(struct ed_session *session);
void ed_canvas_make_unique(struct ed_session *session);
void ed_canvas_update_graph(struct ed_session *session); /* reads the file again */
void ed_canvas_locate(struct ed_session *session);       /* asks for the file */
void ed_canvas_enter_node(struct ed_session *session, const char *node);
void ed_canvas_leave(struct ed_session *session);
/* Leaves graphs until only `depth` are still entered; more are entered now. */
void ed_canvas_leave_to(struct ed_session *session, size_t depth);
void ed_canvas_tidy(struct ed_session *session);
void ed_canvas_align(struct ed_session *session, enum ed_align how);
void ed_canvas_add_frame(struct ed_session *session); /* around what is chosen */
void ed_canvas_rename(struct ed_session *session);    /* opens the field in the node, frame or note */

#endif
