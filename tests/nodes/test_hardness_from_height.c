/* hardness_from_height: follows the terrain, varies by what it says at every resolution, keeps to 0..1. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "tests/nodes/group.h"
#include "tests/nodes/site.h"
#include "tests/support/test.h"

/* The hardness of `terrain`. `inputs` is XML. */
static float *hardness(const float *terrain, int width, int height, double cell, const char *inputs)
{
    struct site site = site_start(&h, width, height, cell);
    site_raster(&site, "f", terrain);
    site_node(&site, "n", "hardness_from_height", LINK("terrain", "f.terrain") "%s", inputs);
    float *field = site_take(&site, "n", "field");
    for (int i = 0; i < width * height; i++)
        assert_true(field[i] >= 0 && field[i] <= 1);
    return field;
}

TEST(follows_the_height)
{
    need_device();
    const float terrain[6] = {100, 200, 300, 400, 500, 0};
    static const struct {
        const char *inputs;
        double at_0, at_500;
        double least, most;
    } cases[] = {
        {"", 0.2, 0.8, 0, 1},
        {IN("to_low", "0.9") IN("to_high", "0.1"), 0.9, 0.1, 0, 1},
        {IN("low", "-500") IN("high", "1500"), 0.35, 0.5, 0, 1},
        {IN("low", "100") IN("high", "300"), -0.1, 1.4, 0.2, 0.8},
        {IN("low", "300") IN("high", "100"), 1.1, -0.4, 0.2, 0.8},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char inputs[640];
        snprintf(inputs, sizeof inputs, "%s" IN("noise", "0") IN("radius", "0"), cases[i].inputs);
        float *field = hardness(terrain, 3, 2, 10, inputs);
        for (int k = 0; k < 6; k++) {
            double want = cases[i].at_0 + (cases[i].at_500 - cases[i].at_0) * (double)terrain[k] / 500;
            assert_near(field[k], fmin(fmax(want, cases[i].least), cases[i].most), 1e-6);
        }
        oro_free(field);
    }
}

/* A step becomes the integral of the Gaussian: half of `radius` is its standard deviation. */
TEST(blurs_by_the_radius)
{
    need_device();
    float terrain[100];
    for (int i = 0; i < 100; i++)
        terrain[i] = i < 50 ? 0 : 1000;
    float *field = hardness(terrain, 100, 1, 10, IN("noise", "0") IN("radius", "160"));
    for (int i = 0; i < 100; i++)
        assert_near(field[i], 0.5 + 0.3 * erf((i - 49.5) * 10 / (80 * sqrt(2))), 0.003);
    oro_free(field);
}

static double deviation(const float *field, int cells)
{
    double mean = 0, variance = 0;
    for (int i = 0; i < cells; i++)
        mean += (double)field[i] / cells;
    for (int i = 0; i < cells; i++)
        variance += pow((double)field[i] - mean, 2) / cells;
    return sqrt(variance);
}

static float *on_level_ground(int side, double cell, const char *inputs)
{
    float *terrain = site_uniform(side, side, 700);
    char all[1024];
    snprintf(all, sizeof all, IN("to_low", "0.5") "%s", inputs);
    float *field = hardness(terrain, side, side, cell, all);
    oro_free(terrain);
    return field;
}

/* Two standard deviations of it are `noise`, with cells much smaller and much larger than its patches. */
TEST(varies_by_the_noise)
{
    need_device();
    static const char *const radii[] = {"0", "1", "10", "40", "100"};
    for (int i = 0; i < 5; i++) {
        char inputs[640];
        snprintf(inputs, sizeof inputs, IN("noise", "0.2") IN("radius", "%s"), radii[i]);
        float *field = on_level_ground(400, 10, inputs);
        assert_near(2 * deviation(field, 400 * 400), 0.2, 0.012);
        oro_free(field);
    }
}

/* As white noise does that is blurred by the radius: at that distance, it is alike by 1 / e. */
TEST(noise_has_the_size_of_the_blur)
{
    need_device();
    float *field = on_level_ground(500, 10, IN("noise", "0.2") IN("radius", "80"));
    double product = 0, variance = pow(deviation(field, 500 * 500), 2);
    for (int y = 0; y < 500; y++)
        for (int x = 8; x < 500; x++)
            product += ((double)field[500 * y + x] - 0.5) * ((double)field[500 * y + x - 8] - 0.5);
    assert_near(product / (500 * 492) / variance, exp(-1), 0.05);
    oro_free(field);
}

/* A preview: cells three times larger, of which the middle one of nine is at the same place. */
TEST(noise_is_fixed_to_the_world)
{
    need_device();
    float *coarse = on_level_ground(30, 60, IN("radius", "90"));
    float *fine = on_level_ground(90, 20, IN("radius", "90"));
    float *other = on_level_ground(90, 20, IN("radius", "90") IN("seed", "1"));
    for (int y = 0; y < 30; y++)
        for (int x = 0; x < 30; x++)
            assert_near(coarse[30 * y + x], fine[90 * (3 * y + 1) + 3 * x + 1], 1e-4);
    assert_true(site_difference(fine, other, 90 * 90) > 0.2);
    oro_free(coarse);
    oro_free(fine);
    oro_free(other);
}

/* Level ground is soft as told; a single cell is level ground. What would leave 0..1 stays at its ends. */
TEST(extremes_are_held)
{
    need_device();
    const float one = 1234;
    float *single = hardness(&one, 1, 1, 10, IN("noise", "0"));
    float *spread = on_level_ground(64, 100, IN("noise", "1"));
    int ends[2] = {0, 0};
    assert_near(single[0], 0.2, 1e-6);
    for (int i = 0; i < 64 * 64; i++) {
        ends[0] += spread[i] == 0;
        ends[1] += spread[i] == 1;
    }
    assert_true(ends[0] > 200 && ends[1] > 200);
    oro_free(single);
    oro_free(spread);
}

TEST_GROUP(open_harness, close_harness);
