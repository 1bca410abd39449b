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

TEST(exponentials_to_e)
{
    double most = 0;
    for (double x = -80; x < 80; x += 0.00037) {
        float given = (float)x;
        double truth = exp((double)given), unit = truth * 2e-7 * fmax(fabs(x), 2) / 2;
        worst(&most, (double)oro_exp(given), truth, unit);
    }
    assert_true(most > 0.1 && most <= 1);
    assert_true(oro_exp(0) == 1);
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

TEST(angles)
{
    double most = 0;
    for (double way = -3.14159; way < 3.14159; way += 0.00071)
        for (double length = 1e-20; length < 1e20; length *= 37) {
            float x = (float)(length * cos(way)), y = (float)(length * sin(way));
            double truth = atan2((double)y, (double)x);
            worst(&most, (double)oro_atan2(y, x), truth, fabs(truth) * 2.5e-7);
        }
    assert_true(most > 0.1 && most <= 1);
    assert_true(oro_atan2(0, 0) == 0 && oro_atan2(0, 1) == 0);
    assert_true(oro_atan2(1, 0) == 1.57079633F && oro_atan2(-1, 0) == -1.57079633F);
}

TEST(tangents)
{
    double most = 0;
    for (double degrees = -89; degrees <= 89; degrees += 0.0071) {
        double truth = tan((double)oro_radians((float)degrees));
        worst(&most, (double)oro_tangent(oro_radians((float)degrees)), truth, fmax(fabs(truth), 1) * 1e-5);
    }
    assert_true(most > 0 && most <= 1);
}

TEST(indices)
{
    static const int indices[] = {-7, -1, 0, 3, 4, 5, 90}, within[] = {0, 0, 0, 3, 4, 4, 4};
    for (size_t i = 0; i < sizeof indices / sizeof indices[0]; i++)
        assert_int_equal(oro_within(indices[i], 5), within[i]);
    assert_int_equal(oro_sign(-3), -1);
    assert_int_equal(oro_sign(0), 0);
    assert_int_equal(oro_sign(8), 1);
}

TEST(floors)
{
    static const float values[] = {-2.5F, -2, -0.25F, 0, 0.25F, 1, 3.999F, -1e9F, 2e9F};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        assert_true(oro_floor(values[i]) == floorf(values[i]));
}

TEST_GROUP(NULL, NULL);
