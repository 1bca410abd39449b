/*
 * Layered layout of boxes with links between them (Sugiyama, Tagawa and Toda 1981): links lead from left to
 * right; each box stands in the column after the last box that links to it; each column is ordered by the
 * barycentres of its boxes' neighbours; then heights are the least squares fit to the neighbours' heights
 * that keeps order and gaps. The same boxes give the same layout.
 */
#ifndef ED_PROJECT_LAYOUT_H
#define ED_PROJECT_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

struct ed_layout_box {
    double width, height;
    double x, y; /* set: of the upper left corner; the whole begins at 0, 0 */
};
/* Ends are shares of the box's height, from above. */
struct ed_layout_link {
    size_t from, to;
    double from_end, to_end;
};
/* Links that close cycles are ignored. False: memory is out. */
bool ed_layout(struct ed_layout_box *boxes, size_t count, const struct ed_layout_link *links,
               size_t link_count);

#endif
