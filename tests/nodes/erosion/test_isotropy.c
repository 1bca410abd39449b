/* Erosion prefers no direction of the grid: furrows on planes of every azimuth, and what slides from a cone.
 */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "tests/nodes/group.h"
#include "tests/nodes/site.h"

enum { SIDE = 128, CELLS = SIDE * SIDE, BORDER = 16 };
static const double cell = 20, fall = 0.176; /* that of 10 degrees */
#define GROUND LINK("terrain", "ground.terrain")

static double bilinear(const float *z, double x, double y)
{
    int i = (int)x, j = (int)y;
    double u = x - i, v = y - j;
    double north = (1 - u) * (double)z[j * SIDE + i] + u * (double)z[j * SIDE + i + 1];
    double south = (1 - u) * (double)z[(j + 1) * SIDE + i] + u * (double)z[(j + 1) * SIDE + i + 1];
    return (1 - v) * north + v * south;
}

static float *run(const float *ground, const char *type, const char *inputs)
{
    struct site site = site_start(&h, SIDE, SIDE, cell);
    site_raster(&site, "ground", ground);
    site_node(&site, "n", type, GROUND "%s", inputs);
    return site_take(&site, "n", "terrain");
}

/* How far from the middle the ground comes down to `height`, in cells. */
static double radius_at(const float *z, double azimuth, double height)
{
    const double step = 0.01, middle = (SIDE - 1) / 2.0;
    double r = 2;
    while (r < middle - 2 && bilinear(z, middle + r * cos(azimuth), middle + r * sin(azimuth)) > height)
        r += step;
    return r;
}

static void check_cone(const char *type, const char *inputs)
{
    float *cone = site_uniform(SIDE, SIDE, 0);
    for (int i = 0; i < CELLS; i++) {
        double away = hypot(i % SIDE - (SIDE - 1) / 2.0, i / SIDE - (SIDE - 1) / 2.0);
        cone[i] = (float)(500 + fmax(tan(50 * acos(-1) / 180) * cell * (32 - away), 0));
    }
    float *rest = run(cone, type, inputs);
    double least = INFINITY, most = 0, sum = 0;
    for (int k = 0; k < 64; k++) {
        double r = radius_at(rest, k * acos(-1) / 32, 600);
        least = fmin(least, r);
        most = fmax(most, r);
        sum += r / 64;
    }
    print_message("%s: radius of a contour: %.2f to %.2f, %.2f cells in the mean; slid by %.1f m at most\n",
                  type, least, most, sum, site_difference(cone, rest, CELLS));
    assert_true(most - least < 0.002 * sum); /* a thousandth to either side */
    assert_true(site_difference(cone, rest, CELLS) > 20);
    oro_free(cone);
    oro_free(rest);
}

TEST(a_cone_that_slides_stays_a_cone)
{
    need_device();
    check_cone("thermal_erosion",
               IN("iterations", "500") IN("amount", "1") IN("repose", "35") IN("repose_variation", "0"));
    check_cone("hydraulic_erosion", IN("flow", "false") IN("iterations", "1500"));
}

/* The curvature of furrows in a plane: its power in waves of 3 to 8 cells, and how far off the fall line they
 * run, in degrees. */
struct furrows {
    double power, off;
};

enum { WINDOW = SIDE - 2 * BORDER, LONGEST = WINDOW / 8, SHORTEST = WINDOW / 3, WAVES = 2 * SHORTEST + 1 };

/* The ground inside the border, less its plane, fading to the edges. */
static double faded(const float *z, double azimuth, int i, int j)
{
    double fades = sin(acos(-1) * (i + 0.5) / WINDOW) * sin(acos(-1) * (j + 0.5) / WINDOW);
    double x = i - WINDOW / 2.0, y = j - WINDOW / 2.0;
    double middle = z[SIDE / 2 * SIDE + SIDE / 2] - fall * cell * (x * cos(azimuth) + y * sin(azimuth));
    return fades * fades * (z[(j + BORDER) * SIDE + i + BORDER] - middle);
}

/* Waves of WINDOW values, from those of -SHORTEST periods on. */
static void transform(const double complex *values, int stride, double complex *waves)
{
    static double complex turns[WINDOW];
    for (int i = 0; i < WINDOW; i++)
        turns[i] = cexp(-2 * acos(-1) * I * i / WINDOW);
    for (int u = 0; u < WAVES; u++) {
        waves[u] = 0;
        for (int i = 0; i < WINDOW; i++)
            waves[u] += values[i * stride] * turns[(u + WINDOW - SHORTEST) * i % WINDOW];
    }
}

static struct furrows furrows(const float *z, double azimuth)
{
    double complex(*rows)[WAVES] = oro_alloc(WINDOW, sizeof *rows), direction = 0;
    double power = 0;
    for (int j = 0; j < WINDOW; j++) {
        double complex row[WINDOW];
        for (int i = 0; i < WINDOW; i++)
            row[i] = faded(z, azimuth, i, j);
        transform(row, 1, rows[j]);
    }
    for (int u = 0; u < WAVES; u++) {
        double complex column[WAVES];
        transform(&rows[0][u], WAVES, column);
        for (int v = 0; v < WAVES; v++) {
            double complex vector = CMPLX(u - SHORTEST, v - SHORTEST);
            double length = cabs(vector), curvature = pow(length * length * cabs(column[v]), 2);
            if (length < LONGEST || length > SHORTEST)
                continue;
            power += curvature;
            direction += curvature * vector * vector / (length * length);
        }
    }
    oro_free(rows);
    direction *= cexp(-2 * I * (azimuth + acos(-1) / 2)); /* furrows run across their waves */
    return (struct furrows){power, carg(direction) * 90 / acos(-1)};
}

/* A plane that falls towards an azimuth, with bumps of a few cells. */
static float *rough_plane(double azimuth, unsigned seed)
{
    float *noise = site_scatter(SIDE + 2, SIDE + 2, -2, 2, seed), *plane = site_uniform(SIDE, SIDE, 0);
    for (int i = 0; i < CELLS; i++) {
        double bump = 0;
        for (int k = 0; k < 9; k++)
            bump += (double)noise[(i / SIDE + k / 3) * (SIDE + 2) + i % SIDE + k % 3] * (2 - abs(k % 3 - 1)) *
                    (2 - abs(k / 3 - 1)) / 16;
        plane[i] = (float)(2000 + bump - fall * cell * (i % SIDE * cos(azimuth) + i / SIDE * sin(azimuth)));
    }
    oro_free(noise);
    return plane;
}

/* What becomes of rough planes that fall towards azimuths from 0 to 45 degrees. */
struct spread {
    double off, deviation; /* the largest of the directions; of the powers, as a share of their mean */
};

static struct spread furrows_by_azimuth(const char *type, const char *inputs)
{
    enum { AZIMUTHS = 5, SEEDS = 12 };
    struct spread spread = {0};
    double sum = 0, squares = 0;
    for (int k = 0; k < AZIMUTHS; k++) {
        double azimuth = k * acos(-1) / 4 / (AZIMUTHS - 1), power = 0, off = 0;
        for (unsigned seed = 0; seed < SEEDS; seed++) {
            float *plane = rough_plane(azimuth, 20 + SEEDS * (unsigned)k + seed);
            float *carved = run(plane, type, inputs);
            struct furrows of = furrows(carved, azimuth);
            power += of.power / SEEDS;
            off += of.off / SEEDS;
            oro_free(plane);
            oro_free(carved);
        }
        print_message("azimuth %.1f: power %.4g, %.1f degrees off the fall line\n", azimuth * 180 / acos(-1),
                      power, off);
        spread.off = fmax(spread.off, fabs(off));
        sum += power / AZIMUTHS;
        squares += power * power / AZIMUTHS;
    }
    spread.deviation = sqrt(fmax(squares / (sum * sum) - 1, 0));
    print_message("%s: %.1f degrees off at most, power varies by %.1f %%\n", type, spread.off,
                  100 * spread.deviation);
    return spread;
}

TEST(furrows_run_and_grow_alike_at_every_azimuth)
{
    need_device();
    struct spread gentle =
        furrows_by_azimuth("fluvial_erosion", IN("iterations", "40") IN("erodibility", "0.02"));
    assert_true(gentle.off < 3 && gentle.deviation < 0.1);
    struct spread normal =
        furrows_by_azimuth("fluvial_erosion", IN("iterations", "40") IN("erodibility", "0.1"));
    assert_true(normal.off < 3 && normal.deviation < 0.1);
    struct spread strong =
        furrows_by_azimuth("fluvial_erosion", IN("iterations", "40") IN("erodibility", "0.5"));
    assert_true(strong.off < 3 && strong.deviation < 0.1);
}

/* The variance aside, for each cell's width of way, of what flows from one cell down a plane. */
static double spread_aside(double azimuth)
{
    struct site site = site_start(&h, SIDE, SIDE, cell);
    float *plane = site_uniform(SIDE, SIDE, 0), *rain = site_uniform(SIDE, SIDE, 0);
    double east = cos(azimuth), south = sin(azimuth), mass = 0, aside = 0, squares = 0, length = 0;
    int x = (int)(SIDE / 2 - 40 * east), y = (int)(SIDE / 2 - 40 * south);
    for (int i = 0; i < CELLS; i++)
        plane[i] = (float)(2000 - fall * cell * (i % SIDE * east + i / SIDE * south));
    rain[y * SIDE + x] = 1;
    site_raster(&site, "ground", plane);
    site_raster(&site, "spot", rain);
    site_node(&site, "n", "flow", GROUND LINK("rain", "spot.terrain") IN("method", "multiple"));
    float *area = site_take(&site, "n", "drainage");
    for (int i = 0; i < CELLS; i++) {
        double down = (i % SIDE - x) * east + (i / SIDE - y) * south;
        double across = (i / SIDE - y) * east - (i % SIDE - x) * south;
        if (down < 50 || down > 70)
            continue;
        mass += (double)area[i];
        length += (double)area[i] * down;
        aside += (double)area[i] * across;
        squares += (double)area[i] * across * across;
    }
    oro_free(plane);
    oro_free(rain);
    oro_free(area);
    return (squares - aside * aside / mass) / length;
}

TEST(water_spreads_alike_at_every_azimuth)
{
    need_device();
    double least = INFINITY, most = 0;
    for (int k = 0; k < 4; k++) {
        double aside = spread_aside(k * acos(-1) / 12);
        print_message("azimuth %d: variance aside %.3f cells\n", 15 * k, aside);
        least = fmin(least, aside);
        most = fmax(most, aside);
    }
    assert_true(most < 1.5 * least); /* twice, where slanting ways count as straight ones */
}

TEST_GROUP(open_harness, close_harness);
