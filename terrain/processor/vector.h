/*
 * Arithmetic for loops that the compiler turns into vectors (#pragma omp simd): no calls, no branches, the
 * same bits with vectors of any width, by every compiler. Errors are the largest that were found among all
 * arguments (tests/processor/test_vector.c).
 */
#ifndef ORO_TERRAIN_PROCESSOR_VECTOR_H
#define ORO_TERRAIN_PROCESSOR_VECTOR_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A function that is compiled for several kinds of processor; the one that fits is chosen when the program
 * starts. All that it calls has to be ORO_INLINE. */
#if defined __x86_64__ && defined __GLIBC__ && !defined ORO_ONE_CLONE
#define ORO_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define ORO_CLONES
#endif
#define ORO_INLINE static inline __attribute__((always_inline, unused))

ORO_INLINE float oro_min(float a, float b)
{
    return b < a ? b : a;
}

ORO_INLINE float oro_max(float a, float b)
{
    return a < b ? b : a;
}

ORO_INLINE float oro_clamp(float x, float low, float high)
{
    return oro_min(oro_max(x, low), high);
}

ORO_INLINE float oro_mix(float a, float b, float t)
{
    return a * (1 - t) + b * t;
}

ORO_INLINE int32_t oro_bits(float x)
{
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

ORO_INLINE float oro_of_bits(int32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

ORO_INLINE float oro_abs(float x)
{
    return oro_of_bits(oro_bits(x) & 0x7fffffff);
}

/* For |x| < 2^31. Without a choice, which would become a branch where what follows differs for the two. */
ORO_INLINE float oro_floor(float x)
{
    float whole = (float)(int32_t)x;
    return whole - (float)(whole > x);
}

ORO_INLINE int32_t oro_least(int32_t a, int32_t b)
{
    return b < a ? b : a;
}

ORO_INLINE int32_t oro_most(int32_t a, int32_t b)
{
    return a < b ? b : a;
}

/* a - b, going round at the ends as integers of kernels do. */
ORO_INLINE int32_t oro_less(int32_t a, int32_t b)
{
    return (int32_t)((uint32_t)a - (uint32_t)b);
}

/* The nearest of the indices 0 to count - 1. */
ORO_INLINE int32_t oro_within(int32_t i, int32_t count)
{
    return oro_least(oro_most(i, 0), count - 1);
}

ORO_INLINE int32_t oro_sign(int32_t i)
{
    return (i > 0) - (i < 0);
}

/* `a` if it is so, else `b`, both worked out: where the compiler would make a branch of a choice. */
ORO_INLINE int32_t oro_either(bool so, int32_t a, int32_t b)
{
    int32_t mask = -(int32_t)so;
    return (a & mask) | (b & ~mask);
}

ORO_INLINE float oro_ceil(float x)
{
    return -oro_floor(-x);
}

/* To the nearest whole number, of two the even one. */
ORO_INLINE float oro_round(float x)
{
    const float rounder = 8388608.0F; /* 2^23: floats from here on are whole numbers */
    float size = oro_abs(x), whole = size < rounder ? size + rounder - rounder : size;
    return oro_of_bits(oro_bits(whole) | (oro_bits(x) & INT32_MIN));
}

/* For normal numbers above 0. 2 atanh(s) with s = (m - 1) / (m + 1), m within a factor of sqrt(2) from 1; the
 * error is 2e-7 near 1, and half a unit in the last place of the exponent elsewhere. */
ORO_INLINE float oro_log2(float x)
{
    enum { SQRT_HALF = 0x3f3504f3 };
    int32_t above = oro_bits(x) - SQRT_HALF;
    float m = oro_of_bits((above & 0x7fffff) + SQRT_HALF), s = (m - 1) / (m + 1), z = s * s;
    float series = ((0.43174228F * z + 0.57671416F) * z + 0.96179885F) * z + 2.88539004F;
    return (float)(above >> 23) + s * series;
}

/* 0 below -126, and no more than 2^127. Relative error 2e-7. */
ORO_INLINE float oro_exp2(float x)
{
    const float rounder = 12582912.0F; /* 1.5 * 2^23: floats of this size are whole numbers */
    float inside = oro_clamp(x, -126, 127), shifted = inside + rounder, f = inside - (shifted - rounder);
    float p = 1.53458110e-4F;
    p = p * f + 1.33999309e-3F;
    p = p * f + 9.61848907e-3F;
    p = p * f + 5.55032864e-2F;
    p = p * f + 2.40226462e-1F;
    p = p * f + 6.93147182e-1F;
    p = p * f + 1;
    float power = oro_of_bits((int32_t)((uint32_t)oro_bits(p) + ((uint32_t)oro_bits(shifted) << 23)));
    return x < -126 ? 0 : power;
}

/* Relative error 2e-7 for |x| < 2, and that times |x| / 2 beyond. */
ORO_INLINE float oro_exp(float x)
{
    return oro_exp2(x * 1.44269504F);
}

/* x^y for x >= 0, with x below 1e-37 taken as that. */
ORO_INLINE float oro_power(float x, float y)
{
    return oro_exp2(y * oro_log2(oro_max(x, 1e-37F)));
}

/* Sine and cosine of r, within an eighth of a turn, and of whole quarters of a turn before it. */
struct oro_turn {
    float sine, cosine;
};
ORO_INLINE struct oro_turn oro_turn_from(float r, int32_t quarter)
{
    float z = r * r;
    float s = r * (((-1.95018220e-4F * z + 8.33201688e-3F) * z - 1.66666508e-1F) * z + 1);
    float c = ((-1.35794037e-3F * z + 4.16544192e-2F) * z - 4.99998420e-1F) * z + 1;
    float sine = quarter & 1 ? c : s, cosine = quarter & 1 ? s : c;
    return (struct oro_turn){quarter & 2 ? -sine : sine, (quarter + 1) & 2 ? -cosine : cosine};
}

/* Sine and cosine for |x| < 1e4, absolute error 2e-7 for |x| < 100. */
ORO_INLINE struct oro_turn oro_sincos(float x)
{
    const float rounder = 12582912.0F;
    float shifted = x * 0.636619772F + rounder, quarters = shifted - rounder;
    float r = ((x - quarters * 1.5703125F) - quarters * 4.83751297e-4F) - quarters * 7.54979013e-8F;
    return oro_turn_from(r, oro_bits(shifted));
}

/* The angle of a way (x, y), from the x axis towards the y axis, -pi to pi; 0 for (0, 0). Relative
 * error 2.5e-7. */
ORO_INLINE float oro_atan2(float y, float x)
{
    const float quarter = 1.57079633F, eighth_tangent = 0.414213562F;
    float across = oro_abs(y), along = oro_abs(x);
    float less = oro_min(across, along), more = oro_max(oro_max(across, along), 1e-37F);
    bool wide = less > eighth_tangent * more;
    float t = (wide ? less - more : less) / (wide ? less + more : more), z = t * t;
    float series = ((8.05374450e-2F * z - 1.38776856e-1F) * z + 1.99777106e-1F) * z - 3.33329492e-1F;
    float angle = (wide ? 0.785398163F : 0) + (series * z * t + t);
    angle = across > along ? quarter - angle : angle;
    angle = x < 0 ? 2 * quarter - angle : angle;
    return y < 0 ? -angle : angle;
}

ORO_INLINE float oro_radians(float degrees)
{
    return degrees * 0.01745329252F;
}

/* For |x| below a quarter turn. */
ORO_INLINE float oro_tangent(float x)
{
    struct oro_turn turn = oro_sincos(x);
    return turn.sine / turn.cosine;
}

#endif
