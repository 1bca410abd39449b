/* The divider between two pictures in one pane. Threads: the window's. */
#ifndef ED_VIEW_WIPE_H
#define ED_VIEW_WIPE_H

#include "editor/pane/pane.h"

/* The divider of a wipe, before the picture is drawn. True: it has the mouse. */
bool ed_wipe_drag(struct ed_pane *pane, bool free);
void ed_wipe_draw(struct ed_pane *pane, struct ui_draw *draw, bool hot);

#endif
