/* What many kernels ask of a terrain: gles_shaders/lib/terrain.glsl. */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_TERRAIN_H
#define ORO_TERRAIN_PROCESSOR_LIB_TERRAIN_H

#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

/* Elevations of `count` cells of row y, from column x on. Beyond an edge the surface goes on along its last
 * slope. */
void oro_terrain_row(const struct oro_map *terrain, int x, int y, int count, float *row);

/* Three rows of a tile with a ring of one cell: column x of the tile is [x + 1]. */
struct oro_terrain_rows {
    float above[ORO_TILE_WIDTH + 2], here[ORO_TILE_WIDTH + 2], below[ORO_TILE_WIDTH + 2];
};
void oro_terrain_rows(const struct oro_map *terrain, const struct oro_tile *tile, int y,
                      struct oro_terrain_rows *rows);

struct oro_slope {
    float east, south; /* uphill, in metres per metre */
};
/* Horn's gradient at column x of the tile. `cell` is the width of a cell. */
ORO_INLINE struct oro_slope oro_gradient_at(const struct oro_terrain_rows *rows, int x, float cell)
{
    const float *above = rows->above + x, *here = rows->here + x, *below = rows->below + x;
    float east = (above[2] - above[0]) + 2 * (here[2] - here[0]) + (below[2] - below[0]);
    float south = (below[0] - above[0]) + 2 * (below[1] - above[1]) + (below[2] - above[2]);
    return (struct oro_slope){east / (8 * cell), south / (8 * cell)};
}

#endif
