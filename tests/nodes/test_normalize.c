/* normalize: the exact ends, clipping, maps and the mask; and the order statistics behind the ends. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "nodes/filter/order.h"
#include "tests/nodes/group.h"
#include "tests/nodes/site.h"
#include "tests/support/test.h"

static int compare(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static float *sorted(const float *values, int cells)
{
    float *order = site_uniform(cells, 1, 0);
    memcpy(order, values, (size_t)cells * sizeof *order);
    qsort(order, (size_t)cells, sizeof *order, compare);
    return order;
}

/* Of all signs and sizes, with many that are equal. */
TEST(ranks_are_exact)
{
    enum { CELLS = 3000 };
    float *values = site_scatter(CELLS, 1, -1, 1, 3);
    for (int i = 0; i < CELLS; i++)
        values[i] = i % 3 == 0 ? (float)(i % 7 - 3) : values[i] * powf(10, (float)(i % 60 - 30));
    values[7] = INFINITY;
    values[8] = -INFINITY;
    float *order = sorted(values, CELLS);
    for (int i = 0; i < CELLS; i++)
        assert_true(oro_value_of_rank(values, CELLS, (size_t)i) == order[i]);
    float one = -5;
    assert_true(oro_value_of_rank(&one, 1, 0) == -5);
    oro_free(values);
    oro_free(order);
}

static float *normalized(const float *values, int width, int height, const char *inputs)
{
    struct site site = site_start(&h, width, height, 10);
    site_raster(&site, "f", values);
    site_node(&site, "r", "ramp", LINK("like", "f.terrain") IN("low", "-1") IN("high", "3"));
    site_node(&site, "n", "normalize", LINK("field", "f.terrain") "%s", inputs);
    return site_take(&site, "n", "field");
}

TEST(fills_the_range)
{
    need_device();
    static const struct {
        const char *inputs;
        double low, high;
    } cases[] = {{"", 0, 1},
                 {IN("low", "200") IN("high", "1700"), 200, 1700},
                 {IN("low", "5") IN("high", "-3"), 5, -3}};
    float *values = site_scatter(37, 21, -812, 4021, 5), *order = sorted(values, 37 * 21);
    for (int k = 0; k < 3; k++) {
        float *given = normalized(values, 37, 21, cases[k].inputs);
        for (int i = 0; i < 37 * 21; i++) {
            double t = (double)(values[i] - order[0]) / (double)(order[37 * 21 - 1] - order[0]);
            assert_near(given[i], cases[k].low + (cases[k].high - cases[k].low) * t, 1e-3);
            if (values[i] == order[0])
                assert_true((double)given[i] == cases[k].low);
            if (values[i] == order[37 * 21 - 1])
                assert_true((double)given[i] == cases[k].high);
        }
        oro_free(given);
    }
    oro_free(values);
    oro_free(order);
}

/* As many cells as the percentages say lie beyond the ends, no more. */
TEST(clips_shares_of_the_cells)
{
    need_device();
    enum { CELLS = 1000 };
    float *values = site_scatter(50, 20, 0, 100, 6), *order = sorted(values, CELLS);
    static const int clips[][2] = {{0, 0}, {10, 0}, {0, 25}, {5, 15}, {50, 0}, {50, 49}, {50, 50}};
    for (int k = 0; k < 7; k++) {
        char inputs[128];
        snprintf(inputs, sizeof inputs, IN("clip_low", "%d") IN("clip_high", "%d"), clips[k][0], clips[k][1]);
        float *given = normalized(values, 50, 20, inputs);
        int top = CELLS - 1 - 10 * clips[k][1], bottom = 10 * clips[k][0] < top ? 10 * clips[k][0] : top;
        float low = order[bottom], high = order[top];
        for (int i = 0; i < CELLS; i++) {
            double t = high > low ? (double)(values[i] - low) / (double)(high - low) : values[i] > high;
            assert_near(given[i], fmin(fmax(t, 0), 1), 1e-5);
        }
        oro_free(given);
    }
    oro_free(values);
    oro_free(order);
}

TEST(level_ground_is_low)
{
    need_device();
    float *level = site_uniform(9, 7, 4321), one = 3;
    static const char *const inputs[] = {IN("low", "7") IN("high", "9"),
                                         IN("low", "7") IN("high", "9") IN("clip_low", "50")
                                             IN("clip_high", "50")};
    for (int k = 0; k < 2; k++) {
        float *given = normalized(level, 9, 7, inputs[k]), *single = normalized(&one, 1, 1, inputs[k]);
        for (int i = 0; i < 63; i++)
            assert_true(given[i] == 7);
        assert_true(single[0] == 7);
        oro_free(given);
        oro_free(single);
    }
    oro_free(level);
}

/* The ramp runs from -1 in the west to 3 in the east. */
TEST(ends_are_maps_and_the_mask_mixes)
{
    need_device();
    float *values = site_scatter(20, 10, 0, 50, 7), *order = sorted(values, 200);
    float *mapped = normalized(values, 20, 10, IN("low", "-10") LINK("high", "r.field"));
    float *half = normalized(values, 20, 10, IN("high", "100") IN("mask", "0.25"));
    float *none = normalized(values, 20, 10, IN("high", "100") IN("mask", "0"));
    for (int i = 0; i < 200; i++) {
        double t = (double)(values[i] - order[0]) / (double)(order[199] - order[0]);
        double high = -1 + 4 * (i % 20 + 0.5) / 20;
        assert_near(mapped[i], -10 + (high + 10) * t, 1e-4);
        assert_near(half[i], 0.75 * (double)values[i] + 0.25 * 100 * t, 1e-4);
    }
    assert_memory_equal(none, values, 200 * sizeof *none);
    oro_free(mapped);
    oro_free(half);
    oro_free(none);
    oro_free(values);
    oro_free(order);
}

TEST_GROUP(open_harness, close_harness);
