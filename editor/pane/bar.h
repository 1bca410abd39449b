/* Bars with widgets above a pane's picture. Threads: the window's. */
#ifndef ED_PANE_BAR_H
#define ED_PANE_BAR_H

#include "editor/pane/pane.h"

/* Widgets in rows: one that does not fit goes to the next row. */
struct ed_flow {
    float left, right, x, y;
};
/* Puts the cursor where a widget of that width goes. */
void ed_flow_place(struct ed_flow *flow, float width);
/* The bar of a tool, below the toolbar, which takes its height off the picture. */
struct ed_flow ed_bar_begin(const struct ed_pane *pane);
void ed_bar_place(struct ed_flow *flow,
                  float width); /* in the interface's units; also sets the item's width */
void ed_bar_end(struct ed_pane *pane, const struct ed_flow *flow);

#endif
