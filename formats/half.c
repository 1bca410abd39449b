#include "formats/half.h"

#include <stdatomic.h>
#include <string.h>

#include "base/parallel.h"

enum {
    SIGN = 0x8000,
    INFINITE = 0x7c00,
    QUIET = 0x0200,
    GREATEST = 0x7bff, /* 65504 without its sign */
};

/* Rounds `bits` at the binary digit `shift`, to even where both neighbours are as near. */
static uint32_t round_off(uint32_t bits, unsigned shift)
{
    uint32_t half = 1U << (shift - 1), odd = bits >> shift & 1;
    return (bits + half - 1 + odd) >> shift;
}

uint16_t oro_half_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint32_t sign = bits >> 16 & SIGN, exponent = bits >> 23 & 0xff, digits = bits & 0x7fffff;
    if (exponent == 0xff)
        return (uint16_t)(sign | INFINITE | (digits ? QUIET : 0));
    if (exponent > 127 + 15)
        return (uint16_t)(sign | INFINITE);
    /* A carry out of the digits raises the exponent, which is right, also from the largest to infinity. */
    if (exponent > 127 - 15)
        return (uint16_t)(sign | round_off((exponent - (127 - 15)) << 23 | digits, 13));
    unsigned shift = 127 - 15 + 1 - exponent + 13; /* below 2^-14, halves have ever fewer digits */
    return (uint16_t)(sign | (shift > 24 ? 0 : round_off(digits | 0x800000, shift)));
}

float oro_half_value(uint16_t half)
{
    uint32_t sign = (uint32_t)(half & SIGN) << 16, exponent = half >> 10 & 0x1f, digits = half & 0x3ff;
    uint32_t bits = sign | (exponent + 127 - 15) << 23 | digits << 13;
    float value;
    if (exponent == 0) {
        value = (float)digits * 0x1p-24F;
        return sign ? -value : value;
    }
    if (exponent == 0x1f)
        bits = sign | 0x7f800000U | digits << 13;
    memcpy(&value, &bits, sizeof value);
    return value;
}

enum { LEAST = 1 << 16 }; /* values that are worth a thread */

struct search {
    const struct oro_half_raster *raster;
    atomic_bool beyond;
};

static bool is_beyond(const struct oro_half_raster *raster, size_t cell)
{
    float value = raster->values[cell * (size_t)raster->step];
    return value > ORO_HALF_MAX || value < -ORO_HALF_MAX;
}

static void look(void *user, size_t first, size_t end)
{
    struct search *search = user;
    bool beyond = false;
    for (size_t i = first; i < end; i++)
        beyond |= is_beyond(search->raster, i);
    if (beyond)
        atomic_store(&search->beyond, true);
}

bool oro_half_check(const struct oro_half_raster *raster, struct oro_error *err)
{
    struct search search = {.raster = raster};
    size_t i = 0;
    oro_parallel(raster->cells, LEAST, look, &search);
    if (!atomic_load(&search.beyond))
        return true;
    while (!is_beyond(raster, i))
        i++;
    return oro_fail(err, ORO_E_WRITE,
                    "'%s' is not written: half floats end at %g, and cell %zu,%zu%s%s is %g; write float",
                    raster->path, (double)ORO_HALF_MAX, i % (size_t)raster->width, i / (size_t)raster->width,
                    raster->channel ? " of " : "", raster->channel ? raster->channel : "",
                    (double)raster->values[i * (size_t)raster->step]);
}

static void round_values(void *user, size_t first, size_t end)
{
    float *values = user;
    for (size_t i = first; i < end; i++)
        values[i] = oro_half_value(oro_half_of(values[i]));
}

void oro_half_round(float *values, size_t count)
{
    oro_parallel(count, LEAST, round_values, values);
}

void oro_half_to_levels(const float *halves, size_t count, float *levels)
{
    for (size_t i = 0; i < count; i++) {
        uint16_t half = oro_half_of(halves[i]);
        int size = half & ~SIGN;
        levels[i] = (float)(half & SIGN ? GREATEST - size : GREATEST + size);
    }
}

void oro_half_from_levels(float *levels, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int size = (int)levels[i] - GREATEST;
        levels[i] = oro_half_value((uint16_t)(size < 0 ? SIGN | -size : size));
    }
}
