/* terrace: the places and shapes of steps, and heights that must not change. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/nodes/group.h"
#include "tests/support/test.h"

#define IN(name, value) "<in name=\"" name "\" value=\"" value "\"/>"
#define EVEN IN("uniformity", "1") IN("roughness", "0")

enum { WIDTH = 100, HEIGHT = 8, CELLS = WIDTH * HEIGHT };
static float values[CELLS];

/* Evaluates `terrace` on `values`, in cells of 10 m. `inputs` is XML. */
static struct harness_raster terrace(const char *inputs, const char *output)
{
    char path[128], text[4096], name[32];
    static int number;
    snprintf(name, sizeof name, "ground%d.pfm", number++);
    harness_store(&h, name, WIDTH, HEIGHT, values, path);
    snprintf(text, sizeof text,
             HARNESS_DOCUMENT("extent=\"1000\" resolution=\"%d\"",
                              "<node id=\"f\" type=\"import\">" IN("file", "%s")
                                  IN("size", "file") "</node>\n<node id=\"n\" type=\"terrace\">"
                                                     "<in name=\"terrain\" from=\"f.terrain\"/>%s</node>\n"),
             WIDTH, path, inputs);
    return harness_run(&h, text, "n", output);
}

/* From -300 m up to the east, no two cells at the same height. */
static void fill_slope(void)
{
    for (int i = 0; i < CELLS; i++)
        values[i] = (float)(-300 + 9.7 * (i % WIDTH) + 1.1 * (i / WIDTH));
}

/* The step's shape by its formula. */
static double shaped(double t, double sharpness, double riser)
{
    double power = 1 / (1 - sharpness);
    if (sharpness == 1)
        return t < riser || t == 0 ? 0 : 1;
    return t < riser ? riser * pow(t / riser, power) : 1 - (1 - riser) * pow((1 - t) / (1 - riser), power);
}

TEST(steps_have_their_shape)
{
    need_device();
    static const double cases[][2] = {{0.5, 0.5}, {0.8, 0.5}, {0.5, 1}, {0.6, 0},
                                      {0.3, 0.2}, {1, 0.5},   {1, 1},   {1, 0}};
    fill_slope();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char inputs[512];
        snprintf(inputs, sizeof inputs,
                 EVEN IN("spacing", "80") IN("low", "-13") IN("sharpness", "%g") IN("riser", "%g"),
                 cases[i][0], cases[i][1]);
        struct harness_raster steps = terrace(inputs, "terrain"), place = terrace(inputs, "step");
        for (int k = 0; k < CELLS; k++) {
            double u = ((double)values[k] + 13) / 80, t = u - floor(u);
            assert_near(place.data[k], t, 1e-4);
            assert_near(steps.data[k], -13 + 80 * (floor(u) + shaped(t, cases[i][0], cases[i][1])), 0.02);
        }
        harness_free(&steps);
        harness_free(&place);
    }
}

TEST(nothing_to_do_keeps_bits)
{
    need_device();
    static const char *const cases[] = {IN("sharpness", "0") IN("tilt", "7"), IN("mask", "0"),
                                        IN("method", "count") IN("sharpness", "0") IN("count", "7")};
    fill_slope();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct harness_raster same = terrace(cases[i], "terrain");
        assert_memory_equal(same.data, values, sizeof values);
        harness_free(&same);
    }
}

TEST(masks_blend)
{
    need_device();
    fill_slope();
    struct harness_raster full = terrace("", "terrain"), half = terrace(IN("mask", "0.5"), "terrain");
    for (int k = 0; k < CELLS; k++)
        assert_near(half.data[k], ((double)full.data[k] + (double)values[k]) / 2, 1e-3);
    harness_free(&full);
    harness_free(&half);
}

TEST(steps_can_be_counted)
{
    need_device();
    fill_slope();
    double low = (double)values[0], high = (double)values[CELLS - 1];
    struct harness_raster own =
        terrace(EVEN IN("method", "count") IN("count", "6") IN("sharpness", "1"), "terrain");
    struct harness_raster given = terrace(EVEN IN("method", "count") IN("count", "4") IN("low", "-100")
                                              IN("high", "300") IN("sharpness", "1"),
                                          "terrain");
    for (int k = 0; k < CELLS; k++) {
        assert_near(own.data[k], low + (high - low) / 6 * round(((double)values[k] - low) / (high - low) * 6),
                    0.01);
        assert_near(given.data[k], -100 + 100 * floor(((double)values[k] + 100) / 100 + 0.5), 0.01);
    }
    harness_free(&own);
    harness_free(&given);
    for (int k = 0; k < CELLS; k++)
        values[k] = 12;
    struct harness_raster level = terrace(IN("method", "count"), "terrain");
    assert_memory_equal(level.data, values, sizeof values);
    harness_free(&level);
}

TEST(profiles_bend_steps)
{
    need_device();
    fill_slope();
    struct harness_raster steps =
        terrace(EVEN IN("spacing", "100") IN("sharpness", "0") IN("profile", "0 0, 0.5 0.1, 0.6 0.9, 1 1"),
                "terrain");
    for (int k = 0; k < CELLS; k++) {
        double u = (double)values[k] / 100, t = u - floor(u);
        double bent = t < 0.5 ? 0.2 * t : t < 0.6 ? 0.1 + 8 * (t - 0.5) : 0.9 + 0.25 * (t - 0.6);
        assert_near(steps.data[k], 100 * (floor(u) + bent), 0.02);
    }
    harness_free(&steps);
}

/* Of uneven steps: number and heights, found where the place within the step begins anew. */
static int measure_steps(const char *inputs, double heights[64])
{
    struct harness_raster place = terrace(inputs, "step"), layer = terrace(inputs, "layer");
    double begin = NAN;
    int count = 0;
    for (int x = 1; x < WIDTH; x++) {
        bool anew = place.data[x] < place.data[x - 1];
        assert_true(anew == (layer.data[x] != layer.data[x - 1]));
        assert_true(layer.data[x] >= 0 && layer.data[x] < 1);
        if (!anew)
            continue;
        double rate = (double)place.data[x + 1] - (double)place.data[x];
        if (rate <= 0) /* a step of a cell or two */
            continue;
        double bottom = (double)values[x] - (double)place.data[x] / rate * 9.7;
        if (!isnan(begin))
            heights[count++] = bottom - begin;
        begin = bottom;
    }
    harness_free(&place);
    harness_free(&layer);
    return count;
}

TEST(steps_may_differ)
{
    need_device();
    double heights[64], low = INFINITY, high = 0;
    fill_slope();
    int count = measure_steps(EVEN IN("spacing", "100"), heights);
    assert_int_equal(count, 8);
    for (int i = 0; i < count; i++)
        assert_near(heights[i], 100, 0.1);
    count = measure_steps(IN("uniformity", "0") IN("roughness", "0") IN("spacing", "100"), heights);
    assert_in_range(count, 6, 10);
    for (int i = 0; i < count; i++) {
        low = fmin(low, heights[i]);
        high = fmax(high, heights[i]);
    }
    assert_true(low >= 9.9 && high <= 190.1 && high - low > 40);
    struct harness_raster one = terrace("", "terrain"), other = terrace(IN("seed", "1"), "terrain");
    double apart = 0;
    for (int k = 0; k < CELLS; k++)
        apart += fabs((double)one.data[k] - (double)other.data[k]) / CELLS;
    assert_true(apart > 5);
    harness_free(&one);
    harness_free(&other);
}

/* A slope that only rises still only rises, whatever the steps. */
TEST(order_is_kept)
{
    need_device();
    static const char *const cases[] = {IN("uniformity", "0") IN("roughness", "0") IN("spacing", "37"),
                                        IN("uniformity", "0.3") IN("roughness", "0") IN("sharpness", "1"),
                                        IN("roughness", "0") IN("riser", "0.1") IN("sharpness", "0.95")};
    fill_slope();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct harness_raster steps = terrace(cases[i], "terrain");
        for (int x = 1; x < WIDTH; x++)
            assert_true(steps.data[x] >= steps.data[x - 1] - 1e-4f);
        harness_free(&steps);
    }
}

/* On level ground, beds that dip to the east come to the surface one after the other, higher ones in the
 * east. */
TEST(beds_dip)
{
    need_device();
    for (int k = 0; k < CELLS; k++)
        values[k] = 200;
    struct harness_raster east = terrace(EVEN IN("spacing", "30") IN("tilt", "10"), "step");
    struct harness_raster south =
        terrace(EVEN IN("spacing", "30") IN("tilt", "40") IN("direction", "180"), "step");
    double along = tan(10 * 3.14159265358979 / 180), down = tan(40 * 3.14159265358979 / 180);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            double u = (200 + along * 10 * (x + 0.5)) / 30, v = (200 + down * 10 * (y + 0.5)) / 30;
            assert_near(east.data[WIDTH * y + x], u - floor(u), 1e-3);
            assert_near(south.data[WIDTH * y + x], v - floor(v), 1e-3);
        }
    harness_free(&east);
    harness_free(&south);
}

/* A coarse cell's centre is that of the middle one of nine finer ones. */
TEST(beds_do_not_depend_on_resolution)
{
    need_device();
    struct harness_raster grids[2];
    for (int i = 0; i < 2; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 HARNESS_DOCUMENT(
                     "extent=\"9000\" resolution=\"%d\"",
                     "<node id=\"a\" type=\"noise\">" IN(
                         "octaves",
                         "3") "</node>"
                              "<node id=\"n\" type=\"terrace\"><in name=\"terrain\" from=\"a.field\"/>" IN(
                                  "roughness", "200") IN("uniformity", "1") IN("tilt", "5")
                                  IN("sharpness", "0.5") "</node>\n"),
                 i ? 150 : 50);
        grids[i] = harness_run(&h, text, "n", "terrain");
    }
    for (int y = 0; y < 50; y++)
        for (int x = 0; x < 50; x++)
            assert_near(grids[0].data[50 * y + x], grids[1].data[150 * (3 * y + 1) + 3 * x + 1], 0.05);
    harness_free(&grids[0]);
    harness_free(&grids[1]);
}

/* Noise bends the beds by no more than `roughness`, and by much of it. */
TEST(noise_bends_beds)
{
    need_device();
    for (int k = 0; k < CELLS; k++)
        values[k] = 0;
    struct harness_raster place = terrace(IN("uniformity", "1") IN("spacing", "1000") IN("low", "-500")
                                              IN("roughness", "400") IN("feature", "100"),
                                          "step");
    double low = 1, high = 0;
    for (int k = 0; k < CELLS; k++) {
        low = fmin(low, (double)place.data[k]);
        high = fmax(high, (double)place.data[k]);
    }
    assert_true(low >= 0.1 && low < 0.35 && high <= 0.9 && high > 0.65);
    harness_free(&place);
}

TEST(wrong_ranges_are_errors)
{
    need_device();
    struct harness_raster raster = {0};
    const char *document = HARNESS_DOCUMENT(
        "extent=\"100\" resolution=\"8\"",
        "<node id=\"a\" type=\"noise\"/><node id=\"n\" type=\"terrace\"><in name=\"terrain\" "
        "from=\"a.field\"/>" IN("method", "count") IN("low", "5") IN("high", "4") "</node>\n");
    assert_false(harness_try(&h, document, "n", "terrain", &raster));
    assert_non_null(strstr(h.err.text, "must not be above 'high'"));
}

TEST_GROUP(open_harness, close_harness);
