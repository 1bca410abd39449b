/* Heights: columns are fitted to their neighbours one after the other. */
#include "editor/project/layout_private.h"

/* ---- What runs straight ---- */

static double height_of_start(const struct layout *layout, const struct link *link)
{
    const struct vertex *from = &layout->vertices[link->from];
    return from->y + link->from_end * from->height;
}

static double height_of_end(const struct layout *layout, const struct link *link)
{
    const struct vertex *to = &layout->vertices[link->to];
    return to->y + link->to_end * to->height;
}

/* The link to the vertex's uppermost input; NULL: it has none. */
static struct link *first_in(const struct layout *layout, const struct vertex *vertex)
{
    struct link *first = NULL;
    for (size_t i = 0; i < vertex->ins; i++) {
        struct link *link = &layout->links[layout->ins[vertex->first_in + i]];
        if (!first || link->to_end < first->to_end)
            first = link;
    }
    return first;
}

/* Of the links to the next column that are the first of what they lead to, the one that goes on the longest
 * way; none if several go on as long: then the vertex stands in the middle before them. So every vertex has
 * at most one straight link on either side, and chains of nodes stand in a row. */
static void find_straight(struct layout *layout)
{
    for (size_t column = layout->column_count; column-- > 0;)
        for (size_t k = 0; k < layout->column_sizes[column]; k++) {
            struct vertex *vertex = &layout->vertices[layout->columns[column][k]];
            struct link *best = NULL;
            bool alone = false;
            for (size_t i = 0; i < vertex->outs; i++) {
                struct link *link = &layout->links[layout->outs[vertex->first_out + i]];
                const struct vertex *to = &layout->vertices[link->to];
                size_t way = best ? layout->vertices[best->to].way : 0;
                if (link->to >= layout->box_count || first_in(layout, to) != link || (best && to->way < way))
                    continue;
                alone = !best || to->way > way;
                best = link;
            }
            vertex->way = best ? layout->vertices[best->to].way + 1 : 0;
            if (best && alone)
                best->straight = true;
        }
}

/* ---- The height that a vertex wants ---- */

/* The heights at which the links of one side would be level. True: one of them is straight, and counts alone.
 */
static bool levels(const struct layout *layout, const struct vertex *vertex, bool before, double *sum,
                   size_t *count)
{
    size_t links = before ? vertex->ins : vertex->outs;
    for (size_t i = 0; i < links; i++) {
        const struct link *link =
            &layout->links[before ? layout->ins[vertex->first_in + i] : layout->outs[vertex->first_out + i]];
        double off = height_of_start(layout, link) - height_of_end(layout, link);
        double level = vertex->y + (before ? off : -off);
        *sum = link->straight ? level : *sum + level;
        *count = link->straight ? 1 : *count + 1;
        if (link->straight)
            return true;
    }
    return false;
}

/* By the links of one side; `both`: also by those of the other, unless a straight one decides. What is in a
 * row stays there, and others make way. */
static void want(const struct layout *layout, struct vertex *vertex, bool before, bool both)
{
    double sum = 0;
    size_t count = 0;
    bool straight = levels(layout, vertex, before, &sum, &count);
    if (!straight && both)
        levels(layout, vertex, !before, &sum, &count);
    vertex->wanted = count > 0 ? sum / (double)count : vertex->y;
    vertex->weight = straight ? 1000 : 1;
}

/* ---- Fitting a column ---- */

/* Vertices that touch, and are moved together. */
struct block {
    size_t first, count;
    double mean; /* of what they want, less what stands above them in the column */
    double weight;
};

static double gap_below(const struct layout *layout, size_t vertex)
{
    return vertex < layout->box_count ? ED_ROW_GAP : ED_ROW_GAP / 2.0;
}

/* Pool adjacent violators: the least squares fit that keeps order and gaps. */
static void fit(struct layout *layout, size_t column, struct block *blocks)
{
    const size_t *order = layout->columns[column];
    size_t count = layout->column_sizes[column], height = 0;
    double above = 0;
    for (size_t i = 0; i < count; i++) {
        struct vertex *vertex = &layout->vertices[order[i]];
        struct block block = {i, 1, vertex->wanted - above, vertex->weight};
        while (height > 0 && blocks[height - 1].mean >= block.mean) {
            const struct block *last = &blocks[--height];
            double sum = last->mean * last->weight + block.mean * block.weight;
            block.first = last->first;
            block.count += last->count;
            block.weight += last->weight;
            block.mean = sum / block.weight;
        }
        blocks[height++] = block;
        above += vertex->height + gap_below(layout, order[i]);
    }
    above = 0;
    for (size_t i = 0; i < height; i++) {
        for (size_t k = 0; k < blocks[i].count; k++) {
            struct vertex *vertex = &layout->vertices[order[blocks[i].first + k]];
            vertex->y = blocks[i].mean + above;
            above += vertex->height + gap_below(layout, order[blocks[i].first + k]);
        }
    }
}

static void fit_to(struct layout *layout, size_t column, bool before, bool both, struct block *blocks)
{
    for (size_t i = 0; i < layout->column_sizes[column]; i++)
        want(layout, &layout->vertices[layout->columns[column][i]], before, both);
    fit(layout, column, blocks);
}

static void stack(struct layout *layout, size_t column)
{
    double y = 0;
    for (size_t i = 0; i < layout->column_sizes[column]; i++) {
        size_t index = layout->columns[column][i];
        layout->vertices[index].y = y;
        y += layout->vertices[index].height + gap_below(layout, index);
    }
}

bool ed_layout_place(struct layout *layout)
{
    enum { SWEEPS = 8 };
    struct block *blocks = oro_arena_alloc(layout->arena, layout->vertex_count + 1, sizeof *blocks);
    if (!blocks)
        return false;
    size_t columns = layout->column_count;
    find_straight(layout);
    for (size_t i = 0; i < columns; i++)
        stack(layout, i);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        bool forward = sweep % 2 == 0, last = sweep >= SWEEPS - 2;
        for (size_t i = 0; i < columns; i++)
            fit_to(layout, forward ? i : columns - 1 - i, forward, last, blocks);
    }
    return true;
}
