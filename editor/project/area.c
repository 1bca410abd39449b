/* Rectangles in a graph's plane, and those of nodes and frames. */
#include <math.h>

#include "base/memory.h"
#include "editor/project/operations_private.h"

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

struct ed_area ed_node_box(const struct oro_doc_node *node, const struct ed_sizes *sizes)
{
    double width = 160, height = 60;
    if (sizes && sizes->size)
        sizes->size(sizes->user, node->id, &width, &height);
    return (struct ed_area){node->x, node->y, node->x + fmax(width, 1), node->y + fmax(height, 1)};
}

bool *ed_frames_of(const struct oro_document *doc, const bool *nodes)
{
    bool *frames = oro_alloc(oro_document_frame_count(doc) + 1, sizeof *frames);
    for (size_t i = 0; frames && i < oro_document_frame_count(doc); i++) {
        const struct ed_area box = ed_frame_box(oro_document_frame(doc, i));
        bool own = false, other = false;
        for (size_t k = 0; k < oro_document_node_count(doc); k++) {
            const struct oro_doc_node *node = oro_document_node(doc, k);
            if (!ed_area_holds(&box, node->x, node->y))
                continue;
            own |= nodes[k];
            other |= !nodes[k];
        }
        frames[i] = own && !other;
    }
    return frames;
}
