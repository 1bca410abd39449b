/* What keeps the ground through an amplification, and what gives it detail: means of blocks, strength, depth.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "tests/nodes/group.h"
#include "tests/nodes/site.h"

#define GROUND LINK("terrain", "ground.terrain")

static float *raster(int cells)
{
    float *data = oro_alloc((size_t)cells, sizeof *data);
    assert_non_null(data);
    return data;
}

/* Largest difference of the means of the fine raster's blocks of side x side cells from the coarse raster. */
static double worst_mean(const float *coarse, const float *fine, int width, int height, int side)
{
    double worst = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            double sum = 0;
            for (int i = 0; i < side * side; i++)
                sum += (double)fine[(y * side + i / side) * width * side + x * side + i % side];
            worst = fmax(worst, fabs(sum / (side * side) - (double)coarse[y * width + x]));
        }
    return worst;
}

/* Root mean square of a - b. */
static double rms(const float *a, const float *b, int cells)
{
    double sum = 0;
    for (int i = 0; i < cells; i++)
        sum += ((double)a[i] - (double)b[i]) * ((double)a[i] - (double)b[i]);
    return sqrt(sum / cells);
}

/* One node "n" of that type on the ground. */
static float *run(const float *ground, int side, double cell, const char *type, const char *inputs,
                  const char *output)
{
    struct site site = site_start(&h, side, side, cell);
    site_raster(&site, "ground", ground);
    site_node(&site, "n", type, GROUND "%s", inputs);
    return site_take(&site, "n", output);
}

/* ---- upsample by means ---- */

static float *by_means(const float *ground, int width, int height, int factor)
{
    struct site site = site_start(&h, width, height, 30);
    site_raster(&site, "ground", ground);
    site_node(&site, "n", "upsample", GROUND IN("factor", "%d") IN("method", "means"), factor);
    return site_take(&site, "n", "terrain");
}

/* Up to rounding, at the borders, too. */
TEST(upsample_keeps_means)
{
    need_device();
    static const int factors[] = {2, 3, 5, 12}, sizes[][2] = {{21, 17}, {32, 32}, {1, 9}, {1, 1}};
    for (int i = 0; i < 16; i++) {
        int width = sizes[i / 4][0], height = sizes[i / 4][1], factor = factors[i % 4];
        float *ground = site_rough(width, height, 10, 1000, -200, 3),
              *fine = by_means(ground, width, height, factor);
        double error = worst_mean(ground, fine, width, height, factor);
        print_message("%d x %d, factor %d: %.5f m\n", width, height, factor, error);
        assert_true(error <= 0.001);
        oro_free(ground);
        oro_free(fine);
    }
}

/* Slopes go on beyond the borders, so there is no bend there. */
TEST(upsample_by_means_keeps_planes)
{
    need_device();
    enum { WIDTH = 11, HEIGHT = 6 };
    static const int factors[] = {2, 3, 5, 6};
    float plane[WIDTH * HEIGHT];
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        plane[i] = 300 + 7 * (float)(i % WIDTH) - 12 * (float)(i / WIDTH);
    for (int k = 0; k < 4; k++) {
        int factor = factors[k], columns = factor * WIDTH;
        float *fine = by_means(plane, WIDTH, HEIGHT, factor);
        for (int i = 0; i < columns * factor * HEIGHT; i++) {
            double x = (i % columns + 0.5) / factor - 0.5, y = (i / columns + 0.5) / factor - 0.5;
            assert_near(fine[i], 300 + 7 * x - 12 * y, 0.001);
        }
        oro_free(fine);
    }
}

/* A plain beside a cliff has no moat, and the plateau above it no rim; but a crest is higher than its cells'
 * means. */
TEST(upsample_by_means_overshoots_at_crests_alone)
{
    need_device();
    enum { SIDE_OF = 16, FACTOR = 6, FINE = SIDE_OF * FACTOR };
    float cliff[SIDE_OF * SIDE_OF], crest[SIDE_OF * SIDE_OF], highest = 0;
    for (int i = 0; i < SIDE_OF * SIDE_OF; i++) {
        cliff[i] = i % SIDE_OF < SIDE_OF / 2 ? 100 : 400;
        crest[i] = 300 - 20 * fabsf((float)(i % SIDE_OF - SIDE_OF / 2));
    }
    float *fine = by_means(cliff, SIDE_OF, SIDE_OF, FACTOR);
    for (int i = 0; i < FINE * FINE; i++)
        assert_true(fine[i] > 99.999f && fine[i] < 400.001f);
    oro_free(fine);
    fine = by_means(crest, SIDE_OF, SIDE_OF, FACTOR);
    for (int i = 0; i < FINE * FINE; i++)
        highest = fmaxf(highest, fine[i]);
    assert_true(highest > 302);
    oro_free(fine);
}

/* Where cell i of a raster `side` cells wide comes to lie: mirrored, and turned by a quarter. */
static int turned(int i, int side)
{
    return i % side * side + side - 1 - i / side;
}
static int mirrored(int i, int side)
{
    return i / side * side + side - 1 - i % side;
}

TEST(upsample_by_means_knows_no_direction)
{
    need_device();
    enum { WIDE = 13 };
    static int (*const moves[])(int i, int side) = {turned, mirrored};
    float *ground = site_rough(WIDE, WIDE, 6, 800, 0, 3), moved[WIDE * WIDE];
    for (int k = 0; k < 2; k++)
        for (int factor = 2; factor <= 3; factor++) {
            for (int i = 0; i < WIDE * WIDE; i++)
                moved[moves[k](i, WIDE)] = ground[i];
            float *here = by_means(ground, WIDE, WIDE, factor), *there = by_means(moved, WIDE, WIDE, factor);
            for (int i = 0, side = factor * WIDE; i < side * side; i++)
                assert_near(there[moves[k](i, side)], here[i], 0.001);
            oro_free(here);
            oro_free(there);
        }
    oro_free(ground);
}

/* ---- keep_ground ---- */

enum { SIDE = 48, CELLS = SIDE * SIDE, BLOCK = 4, BLOCKS = SIDE / BLOCK };

static float *keep(const float *ground, const float *reference, const char *inputs)
{
    struct site site = site_start(&h, SIDE, SIDE, 10);
    site_raster(&site, "ground", ground);
    site_raster(&site, "reference", reference);
    site_node(&site, "n", "keep_ground", GROUND LINK("reference", "reference.terrain") IN("size", "40") "%s",
              inputs);
    return site_take(&site, "n", "terrain");
}

static float *means_of(const float *fine)
{
    float *means = raster(BLOCKS * BLOCKS);
    for (int i = 0; i < BLOCKS * BLOCKS; i++) {
        double sum = 0;
        for (int k = 0; k < BLOCK * BLOCK; k++)
            sum += (double)fine[(i / BLOCKS * BLOCK + k / BLOCK) * SIDE + i % BLOCKS * BLOCK + k % BLOCK];
        means[i] = (float)(sum / (BLOCK * BLOCK));
    }
    return means;
}

/* Rough ground, and the same worn down smoothly by up to 60 m with gullies of a cell cut into it. */
static void wear(float **reference, float **worn)
{
    *reference = site_rough(SIDE, SIDE, 16, 500, 100, 5);
    *worn = raster(CELLS);
    for (int i = 0; i < CELLS; i++) {
        int x = i % SIDE, y = i / SIDE;
        double lowered = 30 + 30 * sin(x * 0.15) * cos(y * 0.13) + (x % 6 == 3 ? 20 : 0);
        (*worn)[i] = (*reference)[i] - (float)lowered;
    }
}

/* A linked mask counts where the cell is, though means are of blocks. */
TEST(a_linked_mask_keeps_its_cells)
{
    float *reference, *worn, *mask = raster(CELLS);
    wear(&reference, &worn);
    for (int i = 0; i < CELLS; i++)
        mask[i] = i % SIDE < SIDE / 2 ? 0 : 1;
    struct site site = site_start(&h, SIDE, SIDE, 10);
    site_raster(&site, "ground", worn);
    site_raster(&site, "reference", reference);
    site_raster(&site, "mask", mask);
    site_node(&site, "n", "keep_ground",
              GROUND LINK("reference", "reference.terrain") LINK("mask", "mask.terrain") IN("size", "40"));
    float *kept = site_take(&site, "n", "terrain");
    int moved = 0;
    for (int i = 0; i < CELLS; i++)
        if (mask[i] > 0)
            moved += kept[i] != worn[i];
        else
            assert_true(kept[i] == worn[i]);
    assert_true(moved > CELLS / 4);
    oro_free(kept);
    oro_free(mask);
    oro_free(worn);
    oro_free(reference);
}

TEST(means_come_back)
{
    need_device();
    float *reference, *worn;
    wear(&reference, &worn);
    float *wanted = means_of(reference);
    double before = worst_mean(wanted, worn, BLOCKS, BLOCKS, BLOCK), last = before;
    static const int sweeps[] = {1, 4, 16};
    for (int i = 0; i < 3; i++) {
        char inputs[128];
        snprintf(inputs, sizeof inputs, IN("ceiling", "false") IN("sweeps", "%d"), sweeps[i]);
        float *kept = keep(worn, reference, inputs);
        double error = worst_mean(wanted, kept, BLOCKS, BLOCKS, BLOCK);
        print_message("%d sweeps: %.3f m of %.1f m\n", sweeps[i], error, before);
        assert_true(error < 0.8 * last);
        last = error;
        oro_free(kept);
    }
    assert_true(last < 0.05 * before);
    oro_free(reference);
    oro_free(worn);
    oro_free(wanted);
}

/* Nothing that was carved is lifted above what it was carved into; what lies above it may be lowered. */
TEST(nothing_rises_above_the_ceiling)
{
    need_device();
    float *reference, *worn;
    wear(&reference, &worn);
    for (int i = 0; i < CELLS; i += 7)
        worn[i] = reference[i] + 15;
    float *with = keep(worn, reference, IN("sweeps", "6")),
          *without = keep(worn, reference, IN("sweeps", "6") IN("ceiling", "false"));
    int above = 0, lifted = 0;
    for (int i = 0; i < CELLS; i++) {
        lifted += with[i] > worn[i] + 1;
        if (worn[i] >= reference[i])
            continue;
        assert_true(with[i] <= reference[i]);
        above += without[i] > reference[i] + 0.5f;
    }
    assert_true(lifted > CELLS / 2); /* it does keep */
    assert_true(above > 100);        /* and the ceiling is what holds */
    oro_free(reference);
    oro_free(worn);
    oro_free(with);
    oro_free(without);
}

TEST(the_mask_keeps_less)
{
    need_device();
    float *reference, *worn;
    wear(&reference, &worn);
    float *none = keep(worn, reference, IN("mask", "0")),
          *half = keep(worn, reference, IN("mask", "0.5") IN("sweeps", "1") IN("ceiling", "false")),
          *all = keep(worn, reference, IN("sweeps", "1") IN("ceiling", "false"));
    assert_memory_equal(none, worn, CELLS * sizeof *worn);
    for (int i = 0; i < CELLS; i++)
        assert_near(half[i] - worn[i], 0.5f * (all[i] - worn[i]), 0.001);
    oro_free(reference);
    oro_free(worn);
    oro_free(none);
    oro_free(half);
    oro_free(all);
}

/* ---- limit_detail ---- */

static float *limit_to(const float *ground, const float *smooth, const char *inputs)
{
    struct site site = site_start(&h, SIDE, SIDE, 10);
    site_raster(&site, "ground", ground);
    site_raster(&site, "reference", smooth);
    site_node(&site, "n", "limit_detail", GROUND LINK("reference", "reference.terrain") IN("size", "40") "%s",
              inputs);
    return site_take(&site, "n", "terrain");
}

static float *limit(const float *ground, const float *smooth, const char *inputs)
{
    char all[256];
    snprintf(all, sizeof all, IN("least", "0.25") IN("most", "2") "%s", inputs);
    return limit_to(ground, smooth, all);
}

/* A slope, and the same with detail of a root mean square of 10 m. */
static void detail(float **smooth, float **ground)
{
    *smooth = raster(CELLS);
    *ground = site_scatter(SIDE, SIDE, -17.32, 17.32, 9);
    for (int i = 0; i < CELLS; i++) {
        (*smooth)[i] = 3.0f * (float)(i % SIDE);
        (*ground)[i] += (*smooth)[i];
    }
}

TEST(detail_is_brought_to_its_strength)
{
    need_device();
    float *smooth, *ground;
    detail(&smooth, &ground);
    /* What is wanted, and what comes: no less than a quarter of what there is, and no more than twice that.
     */
    static const double cases[][2] = {{5, 5}, {10, 10}, {16, 16}, {1, 2.5}, {0, 2.5}, {100, 20}};
    for (int i = 0; i < 6; i++) {
        char inputs[128];
        snprintf(inputs, sizeof inputs, IN("amplitude", "%g"), cases[i][0]);
        float *limited = limit(ground, smooth, inputs);
        double found = rms(limited, smooth, CELLS);
        print_message("amplitude %g: %.2f m\n", cases[i][0], found);
        assert_near(found, cases[i][1], 0.05 * cases[i][1]);
        for (int k = 0; k < CELLS; k++) /* the pattern stays */
            assert_true((limited[k] - smooth[k]) * (ground[k] - smooth[k]) >= 0);
        oro_free(limited);
    }
    oro_free(smooth);
    oro_free(ground);
}

/* Of a wave four cells wide, and of a chequerboard, a part that goes with smoothness is left. */
TEST(smoothness_takes_what_is_narrow)
{
    need_device();
    static const float wave[] = {10, 10, -10, -10};
    float *smooth = site_rough(SIDE, SIDE, 16, 300, 0, 5), *waves = raster(CELLS), *chequers = raster(CELLS);
    for (int i = 0; i < CELLS; i++) {
        waves[i] = smooth[i] + wave[i % SIDE % 4];
        chequers[i] = smooth[i] + ((i % SIDE + i / SIDE) % 2 ? 10.0f : -10.0f);
    }
    for (int k = 0; k <= 4; k++) {
        double smoothness = k / 4.0;
        char inputs[128];
        snprintf(inputs, sizeof inputs, IN("least", "1") IN("most", "1") IN("smoothness", "%g"), smoothness);
        float *wider = limit_to(waves, smooth, inputs), *narrow = limit_to(chequers, smooth, inputs);
        for (int i = 0; i < CELLS; i++) {
            int x = i % SIDE, y = i / SIDE;
            if (x == 0 || y == 0 || x == SIDE - 1 || y == SIDE - 1)
                continue;
            assert_near(wider[i] - smooth[i], (1 - smoothness / 2) * (double)wave[x % 4], 0.001);
            assert_near(narrow[i] - smooth[i], pow(1 - smoothness, 2) * (double)(chequers[i] - smooth[i]),
                        0.001);
        }
        oro_free(wider);
        oro_free(narrow);
    }
    oro_free(smooth);
    oro_free(waves);
    oro_free(chequers);
}

TEST(detail_reaches_no_deeper)
{
    need_device();
    float *smooth, *ground;
    detail(&smooth, &ground);
    float *limited = limit(ground, smooth, IN("amplitude", "10") IN("depth", "4"));
    int deepest = 0, higher = 0;
    for (int i = 0; i < CELLS; i++) {
        assert_true(limited[i] >= smooth[i] - 4.0001f);
        deepest += limited[i] < smooth[i] - 3.999f;
        higher += limited[i] > smooth[i] + 8;
    }
    assert_true(deepest > CELLS / 10 && higher > CELLS / 10);
    float *none = limit(ground, smooth, IN("amplitude", "5") IN("mask", "0"));
    assert_memory_equal(none, ground, CELLS * sizeof *ground);
    oro_free(smooth);
    oro_free(ground);
    oro_free(limited);
    oro_free(none);
}

/* ---- rock ---- */

/* Twice the height, or a tenth of the cells' width with a tenth of the height: as much detail for the relief.
 */
TEST(detail_is_proportional_to_relief)
{
    need_device();
    float *ground = site_rough(SIDE, SIDE, 16, 400, 0, 7), *high = raster(CELLS);
    for (int i = 0; i < CELLS; i++)
        high[i] = 10 * ground[i];
    float *amplitude = run(ground, SIDE, 20, "rock", "", "amplitude"),
          *of_high = run(high, SIDE, 20, "rock", "", "amplitude"),
          *of_large = run(high, SIDE, 200, "rock", "", "amplitude");
    for (int i = 0; i < CELLS; i++) {
        assert_true(amplitude[i] > 0.01f);
        assert_near(of_high[i] / amplitude[i], 10, 0.01);
        assert_near(of_large[i] / amplitude[i], 10, 0.01);
    }
    float *twice = run(ground, SIDE, 20, "rock", IN("detail", "2"), "amplitude");
    for (int i = 0; i < CELLS; i++)
        assert_near(twice[i] / amplitude[i], 2, 0.001);
    oro_free(ground);
    oro_free(high);
    oro_free(amplitude);
    oro_free(of_high);
    oro_free(of_large);
    oro_free(twice);
}

/* The texture is as strong as roughness says, relative to the amplitude. */
TEST(texture_has_the_strength_that_is_asked_for)
{
    need_device();
    float *ground = site_rough(SIDE, SIDE, 16, 400, 0, 7),
          *amplitude = run(ground, SIDE, 20, "rock", "", "amplitude"),
          *textured = run(ground, SIDE, 20, "rock", IN("roughness", "1"), "terrain"),
          *smooth = run(ground, SIDE, 20, "rock", IN("roughness", "0"), "terrain");
    double sum = 0;
    for (int i = 0; i < CELLS; i++)
        sum += pow((double)(textured[i] - ground[i]) / (double)amplitude[i], 2);
    double strength = sqrt(sum / CELLS);
    print_message("strength of texture: %.2f\n", strength);
    assert_true(strength > 0.7 && strength < 1.4);
    assert_memory_equal(smooth, ground, CELLS * sizeof *ground);
    oro_free(ground);
    oro_free(amplitude);
    oro_free(textured);
    oro_free(smooth);
}

/* Wide forms below narrow ones: real ground goes on with the trend from these to those, so more of them
 * foretells less detail. Made ground tells of its narrowest forms alone. */
TEST(made_ground_has_no_trend)
{
    need_device();
    float *grain = site_scatter(SIDE, SIDE, -5, 5, 3), *forms = raster(CELLS);
    for (int i = 0; i < CELLS; i++)
        forms[i] = grain[i] + (float)(12 * sin(i % SIDE * 0.628) * sin(i / SIDE * 0.628)); /* 5 blocks wide */
    double ratio[2];
    for (int made = 0; made < 2; made++) {
        const char *inputs = made ? IN("made", "true") : "";
        float *alone = run(grain, SIDE, 200, "rock", inputs, "amplitude"),
              *among = run(forms, SIDE, 200, "rock", inputs, "amplitude");
        ratio[made] = site_sum(among, CELLS) / site_sum(alone, CELLS);
        oro_free(alone);
        oro_free(among);
    }
    print_message("with wide forms, detail is %.2f times as strong; made, %.2f times\n", ratio[0], ratio[1]);
    assert_true(ratio[1] >= 1 && ratio[0] < 0.85 * ratio[1]);
    oro_free(grain);
    oro_free(forms);
}

TEST(level_ground_stays_level)
{
    need_device();
    float *level = site_uniform(SIDE, SIDE, 123.25),
          *rock = run(level, SIDE, 20, "rock", IN("roughness", "2"), "terrain");
    assert_memory_equal(rock, level, CELLS * sizeof *level);
    oro_free(rock);
    rock = run(level, SIDE, 20, "amplify", IN("factor", "1") IN("roughness", "2"), "terrain");
    assert_true(site_difference(rock, level, CELLS) < 0.001);
    oro_free(level);
    oro_free(rock);
}

static double correlation(const float *a, const float *b, int cells)
{
    double aa = 0, bb = 0, ab = 0;
    for (int i = 0; i < cells; i++) {
        aa += (double)a[i] * (double)a[i];
        bb += (double)b[i] * (double)b[i];
        ab += (double)a[i] * (double)b[i];
    }
    return ab / sqrt(aa * bb);
}

/* The texture alone, of a slope of 1 in 2. */
static float *texture(double cell, const char *inputs)
{
    float *slope = raster(CELLS);
    for (int i = 0; i < CELLS; i++)
        slope[i] = (float)(0.5 * cell * (i % SIDE));
    float *rock = run(slope, SIDE, cell, "rock", inputs, "terrain");
    for (int i = 0; i < CELLS; i++)
        rock[i] -= slope[i];
    oro_free(slope);
    return rock;
}

/* A plane has no forms that foretell any, but water would keep to the ways of the grid. */
TEST(even_slopes_have_some_texture)
{
    need_device();
    static const double cells[] = {1, 50};
    static const float none[CELLS];
    for (int i = 0; i < 2; i++) {
        float *here = texture(cells[i], IN("roughness", "1"));
        double strength = rms(here, none, CELLS) / (0.5 * cells[i]);
        print_message("texture of %.2f of the fall over a cell\n", strength);
        assert_true(strength > 0.1 && strength < 0.3);
        oro_free(here);
    }
}

/* Levels do not repeat each other's pattern, cell by cell. Neither do seeds. */
TEST(every_resolution_has_its_own_pattern)
{
    need_device();
    float *here = texture(20, ""), *again = texture(20, ""), *finer = texture(10, ""),
          *other = texture(20, IN("seed", "77"));
    assert_memory_equal(here, again, CELLS * sizeof *here);
    assert_true(fabs(correlation(here, finer, CELLS)) < 0.3);
    assert_true(fabs(correlation(here, other, CELLS)) < 0.3);
    oro_free(here);
    oro_free(again);
    oro_free(finer);
    oro_free(other);
}

/* The erodibility is such that one step carves the asked-for share of the fall, on slopes of every steepness
 * and in cells of every width. */
TEST(strength_holds_on_every_slope)
{
    need_device();
    static const double cases[][2] = {{20, 0.02}, {20, 0.3}, {20, 0.9}, {300, 0.3}, {0.5, 0.3}};
    for (int k = 0; k < 5; k++) {
        double cell = cases[k][0], drop = cell * cases[k][1];
        float *slope = raster(CELLS);
        for (int i = 0; i < CELLS; i++)
            slope[i] = (float)(drop * (i % SIDE));
        struct site site = site_start(&h, SIDE, SIDE, cell);
        site_raster(&site, "ground", slope);
        site_node(&site, "rock", "rock",
                  GROUND IN("variation", "0") IN("strength", "0.08") IN("area_limit", "2"));
        site_node(&site, "water", "constant", LINK("like", "ground.terrain") IN("value", "%.17g"),
                  1000 * cell * cell);
        site_node(&site, "n", "fluvial_erosion",
                  GROUND LINK("drainage", "water.field") LINK("erodibility", "rock.erodibility")
                      IN("iterations", "1") IN("area_limit", "2"));
        float *carved = site_take(&site, "n", "terrain");
        for (int i = 0; i < CELLS; i++)
            if (i % SIDE > 12 && i % SIDE < SIDE - 12)
                assert_near((slope[i] - carved[i]) / drop, 0.08, 0.003);
        oro_free(slope);
        oro_free(carved);
    }
}

/* ---- Depth ---- */

TEST(nothing_is_carved_deeper_than_depth)
{
    need_device();
    float *ground = site_rough(SIDE, SIDE, 16, 400, 0, 7);
    static const char inputs[] = IN("iterations", "60") IN("erodibility", "0.01");
    float *free = run(ground, SIDE, 20, "fluvial_erosion", inputs, "terrain");
    assert_true(site_difference(free, ground, CELLS) > 20);
    char limited[256];
    snprintf(limited, sizeof limited, "%s" IN("depth", "5"), inputs);
    float *shallow = run(ground, SIDE, 20, "fluvial_erosion", limited, "terrain");
    double deepest = site_difference(shallow, ground, CELLS);
    print_message("deepest: %.3f m\n", deepest);
    assert_true(deepest > 4.9 && deepest <= 5.001);
    oro_free(ground);
    oro_free(free);
    oro_free(shallow);
}

/* ---- amplify ---- */

static float *amplified(const float *ground, int side, double cell, const char *inputs)
{
    char all[512];
    snprintf(all, sizeof all, IN("factor", "4") "%s", inputs);
    return run(ground, side, cell, "amplify", all, "terrain");
}

enum { COARSE = 24, FINE = 4 * COARSE };

/* Every cell of the ground that came in is the mean of what it became, nearly; on free ground it is not. */
TEST(amplify_keeps_the_ground)
{
    need_device();
    float *ground = site_rough(COARSE, COARSE, 10, 800, 0, 4), *kept = amplified(ground, COARSE, 40, ""),
          *free = amplified(ground, COARSE, 40,
                            IN("ground", "free") IN("iterations", "300") IN("erodibility", "0.005"));
    float *smooth = run(ground, COARSE, 40, "upsample", IN("factor", "4") IN("method", "means"), "terrain");
    double error = worst_mean(ground, kept, COARSE, COARSE, 4),
           lowered = worst_mean(ground, free, COARSE, COARSE, 4), added = rms(kept, smooth, FINE * FINE);
    print_message("means: kept %.2f m, free %.1f m; detail %.1f m\n", error, lowered, added);
    assert_true(error < 0.03 * 800);
    assert_true(lowered > 3 * error);
    assert_true(added > 3); /* and there is detail */
    oro_free(ground);
    oro_free(kept);
    oro_free(free);
    oro_free(smooth);
}

/* Ten times as large and as high, the same shape. Patterns of noise are placed by the cells' width, so there
 * are none here. */
TEST(amplify_knows_no_scale)
{
    need_device();
    static const char even[] = IN("roughness", "0") IN("variation", "0") IN("repose_variation", "0");
    float *ground = site_rough(COARSE, COARSE, 10, 800, 0, 4), *large = raster(COARSE * COARSE);
    for (int i = 0; i < COARSE * COARSE; i++)
        large[i] = 10 * ground[i];
    float *here = amplified(ground, COARSE, 40, even), *there = amplified(large, COARSE, 400, even);
    for (int i = 0; i < FINE * FINE; i++)
        there[i] /= 10;
    double difference = rms(here, there, FINE * FINE), worst = site_difference(here, there, FINE * FINE);
    print_message("difference %.4f m, at worst %.3f m\n", difference, worst);
    assert_true(difference < 0.1);
    /* With its texture, as much detail. */
    float *smooth = run(ground, COARSE, 40, "upsample", IN("factor", "4") IN("method", "means"), "terrain"),
          *rough = amplified(ground, COARSE, 40, ""), *rough_there = amplified(large, COARSE, 400, "");
    for (int i = 0; i < FINE * FINE; i++)
        rough_there[i] /= 10;
    double detail_here = rms(rough, smooth, FINE * FINE),
           detail_there = rms(rough_there, smooth, FINE * FINE);
    print_message("detail %.2f m, of the large world %.2f m\n", detail_here, detail_there);
    assert_near(detail_there / detail_here, 1, 0.1);
    oro_free(ground);
    oro_free(large);
    oro_free(here);
    oro_free(there);
    oro_free(smooth);
    oro_free(rough);
    oro_free(rough_there);
}

/* A level keeps to the reference instead of its own input, where there is one. */
TEST(amplify_keeps_to_a_reference)
{
    need_device();
    float *ground = site_rough(COARSE, COARSE, 10, 800, 0, 4), *higher = raster(COARSE * COARSE);
    for (int i = 0; i < COARSE * COARSE; i++)
        higher[i] = ground[i] - 10;
    struct site site = site_start(&h, COARSE, COARSE, 40);
    site_raster(&site, "ground", ground);
    site_raster(&site, "reference", higher);
    site_node(&site, "n", "amplify", GROUND LINK("reference", "reference.terrain") IN("factor", "2"));
    float *kept = site_take(&site, "n", "terrain");
    double to_it = 0, to_ground = 0;
    for (int i = 0; i < 4 * COARSE * COARSE; i++) {
        int from = i / (2 * COARSE) / 2 * COARSE + i % (2 * COARSE) / 2;
        to_it += (double)kept[i] - (double)higher[from];
        to_ground += (double)kept[i] - (double)ground[from];
    }
    print_message("mean above the reference %.2f m, above the ground %.2f m\n", to_it / (4 * COARSE * COARSE),
                  to_ground / (4 * COARSE * COARSE));
    assert_true(fabs(to_it) < 0.2 * fabs(to_ground));
    oro_free(ground);
    oro_free(higher);
    oro_free(kept);
}

/* A level with a reference stands on levels before it: its detail is told from ground that was made. */
TEST(amplify_with_a_reference_takes_its_ground_for_made)
{
    need_device();
    float *ground = site_rough(COARSE, COARSE, 10, 800, 0, 4);
    struct site site = site_start(&h, COARSE, COARSE, 40);
    site_raster(&site, "ground", ground);
    site_node(&site, "first", "amplify", GROUND IN("factor", "2") IN("iterations", "0"));
    site_node(&site, "later", "amplify",
              GROUND LINK("reference", "ground.terrain") IN("factor", "2") IN("iterations", "0"));
    float *first = site_take(&site, "first", "terrain"), *later = site_take(&site, "later", "terrain");
    assert_true(rms(first, later, 4 * COARSE * COARSE) > 0.5);
    oro_free(ground);
    oro_free(first);
    oro_free(later);
}

TEST_GROUP(open_harness, close_harness);
