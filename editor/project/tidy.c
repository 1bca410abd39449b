/* Tidy layout: what a frame holds is laid out on its own; the frame then is one box of the layout around it.
 */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "editor/project/layout.h"
#include "editor/project/operations_private.h"

/* Nodes first, then frames; the last item is the whole. */
struct tidying {
    const struct oro_document *doc;
    const struct ed_sizes *sizes;
    struct oro_arena *arena;
    size_t node_count, frame_count, item_count;
    bool *nodes, *frames;           /* those that are laid out */
    size_t *parent;                 /* the smallest frame around it, as an item; or the whole */
    struct ed_area *old;            /* where items were */
    double *width, *height, *x, *y; /* of items; places are within the parent, then on the canvas */
    size_t *local;                  /* numbers among the items of one parent */
};

/* ---- Nesting ---- */

static double area(const struct ed_area *box)
{
    return (box->x1 - box->x0) * (box->y1 - box->y0);
}

/* Frames in order of size: those that are equal, in order of the document. */
static bool is_larger(const struct tidying *t, size_t a, size_t b)
{
    double one = area(&t->old[a]), two = area(&t->old[b]);
    return one > two || (one == two && a < b);
}

static bool is_around(const struct tidying *t, size_t frame, size_t item)
{
    const struct ed_area *outer = &t->old[frame], *inner = &t->old[item];
    if (item < t->node_count)
        return ed_area_holds(outer, inner->x0, inner->y0);
    return is_larger(t, frame, item) && ed_area_covers(outer, inner);
}

static bool takes_part(const struct tidying *t, size_t item)
{
    return item < t->node_count ? t->nodes[item] : t->frames[item - t->node_count];
}

static bool prepare(struct tidying *t)
{
    t->node_count = oro_document_node_count(t->doc);
    t->frame_count = oro_document_frame_count(t->doc);
    t->item_count = t->node_count + t->frame_count + 1;
    t->parent = oro_arena_alloc(t->arena, t->item_count, sizeof *t->parent);
    t->local = oro_arena_alloc(t->arena, t->item_count, sizeof *t->local);
    t->old = oro_arena_alloc(t->arena, t->item_count, sizeof *t->old);
    t->width = oro_arena_alloc(t->arena, 4 * t->item_count, sizeof *t->width);
    if (!t->parent || !t->local || !t->old || !t->width)
        return false;
    t->height = t->width + t->item_count;
    t->x = t->height + t->item_count;
    t->y = t->x + t->item_count;
    for (size_t i = 0; i < t->node_count; i++) {
        t->old[i] = ed_node_box(oro_document_node(t->doc, i), t->sizes);
        t->width[i] = ceil(t->old[i].x1 - t->old[i].x0);
        t->height[i] = ceil(t->old[i].y1 - t->old[i].y0);
    }
    for (size_t i = 0; i < t->frame_count; i++)
        t->old[t->node_count + i] = ed_frame_box(oro_document_frame(t->doc, i));
    size_t whole = t->item_count - 1;
    for (size_t item = 0; item < whole; item++) {
        t->parent[item] = whole;
        for (size_t frame = t->node_count; frame < whole && takes_part(t, item); frame++)
            if (takes_part(t, frame) && frame != item && is_around(t, frame, item) &&
                (t->parent[item] == whole || is_larger(t, t->parent[item], frame)))
                t->parent[item] = frame;
    }
    return true;
}

/* ---- One level ---- */

/* The item of a parent that holds a node or is it; SIZE_MAX: the node is not within. */
static size_t lift(const struct tidying *t, size_t node, size_t parent)
{
    size_t item = node, whole = t->item_count - 1;
    while (item != whole && t->parent[item] != parent)
        item = t->parent[item];
    return item == whole ? SIZE_MAX : item;
}

/* Where a link ends, as a share of the height of the item that stands for the node. */
static double link_end(const struct tidying *t, size_t item, const char *socket, bool output, double standard)
{
    const struct ed_sizes *sizes = t->sizes;
    if (item >= t->node_count)
        return 0.5;
    if (!sizes || !sizes->socket || !socket)
        return standard;
    return sizes->socket(sizes->user, oro_document_node(t->doc, item)->id, socket, output);
}

/* Links between the items of a parent; counts them where `links` is NULL. */
static size_t find_links(const struct tidying *t, size_t parent, struct ed_layout_link *links)
{
    size_t count = 0;
    for (size_t i = 0; i < t->node_count; i++) {
        const struct oro_doc_node *node = oro_document_node(t->doc, i);
        size_t to = t->nodes[i] ? lift(t, i, parent) : SIZE_MAX;
        for (size_t k = 0; to != SIZE_MAX && k < node->input_count; k++) {
            const struct oro_doc_input *input = &node->inputs[k];
            size_t source = input->from_node ? oro_document_find_index(t->doc, input->from_node) : SIZE_MAX;
            size_t from = source != SIZE_MAX && t->nodes[source] ? lift(t, source, parent) : SIZE_MAX;
            if (from == SIZE_MAX || from == to)
                continue;
            if (links)
                links[count] = (struct ed_layout_link){
                    t->local[from], t->local[to], link_end(t, from, input->from_output, true, 0.5),
                    link_end(t, to, input->name, false, (double)(k + 1) / (double)(node->input_count + 1))};
            count++;
        }
    }
    return count;
}

static bool lay_out(struct tidying *t, size_t parent)
{
    size_t count = 0, whole = t->item_count - 1;
    struct ed_layout_box *boxes = oro_arena_alloc(t->arena, t->item_count, sizeof *boxes);
    struct ed_layout_link *links = oro_arena_alloc(t->arena, find_links(t, parent, NULL) + 1, sizeof *links);
    if (!boxes || !links)
        return false;
    for (size_t i = 0; i < whole; i++) {
        if (!takes_part(t, i) || t->parent[i] != parent)
            continue;
        t->local[i] = count;
        boxes[count++] = (struct ed_layout_box){.width = t->width[i], .height = t->height[i]};
    }
    if (!ed_layout(boxes, count, links, find_links(t, parent, links)))
        return false;
    double margin = parent == whole ? 0 : ED_FRAME_MARGIN,
           top = parent == whole ? 0 : ED_FRAME_MARGIN + ED_FRAME_TITLE;
    for (size_t i = 0; i < whole; i++) {
        if (!takes_part(t, i) || t->parent[i] != parent)
            continue;
        t->x[i] = boxes[t->local[i]].x + margin;
        t->y[i] = boxes[t->local[i]].y + top;
        t->width[parent] = fmax(t->width[parent], t->x[i] + t->width[i] + margin);
        t->height[parent] = fmax(t->height[parent], t->y[i] + t->height[i] + margin);
    }
    return true;
}

/* The smallest frame that is not `done`; or the whole, which comes last. */
static size_t next_parent(const struct tidying *t, const bool *done)
{
    size_t whole = t->item_count - 1, next = whole;
    for (size_t i = t->node_count; i < whole; i++)
        if (takes_part(t, i) && !done[i] && (next == whole || is_larger(t, next, i)))
            next = i;
    return next;
}

/* ---- The canvas ---- */

/* Turns places within parents into places on the canvas, so that the whole stays where it was. */
static void spread_out(struct tidying *t)
{
    size_t whole = t->item_count - 1;
    struct ed_area all = ed_no_area;
    for (size_t i = 0; i < whole; i++)
        if (takes_part(t, i))
            ed_area_add(&all, t->old[i].x0, t->old[i].y0);
    for (size_t i = 0; i < t->node_count; i++) {
        for (size_t up = t->parent[i]; t->nodes[i] && up != whole; up = t->parent[up]) {
            t->x[i] += t->x[up];
            t->y[i] += t->y[up];
        }
        t->x[i] += round(all.x0);
        t->y[i] += round(all.y0);
    }
    for (size_t i = t->node_count; i < whole; i++) {
        t->old[i].x0 = t->x[i] + round(all.x0);
        t->old[i].y0 = t->y[i] + round(all.y0);
        for (size_t up = t->parent[i]; takes_part(t, i) && up != whole; up = t->parent[up]) {
            t->old[i].x0 += t->x[up];
            t->old[i].y0 += t->y[up];
        }
    }
}

/* Gives a frame its new box, if that differs from the old one. */
static bool set_frame(struct oro_document *doc, size_t index, const struct ed_area *box,
                      struct oro_error *err)
{
    struct oro_doc_frame frame = *oro_document_frame(doc, index);
    double width = box->x1 - box->x0, height = box->y1 - box->y0;
    if (frame.x == box->x0 && frame.y == box->y0 && frame.width == width && frame.height == height)
        return true;
    frame.x = box->x0;
    frame.y = box->y0;
    frame.width = width;
    frame.height = height;
    return oro_edit_frame(doc, index, &frame, err);
}

/* Fits a frame around what it held before, if some of that was moved. */
static bool fit_frame(const struct tidying *t, struct oro_document *doc, size_t index, struct oro_error *err)
{
    const struct ed_area before = ed_frame_box(oro_document_frame(doc, index));
    struct ed_area now = ed_no_area;
    bool moved = false;
    for (size_t i = 0; i < t->node_count; i++) {
        if (!ed_area_holds(&before, t->old[i].x0, t->old[i].y0))
            continue;
        double x = t->nodes[i] ? t->x[i] : t->old[i].x0, y = t->nodes[i] ? t->y[i] : t->old[i].y0;
        moved |= t->nodes[i];
        ed_area_add(&now, x, y);
        ed_area_add(&now, x + t->width[i], y + t->height[i]);
    }
    if (!moved)
        return true;
    return set_frame(doc, index,
                     &(struct ed_area){floor(now.x0) - ED_FRAME_MARGIN,
                                       floor(now.y0) - ED_FRAME_MARGIN - ED_FRAME_TITLE,
                                       ceil(now.x1) + ED_FRAME_MARGIN, ceil(now.y1) + ED_FRAME_MARGIN},
                     err);
}

static bool put_frame(const struct tidying *t, struct oro_document *doc, size_t index, struct oro_error *err)
{
    size_t item = t->node_count + index;
    double left = t->old[item].x0, top = t->old[item].y0;
    if (!t->frames[index])
        return fit_frame(t, doc, index, err);
    return set_frame(doc, index, &(struct ed_area){left, top, left + t->width[item], top + t->height[item]},
                     err);
}

static bool apply(const struct tidying *t, struct oro_document *doc, struct oro_error *err)
{
    bool ok = true;
    for (size_t i = 0; i < t->node_count && ok; i++)
        ok = !t->nodes[i] || oro_edit_move(doc, oro_document_node(doc, i)->id, t->x[i], t->y[i], err);
    for (size_t i = 0; i < t->frame_count && ok; i++)
        ok = put_frame(t, doc, i, err);
    return ok;
}

static bool tidy(struct tidying *t, struct oro_document *doc, struct oro_error *err)
{
    bool *done = NULL;
    if (!t->arena || !prepare(t) || !(done = oro_arena_alloc(t->arena, t->item_count, sizeof *done)))
        return ed_no_memory(err);
    size_t parent;
    do {
        parent = next_parent(t, done);
        done[parent] = true;
        if (!lay_out(t, parent))
            return ed_no_memory(err);
    } while (parent != t->item_count - 1);
    spread_out(t);
    return apply(t, doc, err);
}

bool ed_tidy(struct ed_project *project, const struct ed_names *nodes, const struct ed_sizes *sizes,
             struct oro_error *err)
{
    struct oro_document *doc = ed_edit_begin(project, "Tidy", err);
    if (!doc)
        return false;
    struct tidying t = {.doc = doc, .sizes = sizes, .nodes = ed_marks_of(doc, nodes, err)};
    if (t.nodes && nodes->count == 0)
        memset(t.nodes, true, oro_document_node_count(doc));
    t.frames = t.nodes ? ed_frames_of(doc, t.nodes) : NULL;
    t.arena = oro_arena_create();
    bool ok = t.nodes && (t.frames ? tidy(&t, doc, err) : ed_no_memory(err));
    oro_arena_destroy(t.arena);
    oro_free(t.nodes);
    oro_free(t.frames);
    return ed_edit_end(project, ok, err);
}
