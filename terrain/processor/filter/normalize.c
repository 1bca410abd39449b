#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

struct normalize {
    struct oro_map field, low, high, mask;
    float bottom, top;
    struct oro_setter out;
};

static ORO_CLONES void normalize(const void *user, const struct oro_tile *tile)
{
    const struct normalize *k = user;
    float scratch[4][ORO_TILE_WIDTH], out[ORO_TILE_WIDTH], span = k->top - k->bottom;
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        const float *field = oro_map_row(&k->field, tile->x, y, tile->width, scratch[0]);
        const float *low = oro_map_row(&k->low, tile->x, y, tile->width, scratch[1]);
        const float *high = oro_map_row(&k->high, tile->x, y, tile->width, scratch[2]);
        const float *mask = oro_map_row(&k->mask, tile->x, y, tile->width, scratch[3]);
#pragma omp simd
        for (int x = 0; x < tile->width; x++) {
            float step = field[x] > k->top ? 1 : 0;
            float t = span > 0 ? oro_clamp((field[x] - k->bottom) / span, 0, 1) : step;
            out[x] = oro_mix(field[x], oro_mix(low[x], high[x], t), mask[x]);
        }
        oro_set_row(&k->out, tile->x, y, tile->width, out);
    }
}

ORO_PROCESSOR(filter, normalize)
{
    struct normalize k = {.field = oro_run_map(run, "field"),
                          .low = oro_run_map(run, "low"),
                          .high = oro_run_map(run, "high"),
                          .mask = oro_run_map(run, "mask"),
                          .bottom = oro_run_number(run, "bottom"),
                          .top = oro_run_number(run, "top"),
                          .out = oro_run_setter(run, "field")};
    if (oro_run_ready(run))
        oro_run_tiles(run, normalize, &k);
}
