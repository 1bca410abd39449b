/* flow_orientation: planes, a cone, level ground, noise, what is beyond numbers. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/nodes/group.h"
#include "tests/nodes/site.h"
#include "tests/support/test.h"

#define NODE(id, type, inputs) "<node id=\"" id "\" type=\"" type "\" x=\"0\" y=\"0\">" inputs "</node>\n"
#define EVERY_BUMP IN("radius", "0")

enum { WIDTH = 41, HEIGHT = 33, CELLS = WIDTH * HEIGHT };
static float terrain[CELLS];
static const double degree = 3.14159265358979323846 / 180;

struct flow {
    struct harness_raster direction, angle;
};

/* Degrees between two bearings. */
static double apart(double a, double b)
{
    double d = fmod(fabs(a - b), 360);
    return fmin(d, 360 - d);
}

static double length_at(const struct flow *f, int i)
{
    return hypot((double)f->direction.data[2 * i], (double)f->direction.data[2 * i + 1]);
}

/* Both outputs say the same, and nothing is out of range. */
static void check(const struct flow *f, int cells)
{
    assert_int_equal(f->direction.channels, 2);
    assert_int_equal(f->angle.channels, 1);
    for (int i = 0; i < cells; i++) {
        double x = (double)f->direction.data[2 * i], y = (double)f->direction.data[2 * i + 1];
        double angle = (double)f->angle.data[i];
        assert_true(angle >= 0 && angle < 360);
        assert_true(length_at(f, i) <= 1 + 1e-6);
        if (x == 0 && y == 0)
            assert_true(f->angle.data[i] == 0);
        else
            assert_near(apart(angle, atan2(x, -y) / degree), 0, 1e-3);
    }
}

/* Of `terrain` times a number, in cells of 10 m. */
static struct flow flow_of_times(const char *factor, int width, int height, const char *inputs)
{
    char path[128], name[32], text[2048];
    static int number;
    snprintf(name, sizeof name, "terrain%d.pfm", number++);
    harness_store(&h, name, width, height, terrain, path);
    snprintf(text, sizeof text,
             HARNESS_DOCUMENT(
                 "extent=\"%d\" resolution=\"%d\"",
                 NODE("f", "import", IN("file", "%s") IN("size", "file"))
                     NODE("m", "combine", LINK("a", "f.terrain") IN("b", "%s") IN("method", "multiply"))
                         NODE("n", "flow_orientation", LINK("terrain", "m.field") "%s")),
             10 * width, width, path, factor, inputs);
    struct flow f = {harness_run(&h, text, "n", "direction"), harness_run(&h, text, "n", "angle")};
    check(&f, width * height);
    return f;
}

static struct flow flow_of(int width, int height, const char *inputs)
{
    return flow_of_times("1", width, height, inputs);
}

static void free_flow(struct flow *f)
{
    harness_free(&f->direction);
    harness_free(&f->angle);
}

/* Falls towards a bearing by `fall` metres a metre. */
static void fill_plane(double bearing, double fall)
{
    for (int i = 0; i < CELLS; i++)
        terrain[i] =
            (float)(-fall * 10 *
                    (sin(bearing * degree) * (i % WIDTH) - cos(bearing * degree) * (double)(i / WIDTH)));
}

/* Whether a cell lies away from the border, where a blurred terrain is level across it. */
static bool is_inner(int i, int margin)
{
    int x = i % WIDTH, y = i / WIDTH;
    return x >= margin && y >= margin && x < WIDTH - margin && y < HEIGHT - margin;
}

TEST(planes_run_down)
{
    need_device();
    for (int bearing = 0; bearing < 360; bearing += 15) {
        fill_plane(bearing, 0.4);
        struct flow sharp = flow_of(WIDTH, HEIGHT, EVERY_BUMP),
                    smooth = flow_of(WIDTH, HEIGHT, IN("radius", "40"));
        for (int i = 0; i < CELLS; i++) {
            assert_near(apart((double)sharp.angle.data[i], bearing), 0, 0.01);
            assert_near(length_at(&sharp, i), 1, 1e-6);
            assert_near(sharp.direction.data[2 * i], sin(bearing * degree), 2e-4);
            assert_near(sharp.direction.data[2 * i + 1], -cos(bearing * degree), 2e-4);
            if (is_inner(i, 12))
                assert_near(apart((double)smooth.angle.data[i], bearing), 0, 0.1);
        }
        free_flow(&sharp);
        free_flow(&smooth);
    }
}

TEST(cones_run_outward)
{
    need_device();
    for (int i = 0; i < CELLS; i++)
        terrain[i] = (float)(1000 - 5 * hypot(i % WIDTH - 20, (double)(i / WIDTH) - 16));
    struct flow f = flow_of(WIDTH, HEIGHT, EVERY_BUMP);
    for (int i = 0; i < CELLS; i++) {
        double x = i % WIDTH - 20, y = (double)(i / WIDTH) - 16;
        if (hypot(x, y) >= 2 && is_inner(i, 1))
            assert_near(apart((double)f.angle.data[i], atan2(x, -y) / degree), 0, 3);
    }
    free_flow(&f);
}

TEST(gentle_slopes_fade)
{
    need_device();
    static const double slopes[] = {0.01, 0.25, 0.5, 0.75, 1.01, 2};
    for (int k = 0; k < 6; k++) {
        fill_plane(120, tan(slopes[k] * degree));
        struct flow faded = flow_of(WIDTH, HEIGHT, EVERY_BUMP),
                    full = flow_of(WIDTH, HEIGHT, EVERY_BUMP IN("least_slope", "0"));
        double t = fmin(tan(slopes[k] * degree) / tan(degree), 1);
        for (int i = 0; i < CELLS; i++) {
            assert_near(length_at(&faded, i), t * t * (3 - 2 * t), 2e-3);
            assert_near(length_at(&full, i), 1, 1e-6);
            assert_near(apart((double)faded.angle.data[i], 120), 0, 0.5);
        }
        free_flow(&faded);
        free_flow(&full);
    }
}

/* The limit counts on the smoothed ground as well. */
TEST(smoothed_slopes_fade)
{
    need_device();
    fill_plane(120, tan(2 * degree));
    struct flow f = flow_of(WIDTH, HEIGHT, IN("radius", "40") IN("least_slope", "4"));
    double t = tan(2 * degree) / tan(4 * degree);
    for (int i = 0; i < CELLS; i++)
        if (is_inner(i, 12))
            assert_near(length_at(&f, i), t * t * (3 - 2 * t), 2e-3);
    free_flow(&f);
}

/* Steps far smaller than their own squares can be told from 0. */
TEST(faint_slopes_have_a_direction)
{
    need_device();
    fill_plane(250, 1e-25);
    struct flow f = flow_of(WIDTH, HEIGHT, EVERY_BUMP IN("least_slope", "0"));
    for (int i = 0; i < CELLS; i++)
        assert_near(apart((double)f.angle.data[i], 250), 0, 0.01);
    free_flow(&f);
}

TEST(level_ground_has_none)
{
    need_device();
    static const char *const inputs[] = {"", EVERY_BUMP, IN("least_slope", "0"),
                                         EVERY_BUMP IN("least_slope", "0"), IN("least_slope", "45")};
    static const int sizes[][2] = {{WIDTH, HEIGHT}, {1, 1}, {1, 7}, {9, 1}};
    for (int i = 0; i < CELLS; i++)
        terrain[i] = 1234.567f;
    for (int k = 0; k < 5; k++)
        for (int s = 0; s < 4; s++) {
            struct flow f = flow_of(sizes[s][0], sizes[s][1], inputs[k]);
            for (int i = 0; i < sizes[s][0] * sizes[s][1]; i++)
                assert_true(length_at(&f, i) == 0);
            free_flow(&f);
        }
}

static double farthest_off(const char *inputs, double bearing)
{
    struct flow f = flow_of(WIDTH, HEIGHT, inputs);
    double most = 0;
    for (int i = 0; i < CELLS; i++)
        if (is_inner(i, 12))
            most = fmax(most, apart((double)f.angle.data[i], bearing));
    free_flow(&f);
    return most;
}

/* Bumps of 20 m on a slope that falls 4 m a cell. */
TEST(the_radius_smooths_bumps_away)
{
    need_device();
    fill_plane(70, 0.4);
    for (int i = 0; i < CELLS; i++)
        terrain[i] += (float)(20 * site_random(3, i));
    assert_true(farthest_off(EVERY_BUMP, 70) > 90);
    assert_true(farthest_off(IN("radius", "5"), 70) > 60);
    assert_true(farthest_off(IN("radius", "80"), 70) < 8);
}

/* Heights so large that their differences are infinite, or no number, have no direction, and do no harm. */
TEST(nothing_comes_of_heights_beyond_numbers)
{
    need_device();
    static const char *const factors[] = {"3e29", "3e38"}; /* up to 3e38 m, and infinity */
    for (int i = 0; i < CELLS; i++)
        terrain[i] = site_random(6, i) < 0.5 ? -1e9f : 1e9f;
    for (int k = 0; k < 2; k++) {
        struct flow sharp = flow_of_times(factors[k], WIDTH, HEIGHT, EVERY_BUMP),
                    smooth = flow_of_times(factors[k], WIDTH, HEIGHT, IN("radius", "80"));
        for (int i = 0; i < CELLS; i++)
            assert_true(length_at(&sharp, i) == 0 && length_at(&smooth, i) <= 1);
        free_flow(&sharp);
        free_flow(&smooth);
    }
}

TEST_GROUP(open_harness, close_harness);
