#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

struct change {
    int width;
    const float *before, *after;
    float *change;
};

static ORO_CLONES void compare(const void *user, const struct oro_tile *tile)
{
    const struct change *k = user;
    size_t first = (size_t)tile->y * (size_t)k->width, count = (size_t)tile->height * (size_t)k->width;
    const float *before = k->before + first, *after = k->after + first;
    float *change = k->change + first;
#pragma omp simd
    for (size_t i = 0; i < count; i++)
        change[i] = oro_abs(after[i] - before[i]) / oro_max(oro_abs(after[i]), 1e-30F);
}

ORO_PROCESSOR(flow, flow_change)
{
    struct change k = {run->grid.width, oro_run_buffer(run, "before"), oro_run_buffer(run, "after"),
                       oro_run_buffer(run, "change")};
    if (oro_run_ready(run))
        oro_run_rows(run, compare, &k);
}
