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

#endif
