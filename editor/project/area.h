/*
 * Rectangles in the plane of a graph, in units of the document; y points down. Plain arithmetic.
 */
#ifndef ED_PROJECT_AREA_H
#define ED_PROJECT_AREA_H

#include <stdbool.h>

#include "graph/document/document.h"

/* Empty where x1 < x0. */
struct ed_area {
    double x0, y0, x1, y1;
};
extern const struct ed_area ed_no_area; /* empty: grows by ed_area_add */

void ed_area_add(struct ed_area *area, double x, double y);
/* Whether a point lies within; on the right or lower edge it does not. */
bool ed_area_holds(const struct ed_area *area, double x, double y);
/* Whether all of `inner` lies within, edges included. */
bool ed_area_covers(const struct ed_area *outer, const struct ed_area *inner);
/* Whether they have a point in common, edges included. */
bool ed_areas_meet(const struct ed_area *a, const struct ed_area *b);

/* Room within frames around what they hold, and for the title. */
enum { ED_FRAME_MARGIN = 24, ED_FRAME_TITLE = 28 };
struct ed_area ed_frame_box(const struct oro_doc_frame *frame);

#endif
