#include "terrain/processor/lib/receivers.h"
#include "terrain/processor/vector.h"

struct slope {
    struct oro_receivers to;
    const float *height;
    float *slope;
};

static ORO_CLONES void find_slopes(const void *user, const struct oro_tile *tile)
{
    const struct slope *k = user;
    float receiver[ORO_TILE_WIDTH], run[ORO_TILE_WIDTH];
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        size_t at = (size_t)y * (size_t)k->to.grid.width + (size_t)tile->x;
        const float *height = k->height + at;
        float *slope = k->slope + at;
        oro_receivers_row(&k->to, k->height, tile, y, receiver, run);
#pragma omp simd
        for (int x = 0; x < tile->width; x++)
            slope[x] = oro_max(height[x] - receiver[x], 0) / run[x];
    }
}

ORO_PROCESSOR(erosion, stream_power_slope)
{
    struct slope k = {{run->grid, oro_run_buffer(run, "next")},
                      oro_run_buffer(run, "height"),
                      oro_run_buffer(run, "slope")};
    if (oro_run_ready(run))
        oro_run_tiles(run, find_slopes, &k);
}
