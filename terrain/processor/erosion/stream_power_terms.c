/* The terms of the equation cell by cell, for steps that lay down sediment. */
#include "terrain/processor/lib/around.h"
#include "terrain/processor/lib/incision.h"

struct terms {
    struct oro_incision law;
    struct oro_map height, deposition;
    const float *area;
    float cell;
    float *lifted, *carving, *settling, *pulled, *around;
};

ORO_INLINE void terms_of_row(const struct terms *k, const struct oro_tile *tile, int y,
                             const struct oro_incision_row *at)
{
    size_t first = (size_t)y * (size_t)k->height.width + (size_t)tile->x;
    float scratch[ORO_TILE_WIDTH];
    const float *area = k->area + first;
    const float *deposition = oro_map_row(&k->deposition, tile->x, y, tile->width, scratch);
    float *lifted = k->lifted + first, *carving = k->carving + first, *settling = k->settling + first,
          *pulled = k->pulled + first;
    oro_mean_around(&k->height, tile, y, k->around + first);
#pragma omp simd
    for (int x = 0; x < tile->width; x++) {
        float part = at->mask[x] * deposition[x] * k->cell * k->cell;
        float share = area[x] > 0 ? part / area[x] : 0;
        lifted[x] = oro_lift(at, x);
        carving[x] = oro_strength(&k->law, at, x, area[x]);
        settling[x] = at->mask[x] > 0 ? share : -1;
        pulled[x] = at->mask[x] * at->hillslope[x] * k->law.pull;
    }
}

static ORO_CLONES void find_terms(const void *user, const struct oro_tile *tile)
{
    const struct terms *k = user;
    struct oro_incision_scratch scratch;
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        struct oro_incision_row row = oro_incision_row(&k->law, tile, y, &scratch);
        terms_of_row(k, tile, y, &row);
    }
}

ORO_PROCESSOR(erosion, stream_power_terms)
{
    struct terms k = {.law = oro_incision_of(run),
                      .height = {.values = oro_run_buffer(run, "height"),
                                 .width = run->grid.width,
                                 .height = run->grid.height},
                      .deposition = oro_run_map(run, "deposition"),
                      .area = oro_run_buffer(run, "area"),
                      .cell = run->grid.cell,
                      .lifted = oro_run_buffer(run, "lifted"),
                      .carving = oro_run_buffer(run, "carving"),
                      .settling = oro_run_buffer(run, "settling"),
                      .pulled = oro_run_buffer(run, "pulled"),
                      .around = oro_run_buffer(run, "around")};
    if (oro_run_ready(run))
        oro_run_tiles(run, find_terms, &k);
}
