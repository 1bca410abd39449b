#include <stdint.h>

#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

struct start {
    const float *area;
    struct oro_map threshold, unchecked;
    struct oro_setter rivers;
    int32_t *nearest;
};

static ORO_CLONES void mark(const void *user, const struct oro_tile *tile)
{
    const struct start *k = user;
    float scratch[ORO_TILE_WIDTH], unchecked_scratch[ORO_TILE_WIDTH], rivers[ORO_TILE_WIDTH];
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        size_t first = (size_t)y * (size_t)k->rivers.width + (size_t)tile->x;
        const float *area = k->area + first;
        const float *threshold = oro_map_row(&k->threshold, tile->x, y, tile->width, scratch);
        const float *unchecked = oro_map_row(&k->unchecked, tile->x, y, tile->width, unchecked_scratch);
        int32_t *nearest = k->nearest + first;
#pragma omp simd
        for (int x = 0; x < tile->width; x++) {
            int river = oro_is_number(area[x]) & oro_is_number(unchecked[x]) & (area[x] >= threshold[x]);
            rivers[x] = river ? 1 : 0;
            nearest[x] = river ? y : -1;
        }
        oro_set_row(&k->rivers, tile->x, y, tile->width, rivers);
    }
}

ORO_PROCESSOR(flow, river_distance_start)
{
    struct start k = {oro_run_buffer(run, "area"), oro_run_map(run, "threshold"),
                      oro_run_map(run, "threshold"), oro_run_setter(run, "rivers"),
                      oro_run_buffer(run, "nearest")};
    k.unchecked.min = k.unchecked.max = 0;
    if (oro_run_ready(run))
        oro_run_tiles(run, mark, &k);
}
