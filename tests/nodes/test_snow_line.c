/* snow_line: altitude, sun, slope, wind, and what the snow does to the shape of the ground. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tests/nodes/group.h"
#include "tests/nodes/site.h"
#include "tests/support/test.h"

enum { SIDE = 41, CELLS = SIDE * SIDE, MIDDLE = SIDE * (SIDE / 2) + SIDE / 2 };

static float *winter(const float *terrain, const char *inputs, const char *output)
{
    struct site site = site_start(&h, SIDE, SIDE, 10);
    site_raster(&site, "f", terrain);
    site_node(&site, "r", "ramp", LINK("like", "f.terrain") IN("low", "0") IN("high", "1"));
    site_node(&site, "n", "snow_line", LINK("terrain", "f.terrain") "%s", inputs);
    float *given = site_take(&site, "n", output);
    for (int i = 0; i < CELLS; i++)
        assert_true(strcmp(output, "snow") != 0 || (given[i] >= 0 && given[i] <= 1));
    return given;
}

static double smooth(double t)
{
    t = fmin(fmax(t, 0), 1);
    return t * t * (3 - 2 * t);
}

/* A plane that falls in a compass direction by an angle, at `height` in the middle. */
static float *plane(double height, double angle, double direction)
{
    const double degree = 3.14159265358979323846 / 180;
    float *terrain = site_uniform(SIDE, SIDE, 0);
    for (int i = 0; i < CELLS; i++) {
        double east = (i % SIDE - SIDE / 2) * 10.0, south = (i / SIDE - SIDE / 2) * 10.0;
        double down = east * sin(direction * degree) - south * cos(direction * degree);
        terrain[i] = (float)(height - down * tan(angle * degree));
    }
    return terrain;
}

/* One of the snow line's values in the middle of such a plane. */
static double on_plane(double height, double angle, double direction, const char *inputs, const char *output)
{
    float *terrain = plane(height, angle, direction), *given = winter(terrain, inputs, output);
    double middle = (double)given[MIDDLE];
    oro_free(terrain);
    oro_free(given);
    return middle;
}

#define LINE IN("altitude", "1000") IN("transition", "200")

TEST(level_ground_is_covered_by_altitude)
{
    need_device();
    for (int k = 0; k < 9; k++) {
        double height = 800 + 50 * k, cover = smooth((height - 900) / 200);
        assert_near(on_plane(height, 0, 0, LINE IN("depth", "4"), "snow"), cover, 1e-4);
        assert_near(on_plane(height, 0, 0, LINE IN("depth", "4"), "depth"), 4 * cover, 1e-3);
        assert_near(on_plane(height, 0, 0, LINE IN("depth", "4"), "terrain"), height + 4 * cover, 1e-3);
    }
    assert_near(on_plane(999.9, 0, 0, IN("altitude", "1000") IN("transition", "0"), "snow"), 0, 0);
    assert_near(on_plane(1000.1, 0, 0, IN("altitude", "1000") IN("transition", "0"), "snow"), 1, 0);
}

/* Towards the sun the line is higher by `aspect` times the tangent, away from it lower, across it the same.
 */
TEST(the_line_is_lower_in_the_shade)
{
    need_device();
    static const struct {
        double falls, sun, angle, shift;
    } cases[] = {{0, 180, 30, -1}, {180, 180, 30, 1}, {90, 180, 30, 0}, {270, 180, 20, 0},
                 {180, 0, 30, -1}, {225, 45, 20, -1}, {0, 180, 60, -1}, {0, 180, 45, -1}};
    for (int k = 0; k < 8; k++) {
        char inputs[320];
        snprintf(inputs, sizeof inputs, LINE IN("aspect", "150") IN("slope", "90") IN("direction", "%g"),
                 cases[k].sun);
        double tangent = fmin(tan(cases[k].angle * 3.14159265358979323846 / 180), 1);
        for (int i = 0; i < 5; i++) {
            double height = 850 + 75 * i, line = 1000 + 150 * tangent * cases[k].shift;
            double want = smooth((height - line + 100) / 200);
            assert_near(on_plane(height, cases[k].angle, cases[k].falls, inputs, "snow"), want, 2e-3);
        }
    }
}

TEST(steep_ground_is_bare)
{
    need_device();
    for (int angle = 10; angle <= 70; angle += 5) {
        double want = 1 - smooth((angle - 35) / 20.0);
        assert_near(on_plane(5000, angle, 60, LINE IN("slope", "35") IN("softness", "20"), "snow"), want,
                    2e-3);
        if (angle != 35)
            assert_near(on_plane(5000, angle, 60, LINE IN("slope", "35") IN("softness", "0"), "snow"),
                        angle < 35, 0);
    }
}

/* A roof in the west, its opposite in the east, both along the middle of their half and 20 degrees steep. */
static float *roof_and_valley(void)
{
    float *terrain = site_uniform(SIDE, SIDE, 0);
    for (int i = 0; i < CELLS; i++) {
        int x = i % SIDE;
        double away = x < SIDE / 2 ? abs(x - 10) : 20 - abs(x - 30);
        terrain[i] = (float)(1000 - 3.6 * away);
    }
    return terrain;
}

/* On the roof, in the valley, and on even ground between. */
static void at_three(const float *terrain, const char *inputs, const char *output, double at[3])
{
    float *given = winter(terrain, inputs, output);
    at[0] = (double)given[SIDE * (SIDE / 2) + 10];
    at[1] = (double)given[SIDE * (SIDE / 2) + 30];
    at[2] = (double)given[SIDE * (SIDE / 2) + 20];
    oro_free(given);
}

TEST(the_wind_fills_hollows_and_clears_ridges)
{
    need_device();
    static const char *const shallow = IN("altitude", "500") IN("transition", "0") IN("depth", "1");
    float *terrain = roof_and_valley();
    double calm[3] = {0}, windy[3], snow[3], before[3] = {1, 1, 1};
    char inputs[400];
    for (int k = 0; k <= 4; k++) {
        snprintf(inputs, sizeof inputs, "%s" IN("wind", "%g") IN("radius", "60"), shallow, 0.25 * k);
        at_three(terrain, inputs, "depth", windy);
        at_three(terrain, inputs, "snow", snow);
        if (k == 0)
            memcpy(calm, windy, sizeof calm);
        assert_near(windy[2], 1, 0.02);
        assert_near(snow[1], 1, 1e-5);
        assert_true(k == 0 || (windy[0] < before[0] && windy[1] > before[1]));
        memcpy(before, windy, sizeof before);
    }
    /* Without wind the snow only settles: by half its depth at most. */
    assert_true(calm[0] < 0.9 && calm[0] >= 0.5 && calm[1] > 1.1 && calm[1] <= 1.5);
    assert_true(windy[0] < 0.4 * calm[0] && windy[1] > 1.4 * calm[1] && snow[0] < 0.7);
    oro_free(terrain);
}

/* The snow line is lower in the valley than on the roof, which are equally high here. */
TEST(the_line_follows_the_wind)
{
    need_device();
    float *terrain = roof_and_valley();
    for (int i = 0; i < CELLS; i++)
        terrain[i] += i % SIDE < SIDE / 2 ? 0 : 72;
    double snow[3];
    at_three(terrain, IN("altitude", "1000") IN("transition", "100") IN("aspect", "0") IN("wind", "0"),
             "snow", snow);
    assert_near(snow[0], 0.5, 1e-4);
    assert_near(snow[1], 0.5, 1e-4);
    at_three(terrain,
             IN("altitude", "1000") IN("transition", "100") IN("aspect", "0") IN("wind", "1")
                 IN("radius", "60"),
             "snow", snow);
    assert_true(snow[0] < 0.1 && snow[1] > 0.9);
    oro_free(terrain);
}

/* The same, tilted to the south by 45 degrees: couloirs hold snow where faces do not, and ribs still less. */
TEST(couloirs_hold_snow)
{
    need_device();
    float *terrain = roof_and_valley();
    for (int i = 0; i < CELLS; i++)
        terrain[i] -= 10.0f * (float)(i / SIDE);
    static const char *const bare =
        IN("altitude", "0") IN("slope", "37") IN("softness", "16") IN("radius", "60");
    char inputs[400];
    double calm[3], windy[3];
    snprintf(inputs, sizeof inputs, "%s" IN("wind", "0"), bare);
    at_three(terrain, inputs, "snow", calm);
    snprintf(inputs, sizeof inputs, "%s" IN("wind", "1"), bare);
    at_three(terrain, inputs, "snow", windy);
    assert_near(calm[0], 0.5, 1e-3);
    assert_near(calm[1], 0.5, 1e-3);
    assert_near(windy[2], calm[2], 0.02);
    assert_true(windy[0] < 0.15 && windy[1] > 0.85);
    oro_free(terrain);
}

static double roughness(const float *terrain)
{
    double sum = 0;
    for (int y = 2; y < SIDE - 2; y++)
        for (int x = 2; x < SIDE - 2; x++) {
            const float *z = &terrain[SIDE * y + x];
            sum += pow((double)(4 * z[0] - z[1] - z[-1] - z[SIDE] - z[-SIDE]), 2);
        }
    return sqrt(sum / CELLS);
}

/* Boulders half as high as the snow is deep all but vanish; larger ones remain. */
TEST(deep_snow_is_smooth)
{
    need_device();
    float *ground = site_scatter(SIDE, SIDE, 2000, 2001, 5);
    static const char *const depths[] = {"0.02", "8"};
    double ratio[2];
    for (int k = 0; k < 2; k++) {
        char inputs[200];
        snprintf(inputs, sizeof inputs,
                 IN("wind", "0") IN("transition", "0") IN("aspect", "0") IN("depth", "%s"), depths[k]);
        float *surface = winter(ground, inputs, "terrain"), *depth = winter(ground, inputs, "depth");
        ratio[k] = roughness(surface) / roughness(ground);
        for (int i = 0; i < CELLS; i++)
            assert_near(surface[i], (double)ground[i] + (double)depth[i], 3e-4);
        oro_free(surface);
        oro_free(depth);
    }
    assert_true(ratio[0] > 0.95 && ratio[1] < 0.15);
    oro_free(ground);
}

/* The ramp runs from 0 in the west to 1 in the east. */
TEST(the_mask_scales_everything)
{
    need_device();
    float *ground = site_rough(SIDE, SIDE, 12, 100, 1450, 3);
    static const char *const outputs[] = {"snow", "depth", "terrain"};
    for (int k = 0; k < 3; k++) {
        float *full = winter(ground, "", outputs[k]),
              *part = winter(ground, LINK("mask", "r.field"), outputs[k]);
        for (int i = 0; i < CELLS; i++) {
            double mask = (i % SIDE + 0.5) / SIDE, base = k == 2 ? (double)ground[i] : 0;
            assert_near(part[i], base + mask * ((double)full[i] - base), 3e-4);
        }
        oro_free(full);
        oro_free(part);
    }
    oro_free(ground);
}

TEST_GROUP(open_harness, close_harness);
