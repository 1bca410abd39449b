#include "terrain/processor/lib/incision.h"

struct lift {
    struct oro_incision law;
    int width;
    float *lifted;
};

static ORO_CLONES void lift(const void *user, const struct oro_tile *tile)
{
    const struct lift *k = user;
    struct oro_incision_scratch scratch;
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        struct oro_incision_row row = oro_incision_row(&k->law, tile, y, &scratch);
        float *lifted = k->lifted + (size_t)y * (size_t)k->width + tile->x;
#pragma omp simd
        for (int x = 0; x < tile->width; x++)
            lifted[x] = oro_lift(&row, x);
    }
}

ORO_PROCESSOR(erosion, stream_power_lift)
{
    struct lift k = {oro_incision_of(run), run->grid.width, oro_run_buffer(run, "lifted")};
    if (oro_run_ready(run))
        oro_run_tiles(run, lift, &k);
}
