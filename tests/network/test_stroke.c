/* Curves through strokes: few points, close to the hand, and exact where the stroke is such a curve. */
#include <math.h>
#include <string.h>

#include "terrain/network/stroke.h"
#include "tests/support/test.h"

static void add(struct oro_stroke *stroke, double x, double y, double width, double strength)
{
    assert_true(oro_stroke_add(stroke, (struct oro_stroke_point){x, y, width, strength}));
}

static void expect_near(double value, double wanted, double tolerance)
{
    if (!(fabs(value - wanted) <= tolerance))
        fail_msg("%g is not %g within %g", value, wanted, tolerance);
}

/* The largest distance from a sample of `a` to the line `b`. */
static double away(const struct oro_stroke *a, const struct oro_stroke *b)
{
    double most = 0;
    for (size_t i = 0; i < a->count; i++) {
        double least = INFINITY;
        for (size_t k = 1; k < b->count; k++) {
            double dx = b->items[k].x - b->items[k - 1].x, dy = b->items[k].y - b->items[k - 1].y;
            double px = a->items[i].x - b->items[k - 1].x, py = a->items[i].y - b->items[k - 1].y;
            double t = fmin(fmax((px * dx + py * dy) / (dx * dx + dy * dy), 0), 1);
            least = fmin(least, hypot(px - t * dx, py - t * dy));
        }
        most = fmax(most, least);
    }
    return most;
}

/* A trembling hand draws one and a half waves. */
static void draw_wave(struct oro_stroke *stroke)
{
    for (int i = 0; i <= 400; i++) {
        double t = i / 400.0, shake = 20 * sin(i * 2.399);
        add(stroke, 10000 * t, 3000 + 1500 * sin(9.42 * t) + shake, 800 + 1200 * t, 1 - 0.5 * t);
    }
}

TEST(a_stroke_becomes_few_points)
{
    struct oro_stroke hand = {0}, even = {0}, points = {0}, curve = {0};
    draw_wave(&hand);
    assert_true(oro_stroke_even(&hand, 50, &even));
    assert_true(oro_stroke_fit(&even, 60, false, &points));
    assert_in_range(points.count, 4, 12);
    assert_true(oro_stroke_along(&points, true, 50, &curve));
    assert_true(away(&even, &curve) < 65);
    assert_true(away(&curve, &even) < 65);
    /* Ends are kept; width and strength go along. */
    assert_true(points.items[0].x == 0 && points.items[points.count - 1].x == 10000);
    const struct oro_stroke_point *middle = &curve.items[curve.count / 2];
    expect_near(middle->width, 800 + 0.12 * middle->x, 40);
    expect_near(middle->strength, 1 - 0.00005 * middle->x, 0.02);
    oro_stroke_free(&hand);
    oro_stroke_free(&even);
    oro_stroke_free(&points);
    oro_stroke_free(&curve);
}

TEST(a_curve_is_found_again)
{
    static const double given[6][2] = {{0, 0},       {900, 1400}, {2500, 300},
                                       {3600, 1800}, {4800, 500}, {6000, 900}};
    struct oro_stroke points = {0}, curve = {0}, found = {0};
    for (int i = 0; i < 6; i++)
        add(&points, given[i][0], given[i][1], 500 + 100 * i, 1);
    assert_true(oro_stroke_along(&points, true, 20, &curve));
    assert_true(oro_stroke_fit(&curve, 5, false, &found));
    assert_int_equal(found.count, 6);
    for (size_t i = 0; i < 6; i++) {
        expect_near(found.items[i].x, given[i][0], 60);
        expect_near(found.items[i].y, given[i][1], 60);
        expect_near(found.items[i].width, 500 + 100 * (double)i, 10);
    }
    oro_stroke_free(&points);
    oro_stroke_free(&curve);
    oro_stroke_free(&found);
}

TEST(a_straight_line_needs_two_points)
{
    struct oro_stroke line = {0}, points = {0};
    for (int i = 0; i <= 50; i++)
        add(&line, 10 * i, 20 * i, 300, 1);
    assert_true(oro_stroke_fit(&line, 1, false, &points));
    assert_int_equal(points.count, 2);
    assert_true(oro_stroke_corners(&line, 1, 0, &points));
    assert_int_equal(points.count, 2);
    oro_stroke_free(&line);
    oro_stroke_free(&points);
}

TEST(a_ring_stays_one)
{
    struct oro_stroke circle = {0}, points = {0}, curve = {0};
    for (int i = 0; i <= 200; i++)
        add(&circle, 5000 + 2000 * cos(i * 0.0314159265), 5000 + 2000 * sin(i * 0.0314159265), 700, 1);
    assert_true(oro_stroke_fit(&circle, 25, true, &points));
    assert_true(oro_stroke_is_ring(&points));
    assert_in_range(points.count, 5, 12);
    assert_true(oro_stroke_along(&points, true, 20, &curve));
    for (size_t i = 0; i < curve.count; i++)
        expect_near(hypot(curve.items[i].x - 5000, curve.items[i].y - 5000), 2000, 26);
    oro_stroke_free(&circle);
    oro_stroke_free(&points);
    oro_stroke_free(&curve);
}

TEST(corners_are_kept)
{
    struct oro_stroke line = {0}, points = {0};
    for (int i = 0; i <= 100; i++)
        add(&line, i < 50 ? 10 * i : 500, i < 50 ? 0 : 10 * (i - 50), 100, 1);
    assert_true(oro_stroke_corners(&line, 2, 0, &points));
    assert_int_equal(points.count, 3);
    assert_true(points.items[1].x == 500 && points.items[1].y == 0);
    /* A change of width is a corner, too: half of it is how far the edge moves. */
    line.count = points.count = 0;
    for (int i = 0; i <= 100; i++)
        add(&line, 10 * i, 0, i < 50 ? 100 + 10 * i : 1100 - 10 * i, 1);
    assert_true(oro_stroke_corners(&line, 20, 0, &points));
    assert_int_equal(points.count, 3);
    assert_true(points.items[1].x == 500);
    /* Strength counts as it is told to. */
    line.count = 0;
    for (int i = 0; i <= 100; i++)
        add(&line, 10 * i, 0, 100, i < 50 ? 1 : 0.5);
    assert_true(oro_stroke_corners(&line, 20, 0, &points) && points.count == 2);
    assert_true(oro_stroke_corners(&line, 20, 100, &points) && points.count > 2);
    oro_stroke_free(&line);
    oro_stroke_free(&points);
}

TEST(samples_are_even)
{
    struct oro_stroke hand = {0}, even = {0};
    add(&hand, 0, 0, 100, 0);
    add(&hand, 0, 0, 100, 0); /* the hand rests */
    add(&hand, 30, 40, 200, 1);
    add(&hand, 30, 140, 200, 1);
    assert_true(oro_stroke_even(&hand, 10, &even));
    assert_int_equal(even.count, 16);
    for (size_t i = 1; i < even.count; i++)
        expect_near(hypot(even.items[i].x - even.items[i - 1].x, even.items[i].y - even.items[i - 1].y), 10,
                    1e-9);
    expect_near(even.items[5].width, 200, 1e-9);
    expect_near(oro_stroke_length(&even), 150, 1e-9);
    hand.count = 2;
    assert_true(oro_stroke_even(&hand, 10, &even));
    assert_int_equal(even.count, 1);
    oro_stroke_free(&hand);
    oro_stroke_free(&even);
}

TEST(relaxing_smooths_where_it_is)
{
    struct oro_stroke line = {0};
    for (int i = 0; i <= 200; i++)
        add(&line, 10 * i, i % 2 ? 50 : -50, 100, 1);
    for (int i = 0; i < 8; i++)
        oro_stroke_relax(&line, 500, 0, 200, 0.5);
    expect_near(line.items[50].y, 0, 5);
    expect_near(fabs(line.items[150].y), 50, 1e-9); /* far away */
    expect_near(line.items[0].y, -50, 1e-9);
    oro_stroke_free(&line);
}

TEST(nothing_and_one_place_are_no_trouble)
{
    struct oro_stroke none = {0}, points = {0};
    assert_true(oro_stroke_fit(&none, 1, false, &points) && points.count == 0);
    assert_true(oro_stroke_corners(&none, 1, 0, &points) && points.count == 0);
    add(&none, 3, 4, 5, 1);
    assert_true(oro_stroke_fit(&none, 1, false, &points) && points.count == 1);
    assert_true(oro_stroke_along(&none, true, 1, &points) && points.count == 1);
    add(&none, 3, 4, 5, 1);
    add(&none, 3, 4, 5, 1);
    assert_true(oro_stroke_fit(&none, 1, false, &points));
    oro_stroke_free(&none);
    oro_stroke_free(&points);
}
