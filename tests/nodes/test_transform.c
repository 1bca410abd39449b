/* Moving, turning, scaling and mirroring: exact where it can be, means kept where things get smaller. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "tests/nodes/group.h"
#include "tests/nodes/site.h"
#include "tests/support/test.h"

enum { CELL = 20, SIDE = 48, CELLS = SIDE * SIDE };

static float *transformed(int width, int height, const float *data, const char *inputs)
{
    struct site site = site_start(&h, width, height, CELL);
    site_raster(&site, "start", data);
    site_node(&site, "t", "transform", LINK("terrain", "start.terrain") "%s", inputs);
    return site_take(&site, "t", "terrain");
}

static int wrapped(int i, int n)
{
    return (i % n + n) % n;
}

/* Where a cell comes from, in cells. */
struct cell {
    int x, y;
};

TEST(nothing_changes_by_default)
{
    need_device();
    static const char *const inputs[] = {"", IN("angle", "360"),
                                         IN("about", "pivot") IN("edge", "constant") IN("outside", "7")};
    float *rough = site_rough(37, 21, 8, 300, 0, 1);
    for (int i = 0; i < 3; i++) {
        float *same = transformed(37, 21, rough, inputs[i]);
        assert_memory_equal(same, rough, 37 * 21 * sizeof *rough);
        oro_free(same);
    }
    float *one = site_uniform(37, 21, 1); /* the long way, through the kernel */
    struct site site = site_start(&h, 37, 21, CELL);
    site_raster(&site, "start", rough);
    site_raster(&site, "one", one);
    site_node(&site, "t", "transform", LINK("terrain", "start.terrain") LINK("vertical", "one.terrain"));
    float *same = site_take(&site, "t", "terrain");
    assert_memory_equal(same, rough, 37 * 21 * sizeof *rough);
    oro_free(same);
    oro_free(one);
    oro_free(rough);
}

static struct cell moved(int x, int y)
{
    return (struct cell){x - 3, y + 5};
}
static struct cell quarter_turned(int x, int y)
{
    return (struct cell){y, SIDE - 1 - x}; /* clockwise: what was west is north */
}
static struct cell half_turned(int x, int y)
{
    return (struct cell){SIDE - 1 - x, SIDE - 1 - y};
}
static struct cell mirrored_east(int x, int y)
{
    return (struct cell){SIDE - 1 - x, y};
}
static struct cell mirrored_south(int x, int y)
{
    return (struct cell){x, SIDE - 1 - y};
}
static struct cell about_a_corner(int x, int y)
{
    return (struct cell){y, -1 - x};
}
static struct cell moved_after_turning(int x, int y)
{
    return quarter_turned(x - 4, y);
}

/* Whole cells come over bit by bit. */
TEST(whole_cells_keep_their_bits)
{
    need_device();
    static const struct {
        const char *inputs;
        struct cell (*from)(int x, int y);
    } ways[] = {
        {IN("move", "60 -100"), moved},
        {IN("angle", "90"), quarter_turned},
        {IN("angle", "-270"), quarter_turned},
        {IN("angle", "180"), half_turned},
        {IN("mirror", "both"), half_turned},
        {IN("mirror", "east_west"), mirrored_east},
        {IN("mirror", "north_south"), mirrored_south},
        {IN("about", "pivot") IN("pivot", "0 0") IN("angle", "90"), about_a_corner},
        {IN("angle", "90") IN("move", "80 0"), moved_after_turning},
    };
    float *rough = site_rough(SIDE, SIDE, 8, 300, 100, 1);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        char inputs[512];
        snprintf(inputs, sizeof inputs, "%s" IN("edge", "repeat"), ways[i].inputs);
        float *result = transformed(SIDE, SIDE, rough, inputs);
        for (int c = 0; c < CELLS; c++) {
            struct cell from = ways[i].from(c % SIDE, c / SIDE);
            if (!(result[c] == rough[wrapped(from.y, SIDE) * SIDE + wrapped(from.x, SIDE)]))
                fail_msg("%s: cell %d", ways[i].inputs, c);
        }
        oro_free(result);
    }
    oro_free(rough);
}

TEST(edges_go_on_as_asked)
{
    need_device();
    static const char *const edges[] = {"clamp", "repeat", "mirror", "constant"};
    float *rough = site_rough(30, 17, 8, 300, 100, 1);
    for (int edge = 0; edge < 4; edge++)
        for (int far = 0; far < 2; far++) {
            int east = far ? 12345 : 7;
            char inputs[256];
            snprintf(inputs, sizeof inputs, IN("edge", "%s") IN("outside", "-5") IN("move", "%d 0"),
                     edges[edge], east * CELL);
            float *result = transformed(30, 17, rough, inputs);
            for (int i = 0; i < 30 * 17; i++) {
                int x = i % 30 - east, tile = wrapped(x, 60);
                int from = edge == 1   ? wrapped(x, 30)
                           : edge == 2 ? (tile < 30 ? tile : 59 - tile)
                           : x < 0     ? 0
                                       : x;
                float expected = edge == 3 && x < 0 ? -5 : rough[i / 30 * 30 + from];
                if (!(result[i] == expected))
                    fail_msg("%s: cell %d from %d", edges[edge], i, x);
            }
            oro_free(result);
        }
    oro_free(rough);
}

/* Blocks become their mean, exactly so where they are whole cells; means are kept at any scale and angle. */
TEST(what_gets_smaller_is_averaged)
{
    need_device();
    float *scatter = site_scatter(SIDE, SIDE, 0, 100, 2);
    float *result = transformed(SIDE, SIDE, scatter, IN("scale", "0.25") IN("edge", "constant"));
    for (int y = 18; y < 30; y++)
        for (int x = 18; x < 30; x++) {
            double mean = 0;
            for (int k = 0; k < 16; k++)
                mean += (double)scatter[((y - 18) * 4 + k / 4) * SIDE + (x - 18) * 4 + k % 4] / 16;
            assert_near(result[y * SIDE + x], mean, 1e-3);
        }
    assert_true(result[17 * SIDE + 20] == 0 && result[20 * SIDE + 30] == 0);
    oro_free(result);
    static const double scales[] = {0.7, 0.4, 0.11, 0.06, 0.01}, limits[] = {1, 1, 1, 1, 0.35};
    double mean = site_sum(scatter, CELLS) / CELLS, noise = 0;
    for (int i = 0; i < CELLS; i++)
        noise += ((double)scatter[i] - mean) * ((double)scatter[i] - mean) / CELLS;
    for (int i = 0; i < 5; i++) {
        char inputs[256];
        snprintf(inputs, sizeof inputs, IN("scale", "%g") IN("angle", "25") IN("edge", "repeat"), scales[i]);
        result = transformed(SIDE, SIDE, scatter, inputs);
        double variance = 0, share = scales[i] * scales[i];
        for (int c = 0; c < CELLS; c++)
            variance += ((double)result[c] - mean) * ((double)result[c] - mean) / CELLS;
        assert_near(site_sum(result, CELLS) / CELLS, mean, 1.5);
        /* The mean of n numbers has an nth of their variance. Skipping some, or weighting some too much,
         * would leave more; tiles that repeat within a cell leave less. */
        if (!(variance < limits[i] * share * noise))
            fail_msg("scale %g leaves a variance of %g of %g", scales[i], variance, noise);
        oro_free(result);
    }
    oro_free(scatter);
}

/* Smooth ground, and where each place of it goes. */
static double wave(double x, double y)
{
    return 50 * sin(x / 90) + 40 * cos(y / 120 + x / 200);
}

TEST(smooth_ground_goes_where_it_should)
{
    need_device();
    float *ground = site_uniform(SIDE, SIDE, 0);
    for (int i = 0; i < CELLS; i++)
        ground[i] = (float)wave((i % SIDE + 0.5) * CELL, (i / SIDE + 0.5) * CELL);
    float *result =
        transformed(SIDE, SIDE, ground,
                    IN("about", "pivot") IN("pivot", "300 500") IN("angle", "30") IN("scale", "1.5")
                        IN("move", "75 -33") IN("mirror", "east_west") IN("vertical", "2") IN("raise", "10"));
    double angle = 30 * acos(-1) / 180, worst = 0;
    int seen = 0;
    for (int i = 0; i < CELLS; i++) {
        double x = (i % SIDE + 0.5) * CELL - 75 - 300, y = (i / SIDE + 0.5) * CELL + 33 - 500;
        double u = (x * cos(angle) + y * sin(angle)) / -1.5 + 300;
        double v = (y * cos(angle) - x * sin(angle)) / 1.5 + 500;
        if (u < 60 || v < 60 || u > CELL * SIDE - 60 || v > CELL * SIDE - 60)
            continue;
        seen++;
        worst = fmax(worst, fabs((double)result[i] - (2 * wave(u, v) + 10)));
    }
    assert_true(seen > CELLS / 2);
    assert_near(worst, 0, 0.15);
    oro_free(result);
    oro_free(ground);
}

TEST(the_mask_blends_and_maps_apply)
{
    need_device();
    float *rough = site_rough(SIDE, SIDE, 8, 300, 100, 1), *half = site_uniform(SIDE, SIDE, 0);
    for (int i = 0; i < CELLS; i++)
        half[i] = i % SIDE < 16 ? 0 : i % SIDE < 32 ? 0.5f : 1;
    float *full = transformed(SIDE, SIDE, rough, IN("move", "200 0"));
    struct site site = site_start(&h, SIDE, SIDE, CELL);
    site_raster(&site, "start", rough);
    site_raster(&site, "half", half);
    site_node(&site, "t", "transform",
              LINK("terrain", "start.terrain") IN("move", "200 0") LINK("mask", "half.terrain"));
    site_node(&site, "v", "transform",
              LINK("terrain", "start.terrain") LINK("vertical", "half.terrain")
                  LINK("raise", "half.terrain"));
    site_node(&site, "o", "transform",
              LINK("terrain", "start.terrain") IN("edge", "constant") IN("move", "2000 0")
                  LINK("outside", "half.terrain"));
    float *blended = site_take(&site, "t", "terrain"), *scaled = site_take(&site, "v", "terrain");
    float *outside = site_take(&site, "o", "terrain");
    for (int i = 0; i < CELLS; i++) {
        assert_near(blended[i], rough[i] + half[i] * (full[i] - rough[i]), 1e-3);
        assert_true(half[i] > 0 || blended[i] == rough[i]);
        assert_near(scaled[i], half[i] * rough[i] + half[i], 1e-3);
        assert_true(outside[i] == half[i]);
    }
    oro_free(rough);
    oro_free(half);
    oro_free(full);
    oro_free(blended);
    oro_free(scaled);
    oro_free(outside);
}

TEST_GROUP(open_harness, close_harness);
