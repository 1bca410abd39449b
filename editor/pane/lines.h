/* Lines on the ground of a pane. Threads: the window's. */
#ifndef ED_PANE_LINES_H
#define ED_PANE_LINES_H

#include "editor/pane/pane.h"

/* The networks, and the strokes of a direction, that the pane shows. */
void ed_lines_draw(struct ed_pane *pane, struct ui_draw *draw);
/* A line over the ground, draped in depth. */
void ed_ground_line(const struct ed_pane *pane, struct ui_draw *draw, const double a[2], const double b[2],
                    uint32_t colour, float width);
void ed_ground_ellipse(const struct ed_pane *pane, struct ui_draw *draw, const double centre[2], double rx,
                       double ry, double turn, uint32_t colour, float width);

#endif
