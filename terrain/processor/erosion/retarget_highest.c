/* For every cell the highest of those around it, along one axis. */
#include <stdint.h>

#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

struct highest {
    struct oro_run_grid grid;
    const float *height;
    const int32_t *highest;
    int32_t *out;
    int east, south;
    bool first;
};

/* Of equal ones the one with the lowest number. */
ORO_INLINE int32_t higher(const float *height, int32_t best, int32_t other)
{
    float h = height[other], b = height[best];
    int better = (h > b) | ((h == b) & (other < best));
    return better ? other : best;
}

ORO_INLINE void find_in_row(const struct highest *k, const struct oro_tile *tile, int y, bool first)
{
    int width = k->grid.width, row = y * width;
    int above = oro_within(y - k->south, k->grid.height) * width,
        below = oro_within(y + k->south, k->grid.height) * width;
    const int32_t *highest = k->highest;
    const float *height = k->height;
    int32_t *out = k->out;
#pragma omp simd
    for (int x = tile->x; x < tile->x + tile->width; x++) {
        int32_t from = above + oro_within(x - k->east, width), to = below + oro_within(x + k->east, width);
        int32_t best = higher(height, first ? row + x : highest[row + x], first ? from : highest[from]);
        out[row + x] = higher(height, best, first ? to : highest[to]);
    }
}

static ORO_CLONES void find_highest(const void *user, const struct oro_tile *tile)
{
    const struct highest *k = user;
    for (int y = tile->y; y < tile->y + tile->height; y++)
        k->first ? find_in_row(k, tile, y, true) : find_in_row(k, tile, y, false);
}

ORO_PROCESSOR(erosion, retarget_highest)
{
    struct highest k = {.grid = run->grid,
                        .height = oro_run_buffer(run, "height"),
                        .highest = oro_run_buffer(run, "highest"),
                        .out = oro_run_buffer(run, "highest_out"),
                        .east = (int)oro_run_number(run, "east"),
                        .south = (int)oro_run_number(run, "south"),
                        .first = oro_run_number(run, "first") > 0};
    if (oro_run_ready(run))
        oro_run_tiles(run, find_highest, &k);
}
