/* The legend of a pane's colours. Threads: the window's. */
#ifndef ED_VIEW_LEGEND_H
#define ED_VIEW_LEGEND_H

#include "editor/pane/pane.h"

void ed_legend_draw(struct ed_pane *pane, struct ui_draw *draw);

#endif
