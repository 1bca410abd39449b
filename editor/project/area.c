/* Rectangles in a graph's plane, and those of frames. */
#include "editor/project/area.h"

#include <math.h>

const struct ed_area ed_no_area = {0, 0, -1, -1};

void ed_area_add(struct ed_area *area, double x, double y)
{
    if (area->x1 < area->x0) {
        area->x0 = area->x1 = x;
        area->y0 = area->y1 = y;
        return;
    }
    area->x0 = fmin(area->x0, x);
    area->x1 = fmax(area->x1, x);
    area->y0 = fmin(area->y0, y);
    area->y1 = fmax(area->y1, y);
}

bool ed_area_holds(const struct ed_area *area, double x, double y)
{
    return x >= area->x0 && x < area->x1 && y >= area->y0 && y < area->y1;
}

bool ed_area_covers(const struct ed_area *outer, const struct ed_area *inner)
{
    return outer->x0 <= inner->x0 && outer->y0 <= inner->y0 && outer->x1 >= inner->x1 &&
           outer->y1 >= inner->y1;
}

bool ed_areas_meet(const struct ed_area *a, const struct ed_area *b)
{
    return a->x0 <= b->x1 && b->x0 <= a->x1 && a->y0 <= b->y1 && b->y0 <= a->y1;
}

struct ed_area ed_frame_box(const struct oro_doc_frame *frame)
{
    return (struct ed_area){frame->x, frame->y, frame->x + frame->width, frame->y + frame->height};
}
