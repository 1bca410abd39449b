/* What the pace of earlier work says of other work. */
#include <stdio.h>
#include <stdlib.h>

#include "graph/eval/pace.h"
#include "tests/graph/fake_nodes.h"
#include "tests/support/folder.h"
#include "tests/support/test.h"

static char folder[64];

FIXTURE(open_folder)
{
    snprintf(folder, sizeof folder, P_tmpdir "/orograph-pace-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

FIXTURE(close_folder)
{
    return remove_tree(folder);
}

TEST_GROUP(open_folder, close_folder);

static struct oro_step erosion(int side, struct fake_erode_params *params)
{
    return (struct oro_step){.id = "e",
                             .type = &fake_erode,
                             .params = params,
                             .grid = {.width = side, .height = side, .cell = 10}};
}

static struct oro_forecast forecast_of(const struct oro_step *step, double share)
{
    struct oro_forecast forecast = {0};
    oro_forecast_add(&forecast, folder, "a device", step, share);
    return forecast;
}

static double seconds_of(int side, int iterations)
{
    struct fake_erode_params params = {.iterations = iterations};
    struct oro_step step = erosion(side, &params);
    struct oro_forecast forecast = forecast_of(&step, 1);
    assert_int_equal(forecast.known, 1);
    assert_ptr_equal(forecast.longest, &step);
    return forecast.seconds;
}

static void learn(int side, int iterations, double share, double seconds)
{
    struct fake_erode_params params = {.iterations = iterations};
    struct oro_step step = erosion(side, &params);
    oro_pace_learn(folder, "a device", &step, share, seconds);
}

#define assert_near(a, b) assert_true((a) > 0.999 * (b) && (a) < 1.001 * (b))

/* The first test: nothing is learnt yet. */
TEST(nothing_is_known_of_others)
{
    struct fake_erode_params params = {.iterations = 50};
    struct oro_step step = erosion(100, &params);
    struct oro_forecast forecast = forecast_of(&step, 1);
    assert_true(forecast.unknown == 1 && forecast.known == 0 && !forecast.longest);
    learn(100, 50, 1, 2);
    forecast = (struct oro_forecast){0};
    oro_forecast_add(&forecast, folder, "another device", &step, 1);
    assert_int_equal(forecast.unknown, 1);
    const struct oro_step blend = {.id = "b", .type = &fake_blend, .params = &params, .grid = step.grid};
    assert_int_equal(forecast_of(&blend, 1).unknown, 1);
}

TEST(goes_with_cells_and_iterations)
{
    learn(100, 50, 1, 2);
    assert_near(seconds_of(100, 50), 2);
    assert_near(seconds_of(200, 50), 8);
    assert_near(seconds_of(400, 100), 64);
}

TEST(goes_with_the_share)
{
    struct fake_erode_params params = {.iterations = 50};
    struct oro_step step = erosion(100, &params);
    learn(100, 50, 0.25, 2); /* it was cancelled, or resumed */
    assert_near(seconds_of(100, 50), 8);
    assert_near(forecast_of(&step, 0.5).seconds, 4);
}

/* Small rasters are mostly other work than cells, and what is short mostly the making of kernels. */
TEST(large_work_tells_more)
{
    learn(1000, 50, 1, 2);
    learn(10, 50, 1, 2);
    learn(1000, 50, 1, 0.1);
    assert_near(seconds_of(1000, 50), 2);
    learn(900, 50, 1, 8 * 0.81);
    assert_near(seconds_of(1000, 50), 8);
}
