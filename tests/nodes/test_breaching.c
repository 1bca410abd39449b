/* Breaching, filling and flow as nodes: the properties that an artist relies on. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tests/nodes/group.h"
#include "tests/nodes/site.h"
#include "tests/support/test.h"

enum { W = 80, H = 60, CELLS = W * H };
static const double cell = 5;

/* An output of a node over `terrain`, on the processor or by its kernels. */
static float *take(const char *type, const float *terrain, const char *inputs, const char *output)
{
    struct site site = site_start(&h, W, H, cell);
    site_raster(&site, "z", terrain);
    site_node(&site, "node", type, LINK("terrain", "z.terrain") "%s", inputs);
    return site_take(&site, "node", output);
}

/* The node fails, and says so with `part`. */
static void expect_error(const char *type, const char *inputs, const char *part)
{
    char text[1024];
    struct harness_raster raster = {0};
    snprintf(text, sizeof text,
             HARNESS_DOCUMENT(
                 "extent=\"100\" resolution=\"16\"",
                 "<node id=\"c\" type=\"noise\" x=\"0\" y=\"0\"/>"
                 "<node id=\"node\" type=\"%s\" x=\"0\" y=\"0\">" LINK("terrain", "c.field") "%s</node>"),
             type, inputs);
    if (harness_try(&h, text, "node", "terrain", &raster))
        fail_msg("%s with %s worked", type, inputs);
    if (!strstr(h.err.text, part))
        fail_msg("'%s' does not say '%s'", h.err.text, part);
}

TEST(multiscale_drains_and_only_carves)
{
    need_device();
    static const char *const variants[] = {"",
                                           IN("kernel", "cone"),
                                           IN("kernel", "box"),
                                           IN("radius", "1e6"),
                                           IN("ratio", "0.9"),
                                           IN("sides", "0"),
                                           IN("sides", "10")};
    float *rough = site_rough(W, H, 11, 300, 0, 1);
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        h.kernels_only = i % 2;
        float *drained = take("multiscale_breach", rough, variants[i], "terrain");
        assert_int_equal(site_pits(drained, W, H), 0);
        for (int k = 0; k < CELLS; k++)
            assert_true(drained[k] <= rough[k]);
        oro_free(drained);
    }
    h.kernels_only = false;
    oro_free(rough);
}

TEST(radius_of_zero_is_plain)
{
    need_device();
    float *rough = site_rough(W, H, 11, 300, 0, 2);
    float *plain = take("breach", rough, "", "terrain");
    float *multi = take("multiscale_breach", rough, IN("radius", "0") IN("sides", "0"), "terrain");
    assert_memory_equal(plain, multi, CELLS * sizeof *plain);
    oro_free(plain);
    oro_free(multi);
    oro_free(rough);
}

/* The purpose of multiscale_breach: the same drainage with trenches at most half as deep. */
TEST(trenches_are_shallower)
{
    need_device();
    float *rough = site_rough(W, H, 20, 300, 0, 3);
    oro_free(take("breach", rough, "", "terrain"));
    double plain = harness_figure(&h, "node", "deepest_trench");
    oro_free(take("multiscale_breach", rough, IN("radius", "80") IN("sides", "0"), "terrain"));
    double multi = harness_figure(&h, "node", "deepest_trench");
    assert_true(plain > 1);
    assert_true(multi <= plain / 2);
    oro_free(rough);
}

/* A valley that falls to the west between walls, and across it a dam. */
enum { DAM_WEST = 30, DAM_EAST = 42 };
static float *dam(double height, double slope)
{
    float *terrain = site_uniform(W, H, 0);
    for (int i = 0; i < CELLS; i++) {
        int x = i % W, y = i / W;
        bool on_dam = x >= DAM_WEST && x < DAM_EAST, wall = y == 0 || y == H - 1 || x == W - 1;
        terrain[i] = (float)(0.1 * cell * x + slope * cell * abs(y - H / 2) + height * on_dam + 1000 * wall);
    }
    return terrain;
}

/* Of the steepest rise from a cell to its northern or southern neighbour on the dam. */
static double steepest_side(const float *terrain)
{
    double most = 0;
    for (int y = 2; y < H - 1; y++)
        for (int x = DAM_WEST; x < DAM_EAST; x++)
            most = fmax(most, fabs((double)terrain[y * W + x] - (double)terrain[y * W - W + x]) / cell);
    return atan(most) * 180 / acos(-1);
}

/* A dam that is cut through gets a valley with the sides that are asked for. */
TEST(sides_of_a_cut)
{
    need_device();
    static const struct {
        const char *inputs;
        double least, most; /* degrees */
    } variants[] = {{IN("sides", "0"), 60, 90},
                    {IN("radius", "0") IN("sides", "0"), 85, 90},
                    {"", 30, 36},
                    {IN("radius", "0"), 34, 36},
                    {IN("radius", "0") IN("sides", "50"), 49, 51}};
    float *wall = dam(200, 0.05);
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        float *drained = take("multiscale_breach", wall, variants[i].inputs, "terrain");
        double side = steepest_side(drained);
        if (side < variants[i].least || side > variants[i].most)
            fail_msg("%s: the sides rise by %.2f degrees", variants[i].inputs, side);
        assert_int_equal(site_pits(drained, W, H), 0);
        for (int k = 0; k < CELLS; k++)
            assert_true(drained[k] <= wall[k]);
        oro_free(drained);
    }
    oro_free(wall);
}

/* In a gorge with sides of 63 degrees, a cut of 5 m does not carry off these up to their crests. */
TEST(a_gorge_stays_one)
{
    need_device();
    float *gorge = dam(5, 2);
    float *carved = take("multiscale_breach", gorge, IN("radius", "0"), "carved");
    float *narrow = take("multiscale_breach", gorge, IN("radius", "0") IN("sides", "0"), "carved");
    double beside = 0, most = 0, deepest = 0;
    for (int i = 0; i < CELLS; i++) {
        int away = abs(i / W - H / 2);
        most = fmax(most, (double)carved[i]);
        deepest = fmax(deepest, (double)narrow[i]);
        if (away == 1)
            beside = fmax(beside, (double)carved[i]);
        assert_true(away < 13 || carved[i] == 0);
    }
    assert_true(beside > 4);
    assert_near(most, deepest, 0.01);
    oro_free(narrow);
    oro_free(carved);
    oro_free(gorge);
}

TEST(priority_flood_drains)
{
    need_device();
    float *rough = site_rough(W, H, 11, 300, 0, 4);
    float *drained = take("breach", rough, IN("method", "priority_flood"), "terrain");
    assert_int_equal(site_pits(drained, W, H), 0);
    for (int k = 0; k < CELLS; k++)
        assert_true(drained[k] <= rough[k]);
    oro_free(drained);
    oro_free(rough);
}

/* Where the ground is stepped, the priority flood carves less, and is what is chosen. */
TEST(stepped_ground)
{
    need_device();
    float *rough = site_rough(W, H, 11, 300, 0, 4), *step = site_uniform(W, H, 0);
    for (int k = 0; k < CELLS; k++)
        step[k] = roundf(rough[k] / 12) * 12;
    const float *grounds[] = {rough, step};
    for (int g = 0; g < 2; g++) {
        float *chosen = take("breach", grounds[g], "", "terrain");
        assert_true((harness_figure(&h, "node", "stepped") > 25) == g);
        float *subtree = take("breach", grounds[g], IN("method", "subtree_minimum"), "terrain");
        double volume = harness_figure(&h, "node", "cut_volume");
        float *flood = take("breach", grounds[g], IN("method", "priority_flood"), "terrain");
        assert_memory_equal(chosen, g ? flood : subtree, CELLS * sizeof *chosen);
        assert_true(!g || harness_figure(&h, "node", "cut_volume") < 0.9 * volume);
        oro_free(chosen);
        oro_free(subtree);
        oro_free(flood);
    }
    oro_free(rough);
    oro_free(step);
}

/* carved + terrain is what was there; the mask says where; the volume adds up. */
TEST(outputs_agree)
{
    need_device();
    float *rough = site_rough(W, H, 11, 300, 0, 5);
    float *drained = take("breach", rough, "", "terrain"), *carved = take("breach", rough, "", "carved");
    float *where = take("breach", rough, "", "mask");
    double volume = 0;
    for (int k = 0; k < CELLS; k++) {
        assert_near(carved[k], rough[k] - drained[k], 1e-4);
        assert_true(where[k] == (drained[k] < rough[k] ? 1.0f : 0.0f));
        volume += (double)carved[k] * cell * cell;
    }
    assert_true(volume > 1000);
    float *again = take("breach", rough, IN("mask", "0.999999"), "terrain");
    assert_near(harness_figure(&h, "node", "cut_volume"), volume, 1e-4 * volume);
    oro_free(again);
    float *masked = take("breach", rough, IN("mask", "0"), "terrain");
    assert_memory_equal(masked, rough, CELLS * sizeof *rough);
    oro_free(masked);
    oro_free(where);
    oro_free(carved);
    oro_free(drained);
    oro_free(rough);
}

static bool has_lower(const float *z, int i)
{
    bool lower = false;
    for (int k = 0; k < 9; k++)
        lower = lower || z[i + (k / 3 - 1) * W + k % 3 - 1] < z[i];
    return lower;
}

/* Carved cells without a lower neighbour in a file of 16 bits, per cell that was carved. */
static double flats_in_a_file(const char *type, const char *inputs, const float *rough)
{
    float *drained = take(type, rough, inputs, "terrain"), *carved = take(type, rough, inputs, "carved");
    double count = 0, flats = 0;
    for (int i = 0; i < CELLS; i++)
        drained[i] = roundf(drained[i] * (65535 / 2000.0f));
    for (int i = 0; i < CELLS; i++) {
        bool inside = i % W > 0 && i % W < W - 1 && i / W > 0 && i / W < H - 1;
        count += carved[i] > 0;
        flats += carved[i] > 0 && inside && !has_lower(drained, i);
    }
    oro_free(drained);
    oro_free(carved);
    return flats / count;
}

/* Of a carved channel with the least gradient, a file of 16 bits keeps the slopes. */
TEST(channels_survive_in_files)
{
    need_device();
    float *rough = site_rough(W, H, 11, 300, 100, 9);
    assert_true(flats_in_a_file("breach", IN("least_gradient", "0"), rough) > 0.6);
    assert_true(flats_in_a_file("breach", IN("least_gradient", "0.4"), rough) < 0.15);
    assert_true(flats_in_a_file("multiscale_breach", IN("radius", "20") IN("least_gradient", "0.4"), rough) <
                0.05);
    oro_free(rough);
}

/* A plain a little above its outlets has no room for the gradient, which is said. */
TEST(too_little_height_for_the_gradient)
{
    need_device();
    float *plain = site_scatter(W, H, 0, 0.1, 3);
    oro_free(take("breach", plain, IN("least_gradient", "5"), "terrain"));
    assert_non_null(strstr(h.warnings, "less than 'least_gradient'"));
    assert_true(harness_figure(&h, "node", "gentle_cells") > CELLS / 10.0);
    oro_free(plain);
}

/* The drainage is that of the terrain that comes out, whatever was carved and wherever the mask held it back.
 */
TEST(drainage_is_of_the_result)
{
    need_device();
    static const struct {
        const char *type, *inputs;
    } variants[] = {{"breach", ""},
                    {"breach", IN("method", "priority_flood")},
                    {"breach", IN("mask", "0.5")},
                    {"multiscale_breach", IN("radius", "40")}};
    float *rough = site_rough(W, H, 11, 300, 0, 8);
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        h.kernels_only = i % 2;
        float *drained = take(variants[i].type, rough, variants[i].inputs, "terrain");
        float *area = take(variants[i].type, rough, variants[i].inputs, "drainage");
        float *expected = take("flow", drained, "", "drainage");
        assert_memory_equal(area, expected, CELLS * sizeof *area);
        oro_free(expected);
        oro_free(area);
        oro_free(drained);
    }
    h.kernels_only = false;
    oro_free(rough);
}

/* ---- Multiple flow ---- */

static int compare_heights(const void *a, const void *b)
{
    float x = **(const float *const *)a, y = **(const float *const *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

/* In one go, from the highest cell to the lowest, in double. */
static void multiple_flow(const float *z, double exponent, double *area)
{
    static const float *order[CELLS];
    const double slanting = 0.42; /* what slanting ways count */
    for (int i = 0; i < CELLS; i++) {
        order[i] = &z[i];
        area[i] = cell * cell;
    }
    qsort(order, CELLS, sizeof order[0], compare_heights);
    for (int n = 0; n < CELLS; n++) {
        int i = (int)(order[n] - z), x = i % W, y = i / W;
        if (x == 0 || y == 0 || x == W - 1 || y == H - 1)
            continue;
        double ways[9], sum = 0;
        for (int k = 0; k < 9; k++) {
            int dx = k % 3 - 1, dy = k / 3 - 1;
            double drop = ((double)z[i] - (double)z[i + dy * W + dx]) * (dx && dy ? sqrt(0.5) : 1);
            ways[k] = drop > 0 ? (dx && dy ? slanting : 1) * pow(drop, exponent) : 0;
            sum += ways[k];
        }
        for (int k = 0; k < 9; k++)
            area[i + (k / 3 - 1) * W + k % 3 - 1] += area[i] * ways[k] / sum;
    }
}

TEST(multiple_flow)
{
    need_device();
    static double expected[CELLS];
    float *rough = site_rough(W, H, 25, 300, 0, 6),
          *drained = take("breach", rough, IN("least_gradient", "0"), "terrain");
    static const struct {
        const char *text;
        double value;
    } exponents[] = {{"1", 1}, {"1.3", 1.3}, {"6", 6}};
    for (int n = 0; n < 3; n++) {
        char inputs[256];
        snprintf(inputs, sizeof inputs, IN("method", "multiple") IN("flow_exponent", "%s"),
                 exponents[n].text);
        float *area = take("flow", rough, inputs, "drainage");
        multiple_flow(drained, exponents[n].value, expected);
        for (int i = 0; i < CELLS; i++)
            assert_near(area[i] / expected[i], 1, 2e-3);
        assert_true(harness_figure(&h, "node", "residual") <= 1e-4);
        oro_free(area);
    }
    oro_free(drained);
    oro_free(rough);
}

TEST(unfinished_flow_says_so)
{
    need_device();
    float *rough = site_rough(W, H, 25, 300, 0, 6);
    float *area = take("flow", rough, IN("method", "multiple") IN("iterations", "1"), "drainage");
    assert_non_null(strstr(h.warnings, "after 1 iteration; raise 'iterations'"));
    assert_true(harness_figure(&h, "node", "residual") > 1e-4);
    oro_free(area);
    oro_free(rough);
}

TEST(sea_everywhere)
{
    need_device();
    float *rough = site_rough(W, H, 11, 300, 0, 7);
    for (int kernels = 0; kernels < 2; kernels++) {
        h.kernels_only = kernels;
        float *area = take("flow", rough, IN("sea", "1"), "drainage");
        float *terrain = take("breach", rough, IN("sea", "1"), "terrain");
        for (int i = 0; i < CELLS; i++)
            assert_true(area[i] == (float)(cell * cell));
        assert_memory_equal(terrain, rough, CELLS * sizeof *rough);
        oro_free(area);
        oro_free(terrain);
    }
    h.kernels_only = false;
    oro_free(rough);
}

TEST(nowhere_to_go)
{
    need_device();
    static const char *const types[] = {"breach", "fill", "multiscale_breach"};
    for (int i = 0; i < 6; i++) {
        h.kernels_only = i % 2;
        expect_error(types[i / 2], IN("borders", "walls"), "nowhere to go");
    }
    h.kernels_only = false;
}

TEST_GROUP(open_harness, close_harness);
