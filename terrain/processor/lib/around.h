/* The mean height of the 8 neighbours, for the kernels of stream_power: gles_shaders/lib/around.glsl. */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_AROUND_H
#define ORO_TERRAIN_PROCESSOR_LIB_AROUND_H

#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

/* Of all cells of a row of a tile. */
ORO_INLINE void oro_mean_around(const struct oro_map *height, const struct oro_tile *tile, int y, float *mean)
{
    enum { RING = ORO_TILE_WIDTH + 2 };
    float scratch[3][RING];
    const float *above = oro_map_row(height, tile->x - 1, y - 1, tile->width + 2, scratch[0]);
    const float *here = oro_map_row(height, tile->x - 1, y, tile->width + 2, scratch[1]);
    const float *below = oro_map_row(height, tile->x - 1, y + 1, tile->width + 2, scratch[2]);
#pragma omp simd
    for (int x = 0; x < tile->width; x++) {
        float sum = above[x] + above[x + 1] + above[x + 2] + here[x] + here[x + 2];
        mean[x] = 0.125F * (sum + below[x] + below[x + 1] + below[x + 2]);
    }
}

#endif
