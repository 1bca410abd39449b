/* What opens from a pane's toolbar: what it shows, compares with, and lays over. Threads: the window's. */
#ifndef ED_VIEW_PANE_POPUPS_H
#define ED_VIEW_PANE_POPUPS_H

#include "editor/pane/pane.h"

void ed_pane_popups(struct ed_session *session, struct ed_pane *pane);
void ed_pane_wipe(struct ed_session *session, struct ed_pane *pane, bool on);
void ed_pane_pin(struct ed_session *session, struct ed_pane *pane, bool on);

#endif
