#include "terrain/processor/lib/blocks.h"

struct means {
    struct oro_blocks blocks;
    const float *wanted; /* NULL without a target */
    int width;
    float *out;
};

static ORO_CLONES void find(const void *user, const struct oro_tile *tile)
{
    const struct means *k = user;
    float means[ORO_TILE_WIDTH];
    int side = k->blocks.side;
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        const float *first = k->blocks.values + (size_t)(y * side) * (size_t)k->blocks.width;
        size_t at = (size_t)y * (size_t)k->width + (size_t)tile->x;
        oro_block_means(&k->blocks, tile, y, false, means);
#pragma omp simd
        for (int x = 0; x < tile->width; x++) {
            float middle = first[(tile->x + x) * side];
            k->out[at + (size_t)x] =
                k->wanted ? (k->wanted[at + (size_t)x] - middle) - means[x] : middle + means[x];
        }
    }
}

ORO_PROCESSOR(lib, block_means)
{
    bool targets = oro_run_defined(run, "TARGET") == 1;
    struct means k = {.blocks = {oro_run_buffer(run, "values"), run->source.width, run->source.height,
                                 (int)oro_run_number(run, "side")},
                      .wanted = targets ? oro_run_buffer(run, "wanted") : NULL,
                      .width = run->grid.width,
                      .out = oro_run_buffer(run, "means")};
    if (oro_run_ready(run))
        oro_run_tiles(run, find, &k);
}
