/* Handles of every node type: what there is, and what dragging makes of the values. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "editor/tools/handles.h"
#include "editor/tools/polylines.h"
#include "graph/derived/assets.h"
#include "graph/derived/scripts.h"
#include "graph/type/literal.h"
#include "graph/type/registry.h"
#include "lua/types/node_types.h"
#include "tests/support/test.h"

/* Values that differ from the defaults; "-" is linked. */
struct given {
    const char *input, *text;
};
static struct given given[8];

static char *text(void *user, const struct oro_input *input)
{
    (void)user;
    for (size_t i = 0; i < sizeof given / sizeof given[0] && given[i].input; i++)
        if (strcmp(given[i].input, input->name) == 0)
            return strcmp(given[i].text, "-") == 0 ? NULL : oro_copy_text(given[i].text);
    return oro_literal_default(input);
}

static double elevation(void *user, const double at[2])
{
    (void)user;
    return at[0] > 9000 ? (double)NAN : at[0] / 8 + 0.123;
}

static struct ed_handle_source source_of(const char *type)
{
    memset(given, 0, sizeof given);
    const struct oro_node_type *found = oro_registry_find(&oro_builtin_nodes, type);
    if (!found)
        fail_msg("no type %s", type);
    return (struct ed_handle_source){found, text, NULL, 10000, 8000, elevation};
}

static const struct ed_handle *handle_of(const struct ed_handles *handles, const char *input, int vertex,
                                         size_t *which)
{
    for (size_t i = 0; i < handles->count; i++)
        if (strcmp(handles->items[i].input->name, input) == 0 && handles->items[i].vertex == vertex) {
            *which = i;
            return &handles->items[i];
        }
    return NULL;
}

static void drags(const struct ed_handle_source *source, const char *input, int vertex, double x, double y,
                  double step, const char *wanted)
{
    struct ed_handles handles = {0};
    struct ed_handle_edit edits[ED_HANDLE_EDITS];
    const double to[2] = {x, y};
    size_t which = 0;
    assert_true(ed_handles_make(source, &handles));
    if (!handle_of(&handles, input, vertex, &which))
        fail_msg("%s.%s has no handle", source->type->id, input);
    int count = ed_handle_drag(source, &handles, which, to, step, edits);
    assert_true(count >= 1);
    assert_string_equal(edits[0].input->name, input);
    assert_string_equal(edits[0].text, wanted);
    assert_true(oro_literal_parse(edits[0].input, edits[0].text, NULL, NULL));
    ed_handle_edits_free(edits, count);
    ed_handles_free(&handles);
}

static bool has(const struct ed_handle_source *source, const char *input, int vertex)
{
    struct ed_handles handles = {0};
    size_t which;
    assert_true(ed_handles_make(source, &handles));
    bool found = handle_of(&handles, input, vertex, &which) != NULL;
    ed_handles_free(&handles);
    return found;
}

TEST(disc)
{
    struct ed_handle_source source = source_of("uplift_disc");
    drags(&source, "centre", -1, 1234.56, 7890.12, 0.5, "1234.6 7890.1");
    drags(&source, "centre", -1, 1234.56, 7890.12, 20, "1230 7890");
    drags(&source, "radius", -1, 5000, 9000, 1, "4000");
    drags(&source, "radius", -1, 5000, 5000, 1, "1"); /* its minimum */
    given[0] = (struct given){"radius", "-"};
    assert_false(has(&source, "radius", -1));
    assert_true(has(&source, "centre", -1));
}

TEST(angles)
{
    struct ed_handle_source source = source_of("uplift_transform");
    drags(&source, "angle", -1, 6000, 5000, 1, "90");
    drags(&source, "angle", -1, 4000, 5000, 1, "-90");
    drags(&source, "angle", -1, 5000, 1000, 1, "0");
    drags(&source, "move", -1, 5500, 4800, 1, "980 -200");
    source = source_of("hillshade"); /* in the middle of the world; 0..360 */
    drags(&source, "azimuth", -1, 0, 4000, 1, "270");
    source = source_of("uplift_warp");
    assert_false(has(&source, "angle", -1)); /* noise has none */
    given[0] = (struct given){"method", "twist"};
    given[1] = (struct given){"angle", "800"};
    drags(&source, "angle", -1, 6000, 5000, 1, "810"); /* turns are kept */
}

/* A change by keys of copy `index`, as the text of its only edit. */
static void changes(const struct ed_handle_source *source, int index, struct ed_copy_change change,
                    const char *input, const char *wanted)
{
    struct ed_handle_edit edits[ED_HANDLE_EDITS];
    int count = ed_handle_change_copy(source, index, &change, edits);
    assert_int_equal(count, 1);
    assert_string_equal(edits[0].input->name, input);
    assert_string_equal(edits[0].text, wanted);
    ed_handle_edits_free(edits, count);
}

TEST(copies)
{
    struct ed_handle_edit edits[ED_HANDLE_EDITS];
    struct ed_handle_source source = source_of("uplift_region");
    given[0] = (struct given){"to", "5000 4000"};
    given[1] = (struct given){"places", "2000 2000; 7000 1000 30 -2"};
    given[2] = (struct given){"radius_x", "1000"};
    given[3] = (struct given){"radius_y", "500"};
    given[4] = (struct given){"angle", "90"};
    /* The knob of a copy of scale 1 is as far as the farthest point. */
    drags(&source, "angle", -1, 5000, 3000, 1, "0");
    drags(&source, "angle", -1, 5000, 6000, 1, "180"); /* twice as large, besides */
    drags(&source, "places", 0, 2500, 2100, 1, "2500 2100; 7000 1000 30 -2");
    struct ed_handles handles = {0};
    assert_true(ed_handles_make(&source, &handles));
    size_t knobs[3], count = 0;
    for (size_t i = 0; i < handles.count; i++)
        if (handles.items[i].kind == ED_HANDLE_TURN)
            knobs[count++] = i;
    assert_int_equal(count, 3);
    assert_true(fabs(handles.items[knobs[0]].at[0] - 6000) < 1e-6); /* turned to the east */
    assert_true(fabs(handles.items[knobs[1]].at[0] - 3000) <
                1e-6); /* as the first one, having no own angle */
    assert_true(fabs(handles.items[knobs[2]].at[0] - 8000) < 1e-6); /* 30 degrees, twice as far */
    assert_true(fabs(handles.items[knobs[2]].at[1] - (1000 - 2000 * 0.8660254)) < 1e-3);
    const double to[2] = {7000, 1500};
    assert_int_equal(ed_handle_drag(&source, &handles, knobs[2], to, 1, edits), 1);
    assert_string_equal(edits[0].text, "2000 2000; 7000 1000 180 -0.5"); /* still a mirror image */
    ed_handle_edits_free(edits, 1);
    ed_handles_free(&handles);

    changes(&source, 0, (struct ed_copy_change){15, 1, false}, "angle", "105");
    changes(&source, 0, (struct ed_copy_change){0, 2, false}, "scale", "2");
    changes(&source, 0, (struct ed_copy_change){0, 1, true}, "mirror", "true");
    changes(&source, 1, (struct ed_copy_change){0, 1, true}, "places", "2000 2000 90 -1; 7000 1000 30 -2");
    changes(&source, 2, (struct ed_copy_change){-45, 1, false}, "places", "2000 2000; 7000 1000 -15 -2");
    assert_int_equal(ed_handle_change_copy(&source, 3, &(struct ed_copy_change){0, 2, false}, edits), 0);
    given[5] = (struct given){"paste", "false"};
    assert_false(has(&source, "to", -1));
    assert_false(has(&source, "places", 0));
}

TEST(copies_of_polygons)
{
    struct ed_handle_source source = source_of("uplift_region");
    struct ed_handles handles = {0};
    given[0] = (struct given){"region", "polygon"};
    given[1] = (struct given){"polygon", "1000 1000, 3000 1000, 2000 4000"};
    given[2] = (struct given){"from", "2000 2000"};
    given[3] = (struct given){"to", "6000 5000"};
    given[4] = (struct given){"angle", "180"};
    given[5] = (struct given){"mirror", "true"};
    assert_true(ed_handles_make(&source, &handles));
    /* The corner in the north-west, mirrored and turned by half, is in the south-west of the copy. */
    bool found = false;
    for (size_t i = 0; i < handles.shape_count; i++)
        found = found || (handles.shapes[i].faint && fabs(handles.shapes[i].a[0] - 5000) < 1e-6 &&
                          fabs(handles.shapes[i].a[1] - 6000) < 1e-6);
    assert_true(found);
    ed_handles_free(&handles);
}

TEST(points_with_elevations_are_raised)
{
    struct ed_handle_edit edits[ED_HANDLE_EDITS];
    struct ed_handle_source source = source_of("stream_power");
    struct ed_handles handles = {0};
    size_t which = 0;
    given[0] = (struct given){"constraints", "1000 2000 500; 3000 3000"};
    assert_true(ed_handles_make(&source, &handles));
    const struct ed_handle *peak = handle_of(&handles, "constraints", 0, &which);
    assert_true(peak->rises);
    assert_int_equal(ed_handle_raise(&source, peak, 123.4, edits), 1);
    assert_string_equal(edits[0].text, "1000 2000 623; 3000 3000");
    ed_handle_edits_free(edits, 1);
    assert_int_equal(ed_handle_raise(&source, handle_of(&handles, "constraints", 1, &which), 5, edits), 0);
    ed_handles_free(&handles);
}

TEST(lines)
{
    struct ed_handle_edit edits[ED_HANDLE_EDITS];
    struct ed_handles handles = {0};
    const double at[2] = {2000, 2000};
    struct ed_handle_source source = source_of("uplift_curve");
    given[0] = (struct given){"curve", "0 0, 1000 0 50; 5000 5000"};
    given[1] = (struct given){"radius", "300"};
    drags(&source, "curve", 1, 1100, 20, 1, "0 0, 1100 20 50; 5000 5000");
    drags(&source, "radius", -1, 777, 450, 1, "450"); /* across the line, wherever along it */
    const struct oro_input *curve = oro_type_input(source.type, "curve");
    assert_int_equal(ed_handle_insert(&source, curve, 1, false, at, 1, edits), 1);
    assert_string_equal(edits[0].text, "0 0, 2000 2000, 1000 0 50; 5000 5000");
    ed_handle_edits_free(edits, 1);
    assert_int_equal(ed_handle_insert(&source, curve, -1, false, at, 1, edits), 1);
    assert_string_equal(edits[0].text, "0 0, 1000 0 50; 5000 5000, 2000 2000");
    ed_handle_edits_free(edits, 1);
    assert_int_equal(ed_handle_insert(&source, curve, -1, true, at, 1, edits), 1);
    assert_string_equal(edits[0].text, "0 0, 1000 0 50; 5000 5000; 2000 2000");
    ed_handle_edits_free(edits, 1);
    size_t which = 0;
    assert_true(ed_handles_make(&source, &handles));
    assert_non_null(handle_of(&handles, "curve", 2, &which));
    assert_int_equal(ed_handle_remove(&source, &handles.items[which], edits), 1);
    assert_string_equal(edits[0].text, "0 0, 1000 0 50");
    ed_handle_edits_free(edits, 1);
    ed_handles_free(&handles);
}

TEST(points)
{
    struct ed_handle_edit edits[ED_HANDLE_EDITS];
    const double at[2] = {2000, 2000};
    struct ed_handle_source source = source_of("lake");
    const struct oro_input *input = oro_type_input(source.type, "points");
    assert_int_equal(ed_handle_insert(&source, input, -1, false, at, 1, edits), 1);
    assert_string_equal(edits[0].text, "2000 2000");
    ed_handle_edits_free(edits, 1);
    given[0] = (struct given){"points", "100 100 5"};
    assert_int_equal(ed_handle_insert(&source, input, -1, false, at, 1, edits), 1);
    assert_string_equal(edits[0].text, "100 100 5; 2000 2000");
    ed_handle_edits_free(edits, 1);
}

/* Two points at one place: they are shown apart, and the first drag sets both. */
TEST(pairs)
{
    struct ed_handles handles = {0};
    struct ed_handle_edit edits[ED_HANDLE_EDITS];
    const double to[2] = {1000, 1000};
    size_t which = 0, other = 0;
    struct ed_handle_source source = source_of("ramp");
    assert_true(ed_handles_make(&source, &handles));
    assert_non_null(handle_of(&handles, "start", -1, &which));
    assert_non_null(handle_of(&handles, "end", -1, &other));
    assert_true(handles.items[which].at[0] != handles.items[other].at[0]);
    assert_int_equal(ed_handle_drag(&source, &handles, which, to, 1, edits), 2);
    assert_string_equal(edits[0].text, "1000 1000");
    assert_string_equal(edits[1].input->name, "end");
    ed_handle_edits_free(edits, 2);
    assert_true(has(&source, "angle", -1));
    given[0] = (struct given){"end", "5000 0"};
    assert_false(has(&source, "angle", -1)); /* of no effect then */
    drags(&source, "end", -1, 10, 20, 1, "10 20");
    ed_handles_free(&handles);
}

/* Places whose elevation is to be known, as a text or a network. */
TEST(known_points)
{
    static const char *const inputs[][2] = {
        {"retarget", "points"}, {"amplify_chain", "points"}, {"stream_power", "constraints"}};
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        struct ed_handle_edit edits[ED_HANDLE_EDITS];
        struct ed_handle_source source = source_of(inputs[i][0]);
        const struct oro_input *input = oro_type_input(source.type, inputs[i][1]);
        const double at[2] = {2000, 3000}, beside[2] = {9500, 10};
        given[0] = (struct given){inputs[i][1], "100 200 30; 400 500 60"};
        drags(&source, inputs[i][1], 1, 450, 510, 1, "100 200 30; 450 510 60");
        assert_int_equal(ed_handle_insert(&source, input, -1, false, at, 1, edits), 1);
        assert_string_equal(edits[0].text, "100 200 30; 400 500 60; 2000 3000 250.1");
        ed_handle_edits_free(edits, 1);
        assert_int_equal(ed_handle_insert(&source, input, -1, false, beside, 1, edits), 1);
        assert_string_equal(edits[0].text, "100 200 30; 400 500 60; 9500 10 0");
        ed_handle_edits_free(edits, 1);
    }
}

static void crop_is(const char *input, double x, double y, const char *const values[4])
{
    static const char *const names[] = {"x", "y", "width", "height"};
    struct ed_handle_source source = {
        oro_registry_find(&oro_builtin_nodes, "crop"), text, NULL, 10000, 8000, NULL};
    struct ed_handles handles = {0};
    struct ed_handle_edit edits[ED_HANDLE_EDITS];
    const double to[2] = {x, y};
    size_t which = 0;
    assert_true(ed_handles_make(&source, &handles));
    assert_non_null(handle_of(&handles, input, -1, &which));
    int count = ed_handle_drag(&source, &handles, which, to, 1, edits);
    for (int k = 0; k < 4; k++) {
        const char *found = NULL;
        for (int i = 0; i < count; i++)
            found = strcmp(edits[i].input->name, names[k]) == 0 ? edits[i].text : found;
        assert_int_equal(found != NULL, values[k] != NULL);
        if (found)
            assert_string_equal(found, values[k]);
    }
    ed_handle_edits_free(edits, count);
    ed_handles_free(&handles);
}

TEST(rectangles)
{
    struct ed_handle_source source = source_of("crop");
    given[0] = (struct given){"x", "1000"};
    given[1] = (struct given){"width", "4000"};
    crop_is("x", 2000, 500, (const char *const[]){"2000", "500", "3000", NULL}); /* to the border as before */
    crop_is("x", 9000, 0, (const char *const[]){"4999", "0", "1", NULL});        /* not inside out */
    crop_is("width", 6000, 7000, (const char *const[]){NULL, NULL, "5000", "7000"});
    given[2] = (struct given){"height", "2000"};
    crop_is("y", 4000, 3000, (const char *const[]){"2000", "2000", NULL, NULL});
    given[3] = (struct given){"method", "fractions"};
    assert_false(has(&source, "x", -1));
    given[3] = (struct given){"height", "-"};
    given[2] = given[3];
    assert_false(has(&source, "x", -1)); /* linked */
}

/* No two handles are at one place, where only one of them could be grabbed. */
TEST(all_can_be_taken)
{
    for (size_t t = 0; t < oro_builtin_nodes.count; t++) {
        struct ed_handles handles = {0};
        struct ed_handle_source source = source_of(oro_builtin_nodes.types[t]->id);
        given[0] = (struct given){"about", "pivot"};
        assert_true(ed_handles_make(&source, &handles));
        for (size_t i = 0; i < handles.count; i++)
            for (size_t k = 0; k < i; k++) {
                const double *a = handles.items[i].at, *b = handles.items[k].at;
                if (hypot(a[0] - b[0], a[1] - b[1]) < 100)
                    fail_msg("%s: %s lies on %s", source.type->id, handles.items[i].input->name,
                             handles.items[k].input->name);
            }
        ed_handles_free(&handles);
    }
}

/* Every type with a handle: dragged where it is, each gives what its input takes. */
TEST(all_types)
{
    size_t seen = 0;
    for (size_t t = 0; t < oro_builtin_nodes.count; t++) {
        struct ed_handles handles = {0};
        struct ed_handle_source source = source_of(oro_builtin_nodes.types[t]->id);
        assert_true(ed_handles_make(&source, &handles));
        for (size_t i = 0; i < handles.count; i++, seen++) {
            struct ed_handle_edit edits[ED_HANDLE_EDITS];
            struct oro_error err;
            assert_true(isfinite(handles.items[i].at[0]) && isfinite(handles.items[i].at[1]));
            int count = ed_handle_drag(&source, &handles, i, handles.items[i].at, 0.01, edits);
            for (int k = 0; k < count; k++)
                if (!oro_literal_parse(edits[k].input, edits[k].text, NULL, &err))
                    fail_msg("%s.%s: %s", source.type->id, edits[k].input->name, err.text);
            ed_handle_edits_free(edits, count);
        }
        ed_handles_free(&handles);
    }
    assert_true(seen > 40);
}

/* A script declares its handles; otherwise names decide, as in the nodes that are built in. */
TEST(scripts)
{
    static const struct oro_input unsaid[] = {
        {.name = "centre", .type = ORO_POINT, .text = "5000 5000"},
        {.name = "size", .type = ORO_FLOAT, .unit = ORO_METRE, .value = 100},
        {.name = "radius", .type = ORO_FLOAT, .unit = ORO_NO_UNIT, .value = 100},
        {.name = "rotation", .type = ORO_FLOAT, .unit = ORO_DEGREE},
        {0}};
    struct oro_input named[sizeof unsaid / sizeof unsaid[0]];
    struct oro_node_type type = {.id = "named", .inputs = named};
    struct oro_registry registry = oro_builtin_nodes;
    struct oro_error err = {0};
    memset(given, 0, sizeof given);
    registry.scripts = oro_scripts_create(&oro_lua_scripts, false, NULL);
    assert_non_null(registry.scripts);
    struct ed_handle_source source = {.text = text, .width = 10000, .height = 8000};
    source.type = oro_type_named(&registry, "examples/lua/volcano.oro", "volcano", &err);
    if (!source.type)
        fail_msg("%s", err.text);
    drags(&source, "place", -1, 1200, 3400, 1, "1200 3400");
    drags(&source, "radius", -1, 5000, 6000, 1, "1000");
    assert_false(has(&source, "crater", -1));
    oro_scripts_destroy(registry.scripts);
    memcpy(named, unsaid, sizeof named);
    oro_roles_by_name(named, NULL);
    source.type = &type;
    drags(&source, "size", -1, 5000, 6000, 1, "1000");
    drags(&source, "rotation", -1, 6000, 5000, 1, "90");
    assert_false(has(&source, "radius", -1)); /* of no length */
}

TEST(polylines)
{
    struct ed_polylines parsed;
    static const char *const wrong[] = {"1", "1 2 3 4 5", "1 2, x 3", "1 2 3,4"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(ed_polylines_parse(wrong[i], &parsed));
    assert_true(ed_polylines_parse("  1   2,3 4 ;5 6 7;", &parsed));
    char *out = ed_polylines_format(&parsed);
    assert_string_equal(out, "1 2, 3 4; 5 6 7");
    oro_free(out);
    ed_polylines_free(&parsed);
    assert_true(ed_polylines_parse("", &parsed));
    assert_int_equal(parsed.count, 0);
    ed_polylines_free(&parsed);
}
