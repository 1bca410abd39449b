/* What is known at the centres of square blocks of cells: gles_shaders/lib/blocks.glsl. */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_BLOCKS_H
#define ORO_TERRAIN_PROCESSOR_LIB_BLOCKS_H

#include "terrain/processor/lib/bicubic.h"

/* Where the cells of a tile lie among the centres of blocks. */
ORO_INLINE void oro_among_blocks(int side, const struct oro_tile *tile, struct oro_taps_row *taps)
{
    for (int x = 0; x < tile->width; x++)
        oro_taps_put(taps, x, oro_b_spline_taps(((float)(tile->x + x) + 0.5F) / (float)side - 0.5F));
}

/* The smooth surface through a raster of blocks, at the cells of row y. Beyond the edges the raster goes on.
 */
ORO_INLINE void oro_blocks_surface(const struct oro_map *raster, int side, const struct oro_taps_row *taps,
                                   int y, int width, float *values)
{
    struct oro_taps down = oro_b_spline_taps(((float)y + 0.5F) / (float)side - 0.5F);
    float scratch[ORO_TAPS_COLUMNS], sums[ORO_TAPS_COLUMNS];
#pragma omp simd
    for (int i = 0; i < taps->count; i++)
        sums[i] = 0;
    for (int j = 0; j < 4; j++) {
        const float *row = oro_map_row(raster, taps->start, down.first + j, taps->count, scratch);
        float weight = down.weight[j];
#pragma omp simd
        for (int i = 0; i < taps->count; i++)
            sums[i] += weight * row[i];
    }
#pragma omp simd
    for (int x = 0; x < width; x++) {
        int first = taps->first[x];
        values[x] = taps->weight[0][x] * sums[first] + taps->weight[1][x] * sums[first + 1] +
                    taps->weight[2][x] * sums[first + 2] + taps->weight[3][x] * sums[first + 3];
    }
}

#endif
