/* The state to start from: the sediment that can be taken up, and none on its way yet. */
#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

struct start {
    struct oro_map sediment;
    int width;
    float *sediment_out, *source_out;
};

static void begin(const void *user, const struct oro_tile *tile)
{
    const struct start *k = user;
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        float scratch[ORO_TILE_WIDTH];
        const float *given = oro_map_row(&k->sediment, tile->x, y, tile->width, scratch);
        size_t at = (size_t)y * (size_t)k->width + (size_t)tile->x;
        for (int x = 0; x < tile->width; x++) {
            k->sediment_out[at + (size_t)x] = 0;
            k->source_out[at + (size_t)x] = oro_max(given[x], 0);
        }
    }
}

ORO_PROCESSOR(erosion, deposition_start)
{
    struct start k = {oro_run_map(run, "sediment"), run->grid.width, oro_run_buffer(run, "sediment_out"),
                      oro_run_buffer(run, "source_out")};
    if (oro_run_ready(run))
        oro_run_tiles(run, begin, &k);
}
