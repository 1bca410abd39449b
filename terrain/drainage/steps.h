/*
 * Steps of height: numbers that count float32 heights in order, so that "one step lower" is integer
 * arithmetic and survives in the float (gles_shaders/lib/steps.glsl has the same). From 8 m up, and from -8 m
 * down, a step is one representable number. Nearer to zero, where floats are ever denser, it is 2^-20 m (a
 * micrometre), which is their spacing just below 8 m.
 */
#ifndef ORO_TERRAIN_DRAINAGE_STEPS_H
#define ORO_TERRAIN_DRAINAGE_STEPS_H

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#define ORO_STEPS_UNIFORM 8388608      /* steps from 0 to 8 m: 2^23 */
#define ORO_STEPS_BITS_OF_8 1090519040 /* the float 8.0 as an integer */
#define ORO_STEPS_LOWEST (-1056964607) /* of -FLT_MAX */

/* Heights nearer to zero than the least normal float count as zero. */
static inline float oro_height(float z)
{
    return fabsf(z) < FLT_MIN ? 0.0f : z;
}

/* The highest step that is not above `z`. */
static inline int32_t oro_step_of(float z)
{
    float size = fabsf(oro_height(z));
    int32_t bits;
    if (size < 8.0f)
        return (int32_t)floorf(oro_height(z) * 1048576.0f);
    memcpy(&bits, &size, sizeof bits);
    bits += ORO_STEPS_UNIFORM - ORO_STEPS_BITS_OF_8;
    return z < 0 ? -bits : bits;
}

/* The lowest step that is not below `z`. */
static inline int32_t oro_step_above(float z)
{
    return -oro_step_of(-z);
}

/* The height of a step, which is at least ORO_STEPS_LOWEST. */
static inline float oro_step_height(int32_t step)
{
    int32_t size = step < 0 ? -step : step, bits = size - ORO_STEPS_UNIFORM + ORO_STEPS_BITS_OF_8;
    float height = (float)size / 1048576.0f;
    if (size >= ORO_STEPS_UNIFORM)
        memcpy(&height, &bits, sizeof height);
    return step < 0 ? -height : height;
}

/* An order-preserving number for a height: the order of levels and saddles. */
static inline uint32_t oro_level_of(float z)
{
    uint32_t bits;
    z = oro_height(z);
    memcpy(&bits, &z, sizeof bits);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

/* The height of such a number. */
static inline float oro_level_height(uint32_t level)
{
    uint32_t bits = level & 0x80000000u ? level & 0x7fffffffu : ~level;
    float z;
    memcpy(&z, &bits, sizeof z);
    return z;
}

#endif
