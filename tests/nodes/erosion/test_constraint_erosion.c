/* Laws of constraint erosion, whatever the arithmetic; and the kernels against the functions for the
 * processor, which tests/hydrology takes step by step. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "tests/nodes/group.h"
#include "tests/nodes/site.h"
#include "tests/support/test.h"

enum { SIDE = 96, CELLS = SIDE * SIDE };
#define CELL 80.0
/* The paper's detailed map: eight octaves; half of it is under the sea, or a fifth. */
#define DETAILED IN("feature", "4000") IN("amplitude", "1500") IN("octaves", "8")
#define LOW_SEA IN("sea_level", "-300")
#define UNMOVED IN("value_strength", "0") IN("gradient_strength", "0") IN("broad_strength", "0")

static struct site site_of(const float *terrain, const char *inputs)
{
    struct site site = site_start(&h, SIDE, SIDE, CELL);
    site_raster(&site, "ground", terrain);
    site_node(&site, "e", "constraint_erosion", LINK("terrain", "ground.terrain") "%s", inputs);
    return site;
}

/* One output of one run. */
static float *eroded(const float *terrain, const char *inputs, const char *output)
{
    struct site site = site_of(terrain, inputs);
    return site_take(&site, "e", output);
}

static float *noise(const char *inputs)
{
    char text[1024];
    snprintf(text, sizeof text,
             HARNESS_DOCUMENT("extent=\"7680\" resolution=\"96\"",
                              "<node id=\"m\" type=\"noise\" x=\"0\" y=\"0\">%s</node>"),
             inputs);
    return harness_run(&h, text, "m", "field").data;
}

static double mean(const float *a)
{
    return site_sum(a, CELLS) / CELLS;
}

static double relief(const float *a)
{
    float low = a[0], high = a[0];
    for (int i = 0; i < CELLS; i++) {
        low = fminf(low, a[i]);
        high = fmaxf(high, a[i]);
    }
    return (double)(high - low);
}

/* ---- Constraints ---- */

/* Against the mean of the 5 x 5 cells around. */
static double detail(const float *a, int x, int y)
{
    double sum = 0;
    for (int k = 0; k < 25; k++)
        sum += (double)a[(y + k / 5 - 2) * SIDE + x + k % 5 - 2];
    return (double)a[y * SIDE + x] - sum / 25;
}

/* Of the details of two terrains, on land. */
static double correlation(const float *a, const float *b)
{
    double aa = 0, bb = 0, ab = 0;
    for (int i = 0; i < CELLS; i++) {
        int x = i % SIDE, y = i / SIDE;
        if (x < 2 || y < 2 || x >= SIDE - 2 || y >= SIDE - 2 || a[i] <= -300)
            continue;
        double p = detail(a, x, y), q = detail(b, x, y);
        aa += p * p;
        bb += q * q;
        ab += p * q;
    }
    return ab / sqrt(aa * bb);
}

TEST(gradient_strength_decides_about_detail)
{
    need_device();
    float *map = noise(DETAILED);
    float *high = eroded(map, LOW_SEA IN("gradient_strength", "0.8"), "terrain");
    float *low = eroded(map, LOW_SEA IN("gradient_strength", "0.02"), "terrain");
    print_message("correlation %.3f and %.3f, drift %.2f %% and %.2f %%\n", correlation(map, high),
                  correlation(map, low), 100 * (mean(high) - mean(map)) / relief(map),
                  100 * (mean(low) - mean(map)) / relief(map));
    assert_true(correlation(map, high) >= 0.8);
    assert_true(correlation(map, low) < 0.4);
    assert_near(mean(high), mean(map), 0.02 * relief(map));
    assert_near(mean(low), mean(map), 0.02 * relief(map));
    oro_free(map);
    oro_free(high);
    oro_free(low);
}

TEST(full_strength_keeps_every_height)
{
    need_device();
    float *map = noise(DETAILED);
    float *kept =
        eroded(map, IN("value_strength", "1") IN("roughness", "0") IN("connect", "false"), "terrain");
    assert_true(site_difference(map, kept, CELLS) < 1e-3);
    oro_free(map);
    oro_free(kept);
}

/* The constraints bring heights back without swinging: from noise upon the map, without rain. */
TEST(what_is_held_comes_back)
{
    need_device();
    float *map = noise(DETAILED), *start = site_scatter(SIDE, SIDE, -5, 5, 9);
    for (int i = 0; i < CELLS; i++)
        start[i] += map[i];
    static const char *const gradients[] = {"0", "0.02", "0.8"};
    for (int i = 0; i < 3; i++) {
        char inputs[512];
        snprintf(inputs, sizeof inputs,
                 LINK("start", "start.terrain") IN("moisture", "0") IN("roughness", "0")
                     IN("broad_strength", "1") IN("value_strength", "0.001") IN("breadth", "900")
                         IN("iterations", "1000") IN("gradient_strength", "%s"),
                 gradients[i]);
        struct site site = site_of(map, inputs);
        site_raster(&site, "start", start);
        float *terrain = site_take(&site, "e", "terrain");
        assert_true(site_difference(map, terrain, CELLS) < 4);
        assert_near(mean(terrain), mean(map), 0.05);
        oro_free(terrain);
    }
    oro_free(map);
    oro_free(start);
}

/* ---- Gorges ---- */

/* Cells that are land, and pits: the lowest of their neighbours. */
static int closed(const float *terrain)
{
    int count = 0;
    for (int i = 0; i < CELLS; i++) {
        int x = i % SIDE, y = i / SIDE;
        bool lowest = x > 0 && y > 0 && x < SIDE - 1 && y < SIDE - 1 && terrain[i] > 0;
        for (int k = 0; lowest && k < 9; k++)
            lowest = k == 4 || terrain[i + (k / 3 - 1) * SIDE + k % 3 - 1] >= terrain[i];
        count += lowest;
    }
    return count;
}

TEST(basins_are_connected)
{
    need_device();
    float *map = noise(DETAILED);
    for (int four = 0; four < 2; four++) {
        const char *neighbours = four ? IN("neighbours", "4") : IN("neighbours", "8");
        char inputs[256];
        snprintf(inputs, sizeof inputs, "%s" IN("gradient_strength", "0.02"), neighbours);
        float *terrain = eroded(map, inputs, "terrain");
        assert_true(closed(map) > 20);
        assert_int_equal(closed(terrain), 0);
        oro_free(terrain);
        snprintf(inputs, sizeof inputs, "%s" IN("gradient_strength", "0.02") IN("connect", "false"),
                 neighbours);
        float *alone = eroded(map, inputs, "terrain");
        print_message("%d closed basins before, %d after 100 iterations\n", closed(map), closed(alone));
        assert_true(closed(alone) < closed(map) / 4); /* by the gorges of the iterations alone */
        oro_free(alone);
    }
    oro_free(map);
}

/* Two hollows with a ridge between them, and the sea behind the second. */
static float *two_hollows(void)
{
    float *map = site_uniform(SIDE, SIDE, 0);
    for (int i = 0; i < CELLS; i++) {
        double x = i % SIDE - SIDE / 2, y = i / SIDE - SIDE / 2;
        double a = hypot(x + 20, y), b = hypot(x - 15, y);
        map[i] = (float)(fmin(a * 20 + 200, b * 25 + 120));
        if (x > 25)
            map[i] = -50;
    }
    return map;
}

TEST(a_gorge_crosses_the_lowest_pass)
{
    need_device();
    float *map = two_hollows();
    float *gorges = eroded(map,
                           IN("iterations", "1") IN("roughness", "0") IN("connect", "false")
                               IN("borders", "walls") IN("gorge_strength", "100") IN("jitter", "0"),
                           "gorges");
    int middle = SIDE / 2 * SIDE, west = SIDE / 2 - 20, east = SIDE / 2 + 15, sea = SIDE / 2 + 25;
    for (int x = west; x <= sea; x++) { /* straight over both saddles, one cell aside at most */
        const float *at = gorges + middle + x;
        assert_true(fmaxf(at[0], fmaxf(at[-SIDE], at[SIDE])) == 1);
    }
    assert_true(gorges[middle + west - 2] == 0 && gorges[middle + SIDE * 10 + east] == 0);
    oro_free(map);
    oro_free(gorges);
}

/* A trench through a plateau gets walls of 30 degrees; where the ground was steeper it may stay so. */
TEST(gorges_have_walls)
{
    need_device();
    float *map = two_hollows();
    float *terrain = eroded(map,
                            IN("duration", "0") IN("iterations", "0") IN("roughness", "0")
                                IN("gorge_walls", "30") IN("reference_cell", "1000"),
                            "terrain");
    float *trench =
        eroded(map, IN("duration", "0") IN("iterations", "0") IN("roughness", "0") IN("gorge_walls", "89"),
               "terrain");
    int wide = 0, narrow = 0;
    for (int i = 0; i < CELLS; i++) {
        wide += terrain[i] < map[i] - 1;
        narrow += trench[i] < map[i] - 1;
        for (int k = 0; k < 9; k++) {
            int x = i % SIDE + k % 3 - 1, y = i / SIDE + k / 3 - 1, there = y * SIDE + x;
            if (x < 0 || y < 0 || x >= SIDE || y >= SIDE || terrain[there] >= map[there])
                continue;
            double was = (double)(map[i] - map[there]), is = (double)(terrain[i] - fmaxf(terrain[there], 0));
            double most = tan(30 * 3.14159265 / 180) * CELL * hypot(k % 3 - 1, k / 3 - 1);
            assert_true(is < fmax(most, was) + 0.5 * CELL); /* it fades */
        }
    }
    assert_true(narrow > 20 && wide > 2 * narrow);
    assert_int_equal(closed(terrain), 0);
    oro_free(map);
    oro_free(terrain);
    oro_free(trench);
}

TEST(the_mask_holds_back)
{
    need_device();
    float *map = noise(DETAILED), *half = eroded(map, IN("mask", "0.5"), "terrain");
    float *all = eroded(map, "", "terrain"), *none = eroded(map, IN("mask", "0"), "terrain");
    assert_memory_equal(map, none, CELLS * sizeof *map);
    for (int i = 0; i < CELLS; i++)
        assert_near(half[i], (map[i] + all[i]) / 2, 1e-3);
    oro_free(map);
    oro_free(half);
    oro_free(all);
    oro_free(none);
}

/* On a plane that falls to the west every row drains by itself. */
TEST(drainage_is_an_area)
{
    need_device();
    float *map = site_uniform(SIDE, SIDE, 0);
    for (int i = 0; i < CELLS; i++)
        map[i] = (float)(100 + 7 * (i % SIDE));
    float *drainage = eroded(map,
                             IN("duration", "0") IN("iterations", "0") IN("roughness", "0") IN("jitter", "0")
                                 IN("neighbours", "4") IN("rain_loss", "0") IN("reference_cell", "33"),
                             "drainage");
    for (int i = 0; i < CELLS; i++)
        assert_near(drainage[i], (SIDE - i % SIDE) * CELL * CELL, 1e-4 * CELLS * CELL);
    oro_free(map);
    oro_free(drainage);
}

/* ---- Moisture ---- */

/* The west is high and dry: no water comes in. */
TEST(dry_ground_stays)
{
    need_device();
    float *map = site_rough(SIDE, SIDE, 12, 150, 10, 3), *moisture = site_uniform(SIDE, SIDE, 1);
    for (int i = 0; i < CELLS; i++) {
        int x = i % SIDE;
        map[i] += (float)(30 * (SIDE - x));
        if (x < SIDE / 2)
            moisture[i] = 0;
    }
    struct site site = site_of(map, LINK("moisture", "rain.terrain") UNMOVED);
    site_raster(&site, "rain", moisture);
    float *terrain = site_take(&site, "e", "terrain"), *drainage = site_take(&site, "e", "drainage");
    int worn = 0;
    for (int i = 0; i < CELLS; i++) {
        bool touched = drainage[i] > 0;
        for (int k = 0; k < 9; k++) { /* a gorge's walls are beside it */
            int x = i % SIDE + k % 3 - 1, y = i / SIDE + k / 3 - 1;
            touched = touched || (x >= 0 && y >= 0 && x < SIDE && y < SIDE && drainage[y * SIDE + x] > 0);
        }
        if (!touched)
            assert_true(terrain[i] == map[i]);
        worn += i % SIDE >= SIDE / 2 && terrain[i] < map[i] - 1;
    }
    for (int i = 0; i < CELLS; i++)
        if (i % SIDE < SIDE / 2 - 20)
            assert_true(drainage[i] == 0);
    assert_true(worn > CELLS / 4);
    oro_free(map);
    oro_free(moisture);
    oro_free(terrain);
    oro_free(drainage);
}

TEST(more_rain_erodes_more)
{
    need_device();
    float *map = noise(DETAILED);
    double before = 0;
    for (int i = 0; i <= 6; i++) {
        char inputs[256];
        snprintf(inputs, sizeof inputs, IN("moisture", "%g") IN("roughness", "0") IN("broad_strength", "0"),
                 0.25 * i);
        float *terrain = eroded(map, inputs, "terrain");
        double lost = mean(map) - mean(terrain);
        print_message("moisture %g: %.3f m\n", 0.25 * i, lost);
        if (i == 0)
            assert_memory_equal(map, terrain, CELLS * sizeof *map);
        else
            assert_true(lost > before * 1.02);
        before = lost;
        oro_free(terrain);
    }
    oro_free(map);
}

/* ---- Resolutions ---- */

static float *at_resolution(int side, const char *output, int *cells)
{
    char nodes[1024];
    snprintf(nodes, sizeof nodes,
             "<node id=\"m\" type=\"noise\" x=\"0\" y=\"0\">" IN("feature", "3000") IN("amplitude", "900")
                 IN("octaves", "3") "</node>"
                                    "<node id=\"e\" type=\"constraint_erosion\" x=\"0\" y=\"0\">" LINK(
                                        "terrain", "m.field") IN("gradient_strength", "0.2")
                                        IN("connect", "false") "</node>");
    char text[2048];
    snprintf(text, sizeof text, HARNESS_DOCUMENT("extent=\"7680\" resolution=\"%d\"", "%s"), side, nodes);
    struct harness_raster raster = harness_run(&h, text, strcmp(output, "field") ? "e" : "m", output);
    *cells = side * side;
    return raster.data;
}

/* Mean depth, and its mean over 16 x 16 parts of the world into `parts`. */
static double depth(int side, double parts[256])
{
    int cells, part = side / 16;
    float *map = at_resolution(side, "field", &cells), *terrain = at_resolution(side, "terrain", &cells);
    double sum = 0;
    memset(parts, 0, 256 * sizeof *parts);
    for (int i = 0; i < cells; i++) {
        double change = (double)(map[i] - terrain[i]);
        sum += fabs(change) / cells;
        parts[i / side / part * 16 + i % side / part] += change / (part * part);
    }
    oro_free(map);
    oro_free(terrain);
    return sum;
}

TEST(resolutions_agree)
{
    need_device();
    double coarse[256], fine[256], ab = 0, aa = 0, bb = 0;
    double a = depth(96, coarse), b = depth(192, fine);
    for (int i = 0; i < 256; i++) {
        ab += coarse[i] * fine[i];
        aa += coarse[i] * coarse[i];
        bb += fine[i] * fine[i];
    }
    print_message("depth %.2f m and %.2f m, correlation %.3f\n", a, b, ab / sqrt(aa * bb));
    assert_true(fabs(b / a - 1) < 0.1 && ab / sqrt(aa * bb) > 0.95);
}

/* ---- Kernels and the processor ---- */

static const char *const settings[] = {
    "",
    IN("neighbours", "4") IN("borders", "walls"),
    IN("reference_cell", "320"), /* four rounds, wide neighbourhoods */
    IN("reference_cell", "33") IN("rain_loss", "0"),
    IN("rain_loss", "1") IN("jitter", "0") IN("sea_level", "150"),
    IN("drainage_exponent", "0.6") IN("slope_exponent", "1.3") IN("gorge_exponent", "0.5"),
    IN("breadth", "100000") IN("gorge_strength", "2"),
    LINK("moisture", "rain.terrain") LINK("value_strength", "value.terrain")
        LINK("gradient_strength", "gradient.terrain") LINK("erodibility", "rain.terrain"),
};

static float *with_maps(const float *map, const char *time, const char *inputs, bool kernels)
{
    float *rain = site_scatter(SIDE, SIDE, -0.3, 2.5, 5), *value = site_scatter(SIDE, SIDE, -0.05, 0.1, 6),
          *gradient = site_scatter(SIDE, SIDE, 0, 1.5, 7);
    struct site site = site_start(&h, SIDE, SIDE, CELL);
    site_raster(&site, "ground", map);
    site_raster(&site, "rain", rain);
    site_raster(&site, "value", value);
    site_raster(&site, "gradient", gradient);
    site_node(&site, "e", "constraint_erosion", LINK("terrain", "ground.terrain") "%s%s", time, inputs);
    h.kernels_only = kernels;
    float *terrain = site_take(&site, "e", "terrain");
    h.kernels_only = false;
    oro_free(rain);
    oro_free(value);
    oro_free(gradient);
    return terrain;
}

/* A single iteration agrees up to rounding; after several, a gorge here and there has taken another way. */
static void check_kernels(const float *map, const char *once, const char *seven_times, const char *inputs)
{
    for (int i = 0; i < 2; i++) {
        int apart = 0;
        float *a = with_maps(map, i ? seven_times : once, inputs, true);
        float *b = with_maps(map, i ? seven_times : once, inputs, false);
        for (int k = 0; k < CELLS; k++)
            apart += fabsf(a[k] - b[k]) > 0.02f;
        if (apart > (i ? CELLS / 50 : 0))
            fail_msg("%s%s: %d cells apart, up to %g m", i ? seven_times : once, inputs, apart,
                     site_difference(a, b, CELLS));
        oro_free(a);
        oro_free(b);
    }
}

TEST(kernels_agree_with_the_processor)
{
    need_device();
    float *map = noise(DETAILED);
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        check_kernels(map, IN("iterations", "1"), IN("iterations", "7"), settings[i]);
    /* The grid of gorges has cells twice to five times as wide, and ends in the middle of one. */
    static const char *const wide[] = {IN("reference_cell", "160"), IN("reference_cell", "400")};
    for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++)
        check_kernels(map, IN("duration", "1000"), IN("duration", "7000"), wide[i]);
    check_kernels(map, IN("duration", "1000") IN("reference_cell", "240"),
                  IN("duration", "7000") IN("reference_cell", "240"), settings[7]);
    oro_free(map);
}

TEST(every_run_gives_the_same_bits)
{
    need_device();
    float *map = noise(DETAILED);
    for (int kernels = 0; kernels < 2; kernels++) {
        float *a = with_maps(map, IN("iterations", "7"), settings[7], kernels);
        oro_parallel_force(kernels ? 0 : 3);
        struct oro_cache *cache = h.cache; /* without the cache, so that it runs again */
        h.cache = NULL;
        float *b = with_maps(map, IN("iterations", "7"), settings[7], kernels);
        h.cache = cache;
        oro_parallel_force(0);
        assert_memory_equal(a, b, CELLS * sizeof *a);
        oro_free(a);
        oro_free(b);
    }
    oro_free(map);
}

/* ---- Input ---- */

static void refused(const char *inputs, const char *word)
{
    float *map = site_uniform(SIDE, SIDE, 10);
    struct site site = site_of(map, inputs);
    struct harness_raster raster;
    char text[SITE_TEXT_MAX + 512];
    snprintf(text, sizeof text, HARNESS_DOCUMENT("extent=\"7680\" resolution=\"96\"", "%s"), site.nodes);
    assert_false(harness_try(&h, text, "e", "terrain", &raster));
    if (!strstr(h.err.text, word))
        fail_msg("\"%s\" does not name '%s'", h.err.text, word);
    oro_free(map);
}

TEST(wrong_values_are_refused)
{
    need_device();
    refused(IN("value_strength", "1.5"), "value_strength");
    refused(IN("gradient_strength", "-0.1"), "gradient_strength");
    refused(IN("gradient_strength", "nan"), "gradient_strength");
    refused(IN("moisture", "-1"), "moisture");
    refused(IN("rain_loss", "2"), "rain_loss");
    refused(IN("reference_cell", "0"), "reference_cell");
}

#define NODE(id, type, inputs) "<node id=\"" id "\" type=\"" type "\" x=\"0\" y=\"0\">" inputs "</node>\n"
#define SQUARE(id, of)                                                                                       \
    NODE(id, "combine", LINK("a", of ".field") LINK("b", of ".field") IN("method", "multiply"))
/* Rasters that are not numbers, infinite, and below every range. */
#define WRONG                                                                                                \
    NODE("vast", "constant", IN("value", "1e9"))                                                             \
    SQUARE("vaster", "vast")                                                                                 \
    SQUARE("vastest", "vaster")                                                                              \
    SQUARE("inf", "vastest")                                                                                 \
    NODE("nan", "combine", LINK("a", "inf.field") LINK("b", "inf.field") IN("method", "subtract"))           \
    NODE("low", "constant", IN("value", "-5"))

static bool try_wrong(const char *inputs, struct harness_raster *raster)
{
    char text[4096];
    snprintf(text, sizeof text,
             HARNESS_DOCUMENT("extent=\"7680\" resolution=\"96\"", WRONG "%s"
                                                                         "%s"),
             NODE("m", "noise", DETAILED), inputs);
    return harness_try(&h, text, "e", "terrain", raster);
}

/* Negative moisture, and what is not a number, is no rain. */
TEST(wrong_moisture_is_none)
{
    need_device();
    static const char *const wrong[] = {LINK("moisture", "nan.field"), LINK("moisture", "low.field")};
    for (int i = 0; i < 4; i++) {
        char node[1024];
        struct harness_raster none, given;
        h.kernels_only = i / 2;
        snprintf(node, sizeof node, NODE("e", "constraint_erosion", LINK("terrain", "m.field") "%s"),
                 wrong[i % 2]);
        assert_true(try_wrong(node, &given));
        assert_true(try_wrong(NODE("e", "constraint_erosion", LINK("terrain", "m.field") IN("moisture", "0")),
                              &none));
        h.kernels_only = false;
        assert_memory_equal(given.data, none.data, CELLS * sizeof *none.data);
        harness_free(&given);
        harness_free(&none);
    }
}

TEST(terrain_that_is_not_finite_is_refused)
{
    need_device();
    struct harness_raster raster;
    assert_false(try_wrong(NODE("e", "constraint_erosion", LINK("terrain", "nan.field")), &raster));
    assert_non_null(strstr(h.err.text, "not a number"));
    assert_false(try_wrong(
        NODE("e", "constraint_erosion", LINK("terrain", "m.field") LINK("start", "inf.field")), &raster));
}

TEST(under_the_sea_nothing_changes)
{
    need_device();
    float *map = noise(DETAILED);
    float *terrain = eroded(map, IN("sea_level", "5000") IN("roughness", "0"), "terrain");
    float *water = eroded(map, IN("sea_level", "5000") IN("roughness", "0"), "water");
    assert_memory_equal(map, terrain, CELLS * sizeof *map);
    for (int i = 0; i < CELLS; i++)
        assert_near(water[i], 5000 - map[i], 1e-3);
    oro_free(map);
    oro_free(terrain);
    oro_free(water);
}

TEST(flat_ground_drains)
{
    need_device();
    float *map = site_uniform(SIDE, SIDE, 100);
    float *terrain = eroded(map, "", "terrain");
    assert_int_equal(closed(terrain), 0);
    assert_true(site_difference(map, terrain, CELLS) < 2);
    float *even = eroded(map, IN("roughness", "0"), "terrain"),
          *shut = eroded(map, IN("borders", "walls"), "terrain");
    assert_int_equal(closed(even), 0);
    assert_true(site_difference(map, shut, CELLS) < 2);
    assert_non_null(strstr(h.warnings, "nowhere to go"));
    oro_free(map);
    oro_free(terrain);
    oro_free(even);
    oro_free(shut);
}

TEST(small_terrains_work)
{
    need_device();
    static const int sizes[][2] = {{1, 1}, {1, 9}, {9, 1}, {2, 2}, {3, 17}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (int kernels = 0; kernels < 2; kernels++) {
            struct site site = site_start(&h, sizes[i][0], sizes[i][1], CELL);
            float *map = site_scatter(sizes[i][0], sizes[i][1], -20, 100, 1);
            site_raster(&site, "ground", map);
            site_node(&site, "e", "constraint_erosion",
                      LINK("terrain", "ground.terrain") IN("reference_cell", "400"));
            h.kernels_only = kernels;
            oro_free(site_take(&site, "e", "terrain"));
            h.kernels_only = false;
            oro_free(map);
        }
}

TEST_GROUP(open_harness, close_harness);
