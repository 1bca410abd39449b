/* colorize: the gradient's colours, layers on it, their weights, light. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/nodes/group.h"
#include "tests/support/test.h"

#define IN(name, value) "<in name=\"" name "\" value=\"" value "\"/>"
#define LINK(name, from) "<in name=\"" name "\" from=\"" from "\"/>"

enum { CELLS = 9 };
static const float field[CELLS] = {-50, 0, 12.5f, 25, 40, 50, 75, 100, 130};

/* Evaluates `colorize` on `field`, one row of cells. `nodes` go before it; `inputs` is XML. */
static struct harness_raster paint(const char *nodes, const char *inputs, const char *output)
{
    char path[128], text[4096], name[32];
    static int number;
    snprintf(name, sizeof name, "field%d.pfm", number++);
    harness_store(&h, name, CELLS, 1, field, path);
    snprintf(text, sizeof text,
             HARNESS_DOCUMENT("extent=\"90\" resolution=\"%d\"",
                              "<node id=\"f\" type=\"import\">" IN("file", "%s")
                                  IN("size", "file") "</node>\n%s"
                                                     "<node id=\"n\" type=\"colorize\">" LINK(
                                                         "field", "f.terrain") "%s</node>\n"),
             CELLS, path, nodes, inputs);
    struct harness_raster raster = harness_run(&h, text, "n", output);
    assert_int_equal(raster.channels, 4);
    return raster;
}

static void expect_colour(const float *colour, double r, double g, double b, double a, double tolerance)
{
    const double wanted[4] = {r, g, b, a};
    for (int i = 0; i < 4; i++)
        assert_near(colour[i], wanted[i], tolerance);
}

#define HUNDRED IN("automatic", "false") IN("high", "100")
#define THREE IN("colours", "0 #204060, 0.25 #ff800080, 1 #0a141e")
static const double stops[3][4] = {{32 / 255.0, 64 / 255.0, 96 / 255.0, 1},
                                   {1, 128 / 255.0, 0, 128 / 255.0},
                                   {10 / 255.0, 20 / 255.0, 30 / 255.0, 1}};

TEST(gradients_are_followed)
{
    need_device();
    static const char *const kinds[] = {"linear", "smooth", "steps"};
    for (int kind = 0; kind < 3; kind++) {
        char inputs[512];
        snprintf(inputs, sizeof inputs, HUNDRED THREE IN("interpolation", "%s"), kinds[kind]);
        struct harness_raster image = paint("", inputs, "image");
        for (int i = 0; i < CELLS; i++) {
            double x = fmin(fmax((double)field[i] / 100, 0), 1);
            int before = x < 0.25 ? 0 : x < 1 ? 1 : 2, after = before < 2 ? before + 1 : 2;
            double t = before == 0 ? x / 0.25 : before == 1 ? (x - 0.25) / 0.75 : 0;
            t = kind == 0 ? t : kind == 1 ? t * t * (3 - 2 * t) : 0;
            bool exact = t == 0;
            for (int c = 0; c < 4; c++) {
                double wanted = stops[before][c] + t * (stops[after][c] - stops[before][c]);
                assert_near(image.data[4 * i + c], wanted, 1e-6);
                assert_true(!exact || image.data[4 * i + c] == (float)stops[before][c]);
            }
        }
        harness_free(&image);
    }
}

TEST(ranges_are_found)
{
    need_device();
    struct harness_raster own = paint("", IN("colours", "0 #000000, 1 #ffffff"), "image");
    struct harness_raster values =
        paint("", IN("automatic", "false") IN("high", "1") IN("colours", "0 #000000, 100 #ffffff"), "image");
    struct harness_raster down = paint(
        "", IN("automatic", "false") IN("low", "100") IN("high", "0") IN("colours", "0 #000000, 1 #ffffff"),
        "image");
    struct harness_raster one = paint("", IN("colours", "0.5 #804020"), "image");
    struct harness_raster point =
        paint("", IN("automatic", "false") IN("low", "3") IN("high", "3") THREE, "image");
    for (int i = 0; i < CELLS; i++) {
        double x = ((double)field[i] + 50) / 180, y = fmin(fmax((double)field[i] / 100, 0), 1);
        expect_colour(own.data + 4 * i, x, x, x, 1, 1e-6);
        expect_colour(values.data + 4 * i, y, y, y, 1, 1e-6);
        expect_colour(down.data + 4 * i, 1 - y, 1 - y, 1 - y, 1, 1e-6);
        expect_colour(one.data + 4 * i, 128 / 255.0, 64 / 255.0, 32 / 255.0, 1, 1e-7);
        expect_colour(point.data + 4 * i, stops[0][0], stops[0][1], stops[0][2], 1, 1e-7);
    }
    harness_free(&own);
    harness_free(&values);
    harness_free(&down);
    harness_free(&one);
    harness_free(&point);
}

/* Every pair of neighbours among as many stops as there may be. */
TEST(many_stops_have_their_places)
{
    need_device();
    char inputs[1024] = "<in name=\"colours\" value=\"0 #000000";
    for (int i = 1; i < 32; i++)
        snprintf(inputs + strlen(inputs), sizeof inputs - strlen(inputs), ", %d #%02x%02x00", 4 * i, 8 * i,
                 255 - 8 * i);
    strcat(inputs, "\"/>" IN("automatic", "false") IN("high", "1"));
    struct harness_raster image = paint("", inputs, "image");
    for (int i = 1; i < CELLS; i++) {
        double x = fmin((double)field[i] / 4, 31), t = x - floor(x);
        if (floor(x) < 1)
            continue;
        double red = 8 * (floor(x) + t) / 255;
        expect_colour(image.data + 4 * i, red, 1 - red, 0, 1, 1e-5);
    }
    harness_free(&image);
}

static const char layers[] = IN("colours", "0 #000000") IN("layer1", "0.5") IN("colour1", "#ff0000")
    IN("layer2", "0.25") IN("colour2", "#00ff00") IN("layer3", "1") IN("colour3", "#0000ff80")
        IN("layer4", "0.1") IN("colour4", "#ffffff");

TEST(layers_lie_on_one_another)
{
    need_device();
    struct harness_raster image = paint("", layers, "image");
    struct harness_raster splat = paint("", layers, "splat");
    double half = 128 / 255.0;
    const double seen[4] = {0.5 * 0.75 * (1 - half) * 0.9, 0.25 * (1 - half) * 0.9, half * 0.9, 0.1};
    for (int i = 0; i < CELLS; i++) {
        expect_colour(splat.data + 4 * i, seen[0], seen[1], seen[2], seen[3], 1e-6);
        expect_colour(image.data + 4 * i, seen[0] + seen[3], seen[1] + seen[3], seen[2] + seen[3], 1, 1e-6);
    }
    harness_free(&image);
    harness_free(&splat);
}

/* Weights from fields, which may lie outside 0..1. */
TEST(layers_are_fields)
{
    need_device();
    struct harness_raster splat =
        paint("<node id=\"w\" type=\"remap\">" LINK("field", "f.terrain") IN("automatic", "false")
                  IN("high", "100") IN("clamp", "false") "</node>",
              LINK("layer2", "w.field") IN("layer4", "0.5"), "splat");
    struct harness_raster none = paint("", "", "splat");
    for (int i = 0; i < CELLS; i++) {
        double weight = fmin(fmax((double)field[i] / 100, 0), 1), sum = 0;
        expect_colour(splat.data + 4 * i, 0, weight / 2, 0, 0.5, 1e-6);
        for (int c = 0; c < 4; c++)
            sum += (double)splat.data[4 * i + c];
        assert_true(sum <= 1 + 1e-6);
        expect_colour(none.data + 4 * i, 0, 0, 0, 0, 0);
    }
    harness_free(&splat);
    harness_free(&none);
}

/* A layer on transparent ground keeps its own colour, and is not mixed with an invisible one. */
TEST(transparent_ground_has_no_colour)
{
    need_device();
    struct harness_raster image =
        paint("", IN("colours", "0 #ff00ff00") IN("layer1", "0.25") IN("colour1", "#204060"), "image");
    struct harness_raster bare = paint("", IN("colours", "0 #ff00ff00"), "image");
    expect_colour(image.data, stops[0][0], stops[0][1], stops[0][2], 0.25, 1e-6);
    expect_colour(bare.data, 1, 0, 1, 0, 0);
    harness_free(&image);
    harness_free(&bare);
}

#define PICTURE                                                                                              \
    "<node id=\"p\" type=\"colorize\">" LINK("field", "f.terrain")                                           \
        HUNDRED IN("colours", "0 #ff8000, 1 #008040") "</node>"

TEST(light_multiplies)
{
    need_device();
    struct harness_raster shaded =
        paint(PICTURE, IN("colours", "0 #ffffff") LINK("shade", "p.image"), "image");
    struct harness_raster half = paint(
        PICTURE, IN("colours", "0 #808080") LINK("shade", "p.image") IN("shading", "0.5") IN("light", "0.8"),
        "image");
    struct harness_raster bright = paint("", IN("colours", "0 #804020c0") IN("light", "3"), "image");
    struct harness_raster off =
        paint(PICTURE, THREE HUNDRED LINK("shade", "p.image") IN("shading", "0"), "image");
    struct harness_raster plain = paint("", THREE HUNDRED, "image");
    for (int i = 0; i < CELLS; i++) {
        double x = fmin(fmax((double)field[i] / 100, 0), 1), grey = 128 / 255.0;
        double light[3] = {1 - x, grey, 64 / 255.0 * x};
        expect_colour(shaded.data + 4 * i, light[0], light[1], light[2], 1, 1e-6);
        expect_colour(half.data + 4 * i, grey * 0.4 * (1 + light[0]), grey * 0.4 * (1 + light[1]),
                      grey * 0.4 * (1 + light[2]), 1, 1e-6);
        expect_colour(bright.data + 4 * i, 1, 192 / 255.0, 96 / 255.0, 192 / 255.0, 1e-6);
    }
    assert_memory_equal(off.data, plain.data, 4 * CELLS * sizeof(float));
    harness_free(&shaded);
    harness_free(&half);
    harness_free(&bright);
    harness_free(&off);
    harness_free(&plain);
}

TEST_GROUP(open_harness, close_harness);
