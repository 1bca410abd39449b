/* Curves that users draw: an input's literal, laid out as struct oro_profile of graph/type/node.h. */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_PROFILE_H
#define ORO_TERRAIN_PROCESSOR_LIB_PROFILE_H

#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

struct oro_profile_points {
    int count;
    float x[32], y[32];
};

/* A curve's height and slope at each x; level before the first point and behind the last. */
ORO_INLINE void oro_profile_row(const struct oro_profile_points *curve, int width, const float *restrict x,
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
