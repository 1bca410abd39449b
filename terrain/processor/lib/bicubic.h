/* Sums over the four by four samples around a point: gles_shaders/lib/bicubic.glsl. */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_BICUBIC_H
#define ORO_TERRAIN_PROCESSOR_LIB_BICUBIC_H

#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

/* Weights of the four samples around a point, `t` of the way from the second to the third. */
struct oro_weights {
    float w[4];
};

/* Interpolating (Catmull and Rom 1974). */
ORO_INLINE struct oro_weights oro_catmull_rom(float t)
{
    float t2 = t * t, t3 = t2 * t;
    return (struct oro_weights){{0.5F * (-t3 + 2 * t2 - t), 0.5F * (3 * t3 - 5 * t2 + 2),
                                 0.5F * (-3 * t3 + 4 * t2 + t), 0.5F * (t3 - t2)}};
}

/* Uniform cubic B-spline. */
ORO_INLINE struct oro_weights oro_b_spline(float t)
{
    float t2 = t * t, t3 = t2 * t, u = 1 - t;
    return (struct oro_weights){
        {u * u * u / 6, (3 * t3 - 6 * t2 + 4) / 6, (-3 * t3 + 3 * t2 + 3 * t + 1) / 6, t3 / 6}};
}

/* Its derivatives by t. */
ORO_INLINE struct oro_weights oro_b_spline_slope(float t)
{
    float t2 = t * t, u = 1 - t;
    return (struct oro_weights){
        {0.5F * (-u * u), 0.5F * (3 * t2 - 4 * t), 0.5F * (-3 * t2 + 2 * t + 1), 0.5F * t2}};
}

/* Where a point lies along an axis: weights of the four samples around it, and which is the first. */
struct oro_taps {
    int first;
    float weight[4];
};

ORO_INLINE struct oro_taps oro_taps_with(float whole, struct oro_weights w)
{
    return (struct oro_taps){(int)whole - 1, {w.w[0], w.w[1], w.w[2], w.w[3]}};
}

/* `place` counts samples, from the middle of sample 0. */
ORO_INLINE struct oro_taps oro_catmull_rom_taps(float place)
{
    float whole = oro_floor(place);
    return oro_taps_with(whole, oro_catmull_rom(place - whole));
}

ORO_INLINE struct oro_taps oro_b_spline_taps(float place)
{
    float whole = oro_floor(place);
    return oro_taps_with(whole, oro_b_spline(place - whole));
}

ORO_INLINE struct oro_taps oro_bilinear_taps(float place)
{
    float whole = oro_floor(place), t = place - whole;
    return oro_taps_with(whole, (struct oro_weights){{0, 1 - t, t, 0}});
}

/* The columns of a tile: `first` counts from the sample in column `start`, and `count` samples are needed.
 * There are no more samples than columns. */
enum { ORO_TAPS_COLUMNS = ORO_TILE_WIDTH + 4 };
struct oro_taps_row {
    int start, count, first[ORO_TILE_WIDTH];
    float weight[4][ORO_TILE_WIDTH];
};

ORO_INLINE void oro_taps_put(struct oro_taps_row *row, int x, struct oro_taps taps)
{
    if (x == 0)
        row->start = taps.first;
    row->first[x] = taps.first - row->start;
    row->count = row->first[x] + 4;
    for (int i = 0; i < 4; i++)
        row->weight[i][x] = taps.weight[i];
}

/* The surface along a row, from the four rows of samples around it. Sums are relative to a sample: large
 * numbers lose no precision, and level ground stays exactly level. */
ORO_INLINE void oro_surface_row(const struct oro_taps_row *taps, const struct oro_taps *down, int width,
                                float samples[4][ORO_TAPS_COLUMNS], float *values)
{
    const float *weight = down->weight;
#pragma omp simd
    for (int x = 0; x < width; x++) {
        int first = taps->first[x];
        float middle = samples[1][first + 1], change = 0;
        for (int j = 0; j < 4; j++) {
            float across = 0;
            for (int i = 0; i < 4; i++)
                across += taps->weight[i][x] * (samples[j][first + i] - middle);
            change += weight[j] * across;
        }
        values[x] = middle + change;
    }
}

#endif
