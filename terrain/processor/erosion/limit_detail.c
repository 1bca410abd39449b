#include "terrain/processor/lib/blocks.h"

struct limit {
    struct oro_map factors, reference, depth;
    const float *detail;
    int side, width;
    struct oro_setter out;
};

static ORO_CLONES void limit(const void *user, const struct oro_tile *tile)
{
    const struct limit *k = user;
    struct oro_taps_row taps = {0};
    float scratch[2][ORO_TILE_WIDTH], out[ORO_TILE_WIDTH];
    oro_among_blocks(k->side, tile, &taps);
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        const float *reference = oro_map_row(&k->reference, tile->x, y, tile->width, scratch[0]);
        const float *depth = oro_map_row(&k->depth, tile->x, y, tile->width, scratch[1]);
        const float *detail = k->detail + (size_t)y * (size_t)k->width + tile->x;
        oro_blocks_surface(&k->factors, k->side, &taps, y, tile->width, out);
#pragma omp simd
        for (int x = 0; x < tile->width; x++) {
            float added = out[x] * detail[x], held = oro_max(added, -depth[x]);
            out[x] = reference[x] + (depth[x] > 0 ? held : added);
        }
        oro_set_row(&k->out, tile->x, y, tile->width, out);
    }
}

ORO_PROCESSOR(erosion, limit_detail)
{
    struct limit k = {.factors = {.values = oro_run_buffer(run, "factors"),
                                  .width = run->source.width,
                                  .height = run->source.height},
                      .reference = oro_run_map(run, "reference"),
                      .depth = oro_run_map(run, "depth"),
                      .detail = oro_run_buffer(run, "detail"),
                      .side = (int)oro_run_number(run, "side"),
                      .width = run->grid.width,
                      .out = oro_run_setter(run, "terrain")};
    if (oro_run_ready(run))
        oro_run_tiles(run, limit, &k);
}
