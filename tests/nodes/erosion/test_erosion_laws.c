/* Laws of erosion, whatever the arithmetic: mass, pits, bounds, scales, symmetry. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tests/nodes/group.h"
#include "tests/nodes/site.h"
#include "tests/support/test.h"

static double tangent(double degrees)
{
    return tan(degrees * acos(-1) / 180);
}

#define TERRAIN LINK("terrain", "ground.terrain")

/* Evaluates one node over a terrain. `inputs` is XML, with the link to the terrain in it. */
static float *run(const float *terrain, int width, int height, double cell, const char *type,
                  const char *inputs, const char *output)
{
    struct site site = site_start(&h, width, height, cell);
    site_raster(&site, "ground", terrain);
    site_node(&site, "n", type, "%s", inputs);
    return site_take(&site, "n", output);
}

static float *raster(int width, int height)
{
    return site_uniform(width, height, 0);
}

/* ---- Thermal erosion ---- */

/* The ground gained must equal the ground lost. */
static void check_mass(const float *before, const float *after, int cells, double tolerance)
{
    double moved = 0, error = 0;
    for (int i = 0; i < cells; i++) {
        double change = (double)after[i] - (double)before[i];
        moved += fabs(change) / 2;
        error += change;
    }
    print_message("mass: %.3g of %.3g m, a share of %.2g\n", error, moved, fabs(error) / moved);
    assert_true(moved > 0);
    assert_true(fabs(error) <= tolerance * moved);
}

TEST(thermal_erosion_conserves_mass)
{
    need_device();
    static const struct {
        int width, height;
        double cell, relief, low;
        const char *inputs;
    } cases[] = {
        {96, 80, 20, 900, 0, ""},
        {96, 80, 20, 1200, 2600, ""},
        {64, 64, 10, 500, 2800, IN("amount", "0.001") IN("repose", "30")},
        {61, 47, 20, 900, -200, IN("amount", "0.0005") IN("mask", "0.37")},
        {120, 1, 20, 900, 1000, IN("repose_variation", "0")},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int width = cases[i].width, height = cases[i].height;
        float *before = site_rough(width, height, 24, cases[i].relief, cases[i].low, (unsigned)i);
        char inputs[256];
        snprintf(inputs, sizeof inputs, TERRAIN IN("iterations", "500") "%s", cases[i].inputs);
        float *after = run(before, width, height, cases[i].cell, "thermal_erosion", inputs, "terrain");
        check_mass(before, after, width * height, 1e-5);
        oro_free(before);
        oro_free(after);
    }
}

/* The square of the slope at the corner to the south-east of a cell: half the squares of the four sides'
 * rises. Beyond the border the ground goes on level. */
static double square_at_corner(const float *height, int columns, int rows, int x, int y)
{
    int west = x < 0 ? 0 : x, east = x + 1 < columns ? x + 1 : x;
    int north = y < 0 ? 0 : y, south = y + 1 < rows ? y + 1 : y;
    double nw = (double)height[columns * north + west], ne = (double)height[columns * north + east];
    double sw = (double)height[columns * south + west], se = (double)height[columns * south + east];
    return ((ne - nw) * (ne - nw) + (se - sw) * (se - sw) + (sw - nw) * (sw - nw) + (se - ne) * (se - ne)) /
           2;
}

/* The largest slope at a corner, as a tangent. */
static double steepest(const float *height, int columns, int rows, double cell)
{
    double most = 0;
    for (int y = -1; y < rows; y++)
        for (int x = -1; x < columns; x++)
            most = fmax(most, square_at_corner(height, columns, rows, x, y));
    return sqrt(most) / cell;
}

TEST(nothing_slides_below_the_angle_of_repose)
{
    need_device();
    float *before = site_rough(60, 50, 20, 400, 100, 3);
    double angle = atan(steepest(before, 60, 50, 20)) * 180 / acos(-1);
    char inputs[512];
    for (int varied = 0; varied < 2; varied++) {
        snprintf(inputs, sizeof inputs,
                 TERRAIN IN("iterations", "20") IN("amount", "0.01") IN("repose", "%.9g")
                     IN("repose_variation", "%d") IN("variation_size", "60"),
                 angle + 0.001 + 5 * varied, 5 * varied);
        float *after = run(before, 60, 50, 20, "thermal_erosion", inputs, "terrain");
        assert_memory_equal(before, after, 60 * 50 * sizeof *before);
        oro_free(after);
    }
    snprintf(inputs, sizeof inputs,
             TERRAIN IN("iterations", "20") IN("amount", "0.01") IN("repose", "%.9g")
                 IN("repose_variation", "0"),
             angle - 0.01);
    float *after = run(before, 60, 50, 20, "thermal_erosion", inputs, "terrain");
    assert_true(site_difference(before, after, 60 * 50) > 0);
    oro_free(after);
    oro_free(before);
}

TEST(the_angle_of_repose_varies)
{
    need_device();
    enum { SIDE = 64 };
    float *plane = raster(SIDE, SIDE);
    for (int i = 0; i < SIDE * SIDE; i++)
        plane[i] = (float)(20 * tangent(46.6) * (i % SIDE));
    float *uniform =
        run(plane, SIDE, SIDE, 20, "thermal_erosion",
            TERRAIN IN("iterations", "1") IN("repose", "46.7") IN("repose_variation", "0"), "terrain");
    float *varied = run(plane, SIDE, SIDE, 20, "thermal_erosion",
                        TERRAIN IN("iterations", "1") IN("amount", "0.1"), "terrain");
    int moved = 0;
    for (int i = 0; i < SIDE * SIDE; i++)
        moved += varied[i] != plane[i];
    assert_true(site_difference(uniform, plane, SIDE * SIDE) == 0);
    assert_in_range(moved, SIDE * SIDE / 4, SIDE * SIDE * 3 / 4);
    oro_free(plane);
    oro_free(uniform);
    oro_free(varied);
}

TEST(slopes_come_to_rest)
{
    need_device();
    static const int counts[] = {0, 40, 160, 640};
    float *before = site_rough(48, 48, 24, 900, 0, 9);
    double last = INFINITY, first = steepest(before, 48, 48, 20);
    for (int i = 0; i < 4; i++) {
        char inputs[256];
        snprintf(inputs, sizeof inputs,
                 TERRAIN IN("duration", "0") IN("iterations", "%d") IN("amount", "0.005") IN("repose", "30")
                     IN("repose_variation", "0"),
                 counts[i]);
        float *after = run(before, 48, 48, 20, "thermal_erosion", inputs, "terrain");
        double now = steepest(after, 48, 48, 20);
        assert_true(now < last);
        last = now;
        oro_free(after);
    }
    print_message("steepest slope %.3f, then %.3f; repose %.3f\n", first, last, tangent(30));
    assert_true(last < tangent(30) + 0.1 * (first - tangent(30)));
    oro_free(before);
}

/* ---- Fluvial erosion ---- */

TEST(fluvial_erosion_only_removes)
{
    need_device();
    static const double lows[] = {0, 2900};
    for (int i = 0; i < 2; i++) {
        float *before = site_rough(90, 70, 24, 500, lows[i], 21);
        float *after = run(before, 90, 70, 20, "fluvial_erosion",
                           TERRAIN IN("iterations", "151") IN("erodibility", "0.003"), "terrain");
        float *eroded = run(before, 90, 70, 20, "fluvial_erosion",
                            TERRAIN IN("iterations", "151") IN("erodibility", "0.003"), "eroded");
        for (int k = 0; k < 90 * 70; k++) {
            assert_true(after[k] <= before[k]);
            assert_true(eroded[k] == before[k] - after[k]);
        }
        assert_true(site_difference(after, before, 90 * 70) > 1);
        assert_true(site_pits(after, 90, 70) <= site_pits(before, 90, 70));
        assert_near(harness_figure(&h, "n", "eroded"), 400 * site_sum(eroded, 90 * 70),
                    1e-5 * 400 * site_sum(eroded, 90 * 70));
        oro_free(before);
        oro_free(after);
        oro_free(eroded);
    }
}

/* Ground with no pits stays so, with every exponent and border. */
TEST(fluvial_erosion_makes_no_pits)
{
    need_device();
    static const char *const inputs[] = {"", IN("flow_exponent", "8"), IN("flow_exponent", "1"),
                                         IN("borders", "walls"),
                                         IN("erodibility", "1") IN("area_limit", "1000")};
    enum { SIDE = 64 };
    float *cone = raster(SIDE, SIDE);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            cone[SIDE * y + x] =
                (float)(1500 - 12 * hypot(x - 30.3, y - 33.1) + 6 * site_random(4, SIDE * y + x));
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        char all[512];
        snprintf(all, sizeof all, TERRAIN IN("iterations", "75") IN("erodibility", "0.01") "%s", inputs[i]);
        if (strstr(inputs[i], "erodibility"))
            snprintf(all, sizeof all, TERRAIN IN("iterations", "75") "%s", inputs[i]);
        float *after = run(cone, SIDE, SIDE, 20, "fluvial_erosion", all, "terrain");
        assert_true(site_pits(after, SIDE, SIDE) <= site_pits(cone, SIDE, SIDE));
        oro_free(after);
    }
    oro_free(cone);
}

TEST(fluvial_erosion_is_bounded)
{
    need_device();
    float *before = site_rough(80, 80, 40, 3000, 0, 8);
    float *after = run(before, 80, 80, 20, "fluvial_erosion",
                       TERRAIN IN("iterations", "60") IN("slope_limit", "30") IN("area_limit", "10")
                           IN("reference_cell", "15"),
                       "terrain");
    double most = 60 * 0.0005 * 15 * pow(tangent(30), 2) * pow(10 * 400 / 225.0, 0.8);
    double deepest = site_difference(before, after, 80 * 80);
    print_message("deepest %.4f m, the bound is %.4f m\n", deepest, most);
    assert_true(deepest <= most * 1.001 && deepest > 0.9 * most);
    oro_free(before);
    oro_free(after);
}

/* What two nodes "n" of one type give must be the same, bit by bit. */
static void expect_same(const float *ground, int side, const char *type, const char *inputs[2])
{
    float *results[2];
    for (int i = 0; i < 2; i++) {
        struct site site = site_start(&h, side, side, 20);
        site_raster(&site, "ground", ground);
        size_t used = strlen(site.nodes);
        int length = snprintf(site.nodes + used, sizeof site.nodes - used,
                              "<node id=\"n\" type=\"%s\">" TERRAIN "%s</node>", type, inputs[i]);
        assert_true(length > 0 && used + (size_t)length < sizeof site.nodes);
        results[i] = site_take(&site, "n", "terrain");
    }
    bool finer = strcmp(type, "amplify") == 0;
    assert_memory_equal(results[0], results[1], (finer ? 4 : 1) * (size_t)(side * side) * sizeof(float));
    oro_free(results[0]);
    oro_free(results[1]);
}

#define QUICK IN("iterations", "25") IN("erodibility", "0.003")
#define QUICK_LEVEL QUICK IN("thermal_iterations", "9") IN("deposition_iterations", "25")
#define SETTLING IN("iterations", "25") IN("sediment", "3")

/* Cells are those of the grid that is eroded: in amplify, of the finer one. */
TEST(the_area_limit_has_one_meaning)
{
    need_device();
    static const char *const cases[][3] = {
        {"fluvial_erosion", QUICK IN("area_limit", "9"), QUICK IN("area_limit", "3600")},
        {"deposition", SETTLING IN("area_limit", "9"), SETTLING IN("area_limit", "3600")},
        {"amplify", QUICK_LEVEL IN("area_limit", "9"), QUICK_LEVEL IN("area_limit", "900")},
    };
    float *ground = site_rough(40, 40, 16, 400, 0, 3);
    for (int i = 0; i < 3; i++) {
        char metres[512];
        snprintf(metres, sizeof metres, "%s" IN("area_unit", "square_metres"), cases[i][2]);
        expect_same(ground, 40, cases[i][0], (const char *[]){cases[i][1], metres});
    }
    oro_free(ground);
}

/* A user is told when the limit leaves drainage no part to play. */
TEST(a_limit_below_most_drainage_is_a_warning)
{
    need_device();
    static const char *const limits[] = {"1", "250"};
    float *ground = site_rough(40, 40, 16, 400, 0, 3);
    for (int i = 0; i < 2; i++) {
        char inputs[256];
        snprintf(inputs, sizeof inputs, TERRAIN QUICK IN("area_limit", "%s"), limits[i]);
        oro_free(run(ground, 40, 40, 20, "fluvial_erosion", inputs, "terrain"));
        assert_int_equal(strstr(h.warnings, "area_limit") != NULL, i == 0);
    }
    oro_free(ground);
}

/* A chain erodes several times at each level, and says it once. */
TEST(a_chain_warns_once)
{
    need_device();
    float *ground = site_rough(24, 24, 16, 400, 0, 3);
    oro_free(run(ground, 24, 24, 40, "amplify_chain",
                 TERRAIN IN("levels", "2 iterations=8 deposition=2; 2 iterations=8 deposition=2")
                     IN("area_limit", "1"),
                 "terrain"));
    const char *said = strstr(h.warnings, "area_limit");
    assert_non_null(said);
    assert_null(strstr(said + 1, "area_limit"));
    oro_free(ground);
}

TEST(hard_and_masked_ground_stays)
{
    need_device();
    static const char *const types[] = {"fluvial_erosion", "fluvial_erosion", "thermal_erosion",
                                        "deposition"};
    static const char *const inputs[] = {IN("hardness", "1"), IN("mask", "0"), IN("mask", "0"),
                                         IN("mask", "0")};
    float *before = site_rough(50, 41, 16, 800, 1000, 2);
    for (int i = 0; i < 4; i++) {
        char all[256];
        snprintf(all, sizeof all, TERRAIN IN("iterations", "25") "%s", inputs[i]);
        float *after = run(before, 50, 41, 20, types[i], all, "terrain");
        assert_memory_equal(before, after, 50 * 41 * sizeof *before);
        oro_free(after);
    }
    oro_free(before);
}

/* Maps are not held to their range. */
TEST(maps_out_of_range_do_no_harm)
{
    need_device();
    float *before = site_rough(50, 41, 16, 800, 1000, 2), *odd = site_scatter(50, 41, -1, 3, 5);
    static const char *const names[] = {"hardness", "mask"};
    for (int i = 0; i < 2; i++) {
        struct site site = site_start(&h, 50, 41, 20);
        site_raster(&site, "ground", before);
        site_raster(&site, "odd", odd);
        site_node(&site, "n", "fluvial_erosion", TERRAIN IN("iterations", "25") LINK("%s", "odd.terrain"),
                  names[i]);
        float *after = site_take(&site, "n", "terrain");
        for (int k = 0; k < 50 * 41; k++)
            assert_true(after[k] <= before[k]);
        oro_free(after);
    }
    oro_free(before);
    oro_free(odd);
}

/* A valley that falls to the south, with sides that fall straight to its middle, over 1280 m of ground. */
static float *valley(int side)
{
    float *data = raster(side, side);
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            double east = (x + 0.5) / side - 0.5, south = (y + 0.5) / side;
            data[side * y + x] = (float)(300 * (1 - south) + 400 * fabs(east));
        }
    return data;
}

/* How deep the bed was carved: the deepest of a cross section, mean over a sixteenth of the valley's length.
 */
static double bed_depth(const float *before, const float *after, int side, double along)
{
    double sum = 0;
    int first = (int)(along * side), last = first + side / 16;
    for (int y = first; y < last; y++) {
        double deepest = 0;
        for (int x = 0; x < side; x++)
            deepest = fmax(deepest, (double)before[side * y + x] - (double)after[side * y + x]);
        sum += deepest;
    }
    return sum / (last - first);
}

TEST(an_iteration_carves_the_same_at_every_resolution)
{
    need_device();
    static const int sides[] = {64, 128, 256};
    static const double along[] = {0.3, 0.5, 0.75};
    double depth[3][3];
    for (int i = 0; i < 3; i++) {
        float *before = valley(sides[i]);
        struct site site = site_start(&h, sides[i], sides[i], 1280.0 / sides[i]);
        site_raster(&site, "ground", before);
        site_node(&site, "water", "drainage", TERRAIN IN("iterations", "%d"), 3 * sides[i]);
        site_node(&site, "n", "fluvial_erosion",
                  TERRAIN LINK("drainage", "water.drainage") IN("iterations", "100")
                      IN("area_limit", "100000"));
        float *after = site_take(&site, "n", "terrain");
        for (int k = 0; k < 3; k++)
            depth[i][k] = bed_depth(before, after, sides[i], along[k]);
        oro_free(before);
        oro_free(after);
    }
    for (int k = 0; k < 3; k++) {
        print_message("depth at 64, 128, 256 cells: %.4f %.4f %.4f m\n", depth[0][k], depth[1][k],
                      depth[2][k]);
        assert_near(depth[0][k] / depth[2][k], 1, 0.08);
        assert_near(depth[1][k] / depth[2][k], 1, 0.055);
    }
}

/* ---- Borders ---- */

/* Mean of the ring `depth` cells from the border, without its corners. */
static double ring_mean(const float *height, int side, int depth)
{
    double sum = 0;
    int count = 0;
    for (int i = depth + 1; i < side - depth - 1; i++, count += 4)
        sum += (double)height[side * depth + i] + (double)height[side * (side - 1 - depth) + i] +
               (double)height[side * i + depth] + (double)height[side * i + side - 1 - depth];
    return sum / count;
}

static double lowest_of(const float *a, int cells)
{
    double least = INFINITY;
    for (int i = 0; i < cells; i++)
        least = fmin(least, (double)a[i]);
    return least;
}

static void check_border(const float *before, int side, const char *erodibility, double allowed)
{
    char inputs[128];
    snprintf(inputs, sizeof inputs, TERRAIN IN("iterations", "600") IN("erodibility", "%s"), erodibility);
    float *after = run(before, side, side, 20, "fluvial_erosion", inputs, "terrain");
    double jump_before = ring_mean(before, side, 0) - ring_mean(before, side, 1);
    double jump_after = ring_mean(after, side, 0) - ring_mean(after, side, 1);
    double low = lowest_of(before, side * side), lower = lowest_of(after, side * side);
    print_message(
        "ring 0 over ring 1: %.3f m, then %.3f m, at most %.3f m more; lowest %.2f m, then %.2f m\n",
        jump_before, jump_after, allowed, low, lower);
    assert_true(jump_after <= jump_before + allowed);
    assert_true(lower >= low - 0.1 * 20); /* beyond the border the ground falls by a tenth at most */
    oro_free(after);
}

/* By default the border may lag behind by the tilt times a cell. At six times that rate it does so by more,
 * because its base level stays; it must not run away. */
TEST(borders_neither_stand_nor_run_away)
{
    need_device();
    enum { SIDE = 80 };
    float *before = site_rough(SIDE, SIDE, 20, 250, 500, 12);
    for (int i = 0; i < SIDE * SIDE; i++)
        before[i] += (float)(2.0 * (i / SIDE));
    check_border(before, SIDE, "0.0005", 2);
    check_border(before, SIDE, "0.003", INFINITY);
    oro_free(before);
}

/* ---- Deposition ---- */

struct balance {
    double taken, settled, carried, left;
};

static struct balance balance(void)
{
    return (struct balance){harness_figure(&h, "n", "taken_up"), harness_figure(&h, "n", "deposited"),
                            harness_figure(&h, "n", "still_carried"),
                            harness_figure(&h, "n", "left_over_border")};
}

TEST(deposition_keeps_a_budget)
{
    need_device();
    static const struct {
        const char *borders;
        double relief, low;
    } cases[] = {{"outflow", 500, 0}, {"walls", 500, 0}, {"walls", 500, 3000}, {"outflow", 500, 3000}};
    for (int i = 0; i < 4; i++) {
        struct site site = site_start(&h, 90, 70, 20);
        float *before = site_rough(90, 70, 24, cases[i].relief, cases[i].low, 31);
        float *loose = site_scatter(90, 70, 0, 3, 8);
        site_raster(&site, "ground", before);
        site_raster(&site, "loose", loose);
        site_node(&site, "n", "deposition",
                  TERRAIN LINK("sediment", "loose.terrain") IN("iterations", "151") IN("borders", "%s"),
                  cases[i].borders);
        float *after = site_take(&site, "n", "terrain"), *settled = site_take(&site, "n", "deposited");
        struct balance b = balance();
        double given = 400 * site_sum(loose, 90 * 70),
               rise = 400 * (site_sum(after, 90 * 70) - site_sum(before, 90 * 70));
        print_message(
            "%s at %g m: taken %.6g deposited %.6g carried %.6g left %.6g (share %.2g); rise %.6g\n",
            cases[i].borders, cases[i].low, b.taken, b.settled, b.carried, b.left, b.left / b.taken, rise);
        for (int k = 0; k < 90 * 70; k++)
            assert_true(after[k] >= before[k]);
        assert_true(b.settled > 0 && b.settled <= given && b.carried >= 0);
        assert_near(b.taken, b.settled + b.carried + b.left, 1e-5 * b.taken);
        assert_near(rise, 400 * site_sum(settled, 90 * 70), 1e-5 * rise);
        assert_near(rise, b.settled, 1e-5 * rise);
        if (cases[i].borders[0] == 'w')
            assert_near(b.left, 0, 1e-5 * b.taken);
        else
            assert_true(b.left >= -1e-5 * b.taken);
        oro_free(before);
        oro_free(loose);
        oro_free(after);
        oro_free(settled);
    }
}

/* How deep water would stand in all hollows: each cell is filled to the lowest rim on its way to the border.
 */
static double ponded(const float *height, int columns, int rows)
{
    float *filled = site_uniform(columns, rows, 1e9);
    bool changed = true;
    while (changed) {
        changed = false;
        for (int i = 0; i < columns * rows; i++) {
            int x = i % columns, y = i / columns;
            bool border = x == 0 || y == 0 || x == columns - 1 || y == rows - 1;
            float level = border ? height[i] : filled[i];
            for (int k = 0; k < 9 && !border; k++)
                level = fminf(level, fmaxf(height[i], filled[i + columns * (k / 3 - 1) + k % 3 - 1]));
            changed |= level < filled[i];
            filled[i] = level;
        }
    }
    double sum = site_sum(filled, columns * rows) - site_sum(height, columns * rows);
    oro_free(filled);
    return sum;
}

static double steepest_fall(const float *height, int side, int x, int y)
{
    double most = 0;
    for (int k = 0; k < 9; k++) {
        int dx = k % 3 - 1, dy = k / 3 - 1;
        double fall = (double)height[side * y + x] - (double)height[side * (y + dy) + x + dx];
        most = fmax(most, dx && dy ? fall / sqrt(2) : fall);
    }
    return most;
}

/* A bowl in a slope: sediment from the slope above stays in it. */
TEST(pits_fill)
{
    need_device();
    enum { SIDE = 60 };
    float *before = raster(SIDE, SIDE);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            double r = hypot(x - 30.2, y - 30.3) / 8;
            before[SIDE * y + x] = (float)(400 + 8 * (SIDE - y) - 160 * exp(-r * r));
        }
    float *after =
        run(before, SIDE, SIDE, 20, "deposition",
            TERRAIN IN("sediment", "20") IN("iterations", "600") IN("borders", "walls"), "terrain");
    struct balance b = balance();
    double empty = ponded(before, SIDE, SIDE), full = ponded(after, SIDE, SIDE);
    print_message("the bowl holds %.4g m of water, then %.4g m; left %.3g of %.3g\n", empty, full, b.left,
                  b.taken);
    assert_true(full < 0.5 * empty);
    assert_near(b.left, 0, 1e-5 * b.taken);
    double floor[2] = {INFINITY, -INFINITY}; /* it is flat, where it was a bowl of 30 m */
    for (int y = 30; y < 38; y++)
        for (int x = 27; x < 35; x++) {
            floor[0] = fmin(floor[0], (double)after[SIDE * y + x]);
            floor[1] = fmax(floor[1], (double)after[SIDE * y + x]);
        }
    print_message("its floor lies at %.4g..%.4g m\n", floor[0], floor[1]);
    assert_true(floor[1] - floor[0] < 6);
    oro_free(before);
    oro_free(after);
}

TEST(sediment_makes_no_pits)
{
    need_device();
    for (unsigned seed = 0; seed < 6; seed++) {
        char inputs[256];
        snprintf(inputs, sizeof inputs,
                 TERRAIN IN("sediment", "5") IN("iterations", "%u") IN("settling", "%g") IN("borders", "%s"),
                 60 + 35 * seed, 0.1 + 0.15 * seed, seed % 2 ? "walls" : "outflow");
        float *before = site_rough(80, 80, 30, 300, 100, seed);
        float *after = run(before, 80, 80, 20, "deposition", inputs, "terrain");
        double hollow = ponded(before, 80, 80), filled = ponded(after, 80, 80);
        print_message("pits: %d, then %d; hollows: %.4g m, then %.4g m\n", site_pits(before, 80, 80),
                      site_pits(after, 80, 80), hollow, filled);
        assert_true(filled <= hollow);
        assert_true(site_pits(after, 80, 80) <= site_pits(before, 80, 80));
        oro_free(before);
        oro_free(after);
    }
}

static float *rough_valley(void)
{
    float *data = valley(96);
    for (int i = 0; i < 96 * 96; i++)
        data[i] += (float)(4 * sin(i % 96 * 0.7) * sin(i / 96 * 0.4));
    assert_int_equal(site_pits(data, 96, 96), 0);
    return data;
}

/* Hollows: between neighbours the fall is at least what it was, or the least slope. */
TEST(levelled_hollows_keep_a_fall)
{
    need_device();
    float *before = rough_valley(), *after = NULL;
    double cell = 1280.0 / 96, least = tangent(1.5) * cell;
    after = run(before, 96, 96, cell, "deposition",
                TERRAIN IN("sediment", "10") IN("iterations", "300") IN("least_slope", "1.5")
                    IN("method", "hollows"),
                "terrain");
    assert_int_equal(site_pits(after, 96, 96), 0);
    assert_true(site_difference(before, after, 96 * 96) > 0.1);
    for (int y = 1; y < 95; y++)
        for (int x = 1; x < 95; x++)
            for (int k = 0; k < 9; k++) {
                int a = 96 * y + x, b = 96 * (y + k / 3 - 1) + x + k % 3 - 1;
                double fall = (double)before[b] - (double)before[a];
                if (fall > 0)
                    assert_true((double)after[b] - (double)after[a] >= fmin(fall, least) - 2e-4);
            }
    oro_free(before);
    oro_free(after);
}

/* Plains: water keeps a way down from everywhere, as steep as it was, or as the least slope. */
TEST(plains_keep_a_fall)
{
    need_device();
    float *before = rough_valley(), *after = NULL;
    double cell = 1280.0 / 96, least = tangent(1.5) * cell;
    after =
        run(before, 96, 96, cell, "deposition",
            TERRAIN IN("sediment", "10") IN("iterations", "300") IN("least_slope", "1.5") IN("capacity", "1"),
            "terrain");
    assert_int_equal(site_pits(after, 96, 96), 0);
    assert_true(site_difference(before, after, 96 * 96) > 1);
    for (int y = 1; y < 95; y++)
        for (int x = 1; x < 95; x++)
            assert_true(steepest_fall(after, 96, x, y) >=
                        fmin(steepest_fall(before, 96, x, y), least) - 2e-4);
    oro_free(before);
    oro_free(after);
}

/* ---- A mountain front: rough ground that falls to a plain, which falls gently to the south ---- */

enum { FRONT_WIDTH = 64, FRONT_HEIGHT = 96, FRONT_ROW = 36 };
static const double front_cell = 80;

static struct site mountain_front(double fall_of_plain, const char *deposition)
{
    struct site site = site_start(&h, FRONT_WIDTH, FRONT_HEIGHT, front_cell);
    float *ground = site_rough(FRONT_WIDTH, FRONT_HEIGHT, 20, 500, 0, 9);
    for (int i = 0; i < FRONT_WIDTH * FRONT_HEIGHT; i++) {
        double behind = (FRONT_ROW - i / FRONT_WIDTH - 0.5) * front_cell;
        double from_middle = (i % FRONT_WIDTH + 0.5) / FRONT_WIDTH - 0.5; /* little leaves sideways */
        double plain = fall_of_plain * (FRONT_HEIGHT - i / FRONT_WIDTH) * front_cell;
        double rough = (double)ground[i] * fmin(fmax(behind / 1200, 0), 1) + 1e-4 * (double)ground[i];
        ground[i] = (float)(plain + rough + fmax(behind, 0) * (0.2 + 0.6 * from_middle * from_middle));
    }
    site_raster(&site, "ground", ground);
    site_node(&site, "carve", "fluvial_erosion", TERRAIN IN("iterations", "300"));
    site_node(&site, "n", "deposition",
              LINK("terrain", "carve.terrain") LINK("drainage", "carve.drainage")
                  LINK("sediment", "carve.eroded") IN("iterations", "300") "%s",
              deposition);
    site_node(&site, "breach_carved", "breach", LINK("terrain", "carve.terrain"));
    site_node(&site, "breach_settled", "breach", LINK("terrain", "n.terrain"));
    oro_free(ground);
    return site;
}

/* Most of what is eroded settles at the foot, less and less with the distance. */
static void check_front(double fall_of_plain)
{
    enum { ROWS = 5 /* 400 m */ };
    struct site site = mountain_front(fall_of_plain, "");
    float *eroded = site_take(&site, "carve", "eroded"), *settled = site_take(&site, "n", "deposited");
    double all = site_sum(eroded, FRONT_WIDTH * FRONT_HEIGHT), before = INFINITY, sum = 0;
    for (int row = FRONT_ROW; row + ROWS <= FRONT_HEIGHT; row += ROWS) {
        double depth = site_sum(settled + row * FRONT_WIDTH, ROWS * FRONT_WIDTH);
        assert_true(depth <= before);
        sum += before = depth;
        print_message("%.2f ", depth / (ROWS * FRONT_WIDTH));
    }
    print_message("m; %.3f of what was eroded settles in front, %.3f in the mountains\n", sum / all,
                  site_sum(settled, FRONT_ROW * FRONT_WIDTH) / all);
    assert_true(sum >= 0.6 * all);
    oro_free(eroded);
    oro_free(settled);
}

TEST(sediment_settles_in_front_of_mountains)
{
    need_device();
    check_front(0.001);
    check_front(0.005);
}

/* What settles on the rows of a plain, by the distance from the front, where valleys with 10 m of loose
 * material end at it. */
static void fans_of_valleys(int side, float *rows)
{
    double cell = 4800.0 / side;
    struct site site = site_start(&h, side, side, cell);
    float *ground = raster(side, side), *loose = raster(side, side);
    for (int i = 0; i < side * side; i++) {
        double behind = 2000 - (i / side + 0.5) * cell, east = (i % side + 0.5) * cell;
        double rough = fmin(fmax(behind / 500, 0), 1) * 60 * cos(east / 1600 * 2 * acos(-1));
        ground[i] = (float)(200 - 0.002 * (i / side) * cell + fmax(behind, 0) * 0.2 + rough);
        loose[i] = behind > 0 ? 10 : 0;
    }
    site_raster(&site, "ground", ground);
    site_raster(&site, "loose", loose);
    site_node(&site, "n", "deposition", TERRAIN LINK("sediment", "loose.terrain") IN("iterations", "%d"),
              4 * side);
    float *settled = site_take(&site, "n", "deposited");
    for (int i = 0; i < 6; i++) /* of 400 m */
        rows[i] =
            (float)(site_sum(settled + (5 + i) * side / 12 * side, side / 12 * side) / (side * (side / 12)));
    oro_free(ground);
    oro_free(loose);
    oro_free(settled);
}

TEST(fans_do_not_depend_on_the_resolution)
{
    need_device();
    float coarse[6], fine[6];
    fans_of_valleys(60, coarse);
    fans_of_valleys(120, fine);
    for (int k = 0; k < 6; k++) {
        print_message("depth at 80 and 40 m: %.3f %.3f m\n", (double)coarse[k], (double)fine[k]);
        assert_near(coarse[k], fine[k], 0.15 * (double)fine[0]);
    }
}

/* Sediment dams no valley: breaching finds no more to carve. */
TEST(sediment_dams_no_water)
{
    need_device();
    struct site site = mountain_front(0.002, "");
    oro_free(site_take(&site, "breach_carved", "terrain"));
    double before = harness_figure(&h, "breach_carved", "cut_volume");
    float *breached = site_take(&site, "breach_settled", "terrain");
    double after = harness_figure(&h, "breach_settled", "cut_volume");
    print_message("breaching carves %.4g m3, and %.4g m3 after deposition\n", before, after);
    assert_true(before > 0 && after <= before);
    assert_int_equal(site_pits(breached, FRONT_WIDTH, FRONT_HEIGHT), 0);
    oro_free(breached);
}

/* Where falls are so small that their power vanishes, sediment must still be somewhere. */
TEST(sediment_is_not_lost_on_flats)
{
    need_device();
    static const double falls[] = {1e-6, 1e-5, 2e-5, 4e-5, 1e-4, 1e-3};
    for (int i = 0; i < 6; i++) {
        float *before = raster(40, 30);
        for (int k = 0; k < 40 * 30; k++)
            before[k] = (float)(falls[i] * (k % 40) + 0.3 * falls[i] * site_random(1, k));
        float *after = run(before, 40, 30, 20, "deposition",
                           TERRAIN IN("sediment", "1") IN("iterations", "41") IN("borders", "walls")
                               IN("flow_exponent", "8") IN("creation", "10") IN("slope_exponent", "0.1")
                                   IN("least_slope", "0"),
                           "terrain");
        struct balance b = balance();
        print_message("falls of %g m: %.3g of %.3g lost\n", falls[i], b.left, b.taken);
        assert_near(b.left, 0, 1e-4 * b.taken);
        oro_free(before);
        oro_free(after);
    }
}

/* ---- Drainage ---- */

TEST(a_plane_between_walls_drains_evenly)
{
    need_device();
    enum { WIDTH = 40, HEIGHT = 50 };
    float *plane = raster(WIDTH, HEIGHT);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        plane[i] = (float)(1000 - 3 * (i / WIDTH));
    float *area = run(plane, WIDTH, HEIGHT, 20, "drainage",
                      TERRAIN IN("iterations", "61") IN("rain", "1.5") IN("borders", "walls"), "drainage");
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        assert_near(area[i], 1.5 * 400 * (i / WIDTH + 1), 1e-5 * (double)area[i]);
    oro_free(area);
    oro_free(plane);
}

static float *make_cone(int side)
{
    float *cone = raster(side, side);
    double middle = 0.5 * (side - 1);
    for (int i = 0; i < side * side; i++)
        cone[i] = (float)(1500 - 10 * hypot(i % side - middle, i / side - middle));
    return cone;
}

/* Between walls, a funnel has one pit, and in the end all rain comes there. */
TEST(all_rain_comes_to_the_pit)
{
    need_device();
    enum { WIDTH = 45, HEIGHT = 60, PIT = 21 * WIDTH + 9 };
    static const char *const exponents[] = {"1.3", "4", "8"};
    float *funnel = raster(WIDTH, HEIGHT);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        funnel[i] = (float)(10 * hypot(i % WIDTH - PIT % WIDTH, i / WIDTH - PIT / WIDTH));
    for (int k = 0; k < 3; k++) {
        char inputs[256];
        snprintf(inputs, sizeof inputs,
                 TERRAIN IN("iterations", "301") IN("rain", "1.5") IN("flow_exponent", "%s")
                     IN("borders", "walls"),
                 exponents[k]);
        float *area = run(funnel, WIDTH, HEIGHT, 20, "drainage", inputs, "drainage");
        double rain = 1.5 * 400 * WIDTH * HEIGHT;
        assert_near(area[PIT], rain, 1e-4 * rain);
        oro_free(area);
    }
    oro_free(funnel);
}

/* Flow across a ring of a cone, by octant, divided by what comes from inside: area / circumference times the
 * cell's width. */
TEST(a_cone_drains_radially)
{
    need_device();
    enum { SIDE = 101, MIDDLE = 50 };
    float *cone = make_cone(SIDE);
    float *area = run(cone, SIDE, SIDE, 20, "drainage",
                      TERRAIN IN("iterations", "151") IN("flow_exponent", "1"), "drainage");
    double ring[8] = {0}, least = INFINITY, most = 0;
    int count[8] = {0};
    for (int i = 0; i < SIDE * SIDE; i++) {
        double x = i % SIDE - MIDDLE, y = i / SIDE - MIDDLE, r = hypot(x, y);
        if (r < 28 || r > 32)
            continue;
        int octant = (int)floor((atan2(y, x) / acos(-1) + 1) * 4 + 0.5) % 8;
        ring[octant] += (double)area[i] / (0.5 * r * 400);
        count[octant]++;
    }
    for (int k = 0; k < 8; k++) {
        least = fmin(least, ring[k] / count[k]);
        most = fmax(most, ring[k] / count[k]);
    }
    print_message("flow across a ring of the cone: %.3f .. %.3f of the exact\n", least, most);
    assert_true(least > 0.75 && most < 1.25 && most / least < 1.3);
    for (int i = 0; i < SIDE * SIDE; i++)
        assert_near(area[i] / area[SIDE * (i % SIDE) + i / SIDE], 1, 1e-3);
    oro_free(area);
    oro_free(cone);
}

/* A channel one cell wide that winds to the east between high sides, with rain in it alone. */
TEST(a_channel_collects_one_way)
{
    need_device();
    enum { WIDTH = 70, HEIGHT = 12 };
    static const int bends[] = {0, 0, 0, 1, 2, 3, 4, 5, 5, 4, 3, 2, 1, 0};
    float *ground = raster(WIDTH, HEIGHT), *rain = raster(WIDTH, HEIGHT);
    int channel[WIDTH];
    for (int x = 0; x < WIDTH; x++) {
        channel[x] = 3 + bends[x % 14];
        for (int y = 0; y < HEIGHT; y++)
            ground[WIDTH * y + x] = (float)(500 - x + 40 * abs(y - channel[x]));
        rain[WIDTH * channel[x] + x] = 1;
    }
    struct site site = site_start(&h, WIDTH, HEIGHT, 20);
    site_raster(&site, "ground", ground);
    site_raster(&site, "rain", rain);
    site_node(&site, "n", "drainage",
              TERRAIN LINK("rain", "rain.terrain") IN("iterations", "81") IN("flow_exponent", "8"));
    float *area = site_take(&site, "n", "drainage");
    for (int x = 0; x < WIDTH; x++)
        assert_near(area[WIDTH * channel[x] + x], 400 * (x + 1), 1e-5 * 400 * (x + 1));
    oro_free(ground);
    oro_free(rain);
    oro_free(area);
}

TEST(flats_are_harmless)
{
    need_device();
    static const struct {
        const char *type, *output, *inputs;
    } cases[] = {
        {"drainage", "drainage", ""},
        {"drainage", "drainage", IN("flow_exponent", "8")},
        {"fluvial_erosion", "terrain", ""},
        {"fluvial_erosion", "terrain", IN("slope_exponent", "0")},
        {"thermal_erosion", "terrain", ""},
        {"deposition", "terrain", IN("least_slope", "0")},
        {"fluvial_erosion", "drainage", IN("rain", "0")},
        {"deposition", "drainage", IN("rain", "0")},
        {"drainage", "drainage", IN("rain", "0")},
    };
    static const int sizes[][2] = {{40, 33}, {1, 1}, {1, 7}, {2, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int k = 0; k < 4; k++) {
            int width = sizes[k][0], height = sizes[k][1];
            float *flat = site_uniform(width, height, 700);
            char inputs[256];
            snprintf(inputs, sizeof inputs, TERRAIN IN("iterations", "7") "%s", cases[i].inputs);
            float *after = run(flat, width, height, 20, cases[i].type, inputs, cases[i].output);
            double same = cases[i].output[0] == 't' ? 700 : strstr(cases[i].inputs, "rain") ? 0 : 400;
            for (int c = 0; c < width * height; c++)
                assert_true((double)after[c] == same);
            oro_free(flat);
            oro_free(after);
        }
}

/* ---- Symmetry ---- */

/* A raster turned by 90 degrees (width x height becomes height x width), or mirrored. */
static float *turned(const float *data, int width, int height, bool mirror)
{
    float *made = raster(width, height);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            made[mirror ? width * y + width - 1 - x : height * x + height - 1 - y] = data[width * y + x];
    return made;
}

TEST(no_direction_is_special)
{
    need_device();
    static const struct {
        const char *type, *inputs;
        double tolerance; /* of the most that moved */
    } cases[] = {
        {"fluvial_erosion", IN("erodibility", "0.003"), 1e-3},
        {"fluvial_erosion", IN("erodibility", "0.003") IN("borders", "walls"), 1e-3},
        {"thermal_erosion", IN("amount", "0.002") IN("repose", "30") IN("repose_variation", "0"), 2e-5},
        {"deposition", IN("sediment", "5") IN("settling", "0.4"), 1e-3},
    };
    enum { WIDTH = 75, HEIGHT = 52 };
    float *before = site_rough(WIDTH, HEIGHT, 20, 600, 0, 77);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int mirror = 0; mirror < 2; mirror++) {
            char inputs[256];
            snprintf(inputs, sizeof inputs, TERRAIN IN("iterations", "15") "%s", cases[i].inputs);
            float *after = run(before, WIDTH, HEIGHT, 20, cases[i].type, inputs, "terrain");
            float *other = turned(before, WIDTH, HEIGHT, mirror),
                  *expected = turned(after, WIDTH, HEIGHT, mirror);
            int columns = mirror ? WIDTH : HEIGHT, rows = mirror ? HEIGHT : WIDTH;
            float *given = run(other, columns, rows, 20, cases[i].type, inputs, "terrain");
            double moved = site_difference(before, after, WIDTH * HEIGHT);
            double error = site_difference(given, expected, WIDTH * HEIGHT);
            print_message("%s, %s: %.2g of %.3g m\n", cases[i].type, mirror ? "mirrored" : "turned", error,
                          moved);
            assert_true(moved > 0.1);
            assert_near(error, 0, cases[i].tolerance * moved);
            oro_free(after);
            oro_free(other);
            oro_free(expected);
            oro_free(given);
        }
    oro_free(before);
}

/* ---- Amplification ---- */

static const char amplify_inputs[] = IN("erodibility", "0.002") IN("repose", "35") IN("settling", "0.3")
    IN("creation", "0.2") IN("seed", "11") IN("ground", "free");

/* The four nodes that amplify stands for where ground is free. */
static void add_chain(struct site *site, int factor, const int counts[3])
{
    if (factor > 1)
        site_node(site, "finer", "upsample", TERRAIN IN("factor", "%d") IN("method", "catmull_rom"), factor);
    site_node(site, "water", "fluvial_erosion",
              "%s" IN("duration", "0") IN("iterations", "%d") IN("erodibility", "0.002"),
              factor > 1 ? LINK("terrain", "finer.terrain") : TERRAIN, counts[0]);
    site_node(site, "slides", "thermal_erosion",
              LINK("terrain", "water.terrain") IN("duration", "0") IN("iterations", "%d") IN("repose", "35")
                  IN("repose_variation", "0"),
              counts[1]);
    site_node(site, "sediment", "deposition",
              LINK("terrain", "slides.terrain") LINK("drainage", "water.drainage")
                  LINK("sediment", "water.eroded") IN("duration", "0") IN("iterations", "%d")
                      IN("settling", "0.3") IN("creation", "0.2"),
              counts[2]);
}

static void check_same(struct site *site, const char *output, const char *node, const char *its_output,
                       int cells)
{
    float *whole = site_take(site, "all", output), *part = site_take(site, node, its_output);
    assert_memory_equal(whole, part, (size_t)cells * sizeof *whole);
    oro_free(whole);
    oro_free(part);
}

TEST(amplify_is_its_four_nodes)
{
    need_device();
    static const struct {
        int factor, counts[3];
    } cases[] = {{2, {31, 17, 13}}, {1, {9, 8, 7}}, {3, {0, 0, 0}}, {2, {0, 5, 0}}, {1, {0, 0, 1}}};
    enum { WIDTH = 37, HEIGHT = 26 };
    float *before = site_rough(WIDTH, HEIGHT, 12, 500, 300, 6);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const int *counts = cases[i].counts, factor = cases[i].factor,
                  cells = WIDTH * HEIGHT * factor * factor;
        struct site site = site_start(&h, WIDTH, HEIGHT, 40);
        site_raster(&site, "ground", before);
        site_node(&site, "all", "amplify",
                  TERRAIN "%s" IN("factor", "%d") IN("iterations", "%d") IN("thermal_iterations", "%d")
                      IN("deposition_iterations", "%d") IN("repose_variation", "0"),
                  amplify_inputs, factor, counts[0], counts[1], counts[2]);
        add_chain(&site, factor, counts);
        check_same(&site, "terrain", "sediment", "terrain", cells);
        check_same(&site, "drainage", "sediment", "drainage", cells);
        check_same(&site, "eroded", "water", "eroded", cells);
        check_same(&site, "deposited", "sediment", "deposited", cells);
    }
    oro_free(before);
}

/* More iterations go on from fewer; the result is that of a run in one go. */
TEST(iterations_can_be_added)
{
    need_device();
    static const char *const types[] = {"drainage", "fluvial_erosion", "thermal_erosion", "deposition"};
    static const int counts[] = {0, 1, 3, 8, 21};
    float *before = site_rough(41, 29, 12, 500, 300, 6);
    for (int i = 0; i < 4; i++) {
        float *last = NULL;
        const char *output = i ? "terrain" : "drainage";
        for (int k = 0; k < 5; k++) {
            char inputs[128];
            snprintf(inputs, sizeof inputs, TERRAIN "%s" IN("iterations", "%d"),
                     i > 0 ? IN("duration", "0") : "", counts[k]);
            oro_free(last);
            last = run(before, 41, 29, 20, types[i], inputs, output);
            if (k == 0 && i > 0)
                assert_memory_equal(before, last, 41 * 29 * sizeof *before);
        }
        struct harness fresh;
        assert_true(harness_open(&fresh));
        struct site site = site_start(&fresh, 41, 29, 20);
        site_raster(&site, "ground", before);
        site_node(&site, "n", types[i], TERRAIN IN("iterations", "21"));
        float *at_once = site_take(&site, "n", output);
        assert_memory_equal(at_once, last, 41 * 29 * sizeof *last);
        oro_free(last);
        oro_free(at_once);
        harness_close(&fresh);
    }
    oro_free(before);
}

TEST_GROUP(open_harness, close_harness);
