/*
 * What generated code (native.h) is written in: lanes, masks, arithmetic and memory, the same bits with any
 * number of lanes and by every compiler. v_ are functions of lanes, u_ the same of one number. Contraction of
 * products and sums has to be off, and whole numbers go round at their ends (-ffp-contract=off -fwrapv
 * -fno-strict-aliasing).
 *
 * Errors of functions are those of terrain/processor/vector.h, whose series they share.
 */
#ifndef ORO_DEVICES_PROCESSOR_LANES_H
#define ORO_DEVICES_PROCESSOR_LANES_H

#include <limits.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <immintrin.h>
#endif

#include "devices/processor/native.h"
#include "terrain/processor/vector.h"

#if defined __AVX512F__ && defined __AVX512DQ__
#define LANES 16
#elif defined __AVX2__
#define LANES 8
#else
#define LANES 4
#endif
/* A kernel's function for the kind of processor that it is compiled for. */
#define ORO_JOINED_(name, suffix) name##suffix
#define ORO_JOINED(name, suffix) ORO_JOINED_(name, suffix)
#define ORO_KIND(name) ORO_JOINED(name, ORO_SUFFIX)
#define LANE static inline __attribute__((always_inline, unused))
#define EACH_LANE for (int l = 0; l < LANES; l++)

typedef float F __attribute__((vector_size(4 * LANES)));
typedef int32_t I __attribute__((vector_size(4 * LANES)));
typedef uint32_t U __attribute__((vector_size(4 * LANES)));

LANE F F_(float x)
{
    return x - (F){0};
}
LANE I I_(int32_t x)
{
    return x - (I){0};
}
LANE U U_(uint32_t x)
{
    return x - (U){0};
}

/* ---- Masks, and what each instruction set does best ---- */

#if LANES == 16
#define LANE_NUMBERS ((I){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})
typedef __mmask16 M;
LANE M M_(int yes)
{
    return (M)(yes ? 0xffff : 0);
}
LANE int mask_bits(M m)
{
    return m;
}
LANE I mask_words(M m)
{
    return (I)_mm512_movm_epi32(m);
}
#define m_and(a, b) ((M)((a) & (b)))
#define m_or(a, b) ((M)((a) | (b)))
#define m_xor(a, b) ((M)((a) ^ (b)))
#define m_same(a, b) ((M) ~((a) ^ (b)))
#define m_off(a, b) ((M)((a) & ~(b)))
#define m_not(a) ((M) ~(a))
#define COMPARE(name, sign, f, i)                                                                            \
    LANE M name##F(F a, F b)                                                                                 \
    {                                                                                                        \
        return _mm512_cmp_ps_mask((__m512)a, (__m512)b, f);                                                  \
    }                                                                                                        \
    LANE M name##I(I a, I b)                                                                                 \
    {                                                                                                        \
        return _mm512_cmp_epi32_mask((__m512i)a, (__m512i)b, i);                                             \
    }                                                                                                        \
    LANE M name##U(U a, U b)                                                                                 \
    {                                                                                                        \
        return _mm512_cmp_epu32_mask((__m512i)a, (__m512i)b, i);                                             \
    }
LANE I selI(M m, I a, I b)
{
    return (I)_mm512_mask_blend_epi32(m, (__m512i)b, (__m512i)a);
}
LANE F selF(M m, F a, F b)
{
    return (F)_mm512_mask_blend_ps(m, (__m512)b, (__m512)a);
}
LANE M selM(M m, M a, M b)
{
    return (M)((a & m) | (b & ~m));
}
#define X86(name, ...) ((F)_mm512_##name(__VA_ARGS__))
#define X86_INT(name, ...) ((I)_mm512_##name(__VA_ARGS__))
#define X86_F __m512
#define X86_I __m512i
#define ROUND(x, how) ((F)_mm512_roundscale_ps((__m512)(x), how))
#else
typedef I M;
LANE M M_(int yes)
{
    return I_(-(yes != 0));
}
#define mask_words(m) (m)
#define m_and(a, b) ((a) & (b))
#define m_or(a, b) ((a) | (b))
#define m_xor(a, b) ((a) ^ (b))
#define m_same(a, b) (~((a) ^ (b)))
#define m_off(a, b) ((a) & ~(b))
#define m_not(a) (~(a))
#define COMPARE(name, sign, f, i)                                                                            \
    LANE M name##F(F a, F b)                                                                                 \
    {                                                                                                        \
        return a sign b;                                                                                     \
    }                                                                                                        \
    LANE M name##I(I a, I b)                                                                                 \
    {                                                                                                        \
        return a sign b;                                                                                     \
    }                                                                                                        \
    LANE M name##U(U a, U b)                                                                                 \
    {                                                                                                        \
        return (M)(a sign b);                                                                                \
    }
#if LANES == 8
#define LANE_NUMBERS ((I){0, 1, 2, 3, 4, 5, 6, 7})
LANE int mask_bits(M m)
{
    return _mm256_movemask_ps((__m256)m);
}
LANE I selI(M m, I a, I b)
{
    return (I)_mm256_blendv_ps((__m256)b, (__m256)a, (__m256)m);
}
#define X86(name, ...) ((F)_mm256_##name(__VA_ARGS__))
#define X86_INT(name, ...) ((I)_mm256_##name(__VA_ARGS__))
#define X86_F __m256
#define X86_I __m256i
#define ROUND(x, how) ((F)_mm256_round_ps((__m256)(x), how))
#else
#define LANE_NUMBERS ((I){0, 1, 2, 3})
#ifdef __SSE2__
LANE int mask_bits(M m)
{
    return _mm_movemask_ps((__m128)m);
}
#define X86(name, ...) ((F)_mm_##name(__VA_ARGS__))
#define X86_F __m128
#else
LANE int mask_bits(M m)
{
    int bits = 0;
    EACH_LANE bits |= (m[l] < 0) << l;
    return bits;
}
#endif
LANE I selI(M m, I a, I b)
{
    return (a & m) | (b & ~m);
}
#endif
LANE F selF(M m, F a, F b)
{
    return (F)selI(m, (I)a, (I)b);
}
LANE M selM(M m, M a, M b)
{
    return selI(m, a, b);
}
#endif
LANE U selU(M m, U a, U b)
{
    return (U)selI(m, (I)a, (I)b);
}
#ifndef __SSE2__
#define _CMP_LT_OQ 0
#define _CMP_LE_OQ 0
#define _CMP_GT_OQ 0
#define _CMP_GE_OQ 0
#define _CMP_EQ_OQ 0
#define _CMP_NEQ_UQ 0
#define _MM_CMPINT_LT 0
#define _MM_CMPINT_LE 0
#define _MM_CMPINT_NLE 0
#define _MM_CMPINT_NLT 0
#define _MM_CMPINT_EQ 0
#define _MM_CMPINT_NE 0
#endif
COMPARE(lt, <, _CMP_LT_OQ, _MM_CMPINT_LT)
COMPARE(le, <=, _CMP_LE_OQ, _MM_CMPINT_LE)
COMPARE(gt, >, _CMP_GT_OQ, _MM_CMPINT_NLE)
COMPARE(ge, >=, _CMP_GE_OQ, _MM_CMPINT_NLT)
COMPARE(eq, ==, _CMP_EQ_OQ, _MM_CMPINT_EQ)
COMPARE(ne, !=, _CMP_NEQ_UQ, _MM_CMPINT_NE)
LANE int any(M m)
{
    return mask_bits(m) != 0;
}
LANE int all(M m)
{
    return mask_bits(m) == (1 << LANES) - 1;
}

/* As vector.h has them: of a number and what is none, the first. */
#ifdef X86
LANE F least_of(F a, F b)
{
    return X86(min_ps, (X86_F)b, (X86_F)a);
}
LANE F most_of(F a, F b)
{
    return X86(max_ps, (X86_F)b, (X86_F)a);
}
LANE F v_sqrt(F x)
{
    return X86(sqrt_ps, (X86_F)x);
}
#else
LANE F least_of(F a, F b)
{
    return selF(b < a, b, a);
}
LANE F most_of(F a, F b)
{
    return selF(a < b, b, a);
}
LANE F v_sqrt(F x)
{
    F r;
    EACH_LANE r[l] = __builtin_sqrtf(x[l]);
    return r;
}
#endif
#ifdef X86_INT
LANE I v_imin(I a, I b)
{
    return X86_INT(min_epi32, (X86_I)a, (X86_I)b);
}
LANE I v_imax(I a, I b)
{
    return X86_INT(max_epi32, (X86_I)a, (X86_I)b);
}
LANE U v_umin(U a, U b)
{
    return (U)X86_INT(min_epu32, (X86_I)a, (X86_I)b);
}
LANE U v_umax(U a, U b)
{
    return (U)X86_INT(max_epu32, (X86_I)a, (X86_I)b);
}
LANE I v_float_to_int(F x)
{
    return X86_INT(cvttps_epi32, (X86_F)x);
}
#else
LANE I v_imin(I a, I b)
{
    return selI(b < a, b, a);
}
LANE I v_imax(I a, I b)
{
    return selI(a < b, b, a);
}
LANE U v_umin(U a, U b)
{
    return selU((M)(b < a), b, a);
}
LANE U v_umax(U a, U b)
{
    return selU((M)(a < b), b, a);
}
/* INT_MIN beyond its range, as on x86. */
LANE I v_float_to_int(F x)
{
#ifdef __SSE2__
    return (I)_mm_cvttps_epi32((__m128)x);
#else
    M fits = (x >= -2147483648.0F) & (x < 2147483648.0F);
    return selI(fits, __builtin_convertvector(selF(fits, x, F_(0)), I), I_(INT32_MIN));
#endif
}
#endif
LANE F v_int_to_float(I x)
{
    return __builtin_convertvector(x, F);
}
LANE F v_uint_to_float(U x)
{
    return __builtin_convertvector(x, F);
}
LANE U v_float_to_uint(F x)
{
    M large = geF(x, F_(2147483648.0F));
    return selU(large, (U)v_float_to_int(x - 2147483648.0F) ^ 0x80000000U, (U)v_float_to_int(x));
}
LANE F v_abs(F x)
{
    return (F)((I)x & 0x7fffffff);
}
/* Whole numbers, exact for all floats, with the sign of x where they are 0. */
#ifdef ROUND
LANE F v_floor(F x)
{
    return ROUND(x, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
}
LANE F v_ceil(F x)
{
    return ROUND(x, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
}
LANE F v_trunc(F x)
{
    return ROUND(x, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
}
LANE F v_round(F x)
{
    return ROUND(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
#else
LANE F with_sign(F whole, F x)
{
    M small = ltF(v_abs(x), F_(8388608.0F));
    return selF(small, (F)(((I)whole & 0x7fffffff) | ((I)x & INT32_MIN)), x);
}
LANE F v_trunc(F x)
{
    return with_sign(v_int_to_float(v_float_to_int(x)), x);
}
LANE F v_floor(F x)
{
    F whole = v_int_to_float(v_float_to_int(x));
    return with_sign(whole - (F)((I)F_(1) & (whole > x)), x);
}
LANE F v_ceil(F x)
{
    return -v_floor(-x);
}
LANE F v_round(F x)
{
    return with_sign(v_abs(x) + 8388608.0F - 8388608.0F, x);
}
#endif

/* ---- Arithmetic ---- */

/* As cards have them: what is no number is the other, so that a clamp brings it to the lower end. */
LANE F v_min(F a, F b)
{
    return least_of(b, a);
}
LANE F v_max(F a, F b)
{
    return most_of(b, a);
}
#define v_clamp(x, a, b) v_min(v_max(x, a), b)
#define v_iclamp(x, a, b) v_imin(v_imax(x, a), b)
#define v_uclamp(x, a, b) v_umin(v_umax(x, a), b)
LANE I v_iabs(I x)
{
    return v_imax(x, -x);
}
LANE I v_isign(I x)
{
    return (x < 0) - (x > 0);
}
LANE F v_one(M m)
{
    return (F)((I)F_(1) & mask_words(m));
}
LANE F v_sign(F x)
{
    return v_one(gtF(x, F_(0))) - v_one(ltF(x, F_(0)));
}
LANE F v_fract(F x)
{
    return x - v_floor(x);
}
LANE F v_mix(F a, F b, F t)
{
    return a * (1 - t) + b * t;
}
LANE F v_step(F edge, F x)
{
    return v_one(m_not(ltF(x, edge)));
}
LANE F v_smoothstep(F a, F b, F x)
{
    F t = v_clamp((x - a) / (b - a), F_(0), F_(1));
    return t * t * (3 - 2 * t);
}
LANE F v_log2(F x)
{
    I above = (I)x - 0x3f3504f3;
    F m = (F)((above & 0x7fffff) + 0x3f3504f3), s = (m - 1) / (m + 1), z = s * s;
    F series = ((0.43174228F * z + 0.57671416F) * z + 0.96179885F) * z + 2.88539004F;
    return v_int_to_float(above >> 23) + s * series;
}
LANE F v_exp2(F x)
{
    F inside = least_of(most_of(x, F_(-126)), F_(127)), shifted = inside + 12582912.0F,
      f = inside - (shifted - 12582912.0F);
    F p = F_(1.53458110e-4F);
    p = p * f + 1.33999309e-3F;
    p = p * f + 9.61848907e-3F;
    p = p * f + 5.55032864e-2F;
    p = p * f + 2.40226462e-1F;
    p = p * f + 6.93147182e-1F;
    p = p * f + 1;
    return selF(ltF(x, F_(-126)), F_(0), (F)((I)p + ((I)shifted << 23)));
}
LANE F v_exp(F x)
{
    return v_exp2(x * 1.44269504F);
}
LANE F v_log(F x)
{
    return v_log2(x) * 0.693147181F;
}
LANE F v_pow(F x, F y)
{
    return v_exp2(y * v_log2(most_of(x, F_(1e-37F))));
}
LANE void v_sincos(F x, F *sine, F *cosine)
{
    F shifted = x * 0.636619772F + 12582912.0F, quarters = shifted - 12582912.0F;
    F r = ((x - quarters * 1.5703125F) - quarters * 4.83751297e-4F) - quarters * 7.54979013e-8F, z = r * r;
    I quarter = (I)shifted;
    F s = r * (((-1.95018220e-4F * z + 8.33201688e-3F) * z - 1.66666508e-1F) * z + 1);
    F c = ((-1.35794037e-3F * z + 4.16544192e-2F) * z - 4.99998420e-1F) * z + 1;
    M odd = neI(quarter & 1, I_(0));
    *sine = (F)((U)selF(odd, c, s) ^ (((U)quarter & 2) << 30));
    *cosine = (F)((U)selF(odd, s, c) ^ (((U)(quarter + 1) & 2) << 30));
}
LANE F v_sin(F x)
{
    F s, c;
    v_sincos(x, &s, &c);
    return s;
}
LANE F v_cos(F x)
{
    F s, c;
    v_sincos(x, &s, &c);
    return c;
}
LANE F v_tan(F x)
{
    F s, c;
    v_sincos(x, &s, &c);
    return s / c;
}
LANE F v_atan2(F y, F x)
{
    F across = v_abs(y), along = v_abs(x), less = least_of(across, along);
    F more = most_of(most_of(across, along), F_(1e-37F));
    M wide = gtF(less, 0.414213562F * more);
    F t = selF(wide, less - more, less) / selF(wide, less + more, more), z = t * t;
    F series = ((8.05374450e-2F * z - 1.38776856e-1F) * z + 1.99777106e-1F) * z - 3.33329492e-1F;
    F angle = selF(wide, F_(0.785398163F), F_(0)) + (series * z * t + t);
    angle = selF(gtF(across, along), 1.57079633F - angle, angle);
    angle = selF(ltF(x, F_(0)), 2 * 1.57079633F - angle, angle);
    return selF(ltF(y, F_(0)), -angle, angle);
}
LANE F v_atan(F x)
{
    return v_atan2(x, F_(1));
}
LANE F v_inversesqrt(F x)
{
    return 1 / v_sqrt(x);
}
LANE F v_acos(F x)
{
    return v_atan2(v_sqrt(most_of((1 - x) * (1 + x), F_(0))), x);
}
LANE F v_asin(F x)
{
    return v_atan2(x, v_sqrt(most_of((1 - x) * (1 + x), F_(0))));
}
LANE M v_isnan(F x)
{
    return neF(x, x);
}
LANE M v_isinf(F x)
{
    return eqI((I)x & 0x7fffffff, I_(0x7f800000));
}

/* Of one number: the first lane, where vector.h has no function of its own. */
LANE float as_float(uint32_t bits)
{
    return oro_of_bits((int32_t)bits);
}
LANE uint32_t as_bits(float x)
{
    return (uint32_t)oro_bits(x);
}
#define u_min(a, b) oro_min(b, a)
#define u_max(a, b) oro_max(b, a)
#define u_clamp(x, a, b) u_min(u_max(x, a), b)
#define u_imin oro_least
#define u_imax oro_most
#define u_iclamp(x, a, b) oro_least(oro_most(x, a), b)
#define u_abs oro_abs
#define u_isign oro_sign
#define u_mix oro_mix
#define u_log2 oro_log2
#define u_exp2 oro_exp2
#define u_exp oro_exp
#define u_pow oro_power
#define u_sin(x) (oro_sincos(x).sine)
#define u_cos(x) (oro_sincos(x).cosine)
#define u_tan oro_tangent
#define u_atan2 oro_atan2
#define u_atan(x) oro_atan2(x, 1)
#define u_int_to_float(x) ((float)(x))
#define u_uint_to_float(x) ((float)(x))
#define OF_ONE(name)                                                                                         \
    LANE float u_##name(float x)                                                                             \
    {                                                                                                        \
        return v_##name(F_(x))[0];                                                                           \
    }
OF_ONE(sqrt)
OF_ONE(floor)
OF_ONE(ceil)
OF_ONE(trunc)
OF_ONE(round)
OF_ONE(fract)
OF_ONE(sign)
OF_ONE(log)
OF_ONE(inversesqrt)
OF_ONE(acos)
OF_ONE(asin)
LANE float u_step(float edge, float x)
{
    return x < edge ? 0 : 1;
}
LANE float u_smoothstep(float a, float b, float x)
{
    float t = oro_clamp((x - a) / (b - a), 0, 1);
    return t * t * (3 - 2 * t);
}
LANE int u_float_to_int(float x)
{
    return v_float_to_int(F_(x))[0];
}
LANE uint32_t u_float_to_uint(float x)
{
    return v_float_to_uint(F_(x))[0];
}
LANE int u_iabs(int x)
{
    return oro_most(x, oro_less(0, x));
}
LANE uint32_t u_umin(uint32_t a, uint32_t b)
{
    return b < a ? b : a;
}
LANE uint32_t u_umax(uint32_t a, uint32_t b)
{
    return a < b ? b : a;
}
#define u_uclamp(x, a, b) u_umin(u_umax(x, a), b)
LANE int u_isnan(float x)
{
    return x != x;
}
LANE int u_isinf(float x)
{
    return (as_bits(x) & 0x7fffffff) == 0x7f800000;
}

/* ---- Whole numbers ---- */

/* Lanes that are off may divide by anything. */
LANE int u_idiv(int a, int b)
{
    return b == 0 ? 0 : b == -1 ? oro_less(0, a) : a / b;
}
LANE int u_imod(int a, int b)
{
    return b == 0 || b == -1 ? 0 : a % b;
}
LANE uint32_t u_udiv(uint32_t a, uint32_t b)
{
    return b ? a / b : 0;
}
LANE uint32_t u_umod(uint32_t a, uint32_t b)
{
    return b ? a % b : 0;
}
typedef double D __attribute__((vector_size(8 * LANES)));
LANE I v_idiv(I a, I b)
{
    b = selI(eqI(b, I_(0)), I_(1), b);
    return __builtin_convertvector(__builtin_convertvector(a, D) / __builtin_convertvector(b, D), I);
}
LANE I v_imod(I a, I b)
{
    return a - v_idiv(a, b) * b;
}
#define OF_EACH(type, name, argument)                                                                        \
    LANE type v_##name(argument a, argument b)                                                               \
    {                                                                                                        \
        type r;                                                                                              \
        EACH_LANE r[l] = u_##name(a[l], b[l]);                                                               \
        return r;                                                                                            \
    }
#define OF_EACH_ONE(type, name)                                                                              \
    LANE type v_##name(U a)                                                                                  \
    {                                                                                                        \
        type r;                                                                                              \
        EACH_LANE r[l] = u_##name(a[l]);                                                                     \
        return r;                                                                                            \
    }
OF_EACH(U, udiv, U)
OF_EACH(U, umod, U)
LANE uint32_t u_mulhi(uint32_t a, uint32_t b)
{
    return (uint32_t)((uint64_t)a * b >> 32);
}
OF_EACH(U, mulhi, U)
LANE int u_lsb(uint32_t x)
{
    return x ? __builtin_ctz(x) : -1;
}
LANE int u_msb(uint32_t x)
{
    return x ? 31 - __builtin_clz(x) : -1;
}
LANE int u_bitcount(uint32_t x)
{
    return __builtin_popcount(x);
}
OF_EACH_ONE(I, lsb)
OF_EACH_ONE(I, msb)
OF_EACH_ONE(I, bitcount)

/* ---- Memory: beyond a buffer's ends the last word is read, and nothing is written ---- */

LANE long within(int i, long n)
{
    return (uint32_t)i < (uint32_t)n ? i : n - 1;
}
LANE float wordF(const float *p, long n, int i)
{
    return p[within(i, n)];
}
#define wordI(p, n, i) ((int)as_bits(wordF(p, n, i)))
#define wordU(p, n, i) as_bits(wordF(p, n, i))

LANE F gatherF(const float *p, long n, I i)
{
#if LANES == 16
    return (F)_mm512_i32gather_ps((__m512i)v_umin((U)i, U_((uint32_t)n - 1)), p, 4);
#elif LANES == 8
    return (F)_mm256_i32gather_ps(p, (__m256i)v_umin((U)i, U_((uint32_t)n - 1)), 4);
#else
    F r;
    EACH_LANE r[l] = p[within(i[l], n)];
    return r;
#endif
}
/* Ramps: lane l is base + stride * l, but not below `low` and not above `high`. */
#define IS_KNOWN(x, number) (__builtin_constant_p(x) && (x) == (number))
LANE int clamped(int x, int low, int high)
{
    return oro_least(oro_most(x, low), high);
}
LANE I ramp(int base, int stride, int low, int high)
{
    I r = LANE_NUMBERS * stride + base;
    if (!IS_KNOWN(low, INT32_MIN))
        r = v_imax(r, I_(low));
    return IS_KNOWN(high, INT32_MAX) ? r : v_imin(r, I_(high));
}
/* Whether no bound moves a lane of one of stride 1. */
LANE int is_row(int base, int low, int high)
{
    return (IS_KNOWN(low, INT32_MIN) || base >= low) &&
           (IS_KNOWN(high, INT32_MAX) || (long)base + LANES - 1 <= high);
}
/* Whether as many words as there are lanes are in a buffer, `count` words from each lane on. */
LANE int holds_row(long n, int base, int count)
{
    long places = n / count < LANES ? 0 : n / count - LANES + 1;
    return (unsigned long)base < (unsigned long)places;
}
LANE F atF(const float *p, long i)
{
    F r;
    memcpy(&r, p + i, sizeof r);
    return r;
}
#define atI(p, i) ((I)atF(p, i))
#define atU(p, i) ((U)atF(p, i))
LANE F rowF(const float *p, long n, int base, int low, int high)
{
    if (__builtin_expect(is_row(base, low, high) && holds_row(n, base, 1), 1)) {
        F r;
        memcpy(&r, p + base, sizeof r);
        return r;
    }
    return gatherF(p, n, ramp(base, 1, low, high));
}
/* The same of (x + base), with the x at which no lane is moved and all are in the buffer: the first, and how
 * many. */
LANE int row_first(int base, int low)
{
    long first = (long)oro_most(low, 0) - base;
    return first < INT32_MAX ? (int)first : INT32_MAX;
}
LANE int row_count(int base, int low, int high, long n)
{
    long last = (high < n - 1 ? (long)high : n - 1) - (LANES - 1) - base,
         count = last - row_first(base, low) + 1;
    return count < 0 ? 0 : count < INT32_MAX ? (int)count : INT32_MAX;
}
LANE F row_knownF(const float *p, long n, int x, int base, int low, int high, int first, int count)
{
    if (__builtin_expect((uint32_t)x - (uint32_t)first < (uint32_t)count, 1))
        return atF(p, (long)x + base);
    return gatherF(p, n, ramp(x + base, 1, low, high));
}
/* At indices of which nothing is known. */
LANE F loadF(const float *p, long n, I i)
{
    int base = i[0];
    if (all(eqI(i, LANE_NUMBERS + base)))
        return rowF(p, n, base, INT32_MIN, INT32_MAX);
    if (all(eqI(i, I_(base))))
        return F_(wordF(p, n, base));
    return gatherF(p, n, i);
}
#define row_knownI(...) ((I)row_knownF(__VA_ARGS__))
#define row_knownU(...) ((U)row_knownF(__VA_ARGS__))
#define rowI(...) ((I)rowF(__VA_ARGS__))
#define rowU(...) ((U)rowF(__VA_ARGS__))
#define loadI(p, n, i) ((I)loadF(p, n, i))
#define loadU(p, n, i) ((U)loadF(p, n, i))
#define gatherI(p, n, i) ((I)gatherF(p, n, i))
#define gatherU(p, n, i) ((U)gatherF(p, n, i))

static __attribute__((cold, noinline, unused)) void scatter_lanes(float *p, long n, int lanes, I i, F x)
{
    for (; lanes; lanes &= lanes - 1) {
        int l = __builtin_ctz((unsigned)lanes);
        if ((uint32_t)i[l] < (uint32_t)n)
            p[i[l]] = x[l];
    }
}
#define scatterF(p, n, m, i, x) scatter_lanes(p, n, mask_bits(m), i, x)
/* `full`: all lanes are known to write. */
LANE void put_rowF(float *p, long n, int base, int low, int high, int full, M m, F x)
{
    if (__builtin_expect(is_row(base, low, high) && holds_row(n, base, 1) && (full || all(m)), 1))
        memcpy(p + base, &x, sizeof x);
    else
        scatterF(p, n, m, ramp(base, 1, low, high), x);
}
LANE void put_atF(float *p, long i, int full, M m, F x)
{
    if (full || all(m))
        memcpy(p + i, &x, sizeof x);
    else
        scatterF(p + i, LANES, m, LANE_NUMBERS, x);
}
#define put_atI(p, i, full, m, x) put_atF(p, i, full, m, (F)(x))
#define put_atU put_atI
LANE void storeF(float *p, long n, M m, I i, F x)
{
    if (all(m) && holds_row(n, i[0], 1) && all(eqI(i, LANE_NUMBERS + i[0])))
        memcpy(p + i[0], &x, sizeof x);
    else
        scatterF(p, n, m, i, x);
}
#define put_rowI(p, n, base, low, high, full, m, x) put_rowF(p, n, base, low, high, full, m, (F)(x))
#define put_rowU put_rowI
#define storeI(p, n, m, i, x) storeF(p, n, m, i, (F)(x))
#define storeU(p, n, m, i, x) storeF(p, n, m, i, (F)(x))
#define scatterI(p, n, m, i, x) scatterF(p, n, m, i, (F)(x))
#define scatterU(p, n, m, i, x) scatterF(p, n, m, i, (F)(x))

/* Words of lanes between each other: those in even or odd places of both, the halves of both in turn. */
#ifdef __clang__
#define SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define SHUFFLE(a, b, ...) __builtin_shuffle(a, b, (I){__VA_ARGS__})
#endif
#if LANES == 16
#define EVEN(a, b) SHUFFLE(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
#define ODD(a, b) SHUFFLE(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)
#define LOWER(a, b) SHUFFLE(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define UPPER(a, b) SHUFFLE(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#elif LANES == 8
#define EVEN(a, b) SHUFFLE(a, b, 0, 2, 4, 6, 8, 10, 12, 14)
#define ODD(a, b) SHUFFLE(a, b, 1, 3, 5, 7, 9, 11, 13, 15)
#define LOWER(a, b) SHUFFLE(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define UPPER(a, b) SHUFFLE(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#else
#define EVEN(a, b) SHUFFLE(a, b, 0, 2, 4, 6)
#define ODD(a, b) SHUFFLE(a, b, 1, 3, 5, 7)
#define LOWER(a, b) SHUFFLE(a, b, 0, 4, 1, 5)
#define UPPER(a, b) SHUFFLE(a, b, 2, 6, 3, 7)
#endif
/*
 * Elements of two and four words; i counts elements. `row`: those of the lanes follow each other from the
 * element `base` on; i is not worked out then.
 */
LANE void load_words(const float *p, int count, F *const *x)
{
    const F a = atF(p, 0), b = atF(p, LANES);
    const F even = EVEN(a, b), odd = ODD(a, b);
    if (count == 2) {
        *x[0] = even, *x[1] = odd;
        return;
    }
    const F c = atF(p, 2 * LANES), d = atF(p, 3 * LANES);
    const F more_even = EVEN(c, d), more_odd = ODD(c, d);
    *x[0] = EVEN(even, more_even), *x[1] = EVEN(odd, more_odd);
    *x[2] = ODD(even, more_even), *x[3] = ODD(odd, more_odd);
}
LANE void gather_words(const float *p, long n, int count, I i, F *const *x)
{
    for (int j = 0; j < count; j++)
        *x[j] = gatherF(p, n, i * count + j);
}
LANE void store_words(float *p, int count, const F *x)
{
    F words[4] = {LOWER(x[0], x[1]), UPPER(x[0], x[1])};
    if (count == 4) {
        const F a = LOWER(x[0], x[2]), b = LOWER(x[1], x[3]), c = UPPER(x[0], x[2]), d = UPPER(x[1], x[3]);
        words[0] = LOWER(a, b), words[1] = UPPER(a, b), words[2] = LOWER(c, d), words[3] = UPPER(c, d);
    }
    memcpy(p, words, (size_t)count * sizeof *words);
}
LANE void scatter_words(float *p, long n, int count, M m, I i, const F *x)
{
    I on = mask_words(m);
    for (int j = 0; j < count; j++)
        EACH_LANE if (on[l] && (uint32_t)i[l] < (uint32_t)(n / count)) p[(long)count * i[l] + j] = x[j][l];
}
#define LOAD(count, p, n, row, base, i, ...)                                                                 \
    do {                                                                                                     \
        F *const words[] = {__VA_ARGS__};                                                                    \
        if (__builtin_expect((row) && holds_row(n, base, count), 1))                                         \
            load_words((p) + (count) * (long)(base), count, words);                                          \
        else                                                                                                 \
            gather_words(p, n, count, i, words);                                                             \
    } while (0)
#define STORE(count, p, n, row, base, i, full, m, ...)                                                       \
    do {                                                                                                     \
        const F words[] = {__VA_ARGS__};                                                                     \
        if (__builtin_expect((row) && holds_row(n, base, count) && ((full) || all(m)), 1))                   \
            store_words((p) + (count) * (long)(base), count, words);                                         \
        else                                                                                                 \
            scatter_words(p, n, count, m, i, words);                                                         \
    } while (0)
#define load2(...) LOAD(2, __VA_ARGS__)
#define load4(...) LOAD(4, __VA_ARGS__)
#define store2(...) STORE(2, __VA_ARGS__)
#define store4(...) STORE(4, __VA_ARGS__)

/*
 * What is decided once for a row. A vector may begin at from .. to; the stretch in which it may is made
 * shorter. Of two, the longer one is chosen.
 */
LANE int choose_stretch(int *from, int *to, long before, long after)
{
    long first = after > *from ? after : *from, last = before < *to ? before : *to;
    int early = last - *from >= *to - first;
    if (early)
        *to = (int)(last < *from ? *from - 1L : last);
    else
        *from = (int)first;
    return early;
}
/* Whether stride * x + base < 0. */
LANE int less_for_row(int *from, int *to, int stride, int base)
{
    if (stride > 0) { /* up to and with the last x */
        long last = -((long)base + stride) / stride;
        while (stride * last + base >= 0)
            last--;
        while (stride * (last + 1) + base < 0)
            last++;
        return choose_stretch(from, to, last - (LANES - 1), last + 1);
    }
    long first = (long)base / -stride;
    while (stride * first + base < 0)
        first--;
    while (stride * first + base >= 0)
        first++;
    return !choose_stretch(from, to, first - LANES, first);
}
LANE int equal_for_row(int *from, int *to, int stride, int base)
{
    if (base % stride == 0)
        choose_stretch(from, to, -(long)base / stride - LANES, -(long)base / stride + 1);
    return 0;
}
/* Whether 0 <= x + base < size; where that is below, no vector begins. */
LANE int place_for_row(int *from, int *to, int base, int size)
{
    *from = oro_most(*from, size < 0 ? INT32_MAX : -base);
    return less_for_row(from, to, 1, base - size);
}
/* Where no lane's stride * x + base is below `bound`, or above it. */
LANE void bound_for_row(int *from, int *to, int stride, int base, int is_low, int bound)
{
    long away = is_low ? (long)bound - base : (long)base - bound; /* of s * x >= away */
    long s = is_low ? stride : -(long)stride, at = away / s;
    if (s > 0) {
        at += s * at < away;
        if (at > *from)
            *from = at < INT32_MAX ? (int)at : INT32_MAX;
    } else {
        at -= s * at < away;
        if (at - (LANES - 1) < *to)
            *to = at > INT32_MIN + LANES ? (int)at - (LANES - 1) : INT32_MIN;
    }
}
/* Where x + base of all lanes is in a buffer of n. */
LANE void row_for_row(int *from, int *to, int base, long n)
{
    long first = -(long)base, last = n - base - LANES;
    if (first > *from)
        *from = first < INT32_MAX ? (int)first : INT32_MAX;
    if (last < *to)
        *to = last > INT32_MIN ? (int)last : INT32_MIN;
}

/* Arrays of the lanes' own: pick_v of lanes, pick_u of numbers that all lanes share. */
#define PICK(type)                                                                                           \
    LANE type pick_v##type(const type *a, int n, I i)                                                        \
    {                                                                                                        \
        type r;                                                                                              \
        EACH_LANE r[l] = a[within(i[l], n)][l];                                                              \
        return r;                                                                                            \
    }                                                                                                        \
    LANE void put_##type(type *a, int n, M m, I i, type x)                                                   \
    {                                                                                                        \
        I on = mask_words(m);                                                                                \
        EACH_LANE if (on[l] && (uint32_t)i[l] < (uint32_t)n) a[i[l]][l] = x[l];                              \
    }
#define PICK_ONE(type, one)                                                                                  \
    LANE type pick_u##type(const one *a, int n, I i)                                                         \
    {                                                                                                        \
        type r;                                                                                              \
        EACH_LANE r[l] = a[within(i[l], n)];                                                                 \
        return r;                                                                                            \
    }
PICK(F)
PICK(I)
PICK(U)
#if LANES == 16
LANE M pick_vM(const M *a, int n, I i)
{
    int bits = 0;
    EACH_LANE bits |= (a[within(i[l], n)] >> l & 1) << l;
    return (M)bits;
}
LANE void put_M(M *a, int n, M m, I i, M x)
{
    EACH_LANE if ((m >> l & 1) && (uint32_t)i[l] < (uint32_t)n) a[i[l]] =
        (M)((a[i[l]] & ~(1 << l)) | (x & 1 << l));
}
#else
PICK(M)
#endif
PICK_ONE(F, float)
PICK_ONE(I, int)
PICK_ONE(U, uint32_t)

/* Atomic operations on whole numbers, and what was there before. */
#define ATOMIC(name, operation)                                                                              \
    LANE U name(float *p, long n, M m, I i, U x)                                                             \
    {                                                                                                        \
        U was = {0};                                                                                         \
        I on = mask_words(m);                                                                                \
        EACH_LANE                                                                                            \
        {                                                                                                    \
            uint32_t *at = (uint32_t *)(void *)p + i[l];                                                     \
            if (on[l] && (uint32_t)i[l] < (uint32_t)n)                                                       \
                was[l] = operation;                                                                          \
        }                                                                                                    \
        return was;                                                                                          \
    }
LANE uint32_t exchange_if(uint32_t *at, uint32_t x, int is_signed, int greater)
{
    uint32_t was = __atomic_load_n(at, __ATOMIC_RELAXED);
    for (;;) {
        bool above = is_signed ? (int32_t)x > (int32_t)was : x > was;
        if (above != (greater != 0) || x == was ||
            __atomic_compare_exchange_n(at, &was, x, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return was;
    }
}
ATOMIC(atomic_add, __atomic_fetch_add(at, x[l], __ATOMIC_RELAXED))
ATOMIC(atomic_and, __atomic_fetch_and(at, x[l], __ATOMIC_RELAXED))
ATOMIC(atomic_or, __atomic_fetch_or(at, x[l], __ATOMIC_RELAXED))
ATOMIC(atomic_xor, __atomic_fetch_xor(at, x[l], __ATOMIC_RELAXED))
ATOMIC(atomic_exchange, __atomic_exchange_n(at, x[l], __ATOMIC_RELAXED))
ATOMIC(atomic_umin, exchange_if(at, x[l], 0, 0))
ATOMIC(atomic_umax, exchange_if(at, x[l], 0, 1))
ATOMIC(atomic_imin, exchange_if(at, x[l], 1, 0))
ATOMIC(atomic_imax, exchange_if(at, x[l], 1, 1))

#endif
