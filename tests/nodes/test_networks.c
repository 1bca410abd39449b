/* Nodes that make, move, draw and use networks. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "formats/network/network_file.h"
#include "terrain/network/compare.h"
#include "tests/nodes/group.h"
#include "tests/support/test.h"

#define IN(name, value) "<in name=\"" name "\" value=\"" value "\"/>"
#define LINK(name, from) "<in name=\"" name "\" from=\"" from "\"/>"
#define NODE(id, type, inputs) "<node id=\"" id "\" type=\"" type "\" x=\"0\" y=\"0\">" inputs "</node>\n"

/* Cells of 100 m. */
enum { SIDE = 40 };
#define DOCUMENT(nodes) HARNESS_DOCUMENT("extent=\"4000\" resolution=\"40\"", nodes)

static const struct oro_network *network_of(const struct harness_raster *result)
{
    const struct oro_network *network = oro_network_of(result->data, result->bytes, &h.err);
    if (!network)
        fail_msg("%s", h.err.text);
    return network;
}

static float cell(const struct harness_raster *field, int x, int y)
{
    return field->data[y * SIDE + x];
}

static void expect_failure(const char *document, const char *node, const char *output, const char *says)
{
    struct harness_raster result = {0};
    if (harness_try(&h, document, node, output, output ? &result : NULL))
        fail_msg("no error that says '%s'", says);
    if (!strstr(h.err.text, says))
        fail_msg("%s", h.err.text);
}

/* ---- From terrains ---- */

static void store_cones(char path[128])
{
    static float z[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) {
        double left = hypot(i % SIDE - 10, i / SIDE - 20), right = hypot(i % SIDE - 30, i / SIDE - 20);
        z[i] = (float)fmax(fmax(1000 - 50 * left, 800 - 50 * right), 0);
    }
    harness_store(&h, "cones.pfm", SIDE, SIDE, z, path);
}

TEST(divide_tree_finds_ridges)
{
    need_device();
    char path[128], text[1024];
    store_cones(path);
    snprintf(text, sizeof text,
             DOCUMENT(NODE("cones", "import", IN("file", "%s")) NODE(
                 "ridges", "divide_tree", LINK("terrain", "cones.terrain") IN("prominence", "100"))),
             path);
    struct harness_raster result = harness_run(&h, text, "ridges", "network");
    assert_int_equal(network_of(&result)->line_count, 2);
    assert_true(harness_figure(&h, "ridges", "peaks") == 2 && harness_figure(&h, "ridges", "saddles") == 1);
    assert_near(harness_figure(&h, "ridges", "length"), 2000, 1e-6);
    harness_free(&result);
}

TEST(nothing_to_find_is_told)
{
    need_device();
    static const char *const nodes[][2] = {{"divide_tree", ""}, {"river_network", IN("threshold", "1e12")}};
    for (int i = 0; i < 2; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 DOCUMENT(NODE("flat", "constant", "") NODE("n", "%s", LINK("terrain", "flat.field") "%s")),
                 nodes[i][0], nodes[i][1]);
        struct harness_raster result = harness_run(&h, text, "n", "network");
        assert_int_equal(network_of(&result)->line_count, 0);
        assert_true(strlen(h.warnings) > 20);
        harness_free(&result);
    }
}

/* Water runs west down a ramp: every inner row is a river. */
TEST(river_network_finds_rivers)
{
    need_device();
    struct harness_raster result =
        harness_run(&h,
                    DOCUMENT(NODE("ramp", "ramp", "") NODE("rivers", "river_network",
                                                           LINK("terrain", "ramp.field")
                                                               IN("threshold", "199999") IN("width", "30"))),
                    "rivers", "network");
    const struct oro_network *n = network_of(&result);
    assert_int_equal(n->line_count, SIDE - 2);
    assert_int_equal(harness_figure(&h, "rivers", "outlets"), SIDE - 2);
    const struct oro_vertex *last = &oro_network_vertices(n)[oro_network_indices(n)[1]];
    assert_true(last->kind == ORO_VERTEX_OUTLET && last->x == 50);
    assert_near(last->drainage, (SIDE - 1) * 1e4, 1);
    assert_near(last->width, 30 * pow((SIDE - 1) * 0.01, 0.4), 1e-3);
    harness_free(&result);
    expect_failure(DOCUMENT(NODE("ramp", "ramp", "") NODE(
                       "rivers", "river_network", LINK("terrain", "ramp.field") IN("borders", "walls"))),
                   "rivers", "network", "nowhere to go");
}

/* ---- Files ---- */

/* Written for a map, and read from it again. */
TEST(networks_are_exported_and_imported)
{
    need_device();
    char path[128], text[2048];
    harness_path(&h, "net.geojson", path);
#define MAP IN("origin", "600000 200000") IN("north_up", "true")
    snprintf(
        text, sizeof text,
        DOCUMENT(NODE("out", "network_export", IN("network", "0 0 5, 1000 500 6 40") IN("file", "%s") MAP)),
        path);
    if (!harness_try(&h, text, "out", NULL, NULL))
        fail_msg("%s", h.err.text);
    struct oro_network *written = oro_network_file_read(path, NULL, NULL, NULL);
    assert_true(oro_network_vertices(written)[1].x == 601000 && oro_network_vertices(written)[1].y == 199500);
    oro_free(written);
    snprintf(text, sizeof text, DOCUMENT(NODE("in", "network_import", IN("file", "%s") MAP)), path);
    struct harness_raster result = harness_run(&h, text, "in", "network");
    const struct oro_vertex *v = oro_network_vertices(network_of(&result));
    assert_true(v[0].x == 0 && v[0].y == 0 && v[0].elevation == 5);
    assert_true(v[1].x == 1000 && v[1].y == 500 && v[1].elevation == 6 && v[1].width == 40);
    assert_string_equal(h.warnings, "");
    harness_free(&result);
}

TEST(degrees_are_noticed)
{
    need_device();
    char path[128], text[1024];
    harness_path(&h, "degrees.geojson", path);
    struct oro_network *network = oro_network_parse("7.5 46.1, 7.6 46.2", NULL);
    assert_true(oro_geojson_write(network, NULL, path, NULL));
    oro_free(network);
    snprintf(text, sizeof text, DOCUMENT(NODE("in", "network_import", IN("file", "%s"))), path);
    struct harness_raster result = harness_run(&h, text, "in", "network");
    assert_non_null(strstr(h.warnings, "longitudes"));
    harness_free(&result);
}

TEST(files_are_needed)
{
    need_device();
    expect_failure(DOCUMENT(NODE("in", "network_import", "")), "in", "network", "no file given");
    expect_failure(DOCUMENT(NODE("in", "network_import", IN("file", "none.geojson"))), "in", "network",
                   "none.geojson");
    expect_failure(DOCUMENT(NODE("out", "network_export", IN("network", "0 0"))), "out", NULL,
                   "no file given");
    expect_failure(DOCUMENT(NODE("out", "network_export", IN("network", "0 0") IN("file", "x.png"))), "out",
                   NULL, ".geojson");
}

/* ---- Lines ---- */

TEST(rasterize_draws)
{
    need_device();
    struct harness_raster field =
        harness_run(&h,
                    DOCUMENT(NODE("n", "network_rasterize",
                                  IN("network", "50 50, 3950 3950; 3050 1050; 9e8 -9e8, 9e8 9e8"))),
                    "n", "field");
    for (int i = 0; i < SIDE; i++)
        assert_near(cell(&field, i, i), 1, 1e-5);
    assert_true(cell(&field, 30, 10) == 1 && cell(&field, 31, 10) == 0 && cell(&field, 12, 10) == 0);
    assert_true(cell(&field, 5, 30) == 0);
    harness_free(&field);
    field = harness_run(&h,
                        DOCUMENT(NODE("n", "network_rasterize",
                                      IN("network", "-5000 2050, 9000 2050 1 800") IN("width", "400")
                                          IN("feather", "400") IN("use_width", "true"))),
                        "n", "field");
    /* Half the width goes from 200 to 400 m along the line; the edge falls to 0 within 400 m beyond. */
    double half = 200 + 200 * 7050 / 14000.0;
    assert_near(cell(&field, 20, 21), 1, 1e-6);
    assert_near(cell(&field, 20, 25), 1 - (500 - half) / 400, 1e-5);
    assert_true(cell(&field, 20, 29) == 0);
    harness_free(&field);
}

#define RIVERS "0 0 90, 1000 0 80; 0 500 85, 1000 0 80; 1000 0 80, 3000 0 50; 9000 0, 9000 10"

TEST(filter_picks)
{
    need_device();
    static const struct {
        const char *name, *value;
        uint32_t lines, vertices;
    } cases[] = {{"order", "0", 4, 6},        {"order", "1", 0, 0},     {"elevation", "85", 2, 3},
                 {"elevation", "90", 1, 2},   {"length", "1500", 1, 2}, {"length", "11", 3, 4},
                 {"elevation", "-1e6", 4, 6}, {"drainage", "1", 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 DOCUMENT(NODE("n", "network_filter", IN("network", RIVERS) IN("%s", "%s"))), cases[i].name,
                 cases[i].value);
        struct harness_raster result = harness_run(&h, text, "n", "network");
        assert_int_equal(network_of(&result)->line_count, cases[i].lines);
        assert_int_equal(network_of(&result)->vertex_count, cases[i].vertices);
        assert_int_equal(strstr(h.warnings, "lines is left") != NULL, cases[i].lines == 0);
        harness_free(&result);
    }
}

/* Two cones that meet at 400 m: their peaks are 2 km apart. */
TEST(filter_picks_kinds)
{
    need_device();
    char path[128];
    store_cones(path);
    static const struct {
        const char *inputs;
        uint32_t lines, vertices;
    } cases[] = {
        {IN("kind", "peaks"), 2, 2},
        {IN("kind", "saddles"), 1, 1},
        {IN("kind", "sources"), 0, 0},
        {IN("kind", "ridges"), 2, 3},
        {IN("kind", "rivers"), 0, 0},
        {IN("kind", "peaks") IN("prominence", "401"), 1, 1},
        {IN("kind", "peaks") IN("prominence_max", "401"), 1, 1},
        {IN("kind", "peaks") IN("prominence_max", "399"), 0, 0},
        {IN("kind", "peaks") IN("elevation", "900"), 1, 1},
        {IN("kind", "peaks") IN("elevation_max", "900"), 1, 1},
        {IN("kind", "peaks") IN("isolation", "2001"), 1, 1},
        {IN("kind", "peaks") IN("isolation", "1999"), 2, 2},
        {IN("kind", "peaks") IN("isolation_max", "2001"), 1, 1},
        {IN("kind", "peaks") LINK("terrain", "cones.terrain") IN("isolation", "1701"), 1, 1},
        {IN("kind", "peaks") LINK("terrain", "cones.terrain") IN("isolation", "1699"), 2, 2},
        {IN("elevation_max", "900"), 1, 2},
        {IN("prominence_max", "500"), 1, 2},
        {IN("length_max", "500"), 0, 0},
        {IN("order_max", "0"), 2, 3},
        {IN("drainage_max", "1"), 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[2048];
        snprintf(text, sizeof text,
                 DOCUMENT(NODE("cones", "import", IN("file", "%s")) NODE(
                     "ridges", "divide_tree", LINK("terrain", "cones.terrain") IN("prominence", "100"))
                              NODE("n", "network_filter", LINK("network", "ridges.network") "%s")),
                 path, cases[i].inputs);
        struct harness_raster result = harness_run(&h, text, "n", "network");
        const struct oro_network *n = network_of(&result);
        if (n->line_count != cases[i].lines || n->vertex_count != cases[i].vertices)
            fail_msg("%s: %u lines, %u vertices", cases[i].inputs, n->line_count, n->vertex_count);
        assert_int_equal(strstr(h.warnings, "lines is left") != NULL, cases[i].lines == 0);
        harness_free(&result);
    }
}

/* ---- Uplift ---- */

/* Along the middle row: 1000 m from beyond the border on, then down to 0, where the range tapers off. */
TEST(ridges_rise_with_elevation)
{
    need_device();
    struct harness_raster field = harness_run(
        &h,
        DOCUMENT(NODE("up", "uplift_from_ridges",
                      IN("network", "-3000 2050 1000, 50 2050 1000, 3950 2050 0") IN("uplift", "0.5")
                          IN("radius", "1000") IN("exponent", "2") IN("least", "0.1"))
                     NODE("n", "uplift_rasterize", LINK("uplift", "up.uplift"))),
        "n", "field");
    assert_near(cell(&field, 0, 20), 0.5, 0.02);
    assert_near(cell(&field, 39, 20), 0.78 * 0.05, 0.01); /* `least` */
    assert_near(cell(&field, 0, 25), 0.5 * pow(1 - 0.25, 3), 0.02);
    /* Foothills: a tenth of it, twice as far. */
    assert_near(cell(&field, 0, 30), 0.05 * pow(1 - 0.25, 3), 0.002);
    assert_near(cell(&field, 39, 22), 0, 1e-3);
    harness_free(&field);
    /* Loops are as good as any ridge, and without elevations all is as high. */
    field = harness_run(
        &h,
        DOCUMENT(NODE("up", "uplift_from_ridges",
                      IN("network", "1050 1050, 3050 1050, 3050 3050, 1050 3050, 1050 1050")
                          IN("radius", "500")) NODE("n", "uplift_rasterize", LINK("uplift", "up.uplift"))),
        "n", "field");
    assert_near(cell(&field, 20, 10), 0.0005, 1e-6);
    assert_near(cell(&field, 20, 20), 0, 1e-8);
    harness_free(&field);
}

/* A straight line has, by rule, an eighth of its length as radius, and a quarter as width. */
TEST(widths_follow_the_spacing)
{
    need_device();
    struct harness_raster field = harness_run(
        &h,
        DOCUMENT(NODE("up", "uplift_from_ridges", IN("network", "0 2050, 4000 2050") IN("foothills", "0"))
                     NODE("n", "uplift_rasterize", LINK("uplift", "up.uplift"))),
        "n", "field");
    assert_near(harness_figure(&h, "up", "radius"), 500, 1e-6);
    assert_true(cell(&field, 20, 24) > 0 && cell(&field, 20, 26) == 0);
    harness_free(&field);
    field = harness_run(&h,
                        DOCUMENT(NODE("up", "uplift_from_rivers", IN("network", "0 2050, 4000 2050"))
                                     NODE("n", "uplift_rasterize", LINK("uplift", "up.uplift"))),
                        "n", "field");
    assert_true(cell(&field, 20, 24) < 0.0005f && cell(&field, 20, 26) == 0.0005f);
    harness_free(&field);
    /* Points span nothing. */
    field = harness_run(&h,
                        DOCUMENT(NODE("up", "uplift_from_ridges", IN("network", "2050 2050"))
                                     NODE("n", "uplift_rasterize", LINK("uplift", "up.uplift"))),
                        "n", "field");
    assert_near(harness_figure(&h, "up", "radius"), 3000, 1e-6);
    harness_free(&field);
}

#define FROM_RIVERS(network, inputs)                                                                         \
    DOCUMENT(NODE("two", "constant", IN("value", "2"))                                                       \
                 NODE("up", "uplift_from_rivers", IN("network", network) IN("profile", "0 0, 1 1") inputs)   \
                     NODE("n", "uplift_rasterize", LINK("uplift", "up.uplift")))

TEST(rivers_carve_valleys)
{
    need_device();
    struct harness_raster field = harness_run(
        &h, FROM_RIVERS("50 2050, 3950 2050", IN("uplift", "0.1") IN("width", "2000")), "n", "field");
    assert_near(cell(&field, 20, 20), 0, 1e-6);
    assert_near(cell(&field, 20, 25), 0.05, 1e-5);
    assert_near(cell(&field, 20, 35), 0.1, 1e-6);
    harness_free(&field);
    /* A background is carved in proportion. */
    field = harness_run(
        &h, FROM_RIVERS("50 2050, 3950 2050", LINK("background", "two.field") IN("width", "2000")), "n",
        "field");
    assert_near(cell(&field, 20, 25), 1, 1e-4);
    assert_near(cell(&field, 20, 35), 2, 1e-5);
    harness_free(&field);
    /* Widths that are told, and those by order: two of the first make one of the second. */
    field =
        harness_run(&h, FROM_RIVERS("50 2050 0 1000, 3950 2050 0 1000", IN("uplift", "0.1")), "n", "field");
    assert_near(cell(&field, 20, 22), 0.04, 1e-5);
    harness_free(&field);
    field = harness_run(&h,
                        FROM_RIVERS("50 50, 2050 2050; 3950 50, 2050 2050; 2050 2050, 2050 3950",
                                    IN("uplift", "0.1") IN("width", "2000") IN("exponent", "0.5")),
                        "n", "field");
    assert_near(cell(&field, 25, 35), 0.05, 1e-5);
    assert_near(cell(&field, 0, 4), 0.1 * 400 / M_SQRT2 / (500 + 500 * 0.1), 0.01);
    harness_free(&field);
}

TEST(rivers_must_make_sense)
{
    need_device();
    expect_failure(FROM_RIVERS("0 0, 1000 0, 1000 1000, 0 0", ""), "up", "uplift", "loop");
    assert_non_null(strstr(h.err.text, "near 0, 0 m"));
    struct harness_raster result =
        harness_run(&h, FROM_RIVERS("0 0 10, 1000 0 20, 2000 0 15", ""), "n", "field");
    assert_non_null(strstr(h.warnings, "inconsistent: 1 "));
    harness_free(&result);
    result = harness_run(&h, FROM_RIVERS("", IN("uplift", "0.25")), "n", "field");
    assert_near(cell(&result, 20, 20), 0.25, 1e-6);
    harness_free(&result);
}

/* ---- There and back ---- */

/* A terrain in balance with an uneven uplift, and one made of nothing but its ridges, or its rivers, over
 * other noise, by the nodes' defaults: both have them in the same places. `even` is one that knows nothing of
 * the first. */
#define TWIN                                                                                                 \
    HARNESS_DOCUMENT(                                                                                        \
        "extent=\"12800\" resolution=\"128\" seed=\"7\"",                                                    \
        NODE("noise", "noise", IN("feature", "4500"))                                                        \
            NODE("uneven", "remap", LINK("field", "noise.field") IN("to_high", "0.0012"))                    \
                NODE("first", "stream_power", LINK("uplift", "uneven.field"))                                \
                    NODE("ridges", "divide_tree", LINK("terrain", "first.terrain"))                          \
                        NODE("rivers", "river_network", LINK("terrain", "first.terrain"))                    \
                            NODE("ranges", "uplift_from_ridges", LINK("network", "ridges.network"))          \
                                NODE("valleys", "uplift_from_rivers", LINK("network", "rivers.network"))     \
                                    SECOND("ranged", LINK("uplift", "ranges.uplift"))                        \
                                        SECOND("carved", LINK("uplift", "valleys.uplift"))                   \
                                            SECOND("even", ""))
#define SECOND(id, uplift) NODE(id, "stream_power", uplift IN("seed", "5"))

typedef bool compare(const struct oro_ground *a, const struct oro_ground *b, double cell, double threshold,
                     struct oro_comparison *out, struct oro_error *err);

/* Mean distance, in cells, of what the nodes' defaults find in the first terrain to as much in another. */
static double cells_between(compare *how, double threshold, const char *other)
{
    enum { SIDE_OF_TWIN = 128 };
    static const double cell_of_twin = 100;
    struct harness_raster first = harness_run(&h, TWIN, "first", "terrain"),
                          second = harness_run(&h, TWIN, other, "terrain");
    struct oro_ground a = {.width = SIDE_OF_TWIN, .height = SIDE_OF_TWIN, .z = first.data}, b = a;
    struct oro_comparison found;
    b.z = second.data;
    if (!how(&a, &b, cell_of_twin, threshold, &found, &h.err))
        fail_msg("%s", h.err.text);
    harness_free(&first);
    harness_free(&second);
    return found.mean / cell_of_twin;
}

TEST(ridges_and_rivers_come_back)
{
    need_device();
    double ridges = cells_between(oro_compare_ridges, 50, "ranged"); /* crests cut corners */
    print_message("ridges %.2f cells off\n", ridges);
    assert_true(ridges < 1.3);
    assert_true(cells_between(oro_compare_rivers, 5e5, "carved") < 0.4);
    assert_true(cells_between(oro_compare_ridges, 50, "even") > 3);
    assert_true(cells_between(oro_compare_rivers, 5e5, "even") > 3);
}

TEST_GROUP(open_harness, close_harness);
