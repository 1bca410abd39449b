/* A pane as it is drawn. Threads: the window's. */
#ifndef ED_VIEW_DRAW_H
#define ED_VIEW_DRAW_H

#include "editor/pane/pane.h"

/* Toolbar, picture and all that lies over it. */
void ed_pane_draw(struct ed_session *session, struct ed_pane *pane, struct ui_rect rect);

#endif
