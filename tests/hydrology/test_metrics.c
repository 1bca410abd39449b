/* Measures of terrain, checked by hand where possible, else against the laws by which the terrain was made.
 */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "terrain/hydrology/metrics.h"
#include "tests/hydrology/terrains.h"
#include "tests/support/balanced.h"
#include "tests/support/test.h"

#define assert_near(value, wanted, tolerance) assert_true(fabs((value) - (wanted)) <= (tolerance))

static struct oro_ground ground_of(int width, int height, const float *z)
{
    return (struct oro_ground){.width = width, .height = height, .z = z};
}

static struct oro_certificate certify(int width, int height, const float *z)
{
    struct oro_ground ground = ground_of(width, height, z);
    struct oro_certificate certificate;
    struct oro_error err = {0};
    bool drained;
    if (!oro_certify(&ground, &certificate, &err) || !oro_drains(&ground, &drained, &err))
        fail_msg("%s", err.text);
    assert_true(drained == (certificate.depressions == 0));
    return certificate;
}

static struct oro_metrics measure(int width, int height, const float *z, struct oro_metrics_options options)
{
    struct oro_ground ground = ground_of(width, height, z);
    struct oro_metrics metrics;
    struct oro_error err = {0};
    if (!oro_metrics(&ground, &options, &metrics, &err))
        fail_msg("%s", err.text);
    return metrics;
}

/* Noise without a pattern, the same on every machine. */
static float noise(uint32_t cell)
{
    uint32_t x = cell * 747796405u + 2891336453u;
    x = (x >> (x >> 28)) ^ x;
    x *= 277803737u;
    return (float)(x >> 8) / 16777216.0f;
}

/* ---- The certificate ---- */

/* Two depressions that spill over different cells, one of them with a level floor; a flat that drains. */
TEST(depressions)
{
    static const float z[6 * 9] = {
        9, 9, 9, 9, 9, 9, 9, 9, 9, /**/
        9, 1, 9, 9, 3, 3, 9, 4, 4, /**/
        7, 9, 9, 9, 3, 9, 9, 9, 9, /**/
        9, 9, 9, 5, 9, 9, 9, 9, 9, /**/
        9, 9, 9, 9, 9, 9, 9, 9, 9, /**/
        9, 9, 9, 9, 2, 9, 9, 9, 9, /**/
    };
    struct oro_certificate c = certify(9, 6, z);
    /* 1 spills over 7 to the border. The three cells of 3 and the 5 beside them spill over 9, and every
     * other inner cell of 9 lies beside one that is lower, or beside none. 4 lies beside the border's 4. */
    assert_int_equal(c.depressions, 2);
    assert_int_equal(c.undrained, 5);
    assert_true(c.deepest == 6);
    assert_true(c.fill_volume == 6 + 3 * 6 + 4);
    struct oro_certificate flooded = certify(9, 6, (float[6 * 9]){0});
    assert_int_equal(flooded.depressions, 0);
    assert_int_equal(flooded.pits, 4 * 7);
    assert_int_equal(flooded.flats, 4 * 7);
    assert_true(flooded.share_ending_in_pit == 4 * 7 / 54.0);
}

/* A bowl: one pit that is no flat, and all that is not border runs into it. */
TEST(bowl)
{
    enum { SIZE = 21 };
    float z[SIZE * SIZE];
    for (int i = 0; i < SIZE * SIZE; i++)
        z[i] = (float)hypot(i % SIZE - SIZE / 2, i / SIZE - SIZE / 2);
    struct oro_certificate c = certify(SIZE, SIZE, z);
    assert_int_equal(c.pits, 1);
    assert_int_equal(c.flats, 0);
    assert_int_equal(c.depressions, 1);
    assert_true(c.deepest == 10);
    assert_true(c.share_ending_in_pit == 19 * 19 / (21.0 * 21));
    for (int i = 0; i < SIZE * SIZE; i++)
        z[i] = -z[i];
    c = certify(SIZE, SIZE, z);
    assert_int_equal(c.pits + c.depressions + c.undrained, 0);
    assert_true(c.share_ending_in_pit == 0 && c.deepest == 0 && c.fill_volume == 0);
}

/* The number of cells under water, by raising levels until nothing changes: slow, and sure. */
static size_t count_flooded(int width, int height, const float *z)
{
    size_t cells = (size_t)width * (size_t)height, flooded = 0;
    float *level = oro_alloc(cells, sizeof *level);
    for (int i = 0; i < width * height; i++) {
        int x = i % width, y = i / width;
        level[i] = x == 0 || y == 0 || x == width - 1 || y == height - 1 ? z[i] : FLT_MAX;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = width + 1; i < width * (height - 1) - 1; i++) {
            float lowest = FLT_MAX;
            for (int k = 0; k < 9; k++)
                lowest = fminf(lowest, level[i + (k / 3 - 1) * width + k % 3 - 1]);
            lowest = fmaxf(lowest, z[i]);
            if (i % width != 0 && i % width != width - 1 && lowest < level[i]) {
                level[i] = lowest;
                changed = true;
            }
        }
    }
    for (size_t i = 0; i < cells; i++)
        flooded += level[i] > z[i];
    oro_free(level);
    return flooded;
}

TEST(noise_is_flooded)
{
    enum { WIDTH = 61, HEIGHT = 47 };
    float z[WIDTH * HEIGHT];
    for (uint32_t seed = 0; seed < 5; seed++) {
        for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) /* in some of them many heights are equal */
            z[i] = seed % 2 ? floorf(noise(i + 9999 * seed) * 12) : noise(i + 9999 * seed);
        struct oro_certificate c = certify(WIDTH, HEIGHT, z);
        assert_int_equal(c.undrained, count_flooded(WIDTH, HEIGHT, z));
        assert_true(c.depressions > 10 && c.depressions <= c.undrained);
        assert_true(c.pits >= c.depressions);
    }
}

TEST(small)
{
    static const int sides[][2] = {{1, 1}, {1, 9}, {9, 1}, {2, 2}, {2, 9}};
    static const float z[18] = {3, 1, 2, 0, 5};
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        struct oro_metrics m =
            measure(sides[i][0], sides[i][1], z, (struct oro_metrics_options){.drainage = z});
        assert_int_equal(m.certificate.pits + m.certificate.depressions, 0);
        assert_int_equal(m.hack.count + m.slope_area.count, 0);
        assert_true(isnan(m.hack.exponent) && isnan(m.chi_r2) && isnan(m.slope_area.r2));
        assert_true(m.breachable && m.mean_carve == 0 && m.steepest.rms == 0);
        assert_int_equal(m.given.cells + m.given.without, sides[i][0] * sides[i][1]);
    }
}

TEST(refused)
{
    float z[25] = {0};
    struct oro_ground ground = ground_of(5, 5, z), none = {0};
    struct oro_metrics metrics;
    struct oro_certificate certificate;
    struct oro_metrics_options options = {0};
    struct oro_error err = {0};
    z[12] = NAN;
    assert_false(oro_metrics(&ground, &options, &metrics, &err));
    assert_int_equal(err.code, ORO_E_EVALUATE);
    assert_non_null(strstr(err.text, "2, 2"));
    assert_false(oro_certify(&ground, &certificate, NULL));
    assert_false(oro_certify(&none, &certificate, &err));
    assert_int_equal(err.code, ORO_E_EVALUATE);
}

/* Numbers so small that they count as zero (ground.h) make neither a step nor a lake. */
TEST(tiny)
{
    float z[7 * 7] = {0};
    for (int i = 0; i < 7 * 7; i++)
        z[i] = i % 2 ? -1e-40f : 1e-40f;
    struct oro_certificate c = certify(7, 7, z);
    assert_int_equal(c.pits, 25);
    assert_int_equal(c.flats, 25);
    assert_int_equal(c.depressions, 0);
    assert_int_equal(c.undrained, 0);
    assert_true(c.deepest == 0 && c.fill_volume == 0);
}

static bool lose_patience(void *user)
{
    return --*(int *)user < 0;
}

TEST(cancelled)
{
    enum { SIZE = 200 };
    float *z = oro_alloc((size_t)SIZE * SIZE, sizeof *z);
    for (uint32_t i = 0; i < SIZE * SIZE; i++)
        z[i] = noise(i);
    int certified = 0, most = 0, left = 0;
    struct oro_ground ground = ground_of(SIZE, SIZE, z);
    struct oro_metrics_options options = {0};
    struct oro_certificate certificate;
    struct oro_metrics metrics;
    struct oro_error err = {0};
    ground.stop = lose_patience;
    ground.user = &left;
    for (; !oro_certify(&ground, &certificate, &err); left = ++certified)
        assert_int_equal(err.code, ORO_E_CANCELLED);
    for (left = 0; !oro_metrics(&ground, &options, &metrics, &err); left = ++most)
        assert_int_equal(err.code, ORO_E_CANCELLED);
    assert_true(certified > 2);
    assert_true(most > certified); /* it is still asked after the certificate was made */
    oro_free(z);
}

TEST(no_memory)
{
    float z[30 * 20];
    for (uint32_t i = 0; i < 30 * 20; i++)
        z[i] = noise(i);
    struct oro_ground ground = ground_of(30, 20, z);
    struct oro_metrics_options options = {.drainage = z};
    for (size_t n = 1;; n++) {
        struct oro_metrics metrics;
        struct oro_error err = {0};
        oro_memory_fail_at(n);
        bool ok = oro_metrics(&ground, &options, &metrics, &err);
        oro_memory_fail_at(0);
        if (ok)
            break;
        assert_int_equal(err.code, ORO_E_MEMORY);
        assert_true(n < 1000);
    }
}

/* ---- The certificate against its definition ---- */

static bool has_equal(const struct oro_ground *ground, int cell)
{
    int width = ground->width, x = cell % width, y = cell / width;
    for (int j = y - 1; j <= y + 1; j++)
        for (int i = x - 1; i <= x + 1; i++)
            if (i >= 0 && j >= 0 && i < width && j < ground->height && j * width + i != cell &&
                ground->z[j * width + i] == ground->z[cell])
                return true;
    return false;
}

/* From the exact ways of all cells, one after the other. */
static struct oro_certificate certify_plainly(const struct oro_ground *ground)
{
    size_t cells = (size_t)ground->width * (size_t)ground->height, ending = 0;
    struct site site = {.ground = *ground, .cells = cells};
    uint32_t *receiver = oro_alloc(cells, sizeof *receiver), *lake = oro_alloc(cells, sizeof *lake);
    float *level = oro_alloc(cells, sizeof *level);
    struct oro_certificate c = {.pits = steepest_receivers(&site, ground->z, receiver)};
    struct oro_routing routing;
    for (uint32_t i = 0; i < cells; i++) {
        uint32_t end = i;
        while (receiver[end] != end)
            end = receiver[end];
        ending += !oro_ground_is_outlet(ground, end);
        c.flats += end == i && !oro_ground_is_outlet(ground, i) && has_equal(ground, (int)i);
    }
    c.share_ending_in_pit = (double)ending / (double)cells;
    assert_true(oro_route(ground, &routing, NULL));
    oro_flood_levels(ground, &routing, level);
    c.depressions = oro_lakes(ground, &routing, level, lake);
    for (size_t i = 0; i < cells; i++) {
        double depth = (double)level[i] - (double)ground->z[i];
        c.undrained += depth > 0;
        c.fill_volume += depth;
        c.deepest = fmax(c.deepest, depth);
    }
    oro_routing_free(&routing);
    oro_free(receiver);
    oro_free(lake);
    oro_free(level);
    return c;
}

static void expect_plain(const struct oro_ground *ground)
{
    struct oro_certificate plain = certify_plainly(ground), c;
    for (int threads = 1; threads <= 7; threads += 2) {
        oro_parallel_force(threads);
        assert_true(oro_certify(ground, &c, NULL));
        oro_parallel_force(0);
        assert_int_equal(c.pits, plain.pits);
        assert_int_equal(c.flats, plain.flats);
        assert_true(c.share_ending_in_pit == plain.share_ending_in_pit);
        assert_int_equal(c.depressions, plain.depressions);
        assert_int_equal(c.undrained, plain.undrained);
        assert_true(c.deepest == plain.deepest && c.fill_volume == plain.fill_volume);
    }
}

enum { PLAIN_SIDE = 260 };

/* As it is, then in coarser and coarser steps. */
static void expect_plain_rounded(struct oro_ground *ground, const float *z, float *rounded)
{
    size_t cells = (size_t)ground->width * (size_t)ground->height;
    for (float steps = 1e6f; steps >= 1; steps /= 10) {
        for (size_t i = 0; i < cells; i++)
            rounded[i] = floorf(z[i] * steps);
        ground->z = rounded;
        expect_plain(ground);
    }
    ground->z = z;
    expect_plain(ground);
}

TEST(agrees_with_its_definition)
{
    size_t cells = (size_t)PLAIN_SIDE * PLAIN_SIDE;
    float *z = oro_alloc(cells, sizeof *z), *carved = oro_alloc(cells, sizeof *carved);
    float *rounded = oro_alloc(cells, sizeof *rounded), *sea = oro_alloc(cells, sizeof *sea);
    static const int sides[][2] = {{PLAIN_SIDE, PLAIN_SIDE}, {3, 300}, {700, 5}, {131, 77}, {2, 9}, {1, 1}};
    for (size_t k = 0; k < sizeof sides / sizeof sides[0]; k++) {
        int width = sides[k][0], height = sides[k][1];
        for (int i = 0; i < width * height; i++) {
            double x = i % width, y = (double)i / width;
            z[i] = (float)(0.5 + 0.3 * sin(x / 9) * cos(y / 13)) + 0.05f * noise((uint32_t)i);
            sea[i] = sin(x / 31) + cos(y / 23) > 1.2 ? 1 : 0;
        }
        struct oro_ground ground = ground_of(width, height, z);
        struct oro_routing routing;
        expect_plain_rounded(&ground, z, rounded);
        ground.sea = sea;
        expect_plain_rounded(&ground, z, rounded);
        assert_true(oro_route(&ground, &routing, NULL));
        assert_true(oro_breach(&ground, &routing, &(struct oro_breaching){0}, carved, NULL));
        oro_routing_free(&routing);
        expect_plain_rounded(&ground, carved, rounded);
        sea[0] = 1;
        ground.walls = true;
        expect_plain_rounded(&ground, z, rounded);
    }
    oro_free(z);
    oro_free(carved);
    oro_free(rounded);
    oro_free(sea);
}

/* Level ground between walls that winds back and forth, across and along the rows, down to one outlet. */
TEST(winding_level_ground)
{
    enum { SIDE = 401 };
    float *z = oro_alloc((size_t)SIDE * SIDE, sizeof *z);
    for (int across = 0; across < 2; across++)
        for (int closed = 0; closed < 2; closed++) {
            for (int i = 0; i < SIDE * SIDE; i++) {
                int x = across ? i / SIDE : i % SIDE, y = across ? i % SIDE : i / SIDE;
                bool border = x == 0 || y == 0 || x == SIDE - 1 || y == SIDE - 1;
                bool wall = y % 2 == 0 && x != (y % 4 ? 1 : SIDE - 2);
                z[i] = border || wall ? 9 : 5;
            }
            if (!closed)
                z[across ? SIDE : 1] = 5; /* beside the first lane */
            struct oro_ground ground = ground_of(SIDE, SIDE, z);
            struct oro_certificate c = certify(SIDE, SIDE, z);
            assert_int_equal(c.depressions, closed);
            assert_int_equal(c.undrained > 0, closed);
            expect_plain(&ground);
        }
    oro_free(z);
}

/* Differences that devices may overlook. */
TEST(next_to_level)
{
    float z[7 * 7];
    for (int k = 0; k < 4; k++) {
        static const float depth[] = {0, 0.75f * FLT_MIN, 1.5f * FLT_MIN, 6 * FLT_MIN};
        for (int i = 0; i < 7 * 7; i++)
            z[i] = 20 * FLT_MIN;
        z[3 * 7 + 3] = 20 * FLT_MIN - depth[k];
        struct oro_ground ground = ground_of(7, 7, z);
        expect_plain(&ground);
    }
}

/* ---- Laws ---- */

/* A ramp: water runs straight north, so that everything is known in closed form. */
TEST(ramp)
{
    enum { WIDTH = 40, HEIGHT = 1000 };
    float *z = oro_alloc((size_t)WIDTH * HEIGHT, sizeof *z);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        z[i] = (float)(i / WIDTH) * 5;
    struct oro_metrics m = measure(WIDTH, HEIGHT, z, (struct oro_metrics_options){.cell = 50, .theta = 0.4});
    /* Inner columns: cell j of the north has 999 - j cells above it and itself, the southernmost being an
     * outlet of its own; l = (a - 1) cells in km, a in cells of 0.0025 square km. */
    assert_int_equal(m.hack.count, (WIDTH - 2) * (998 - 99 + 1));
    assert_near(m.hack.exponent, 1.0025, 0.002);
    assert_near(m.hack.factor, 0.05 / 0.0025, 0.1);
    assert_true(m.hack.r2 > 0.9999);
    assert_true(m.hack.scatter < 1e-3 && m.slope_area.scatter < 1e-6);
    assert_true(m.bins[14].length_spread > 0 && m.bins[14].slope_spread < 1e-6);
    assert_near(m.slope_area.exponent, 0, 1e-6);
    assert_near(m.slope_area.factor, 0.1, 1e-6);
    assert_true(m.steepest.rms == 0 && m.steepest.bias == 0 && m.steepest.without == 0);
    assert_near(m.hypsometric_integral, 0.5, 1e-6);
    assert_near(m.hypsometry[50], 0.5, 1e-3);
    assert_true(m.hypsometry[0] == 1);
    assert_near(m.hypsometry[100], 0.001, 1e-9);
    oro_free(z);
}

/* Two ramps, back to back, one of them twice as steep. */
TEST(spread)
{
    enum { WIDTH = 40, HEIGHT = 400 };
    float *z = oro_alloc((size_t)WIDTH * HEIGHT, sizeof *z);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        int y = i / WIDTH;
        z[i] = y < HEIGHT / 2 ? (float)y * 5 : (float)(HEIGHT - 1 - y) * 10;
    }
    struct oro_metrics m = measure(WIDTH, HEIGHT, z, (struct oro_metrics_options){.cell = 50});
    assert_near(m.bins[14].slope, 0.1 * M_SQRT2, 0.01); /* of the half octave from 128 cells on */
    assert_near(m.bins[14].slope_spread, 0.5 * log10(2), 0.01);
    oro_free(z);
}

TEST(samples)
{
    enum { SIZE = 128 };
    float *z = oro_alloc((size_t)SIZE * SIZE, sizeof *z);
    for (uint32_t i = 0; i < SIZE * SIZE; i++)
        z[i] = noise(i) + (float)(i % SIZE);
    struct oro_metrics m = measure(SIZE, SIZE, z, (struct oro_metrics_options){.cell = 3});
    int bin = 0, in_bin = 0;
    assert_true(m.sample_count > 3 * ORO_BIN_SAMPLES / 2);
    for (int i = 0; i < m.sample_count; i++) {
        double cells = m.samples[i].area / 9;
        int own = (int)floor(2 * log2(cells) + 1e-9);
        assert_true(own >= bin);
        in_bin = own == bin ? in_bin + 1 : 1;
        bin = own;
        assert_true(in_bin <= ORO_BIN_SAMPLES);
        assert_true(cells >= ORO_HACK_CELLS);
        assert_true(m.samples[i].length >= 3 * sqrt(cells) - 3 && m.samples[i].length < 3 * 1.5 * cells);
        assert_false(m.samples[i].slope <= 0);
    }
    oro_free(z);
}

/* Heights in balance: the slope of every cell is ks a^-theta. The ways change with the heights, so both are
 * made in turn until they agree. */
static float *make_balanced(int size, double cell, double ks, double theta)
{
    size_t cells = (size_t)size * (size_t)size;
    float *z = oro_alloc(cells, sizeof *z);
    for (uint32_t i = 0; i < cells; i++)
        z[i] = noise(i);
    balance_ground(z, size, cell, ks, theta, 40);
    return z;
}

TEST(balance)
{
    enum { SIZE = 128 };
    for (double theta = 0.3; theta < 0.6; theta += 0.2) {
        float *z = make_balanced(SIZE, 30, 20, theta);
        struct oro_metrics m =
            measure(SIZE, SIZE, z, (struct oro_metrics_options){.cell = 30, .theta = theta});
        assert_int_equal(m.certificate.depressions, 0);
        assert_true(fabs(-m.slope_area.exponent / theta - 1) < 0.05);
        assert_true(fabs(m.slope_area.factor / 20 - 1) < 0.25);
        assert_true(m.slope_area.r2 > 0.99);
        assert_true(m.chi_r2 > 0.99);
        assert_true(fabs(m.chi_steepness / 20 - 1) < 0.05);
        assert_true(m.hack.exponent > 0.45 && m.hack.exponent < 0.7);
        /* Another concavity than the ground's own does not fit as well. */
        struct oro_metrics other =
            measure(SIZE, SIZE, z, (struct oro_metrics_options){.cell = 30, .theta = 0.9});
        assert_true(other.chi_r2 < m.chi_r2 - 0.05);
        oro_free(z);
    }
}

/* Without a cell size, the same ground in cells: exponents stay. */
TEST(units)
{
    enum { SIZE = 128 };
    float *z = make_balanced(SIZE, 30, 20, 0.4);
    struct oro_metrics known = measure(SIZE, SIZE, z, (struct oro_metrics_options){.cell = 30});
    struct oro_metrics unknown = measure(SIZE, SIZE, z, (struct oro_metrics_options){0});
    assert_near(known.hack.exponent, unknown.hack.exponent, 1e-9);
    assert_near(known.slope_area.exponent, unknown.slope_area.exponent, 1e-9);
    assert_near(known.chi_r2, unknown.chi_r2, 1e-5);
    assert_near(known.bins[8].area / unknown.bins[8].area, 900, 1e-6);
    assert_near(known.bins[8].length / unknown.bins[8].length, 30, 1e-6);
    assert_near(unknown.bins[8].slope / known.bins[8].slope, 30, 1e-4);
    oro_free(z);
}

/* ---- Carving, areas ---- */

TEST(carving)
{
    float z[7 * 7];
    for (int i = 0; i < 49; i++)
        z[i] = 100;
    z[3] = 20; /* low ground on the border to the north, */
    z[10] = 30;
    z[17] = 90; /* a low sill, */
    z[24] = 40; /* and a pit behind it */
    struct oro_metrics m = measure(7, 7, z, (struct oro_metrics_options){.cell = 10});
    assert_true(m.breachable);
    /* The sill is cut to the pit's floor; the rest of the flat by steps alone. */
    assert_near(m.carve.deepest_cut, 50, 1e-3);
    assert_near(m.carve.cut_volume, 50, 2e-3);
    assert_near(m.mean_carve, 50 / 49.0, 1e-4);
    assert_true(m.steepest.rms > 0.2 && m.steepest.bias < 0);
}

TEST(too_deep_to_breach)
{
    float z[25] = {0};
    z[12] = -FLT_MAX;
    struct oro_metrics m = measure(5, 5, z, (struct oro_metrics_options){0});
    assert_false(m.breachable);
    assert_true(isnan(m.mean_carve) && isnan(m.chi_r2));
    assert_int_equal(m.certificate.depressions, 1);
    assert_near(m.certificate.deepest / (double)FLT_MAX, 1, 1e-9);
    z[12] = FLT_MAX;
    z[6] = -FLT_MAX / 2;
    m = measure(5, 5, z, (struct oro_metrics_options){0});
    assert_true(m.breachable && m.certificate.depressions == 1);
    assert_true(m.hypsometric_integral > 0 && m.hypsometric_integral < 1);
}

TEST(given_area)
{
    enum { SIZE = 50 };
    float z[SIZE * SIZE], area[SIZE * SIZE];
    uint32_t exact[SIZE * SIZE];
    for (uint32_t i = 0; i < SIZE * SIZE; i++)
        z[i] = noise(i);
    struct oro_ground ground = ground_of(SIZE, SIZE, z);
    struct oro_routing routing = {0};
    assert_true(oro_route(&ground, &routing, NULL));
    oro_drainage_cells(&routing, exact);
    oro_routing_free(&routing);
    for (int i = 0; i < SIZE * SIZE; i++)
        area[i] = (float)exact[i] * 4; /* cells of 2 m */
    struct oro_metrics_options options = {.cell = 2, .drainage = area};
    struct oro_metrics m = measure(SIZE, SIZE, z, options);
    assert_true(m.given.rms < 1e-6 && m.given.cells == SIZE * SIZE && m.given.without == 0);
    assert_true(m.steepest.rms > 0.5); /* pits swallow most of the water */
    for (int i = 0; i < SIZE * SIZE; i++)
        area[i] *= i % 2 ? 2.0f : 0.5f;
    area[7] = 0, area[8] = -1, area[9] = NAN;
    m = measure(SIZE, SIZE, z, options);
    assert_near(m.given.rms, 1, 1e-6);
    assert_near(m.given.bias, 0, 1e-3);
    assert_int_equal(m.given.without, 3);
    options.cell = 0; /* in cells, it is 4 times too much */
    m = measure(SIZE, SIZE, z, options);
    assert_near(m.given.bias, 2, 1e-3);
}

TEST(threads)
{
    enum { WIDTH = 300, HEIGHT = 257 };
    float *z = oro_alloc((size_t)WIDTH * HEIGHT, sizeof *z);
    struct oro_metrics m[2];
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
        z[i] = noise(i) * 9 + (float)(i % WIDTH);
    for (int k = 0; k < 2; k++) {
        oro_parallel_force(k ? 5 : 1);
        m[k] = measure(WIDTH, HEIGHT, z, (struct oro_metrics_options){.cell = 30});
    }
    oro_parallel_force(0);
    assert_true(m[0].hack.count > 100 && m[0].slope_area.count > 3 && m[0].steepest.rms > 0);
    assert_memory_equal(&m[0].hack, &m[1].hack, sizeof m->hack);
    assert_memory_equal(&m[0].slope_area, &m[1].slope_area, sizeof m->slope_area);
    assert_memory_equal(m[0].bins, m[1].bins, sizeof m->bins);
    assert_true(m[0].chi_r2 == m[1].chi_r2 && m[0].chi_steepness == m[1].chi_steepness);
    assert_memory_equal(&m[0].steepest, &m[1].steepest, sizeof m->steepest);
    assert_memory_equal(&m[0].carve, &m[1].carve, sizeof m->carve);
    oro_free(z);
}

TEST(level)
{
    float z[30 * 30] = {0};
    struct oro_metrics m = measure(30, 30, z, (struct oro_metrics_options){.cell = 1});
    assert_true(isnan(m.hypsometric_integral) && isnan(m.hypsometry[50]));
    assert_int_equal(m.slope_area.count, 0);
    assert_int_equal(m.certificate.depressions, 0);
    assert_int_equal(m.certificate.flats, 28 * 28);
}
