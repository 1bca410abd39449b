#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

struct blend {
    int width;
    const float *before;
    struct oro_map mask;
    float *changed, *depth, *changed_mask;
};

static ORO_CLONES void blend(const void *user, const struct oro_tile *tile)
{
    const struct blend *k = user;
    float scratch[ORO_TILE_WIDTH];
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        size_t first = (size_t)y * (size_t)k->width + (size_t)tile->x;
        const float *before = k->before + first,
                    *strength = oro_map_row(&k->mask, tile->x, y, tile->width, scratch);
        float *changed = k->changed + first, *depth = k->depth + first,
              *changed_mask = k->changed_mask + first;
#pragma omp simd
        for (int x = 0; x < tile->width; x++) {
            float was = before[x], now = changed[x];
            float mixed = oro_clamp(oro_mix(was, now, strength[x]), oro_min(was, now), oro_max(was, now));
            now = strength[x] < 1 ? mixed : now;
            changed[x] = now;
            depth[x] = oro_abs(was - now);
            changed_mask[x] = now != was ? 1 : 0;
        }
    }
}

ORO_PROCESSOR(flow, breach_blend)
{
    struct blend k = {run->grid.width,
                      oro_run_buffer(run, "before"),
                      oro_run_map(run, "mask"),
                      oro_run_buffer(run, "changed"),
                      oro_run_buffer(run, "depth"),
                      oro_run_buffer(run, "changed_mask")};
    if (oro_run_ready(run))
        oro_run_tiles(run, blend, &k);
}
