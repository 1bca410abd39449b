/* Comparing ridges and rivers of terrains by the fixed rule, and how far apart lines lie. */
#include <math.h>
#include <stdint.h>

#include "base/memory.h"
#include "terrain/network/compare.h"
#include "terrain/network/network.h"
#include "tests/support/test.h"

enum { SIZE = 96 };
static const double cell = 10;

/* Ridges run north and south, `apart` cells from each other, with a fall to the south and knolls on top; the
 * first is `shift` cells from the border. `high` scales heights. */
static void make_ridges(float *z, double apart, double shift, double high)
{
    for (int i = 0; i < SIZE * SIZE; i++) {
        double x = i % SIZE, y = (double)(i / SIZE);
        double across = (x - shift) / apart, to = fabs(across - round(across));
        z[i] = (float)(high * (500 - 600 * to - 2 * y + 30 * sin(y * 0.7) * (0.5 - to)));
    }
}

typedef bool compare(const struct oro_ground *a, const struct oro_ground *b, double side, double threshold,
                     struct oro_comparison *out, struct oro_error *err);

static struct oro_comparison compared(compare *how, const float *a, const float *b, double threshold)
{
    struct oro_ground first = {.width = SIZE, .height = SIZE, .z = a},
                      second = {.width = SIZE, .height = SIZE, .z = b};
    struct oro_comparison found;
    struct oro_error err = {0};
    if (!how(&first, &second, cell, threshold, &found, &err))
        fail_msg("%s", err.text);
    return found;
}

static float a[SIZE * SIZE], b[SIZE * SIZE];

/* Nothing depends on how high the second is. */
TEST(same_lines_are_found_again)
{
    make_ridges(a, 24, 2, 1);
    make_ridges(b, 24, 2, 0.125);
    struct oro_comparison ridges = compared(oro_compare_ridges, a, b, 5),
                          rivers = compared(oro_compare_rivers, a, b, 2e4);
    assert_true(ridges.length[0] > 3 * SIZE * cell && ridges.mean < 0.1 * cell);
    assert_true(rivers.length[0] > 3 * SIZE * cell && rivers.mean < 0.1 * cell);
    assert_true(fabs(ridges.length[1] - ridges.length[0]) <= 0.01 * ridges.length[0]);
    assert_true(ridges.threshold[0] == 5 && ridges.threshold[1] < 1);
}

TEST(a_shift_is_measured)
{
    make_ridges(a, 24, 2, 1);
    make_ridges(b, 24, 5, 1);
    struct oro_comparison ridges = compared(oro_compare_ridges, a, b, 5),
                          rivers = compared(oro_compare_rivers, a, b, 2e4);
    /* Where ridges lead from one to the next, across, a shift does not show. */
    assert_true(ridges.mean > 1.5 * cell && ridges.mean < 3.1 * cell);
    assert_true(fabs(rivers.mean / cell - 3) < 0.1);
    assert_true(ridges.mean == (ridges.there + ridges.back) / 2);
}

/* Twice as many lines are near to every one of the first; the rule takes no more than are as long, and the
 * way back shows what is there besides. */
TEST(density_does_not_flatter)
{
    make_ridges(a, 48, 12, 1);
    make_ridges(b, 12, 0, 1);
    struct oro_comparison rivers = compared(oro_compare_rivers, a, b, 4e4);
    assert_true(rivers.length[1] < 1.5 * rivers.length[0]);
    assert_true(rivers.back > 3 * cell);
}

TEST(nothing_to_compare_is_not_a_number)
{
    make_ridges(a, 24, 2, 1);
    for (int i = 0; i < SIZE * SIZE; i++)
        b[i] = 7;
    struct oro_comparison found = compared(oro_compare_ridges, a, b, 5);
    assert_true(isnan(found.mean) && found.length[0] > 0 && found.length[1] == 0);
    found = compared(oro_compare_ridges, b, a, 5);
    assert_true(isnan(found.mean) && found.length[0] == 0);
    found = compared(oro_compare_rivers, a, a, 1e9);
    assert_true(isnan(found.mean));
    struct oro_ground ground = {.width = SIZE, .height = SIZE, .z = a}, broken = ground;
    struct oro_error err = {0};
    b[100] = NAN;
    broken.z = b;
    assert_false(oro_compare_ridges(&ground, &broken, cell, 5, &found, &err));
    assert_false(oro_compare_ridges(&broken, &ground, cell, 5, &found, &err));
    assert_false(oro_compare_rivers(&ground, &broken, cell, 1e4, &found, &err));
}

static void expect_spacing(const char *lines, double metres)
{
    struct oro_network *network = oro_network_parse(lines, NULL);
    assert_non_null(network);
    assert_true(fabs(oro_network_spacing(network) - metres) < 1e-6);
    oro_free(network);
}

TEST(spacing_is_area_over_length)
{
    expect_spacing("0 0, 1000 0; 0 500, 1000 500; 0 1000, 1000 1000", 1000 / 3.0);
    expect_spacing("0 0, 4000 0", 1000);
    expect_spacing("0 0, 0 4000; 100 0, 100 0", 1000);
    expect_spacing("5 5; 1000 2000", 0);
    expect_spacing("", 0);
}
