#include "base/parallel.h"
#include "terrain/processor/lib/air.h"

enum { LINES = 64 }; /* that are followed at once */

struct air {
    struct oro_wind wind;
    struct oro_map terrain, wet;
    int lines, first;
    float step, carried, sea_level, scale_height, recovery;
    float *air; /* water and rain */
};

/* Air over cells of a step, side by side. */
struct front {
    float water[LINES], rain[LINES];
};

/* `count` cells of a step, from `side` on. */
ORO_INLINE const float *cells_of(const struct air *k, const struct oro_map *map, int step, int side,
                                 int count, float *scratch)
{
    int along = oro_wind_along(&k->wind, step);
    if (k->wind.across)
        return oro_map_row(map, side, along, count, scratch);
    for (int i = 0; i < count; i++)
        scratch[i] = oro_map_at(map, along, side + i);
    return scratch;
}

/* Moves the air on by a step, over the cells from `side` on; lines go by between two cells. */
ORO_INLINE void move(const struct air *k, int step, int side, float shift, int count, struct front *front)
{
    float scratch[2][LINES + 1];
    const float *height = cells_of(k, &k->terrain, step, side, count + 1, scratch[0]);
    const float *wet = cells_of(k, &k->wet, step, side, count + 1, scratch[1]);
    float start = step == 0 ? 1 : 0, per_step = k->scale_height / k->step, way = k->step / k->recovery;
#pragma omp simd
    for (int i = 0; i < count; i++) {
        float above = oro_mix(oro_above_sea(height[i], k->sea_level),
                              oro_above_sea(height[i + 1], k->sea_level), shift);
        float over_water = oro_mix(wet[i], wet[i + 1], shift);
        float most = oro_capacity(above, k->scale_height), before = start > 0 ? most : front->water[i];
        float lifted = oro_max(before - most, 0) * per_step;
        float left = oro_exp(-oro_mix(1, 4, over_water) * way);
        front->water[i] = oro_min(oro_mix(1, before, left), most);
        front->rain[i] = oro_mix(lifted, front->rain[i], k->carried);
    }
}

ORO_INLINE void follow(const struct air *k, int line, int count)
{
    struct front front = {0};
    for (int step = 0; step < k->wind.steps; step++) {
        float drifted = k->wind.slant * (float)step, whole = oro_floor(drifted);
        int side = line + k->first + (int)whole, first = side < -1 ? -1 - side : 0;
        int end = side + count > k->wind.breadth ? k->wind.breadth - side : count;
        move(k, step, side, drifted - whole, count, &front);
        for (int i = first; i < end; i++) {
            float *air = k->air + 2 * oro_air_index(&k->wind, step, side + i);
            air[0] = front.water[i];
            air[1] = front.rain[i];
        }
    }
}

static ORO_CLONES void follow_lines(void *user, size_t first, size_t end)
{
    const struct air *k = user;
    for (int line = (int)first; line < (int)end; line += LINES)
        follow(k, line, (int)end - line < LINES ? (int)end - line : LINES);
}

ORO_PROCESSOR(mask, moisture_air)
{
    struct air k = {.wind = oro_wind_of(run),
                    .terrain = oro_run_map(run, "terrain"),
                    .wet = {.values = oro_run_buffer(run, "wet"),
                            .width = run->source.width,
                            .height = run->source.height},
                    .lines = (int)oro_run_number(run, "lines"),
                    .first = (int)oro_run_number(run, "first"),
                    .step = oro_run_number(run, "step"),
                    .carried = oro_run_number(run, "carried"),
                    .sea_level = oro_run_float(run, "sea_level"),
                    .scale_height = oro_run_float(run, "scale_height"),
                    .recovery = oro_run_float(run, "recovery"),
                    .air = oro_run_buffer(run, "air")};
    if (oro_run_ready(run))
        oro_parallel((size_t)k.lines, LINES, follow_lines, &k);
}
