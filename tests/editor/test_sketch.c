/* Lines drawn in a view, as the text of inputs. */
#include "editor/tools/sketch.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "tests/support/test.h"

static void add(struct oro_stroke *stroke, double x, double y, double width, double strength)
{
    assert_true(oro_stroke_add(stroke, (struct oro_stroke_point){x, y, width, strength}));
}

static void expect_written(const char *text, size_t line, enum ed_sketch_kind kind,
                           const struct oro_stroke *lines, size_t count, const char *wanted)
{
    char *written = ed_sketch_write(text, line, ed_sketch_form(kind), lines, count, 1000, 10);
    assert_non_null(written);
    assert_string_equal(written, wanted);
    oro_free(written);
}

TEST(lines_are_added_replaced_and_removed)
{
    struct oro_stroke lines[2] = {0};
    add(&lines[0], 104, 203, 1000, 1);
    add(&lines[0], 401, 502, 1000, 1);
    add(&lines[1], 900, 900, 1000, 1);
    add(&lines[1], 800, 800, 2000, 1);
    expect_written("", SIZE_MAX, ED_SKETCH_RANGE, lines, 1, "100 200, 400 500");
    expect_written("1 2, 3 4", SIZE_MAX, ED_SKETCH_RANGE, lines, 1, "1 2, 3 4; 100 200, 400 500");
    /* Widths of their own where they differ. */
    expect_written("1 2, 3 4; 5 6, 7 8 1; 9 9", 1, ED_SKETCH_RANGE, lines, 2,
                   "1 2, 3 4; 100 200, 400 500; 900 900 0 1000, 800 800 0 2000; 9 9");
    expect_written("1 2, 3 4; 5 6, 7 8", 0, ED_SKETCH_RANGE, NULL, 0, "5 6, 7 8");
    expect_written("1 2, 3 4", 0, ED_SKETCH_RANGE, NULL, 0, "");
    assert_null(ed_sketch_write("1 x", 0, ed_sketch_form(ED_SKETCH_RANGE), lines, 1, 1000, 10));
    /* Constraints have elevations, and radii instead of widths. */
    lines[0].items[0].strength = ed_sketch_strength_of(450);
    lines[0].items[1].strength = ed_sketch_strength_of(-20);
    expect_written("", SIZE_MAX, ED_SKETCH_RIVER, lines, 1, "100 200 450, 400 500 -20");
    lines[0].items[1].width = 600;
    expect_written("", SIZE_MAX, ED_SKETCH_RIVER, lines, 1, "100 200 450 500, 400 500 -20 300");
    assert_int_equal(ed_sketch_count("1 2, 3 4; 5 6; 7 8, 9 9"), 3);
    assert_int_equal(ed_sketch_count(""), 0);
    assert_int_equal(ed_sketch_count("1 x"), 0);
    oro_stroke_free(&lines[0]);
    oro_stroke_free(&lines[1]);
}

TEST(lines_are_read_as_samples)
{
    struct oro_stroke samples = {0};
    struct ed_sketch_reading how = {ed_sketch_form(ED_SKETCH_RANGE), 800, 50, "0 0.5, 1 1", false};
    assert_true(ed_sketch_read("9 9; 0 0, 1000 0 0 400; 5 5", 1, &how, &samples));
    assert_int_equal(samples.count, 21);
    assert_true(fabs(samples.items[10].x - 500) < 1e-6 && fabs(samples.items[10].width - 600) < 1e-6);
    assert_true(fabs(samples.items[10].strength - 0.75) < 1e-6);
    how = (struct ed_sketch_reading){ed_sketch_form(ED_SKETCH_RIDGE), 800, 50, NULL, false};
    assert_true(ed_sketch_read("0 0 700, 1000 0 900 200", 0, &how, &samples));
    assert_true(fabs(ed_sketch_elevation(samples.items[10].strength) - 800) < 1e-6);
    assert_true(fabs(samples.items[20].width - 400) < 1e-6); /* the radius is half of it */
    assert_false(ed_sketch_read("1 x", 0, &how, &samples));
    oro_stroke_free(&samples);
}

TEST(a_line_back_to_its_start_is_a_ring)
{
    struct oro_stroke hand = {0}, points = {0};
    for (int i = 0; i < 100; i++)
        add(&hand, 5000 + 2000 * cos(i * 0.0625), 5000 + 2000 * sin(i * 0.0625), 700, 1);
    assert_true(ed_sketch_fit(ed_sketch_form(ED_SKETCH_RANGE), &hand, 30, 300, &points));
    assert_true(oro_stroke_is_ring(&points));
    hand.count = 80;
    assert_true(ed_sketch_fit(ed_sketch_form(ED_SKETCH_RANGE), &hand, 30, 300, &points));
    assert_false(oro_stroke_is_ring(&points));
    oro_stroke_free(&hand);
    oro_stroke_free(&points);
}

TEST(strength_becomes_a_profile)
{
    struct oro_stroke points = {0};
    add(&points, 0, 0, 700, 1);
    add(&points, 1000, 0, 700, 1);
    assert_null(ed_sketch_profile(ed_sketch_form(ED_SKETCH_RANGE), &points)); /* even */
    points.items[1].strength = 0.4;
    char *profile = ed_sketch_profile(ed_sketch_form(ED_SKETCH_RANGE), &points);
    assert_string_equal(profile, "0 1, 1 0.4");
    oro_free(profile);
    assert_null(ed_sketch_profile(ed_sketch_form(ED_SKETCH_VALLEY), &points)); /* has none */
    oro_stroke_free(&points);
}

TEST(a_line_is_gone_on_with_and_cut)
{
    struct oro_stroke line = {0}, more = {0}, pieces[4];
    bool gone[12] = {false};
    for (int i = 0; i < 8; i++)
        add(&line, 100 * i, 0, 50, 1);
    add(&more, -100, 0, 50, 1);
    add(&more, -200, 0, 50, 1);
    assert_true(ed_sketch_extend(&line, &more, true));
    assert_int_equal(line.count, 10);
    assert_true(line.items[0].x == -200 && line.items[1].x == -100 && line.items[2].x == 0 &&
                line.items[9].x == 700);
    gone[4] = gone[5] = gone[7] = true;
    assert_int_equal(ed_sketch_pieces(&line, gone, pieces, 4), 2); /* a single sample is no line */
    assert_int_equal(pieces[0].count, 4);
    assert_int_equal(pieces[1].count, 2);
    assert_true(pieces[1].items[0].x == 600);
    oro_stroke_free(&line);
    oro_stroke_free(&more);
}

static double hill(void *user, double x, double y)
{
    (void)user;
    (void)y;
    return x == 300 ? 500 : x > 450 ? (double)NAN : 100 + x; /* a bump on the way, and nothing beyond */
}

TEST(rivers_run_down)
{
    static const double wanted[] = {500, 300, 200, 100};
    struct oro_stroke line = {0};
    for (int i = 0; i < 5; i++)
        add(&line, 100 * i, 0, 50, 1);
    ed_sketch_run_down(&line, hill, NULL); /* uphill as drawn: turned about */
    assert_true(line.items[0].x == 400);
    assert_true(fabs(ed_sketch_elevation(line.items[0].strength) - wanted[0]) < 1e-6);
    assert_true(fabs(ed_sketch_elevation(line.items[1].strength) - wanted[0]) < 1e-6); /* through the bump */
    for (int i = 2; i < 5; i++)
        assert_true(fabs(ed_sketch_elevation(line.items[i].strength) - wanted[i - 1]) < 1e-6);
    oro_stroke_free(&line);
}
