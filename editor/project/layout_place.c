/* Heights: columns are fitted to their neighbours one after the other. */
#include "editor/project/layout_private.h"

/* ---- The height that a vertex wants ---- */

static void add_side(const struct layout *layout, const struct vertex *vertex, bool before, double *sum,
                     size_t *count)
{
    size_t links = before ? vertex->ins : vertex->outs;
    for (size_t i = 0; i < links; i++) {
        const struct link *link =
            &layout->links[before ? layout->ins[vertex->first_in + i] : layout->outs[vertex->first_out + i]];
        const struct vertex *other = &layout->vertices[before ? link->from : link->to];
        double own_end = before ? link->to_end : link->from_end,
               other_end = before ? link->from_end : link->to_end;
        *sum += other->y + other_end * other->height - own_end * vertex->height;
        (*count)++;
    }
}

/* Links that continue straight. */
static double wanted(const struct layout *layout, const struct vertex *vertex, bool before, bool behind)
{
    double sum = 0;
    size_t count = 0;
    if (before)
        add_side(layout, vertex, true, &sum, &count);
    if (behind)
        add_side(layout, vertex, false, &sum, &count);
    return count > 0 ? sum / (double)count : vertex->y;
}

/* ---- Fitting a column ---- */

/* Vertices that touch, and are moved together. */
struct block {
    size_t first, count;
    double mean; /* of what they want, less what stands above them in the column */
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
        struct block block = {i, 1, vertex->wanted - above};
        while (height > 0 && blocks[height - 1].mean >= block.mean) {
            const struct block *last = &blocks[--height];
            double sum = last->mean * (double)last->count + block.mean * (double)block.count;
            block.first = last->first;
            block.count += last->count;
            block.mean = sum / (double)block.count;
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

static void fit_to(struct layout *layout, size_t column, bool before, bool behind, struct block *blocks)
{
    for (size_t i = 0; i < layout->column_sizes[column]; i++) {
        struct vertex *vertex = &layout->vertices[layout->columns[column][i]];
        vertex->wanted = wanted(layout, vertex, before, behind);
    }
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
    for (size_t i = 0; i < columns; i++)
        stack(layout, i);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        bool forward = sweep % 2 == 0, last = sweep >= SWEEPS - 2;
        for (size_t i = 0; i < columns; i++)
            fit_to(layout, forward ? i : columns - 1 - i, forward || last, !forward || last, blocks);
    }
    return true;
}
