/* Figures of what an eye sees first: lines along the grid, openness, where detail is strong and how it runs.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/realism/ground.h"

static float z[2][CELLS];

/* ---- Directions of the grid ---- */

enum { WIDE = 256, WIDE_CELLS = WIDE * WIDE };
static float wide[WIDE_CELLS];

/* Waves of all directions, from 2.5 cells to the ground's width, with power k^-5. */
static void make_waves(float *to)
{
    enum { WAVES = 400 };
    for (int i = 0; i < WIDE_CELLS; i++)
        to[i] = 0;
    for (uint32_t n = 0; n < WAVES; n++) {
        double k = 0.01 * pow(40, n / (WAVES - 1.0)), angle = M_PI * n * 0.6180339887;
        double u = 2 * M_PI * k * cos(angle), v = 2 * M_PI * k * sin(angle), phase = M_PI * chance(n + 1);
        for (int i = 0; i < WIDE_CELLS; i++)
            to[i] += (float)(pow(k, -1.5) * cos(u * (i % WIDE) + v * (i / WIDE) + phase));
    }
}

TEST(no_direction)
{
    for (uint32_t i = 0; i < WIDE_CELLS; i++)
        wide[i] = (float)chance(i + 1);
    struct oro_realism f = measure(WIDE, WIDE, wide, 10, 80);
    assert_near(f.diagonal_power, 1, 0.15);
    assert_near(f.axis_power, 1, 0.15);
    make_waves(wide);
    f = measure(WIDE, WIDE, wide, 10, 80);
    assert_near(f.diagonal_power, 1, 0.15);
    assert_near(f.axis_power, 1, 0.15);
}

/* Two of four sectors of 12 degrees, of 180, hold all the power. */
TEST(directions)
{
    for (int turn = 0; turn < 4; turn++) {
        double x = turn == 0 || turn == 3 ? 1 : turn == 1 ? 0 : -1, y = turn == 0 ? 0 : 1;
        for (int i = 0; i < WIDE_CELLS; i++)
            wide[i] = (float)sin(2 * M_PI * (x * (i % WIDE) + y * (i / WIDE)) / hypot(x, y) / 5);
        struct oro_realism f = measure(WIDE, WIDE, wide, 10, 80);
        double along = turn < 2 ? f.axis_power : f.diagonal_power;
        assert_near(along, 180 / 24.0, 0.4);
        assert_near(turn < 2 ? f.diagonal_power : f.axis_power, 0, 0.01);
    }
    assert_true(isnan(measure(WIDE, WIDE, wide, 10, 20).diagonal_power)); /* no wave is that long */
}

/* Adds a wave to the east, or to the south-east. */
static void add_wave(bool diagonal, double amplitude, double wavelength)
{
    for (int i = 0; i < WIDE_CELLS; i++) {
        double along = diagonal ? (i % WIDE + i / WIDE) * M_SQRT1_2 : i % WIDE;
        wide[i] += (float)(amplitude * sin(2 * M_PI * along / wavelength));
    }
}

/* Curvature counts, between 3 cells and R. */
TEST(curvature)
{
    memset(wide, 0, sizeof wide);
    add_wave(true, 1, 3.5);
    add_wave(false, 4, 7);
    struct oro_realism f = measure(WIDE, WIDE, wide, 10, 80);
    assert_near(f.diagonal_power / f.axis_power, 1, 0.1);
    memset(wide, 0, sizeof wide);
    add_wave(true, 1, 2.5);
    add_wave(true, 10, 11);
    add_wave(false, 1, 5);
    f = measure(WIDE, WIDE, wide, 10, 80);
    assert_true(f.diagonal_power < 0.2 && f.axis_power > 7);
}

/* ---- Slopes and the sky ---- */

TEST(flat)
{
    for (int i = 0; i < CELLS; i++)
        z[0][i] = (float)fmax(i % SIZE - 48, 0);
    assert_near(measure(SIZE, SIZE, z[0], 1, 4).flat, 0.5, 1e-12);
    for (int i = 0; i < CELLS; i++) {
        z[0][i] = (float)(100 * tan(1.99 / 180 * M_PI) * (i % SIZE));
        z[1][i] = (float)(100 * tan(2.01 / 180 * M_PI) * (i % SIZE));
    }
    assert_true(measure(SIZE, SIZE, z[0], 100, 400).flat == 1);
    assert_true(measure(SIZE, SIZE, z[1], 100, 400).flat == 0);
}

/* To the zenith from a place `d` rows from the bottom of a valley with sides of 1 in 1, of the highest
 * horizon in `reach` steps across. */
static double to_horizon(int d, int reach, double step)
{
    double steepest = -INFINITY;
    for (int k = 1; k <= reach; k++)
        steepest = fmax(steepest, (abs(d + k) - abs(d)) / (k * step));
    return 90 - atan(steepest) * 180 / M_PI;
}

TEST(openness)
{
    for (int i = 0; i < CELLS; i++)
        z[0][i] = (float)(3 * (i % SIZE) - 2 * (i / SIZE));
    assert_near(measure(SIZE, SIZE, z[0], 2, 8).openness, 90, 1e-4);
    double wanted = 0;
    for (int y = 8; y < SIZE - 8; y++) /* two rows of R 4, and as many steps of diagonals as they reach */
        for (int way = -1; way <= 1; way += 2)
            wanted += to_horizon(way * (y - 48), 8, 1) + 2 * to_horizon(way * (y - 48), 5, M_SQRT2) + 90;
    for (int i = 0; i < CELLS; i++) {
        z[0][i] = (float)(2 * abs(i / SIZE - 48));
        z[1][i] = -z[0][i];
    }
    assert_near(measure(SIZE, SIZE, z[0], 2, 8).openness, wanted / 8 / 80, 1e-4);
    assert_true(measure(SIZE, SIZE, z[1], 2, 8).openness > 90);
    struct oro_realism_difference d = compare(SIZE, SIZE, z[0], z[0], 2, 8);
    assert_true(d.openness_distance == 0);
    /* Places as far as 7 rows from the bottom see less than half of the sky, the others half of it; and more.
     */
    d = compare(SIZE, SIZE, z[0], z[1], 2, 8);
    assert_near(d.openness_distance, 15 / 80.0, 1e-6);
}

/* ---- Detail ---- */

/* Grain of `west` and `east` metres in the two halves, on planes so steep. */
static void make_halves(float *to, double west, double east, double west_steep, double east_steep)
{
    for (uint32_t i = 0; i < CELLS; i++) {
        double y = i / SIZE;
        bool is_west = i % SIZE < SIZE / 2;
        to[i] = (float)(chance(i + 1) * (is_west ? west : east) + y * (is_west ? west_steep : east_steep));
    }
}

TEST(patchiness)
{
    make_halves(z[0], 1, 1, 0, 0);
    make_halves(z[1], 1, 4, 0, 0);
    double even = measure(SIZE, SIZE, z[0], 1, 2).patchiness,
           halves = measure(SIZE, SIZE, z[1], 1, 2).patchiness;
    assert_true(even > 0 && even < 0.1);
    assert_near(halves, log(4) / 2, 0.1);
    for (int i = 0; i < CELLS; i++)
        z[1][i] *= 10;
    assert_near(measure(SIZE, SIZE, z[1], 1, 2).patchiness, halves, 1e-4);
    make_halves(z[0], 0, 1, 0, 0); /* what is level is a hundredth of the whole's strength */
    assert_near(measure(SIZE, SIZE, z[0], 1, 2).patchiness, (log(100) + log(M_SQRT2)) / 2, 0.5);
}

TEST(coherence)
{
    make_halves(z[0], 1, 1, 0, 0);
    assert_true(measure(SIZE, SIZE, z[0], 1, 6).coherence < 0.25);
    for (int i = 0; i < CELLS; i++)
        z[0][i] = (float)(sin(i % SIZE * 1.1 + i / SIZE * 0.5) + 5 * (i / SIZE));
    assert_near(measure(SIZE, SIZE, z[0], 1, 6).coherence, 1, 0.01);
}

TEST(detail_by_slope)
{
    double gentle = tan(7.5 / 180 * M_PI), steep = tan(25 / 180.0 * M_PI);
    make_halves(z[0], 1, 1, 15 * tan(M_PI / 12), 15 * tan(M_PI / 12));
    make_halves(z[1], 2, 2, 15 * tan(M_PI / 12), 15 * tan(M_PI / 12));
    assert_near(compare(SIZE, SIZE, z[0], z[0], 15, 60).class_spread, 0, 1e-12);
    assert_near(compare(SIZE, SIZE, z[1], z[0], 15, 60).class_spread, log(2), 0.01);
    assert_near(compare(SIZE, SIZE, z[0], z[1], 15, 60).class_spread, log(2), 0.01);
    /* Slopes of two classes, which meet on a level line; one of them has twice the detail. */
    for (int k = 0; k < 2; k++)
        for (uint32_t i = 0; i < CELLS; i++) {
            double y = (double)(i / SIZE) - 47.5;
            z[k][i] = (float)((k && y > 0 ? 2 : 1) * chance(i + 1) + 90 * fabs(y) * (y > 0 ? steep : gentle));
        }
    assert_near(compare(SIZE, SIZE, z[1], z[0], 90, 270).class_spread, log(2) * M_SQRT1_2, 0.05);
}

/* ---- Confluences ---- */

static double to_line(double x, double y, double ux, double uy, double *along)
{
    *along = fmax(x * ux + y * uy, 0);
    return hypot(x - *along * ux, y - *along * uy);
}

/* Two rivers from the north that are `spread` across for one down meet in the middle and go on to the south.
 */
static void make_confluence(float *to, double spread)
{
    double length = hypot(spread, 1);
    for (int i = 0; i < CELLS; i++) {
        double x = i % SIZE - 48, y = i / SIZE - 48, along[3];
        double lowest = 5 * to_line(x, y, 0, 1, &along[0]) - along[0];
        for (int k = 1; k < 3; k++)
            lowest =
                fmin(lowest, 5 * to_line(x, y, (k == 1 ? spread : -spread) / length, -1 / length, &along[k]) +
                                 along[k]);
        to[i] = (float)lowest;
    }
}

TEST(confluence)
{
    for (int spread = 1; spread <= 2; spread++) {
        make_confluence(z[0], 1.0 / spread);
        struct oro_realism f = measure(SIZE, SIZE, z[0], 30, 30 * 8);
        assert_int_equal(f.junctions, 1);
        assert_near(f.junction_angle, 2 * atan(1.0 / spread) * 180 / M_PI, 8); /* a cell is 7 */
    }
    assert_true(isnan(compare(SIZE, SIZE, z[0], z[0], 30, 240).junction_distance)); /* too few */
}

TEST(confluences)
{
    for (uint32_t i = 0; i < CELLS; i++) {
        z[0][i] = (float)(8 * chance(i + 1) - (double)(i % SIZE) - (double)(i / SIZE));
        z[1][i] = (float)(chance(i + 1) - 3 * (double)(i % SIZE));
    }
    assert_true(measure(SIZE, SIZE, z[0], 10, 20).junctions >= 10);
    assert_true(compare(SIZE, SIZE, z[0], z[0], 10, 20).junction_distance == 0);
    /* Rivers of a slope that is nearly plane run side by side, and meet at a third of the other's angle. */
    struct oro_realism_difference d = compare(SIZE, SIZE, z[1], z[0], 10, 20);
    assert_true(d.junction_distance > 0.5 && d.junction_distance <= 1);
}

/* ---- Turned ground ---- */

/* The ground's rows become columns, and one or both of them run the other way. */
static void turn(const float *from, int width, int height, int how, float *to)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int east = how & 1 ? width - 1 - x : x, south = how & 2 ? height - 1 - y : y;
            to[how & 4 ? east * height + south : south * width + east] = from[y * width + x];
        }
}

static void expect_same(const struct oro_realism *a, const struct oro_realism *b)
{
    assert_near(a->flat, b->flat, 1e-9);
    assert_near(a->openness, b->openness, 1e-5);
    assert_near(a->spectrum_slope, b->spectrum_slope, 1e-4);
    assert_near(a->diagonal_power, b->diagonal_power, 1e-4);
    assert_near(a->axis_power, b->axis_power, 1e-4);
    assert_near(a->patchiness, b->patchiness, 1e-4);
    assert_near(a->coherence, b->coherence, 1e-4);
    assert_near(a->anisotropy[1], b->anisotropy[1], 1e-6);
    /* Of donors as large as each other, the first goes on: few are. */
    assert_near(a->junction_angle, b->junction_angle, 3);
    assert_near(a->straight, b->straight, 0.02);
}

TEST(turned_ground)
{
    enum { W = 168, H = 120 };
    static float plain_z[2][W * H], turned[2][W * H];
    for (uint32_t i = 0; i < W * H; i++) {
        double x = i % W, y = i / W, hills = 60 * sin(x * 0.13 + y * 0.21) + 30 * cos(x * 0.31 - y * 0.17);
        plain_z[0][i] = (float)(hills + 4 * chance(i + 1) + 0.7 * x);
        plain_z[1][i] = (float)(hills + 9 * chance(i + 70001) + 0.2 * y);
    }
    struct oro_realism plain = measure(W, H, plain_z[0], 10, 40);
    struct oro_realism_difference apart = compare(W, H, plain_z[0], plain_z[1], 10, 40);
    assert_true(plain.junctions >= 10);
    for (int how = 1; how < 8; how++) {
        int width = how & 4 ? H : W, height = how & 4 ? W : H;
        turn(plain_z[0], W, H, how, turned[0]);
        turn(plain_z[1], W, H, how, turned[1]);
        struct oro_realism f = measure(width, height, turned[0], 10, 40);
        struct oro_realism_difference d = compare(width, height, turned[0], turned[1], 10, 40);
        expect_same(&f, &plain);
        assert_near(d.openness_distance, apart.openness_distance, 1e-3);
        assert_near(d.slope_distance, apart.slope_distance, 1e-3);
        assert_near(d.class_spread, apart.class_spread, 1e-4);
        assert_near(d.junction_distance, apart.junction_distance, 0.1);
        assert_near(d.river_offset, apart.river_offset, 5);
    }
}
