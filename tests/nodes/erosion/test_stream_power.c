/* Mountain ranges in balance: checks the balance by the equation itself, the effect of every input, odd sizes
 * and wrong input. Stored states are tested in tests/engine, constraints in test_stream_power_constraints.c.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "terrain/drainage/routing.h"
#include "terrain/hydrology/metrics.h"
#include "tests/nodes/group.h"
#include "tests/nodes/site.h"
#include "tests/support/test.h"

enum { SIDE = 96, CELL = 200 };
static const double rise = 0.0005, tolerance = 0.001; /* the node's defaults */

#define IMPLICIT IN("method", "implicit")
#define EXPLICIT IN("method", "explicit")
#define LINEAR IN("n", "1") IN("m", "0.5")

static struct site level_site(int width, int height, double cell)
{
    struct site site = site_start(&h, width, height, cell);
    float *level = site_uniform(width, height, 0);
    site_raster(&site, "start", level);
    oro_free(level);
    return site;
}

/* The node over a raster that is in the site already. */
static float *take_from(const struct site *site, const char *terrain, const char *inputs, const char *output)
{
    struct site whole = *site;
    site_node(&whole, "range", "stream_power", "<in name=\"terrain\" from=\"%s\"/>%s", terrain, inputs);
    return site_take(&whole, "range", output);
}

static float *take(const struct site *site, const char *inputs, const char *output)
{
    return take_from(site, "start.terrain", inputs, output);
}

static double mean(const float *data, int cells)
{
    return site_sum(data, cells) / cells;
}

static struct oro_metrics metrics_of(const struct site *site, const float *z, double theta)
{
    struct oro_ground ground = {.width = site->width, .height = site->height, .z = z};
    struct oro_metrics_options options = {.cell = site->cell, .theta = theta};
    struct oro_metrics metrics;
    struct oro_error err;
    if (!oro_metrics(&ground, &options, &metrics, &err))
        fail_msg("%s", err.text);
    return metrics;
}

/* The drainage tree and areas of what the node gave. Free both. */
static struct oro_routing drain(const struct site *site, const float *z, const float *rain, float **area)
{
    struct oro_ground ground = {.width = site->width, .height = site->height, .z = z};
    struct oro_routing routing;
    *area = site_uniform(site->width, site->height, 0);
    assert_true(oro_route(&ground, &routing, NULL));
    assert_true(oro_drainage_area(&routing, site->cell, rain, *area, NULL));
    return routing;
}

/* ---- The equation: u - k a^m s^n + k_h div(grad h / (1 - (s / s_c)^2)) (Schott 2023, eq. 1; Roering 1999)
 * ----
 */

static const double head = 30000; /* of a channel, by default */

struct equation {
    double n, m, hillslope;
    const float *uplift, *rain; /* NULL: `rise`, and 1 */
};

static int held(int value, int count)
{
    return value < 0 ? 0 : value >= count ? count - 1 : value;
}

/* What flows in from other cells. */
static double inflow(const struct site *site, double area, double rain)
{
    return fmax(area - site->cell * site->cell * rain, 0);
}

/* The area that carves: the geometric mean of what flows in and what flows out, each with a channel head's.
 */
static double channel_area(const struct site *site, double area, double rain)
{
    return sqrt((inflow(site, area, rain) + head * rain) * (area + head * rain));
}

/* With equal weights for all eight neighbours; beyond the border the ground goes on level. Rivers carry off
 * soil that gathers: a share of it stays. */
static double creep_at(const struct site *site, const float *z, int i, const struct equation *e, double came)
{
    double sum = 0, steepest = tan(80 * 3.14159265358979323846 / 180);
    for (int k = 0; k < 9; k++) {
        int dx = k % 3 - 1, dy = k / 3 - 1;
        double drop = (double)z[held(i / site->width + dy, site->height) * site->width +
                                held(i % site->width + dx, site->width)] -
                      (double)z[i];
        double share = k == 4 ? 0 : fmin(fabs(drop) / (site->cell * hypot(dx, dy)) / steepest, 0.9);
        sum += drop / (1 - share * share);
    }
    double length = 0.15 * pow(e->hillslope / (0.002 * pow(1e-6, e->m)), 1 / (2 * e->m + 1));
    double kept = sum > 0 ? length / (length + came / site->cell) : 1;
    return kept * e->hillslope * sum / (3 * site->cell * site->cell);
}

/* Its mean over all cells, of which outlets are held, as a share of the mean uplift. */
static double change_of(const struct site *site, const float *z, const struct equation *e)
{
    float *area;
    struct oro_routing routing = drain(site, z, e->rain, &area);
    double sum = 0, uplifts = 0;
    for (int i = 0; i < site->width * site->height; i++) {
        int to = (int)routing.receiver[i], width = site->width;
        double uplift = e->uplift ? (double)e->uplift[i] : rise;
        uplifts += uplift;
        if (to == i)
            continue;
        double away = site->cell * hypot(to % width - i % width, to / width - i / width);
        double slope = fmax((double)z[i] - (double)z[to], 0) / away;
        double rain = e->rain ? (double)e->rain[i] : 1, a = channel_area(site, (double)area[i], rain);
        double creep = e->hillslope > 0 ? creep_at(site, z, i, e, inflow(site, (double)area[i], rain)) : 0;
        sum += fabs(uplift - 0.002 * pow(a * 1e-6, e->m) * pow(slope, e->n) + creep);
    }
    oro_routing_free(&routing);
    oro_free(area);
    return sum / uplifts;
}

/* ---- Uniform uplift ---- */

static void expect_rivers(const struct site *site, const float *z, double n, double m)
{
    struct oro_metrics metrics = metrics_of(site, z, m / n);
    assert_int_equal(metrics.certificate.pits, 0);
    assert_true(metrics.hack.factor >= 1 && metrics.hack.factor <= 6);
    assert_true(metrics.hack.exponent >= 0.45 && metrics.hack.exponent <= 0.7);
    assert_near(-metrics.slope_area.exponent, m / n, 0.05 * m / n);
    if (n <= 1)
        assert_true(metrics.chi_r2 >= 0.99);
}

static double balance(const char *inputs, bool exact, double n, double m)
{
    struct site site = level_site(SIDE, SIDE, CELL);
    float *z = take(&site, inputs, "terrain");
    double told = harness_figure(&h, "range/level0", "change"), average = mean(z, SIDE * SIDE);
    assert_true(told < tolerance);
    expect_rivers(&site, z, n, m);
    if (exact) {
        const struct equation equation = {.n = n, .m = m};
        assert_near(change_of(&site, z, &equation), told, 0.02 * tolerance);
    }
    oro_free(z);
    return average;
}

/* Both are in balance, with other rivers: implicit steps begin with the ways over level ground, which wind.
 */
TEST(uniform_uplift_with_n_1)
{
    need_device();
    double one = balance(IMPLICIT LINEAR, true, 1, 0.5), other = balance(EXPLICIT LINEAR, false, 1, 0.5);
    assert_near(one, other, 0.08 * one);
}

TEST(uniform_uplift_with_n_2)
{
    need_device();
    double one = balance(IMPLICIT, true, 2, 0.8), other = balance(EXPLICIT, false, 2, 0.8);
    assert_near(one, other, 0.08 * one);
}

/* Creep and rain in the equation as well; and what is between, n = 0.5. */
TEST(the_equation_with_all_its_terms)
{
    need_device();
    struct site site = level_site(64, 64, CELL);
    float *rain = site_rough(64, 64, 16, 2, 0.2, 3), *uplift = site_rough(64, 64, 24, 0.001, 0.0002, 4);
    site_raster(&site, "rain", rain);
    site_raster(&site, "uplift", uplift);
    static const char *const inputs[] = {IN("hillslope", "0.5") LINEAR, IN("hillslope", "0.5"),
                                         IN("n", "0.5") IN("m", "0.25")};
    static const double n[] = {1, 2, 0.5}, m[] = {0.5, 0.8, 0.25}, creep[] = {0.5, 0.5, 0};
    for (int i = 0; i < 3; i++) {
        char text[512];
        snprintf(text, sizeof text, "%s%s", inputs[i],
                 LINK("rain", "rain.terrain") LINK("uplift", "uplift.terrain"));
        float *z = take(&site, text, "terrain");
        const struct equation equation = {n[i], m[i], creep[i], uplift, rain};
        double change = change_of(&site, z, &equation), told = harness_figure(&h, "range/level0", "change");
        /* Where soil creeps, rivers on it keep shifting a little. */
        if (!(fabs(change - told) < 0.05 * tolerance && told < (creep[i] > 0 ? 20 : 1) * tolerance))
            fail_msg("n %g: the change is %g of the uplift, not %g", n[i], change, told);
        oro_free(z);
    }
    oro_free(rain);
    oro_free(uplift);
}

/* ---- Resolution ---- */

struct range {
    double mean, summit;
};

/* A range across a world 24 km wide, `side` cells a side. */
static struct range range_of(int side, double most, const char *inputs)
{
    const double extent = 24000;
    struct site site = level_site(side, side, extent / side);
    float *uplift = site_uniform(side, side, 0);
    char text[256];
    snprintf(text, sizeof text, "%s%s", inputs, LINK("uplift", "uplift.terrain"));
    for (int i = 0; i < side * side; i++) {
        double x = (i % side + 0.5) / side - 0.5, y = (i / side + 0.5) / side - 0.5, away = (x + 2 * y) / 0.7;
        uplift[i] = (float)(most * exp(-8 * away * away) * fmax(1 - 4 * (x * x + y * y), 0));
    }
    site_raster(&site, "uplift", uplift);
    float *z = take(&site, text, "terrain");
    struct range range = {.mean = mean(z, side * side)};
    for (int i = 0; i < side * side; i++)
        range.summit = fmax(range.summit, (double)z[i]);
    oro_free(uplift);
    oro_free(z);
    return range;
}

/* docs/time.md has the same up to 1024 cells, and the bounds. */
TEST(resolutions_show_the_same_range)
{
    need_device();
    static const char *const creep[] = {"", IN("hillslope", "0.05")};
    static const double rises[] = {0.0002, 0.001, 0.004};
    for (int i = 0; i < 6; i++) {
        struct range fine = range_of(256, rises[i / 2], creep[i % 2]);
        for (int side = 64; side < 256; side *= 2) {
            struct range range = range_of(side, rises[i / 2], creep[i % 2]);
            double mean_off = range.mean / fine.mean - 1, summit_off = range.summit / fine.summit - 1;
            if (fabs(mean_off) > 0.03 || fabs(summit_off) > 0.07)
                fail_msg("%d cells, uplift %g%s: the mean is off by %.1f %%, the summit by %.1f %%", side,
                         rises[i / 2], creep[i % 2], 100 * mean_off, 100 * summit_off);
        }
    }
}

/* ---- The other outputs ---- */

TEST(outputs_are_those_of_the_terrain)
{
    need_device();
    struct site site = level_site(61, 45, 90);
    static const char *const inputs[] = {IN("iterations", "7") IN("levels", "0"),
                                         IN("iterations", "90") IN("levels", "0") EXPLICIT, ""};
    for (int i = 0; i < 3; i++) { /* long before balance, with pits on the way; in balance */
        float *z = take(&site, inputs[i], "terrain"), *area = take(&site, inputs[i], "drainage"),
              *slope = take(&site, inputs[i], "slope"), *expected;
        struct oro_routing routing = drain(&site, z, NULL, &expected);
        assert_int_equal(routing.pits, 0);
        for (int k = 0; k < 61 * 45; k++) {
            size_t to = routing.receiver[k];
            int d = abs((int)to - k), straight = d == 1 || d == 61;
            double s = ((double)z[k] - (double)z[to]) / (90 * (straight ? 1 : sqrt(2)));
            if (to == (size_t)k)
                assert_near(slope[k], 0, 0);
            else if (i == 2)
                assert_near(slope[k], s, 1e-4 * s + 1e-7);
            else /* the drainage tree is that of before the carving */
                assert_true(slope[k] > 0 && (double)slope[k] < s * 1.0001);
        }
        if (i == 2)
            assert_memory_equal(area, expected, 61 * 45 * sizeof *area);
        oro_routing_free(&routing);
        oro_free(expected);
        oro_free(z);
        oro_free(area);
        oro_free(slope);
    }
}

/* ---- Kernels and the processor's own code ---- */

TEST(kernels_agree)
{
    need_device();
    struct site site = site_start(&h, 64, 64, CELL);
    float *rough = site_rough(64, 64, 16, 400, 0, 5);
    site_raster(&site, "start", rough);
    static const char *const inputs[] = {IMPLICIT LINEAR, IMPLICIT, EXPLICIT LINEAR};
    for (int i = 0; i < 3; i++) {
        float *one = take(&site, inputs[i], "terrain");
        h.kernels_only = true;
        float *other = take(&site, inputs[i], "terrain");
        h.kernels_only = false;
        double average = mean(one, 64 * 64);
        int near = 0;
        for (int k = 0; k < 64 * 64; k++)
            near += fabs((double)one[k] - (double)other[k]) <= 0.005 * average;
        assert_near(average, mean(other, 64 * 64), 0.005 * average);
        assert_true(near > 64 * 64 * 9 / 10);
        oro_free(one);
        oro_free(other);
    }
    oro_free(rough);
}

TEST(repeats_have_the_same_bits)
{
    need_device();
    static const char *const inputs[] = {IMPLICIT, EXPLICIT IN("iterations", "300")};
    struct site site = level_site(70, 50, CELL);
    for (int i = 0; i < 4; i++) {
        float *taken[2];
        for (int k = 0; k < 2; k++) {
            h.kernels_only = i >= 2;
            struct oro_cache *cache = h.cache;
            h.cache = NULL; /* or the second would come from there */
            taken[k] = take(&site, inputs[i % 2], "terrain");
            h.cache = cache;
        }
        h.kernels_only = false;
        assert_memory_equal(taken[0], taken[1], 70 * 50 * sizeof(float));
        oro_free(taken[0]);
        oro_free(taken[1]);
    }
}

/* ---- Levels and sizes ---- */

static void expect_sane(int width, int height, const char *inputs)
{
    struct site site = level_site(width, height, CELL);
    float *z = take(&site, inputs, "terrain");
    assert_int_equal(site_pits(z, width, height), 0);
    for (int i = 0; i < width * height; i++)
        assert_true(z[i] >= 0 && z[i] < 1e5f);
    if (width > 2 && height > 2)
        assert_true(mean(z, width * height) > 1);
    oro_free(z);
}

TEST(every_size_and_number_of_levels)
{
    need_device();
    static const int sizes[][2] = {{97, 61}, {130, 66}, {1, 1}, {1, 50}, {50, 1}, {2, 2}, {3, 3}, {31, 32}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        expect_sane(sizes[i][0], sizes[i][1], "");
        expect_sane(sizes[i][0], sizes[i][1], EXPLICIT IN("iterations", "200"));
    }
    expect_sane(97, 61, IN("levels", "0"));
    expect_sane(97, 61, IN("levels", "12"));
    h.kernels_only = true;
    for (size_t i = 2; i < sizeof sizes / sizeof sizes[0]; i++)
        expect_sane(sizes[i][0], sizes[i][1], "");
    h.kernels_only = false;
}

/* Balance remembers little of the levels before. */
TEST(levels_end_at_the_same_height)
{
    need_device();
    struct site site = level_site(96, 96, CELL);
    float *one = take(&site, LINEAR, "terrain"), *other = take(&site, LINEAR IN("levels", "0"), "terrain");
    assert_near(mean(one, 96 * 96), mean(other, 96 * 96), 0.06 * mean(one, 96 * 96));
    oro_free(one);
    oro_free(other);
}

TEST(without_a_terrain_it_has_the_worlds_size)
{
    need_device();
    static const char text[] = HARNESS_DOCUMENT("extent=\"9600\" resolution=\"96\" aspect=\"0.5\" seed=\"3\"",
                                                "<node id=\"range\" type=\"stream_power\" x=\"0\" y=\"0\"/>");
    struct harness_raster raster = harness_run(&h, text, "range", "terrain");
    assert_int_equal(raster.grid.width, 96);
    assert_int_equal(raster.grid.height, 48);
    assert_near(raster.grid.cell, 100, 0);
    assert_true(mean(raster.data, 96 * 48) > 10);
    harness_free(&raster);
}

static void expect_passed_through(const char *inputs)
{
    struct site site = site_start(&h, 66, 40, CELL);
    float *rough = site_rough(66, 40, 16, 400, 30, 5); /* has pits, and no base level of 0 */
    site_raster(&site, "start", rough);
    float *z = take(&site, inputs, "terrain");
    assert_memory_equal(z, rough, 66 * 40 * sizeof *z);
    oro_free(z);
    z = take(&site, inputs, "drainage");
    for (int i = 0; i < 66 * 40; i++)
        assert_true(z[i] >= CELL * CELL);
    oro_free(z);
    z = take(&site, inputs, "slope");
    oro_free(z);
    static const char *const zeros[] = {"correction", "sediment", "sediment_flux", "water"};
    for (int k = 0; k < 4; k++) {
        z = take(&site, inputs, zeros[k]);
        for (int i = 0; i < 66 * 40; i++)
            assert_near(z[i], 0, 0);
        oro_free(z);
    }
    oro_free(rough);
}

TEST(no_iterations_leave_the_terrain_as_it_is)
{
    need_device();
    expect_passed_through(IN("iterations", "0"));
    expect_passed_through(EXPLICIT IN("iterations", "0"));
    expect_passed_through(IN("iterations", "0") IN("deposition", "1"));
    h.kernels_only = true;
    expect_passed_through(IN("iterations", "0"));
    h.kernels_only = false;
}

/* A preview whose terrain did not get its resolution. */
TEST(a_capped_terrain_passes_through)
{
    need_device();
    static const char text[] = HARNESS_DOCUMENT(
        "extent=\"4000\" resolution=\"40\"",
        "<node id=\"noise\" type=\"noise\" x=\"0\" y=\"0\"/>"
        "<node id=\"fine\" type=\"upsample\" x=\"0\" y=\"0\">" LINK(
            "terrain", "noise.field") "</node>"
                                      "<node id=\"range\" type=\"stream_power\" x=\"0\" y=\"0\">" LINK(
                                          "terrain", "fine.terrain") "</node>");
    h.options.max_resolution = 50;
    struct harness_raster before = harness_run(&h, text, "fine", "terrain"),
                          after = harness_run(&h, text, "range", "terrain");
    h.options.max_resolution = 0;
    assert_int_equal(after.grid.width, 40);
    assert_int_equal(before.bytes, after.bytes);
    assert_memory_equal(before.data, after.data, after.bytes);
    harness_free(&before);
    harness_free(&after);
}

/* ---- Maps, and other inputs: each has its effect, in its direction ---- */

enum { HALF = 48 };

/* Mean over the western or the eastern half of a 48 x 48 site. */
static double half_mean(const float *z, bool east)
{
    double sum = 0;
    for (int i = 0; i < HALF * HALF; i++)
        sum += (i % HALF >= HALF / 2) == east ? (double)z[i] : 0;
    return 2 * sum / (HALF * HALF);
}

/* `west` in one half and `east` in the other, linked to an input; returns the ratio of mean heights, west to
 * east. */
static double ratio(const char *input, double west, double east, const char *more)
{
    struct site site = level_site(HALF, HALF, CELL);
    float *map = site_uniform(HALF, HALF, east);
    for (int i = 0; i < HALF * HALF; i++)
        if (i % HALF < HALF / 2)
            map[i] = (float)west;
    site_raster(&site, "map", map);
    char inputs[512];
    snprintf(inputs, sizeof inputs, "<in name=\"%s\" from=\"map.terrain\"/>%s", input, more);
    float *z = take(&site, inputs, "terrain");
    double result = half_mean(z, false) / half_mean(z, true);
    oro_free(map);
    oro_free(z);
    return result;
}

TEST(maps_act_in_their_direction)
{
    need_device();
    static const char *const methods[] = {LINEAR, LINEAR EXPLICIT IN("iterations", "800")};
    for (int i = 0; i < 2; i++) {
        assert_true(ratio("uplift", 0.001, 0.0002, methods[i]) > 2);
        assert_true(ratio("erodibility", 0.004, 0.001, methods[i]) < 0.5);
        assert_true(ratio("rain", 4, 0.25, methods[i]) < 0.5);
        assert_true(ratio("sea", 1, 0, methods[i]) < 0.05);
        assert_true(ratio("hillslope", 50, 0, methods[i]) < 0.9);
        assert_true(ratio("base_level", 500, 0, methods[i]) > 1.25);
        assert_near(ratio("hillslope", 0, 0, methods[i]), 1, 0.25); /* without any, no side is preferred */
    }
}

TEST(an_uplift_tree_rises_where_it_is)
{
    need_device();
    struct site site = level_site(64, 64, 100);
    site_node(&site, "disc", "uplift_disc",
              IN("centre", "2000 3200") IN("radius", "1500") IN("uplift", "0.002"));
    float *z = take(&site, LINK("uplift", "disc.uplift"), "terrain");
    int highest = 0;
    for (int i = 0; i < 64 * 64; i++)
        highest = z[i] > z[highest] ? i : highest;
    assert_true(hypot(100 * (highest % 64) - 2000, 100 * (double)(highest / 64) - 3200) < 500);
    assert_true(z[32 * 64 + 60] < 0.05f * z[highest]); /* beyond the radius nothing rises */
    oro_free(z);
}

TEST(the_mask_protects)
{
    need_device();
    static const char *const methods[] = {"", EXPLICIT IN("iterations", "300")};
    struct site site = site_start(&h, HALF, HALF, CELL);
    float *plane = site_uniform(HALF, HALF, 0), *mask = site_uniform(HALF, HALF, 1);
    for (int i = 0; i < HALF * HALF; i++) { /* falls to the west, where nothing may change */
        plane[i] = (float)(100 + 10 * (i % HALF));
        mask[i] = i % HALF < HALF / 2 ? 0 : 1;
    }
    site_raster(&site, "start", plane);
    site_raster(&site, "mask", mask);
    for (int i = 0; i < 2; i++) {
        char inputs[256];
        snprintf(inputs, sizeof inputs, "%s%s", LINK("mask", "mask.terrain") IN("levels", "0"), methods[i]);
        float *z = take(&site, inputs, "terrain");
        double changed = 0;
        for (int k = 0; k < HALF * HALF; k++)
            if (mask[k] > 0)
                changed = fmax(changed, fabs((double)z[k] - (double)plane[k]));
            else
                assert_near(z[k], plane[k], 0);
        assert_true(changed > 100);
        oro_free(z);
        z = take(&site, IN("mask", "0"), "terrain");
        assert_memory_equal(z, plane, HALF * HALF * sizeof *z);
        oro_free(z);
    }
    oro_free(plane);
    oro_free(mask);
}

/* Ground that stays is not taken from coarser levels, where it is less sharp. */
TEST(levels_keep_what_stays)
{
    need_device();
    enum { N = 96 };
    struct site site = site_start(&h, N, N, CELL);
    float *ground = site_rough(N, N, 16, 20, 100, 3), *mask = site_uniform(N, N, 0);
    for (int i = 0; i < N * N; i++) {
        ground[i] += 30.0f * (float)(i % N); /* steep enough to drain */
        mask[i] = i % N < N / 2 ? 0 : 1;
    }
    site_raster(&site, "start", ground);
    site_raster(&site, "mask", mask);
    float *masked = take(&site, LINK("mask", "mask.terrain"), "terrain"),
          *based = take(&site, IN("base", "terrain"), "terrain");
    int kept = 0;
    for (int i = 0; i < N * N; i++) {
        int x = i % N, y = i / N;
        kept += mask[i] <= 0 && masked[i] >= ground[i] && masked[i] <= ground[i];
        if (x == 0 || y == 0 || x == N - 1 || y == N - 1)
            assert_near(based[i], ground[i], 0);
    }
    assert_true(kept > 0.99 * N * N / 2); /* all but what had to be carved */
    assert_true(site_difference(masked, ground, N * N) > 100);
    oro_free(ground);
    oro_free(mask);
    oro_free(masked);
    oro_free(based);
}

/* With walls around, water leaves into the sea alone, which is held at its level. */
TEST(base_levels_are_held)
{
    need_device();
    struct site site = site_start(&h, HALF, HALF, CELL);
    float *rough = site_rough(HALF, HALF, 16, 100, 50, 7), *sea = site_uniform(HALF, HALF, 0);
    for (int i = 0; i < HALF * HALF; i++)
        sea[i] = i % HALF < 5 ? 1 : 0;
    site_raster(&site, "start", rough);
    site_raster(&site, "sea", sea);
    static const char *const inputs[] = {
        LINK("sea", "sea.terrain") IN("borders", "walls") IN("base_level", "-30"),
        LINK("sea", "sea.terrain") IN("borders", "walls") IN("base", "terrain") IN("levels", "0")};
    for (int i = 0; i < 2; i++) {
        float *z = take(&site, inputs[i], "terrain");
        for (int k = 0; k < HALF * HALF; k++) {
            if (sea[k] > 0)
                assert_near(z[k], i ? (double)rough[k] : -30, 0);
            else
                assert_true(z[k] > -30);
        }
        assert_true(z[20 * HALF + HALF - 1] > z[20 * HALF + 6]); /* the far border rises */
        oro_free(z);
    }
    oro_free(rough);
    oro_free(sea);
}

/* Mean slope to the receiver, in cells where there is one. */
TEST(the_slope_limit_holds)
{
    need_device();
    static const char *const inputs[] = {IN("slope_limit", "20"), IN("slope_limit", "20") EXPLICIT};
    struct site site = level_site(HALF, HALF, CELL);
    for (int i = 0; i < 2; i++) {
        float *free = take(&site, "", "slope"), *slope = take(&site, inputs[i], "slope");
        double steepest = 0, without = 0;
        for (int k = 0; k < HALF * HALF; k++) {
            steepest = fmax(steepest, (double)slope[k]);
            without = fmax(without, (double)free[k]);
        }
        int over = 0; /* a few still slide when all is in balance on average */
        for (int k = 0; k < HALF * HALF; k++)
            over += (double)slope[k] > 1.02 * tan(20 * acos(-1) / 180);
        assert_true(over < HALF * HALF / 100);
        assert_true(harness_figure(&h, "range", "change") < tolerance);
        assert_true(without > 2 * steepest);
        oro_free(slope);
        oro_free(free);
    }
}

TEST(seeds_and_roughness_make_variants)
{
    need_device();
    struct site site = level_site(HALF, HALF, CELL);
    float *one = take(&site, "", "terrain"), *other = take(&site, IN("seed", "5"), "terrain"),
          *none = take(&site, IN("roughness", "0"), "terrain");
    assert_true(site_difference(one, other, HALF * HALF) > 10);
    assert_true(site_difference(one, none, HALF * HALF) > 10);
    assert_int_equal(site_pits(none, HALF, HALF), 0);
    oro_free(one);
    oro_free(other);
    oro_free(none);
}

/* A step of so many years: the ground ages, and no more than that. */
TEST(steps_of_years_age_the_ground)
{
    need_device();
    struct site site = level_site(HALF, HALF, CELL);
    static const char *const inputs[] = {
        IN("step", "1000") IN("iterations", "10") IN("levels", "0") IN("roughness", "0.001"),
        IN("step", "100") IN("iterations", "100") IN("levels", "0") IN("roughness", "0.001") EXPLICIT};
    for (int i = 0; i < 2; i++) {
        float *z = take(&site, inputs[i], "terrain");
        assert_near(harness_figure(&h, "range", "years"), 10000, i ? 3000 : 0.5); /* some get shorter */
        double middle = (double)z[HALF / 2 * HALF + HALF / 2];
        assert_true(middle > 3 && middle < 1.1 * 10000 * rise);
        oro_free(z);
    }
}

/* ---- Nothing rises; no land; wrong input ---- */

TEST(without_uplift_mountains_wear_down)
{
    need_device();
    struct site site = site_start(&h, HALF, HALF, CELL);
    float *rough = site_rough(HALF, HALF, 16, 800, 0, 5);
    site_raster(&site, "start", rough);
    static const char *const inputs[] = {IN("uplift", "0"),
                                         IN("uplift", "0") EXPLICIT IN("iterations", "2000"),
                                         IN("uplift", "0") IN("hillslope", "1") IN("iterations", "200")};
    for (int i = 0; i < 3; i++) {
        float *z = take(&site, inputs[i], "terrain");
        assert_int_equal(site_pits(z, HALF, HALF), 0);
        assert_true(mean(z, HALF * HALF) < 0.5 * mean(rough, HALF * HALF));
        oro_free(z);
    }
    oro_free(rough);
}

TEST(the_sea_may_cover_everything)
{
    need_device();
    struct site site = level_site(HALF, HALF, CELL);
    static const char *const inputs[] = {IN("sea", "1") IN("base_level", "7"),
                                         IN("sea", "1") IN("base_level", "7") EXPLICIT,
                                         IN("sea", "1") IN("base_level", "7") IN("borders", "walls")};
    for (int i = 0; i < 3; i++) {
        float *z = take(&site, inputs[i], "terrain");
        for (int k = 0; k < HALF * HALF; k++)
            assert_near(z[k], 7, 0);
        oro_free(z);
    }
}

static void expect_error(const struct site *site, const char *terrain, const char *inputs, enum oro_code code,
                         const char *says)
{
    static char text[SITE_TEXT_MAX + 512];
    struct site whole = *site;
    struct harness_raster raster = {0};
    site_node(&whole, "range", "stream_power", "<in name=\"terrain\" from=\"%s\"/>%s", terrain, inputs);
    snprintf(text, sizeof text, HARNESS_DOCUMENT("extent=\"1000\" resolution=\"16\"", "%s"), whole.nodes);
    assert_false(harness_try(&h, text, "range", "terrain", &raster));
    if (h.err.code != code)
        print_message("%s\n", h.err.text);
    assert_int_equal(h.err.code, code);
    if (!strstr(h.err.text, says))
        fail_msg("'%s' does not say '%s'", h.err.text, says);
}

TEST(wrong_input_is_refused)
{
    need_device();
    struct site site = level_site(HALF, HALF, CELL);
    expect_error(&site, "start.terrain", IN("borders", "walls"), ORO_E_DOCUMENT, "nowhere to go");
    expect_error(&site, "start.terrain", IN("n", "0"), ORO_E_DOCUMENT, "n");
    expect_error(&site, "start.terrain", IN("uplift", "-1"), ORO_E_DOCUMENT, "uplift");
    float *none = site_uniform(HALF, HALF, 0);
    site_raster(&site, "nowhere", none);
    expect_error(&site, "start.terrain", IN("borders", "walls") LINK("sea", "nowhere.terrain"),
                 ORO_E_EVALUATE, "");
    oro_free(none);
}

TEST(bad_values_in_the_terrain_are_refused)
{
    need_device();
    float *ground = site_rough(70, 70, 16, 100, 1, 5);
    ground[1234] = 1e9f; /* to the 8th power it is infinite, and that less itself not a number */
    for (int i = 0; i < 8; i++) {
        struct site site = site_start(&h, 70, 70, CELL);
        site_raster(&site, "ground", ground);
        site_node(&site, "square", "combine",
                  LINK("a", "ground.terrain") LINK("b", "ground.terrain") IN("method", "multiply"));
        site_node(&site, "fourth", "combine",
                  LINK("a", "square.field") LINK("b", "square.field") IN("method", "multiply"));
        site_node(&site, "eighth", "combine",
                  LINK("a", "fourth.field") LINK("b", "fourth.field") IN("method", "multiply"));
        site_node(&site, "none", "combine",
                  LINK("a", "eighth.field") LINK("b", "eighth.field") IN("method", "subtract"));
        h.kernels_only = i & 4;
        expect_error(&site, i & 1 ? "eighth.field" : "none.field", i & 2 ? EXPLICIT : IN("levels", "0"),
                     ORO_E_EVALUATE, "the terrain is");
    }
    h.kernels_only = false;
    oro_free(ground);
}

TEST_GROUP(open_harness, close_harness);
