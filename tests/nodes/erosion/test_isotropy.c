/* Erosion prefers no direction of the grid: furrows on planes of every azimuth, and what slides from a cone.
 */
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "tests/nodes/group.h"
#include "tests/nodes/site.h"

enum { SIDE = 96, CELLS = SIDE * SIDE, BORDER = 16 };
static const double cell = 20;
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

TEST(a_cone_that_slides_stays_a_cone)
{
    need_device();
    float *cone = site_uniform(SIDE, SIDE, 0);
    for (int i = 0; i < CELLS; i++) {
        double away = hypot(i % SIDE - (SIDE - 1) / 2.0, i / SIDE - (SIDE - 1) / 2.0);
        cone[i] = (float)(500 + fmax(tan(50 * acos(-1) / 180) * cell * (24 - away), 0));
    }
    float *rest =
        run(cone, "thermal_erosion",
            IN("iterations", "500") IN("amount", "1") IN("repose", "35") IN("repose_variation", "0"));
    double least = INFINITY, most = 0, sum = 0;
    for (int k = 0; k < 64; k++) {
        double r = radius_at(rest, k * acos(-1) / 32, 600);
        least = fmin(least, r);
        most = fmax(most, r);
        sum += r / 64;
    }
    print_message("radius of a contour: %.2f to %.2f, %.2f cells in the mean\n", least, most, sum);
    assert_true(most - least < 0.02 * sum); /* a hundredth to either side */
    oro_free(cone);
    oro_free(rest);
}

/* Root mean square of the second differences across the fall line, over two cells: what furrows there are. */
static double furrows(const float *z, double azimuth)
{
    double x = -2 * sin(azimuth), y = 2 * cos(azimuth), sum = 0;
    int count = 0;
    for (int j = BORDER; j < SIDE - BORDER; j++)
        for (int i = BORDER; i < SIDE - BORDER; i++, count++)
            sum +=
                pow(bilinear(z, i + x, j + y) + bilinear(z, i - x, j - y) - 2 * (double)z[j * SIDE + i], 2);
    return sqrt(sum / count);
}

TEST(furrows_grow_alike_at_every_azimuth)
{
    need_device();
    const int azimuths = 7, seeds = 2;
    double least = INFINITY, most = 0;
    for (int k = 0; k < azimuths; k++) {
        double azimuth = k * acos(-1) / 4 / (azimuths - 1), power = 0;
        for (unsigned seed = 0; seed < (unsigned)seeds; seed++) {
            float *plane = site_scatter(SIDE, SIDE, -0.6, 0.6, 20 + seed);
            for (int i = 0; i < CELLS; i++)
                plane[i] += (float)(2000 - tan(10 * acos(-1) / 180) * cell *
                                               (i % SIDE * cos(azimuth) + i / SIDE * sin(azimuth)));
            float *carved = run(plane, "fluvial_erosion", IN("iterations", "40") IN("erodibility", "0.02"));
            power += furrows(carved, azimuth) / seeds;
            oro_free(plane);
            oro_free(carved);
        }
        print_message("azimuth %.1f: furrows %.3f m\n", azimuth * 180 / acos(-1), power);
        least = fmin(least, power);
        most = fmax(most, power);
    }
    assert_true(most < 1.25 * least);
}

TEST_GROUP(open_harness, close_harness);
