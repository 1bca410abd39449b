/* Operators of uplift trees as nodes: their inputs and outputs. Their results are tested in tests/uplift. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/nodes/group.h"
#include "tests/support/test.h"

#define IN(name, value) "<in name=\"" name "\" value=\"" value "\"/>"
#define LINK(name, from) "<in name=\"" name "\" from=\"" from "\"/>"
#define NODE(id, type, inputs) "<node id=\"" id "\" type=\"" type "\" x=\"0\" y=\"0\">" inputs "</node>\n"

/* Cells of 100 m. A field linked to an uplift input is an uplift tree of one raster. `rise` is 0 at the
 * western edge and 0.02 at the eastern. */
enum { SIDE = 20 };
#define DOCUMENT(type, inputs)                                                                               \
    HARNESS_DOCUMENT("extent=\"2000\" resolution=\"20\"",                                                    \
                     NODE("rise", "ramp", IN("high", "0.02")) NODE("two", "constant", IN("value", "2"))      \
                         NODE("three", "constant", IN("value", "3"))                                         \
                             NODE("quarter", "constant", IN("value", "0.25")) NODE("n", type, inputs)        \
                                 NODE("field", "combine", LINK("a", "n.uplift")))

static struct harness_raster result_of(const char *type, const char *inputs)
{
    char text[4096];
    snprintf(text, sizeof text, DOCUMENT("%s", "%s"), type, inputs);
    return harness_run(&h, text, "field", "field");
}

static void expect_everywhere(const char *type, const char *inputs, double value)
{
    struct harness_raster field = result_of(type, inputs);
    assert_int_equal(field.grid.width, SIDE);
    for (int i = 0; i < SIDE * SIDE; i++)
        assert_near(field.data[i], value, 1e-6);
    harness_free(&field);
}

static double rise_at(double x)
{
    return 0.02 * fmin(fmax(x, 50), 1950) / 2000;
}

static double x_of(int i)
{
    return (i % SIDE + 0.5) * 100;
}

static double y_of(int i)
{
    return ((double)(i / SIDE) + 0.5) * 100;
}

TEST(combine_joins)
{
    need_device();
    static const struct {
        const char *method;
        double result;
    } cases[] = {{"max", 3}, {"min", 2}, {"add", 5}, {"carve", 2}, {"multiply", 6}};
    for (int i = 0; i < 5; i++) {
        char inputs[256];
        snprintf(inputs, sizeof inputs, LINK("a", "three.field") LINK("b", "two.field") IN("method", "%s"),
                 cases[i].method);
        expect_everywhere("uplift_combine", inputs, cases[i].result);
    }
    expect_everywhere("uplift_combine", LINK("a", "three.field") IN("method", "min"), 3);
}

TEST(blend_takes_numbers_fields_and_trees)
{
    need_device();
#define BOTH LINK("a", "two.field") LINK("b", "three.field")
    expect_everywhere("uplift_blend", BOTH IN("weight", "0.25"), 2.25);
    expect_everywhere("uplift_blend", BOTH LINK("weight", "quarter.field"), 2.25);
    expect_everywhere("uplift_blend", BOTH LINK("weight", "two.field"), 3);
    struct harness_raster field = harness_run(
        &h,
        HARNESS_DOCUMENT(
            "extent=\"2000\" resolution=\"20\"",
            NODE("two", "constant", IN("value", "2")) NODE("three", "constant", IN("value", "3"))
                NODE("tree", "uplift_transform", LINK("uplift", "three.field") IN("strength", "0.1"))
                    NODE("n", "uplift_blend", BOTH LINK("weight", "tree.uplift"))
                        NODE("field", "combine", LINK("a", "n.uplift"))),
        "field", "field");
    assert_near(field.data[7], 2.3, 1e-6);
    harness_free(&field);
}

TEST(transform_moves_turns_and_strengthens)
{
    need_device();
#define MIDDLE IN("centre", "1000 1000")
    struct harness_raster moved =
        result_of("uplift_transform", LINK("uplift", "rise.field") IN("move", "300 50"));
    struct harness_raster turned = result_of(
        "uplift_transform", LINK("uplift", "rise.field") MIDDLE IN("angle", "90") IN("strength", "2"));
    struct harness_raster mirrored =
        result_of("uplift_transform", LINK("uplift", "rise.field") MIDDLE IN("scale_x", "-2"));
    for (int i = 0; i < SIDE * SIDE; i++) {
        assert_near(moved.data[i], rise_at(x_of(i) - 300), 1e-7);
        assert_near(turned.data[i], 2 * rise_at(y_of(i)), 1e-7);
        assert_near(mirrored.data[i], rise_at(1000 - (x_of(i) - 1000) / 2), 1e-7);
    }
    harness_free(&moved);
    harness_free(&turned);
    harness_free(&mirrored);
}

TEST(warp_twists)
{
    need_device();
    struct harness_raster field = result_of("uplift_warp", LINK("uplift", "rise.field") IN("method", "twist")
                                                               MIDDLE IN("radius", "600") IN("angle", "90"));
    for (int i = 0; i < SIDE * SIDE; i++)
        if (hypot(x_of(i) - 1000, y_of(i) - 1000) > 600)
            assert_near(field.data[i], rise_at(x_of(i)), 1e-7);
    assert_near(field.data[10 * SIDE + 10], rise_at(1050), 5e-5);
    assert_true(field.data[10 * SIDE + 9] >
                field.data[9 * SIDE + 9]); /* what rose to the east rises to the south */
    assert_true(field.data[11 * SIDE + 10] - field.data[8 * SIDE + 10] > 0.002f);
    harness_free(&field);
}

TEST(warp_pushes_about)
{
    need_device();
#define NOISE(more) LINK("uplift", "rise.field") IN("wavelength", "500") more
    struct harness_raster still = result_of("uplift_warp", NOISE(IN("amplitude", "0.01")));
    struct harness_raster pushed = result_of("uplift_warp", NOISE(IN("amplitude", "200")));
    struct harness_raster other = result_of("uplift_warp", NOISE(IN("amplitude", "200") IN("seed", "1")));
    double most = 0, differs = 0;
    for (int i = 0; i < SIDE * SIDE; i++) {
        assert_near(still.data[i], rise_at(x_of(i)), 3e-7);
        most = fmax(most, fabs((double)pushed.data[i] - rise_at(x_of(i))));
        differs = fmax(differs, fabs((double)pushed.data[i] - (double)other.data[i]));
    }
    assert_true(most > 50 * 1e-5 && most < 450 * 1e-5); /* it rises by 1e-5 a metre */
    assert_true(differs > 50 * 1e-5);
    harness_free(&still);
    harness_free(&pushed);
    harness_free(&other);
}

TEST(region_copies_and_cuts)
{
    need_device();
#define REGION                                                                                               \
    LINK("uplift", "rise.field")                                                                             \
    IN("from", "450 450") IN("to", "1550 1550") IN("radius_x", "400") IN("radius_y", "200") IN("feather", "0")
    struct harness_raster copied = result_of("uplift_region", REGION);
    struct harness_raster cut = result_of("uplift_region", REGION IN("cut", "true"));
    struct harness_raster turned = result_of("uplift_region", REGION IN("angle", "90"));
    assert_near(copied.data[15 * SIDE + 15], rise_at(450), 1e-7);
    assert_near(copied.data[15 * SIDE + 18], rise_at(750), 1e-7);
    assert_near(copied.data[18 * SIDE + 15], rise_at(1550), 1e-7);
    assert_near(copied.data[4 * SIDE + 4], rise_at(450), 1e-7);
    assert_near(cut.data[4 * SIDE + 4], 0, 1e-7);
    assert_near(cut.data[15 * SIDE + 15], rise_at(450), 1e-7);
    assert_near(cut.data[4 * SIDE + 10], rise_at(1050), 1e-7);
    assert_near(turned.data[18 * SIDE + 15], rise_at(750), 1e-7);
    assert_near(turned.data[15 * SIDE + 18], rise_at(1850), 1e-7);
    harness_free(&copied);
    harness_free(&cut);
    harness_free(&turned);
}

/* Of a result of REGION and more, at the cell whose centre is at x, y. */
static double region_at(const char *more, int x, int y)
{
    char inputs[2048];
    snprintf(inputs, sizeof inputs, "%s%s", REGION, more);
    struct harness_raster field = result_of("uplift_region", inputs);
    double value = (double)field.data[y / 100 * SIDE + x / 100];
    harness_free(&field);
    return value;
}

TEST(regions_go_to_many_places)
{
    need_device();
#define PLACES IN("places", "1050 250; 350 1550 180;1450 950, 0 -0.5")
    assert_near(region_at(PLACES, 1650, 1550), rise_at(550), 1e-7);
    assert_near(region_at(PLACES, 1150, 250), rise_at(550), 1e-7);
    assert_near(region_at(PLACES, 450, 1550), rise_at(350), 1e-7);
    assert_near(region_at(PLACES, 1550, 950), rise_at(250), 1e-7);
    assert_near(region_at(PLACES, 1650, 950), rise_at(1650), 1e-7); /* it is half as large */
    assert_near(region_at(PLACES IN("paste", "false"), 1150, 250), rise_at(1150), 1e-7);
    assert_near(region_at(IN("mirror", "true"), 1650, 1550), rise_at(350), 1e-7);
    assert_near(region_at(IN("stretch", "0.5"), 1650, 1550), rise_at(650), 1e-7);
    assert_near(region_at(IN("stretch", "0.5"), 1550, 1650), rise_at(450), 1e-7);
    assert_near(region_at(IN("stretch", "0.5"), 1850, 1550), rise_at(1850), 1e-7);
    assert_near(region_at(IN("paste", "false") IN("cut", "true"), 450, 450), 0, 1e-7);
    assert_near(region_at(IN("paste", "false") IN("cut", "true"), 1550, 1550), rise_at(1550), 1e-7);
}

TEST(copies_meet_what_is_there)
{
    need_device();
    assert_near(region_at(IN("method", "add"), 1650, 1550), rise_at(550) + rise_at(1650), 1e-7);
    assert_near(region_at(IN("method", "max"), 1650, 1550), rise_at(1650), 1e-7);
    assert_near(region_at(IN("method", "max") IN("places", "150 1550 0 -1"), 250, 1550), rise_at(350), 1e-7);
}

TEST(regions_have_every_shape)
{
    need_device();
#define LASSO                                                                                                \
    IN("region", "polygon")                                                                                  \
    IN("polygon", "300 300, 700 300, 700 700, 300 700; 400 400, 400 500, 500 500, 500 400")
    assert_near(region_at(LASSO, 1650, 1650), rise_at(550), 1e-7);
    assert_near(region_at(LASSO, 1550, 1550), rise_at(1550), 1e-7); /* a hole */
    assert_near(region_at(LASSO, 1350, 1450), rise_at(1350), 1e-7);
    struct harness_raster soft = result_of(
        "uplift_region",
        LINK("uplift", "rise.field") IN("from", "450 450") IN("to", "1550 1550") IN("region", "polygon")
            IN("polygon", "300 300, 700 300, 700 700, 300 700") IN("feather", "1") IN("method", "add"));
    assert_near(soft.data[17 * SIDE + 17] - (float)rise_at(1750), 0.15625 * rise_at(650),
                3e-5); /* a quarter in */
    harness_free(&soft);
    assert_near(region_at(IN("region", "mask") LINK("mask", "quarter.field"), 1650, 1550),
                0.75 * rise_at(1650) + 0.25 * rise_at(550), 1e-7);
    assert_near(region_at(IN("region", "mask") LINK("mask", "quarter.field"), 850, 1950), rise_at(850), 1e-7);
}

TEST(nonsense_is_refused_in_words)
{
    need_device();
    static const char *const cases[][3] = {
        {"uplift_transform", LINK("uplift", "rise.field") IN("scale_x", "0"), "scale"},
        {"uplift_warp", LINK("uplift", "rise.field") IN("amplitude", "300") IN("wavelength", "500"), "250 m"},
        {"uplift_region", REGION IN("places", "1 2; 3"), "two numbers"},
        {"uplift_region", REGION IN("places", "1 2 0 0"), "not 0"},
        {"uplift_region", REGION IN("places", "1 2 0 1 5"), "two numbers"},
        {"uplift_region", REGION IN("places", "1 x"), "two numbers"},
        {"uplift_region", REGION IN("region", "mask"), "none is linked"},
        {"uplift_region", REGION IN("region", "polygon") IN("polygon", "1 1, 5 5"), "encloses nothing"},
        {"uplift_region", REGION IN("region", "polygon") IN("polygon", ""), "encloses nothing"},
        {"uplift_combine", LINK("b", "rise.field"), "'a' needs a link"},
        {"uplift_blend", LINK("a", "rise.field"), "'b' needs a link"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[4096];
        struct harness_raster field = {0};
        snprintf(text, sizeof text, DOCUMENT("%s", "%s"), cases[i][0], cases[i][1]);
        assert_false(harness_try(&h, text, "field", "field", &field));
        if (!strstr(h.err.text, cases[i][2]))
            fail_msg("%s: %s", cases[i][0], h.err.text);
    }
}

TEST_GROUP(open_harness, close_harness);
