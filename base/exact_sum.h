/*
 * Sums of many numbers that come out the same in any order: kept exactly, rounded once at the end.
 */
#ifndef ORO_BASE_EXACT_SUM_H
#define ORO_BASE_EXACT_SUM_H

#include <stdint.h>
#include <string.h>

#include <math.h>

/* A whole number of units of 2^-149, the smallest of all floats, in 320 bits: enough for 2^40 differences of
 * any floats. Starts as {0}. */
enum { ORO_EXACT_LIMBS = 5, ORO_EXACT_UNIT = -149 };
struct oro_exact_sum {
    uint64_t limb[ORO_EXACT_LIMBS]; /* the lowest first */
};

static inline void oro_exact_add_limb(struct oro_exact_sum *sum, int i, uint64_t limb)
{
    for (; limb && i < ORO_EXACT_LIMBS; i++) {
        sum->limb[i] += limb;
        limb = sum->limb[i] < limb;
    }
}

/* Adds a whole number of units that is at least 0, as differences of floats are in double. */
static inline void oro_exact_add(struct oro_exact_sum *sum, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    int shift = (int)(bits >> 52) - 1075 - ORO_EXACT_UNIT;
    bits = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    if (!(number > 0) || shift <= -64)
        return;
    if (shift < 0) {
        oro_exact_add_limb(sum, 0, bits >> -shift);
        return;
    }
    oro_exact_add_limb(sum, shift / 64, bits << shift % 64);
    if (shift % 64)
        oro_exact_add_limb(sum, shift / 64 + 1, bits >> (64 - shift % 64));
}

static inline void oro_exact_join(struct oro_exact_sum *sum, const struct oro_exact_sum *other)
{
    for (int i = 0; i < ORO_EXACT_LIMBS; i++)
        oro_exact_add_limb(sum, i, other->limb[i]);
}

static inline double oro_exact_total(const struct oro_exact_sum *sum)
{
    double total = 0;
    for (int i = ORO_EXACT_LIMBS; i-- > 0;)
        total += ldexp((double)sum->limb[i], 64 * i + ORO_EXACT_UNIT);
    return total;
}

#endif
