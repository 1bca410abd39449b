/*
 * What the user does with the panes of the window: commands for the pane that has the keyboard, else for the
 * one under the pointer, else for the one clicked last. Threads: the window's.
 */
#ifndef ED_SESSION_PANES_H
#define ED_SESSION_PANES_H

#include "editor/session/session.h"

/* Whether the part was drawn in the last frame. */
bool ed_part_shown(const struct ed_session *session, enum ed_pane_part part);
/* The part that commands are for; ED_PART_NONE: nothing is shown. */
enum ed_pane_part ed_part_active(const struct ed_session *session);
/* Lets a part be seen, whatever is maximised. */
void ed_part_show(struct ed_session *session, enum ed_pane_part part);
/* Shows a part, or closes its pane. */
void ed_part_toggle(struct ed_session *session, enum ed_pane_part part);

/* All of the window for the active pane, or for all again. */
void ed_panes_maximise(struct ed_session *session);
void ed_panes_split_across(struct ed_session *session);
void ed_panes_split_down(struct ed_session *session);
void ed_panes_split_views(struct ed_session *session); /* one view or two */
bool ed_panes_views_are_split(const struct ed_session *session);
void ed_panes_swap(struct ed_session *session); /* the active pane and the next one */
void ed_panes_close(struct ed_session *session);
/* The keyboard goes to the next pane, and stays until the pointer is moved. */
void ed_panes_next(struct ed_session *session);
void ed_panes_previous(struct ed_session *session);
bool ed_panes_maximised(const struct ed_session *session);
bool ed_panes_any(const struct ed_session *session);     /* is shown */
bool ed_panes_several(const struct ed_session *session); /* there is more than one */

/* ---- Layouts (layouts.h) */

/* Divides the window as a layout says. False: there is none of that name. */
bool ed_layout_use(struct ed_session *session, const char *name);
/* Keeps the present one under a name. */
bool ed_layout_save(struct ed_session *session, const char *name, struct oro_error *err);
void ed_layout_save_present(struct ed_session *session);
void ed_layout_reset(struct ed_session *session);         /* as it was saved, or came */
bool ed_layout_changed(const struct ed_session *session); /* since then */
void ed_layout_begin(struct ed_session *session);         /* what the settings say, at the start */
void ed_layout_remember(struct ed_session *session);      /* for the settings */

#endif
