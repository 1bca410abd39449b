/* phasor: other resolutions, its parameters, and wrong maps. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "tests/nodes/hills.h"
#include "tests/nodes/site.h"
#include "tests/support/test.h"

/* ---- Resolution ---- */

/* The same places at different resolutions, and in a preview. */
TEST(same_at_every_resolution)
{
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

TEST(preview_without_what_it_cannot_carry)
{
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

/* Hills with rough crests, or with `crest` 0 without. */
#define ROUGH(scale, levels, crest, octaves)                                                                 \
    HILLS RAVINES("p", IN("scale", scale) IN("frequency", "0.004") IN("levels", levels) IN("crest", crest)   \
                           IN("crest_octaves", octaves))

/* With at most 72 cells, for which the second level is too fine. */
static struct harness_raster take_preview(const char *nodes)
{
    h.options.max_resolution = 72;
    struct harness_raster preview = take(nodes, "p", "detail");
    h.options.max_resolution = 0;
    return preview;
}

/* The first level and its crests are those of a build with one level and cells as wide. Of the noise on
 * crests the largest layer is left, no stronger than among all. */
TEST(preview_without_the_second_level)
{
    need_device();
    struct harness_raster preview = take_preview(ROUGH("9", "2", "0.5", "5"));
    struct harness_raster build = take(ROUGH("3", "1", "0.5", "5"), "p", "detail"),
                          bare = take(ROUGH("3", "1", "0", "5"), "p", "detail"),
                          layer = take(ROUGH("3", "1", "0.5", "1"), "p", "detail");
    assert_int_equal(preview.grid.width, 72);
    assert_true(largest_difference(&preview, &build) == 0);
    assert_true(largest_difference(&build, &bare) > 3);
    const float all = 1 + 0.5f + 0.25f + 0.125f + 0.0625f;
    for (size_t i = 0; i < oro_grid_cells(&preview.grid); i++)
        assert_near(all * (preview.data[i] - bare.data[i]), layer.data[i] - bare.data[i], 1e-3);
    harness_free(&preview);
    harness_free(&build);
    harness_free(&bare);
    harness_free(&layer);
}

/* The same noise is on crests with the second level as without. */
TEST(preview_has_the_crests_of_the_build)
{
    need_device();
    const char *rough = ROUGH("9", "2", "0.5", "1"), *bare = ROUGH("9", "2", "0", "1");
    struct harness_raster few[] = {take_preview(rough), take_preview(bare)};
    struct harness_raster all[] = {take(rough, "p", "detail"), take(bare, "p", "detail")};
    assert_int_equal(all[0].grid.width, 216);
    assert_true(largest_difference(&few[0], &few[1]) > 5);
    for (int i = 0; i < 72 * 72; i++) {
        int k = (3 * (i / 72) + 1) * 216 + 3 * (i % 72) + 1;
        assert_near(few[0].data[i] - few[1].data[i], all[0].data[k] - all[1].data[k], 0.01);
    }
    for (int i = 0; i < 2; i++) {
        harness_free(&few[i]);
        harness_free(&all[i]);
    }
}

/* Waves that only the build's cells can carry are no error while a node upstream is held back. */
TEST(preview_of_finer_ground)
{
    need_device();
    const char *nodes = HILLS NODE("u", "upsample", LINK("terrain", "m.field") IN("factor", "4"))
        NODE("p", "phasor",
             LINK("terrain", "u.terrain") IN("scale", "1") IN("frequency", "0.008") IN("levels", "1"));
    struct harness_raster preview = take_preview(nodes);
    assert_non_null(strstr(h.warnings, "the cells of this preview are too wide"));
    assert_null(strstr(h.warnings, "lowered"));
    struct harness_raster build = take(nodes, "p", "detail");
    assert_null(strstr(h.warnings, "phasor"));
    assert_int_equal(preview.grid.width, 24);
    assert_true(largest(&preview) == 0);
    assert_int_equal(build.grid.width, 96);
    assert_true(largest(&build) > 10);
    harness_free(&preview);
    harness_free(&build);
}

TEST(says_what_cells_cannot_carry)
{
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

TEST(drawn_profile)
{
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
TEST(cascade_vanishes_in_ravines)
{
    need_device();
#define PLAIN LEVELS IN("c", "24") IN("crest", "0") IN("least_slope", "0")
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

TEST(seeds_and_repeats)
{
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

/* Largest detail in columns [from, to) of 96. */
static float largest_in(const struct harness_raster *r, int from, int to)
{
    float most = 0;
    for (int i = 0; i < 96 * 96; i++)
        if (i % 96 >= from && i % 96 < to)
            most = fmaxf(most, fabsf(r->data[i]));
    return most;
}

TEST(level_ground_stays)
{
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

/* A lake below hills, which ends in the middle of its last column of cells: the blurred terrain slopes in it.
 */
TEST(lakes_stay_level)
{
    need_device();
    enum { SHORE = 11 };
    float ground[24 * 24];
    char path[128], nodes[2048];
    for (int i = 0; i < 24 * 24; i++)
        ground[i] = (float)(40 * (i % 24 > SHORE ? i % 24 - SHORE : 0));
    harness_store(&h, "lake.pfm", 24, 24, ground, path);
#define LAKE(inputs)                                                                                         \
    NODE("f", "import", IN("file", "%s") IN("size", "file"))                                                 \
    NODE("p", "phasor", LINK("terrain", "f.terrain") IN("rivers", "false") IN("scale", "4") inputs)
    snprintf(nodes, sizeof nodes, LAKE(""), path);
    struct harness_raster detail = take(nodes, "p", "detail");
    snprintf(nodes, sizeof nodes, LAKE(IN("least_slope", "0")), path);
    struct harness_raster everywhere = take(nodes, "p", "detail");
    assert_true(largest_in(&detail, 0, 4 * (SHORE - 2) + 2) == 0);
    assert_true(largest_in(&detail, 4 * SHORE, 96) > 20);
    assert_true(largest_in(&everywhere, 4 * (SHORE - 4), 4 * (SHORE - 2)) > 20);
    harness_free(&detail);
    harness_free(&everywhere);
}

TEST(distance_keeps_it_away)
{
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

TEST(maps_without_meaning)
{
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
TEST(frequencies_of_a_map)
{
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

TEST(one_cell)
{
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

/* ---- The terrain's own ridges ---- */

enum { ROWS = 90, RIDGE_CELL = 20 };

/* Ridges every `spacing` metres, turned by `angle`, with ripples that are too low to count. */
static double counted(double spacing, double angle)
{
    float *z = site_uniform(ROWS, ROWS, 0);
    for (int i = 0; i < ROWS * ROWS; i++) {
        double across = (i % ROWS * cos(angle) + i / ROWS * sin(angle)) * RIDGE_CELL;
        z[i] = (float)(300 * cos(across * 2 * 3.14159265358979 / spacing) + 3 * cos(i * 2.5));
    }
    struct site site = site_start(&h, ROWS, ROWS, RIDGE_CELL);
    site_raster(&site, "z", z);
    site_node(&site, "n", "ridge_frequency", LINK("terrain", "z.terrain") IN("ratio", "1"));
    float *frequency = site_take(&site, "n", "frequency");
    double got = (double)frequency[0];
    assert_true(frequency[ROWS * ROWS - 1] == frequency[0]);
    oro_free(frequency);
    oro_free(z);
    return got;
}

TEST(ridges_are_counted)
{
    need_device();
    for (int turn = 0; turn < 4; turn++)
        for (int k = 0; k < 2; k++) {
            double spacing = k ? 150 : 300, got = counted(spacing, 0.4 * turn);
            assert_near(got * spacing, 1, 0.15); /* a ridge at the border is no ridge */
        }
}

TEST(frequency_by_the_ridges)
{
    need_device();
    struct harness_raster given = take(HILLS NODE("f", "ridge_frequency", LINK("terrain", "m.field"))
                                           RAVINES("p", IN("scale", "4") LINK("frequency", "f.frequency")),
                                       "p", "detail");
    struct harness_raster found =
        take(HILLS RAVINES("p", IN("scale", "4") IN("frequency", "0")), "p", "detail");
    assert_true(largest(&given) > 1);
    assert_true(largest_difference(&given, &found) == 0);
    harness_free(&given);
    harness_free(&found);
}

TEST_GROUP(open_harness, close_harness);
