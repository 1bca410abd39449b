#include "terrain/processor/lib/profile.h"
#include "terrain/processor/run.h"

struct remap {
    struct oro_map field;
    struct oro_profile curve;
    float low, span, to_low, to_high;
    bool clamp;
    struct oro_setter out;
};

static ORO_CLONES void remap(const void *user, const struct oro_tile *tile)
{
    const struct remap *k = user;
    float scratch[ORO_TILE_WIDTH], t[ORO_TILE_WIDTH], inside[ORO_TILE_WIDTH], bent[ORO_TILE_WIDTH];
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        const float *field = oro_map_row(&k->field, tile->x, y, tile->width, scratch);
#pragma omp simd
        for (int x = 0; x < tile->width; x++) {
            t[x] = k->span == 0 ? 0 : (field[x] - k->low) / k->span;
            inside[x] = oro_clamp(t[x], 0, 1);
        }
        oro_profile_row(&k->curve, tile->width, inside, bent);
#pragma omp simd
        for (int x = 0; x < tile->width; x++)
            bent[x] = oro_mix(k->to_low, k->to_high, bent[x] + (k->clamp ? 0 : t[x] - inside[x]));
        oro_set_row(&k->out, tile->x, y, tile->width, bent);
    }
}

ORO_PROCESSOR(filter, remap)
{
    struct remap k = {.field = oro_run_map(run, "field"),
                      .low = oro_run_number(run, "low"),
                      .to_low = oro_run_float(run, "to_low"),
                      .to_high = oro_run_float(run, "to_high"),
                      .clamp = oro_run_flag(run, "clamp"),
                      .out = oro_run_setter(run, "field")};
    const void *curve = oro_run_literal(run, "curve");
    k.span = oro_run_number(run, "high") - k.low;
    if (!oro_run_ready(run))
        return;
    memcpy(&k.curve, curve, sizeof k.curve);
    oro_run_tiles(run, remap, &k);
}
