/* gabor and phasor_noise: how high, which way, what shape; maps and input that is wrong. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "tests/nodes/group.h"
#include "tests/nodes/site.h"
#include "tests/support/test.h"

enum { SIDE = 256, CELLS = SIDE * SIDE, CELL = 10 };
static const double pi = 3.14159265358979323846;
static const char *const types[] = {"gabor", "phasor_noise"};

/* Waves of ten cells, within 1 of 0. */
#define LIKE LINK("like", "size.terrain")
#define FREQUENCY IN("frequency", "0.01")
#define AMPLITUDE IN("amplitude", "1")
#define PLAIN LIKE FREQUENCY AMPLITUDE

static struct site start(int width, int height, double cell)
{
    struct site site = site_start(&h, width, height, cell);
    float *none = site_uniform(width, height, 0);
    site_raster(&site, "size", none);
    oro_free(none);
    return site;
}

static float *noise_of(const char *type, const char *inputs, const char *output)
{
    struct site site = start(SIDE, SIDE, CELL);
    site_node(&site, "n", type, "%s", inputs);
    return site_take(&site, "n", output);
}

/* Linked to `map` are values[i] in the column i. */
static float *noise_with_columns(const char *type, const char *inputs, const double *columns)
{
    struct site site = start(SIDE, SIDE, CELL);
    float *map = site_uniform(SIDE, SIDE, 0);
    for (int i = 0; i < CELLS; i++)
        map[i] = (float)columns[i % SIDE];
    site_raster(&site, "map", map);
    site_node(&site, "n", type, "%s", inputs);
    oro_free(map);
    return site_take(&site, "n", "field");
}

/* Of the columns from..to. */
struct statistics {
    double mean, deviation, low, high;
    int at_end; /* values of 1 or -1 */
};

static struct statistics measure(const float *field, int from, int to)
{
    struct statistics s = {.low = INFINITY, .high = -INFINITY};
    double sum = 0, squares = 0;
    for (int y = 0; y < SIDE; y++)
        for (int x = from; x < to; x++) {
            double value = (double)field[SIDE * y + x];
            sum += value;
            squares += value * value;
            s.low = fmin(s.low, value);
            s.high = fmax(s.high, value);
            s.at_end += fabs(value) >= 1;
        }
    s.mean = sum / (SIDE * (to - from));
    s.deviation = sqrt(squares / (SIDE * (to - from)) - s.mean * s.mean);
    return s;
}

/* ---- Heights ---- */

/* Over some 15000 independent places. */
TEST(gabor_is_as_high_as_documented)
{
    need_device();
    enum { SEEDS = 6 };
    static const char *const directions[] = {"", IN("spread", "180"), IN("regularity", "0.25"),
                                             IN("angle", "30")};
    for (int i = 0; i < 4; i++) {
        double mean = 0, square = 0, cut = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            char inputs[512];
            snprintf(inputs, sizeof inputs, PLAIN "%s" IN("seed", "%d"), directions[i], seed);
            float *field = noise_of("gabor", inputs, "field");
            struct statistics s = measure(field, 0, SIDE);
            assert_true(s.high > 0.9 && s.high <= 1 && s.low < -0.9 && s.low >= -1);
            mean += s.mean / SEEDS;
            square += s.deviation * s.deviation / SEEDS;
            cut += (double)s.at_end / (SEEDS * CELLS);
            oro_free(field);
        }
        print_message("mean %.4f, deviation %.4f, cut off %.2g\n", mean, sqrt(square), cut);
        assert_near(mean, 0, 0.005);
        assert_near(sqrt(square), 1.0 / 3, 0.01);
        assert_true(cut < 1.0 / 300);
    }
}

static double sine(double x)
{
    return -cos(2 * pi * x);
}

static double triangle(double x)
{
    return 1 - 2 * fabs(2 * x - 1);
}

static double sawtooth(double x)
{
    return 2 * x - 1;
}

static double square(double x)
{
    return fabs(2 * x - 1) < 0.5 ? 1 : -1;
}

/* Grenier 2023, eq. 6 with epsilon 0.1; its mean is 0.424. */
static double rounded(double x)
{
    double y = 1 - fabs(2 * x - 1);
    return (sqrt((1 + 2 * sqrt(0.1)) * y * y + 0.1) - sqrt(0.1) - 0.42424) / (1 - 0.42424);
}

/* From 2 in the west to 6 in the middle of the wave, where it drops to 2 again: the mean is 3. */
static double drawn(double x)
{
    return ((x < 0.5 ? 2 + 8 * x : 2) - 3) / 3;
}

/* Where the phase counts in full, which is nearly everywhere with a large `c`, the field is the profile of
 * it; elsewhere less. */
TEST(phasor_noise_has_the_profile)
{
    need_device();
    static const struct {
        const char *inputs;
        double (*height)(double x);
    } profiles[] = {{"", sine},
                    {IN("profile", "triangle"), triangle},
                    {IN("profile", "sawtooth"), sawtooth},
                    {IN("profile", "square"), square},
                    {IN("profile", "rounded"), rounded},
                    {IN("profile", "drawn") IN("curve", "0 2, 0.5 6, 0.50001 2, 1 2"), drawn}};
    for (int i = 0; i < 6; i++) {
        char inputs[512];
        snprintf(inputs, sizeof inputs, PLAIN IN("c", "1000") "%s", profiles[i].inputs);
        float *field = noise_of("phasor_noise", inputs, "field"),
              *phase = noise_of("phasor_noise", inputs, "phase");
        int full = 0;
        for (int k = 0; k < CELLS; k++) {
            double height = profiles[i].height((double)phase[k] / 360 + 0.5), value = (double)field[k];
            assert_true(phase[k] >= -180 && phase[k] <= 180);
            full += fabs(value - height) < 0.02;
            if (fabs(fabs((double)phase[k]) - 90) > 0.01 && fabs((double)phase[k]) > 0.1)
                assert_true(fabs(value) <= fabs(height) + 1e-3 && value * height >= -1e-3);
        }
        assert_true(full > 0.97 * CELLS);
        oro_free(field);
        oro_free(phase);
    }
}

TEST(phasor_noise_has_its_mean_at_the_offset)
{
    need_device();
    static const char *const profiles[] = {"sine", "triangle", "sawtooth", "square", "rounded", "drawn"};
    for (int i = 0; i < 6; i++) {
        char inputs[512];
        snprintf(inputs, sizeof inputs, PLAIN IN("spread", "30") IN("profile", "%s"), profiles[i]);
        float *field = noise_of("phasor_noise", inputs, "field");
        struct statistics s = measure(field, 0, SIDE);
        assert_near(s.mean, 0, 0.01);
        assert_true(s.deviation > 0.3 && s.low >= -1 && s.high <= 1 && s.high > 0.95);
        oro_free(field);
    }
}

/* A profile without height has nothing to be scaled up. */
TEST(level_profiles_are_level)
{
    need_device();
    float *field = noise_of(
        "phasor_noise", PLAIN IN("offset", "7") IN("profile", "drawn") IN("curve", "0 0.3, 1 0.3"), "field");
    struct statistics s = measure(field, 0, SIDE);
    assert_near(s.low, 7, 1e-5);
    assert_near(s.high, 7, 1e-5);
    oro_free(field);
}

/* ---- Directions ---- */

/* The bearing along which a field changes least, 0..180, from the squares of its slopes. */
static double bearing_of(const float *field)
{
    double xx = 0, xy = 0, yy = 0;
    for (int y = 1; y < SIDE - 1; y++)
        for (int x = 1; x < SIDE - 1; x++) {
            const float *at = &field[SIDE * y + x];
            double east = (double)at[1] - (double)at[-1], south = (double)at[SIDE] - (double)at[-SIDE];
            xx += east * east;
            xy += east * south;
            yy += south * south;
        }
    double across =
        0.5 * atan2(2 * xy, xx - yy); /* clockwise from the east, as its bearing is from the north */
    return fmod(across * 180 / pi + 360, 180);
}

static void check_bearing(const float *field, double expected, double tolerance)
{
    double d = fmod(fabs(bearing_of(field) - expected), 180);
    assert_near(fmin(d, 180 - d), 0, tolerance);
}

TEST(stripes_run_at_the_angle)
{
    need_device();
    for (int i = 0; i < 12; i++) {
        char inputs[512];
        snprintf(inputs, sizeof inputs, LIKE AMPLITUDE IN("frequency", "0.006") IN("angle", "%d"),
                 30 * i - 180);
        float *field = noise_of(types[i & 1], inputs, "field");
        check_bearing(field, 30 * i, 3);
        oro_free(field);
    }
}

/* Rises at a right angle to the stripes, to the right: the mean step of the phase from cell to cell. */
TEST(the_phase_grows_to_the_right)
{
    need_device();
    for (int angle = 0; angle < 360; angle += 90) {
        char inputs[512];
        snprintf(inputs, sizeof inputs, PLAIN IN("angle", "%d"), angle);
        float *phase = noise_of("phasor_noise", inputs, "phase");
        double step[2] = {0};
        for (int i = 0; i < CELLS - SIDE; i++) {
            step[0] += remainder((double)phase[i + 1] - (double)phase[i], 360) / (CELLS - SIDE);
            step[1] += remainder((double)phase[i + SIDE] - (double)phase[i], 360) / (CELLS - SIDE);
        }
        assert_near(step[0], 36 * cos(angle * pi / 180), 3);
        assert_near(step[1], 36 * sin(angle * pi / 180), 3);
        oro_free(phase);
    }
}

TEST(stripes_follow_the_orientation)
{
    need_device();
    enum { TURN = 25, ANGLE = 40 };
    for (int i = 0; i < 2; i++) {
        struct site site = start(SIDE, SIDE, CELL);
        site_node(&site, "t", "tensor_field", LIKE IN("angle", "%d"), ANGLE);
        site_node(&site, "n", types[i], PLAIN LINK("orientation", "t.direction") IN("angle", "%d"), TURN);
        float *field = site_take(&site, "n", "field");
        check_bearing(field, ANGLE + TURN, 3);
        oro_free(field);
    }
}

/* A direction of full length, half as long where the ground has half the slope that is asked for, and none on
 * level ground. */
TEST(short_orientations_are_weaker)
{
    need_device();
    float *plane = site_uniform(SIDE, SIDE, 0);
    for (int i = 0; i < CELLS; i++)
        plane[i] = (float)(CELL * tan(pi / 180) * (i % SIDE));
    for (int i = 0; i < 2; i++) {
        struct site site = start(SIDE, SIDE, CELL);
        site_raster(&site, "plane", plane);
        site_node(&site, "full", "flow_orientation", LINK("terrain", "plane.terrain") IN("radius", "0"));
        site_node(&site, "half", "flow_orientation",
                  LINK("terrain", "plane.terrain") IN("radius", "0") IN("least_slope", "2"));
        site_node(&site, "none", "flow_orientation", LINK("terrain", "size.terrain") IN("radius", "0"));
        site_node(&site, "a", types[i], PLAIN LINK("orientation", "full.direction"));
        site_node(&site, "b", types[i], PLAIN LINK("orientation", "half.direction"));
        site_node(&site, "c", types[i], PLAIN IN("offset", "3") LINK("orientation", "none.direction"));
        float *full = site_take(&site, "a", "field"), *half = site_take(&site, "b", "field");
        float *none = site_take(&site, "c", "field");
        assert_true(measure(full, 0, SIDE).deviation > 0.3);
        for (int k = 0; k < CELLS; k++) {
            assert_near(half[k], full[k] / 2, 1e-3);
            assert_near(none[k], 3, 0);
        }
        oro_free(full);
        oro_free(half);
        oro_free(none);
    }
    oro_free(plane);
}

/* Without a direction, slopes are as steep to all sides. */
TEST(spread_makes_blobs)
{
    need_device();
    static const int spreads[] = {0, 30, 180};
    static const double low[] = {0.0, 0.05, 0.85}, high[] = {0.12, 0.4, 1.18};
    for (int i = 0; i < 3; i++) {
        char inputs[512];
        snprintf(inputs, sizeof inputs, PLAIN IN("spread", "%d"), spreads[i]);
        float *field = noise_of("gabor", inputs, "field");
        double along = 0, across = 0;
        for (int k = SIDE; k < CELLS - SIDE; k++) {
            along += pow((double)field[k + SIDE] - (double)field[k - SIDE], 2);
            across += pow((double)field[k + 1] - (double)field[k - 1], 2);
        }
        print_message("spread %d: %.3f\n", spreads[i], along / across);
        assert_true(along / across >= low[i] && along / across <= high[i]);
        oro_free(field);
    }
}

/* ---- Places ---- */

/* A coarse cell has the same centre as the middle one of nine finer cells. */
TEST(a_place_has_the_same_value_at_every_resolution)
{
    need_device();
    enum { COARSE = 60, FINE = 3 * COARSE };
    static const char *const inputs[] = {"", IN("spread", "40") IN("regularity", "1")};
    for (int i = 0; i < 4; i++) {
        struct site a = start(COARSE, COARSE, 30), b = start(FINE, FINE, 10);
        site_node(&a, "n", types[i & 1], LIKE AMPLITUDE IN("frequency", "0.004") "%s", inputs[i / 2]);
        site_node(&b, "n", types[i & 1], LIKE AMPLITUDE IN("frequency", "0.004") "%s", inputs[i / 2]);
        float *coarse = site_take(&a, "n", "field"), *fine = site_take(&b, "n", "field");
        for (int y = 0; y < COARSE; y++)
            for (int x = 0; x < COARSE; x++)
                assert_near(coarse[COARSE * y + x], fine[FINE * (3 * y + 1) + 3 * x + 1], 1e-3);
        oro_free(coarse);
        oro_free(fine);
    }
}

/* Also where the frequency varies, and its range is not quite the same at another resolution: what differs is
 * that kernels take it from wider cells. */
TEST(maps_keep_the_places)
{
    need_device();
    enum { COARSE = 60, FINE = 3 * COARSE };
    float *fields[2];
    for (int i = 0; i < 2; i++) {
        struct site site = start(i ? FINE : COARSE, i ? FINE : COARSE, i ? 100 : 300);
        site_node(&site, "map", "ramp", LIKE IN("low", "0.0003") IN("high", "0.0008"));
        site_node(&site, "n", "gabor", LIKE AMPLITUDE LINK("frequency", "map.field"));
        fields[i] = site_take(&site, "n", "field");
    }
    for (int y = 0; y < COARSE; y++)
        for (int x = 0; x < COARSE; x++)
            assert_near(fields[0][COARSE * y + x], fields[1][FINE * (3 * y + 1) + 3 * x + 1], 0.1);
    oro_free(fields[0]);
    oro_free(fields[1]);
}

TEST(seeds_differ_and_repeat)
{
    need_device();
    h.kernels_only = true; /* this also bypasses the cache */
    for (int i = 0; i < 2; i++) {
        float *a = noise_of(types[i], PLAIN, "field"), *same = noise_of(types[i], PLAIN, "field");
        float *other = noise_of(types[i], PLAIN IN("seed", "1"), "field");
        assert_memory_equal(a, same, CELLS * sizeof *a);
        assert_true(site_difference(a, other, CELLS) > 0.9);
        oro_free(a);
        oro_free(same);
        oro_free(other);
    }
    h.kernels_only = false;
}

/* ---- Maps ---- */

/* A frequency that rises by two and a half octaves: all are as strong, also those between two lattices. */
TEST(any_frequency_is_as_strong)
{
    need_device();
    enum { SEEDS = 12, PARTS = 8 };
    double columns[SIDE], squares[PARTS] = {0};
    for (int x = 0; x < SIDE; x++)
        columns[x] = 0.0044 * pow(2, 2.5 * x / SIDE);
    for (int seed = 0; seed < SEEDS; seed++) {
        char inputs[512];
        snprintf(inputs, sizeof inputs, LIKE AMPLITUDE LINK("frequency", "map.terrain") IN("seed", "%d"),
                 seed);
        float *field = noise_with_columns("gabor", inputs, columns);
        for (int i = 0; i < PARTS; i++)
            squares[i] += pow(measure(field, i * SIDE / PARTS, (i + 1) * SIDE / PARTS).deviation, 2) / SEEDS;
        oro_free(field);
    }
    for (int i = 0; i < PARTS; i++)
        assert_near(sqrt(squares[i]), 1.0 / 3, 0.03);
}

/* No noise in the west, where there is no frequency; waves in the east. A wave is 10 cells, its kernels reach
 * 17. */
static void check_halves(const float *field, double offset)
{
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE / 2 - 18; x++)
            assert_true(fabs((double)field[SIDE * y + x] - offset) <= 0);
    assert_true(measure(field, SIDE / 2 + 18, SIDE).deviation > 0.3);
}

TEST(there_are_no_waves_without_a_frequency)
{
    need_device();
    static const double none[] = {0, -0.01, -1e8, 1e-9};
    for (int i = 0; i < 8; i++) {
        double columns[SIDE];
        for (int x = 0; x < SIDE; x++)
            columns[x] = x < SIDE / 2 ? none[i / 2] : 0.01;
        float *field = noise_with_columns(
            types[i & 1], LIKE AMPLITUDE LINK("frequency", "map.terrain") IN("offset", "0.25"), columns);
        check_halves(field, 0.25);
        oro_free(field);
        for (int x = 0; x < SIDE; x++)
            columns[x] = none[i / 2];
        field = noise_with_columns(types[i & 1], LIKE AMPLITUDE LINK("frequency", "map.terrain"), columns);
        struct statistics s = measure(field, 0, SIDE);
        assert_true(s.low >= 0 && s.high <= 0);
        oro_free(field);
    }
}

/* In the west the map is infinity less itself, which is no number. A map of angles without numbers does no
 * harm. */
TEST(what_is_not_a_number_does_no_harm)
{
    need_device();
    static const char *const inputs[] = {LINK("frequency", "map.field") AMPLITUDE,
                                         FREQUENCY LINK("amplitude", "map.field"),
                                         FREQUENCY AMPLITUDE LINK("angle", "map.field")};
    static const double east[] = {0.01, 1, 0};
    for (int i = 0; i < 6; i++) {
        struct site site = start(SIDE, SIDE, CELL);
        float *half = site_uniform(SIDE, SIDE, 0);
        for (int k = 0; k < CELLS; k++)
            half[k] = k % SIDE < SIDE / 2 ? 1e9f : 0;
        site_raster(&site, "half", half);
        site_node(&site, "large", "combine",
                  LINK("a", "half.terrain") IN("b", "3e38") IN("method", "multiply"));
        site_node(&site, "nan", "combine",
                  LINK("a", "large.field") LINK("b", "large.field") IN("method", "subtract"));
        site_node(&site, "map", "combine", LINK("a", "nan.field") IN("b", "%.9g"), east[i / 2]);
        site_node(&site, "n", types[i & 1], LIKE "%s", inputs[i / 2]);
        float *field = site_take(&site, "n", "field");
        if (i / 2 < 2)
            check_halves(field, 0);
        assert_true(measure(field, SIDE / 2 + 18, SIDE).deviation > 0.3);
        oro_free(half);
        oro_free(field);
    }
}

TEST(amplitudes_may_vary)
{
    need_device();
    double columns[SIDE];
    for (int x = 0; x < SIDE; x++)
        columns[x] = x < 64 ? 0 : x < 128 ? 1 : x < 192 ? -1 : 20;
    for (int i = 0; i < 2; i++) {
        float *plain = noise_of(types[i], PLAIN, "field");
        float *field = noise_with_columns(types[i], LIKE FREQUENCY LINK("amplitude", "map.terrain"), columns);
        for (int k = 0; k < CELLS; k++)
            assert_near(field[k], (double)plain[k] * columns[k % SIDE], 1e-4);
        oro_free(plain);
        oro_free(field);
    }
}

/* ---- Limits ---- */

TEST(frequencies_are_limited_to_what_cells_carry)
{
    need_device();
    for (int i = 0; i < 2; i++) {
        float *most = noise_of(types[i], LIKE AMPLITUDE IN("frequency", "0.025"), "field");
        assert_string_equal(h.warnings, "");
        float *more = noise_of(types[i], LIKE AMPLITUDE IN("frequency", "0.026"), "field");
        assert_non_null(strstr(h.warnings, types[i]));
        assert_non_null(strstr(h.warnings, "lowered to 0.025 1/m"));
        assert_memory_equal(most, more, CELLS * sizeof *most);
        oro_free(most);
        oro_free(more);
    }
}

TEST(small_rasters_have_noise_too)
{
    need_device();
    static const int sizes[][2] = {{1, 1}, {1, 9}, {9, 1}, {2, 3}};
    for (int i = 0; i < 8; i++) {
        struct site site = start(sizes[i / 2][0], sizes[i / 2][1], CELL);
        site_node(&site, "n", types[i & 1], LIKE AMPLITUDE IN("frequency", "0.02"));
        float *field = site_take(&site, "n", "field");
        for (int k = 0; k < site.width * site.height; k++)
            assert_true(field[k] >= -1 && field[k] <= 1);
        oro_free(field);
    }
}

TEST_GROUP(open_harness, close_harness);
