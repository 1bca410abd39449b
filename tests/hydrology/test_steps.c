/* Steps of height count floats in order. */
#include "tests/hydrology/terrains.h"

#include "terrain/drainage/steps.h"

static void check_height(float z)
{
    int32_t step = oro_step_of(z);
    assert_true(oro_step_height(step) <= oro_height(z));
    assert_true(step == -ORO_STEPS_LOWEST || oro_step_height(step + 1) > oro_height(z));
    assert_int_equal(oro_step_of(oro_step_height(step)), step);
}

TEST(heights)
{
    static const float ends[] = {0,        -0.0f,    8,         -8,      FLT_MIN,  -FLT_MIN, FLT_MAX,
                                 -FLT_MAX, 1e-40f,   -1e-40f,   1,       -1,       16,       -16,
                                 8848.86f, 0x1p-20f, -0x1p-20f, 0x1p23f, -0x1p23f, 7.75f,    -7.75f};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        check_height(ends[i]);
        check_height(nextafterf(ends[i], 0));
        if (fabsf(ends[i]) < FLT_MAX)
            check_height(nextafterf(ends[i], INFINITY));
    }
    for (uint32_t i = 0; i < 200000; i++)
        check_height((chance(i) - 0.5f) * ldexpf(1, (int)(chance(i + 1000000) * 60) - 25));
    assert_int_equal(oro_step_of(-FLT_MAX), ORO_STEPS_LOWEST);
    assert_int_equal(oro_step_of(8), 1 << 23);
    assert_int_equal(oro_step_of(0), 0);
}

/* From step to step, heights rise, by the least that float32 can from 8 m up, and below that by 2^-20 m. */
TEST(steps)
{
    static const int32_t middles[] = {0,
                                      ORO_STEPS_UNIFORM,
                                      -ORO_STEPS_UNIFORM,
                                      2 * ORO_STEPS_UNIFORM,
                                      ORO_STEPS_LOWEST + 1000,
                                      -ORO_STEPS_LOWEST - 1000};
    for (size_t i = 0; i < sizeof middles / sizeof *middles; i++)
        for (int32_t step = middles[i] - 1000; step < middles[i] + 1000; step++) {
            float low = oro_step_height(step), high = oro_step_height(step + 1);
            bool uniform = step >= -ORO_STEPS_UNIFORM && step < ORO_STEPS_UNIFORM;
            assert_true(high == (uniform ? low + 0x1p-20f : nextafterf(low, INFINITY)));
        }
}

TEST(levels)
{
    static const float rising[] = {-FLT_MAX, -1e9f, -1, -FLT_MIN, 0, FLT_MIN, 1e-30f, 1, 2, 1e9f, FLT_MAX};
    for (size_t i = 1; i < sizeof rising / sizeof *rising; i++)
        assert_true(oro_level_of(rising[i - 1]) < oro_level_of(rising[i]));
    assert_int_equal(oro_level_of(-0.0f), oro_level_of(0.0f));
    assert_int_equal(oro_level_of(-1e-40f), oro_level_of(0.0f));
    assert_int_equal(oro_level_of(1e-40f), oro_level_of(0.0f));
}
