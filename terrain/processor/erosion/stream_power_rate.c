#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

struct rate {
    const float *before, *after;
    float *rate;
    int width;
};

static ORO_CLONES void compare(const void *user, const struct oro_tile *tile)
{
    const struct rate *k = user;
    size_t first = (size_t)tile->y * (size_t)k->width, end = first + (size_t)tile->height * (size_t)k->width;
    const float *before = k->before, *after = k->after;
    float *rate = k->rate;
#pragma omp simd
    for (size_t i = first; i < end; i++)
        rate[i] = oro_abs(after[i] - before[i]);
}

ORO_PROCESSOR(erosion, stream_power_rate)
{
    struct rate k = {oro_run_buffer(run, "before"), oro_run_buffer(run, "after"), oro_run_buffer(run, "rate"),
                     run->grid.width};
    if (oro_run_ready(run))
        oro_run_rows(run, compare, &k);
}
