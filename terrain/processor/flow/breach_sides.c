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

ORO_INLINE void widen_row(const struct sides *k, int y, float *low)
{
    int width = k->grid.width;
    size_t row = (size_t)y * (size_t)width;
    memcpy(low, k->carved + row, (size_t)width * sizeof *low);
    for (int i = 0; i < 9; i++) {
        int dx = (i % 3 - 1) * k->stride, dy = (i / 3 - 1) * k->stride;
        int first = dx < 0 ? -dx : 0, end = dx > 0 ? width - dx : width;
        if (i == 4 || y + dy < 0 || y + dy >= k->grid.height || first >= end)
            continue;
        float way = (float)k->stride * k->grid.cell * (dx && dy ? 1.41421356F : 1);
        lower_row(k, row + (size_t)first, (ptrdiff_t)dy * width + dx, end - first, way, low + first);
    }
}

/* Nothing is lowered in the sea. */
ORO_INLINE void keep_sea(const struct sides *k, int y, float *low)
{
    float scratch[ORO_TILE_WIDTH];
    for (int left = 0; left < k->grid.width && !oro_map_is(&k->sea, 0); left += ORO_TILE_WIDTH) {
        int rest = k->grid.width - left, count = rest < ORO_TILE_WIDTH ? rest : ORO_TILE_WIDTH;
        const float *sea = oro_map_row(&k->sea, left, y, count, scratch);
        const float *carved = k->carved + (size_t)y * (size_t)k->grid.width + left;
#pragma omp simd
        for (int x = 0; x < count; x++)
            low[left + x] = sea[x] <= 0.5F ? low[left + x] : carved[x];
    }
}

/* The row that is taken as number `i`: rows that look at each other come one after the other, and are still
 * near. */
static int row_of(const struct sides *k, int i)
{
    int times = k->grid.height / k->stride, more = k->grid.height % k->stride, longer = more * (times + 1);
    if (i < longer)
        return i / (times + 1) + i % (times + 1) * k->stride;
    return more + (i - longer) / times + (i - longer) % times * k->stride;
}

static ORO_CLONES void widen(const void *user, const struct oro_tile *tile)
{
    const struct sides *k = user;
    for (int i = tile->y; i < tile->y + tile->height; i++) {
        int y = row_of(k, i);
        float *low = k->widened + (size_t)y * (size_t)k->grid.width;
        widen_row(k, y, low);
        keep_sea(k, y, low);
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
        oro_run_rows(run, widen, &k);
}
