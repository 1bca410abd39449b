/* Hydraulic erosion with wrong and extreme input: an error that names it, a warning, or a sound result. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/nodes/group.h"
#include "tests/nodes/site.h"
#include "tests/support/test.h"

enum { SIDE = 24, CELLS = SIDE * SIDE };
#define WORLD(nodes) HARNESS_DOCUMENT("extent=\"480\" resolution=\"24\"", nodes)
#define NODE(id, type, inputs) "<node id=\"" id "\" type=\"" type "\" x=\"0\" y=\"0\">" inputs "</node>\n"
#define HILLS NODE("hills", "noise", IN("feature", "200") IN("amplitude", "100"))
#define EROSION(inputs)                                                                                      \
    NODE("n", "hydraulic_erosion", LINK("terrain", "hills.field") IN("iterations", "5") inputs)

static void expect_error(const char *inputs, const char *part)
{
    char text[4096];
    snprintf(text, sizeof text, WORLD(HILLS EROSION("%s")), inputs);
    if (harness_try(&h, text, "n", "terrain", NULL))
        fail_msg("%s: no error", inputs);
    if (!strstr(h.err.text, part))
        fail_msg("%s: '%s', not '%s'", inputs, h.err.text, part);
}

TEST(numbers_out_of_range_are_refused)
{
    need_device();
    static const char *const inputs[][2] = {
        {IN("gravity", "0"), "gravity"},
        {IN("gravity", "-9.81"), "gravity"},
        {IN("rain", "-0.01"), "rain"},
        {IN("rain", "nan"), "rain"},
        {IN("pipe_area", "0"), "pipe_area"},
        {IN("time_step", "-1"), "time_step"},
        {IN("friction", "-1"), "friction"},
        {IN("evaporation", "-1"), "evaporation"},
        {IN("film", "0"), "film"},
        {IN("reference_cell", "0"), "reference_cell"},
        {IN("collision", "1.5"), "collision"},
        {IN("hardness", "2"), "hardness"},
        {IN("neighbours", "6"), "neighbours"},
        {IN("borders", "none"), "borders"},
        {IN("iterations", "-1"), "iterations"},
    };
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        char text[4096];
        snprintf(text, sizeof text,
                 WORLD(HILLS NODE("n", "hydraulic_erosion", LINK("terrain", "hills.field") "%s")),
                 inputs[i][0]);
        assert_false(harness_try(&h, text, "n", "terrain", NULL));
        if (!strstr(h.err.text, inputs[i][1]))
            fail_msg("%s: '%s'", inputs[i][0], h.err.text);
    }
}

TEST(bad_springs_are_refused)
{
    need_device();
    expect_error(IN("springs", "10 10 1; 900 10 1"), "spring 2 lies at 900 10");
    expect_error(IN("springs", "-1 10 1"), "spring 1 lies at -1 10");
    expect_error(IN("springs", "10 10"), "spring 1 has 2 numbers");
    expect_error(IN("springs", "10 10 1 1"), "spring 1 has 4 numbers");
    expect_error(IN("springs", "10 10 much"), "'much' is not a number");
    expect_error(IN("springs", "10 10 nan"), "'nan' is not a number");
    expect_error(IN("springs", "10 10 -3"), "rate -3 is not within");
}

/* The paper's limit, l^1.5 / sqrt(2 A g), is named. */
TEST(unstable_time_steps_are_shortened)
{
    need_device();
    const char *text = WORLD(HILLS EROSION(IN("time_step", "%s") IN("reference_cell", "20")));
    char document[4096];
    snprintf(document, sizeof document, text, "0.3");
    struct harness_raster raster = harness_run(&h, document, "n", "terrain");
    harness_free(&raster);
    assert_non_null(strstr(h.warnings, "'time_step' 0.3 is not stable"));
    double taken = harness_figure(&h, "n", "time_step"), limit = 1 / sqrt(2 * 20 * 9.81);
    assert_true(taken < limit && taken > 0.9 * limit);
    snprintf(document, sizeof document, text, "0.02");
    raster = harness_run(&h, document, "n", "terrain");
    harness_free(&raster);
    assert_string_equal(h.warnings, "");
    assert_near(harness_figure(&h, "n", "time_step"), 0.02, 1e-8);
}

/* Rain of less than a step of depth is not silently lost. */
TEST(elevations_too_large_for_the_rain)
{
    need_device();
    const char *text = WORLD(NODE("hills", "noise", IN("feature", "200") IN("amplitude", "1000000")) EROSION(
        IN("rain", "%s") IN("time_step", "0.02") IN("reference_cell", "20")));
    char document[4096];
    snprintf(document, sizeof document, text, "0.0005");
    assert_false(harness_try(&h, document, "n", "terrain", NULL));
    assert_non_null(strstr(h.err.text, "less than a step of depth"));
    snprintf(document, sizeof document, text, "0");
    struct harness_raster raster = harness_run(&h, document, "n", "terrain");
    harness_free(&raster);
}

#define SQUARE(id, of)                                                                                       \
    NODE(id, "combine", LINK("a", of ".field") LINK("b", of ".field") IN("method", "multiply"))
#define NAN_NODES                                                                                            \
    NODE("vast", "constant", IN("value", "1e9"))                                                             \
    SQUARE("vaster", "vast")                                                                                 \
    SQUARE("vastest", "vaster")                                                                              \
    SQUARE("inf", "vastest")                                                                                 \
    NODE("nan", "combine", LINK("a", "inf.field") LINK("b", "inf.field") IN("method", "subtract"))           \
    NODE("low", "constant", IN("value", "-50"))

TEST(rasters_without_numbers_are_refused)
{
    need_device();
    static const char *const names[] = {"terrain", "water", "sediment"};
    static const char *const kinds[] = {"nan", "inf"};
    for (int i = 0; i < 6; i++) {
        char text[4096];
        snprintf(text, sizeof text,
                 WORLD(NAN_NODES HILLS NODE("n", "hydraulic_erosion", "%s" LINK("%s", "%s.field"))),
                 i / 2 ? LINK("terrain", "hills.field") : "", names[i / 2], kinds[i % 2]);
        assert_false(harness_try(&h, text, "n", "terrain", NULL));
        if (!strstr(h.err.text, names[i / 2]))
            fail_msg("%s of %s: '%s'", kinds[i % 2], names[i / 2], h.err.text);
    }
}

static void check_finite(const char *document, const char *output)
{
    struct harness_raster raster = harness_run(&h, document, "n", output);
    for (size_t i = 0; i < oro_grid_cells(&raster.grid) * (size_t)raster.channels; i++)
        if (!isfinite(raster.data[i]) || (raster.channels == 1 && output[0] != 't' && raster.data[i] < 0))
            fail_msg("%s is %g: %s", output, (double)raster.data[i], document);
    harness_free(&raster);
}

/* A map that holds no numbers, or numbers out of range, does no harm. */
TEST(maps_out_of_range_do_no_harm)
{
    need_device();
    static const char *const maps[] = {"rain",     "evaporation", "capacity",   "deposition", "erosion_depth",
                                       "hardness", "slide_rate",  "talus_bias", "mask"};
    static const char *const kinds[] = {"nan", "inf", "low"}, *const outputs[] = {"terrain", "water",
                                                                                  "sediment", "hardness",
                                                                                  "velocity"};
    for (int i = 0; i < 9; i++)
        for (int k = 0; k < 3; k++)
            for (int o = 0; o < 5; o++) {
                char text[4096];
                snprintf(text, sizeof text, WORLD(NAN_NODES HILLS EROSION(LINK("%s", "%s.field"))), maps[i],
                         kinds[k]);
                check_finite(text, outputs[o]);
            }
}

TEST(negative_water_counts_as_none)
{
    need_device();
    const char *bad =
                   WORLD(NAN_NODES HILLS EROSION(LINK("water", "low.field") LINK("sediment", "low.field"))),
               *none = WORLD(HILLS EROSION(""));
    struct harness_raster a = harness_run(&h, bad, "n", "water"), b = harness_run(&h, none, "n", "water");
    assert_int_equal(a.bytes, b.bytes);
    assert_memory_equal(a.data, b.data, a.bytes);
    harness_free(&a);
    harness_free(&b);
}

/* A run continues from another's outputs: all water and sediment are still there. */
TEST(runs_chain)
{
    need_device();
    const char *chain = WORLD(HILLS EROSION("") NODE(
        "m", "hydraulic_erosion",
        LINK("terrain", "n.terrain") LINK("water", "n.water") LINK("sediment", "n.sediment")
            LINK("hardness", "n.hardness") IN("iterations", "%s") IN("duration", "0") IN("evaporation", "0")
                IN("borders", "walls")));
    static const char *const names[] = {"terrain", "water", "sediment", "hardness"};
    char text[4096];
    for (int i = 0; i < 4; i++) {
        snprintf(text, sizeof text, chain, "0");
        struct harness_raster from = harness_run(&h, text, "n", names[i]),
                              to = harness_run(&h, text, "m", names[i]);
        for (int c = 0; c < CELLS; c++)
            assert_near(from.data[c], to.data[c], i == 3 ? 1e-6 : 1e-4);
        harness_free(&from);
        harness_free(&to);
    }
    snprintf(text, sizeof text, chain, "40");
    struct harness_raster end = harness_run(&h, text, "m", "water");
    double evaporated = harness_figure(&h, "m", "water_evaporated"),
           fallen = harness_figure(&h, "m", "water_fallen");
    assert_near(evaporated, 0, 1e-5 * fallen);
    assert_true(fallen > 0);
    harness_free(&end);
}

TEST_GROUP(open_harness, close_harness);
