/* Rasters at another size: means are kept where cells get larger, planes where they get smaller. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "tests/nodes/group.h"
#include "tests/nodes/site.h"
#include "tests/support/test.h"

enum { CELL = 20 };

static struct site site_of(int width, int height, const float *data)
{
    struct site site = site_start(&h, width, height, CELL);
    site_raster(&site, "start", data);
    return site;
}

/* With the grid, which may be another one than the site's. */
static struct harness_raster resized(const struct site *site, const char *inputs)
{
    static char text[SITE_TEXT_MAX + 512];
    struct site whole = *site;
    site_node(&whole, "r", "resize", LINK("terrain", "start.terrain") "%s", inputs);
    snprintf(text, sizeof text, HARNESS_DOCUMENT("extent=\"%d\" resolution=\"16\"", "%s"), CELL * site->width,
             whole.nodes);
    return harness_run(&h, text, "r", "terrain");
}

TEST(the_same_size_has_the_same_bits)
{
    need_device();
    float *rough = site_rough(37, 21, 8, 300, 0, 1);
    struct site site = site_of(37, 21, rough);
    struct harness_raster same = resized(&site, "");
    assert_int_equal(same.bytes, 37 * 21 * sizeof *rough);
    assert_memory_equal(same.data, rough, same.bytes);
    harness_free(&same);
    oro_free(rough);
}

TEST(sizes_are_rounded_up)
{
    need_device();
    static const int sizes[][5] = {{97, 61, 2, 49, 31}, {97, 61, 64, 2, 1}, {97, 61, 4096, 1, 1},
                                   {1, 50, 7, 1, 8},    {1, 1, 3, 1, 1},    {64, 64, 4, 16, 16}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const int *s = sizes[i];
        float *rough = site_rough(s[0], s[1], 8, 300, 0, 1);
        struct site site = site_of(s[0], s[1], rough);
        char inputs[64];
        snprintf(inputs, sizeof inputs, IN("divide", "%d"), s[2]);
        struct harness_raster raster = resized(&site, inputs);
        assert_int_equal(raster.grid.width, s[3]);
        assert_int_equal(raster.grid.height, s[4]);
        assert_near(raster.grid.cell * raster.grid.width, CELL * s[0], 1e-6);
        int cells = s[3] * s[4];
        assert_near(site_sum(raster.data, cells) / cells, site_sum(rough, s[0] * s[1]) / (s[0] * s[1]), 0.01);
        harness_free(&raster);
        oro_free(rough);
    }
}

TEST(blocks_are_averaged)
{
    need_device();
    float *rough = site_scatter(40, 24, 0, 100, 2);
    struct site site = site_of(40, 24, rough);
    struct harness_raster raster = resized(&site, IN("divide", "4"));
    for (int i = 0; i < 60; i++) {
        double sum = 0;
        for (int k = 0; k < 16; k++)
            sum += (double)rough[(i / 10 * 4 + k / 4) * 40 + i % 10 * 4 + k % 4];
        assert_near(raster.data[i], sum / 16, 1e-3);
    }
    harness_free(&raster);
    oro_free(rough);
}

TEST(planes_come_back)
{
    need_device();
    float *plane = site_uniform(96, 60, 0);
    for (int i = 0; i < 96 * 60; i++)
        plane[i] = (float)(3.0 * (i % 96) - 2.0 * (double)(i / 96) + 40);
    struct site site = site_of(96, 60, plane);
    site_node(&site, "small", "resize", LINK("terrain", "start.terrain") IN("divide", "6"));
    site_node(&site, "large", "resize",
              LINK("terrain", "small.terrain") LINK("like", "start.terrain") IN("method", "catmull_rom"));
    float *back = site_take(&site, "large", "terrain");
    assert_near(site_difference(plane, back, 96 * 60), 0, 0.01);
    oro_free(back);
    oro_free(plane);
}

/* The default goes no lower and no higher than the cells around, also at the border; other surfaces do. */
TEST(cliffs_keep_their_heights)
{
    need_device();
    static const char *const methods[] = {"monotone", "catmull_rom", "b_spline", "bilinear"};
    float *cliff = site_uniform(30, 20, 0);
    for (int i = 0; i < 600; i++)
        cliff[i] = i % 30 + 2 * (i / 30) > 33 ? 200 : 0;
    for (int k = 0; k < 4; k++) {
        struct site site = site_of(30, 20, cliff);
        site_node(&site, "f", "upsample",
                  LINK("terrain", "start.terrain") IN("factor", "3") IN("method", "%s"), methods[k]);
        float *fine = site_take(&site, "f", "terrain"), low = fine[0], high = fine[0];
        for (int i = 0; i < 9 * 600; i++) {
            low = fminf(low, fine[i]);
            high = fmaxf(high, fine[i]);
        }
        assert_true((low < -5 && high > 205) == (k == 1));
        assert_true(k == 1 || (low >= 0 && high <= 200));
        oro_free(fine);
    }
    oro_free(cliff);
}

/* `like` gives only the size: its values do not matter. */
TEST(like_gives_the_size)
{
    need_device();
    float *rough = site_rough(64, 40, 8, 300, 0, 1);
    struct site site = site_of(64, 40, rough);
    site_node(&site, "small", "resize", LINK("terrain", "start.terrain") IN("divide", "8"));
    struct harness_raster raster = resized(&site, LINK("like", "small.terrain")),
                          half = resized(&site, LINK("like", "small.terrain") IN("divide", "2")),
                          same = resized(&site, IN("divide", "8"));
    assert_int_equal(raster.grid.width, 8);
    assert_int_equal(raster.grid.height, 5);
    assert_int_equal(half.grid.width, 4);
    assert_int_equal(half.grid.height, 3);
    assert_memory_equal(raster.data, same.data, raster.bytes);
    harness_free(&raster);
    harness_free(&half);
    harness_free(&same);
    oro_free(rough);
}

TEST_GROUP(open_harness, close_harness);
