/* mask_select: what each method measures, where the mask begins and ends, and how it joins others. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "tests/nodes/group.h"
#include "tests/nodes/site.h"
#include "tests/support/test.h"

enum { WIDTH = 48, HEIGHT = 37, CELLS = WIDTH * HEIGHT };
static const double degree = 3.14159265358979323846 / 180;

/* With the terrain f, another mask m, and a ramp r from 0 in the west to 1 in the east. */
static struct site site_of(const float *terrain, const float *other)
{
    struct site site = site_start(&h, WIDTH, HEIGHT, 10);
    site_raster(&site, "f", terrain);
    site_raster(&site, "m", other ? other : terrain);
    site_node(&site, "r", "ramp", LINK("like", "f.terrain") IN("low", "0") IN("high", "1"));
    return site;
}

static float *selected(const float *terrain, const float *other, const char *inputs)
{
    struct site site = site_of(terrain, other);
    site_node(&site, "n", "mask_select", LINK("terrain", "f.terrain") "%s", inputs);
    float *mask = site_take(&site, "n", "mask");
    for (int i = 0; i < CELLS; i++)
        assert_true(mask[i] >= 0 && mask[i] <= 1);
    return mask;
}

/* An output of another node, for comparison. */
static float *measured(const float *terrain, const char *type, const char *inputs, const char *output)
{
    struct site site = site_of(terrain, NULL);
    site_node(&site, "n", type, LINK("terrain", "f.terrain") "%s", inputs);
    return site_take(&site, "n", output);
}

static double faded(double beyond, double softness)
{
    double t = softness > 0 ? fmin(fmax(beyond / softness, 0), 1) : beyond > 0;
    return 1 - t * t * (3 - 2 * t);
}

static double in_range(double value, double low, double high, double below, double above)
{
    return faded(low - value, below) * faded(value - high, above);
}

static float *hilly(void)
{
    return site_rough(WIDTH, HEIGHT, 12, 300, 50, 2);
}

TEST(heights_are_selected)
{
    need_device();
    static const struct {
        const char *inputs;
        double low, high, below, above;
    } cases[] = {
        {IN("low", "150") IN("high", "220") IN("softness_low", "40") IN("softness_high", "20"), 150, 220, 40,
         20},
        {IN("low", "150") IN("high", "1e12") IN("softness_low", "0"), 150, 1e12, 0, 0},
        {IN("low", "-1e12") IN("high", "200") IN("softness_high", "0"), -1e12, 200, 0, 0},
        {IN("low", "200") IN("high", "200") IN("softness_low", "30") IN("softness_high", "70"), 200, 200, 30,
         70},
        {IN("low", "220") IN("high", "150") IN("softness_low", "0") IN("softness_high", "0"), 220, 150, 0, 0},
    };
    float *terrain = hilly();
    for (int k = 0; k < 5; k++) {
        float *mask = selected(terrain, NULL, cases[k].inputs);
        double sum = 0;
        for (int i = 0; i < CELLS; i++) {
            double want =
                in_range((double)terrain[i], cases[k].low, cases[k].high, cases[k].below, cases[k].above);
            assert_near(mask[i], want, 1e-4);
            sum += want;
        }
        assert_true(k == 4 ? sum == 0 : sum > 30 && sum < CELLS - 30);
        oro_free(mask);
    }
    oro_free(terrain);
}

/* Bounds that rise from west to east. */
TEST(bounds_are_maps)
{
    need_device();
    float *terrain = site_scatter(WIDTH, HEIGHT, 0, 1, 4);
    float *above = selected(terrain, NULL, LINK("low", "r.field") IN("softness_low", "0.1"));
    float *below =
        selected(terrain, NULL, IN("low", "0") LINK("high", "r.field") LINK("softness_high", "r.field"));
    for (int i = 0; i < CELLS; i++) {
        double ramp = (i % WIDTH + 0.5) / WIDTH;
        assert_near(above[i], faded(ramp - (double)terrain[i], 0.1), 1e-4);
        assert_near(below[i], faded((double)terrain[i] - ramp, ramp), 1e-4);
    }
    oro_free(terrain);
    oro_free(above);
    oro_free(below);
}

static void check_against(const float *terrain, const char *inputs, const float *values, double low,
                          double high, double softness)
{
    char all[640];
    snprintf(all, sizeof all,
             "%s" IN("low", "%.9g") IN("high", "%.9g") IN("softness_low", "%.9g") IN("softness_high", "%.9g"),
             inputs, low, high, softness, softness);
    float *mask = selected(terrain, NULL, all);
    double sum = 0;
    for (int i = 0; i < CELLS; i++) {
        assert_near(mask[i], in_range((double)values[i], low, high, softness, softness), 1e-4);
        sum += (double)mask[i];
    }
    assert_true(sum > 20 && sum < CELLS - 20);
    oro_free(mask);
}

/* The same measures by the nodes that make nothing else. */
TEST(slopes_and_curvatures_are_those_of_their_nodes)
{
    need_device();
    static const char *const curvatures[] = {"mean", "profile", "plan"};
    float *terrain = hilly(), *slope = measured(terrain, "slope", "", "field");
    check_against(terrain, IN("method", "slope"), slope, 20, 30, 8);
    for (int k = 0; k < 3; k++) {
        char inputs[160];
        float *curvature = measured(terrain, "curvature", IN("radius", "60"), curvatures[k]);
        snprintf(inputs, sizeof inputs, IN("method", "curvature") IN("radius", "60") IN("curvature", "%s"),
                 curvatures[k]);
        check_against(terrain, inputs, curvature, 0.001, 0.01, 0.001);
        oro_free(curvature);
    }
    oro_free(terrain);
    oro_free(slope);
}

TEST(drainage_is_found_or_taken)
{
    need_device();
    float *terrain = hilly(), *area = measured(terrain, "flow", "", "drainage");
    check_against(terrain, IN("method", "drainage"), area, 2000, 20000, 1000);
    float *other = site_scatter(WIDTH, HEIGHT, 0, 100, 5);
    float *mask = selected(terrain, other,
                           IN("method", "drainage") LINK("drainage", "m.terrain") IN("low", "50")
                               IN("high", "1e12") IN("softness_low", "0"));
    for (int i = 0; i < CELLS; i++)
        assert_true(mask[i] == (other[i] >= 50 ? 1.0f : 0.0f));
    oro_free(terrain);
    oro_free(area);
    oro_free(other);
    oro_free(mask);
}

/* A round summit falls to all sides: the aspect is the bearing from its top. Within the border it is exact,
 * as the ground is quadratic. */
TEST(aspects_wrap_around)
{
    need_device();
    static const struct {
        double direction, width, anticlockwise, clockwise;
    } cases[] = {{0, 90, 0, 0},     {350, 60, 30, 10}, {-90, 40, 15, 60}, {135, 10, 5, 0},
                 {180, 0, 90, 170}, {20, 300, 80, 0},  {77, 360, 0, 0},   {360, 45, 20, 20}};
    float *summit = site_uniform(WIDTH, HEIGHT, 0);
    for (int i = 0; i < CELLS; i++)
        summit[i] = (float)(900 - pow(hypot(i % WIDTH - 23.4, i / WIDTH - 18.3), 2));
    for (int k = 0; k < 8; k++) {
        char inputs[400];
        snprintf(inputs, sizeof inputs,
                 IN("method", "aspect") IN("direction", "%g") IN("width", "%g") IN("softness_low", "%g")
                     IN("softness_high", "%g"),
                 cases[k].direction, cases[k].width, cases[k].anticlockwise, cases[k].clockwise);
        float *mask = selected(summit, NULL, inputs);
        for (int i = 0; i < CELLS; i++) {
            double east = i % WIDTH - 23.4, south = i / WIDTH - 18.3;
            double turn = remainder(atan2(east, -south) / degree - cases[k].direction, 360);
            double beyond = fabs(turn) - cases[k].width / 2, back = 360 - fabs(turn) - cases[k].width / 2;
            double side = turn < 0 ? cases[k].anticlockwise : cases[k].clockwise;
            double other = turn < 0 ? cases[k].clockwise : cases[k].anticlockwise;
            double near = fmin(side == 0 ? fabs(beyond) : 9, other == 0 ? fabs(back) : 9);
            bool border = i % WIDTH % (WIDTH - 1) == 0 || i / WIDTH % (HEIGHT - 1) == 0;
            if (near > 0.02 && !border)
                assert_near(mask[i], fmax(faded(beyond, side), faded(back, other)), 2e-3);
        }
        oro_free(mask);
    }
    oro_free(summit);
}

TEST(level_ground_faces_nowhere)
{
    need_device();
    float *level = site_uniform(WIDTH, HEIGHT, 7);
    float *mask = selected(level, NULL, IN("method", "aspect") IN("width", "360"));
    float *rest = selected(level, NULL, IN("method", "aspect") IN("width", "360") IN("invert", "true"));
    for (int i = 0; i < CELLS; i++)
        assert_true(mask[i] == 0 && rest[i] == 1);
    oro_free(level);
    oro_free(mask);
    oro_free(rest);
}

/* To the nearest marked cell, looked for among all. */
TEST(distances_are_exact)
{
    need_device();
    float *terrain = hilly(), *marks = site_scatter(WIDTH, HEIGHT, 0, 0.504, 6);
    float *mask = selected(terrain, marks,
                           IN("method", "distance") LINK("from", "m.terrain") IN("low", "25") IN("high", "90")
                               IN("softness_low", "30") IN("softness_high", "60"));
    int count = 0;
    for (int i = 0; i < CELLS; i++) {
        double nearest = 1e9;
        for (int k = 0; k < CELLS; k++)
            if (marks[k] > 0.5f)
                nearest = fmin(nearest, 10 * hypot(i % WIDTH - k % WIDTH, i / WIDTH - k / WIDTH));
        assert_near(mask[i], in_range(nearest, 25, 90, 30, 60), 1e-4);
        count += marks[i] > 0.5f;
    }
    assert_true(count > 3 && count < 60);
    oro_free(terrain);
    oro_free(marks);
    oro_free(mask);
}

TEST(distance_needs_something_to_measure_from)
{
    need_device();
    struct harness_raster raster = {0};
    const char *document =
        HARNESS_DOCUMENT("extent=\"100\" resolution=\"8\"",
                         "<node id=\"c\" type=\"constant\" x=\"0\" y=\"0\"/>"
                         "<node id=\"n\" type=\"mask_select\" x=\"0\" y=\"0\">" LINK("terrain", "c.field")
                             IN("method", "distance") "</node>\n");
    assert_false(harness_try(&h, document, "n", "mask", &raster));
    assert_non_null(strstr(h.err.text, "link 'from'"));
}

/* Selection s and other mask m, both between 0 and 1; what leaves that is held. */
TEST(masks_are_joined)
{
    need_device();
    static const char *const blends[] = {"replace", "multiply", "add", "subtract", "max", "min"};
    float *terrain = site_scatter(WIDTH, HEIGHT, 0, 1, 8), *other = site_scatter(WIDTH, HEIGHT, 0, 1, 9);
    for (int k = 0; k < 12; k++) {
        char inputs[400];
        bool inverted = k >= 6;
        snprintf(inputs, sizeof inputs,
                 LINK("mask", "m.terrain") IN("blend", "%s") IN("low", "1") IN("high", "1e12")
                     IN("softness_low", "1") IN("invert", "%s"),
                 blends[k % 6], inverted ? "true" : "false");
        float *mask = selected(terrain, other, inputs);
        for (int i = 0; i < CELLS; i++) {
            double s = faded(1 - (double)terrain[i], 1), m = (double)other[i];
            s = inverted ? 1 - s : s;
            const double want[6] = {s, m * s, m + s, m - s, fmax(m, s), fmin(m, s)};
            assert_near(mask[i], fmin(fmax(want[k % 6], 0), 1), 1e-4);
        }
        oro_free(mask);
    }
    oro_free(terrain);
    oro_free(other);
}

/* As a part of composites, too: the slope's own range is told, not the terrain's. */
TEST(nothing_selected_is_told)
{
    need_device();
    float *terrain = site_uniform(WIDTH, HEIGHT, 0);
    for (int i = 0; i < CELLS; i++)
        terrain[i] = (float)(i % WIDTH * 10);
    oro_free(selected(terrain, NULL, IN("low", "1000") IN("softness_low", "2")));
    assert_non_null(strstr(h.warnings, "between 0 and 470"));
    oro_free(selected(terrain, NULL, IN("method", "slope")));
    assert_non_null(strstr(h.warnings, "nothing is selected"));
    assert_null(strstr(h.warnings, "470"));
    oro_free(selected(terrain, terrain, IN("method", "distance") LINK("from", "m.terrain") IN("low", "1e6")));
    assert_non_null(strstr(h.warnings, "'from' marks nothing"));
    oro_free(selected(terrain, NULL, IN("low", "100") IN("high", "310")));
    assert_string_equal(h.warnings, "");
    oro_free(terrain);
}

TEST_GROUP(open_harness, close_harness);
