/* A step of hydraulic erosion by hand: what the equations of Jako 2011 give where grids are so plain that it
 * can be told. */
#include "tests/nodes/erosion/basin.h"
#include "tests/support/test.h"

static const double time_step = 0.02, gravity = 9.81, pipe = 20; /* as basin.h sets them */

#define STEP IN("iterations", "1") IN("rain", "0") IN("friction", "0") IN("collision", "0")

static void expect_near(const char *what, int i, float value, double expected, double tolerance)
{
    if (!(fabs((double)value - expected) <= tolerance))
        fail_msg("%s of cell %d: %.9g, not %.9g", what, i, (double)value, expected);
}

/* ---- Flow, and what goes with it (eq. 2, 4 to 6 and 15) ---- */

enum { SIDE = 5, CELLS = SIDE * SIDE, MIDDLE = CELLS / 2 };

/* In the middle of a flat the ground is higher by `rise`; there stand `depth` metres of water with `muddy` of
 * sediment, `around` them everywhere else. A step of pipes gives the neighbours a part of the difference of
 * levels, eight of them two thirds and a sixth of it, but no more than there is. */
static void check_flow(double cell, int neighbours, double rise, double depth, double muddy, double around)
{
    float *ground = site_uniform(SIDE, SIDE, 64), *water = site_uniform(SIDE, SIDE, around),
          *sediment = site_uniform(SIDE, SIDE, 0);
    ground[MIDDLE] += (float)rise;
    water[MIDDLE] = (float)depth;
    sediment[MIDDLE] = (float)muddy;
    struct site site = site_start(&h, SIDE, SIDE, cell);
    site_raster(&site, "ground", ground);
    site_raster(&site, "water", water);
    site_raster(&site, "sediment", sediment);
    add_erosion(&site, format(LINK("water", "water.terrain") LINK("sediment", "sediment.terrain")
                                  STEP IN("borders", "walls") IN("erosion", "false") IN("thermal", "false")
                                      IN("neighbours", "%d"),
                              neighbours));
    float *after = site_take(&site, "n", "water"), *carried = site_take(&site, "n", "sediment");
    double length = cell / 20, part = time_step * time_step * pipe * gravity / (length * length);
    double straight = part * (rise + depth - around) * (neighbours == 8 ? 2.0 / 3 : 1);
    double diagonal = neighbours == 8 ? straight / 4 : 0;
    straight = fmin(straight, depth);
    diagonal = fmin(diagonal, depth);
    double gone = 4 * (straight + diagonal), kept = fmin(depth / gone, 1);
    for (int i = 0; i < CELLS; i++) {
        int away = abs(i % SIDE - SIDE / 2) + 8 * abs(i / SIDE - SIDE / 2);
        double comes = kept * (away == 1 || away == 8 ? straight : away == 9 ? diagonal : 0);
        comes = i == MIDDLE ? -kept * gone : comes;
        expect_near("water", i, after[i], (i == MIDDLE ? depth : around) + comes, 1e-4);
        expect_near("sediment", i, carried[i], (i == MIDDLE ? muddy : 0) + comes * muddy / depth, 1e-4);
    }
    oro_free(ground);
    oro_free(water);
    oro_free(sediment);
    oro_free(after);
    oro_free(carried);
}

TEST(water_flows_to_lower_levels)
{
    need_device();
    for (int neighbours = 4; neighbours <= 8; neighbours += 4) {
        check_flow(20, neighbours, 0, 2, 0.4, 1);
        check_flow(15, neighbours, 3, 3, 0.3, 2);
        check_flow(20, neighbours, 60, 0.5, 0.1, 0); /* a summit runs dry */
    }
}

/* ---- Taking up (eq. 9 to 12) ---- */

/* A slope that falls to the east by `fall` per length, and from its foot on is level, under water of the same
 * depth everywhere. */
enum { LONG = 25, FOOT = 12, WIDE = 7 };

static float *make_slope(double fall)
{
    float *ground = site_uniform(LONG, WIDE, 0);
    for (int i = 0; i < LONG * WIDE; i++)
        ground[i] = (float)(64 + 20 * fall * fmax(FOOT - i % LONG, 0));
    return ground;
}

/* Metres taken up in a step where water has the speed `speed` (reference cells a second) and meets the ground
 * with the sine `sine`: dt K_s (1 - hardness) mask (C - sediment), C = capacity sine speed (1 - d / D). */
static double taken_up(double depth, double sine, double speed)
{
    double carries = 1.5 * sine * speed * (1 - depth / 20 / 4) * fmin(depth / 20 / 0.2, 1) * 20;
    return time_step * 0.7 * (1 - 0.4) * 0.8 * (carries - 0.002);
}

static void check_taken_up(double fall, double depth, double collision, int neighbours)
{
    float *ground = make_slope(fall), *water = site_uniform(LONG, WIDE, depth),
          *sediment = site_uniform(LONG, WIDE, 0.002);
    struct site site = site_start(&h, LONG, WIDE, 20);
    site_raster(&site, "ground", ground);
    site_raster(&site, "water", water);
    site_raster(&site, "sediment", sediment);
    add_erosion(&site,
                format(LINK("water", "water.terrain") LINK("sediment", "sediment.terrain")
                           IN("iterations", "1") IN("rain", "0") IN("friction", "0") IN("thermal", "false")
                               IN("capacity", "1.5") IN("suspension", "0.7") IN("hardness", "0.4")
                                   IN("mask", "0.8") IN("film", "0.2") IN("erosion_depth", "4")
                                       IN("least_slope", "0.1") IN("collision", "%g") IN("neighbours", "%d"),
                       collision, neighbours));
    float *after = site_take(&site, "n", "terrain"), *carried = site_take(&site, "n", "sediment");
    double flows = time_step * time_step * pipe * gravity * 20 * fall; /* metres of depth in a step */
    int on_slope = LONG * (WIDE / 2) + FOOT / 2, at_foot = LONG * (WIDE / 2) + FOOT;
    double sine = (1 - collision) * sin(atan(fall));
    double expected = taken_up(depth, sine, flows / depth / time_step);
    expect_near("ground", on_slope, ground[on_slope] - after[on_slope], expected, 1e-3 * expected + 2e-5);
    expect_near("sediment", on_slope, carried[on_slope], 0.002 + expected, 1e-3 * expected + 2e-5);
    /* At the foot water comes from the slope alone, and meets ground whose normal is half way. */
    double meeting = fall / 2 / sqrt(1 + fall * fall / 4) / sqrt(1 + fall * fall), mean = depth + flows / 2;
    expected =
        taken_up(mean, fmax(collision * meeting, sin(0.1 * acos(-1) / 180)), flows / 2 / mean / time_step);
    expected -= time_step * 0.7 * 0.6 * 0.8 * 0.002 * flows / depth; /* of what has come with the water */
    expect_near("foot", at_foot, ground[at_foot] - after[at_foot], expected, 1e-3 * expected + 2e-5);
    float *rasters[] = {ground, water, sediment, after, carried};
    for (int i = 0; i < 5; i++)
        oro_free(rasters[i]);
}

TEST(water_takes_up_ground)
{
    need_device();
    check_taken_up(0.2, 8, 0, 4);
    check_taken_up(0.2, 8, 0, 8);
    check_taken_up(0.3, 2, 0.25, 4); /* a film, too thin for all of it */
    check_taken_up(0.2, 8, 0.6, 4);
    check_taken_up(0.2, 8, 0.6, 8);
}

/* ---- Slides (eq. 17 and 18) ---- */

/* Cells of a side of 3; the ground is mirrored at the border. */
static double height_at(const float *ground, int x, int y)
{
    return (double)ground[3 * (y < 0 ? 0 : y > 2 ? 2 : y) + (x < 0 ? 0 : x > 2 ? 2 : x)];
}

/* By which part the slope at the corner south-east of a cell is above `stable`, as a drop per cell. */
static double too_steep(const float *ground, int x, int y, double stable)
{
    double nw = height_at(ground, x, y), ne = height_at(ground, x + 1, y), sw = height_at(ground, x, y + 1),
           se = height_at(ground, x + 1, y + 1);
    double slope = sqrt(
        ((ne - nw) * (ne - nw) + (se - sw) * (se - sw) + (sw - nw) * (sw - nw) + (se - ne) * (se - ne)) / 2);
    return slope > stable ? 1 - stable / slope : 0;
}

/* What comes to a cell from its neighbours: a sixth of the drop for each of the two corners beside a straight
 * way, a twelfth for that in a slanting one. */
static double slides_to(const float *ground, const float *mask, int i, double stable)
{
    double gain = 0;
    int x = i % 3, y = i / 3;
    for (int k = 0; k < 9; k++) {
        int dx = k % 3 - 1, dy = k / 3 - 1, to = i + 3 * dy + dx;
        if (k == 4 || x + dx < 0 || x + dx > 2 || y + dy < 0 || y + dy > 2)
            continue;
        int west = dx < 0 ? x - 1 : x, north = dy < 0 ? y - 1 : y;
        double part = too_steep(ground, west, north, stable) / 12;
        if (!dx || !dy)
            part = 2 * part + too_steep(ground, west - !dx, north - !dy, stable) / 6;
        gain += part * fmin((double)mask[i], (double)mask[to]) * ((double)ground[to] - (double)ground[i]);
    }
    return gain;
}

TEST(a_summit_slides)
{
    need_device();
    static const double rates[] = {3, 90};
    float *summit = site_scatter(3, 3, 64, 74, 3), *mask = site_scatter(3, 3, 0.2, 1, 4);
    summit[4] = 105;
    summit[0] = 85;
    for (int k = 0; k < 2; k++) {
        struct site site = site_start(&h, 3, 3, 20);
        site_raster(&site, "ground", summit);
        site_raster(&site, "mask", mask);
        add_erosion(&site, format(LINK("mask", "mask.terrain") IN("iterations", "1") IN("flow", "false")
                                      IN("hardness", "0.6") IN("talus_hardness", "0.5")
                                          IN("talus_bias", "0.9") IN("slide_rate", "%g"),
                                  rates[k]));
        float *after = site_take(&site, "n", "terrain");
        double rate = fmin(time_step * rates[k] * 0.4, 0.2);
        for (int i = 0; i < 9; i++)
            expect_near("gain", i, after[i] - summit[i], rate * slides_to(summit, mask, i, 1.2 * 20), 3e-4);
        assert_true(summit[4] - after[4] > 0.1f);
        oro_free(after);
    }
    oro_free(summit);
    oro_free(mask);
}

TEST_GROUP(open_harness, close_harness);
