/* curvature: exact on quadratic surfaces, as the definitions say, and the same at every resolution. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "tests/nodes/group.h"
#include "tests/nodes/site.h"
#include "tests/support/test.h"

enum { MEAN, PROFILE, PLAN, FIELD, OUTPUTS };
static const char *const names[OUTPUTS] = {"mean", "profile", "plan", "field"};

/* An output of the node. `inputs` is XML. */
static float *curvature(const float *terrain, int width, int height, double cell, const char *inputs,
                        const char *output)
{
    struct site site = site_start(&h, width, height, cell);
    site_raster(&site, "f", terrain);
    site_node(&site, "n", "curvature", LINK("terrain", "f.terrain") "%s", inputs);
    return site_take(&site, "n", output);
}

/* a x^2 + b x y + c y^2 + d x + e y, from the middle of the raster. */
struct surface {
    double a, b, c, d, e;
};

static float *sampled(const struct surface *s, int width, int height, double cell)
{
    float *terrain = site_uniform(width, height, 0);
    for (int i = 0; i < width * height; i++) {
        double x = (i % width + 0.5 - 0.5 * width) * cell, y = (i / width + 0.5 - 0.5 * height) * cell;
        terrain[i] = (float)(500 + s->a * x * x + s->b * x * y + s->c * y * y + s->d * x + s->e * y);
    }
    return terrain;
}

/* Curvatures by the definitions in the node's shader, in double. */
static double expected(const struct surface *s, double x, double y, int which)
{
    double p = 2 * s->a * x + s->b * y + s->d, q = 2 * s->c * y + s->b * x + s->e;
    double r = 2 * s->a, m = s->b, t = 2 * s->c, square = p * p + q * q, steep = 1 + square;
    if (which == MEAN)
        return -((1 + q * q) * r - 2 * p * q * m + (1 + p * p) * t) / (2 * pow(steep, 1.5));
    if (square < 1e-12)
        return 0;
    return which == PROFILE ? -(p * p * r + 2 * p * q * m + q * q * t) / (square * pow(steep, 1.5))
                            : -(q * q * r - 2 * p * q * m + p * p * t) / pow(square, 1.5);
}

static void check_surface(const struct surface *s, int width, int height, const char *radius)
{
    float *terrain = sampled(s, width, height, 10);
    char inputs[64];
    snprintf(inputs, sizeof inputs, IN("radius", "%s"), radius);
    for (int which = MEAN; which <= PLAN; which++) {
        float *given = curvature(terrain, width, height, 10, inputs, names[which]);
        for (int i = 0; i < width * height; i++) {
            double x = (i % width + 0.5 - 0.5 * width) * 10, y = (i / width + 0.5 - 0.5 * height) * 10;
            double want = expected(s, x, y, which);
            assert_near(given[i], want, 2e-5 + 1e-3 * fabs(want));
        }
        oro_free(given);
    }
    oro_free(terrain);
}

/* Also at the border, in corners, and where the window is wider than the raster. */
TEST(quadratic_surfaces_are_exact)
{
    need_device();
    static const struct surface surfaces[] = {{0, 0, 0, 0.4, -0.3},
                                              {-0.002, 0, 0, 0, 0.5},
                                              {0.001, 0.0015, -0.0005, 0.7, 0.4},
                                              {-0.001, -0.0005, -0.002, 1.5, 1.2}};
    static const char *const radii[] = {"0", "27", "100", "1000", "1000000"};
    static const int sizes[][2] = {{33, 20}, {3, 9}, {4, 3}};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 5; k++)
            for (int n = 0; n < 3; n++)
                check_surface(&surfaces[i], sizes[n][0], sizes[n][1], radii[k]);
}

/* A window of 67 and of 201 cells is sampled at some of them. */
TEST(wide_windows_are_exact)
{
    need_device();
    static const struct surface gentle = {0.00004, 0.00003, -0.00006, 0.1, 0.2};
    check_surface(&gentle, 150, 97, "335");
    check_surface(&gentle, 150, 97, "1005");
}

/* A ball of 1000 m: all that is cut upright through its middle is a circle of that size, and contours are
 * circles around the top. This knows nothing of the formulas. */
TEST(a_ball_is_round)
{
    need_device();
    enum { SIDE = 121 };
    float *terrain = site_uniform(SIDE, SIDE, 0);
    for (int i = 0; i < SIDE * SIDE; i++)
        terrain[i] = (float)sqrt(fmax(1e6 - pow(10 * hypot(i % SIDE - 60, i / SIDE - 60), 2), 0));
    for (int which = MEAN; which <= PLAN; which++) {
        float *given = curvature(terrain, SIDE, SIDE, 10, IN("radius", "30"), names[which]);
        for (int i = 0; i < SIDE * SIDE; i++) {
            double away = 10 * hypot(i % SIDE - 60, i / SIDE - 60);
            if (away > 500 || away < 100)
                continue;
            double want = which == PLAN ? 1 / away : 0.001;
            assert_near(given[i] / want, 1, 0.02);
        }
        oro_free(given);
    }
    oro_free(terrain);
}

TEST(lines_of_cells_bend_along)
{
    need_device();
    static const struct surface bent = {-0.001, 0, 0.002, 0.3, 0.2};
    for (int upright = 0; upright < 2; upright++) {
        int width = upright ? 1 : 9, height = upright ? 9 : 1;
        float *terrain = sampled(&bent, width, height, 10);
        struct surface alone =
            upright ? (struct surface){0, 0, bent.c, 0, bent.e} : (struct surface){bent.a, 0, 0, bent.d, 0};
        for (int which = MEAN; which <= PLAN; which++) {
            float *given = curvature(terrain, width, height, 10, "", names[which]);
            for (int i = 0; i < 9; i++) {
                double x = upright ? 0 : (i - 4) * 10, y = upright ? (i - 4) * 10 : 0;
                assert_near(given[i], expected(&alone, x, y, which), 2e-5);
            }
            oro_free(given);
        }
        oro_free(terrain);
    }
}

/* Level ground is level to the bit, and a slope nearly. */
TEST(even_ground_is_in_the_middle)
{
    need_device();
    float *level = site_uniform(40, 30, 1234.567);
    for (int which = MEAN; which < OUTPUTS; which++) {
        float *given = curvature(level, 40, 30, 10, "", names[which]);
        for (int i = 0; i < 40 * 30; i++)
            assert_true(given[i] == (which == FIELD ? 0.5f : 0));
        oro_free(given);
    }
    oro_free(level);
}

/* x / sqrt(1 + x^2) of contrast * mean * radius; the contrast may be a map. */
TEST(the_field_follows_the_mean)
{
    need_device();
    float *terrain = site_rough(50, 40, 9, 200, 0, 4);
    float *mean = curvature(terrain, 50, 40, 10, IN("radius", "80"), "mean");
    float *field = curvature(terrain, 50, 40, 10, IN("radius", "80") IN("contrast", "2"), "field");
    double ends[2] = {1, 0};
    for (int i = 0; i < 50 * 40; i++) {
        double x = 2 * (double)mean[i] * 80;
        assert_near(field[i], 0.5 + 0.5 * x / sqrt(1 + x * x), 1e-5);
        ends[0] = fmin(ends[0], (double)field[i]);
        ends[1] = fmax(ends[1], (double)field[i]);
    }
    assert_true(ends[0] < 0.4 && ends[1] > 0.6);
    oro_free(terrain);
    oro_free(mean);
    oro_free(field);
}

static double hills(double x, double y)
{
    return 80 * sin(x / 170) * cos(y / 210) + 30 * sin((x + 2 * y) / 130);
}

/* Cells three times larger, of which the middle one of nine is at the same place. Within the fine raster's
 * details, which the radius does not see. */
TEST(resolutions_agree)
{
    need_device();
    enum { SIDE = 60 };
    float *fine = site_uniform(3 * SIDE, 3 * SIDE, 0), *coarse = site_uniform(SIDE, SIDE, 0);
    for (int i = 0; i < 9 * SIDE * SIDE; i++)
        fine[i] = (float)(hills(i % (3 * SIDE) * 10 + 5, i / (3 * SIDE) * 10 + 5) + 0.3 * site_random(8, i));
    for (int i = 0; i < SIDE * SIDE; i++)
        coarse[i] = (float)hills(i % SIDE * 30 + 15, i / SIDE * 30 + 15);
    for (int which = 0; which < OUTPUTS; which++) {
        if (which == PLAN)
            continue; /* has no bounds */
        float *a = curvature(fine, 3 * SIDE, 3 * SIDE, 10, IN("radius", "150"), names[which]);
        float *b = curvature(coarse, SIDE, SIDE, 30, IN("radius", "150"), names[which]);
        double most = 0, square = 0, difference = 0, middle = which == FIELD ? 0.5 : 0;
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++) {
                double apart = (double)a[3 * SIDE * (3 * y + 1) + 3 * x + 1] - (double)b[SIDE * y + x];
                most = fmax(most, fabs((double)b[SIDE * y + x] - middle));
                square += pow((double)b[SIDE * y + x] - middle, 2);
                difference += apart * apart;
            }
        assert_true(most > 1e-3);
        assert_true(sqrt(difference / square) < 0.03);
        oro_free(a);
        oro_free(b);
    }
    oro_free(fine);
    oro_free(coarse);
}

TEST_GROUP(open_harness, close_harness);
