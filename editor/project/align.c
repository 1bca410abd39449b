/* Aligns and spreads nodes so that none lies on another. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "editor/project/operations_private.h"

struct aligned {
    const char *name;
    struct ed_area box;
};

static double start_of(const struct ed_area *box, bool along_x)
{
    return along_x ? box->x0 : box->y0;
}

static double end_of(const struct ed_area *box, bool along_x)
{
    return along_x ? box->x1 : box->y1;
}

static void shift_to(struct ed_area *box, bool along_x, double start)
{
    double by = start - start_of(box, along_x);
    *(along_x ? &box->x0 : &box->y0) += by;
    *(along_x ? &box->x1 : &box->y1) += by;
}

static int by_x(const void *a, const void *b)
{
    const struct aligned *one = a, *two = b;
    return (one->box.x0 > two->box.x0) - (one->box.x0 < two->box.x0);
}

static int by_y(const void *a, const void *b)
{
    const struct aligned *one = a, *two = b;
    return (one->box.y0 > two->box.y0) - (one->box.y0 < two->box.y0);
}

static int by_both(const void *a, const void *b)
{
    const struct aligned *one = a, *two = b;
    double first = one->box.x0 + one->box.y0, second = two->box.x0 + two->box.y0;
    return (first > second) - (first < second);
}

enum { GAP = 20 }; /* units of the document */

static bool any_overlap(const struct aligned *items, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++) {
            const struct ed_area *a = &items[i].box, *b = &items[k].box;
            if (a->x0 < b->x1 && b->x0 < a->x1 && a->y0 < b->y1 && b->y0 < a->y1)
                return true;
        }
    return false;
}

static void place_with(struct aligned *items, size_t count, bool along_x, double first, double gap)
{
    for (size_t i = 0; i < count; i++) {
        double length = end_of(&items[i].box, along_x) - start_of(&items[i].box, along_x);
        shift_to(&items[i].box, along_x, first);
        first += length + gap;
    }
}

/* The first and the last node stay and gaps become equal; if there is too little room, the last one moves,
 * too. */
static void spread(struct aligned *items, size_t count, bool along_x)
{
    double sum = 0;
    qsort(items, count, sizeof *items, along_x ? by_x : by_y);
    for (size_t i = 0; i < count; i++)
        sum += end_of(&items[i].box, along_x) - start_of(&items[i].box, along_x);
    double first = start_of(&items[0].box, along_x), last = end_of(&items[count - 1].box, along_x);
    double gap = count > 1 ? (last - first - sum) / (double)(count - 1) : 0;
    place_with(items, count, along_x, first, gap);
    if (gap < 0 && any_overlap(items, count))
        place_with(items, count, along_x, first, GAP);
}

/* The order of the nodes in the line. Nodes that would come to the same place, such as those of a row that
 * becomes a column, are ordered by both axes. */
static void order(struct aligned *items, size_t count, bool along_x)
{
    qsort(items, count, sizeof *items, along_x ? by_x : by_y);
    for (size_t begin = 0, end; begin < count; begin = end) {
        double reach = end_of(&items[begin].box, along_x);
        for (end = begin + 1; end < count && start_of(&items[end].box, along_x) < reach; end++)
            reach = fmax(reach, end_of(&items[end].box, along_x));
        qsort(items + begin, end - begin, sizeof *items, by_both);
    }
}

static void push_apart(struct aligned *items, size_t count, bool along_x)
{
    for (size_t i = 1; i < count; i++) {
        double reach = end_of(&items[i - 1].box, along_x);
        if (start_of(&items[i].box, along_x) < reach)
            shift_to(&items[i].box, along_x, reach + GAP);
    }
}

static void line_up(struct aligned *items, size_t count, enum ed_align how, const struct ed_area *all)
{
    bool along_x = how == ED_ALIGN_LEFT || how == ED_ALIGN_RIGHT || how == ED_ALIGN_MIDDLE_X;
    order(items, count, !along_x);
    for (size_t i = 0; i < count; i++) {
        double length = end_of(&items[i].box, along_x) - start_of(&items[i].box, along_x);
        double start = start_of(all, along_x), room = end_of(all, along_x) - start - length;
        if (how == ED_ALIGN_RIGHT || how == ED_ALIGN_BOTTOM)
            start += room;
        else if (how == ED_ALIGN_MIDDLE_X || how == ED_ALIGN_MIDDLE_Y)
            start += room / 2;
        shift_to(&items[i].box, along_x, start);
    }
    push_apart(items, count, !along_x);
}

static bool align(struct oro_document *doc, const struct ed_names *nodes, enum ed_align how,
                  const struct ed_sizes *sizes, struct aligned *items, struct oro_error *err)
{
    struct ed_area all = ed_no_area;
    for (size_t i = 0; i < nodes->count; i++) {
        const struct oro_doc_node *node = oro_document_find(doc, nodes->items[i]);
        if (!node)
            return oro_fail(err, ORO_E_DOCUMENT, "there is no node '%.100s'", nodes->items[i]);
        items[i] = (struct aligned){nodes->items[i], ed_node_box(node, sizes)};
        ed_area_add(&all, items[i].box.x0, items[i].box.y0);
        ed_area_add(&all, items[i].box.x1, items[i].box.y1);
    }
    if (how == ED_SPREAD_X || how == ED_SPREAD_Y)
        spread(items, nodes->count, how == ED_SPREAD_X);
    else
        line_up(items, nodes->count, how, &all);
    for (size_t i = 0; i < nodes->count; i++)
        if (!oro_edit_move(doc, items[i].name, round(items[i].box.x0), round(items[i].box.y0), err))
            return false;
    return true;
}

bool ed_align(struct ed_project *project, const struct ed_names *nodes, enum ed_align how,
              const struct ed_sizes *sizes, struct oro_error *err)
{
    if (nodes->count < 2)
        return true;
    struct aligned *items = oro_alloc(nodes->count, sizeof *items);
    if (!items)
        return ed_no_memory(err);
    struct oro_document *doc =
        ed_edit_begin(project, how == ED_SPREAD_X || how == ED_SPREAD_Y ? "Spread" : "Align", err);
    bool ok = doc && ed_edit_end(project, align(doc, nodes, how, sizes, items, err), err);
    oro_free(items);
    return ok;
}
