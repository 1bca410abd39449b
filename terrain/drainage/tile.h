/*
 * A tile on its own. It is given its window: rasters of its cells and a ring of neighbours around them, where
 * the terrain goes on. Within the window, cells have 32-bit numbers, row by row, which are in the same order
 * as in the whole terrain; so are its saddles, and the ring's cells stand for what lies beyond.
 *
 * One tile uses all processors, and different tiles may be worked on by different threads.
 */
#ifndef ORO_TERRAIN_DRAINAGE_TILE_H
#define ORO_TERRAIN_DRAINAGE_TILE_H

#include "terrain/drainage/flats.h"
#include "terrain/drainage/graph.h"
#include "terrain/drainage/routing.h"

struct oro_tiled_tile {
    struct oro_tiled_grid grid;
    struct oro_tiled_block block, window;
    /* Of every cell of the window: a direction, or one of routing_private.h. The ring's cells are outlets. */
    uint8_t *direction;
    /* The edges of the tile's graph: 4 * cell of the window + direction. */
    uint32_t *edges, edge_count;
    uint8_t *entry; /* of every rim cell, once turned: 1 if water comes in from another tile */
    bool crossing;  /* a flat goes on beyond the tile: it takes a ring (struct oro_tiled_window) */
};

/* Rasters of a tile's window. */
struct oro_tiled_window {
    const float *z, *sea; /* `sea` may be NULL */
    /* Of its rim cells, what other tiles found of their flats (flats.h); NULL: not known, ways over flats end
     * at the tile's edge. */
    const struct oro_flat_values *ring;
};

/* Cell of the window. */
static inline size_t oro_tiled_in_window(const struct oro_tiled_tile *tile, struct oro_tiled_cell cell)
{
    return (size_t)(cell.y - tile->window.y) * (size_t)tile->window.width + (size_t)(cell.x - tile->window.x);
}
static inline size_t oro_tiled_window_cells(const struct oro_tiled_block *window)
{
    return (size_t)window->width * (size_t)window->height;
}

/* Step 1. Finds the receivers of the tile's cells, joins its basins as far as they are known whole, and adds
 * its graph to `message`; `water`: with what certificates need, which go by the steepest ways alone: flats
 * are pits. Fails with ORO_E_EVALUATE where a height is not finite or the water has nowhere to go, or
 * ORO_E_MEMORY. Free the tile in either case. Scratch memory of some 8 bytes a cell and 28 a pit, until it
 * returns. */
bool oro_tiled_tile_route(struct oro_tiled_tile *tile, const struct oro_tiled_grid *grid,
                          const struct oro_tiled_block *block, const struct oro_tiled_window *window,
                          bool water, struct oro_tiled_bytes *message, struct oro_error *err);

/* Before that, where flats cross from tile to tile: fills `rim` (of every rim cell), with the fields up to
 * `last` as far as the ring tells. Fails likewise. */
bool oro_tiled_tile_flats(const struct oro_tiled_grid *grid, const struct oro_tiled_block *block,
                          const struct oro_tiled_window *window, enum oro_flat_field last,
                          struct oro_flat_values *rim, struct oro_error *err);

/* True where a cell of a tile, outlets apart, has no lower neighbour: whether a certificate takes more than
 * that. Fails likewise. */
bool oro_tiled_tile_has_pits(const struct oro_tiled_grid *grid, const struct oro_tiled_block *block,
                             const float *z, const float *sea, bool *pits, struct oro_error *err);

/* Step 1 where others have found the basins, as kernels do: the saddles that are left between vertices, in
 * any order, become the edges of the graph, their spanning forest. Numbers are those of edges (graph.h). */
struct oro_tiled_saddle {
    uint32_t level, number, lower, upper;
};
bool oro_tiled_tile_span(struct oro_tiled_tile *tile, const struct oro_tiled_saddle *saddles, size_t count,
                         struct oro_tiled_graph *graph, struct oro_error *err);

/* Step 3. Turns ways as the answer says; then every way leads out of the tile or ends in an outlet. Fails
 * with ORO_E_EVALUATE where the answer does not fit, or ORO_E_MEMORY. */
bool oro_tiled_tile_turn(struct oro_tiled_tile *tile, struct oro_tiled_view answer, struct oro_error *err);

/* What drains through the tile's window, to go along it: the ring's cells are their own receivers. */
bool oro_tiled_tile_order(const struct oro_tiled_tile *tile, struct oro_routing *routing,
                          struct oro_error *err);

void oro_tiled_tile_free(struct oro_tiled_tile *tile);

#endif
