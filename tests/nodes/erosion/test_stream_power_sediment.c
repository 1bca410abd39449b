/* Sediment and standing water in stream_power: slopes in balance, where deposits lie, what rises and what
 * leaves, basins, deltas, and wrong input. The equation of a single step is tested in
 * tests/hydrology/test_sediment.c, stored states in tests/engine. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "terrain/drainage/routing.h"
#include "terrain/hydrology/metrics.h"
#include "tests/nodes/group.h"
#include "tests/nodes/site.h"
#include "tests/support/test.h"

enum { SIDE = 64, CELLS = SIDE * SIDE, CELL = 200 };
static const double coefficient = 0.002; /* the node's default */

#define AGED IN("levels", "0") IN("step", "4000")

static float *take(const struct site *site, const char *inputs, const char *output)
{
    struct site whole = *site;
    site_node(&whole, "range", "stream_power", "<in name=\"terrain\" from=\"start.terrain\"/>%s", inputs);
    return site_take(&whole, "range", output);
}

static struct site site_of(float (*height)(int x, int y))
{
    struct site site = site_start(&h, SIDE, SIDE, CELL);
    float *z = site_uniform(SIDE, SIDE, 0);
    for (int i = 0; height && i < CELLS; i++)
        z[i] = height(i % SIDE, i / SIDE);
    site_raster(&site, "start", z);
    oro_free(z);
    return site;
}

static void add_map(struct site *site, const char *id, float (*value)(int x, int y))
{
    float *map = site_uniform(SIDE, SIDE, 0);
    for (int i = 0; i < CELLS; i++)
        map[i] = value(i % SIDE, i / SIDE);
    site_raster(site, id, map);
    oro_free(map);
}

static struct oro_routing drain(const float *z, float *area)
{
    struct oro_ground ground = {.width = SIDE, .height = SIDE, .z = z};
    struct oro_routing routing;
    assert_true(oro_route(&ground, &routing, NULL));
    assert_true(oro_drainage_area(&routing, CELL, NULL, area, NULL));
    return routing;
}

/* That carves, in km^2: the geometric mean of what flows in and what flows out, each with a channel head's.
 */
static double channel_area(double area)
{
    const double head = 30000;
    return sqrt((area - (double)CELL * CELL + head) * (area + head)) * 1e-6;
}

static double slope_of(const struct oro_routing *routing, const float *z, int i)
{
    int to = (int)routing->receiver[i], away = abs(to - i);
    return ((double)z[i] - (double)z[to]) / (CELL * (away == 1 || away == SIDE ? 1 : sqrt(2)));
}

/* ---- Balance ---- */

/* s = (u (1 + G) / k)^(1/n) a^(-m/n) under uniform uplift (Yuan 2019, eq. 8), in every cell. */
static void expect_slopes(double n, double m, double g)
{
    struct site site = site_of(NULL);
    char inputs[256];
    snprintf(
        inputs, sizeof inputs,
        "<in name=\"n\" value=\"%g\"/><in name=\"m\" value=\"%g\"/><in name=\"deposition\" value=\"%g\"/>"
        "<in name=\"tolerance\" value=\"1e-4\"/><in name=\"uplift\" value=\"0.0002\"/>",
        n, m, g);
    float *z = take(&site, inputs, "terrain"), area[CELLS];
    struct oro_routing routing = drain(z, area);
    int right = 0, inner = 0;
    for (int i = 0; i < CELLS; i++) {
        double known =
            pow(0.0002 * (1 + g) / coefficient, 1 / n) * pow(channel_area((double)area[i]), -m / n);
        if ((int)routing.receiver[i] == i || known > 4)
            continue;
        inner++;
        right += fabs(slope_of(&routing, z, i) - known) < 0.01 * known;
    }
    if (!(inner > CELLS / 2 && right > 0.98 * inner))
        fail_msg("n %g, m %g, G %g: %d of %d slopes are right", n, m, g, right, inner);
    oro_routing_free(&routing);
    oro_free(z);
}

TEST(slopes_in_balance_are_those_known)
{
    need_device();
    expect_slopes(2, 0.8, 0);
    expect_slopes(2, 0.8, 1);
    expect_slopes(2, 0.8, 0.3);
    expect_slopes(1, 0.45, 1);
    expect_slopes(1.5, 0.6, 2);
}

static float block_rise(int x, int y)
{
    (void)x;
    return y < SIDE / 2 ? 0.0005f : 0.0001f;
}

/* Theta of s = ks a^-theta, over the cells of rows from..to with more than 10 upstream. */
static double theta_of(const struct oro_routing *routing, const float *z, const float *area, int from, int to)
{
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (int i = from * SIDE; i < to * SIDE; i++) {
        double slope = slope_of(routing, z, i), a = (double)area[i];
        if ((int)routing->receiver[i] == i || !(slope > 0) || a < 10.0 * CELL * CELL)
            continue;
        n++;
        x += log(a);
        y += log(slope);
        xx += log(a) * log(a);
        xy += log(a) * log(slope);
    }
    return -(n * xy - x * y) / (n * xx - x * x);
}

/* The mean of s a^0.45 over large rivers, which is the same everywhere where slopes are as concave as that.
 */
static double steepness_of(const struct oro_routing *routing, const float *z, const float *area, int from,
                           int to)
{
    double sum = 0, count = 0;
    for (int i = from * SIDE; i < to * SIDE; i++)
        if ((int)routing->receiver[i] != i && area[i] > 30.0f * CELL * CELL) {
            sum += slope_of(routing, z, i) * pow((double)area[i] * 1e-6, 0.45);
            count++;
        }
    return sum / count;
}

/* Where the ground rises, concavity is m / n; in front of it, where ever more water carries hardly more
 * sediment, rivers flatten faster: k a^m s^n = u + G q / a. */
TEST(rivers_are_concave_and_flatten_downstream)
{
    need_device();
    struct site site = site_of(NULL);
    add_map(&site, "block", block_rise);
    const char *const inputs =
        LINK("uplift", "block.terrain") IN("deposition", "1") IN("n", "1") IN("m", "0.45");
    float *z = take(&site, inputs, "terrain"), area[CELLS];
    float *flux = take(&site, inputs, "sediment_flux");
    struct oro_routing routing = drain(z, area);
    double theta = theta_of(&routing, z, area, 0, SIDE / 2);
    double above = steepness_of(&routing, z, area, 0, SIDE / 2),
           below = steepness_of(&routing, z, area, SIDE / 2 + 2, SIDE / 2 + 12),
           far = steepness_of(&routing, z, area, SIDE - 16, SIDE);
    int right = 0, inner = 0;
    for (int i = 0; i < CELLS; i++) {
        double a = (double)area[i], laid = (double)flux[i] / a, up = (double)block_rise(i % SIDE, i / SIDE);
        double known = (up + laid) / (coefficient * pow(channel_area(a), 0.45));
        if ((int)routing.receiver[i] == i)
            continue;
        inner++;
        right += fabs(slope_of(&routing, z, i) - known) < 0.02 * known;
    }
    if (!(fabs(theta - 0.45) < 0.01 && right > 0.97 * inner && below < 0.8 * above && far < 0.9 * below))
        fail_msg("theta is %g, steepness %g, %g, %g; of %d slopes %d are right", theta, above, below, far,
                 inner, right);
    oro_routing_free(&routing);
    oro_free(z);
    oro_free(flux);
}

static float only_block(int x, int y)
{
    return y < SIDE / 2 ? block_rise(x, y) : 0;
}

/* On ground that does not rise rivers shift for ever: the run sees that, and ends. */
TEST(shifting_rivers_come_to_an_end)
{
    need_device();
    struct site site = site_of(NULL);
    add_map(&site, "block", only_block);
    const char *const inputs = LINK("uplift", "block.terrain") IN("deposition", "1");
    float *sediment = take(&site, inputs, "sediment"), *z = take(&site, inputs, "terrain");
    int covered = 0;
    assert_true(harness_figure(&h, "range/level0", "steps") < 2000);
    for (int i = 0; i < CELLS; i++) {
        bool front = i / SIDE > SIDE / 2 && i / SIDE < SIDE - 8;
        covered += front && sediment[i] > 1;
        assert_true(front || i / SIDE >= SIDE / 2 || !(sediment[i] > 0));
        assert_true(sediment[i] <= z[i] + 1e-3f);
    }
    assert_true(covered > 1000);
    oro_free(sediment);
    oro_free(z);
}

/* ---- Years ---- */

static float hill(int x, int y)
{
    return (float)(300 + 200 * sin(x / 6.0) * cos(y / 5.0) + 20 * site_random(7, y * SIDE + x));
}

/* What rose less what left, against the change of the ground, as a share of what rose. */
static double imbalance(const struct site *site, float (*start)(int, int), const char *inputs,
                        double *share_left)
{
    float *z = take(site, inputs, "terrain");
    double up = harness_figure(&h, "range", "risen"), out = harness_figure(&h, "range", "left");
    double cut = harness_figure(&h, "range", "cut_volume"), change = 0;
    float *water = take(site, inputs, "water");
    for (int i = 0; i < CELLS; i++)
        change += ((double)z[i] - (double)water[i] - (double)start(i % SIDE, i / SIDE)) * CELL * CELL;
    oro_free(z);
    oro_free(water);
    *share_left = out / up;
    return fabs(up - out - change - cut) / up;
}

TEST(what_rises_leaves_or_stays)
{
    need_device();
    struct site site = site_of(hill);
    static const char *const inputs[] = {IN("n", "1") IN("m", "0.5"), "",
                                         IN("n", "1.5") IN("hillslope", "0.5"), IN("deposition", "8")};
    for (int i = 0; i < 4; i++) {
        char all[512];
        double left;
        snprintf(all, sizeof all, "%s%s", inputs[i],
                 AGED IN("base", "terrain") IN("roughness", "0") IN("iterations", "30"));
        if (i < 3)
            strcat(all, IN("deposition", "1"));
        double off = imbalance(&site, hill, all, &left);
        if (!(off < 1e-5 && left > 1e-4))
            fail_msg("%s: %g of what rose is missing", inputs[i], off);
    }
}

TEST(the_same_bits_again_and_for_any_number_of_threads)
{
    need_device();
    struct site site = site_of(hill);
    static const char *const outputs[] = {"terrain", "sediment", "sediment_flux"};
    static const int threads[] = {1, 2, 5, 0};
    const char *const inputs = AGED IN("deposition", "1") IN("iterations", "8");
    for (int k = 0; k < 3; k++) {
        float *taken[4];
        for (int i = 0; i < 4; i++) {
            struct oro_cache *cache = h.cache;
            h.cache = NULL; /* or the second would come from there */
            oro_parallel_force(threads[i]);
            taken[i] = take(&site, inputs, outputs[k]);
            h.cache = cache;
        }
        for (int i = 0; i < 4; i++) {
            assert_memory_equal(taken[0], taken[i], CELLS * sizeof(float));
            if (i > 0)
                oro_free(taken[i]);
        }
        oro_free(taken[0]);
    }
}

/* On a card the terms come from kernels. */
TEST(kernels_agree)
{
    need_device();
    struct site site = site_of(hill);
    static const char *const inputs[] = {AGED IN("deposition", "1") IN("iterations", "10"),
                                         IN("deposition", "1")};
    for (int i = 0; i < 2; i++) {
        float *one = take(&site, inputs[i], "terrain");
        h.kernels_only = true;
        float *other = take(&site, inputs[i], "terrain");
        h.kernels_only = false;
        assert_near(site_sum(one, CELLS), site_sum(other, CELLS), 0.005 * site_sum(one, CELLS));
        oro_free(one);
        oro_free(other);
    }
}

/* Without it nothing is laid down, and nothing changes. */
TEST(none_by_default)
{
    need_device();
    struct site site = site_of(hill);
    static const char *const outputs[] = {"sediment", "sediment_flux", "water"};
    for (int i = 0; i < 3; i++) {
        float *z = take(&site, IN("iterations", "5"), outputs[i]);
        for (int k = 0; k < CELLS; k++)
            assert_near(z[k], 0, 0);
        oro_free(z);
    }
}

/* What a run gave lies there at the next one's start. */
TEST(sediment_goes_on)
{
    need_device();
    struct site site = site_of(hill);
    float *cover = site_uniform(SIDE, SIDE, 12);
    site_raster(&site, "cover", cover);
    const char *const inputs =
        AGED IN("deposition", "1") IN("iterations", "1") IN("uplift", "0") LINK("sediment", "cover.terrain")
            IN("erodibility", "0.00001") IN("roughness", "0") IN("base", "terrain");
    float *sediment = take(&site, inputs, "sediment");
    assert_near(site_sum(sediment, CELLS) / CELLS, 12, 0.5);
    oro_free(cover);
    oro_free(sediment);
}

/* ---- Constraints ---- */

/* Ground that constraints let sink comes to rest on its receiver: no hollow goes on down under water. */
TEST(what_constraints_lower_comes_to_rest)
{
    need_device();
    struct site site = site_of(NULL);
    float *z = take(&site,
                    IN("levels", "0") IN("step", "10000") IN("subsidence", "true") IN("deposition", "0.5")
                        IN("iterations", "400") IN("constraints", "6400 6400 600 1500"),
                    "terrain");
    for (int i = 0; i < CELLS; i++)
        assert_true(z[i] >= 0);
    assert_true(harness_figure(&h, "range", "deepest_cut") < 20);
    oro_free(z);
}

/* ---- Basins ---- */

static bool in_disc(int i, double x, double y, double radius)
{
    return hypot(CELL * (i % SIDE + 0.5) - x, CELL * (i / SIDE + 0.5) - y) <= radius;
}

TEST(rivers_grade_to_basins)
{
    need_device();
    struct site site = site_of(NULL);
    static const char *const methods[] = {"", IN("deposition", "1"), AGED IN("iterations", "40"),
                                          AGED IN("iterations", "40") IN("deposition", "1")
                                              IN("basin", "level")};
    for (int i = 0; i < 4; i++) {
        char inputs[512];
        snprintf(inputs, sizeof inputs, "%s%s", methods[i], IN("basin_points", "6400 6400 150 1500"));
        float *z = take(&site, inputs, "terrain");
        int lake = 0;
        for (int k = 0; k < CELLS; k++)
            if (in_disc(k, 6400, 6400, 1500) && i < 3) {
                assert_near(z[k], 150, 0);
                lake++;
            } else if (in_disc(k, 6400, 6400, 1900)) {
                assert_true(i >= 2 || z[k] > 150); /* those have not had the time */
            }
        assert_true(lake > 100 || i == 3);
        oro_free(z);
    }
}

/* Where there are walls, water that goes nowhere else ends in basins, from wherever these come. */
TEST(basins_that_are_linked_are_ways_out)
{
    need_device();
    struct site site = site_of(NULL);
    site_node(&site, "lakes", "network_filter", IN("network", "6400 6400 150 1500"));
    float *z = take(&site, IN("borders", "walls") LINK("basin_points", "lakes.network"), "terrain");
    assert_near(z[32 * SIDE + 32], 150, 0);
    assert_true(z[0] > 150);
    oro_free(z);
}

static float walled(int x, int y)
{
    return (float)(20 + 8 * hypot(x - 32, y - 32) + 3 * site_random(9, y * SIDE + x));
}

static float lake_mask(int x, int y)
{
    return hypot(x - 32, y - 32) < 4.5 ? 1 : 0;
}

/* Nothing leaves a closed basin: it fills, and then its water rises. */
TEST(closed_basins_keep_everything)
{
    need_device();
    struct site site = site_of(walled);
    add_map(&site, "lake", lake_mask);
    static const char *const counts[] = {IN("iterations", "20"), IN("iterations", "150")};
    for (int i = 0; i < 2; i++) {
        char inputs[1024];
        snprintf(inputs, sizeof inputs, "%s%s", counts[i],
                 AGED IN("deposition", "1") IN("roughness", "0") IN("borders", "walls")
                     LINK("basins", "lake.terrain") IN("basin_level", "60"));
        double left, off = imbalance(&site, walled, inputs, &left);
        if (!(off < 1e-5 && fabs(left) < 1e-5))
            fail_msg("%s: off by %g, %g left", counts[i], off, left);
        float *water = take(&site, inputs, "water"), *z = take(&site, inputs, "terrain");
        double middle = (double)z[32 * SIDE + 32], deep = site_sum(water, CELLS);
        assert_true(i == 0 ? deep > 0 && fabs(middle - 60) < 1e-4 : deep < 1 && middle > 61);
        oro_free(water);
        oro_free(z);
    }
}

static float shelf(int x, int y)
{
    return (float)(y < 40 ? 300 - 7 * y + 5 * site_random(5, y * SIDE + x) : 18 - 1.2 * (y - 39));
}

static float sea_mask(int x, int y)
{
    (void)x;
    return y >= 55 ? 1 : 0;
}

/* A sea that is deeper than its level takes up deltas, and the coast moves out. */
TEST(deltas_grow_into_the_sea)
{
    need_device();
    struct site site = site_of(shelf);
    add_map(&site, "sea", sea_mask);
    const char *const inputs = AGED IN("deposition", "0.5") IN("iterations", "60") IN("base_level", "10")
        IN("borders", "walls") IN("uplift", "0.001") LINK("sea", "sea.terrain");
    float *water = take(&site, inputs, "water"), *sediment = take(&site, inputs, "sediment");
    float *terrain = take(&site, inputs, "terrain");
    int land = 0, sea = 0;
    double laid = 0;
    for (int i = 55 * SIDE; i < CELLS; i++) {
        sea += water[i] > 0;
        land += !(water[i] > 0);
        laid += (double)sediment[i];
        assert_true(terrain[i] >= 10 - 1e-4f);
    }
    assert_true(land > 20 && sea > 20 && laid > 100);
    oro_free(water);
    oro_free(sediment);
    oro_free(terrain);
}

/* ---- Wrong input ---- */

static void expect_error(const char *inputs, const char *words)
{
    struct site site = site_of(NULL);
    site_node(&site, "range", "stream_power", "<in name=\"terrain\" from=\"start.terrain\"/>%s", inputs);
    char text[SITE_TEXT_MAX + 512];
    struct harness_raster raster;
    snprintf(text, sizeof text, HARNESS_DOCUMENT("extent=\"12800\" resolution=\"16\"", "%s"), site.nodes);
    assert_false(harness_try(&h, text, "range", "terrain", &raster));
    if (!strstr(h.err.text, words))
        fail_msg("'%s' does not say '%s'", h.err.text, words);
}

TEST(what_cannot_be_is_said)
{
    need_device();
    expect_error(IN("method", "explicit") IN("deposition", "1"), "need the method implicit");
    expect_error(IN("method", "explicit") IN("basin_points", "3000 3000"), "need the method implicit");
    expect_error(IN("basin_points", "90000 3000"), "lies outside the terrain");
}

TEST_GROUP(open_harness, close_harness);
