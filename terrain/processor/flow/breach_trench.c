#include "terrain/processor/lib/ring.h"
#include "terrain/processor/vector.h"

struct trench {
    struct oro_run_grid grid;
    const float *before, *after;
    float *trench;
};

ORO_INLINE float deepest(const float *at)
{
    float first = oro_min(at[ORO_RING_NW], at[ORO_RING_SE]), second = oro_min(at[ORO_RING_N], at[ORO_RING_S]);
    float third = oro_min(at[ORO_RING_NE], at[ORO_RING_SW]), fourth = oro_min(at[ORO_RING_W], at[ORO_RING_E]);
    return oro_max(oro_max(oro_max(first, second), oro_max(third, fourth)) - *at, 0);
}

ORO_INLINE void dig_row(const float *before, const float *after, int width, float *trench)
{
#pragma omp simd
    for (int x = 0; x < width; x++) {
        float deeper = oro_max(deepest(after + x) - deepest(before + x), 0);
        trench[x] = after[x] == before[x] ? 0 : deeper;
    }
}

static ORO_CLONES void dig(const void *user, const struct oro_tile *tile)
{
    const struct trench *k = user;
    oro_ring before, after;
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        float *row = k->trench + (size_t)y * (size_t)k->grid.width;
        oro_ring_read(&k->grid, k->before, tile, y, 0, before);
        oro_ring_read(&k->grid, k->after, tile, y, 0, after);
        dig_row(before + ORO_RING_HERE, after + ORO_RING_HERE, tile->width, row + tile->x);
        bool border = y == 0 || y == k->grid.height - 1;
        for (int x = tile->x; border && x < tile->x + tile->width; x++)
            row[x] = 0;
        if (tile->x == 0)
            row[0] = 0;
        if (tile->x + tile->width == k->grid.width)
            row[k->grid.width - 1] = 0;
    }
}

ORO_PROCESSOR(flow, breach_trench)
{
    struct trench k = {run->grid, oro_run_buffer(run, "before"), oro_run_buffer(run, "after"),
                       oro_run_buffer(run, "trench")};
    if (oro_run_ready(run))
        oro_run_tiles(run, dig, &k);
}
