/* Terrains made by hand, whose drainage is known. */
#include "support.h"

#include <math.h>

static struct oro_measure measure_values(int width, int height, const float *values)
{
    struct oro_heightfield field = make_field(width, height, values);
    struct oro_measure measure;
    assert_true(oro_measure(&field, &measure, NULL));
    oro_heightfield_free(&field);
    return measure;
}

static struct oro_measure measure_cone(int size, double sign)
{
    struct oro_heightfield field = make_field(size, size, NULL);
    for (int i = 0; i < size * size; i++)
        field.data[i] = (float)(sign * hypot(i % size - size / 2, i / size - size / 2));
    field.cell = 3;
    struct oro_measure measure;
    assert_true(oro_measure(&field, &measure, NULL));
    oro_heightfield_free(&field);
    return measure;
}

TEST(cone)
{
    struct oro_measure hill = measure_cone(21, -1), bowl = measure_cone(21, 1);
    assert_int_equal(hill.drainage.pits, 0);
    assert_true(hill.drainage.share_ending_in_pit == 0 && hill.high == 0 && hill.cell == 3);
    assert_int_equal(bowl.drainage.pits, 1);
    assert_int_equal(bowl.drainage.flats, 0);
    assert_true(bowl.drainage.share_ending_in_pit ==
                19 * 19 / (21.0 * 21)); /* all but the border, whose cells are outlets */
}

TEST(plane)
{
    struct oro_heightfield field = make_field(8, 5, NULL);
    for (int i = 0; i < 40; i++)
        field.data[i] = (float)(i % 8);
    struct oro_measure measure;
    assert_true(oro_measure(&field, &measure, NULL));
    assert_int_equal(measure.drainage.pits, 0);
    assert_true(measure.low == 0 && measure.high == 7 && measure.mean == 3.5);
    oro_heightfield_free(&field);
}

/* Rows of every length, with and without sea, against one sum after the other; whole numbers, so that the
 * order of sums does not matter. */
TEST(values)
{
    enum { WIDEST = 37, HEIGHT = 3 };
    float z[WIDEST * HEIGHT], sea[WIDEST * HEIGHT];
    for (int width = 1; width <= WIDEST; width++)
        for (int wet = 0; wet < 3; wet++) { /* no sea, some, nothing else */
            struct oro_measure measure;
            double low = INFINITY, high = -INFINITY, sum = 0;
            size_t ground = 0, cells = (size_t)width * HEIGHT;
            for (size_t i = 0; i < cells; i++) {
                z[i] = (float)((i * 7919 + 13) % 1009) - 500;
                sea[i] = wet == 2 || i % 5 == 2;
                if (wet && sea[i] > 0)
                    continue;
                low = fmin(low, (double)z[i]);
                high = fmax(high, (double)z[i]);
                sum += (double)z[i];
                ground++;
            }
            oro_measure_values(
                &(struct oro_heightfield){
                    .width = width, .height = HEIGHT, .data = z, .sea = wet ? sea : NULL},
                &measure);
            assert_int_equal(measure.sea, cells - ground);
            if (ground > 0)
                assert_true(measure.low == low && measure.high == high &&
                            measure.mean == sum / (double)ground);
        }
}

TEST(flat)
{
    struct oro_measure measure = measure_values(4, 4, NULL);
    assert_int_equal(measure.drainage.pits, 4);
    assert_int_equal(measure.drainage.flats, 4);
    assert_true(measure.drainage.share_ending_in_pit == 0.25);
}

TEST(small)
{
    static const int sizes[][2] = {{1, 1}, {1, 9}, {9, 1}, {2, 2}, {2, 9}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct oro_measure measure = measure_values(sizes[i][0], sizes[i][1], NULL);
        assert_int_equal(measure.width, sizes[i][0]);
        assert_int_equal(measure.height, sizes[i][1]);
        assert_int_equal(measure.drainage.pits + measure.drainage.flats, 0);
        assert_true(measure.drainage.share_ending_in_pit == 0);
    }
    struct oro_heightfield none = {0};
    struct oro_measure measure;
    assert_true(oro_measure(&none, &measure, NULL));
    assert_true(measure.mean == 0);
}

/* The steepest, not the lowest, neighbour: straight 1.0 beats diagonal 1.3 / sqrt 2, so the middle drains
 * into the pit. */
TEST(steepest)
{
    const float pit_east[20] = {9,          9, 9, 9, 9, /* */ 9, 5, 4, 9, 9,
                                /* */ 3.7F, 9, 9, 9, 9, /* */ 9, 9, 9, 9, 9};
    struct oro_measure measure = measure_values(5, 4, pit_east);
    /* 5 at (1,1): south-west border 3.7 is 1.3 lower over sqrt 2 = 0.919; east 4 is 1 lower: east. (2,1) is a
     * pit. */
    assert_int_equal(measure.drainage.pits, 1);
    assert_true(measure.drainage.share_ending_in_pit ==
                5 / 20.0); /* (1,1), (2,1), (3,1), (2,2), (3,2); (1,2) goes west */
}

/* Two equally steep ways: the first in row-major order, which is the border in one terrain and the pit in the
 * other. */
TEST(ties)
{
    float row[15] = {9, 9, 9, 9, 9, /* */ 4, 5, 4, 9, 9, /* */ 9, 9, 9, 9, 9};
    struct oro_measure west = measure_values(5, 3, row);
    assert_true(west.drainage.share_ending_in_pit == 2 / 15.0); /* (2,1) and (3,1) */
    float mirrored[15] = {9, 9, 9, 9, 9, /* */ 9, 9, 4, 5, 4, /* */ 9, 9, 9, 9, 9};
    struct oro_measure pit = measure_values(5, 3, mirrored);
    assert_true(pit.drainage.share_ending_in_pit == 3 / 15.0);
}

/* One channel that winds through the whole terrain: the longest path there can be, walked without recursion.
 */
TEST(long_path)
{
    enum { SIZE = 601 };
    for (int leads_out = 0; leads_out < 2; leads_out++) {
        struct oro_heightfield field = make_field(SIZE, SIZE, NULL);
        for (int i = 0; i < SIZE * SIZE; i++)
            field.data[i] = 1e6F;
        float level = 9e5F;
        int last = 0;
        for (int y = 1, side = 0; y < SIZE - 1; y++) {
            bool run = y % 2 == 1;
            for (int k = 1; k < SIZE - 1; k++) {
                int x = side ? SIZE - 1 - k : k;
                if (run || k == SIZE - 2)
                    field.data[last = y * SIZE + x] = level--;
            }
            if (!run)
                side = !side;
        }
        if (leads_out)
            field.data[last + SIZE] = 0;
        struct oro_measure measure;
        assert_true(oro_measure(&field, &measure, NULL));
        assert_int_equal(measure.drainage.pits, leads_out ? 0 : 1);
        double inner = (double)(SIZE - 2) * (SIZE - 2) / ((double)SIZE * SIZE);
        assert_true(measure.drainage.share_ending_in_pit == (leads_out ? 0 : inner));
        oro_heightfield_free(&field);
    }
}
