/* Lakes, fjords and playas stay level where ground gets detail; treads of a staircase are none. */
#include <math.h>

#include "base/memory.h"
#include "tests/nodes/group.h"
#include "tests/nodes/site.h"

#define GROUND LINK("terrain", "ground.terrain")
#define REFERENCE LINK("reference", "ground.terrain")
enum { SIDE = 64, CELLS = SIDE * SIDE, SHORE = 10 };
static const double cell = 40;

/* The means over factor x factor cells. */
static float *coarser(const float *fine, int side, int factor)
{
    int columns = side / factor;
    float *means = site_uniform(columns, columns, 0);
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++)
            means[y / factor * columns + x / factor] += fine[y * side + x] / (float)(factor * factor);
    return means;
}

/* Steep ground that water at `level` has drowned; reaches the border, as a fjord does, or not. */
static float *drowned(double level, bool fjord)
{
    float *ground = site_rough(SIDE, SIDE, 24, 900, 0, 5);
    for (int i = 0; i < CELLS; i++) {
        double x = i % SIDE - SIDE / 2.0, y = i / SIDE - SIDE / 2.0;
        double wall = 40 * (fmax(fabs(x), fjord ? 0 : fabs(y)) - SIDE / 5.0);
        ground[i] = (float)fmax(level, level + fmin(wall, 600) + 0.3 * (double)ground[i] - 60);
    }
    return ground;
}

/* The level ground of the truth, but for its outermost cells, of which coarse ground does not tell. */
static bool is_level(const float *truth, double level, int i, int around)
{
    int x = i % SIDE, y = i / SIDE;
    for (int k = 0; k < (2 * around + 1) * (2 * around + 1); k++) {
        int there_x = x + k % (2 * around + 1) - around, there_y = y + k / (2 * around + 1) - around;
        if (there_x < 0 || there_y < 0 || there_x >= SIDE || there_y >= SIDE)
            continue;
        if (fabs((double)truth[there_y * SIDE + there_x] - level) > 1e-3)
            return false;
    }
    return true;
}

static float *amplified(const float *truth, const char *type, const char *inputs, const char *output)
{
    float *coarse = coarser(truth, SIDE, 4);
    struct site site = site_start(&h, SIDE / 4, SIDE / 4, 4 * cell);
    site_raster(&site, "ground", coarse);
    site_node(&site, "n", type, GROUND "%s", inputs);
    oro_free(coarse);
    return site_take(&site, "n", output);
}

static void expect_level(double level, bool fjord, const char *type, const char *inputs)
{
    float *truth = drowned(level, fjord), *fine = amplified(truth, type, inputs, "terrain");
    double squares = 0, deepest = 0;
    int count = 0;
    for (int i = 0; i < CELLS; i++) {
        if (is_level(truth, level, i, 4)) {
            squares += pow((double)fine[i] - level, 2);
            count++;
        }
        deepest = fmax(deepest, level - (double)fine[i]); /* all of this ground is shore, or above it */
    }
    print_message("%s at %g m: %d cells, rms %.3f m, deepest %.2f m below\n", type, level, count,
                  sqrt(squares / count), deepest);
    assert_true(count > CELLS / 25);
    assert_true(sqrt(squares / count) < 0.5);
    assert_true(deepest < 1);
    oro_free(truth);
    oro_free(fine);
}

TEST(lakes_and_fjords_stay_level)
{
    need_device();
    expect_level(0, true, "amplify", IN("factor", "4"));
    expect_level(812.4, false, "amplify", IN("factor", "4"));
    expect_level(0, true, "amplify_chain", IN("levels", "2; 2") IN("breach", "false"));
    expect_level(812.4, false, "amplify_chain", IN("levels", "2; 2") IN("breach", "false"));
}

/* The mask says where that is. */
TEST(level_ground_is_told)
{
    need_device();
    float *truth = drowned(300, false),
          *level = amplified(truth, "amplify", IN("factor", "4"), "level_ground");
    int wrong = 0;
    for (int i = 0; i < CELLS; i++)
        if (is_level(truth, 300, i, 4) ? level[i] < 0.5f : (double)truth[i] > 400 && level[i] > 0.5f)
            wrong++;
    assert_int_equal(wrong, 0);
    oro_free(truth);
    oro_free(level);
}

/* A slope in steps of 30 m, eight cells wide, as files of few levels have it, gets detail on its treads. */
TEST(treads_are_not_level)
{
    need_device();
    float *stairs = site_uniform(SIDE, SIDE, 0);
    for (int i = 0; i < CELLS; i++)
        stairs[i] = (float)(30 * (i % SIDE / 8));
    struct site site = site_start(&h, SIDE, SIDE, cell);
    site_raster(&site, "ground", stairs);
    site_node(&site, "n", "keep_level", GROUND REFERENCE);
    float *level = site_take(&site, "n", "level_ground");
    for (int i = 0; i < CELLS; i++)
        assert_true(level[i] == (i % SIDE < 8)); /* the lowest is a lake, for all that one sees */
    oro_free(stairs);
    oro_free(level);
}

/* Under water that a mask tells of, there is no detail, level or not. */
TEST(water_gets_no_detail)
{
    need_device();
    float *bed = site_rough(SIDE, SIDE, 16, 300, 0, 8), *detail = site_scatter(SIDE, SIDE, 0, 20, 2);
    float *water = site_uniform(SIDE, SIDE, 0);
    for (int i = 0; i < CELLS; i++) {
        detail[i] += bed[i];
        water[i] = i % SIDE < SIDE / 2;
    }
    struct site site = site_start(&h, SIDE, SIDE, cell);
    site_raster(&site, "ground", detail);
    site_raster(&site, "bed", bed);
    site_raster(&site, "water", water);
    site_node(&site, "n", "keep_level",
              GROUND LINK("reference", "bed.terrain") LINK("smooth_ground", "bed.terrain")
                  LINK("water", "water.terrain"));
    float *kept = site_take(&site, "n", "terrain");
    for (int i = 0; i < CELLS; i++)
        assert_true(kept[i] == (i % SIDE < SIDE / 2 ? bed[i] : detail[i]));
    oro_free(bed);
    oro_free(detail);
    oro_free(water);
    oro_free(kept);
}

TEST_GROUP(open_harness, close_harness);
