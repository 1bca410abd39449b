/* A tile's basins, before anything is known of other tiles. */
#include <string.h>

#include "base/finite.h"
#include "base/memory.h"
#include "terrain/drainage/flats.h"
#include "terrain/drainage/tile_private.h"

struct routing_tile {
    struct oro_tiled_tile *tile;
    struct oro_ground ground; /* the window, or all of it */
    struct oro_basins basins;
    uint32_t *label;
    struct oro_tiled_graph graph;
    struct oro_flats flats;
    bool steepest; /* flats stay pits: certificates go by the steepest ways alone */
};

static bool check_heights(const struct routing_tile *r, struct oro_error *err)
{
    const float *z = r->ground.z;
    size_t cells = oro_tiled_window_cells(&r->tile->window), bad = oro_first_not_finite(z, cells, false);
    if (bad == cells)
        return true;
    struct oro_tiled_cell cell = oro_tiled_of_window(r->tile, bad);
    return oro_fail_not_finite((size_t)cell.x, (size_t)cell.y, z[bad], err);
}

/* ---- Receivers ---- */

/* The window's edges are ring where the terrain goes on, else its border. */
static void mark_outlets(const struct routing_tile *r)
{
    const struct oro_tiled_tile *tile = r->tile;
    struct oro_basin_margins margins = r->basins.margins;
    size_t width = r->basins.strips.width, cells = r->basins.strips.cells;
    uint8_t *direction = tile->direction;
    bool open = !tile->grid.walls;
    if (open || margins.north)
        memset(direction, ORO_TO_OUTLET, width);
    if (open || margins.south)
        memset(direction + cells - width, ORO_TO_OUTLET, width);
    for (size_t row = 0; row < cells; row += width) {
        if (open || margins.west)
            direction[row] = ORO_TO_OUTLET;
        if (open || margins.east)
            direction[row + width - 1] = ORO_TO_OUTLET;
    }
}

/* Calls body for every pit of the tile itself, in the order of cells; exits count as pits once they are
 * marked as such. */
static void for_pits(struct routing_tile *r, void (*body)(struct routing_tile *r, size_t pit))
{
    const struct oro_tiled_block *block = &r->tile->block;
    for (int y = block->y; y < block->y + block->height; y++) {
        const uint8_t *direction = r->tile->direction;
        const uint8_t *at = direction + oro_tiled_in_window(r->tile, (struct oro_tiled_cell){block->x, y});
        const uint8_t *end = at + block->width;
        while (at < end && (at = memchr(at, ORO_TO_PIT, (size_t)(end - at))) != NULL)
            body(r, (size_t)(at++ - direction));
    }
}

static void count_pit(struct routing_tile *r, size_t pit)
{
    const float *z = r->ground.z;
    float own = oro_height(z[pit]);
    bool flat = false;
    for (int k = 0; k < 8 && !flat; k++)
        flat = oro_has_neighbour(r->basins.strips, pit, pit % r->basins.strips.width, k) &&
               oro_height(z[pit + (size_t)r->basins.offsets.to[k]]) == own;
    r->graph.pits++;
    r->graph.flats += flat;
}

/* Rim cells whose receivers lie in other tiles are held for pits until basins are joined: ways end there. */
static void find_exits(struct routing_tile *r)
{
    struct oro_tiled_tile *tile = r->tile;
    for (uint32_t i = 0; i < r->graph.rim; i++) {
        struct oro_tiled_cell at = oro_tiled_rim_cell(&tile->block, i);
        size_t cell = oro_tiled_in_window(tile, at);
        uint8_t direction = tile->direction[cell];
        r->graph.level[i] = oro_level_of(r->ground.z[cell]);
        if (direction >= ORO_TO_OUTLET ||
            !oro_tiled_in_ring(tile, cell + (size_t)r->basins.offsets.to[direction]))
            continue;
        r->graph.exit[i] = direction;
        tile->direction[cell] = ORO_TO_PIT;
    }
}

/* ---- Labels ---- */

/* Goes down from a cell to one with a label or to its end, then again to write it. */
static uint32_t label_way(struct routing_tile *r, size_t start)
{
    const uint8_t *direction = r->tile->direction;
    const ptrdiff_t *to = r->basins.offsets.to;
    size_t cell = start;
    while (!r->label[cell] && direction[cell] < ORO_TO_OUTLET)
        cell += (size_t)to[direction[cell]];
    uint32_t label = r->label[cell];
    if (!label)
        label = direction[cell] == ORO_TO_OUTLET ? ORO_OUTSIDE : (uint32_t)r->basins.count++;
    for (size_t end = cell, at = start;; at += (size_t)to[direction[at]]) {
        r->label[at] = label;
        if (at == end)
            return label;
    }
}

/* Basins that reach the shared rim come first: they stay. */
static void label_rim(struct routing_tile *r)
{
    const struct oro_tiled_tile *tile = r->tile;
    for (uint32_t i = 0; i < r->graph.rim; i++) {
        struct oro_tiled_cell cell = oro_tiled_rim_cell(&tile->block, i);
        if (!oro_tiled_is_shared(&tile->grid, &tile->block, cell))
            continue;
        uint32_t vertex = label_way(r, oro_tiled_in_window(tile, cell)) - ORO_OUTSIDE;
        r->graph.vertex[i] = vertex;
        if (r->graph.exit[i] < ORO_TILED_NO_EXIT)
            r->graph.exit_cell[vertex] = i;
    }
    r->basins.first = r->basins.count;
    r->graph.count = (uint32_t)(r->basins.first - ORO_OUTSIDE);
}

static void label_pit(struct routing_tile *r, size_t pit)
{
    if (!r->label[pit])
        r->label[pit] = (uint32_t)r->basins.count++;
}

/* Where water ends by the steepest ways. */
static void count_water(struct routing_tile *r)
{
    const struct oro_tiled_block *block = &r->tile->block;
    struct oro_tiled_graph *graph = &r->graph;
    for (int y = block->y; y < block->y + block->height; y++) {
        const uint32_t *label = r->label + oro_tiled_in_window(r->tile, (struct oro_tiled_cell){block->x, y});
        for (int x = 0; x < block->width; x++) {
            uint32_t vertex = label[x] - ORO_OUTSIDE;
            if (vertex >= graph->count)
                graph->ending++;
            else
                graph->water[vertex]++;
        }
    }
    for (uint32_t i = 1; i < graph->count; i++)
        if (graph->exit_cell[i] == ORO_TILED_NONE) {
            graph->ending += graph->water[i];
            graph->water[i] = 0;
        }
}

/* ---- Together ---- */

static bool cross_flats(struct routing_tile *r, struct oro_error *err)
{
    if (r->steepest)
        return true;
    r->flats.ground = &r->ground;
    r->flats.block = r->tile->block;
    r->flats.window = r->tile->window;
    r->flats.direction = r->tile->direction;
    r->flats.label = r->label;
    return oro_flats_cross(&r->flats, err);
}

/* Whether the tile has any cell or neighbour to drain to. */
static bool is_open(const struct routing_tile *r)
{
    size_t cells = r->basins.strips.cells;
    return memchr(r->tile->direction, ORO_TO_OUTLET, cells) != NULL;
}

/* `saddles`, which may be NULL for a whole, gets those that are left between vertices. */
static bool join_basins(struct routing_tile *r, struct oro_saddle_list *saddles, struct oro_error *err)
{
    r->basins.label = (_Atomic uint32_t *)r->label;
    if (r->graph.water)
        for_pits(r, count_pit);
    if (!cross_flats(r, err))
        return false;
    find_exits(r);
    label_rim(r);
    for_pits(r, label_pit);
    if (!oro_label_basins(&r->basins, err))
        return false;
    if (r->graph.water)
        count_water(r);
    r->basins.saddle = oro_alloc(r->basins.count, sizeof *r->basins.saddle);
    r->basins.joined = oro_alloc(r->basins.count, sizeof *r->basins.joined);
    bool room = r->basins.saddle && r->basins.joined;
    bool ok =
        room ? oro_join_all_basins(&r->basins, saddles, err) : oro_tiled_no_memory(&r->tile->block, err);
    oro_free(r->basins.saddle);
    oro_free(r->basins.joined);
    return ok;
}

static bool choose(struct routing_tile *r, struct oro_error *err)
{
    size_t pits;
    if (!check_heights(r, err) || !oro_steepest(&r->ground, r->tile->direction, &pits, err))
        return false;
    mark_outlets(r);
    return is_open(r) || oro_fail_closed(err);
}

static bool route(struct routing_tile *r, struct oro_error *err)
{
    struct oro_saddle_list saddles = {0};
    if (!choose(r, err))
        return false;
    r->label = oro_alloc(r->basins.strips.cells, sizeof *r->label);
    if (!r->label)
        return oro_tiled_no_memory(&r->tile->block, err);
    bool ok = join_basins(r, &saddles, err) && oro_tiled_tile_edges(r->tile, &saddles, &r->graph, err);
    for (uint32_t i = 0; i < r->graph.rim; i++)
        if (r->graph.exit[i] < ORO_TILED_NO_EXIT)
            r->tile->direction[oro_tiled_in_window(r->tile, oro_tiled_rim_cell(&r->tile->block, i))] =
                r->graph.exit[i];
    oro_free(saddles.items);
    oro_free(r->label);
    return ok;
}

static struct oro_basin_margins margins_of(const struct oro_tiled_tile *tile)
{
    const struct oro_tiled_block *block = &tile->block, *window = &tile->window;
    return (struct oro_basin_margins){
        .north = (size_t)(block->y - window->y),
        .west = (size_t)(block->x - window->x),
        .south = (size_t)(window->y + window->height - block->y - block->height),
        .east = (size_t)(window->x + window->width - block->x - block->width),
    };
}

static void begin_basins(struct routing_tile *r, struct oro_tiled_tile *tile)
{
    r->tile = tile;
    r->basins = (struct oro_basins){.ground = &r->ground,
                                    .strips = oro_strips_of(r->ground.width, r->ground.height),
                                    .offsets = oro_offsets_of(r->ground.width),
                                    .margins = margins_of(tile),
                                    .direction = tile->direction,
                                    .count = ORO_FIRST_PIT};
}

static bool begin(struct routing_tile *r, struct oro_tiled_tile *tile, const struct oro_tiled_grid *grid,
                  const struct oro_tiled_block *block, struct oro_error *err)
{
    *tile = (struct oro_tiled_tile){.grid = *grid, .block = *block, .window = oro_tiled_ringed(grid, block)};
    tile->direction = oro_alloc(oro_tiled_window_cells(&tile->window), 1);
    r->ground.width = tile->window.width;
    r->ground.height = tile->window.height;
    r->ground.walls = true; /* edges are marked later */
    begin_basins(r, tile);
    return tile->direction || oro_tiled_no_memory(block, err);
}

bool oro_tiled_tile_route(struct oro_tiled_tile *tile, const struct oro_tiled_grid *grid,
                          const struct oro_tiled_block *block, const struct oro_tiled_window *window,
                          bool water, struct oro_tiled_bytes *message, struct oro_error *err)
{
    struct routing_tile r = {
        .ground = {.z = window->z, .sea = window->sea}, .flats.ring = window->ring, .steepest = water};
    bool ok = begin(&r, tile, grid, block, err) && oro_tiled_graph_begin(&r.graph, block, water, err) &&
              route(&r, err);
    tile->crossing = r.flats.crossing;
    if (ok)
        oro_tiled_graph_write(&r.graph, message);
    ok = ok && (!message->failed || oro_tiled_no_memory(block, err));
    oro_tiled_graph_free(&r.graph);
    return ok;
}

bool oro_tiled_tile_flats(const struct oro_tiled_grid *grid, const struct oro_tiled_block *block,
                          const struct oro_tiled_window *window, enum oro_flat_field last,
                          struct oro_flat_values *rim, struct oro_error *err)
{
    struct oro_tiled_tile tile;
    struct routing_tile r = {.ground = {.z = window->z, .sea = window->sea},
                             .flats = {.ring = window->ring, .rim = rim, .last = last}};
    bool ok = begin(&r, &tile, grid, block, err) && choose(&r, err);
    r.label = ok ? oro_alloc(r.basins.strips.cells, sizeof *r.label) : NULL;
    if (ok && !r.label)
        ok = oro_tiled_no_memory(block, err);
    ok = ok && cross_flats(&r, err);
    oro_free(r.label);
    oro_tiled_tile_free(&tile);
    return ok;
}

/* Without pits, the steepest ways are the ways. */
bool oro_find_ways(const struct oro_ground *ground, bool steepest, uint8_t *direction, uint32_t *label,
                   size_t *pits, struct oro_error *err)
{
    struct oro_tiled_block all = {0, 0, ground->width, ground->height};
    struct oro_tiled_tile tile = {.block = all, .window = all, .direction = direction};
    struct routing_tile r = {.ground = *ground, .label = label, .steepest = steepest};
    begin_basins(&r, &tile);
    return oro_steepest(ground, direction, pits, err) && (!*pits || join_basins(&r, NULL, err));
}

static void see_pit(struct routing_tile *r, size_t pit)
{
    (void)pit;
    r->graph.pits++;
}

bool oro_tiled_tile_has_pits(const struct oro_tiled_grid *grid, const struct oro_tiled_block *block,
                             const float *z, const float *sea, bool *pits, struct oro_error *err)
{
    struct oro_tiled_tile tile;
    struct routing_tile r = {.ground = {.z = z, .sea = sea}};
    bool ok = begin(&r, &tile, grid, block, err) && choose(&r, err);
    if (ok)
        for_pits(&r, see_pit);
    *pits = r.graph.pits > 0;
    oro_tiled_tile_free(&tile);
    return ok;
}
