/* The processor's arithmetic against the C library's in double precision: errors are as vector.h states them.
 */
#include <math.h>

#include "terrain/processor/vector.h"
#include "tests/support/test.h"

/* The largest error of `value` against `truth`, in multiples of `unit`. */
static void worst(double *most, double value, double truth, double unit)
{
    *most = fmax(*most, fabs(value - truth) / unit);
}

TEST(logarithms)
{
    double most = 0;
    for (double e = -126; e < 127; e += 0.00037) {
        float x = (float)exp2(e);
        double truth = log2((double)x);
        worst(&most, (double)oro_log2(x), truth, fmax(fabs(truth), 1) * 2e-7);
    }
    assert_true(most > 0.1 && most <= 1);
    assert_true(oro_log2(1) == 0);
    assert_true(oro_log2(0x1p-126F) == -126);
    assert_true(oro_log2(8) == 3);
}

TEST(exponentials)
{
    double most = 0;
    for (double e = -125.9; e < 127; e += 0.00037) {
        float x = (float)e;
        worst(&most, (double)oro_exp2(x), exp2((double)x), exp2((double)x) * 2e-7);
    }
    assert_true(most > 0.1 && most <= 1);
    assert_true(oro_exp2(0) == 1);
    assert_true(oro_exp2(-127) == 0);
    assert_true(oro_exp2(-1e30F) == 0);
    assert_true(oro_exp2(1e30F) == 0x1p127F);
}

TEST(powers)
{
    double most = 0;
    for (double e = -60; e < 60; e += 0.0037) {
        float x = (float)exp2(e);
        double truth = pow((double)x, 1.3);
        worst(&most, (double)oro_power(x, 1.3F), truth, truth * 1e-5);
    }
    assert_true(most > 0.01 && most <= 1);
    assert_true(oro_power(0, 1.3F) < 1e-36F);
}

TEST(turns)
{
    double most = 0;
    for (double angle = -100; angle < 100; angle += 0.00071) {
        struct oro_turn turn = oro_sincos((float)angle);
        worst(&most, (double)turn.sine, sin((double)(float)angle), 2e-7);
        worst(&most, (double)turn.cosine, cos((double)(float)angle), 2e-7);
    }
    assert_true(most > 0.1 && most <= 1);
}

TEST(floors)
{
    static const float values[] = {-2.5F, -2, -0.25F, 0, 0.25F, 1, 3.999F, -1e9F, 2e9F};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        assert_true(oro_floor(values[i]) == floorf(values[i]));
}

TEST_GROUP(NULL, NULL);
