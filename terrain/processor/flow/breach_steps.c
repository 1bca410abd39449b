#include <math.h>

#include "terrain/processor/lib/ring.h"
#include "terrain/processor/vector.h"

struct steps {
    struct oro_run_grid grid;
    const float *terrain;
    struct oro_map sea;
    float *stepped;
};

ORO_INLINE void mark_row(const float *here, const float *sea, int width, float *stepped)
{
#pragma omp simd
    for (int x = 0; x < width; x++) {
        const float *at = here + x;
        int level = (at[ORO_RING_NW] == *at) | (at[ORO_RING_N] == *at) | (at[ORO_RING_NE] == *at) |
                    (at[ORO_RING_W] == *at) | (at[ORO_RING_E] == *at) | (at[ORO_RING_SW] == *at) |
                    (at[ORO_RING_S] == *at) | (at[ORO_RING_SE] == *at);
        stepped[x] = level & (sea[x] <= 0.5F) ? 1 : 0;
    }
}

static ORO_CLONES void mark(const void *user, const struct oro_tile *tile)
{
    const struct steps *k = user;
    oro_ring ring;
    float scratch[ORO_TILE_WIDTH];
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        oro_ring_read(&k->grid, k->terrain, tile, y, NAN, ring); /* nothing is equal to NaN */
        mark_row(ring + ORO_RING_HERE, oro_map_row(&k->sea, tile->x, y, tile->width, scratch), tile->width,
                 k->stepped + (size_t)y * (size_t)k->grid.width + tile->x);
    }
}

ORO_PROCESSOR(flow, breach_steps)
{
    struct steps k = {run->grid, oro_run_buffer(run, "terrain"), oro_run_map(run, "sea"),
                      oro_run_buffer(run, "stepped")};
    if (oro_run_ready(run))
        oro_run_tiles(run, mark, &k);
}
