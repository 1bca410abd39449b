/* The erosion nodes by hand: a step or two on grids so plain that each cell follows from the paper's
 * equations (Schott 2024). */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "tests/nodes/group.h"
#include "tests/nodes/site.h"
#include "tests/support/test.h"

#define TERRAIN LINK("terrain", "ground.terrain")
static const double cell = 20;

static double tangent(double degrees)
{
    return tan(degrees * acos(-1) / 180);
}

static void expect_near(const char *what, int i, float value, double expected, double tolerance)
{
    if (!(fabs((double)value - expected) <= tolerance))
        fail_msg("%s of cell %d: %.9g, not %.9g", what, i, (double)value, expected);
}

/* ---- Drainage (eq. 1 and 2) ---- */

static const double across = 0.42; /* what a slanting way counts beside a straight one of the same slope */

/* A summit gives to its eight neighbours in proportion to slope^p. It rains there alone. */
TEST(a_summit_drains_by_slope)
{
    need_device();
    static const double exponents[] = {1, 1.3, 4, 8};
    float *summit = site_scatter(3, 3, 700, 706, 2), *rain = site_uniform(3, 3, 0);
    summit[4] = 710;
    rain[4] = 1.7f;
    for (int n = 0; n < 4; n++) {
        struct site site = site_start(&h, 3, 3, cell);
        site_raster(&site, "ground", summit);
        site_raster(&site, "rain", rain);
        site_node(&site, "n", "drainage",
                  TERRAIN LINK("rain", "rain.terrain") IN("iterations", "1") IN("borders", "walls")
                      IN("flow_exponent", "%g"),
                  exponents[n]);
        float *area = site_take(&site, "n", "drainage");
        double ways[9], all = 0, own = 1.7 * cell * cell;
        for (int i = 0; i < 9; i++) {
            ways[i] = (i % 2 ? 1 : across) *
                      pow((double)(summit[4] - summit[i]) / (i % 2 ? 1 : sqrt(2)), exponents[n]);
            all += i == 4 ? 0 : ways[i];
        }
        for (int i = 0; i < 9; i++)
            expect_near("drainage", i, area[i], own * (i == 4 ? 1 : ways[i] / all), 1e-4 * own);
        oro_free(area);
    }
    oro_free(summit);
    oro_free(rain);
}

/* On a plane that falls to the south, each row hands on what it has; beyond open sides the ground goes on,
 * and takes a part. */
TEST(a_plane_drains_row_by_row)
{
    need_device();
    enum { WIDTH = 7, HEIGHT = 9, CELLS = WIDTH * HEIGHT };
    static const double exponents[] = {1, 1.3, 6};
    float *plane = site_uniform(WIDTH, HEIGHT, 0);
    for (int i = 0; i < CELLS; i++)
        plane[i] = (float)(500 - 3 * (i / WIDTH));
    for (int n = 0; n < 6; n++) {
        struct site site = site_start(&h, WIDTH, HEIGHT, cell);
        bool walls = n < 3;
        site_raster(&site, "ground", plane);
        site_node(&site, "n", "drainage",
                  TERRAIN IN("rain", "1.5") IN("iterations", "12") IN("borders", "%s")
                      IN("flow_exponent", "%g"),
                  walls ? "walls" : "outflow", exponents[n % 3]);
        float *area = site_take(&site, "n", "drainage");
        double expected[CELLS], aslant = across * pow(2, -exponents[n % 3] / 2), all = 1 + 2 * aslant;
        for (int i = 0; i < CELLS; i++) {
            expected[i] = 1.5 * cell * cell;
            for (int k = -1; k <= 1 && i >= WIDTH; k++) { /* from the row above; a wall gives it back */
                int x = i % WIDTH + k, from = i - WIDTH + (x < 0 || x >= WIDTH ? 0 : k);
                if (walls || x == from % WIDTH)
                    expected[i] += expected[from] * (k ? aslant : 1) / all;
            }
            expect_near("drainage", i, area[i], expected[i], 2e-4 * expected[i]);
        }
        oro_free(area);
    }
    oro_free(plane);
}

/* ---- Fluvial erosion (eq. 5) ---- */

/* A plane between walls that falls to the south by `slope`; its last row has nowhere to go. */
enum { WIDTH = 5, HEIGHT = 12, CELLS = WIDTH * HEIGHT };

static float *plane_of(double slope)
{
    float *plane = site_uniform(WIDTH, HEIGHT, 0);
    for (int i = 0; i < CELLS; i++)
        plane[i] = (float)(slope * cell * (HEIGHT - i / WIDTH));
    return plane;
}

/* What a drop loses where `carved` are due: r = carved / drop, r' = r (1 + 4 r) / (1 + 2 r), loss / drop = 1
 * - 2 / (1 + sqrt(1 + 4 r')). */
static double yielded(double carved, double drop)
{
    double ratio = carved / fmax(drop, 1e-30), more = ratio * (1 + 4 * ratio) / (1 + 2 * ratio);
    return drop * (1 - 2 / (1 + sqrt(1 + 4 * more)));
}

/* k (1 - hardness) mask min(s, s_max)^n min(a, a_max)^m reference cells, with areas in such cells, as far as
 * the drop yields them; a tenth of it stays. */
static void check_fluvial(double slope, double erodibility, double slope_limit, double area_limit)
{
    const double reference = 25, unit = reference * reference;
    float *plane = plane_of(slope), *hardness = site_scatter(WIDTH, HEIGHT, 0, 0.8, 1),
          *mask = site_scatter(WIDTH, HEIGHT, 0.3, 1, 3), *given = site_uniform(WIDTH, HEIGHT, 0);
    for (int i = 0; i < CELLS; i++)
        given[i] = 1000.0f * (float)(i / WIDTH + 1);
    struct site site = site_start(&h, WIDTH, HEIGHT, cell);
    site_raster(&site, "ground", plane);
    site_raster(&site, "hardness", hardness);
    site_raster(&site, "mask", mask);
    site_raster(&site, "given", given);
    site_node(&site, "n", "fluvial_erosion",
              TERRAIN LINK("hardness", "hardness.terrain") LINK("mask", "mask.terrain")
                  LINK("drainage", "given.terrain") IN("iterations", "1") IN("borders", "walls")
                      IN("slope_exponent", "1.8") IN("area_exponent", "0.7") IN("reference_cell", "25")
                          IN("erodibility", "%g") IN("slope_limit", "%g") IN("area_limit", "%g"),
              erodibility, slope_limit, area_limit);
    float *after = site_take(&site, "n", "terrain"), *area = site_take(&site, "n", "drainage");
    double deepest = slope * cell;
    for (int i = 0; i < CELLS; i++) {
        double water = cell * cell + (i >= WIDTH ? (double)given[i - WIDTH] : 0);
        double power = pow(fmin(slope, tangent(slope_limit)), 1.8) *
                       pow(fmin(water, area_limit * cell * cell) / unit, 0.7);
        double depth = erodibility * reference * (1 - (double)hardness[i]) * (double)mask[i] * power;
        double expected = i < CELLS - WIDTH ? fmin(yielded(depth, deepest), 0.9 * deepest) : 0;
        expect_near("depth", i, plane[i] - after[i], expected, 5e-4 * expected + 2e-5);
        if (i < CELLS - WIDTH)
            expect_near("drainage", i, area[i], water, 2e-4 * water);
    }
    float *rasters[] = {plane, hardness, mask, given, after, area};
    for (size_t i = 0; i < sizeof rasters / sizeof rasters[0]; i++)
        oro_free(rasters[i]);
}

TEST(fluvial_erosion_of_a_plane)
{
    need_device();
    check_fluvial(0.4, 0.1, 60, 10000);
    check_fluvial(0.4, 0.1, 10, 10000);
    check_fluvial(0.4, 0.1, 60, 9);
    check_fluvial(0.15, 30, 60, 10000);
}

/* Over an open border the ground goes on along the gentler of its last two slopes, at most 0.1. */
TEST(ground_goes_on_beyond_open_borders)
{
    need_device();
    static const struct {
        double last, second, beyond; /* slopes */
    } cases[] = {{0.05, 0.08, 0.05}, {0.08, 0.03, 0.03}, {0.3, 0.4, 0.1}, {0.2, -0.1, 0}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        float *ground = plane_of(0);
        for (int i = 0; i < CELLS; i++) {
            int from_edge = HEIGHT - 1 - i / WIDTH;
            double height = 100 + (from_edge > 0 ? cases[k].last : 0) + (from_edge > 1 ? cases[k].second : 0);
            ground[i] = (float)(100 + cell * (height - 100) + (from_edge > 2 ? from_edge - 2 : 0));
        }
        struct site site = site_start(&h, WIDTH, HEIGHT, cell);
        site_raster(&site, "ground", ground);
        site_node(&site, "n", "fluvial_erosion",
                  TERRAIN IN("iterations", "1") IN("slope_exponent", "1") IN("area_exponent", "0")
                      IN("reference_cell", "20") IN("erodibility", "0.01"));
        float *after = site_take(&site, "n", "terrain");
        int i = CELLS - WIDTH + WIDTH / 2;
        double drop = cell * cases[k].beyond;
        expect_near("depth", i, ground[i] - after[i], yielded(0.01 * drop, drop), 2e-5);
        oro_free(after);
        oro_free(ground);
    }
}

/* ---- Thermal erosion (4.3, made conservative) ---- */

/* A summit gives its neighbours a tenth of the rise beyond the stable one, at most `amount` per reference
 * cell. Angles of repose count by the mean of both, masks by the lesser. */
/* By which part the slope at a corner between the summit, cell 4 of 3 x 3, and three others is too steep: it
 * is 50 m over a cell, as two of four sides are. */
static double too_steep(int column, int row, const float *repose, const float *mask, double limit)
{
    double stable = 0, weakest = 1;
    for (int k = 0; k < 4; k++) {
        int i = 3 * (row + k / 2) + column + k % 2;
        stable += cell * tangent((double)repose[i]) / 4;
        weakest = fmin(weakest, (double)mask[i]);
    }
    return weakest * fmin(fmax(50 - stable, 0), limit) / 50;
}

/* What comes to a neighbour of the summit: a tenth of the drop by each corner beside a straight way, a
 * twentieth by the corner of a slanting one. */
static double slides_to(int i, const float *repose, const float *mask, double limit)
{
    double sum = 0;
    for (int k = 0; k < 4; k++) {
        int column = k % 2, row = k / 2, x = i % 3, y = i / 3;
        if (x >= column && x <= column + 1 && y >= row && y <= row + 1)
            sum += (i % 2 ? 0.1 : 0.05) * 50 * too_steep(column, row, repose, mask, limit);
    }
    return sum;
}

TEST(a_summit_slides)
{
    need_device();
    static const double amounts[] = {1, 0.002};
    float *summit = site_uniform(3, 3, 700), *repose = site_scatter(3, 3, 20, 50, 4),
          *mask = site_scatter(3, 3, 0.3, 1, 3);
    summit[4] = 750;
    for (int n = 0; n < 2; n++) {
        struct site site = site_start(&h, 3, 3, cell);
        site_raster(&site, "ground", summit);
        site_raster(&site, "repose", repose);
        site_raster(&site, "mask", mask);
        site_node(&site, "n", "thermal_erosion",
                  TERRAIN LINK("repose", "repose.terrain") LINK("mask", "mask.terrain") IN("iterations", "1")
                      IN("repose_variation", "0") IN("reference_cell", "25") IN("amount", "%g"),
                  amounts[n]);
        float *after = site_take(&site, "n", "terrain");
        double lost = 0;
        for (int i = 0; i < 9; i++) {
            double slid = i == 4 ? 0 : slides_to(i, repose, mask, 10 * amounts[n] * 25 * 25);
            lost += slid;
            if (i != 4)
                expect_near("gain", i, after[i] - summit[i], slid, 1e-4);
        }
        assert_true(lost > 3);
        expect_near("loss", 4, summit[4] - after[4], lost, 5e-4);
        oro_free(after);
    }
    oro_free(summit);
    oro_free(repose);
    oro_free(mask);
}

/* ---- Deposition (4.4, with a budget) ---- */

/* A valley between walls that falls to the south, ever more gently or evenly, where all flow goes from row to
 * row. The first step takes up sediment, the second hands it on, and a part settles. */
struct valley {
    double height[HEIGHT];
    double bend; /* by which the fall lessens from row to row, metres */
};

static struct valley valley_of(double fall, double bend)
{
    struct valley v = {.bend = bend};
    for (int y = HEIGHT - 2; y >= 0; y--)
        v.height[y] = v.height[y + 1] + fall + bend * (HEIGHT - 2 - y);
    return v;
}

struct settling {
    bool hollows;
    double creation, settling, capacity, least_slope, loose, mask;
};

/* Stream power with s^2 a^0.8, on a reference cell of 25 m. */
static double power_of(double slope, double area)
{
    return slope * slope * pow(area / 625, 0.8);
}

/* What settles in a row of which `t` metres of sediment are to go on. */
static double settled_in_row(const struct valley *v, const struct settling *s, int y, double t, double area)
{
    double fall = v->height[y] - v->height[y + 1], rise = v->height[y - 1] - v->height[y];
    double least = tangent(s->least_slope) * cell, power = power_of(fall / cell, area);
    if (s->hollows) { /* half way to the mean of the eight neighbours, and below the row above */
        double mean = 3.0 / 8 * (rise - fall);
        return fmin(s->settling * fmax(t - power * 625 / (cell * cell), 0),
                    0.5 * fmax(fmin(mean, rise - least), 0));
    }
    double unit = s->capacity * 25 / cell;                /* k_d phi: a depth */
    double graded = sqrt(t / (unit * power_of(1, area))); /* the slope at which all is carried */
    double room = fmin(graded * cell - fall, 0.5 * (rise - fall) + 0.01 * cell);
    room = fmin(room, rise - fmax(least, 0.001 * rise));
    return fmin(s->settling * fmax(t - unit * power, 0), fmax(room, 0));
}

static void check_deposition(const struct valley *v, const struct settling *s)
{
    float *ground = site_uniform(WIDTH, HEIGHT, 0), *given = site_uniform(WIDTH, HEIGHT, 20000);
    for (int i = 0; i < CELLS; i++)
        ground[i] = (float)v->height[i / WIDTH];
    struct site site = site_start(&h, WIDTH, HEIGHT, cell);
    site_raster(&site, "ground", ground);
    site_raster(&site, "given", given);
    site_node(&site, "n", "deposition",
              TERRAIN LINK("drainage", "given.terrain") IN("iterations", "2") IN("borders", "walls")
                  IN("slope_exponent", "2") IN("area_exponent", "0.8") IN("slope_limit", "80")
                      IN("area_limit", "10000") IN("reference_cell", "25") IN("method", "%s")
                          IN("creation", "%g") IN("settling", "%g") IN("capacity", "%g")
                              IN("least_slope", "%g") IN("sediment", "%g") IN("mask", "%g"),
              s->hollows ? "hollows" : "plains", s->creation, s->settling, s->capacity, s->least_slope,
              s->loose, s->mask);
    float *after = site_take(&site, "n", "terrain");
    double most = 0;
    for (int y = 2; y < HEIGHT - 1; y++) {
        double area = 400 + 400 + 20000, fall_above = v->height[y - 1] - v->height[y];
        double power = power_of(fall_above / cell, 400 + 20000);
        double taken =
            s->mask * fmin(s->creation * power * (s->hollows ? 625 / (cell * cell) : cell / 25), s->loose);
        double expected = s->mask * settled_in_row(v, s, y, taken, area);
        most = fmax(most, expected);
        for (int x = 0; x < WIDTH; x++)
            expect_near("depth", WIDTH * y + x, after[WIDTH * y + x] - ground[WIDTH * y + x], expected,
                        1e-3 * expected + 3e-5);
    }
    assert_true(most > 0.01);
    oro_free(ground);
    oro_free(given);
    oro_free(after);
}

TEST(deposition_row_by_row)
{
    need_device();
    const struct valley even = valley_of(4, 0), easing = valley_of(2, 0.4);
    static const struct settling cases[] = {
        {false, 1, 0.5, 0.02, 0.5, 8, 0.5}, /* a share of what is too much */
        {false, 10, 1, 0.02, 0.5, 8, 1},    /* until the fall grows by 0.02 */
        {false, 10, 1, 4.85, 0.5, 4.1, 1},  /* until it is so steep that all is carried */
        {false, 10, 1, 0.02, 11, 8, 1},     /* not above the row above */
        {true, 10, 0.03, 1, 0.5, 3, 0.5},   /* a share, in hollows */
        {true, 10, 1, 1, 0.5, 3, 1},        /* half way to the mean */
        {true, 10, 1, 1, 6.5, 3, 1},        /* not above the row above */
    };
    for (int i = 0; i < 7; i++) {
        if (i < 4)
            check_deposition(&even, &cases[i]);
        check_deposition(&easing, &cases[i]);
    }
}

/* In a pit all settles that comes, until it overflows by the least slope. */
TEST(a_pit_takes_all)
{
    need_device();
    static const double loose[] = {0.4, 50};
    float *pit = site_uniform(3, 3, 700);
    pit[4] = 693;
    for (int n = 0; n < 4; n++) {
        struct site site = site_start(&h, 3, 3, cell);
        site_raster(&site, "ground", pit);
        site_node(&site, "n", "deposition",
                  TERRAIN IN("sediment", "%g") IN("iterations", "2") IN("borders", "walls")
                      IN("least_slope", "2") IN("slope_exponent", "0") IN("creation", "10")
                          IN("method", "%s"),
                  loose[n % 2], n / 2 ? "hollows" : "plains");
        float *after = site_take(&site, "n", "terrain");
        expect_near("depth", 4, after[4] - pit[4], fmin(8 * loose[n % 2], 7 + tangent(2) * cell), 1e-3);
        oro_free(after);
    }
    oro_free(pit);
}

/* ---- Upsampling (4.1) ---- */

/* One sample of 1000 m among zeros becomes the product of the kernels' values, at a half or a third of a cell
 * from it. */
TEST(a_sample_becomes_its_kernel)
{
    need_device();
    static const struct {
        const char *method;
        int factor;
        double at[8]; /* at 1/4, 3/4, 5/4, 7/4; at 0, 1/3, 2/3, ... */
    } cases[] = {
        {"catmull_rom", 2, {0.8671875, 0.2265625, -0.0703125, -0.0234375}},
        {"b_spline", 2, {3.671875 / 6, 1.890625 / 6, 0.421875 / 6, 0.015625 / 6}},
        {"bilinear", 2, {0.75, 0.25}},
        {"catmull_rom", 3, {1, 7.0 / 9, 3.0 / 9, 0, -2.0 / 27, -1.0 / 27}},
        {"b_spline", 3, {4.0 / 6, 31.0 / 54, 20.0 / 54, 1.0 / 6, 8.0 / 162, 1.0 / 162}},
        {"bilinear", 3, {1, 2.0 / 3, 1.0 / 3}},
    };
    enum { SIDE = 9 };
    float *sample = site_uniform(SIDE, SIDE, 0);
    sample[SIDE * 4 + 4] = 1000;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        int factor = cases[k].factor, side = factor * SIDE;
        struct site site = site_start(&h, SIDE, SIDE, cell);
        site_raster(&site, "ground", sample);
        site_node(&site, "n", "upsample", TERRAIN IN("factor", "%d") IN("method", "%s"), factor,
                  cases[k].method);
        float *fine = site_take(&site, "n", "terrain");
        for (int i = 0; i < side * side; i++) {
            int twice_x = abs(2 * (i % side) + 1 - side), twice_y = abs(2 * (i / side) + 1 - side);
            double x = twice_x / 2 < 8 ? cases[k].at[twice_x / 2] : 0,
                   y = twice_y / 2 < 8 ? cases[k].at[twice_y / 2] : 0;
            expect_near(cases[k].method, i, fine[i], 1000 * x * y, 2e-3);
        }
        oro_free(fine);
    }
    oro_free(sample);
}

/* A plane stays one, up to the border and beyond the middles of its last cells. */
TEST(a_plane_is_upsampled_to_itself)
{
    need_device();
    static const char *const methods[] = {"catmull_rom", "b_spline", "bilinear"};
    static const int sizes[][2] = {{40, 37}, {1, 50}, {50, 1}, {2, 2}, {3, 3}, {1, 1}};
    for (int k = 0; k < 18; k++) {
        int width = sizes[k / 3][0], height = sizes[k / 3][1], factor = 2 + k % 4;
        float *plane = site_uniform(width, height, 0);
        for (int i = 0; i < width * height; i++)
            plane[i] = (float)(300 + 4 * (width > 1 ? i % width : 0) - 1.5 * (height > 1 ? i / width : 0));
        struct site site = site_start(&h, width, height, cell);
        site_raster(&site, "ground", plane);
        site_node(&site, "n", "upsample", TERRAIN IN("factor", "%d") IN("method", "%s"), factor,
                  methods[k % 3]);
        float *fine = site_take(&site, "n", "terrain");
        for (int i = 0; i < factor * width * factor * height; i++) {
            double x = (i % (factor * width) + 0.5) / factor - 0.5,
                   y = (i / (factor * width) + 0.5) / factor - 0.5;
            double expected = 300 + (width > 1 ? 4 * x : 0) - (height > 1 ? 1.5 * y : 0);
            expect_near(methods[k % 3], i, fine[i], expected, 5e-4);
        }
        oro_free(fine);
        oro_free(plane);
    }
}

TEST_GROUP(open_harness, close_harness);
