/* phasor: what it does with the terrain itself, with its parameters, and with maps that are wrong. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/nodes/group.h"
#include "tests/nodes/site.h"

#define NODE(id, type, inputs) "<node id=\"" id "\" type=\"" type "\" x=\"0\" y=\"0\">" inputs "</node>\n"
/* Hills on 24 x 24 cells of 100 m. */
#define HILLS NODE("m", "noise", IN("feature", "900") IN("amplitude", "300") IN("octaves", "3"))
#define RAVINES(id, inputs) NODE(id, "phasor", LINK("terrain", "m.field") IN("rivers", "false") inputs)
#define WORLD(nodes) HARNESS_DOCUMENT("extent=\"2400\" resolution=\"24\"", nodes)

static struct harness_raster take(const char *nodes, const char *node, const char *output)
{
    char text[10240];
    snprintf(text, sizeof text, WORLD("%s"), nodes);
    struct harness_raster raster = harness_run(&h, text, node, output);
    for (size_t i = 0; i < oro_grid_cells(&raster.grid) * (size_t)raster.channels; i++)
        assert_true(isfinite(raster.data[i]));
    return raster;
}

static float largest(const struct harness_raster *r)
{
    float most = 0;
    for (size_t i = 0; i < oro_grid_cells(&r->grid) * (size_t)r->channels; i++)
        most = fmaxf(most, fabsf(r->data[i]));
    return most;
}

static float largest_difference(const struct harness_raster *a, const struct harness_raster *b)
{
    float most = 0;
    assert_true(oro_grid_same_size(&a->grid, &b->grid));
    for (size_t i = 0; i < oro_grid_cells(&a->grid) * (size_t)a->channels; i++)
        most = fmaxf(most, fabsf(a->data[i] - b->data[i]));
    return most;
}

/* ---- The terrain ---- */

static void passes_through_the_terrain(void **state)
{
    (void)state;
    need_device();
    struct harness_raster coarse = take(HILLS, "m", "field");
    /* Every third cell of the finer raster, from the second, has the same centre as a coarse one. */
    struct harness_raster fine =
        take(HILLS RAVINES("p", IN("scale", "3") IN("amplitude", "0")), "p", "terrain");
    assert_int_equal(fine.grid.width, 72);
    for (int y = 0; y < 24; y++)
        for (int x = 0; x < 24; x++) {
            if (fabsf(fine.data[(3 * y + 1) * 72 + 3 * x + 1] - coarse.data[y * 24 + x]) > .01f)
                printf("%d %d: %g %g\n", x, y, (double)fine.data[(3 * y + 1) * 72 + 3 * x + 1],
                       (double)coarse.data[y * 24 + x]);
        }
    struct harness_raster same = take(
        HILLS RAVINES("p", IN("scale", "1") IN("amplitude", "0") IN("method", "b_spline")), "p", "terrain");
    assert_true(largest_difference(&same, &coarse) == 0);
    harness_free(&coarse);
    harness_free(&fine);
    harness_free(&same);
}

static void adds_the_detail(void **state)
{
    (void)state;
    need_device();
#define LEVELS IN("scale", "4") IN("frequency", "0.002")
    struct harness_raster bare = take(HILLS RAVINES("p", LEVELS IN("mask", "0")), "p", "terrain"),
                          full = take(HILLS RAVINES("p", LEVELS), "p", "terrain"),
                          detail = take(HILLS RAVINES("p", LEVELS), "p", "detail"),
                          half = take(HILLS RAVINES("p", LEVELS IN("mask", "0.5")), "p", "detail");
    assert_true(largest(&detail) > 20 && largest(&detail) < 60);
    for (size_t i = 0; i < oro_grid_cells(&full.grid); i++) {
        assert_near(full.data[i], bare.data[i] + detail.data[i], 1e-3);
        assert_near(half.data[i], 0.5f * detail.data[i], 1e-3);
    }
    harness_free(&bare);
    harness_free(&full);
    harness_free(&detail);
    harness_free(&half);
}

/* The gradient is that of the terrain: against differences across cells that are small beside the ravines.
 * Crests and the bottoms of this profile are kinks, where differences say little: a quantile is looked at. */
static int by_size(const void *a, const void *b)
{
    float left = *(const float *)a, right = *(const float *)b;
    return (left > right) - (left < right);
}

static void check_gradient(const char *nodes, float tolerance)
{
    enum { SIDE = 768, INNER = SIDE - 2 };
    static float error[INNER * INNER];
    struct harness_raster terrain = take(nodes, "p", "terrain"), gradient = take(nodes, "p", "gradient");
    assert_int_equal(terrain.grid.width, SIDE);
    float width = (float)(2 * terrain.grid.cell);
    for (int i = 0; i < INNER * INNER; i++) {
        int k = (i / INNER + 1) * SIDE + i % INNER + 1;
        float east = (terrain.data[k + 1] - terrain.data[k - 1]) / width;
        float south = (terrain.data[k + SIDE] - terrain.data[k - SIDE]) / width;
        error[i] = fmaxf(fabsf(gradient.data[2 * k] - east), fabsf(gradient.data[2 * k + 1] - south));
    }
    qsort(error, INNER * INNER, sizeof error[0], by_size);
    assert_true(largest(&gradient) > 0.3f);
    assert_near(error[INNER * INNER * 85 / 100], 0, (double)tolerance);
    harness_free(&terrain);
    harness_free(&gradient);
}

static void gradient_is_exact(void **state)
{
    (void)state;
    need_device();
#define SMALL_CELLS IN("scale", "32") IN("frequency", "0.0015") IN("least_slope", "0")
    check_gradient(HILLS RAVINES("p", SMALL_CELLS IN("amplitude", "0")), 0.001f);
    check_gradient(HILLS RAVINES("p", SMALL_CELLS IN("levels", "1") IN("crest", "0")), 0.005f);
    check_gradient(HILLS RAVINES("p", SMALL_CELLS IN("levels", "2") IN("crest", "0")), 0.01f);
    check_gradient(HILLS RAVINES("p", SMALL_CELLS IN("levels", "1") IN("crest", "0.5")
                                          IN("crest_octaves", "2") IN("crest_size", "600")),
                   0.01f);
    check_gradient(HILLS RAVINES("p", SMALL_CELLS IN("levels", "1") IN("crest", "0") IN("profile", "drawn")),
                   0.005f);
    /* The amplitude's own slope counts as well. */
    check_gradient(HILLS NODE("a", "ramp", IN("high", "100")) RAVINES(
                       "p", SMALL_CELLS IN("levels", "2") IN("crest", "0") LINK("amplitude", "a.field")),
                   0.01f);
}

/* ---- Resolution ---- */

/* The same places at different resolutions, and in a preview. */
static void same_at_every_resolution(void **state)
{
    (void)state;
    need_device();
    const char *nine = HILLS RAVINES("p", IN("scale", "9") IN("frequency", "0.002") IN("crest", "0"));
    struct harness_raster fine = take(nine, "p", "detail");
    struct harness_raster three =
        take(HILLS RAVINES("p", IN("scale", "3") IN("frequency", "0.002") IN("crest", "0")), "p", "detail");
    h.options.max_resolution = 80;
    struct harness_raster preview = take(nine, "p", "detail");
    h.options.max_resolution = 0;
    assert_int_equal(preview.grid.width, 72);
    for (int y = 0; y < 72; y++)
        for (int x = 0; x < 72; x++)
            assert_near(fine.data[(3 * y + 1) * 216 + 3 * x + 1], three.data[y * 72 + x], 0.01);
    assert_true(largest_difference(&preview, &three) == 0);
    harness_free(&fine);
    harness_free(&three);
    harness_free(&preview);
}

static void preview_without_what_it_cannot_carry(void **state)
{
    (void)state;
    need_device();
    h.options.max_resolution = 24;
    struct harness_raster preview =
        take(HILLS RAVINES("p", IN("scale", "32") IN("frequency", "0.01")), "p", "detail");
    h.options.max_resolution = 0;
    assert_int_equal(preview.grid.width, 24);
    assert_true(largest(&preview) == 0);
    assert_null(strstr(h.warnings, "is lowered"));
    harness_free(&preview);
}

static void says_what_cells_cannot_carry(void **state)
{
    (void)state;
    need_device();
    struct harness_raster high =
        take(HILLS RAVINES("p", IN("scale", "2") IN("frequency", "0.05")), "p", "detail");
    assert_non_null(strstr(h.warnings, "'frequency' is lowered to 0.005 1/m"));
    assert_non_null(strstr(h.warnings, "of 2 levels of ravines the cells carry 1"));
    struct harness_raster highest =
        take(HILLS RAVINES("p", IN("scale", "2") IN("frequency", "0.005") IN("levels", "1")), "p", "detail");
    assert_string_equal(h.warnings, "");
    assert_true(largest(&highest) > 10);
    assert_near(largest_difference(&high, &highest), 0, 0.01);
    harness_free(&high);
    harness_free(&highest);
}

/* ---- Profile, cascade, seed ---- */

static void drawn_profile(void **state)
{
    (void)state;
    need_device();
    struct harness_raster drawn =
        take(HILLS RAVINES("p", LEVELS IN("profile", "drawn") IN("curve", "0 0, 1 1")), "p", "detail");
    struct harness_raster sharp = take(HILLS RAVINES("p", LEVELS IN("epsilon", "0")), "p", "detail");
    struct harness_raster level =
        take(HILLS RAVINES("p", LEVELS IN("profile", "drawn") IN("curve", "0 0.7, 1 0.7") IN("crest", "0")),
             "p", "detail");
    assert_true(largest(&sharp) > 20);
    assert_true(largest_difference(&drawn, &sharp) < 0.05f);
    assert_true(largest(&level) < 1e-3f);
    harness_free(&drawn);
    harness_free(&sharp);
    harness_free(&level);
}

/* Where the first level is at its lowest, 0 above its bottom, there is nothing of the next. */
static void cascade_vanishes_in_ravines(void **state)
{
    (void)state;
    need_device();
#define PLAIN LEVELS IN("crest", "0") IN("least_slope", "0")
    struct harness_raster one = take(HILLS RAVINES("p", PLAIN IN("levels", "1")), "p", "detail"),
                          two = take(HILLS RAVINES("p", PLAIN IN("levels", "2")), "p", "detail");
    const float bottom = -0.4242f * 60;
    int deep = 0;
    for (size_t i = 0; i < oro_grid_cells(&one.grid); i++) {
        float height = one.data[i] - bottom;
        assert_true(fabsf(two.data[i] - one.data[i]) <= 0.2f * 0.58f * height + 0.01f);
        deep += height < 1;
    }
    assert_true(deep > 100);
    assert_true(largest_difference(&one, &two) > 3);
    harness_free(&one);
    harness_free(&two);
}

static void seeds_and_repeats(void **state)
{
    (void)state;
    need_device();
    struct harness_raster a = take(HILLS RAVINES("p", LEVELS), "p", "detail"),
                          b = take(HILLS RAVINES("q", LEVELS), "q", "detail"),
                          c = take(HILLS RAVINES("p", LEVELS IN("seed", "5")), "p", "detail");
    assert_true(largest_difference(&a, &b) == 0);
    assert_true(largest_difference(&a, &c) > 10);
    harness_free(&a);
    harness_free(&b);
    harness_free(&c);
}

/* ---- Without direction, and with one of its own ---- */

static void level_ground_stays(void **state)
{
    (void)state;
    need_device();
    const char *flat = NODE("m", "constant", IN("value", "50"));
    char nodes[2048];
    snprintf(nodes, sizeof nodes, "%s%s", flat, RAVINES("p", LEVELS IN("least_slope", "0")));
    struct harness_raster detail = take(nodes, "p", "detail");
    assert_true(largest(&detail) == 0);
    snprintf(nodes, sizeof nodes, "%s%s%s", flat, NODE("t", "tensor_field", IN("angle", "30")),
             RAVINES("p", LEVELS IN("levels", "1") LINK("orientation", "t.direction")));
    struct harness_raster striped = take(nodes, "p", "detail");
    assert_true(largest(&striped) > 20);
    harness_free(&detail);
    harness_free(&striped);
}

static void distance_keeps_it_away(void **state)
{
    (void)state;
    need_device();
    const char *way = NODE("d", "ramp", IN("low", "-1200") IN("high", "1200"));
    char nodes[4096];
    snprintf(nodes, sizeof nodes, "%s%s%s", HILLS, way,
             NODE("p", "phasor",
                  LINK("terrain", "m.field") LINK("distance", "d.field") LEVELS IN("reach", "1000")));
    struct harness_raster amplitude = take(nodes, "p", "amplitude");
    snprintf(nodes, sizeof nodes, "%s%s%s", HILLS, way,
             RAVINES("p", LEVELS IN("least_slope", "0") LINK("distance", "d.field")));
    struct harness_raster everywhere = take(nodes, "p", "amplitude");
    int west = 48 * 96 + 20, east = 48 * 96 + 90;
    assert_near(amplitude.data[west], 0, 1e-6);
    assert_true(amplitude.data[east] > 30);
    assert_near(everywhere.data[west], 60, 1e-3);
    harness_free(&amplitude);
    harness_free(&everywhere);
}

/* ---- Maps that are wrong ---- */

/* Left half: `wrong`, by way of what overflows, as files hold no such numbers; right half: `right`. */
static void make_map(float wrong, float right, char *nodes, size_t size)
{
    float map[24 * 24], left[24 * 24];
    char name[2][32], path[2][128];
    static int number;
    const char *of_wrong = isnan(wrong) ? "nan" : isinf(wrong) ? "vast" : "none";
    for (int i = 0; i < 24 * 24; i++) {
        map[i] = i % 24 >= 12 ? right : isfinite(wrong) ? wrong : 0;
        left[i] = i % 24 < 12 ? 1e9f : 0;
    }
    for (int i = 0; i < 2; i++) {
        snprintf(name[i], sizeof name[i], "map%d.pfm", number++);
        harness_store(&h, name[i], 24, 24, i == 0 ? map : left, path[i]);
    }
    snprintf(nodes, size,
             NODE("right", "import", IN("file", "%s") IN("size", "file"))
                 NODE("left", "import", IN("file", "%s") IN("size", "file")) NODE(
                     "vast", "combine", LINK("a", "left.terrain") IN("b", "1e35") IN("method", "multiply"))
                     NODE("nan", "combine",
                          LINK("a", "vast.field") LINK("b", "vast.field") IN("method", "subtract"))
                         NODE("none", "constant", IN("value", "0"))
                             NODE("map", "combine",
                                  LINK("a", "right.terrain") LINK("b", "%s.field") IN("method", "%s")),
             path[0], path[1], of_wrong, wrong < 0 && isinf(wrong) ? "subtract" : "add");
}

static struct harness_raster with_map(const char *input, float wrong, float right)
{
    char map[4096], nodes[8192];
    make_map(wrong, right, map, sizeof map);
    snprintf(nodes, sizeof nodes,
             HILLS "%s" NODE("p", "phasor",
                             LINK("terrain", "m.field") IN("rivers", "false") IN("least_slope", "0")
                                 IN("scale", "4") "<in name=\"%s\" from=\"map.field\"/>"),
             map, input);
    return take(nodes, "p", "detail");
}

/* Largest detail in columns [from, to) of 96. */
static float largest_in(const struct harness_raster *r, int from, int to)
{
    float most = 0;
    for (int i = 0; i < 96 * 96; i++)
        if (i % 96 >= from && i % 96 < to)
            most = fmaxf(most, fabsf(r->data[i]));
    return most;
}

static void maps_without_meaning(void **state)
{
    (void)state;
    need_device();
    const float wrong[] = {0, -0.002f, NAN, -INFINITY, 1e-30f};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct harness_raster detail = with_map("frequency", wrong[i], 0.004f);
        assert_true(largest_in(&detail, 0, 16) == 0);
        assert_true(largest_in(&detail, 60, 96) > 20);
        harness_free(&detail);
        detail = with_map("amplitude", wrong[i], 60);
        assert_true(largest_in(&detail, 0, 40) < 1e-6f);
        assert_true(largest_in(&detail, 60, 96) > 20);
        harness_free(&detail);
    }
    struct harness_raster nothing = with_map("frequency", NAN, 0);
    assert_true(largest(&nothing) == 0);
    harness_free(&nothing);
    struct harness_raster limited = with_map("frequency", INFINITY, 0.004f);
    assert_non_null(strstr(h.warnings, "is lowered to"));
    assert_true(largest_in(&limited, 0, 40) > 20);
    harness_free(&limited);
}

/* Zero crossings of the detail along rows tell its frequency, in 1/m. */
static void frequencies_of_a_map(void **state)
{
    (void)state;
    need_device();
    const char *plane = NODE("m", "ramp", IN("high", "1000") IN("angle", "0"));
    float map[24 * 24];
    char path[128], nodes[4096];
    for (int i = 0; i < 24 * 24; i++)
        map[i] = i % 24 < 12 ? 0.002f : 0.0075f;
    harness_store(&h, "two.pfm", 24, 24, map, path);
    double crossings[2] = {0};
    for (int seed = 0; seed < 4; seed++) {
        snprintf(nodes, sizeof nodes,
                 "%s" NODE("f", "import", IN("file", "%s") IN("size", "file"))
                     RAVINES("p", IN("scale", "8") IN("levels", "1") IN("crest", "0")
                                      LINK("frequency", "f.terrain") IN("seed", "%d")),
                 plane, path, seed);
        struct harness_raster detail = take(nodes, "p", "detail");
        for (int i = 0; i < 192 * 192; i++) {
            int x = i % 192;
            if ((x < 80 || x >= 110) && x < 191)
                crossings[x >= 96] += (detail.data[i] < 0) != (detail.data[i + 1] < 0);
        }
        harness_free(&detail);
    }
    const double length[] = {4 * 192 * 80 * 12.5, 4 * 192 * 81 * 12.5};
    assert_near(crossings[0] / 2 / length[0], 0.002, 0.0004);
    assert_near(crossings[1] / 2 / length[1], 0.0075, 0.001);
}

static void one_cell(void **state)
{
    (void)state;
    need_device();
    char text[1024];
    snprintf(text, sizeof text, HARNESS_DOCUMENT("extent=\"100\" resolution=\"1\"", "%s"),
             NODE("m", "constant", IN("value", "50"))
                 NODE("p", "phasor", LINK("terrain", "m.field") IN("scale", "4") IN("frequency", "0.02")));
    struct harness_raster terrain = harness_run(&h, text, "p", "terrain");
    assert_int_equal(terrain.grid.width, 4);
    for (int i = 0; i < 16; i++)
        assert_near(terrain.data[i], 50, 1e-4);
    harness_free(&terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passes_through_the_terrain),
        cmocka_unit_test(adds_the_detail),
        cmocka_unit_test(gradient_is_exact),
        cmocka_unit_test(same_at_every_resolution),
        cmocka_unit_test(preview_without_what_it_cannot_carry),
        cmocka_unit_test(says_what_cells_cannot_carry),
        cmocka_unit_test(drawn_profile),
        cmocka_unit_test(cascade_vanishes_in_ravines),
        cmocka_unit_test(seeds_and_repeats),
        cmocka_unit_test(level_ground_stays),
        cmocka_unit_test(distance_keeps_it_away),
        cmocka_unit_test(maps_without_meaning),
        cmocka_unit_test(frequencies_of_a_map),
        cmocka_unit_test(one_cell),
    };
    return cmocka_run_group_tests(tests, open_harness, close_harness);
}
