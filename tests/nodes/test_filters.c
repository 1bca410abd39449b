/* Filters, masks, upsample, hillshade, export. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "formats/format.h"
#include "tests/nodes/group.h"
#include "tests/support/test.h"

#define IN(name, value) "<in name=\"" name "\" value=\"" value "\"/>"
#define LINK(name, from) "<in name=\"" name "\" from=\"" from "\"/>"

enum { SIDE_MAX = 256 };
static float values[SIDE_MAX * SIDE_MAX];

/* Evaluates a node that takes `values` (width x height cells of 10 m) in `input`. `inputs` is XML. */
static struct harness_raster filter(const char *type, int width, int height, const char *input,
                                    const char *inputs, const char *output)
{
    char path[128], text[4096];
    static int number;
    char name[32];
    snprintf(name, sizeof name, "values%d.pfm", number++);
    harness_store(&h, name, width, height, values, path);
    snprintf(text, sizeof text,
             HARNESS_DOCUMENT("extent=\"%d\" resolution=\"%d\"",
                              "<node id=\"f\" type=\"import\" x=\"0\" y=\"0\">" IN("file", "%s")
                                  IN("size", "file") "</node>\n<node id=\"n\" type=\"%s\" x=\"0\" "
                                                     "y=\"0\"><in name=\"%s\" from=\"f.terrain\"/>"
                                                     "%s</node>\n"),
             10 * width, width, path, type, input, inputs);
    return harness_run(&h, text, "n", output);
}

static void fill_plane(int width, int height, double east, double south, double base)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            values[width * y + x] = (float)(base + east * (x + 0.5) * 10 + south * (y + 0.5) * 10);
}

TEST(combine_computes)
{
    need_device();
    static const struct {
        const char *inputs;
        double result;
    } cases[] = {
        {IN("b", "5"), 8},
        {IN("b", "5") IN("method", "subtract"), -2},
        {IN("b", "5") IN("method", "multiply"), 15},
        {IN("b", "5") IN("method", "min"), 3},
        {IN("b", "5") IN("method", "max"), 5},
        {IN("b", "5") IN("method", "smooth_min") IN("smoothness", "0"), 3},
        {IN("b", "3") IN("method", "smooth_min") IN("smoothness", "4"), 2},
        {IN("b", "3") IN("method", "smooth_max") IN("smoothness", "4"), 4},
        {IN("b", "9") IN("method", "smooth_max") IN("smoothness", "4"), 9},
        {IN("b", "5") IN("method", "lerp") IN("t", "0.25"), 3.5},
        {IN("b", "5") IN("mask", "0.5"), 5.5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int k = 0; k < 6; k++)
            values[k] = 3;
        struct harness_raster result = filter("combine", 3, 2, "a", cases[i].inputs, "field");
        assert_int_equal(result.grid.width, 3);
        for (int k = 0; k < 6; k++)
            assert_near(result.data[k], cases[i].result, 1e-6);
        harness_free(&result);
    }
}

TEST(combine_takes_numbers_alone)
{
    need_device();
    struct harness_raster sum =
        harness_run(&h,
                    HARNESS_DOCUMENT("extent=\"100\" resolution=\"5\"",
                                     "<node id=\"n\" type=\"combine\" x=\"0\" y=\"0\">" IN("a", "2")
                                         IN("b", "3") "</node>\n"),
                    "n", "field");
    assert_int_equal(sum.grid.width, 5);
    assert_near(sum.data[24], 5, 1e-6);
    harness_free(&sum);
}

TEST(remap_follows_range_and_curve)
{
    need_device();
    const float given[5] = {-10, 0, 25, 100, 130};
    memcpy(values, given, sizeof given);
    struct harness_raster fixed = filter("remap", 5, 1, "field",
                                         IN("automatic", "false") IN("high", "100") IN("to_low", "10")
                                             IN("to_high", "20") IN("curve", "0 0, 0.5 1, 1 1"),
                                         "field");
    struct harness_raster open = filter(
        "remap", 5, 1, "field", IN("automatic", "false") IN("high", "100") IN("clamp", "false"), "field");
    struct harness_raster automatic = filter("remap", 5, 1, "field", "", "field");
    for (int i = 0; i < 5; i++) {
        double t = fmin(fmax((double)given[i] / 100, 0), 1);
        assert_near(fixed.data[i], 10 + 10 * fmin(2 * t, 1), 1e-5);
        assert_near(open.data[i], given[i] / 100, 1e-6);
        assert_near(automatic.data[i], (given[i] + 10) / 140, 1e-6);
    }
    harness_free(&fixed);
    harness_free(&open);
    harness_free(&automatic);
}

TEST(remap_of_level_ground_is_level)
{
    need_device();
    for (int i = 0; i < 4; i++)
        values[i] = 7;
    struct harness_raster level = filter("remap", 2, 2, "field", "", "field");
    for (int i = 0; i < 4; i++)
        assert_true(level.data[i] == 0);
    harness_free(&level);
}

static double sum_of(const struct harness_raster *raster)
{
    double sum = 0;
    for (size_t i = 0; i < oro_grid_cells(&raster->grid); i++)
        sum += (double)raster->data[i];
    return sum;
}

/* Radii from less than a cell to several times the raster. */
TEST(blur_keeps_constants_and_mass)
{
    need_device();
    static const char *const radii[] = {"0", "3", "60", "400", "2000", "100000"};
    for (size_t i = 0; i < sizeof radii / sizeof radii[0]; i++) {
        char inputs[64];
        snprintf(inputs, sizeof inputs, IN("radius", "%s"), radii[i]);
        for (int k = 0; k < 97 * 40; k++)
            values[k] = 1234.5f;
        struct harness_raster level = filter("blur", 97, 40, "field", inputs, "field");
        for (int k = 0; k < 97 * 40; k++)
            assert_true(level.data[k] == 1234.5f);
        memset(values, 0, sizeof values);
        values[97 * 20 + 48] = 1000;
        values[3] = 500;
        struct harness_raster spots = filter("blur", 97, 40, "field", inputs, "field");
        assert_near(sum_of(&spots), 1500, 0.5);
        harness_free(&level);
        harness_free(&spots);
    }
}

/* The standard deviation is half the radius, whether one stage does it or several. */
TEST(blur_has_its_width)
{
    need_device();
    static const int sigmas[] = {2, 5, 9, 13, 20};
    for (int i = 0; i < 5; i++) {
        char inputs[64];
        snprintf(inputs, sizeof inputs, IN("radius", "%d"), 20 * sigmas[i]);
        memset(values, 0, sizeof values);
        values[201 * 100 + 100] = 1;
        struct harness_raster spot = filter("blur", 201, 201, "field", inputs, "field");
        double sum = 0, spread = 0, s2 = sigmas[i] * sigmas[i];
        for (int y = 0; y < 201; y++)
            for (int x = 0; x < 201; x++) {
                double value = (double)spot.data[201 * y + x];
                sum += value;
                spread += value * (x - 100) * (x - 100);
                double gauss =
                    exp(-0.5 * ((x - 100) * (x - 100) + (y - 100) * (y - 100)) / s2) / (6.283185307 * s2);
                assert_near(value, gauss, 0.01 / (6.283185307 * s2));
            }
        assert_near(spread / sum / s2, 1, 0.01);
        harness_free(&spot);
    }
}

TEST(blur_obeys_its_mask)
{
    need_device();
    fill_plane(20, 20, 0, 0, 0);
    values[210] = 100;
    struct harness_raster none = filter("blur", 20, 20, "field", IN("mask", "0"), "field");
    struct harness_raster half = filter("blur", 20, 20, "field", IN("mask", "0.5"), "field");
    struct harness_raster full = filter("blur", 20, 20, "field", "", "field");
    assert_memory_equal(none.data, values, 400 * sizeof(float));
    assert_near(half.data[210], 0.5 * (100 + (double)full.data[210]), 1e-4);
    harness_free(&none);
    harness_free(&half);
    harness_free(&full);
}

TEST(slope_of_a_plane)
{
    need_device();
    static const int sizes[][2] = {{31, 17}, {1, 9}, {9, 1}, {1, 1}};
    for (int i = 0; i < 4; i++) {
        int width = sizes[i][0], height = sizes[i][1];
        fill_plane(width, height, 0.5, -0.25, 100);
        struct harness_raster angle = filter("slope", width, height, "terrain", "", "field");
        double tangent = hypot(width > 1 ? 0.5 : 0, height > 1 ? 0.25 : 0);
        for (int k = 0; k < width * height; k++)
            assert_near(angle.data[k], atan(tangent) * 57.29577951308232, 1e-3);
        harness_free(&angle);
    }
}

/* The same beyond the centres of the border cells: no rims. */
TEST(upsample_continues_planes)
{
    need_device();
    static const char *const methods[] = {"catmull_rom", "b_spline", "bilinear"};
    for (int i = 0; i < 3; i++) {
        char inputs[128];
        snprintf(inputs, sizeof inputs, IN("factor", "4") IN("method", "%s"), methods[i]);
        fill_plane(9, 6, 0.3, -0.2, 2000);
        struct harness_raster fine = filter("upsample", 9, 6, "terrain", inputs, "terrain");
        assert_int_equal(fine.grid.width, 36);
        assert_int_equal(fine.grid.height, 24);
        assert_near(fine.grid.cell, 2.5, 1e-9);
        for (int y = 0; y < 24; y++)
            for (int x = 0; x < 36; x++)
                assert_near(fine.data[36 * y + x], 2000 + 0.3 * (x + 0.5) * 2.5 - 0.2 * (y + 0.5) * 2.5,
                            5e-4);
        harness_free(&fine);
        fill_plane(9, 6, 0, 0, 4321.123);
        struct harness_raster level = filter("upsample", 9, 6, "terrain", inputs, "terrain");
        for (int k = 0; k < 36 * 24; k++)
            assert_true(level.data[k] == 4321.123f);
        harness_free(&level);
    }
}

/* Catmull-Rom goes through its samples: at an odd factor the middle cells lie on them. */
TEST(upsample_interpolates)
{
    need_device();
    for (int i = 0; i < 64; i++)
        values[i] = (float)((i * 37) % 23);
    struct harness_raster fine = filter("upsample", 8, 8, "terrain", IN("factor", "3"), "terrain");
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++)
            assert_near(fine.data[24 * (3 * y + 1) + 3 * x + 1], values[8 * y + x], 1e-4);
    harness_free(&fine);
}

TEST(upsample_obeys_the_cap)
{
    need_device();
    fill_plane(8, 8, 0.1, 0.7, 3);
    h.options.max_resolution = 15;
    struct harness_raster held = filter("upsample", 8, 8, "terrain", "", "terrain");
    h.options.max_resolution = 16;
    struct harness_raster raised = filter("upsample", 8, 8, "terrain", "", "terrain");
    h.options.max_resolution = 0;
    assert_int_equal(held.grid.width, 8);
    assert_memory_equal(held.data, values, 64 * sizeof(float));
    assert_int_equal(raised.grid.width, 16);
    harness_free(&held);
    harness_free(&raised);
}

TEST(upsample_refuses_what_is_too_large)
{
    need_device();
    struct harness_raster raster = {0};
    const char *document =
        HARNESS_DOCUMENT("extent=\"100\" resolution=\"4096\" aspect=\"0.001\"",
                         "<node id=\"c\" type=\"constant\" x=\"0\" y=\"0\"/><node id=\"n\" type=\"upsample\" "
                         "x=\"0\" y=\"0\">" LINK("terrain", "c.field") IN("factor", "64") "</node>\n");
    assert_false(harness_try(&h, document, "n", "terrain", &raster));
    assert_non_null(strstr(h.err.text, "lower 'factor'"));
}

TEST(hillshade_of_a_plane_is_even)
{
    need_device();
    static const char *const inputs[] = {IN("tint", "0") IN("ambient", "0"),
                                         IN("tint", "0") IN("ambient", "0") IN("method", "single")};
    for (int i = 0; i < 2; i++) {
        fill_plane(20, 12, -0.3, -0.3, 1000);
        struct harness_raster away = filter("hillshade", 20, 12, "terrain", inputs[i], "image");
        fill_plane(20, 12, 0.3, 0.3, 1000);
        struct harness_raster facing = filter("hillshade", 20, 12, "terrain", inputs[i], "image");
        assert_int_equal(facing.channels, 4);
        for (int k = 0; k < 240; k++) {
            for (int c = 0; c < 3; c++)
                assert_near(facing.data[4 * k + c], facing.data[0], 1e-3);
            assert_true(facing.data[4 * k + 3] == 1);
        }
        assert_true(facing.data[0] > away.data[0] + 0.05f);
        harness_free(&away);
        harness_free(&facing);
    }
}

/* Level ground, lit as if it rose to the north-east. */
TEST(hillshade_takes_a_gradient)
{
    need_device();
    const char *document = HARNESS_DOCUMENT(
        "extent=\"100\" resolution=\"10\"",
        "<node id=\"c\" type=\"constant\" x=\"0\" y=\"0\"/>"
        "<node id=\"t\" type=\"tensor_field\" x=\"0\" y=\"0\">" IN(
            "angle", "45") "</node>"
                           "<node id=\"n\" type=\"hillshade\" x=\"0\" y=\"0\">" LINK("terrain", "c.field")
                               LINK("gradient", "t.direction") IN("tint", "0") IN("method", "single")
                                   IN("exaggeration", "1") IN("azimuth", "%d") "</node>\n");
    static const int azimuths[] = {225, 45, 135};
    double light[3];
    for (int i = 0; i < 3; i++) {
        char text[2048];
        snprintf(text, sizeof text, document, azimuths[i]);
        struct harness_raster image = harness_run(&h, text, "n", "image");
        for (int k = 0; k < 100; k++)
            assert_near(image.data[4 * k], image.data[0], 1e-6);
        light[i] = (double)image.data[0];
        harness_free(&image);
    }
    /* The ground rises towards the north-east, by 45 degrees: the light, of that height too, from the
     * south-west meets it at a right angle, that from the north-east grazes it. Shade as in the kernel: 0.86
     * of 0.62 times the light, which is 1 on level ground, and 0.38. */
    assert_near(light[0], 1, 1e-3);
    assert_near(light[1], 0.86 * 0.38, 1e-3);
    assert_near(light[2], 0.86 * (0.62 * sqrt(0.5) + 0.38), 1e-3);
}

TEST(hillshade_draws_rivers)
{
    need_device();
    const char *document = HARNESS_DOCUMENT(
        "extent=\"100\" resolution=\"9\"",
        "<node id=\"c\" type=\"constant\" x=\"0\" y=\"0\"/>"
        "<node id=\"r\" type=\"ramp\" x=\"0\" y=\"0\">" IN(
            "high", "1000") "</node>"
                            "<node id=\"n\" type=\"hillshade\" x=\"0\" y=\"0\">" LINK("terrain", "c.field")
                                LINK("drainage", "r.field") IN("river_area", "300")
                                    IN("river_colour", "#0000ff") "</node>\n");
    struct harness_raster image = harness_run(&h, document, "n", "image");
    assert_true(image.data[4 * 8] < 0.05f && image.data[4 * 8 + 2] > 0.9f);
    assert_true(image.data[0] > 0.3f);
    harness_free(&image);
}

/* An overlay from -2 in the west to 3 in the east, on level grey ground: none, half, all of its colour. */
TEST(hillshade_paints_the_overlay)
{
    need_device();
    const char *document = HARNESS_DOCUMENT(
        "extent=\"100\" resolution=\"10\"",
        "<node id=\"c\" type=\"constant\" x=\"0\" y=\"0\"/>"
        "<node id=\"r\" type=\"ramp\" x=\"0\" y=\"0\">" IN("low", "-2")
            IN("high", "3") "</node>"
                            "<node id=\"n\" type=\"hillshade\" x=\"0\" y=\"0\">" LINK("terrain", "c.field")
                                LINK("overlay", "r.field") IN("tint", "0")
                                    IN("overlay_colour", "#00ff00") "</node>\n");
    struct harness_raster image = harness_run(&h, document, "n", "image");
    float ground = image.data[0];
    for (int x = 0; x < 10; x++) {
        float strength = fminf(fmaxf(-2 + 5 * ((float)x + 0.5f) / 10, 0), 1);
        assert_near(image.data[4 * x], ground * (1 - strength), 1e-3);
        assert_near(image.data[4 * x + 1], ground + (1 - ground) * strength, 2e-3);
    }
    assert_near(ground, 0.86, 1e-3);
    harness_free(&image);
}

/* A plane that rises by 0.75 to the east and by 1 to the north: normals lean to the south-west. */
TEST(normal_map_of_a_plane)
{
    static const struct {
        const char *inputs;
        double x, y, scale, shift;
    } cases[] = {{"", -0.75, -1, 0.5, 0.5},
                 {IN("convention", "directx"), -0.75, 1, 0.5, 0.5},
                 {IN("values", "vector"), -0.75, -1, 1, 0},
                 {IN("strength", "2"), -1.5, -2, 0.5, 0.5}};
    need_device();
    fill_plane(9, 7, 0.75, -1, 40);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct harness_raster normal = filter("normal_map", 9, 7, "terrain", cases[i].inputs, "normal");
        double x = cases[i].x, y = cases[i].y, scale = cases[i].scale / sqrt(x * x + y * y + 1);
        assert_int_equal(normal.channels, 4);
        for (int k = 0; k < 63; k++) {
            assert_near(normal.data[4 * k], x * scale + cases[i].shift, 1e-5);
            assert_near(normal.data[4 * k + 1], y * scale + cases[i].shift, 1e-5);
            assert_near(normal.data[4 * k + 2], scale + cases[i].shift, 1e-5);
            assert_near(normal.data[4 * k + 3], 1, 1e-9);
        }
        harness_free(&normal);
    }
}

TEST(export_takes_options_of_its_format_alone)
{
    static const char *const options[] = {IN("bits", "16"), IN("compress", "zstd"), IN("cog", "true"),
                                          IN("half", "true"), IN("tiled", "true")};
    need_device();
    fill_plane(12, 7, 13, 2, 10);
    for (int i = 0; i < 5; i++) {
        char path[128], inputs[512];
        bool exr = i > 2;
        harness_path(&h, exr ? "out.exr" : "out.tif", path);
        snprintf(inputs, sizeof inputs, IN("file", "%s") "%s", path, options[i]);
#ifdef OROGRAPH_GDAL
        filter("export", 12, 7, "terrain", inputs, NULL);
        struct oro_heightfield field = {0};
        assert_true(oro_heightfield_read(path, NULL, &field, &h.err));
        for (int k = 0; k < 84; k++)
            assert_near(field.data[k], values[k], i == 3 ? 0.13 : 0.012);
        oro_heightfield_free(&field);
#endif
        char document[1024];
        snprintf(document, sizeof document,
                 HARNESS_DOCUMENT("extent=\"100\" resolution=\"9\"",
                                  "<node id=\"c\" type=\"constant\" x=\"0\" y=\"0\"/>"
                                  "<node id=\"n\" type=\"export\" x=\"0\" y=\"0\">" LINK("terrain", "c.field")
                                      IN("file", "%s") "%s</node>\n"),
                 exr ? "out.tif" : "out.exr", options[i]);
        assert_false(harness_try(&h, document, "n", NULL, NULL));
        assert_non_null(strstr(h.err.text, exr ? "only .exr files" : "GeoTIFF"));
    }
}

TEST(export_writes_what_reading_gives_back)
{
    need_device();
    static const char *const names[] = {"out.png", "out.pfm", "out.r16"};
    for (int i = 0; i < 3; i++) {
        char path[128], inputs[512];
        harness_path(&h, names[i], path);
        snprintf(inputs, sizeof inputs, IN("file", "%s") IN("low", "0") IN("high", "6553.5"), path);
        fill_plane(12, 7, 13, 2, 10);
        struct harness_raster none = filter("export", 12, 7, "terrain", inputs, NULL);
        assert_null(none.data);
        assert_non_null(strstr(h.warnings, "wrote "));
        assert_non_null(strstr(h.warnings, "12 x 7"));
        struct oro_heightfield field = {0};
        assert_true(oro_heightfield_read(path, NULL, &field, &h.err));
        assert_int_equal(field.width, 12);
        assert_true(field.metres);
        for (int k = 0; k < 84; k++)
            assert_near(field.data[k], values[k], 0.051);
        oro_heightfield_free(&field);
    }
}

TEST(export_presets_are_the_known_ones)
{
    need_device();
    const struct oro_input *preset =
        oro_type_input(oro_registry_find(&oro_builtin_nodes, "export"), "preset");
    for (int i = 0; preset->choices[i] || oro_size_presets[i]; i++)
        assert_string_equal(preset->choices[i], oro_size_presets[i]);
    char path[128], inputs[512];
    harness_path(&h, "sized.pfm", path);
    snprintf(inputs, sizeof inputs, IN("file", "%s") IN("preset", "power_of_two"), path);
    fill_plane(30, 15, 1, 1, 0);
    filter("export", 30, 15, "terrain", inputs, NULL);
    struct oro_heightfield field = {0};
    assert_true(oro_heightfield_read(path, NULL, &field, &h.err));
    assert_int_equal(field.width, 32);
    assert_int_equal(field.height, 16);
    oro_heightfield_free(&field);
}

TEST(export_says_what_is_missing)
{
    need_device();
    const char *nothing =
        HARNESS_DOCUMENT("extent=\"100\" resolution=\"9\"",
                         "<node id=\"n\" type=\"export\" x=\"0\" y=\"0\">" IN("file", "a.png") "</node>\n");
    const char *no_name = HARNESS_DOCUMENT(
        "extent=\"100\" resolution=\"9\"",
        "<node id=\"c\" type=\"constant\" x=\"0\" y=\"0\"/>"
        "<node id=\"n\" type=\"export\" x=\"0\" y=\"0\">" LINK("terrain", "c.field") "</node>\n");
    assert_false(harness_try(&h, nothing, "n", NULL, NULL));
    assert_non_null(strstr(h.err.text, "link 'terrain' or 'image'"));
    assert_false(harness_try(&h, no_name, "n", NULL, NULL));
    assert_non_null(strstr(h.err.text, "set 'file'"));
}

TEST_GROUP(open_harness, close_harness);
