/* Laws of dispatches: what is bound by name, and which kernels a node may run. */
#include <string.h>

#include "nodes/lib/range.h"
#include "tests/nodes/group.h"
#include "tests/support/test.h"

/* ---- A node for it: each test says what its evaluation does. ---- */

static bool (*eval_of_test)(struct oro_eval *eval);

static bool eval(struct oro_eval *e, const void *data)
{
    (void)data;
    return eval_of_test(e);
}

static const struct oro_input inputs[] = {{0}};
static const struct oro_output outputs[] = {ORO_OUT_FIELD("field", .doc = "Numbers"), {0}};
static const char *const kernels[] = {"lib/sum.comp", NULL};
static const struct oro_node_type tried = {.id = "tried",
                                           .version = 1,
                                           .category = "test",
                                           .doc = "Runs dispatches.",
                                           .inputs = inputs,
                                           .outputs = outputs,
                                           .kernels = kernels,
                                           .eval = eval};
static const struct oro_node_type *const types[] = {&tried};
static const struct oro_registry registry = {.types = types, .count = 1};

#define DOCUMENT HARNESS_DOCUMENT("extent=\"100\" resolution=\"4\"", "<node id=\"n\" type=\"tried\"/>")

static void expect_failure(bool (*try)(struct oro_eval *eval), const char *text)
{
    need_device();
    struct harness_raster raster;
    eval_of_test = try;
    assert_false(harness_try(&h, DOCUMENT, "n", "field", &raster));
    if (!strstr(h.err.text, text))
        fail_msg("'%s' is not in: %s", text, h.err.text);
}

/* Gives `base` + `step`, by a kernel that is in no file and so in no list. */
static struct oro_dispatch adding(struct oro_buffer *out)
{
    return (struct oro_dispatch){
        .kernel = "adding",
        .text = "void main() { set_field(oro_cell(), pass.base + pass.step); }\n",
        .first_line = 1,
        .slots = {{"field_out", out, ORO_WRITE}},
        .columns = 4,
        .rows = 4,
        .group_columns = 1,
        .group_rows = 1,
        .constants = {{"base", 5}, {"step"}},
    };
}

/* ---- Tests ---- */

static bool run_another_kernel(struct oro_eval *e)
{
    return oro_eval_dispatch(e, &(struct oro_dispatch){.kernel = "mask/slope.comp"});
}

TEST(only_listed_kernels_run)
{
    expect_failure(run_another_kernel, "kernel 'mask/slope.comp' is not listed by node type 'tried'");
}

static bool bind_another_name(struct oro_eval *e)
{
    struct oro_dispatch dispatch = adding(oro_eval_buffer(e, 16));
    oro_bind(&dispatch, "fields_out", dispatch.slots[0].buffer);
    return oro_eval_dispatch(e, &dispatch);
}

static bool set_another_name(struct oro_eval *e)
{
    struct oro_dispatch dispatch = adding(oro_eval_buffer(e, 16));
    oro_set(&dispatch, "steps", 1);
    return oro_eval_dispatch(e, &dispatch);
}

static bool leave_a_slot_empty(struct oro_eval *e)
{
    (void)e;
    struct oro_dispatch dispatch = adding(NULL);
    return oro_eval_dispatch(e, &dispatch);
}

static bool add_too_many(struct oro_eval *e)
{
    struct oro_dispatch dispatch = adding(oro_eval_buffer(e, 16));
    for (int i = 0; i < ORO_CONSTANTS_MAX; i++)
        oro_add_constant(&dispatch, "more", i);
    return oro_eval_dispatch(e, &dispatch);
}

TEST(names_must_be_there)
{
    expect_failure(bind_another_name, "'fields_out'");
    expect_failure(set_another_name, "'steps'");
    expect_failure(leave_a_slot_empty, "kernel 'adding' has no buffer 'field_out'");
    expect_failure(add_too_many, "'more'");
}

static bool run_twice(struct oro_eval *e)
{
    struct oro_buffer *first = oro_eval_buffer(e, 16), *second = oro_eval_buffer(e, 16);
    struct oro_dispatch dispatch = adding(first);
    float values[16];
    double sum = 0;
    oro_set(&dispatch, "step", 1);
    bool ok = oro_eval_dispatch(e, &dispatch);
    oro_bind(&dispatch, "field_out", second);
    oro_set(&dispatch, "step", 2);
    ok = ok && oro_eval_dispatch(e, &dispatch) && oro_eval_download(e, first, values, sizeof values) &&
         oro_sum(e, first, 16, &sum);
    for (int i = 0; ok && i < 16; i++)
        assert_true(values[i] == 6);
    assert_true(!ok || sum == 16 * 6);
    return ok && oro_eval_give(e, "field", second);
}

TEST(what_is_set_holds_for_the_next_run)
{
    need_device();
    eval_of_test = run_twice;
    struct harness_raster raster = harness_run(&h, DOCUMENT, "n", "field");
    for (int i = 0; i < 16; i++)
        assert_true(raster.data[i] == 7);
    harness_free(&raster);
}

static bool has(const char *id, const char *kernel)
{
    const struct oro_node_type *type = oro_registry_find(&oro_builtin_nodes, id);
    for (const char *const *at = type->kernels; *at; at++)
        if (strcmp(*at, kernel) == 0)
            return true;
    return false;
}

/* Named by the node itself, by a helper, by a helper's helper, and by one of several files of a helper. */
TEST(lists_are_derived)
{
    assert_true(has("slope", "mask/slope.comp"));
    assert_false(has("slope", "filter/blur.comp"));
    assert_true(has("curvature", "mask/curvature.comp") && has("curvature", "mask/quadratic_rows.comp"));
    assert_true(has("fill", "flow/breach_blend.comp") && has("fill", "lib/sum.comp"));
    assert_true(has("flow", "flow/drainage_tree_count.comp") && has("flow", "flow/routing_merge.comp"));
    assert_true(has("stream_power", "erosion/stream_power_constraints_response.comp"));
    assert_null(oro_registry_find(&oro_builtin_nodes, "switch")->kernels[0]);
}

FIXTURE(open_with_type)
{
    open_harness(state);
    h.registry = &registry;
    return 0;
}

TEST_GROUP(open_with_type, close_harness);
