/* The mouse moves the cameras of a pane. Threads: the window's. */
#ifndef ED_PANE_NAVIGATE_H
#define ED_PANE_NAVIGATE_H

#include "editor/pane/pane.h"

void ed_pane_navigate(struct ed_session *session, struct ed_pane *pane, bool area_active, bool taken);

#endif
