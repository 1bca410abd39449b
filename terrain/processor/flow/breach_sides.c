#include <string.h>

#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

struct sides {
    struct oro_run_grid grid;
    const float *terrain, *carved;
    struct oro_map sea;
    int stride;
    float slope, fade;
    float *widened;
};

/* What cells `away` from those of a row, `count` of them from column `first` on, let these have at most. */
ORO_INLINE void lower_row(const struct sides *k, size_t here, ptrdiff_t away, int count, float way,
                          float *low)
{
    const float *terrain = k->terrain + here, *there = terrain + away, *carved = k->carved + here + away;
    float rise = k->slope * way, fade = k->fade * way;
#pragma omp simd
    for (int x = 0; x < count; x++)
        low[x] = oro_min(low[x], carved[x] + oro_max(rise, terrain[x] - there[x] + fade));
}

ORO_INLINE void widen_row(const struct sides *k, const struct oro_tile *tile, int y, float *low)
{
    int width = k->grid.width;
    memcpy(low, k->carved + (size_t)y * (size_t)width + tile->x, (size_t)tile->width * sizeof *low);
    for (int i = 0; i < 9; i++) {
        int dx = (i % 3 - 1) * k->stride, dy = (i / 3 - 1) * k->stride;
        int first = tile->x + dx < 0 ? -dx : tile->x, end = tile->x + tile->width;
        end = end + dx > width ? width - dx : end;
        if (i == 4 || y + dy < 0 || y + dy >= k->grid.height || first >= end)
            continue;
        float way = (float)k->stride * k->grid.cell * (dx && dy ? 1.41421356F : 1);
        lower_row(k, (size_t)y * (size_t)width + (size_t)first, (ptrdiff_t)dy * width + dx, end - first, way,
                  low + (first - tile->x));
    }
}

static ORO_CLONES void widen(const void *user, const struct oro_tile *tile)
{
    const struct sides *k = user;
    float low[ORO_TILE_WIDTH], scratch[ORO_TILE_WIDTH];
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        size_t first = (size_t)y * (size_t)k->grid.width + (size_t)tile->x;
        const float *carved = k->carved + first,
                    *sea = oro_map_row(&k->sea, tile->x, y, tile->width, scratch);
        float *widened = k->widened + first;
        widen_row(k, tile, y, low);
#pragma omp simd
        for (int x = 0; x < tile->width; x++)
            widened[x] = sea[x] <= 0.5F ? low[x] : carved[x];
    }
}

ORO_PROCESSOR(flow, breach_sides)
{
    struct sides k = {.grid = run->grid,
                      .terrain = oro_run_buffer(run, "terrain"),
                      .carved = oro_run_buffer(run, "carved"),
                      .sea = oro_run_map(run, "sea"),
                      .stride = (int)oro_run_number(run, "stride"),
                      .slope = oro_run_number(run, "slope"),
                      .fade = oro_run_number(run, "fade"),
                      .widened = oro_run_buffer(run, "widened")};
    if (oro_run_ready(run))
        oro_run_tiles(run, widen, &k);
}
