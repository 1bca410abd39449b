#include "terrain/drainage/tile.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "terrain/drainage/tile_private.h"

bool oro_tiled_no_memory(const struct oro_tiled_block *block, struct oro_error *err)
{
    return oro_fail(err, ORO_E_MEMORY, "no memory to drain %d x %d cells", block->width, block->height);
}

void oro_tiled_tile_free(struct oro_tiled_tile *tile)
{
    oro_free(tile->direction);
    oro_free(tile->edges);
    oro_free(tile->entry);
    *tile = (struct oro_tiled_tile){0};
}

/* ---- Edges ---- */

static int by_key(const void *a, const void *b)
{
    const struct oro_saddle *p = a, *q = b;
    return p->key < q->key ? -1 : p->key > q->key;
}

static uint32_t find(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

/* Kruskal's algorithm: moves the saddles that are in the forest to the front, and returns how many. */
static uint32_t span(struct oro_saddle_list *saddles, uint32_t *parent)
{
    uint32_t count = 0;
    if (saddles->count)
        qsort(saddles->items, saddles->count, sizeof *saddles->items, by_key);
    for (size_t i = 0; i < saddles->count; i++) {
        struct oro_saddle saddle = saddles->items[i];
        uint32_t a = find(parent, saddle.lower - ORO_OUTSIDE), b = find(parent, saddle.upper - ORO_OUTSIDE);
        if (a == b)
            continue;
        parent[a] = b;
        saddles->items[count++] = saddle;
    }
    return count;
}

static uint64_t number_in_block(const struct oro_tiled_tile *tile, uint32_t number)
{
    struct oro_tiled_cell cell = oro_tiled_of_window(tile, number >> 2);
    uint64_t row = (uint64_t)(cell.y - tile->block.y), column = (uint64_t)(cell.x - tile->block.x);
    return 4 * (row * (uint64_t)tile->block.width + column) + (number & 3);
}

bool oro_tiled_tile_edges(struct oro_tiled_tile *tile, struct oro_saddle_list *saddles,
                          struct oro_tiled_graph *graph, struct oro_error *err)
{
    uint32_t *parent = oro_alloc(graph->count, sizeof *parent);
    for (uint32_t i = 0; parent && i < graph->count; i++)
        parent[i] = i;
    uint32_t count = parent ? span(saddles, parent) : 0;
    oro_free(parent);
    tile->edges = oro_alloc(count, sizeof *tile->edges);
    graph->edges = oro_alloc(count, sizeof *graph->edges);
    if (!parent || !tile->edges || !graph->edges)
        return oro_tiled_no_memory(&tile->block, err);
    for (uint32_t i = 0; i < count; i++) {
        struct oro_saddle saddle = saddles->items[i];
        tile->edges[i] = (uint32_t)saddle.key;
        graph->edges[i] = (struct oro_tiled_edge){.number = number_in_block(tile, (uint32_t)saddle.key),
                                                  .level = (uint32_t)(saddle.key >> 32),
                                                  .lower = saddle.lower - ORO_OUTSIDE,
                                                  .upper = saddle.upper - ORO_OUTSIDE};
    }
    tile->edge_count = graph->edge_count = count;
    return true;
}

/* Cells are numbered in the window from here on. */
static struct oro_saddle in_window(const struct oro_tiled_tile *tile, struct oro_tiled_saddle saddle)
{
    uint32_t width = (uint32_t)tile->block.width, cell = saddle.number >> 2;
    struct oro_tiled_cell at = {tile->block.x + (int)(cell % width), tile->block.y + (int)(cell / width)};
    uint64_t number = 4 * (uint64_t)oro_tiled_in_window(tile, at) + (saddle.number & 3);
    return (struct oro_saddle){.key = (uint64_t)saddle.level << 32 | number,
                               .lower = saddle.lower + ORO_OUTSIDE,
                               .upper = saddle.upper + ORO_OUTSIDE};
}

bool oro_tiled_tile_span(struct oro_tiled_tile *tile, const struct oro_tiled_saddle *saddles, size_t count,
                         struct oro_tiled_graph *graph, struct oro_error *err)
{
    struct oro_saddle_list list = {oro_alloc(count ? count : 1, sizeof *list.items), count, count};
    for (size_t i = 0; list.items && i < count; i++)
        list.items[i] = in_window(tile, saddles[i]);
    bool ok =
        list.items ? oro_tiled_tile_edges(tile, &list, graph, err) : oro_tiled_no_memory(&tile->block, err);
    oro_free(list.items);
    return ok;
}

/* ---- Turning ways ---- */

static bool fail_turn(const struct oro_tiled_tile *tile, struct oro_error *err)
{
    return oro_fail(err, ORO_E_EVALUATE, "the turns of the tile at %d, %d do not fit its drainage",
                    tile->block.x, tile->block.y);
}

/* Turns the way from a cell down to its pit, or to where it leaves the tile, and sends the cell in another
 * direction. An answer that does not fit may have made circles, which end with the count of cells. */
static bool turn(const struct oro_tiled_tile *tile, size_t cell, uint8_t to, struct oro_error *err)
{
    size_t width = (size_t)tile->window.width;
    struct oro_offsets offsets = oro_offsets_of(tile->window.width);
    struct oro_strips strips = {.width = width, .cells = oro_tiled_window_cells(&tile->window)};
    if (!oro_has_neighbour(strips, cell, cell % width, to))
        return fail_turn(tile, err);
    for (size_t steps = 0; steps < strips.cells; steps++) {
        uint8_t old = tile->direction[cell];
        if (old == ORO_TO_OUTLET)
            return oro_tiled_in_ring(tile, cell) || fail_turn(tile, err);
        tile->direction[cell] = to;
        if (old == ORO_TO_PIT)
            return true;
        cell += (size_t)offsets.to[old];
        to = (uint8_t)(7 - old);
    }
    return fail_turn(tile, err);
}

static bool apply(const struct oro_tiled_tile *tile, const struct oro_tiled_turns *turns,
                  struct oro_error *err)
{
    struct oro_offsets offsets = oro_offsets_of(tile->window.width);
    for (size_t i = 0; i < turns->edge_count; i++) {
        uint32_t number = tile->edges[turns->edges[i] / 2];
        size_t lower = number >> 2;
        uint8_t direction = (uint8_t)(4 + (number & 3));
        bool upper = turns->edges[i] & 1;
        if (!turn(tile, upper ? lower + (size_t)offsets.to[direction] : lower,
                  upper ? (uint8_t)(7 - direction) : direction, err))
            return false;
    }
    for (size_t i = 0; i < turns->leaving_count; i++) {
        struct oro_tiled_cell cell = oro_tiled_rim_cell(&tile->block, (uint32_t)(turns->leaving[i] / 8));
        if (!turn(tile, oro_tiled_in_window(tile, cell), turns->leaving[i] & 7, err))
            return false;
    }
    return true;
}

bool oro_tiled_tile_turn(struct oro_tiled_tile *tile, struct oro_tiled_view answer, struct oro_error *err)
{
    struct oro_tiled_turns turns;
    bool ok =
        oro_tiled_turns_read(&turns, &tile->block, tile->edge_count, answer, err) && apply(tile, &turns, err);
    if (ok) {
        oro_free(tile->entry);
        tile->entry = turns.entry;
        turns.entry = NULL;
    }
    oro_tiled_turns_free(&turns);
    return ok;
}

/* ---- Along the ways ---- */

bool oro_tiled_tile_order(const struct oro_tiled_tile *tile, struct oro_routing *routing,
                          struct oro_error *err)
{
    struct oro_ground ground = oro_tiled_ground(&tile->window, NULL);
    return oro_order_cells(&ground, tile->direction, routing, err);
}
