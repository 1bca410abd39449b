/* What water does to the ground of its cell (Jako 2011, eq. 9 to 14), and how it dries up (16):
 * gles_shaders/lib/pipes_erosion.glsl. */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_PIPES_EROSION_H
#define ORO_TERRAIN_PROCESSOR_LIB_PIPES_EROSION_H

#include "terrain/processor/lib/pipes_flow.h"

/* Rise of the ground to a neighbour. Over the border it goes on as it comes from the other side. */
ORO_INLINE float oro_pipes_rise(int32_t here, int32_t there, int32_t opposite)
{
    int32_t on = opposite != ORO_OUTSIDE ? oro_less(here, opposite) : 0;
    return (float)(there != ORO_OUTSIDE ? oro_less(there, here) : on);
}

/* The ground around a cell, as rises to E, W, S, N. */
struct oro_slopes {
    float east, west, south, north;
};

/* Eq. 10 and 11: how steeply water meets the ground. `collides` is known when the function is compiled. */
ORO_INLINE float oro_incidence(const struct oro_pipes *k, struct oro_slopes s, struct oro_through velocity,
                               float speed, bool collides)
{
    float x = velocity.x / oro_max(speed, 1e-18F), y = velocity.y / oro_max(speed, 1e-18F);
    float to_east = oro_max(x, 0), to_west = oro_min(x, 0), to_south = oro_max(y, 0),
          to_north = oro_min(y, 0);
    float ascent = (to_east * s.east - to_west * s.west) + (to_south * s.south - to_north * s.north);
    float descent = oro_max(-ascent, 0), sine = descent * (1 / sqrtf(1 + descent * descent));
    if (collides) {
        float tilt_x = 0.5F * (s.east - s.west), tilt_y = 0.5F * (s.south - s.north);
        float upstream = (to_west * s.east - to_east * s.west) + (to_north * s.south - to_south * s.north);
        float meeting = x * tilt_x + y * tilt_y - upstream, steepness = oro_length(tilt_x, tilt_y);
        meeting *= 1 / sqrtf((1 + steepness * steepness) * (1 + upstream * upstream));
        sine += k->collision * (oro_max(k->meeting * meeting, 0) - sine);
    }
    return oro_max(sine, k->least_sine);
}

/* Maps along a row of the tile. */
struct oro_pipes_maps {
    const float *evaporation, *capacity, *deposition, *erosion_depth, *mask;
};

/* Eq. 12 to 14: dissolves ground or drops sediment. What is dissolved takes its room in the water, so that
 * the surface stays. */
ORO_INLINE void oro_pipes_exchange(const struct oro_pipes *k, int width, int y,
                                   const struct oro_pipes_maps *maps, const struct oro_pipes_rows *t,
                                   struct oro_pipes_row *row, bool collides)
{
    const int32_t *here = t->ground[y & 3] + ORO_PIPES_FIRST;
    const int32_t *above = t->ground[(y - 1) & 3] + ORO_PIPES_FIRST;
    const int32_t *below = t->ground[(y + 1) & 3] + ORO_PIPES_FIRST;
    int32_t in_water = k->exchange ? -1 : 0;
#pragma omp simd
    for (int x = 0; x < width; x++) {
        int32_t h = here[x], e = here[x + 1], w = here[x - 1], s = below[x], n = above[x];
        struct oro_slopes slopes = {oro_pipes_rise(h, e, w) * k->slope, oro_pipes_rise(h, w, e) * k->slope,
                                    oro_pipes_rise(h, s, n) * k->slope, oro_pipes_rise(h, n, s) * k->slope};
        float depth = row->depth[x], fast = k->speed / oro_max(depth, 1);
        struct oro_through velocity = {row->flow_x[x] * fast, row->flow_y[x] * fast};
        float speed = oro_length(velocity.x, velocity.y), film = oro_min(depth * k->film, 1);
        float deepest = oro_max(oro_guarded(maps->erosion_depth[x]), 1e-6F) * k->unit;
        float deep = oro_clamp(1 - depth / deepest, 0, 1);
        float incidence = oro_incidence(k, slopes, velocity, speed, collides);
        float carries = oro_guarded(maps->capacity[x]) * incidence * speed * deep * film * k->unit;

        float load = (float)row->sediment[x], softness = row->softness[x];
        float lacking = oro_max(carries - load, 0),
              surplus = oro_max(load - carries, 0); /* one of them is 0 */
        float rate = k->time_step * oro_guarded(maps->mask[x]);
        float settling = oro_min(rate * oro_guarded(maps->deposition[x]), 1);
        int32_t dissolved = oro_steps(oro_min(rate * k->suspension * softness, 1) * lacking);
        int32_t taken = oro_least(dissolved, oro_most(h + ORO_STEPS_MAX / 2, 0)) -
                        oro_least(oro_steps(settling * surplus), row->sediment[x]);
        row->ground[x] = h - taken;
        row->sediment[x] += taken;
        row->water[x] += taken & in_water;
        row->softness[x] = oro_min(softness + settling * k->softening * surplus / k->unit, 1);
    }
}

/* Eq. 16: water goes into the air, the sediment does not; where only sediment is left it comes to rest, as
 * far as the mask lets it. */
ORO_INLINE void oro_pipes_dry(const struct oro_pipes *k, int width, const struct oro_pipes_maps *maps,
                              struct oro_pipes_row *row)
{
    int32_t in_water = k->exchange ? -1 : 0;
#pragma omp simd
    for (int x = 0; x < width; x++) {
        int32_t water = row->water[x], sediment = row->sediment[x], clear = water - (sediment & in_water);
        int32_t above = oro_most(clear, 0);
        float share = oro_min(k->time_step * oro_guarded(maps->evaporation[x]), 1);
        int32_t left = clear - oro_least((int32_t)oro_ceil((float)above * share), above);
        float mask = oro_guarded(maps->mask[x]);
        int32_t some = (int32_t)((float)sediment * oro_min(mask, 1));
        int32_t settled = oro_either(left > 0, 0, oro_either(mask < 1, some, sediment));
        sediment -= settled;
        row->ground[x] += settled;
        row->sediment[x] = sediment;
        row->water[x] = oro_either(left > 0, left + (sediment & in_water), sediment & in_water);
    }
}

#endif
