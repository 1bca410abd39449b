/* Rows of a raster with a cell on either side, for kernels that look at the cells around. */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_RING_H
#define ORO_TERRAIN_PROCESSOR_LIB_RING_H

#include "terrain/processor/run.h"

/* Three rows one after the other: column x of a tile is [ORO_RING_HERE + x], and its neighbours lie at these
 * distances from there. */
enum {
    ORO_RING_ROW = ORO_TILE_WIDTH + 2,
    ORO_RING_HERE = ORO_RING_ROW + 1,
    ORO_RING_NW = -ORO_RING_ROW - 1,
    ORO_RING_N,
    ORO_RING_NE,
    ORO_RING_W = -1,
    ORO_RING_E = 1,
    ORO_RING_SW = ORO_RING_ROW - 1,
    ORO_RING_S,
    ORO_RING_SE,
};
typedef float oro_ring[3 * ORO_RING_ROW];

/* Reads the rows around row y of a tile; `outside` is what lies beyond the grid. */
void oro_ring_read(const struct oro_run_grid *grid, const float *values, const struct oro_tile *tile, int y,
                   float outside, oro_ring ring);

#endif
