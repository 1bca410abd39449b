#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

struct difference {
    const float *before, *after;
    float *removed;
    int width;
};

static ORO_CLONES void subtract(const void *user, const struct oro_tile *tile)
{
    const struct difference *k = user;
    size_t first = (size_t)tile->y * (size_t)k->width, end = first + (size_t)tile->height * (size_t)k->width;
    const float *before = k->before, *after = k->after;
    float *removed = k->removed;
#pragma omp simd
    for (size_t i = first; i < end; i++)
        removed[i] = oro_max(before[i] - after[i], 0);
}

ORO_PROCESSOR(lib, difference)
{
    struct difference k = {oro_run_buffer(run, "before"), oro_run_buffer(run, "after"),
                           oro_run_buffer(run, "removed"), run->grid.width};
    if (oro_run_ready(run))
        oro_run_rows(run, subtract, &k);
}
