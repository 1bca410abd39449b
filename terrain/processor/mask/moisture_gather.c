#include "terrain/processor/lib/air.h"

struct gather {
    struct oro_wind wind;
    const float *air;
    float weight;
    int width;
    float *mean;
};

static void gather(const void *user, const struct oro_tile *tile)
{
    const struct gather *k = user;
    float weight = oro_abs(k->weight), kept = k->weight < 0 ? 0.0F : 1.0F;
    for (int y = tile->y; y < tile->y + tile->height; y++)
        for (int x = tile->x; x < tile->x + tile->width; x++) {
            int step = oro_wind_along(&k->wind, k->wind.across ? y : x), side = k->wind.across ? x : y;
            float drifted = k->wind.slant * (float)step, part = drifted - oro_floor(drifted);
            const float *behind = k->air + 2 * oro_air_index(&k->wind, step, side), *ahead = behind - 2;
            float *mean = k->mean + 2 * ((size_t)y * (size_t)k->width + (size_t)x);
            for (int i = 0; i < 2; i++) {
                float here = weight * oro_mix(behind[i], ahead[i], part);
                mean[i] = kept > 0 ? mean[i] + here : here;
            }
        }
}

ORO_PROCESSOR(mask, moisture_gather)
{
    struct gather k = {.wind = oro_wind_of(run),
                       .air = oro_run_buffer(run, "air"),
                       .weight = oro_run_number(run, "weight"),
                       .width = run->grid.width,
                       .mean = oro_run_buffer(run, "mean")};
    if (oro_run_ready(run))
        oro_run_tiles(run, gather, &k);
}
