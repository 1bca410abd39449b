/* Numbers with units, steps of sliders, editing of profiles and gradients, paths beside the document. */
#include <locale.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "editor/inspector/curves.h"
#include "editor/inspector/values.h"
#include "editor/session/inputs.h"
#include "graph/type/literal.h"
#include "tests/support/test.h"

/* ---- Numbers ---- */

static void shows(double value, enum oro_unit unit, const char *wanted)
{
    char text[ED_NUMBER_TEXT];
    assert_string_equal(ed_number_text(value, unit, text), wanted);
}

TEST(shown)
{
    shows(320, ORO_METRE, "320 m");
    shows(35, ORO_DEGREE, "35°");
    shows(50, ORO_PERCENT, "50 %");
    shows(0.002, ORO_PER_METRE, "0.002 /m");
    shows(0, ORO_NO_UNIT, "0");
    shows(-1.5, ORO_NO_UNIT, "-1.5");
    shows(1.0 / 3, ORO_NO_UNIT, "0.333333");
    shows(1234567.25, ORO_METRE, "1234567 m");
    shows(0.1 + 0.2, ORO_NO_UNIT, "0.3");
    shows(1e-300, ORO_NO_UNIT, "1e-300");
}

static void reads(const char *text, enum oro_unit unit, double wanted)
{
    struct oro_error err = {0};
    double value = NAN;
    if (!ed_number_parse(text, unit, &value, &err))
        fail_msg("'%s': %s", text, err.text);
    if (value != wanted)
        fail_msg("'%s' gave %.17g", text, value);
}

static void refuses(const char *text, enum oro_unit unit, const char *why)
{
    struct oro_error err = {0};
    double value;
    if (ed_number_parse(text, unit, &value, &err))
        fail_msg("'%s' gave %g", text, value);
    if (!strstr(err.text, why))
        fail_msg("'%s': %s", text, err.text);
}

TEST(typed)
{
    reads("320", ORO_METRE, 320);
    reads(" 320 m ", ORO_METRE, 320);
    reads("1.1km", ORO_METRE, 1100);
    reads("25 cm", ORO_METRE, 0.25);
    reads("35°", ORO_DEGREE, 35);
    reads("35 deg", ORO_DEGREE, 35);
    reads("-12.5 %", ORO_PERCENT, -12.5);
    reads("1e3", ORO_NO_UNIT, 1000);
    reads("2e-3 1/m", ORO_PER_METRE, 0.002);
    reads("0.002 /m", ORO_PER_METRE, 0.002);
    reads("2 mm/yr", ORO_METRE_PER_YEAR, 0.002);
    reads("3 km²", ORO_SQUARE_METRE, 3e6);
    refuses("1,5", ORO_METRE, "write 1.5");
    refuses("", ORO_METRE, "empty");
    refuses("high", ORO_METRE, "'high' is not a number");
    refuses("5 km", ORO_DEGREE, "'km' is not a unit of this number, which is in deg");
    refuses("5 m", ORO_NO_UNIT, "which has no unit");
    refuses("1 000", ORO_METRE, "'000' is not a unit");
}

/* Shown values can be typed again, in every unit. */
TEST(round_trip)
{
    static const double values[] = {0, 1, -1, 0.5, 123.456, 1e-5, 98765, -0.001, 1e9};
    for (int unit = 0; unit < ORO_UNIT_COUNT; unit++)
        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
            char text[ED_NUMBER_TEXT];
            reads(ed_number_text(values[i], (enum oro_unit)unit, text), (enum oro_unit)unit, values[i]);
        }
}

TEST(locale)
{
    const char *const locales[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    for (size_t i = 0; i < 4; i++)
        if (setlocale(LC_ALL, locales[i]))
            break;
    test_shown(state);
    test_typed(state);
    setlocale(LC_ALL, "C");
}

/* ---- Sliders ---- */

TEST(ranges)
{
    struct oro_input soft = {.type = ORO_FLOAT, .min = 0, .max = 1e6, .soft_max = 2000};
    struct ed_range range = ed_range_of(&soft);
    assert_true(range.low == 0 && range.high == 2000 && !range.logarithmic);
    struct oro_input decades = {.type = ORO_FLOAT, .min = 1e-6, .max = 1, .value = 0.01};
    range = ed_range_of(&decades);
    assert_true(range.logarithmic);
    assert_true(fabs(ed_range_at(&range, 0.5) - 1e-3) < 1e-9);
    assert_true(fabs(ed_range_share(&range, 1e-3) - 0.5) < 1e-9);
    struct oro_input free_input = {.type = ORO_FLOAT};
    range = ed_range_of(&free_input);
    assert_true(range.low == range.high);
    struct oro_input vast = {.type = ORO_FLOAT, .min = -1e6, .max = 1e6, .value = 3};
    range = ed_range_of(&vast);
    assert_true(range.low == range.high);
    assert_true(range.min == -1e6);
    struct oro_input hard = {.type = ORO_INT, .min = 1, .max = 8, .soft_min = 0, .soft_max = 20};
    range = ed_range_of(&hard);
    assert_true(range.low == 1 && range.high == 8 && range.whole);
}

static void moves(const struct ed_range *range, double from, double share, double wanted)
{
    double value = ed_range_move(range, from, share, false, false);
    if (value != wanted)
        fail_msg("%g moved by %g gave %.17g", from, share, value);
}

TEST(moving)
{
    struct ed_range unit = {0, 1, 0, 1, false, false, ORO_NO_UNIT};
    moves(&unit, 0.5, 0.1, 0.6);
    moves(&unit, 0.1, 0.2, 0.3);
    moves(&unit, 0.5, 0.0011, 0.502); /* steps of 0.002 */
    moves(&unit, 0.5, 7, 1);
    moves(&unit, 0.5, -7, 0);
    assert_true(ed_range_move(&unit, 0.5, 0.011, true, false) == 0.5012); /* a tenth of way and step */
    struct ed_range whole = {0, 10, 0, 10, true, false, ORO_NO_UNIT};
    moves(&whole, 3, 0.26, 6);
    moves(&whole, 3, 0.01, 3);
    /* What was typed beyond the range stays where it is until it is moved. */
    moves(&unit, 3, 0, 3);
    moves(&unit, 3, -0.5, 1.5);
    moves(&unit, 3, 0.5, 3);
}

TEST(nudging)
{
    assert_true(ed_number_nudge(0, 10, false, false) == 0.1);
    assert_true(ed_number_nudge(2000, 10, false, false) == 2200);
    assert_true(ed_number_nudge(5, 3, true, false) == 8);
    assert_true(ed_number_nudge(5, 3, true, true) == 8);
}

/* ---- Profiles ---- */

TEST(profile_points)
{
    struct oro_profile p = {.count = 2, .x = {0, 1}, .y = {0, 1}};
    assert_int_equal(ed_profile_add(&p, 0.5f, 0.9f), 1);
    assert_int_equal(p.count, 3);
    assert_int_equal(ed_profile_add(&p, 0.5f, 0.1f), 1); /* there is one already */
    assert_int_equal(p.count, 3);
    assert_float_equal(ed_profile_at(&p, 0.25f), 0.45f, 1e-6);
    assert_float_equal(ed_profile_at(&p, -3), 0, 0);
    assert_float_equal(ed_profile_at(&p, 3), 1, 0);
    ed_profile_move(&p, 1, 7, 0.2f); /* not past its neighbour */
    assert_true(p.x[1] < p.x[2] && p.x[1] > 0.9f);
    assert_float_equal(p.y[1], 0.2f, 1e-6);
    assert_true(ed_profile_remove(&p, 0));
    assert_true(ed_profile_remove(&p, 0));
    assert_false(ed_profile_remove(&p, 0)); /* the last stays */
    assert_int_equal(p.count, 1);
    while (p.count < ORO_PROFILE_MAX)
        assert_true(ed_profile_add(&p, (float)p.count + 1, 0) >= 0);
    assert_int_equal(ed_profile_add(&p, 0.5f, 0), -1);
}

/* Whatever edits are made, the written literal is a valid profile. */
static void parses(enum oro_type type, struct oro_text *text)
{
    struct oro_input input = {.name = "curve", .type = type};
    struct oro_error err = {0};
    assert_false(text->failed);
    if (!oro_literal_parse(&input, text->data, NULL, &err))
        fail_msg("'%s': %s", text->data, err.text);
    oro_text_free(text);
}

static unsigned next(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static float at_random(unsigned *seed)
{
    return (float)(next(seed) % 1000) / 900 - 0.05f;
}

TEST(profile_random)
{
    struct oro_profile p = {.count = 2, .x = {0, 1}, .y = {0, 1}};
    unsigned seed = 5;
    for (int i = 0; i < 20000; i++) {
        struct oro_text text = {0};
        unsigned what = next(&seed) % 10;
        int point = p.count ? (int)(next(&seed) % (unsigned)p.count) : 0;
        if (what < 3)
            ed_profile_add(&p, at_random(&seed), at_random(&seed));
        else if (what < 7)
            ed_profile_move(&p, point, at_random(&seed), at_random(&seed));
        else if (what == 7)
            ed_profile_remove(&p, point);
        else if (what == 8)
            ed_profile_mirror(&p);
        else
            ed_profile_invert(&p);
        ed_profile_write(&p, &text);
        parses(ORO_PROFILE, &text);
    }
}

TEST(profile_shapes)
{
    for (int i = 0; i < ED_PROFILE_SHAPES; i++) {
        struct oro_profile p;
        struct oro_text text = {0};
        ed_profile_make(&p, (enum ed_profile_shape)i);
        assert_true(p.x[0] == 0 && p.x[p.count - 1] == 1);
        assert_non_null(ed_profile_shape_name((enum ed_profile_shape)i));
        ed_profile_write(&p, &text);
        parses(ORO_PROFILE, &text);
    }
    struct oro_profile line;
    struct oro_text text = {0};
    ed_profile_make(&line, ED_PROFILE_LINEAR);
    ed_profile_invert(&line);
    ed_profile_write(&line, &text);
    assert_string_equal(text.data, "0 1, 1 0");
    oro_text_free(&text);
}

/* ---- Gradients ---- */

TEST(gradient)
{
    struct oro_gradient g = {.count = 2, .position = {0, 1}, .colour = {{0, 0, 0, 1}, {1, 1, 1, 0.5f}}};
    struct oro_text text = {0};
    float rgba[4];
    ed_gradient_at(&g, ed_gradient_blend_of("steps"), 0.75f, rgba);
    assert_float_equal(rgba[0], 0, 0);
    ed_gradient_at(&g, ed_gradient_blend_of("smooth"), 0.25f, rgba);
    assert_float_equal(rgba[0], 0.15625f, 1e-6);
    ed_gradient_at(&g, ed_gradient_blend_of("linear"), 0.5f, rgba);
    assert_float_equal(rgba[0], 0.5f, 1e-6);
    assert_float_equal(rgba[3], 0.75f, 1e-6);
    assert_int_equal(ed_gradient_add(&g, ED_GRADIENT_LINEAR, 0.25f), 1);
    ed_gradient_write(&g, &text);
    assert_string_equal(text.data, "0 #000000, 0.25 #404040df, 1 #ffffff80");
    oro_text_free(&text);
    ed_gradient_spread(&g);
    assert_float_equal(g.position[1], 0.5f, 1e-6);
    ed_gradient_move(&g, 1, -4);
    assert_true(g.position[1] > 0 && g.position[1] < 0.01f);
    ed_gradient_put(&g, 1, 0.123456f); /* what is typed is not rounded */
    assert_float_equal(g.position[1], 0.123456f, 0);
    ed_gradient_put(&g, 1, 7);
    assert_true(g.position[1] < 1 && g.position[1] > 0.99f);
    ed_gradient_put(&g, 3, 0.5f);
    ed_gradient_put(&g, -1, 0.5f);
    assert_int_equal(g.count, 3);
    ed_gradient_reverse(&g);
    assert_float_equal(g.colour[0][0], 1, 0);
    assert_true(ed_gradient_remove(&g, 1));
    assert_true(ed_gradient_remove(&g, 1));
    assert_false(ed_gradient_remove(&g, 0));
    ed_gradient_write(&g, &text);
    parses(ORO_GRADIENT, &text);
}

TEST(gradient_random)
{
    struct oro_gradient g = {.count = 2, .position = {0, 1}, .colour = {{0, 0, 0, 1}, {1, 1, 1, 1}}};
    unsigned seed = 9;
    for (int i = 0; i < 20000; i++) {
        struct oro_text text = {0};
        unsigned what = next(&seed) % 10;
        int stop = (int)(next(&seed) % (unsigned)g.count);
        if (what < 4)
            ed_gradient_add(&g, ED_GRADIENT_LINEAR, at_random(&seed));
        else if (what < 7)
            ed_gradient_move(&g, stop, at_random(&seed));
        else if (what == 7)
            ed_gradient_remove(&g, stop);
        else if (what == 8)
            ed_gradient_reverse(&g);
        else
            ed_gradient_spread(&g);
        ed_gradient_write(&g, &text);
        parses(ORO_GRADIENT, &text);
    }
}

/* ---- Paths ---- */

static void names(const char *document, const char *path, const char *wanted)
{
    char *name = ed_path_for(document, path);
    assert_string_equal(name, wanted);
    oro_free(name);
}

TEST(paths)
{
    names("/maps/alps/a.oro", "/maps/alps/height.png", "height.png");
    names("/maps/alps/a.oro", "/maps/alps/in/height.png", "in/height.png");
    names("/maps/alps/a.oro", "/maps/height.png", "/maps/height.png");
    names("/maps/alps/a.oro", "/maps/alps2/height.png", "/maps/alps2/height.png");
    names("", "/maps/height.png", "/maps/height.png");
    names(NULL, "/maps/height.png", "/maps/height.png");
}
