/* The order within columns: sweeps over barycentres, the best of which is kept. */
#include <stdlib.h>
#include <string.h>

#include "editor/project/layout_private.h"

struct sorted {
    double key;
    size_t vertex;
};

static int by_key(const void *a, const void *b)
{
    const struct sorted *one = a, *two = b;
    if (one->key != two->key)
        return one->key < two->key ? -1 : 1;
    return (one->vertex > two->vertex) - (one->vertex < two->vertex);
}

/* The average position of the neighbours on one side; a box without any keeps its own. */
static double barycentre(const struct layout *layout, const struct vertex *vertex, bool before)
{
    double sum = 0;
    size_t count = before ? vertex->ins : vertex->outs;
    for (size_t i = 0; i < count; i++) {
        const struct link *link =
            &layout->links[before ? layout->ins[vertex->first_in + i] : layout->outs[vertex->first_out + i]];
        const struct vertex *other = &layout->vertices[before ? link->from : link->to];
        sum += (double)other->place + (before ? link->from_end : link->to_end);
    }
    return count > 0 ? sum / (double)count : (double)vertex->place + 0.5;
}

static void sort_column(struct layout *layout, size_t column, bool before, struct sorted *buffer)
{
    size_t *order = layout->columns[column], count = layout->column_sizes[column];
    for (size_t i = 0; i < count; i++)
        buffer[i] = (struct sorted){barycentre(layout, &layout->vertices[order[i]], before), order[i]};
    qsort(buffer, count, sizeof *buffer, by_key);
    for (size_t i = 0; i < count; i++) {
        order[i] = buffer[i].vertex;
        layout->vertices[order[i]].place = i;
    }
}

/* ---- Crossings ---- */

/* Sums of a list that grows, by halves (Fenwick). */
static void count_up(size_t *tree, size_t size, size_t place)
{
    for (size_t i = place + 1; i <= size; i += i & (~i + 1))
        tree[i]++;
}

static size_t count_to(const size_t *tree, size_t place)
{
    size_t sum = 0;
    for (size_t i = place; i > 0; i -= i & (~i + 1))
        sum += tree[i];
    return sum;
}

/* Counts crossings between a column and the next: goes through links in the order of their beginnings, and
 * counts for each the earlier ones that end below it. */
static size_t crossings_behind(const struct layout *layout, size_t column, size_t *tree)
{
    size_t next = layout->column_sizes[column + 1], crossings = 0, seen = 0;
    memset(tree, 0, (next + 1) * sizeof *tree);
    for (size_t i = 0; i < layout->column_sizes[column]; i++) {
        const struct vertex *vertex = &layout->vertices[layout->columns[column][i]];
        for (size_t k = 0; k < vertex->outs; k++) {
            size_t place = layout->vertices[layout->links[layout->outs[vertex->first_out + k]].to].place;
            crossings += seen - count_to(tree, place + 1);
        }
        for (size_t k = 0; k < vertex->outs; k++, seen++)
            count_up(tree, next,
                     layout->vertices[layout->links[layout->outs[vertex->first_out + k]].to].place);
    }
    return crossings;
}

static size_t crossings(const struct layout *layout, size_t *tree)
{
    size_t sum = 0;
    for (size_t i = 0; i + 1 < layout->column_count; i++)
        sum += crossings_behind(layout, i, tree);
    return sum;
}

/* ---- Sweeps ---- */

static void keep_places(const struct layout *layout, size_t *places)
{
    for (size_t i = 0; i < layout->vertex_count; i++)
        places[i] = layout->vertices[i].place;
}

static void take_places(struct layout *layout, const size_t *places)
{
    for (size_t i = 0; i < layout->vertex_count; i++) {
        layout->vertices[i].place = places[i];
        layout->columns[layout->vertices[i].column][places[i]] = i;
    }
}

bool ed_layout_order(struct layout *layout)
{
    enum { SWEEPS = 16 };
    struct sorted *buffer = oro_arena_alloc(layout->arena, layout->vertex_count, sizeof *buffer);
    size_t *tree = oro_arena_alloc(layout->arena, layout->vertex_count + 2, sizeof *tree);
    size_t *best = oro_arena_alloc(layout->arena, layout->vertex_count, sizeof *best);
    if (!buffer || !tree || !best)
        return false;
    size_t fewest = crossings(layout, tree);
    keep_places(layout, best);
    for (int sweep = 0; sweep < SWEEPS && fewest > 0; sweep++) {
        bool forward = sweep % 2 == 0;
        for (size_t i = 1; i < layout->column_count; i++)
            sort_column(layout, forward ? i : layout->column_count - 1 - i, forward, buffer);
        size_t now = crossings(layout, tree);
        if (now >= fewest)
            continue;
        fewest = now;
        keep_places(layout, best);
    }
    take_places(layout, best);
    return true;
}
