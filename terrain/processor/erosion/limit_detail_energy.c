#include "terrain/processor/lib/blocks.h"

struct energy {
    struct oro_blocks detail;
    int width;
    float *out;
};

static ORO_CLONES void measure(const void *user, const struct oro_tile *tile)
{
    const struct energy *k = user;
    for (int y = tile->y; y < tile->y + tile->height; y++)
        oro_block_means(&k->detail, tile, y, true, k->out + (size_t)y * (size_t)k->width + tile->x);
}

ORO_PROCESSOR(erosion, limit_detail_energy)
{
    struct energy k = {.detail = {oro_run_buffer(run, "detail"), run->source.width, run->source.height,
                                  (int)oro_run_number(run, "side")},
                       .width = run->grid.width,
                       .out = oro_run_buffer(run, "energy")};
    if (oro_run_ready(run))
        oro_run_tiles(run, measure, &k);
}
