/* Uplift trees: operators, moves, bounds, limits. */
#include "tests/uplift/trees.h"

/* Value by value, from those of the operands. */
static double combined(enum oro_uplift_combine how, double a, double b)
{
    return how == ORO_UPLIFT_MAX   ? fmax(a, b)
           : how == ORO_UPLIFT_MIN ? fmin(a, b)
           : how == ORO_UPLIFT_ADD ? a + b
                                   : a * b;
}

TEST(values_are_combined)
{
    static const enum oro_uplift_combine ways[] = {ORO_UPLIFT_MAX, ORO_UPLIFT_MIN, ORO_UPLIFT_ADD,
                                                   ORO_UPLIFT_MULTIPLY};
    uint32_t sequence = 77;
    struct oro_uplift *a = random_ranges(&sequence, 8, 1000, 400), *b = disc(500, 500, 450, 5e-4);
    for (int i = 0; i < 4; i++) {
        struct oro_uplift *tree = MAKE(combine, a, b, ways[i]);
        for (int k = 0; k < 200; k++) {
            double x = chance_of(&sequence, -100, 1100), y = chance_of(&sequence, -100, 1100);
            double expected = combined(ways[i], oro_uplift_at(a, x, y), oro_uplift_at(b, x, y));
            near_to(oro_uplift_at(tree, x, y), expected, 1e-12);
        }
        oro_free(tree);
    }
    oro_free(a);
    oro_free(b);
}

TEST(groups_are_joined_by_max)
{
    uint32_t sequence = 6;
    struct oro_uplift *a = random_ranges(&sequence, 5, 1000, 300);
    struct oro_uplift *b = random_ranges(&sequence, 7, 1000, 300), *none = random_ranges(&sequence, 0, 1, 1);
    struct oro_uplift *tree = MAKE(combine, a, b, ORO_UPLIFT_MAX);
    struct oro_uplift *same = MAKE(combine, tree, none, ORO_UPLIFT_MAX);
    assert_int_equal(oro_uplift_size(tree), 12);
    assert_int_equal(oro_uplift_bytes(tree) - oro_uplift_bytes(none), 12 * sizeof(struct oro_uplift_segment));
    assert_int_equal(oro_uplift_bytes(same), oro_uplift_bytes(tree));
    for (int k = 0; k < 200; k++) {
        double x = chance_of(&sequence, 0, 1000), y = chance_of(&sequence, 0, 1000);
        near_to(oro_uplift_at(tree, x, y), fmax(oro_uplift_at(a, x, y), oro_uplift_at(b, x, y)), 0);
        near_to(oro_uplift_at(same, x, y), oro_uplift_at(tree, x, y), 0);
    }
    oro_free(a);
    oro_free(b);
    oro_free(none);
    oro_free(tree);
    oro_free(same);
}

/* Undefined is not 0: carving leaves alone what it does not reach. */
TEST(carving_knows_where)
{
    struct oro_valley valley = {0, 500, 1000, 500, 100, 100, 1, 1},
                      other = {500, 0, 500, 1000, 100, 100, 1, 1};
    struct oro_uplift *ground = MAKE(constant, 2), *none = MAKE(ranges, NULL, 0);
    struct oro_uplift *a = MAKE(valleys, &valley, 1, ramp_profile),
                      *b = MAKE(valleys, &other, 1, ramp_profile);
    struct oro_uplift *lowest = MAKE(combine, a, b, ORO_UPLIFT_MIN);
    struct oro_uplift *carved = MAKE(combine, ground, lowest, ORO_UPLIFT_CARVE);
    near_to(oro_uplift_at(carved, 200, 200), 2, 0);
    near_to(oro_uplift_at(carved, 200, 525), 0.25, 1e-6);
    near_to(oro_uplift_at(carved, 550, 200), 0.5, 1e-6);
    near_to(oro_uplift_at(carved, 510, 550), 0.1, 1e-6);
    struct oro_uplift *untouched = MAKE(combine, ground, none, ORO_UPLIFT_CARVE);
    near_to(oro_uplift_at(untouched, 500, 500), 2, 0);
    struct oro_uplift *nothing = MAKE(combine, none, a, ORO_UPLIFT_CARVE);
    near_to(oro_uplift_at(nothing, 500, 500), 0, 0);
    struct oro_uplift *trees[] = {ground, none, a, b, lowest, carved, untouched, nothing};
    for (size_t i = 0; i < sizeof trees / sizeof trees[0]; i++)
        oro_free(trees[i]);
}

TEST(blending_is_eq_9)
{
    uint32_t sequence = 13;
    struct oro_uplift *a = random_ranges(&sequence, 8, 10000, 4000), *b = MAKE(constant, 1e-3f);
    struct oro_uplift *weight = small_raster(), *tree = MAKE(blend, a, b, weight);
    for (int k = 0; k < 200; k++) {
        double x = chance_of(&sequence, 0, 10000), y = chance_of(&sequence, 0, 10000);
        double w = fmin(oro_uplift_at(weight, x, y), 1);
        near_to(oro_uplift_at(tree, x, y), (1 - w) * oro_uplift_at(a, x, y) + w * 1e-3, 1e-9);
    }
    struct oro_uplift *twice = MAKE(scale, tree, 2);
    near_to(oro_uplift_at(twice, 5000, 5000), 2 * oro_uplift_at(tree, 5000, 5000), 1e-12);
    oro_free(a);
    oro_free(b);
    oro_free(weight);
    oro_free(tree);
    oro_free(twice);
}

TEST(transforms_move_points)
{
    struct oro_uplift *tree = kidney_star(1);
    struct oro_affine affine = {
        .centre = {4000, 3000}, .move = {250, -700}, .angle = 0.7, .scale = {1.5, -0.5}};
    struct oro_uplift *moved = MAKE(transform, tree, &affine);
    double c = cos(0.7), s = sin(0.7);
    for (int i = 0; i < 400; i++) {
        double x = 500.0 * (i % 20) + 3, y = 350.0 * floor(i / 20.0) + 7;
        double u = 1.5 * (x - 4000), v = -0.5 * (y - 3000);
        near_to(oro_uplift_at(moved, 4250 + c * u - s * v, 2300 + s * u + c * v), oro_uplift_at(tree, x, y),
                1e-5);
    }
    oro_free(tree);
    oro_free(moved);
}

TEST(twists_turn)
{
    struct oro_uplift *tree = disc(800, 500, 60, 1), *twisted;
    double centre[2] = {500, 500};
    twisted = MAKE(twist, tree, centre, 600, 2.0);
    double angle = 2 * 0.75 * 0.75; /* at half the radius, clockwise as y points south */
    near_to(oro_uplift_at(twisted, 500 + 300 * cos(angle), 500 + 300 * sin(angle)), 1, 1e-5);
    near_to(oro_uplift_at(twisted, 800, 500), 0, 0);
    oro_free(tree);
    oro_free(twisted);
}

/* A displacement of at most the amplitude, which changes slowly and hardly ever folds. */
TEST(noise_displaces)
{
    static float ramp[2] = {0, 1000};
    struct oro_uplift *tree = MAKE(raster, ramp, 2, 1, 100000.0);
    double amplitude = 400, before = 0, most = 0;
    int folds = 0;
    struct oro_uplift *warped = MAKE(noise, tree, amplitude, 1000, 3, 5u);
    for (int i = 0; i < 4000; i++) {
        double x = 60000 + 10.0 * i, shift = oro_uplift_at(warped, x, 777) * 100 + 50000 - x;
        most = fmax(most, fabs(shift));
        folds += i > 0 && shift - before < -10;
        before = shift;
    }
    assert_true(most > 0.25 * amplitude && most < 1.6 * amplitude);
    if (folds > 40)
        fail_msg("%d of 4000 steps go backwards", folds);
    struct oro_uplift *other = MAKE(noise, tree, amplitude, 1000, 3, 6u);
    assert_true(oro_uplift_at(other, 70000, 70) != oro_uplift_at(warped, 70000, 70));
    oro_free(tree);
    oro_free(warped);
    oro_free(other);
}

TEST(regions_are_pasted)
{
    struct oro_uplift *tree = disc(200, 200, 100, 1), *pasted, *cut;
    struct oro_paste_place place = {{700, 600}, 1, {2, 2}};
    struct oro_paste paste = {
        .from = {200, 200}, .radius = {150, 150}, .feather = 0.2, .places = &place, .place_count = 1};
    pasted = MAKE(paste, tree, &paste);
    near_to(oro_uplift_at(pasted, 200, 200), 1, 0);
    near_to(oro_uplift_at(pasted, 700, 600), 1, 1e-6);
    near_to(oro_uplift_at(pasted, 800, 600), 0.421875, 1e-6);
    paste.cut = true;
    cut = MAKE(paste, tree, &paste);
    near_to(oro_uplift_at(cut, 200, 200), 0, 0);
    near_to(oro_uplift_at(cut, 700, 600), 1, 1e-6);
    oro_free(tree);
    oro_free(pasted);
    oro_free(cut);
}

static void check_bounds(struct oro_uplift *tree, bool tight)
{
    double b[4];
    uint32_t sequence = 8;
    leaf_box(tree, b);
    int inside = 0;
    for (int i = 0; i < 20000; i++) {
        double x = chance_of(&sequence, -6000, 16000), y = chance_of(&sequence, -6000, 16000);
        if (oro_uplift_at(tree, x, y) <= 0)
            continue;
        assert_true(x >= b[0] && y >= b[1] && x <= b[2] && y <= b[3]);
        inside++;
    }
    assert_true(!tight || (inside > 0 && b[0] > -6000 && b[1] > -6000 && b[2] < 16000 && b[3] < 16000));
    oro_free(tree);
}

TEST(bounds_hold_the_support)
{
    uint32_t sequence = 21;
    check_bounds(random_ranges(&sequence, 12, 10000, 800), true);
    check_bounds(random_valleys(&sequence, 12, 10000), true);
    check_bounds(kidney_star(1), true);
    check_bounds(MAKE(constant, 1), false);
}

TEST(limits_are_kept)
{
    struct oro_error err = {0};
    struct oro_uplift *tree = MAKE(constant, 1);
    double centre[2] = {0, 0};
    int depth = 0;
    for (;; depth++) {
        struct oro_uplift *next = oro_uplift_twist(tree, centre, 10, 1, &err);
        if (!next)
            break;
        oro_free(tree);
        tree = next;
    }
    assert_int_equal(err.code, ORO_E_LIMIT);
    assert_int_equal(depth, 15);
    near_to(oro_uplift_at(tree, 1, 1), 1, 0);
    for (depth = 0;; depth++) { /* operands that wait */
        struct oro_uplift *first = disc(1, 1, 1, 1),
                          *next = oro_uplift_combine(first, tree, ORO_UPLIFT_ADD, &err);
        oro_free(first);
        if (!next)
            break;
        oro_free(tree);
        tree = next;
    }
    assert_int_equal(err.code, ORO_E_LIMIT);
    assert_int_equal(depth, 31);
    for (depth = 0; depth < 200; depth++) /* and operands that do not */
        tree = joined(tree, disc(1, 1, 1, 1), ORO_UPLIFT_ADD);
    near_to(oro_uplift_at(tree, 1, 1), 232, 1e-6);
    oro_free(tree);
}

TEST(values_stay_finite)
{
    struct oro_uplift *tree = MAKE(constant, 1000);
    for (int i = 0; i < 20; i++) {
        struct oro_uplift *grown = MAKE(scale, tree, 1e9f), *square;
        square = MAKE(combine, grown, grown, ORO_UPLIFT_MULTIPLY);
        oro_free(grown);
        oro_free(tree);
        tree = i < 3 ? square : joined(square, MAKE(constant, 1000), ORO_UPLIFT_MIN);
    }
    assert_true(isfinite(oro_uplift_at(tree, 1, 1)));
    near_to(oro_uplift_at(tree, NAN, 1), 0, 0);
    near_to(oro_uplift_at(tree, 1, INFINITY), 0, 0);
    oro_free(tree);
}

TEST(bad_operands_are_refused)
{
    struct oro_error err = {0};
    struct oro_uplift *tree = MAKE(constant, 1);
    double centre[2] = {0, 0}, nowhere[2] = {NAN, 0};
    struct oro_affine flat = {.scale = {0, 1}}, lost = {.scale = {1, 1}, .move = {INFINITY, 0}};
    struct oro_affine turned = {.scale = {1, 1}, .angle = NAN};
    struct oro_paste_place place = {.scale = {1, 1}};
    struct oro_paste paste = {.radius = {0, 1}, .places = &place, .place_count = 1};
    assert_null(oro_uplift_transform(tree, &flat, &err));
    assert_non_null(strstr(err.text, "scale"));
    assert_null(oro_uplift_transform(tree, &lost, &err));
    assert_null(oro_uplift_transform(tree, &turned, &err));
    assert_null(oro_uplift_twist(tree, nowhere, 1, 1, &err));
    assert_null(oro_uplift_twist(tree, centre, 0, 1, &err));
    assert_null(oro_uplift_twist(tree, centre, 1, NAN, &err));
    assert_null(oro_uplift_noise(tree, 51, 100, 1, 0, &err));
    assert_non_null(strstr(err.text, "fold"));
    assert_null(oro_uplift_noise(tree, 1, 100, 5, 0, &err));
    assert_null(oro_uplift_noise(tree, 1, 0, 1, 0, &err));
    assert_null(oro_uplift_scale(tree, -1, &err));
    assert_null(oro_uplift_paste(tree, &paste, &err));
    paste.radius[0] = 1;
    place.scale[0] = 0;
    assert_null(oro_uplift_paste(tree, &paste, &err));
    oro_free(tree);
}

/* 2^doublings leaves, added up. */
static bool compiles(int doublings, struct oro_error *err)
{
    struct oro_uplift_program program;
    struct oro_uplift *sum = MAKE(constant, 0.0001f);
    for (int i = 0; i < doublings; i++) {
        struct oro_uplift *both = oro_uplift_combine(sum, sum, ORO_UPLIFT_ADD, err);
        oro_free(sum);
        sum = both;
    }
    bool ok = oro_uplift_compile(sum, &program, err);
    if (ok)
        oro_uplift_program_free(&program);
    oro_free(sum);
    return ok;
}

/* Software drivers end loops that go on for longer, and say nothing. */
TEST(what_no_driver_evaluates_is_refused)
{
    struct oro_error err = {0};
    assert_true(compiles(12, &err));
    assert_false(compiles(13, &err));
    assert_int_equal(err.code, ORO_E_LIMIT);
    assert_non_null(strstr(err.text, "meet at one place"));
}
