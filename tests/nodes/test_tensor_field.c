/* tensor_field: each element's directions, how elements blend, and what is refused. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/nodes/group.h"
#include "tests/support/test.h"

#define IN(name, value) "<in name=\"" name "\" value=\"" value "\"/>"
#define FIELD(id, inputs) "<node id=\"" id "\" type=\"tensor_field\" x=\"0\" y=\"0\">" inputs "</node>\n"
enum { SIDE = 20 };
static const double pi = 3.14159265358979323846;

/* 20 x 20 cells of 100 m about a centre that is no cell's. */
#define WORLD "extent=\"2000\" resolution=\"20\""
#define MIDDLE IN("centre", "1000 1000")

static struct harness_raster field_of(const char *inputs, const char *output)
{
    char text[2048];
    snprintf(text, sizeof text, HARNESS_DOCUMENT(WORLD, FIELD("n", "%s")), inputs);
    return harness_run(&h, text, "n", output);
}

/* Radians between two directions without a sign. */
static double apart(double a, double b)
{
    double d = fmod(fabs(a - b), pi);
    return fmin(d, pi - d);
}

/* The direction at a place from the centre, in radians from east to south. */
typedef double direction_of(double x, double y);

static double eastward(double x, double y)
{
    (void)x, (void)y;
    return 0;
}

static double outward(double x, double y)
{
    return atan2(y, x);
}

static double around(double x, double y)
{
    return atan2(y, x) + pi / 2;
}

static double spiral(double x, double y)
{
    return atan2(y, x) + pi / 6;
}

static double saddle(double x, double y)
{
    return -atan2(y, x);
}

static double loop(double x, double y)
{
    return atan2(y, x) / 2;
}

static double trisector(double x, double y)
{
    return -atan2(y, x) / 2;
}

static void check_directions(const char *inputs, direction_of *expected)
{
    struct harness_raster tensor = field_of(inputs, "tensor"), direction = field_of(inputs, "direction"),
                          angle = field_of(inputs, "angle");
    assert_int_equal(tensor.channels, 2);
    assert_int_equal(direction.channels, 2);
    assert_int_equal(angle.channels, 1);
    for (int i = 0; i < SIDE * SIDE; i++) {
        double x = (i % SIDE + 0.5) * 100 - 1000, y = ((double)(i / SIDE) + 0.5) * 100 - 1000;
        double want = expected(x, y);
        const float *t = tensor.data + 2 * i, *d = direction.data + 2 * i;
        assert_near(hypot((double)t[0], (double)t[1]), 1, 1e-4);
        assert_near(hypot((double)d[0], (double)d[1]), 1, 1e-4);
        assert_near(apart(atan2((double)t[1], (double)t[0]) / 2, want), 0, 1e-3);
        assert_near(apart(atan2((double)d[1], (double)d[0]), want), 0, 1e-3);
        assert_near(apart(((double)angle.data[i] - 90) * pi / 180, want), 0, 1e-3);
        assert_true(angle.data[i] >= 0 && angle.data[i] < 180);
    }
    harness_free(&tensor);
    harness_free(&direction);
    harness_free(&angle);
}

TEST(elements_have_their_directions)
{
    need_device();
    check_directions(IN("angle", "90"), eastward);
    check_directions(IN("angle", "-90"), eastward);
    check_directions(MIDDLE IN("method", "radial"), outward);
    check_directions(MIDDLE IN("method", "circular"), around);
    check_directions(MIDDLE IN("method", "radial") IN("angle", "30"), spiral);
    check_directions(MIDDLE IN("method", "saddle"), saddle);
    check_directions(MIDDLE IN("method", "loop"), loop);
    check_directions(MIDDLE IN("method", "trisector"), trisector);
    check_directions(IN("method", "ridge") IN("curve", "-9000 700, 9000 700"), eastward);
}

/* Near either arm of an angle the field runs along it; on its bisector, in between. */
TEST(ridges_follow_their_curve)
{
    need_device();
    struct harness_raster angle =
        field_of(IN("method", "ridge") IN("curve", "0 250, 1750 250, 1750 2000"), "angle");
    assert_near(angle.data[2 * SIDE + 8], 90, 2);
    assert_near(fmod((double)angle.data[12 * SIDE + 17] + 2, 180), 2, 2);
    assert_near(angle.data[6 * SIDE + 13], 135, 1);
    harness_free(&angle);
}

TEST(weights_decay)
{
    need_device();
    struct harness_raster tensor =
        field_of(IN("centre", "50 50") IN("decay", "500") IN("weight", "2") IN("angle", "90"), "tensor");
    for (int i = 0; i < SIDE; i++)
        assert_near(tensor.data[2 * i], 2 * exp(-pow(i * 100 / 500.0, 2)), 1e-5);
    harness_free(&tensor);
}

#define TWO(blend)                                                                                           \
    HARNESS_DOCUMENT(WORLD, FIELD("north", IN("angle", "0") IN("weight", "3")) FIELD(                        \
                                "n", IN("angle", "45") "<in name=\"tensor\" from=\"north.tensor\"/>" IN(     \
                                         "decay", "600") IN("centre", "50 50") IN("blend", blend)))

TEST(elements_blend)
{
    need_device();
    struct harness_raster added = harness_run(&h, TWO("add"), "n", "tensor"),
                          over = harness_run(&h, TWO("over"), "n", "tensor");
    for (int i = 0; i < SIDE; i++) {
        double w = exp(-pow(i * 100 / 600.0, 2)); /* north is (-1, 0), north-east (0, -1) */
        assert_near(added.data[2 * i], -3, 1e-5);
        assert_near(added.data[2 * i + 1], -w, 1e-5);
        assert_near(over.data[2 * i], -3 * (1 - w), 1e-5);
        assert_near(over.data[2 * i + 1], -w, 1e-5);
    }
    harness_free(&added);
    harness_free(&over);
}

TEST(opposite_elements_leave_no_direction)
{
    need_device();
    struct harness_raster direction = harness_run(
        &h,
        HARNESS_DOCUMENT(WORLD, FIELD("a", IN("angle", "0")) FIELD("n", IN("angle", "0") IN("weight", "0"))
                                    FIELD("b", IN("weight", "0") "<in name=\"tensor\" from=\"n.tensor\"/>")),
        "b", "direction");
    for (int i = 0; i < 2 * SIDE * SIDE; i++)
        assert_true(direction.data[i] == 0);
    harness_free(&direction);
}

TEST(curves_that_do_not_serve_are_refused)
{
    need_device();
    static const char *const curves[] = {"", "5 5", "1e9 0, 0 1e9"};
    for (int i = 0; i < 3; i++) {
        char text[2048];
        struct harness_raster raster = {0};
        snprintf(text, sizeof text,
                 HARNESS_DOCUMENT(WORLD, FIELD("n", IN("method", "ridge") IN("curve", "%s"))), curves[i]);
        bool ok = harness_try(&h, text, "n", "tensor", &raster);
        assert_true(ok == (i == 2));
        if (!ok && !strstr(h.err.text, "needs a `curve`"))
            fail_msg("%s", h.err.text);
        for (int k = 0; ok && k < 2 * SIDE * SIDE; k++)
            assert_true(isfinite(raster.data[k]));
        harness_free(&raster);
    }
}

TEST_GROUP(open_harness, close_harness);
