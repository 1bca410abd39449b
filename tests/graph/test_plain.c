/* Links that carry no rasters: uplifts and networks, from the document to the cache. On a device in plain
 * memory: the nodes of these tests work on the host. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "graph/eval/evaluator.h"
#include "graph/eval/kernel.h"
#include "graph/file/xml.h"
#include "terrain/network/network.h"
#include "terrain/uplift/uplift.h"
#include "tests/support/fake_device.h"
#include "tests/support/folder.h"
#include "tests/support/test.h"

/* ---- Node types ---- */

/* A disc of uplift; given wrongly on demand. */
struct disc_params {
    float x, y, radius, height;
    bool as_raster;
};
static const struct oro_input disc_inputs[] = {
    ORO_IN_FLOAT(struct disc_params, x, 100),
    ORO_IN_FLOAT(struct disc_params, y, 100),
    ORO_IN_FLOAT(struct disc_params, radius, 90),
    ORO_IN_FLOAT(struct disc_params, height, 2, .unit = ORO_METRE_PER_YEAR),
    ORO_IN_BOOL(struct disc_params, as_raster, false),
    {0}};
static const struct oro_output disc_outputs[] = {ORO_OUT_UPLIFT("uplift"), {0}};
static bool disc_eval(struct oro_eval *e, const void *data)
{
    const struct disc_params *p = data;
    struct oro_error err = {0};
    struct oro_uplift_segment disc = {p->x, p->y, p->x, p->y, p->radius, p->radius, p->height, p->height};
    if (p->as_raster)
        return oro_eval_give_host(e, "uplift", oro_alloc(oro_grid_cells(oro_eval_grid(e)), sizeof(float)));
    return oro_eval_give_uplift(e, "uplift", oro_uplift_ranges(&disc, 1, &err), &err);
}
static const struct oro_node_type disc = {.id = "disc",
                                          .version = 1,
                                          .inputs = disc_inputs,
                                          .outputs = disc_outputs,
                                          .params_size = sizeof(struct disc_params),
                                          .eval = disc_eval};

/* Gives the number of lines and, as `copy`, the lines. */
struct draw_params {
    const char *lines, *more, *open;
};
static const struct oro_input draw_inputs[] = {
    ORO_IN_NETWORK(struct draw_params, lines, NULL),
    ORO_IN_NETWORK(struct draw_params, more, "1 2, 3 4"),
    ORO_IN_NETWORK(struct draw_params, open, NULL, .optional = true),
    {0}};
static const struct oro_output draw_outputs[] = {ORO_OUT_NETWORK("copy"), ORO_OUT_FIELD("counts"), {0}};
static uint32_t count_of(struct oro_eval *e, const char *input)
{
    const struct oro_network *network = oro_eval_network(e, input);
    assert_ptr_equal(network, oro_eval_network(e, input)); /* kept */
    return network ? network->line_count : 99;
}
static bool draw_eval(struct oro_eval *e, const void *data)
{
    (void)data;
    float *counts = oro_alloc(oro_grid_cells(oro_eval_grid(e)), sizeof *counts);
    if (!counts)
        return oro_eval_fail(e, ORO_E_MEMORY, "no memory");
    counts[0] = (float)count_of(e, "lines");
    counts[1] = (float)count_of(e, "more");
    counts[2] = (float)count_of(e, "open");
    oro_eval_give_host(e, "counts", counts);
    const struct oro_network *lines = oro_eval_network(e, "lines");
    size_t bytes = lines ? oro_network_bytes(lines) : 0;
    struct oro_network *copy = lines ? oro_alloc(bytes, 1) : NULL;
    struct oro_error err = {0};
    if (copy)
        memcpy(copy, lines, bytes);
    else
        oro_fail(&err, ORO_E_MEMORY, "no memory");
    return oro_eval_give_network(e, "copy", copy, &err);
}
static const struct oro_node_type draw = {.id = "draw",
                                          .version = 1,
                                          .inputs = draw_inputs,
                                          .outputs = draw_outputs,
                                          .params_size = sizeof(struct draw_params),
                                          .eval = draw_eval};

/* Gives cells of an uplift tree, of a map that takes uplift trees (negative if it is a number), and what was
 * linked. */
struct grow_params {
    float weight;
};
static const struct oro_input grow_inputs[] = {
    ORO_IN_UPLIFT("uplift"),
    ORO_IN_MAP(struct grow_params, weight, 0.5, .takes_uplift = true),
    ORO_IN_FIELD("terrain", .role = ORO_ROLE_TERRAIN, .optional = true),
    {0}};
static const struct oro_output field_output[] = {ORO_OUT_FIELD("field"), {0}};
static bool grow_eval(struct oro_eval *e, const void *data)
{
    const struct grow_params *p = data;
    const struct oro_grid *grid = oro_eval_grid(e);
    const struct oro_uplift *tree = oro_eval_uplift(e, "uplift"), *weight = oro_eval_uplift(e, "weight");
    assert_ptr_equal(tree, oro_eval_uplift(e, "uplift"));
    assert_int_equal(oro_eval_linked(e, "weight"), weight != NULL);
    float *field = tree ? oro_alloc(2 * oro_grid_cells(grid), sizeof *field) : NULL;
    if (!field)
        return oro_eval_fail(e, ORO_E_MEMORY, "no memory");
    for (int i = 0; i < grid->width * grid->height; i++) {
        double x = (i % grid->width + 0.5) * grid->cell, y = ((i / grid->width) + 0.5) * grid->cell;
        double by = weight ? oro_uplift_at(weight, x, y) : -(double)p->weight;
        field[i] = (float)(oro_uplift_at(tree, x, y) * by);
    }
    return oro_eval_give_host(e, "field", field);
}
static const struct oro_node_type grow = {.id = "grow",
                                          .version = 1,
                                          .inputs = grow_inputs,
                                          .outputs = field_output,
                                          .params_size = sizeof(struct grow_params),
                                          .eval = grow_eval};

/* A composite: a disc that becomes a field within it, and lines that are handed on. */
struct massif_params {
    const char *lines;
};
static const struct oro_input massif_inputs[] = {
    ORO_IN_NETWORK(struct massif_params, lines, NULL, .optional = true), ORO_IN_FIELD("field"), {0}};
static const struct oro_output massif_outputs[] = {
    ORO_OUT_FIELD("field"), ORO_OUT_UPLIFT("uplift"), ORO_OUT_NETWORK("lines"), {0}};
static bool massif_expand(struct oro_build *b, const void *data)
{
    (void)data;
    int hill = oro_build_node(b, "disc", "hill"), lines = oro_build_node(b, "draw", "lines"),
        both = oro_build_node(b, "sum", "both");
    oro_build_number(b, hill, "radius", 50);
    oro_build_forward(b, lines, "lines", "lines");
    oro_build_forward(b, lines, "more", "lines");
    oro_build_forward(b, both, "a", "field");
    oro_build_link(b, both, "b", hill, "uplift");
    oro_build_output(b, "field", both, "field");
    oro_build_output(b, "uplift", hill, "uplift");
    oro_build_output(b, "lines", lines, "copy");
    return true;
}
static const struct oro_node_type massif = {.id = "massif",
                                            .version = 1,
                                            .inputs = massif_inputs,
                                            .outputs = massif_outputs,
                                            .params_size = sizeof(struct massif_params),
                                            .expand = massif_expand};

/* A composite that links what does not fit. */
static bool misfit_expand(struct oro_build *b, const void *data)
{
    (void)data;
    int hill = oro_build_node(b, "disc", "hill"), lines = oro_build_node(b, "draw", "lines");
    oro_build_link(b, lines, "lines", hill, "uplift");
    oro_build_output(b, "field", lines, "counts");
    return true;
}
static const struct oro_node_type misfit = {.id = "misfit",
                                            .version = 1,
                                            .inputs = (const struct oro_input[]){{0}},
                                            .outputs = field_output,
                                            .expand = misfit_expand};

static const struct oro_input raster_inputs[] = {ORO_IN_UPLIFT("uplift"), {0}};
static bool raster_eval(struct oro_eval *e, const void *data)
{
    (void)data;
    const struct oro_grid *grid = oro_eval_grid(e);
    const struct oro_uplift *tree = oro_eval_uplift(e, "uplift");
    float *field = tree ? oro_alloc(oro_grid_cells(grid), sizeof *field) : NULL;
    if (!field)
        return oro_eval_fail(e, ORO_E_MEMORY, "no memory");
    for (int i = 0; i < grid->width * grid->height; i++)
        field[i] = (float)oro_uplift_at(tree, (i % grid->width + 0.5) * grid->cell,
                                        ((i / grid->width) + 0.5) * grid->cell);
    return oro_eval_give_host(e, "field", field);
}
static const struct oro_node_type raster = {.id = "raster",
                                            .version = 1,
                                            .inputs = raster_inputs,
                                            .outputs = field_output,
                                            .eval = raster_eval,
                                            .rasterizes = true};

/* A field of one number, at a multiple of the world's size. */
struct source_params {
    float value;
    int factor;
};
static const struct oro_input source_inputs[] = {
    ORO_IN_FLOAT(struct source_params, value, 1),
    ORO_IN_INT(struct source_params, factor, 1, .min = 1, .max = 8),
    {0}};
static bool source_shape(struct oro_shape *s, const void *data, struct oro_grid *grid)
{
    const struct source_params *p = data;
    *grid = *oro_shape_world(s);
    grid->width *= p->factor;
    grid->height *= p->factor;
    grid->cell /= p->factor;
    return true;
}
static bool source_eval(struct oro_eval *e, const void *data)
{
    size_t cells = oro_grid_cells(oro_eval_grid(e));
    float *field = oro_alloc(cells, sizeof *field);
    for (size_t i = 0; field && i < cells; i++)
        field[i] = ((const struct source_params *)data)->value;
    return field ? oro_eval_give_host(e, "field", field) : oro_eval_fail(e, ORO_E_MEMORY, "no memory");
}
static const struct oro_node_type source = {.id = "source",
                                            .version = 1,
                                            .inputs = source_inputs,
                                            .outputs = field_output,
                                            .params_size = sizeof(struct source_params),
                                            .shape = source_shape,
                                            .eval = source_eval};

struct sum_params {
    float amount;
};
static const struct oro_input sum_inputs[] = {
    ORO_IN_FIELD("a"), ORO_IN_FIELD("b", .optional = true), ORO_IN_MAP(struct sum_params, amount, 1), {0}};
static const struct oro_output sum_outputs[] = {ORO_OUT_FIELD("field", .like = "a"), {0}};
static bool sum_eval(struct oro_eval *e, const void *data)
{
    size_t cells = oro_grid_cells(oro_eval_grid(e));
    const float *a = oro_eval_input_host(e, "a"), *b = oro_eval_input_host(e, "b");
    float *field = a ? oro_alloc(cells, sizeof *field) : NULL;
    (void)data;
    for (size_t i = 0; field && i < cells; i++)
        field[i] = a[i] + (b ? b[i] : 0);
    return field ? oro_eval_give_host(e, "field", field) : oro_eval_fail(e, ORO_E_MEMORY, "no memory");
}
static const struct oro_node_type sum = {.id = "sum",
                                         .version = 1,
                                         .inputs = sum_inputs,
                                         .outputs = sum_outputs,
                                         .params_size = sizeof(struct sum_params),
                                         .eval = sum_eval};

/* Reads an uplift as if it were a raster. */
static bool wrong_eval(struct oro_eval *e, const void *data)
{
    (void)data;
    assert_null(oro_eval_input_grid(e, "uplift"));
    assert_null(oro_eval_input(e, "uplift"));
    return false;
}
static const struct oro_node_type wrong = {
    .id = "wrong", .version = 1, .inputs = raster_inputs, .outputs = field_output, .eval = wrong_eval};

static const struct oro_node_type *const types[] = {&disc,   &draw,   &grow, &massif, &misfit,
                                                    &raster, &source, &sum,  &wrong};
static const struct oro_registry all = {.types = types, .count = sizeof types / sizeof types[0]};

/* ---- Helpers ---- */

#define DOCUMENT(nodes)                                                                                      \
    "<orograph xmlns=\"urn:orograph:1\" version=\"1\"><world extent=\"200\" resolution=\"8\" "               \
    "aspect=\"0.5\" seed=\"3\"/>" nodes "</orograph>"
#define NODE(id, type, inputs) "<node id=\"" id "\" type=\"" type "\" x=\"0\" y=\"0\">" inputs "</node>\n"
#define LINK(name, from) "<in name=\"" name "\" from=\"" from "\"/>"
#define SET(name, value) "<in name=\"" name "\" value=\"" value "\"/>"
#define DISC NODE("d", "disc", "")
enum { CELLS = 8 * 4 };

static bool fake_finish(struct oro_device *device, struct oro_error *err)
{
    (void)device, (void)err;
    return true;
}

static bool fake_timer(struct oro_device *device)
{
    (void)device;
    return false;
}

static struct oro_device_ops ops;
static struct oro_device device;
static struct oro_error err;
static struct oro_cache *cache; /* NULL: none */
static int computed;

FIXTURE(begin)
{
    ops = fake_ops;
    ops.finish = fake_finish;
    ops.timer_begin = fake_timer;
    device = FAKE_DEVICE;
    device.ops = &ops;
    return 0;
}

static struct oro_plan *plan_in(const struct oro_registry *registry, const char *text,
                                const struct oro_target *target, const struct oro_plan_options *options)
{
    struct oro_problems problems = {0};
    err = (struct oro_error){0};
    struct oro_document *doc = oro_document_parse(text, strlen(text), "", registry, &problems);
    oro_problems_free(&problems);
    if (!doc)
        return NULL;
    struct oro_plan *plan = oro_plan_create(doc, registry, target, 1, options, &device, NULL, &err);
    oro_document_destroy(doc);
    return plan;
}

static struct oro_plan *plan_of(const char *text, const char *node, const char *output)
{
    struct oro_plan *plan =
        plan_in(&all, text, &(struct oro_target){node, output}, &(struct oro_plan_options){0});
    if (!plan)
        fail_msg("%s", err.text);
    return plan;
}

static void refused(const char *text, const char *node, const char *output, const char *part)
{
    assert_null(plan_in(&all, text, &(struct oro_target){node, output}, &(struct oro_plan_options){0}));
    if (!strstr(err.text, part))
        fail_msg("'%s' lacks '%s'", err.text, part);
}

static const struct oro_step *step_of(const struct oro_plan *plan, const char *id)
{
    for (size_t i = 0; i < plan->step_count; i++)
        if (strcmp(plan->steps[i].id, id) == 0)
            return &plan->steps[i];
    fail_msg("no step '%s'", id);
    return NULL;
}

static void count(void *user, const struct oro_step_report *report)
{
    (void)user;
    computed += report->outcome == ORO_STEP_COMPUTED;
}

/* NULL: failed. */
static struct oro_value *run(const struct oro_plan *plan)
{
    struct oro_evaluator_options options = {.step_done = count, .digests = true};
    struct oro_evaluator *evaluator = oro_evaluator_create(&device, cache, &options);
    struct oro_value *value = NULL;
    computed = 0;
    if (evaluator)
        oro_evaluate(evaluator, plan, &value, &err);
    oro_evaluator_destroy(evaluator);
    return value;
}

static struct oro_value *value_of(const char *text, const char *node, const char *output)
{
    struct oro_plan *plan = plan_of(text, node, output);
    struct oro_value *value = run(plan);
    oro_plan_destroy(plan);
    if (!value)
        fail_msg("%s", err.text);
    return value;
}

/* The first cells of a field. */
static void expect_cells(const char *text, const char *node, const char *output, const float *wanted, int n)
{
    struct oro_value *value = value_of(text, node, output);
    const float *cells = oro_value_host(value, &err);
    assert_non_null(cells);
    for (int i = 0; i < n; i++)
        if (cells[i] != wanted[i])
            fail_msg("cell %d of %s is %g, not %g", i, node, (double)cells[i], (double)wanted[i]);
    oro_value_release(value);
}

static void run_fails(const char *text, const char *node, const char *output, const char *part)
{
    struct oro_plan *plan = plan_of(text, node, output);
    assert_null(run(plan));
    if (!strstr(err.text, part))
        fail_msg("'%s' lacks '%s'", err.text, part);
    oro_plan_destroy(plan);
}

static struct oro_hash key_of(const char *text, const char *node, const char *output)
{
    struct oro_plan *plan = plan_of(text, node, output);
    struct oro_hash key = step_of(plan, node)->key;
    oro_plan_destroy(plan);
    return key;
}

/* ---- Plans ---- */

TEST(uplifts_become_fields_where_fields_are_needed)
{
    struct oro_plan *plan = plan_of(
        DOCUMENT(DISC NODE("s", "sum", LINK("a", "d.uplift") LINK("amount", "d.uplift"))), "s", "field");
    assert_int_equal(plan->step_count, 3);
    const struct oro_step *a = step_of(plan, "s:a");
    assert_ptr_equal(a->type, &raster);
    assert_int_equal(a->grid.width, 8); /* the world's: no raster is linked */
    assert_int_equal(step_of(plan, "s")->sources[2].step, a - plan->steps); /* made once */
    assert_int_equal(step_of(plan, "s")->sources[0].step, a - plan->steps);
    assert_int_equal(step_of(plan, "s")->grid.height, 4);
    oro_plan_destroy(plan);
}

TEST(at_other_sizes_they_are_made_anew)
{
    struct oro_plan *plan = plan_of(
        DOCUMENT(DISC NODE("f", "source", SET("factor", "2")) NODE("s", "sum", LINK("a", "d.uplift"))
                     NODE("t", "sum", LINK("a", "f.field") LINK("b", "d.uplift")) NODE(
                         "u", "sum", LINK("a", "t.field") LINK("b", "s.field") LINK("amount", "d.uplift"))),
        "u", "field");
    assert_int_equal(step_of(plan, "s:a")->grid.width, 8);
    assert_int_equal(step_of(plan, "t:b")->grid.width, 16);
    const struct oro_step *u = step_of(plan, "u");
    assert_int_equal(u->sources[2].step, step_of(plan, "t:b") - plan->steps);
    assert_int_equal(plan->step_count, 8); /* and s.field is resampled */
    oro_plan_destroy(plan);
}

TEST(they_come_at_the_size_of_the_node)
{
    static const char *const inputs[] = {
        LINK("a", "d.uplift") LINK("b", "f.field"),      /* even where the first leads otherwise */
        LINK("a", "f.field") LINK("b", "d.uplift"),      /* ... */
        LINK("a", "d.uplift") LINK("amount", "f.field"), /* a map leads where nothing else does */
        LINK("a", "f.field") LINK("amount", "d.uplift") LINK("b", "g.field")};
    for (int i = 0; i < 4; i++) {
        char text[1000];
        snprintf(text, sizeof text,
                 DOCUMENT(DISC NODE("f", "source", SET("factor", "4")) NODE("g", "source", "")
                              NODE("s", "sum", "%s")),
                 inputs[i]);
        struct oro_plan *plan = plan_of(text, "s", "field");
        assert_int_equal(step_of(plan, "s")->grid.width, 32);
        const char *id = strstr(inputs[i], "amount\" from=\"d") ? "s:amount" : i == 1 ? "s:b" : "s:a";
        assert_ptr_equal(step_of(plan, id)->type, &raster);
        assert_int_equal(step_of(plan, id)->grid.width, 32);
        assert_true(step_of(plan, id)->grid.cell == 6.25);
        assert_int_equal(plan->step_count, i == 3 ? 6 : 4);
        oro_plan_destroy(plan);
    }
}

TEST(inputs_that_take_trees_get_them)
{
    struct oro_plan *plan =
        plan_of(DOCUMENT(DISC NODE("g", "grow", LINK("uplift", "d.uplift") LINK("weight", "d.uplift"))), "g",
                "field");
    assert_int_equal(plan->step_count, 2);
    oro_plan_destroy(plan);
    /* A field that becomes an uplift tree keeps its size, and does not set that of others. */
    plan = plan_of(DOCUMENT(NODE("f", "source", SET("factor", "4")) NODE("t", "source", SET("factor", "2"))
                                NODE("g", "grow", LINK("uplift", "f.field"))
                                    NODE("h", "grow", LINK("uplift", "f.field") LINK("terrain", "t.field"))
                                        NODE("s", "sum", LINK("a", "g.field") LINK("b", "h.field"))),
                   "s", "field");
    assert_int_equal(step_of(plan, "g")->grid.width, 8);
    assert_int_equal(step_of(plan, "h")->grid.width, 16);
    assert_int_equal(plan->step_count, 6); /* s:b is resampled */
    oro_plan_destroy(plan);
}

TEST(targets_become_fields_on_demand)
{
    struct oro_target target = {"d", "uplift"};
    struct oro_plan *plan =
        plan_in(&all, DOCUMENT(DISC), &target, &(struct oro_plan_options){.fields_only = true});
    assert_non_null(plan);
    assert_string_equal(plan->steps[plan->targets[0].step].id, "d:uplift");
    struct oro_value *value = run(plan);
    assert_non_null(value);
    assert_int_equal(value->type, ORO_FIELD);
    assert_int_equal(value->grid.width, 8);
    oro_value_release(value);
    oro_plan_destroy(plan);
    value = value_of(DOCUMENT(DISC), "d", "uplift");
    assert_int_equal(value->type, ORO_UPLIFT);
    assert_null(oro_value_buffer(value, &err)); /* never on the device */
    oro_value_release(value);
    assert_int_equal(device.used_bytes, 0);
}

TEST(trees_take_no_device_memory)
{
    struct oro_plan *plan = plan_of(DOCUMENT(DISC), "d", "uplift");
    assert_int_equal(plan->steps[0].output_bytes, 0);
    assert_int_equal(plan->largest_buffer, 0);
    oro_plan_destroy(plan);
}

TEST(programs_without_a_rasterizer_say_so)
{
    static const struct oro_node_type *const few[] = {&disc, &sum};
    static const struct oro_registry registry = {.types = few, .count = 2};
    assert_null(plan_in(&registry, DOCUMENT(DISC NODE("s", "sum", LINK("a", "d.uplift"))),
                        &(struct oro_target){"s", "field"}, &(struct oro_plan_options){0}));
    assert_non_null(strstr(err.text, "'a' is an uplift"));
    assert_string_equal(err.node, "s");
}

TEST(composites_carry_them)
{
    const char *text =
        DOCUMENT(NODE("f", "source", SET("factor", "2"))
                     NODE("m", "massif", LINK("field", "f.field") SET("lines", "1 2, 3 4; 5 6, 7 8"))
                         NODE("n", "draw", LINK("lines", "m.lines")) NODE("e", "disc", "")
                             NODE("o", "massif", LINK("field", "e.uplift") LINK("lines", "m.lines")));
    struct oro_plan *plan = plan_of(text, "m", "field");
    assert_ptr_equal(step_of(plan, "m/both:b")->type, &raster);
    assert_int_equal(step_of(plan, "m/both:b")->grid.width, 16);
    oro_plan_destroy(plan);
    expect_cells(text, "n", "counts", (const float[]){2, 1, 99}, 3);
    plan = plan_of(text, "o", "field");
    assert_int_equal(step_of(plan, "o/both:a")->grid.width, 8);
    oro_plan_destroy(plan);
    struct oro_value *value = value_of(text, "o", "lines");
    assert_int_equal(((const struct oro_network *)oro_value_host(value, NULL))->line_count, 2);
    oro_value_release(value);
    /* Lines that are optional for the composite are required by a part. */
    refused(DOCUMENT(NODE("f", "source", "") NODE("m", "massif", LINK("field", "f.field"))), "m", "field",
            "'lines' must be linked, or given");
    refused(DOCUMENT(NODE("x", "misfit", "")), "x", "field", "'lines' does not take an uplift");
}

TEST(documents_are_checked)
{
    refused(DOCUMENT(NODE("n", "draw", "")), "n", "copy", "'lines' needs a link to a network, or a value");
    refused(DOCUMENT(NODE("n", "draw", SET("lines", "1 2, three"))), "n", "copy", "input 'lines'");
    refused(DOCUMENT(DISC NODE("n", "draw", LINK("lines", "d.uplift"))), "n", "copy",
            "takes a network, but 'd.uplift' gives an uplift");
    refused(DOCUMENT(NODE("l", "draw", SET("lines", "")) NODE("g", "grow", LINK("uplift", "l.copy"))), "g",
            "field", "takes an uplift, but 'l.copy' gives a network");
    refused(DOCUMENT(NODE("l", "draw", SET("lines", "")) NODE("s", "sum", LINK("a", "l.copy"))), "s", "field",
            "takes a field, but 'l.copy' gives a network");
    refused(DOCUMENT(DISC NODE("l", "draw", SET("lines", ""))
                         NODE("g", "grow", LINK("uplift", "d.uplift") LINK("weight", "l.copy"))),
            "g", "field", "'weight' takes a field, but 'l.copy' gives a network");
    refused(DOCUMENT(NODE("g", "grow", "")), "g", "field", "'uplift' needs a link to an uplift");
    refused(DOCUMENT(NODE("g", "grow", SET("uplift", "1"))), "g", "field", "takes a link");
}

/* ---- Keys ---- */

TEST(keys_follow_what_is_drawn)
{
    static const char *const literals[] = {"1 2, 3 4", " 1.0 2.00,3 4 ", "1 2, 3 5", "1 2; 3 4", ""};
    struct oro_hash keys[5];
    for (int i = 0; i < 5; i++) {
        char text[1000];
        snprintf(text, sizeof text, DOCUMENT(NODE("n", "draw", SET("lines", "%s"))), literals[i]);
        keys[i] = key_of(text, "n", "copy");
        for (int k = 0; k < i; k++)
            assert_int_equal(oro_hash_equal(keys[i], keys[k]), i == 1 && k == 0);
    }
    /* An optional one that is not given is not an empty one. */
    struct oro_hash empty =
        key_of(DOCUMENT(NODE("n", "draw", SET("lines", "") SET("open", ""))), "n", "copy");
    assert_false(oro_hash_equal(empty, keys[4]));
    struct oro_hash here = key_of(DOCUMENT(DISC NODE("s", "sum", LINK("a", "d.uplift"))), "s", "field");
    struct oro_hash there = key_of(
        DOCUMENT(NODE("d", "disc", SET("x", "101")) NODE("s", "sum", LINK("a", "d.uplift"))), "s", "field");
    assert_false(oro_hash_equal(here, there));
}

/* ---- Evaluation ---- */

TEST(fields_and_trees_give_the_same)
{
    /* 2 (1 - d^2 / 90^2)^3 around 100, 100. */
    float wanted[CELLS];
    for (int i = 0; i < CELLS; i++) {
        double x = (i % 8 + 0.5) * 25 - 100, y = ((i / 8) + 0.5) * 25 - 100;
        double q = 1 - (x * x + y * y) / 8100;
        wanted[i] = q > 0 ? (float)(2 * q * q * q) : 0;
    }
    struct oro_value *value = value_of(DOCUMENT(DISC NODE("s", "sum", LINK("a", "d.uplift"))), "s", "field");
    const float *cells = oro_value_host(value, NULL);
    for (int i = 0; i < CELLS; i++)
        assert_true(cells[i] - wanted[i] < 1e-5f && wanted[i] - cells[i] < 1e-5f);
    assert_true(cells[CELLS - 4] > 0);
    /* The field, linked to an input for uplift trees, has the same values at the centres of its cells. */
    expect_cells(DOCUMENT(DISC NODE("s", "sum", LINK("a", "d.uplift"))
                              NODE("one", "source", SET("value", "1"))
                                  NODE("g", "grow", LINK("uplift", "s.field") LINK("weight", "one.field"))),
                 "g", "field", cells, CELLS);
    oro_value_release(value);
    /* A map that takes uplift trees is a number if nothing is linked. */
    expect_cells(
        DOCUMENT(NODE("f", "source", SET("value", "4")) NODE("g", "grow", LINK("uplift", "f.field"))), "g",
        "field", (const float[]){-2, -2}, 2);
}

TEST(networks_are_linked_or_given)
{
    expect_cells(DOCUMENT(NODE("l", "draw", SET("lines", "1 2, 3 4; 5 6; 7 8, 9 9")) NODE(
                     "n", "draw", LINK("lines", "l.copy") SET("more", "1 2; 3 4, 5 6") SET("open", ""))),
                 "n", "counts", (const float[]){3, 2, 0}, 3);
    expect_cells(DOCUMENT(NODE("n", "draw", SET("lines", ""))), "n", "counts", (const float[]){0, 1, 99}, 3);
}

TEST(mistakes_of_nodes_are_errors)
{
    run_fails(DOCUMENT(NODE("d", "disc", SET("radius", "0"))), "d", "uplift", "radius");
    assert_string_equal(err.node, "d");
    run_fails(DOCUMENT(NODE("d", "disc", SET("as_raster", "true"))), "d", "uplift", "'uplift'");
    run_fails(DOCUMENT(DISC NODE("w", "wrong", LINK("uplift", "d.uplift"))), "w", "field",
              "read as a raster, but it is an uplift");
    assert_int_equal(device.used_bytes, 0);
}

TEST(kernels_do_not_see_them)
{
    static const struct oro_input inputs[] = {
        ORO_IN_UPLIFT("rise"),
        ORO_IN_NETWORK(struct draw_params, lines, ""),
        ORO_IN_MAP(struct grow_params, weight, 0.5, .takes_uplift = true),
        {0}};
    static const struct oro_node_type type = {
        .id = "k", .inputs = inputs, .outputs = field_output, .params_size = 64, .kernel = "k.comp"};
    bool linked[3] = {false};
    struct oro_text text = {0};
    struct oro_dispatch dispatch = {.kernel = "k.comp", .grid = {1, 1, 1, 0, 0}};
    struct oro_arena *arena = oro_arena_create();
    assert_true(oro_kernel_default_slots(&type, linked, arena, &dispatch));
    assert_string_equal(dispatch.slots[0].name, "field_out");
    assert_null(dispatch.slots[1].name);
    oro_kernel_preamble(&type, linked, &dispatch, &text);
    assert_null(strstr(text.data, "rise"));
    assert_null(strstr(text.data, "lines"));
    assert_non_null(strstr(text.data, "float weight_at(ivec2 p) { return params.weight; }"));
    oro_text_free(&text);
    oro_arena_destroy(arena);
}

/* ---- The cache ---- */

static char folder[64];

FIXTURE(open_folder)
{
    snprintf(folder, sizeof folder, P_tmpdir "/orograph-plain-XXXXXX");
    return begin(state) || !mkdtemp(folder);
}

FIXTURE(close_folder)
{
    oro_cache_destroy(cache);
    cache = NULL;
    return remove_tree(folder);
}

static void fresh_cache(void)
{
    oro_cache_destroy(cache);
    cache = oro_cache_create(&(struct oro_cache_options){
        .folder = folder, .device_bytes = 1 << 20, .host_bytes = 1 << 20, .disk_seconds = -1});
    assert_non_null(cache);
}

static const char *const cached = DOCUMENT(DISC NODE("n", "draw", SET("lines", "1 2, 3 4 5; 5 6 7 8")) NODE(
    "s", "sum", LINK("a", "d.uplift")) NODE("m", "massif", LINK("field", "s.field") LINK("lines", "n.copy")));

static void expect_from_cache(const char *node, const char *output, const struct oro_value *wanted)
{
    struct oro_value *value = value_of(cached, node, output);
    assert_int_equal(computed, 0);
    assert_int_equal(value->type, wanted->type);
    assert_int_equal(value->bytes, wanted->bytes);
    assert_memory_equal(oro_value_host(value, NULL), wanted->host, wanted->bytes);
    oro_value_release(value);
}

TEST_WITH(the_cache_brings_them_back, open_folder, close_folder)
{
    fresh_cache();
    struct oro_value *tree = value_of(cached, "d", "uplift"), *lines = value_of(cached, "n", "copy");
    assert_int_equal(computed, 1);
    assert_int_equal(tree->type, ORO_UPLIFT);
    assert_int_equal(lines->type, ORO_NETWORK);
    expect_from_cache("d", "uplift", tree);
    oro_cache_device_lost(cache);
    expect_from_cache("d", "uplift", tree);
    expect_from_cache("n", "copy", lines);
    fresh_cache(); /* now from the disk */
    expect_from_cache("d", "uplift", tree);
    expect_from_cache("n", "copy", lines);
    struct oro_value *field = value_of(cached, "s", "field"); /* made of the one from the disk */
    assert_int_equal(computed, 2);
    oro_value_release(field);
    oro_value_release(tree);
    oro_value_release(lines);
}

TEST_WITH(they_count_in_memory, open_folder, close_folder)
{
    fresh_cache();
    oro_value_release(value_of(cached, "d", "uplift"));
    oro_cache_destroy(cache);
    cache = oro_cache_create(&(struct oro_cache_options){.folder = "", .host_bytes = 1});
    oro_value_release(value_of(cached, "d", "uplift"));
    oro_cache_settle(cache);
    oro_value_release(value_of(cached, "d", "uplift"));
    assert_int_equal(computed, 1); /* there was no room for it */
}

static void path_of(struct oro_hash key, char path[256])
{
    char hex[ORO_HASH_TEXT];
    oro_hash_text(key, hex);
    snprintf(path, 256, "%s/v1/%.2s/%s", folder, hex, hex);
}

static void expect_dropped(struct oro_hash key, const char *node, const char *output, const void *bytes,
                           size_t size, size_t where)
{
    char path[256];
    path_of(key, path);
    assert_true(oro_file_write(path, bytes, size, NULL));
    fresh_cache();
    oro_value_release(value_of(cached, node, output));
    if (computed != 1)
        fail_msg("damage of %s at byte %zu of %zu went unnoticed", node, where, size);
}

TEST_WITH(damaged_files_are_dropped, open_folder, close_folder)
{
    static const char *const sockets[][2] = {{"d", "uplift"}, {"n", "copy"}};
    for (int k = 0; k < 2; k++) {
        struct oro_hash key = key_of(cached, sockets[k][0], sockets[k][1]);
        char path[256];
        void *good;
        size_t size;
        fresh_cache();
        oro_value_release(value_of(cached, sockets[k][0], sockets[k][1]));
        path_of(key, path);
        assert_true(oro_file_read(path, 100000, &good, &size, NULL));
        unsigned char *bytes = oro_alloc(size, 1);
        for (size_t i = 0; i < size; i++) {
            memcpy(bytes, good, size);
            bytes[i] ^= (unsigned char)(1 << i % 8);
            expect_dropped(key, sockets[k][0], sockets[k][1], bytes, size, i);
        }
        for (size_t i = 0; i < size; i += 5)
            expect_dropped(key, sockets[k][0], sockets[k][1], good, i, i);
        oro_free(bytes);
        oro_free(good);
    }
}

/* A file that is whole, but written by a program with other uplift trees. */
TEST_WITH(foreign_forms_are_dropped, open_folder, close_folder)
{
    static const enum oro_type kinds[] = {ORO_UPLIFT, ORO_NETWORK};
    for (int k = 0; k < 2; k++) {
        struct oro_hash key = key_of(cached, k ? "n" : "d", k ? "copy" : "uplift");
        fresh_cache();
        void *bytes = oro_alloc(400, 1);
        assert_non_null(bytes);
        struct oro_result result = {.value_count = 1};
        result.values[0] = oro_value_create_plain(kinds[k], bytes, 400, NULL);
        oro_cache_put(cache, key, &result, 1);
        oro_result_release(&result);
        fresh_cache();
        oro_value_release(value_of(cached, k ? "n" : "d", k ? "copy" : "uplift"));
        assert_int_equal(computed, 1);
    }
}

TEST_WITH(values_are_looked_at_when_they_are_taken, open_folder, close_folder)
{
    fresh_cache();
    struct oro_result result = {.value_count = 1};
    result.values[0] = oro_value_create_plain(ORO_UPLIFT, oro_alloc(400, 1), 400, NULL);
    oro_cache_put(cache, key_of(cached, "d", "uplift"), &result, 1);
    oro_result_release(&result);
    run_fails(cached, "s", "field", "uplift");
}

TEST_WITH(memory_may_be_out_at_any_point, open_folder, close_folder)
{
    struct oro_target target = {"m", "field"};
    bool done = false;
    for (size_t n = 1; !done; n++) {
        oro_cache_destroy(cache);
        cache = oro_cache_create(&(struct oro_cache_options){.folder = "", .host_bytes = 1 << 20});
        oro_memory_fail_at(n);
        struct oro_plan *plan = plan_in(&all, cached, &target, &(struct oro_plan_options){0});
        struct oro_value *value = plan ? run(plan) : NULL;
        oro_memory_fail_at(0);
        done = value && n > 1000;
        if (n > 20000)
            fail_msg("does not end");
        oro_value_release(value);
        oro_plan_destroy(plan);
        assert_int_equal(device.used_bytes, 0);
    }
}

TEST_GROUP(begin, NULL);
