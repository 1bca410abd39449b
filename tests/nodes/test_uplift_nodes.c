/* Uplift primitives and rasterising: nodes and the kernel against the library's own evaluation. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/file/xml.h"
#include "graph/type/registry.h"
#include "tests/nodes/group.h"
#include "tests/support/test.h"
#include "tests/uplift/copies.h"

#define NODE(id, type, inputs) "<node id=\"" id "\" type=\"" type "\" x=\"0\" y=\"0\">" inputs "</node>\n"
#define IN(name, value) "<in name=\"" name "\" value=\"" value "\"/>"
#define FROM(name, from) "<in name=\"" name "\" from=\"" from "\"/>"
#define WORLD "extent=\"10000\" resolution=\"50\" seed=\"3\""

/* ---- The kernel: a node type that gives an uplift tree of the test's own ---- */

static struct oro_uplift *given;

static bool give(struct oro_eval *e, const void *params)
{
    (void)params;
    struct oro_uplift *copy = oro_alloc(1, oro_uplift_bytes(given));
    assert_non_null(copy);
    memcpy(copy, given, oro_uplift_bytes(given));
    return oro_eval_give_uplift(e, "uplift", copy, NULL);
}

static const struct oro_input no_inputs[] = {{0}};
static const struct oro_output tree_output[] = {ORO_OUT_UPLIFT("uplift", .doc = "The tree"), {0}};
static const struct oro_node_type giver = {.id = "giver",
                                           .version = 1,
                                           .category = "test",
                                           .doc = "Gives a tree",
                                           .inputs = no_inputs,
                                           .outputs = tree_output,
                                           .eval = give};

static struct oro_value *evaluate(const struct oro_document *doc, const struct oro_registry *registry)
{
    struct oro_target target = {"drawn", "field"};
    struct oro_plan_options options = {.allow_any_path = true};
    struct oro_evaluator_options own = {.kernels_only = false};
    struct oro_plan *plan = oro_plan_create(doc, registry, &target, 1, &options, h.device, NULL, &h.err);
    struct oro_evaluator *evaluator = plan ? oro_evaluator_create(h.device, NULL, &own) : NULL;
    struct oro_value *value = NULL;
    if (!evaluator || !oro_evaluate(evaluator, plan, &value, &h.err))
        fail_msg("%s", h.err.text);
    oro_evaluator_destroy(evaluator);
    oro_plan_destroy(plan);
    return value;
}

extern const struct oro_node_type oro_node_uplift_rasterize; /* as in the generated registry */

/* The uplift tree over a world, rasterised by the kernel. The caller releases. */
static struct oro_value *draw(struct oro_uplift *tree, const char *world)
{
    static const struct oro_node_type *const types[] = {&giver, &oro_node_uplift_rasterize};
    static const struct oro_registry registry = {.types = types, .count = 2};
    char text[1024];
    struct oro_problems problems = {0};
    snprintf(text, sizeof text,
             HARNESS_DOCUMENT("%s", NODE("tree", "giver", "")
                                        NODE("drawn", "uplift_rasterize", FROM("uplift", "tree.uplift"))),
             world);
    given = tree;
    struct oro_document *doc = oro_document_parse(text, strlen(text), "test.oro", &registry, &problems);
    assert_int_equal(problems.errors, 0);
    struct oro_value *value = evaluate(doc, &registry);
    oro_document_destroy(doc);
    oro_problems_free(&problems);
    return value;
}

/* Compares a field with an uplift tree. At most `strays` cells in a thousand may differ: right on an edge, or
 * on the line where the nearer of two parts of a skeleton changes, floats and doubles fall to different
 * sides. */
static void compare(const struct oro_grid *g, const float *field, const struct oro_uplift *tree, int strays)
{
    double highest = 0;
    int different = 0, cells = g->width * g->height;
    for (int i = 0; i < cells; i++)
        highest = fmax(highest, (double)field[i]);
    for (int i = 0; i < cells; i++) {
        double x = g->x + (i % g->width + 0.5) * g->cell, y = g->y + (i / g->width + 0.5) * g->cell;
        double expected = oro_uplift_at(tree, x, y), value = (double)field[i];
        assert_true(isfinite(value) && value >= 0);
        if (fabs(value - expected) <= 1e-5 * (highest + expected) + 1e-12)
            continue;
        if (1000 * ++different > strays * cells)
            fail_msg("cell %d at %g, %g: %.9g is not %.9g", i, x, y, value, expected);
    }
}

/* Frees the uplift tree. */
static void check_kernel(struct oro_uplift *tree, const char *world, int strays)
{
    struct oro_value *value = draw(tree, world);
    struct oro_error err;
    const float *host = oro_value_host(value, &err);
    assert_non_null(host);
    compare(&value->grid, host, tree, strays);
    oro_value_release(value);
    oro_free(tree);
}

TEST(kernel_draws_every_primitive)
{
    need_device();
    uint32_t sequence = 12;
    check_kernel(random_ranges(&sequence, 40, 10000, 1500), WORLD, 0);
    check_kernel(kidney_star(1e-3f), WORLD, 1);
    check_kernel(random_curves(&sequence, 60, 10000, 1500), WORLD, 0);
    check_kernel(small_raster(), WORLD, 0);
    check_kernel(MAKE(constant, 0.25f), WORLD, 0);
    check_kernel(joined(MAKE(constant, 1), random_valleys(&sequence, 20, 10000), ORO_UPLIFT_CARVE), WORLD, 1);
}

TEST(kernel_draws_everything)
{
    need_device();
    check_kernel(everything(), "extent=\"10000\" resolution=\"101\" aspect=\"1.3\"", 2);
}

/* Frees the base. */
static void check_chain(struct chain *c, struct oro_uplift *base, const char *world, int strays)
{
    check_kernel(pasted(c), world, strays);
    oro_free(base);
}

/* Copies of every kind, over each other and within moves and operators that are copied in turn; sharp edges
 * fall to different sides. */
TEST(kernel_draws_copies)
{
    need_device();
    uint32_t sequence = 23;
    struct oro_affine affine = {
        .centre = {5000, 5000}, .move = {900, -600}, .angle = 0.4, .scale = {0.9, -1.1}};
    for (int i = 0; i < 12; i++) {
        struct oro_uplift *base = random_ranges(&sequence, 20, 10000, 1500);
        struct chain first = {.base = base}, second = {.base = NULL};
        random_chain(&first, &sequence, 1 + i % 4);
        struct oro_uplift *tree = pasted(&first), *moved = MAKE(transform, tree, &affine);
        oro_free(tree);
        moved = joined(disc(5000, 5000, 3000, 1e-3), moved, i % 2 ? ORO_UPLIFT_ADD : ORO_UPLIFT_MAX);
        second.base = moved;
        random_chain(&second, &sequence, 1 + i % 3);
        check_chain(&second, base, "extent=\"10000\" resolution=\"61\"", 8);
        oro_free(moved);
    }
}

TEST(kernel_draws_long_chains)
{
    need_device();
    uint32_t sequence = 29;
    struct oro_uplift *one = disc(100, 500, 120, 1e-3);
    struct chain row = {.base = one}, heap = {.base = NULL};
    row_of(&row, STEPS, 230); /* at its end, points were taken back 64 times, in floats */
    check_chain(&row, one, "extent=\"15000\" resolution=\"500\" aspect=\"0.07\"", 20);
    struct oro_uplift *ranges = random_ranges(&sequence, 20, 3000, 800);
    heap.base = ranges;
    for (int i = 0; i < STEPS; i++) { /* upon each other, but not upon what they copy */
        struct oro_paste *p = add_step(&heap, 1500, 1500, 1200);
        p->method = (enum oro_paste_method)(i % 3);
        add_place(&heap, chance_of(&sequence, 5000, 9000), chance_of(&sequence, 1500, 9000), i, 1,
                  i % 2 ? 1 : -1);
    }
    check_chain(&heap, ranges, "extent=\"10000\" resolution=\"90\"", 2);
}

TEST(kernel_draws_far_from_the_corner)
{
    need_device();
    struct oro_uplift *tree = kidney_star(1);
    struct oro_affine affine = {.move = {390000, 295000}, .scale = {1, 1}};
    struct oro_uplift *moved = MAKE(transform, tree, &affine);
    oro_free(tree);
    struct oro_value *value = draw(moved, "extent=\"400000\" resolution=\"400\"");
    struct oro_error err;
    const float *host = oro_value_host(value, &err);
    double most = 0;
    for (int i = 0; i < 400 * 400; i++) {
        double x = (i % 400 + 0.5) * 1000, y = (i / 400 + 0.5) * 1000; /* NOLINT(bugprone-integer-division) */
        near_to((double)host[i], oro_uplift_at(moved, x, y), 1e-4);
        most = fmax(most, (double)host[i]);
    }
    assert_true(most > 0.5);
    oro_value_release(value);
    oro_free(moved);
}

TEST(kernel_draws_odd_sizes)
{
    need_device();
    static const char *const worlds[] = {
        "extent=\"10000\" resolution=\"1\"",
        "extent=\"10000\" resolution=\"1\" aspect=\"0.1\"",
        "extent=\"10000\" resolution=\"37\" aspect=\"0.7\"",
        "extent=\"7\" resolution=\"17\"",
        "extent=\"100\" resolution=\"7\"",
    };
    for (size_t i = 0; i < sizeof worlds / sizeof worlds[0]; i++)
        check_kernel(everything(), worlds[i], 5);
}

TEST(kernel_draws_nothing_and_thousands)
{
    need_device();
    uint32_t sequence = 4;
    check_kernel(MAKE(ranges, NULL, 0), WORLD, 0);
    check_kernel(joined(MAKE(constant, 1), MAKE(ranges, NULL, 0), ORO_UPLIFT_CARVE), WORLD, 0);
    check_kernel(random_ranges(&sequence, 5000, 10000, 200), WORLD, 1); /* short ones round */
    check_kernel(random_ranges(&sequence, 1, 10000, 3000), WORLD, 0);
}

TEST(kernel_holds_the_deepest_tree)
{
    need_device();
    struct oro_uplift *tree = disc(5000, 5000, 3000, 1);
    double centre[2] = {4000, 4500};
    for (int i = 0; i < 15; i++) {
        struct oro_uplift *next = MAKE(twist, tree, centre, 5000 + 100 * i, 0.1);
        oro_free(tree);
        tree = next;
    }
    for (int i = 0; i < 31; i++)
        tree = joined(disc(300 * i, 9000, 600, 0.1), tree, ORO_UPLIFT_ADD);
    check_kernel(tree, WORLD, 0);
}

/* ---- Nodes ---- */

static struct oro_uplift *tree_of(const char *inputs, const char *type)
{
    char text[4096];
    snprintf(text, sizeof text,
             HARNESS_DOCUMENT(WORLD, "<node id=\"n\" type=\"%s\" x=\"0\" y=\"0\">%s</node>\n"), type, inputs);
    struct harness_raster bytes = harness_run(&h, text, "n", "uplift");
    struct oro_uplift *tree = oro_alloc(1, bytes.bytes);
    assert_non_null(tree);
    memcpy(tree, bytes.data, bytes.bytes);
    harness_free(&bytes);
    assert_non_null(oro_uplift_of(tree, oro_uplift_bytes(tree), NULL));
    return tree;
}

static void assert_same(struct oro_uplift *a, struct oro_uplift *b, double tolerance)
{
    uint32_t sequence = 6;
    for (int i = 0; i < 500; i++) {
        double x = chance_of(&sequence, 0, 10000), y = chance_of(&sequence, 0, 10000);
        near_to(oro_uplift_at(a, x, y), oro_uplift_at(b, x, y), tolerance);
    }
    oro_free(a);
    oro_free(b);
}

TEST(straight_primitives)
{
    need_device();
    assert_same(tree_of(IN("centre", "3000 6000") IN("radius", "2500") IN("uplift", "0.001"), "uplift_disc"),
                disc(3000, 6000, 2500, 0.001), 1e-9);
    assert_same(tree_of("", "uplift_constant"), MAKE(constant, 0.0005f), 1e-9);
    struct oro_uplift *range =
        tree_of(IN("from", "1000 5000") IN("to", "9000 5000") IN("radius", "800") IN("uplift", "0.0004"),
                "uplift_range");
    near_to(oro_uplift_at(range, 5000, 5000), 0.0004, 1e-8);
    near_to(oro_uplift_at(range, 5000, 5400), 0.0004 * 0.421875, 1e-8);
    near_to(oro_uplift_at(range, 5000, 5801), 0, 0);
    oro_free(range);
}

/* Radius and uplift change along a range, and it does not break where a profile bends. */
TEST(profiles_bend_ranges)
{
    need_device();
    struct oro_uplift *tree =
        tree_of(IN("from", "1000 5000") IN("to", "9000 5000") IN("radius", "1000") IN("uplift", "0.001")
                    IN("radius_profile", "0 0.5, 0.5 1") IN("uplift_profile", "0 1, 0.5 0.5, 1 1"),
                "uplift_range");
    near_to(oro_uplift_at(tree, 7000, 5000), 0.00075, 2e-5);
    near_to(oro_uplift_at(tree, 3000, 5375), 0.00075 * 0.421875, 3e-5);
    near_to(oro_uplift_at(tree, 5000, 5000), 0.0005, 5e-5);
    near_to(oro_uplift_at(tree, 2000, 5800), 0, 1e-5);
    oro_free(tree);
    tree = tree_of(IN("radius_profile", "0 -1, 1 1") IN("uplift_profile", "0 -5, 1 1"),
                   "uplift_range"); /* below 0 is 0 */
    near_to(oro_uplift_at(tree, 2000, 6500), 0, 1e-6);
    oro_free(tree);
    tree = tree_of(IN("to", "90000 5000") IN("radius_profile", "0 0, 0.7 0, 1 1"), "uplift_range");
    assert_in_range(oro_uplift_size(tree), 1, 500000); /* a width of nothing takes no end of points */
    oro_free(tree);
}

TEST(curves_follow_their_points)
{
    need_device();
    struct oro_uplift *tree = tree_of(IN("curve", "1000 5000, 5000 2000, 9000 5000; 3000 8000 0 800")
                                          IN("smooth", "false") IN("radius", "700") IN("uplift", "1"),
                                      "uplift_curve");
    near_to(oro_uplift_at(tree, 3000, 3500), 1, 1e-4);
    near_to(oro_uplift_at(tree, 3000 + 210, 3500 + 280), 0.421875, 1e-4); /* half the radius away */
    near_to(oro_uplift_at(tree, 3000, 8000), 1, 1e-6);                    /* a point alone is a disc */
    near_to(oro_uplift_at(tree, 3200, 8000), 0.421875, 0.03);
    near_to(oro_uplift_at(tree, 3000, 8401), 0, 0);
    oro_free(tree);
    struct oro_uplift *bent = tree_of(
        IN("curve", "1000 5000, 5000 1000, 9000 5000") IN("radius", "700") IN("uplift", "1"), "uplift_curve");
    near_to(oro_uplift_at(bent, 5000, 3000), 1, 1e-2); /* halfway between the middle and its pull */
    near_to(oro_uplift_at(bent, 1000, 5000), pow(0.5, 6.0 / 17), 1e-2);
    near_to(oro_uplift_at(bent, 3000, 3500), 1, 1e-2); /* s = 1/4 */
    oro_free(bent);
    struct oro_uplift *ring = tree_of(IN("curve", "2000 2000, 8000 2000, 8000 8000, 2000 8000, 2000 2000")
                                          IN("radius", "700") IN("uplift", "1"),
                                      "uplift_curve");
    near_to(oro_uplift_at(ring, 2750, 2750), 1, 1e-2);
    near_to(oro_uplift_at(ring, 5000, 2000), 1, 1e-2);
    near_to(oro_uplift_at(ring, 5000, 5000), 0, 0);
    oro_free(ring);
    struct oro_uplift *none = tree_of(IN("curve", ""), "uplift_curve");
    assert_int_equal(oro_uplift_size(none), 0);
    oro_free(none);
}

/* The greatest second difference of a tree over the steps of a grid. */
static double roughest(const struct oro_uplift *tree, double step)
{
    double most = 0;
    for (double y = 500; y < 9500; y += 40)
        for (double x = 500; x < 9500; x += 40) {
            double middle = 2 * oro_uplift_at(tree, x, y);
            double east = oro_uplift_at(tree, x - step, y) + oro_uplift_at(tree, x + step, y) - middle;
            double south = oro_uplift_at(tree, x, y - step) + oro_uplift_at(tree, x, y + step) - middle;
            most = fmax(most, fmax(fabs(east), fabs(south)));
        }
    return most;
}

/* Beside a bend there is neither a terrace nor a crease: nothing is bent much more sharply than a straight
 * crest, whose second difference is 6 (step / radius)^2. */
TEST(bends_leave_no_edge)
{
    need_device();
    static const char *const curves[] = {
        IN("curve", "1500 7000, 4000 2500, 6000 6500, 8500 2500") IN("radius", "2000"),
        IN("curve", "2000 8000, 5000 2000, 8000 8000") IN("radius", "2000") IN("smooth", "false"),
        IN("curve", "1500 7000 0 1600, 4000 2500 0 4000, 6000 6500 0 4000, 8500 2500 0 1600"),
    };
    static const double radii[] = {2000, 2000, 800};
    for (int i = 0; i < 3; i++) {
        char inputs[512];
        snprintf(inputs, sizeof inputs, "%s" IN("uplift", "1"), curves[i]);
        struct oro_uplift *tree = tree_of(inputs, "uplift_curve");
        double bound = 4 * 6 * (20 / radii[i]) * (20 / radii[i]), found = roughest(tree, 20);
        if (!(found < bound))
            fail_msg("curve %d: a second difference of %g, above %g", i, found, bound);
        oro_free(tree);
    }
}

TEST(valleys_carve)
{
    need_device();
    const char *graph = HARNESS_DOCUMENT(
        WORLD,
        NODE("v", "uplift_valley",
             IN("curve", "1000 5000, 9000 5000") IN("width", "2000") IN("rim", "0.5")
                 IN("profile", "0 0, 0.5 0, 1 1") IN("width_profile", "0 1, 1 1"))
            NODE("p", "uplift_constant", IN("uplift", "1"))
                NODE("c", "uplift_combine", FROM("a", "p.uplift") FROM("b", "v.uplift") IN("method", "carve"))
                    NODE("drawn", "uplift_rasterize", FROM("uplift", "c.uplift")));
    struct harness_raster field = harness_run(&h, graph, "drawn", "field");
    for (int j = 0; j < 50; j++) {
        double away = fabs((j + 0.5) * 200 - 5000) / 1000;
        double expected = away < 1 ? 0.5 * fmax(2 * away - 1, 0) : 1;
        near_to((double)field.data[50 * j + 25], expected, 1e-5);
    }
    harness_free(&field);
}

TEST(stars_are_read_and_judged)
{
    need_device();
    static const char *const wrong[][2] = {
        {IN("skeleton", "100 100"), "within the boundary"},
        {IN("skeleton", "4000 4000; 5000 5000"), "one line"},
        {IN("skeleton", ""), "one line"},
        {IN("boundary", "0 0, 9000 9000"), "3 to 64"},
        {IN("boundary", "0 0, 9000 9000, 9000 0, 0 9000"), "crosses"},
    };
    static const float skeleton[1][2] = {{5000, 4000}};
    static const float boundary[4][2] = {{1000, 1000}, {9000, 1000}, {9000, 9000}, {1000, 9000}};
    char text[2048];
    assert_same(tree_of(IN("skeleton", "5000 4000")
                            IN("boundary", "1000 1000, 9000 1000, 9000 9000, 1000 9000, 1000 1000")
                                IN("uplift", "1"),
                        "uplift_star"),
                MAKE(star, skeleton, 1, boundary, 4, 1), 1e-6);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        snprintf(text, sizeof text, HARNESS_DOCUMENT(WORLD, NODE("n", "uplift_star", "%s")), wrong[i][0]);
        assert_false(harness_try(&h, text, "n", "uplift", NULL));
        if (!strstr(h.err.text, wrong[i][1]))
            fail_msg("'%s' does not say '%s'", h.err.text, wrong[i][1]);
    }
}

/* By the node that makes them, not by the one that evaluates them. */
TEST(too_many_copies_are_refused_where_they_are_made)
{
    need_device();
    char places[6000] = "", text[8000];
    for (size_t i = 0, at = 0; i < 300; i++)
        at += (size_t)snprintf(places + at, sizeof places - at, "%zu %zu; ", 4000 + i, 5000 - i);
    snprintf(text, sizeof text,
             HARNESS_DOCUMENT(
                 WORLD, NODE("disc", "uplift_disc", "") NODE(
                            "n", "uplift_region",
                            "<in name=\"uplift\" from=\"disc.uplift\"/><in name=\"places\" value=\"%s\"/>")),
             places);
    assert_false(harness_try(&h, text, "n", "uplift", NULL));
    assert_non_null(strstr(h.err.text, "lie upon each other"));
}

TEST(scattering)
{
    need_device();
    static const char *const methods[] = {"poisson", "random", "grid", "clusters"};
    char inputs[512];
    for (int i = 0; i < 4; i++) {
        snprintf(inputs, sizeof inputs,
                 IN("method", "%s") IN("distance", "500") IN("from", "6000 8000") IN("to", "2000 1000")
                     IN("radius", "100") IN("radius_variation", "0") IN("cluster_radius", "1"),
                 methods[i]);
        struct oro_uplift *tree = tree_of(inputs, "uplift_scatter");
        double bounds[4], size = (double)oro_uplift_size(tree);
        leaf_box(tree, bounds);
        assert_true(bounds[0] > 1898 && bounds[1] > 898 && bounds[2] < 6102 && bounds[3] < 8102);
        assert_true(size > 70 && size < 140); /* 112 for a grid of this distance */
        oro_free(tree);
    }
    struct oro_uplift *points = tree_of(IN("method", "vertices") IN("network", "1000 2000; 3000 4000")
                                            IN("radius_variation", "0") IN("uplift_variation", "0"),
                                        "uplift_scatter");
    near_to(oro_uplift_at(points, 3000, 4000), 0.0005, 1e-9);
    assert_int_equal(oro_uplift_size(points), 2);
    oro_free(points);
    assert_false(harness_try(&h,
                             HARNESS_DOCUMENT(WORLD, NODE("n", "uplift_scatter", IN("method", "vertices"))),
                             "n", "uplift", NULL));
    assert_non_null(strstr(h.err.text, "network"));
    assert_false(harness_try(
        &h, HARNESS_DOCUMENT(WORLD, NODE("n", "uplift_scatter", IN("method", "random") IN("distance", "1"))),
        "n", "uplift", NULL));
    assert_int_equal(h.err.code, ORO_E_LIMIT);
}

/* Fewer of them, and those where they were. */
TEST(density_leaves_some_out)
{
    need_device();
    const char *format = HARNESS_DOCUMENT(
        WORLD, NODE("r", "constant", IN("value", "%s"))
                   NODE("s", "uplift_scatter", IN("radius", "150") FROM("density", "r.field"))
                       NODE("drawn", "uplift_rasterize", FROM("uplift", "s.uplift")));
    static const char *const values[] = {"0", "0.5", "1"};
    struct harness_raster fields[3];
    int higher[3] = {0};
    char text[2048];
    for (int i = 0; i < 3; i++) {
        snprintf(text, sizeof text, format, values[i]);
        fields[i] = harness_run(&h, text, "drawn", "field");
        for (int k = 0; k < 2500; k++)
            higher[i] += fields[i].data[k] > 0;
    }
    for (int k = 0; k < 2500; k++)
        assert_true(fields[1].data[k] <= fields[2].data[k] * 1.00001f); /* sums are rounded */
    assert_int_equal(higher[0], 0);
    assert_true(higher[1] > 0.3 * higher[2] && higher[1] < 0.7 * higher[2]);
    for (int i = 0; i < 3; i++)
        harness_free(&fields[i]);
}

/* An uplift linked to an input for fields has the size of the field linked beside it; a field serves as an
 * uplift tree. */
TEST(rasterizing_by_itself)
{
    need_device();
    struct harness_raster plain =
        harness_run(&h,
                    HARNESS_DOCUMENT(WORLD, NODE("d", "uplift_disc", IN("uplift", "1"))
                                                NODE("m", "remap",
                                                     FROM("field", "d.uplift") IN("automatic", "false")
                                                         IN("low", "0") IN("high", "1"))),
                    "m", "field");
    struct oro_uplift *tree = disc(5000, 5000, 3000, 1);
    compare(&plain.grid, plain.data, tree, 0);
    harness_free(&plain);
    struct harness_raster like = harness_run(
        &h,
        HARNESS_DOCUMENT(WORLD, NODE("d", "uplift_disc", IN("uplift", "1")) NODE("f", "noise", "")
                                    NODE("u", "upsample", FROM("terrain", "f.field"))
                                        NODE("drawn", "uplift_rasterize",
                                             FROM("uplift", "d.uplift") FROM("like", "u.terrain"))),
        "drawn", "field");
    assert_int_equal(like.grid.width, 100);
    compare(&like.grid, like.data, tree, 0);
    harness_free(&like);
    oro_free(tree);
}

TEST_GROUP(open_harness, close_harness);
