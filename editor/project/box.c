/* Rectangles of nodes and frames. */
#include <math.h>

#include "base/memory.h"
#include "editor/project/operations_private.h"

const struct ed_box ed_no_box = {INFINITY, INFINITY, -INFINITY, -INFINITY};

void ed_box_add(struct ed_box *box, double x, double y)
{
    box->left = fmin(box->left, x);
    box->top = fmin(box->top, y);
    box->right = fmax(box->right, x);
    box->bottom = fmax(box->bottom, y);
}

bool ed_box_holds(const struct ed_box *outer, double x, double y)
{
    return x >= outer->left && x < outer->right && y >= outer->top && y < outer->bottom;
}

struct ed_box ed_frame_box(const struct oro_doc_frame *frame)
{
    return (struct ed_box){frame->x, frame->y, frame->x + frame->width, frame->y + frame->height};
}

struct ed_box ed_node_box(const struct oro_doc_node *node, const struct ed_sizes *sizes)
{
    double width = 160, height = 60;
    if (sizes && sizes->size)
        sizes->size(sizes->user, node->id, &width, &height);
    return (struct ed_box){node->x, node->y, node->x + fmax(width, 1), node->y + fmax(height, 1)};
}

bool *ed_frames_of(const struct oro_document *doc, const bool *nodes)
{
    bool *frames = oro_alloc(oro_document_frame_count(doc) + 1, sizeof *frames);
    for (size_t i = 0; frames && i < oro_document_frame_count(doc); i++) {
        const struct ed_box box = ed_frame_box(oro_document_frame(doc, i));
        bool own = false, other = false;
        for (size_t k = 0; k < oro_document_node_count(doc); k++) {
            const struct oro_doc_node *node = oro_document_node(doc, k);
            if (!ed_box_holds(&box, node->x, node->y))
                continue;
            own |= nodes[k];
            other |= !nodes[k];
        }
        frames[i] = own && !other;
    }
    return frames;
}
