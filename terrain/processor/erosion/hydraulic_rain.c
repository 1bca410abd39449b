/* How much water falls and springs in each cell in one step of time, in steps of depth (Jako 2011, eq. 1);
 * and the ground at the start. */
#include "terrain/processor/lib/pipes.h"

struct rain {
    struct oro_map rain;
    const int32_t *springs; /* or NULL */
    const float *terrain;
    float time_step, unit;
    int width;
    int32_t *fallen;
};

static ORO_CLONES void fall(const void *user, const struct oro_tile *tile)
{
    const struct rain *k = user;
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        float scratch[ORO_TILE_WIDTH];
        const float *rain = oro_map_row(&k->rain, tile->x, y, tile->width, scratch);
        size_t at = (size_t)y * (size_t)k->width + (size_t)tile->x;
        for (int x = 0; x < tile->width; x++) {
            int32_t fallen = oro_steps(oro_round(oro_guarded(rain[x]) * k->time_step * k->unit));
            int32_t sum = fallen + (k->springs ? k->springs[at + (size_t)x] : 0);
            int32_t *out = k->fallen + ORO_FALLEN_WORDS * (at + (size_t)x);
            out[ORO_FALLEN] = sum < 0 ? 0 : sum > ORO_STEPS_MAX ? ORO_STEPS_MAX : sum;
            out[ORO_FALLEN_GROUND] = oro_bits(k->terrain[at + (size_t)x]);
        }
    }
}

ORO_PROCESSOR(erosion, hydraulic_rain)
{
    struct rain k = {.rain = oro_run_map(run, "rain"),
                     .springs = oro_run_optional(run, "springs"),
                     .terrain = oro_run_buffer(run, "terrain"),
                     .time_step = oro_run_number(run, "time_step"),
                     .unit = oro_run_number(run, "unit"),
                     .width = run->grid.width,
                     .fallen = oro_run_buffer(run, "fallen_out")};
    if (oro_run_ready(run))
        oro_run_tiles(run, fall, &k);
}
