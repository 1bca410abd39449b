/* Lines of networks as handles draw them, beside what the nodes make of them; snapping. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "editor/tools/handles.h"
#include "graph/derived/assets.h"
#include "graph/type/literal.h"
#include "graph/type/registry.h"
#include "nodes/uplift/uplift_lines.h"
#include "terrain/uplift/uplift.h"
#include "tests/support/test.h"

static const char *given_input, *given_text, *smooth;

static char *text(void *user, const struct oro_input *input)
{
    (void)user;
    if (strcmp(input->name, "smooth") == 0)
        return oro_copy_text(smooth);
    return given_input && strcmp(given_input, input->name) == 0 ? oro_copy_text(given_text)
                                                                : oro_literal_default(input);
}

static struct ed_handle_source source_of(const char *type, const char *input, const char *value)
{
    given_input = input;
    given_text = value;
    smooth = "true";
    return (struct ed_handle_source){
        .type = oro_registry_find(&oro_builtin_nodes, type), .text = text, .width = 10000, .height = 8000};
}

static bool is_drawn(const struct ed_shape *shape, const char *input)
{
    return shape->input && strcmp(shape->input->name, input) == 0 && !shape->guide;
}

/* The drawn pieces are those along which the node lets the ground rise. */
static void drawn_as_evaluated(const char *value, bool bent)
{
    struct ed_handle_source source = source_of("uplift_curve", "curve", value);
    struct ed_handles handles = {0};
    struct oro_line_options options = {.smooth = bent, .width = 100};
    struct oro_line_piece *pieces = NULL;
    size_t count = 0, at = 0, guides = 0;
    smooth = bent ? "true" : "false";
    struct oro_network *network = oro_network_parse(value, NULL);
    assert_true(oro_network_pieces(network, &options, &pieces, &count, NULL));
    assert_true(ed_handles_make(&source, &handles));
    for (size_t i = 0; i < handles.shape_count; i++) {
        const struct ed_shape *shape = &handles.shapes[i];
        guides += shape->guide;
        if (!is_drawn(shape, "curve"))
            continue;
        while (at < count && pieces[at].a.x == pieces[at].b.x && pieces[at].a.y == pieces[at].b.y)
            at++; /* a single point */
        assert_true(at < count);
        assert_float_equal(shape->a[0], pieces[at].a.x, 0.01);
        assert_float_equal(shape->a[1], pieces[at].a.y, 0.01);
        assert_float_equal(shape->b[0], pieces[at].b.x, 0.01);
        assert_float_equal(shape->b[1], pieces[at].b.y, 0.01);
        at++;
    }
    assert_int_equal(at, count);
    assert_int_equal(guides > 0, bent);
    oro_free(pieces);
    oro_free(network);
    ed_handles_free(&handles);
}

TEST(lines_are_drawn_as_they_are_evaluated)
{
    drawn_as_evaluated("1500 7000, 4000 3500, 6000 5500, 8500 2500; 100 100; 200 300, 400 900, 800 800",
                       true);
    drawn_as_evaluated("1500 7000, 4000 3500, 6000 5500, 1500 7000", true); /* a ring */
    drawn_as_evaluated("1500 7000, 4000 3500, 6000 5500, 8500 2500", false);
}

/* The uplift of a star is 0 on its boundary, and highest on its skeleton. */
TEST(a_star_is_drawn_as_it_is_evaluated)
{
    static const float crest[][2] = {{3000, 4000}, {5000, 3200}, {7000, 3800}};
    static const float foot[][2] = {{1500, 4500}, {2500, 2600}, {5000, 2000}, {7500, 2400},
                                    {8800, 4500}, {7500, 7500}, {5000, 8500}, {2500, 7500}};
    struct oro_uplift *tree = oro_uplift_star(crest, 3, foot, 8, 1, NULL);
    struct ed_handle_source source = source_of("uplift_star", NULL, NULL);
    struct ed_handles handles = {0};
    size_t feet = 0, crests = 0;
    assert_non_null(tree);
    assert_true(ed_handles_make(&source, &handles));
    for (size_t i = 0; i < handles.shape_count; i++) {
        const struct ed_shape *shape = &handles.shapes[i];
        double in[2];
        if (is_drawn(shape, "skeleton") && ++crests)
            assert_float_equal(oro_uplift_at(tree, shape->a[0], shape->a[1]), 1, 0.005);
        if (!is_drawn(shape, "boundary"))
            continue;
        feet++;
        for (int k = 0; k < 2; k++) /* a little within */
            in[k] = shape->a[k] + 0.01 * ((k ? 4500 : 5000) - shape->a[k]);
        double value = oro_uplift_at(tree, in[0], in[1]);
        assert_true(value > 0 && value < 0.05);
    }
    assert_true(feet > 16 && crests > 4);
    oro_free(tree);
    ed_handles_free(&handles);
}

/* A click on a bend puts the new point between the two that the bend lies between. */
TEST(points_are_added_where_a_bend_is_clicked)
{
    struct ed_handle_source source =
        source_of("uplift_curve", "curve", "0 0, 1000 0, 1000 1000, 0 1000, 0 0; 5000 5000, 6000 6000");
    struct ed_handles handles = {0};
    bool seen[8] = {false};
    assert_true(ed_handles_make(&source, &handles));
    for (size_t i = 0; i < handles.shape_count; i++) {
        const struct ed_shape *shape = &handles.shapes[i];
        if (!is_drawn(shape, "curve"))
            continue;
        double x = (shape->a[0] + shape->b[0]) / 2, y = (shape->a[1] + shape->b[1]) / 2;
        int wanted = x > 2000 ? 6 : fabs(y - 500) < fabs(x - 500) ? (x > 500 ? 2 : 4) : y < 500 ? 1 : 3;
        if (fabs(fabs(y - 500) - fabs(x - 500)) > 60)
            assert_int_equal(shape->before, wanted);
        seen[shape->before] = true;
    }
    assert_true(seen[1] && seen[2] && seen[3] && seen[4] && seen[6]);
    ed_handles_free(&handles);
}

static size_t find(const struct ed_handles *handles, const char *input, int vertex)
{
    for (size_t i = 0; i < handles->count; i++)
        if (strcmp(handles->items[i].input->name, input) == 0 && handles->items[i].vertex == vertex)
            return i;
    fail_msg("no handle %s.%d", input, vertex);
    return 0;
}

TEST(ctrl_snaps)
{
    struct ed_handle_source source = source_of("uplift_curve", "curve", "1000 1000, 2000 1000; 4030 4030");
    struct ed_handles handles = {0};
    double to[2] = {1234, 1777};
    assert_float_equal(ed_snap_step(1), 20, 1e-9);
    assert_float_equal(ed_snap_step(10), 200, 1e-9);
    assert_float_equal(ed_snap_step(3), 50, 1e-9);
    assert_true(ed_handles_make(&source, &handles));
    ed_handle_snap(&handles, find(&handles, "curve", 0), 10, to);
    assert_float_equal(to[0], 1200, 1e-9);
    assert_float_equal(to[1], 1800, 1e-9);
    to[0] = to[1] = 3990; /* near the other point, which is not on the grid */
    ed_handle_snap(&handles, find(&handles, "curve", 0), 10, to);
    assert_float_equal(to[0], 4030, 1e-9);
    const struct ed_handle *ring = &handles.items[find(&handles, "radius", -1)];
    for (int k = 0; k < 2; k++)
        to[k] = ring->anchor[k] + ring->along[k] * 333;
    ed_handle_snap(&handles, find(&handles, "radius", -1), 1, to);
    assert_float_equal(hypot(to[0] - ring->anchor[0], to[1] - ring->anchor[1]), 340, 1e-6);
    ed_handles_free(&handles);

    source = source_of("tensor_field", NULL, NULL);
    assert_true(ed_handles_make(&source, &handles));
    const struct ed_handle *arm = &handles.items[find(&handles, "angle", -1)];
    to[0] = arm->anchor[0] + 1000; /* 87 degrees from north */
    to[1] = arm->anchor[1] - 50;
    ed_handle_snap(&handles, find(&handles, "angle", -1), 1, to);
    assert_float_equal(to[1], arm->anchor[1], 1e-6);
    ed_handles_free(&handles);
}
