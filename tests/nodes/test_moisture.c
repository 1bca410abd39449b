/* moisture: against sums over all that lies upwind; turns with the wind; what each input does; what is no
 * number. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tests/nodes/group.h"
#include "tests/nodes/site.h"
#include "tests/support/test.h"

/* An output of the node over `terrain`, with `water` if there is any. `inputs` is XML. */
static float *moisture(const float *terrain, const float *water, int width, int height, double cell,
                       const char *output, const char *inputs)
{
    struct site site = site_start(&h, width, height, cell);
    site_raster(&site, "f", terrain);
    if (water)
        site_raster(&site, "w", water);
    site_node(&site, "n", "moisture", LINK("terrain", "f.terrain") "%s%s",
              water ? LINK("water", "w.terrain") : "", inputs);
    float *field = site_take(&site, "n", output);
    for (int i = 0; i < width * height; i++)
        assert_true(field[i] >= 0 && (field[i] <= 1 || strcmp(output, "distance") == 0));
    return field;
}

/* ---- A row, from one cell to the next ---- */

enum { ROW = 60 };
#define ROW_CELL 400.0
#define ROW_INPUTS                                                                                           \
    IN("sea_level", "100")                                                                                   \
    IN("least", "0.1")                                                                                       \
    IN("spread", "0")                                                                                        \
    IN("rain_shadow", "0.8")                                                                                 \
    IN("lift", "0.3")                                                                                        \
    IN("drift", "900")                                                                                       \
    IN("recovery", "7000")                                                                                   \
    IN("scale_height", "2000") IN("height", "0.6") IN("coast", "0.7") IN("reach", "3000")

struct row {
    float terrain[ROW], water[ROW];
};

static struct row mountains(unsigned seed)
{
    struct row row;
    for (int i = 0; i < ROW; i++) {
        row.terrain[i] = (float)(1500 * site_random(seed, i / 5) + 300 * site_random(seed + 1, i) - 200);
        row.water[i] = site_random(seed + 2, i / 3) < 0.15;
    }
    return row;
}

static double dry_at(const struct row *row, int i)
{
    return 1 - exp(-fmax((double)row->terrain[i] - 100, 0) / 2000);
}

/* What the driest air on the way still lacks: each cell's loss, less what the air has regained since. */
static double dryness(const struct row *row, int cell)
{
    double driest = 0;
    for (int from = 0; from <= cell; from++) {
        double way = 0;
        for (int i = from + 1; i <= cell; i++)
            way += ROW_CELL * (row->water[i] > 0 ? 4 : 1);
        driest = fmax(driest, dry_at(row, from) * exp(-way / 7000));
    }
    return driest;
}

static double rain(const struct row *row, int cell)
{
    double sum = 0, kept = exp(-ROW_CELL / 900);
    for (int from = 1; from <= cell; from++)
        sum += fmax(dry_at(row, from) - dryness(row, from - 1), 0) / ROW_CELL * 2000 * (1 - kept) *
               pow(kept, cell - from);
    return 1 - exp(-sum / 0.1);
}

static double humidity(const struct row *row, int cell)
{
    return (1 - dryness(row, cell)) / (1 - dry_at(row, cell));
}

static double distance(const struct row *row, int cell)
{
    double least = 1e9;
    for (int i = 0; i < ROW; i++)
        if (row->water[i] > 0)
            least = fmin(least, ROW_CELL * abs(i - cell));
    return least;
}

static double expected(const struct row *row, int cell)
{
    double air = (1 - 0.8 * (1 - humidity(row, cell))) * (1 - 0.6 * dry_at(row, cell));
    double way = 1 - 0.7 * (1 - exp(-distance(row, cell) / 3000));
    return 0.1 + 0.9 * way * (0.7 * air + 0.3 * rain(row, cell));
}

static void check_row(const struct row *row, const char *output, double want(const struct row *, int),
                      double tolerance)
{
    static const char *const winds[] = {"270", "90", "0", "180"};
    for (int turn = 0; turn < 4; turn++) {
        struct row laid = *row; /* from west to east or north to south, or the other way round */
        for (int i = 0; i < ROW && turn % 2; i++) {
            laid.terrain[i] = row->terrain[ROW - 1 - i];
            laid.water[i] = row->water[ROW - 1 - i];
        }
        char inputs[1200];
        snprintf(inputs, sizeof inputs, IN("wind", "%s") ROW_INPUTS, winds[turn]);
        float *field = moisture(laid.terrain, laid.water, turn < 2 ? ROW : 1, turn < 2 ? 1 : ROW, ROW_CELL,
                                output, inputs);
        for (int i = 0; i < ROW; i++)
            assert_near(field[turn % 2 ? ROW - 1 - i : i], want(row, i), tolerance);
        oro_free(field);
    }
}

TEST(rows_are_as_summed_up)
{
    need_device();
    for (unsigned seed = 0; seed < 40; seed += 10) {
        struct row row = mountains(seed);
        check_row(&row, "humidity", humidity, 3e-6);
        check_row(&row, "rain", rain, 3e-6);
        check_row(&row, "distance", distance, 1e-2);
        check_row(&row, "moisture", expected, 3e-6);
    }
}

/* ---- In two dimensions ---- */

enum { SIDE = 96 };
#define CELL 200.0

/* A round mountain in the middle of the sea, 2000 m high. */
static float *mountain(int side)
{
    float *terrain = site_uniform(side, side, 0);
    for (int i = 0; i < side * side; i++) {
        int column = i % side, row = i / side;
        double away = fmin(hypot(column + 0.5 - side / 2.0, row + 0.5 - side / 2.0) / (0.25 * side), 1);
        terrain[i] = (float)(2000 * pow(cos(away * acos(0)), 2));
    }
    return terrain;
}

static double between(const float *field, double x, double y)
{
    int column = (int)floor(x), row = (int)floor(y);
    const float *at = field + row * SIDE + column;
    double east = x - column, south = y - row;
    return (1 - south) * ((1 - east) * (double)at[0] + east * (double)at[1]) +
           south * ((1 - east) * (double)at[SIDE] + east * (double)at[SIDE + 1]);
}

/* Largest difference from the field in west wind, turned by the angle, within a circle. */
static double turned_difference(const float *west, const float *turned, double degrees)
{
    double largest = 0, middle = (SIDE - 1) / 2.0, angle = degrees * acos(-1) / 180;
    for (int i = 0; i < SIDE * SIDE; i++) {
        int column = i % SIDE, row = i / SIDE;
        double x = column - middle, y = row - middle;
        double there_x = cos(angle) * x - sin(angle) * y, there_y = sin(angle) * x + cos(angle) * y;
        if (hypot(x, y) < middle - 2)
            largest =
                fmax(largest, fabs(between(turned, middle + there_x, middle + there_y) - (double)west[i]));
    }
    return largest;
}

TEST(turns_with_the_wind)
{
    need_device();
    static const char *const spreads[] = {"0", "20"};
    float *terrain = mountain(SIDE);
    for (int k = 0; k < 2; k++) {
        char inputs[640];
        snprintf(inputs, sizeof inputs, IN("wind", "270") IN("spread", "%s"), spreads[k]);
        float *west = moisture(terrain, NULL, SIDE, SIDE, CELL, "moisture", inputs);
        for (int degrees = -350; degrees <= 360; degrees += 10) {
            if (k == 1 && degrees % 70 != 0)
                continue;
            snprintf(inputs, sizeof inputs, IN("wind", "%d") IN("spread", "%s"),
                     degrees + 270 > 360 ? degrees - 90 : degrees + 270, spreads[k]);
            float *turned = moisture(terrain, NULL, SIDE, SIDE, CELL, "moisture", inputs);
            assert_near(turned_difference(west, turned, degrees), 0, degrees % 90 ? 0.02 : 1e-5);
            oro_free(turned);
        }
        oro_free(west);
    }
    oro_free(terrain);
}

/* The side that faces the wind is the wetter: by its rain, and by the air. */
TEST(ridges_divide_wet_from_dry)
{
    need_device();
    static const char *const outputs[] = {"moisture", "rain", "humidity"};
    static const double least[] = {0.2, 0.5, 0.06};
    float *terrain = mountain(SIDE);
    for (int k = 0; k < 3; k++) {
        float *field = moisture(terrain, NULL, SIDE, SIDE, CELL, outputs[k], "");
        for (int y = 44; y < 52; y++)
            for (int away = 6; away < 16; away++)
                assert_true(field[y * SIDE + 47 - away] > field[y * SIDE + 48 + away] + (float)least[k]);
        oro_free(field);
    }
    oro_free(terrain);
}

/* Beside the way of the wind over the mountain nothing happens unless the wind turns. */
TEST(wind_that_turns_widens_the_shadow)
{
    need_device();
    float *terrain = mountain(SIDE);
    float *steady = moisture(terrain, NULL, SIDE, SIDE, CELL, "humidity", IN("spread", "0"));
    float *turning = moisture(terrain, NULL, SIDE, SIDE, CELL, "humidity", IN("spread", "30"));
    int far_side = 20 * SIDE + 94, behind = 48 * SIDE + 94; /* the mountain's north end is row 24 */
    assert_near(steady[far_side], 1, 1e-6);
    assert_true(turning[far_side] < 0.99F && turning[behind] > steady[behind] + 0.01F);
    oro_free(terrain);
    oro_free(steady);
    oro_free(turning);
}

TEST(shadows_grow_with_their_strength)
{
    need_device();
    static const char *const strengths[] = {"0", "0.3", "0.6", "1"};
    float *terrain = mountain(SIDE), *before = NULL;
    for (int k = 0; k < 4; k++) {
        char inputs[640];
        snprintf(inputs, sizeof inputs, IN("lift", "0") IN("rain_shadow", "%s"), strengths[k]);
        float *field = moisture(terrain, NULL, SIDE, SIDE, CELL, "moisture", inputs);
        for (int i = 0; i < SIDE * SIDE; i++) {
            bool behind = i % SIDE > 56 && abs(i / SIDE - 48) < 8;
            assert_true(!before || field[i] <= before[i] + 1e-6F);
            assert_true(!before || !behind || field[i] < before[i] - 0.005F);
            /* With no shadow and no lift there is no wind: both sides are alike. */
            if (k == 0)
                assert_near(field[i], field[i / SIDE * SIDE + SIDE - 1 - i % SIDE], 1e-5);
        }
        oro_free(before);
        before = field;
    }
    oro_free(before);
    oro_free(terrain);
}

/* Level land has no wind, and with no water in sight no coast. */
TEST(level_land_is_even)
{
    need_device();
    static const int sizes[][2] = {{1, 1}, {1, 9}, {9, 1}, {30, 20}};
    static const double cells[] = {0.01, 30, 1e6};
    for (int k = 0; k < 4; k++)
        for (int c = 0; c < 3; c++) {
            int count = sizes[k][0] * sizes[k][1];
            float *terrain = site_uniform(sizes[k][0], sizes[k][1], 500);
            float *field = moisture(terrain, NULL, sizes[k][0], sizes[k][1], cells[c], "moisture",
                                    IN("wind", "33") IN("lift", "0.25"));
            assert_non_null(strstr(h.warnings, "no water"));
            for (int i = 0; i < count; i++)
                assert_near(field[i], 0.05 + 0.95 * 0.75 * (0.5 + 0.5 * exp(-0.2)), 1e-5);
            oro_free(terrain);
            oro_free(field);
        }
}

TEST(water_is_told_from_land)
{
    need_device();
    const float terrain[6] = {70, 50, 60, 49.9F, 80, 90}, water[6] = {1, 0, 0, 0.5F, 0, 0.51F};
    static const double by_height[6] = {10, 0, 10, 0, 10, 20}, linked[6] = {0, 10, 20, 20, 10, 0};
    float *sea = moisture(terrain, NULL, 6, 1, 10, "distance", IN("sea_level", "50"));
    assert_string_equal(h.warnings, "");
    float *lakes = moisture(terrain, water, 6, 1, 10, "distance", IN("sea_level", "50"));
    float *dry = moisture(terrain, NULL, 6, 1, 10, "distance", IN("coast", "0"));
    assert_string_equal(h.warnings, "");
    for (int i = 0; i < 6; i++) {
        assert_near(sea[i], by_height[i], 1e-4);
        assert_near(lakes[i], linked[i], 1e-4);
        assert_near(dry[i], 10 * sqrt(37), 1e-3);
    }
    oro_free(sea);
    oro_free(lakes);
    oro_free(dry);
}

/* The same world in cells of other size has the same climate. */
TEST(resolution_changes_details_alone)
{
    need_device();
    static const char *const outputs[] = {"moisture", "rain", "humidity"};
    float *fine_terrain = site_rough(256, 256, 80, 2500, -300, 4), *terrain = site_uniform(64, 64, 0);
    for (int i = 0; i < 256 * 256; i++)
        terrain[i / 1024 * 64 + i % 256 / 4] += fine_terrain[i] / 16;
    for (int k = 0; k < 3; k++) {
        float *fine = moisture(fine_terrain, NULL, 256, 256, 100, outputs[k], IN("wind", "250"));
        float *coarse = moisture(terrain, NULL, 64, 64, 400, outputs[k], IN("wind", "250"));
        double mean = 0, difference = 0, tolerance = k == 1 ? 0.04 : 0.015;
        for (int i = 0; i < 64 * 64; i++) {
            double sum = 0;
            for (int j = 0; j < 16; j++)
                sum += (double)fine[(i / 64 * 4 + j / 4) * 256 + i % 64 * 4 + j % 4] / 16;
            mean += (sum - (double)coarse[i]) / 4096;
            difference += fabs(sum - (double)coarse[i]) / 4096;
        }
        assert_near(mean, 0, tolerance);
        assert_near(difference, 0, tolerance);
        oro_free(fine);
        oro_free(coarse);
    }
    oro_free(fine_terrain);
    oro_free(terrain);
}

#define NODE(id, type, inputs) "<node id=\"" id "\" type=\"" type "\" x=\"0\" y=\"0\">" inputs "</node>\n"
/* Where `f` is not 0: infinity, and no number. */
#define HOLES                                                                                                \
    NODE("vast", "combine", LINK("a", "f.terrain") IN("b", "1e35") IN("method", "multiply"))                 \
    NODE("holes", "combine", LINK("a", "vast.field") LINK("b", "vast.field") IN("method", "subtract"))

/* Moisture of a row that is 0, but for one cell of 1e9 in the middle. */
static float *with_holes(const char *inputs)
{
    float terrain[9] = {[4] = 1e9F};
    struct site site = site_start(&h, 9, 1, 1000);
    site_raster(&site, "f", terrain);
    size_t used = strlen(site.nodes);
    snprintf(site.nodes + used, sizeof site.nodes - used, "%s", HOLES);
    site_node(&site, "n", "moisture", "%s", inputs);
    float *field = site_take(&site, "n", "moisture");
    for (int i = 0; i < 9; i++)
        assert_true(field[i] >= 0.05F - 1e-6F && field[i] <= 1);
    return field;
}

/* Land that is no number counts as at sea level and not as water; water and shadow that are no numbers count
 * as absent; infinite land dries the air behind it, and none before it. */
TEST(what_is_no_number_is_nothing)
{
    need_device();
    float *land = with_holes(LINK("terrain", "holes.field") IN("lift", "0"));
    float *water = with_holes(LINK("terrain", "holes.field") LINK("water", "holes.field") IN("lift", "0"));
    assert_non_null(strstr(h.warnings, "no water"));
    float *endless =
        with_holes(LINK("terrain", "vast.field") IN("lift", "0") IN("coast", "0") IN("spread", "0"));
    float *shadow = with_holes(LINK("terrain", "vast.field") LINK("rain_shadow", "holes.field")
                                   IN("lift", "0") IN("coast", "0"));
    for (int i = 0; i < 9; i++) {
        double way = i == 4 ? 0.5 + 0.5 * exp(-0.05) : 1, back = 1 - exp(-0.2 * (i - 4));
        assert_near(land[i], 0.05 + 0.95 * way, 1e-5);
        assert_near(water[i], 1, 1e-5);
        assert_near(shadow[i], i == 4 ? 0.05 + 0.95 * 0.5 : 1, 1e-5);
        if (i != 4)
            assert_near(endless[i], i < 4 ? 1 : 0.05 + 0.95 * back, 1e-5);
    }
    oro_free(land);
    oro_free(water);
    oro_free(endless);
    oro_free(shadow);
}

TEST_GROUP(open_harness, close_harness);
