/* Receivers of the drainage tree, by the numbers of cells: gles_shaders/lib/routing.glsl. */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_RECEIVERS_H
#define ORO_TERRAIN_PROCESSOR_LIB_RECEIVERS_H

#include <stdint.h>

#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

struct oro_receivers {
    struct oro_run_grid grid;
    const uint32_t *next;
};

/* For the cells of row y of a tile: the height of the receiver, and how far it is, in metres. */
ORO_INLINE void oro_receivers_row(const struct oro_receivers *to, const float *height,
                                  const struct oro_tile *tile, int y, float *receiver, float *run)
{
    uint32_t width = (uint32_t)to->grid.width, row = (uint32_t)y * width;
    const uint32_t *next = to->next + row + tile->x;
    float cell = to->grid.cell, across = cell * 1.41421356F;
    for (int x = 0; x < tile->width; x++)
        receiver[x] = height[next[x]];
#pragma omp simd
    for (int x = 0; x < tile->width; x++) {
        uint32_t there = next[x] < row ? row - width : next[x] < row + width ? row : row + width;
        int diagonal = (there != row) & (next[x] - there != (uint32_t)(tile->x + x));
        run[x] = diagonal ? across : cell;
    }
}

#endif
