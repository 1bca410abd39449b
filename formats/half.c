#include "formats/half.h"

#define IMATH_HALF_NO_LOOKUP_TABLE /* its table is in a C++ library */
#include <half.h>

#include "base/parallel.h"

enum { SIGN = 0x8000, GREATEST = 0x7bff /* 65504 without its sign */ };

uint16_t oro_half_of(float value)
{
    return imath_float_to_half(value);
}

float oro_half_value(uint16_t half)
{
    return imath_half_to_float(half);
}

bool oro_half_check(const struct oro_half_raster *raster, struct oro_error *err)
{
    for (size_t i = 0; i < raster->cells; i++) {
        float value = raster->values[i * (size_t)raster->step];
        if (value > ORO_HALF_MAX || value < -ORO_HALF_MAX)
            return oro_fail(
                err, ORO_E_WRITE,
                "'%s' is not written: half floats end at %g, and cell %zu,%zu%s%s is %g; write float",
                raster->path, (double)ORO_HALF_MAX, i % (size_t)raster->width, i / (size_t)raster->width,
                raster->channel ? " of " : "", raster->channel ? raster->channel : "", (double)value);
    }
    return true;
}

static void round_values(void *user, size_t first, size_t end)
{
    float *values = user;
    for (size_t i = first; i < end; i++)
        values[i] = oro_half_value(oro_half_of(values[i]));
}

void oro_half_round(float *values, size_t count)
{
    enum { LEAST = 1 << 16 }; /* values that are worth a thread */
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
