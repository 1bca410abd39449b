/* Lakes, fjords and playas stay level where ground gets detail; treads of a staircase are none. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "tests/nodes/group.h"
#include "tests/nodes/site.h"

#define GROUND LINK("terrain", "ground.terrain")
enum { SIDE = 64, CELLS = SIDE * SIDE };
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
    site_node(&site, "n", "level_ground", GROUND);
    float *level = site_take(&site, "n", "mask");
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
    site_node(&site, "found", "level_ground", LINK("terrain", "bed.terrain"));
    site_node(&site, "n", "keep_level",
              GROUND LINK("reference", "bed.terrain") LINK("smooth_ground", "bed.terrain")
                  LINK("level", "found.level") LINK("water", "water.terrain"));
    float *kept = site_take(&site, "n", "terrain");
    for (int i = 0; i < CELLS; i++)
        assert_true(kept[i] == (i % SIDE < SIDE / 2 ? bed[i] : detail[i]));
    oro_free(bed);
    oro_free(detail);
    oro_free(water);
    oro_free(kept);
}

/* ---- Real ground ---- */

enum { REAL = 256, REAL_CELLS = REAL * REAL, REDUCED = 4, DAM = 30, FIRST = 10 };
static const double real_cell = 90;

/* A piece of a DEM, in metres; NULL: the file is not there. */
static float *real_ground(const char *name, int left, int top)
{
    enum { WHOLE = 648 };
    char path[96];
    struct stat about;
    snprintf(path, sizeof path, "../shared/data/dems/%s.png", name);
    if (stat(path, &about) != 0) {
        print_message("skipped: %s is not there\n", path);
        return NULL;
    }
    struct site site = site_start(&h, WHOLE, WHOLE, real_cell);
    site_node(&site, "n", "import", IN("file", "%s") IN("size", "file") IN("high", "6088.4"), path);
    float *whole = site_take(&site, "n", "terrain"), *piece = site_uniform(REAL, REAL, 0);
    for (int i = 0; i < REAL_CELLS; i++)
        piece[i] = whole[(top + i / REAL) * WHOLE + left + i % REAL];
    oro_free(whole);
    return piece;
}

static int by_height(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static float quantile(const float *ground, double share)
{
    float *sorted = site_uniform(REAL, REAL, 0);
    for (int i = 0; i < REAL_CELLS; i++)
        sorted[i] = ground[i];
    qsort(sorted, REAL_CELLS, sizeof *sorted, by_height);
    float value = sorted[(int)(share * REAL_CELLS)];
    oro_free(sorted);
    return value;
}

static int from_border(int i)
{
    int x = i % REAL, y = i / REAL, across = x < REAL - 1 - x ? x : REAL - 1 - x;
    int down = y < REAL - 1 - y ? y : REAL - 1 - y;
    return across < down ? across : down;
}

/* Fills `reached` with the size of the connected ground at or below `level` that a cell is of, or 0; less
 * than 0 where that meets the border. */
static void connect(const float *ground, float level, int *reached)
{
    int *queue = oro_alloc(REAL_CELLS, sizeof *queue);
    assert_non_null(queue);
    for (int i = 0; i < REAL_CELLS; i++)
        reached[i] = 0;
    for (int start = 0; start < REAL_CELLS; start++) {
        int count = 0;
        bool border = false;
        if (ground[start] > level || reached[start] != 0)
            continue;
        queue[count++] = start;
        reached[start] = 1;
        for (int k = 0; k < count; k++) {
            int x = queue[k] % REAL, y = queue[k] / REAL;
            border = border || from_border(queue[k]) == 0;
            for (int n = 0; n < 9; n++) {
                int to_x = x + n % 3 - 1, to_y = y + n / 3 - 1, to = to_y * REAL + to_x;
                if (to_x < 0 || to_y < 0 || to_x >= REAL || to_y >= REAL || ground[to] > level ||
                    reached[to] != 0)
                    continue;
                reached[to] = 1;
                queue[count++] = to;
            }
        }
        for (int k = 0; k < count; k++)
            reached[queue[k]] = border ? -count : count;
    }
    oro_free(queue);
}

enum form { FJORD, LAKE, PLAYA };

/* Level ground in real ground: what reaches the border below a level is drowned, or what does not, behind a
 * dam along the border. A playa has fans about it that become level gradually. Returns the level. */
static float make_level(float *ground, enum form form, bool whole_metres, bool *level_cells)
{
    const float fan = 120; /* metres, of relief */
    const int least = 200;
    float level = quantile(ground, 0.15), lowest = quantile(ground, 0);
    int *reached = oro_alloc(REAL_CELLS, sizeof *reached);
    assert_non_null(reached);
    for (int i = 0; i < REAL_CELLS; i++) {
        float rise, dam = fmaxf(0, 1 - (float)from_border(i) / DAM) * (level + 40 - lowest);
        ground[i] += form == FJORD ? 0 : dam;
        rise = fmaxf(ground[i] - level, 0);
        if (form == PLAYA)
            ground[i] = rise < fan ? level + rise * rise / (2 * fan) : ground[i] - fan / 2;
        if (whole_metres)
            ground[i] = rintf(ground[i]);
    }
    level = whole_metres ? rintf(level) : level;
    connect(ground, level, reached);
    for (int i = 0; i < REAL_CELLS; i++) {
        level_cells[i] = form == FJORD ? reached[i] < -least : reached[i] > least;
        if (level_cells[i])
            ground[i] = level;
    }
    oro_free(reached);
    return level;
}

/* Share of the cells whose slope is below 2 degrees. */
static double flat_share(const float *ground)
{
    int flat = 0;
    for (int y = 1; y < REAL - 1; y++)
        for (int x = 1; x < REAL - 1; x++) {
            const float *z = ground + y * REAL + x;
            double east = ((double)z[1] - (double)z[-1]) / (2 * real_cell);
            double south = ((double)z[REAL] - (double)z[-REAL]) / (2 * real_cell);
            flat += hypot(east, south) < tan(2 * 3.14159265 / 180);
        }
    return flat / (double)((REAL - 2) * (REAL - 2));
}

/* Cells of the land whose height in the truth is at least the level, up to FIRST cells from level ground. */
static double deepest_shore(const float *truth, const float *fine, const bool *level_cells, float level)
{
    double deepest = 0;
    for (int i = 0; i < REAL_CELLS; i++) {
        bool near = false;
        for (int k = 0; k < (2 * FIRST + 1) * (2 * FIRST + 1) && !near; k++) {
            int x = i % REAL + k % (2 * FIRST + 1) - FIRST, y = i / REAL + k / (2 * FIRST + 1) - FIRST;
            near = x >= 0 && y >= 0 && x < REAL && y < REAL && level_cells[y * REAL + x];
        }
        if (near && truth[i] >= level)
            deepest = fmax(deepest, (double)level - (double)fine[i]);
    }
    return deepest;
}

static void expect_real_level(const char *name, int left, int top, enum form form, bool whole_metres)
{
    float *truth = real_ground(name, left, top);
    bool *level_cells = oro_alloc(REAL_CELLS, sizeof *level_cells);
    if (!truth || !level_cells) {
        oro_free(level_cells);
        skip();
        return;
    }
    float level = make_level(truth, form, whole_metres, level_cells);
    float *coarse = coarser(truth, REAL, REDUCED);
    struct site site = site_start(&h, REAL / REDUCED, REAL / REDUCED, REDUCED * real_cell);
    site_raster(&site, "ground", coarse);
    site_node(&site, "n", "amplify_chain", GROUND IN("levels", "2; 2"));
    float *fine = site_take(&site, "n", "terrain");
    double squares = 0, all_squares = 0, share = flat_share(fine) / flat_share(truth);
    double deepest = deepest_shore(truth, fine, level_cells, level);
    int count = 0, all = 0;
    for (int i = 0; i < REAL_CELLS; i++) {
        int corner = i / REAL / REDUCED * REDUCED * REAL + i % REAL / REDUCED * REDUCED;
        bool whole = true;
        for (int k = 0; k < REDUCED * REDUCED; k++)
            whole = whole && level_cells[corner + k / REDUCED * REAL + k % REDUCED];
        double square = pow((double)fine[i] - (double)level, 2);
        count += whole;
        all += level_cells[i];
        squares += whole ? square : 0;
        all_squares += level_cells[i] ? square : 0;
    }
    print_message("%s, form %d%s: level %.3f of the ground, rms %.3f m (shore's cells too: %.3f m), deepest "
                  "shore %.2f m, share of flat ground %.3f of the truth's\n",
                  name, (int)form, whole_metres ? ", whole metres" : "", all / (double)REAL_CELLS,
                  sqrt(squares / count), sqrt(all_squares / all), deepest, share);
    assert_true(all > REAL_CELLS / 25);
    assert_true(sqrt(squares / count) < 0.5);
    assert_true(sqrt(all_squares / all) < 1);
    assert_true(deepest < 1);
    assert_true(fabs(share - 1) < 0.1);
    oro_free(truth);
    oro_free(coarse);
    oro_free(fine);
    oro_free(level_cells);
}

TEST(real_fjords_stay_level)
{
    need_device();
    expect_real_level("patagonia", 256, 392, FJORD, false);
    expect_real_level("patagonia", 256, 392, FJORD, true);
}

TEST(real_lakes_stay_level)
{
    need_device();
    expect_real_level("rockies", 0, 256, LAKE, false);
    expect_real_level("rockies", 0, 256, LAKE, true);
}

TEST(real_playas_stay_level)
{
    need_device();
    expect_real_level("colorado", 392, 392, PLAYA, false);
    expect_real_level("colorado", 392, 392, PLAYA, true);
}

TEST_GROUP(open_harness, close_harness);
