/* The bar at the top of a pane. Threads: the window's. */
#ifndef ED_VIEW_TOOLBAR_H
#define ED_VIEW_TOOLBAR_H

#include "editor/pane/pane.h"

void ed_toolbar_draw(struct ed_session *session, struct ed_pane *pane);

#endif
