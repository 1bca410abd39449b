/* Least squares with bounds: exact answers, optimality, and what cannot be told apart. */
#include <math.h>

#include "base/least_squares.h"
#include "tests/support/test.h"

#define assert_near(value, wanted, tolerance) assert_true(fabs((value) - (wanted)) <= (tolerance))

enum { COUNT = 40, NEAR = 3 };
static double low[COUNT], high[COUNT], x[COUNT];

static void open_bounds(double bound)
{
    for (int i = 0; i < COUNT; i++) {
        low[i] = -bound;
        high[i] = bound;
    }
}

/* A chain whose neighbours share most of what they do. */
struct chain {
    uint32_t starts[COUNT + 1], column[COUNT * NEAR];
    double value[COUNT * NEAR], wanted[COUNT];
    struct oro_least_squares problem;
};

static void make_chain(struct chain *c, double shared)
{
    uint32_t at = 0;
    for (int i = 0; i < COUNT; i++) {
        c->starts[i] = at;
        for (int j = i - 1; j <= i + 1; j++)
            if (j >= 0 && j < COUNT) {
                c->column[at] = (uint32_t)j;
                c->value[at++] = i == j ? 1 : shared;
            }
        c->wanted[i] = sin(i * 1.7);
    }
    c->starts[COUNT] = at;
    c->problem = (struct oro_least_squares){.rows = COUNT,
                                            .columns = COUNT,
                                            .starts = c->starts,
                                            .column = c->column,
                                            .value = c->value,
                                            .wanted = c->wanted,
                                            .low = low,
                                            .high = high};
}

static double image(const struct chain *c, int i)
{
    double sum = 0;
    for (uint32_t k = c->starts[i]; k < c->starts[i + 1]; k++)
        sum += c->value[k] * x[c->column[k]];
    return sum;
}

TEST(equations_are_solved)
{
    static struct chain c;
    make_chain(&c, 0.45);
    open_bounds(100);
    assert_true(oro_least_squares(&c.problem, x));
    for (int i = 0; i < COUNT; i++)
        assert_near(image(&c, i), c.wanted[i], 1e-4);
}

/* At the optimum within bounds, the slope of what is minimised is 0 where x is free, and leads out of the
 * bounds elsewhere. */
TEST(bounds_are_kept)
{
    static struct chain c;
    make_chain(&c, 0.3);
    c.problem.regularisation = 0.01;
    open_bounds(0.6);
    low[7] = high[7] = 0;
    assert_true(oro_least_squares(&c.problem, x));
    int held = 0;
    for (int j = 0; j < COUNT; j++) {
        double slope = 0, square = 0;
        for (int i = 0; i < COUNT; i++)
            for (uint32_t k = c.starts[i]; k < c.starts[i + 1]; k++)
                if (c.column[k] == (uint32_t)j) {
                    slope += c.value[k] * (c.wanted[i] - image(&c, i));
                    square += c.value[k] * c.value[k];
                }
        slope -= c.problem.regularisation * square * x[j];
        assert_true(x[j] >= low[j] && x[j] <= high[j]);
        bool at_low = x[j] <= low[j], at_high = x[j] >= high[j];
        held += at_low || at_high;
        if (!at_low && !at_high)
            assert_near(slope, 0, 1e-4);
    }
    assert_true(held > 5 && x[7] >= 0 && x[7] <= 0);
}

/* Two that do the same share the work; one that does nothing stays. */
TEST(what_is_the_same_shares)
{
    uint32_t starts[] = {0, 2}, column[] = {0, 1};
    double value[] = {2, 2}, wanted[] = {8};
    struct oro_least_squares p = {.rows = 1,
                                  .columns = 3,
                                  .starts = starts,
                                  .column = column,
                                  .value = value,
                                  .wanted = wanted,
                                  .regularisation = 1e-9,
                                  .low = low,
                                  .high = high};
    open_bounds(10);
    assert_true(oro_least_squares(&p, x));
    assert_near(x[0], 2, 1e-6);
    assert_near(x[1], 2, 1e-6);
    assert_near(x[2], 0, 0);
    high[0] = 0.5; /* the other does what is left */
    assert_true(oro_least_squares(&p, x));
    assert_near(x[0], 0.5, 1e-9);
    assert_near(x[1], 3.5, 1e-6);
}
