#include "terrain/processor/lib/water.h"

struct drainage {
    struct oro_water water;
    float *out;
};

static ORO_CLONES void drain(const void *user, const struct oro_tile *tile)
{
    const struct drainage *k = user;
    struct oro_flow_tile t;
    oro_flow_array share;
    oro_water_prepare(&k->water, tile, &t, share);
    for (int y = 0; y < tile->height; y++)
        oro_water_row(&k->water, tile, y, &t, share,
                      k->out + (size_t)(tile->y + y) * (size_t)k->water.flow.grid.width + tile->x);
}

ORO_PROCESSOR(flow, drainage)
{
    struct drainage k = {oro_water_of(run), oro_run_buffer(run, "area_out")};
    if (oro_run_ready(run))
        oro_run_tiles(run, drain, &k);
}
