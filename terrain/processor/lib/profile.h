/* Curves: what a kernel has as profile_NAME. */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_PROFILE_H
#define ORO_TERRAIN_PROCESSOR_LIB_PROFILE_H

#include "base/profile.h"
#include "terrain/processor/vector.h"

/* The curve at `count` places. */
ORO_INLINE void oro_profile_row(const struct oro_profile *profile, int count, const float *at, float *values)
{
    int last = profile->count - 1;
    float first = profile->y[0], end = profile->y[last];
#pragma omp simd
    for (int i = 0; i < count; i++)
        values[i] = first;
    for (int part = 0; part < last; part++) {
        float from = profile->x[part], per_unit = 1 / (profile->x[part + 1] - from);
        float low = profile->y[part], high = profile->y[part + 1];
#pragma omp simd
        for (int i = 0; i < count; i++)
            values[i] = at[i] < from ? values[i] : oro_mix(low, high, (at[i] - from) * per_unit);
    }
    float edge = profile->x[last];
#pragma omp simd
    for (int i = 0; i < count; i++)
        values[i] = at[i] < edge ? values[i] : end;
}

/* A curve's height and slope at each x; level before the first point and behind the last. */
ORO_INLINE void oro_profile_slopes(const struct oro_profile *curve, int width, const float *restrict x,
                                   float *restrict height, float *restrict slope)
{
    int last = curve->count - 1;
    float first_x = curve->x[0], first_y = curve->y[0], last_y = curve->y[last];
#pragma omp simd
    for (int i = 0; i < width; i++) {
        height[i] = x[i] <= first_x ? first_y : last_y;
        slope[i] = 0;
    }
    for (int k = 1; k <= last; k++) {
        float ax = curve->x[k - 1], ay = curve->y[k - 1], bx = curve->x[k], by = curve->y[k];
#pragma omp simd
        for (int i = 0; i < width; i++) {
            bool here = (x[i] >= ax) & (x[i] < bx);
            height[i] = here ? oro_mix(ay, by, (x[i] - ax) / (bx - ax)) : height[i];
            slope[i] = here ? (by - ay) / (bx - ax) : slope[i];
        }
    }
}

#endif
