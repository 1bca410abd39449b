/* Laws of hydraulic erosion, whatever the arithmetic: balances, bounds, symmetry, rest. Longer runs:
 * OROGRAPH_TEST_ITERATIONS. */
#include <stdlib.h>
#include <sys/stat.h>

#include "tests/nodes/erosion/basin.h"
#include "tests/support/test.h"

/* Longer runs, by hand. */
static int iterations_or(int usually)
{
    const char *wanted = getenv("OROGRAPH_TEST_ITERATIONS");
    return wanted ? (int)strtol(wanted, NULL, 10) : usually;
}

/* ---- Balances ---- */

enum { WIDTH = 48, HEIGHT = 41, CELLS = WIDTH * HEIGHT };
static const double area = 20 * 20;

struct account {
    double water, sediment, ground; /* sums of the outputs' rasters, cubic metres */
    double fallen, gained, left, evaporated, lost, taken_up, sediment_left; /* figures */
};

static double volume(struct site *site, const char *output)
{
    float *raster = site_take(site, "n", output);
    double sum = site_sum(raster, CELLS) * area;
    oro_free(raster);
    return sum;
}

static struct account account_of(struct site *site)
{
    struct account a = {.water = volume(site, "water"),
                        .fallen = harness_figure(&h, "n", "water_fallen"),
                        .gained = harness_figure(&h, "n", "water_gained"),
                        .left = harness_figure(&h, "n", "water_left_over_border"),
                        .evaporated = harness_figure(&h, "n", "water_evaporated"),
                        .lost = harness_figure(&h, "n", "ground_lost"),
                        .taken_up = harness_figure(&h, "n", "sediment_gained"),
                        .sediment_left = harness_figure(&h, "n", "sediment_left_over_border")};
    a.sediment = volume(site, "sediment");
    a.ground = volume(site, "terrain");
    return a;
}

/* `water`, `sediment`: there at first. Water without the sediment in it is what is counted. */
static void check_account(const struct account *a, double water, double sediment, double ground, double dried)
{
    double moved = a->fallen + fabs(a->left) + water, ground_moved = fabs(a->lost) + sediment;
    print_message(
        "fallen %.5g, gained %.5g, left %.5g, evaporated %.3g; ground %.5g, sediment %.5g and %.5g\n",
        a->fallen, a->gained, a->left, a->evaporated, a->lost, a->taken_up, a->sediment_left);
    assert_near(a->gained, a->water - a->sediment - (water - sediment), 1e-5 * moved);
    assert_near(a->evaporated, dried * moved, 1e-6 * moved + (dried > 0 ? 0.5 * moved : 0));
    assert_near(a->lost, a->taken_up + a->sediment_left, 1e-5 * ground_moved);
    assert_near(a->taken_up, a->sediment - sediment, 1e-5 * ground_moved);
    assert_near(a->lost, ground - a->ground, 1e-4 * ground_moved + 1e-7 * ground);
    assert_true(a->lost != 0 && a->fallen + fabs(a->left) > 0);
}

TEST(balances_close)
{
    need_device();
    static const struct {
        const char *inputs;
        bool given, walls, dries;
    } cases[] = {
        {IN("borders", "outflow"), .given = true},
        {IN("borders", "outflow") IN("neighbours", "4") IN("springs", "333 444 20; 900 40 3; 333 444 9"),
         .given = false},
        {IN("borders", "walls") IN("springs", "959 819 5"), .given = true, .walls = true},
        {IN("borders", "walls") IN("neighbours", "4"), .walls = true},
        {IN("borders", "walls") IN("evaporation", "0.3"), .walls = true, .dries = true},
        {IN("borders", "outflow") IN("evaporation", "0.3"), .given = true, .dries = true},
        {IN("borders", "sea_level") IN("sea_level", "230"), .given = true},
    };
    float *terrain = site_rough(WIDTH, HEIGHT, 20, 300, 100, 3);
    float *water = site_scatter(WIDTH, HEIGHT, 0, 4, 4), *sediment = site_scatter(WIDTH, HEIGHT, 0, 0.3, 5);
    for (int i = 0; i < CELLS; i++)
        water[i] += sediment[i];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct site site = site_start(&h, WIDTH, HEIGHT, 20);
        site_raster(&site, "ground", terrain);
        site_raster(&site, "water", water);
        site_raster(&site, "sediment", sediment);
        add_erosion(
            &site,
            format("%s%s" IN("iterations", "%d"), cases[i].inputs,
                   cases[i].given ? LINK("water", "water.terrain") LINK("sediment", "sediment.terrain") : "",
                   iterations_or(200)));
        struct account a = account_of(&site);
        check_account(&a, cases[i].given ? site_sum(water, CELLS) * area : 0,
                      cases[i].given ? site_sum(sediment, CELLS) * area : 0, site_sum(terrain, CELLS) * area,
                      cases[i].dries ? 0.5 : 0);
        assert_true(cases[i].dries == (a.evaporated > 0.01 * a.fallen));
        assert_true(cases[i].walls == (a.left == 0 && a.sediment_left == 0));
    }
    oro_free(terrain);
    oro_free(water);
    oro_free(sediment);
}

/* The water that falls is what the inputs say: a rate, per time. */
TEST(rain_and_springs_give_what_they_say)
{
    need_device();
    float *flat = site_uniform(WIDTH, HEIGHT, 100);
    struct site site = basin(flat, WIDTH, HEIGHT, 20,
                             IN("rain", "0.03") IN("erosion", "false") IN("springs", "500 500 12; 20 20 3")
                                 IN("iterations", "50") IN("borders", "walls"));
    double water = volume(&site, "water"), seconds = 50 * 0.02;
    double expected =
        (0.03 * 20 * CELLS + (12 + 3) * 20) * area * seconds; /* metres; a reference cell is a cell */
    assert_near(water, expected, 1e-4 * expected);
    assert_near(harness_figure(&h, "n", "water_fallen"), expected, 1e-4 * expected);
    oro_free(flat);
}

/* A sea that is higher than a hollow beyond a low coast comes in, and is in the balance. */
TEST(the_sea_comes_in)
{
    need_device();
    float *terrain = site_uniform(WIDTH, HEIGHT, 5), *dry = site_uniform(WIDTH, HEIGHT, 0);
    struct site site = site_start(&h, WIDTH, HEIGHT, 20);
    site_raster(&site, "ground", terrain);
    site_raster(&site, "dry", dry);
    add_erosion(&site, LINK("water", "dry.terrain") IN("borders", "sea_level") IN("sea_level", "12")
                           IN("rain", "0") IN("erosion", "false") IN("iterations", "1200"));
    float *water = site_take(&site, "n", "water");
    double left = harness_figure(&h, "n", "water_left_over_border");
    for (int i = 0; i < CELLS; i++)
        assert_near(water[i], 7, 0.05);
    assert_near(-left, site_sum(water, CELLS) * area, 1e-3 * 7 * CELLS * area);
    oro_free(water);
    struct site filled =
        basin(terrain, WIDTH, HEIGHT, 20, IN("borders", "sea_level") IN("sea_level", "12") IN("rain", "0"));
    water = site_take(&filled, "n", "water"); /* without `water` the sea is there at first, and at rest */
    for (int i = 0; i < CELLS; i++)
        assert_true(water[i] == 7);
    oro_free(water);
    oro_free(terrain);
    oro_free(dry);
}

/* ---- Bounds ---- */

/* No depth is negative; site_take has already refused what is no number. */
static void check_bounds(struct site *site, int cells)
{
    static const char *const depths[] = {"water", "sediment", "deposited", "eroded", "hardness"};
    for (int k = 0; k < 5; k++) {
        float *depth = site_take(site, "n", depths[k]);
        for (int i = 0; i < cells; i++)
            if (depth[i] < 0 || (k == 4 && depth[i] > 1))
                fail_msg("%s %g at cell %d", depths[k], (double)depth[i], i);
        oro_free(depth);
    }
    oro_free(site_take(site, "n", "terrain"));
    oro_free(site_take(site, "n", "velocity"));
    oro_free(site_take(site, "n", "flux"));
}

/* A time step that is far too long is held to the longest stable one. */
TEST(nothing_blows_up_at_the_longest_step)
{
    need_device();
    static const char *const cases[] = {
        IN("friction", "0") IN("rain", "0.05"),
        IN("friction", "0") IN("rain", "0.05") IN("neighbours", "4") IN("evaporation", "0.05"),
        IN("borders", "walls") IN("capacity", "100") IN("suspension", "100") IN("deposition", "100")
            IN("slide_rate", "100") IN("collision", "1"),
        IN("borders", "sea_level") IN("sea_level", "400") IN("neighbours", "4") IN("springs", "300 300 2000"),
        IN("borders", "walls") IN("springs", "300 300 2000; 320 300 2000; 300 320 2000; 320 320 2000"),
    };
    double relief[] = {60, 3000, 1e6};
    for (int k = 0; k < 3; k++) {
        float *rough = site_rough(WIDTH, HEIGHT, 12, relief[k], 0, 8);
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            struct site site = basin(
                rough, WIDTH, HEIGHT, 20,
                format("%s" IN("time_step", "1000") IN("iterations", "%d"), cases[i], iterations_or(120)));
            check_bounds(&site, CELLS);
        }
        oro_free(rough);
    }
}

/* Walls of 1e6 m, cell by cell. */
TEST(cliffs_are_harmless)
{
    need_device();
    float *cliffs = site_uniform(WIDTH, HEIGHT, 0);
    for (int i = 0; i < CELLS; i++)
        cliffs[i] = site_random(5, i) < 0.3 ? 1e6f : site_random(6, i) < 0.3 ? -1e6f : 100;
    for (int k = 0; k < 4; k++) {
        struct site site = basin(cliffs, WIDTH, HEIGHT, 20,
                                 format(IN("time_step", "1000") IN("neighbours", "%d") IN("borders", "%s")
                                            IN("iterations", "%d"),
                                        k % 2 ? 8 : 4, k / 2 ? "walls" : "outflow", iterations_or(120)));
        check_bounds(&site, CELLS);
    }
    oro_free(cliffs);
}

static bool is_there(const char *path)
{
    struct stat about;
    if (stat(path, &about) == 0)
        return true;
    print_message("skipped: %s is not there\n", path);
    return false;
}

TEST(real_terrains_are_harmless)
{
    need_device();
    static const char *const files[] = {"eroded_512.png", "mountains_8bit_256.png", "new_zealand_256.png",
                                        "uplift_lambda_256.png"};
    for (int i = 0; i < 4; i++) {
        const char *path = format("../shared/data/%s", files[i]);
        if (!is_there(path))
            continue;
        int side = i ? 256 : 512;
        struct site site = site_start(&h, side, side, 30);
        site_node(&site, "ground", "import", IN("file", "%s") IN("size", "file") IN("high", "2500"), path);
        add_erosion(&site, format(IN("time_step", "1000") IN("friction", "%d") IN("neighbours", "%d")
                                      IN("iterations", "%d"),
                                  i % 2, i % 2 ? 4 : 8, iterations_or(i ? 60 : 15)));
        check_bounds(&site, side * side);
    }
}

/* ---- Symmetry ---- */

enum { SIDE = 57, TURNS = 8 };

static float *make_cone(double height)
{
    float *cone = site_uniform(SIDE, SIDE, 0);
    double middle = 0.5 * (SIDE - 1);
    for (int i = 0; i < SIDE * SIDE; i++)
        cone[i] = (float)(height * (1 - hypot(i % SIDE - middle, i / SIDE - middle) / (1.5 * middle)));
    return cone;
}

/* Where a cell goes in one of the four turns, mirrored or not. */
static int turned(int cell, int turn)
{
    int x = cell % SIDE, y = cell / SIDE;
    for (int i = 0; i < turn % 4; i++) {
        int was = x;
        x = SIDE - 1 - y;
        y = was;
    }
    return SIDE * y + (turn >= 4 ? SIDE - 1 - x : x);
}

TEST(a_cone_stays_symmetric)
{
    need_device();
    static const char *const cases[] = {
        IN("neighbours", "4"), IN("neighbours", "8"), IN("neighbours", "8") IN("borders", "walls"),
        IN("neighbours", "4") IN("borders", "sea_level") IN("sea_level", "60")};
    static const char *const outputs[] = {"terrain", "water", "sediment"};
    float *cone = make_cone(400);
    for (int k = 0; k < 4; k++)
        for (int o = 0; o < 3; o++) {
            float *after = eroded(
                cone, SIDE, SIDE,
                format("%s" IN("evaporation", "0.015") IN("iterations", "%d"), cases[k], iterations_or(300)),
                outputs[o]);
            double error = 0, moved = site_difference(after, cone, SIDE * SIDE);
            for (int i = 0; i < SIDE * SIDE; i++)
                for (int turn = 1; turn < TURNS; turn++)
                    error = fmax(error, fabs((double)after[i] - (double)after[turned(i, turn)]));
            print_message("cone, case %d, %s: %.2g of %.3g m\n", k, outputs[o], error, moved);
            assert_true(moved > 1);
            assert_true(error <= 1e-5 * 400);
            oro_free(after);
        }
    oro_free(cone);
}

static double interpolated(const float *data, double x, double y)
{
    int cx = (int)floor(x), cy = (int)floor(y);
    const float *at = &data[SIDE * cy + cx];
    double u = x - cx, v = y - cy;
    return (1 - v) * ((1 - u) * (double)at[0] + u * (double)at[1]) +
           v * ((1 - u) * (double)at[SIDE] + u * (double)at[SIDE + 1]);
}

/* Greatest difference from the same turned by 45 degrees, within a circle that the square border does not
 * reach. */
static double unlike_diagonally(const float *data)
{
    double middle = 0.5 * (SIDE - 1), most = 0, part = sqrt(0.5);
    for (int i = 0; i < SIDE * SIDE; i++) {
        double x = i % SIDE - middle, y = i / SIDE - middle;
        if (hypot(x, y) < 0.6 * middle)
            most = fmax(most, fabs((double)data[i] -
                                   interpolated(data, middle + part * (x - y), middle + part * (x + y))));
    }
    return most;
}

TEST(eight_neighbours_have_less_of_a_grid)
{
    need_device();
    double unlike[2], height = 400;
    float *cone = make_cone(height);
    for (int k = 0; k < 2; k++) {
        float *after = eroded(
            cone, SIDE, SIDE,
            format(IN("neighbours", "%d") IN("evaporation", "0.015") IN("iterations", "300"), k ? 8 : 4),
            "terrain");
        double moved = site_difference(cone, after, SIDE * SIDE);
        for (int i = 0; i < SIDE * SIDE; i++)
            after[i] -= cone[i]; /* what is left of the cone is rounder than cells can show */
        unlike[k] = unlike_diagonally(after);
        print_message("%d neighbours, turned by 45 degrees: %.3g of %.3g m\n", k ? 8 : 4, unlike[k], moved);
        oro_free(after);
    }
    assert_true(unlike[1] < 0.02 * height);
    assert_true(unlike[1] < 0.5 * unlike[0]);
    oro_free(cone);
}

/* A world without symmetry, turned and mirrored, gives the turned and mirrored result. */
TEST(no_direction_is_special)
{
    need_device();
    float *before = site_rough(SIDE, SIDE, 16, 300, 0, 77), *other = site_uniform(SIDE, SIDE, 0);
    for (int k = 0; k < 2; k++) {
        const char *inputs = format(IN("neighbours", "%d") IN("iterations", "40"), k ? 8 : 4);
        float *after = eroded(before, SIDE, SIDE, inputs, "terrain");
        double moved = site_difference(before, after, SIDE * SIDE);
        for (int turn = 1; turn < TURNS; turn += 2) {
            for (int i = 0; i < SIDE * SIDE; i++)
                other[turned(i, turn)] = before[i];
            float *given = eroded(other, SIDE, SIDE, inputs, "terrain");
            double error = 0;
            for (int i = 0; i < SIDE * SIDE; i++)
                error = fmax(error, fabs((double)given[turned(i, turn)] - (double)after[i]));
            print_message("turn %d: %.2g of %.3g m\n", turn, error, moved);
            assert_true(moved > 1 && error < 1e-3 * moved);
            oro_free(given);
        }
        oro_free(after);
    }
    oro_free(before);
    oro_free(other);
}

/* ---- Resolution ---- */

static float *make_valley(int width, double cell)
{
    float *valley = site_uniform(width, width, 0);
    for (int i = 0; i < width * width; i++) {
        double x = (i % width + 0.5) * cell / 640, y = (i / width + 0.5) * cell / 640;
        valley[i] = (float)(60 * (1 - y) + 50 * (x - 0.5) * (x - 0.5) + 4 * cos(9 * x) * cos(7 * y));
    }
    return valley;
}

TEST(water_does_not_depend_on_the_size_of_cells)
{
    need_device();
    enum { COARSE = 32 };
    float *raster[2][2];
    for (int fine = 0; fine < 2; fine++) {
        int width = COARSE << fine;
        float *valley = make_valley(width, 20 >> fine);
        struct site site = basin(valley, width, width, 20 >> fine,
                                 format(IN("erosion", "false") IN("thermal", "false") IN("time_step", "%g")
                                            IN("iterations", "%d") IN("rain", "0.03"),
                                        fine ? 0.01 : 0.02, fine ? 600 : 300));
        raster[fine][0] = site_take(&site, "n", "water");
        raster[fine][1] = site_take(&site, "n", "velocity");
        oro_free(valley);
    }
    for (int k = 0; k < 2; k++) {
        double difference = 0, sum = 0;
        for (int i = 0; i < (1 + k) * COARSE * COARSE; i++) {
            int cell = i / (1 + k), channel = i % (1 + k), x = cell % COARSE, y = cell / COARSE;
            double mean = 0;
            for (int j = 0; j < 4; j++)
                mean +=
                    0.25 *
                    (double)raster[1][k][(1 + k) * (2 * COARSE * (2 * y + j / 2) + 2 * x + j % 2) + channel];
            difference += fabs(mean - (double)raster[0][k][i]);
            sum += fabs(mean);
        }
        print_message("%s at half the cell size differs by %.3g\n", k ? "velocity" : "water",
                      difference / sum);
        assert_true(difference < 0.1 * sum);
    }
    for (int i = 0; i < 4; i++)
        oro_free(raster[i / 2][i % 2]);
}

TEST_GROUP(open_harness, close_harness);
