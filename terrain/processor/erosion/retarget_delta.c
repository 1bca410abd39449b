#include "terrain/processor/lib/retarget.h"

struct delta {
    const float *ground, *target;
    float *fixed, *delta;
    int width;
};

static ORO_CLONES void find_corrections(const void *user, const struct oro_tile *tile)
{
    const struct delta *k = user;
    size_t first = (size_t)tile->y * (size_t)k->width, end = first + (size_t)tile->height * (size_t)k->width;
    const float *ground = k->ground, *target = k->target;
    float *fixed = k->fixed, *delta = k->delta;
#pragma omp simd
    for (size_t i = first; i < end; i++) {
        float difference = target[i] - ground[i];
        int known = (fixed[i] > 0.5F) & oro_is_correction(difference);
        fixed[i] = known ? 1 : 0;
        delta[i] = known ? difference : 0;
    }
}

ORO_PROCESSOR(erosion, retarget_delta)
{
    struct delta k = {oro_run_buffer(run, "ground"), oro_run_buffer(run, "target"),
                      oro_run_buffer(run, "fixed_out"), oro_run_buffer(run, "delta"), run->grid.width};
    if (oro_run_ready(run))
        oro_run_rows(run, find_corrections, &k);
}
