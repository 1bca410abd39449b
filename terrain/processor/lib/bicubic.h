/* Weights of the four cells around a place, `t` of the way from the second to the third:
 * gles_shaders/lib/bicubic.glsl. */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_BICUBIC_H
#define ORO_TERRAIN_PROCESSOR_LIB_BICUBIC_H

#include "terrain/processor/vector.h"

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

#endif
