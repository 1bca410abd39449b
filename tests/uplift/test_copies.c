/* Copy and paste: against the definition, written out plainly, and what is refused. */
#include "tests/uplift/copies.h"

/* ---- The definition ---- */

static double smooth(double t)
{
    t = fmin(fmax(t, 0), 1);
    return 3 * t * t - 2 * t * t * t;
}

static double cell(const struct oro_paste *p, int x, int y)
{
    x = x < 0 ? 0 : x >= p->mask_width ? p->mask_width - 1 : x;
    y = y < 0 ? 0 : y >= p->mask_height ? p->mask_height - 1 : y;
    return (double)p->mask[y * p->mask_width + x];
}

static double mask_weight(const struct oro_paste *p, double x, double y)
{
    double u = (x - p->mask_corner[0]) / p->mask_cell, v = (y - p->mask_corner[1]) / p->mask_cell;
    if (u < 0 || v < 0 || u > p->mask_width || v > p->mask_height)
        return 0;
    int i = (int)floor(u - 0.5), j = (int)floor(v - 0.5);
    double s = u - 0.5 - i, t = v - 0.5 - j;
    return (1 - t) * ((1 - s) * cell(p, i, j) + s * cell(p, i + 1, j)) +
           t * ((1 - s) * cell(p, i, j + 1) + s * cell(p, i + 1, j + 1));
}

/* By the angles under which its edges are seen. */
static double polygon_weight(const struct oro_paste *p, double feather, double x, double y)
{
    double turned = 0, nearest = INFINITY;
    for (size_t i = 0; i < p->edge_count; i++) {
        double ax = (double)p->edges[i][0] - x, ay = (double)p->edges[i][1] - y;
        double bx = (double)p->edges[i][2] - x, by = (double)p->edges[i][3] - y;
        turned += atan2(ax * by - ay * bx, ax * bx + ay * by);
        double dx = bx - ax, dy = by - ay, t = -(ax * dx + ay * dy) / (dx * dx + dy * dy);
        t = fmin(fmax(t, 0), 1);
        nearest = fmin(nearest, hypot(ax + t * dx, ay + t * dy));
    }
    return fabs(turned) < 3 ? 0 : feather > 0 ? smooth(nearest / feather) : 1;
}

static double weight_of(const struct oro_paste *p, double x, double y)
{
    if (p->region == ORO_REGION_MASK)
        return mask_weight(p, x, y);
    static double reach = 0; /* of the only outline */
    if (p->region == ORO_REGION_POLYGON && reach == 0)
        reach = oro_polygon_reach(p->edges, p->edge_count);
    if (p->region == ORO_REGION_POLYGON)
        return polygon_weight(p, p->feather * reach, x, y);
    double within = 1 - hypot((x - p->from[0]) / p->radius[0], (y - p->from[1]) / p->radius[1]);
    return within <= 0 ? 0 : p->feather > 0 ? smooth(within / p->feather) : 1;
}

/* After `count` steps. */
static double value_of(struct chain *c, int count, double x, double y)
{
    c->lookups++;
    if (count == 0)
        return oro_uplift_at(c->base, x, y);
    const struct oro_paste *p = &c->steps[count - 1];
    double value = value_of(c, count - 1, x, y);
    if (p->cut)
        value *= 1 - weight_of(p, x, y);
    for (size_t i = 0; i < p->place_count; i++) {
        const struct oro_paste_place *at = &p->places[i];
        double dx = x - at->to[0], dy = y - at->to[1], cosine = cos(at->angle), sine = sin(at->angle);
        double u = p->from[0] + (cosine * dx + sine * dy) / at->scale[0];
        double v = p->from[1] + (cosine * dy - sine * dx) / at->scale[1], w = weight_of(p, u, v);
        if (w <= 0)
            continue;
        double copy = value_of(c, count - 1, u, v);
        value = p->method == ORO_PASTE_BLEND ? (1 - w) * value + w * copy
                : p->method == ORO_PASTE_ADD ? value + w * copy
                                             : fmax(value, w * copy);
    }
    return value;
}

static void compare(struct chain *c, int points, uint32_t *sequence)
{
    struct oro_uplift *tree = pasted(c);
    int strays = 0; /* on sharp edges, numbers in a tree are floats */
    for (int i = 0; i < points; i++) {
        double x = chance_of(sequence, -500, 10500), y = chance_of(sequence, -500, 10500);
        double expected = value_of(c, c->count, x, y), value = oro_uplift_at(tree, x, y);
        strays += !(fabs(value - expected) <= 1e-5 * (expected + 1e-3));
    }
    if (strays * 200 > points)
        fail_msg("%d of %d points differ", strays, points);
    oro_free(tree);
}

/* Compiles a tree, which is to need so many frames; returns how many floats its primitives are. */
static size_t compile_to(const struct oro_uplift *tree, int frames)
{
    struct oro_uplift_program program;
    struct oro_error err = {0};
    if (!oro_uplift_compile(tree, &program, &err))
        fail_msg("%s", err.text);
    assert_int_equal(program.frames, frames);
    size_t floats = program.primitive_floats;
    oro_uplift_program_free(&program);
    return floats;
}

TEST(pastes_are_what_they_are_defined_to_be)
{
    uint32_t sequence = 17;
    struct oro_uplift *ranges = random_ranges(&sequence, 30, 10000, 1500);
    for (int i = 0; i < 30; i++) {
        struct chain c = {.base = ranges};
        random_chain(&c, &sequence, 1 + i % 5);
        compare(&c, 400, &sequence);
    }
    oro_free(ranges);
}

TEST(copies_of_copies_are_looked_up_one_by_one)
{
    struct oro_uplift *one = disc(100, 500, 120, 1e-3), *tree;
    struct chain c = {.base = one};
    uint32_t sequence = 3;
    row_of(&c, STEPS, 230);
    tree = pasted(&c);
    assert_true(oro_uplift_bytes(tree) < 8000); /* and not 2^64 discs */
    compare(&c, 60, &sequence);
    assert_int_equal(compile_to(tree, STEPS + 1), 8);
    oro_free(tree);
    oro_free(one);
}

/* Where two overlap, both are looked up, each among those before it: n^2 / 2 lookups. */
TEST(copies_may_overlap)
{
    struct oro_uplift *one = disc(100, 500, 120, 1e-3), *tree;
    struct chain c = {.base = one};
    uint32_t sequence = 4;
    row_of(&c, 48, 150);
    tree = pasted(&c);
    compare(&c, 60, &sequence);
    compile_to(tree, 49);
    oro_free(tree);
    oro_free(one);
}

/* Copies side by side look up what they copy, and nothing else. */
TEST(copies_beside_each_other_are_cheap)
{
    struct oro_uplift *one = disc(100, 100, 120, 1e-3), *tree;
    struct chain c = {.base = one};
    for (int i = 1; i <= STEPS; i++) {
        add_step(&c, 100, 100, 100);
        add_place(&c, 100 + 300 * (i % 9), 100 + 300 * floor(i / 9.0), i, 1, 1);
    }
    tree = pasted(&c);
    compile_to(tree, 2);
    for (int i = 0; i < 200; i++) {
        c.lookups = 0;
        value_of(&c, c.count, 10.0 * i, 7.0 * i);
        assert_true(c.lookups <= 3 * STEPS);
    }
    oro_free(tree);
    oro_free(one);
}

static void refused(struct chain *c, const char *words)
{
    struct oro_uplift_program program;
    struct oro_error err = {0};
    struct oro_uplift *tree = pasted(c);
    assert_false(oro_uplift_compile(tree, &program, &err));
    assert_int_equal(err.code, ORO_E_LIMIT);
    if (!strstr(err.text, words))
        fail_msg("'%s' does not say '%s'", err.text, words);
    assert_true(oro_uplift_at(tree, 500, 500) >= 0); /* and that ends */
    oro_free(tree);
}

/* All upon each other, and upon what they copy: 2^64 lookups. */
TEST(copies_upon_copies_are_refused)
{
    struct oro_uplift *one = disc(500, 500, 300, 1e-3);
    struct chain c = {.base = one};
    for (int i = 0; i < STEPS; i++) {
        add_step(&c, 500, 500, 200);
        add_place(&c, 500 + i, 500, 0, 1, 1);
    }
    refused(&c, "lie upon each other");
    c.count = 8;
    struct oro_uplift *few = pasted(&c);
    compile_to(few, 9);
    oro_free(few);
    oro_free(one);
}

TEST(copies_are_nested_only_so_deep)
{
    struct oro_uplift *one = disc(100, 500, 120, 1e-3), *tree;
    struct chain c = {.base = one};
    row_of(&c, STEPS, 230);
    tree = pasted(&c);
    struct chain more = {.base = one};
    for (int i = STEPS; i < 2 * STEPS; i++) {
        add_step(&more, 100 + i * 230, 500, 100);
        add_place(&more, 100 + (i + 1) * 230, 500, 0, 1, 1);
    }
    struct oro_uplift *longer = MAKE(scale, tree, 1);
    more.base = longer; /* two chains within each other */
    refused(&more, "within each other");
    oro_free(longer);
    oro_free(tree);
    oro_free(one);
}

static void not_made(const struct oro_uplift *tree, const struct oro_paste *paste, const char *words)
{
    struct oro_error err = {0};
    assert_null(oro_uplift_paste(tree, paste, &err));
    if (!strstr(err.text, words))
        fail_msg("'%s' does not say '%s'", err.text, words);
}

TEST(senseless_pastes_are_refused)
{
    static const float line[2][4] = {{0, 0, 9, 9}, {9, 9, 0, 0}}, bad[2] = {0, NAN};
    struct oro_uplift *tree = MAKE(constant, 1);
    struct oro_paste_place place = {{0, 0}, 0, {1, 1}}, far = {{1e9, 0}, 0, {1, 1}};
    const struct oro_paste good = {.radius = {1, 1}, .places = &place, .place_count = 1};
    struct oro_paste p = good;
    p.feather = 1.5;
    not_made(tree, &p, "feather");
    p = good;
    p.places = &far;
    not_made(tree, &p, "100,000 km");
    p = good;
    p.region = ORO_REGION_POLYGON;
    not_made(tree, &p, "encloses nothing");
    p.edges = line;
    p.edge_count = 2;
    not_made(tree, &p, "encloses nothing");
    p.edge_count = 5000;
    not_made(tree, &p, "at most 1024");
    p = good;
    p.region = ORO_REGION_MASK;
    not_made(tree, &p, "0 x 0");
    p.mask = bad;
    p.mask_width = 2;
    p.mask_height = 1;
    p.mask_cell = 1;
    not_made(tree, &p, "no weight");
    p = good;
    p.place_count = 2000;
    not_made(tree, &p, "at most 1024");
    oro_free(tree);
}

TEST(an_empty_mask_takes_nothing)
{
    static const float none[4] = {0};
    struct oro_uplift *tree = disc(100, 100, 50, 1);
    struct oro_paste_place place = {{300, 300}, 0, {1, 1}};
    struct oro_paste p = {.region = ORO_REGION_MASK, .places = &place, .place_count = 1, .cut = true};
    p.mask = none;
    p.mask_width = p.mask_height = 2;
    p.mask_cell = 100;
    struct oro_uplift *same = MAKE(paste, tree, &p);
    for (int i = 0; i < 100; i++)
        near_to(oro_uplift_at(same, 4 * i, 4 * i), oro_uplift_at(tree, 4 * i, 4 * i), 0);
    oro_free(same);
    oro_free(tree);
}

/* A square's innermost point, and that of a ring between two squares. */
TEST(feathers_know_how_wide_a_polygon_is)
{
    static const float squares[8][4] = {{0, 0, 100, 0},   {100, 0, 100, 100}, {100, 100, 0, 100},
                                        {0, 100, 0, 0},   {30, 30, 70, 30},   {70, 30, 70, 70},
                                        {70, 70, 30, 70}, {30, 70, 30, 30}};
    near_to(oro_polygon_reach(squares, 4), 50, 0.5);
    near_to(oro_polygon_reach(squares, 8), 30 * sqrt(2) / (1 + sqrt(2)), 0.5);
}
