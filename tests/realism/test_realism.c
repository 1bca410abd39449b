/* Figures of realism, on ground that was made so that they are known. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "terrain/drainage/drain.h"
#include "terrain/drainage/routing.h"
#include "tests/realism/ground.h"
#include "tests/support/balanced.h"

static struct oro_realism_difference against(const float *z, const float *truth, double cell, double scale)
{
    return compare(SIZE, SIZE, z, truth, cell, scale);
}

/* Noise of independent cells, `amount` metres of it, upon a slope to the south-east. */
static void make_noise(float *z, double amount)
{
    for (uint32_t i = 0; i < CELLS; i++)
        z[i] = (float)(amount * chance(i + 1) - (double)(i % SIZE) - (double)(i / SIZE));
}

/* ---- Slopes ---- */

TEST(plane)
{
    static float z[CELLS];
    for (int i = 0; i < CELLS; i++)
        z[i] = (float)(6 * (i % SIZE) + 8 * (i / SIZE)); /* 1 in 1 */
    struct oro_realism f = measure(SIZE, SIZE, z, 10, 40);
    assert_near(f.mean_slope, 45, 1e-9);
    assert_near(f.anisotropy[0], 1, 1e-9);
    assert_near(f.anisotropy[1], 1, 1e-9);
    assert_near(f.border_slope, 0.7, 1e-9);
    assert_near(f.inner_slope, 0.7, 1e-9);
    assert_near(f.band_rms[ORO_BAND_FINE], 0, 1e-3);
    assert_near(f.band_rms[ORO_BAND_BROAD], 0, 1e-3);
    assert_true(f.convergent == 0 && f.deepest_trench == 0 && f.trench_cells == 0);
    assert_true(f.scale == 40 && f.cell == 10);
}

/* The gradients of a round cone on a plain face all ways alike; a pyramid's, four. */
TEST(anisotropy)
{
    static float z[CELLS];
    for (int i = 0; i < CELLS; i++)
        z[i] = (float)-fmin(hypot(i % SIZE - 47.5, i / SIZE - 47.5), 38);
    struct oro_realism cone = measure(SIZE, SIZE, z, 1, 4);
    assert_true(cone.anisotropy[1] < 0.01);
    for (int i = 0; i < CELLS; i++)
        z[i] = (float)-fmax(fabs(i % SIZE - 47.5), fabs(i / SIZE - 47.5));
    struct oro_realism pyramid = measure(SIZE, SIZE, z, 1, 4);
    assert_true(pyramid.anisotropy[0] > 0.95 && pyramid.anisotropy[1] > 0.95);
}

TEST(slope_distance)
{
    static float z[2][CELLS];
    for (int i = 0; i < CELLS; i++) {
        z[0][i] = (float)(i % SIZE);
        z[1][i] = (float)(i % SIZE < 48 ? i % SIZE : 48); /* half of it is level */
    }
    assert_true(against(z[0], z[0], 1, 4).slope_distance == 0);
    struct oro_realism_difference d = against(z[1], z[0], 1, 4);
    assert_near(d.slope_distance, 0.5, 1 / 80.0);
    for (int i = 0; i < CELLS; i++)
        z[1][i] *= 2;
    for (int i = 0; i < CELLS; i++)
        z[0][i] = 0;
    assert_true(against(z[1], z[0], 1, 4).slope_distance > 0.49);
}

TEST(rim)
{
    static float z[CELLS];
    for (int i = 0; i < CELLS; i++) {
        int x = i % SIZE, y = i / SIZE, edge = x < y ? x : y;
        edge = edge < SIZE - 1 - x ? edge : SIZE - 1 - x;
        edge = edge < SIZE - 1 - y ? edge : SIZE - 1 - y;
        z[i] = (float)(edge < 2 ? 5 * (2 - edge) + 2 : x % 2);
    }
    struct oro_realism f = measure(SIZE, SIZE, z, 1, 4);
    assert_true(f.border_slope > 3.5 && f.border_slope < 6);
    assert_near(f.inner_slope, 0.5, 0.2);
}

/* ---- Wavelengths ---- */

static void make_wave(float *z, double wavelength, double amplitude)
{
    for (int i = 0; i < CELLS; i++)
        z[i] = (float)(amplitude * sin(2 * M_PI * (i % SIZE) / wavelength));
}

/* A band's filter is the difference of two Gaussians with half their response at its ends. */
static double response(double wavelength, double bound)
{
    return exp2(-(bound / wavelength) * (bound / wavelength));
}

/* Whole numbers of half waves, which go on beyond the borders as the ground does. */
TEST(bands)
{
    static float z[CELLS];
    for (double waves = 3; waves < 15; waves += 7) {
        double length = (SIZE - 1) / waves;
        make_wave(z, length, 10);
        struct oro_realism f = measure(SIZE, SIZE, z, 30, 4 * 30);
        double fine = 10 * M_SQRT1_2 * (response(length, 4) - response(length, 8));
        double broad = 10 * M_SQRT1_2 * (response(length, 16) - response(length, 64));
        assert_near(f.band_rms[ORO_BAND_FINE] / fine, 1, 0.05);
        assert_near(f.band_rms[ORO_BAND_BROAD] / broad, 1, 0.05);
    }
}

TEST(low_pass)
{
    static float z[2][CELLS];
    make_wave(z[0], 24, 10);
    make_wave(z[1], 24, 10);
    for (int i = 0; i < CELLS; i++)
        z[1][i] += 7;
    struct oro_realism_difference d = against(z[1], z[0], 2, 8);
    assert_near(d.low_pass_rmse, 7, 1e-4);
    assert_near(d.detail_correlation, 1, 1e-6);
    assert_near(d.band_share[0], 1, 1e-6);
    assert_near(d.band_share[1], 1, 1e-6);
    for (int i = 0; i < CELLS; i++)
        z[1][i] = -3 * z[0][i];
    d = against(z[1], z[0], 2, 8);
    assert_near(d.detail_correlation, -1, 1e-6);
    assert_near(d.band_share[0], 3, 1e-4);
    make_wave(z[1], 3, 10); /* two wavelengths have nothing in common, and the low pass has but one */
    d = against(z[1], z[0], 2, 8);
    assert_near(d.detail_correlation, 0, 0.05);
    assert_near(d.low_pass_rmse, 10 * M_SQRT1_2 * exp(-2 * pow(M_PI * 4 / 24, 2)), 0.2);
}

/* Noise of independent cells has the same power at all wavenumbers; summed along both axes, power falls. */
TEST(spectrum)
{
    enum { LARGE = 200 };
    float *z = oro_alloc((size_t)LARGE * LARGE, sizeof *z);
    for (uint32_t i = 0; i < LARGE * LARGE; i++)
        z[i] = (float)chance(i + 1) + 3 * (float)(i % LARGE);
    assert_near(measure(LARGE, LARGE, z, 30, 240).spectrum_slope, 0, 0.15);
    /* Waves of random phase and direction, with amplitudes so that power is k^-4. */
    for (int i = 0; i < LARGE * LARGE; i++)
        z[i] = 0;
    for (uint32_t n = 0; n < 1000; n++) {
        double k = 0.02 * pow(0.5 / 0.02, n / 999.0), angle = M_PI * chance(3 * n + 1);
        /* As many waves in each octave: an octave's ring has k^2 as much room. */
        double amplitude = pow(k, -2) * k, phase = M_PI * chance(3 * n + 2);
        double u = 2 * M_PI * k * cos(angle), v = 2 * M_PI * k * sin(angle);
        for (int i = 0; i < LARGE * LARGE; i++)
            z[i] += (float)(amplitude * cos(u * (i % LARGE) + v * (i / LARGE) + phase));
    }
    assert_near(measure(LARGE, LARGE, z, 30, 240).spectrum_slope, -4, 0.2);
    oro_free(z);
}

/* ---- Channels ---- */

/* Heights that balance uplift and stream power along the drainage of some noise: slope = ks area^-theta. */
static float *make_balanced(int size, double cell, double ks, double theta)
{
    size_t cells = (size_t)size * (size_t)size;
    float *z = oro_alloc(cells, sizeof *z);
    for (uint32_t i = 0; i < cells; i++)
        z[i] = (float)chance(i + 1);
    balance_ground(z, size, cell, ks, theta, 8);
    return z;
}

static void breach(float *z, int size)
{
    struct oro_ground ground = ground_of(size, size, z);
    struct oro_routing routing = {0};
    float *carved = oro_alloc((size_t)size * (size_t)size, sizeof *carved);
    assert_true(oro_route(&ground, &routing, NULL) &&
                oro_breach(&ground, &routing, &(struct oro_breaching){0}, carved, NULL));
    memcpy(z, carved, sizeof *z * (size_t)size * (size_t)size);
    oro_routing_free(&routing);
    oro_free(carved);
}

/* Whole steps of 4 m, pits, and breaching them, leave the concavity as it is. */
TEST(concavity)
{
    enum { WIDE = 192 };
    for (double theta = 0.3; theta < 0.6; theta += 0.2) {
        double ks = theta < 0.4 ? 40 : 600;
        float *z = make_balanced(WIDE, 30, ks, theta);
        struct oro_realism exact = measure(WIDE, WIDE, z, 30, 30);
        assert_true(exact.drops.segments > 500);
        assert_near(exact.concavity, theta, 0.03);
        assert_true(exact.drops.theta == exact.concavity && exact.drops.fitted > 4);
        assert_true(exact.drops.ks / ks > 0.6 && exact.drops.ks / ks < 1.6 && exact.drops.r2 > 0.98);
        assert_true(exact.hack > 0.45 && exact.hack < 0.7);
        for (uint32_t i = 0; i < WIDE * WIDE; i++)
            z[i] = floorf((z[i] + 3 * (float)chance(i)) / 4) * 4;
        assert_near(measure(WIDE, WIDE, z, 30, 30).concavity, theta, 0.06);
        breach(z, WIDE);
        assert_near(measure(WIDE, WIDE, z, 30, 30).concavity, theta, 0.06);
        oro_free(z);
    }
}

/* One channel to the east, in a valley with even sides. */
static void make_valley(float *z, double side, double fall, int row)
{
    for (int i = 0; i < CELLS; i++)
        z[i] = (float)(side * abs(i / SIZE - row) - fall * (i % SIZE));
}

TEST(straight)
{
    static float z[CELLS];
    make_valley(z, 30, 3, 48);
    struct oro_realism f = measure(SIZE, SIZE, z, 30, 60);
    assert_true(f.channel_cells > 40);
    assert_near(f.straight, 1, 1e-9);
    /* A bend every fourth cell, where channels are so large that the sides have none. */
    for (int i = 0; i < CELLS; i++) {
        int x = i % SIZE, row = 46 + abs(x % 8 - 4);
        z[i] = (float)(30 * abs(i / SIZE - row) - 9 * x);
    }
    f = measure(SIZE, SIZE, z, 30, 450);
    assert_int_equal(f.channel_cells, 48);
    assert_near(f.straight, 0, 1e-9);
}

/* ---- Forms ---- */

/* A V-shaped valley is no trench; with its bottom lowered, it is one as deep. */
TEST(trenches)
{
    static float z[CELLS];
    make_valley(z, 30, 3, 48);
    struct oro_realism f = measure(SIZE, SIZE, z, 30, 60);
    assert_true(f.deepest_trench < 1e-3 && f.trench_cells == 0);
    for (int x = 0; x < SIZE; x++)
        z[48 * SIZE + x] -= 12;
    f = measure(SIZE, SIZE, z, 30, 60);
    assert_near(f.deepest_trench, 12, 1e-3);
    assert_int_equal(f.trench_cells, SIZE - 2 * 4);
    assert_int_equal(f.trench_at / SIZE, 48);
    assert_int_equal(f.longest_trench, SIZE - 2 * 4);
    for (int x = 7; x < SIZE; x += 8) /* the floor rises: no longer a trench, and none goes on across it */
        z[48 * SIZE + x] += 12;
    f = measure(SIZE, SIZE, z, 30, 60);
    assert_int_equal(f.longest_trench, 7);
}

/* Contours of a V-shaped valley turn within a cell, those of a funnel with its radius. */
TEST(convergent)
{
    static float z[CELLS];
    make_valley(z, 30, 15, 48);
    struct oro_realism f = measure(SIZE, SIZE, z, 30, 60);
    assert_near(f.convergent, 1 / 88.0, 1e-9);
    for (int i = 0; i < CELLS; i++)
        z[i] = (float)(30 * hypot(i % SIZE - 47.5, i / SIZE - 47.5));
    assert_true(measure(SIZE, SIZE, z, 30, 60).convergent < 16.0 / (88 * 88));
    for (int i = 0; i < CELLS; i++)
        z[i] = -z[i];
    assert_true(measure(SIZE, SIZE, z, 30, 60).convergent == 0);
}

/* ---- Rivers ---- */

TEST(rivers)
{
    static float z[2][CELLS];
    make_valley(z[0], 30, 3, 44);
    make_valley(z[1], 30, 3, 51);
    assert_near(against(z[0], z[0], 10, 40).river_offset, 0, 0);
    assert_near(against(z[0], z[1], 10, 40).river_offset, 70, 1e-6);
    for (int i = 0; i < CELLS; i++) /* the same along the other axis */
        z[1][i] = z[0][i % SIZE * SIZE + i / SIZE];
    struct oro_realism_difference d = against(z[1], z[0], 10, 40);
    assert_true(d.river_offset > 70);
}

/* ---- What may come ---- */

TEST(little_ground)
{
    static float z[CELLS];
    struct oro_ground ground = ground_of(40, 40, z);
    struct oro_realism f = measure(3, 40, z, 1, 0);
    struct oro_error err = {0};
    assert_true(isnan(f.mean_slope) && isnan(f.concavity) && f.trench_cells == 0);
    assert_false(oro_realism(&ground, 0, 0, &f, &err));
    assert_false(oro_realism(&ground, 1, NAN, &f, &err));
    assert_int_equal(err.code, ORO_E_USAGE);
    struct oro_ground other = ground_of(40, 41, z);
    struct oro_realism_difference d;
    assert_false(oro_realism_against(&ground, &other, 1, 0, &d, &err));
    assert_int_equal(err.code, ORO_E_USAGE);
    for (int size = 4; size < 40; size += 7) { /* level ground has few figures, but they are had */
        f = measure(size, size + 3, z, 5, 0);
        assert_true(f.mean_slope == 0 && f.convergent == 0 && isnan(f.concavity) && isnan(f.anisotropy[0]));
        assert_true(f.scale == 40);
        measure(size, size, z, 5, 1e6);
        measure(size, size, z, 5, 1e-6);
    }
}

/* Heights without bounds: nothing hangs or overflows. */
TEST(steep_ground)
{
    static float z[CELLS];
    for (uint32_t i = 0; i < CELLS; i++)
        z[i] = (float)(1e30 * chance(i));
    struct oro_realism f = measure(SIZE, SIZE, z, 1, 4);
    assert_true(f.mean_slope > 89 && f.drops.segments > 0);
}

TEST(memory)
{
    static float z[CELLS];
    struct oro_ground ground = ground_of(SIZE, SIZE, z);
    struct oro_realism f;
    struct oro_realism_difference d;
    make_noise(z, 50);
    size_t before = oro_memory_count();
    measure(SIZE, SIZE, z, 30, 90);
    size_t single = oro_memory_count() - before;
    against(z, z, 30, 90);
    size_t both = oro_memory_count() - before - single;
    assert_true(single > 10 && both > 10);
    for (size_t n = 1; n <= single + both; n++) {
        struct oro_error err = {0};
        oro_memory_fail_at(n <= single ? n : n - single);
        bool ok = n <= single ? oro_realism(&ground, 30, 90, &f, &err)
                              : oro_realism_against(&ground, &ground, 30, 90, &d, &err);
        oro_memory_fail_at(0);
        assert_false(ok);
        assert_int_equal(err.code, ORO_E_MEMORY);
    }
}

/* ---- Tubes ---- */

enum { LONG = 192, WIDE = 128 };

/* Rough ground on a slope to the west with a valley along the middle row, its floor 8 m lower per 100 cells;
 * its floor's half width and the column where it begins. */
static void make_gorge(float *z, double (*half)(int x), int head)
{
    for (int i = 0; i < LONG * WIDE; i++) {
        int x = i % LONG, y = i / LONG;
        double away = fabs((double)y - WIDE / 2), up = 200 + 0.4 * (double)x + chance((uint32_t)i + 1);
        double outside = fmax(away - half(x), 0), floor = 100 + 0.05 * (double)x + 0.3 * away;
        z[i] = (float)(x > head ? up + 0.3 * away : fmin(up + 0.3 * away, floor + 20 * outside));
    }
}

static double even(int x)
{
    (void)x;
    return 1.5;
}

static double widening(int x)
{
    return 1 + 6 * (double)(LONG - x) / LONG;
}

static struct oro_realism_tubes find_tubes(const float *z)
{
    struct oro_ground ground = ground_of(LONG, WIDE, z);
    struct oro_realism_tubes tubes;
    struct oro_error err = {0};
    if (!oro_realism_tubes(&ground, 30, 240, &tubes, &err))
        fail_msg("%s", err.text);
    print_message("%zu channel cells, %zu with walls, %zu of tubes, %zu dead ends\n", tubes.channel_cells,
                  tubes.walled_cells, tubes.tube_cells, tubes.dead_ends);
    return tubes;
}

TEST(tubes)
{
    static float z[LONG * WIDE];
    make_gorge(z, even, LONG);
    struct oro_realism_tubes tubes = find_tubes(z);
    assert_true(tubes.tube_cells > 100);
    assert_int_equal(tubes.dead_ends, 0);
    make_gorge(z, widening, LONG);
    tubes = find_tubes(z);
    assert_true(tubes.walled_cells > 100);
    assert_int_equal(tubes.tube_cells, 0);
    make_gorge(z, even, 2 * LONG / 3);
    tubes = find_tubes(z);
    assert_int_equal(tubes.dead_ends, 1);
}

TEST(threads)
{
    static float z[CELLS];
    struct oro_realism f[2];
    make_noise(z, 50);
    for (int k = 0; k < 2; k++) {
        oro_parallel_force(k ? 5 : 1);
        f[k] = measure(SIZE, SIZE, z, 30, 90);
    }
    oro_parallel_force(0);
    assert_memory_equal(&f[0], &f[1], sizeof f[0]);
}
