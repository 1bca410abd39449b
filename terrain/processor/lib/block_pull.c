#include "terrain/processor/lib/blocks.h"

struct pull {
    struct oro_map missing, mask;
    const float *ceiling; /* NULL: there is none */
    int side, width;
    float *ground;
};

/* What lies below the ceiling is lifted to just below it, where the next sweep finds it below. */
ORO_INLINE float held(float height, float lifted, float ceiling)
{
    float most = ceiling - 2.4e-7F * oro_abs(ceiling);
    bool holds = (lifted > height) & (height < ceiling);
    return holds ? oro_max(height, oro_min(lifted, most)) : lifted;
}

static ORO_CLONES void pull(const void *user, const struct oro_tile *tile)
{
    const struct pull *k = user;
    struct oro_taps_row taps = {0};
    float scratch[ORO_TILE_WIDTH], pull[ORO_TILE_WIDTH];
    oro_among_blocks(k->side, tile, &taps);
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        size_t at = (size_t)y * (size_t)k->width + (size_t)tile->x;
        const float *mask = oro_map_row(&k->mask, tile->x, y, tile->width, scratch);
        const float *ceiling = k->ceiling ? k->ceiling + at : k->ground + at;
        float *ground = k->ground + at;
        oro_blocks_surface(&k->missing, k->side, &taps, y, tile->width, pull);
#pragma omp simd
        for (int x = 0; x < tile->width; x++) {
            float lifted = ground[x] + pull[x] * mask[x];
            ground[x] = held(ground[x], lifted, ceiling[x]);
        }
    }
}

ORO_PROCESSOR(lib, block_pull)
{
    bool ceiling = oro_run_defined(run, "CEILING") == 1;
    struct pull k = {.missing = {.values = oro_run_buffer(run, "missing"),
                                 .width = run->source.width,
                                 .height = run->source.height},
                     .mask = oro_run_map(run, "mask"),
                     .ceiling = ceiling ? oro_run_buffer(run, "ceiling") : NULL,
                     .side = (int)oro_run_number(run, "side"),
                     .width = run->grid.width,
                     .ground = oro_run_buffer(run, "ground")};
    if (oro_run_ready(run))
        oro_run_tiles(run, pull, &k);
}
