/* Ground for the tests of figures of realism, and the figures of it. */
#ifndef ORO_TESTS_REALISM_GROUND_H
#define ORO_TESTS_REALISM_GROUND_H

#include <math.h>

#include "terrain/realism/realism.h"
#include "tests/support/test.h"

#define assert_near(value, wanted, tolerance) assert_true(fabs((value) - (wanted)) <= (tolerance))

enum { SIZE = 96, CELLS = SIZE * SIZE };

static inline struct oro_ground ground_of(int width, int height, const float *z)
{
    return (struct oro_ground){.width = width, .height = height, .z = z};
}

static inline struct oro_realism measure(int width, int height, const float *z, double cell, double scale)
{
    struct oro_ground ground = ground_of(width, height, z);
    struct oro_realism figures;
    struct oro_error err = {0};
    if (!oro_realism(&ground, cell, scale, &figures, &err))
        fail_msg("%s", err.text);
    return figures;
}

static inline struct oro_realism_difference compare(int width, int height, const float *z, const float *truth,
                                                    double cell, double scale)
{
    struct oro_ground a = ground_of(width, height, z), b = ground_of(width, height, truth);
    struct oro_realism_difference difference;
    struct oro_error err = {0};
    if (!oro_realism_against(&a, &b, cell, scale, &difference, &err))
        fail_msg("%s", err.text);
    return difference;
}

/* A number from -1 to 1 without a pattern, the same on every machine. */
static inline double chance(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return (double)(x ^ x >> 16) / 2147483648.0 - 1;
}

#endif
