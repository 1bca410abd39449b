#ifndef ORO_TERRAIN_DRAINAGE_TILE_PRIVATE_H
#define ORO_TERRAIN_DRAINAGE_TILE_PRIVATE_H

#include "terrain/drainage/basins_private.h"
#include "terrain/drainage/tile.h"

/* The window as ground of its own, whose edges are marked as outlets later. */
static inline struct oro_ground oro_tiled_ground(const struct oro_tiled_block *window, const float *z)
{
    return (struct oro_ground){.width = window->width, .height = window->height, .z = z, .walls = true};
}

static inline struct oro_tiled_cell oro_tiled_of_window(const struct oro_tiled_tile *tile, size_t cell)
{
    size_t width = (size_t)tile->window.width;
    return (struct oro_tiled_cell){tile->window.x + (int)(cell % width),
                                   tile->window.y + (int)(cell / width)};
}

static inline bool oro_tiled_in_ring(const struct oro_tiled_tile *tile, size_t cell)
{
    struct oro_tiled_cell at = oro_tiled_of_window(tile, cell);
    return !oro_tiled_has(&tile->block, at.x, at.y);
}

bool oro_tiled_no_memory(const struct oro_tiled_block *block, struct oro_error *err);

/* The saddles that are left between a tile's vertices (labels, less 1) become the edges of its graph: their
 * spanning forest. */
bool oro_tiled_tile_edges(struct oro_tiled_tile *tile, struct oro_saddle_list *saddles,
                          struct oro_tiled_graph *graph, struct oro_error *err);

#endif
