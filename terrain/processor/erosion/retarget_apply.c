#include "terrain/processor/lib/retarget.h"

struct apply {
    struct oro_map mask;
    const float *ground, *target, *place, *correction;
    float *result;
    int width;
};

static ORO_CLONES void correct(const void *user, const struct oro_tile *tile)
{
    const struct apply *k = user;
    float scratch[ORO_TILE_WIDTH];
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        const float *mask = oro_map_row(&k->mask, tile->x, y, tile->width, scratch);
        size_t at = (size_t)y * (size_t)k->width + (size_t)tile->x;
        const float *ground = k->ground + at, *target = k->target + at, *place = k->place + at;
        const float *correction = k->correction + at;
        float *result = k->result + at;
#pragma omp simd
        for (int x = 0; x < tile->width; x++) {
            float corrected = ground[x] + correction[x];
            result[x] = oro_masked(mask[x], ground[x], place[x] > 0.5F ? target[x] : corrected);
        }
    }
}

ORO_PROCESSOR(erosion, retarget_apply)
{
    struct apply k = {.mask = oro_run_map(run, "mask"),
                      .ground = oro_run_buffer(run, "ground"),
                      .target = oro_run_buffer(run, "target"),
                      .place = oro_run_buffer(run, "place"),
                      .correction = oro_run_buffer(run, "correction"),
                      .result = oro_run_buffer(run, "result"),
                      .width = run->grid.width};
    if (oro_run_ready(run))
        oro_run_tiles(run, correct, &k);
}
