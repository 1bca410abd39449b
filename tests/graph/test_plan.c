/* Plans, made without a device: order, sizes, composites, seeds, memory, limits. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "graph/file/xml.h"
#include "graph/plan/plan.h"
#include "tests/support/fake_device.h"
#include "tests/support/test.h"

/* ---- Node types ---- */

struct source_params {
    float height;
    int seed;
    const char *caption;
};
static const struct oro_input source_inputs[] = {
    ORO_IN_FIELD("like", .role = ORO_ROLE_LIKE, .optional = true),
    ORO_IN_FLOAT(struct source_params, height, 10, .min = 0, .max = 100),
    ORO_IN_SEED(struct source_params, seed),
    ORO_IN_TEXT(struct source_params, caption, "none"),
    {0}};
static const struct oro_output field_output[] = {ORO_OUT_FIELD("field"), {0}};
static const struct oro_node_type source = {.id = "source",
                                            .version = 1,
                                            .inputs = source_inputs,
                                            .outputs = field_output,
                                            .params_size = sizeof(struct source_params),
                                            .kernel = "source.comp",
                                            .spread = ORO_SPREAD_TILES};

struct rise_params {
    int factor;
};
static const struct oro_input rise_inputs[] = {
    ORO_IN_FIELD("field"), ORO_IN_INT(struct rise_params, factor, 2, .min = 1, .max = 64), {0}};
static bool rise_shape(struct oro_shape *s, const void *data, struct oro_grid *grid)
{
    const struct rise_params *p = data;
    *grid = *oro_shape_input(s, "field");
    if (grid->width * p->factor > oro_shape_cap(s)) {
        oro_shape_capped(s);
        return true;
    }
    grid->width *= p->factor;
    grid->height *= p->factor;
    grid->cell /= p->factor;
    return p->factor != 13 || oro_shape_fail(s, "thirteen is not a factor");
}
static const struct oro_node_type rise = {.id = "rise",
                                          .version = 1,
                                          .inputs = rise_inputs,
                                          .outputs = field_output,
                                          .params_size = sizeof(struct rise_params),
                                          .kernel = "rise.comp",
                                          .shape = rise_shape};

struct sim_params {
    int iterations;
    float strength;
};
static const struct oro_input sim_inputs[] = {
    ORO_IN_FIELD("field"),
    ORO_IN_INT(struct sim_params, iterations, 100, .role = ORO_ROLE_ITERATIONS, .min = 0, .max = 1000),
    ORO_IN_MAP(struct sim_params, strength, 0.5, .min = 0, .max = 1),
    ORO_IN_FIELD("other", .optional = true),
    {0}};
static const struct oro_output sim_outputs[] = {
    ORO_OUT_FIELD("field", .like = "field"), ORO_OUT_FIELD("flow"), {0}};
static const struct oro_node_type sim = {.id = "sim",
                                         .version = 1,
                                         .inputs = sim_inputs,
                                         .outputs = sim_outputs,
                                         .params_size = sizeof(struct sim_params),
                                         .kernel = "sim.comp",
                                         .spread = ORO_SPREAD_TILES,
                                         .scratch_fields = 3};

/* With buffers that are not rasters of the outputs' size: their memory depends on a param. */
struct table_params {
    int bytes;
};
static const struct oro_input table_inputs[] = {
    ORO_IN_FIELD("field"), ORO_IN_INT(struct table_params, bytes, 1000, .min = 0, .max = 1000000), {0}};
static bool table_shape(struct oro_shape *s, const void *data, struct oro_grid *grid)
{
    const struct table_params *p = data;
    *grid = *oro_shape_input(s, "field");
    oro_shape_scratch(s, p->bytes);
    return true;
}
static const struct oro_node_type table = {.id = "table",
                                           .version = 1,
                                           .inputs = table_inputs,
                                           .outputs = field_output,
                                           .params_size = sizeof(struct table_params),
                                           .kernel = "table.comp",
                                           .scratch_fields = 1,
                                           .shape = table_shape};

/* A composite: rise, sim, and a part that only the output `extra` needs. */
struct level_params {
    int factor, iterations, seed;
    float strength;
};
static const struct oro_input level_inputs[] = {
    ORO_IN_FIELD("field"),
    ORO_IN_INT(struct level_params, factor, 2, .min = 1, .max = 64),
    ORO_IN_INT(struct level_params, iterations, 7, .min = 0, .max = 1000),
    ORO_IN_MAP(struct level_params, strength, 0.5, .min = 0, .max = 1),
    ORO_IN_SEED(struct level_params, seed),
    {0}};
static const struct oro_output level_outputs[] = {ORO_OUT_FIELD("field"), ORO_OUT_FIELD("extra"), {0}};
static bool level_expand(struct oro_build *b, const void *params)
{
    (void)params;
    int up = oro_build_node(b, "rise", "up"), work = oro_build_node(b, "sim", "work");
    int extra = oro_build_node(b, "source", "extra");
    oro_build_forward(b, up, "field", "field");
    oro_build_forward(b, up, "factor", "factor");
    oro_build_link(b, work, "field", up, "field");
    oro_build_forward(b, work, "iterations", "iterations");
    oro_build_forward(b, work, "strength", "strength");
    oro_build_link(b, extra, "like", work, "field");
    oro_build_forward(b, extra, "seed", "seed");
    oro_build_number(b, extra, "height", 42);
    oro_build_output(b, "field", work, "field");
    oro_build_output(b, "extra", extra, "field");
    return true;
}
static const struct oro_node_type level = {.id = "level",
                                           .version = 1,
                                           .inputs = level_inputs,
                                           .outputs = level_outputs,
                                           .params_size = sizeof(struct level_params),
                                           .expand = level_expand};

/* Composites with mistakes, and one that contains itself. */
static bool endless_expand(struct oro_build *b, const void *params)
{
    (void)params;
    int part = oro_build_node(b, "endless", "again");
    oro_build_output(b, "field", part, "field");
    return true;
}
static const struct oro_node_type endless = {.id = "endless",
                                             .version = 1,
                                             .inputs = (const struct oro_input[]){{0}},
                                             .outputs = field_output,
                                             .expand = endless_expand};
static bool broken_expand(struct oro_build *b, const void *params)
{
    int part = oro_build_node(b, "sim", "part");
    switch (*(const int *)params) {
    case 0:
        oro_build_forward(b, part, "nothing", "kind");
        break;
    case 1:
        oro_build_node(b, "nothing", "part2");
        break;
    case 2:
        oro_build_forward(b, part, "strength", "kind"); /* an int for a float */
        break;
    case 3:
        oro_build_link(b, part, "field", part, "field");
        break;
    case 4:
        oro_build_number(b, part, "strength", 2);
        break;
    case 5:
        return false;
    case 6:
        oro_build_output(b, "field", part, "none");
        break;
    case 7: /* `field` of the part is open */
        oro_build_output(b, "field", part, "field");
        break;
    default: /* no output */
        break;
    }
    oro_build_forward(b, part, "iterations", "kind");
    return true;
}
static const struct oro_input broken_inputs[] = {{.name = "kind", .type = ORO_INT}, {0}};
static const struct oro_node_type broken = {.id = "broken",
                                            .version = 1,
                                            .inputs = broken_inputs,
                                            .outputs = field_output,
                                            .params_size = sizeof(int),
                                            .expand = broken_expand};

struct file_params {
    const char *file;
};
static const struct oro_input read_inputs[] = {ORO_IN_FILE(struct file_params, file, ""), {0}};
static const struct oro_node_type reader = {.id = "read",
                                            .version = 1,
                                            .inputs = read_inputs,
                                            .outputs = field_output,
                                            .params_size = sizeof(struct file_params)};
static const struct oro_input write_inputs[] = {
    ORO_IN_FIELD("field"), ORO_IN_FILE(struct file_params, file, "", .writes = true), {0}};
static const struct oro_node_type writer = {.id = "write",
                                            .version = 1,
                                            .inputs = write_inputs,
                                            .params_size = sizeof(struct file_params),
                                            .sink = true};

static const struct oro_node_type *const types[] = {&broken, &endless, &level, &reader, &rise,
                                                    &sim,    &source,  &table, &writer};
static const struct oro_registry registry = {.types = types, .count = sizeof types / sizeof types[0]};

/* ---- Helpers ---- */

#define DOCUMENT_OF(extent, resolution, aspect, nodes)                                                       \
    "<orograph xmlns=\"urn:orograph:1\" version=\"1\"><world extent=\"" extent "\" resolution=\"" resolution \
    "\" aspect=\"" aspect "\" seed=\"3\"/>" nodes "</orograph>"
#define DOCUMENT(nodes) DOCUMENT_OF("640", "64", "0.5", nodes)
#define NODE(id, type, inputs) "<node id=\"" id "\" type=\"" type "\" x=\"0\" y=\"0\">" inputs "</node>\n"
#define LINK(name, from) "<in name=\"" name "\" from=\"" from "\"/>"
#define SET(name, value) "<in name=\"" name "\" value=\"" value "\"/>"

static struct oro_document *doc;
static struct oro_error err;

static void read_document(const char *text, const char *path)
{
    struct oro_problems problems = {0};
    oro_document_destroy(doc);
    doc = oro_document_parse(text, strlen(text), path, &registry, &problems);
    assert_non_null(doc);
    oro_problems_free(&problems);
}

FIXTURE(forget_document)
{
    oro_document_destroy(doc);
    doc = NULL;
    return 0;
}

static struct oro_plan *plan_with(const char *node, const char *output,
                                  const struct oro_plan_options *options)
{
    struct oro_target target = {node, output};
    err = (struct oro_error){0};
    return oro_plan_create(doc, &registry, &target, 1, options, NULL, NULL, &err);
}

static struct oro_plan *plan_of(const char *text, const char *node, const char *output)
{
    read_document(text, "");
    struct oro_plan *plan = plan_with(node, output, &(struct oro_plan_options){0});
    if (!plan)
        fail_msg("%s", err.text);
    return plan;
}

static void refused(const char *text, const char *node, const char *output,
                    const struct oro_plan_options *options, enum oro_code code, const char *part)
{
    if (text)
        read_document(text, "");
    struct oro_plan *plan = plan_with(node, output, options ? options : &(struct oro_plan_options){0});
    assert_null(plan);
    if (err.code != code || !strstr(err.text, part))
        fail_msg("error %d: '%s' lacks '%s'", (int)err.code, err.text, part);
}

static const struct oro_step *step_of(const struct oro_plan *plan, const char *id)
{
    for (size_t i = 0; i < plan->step_count; i++)
        if (strcmp(plan->steps[i].id, id) == 0)
            return &plan->steps[i];
    fail_msg("no step '%s'", id);
    return NULL;
}

static void expect_order(const struct oro_plan *plan)
{
    for (size_t i = 0; i < plan->step_count; i++)
        for (size_t k = 0; plan->steps[i].type->inputs[k].name; k++)
            assert_true(plan->steps[i].sources[k].step < (int)i);
}

/* ---- Tests ---- */

TEST_WITH(only_what_is_needed_runs_in_order, NULL, forget_document)
{
    struct oro_plan *plan =
        plan_of(DOCUMENT(NODE("d", "sim", LINK("field", "b.field") LINK("other", "c.flow"))
                             NODE("c", "sim", LINK("field", "b.field") LINK("strength", "a.field"))
                                 NODE("unused", "source", "") NODE("b", "sim", LINK("field", "a.field"))
                                     NODE("a", "source", "")),
                "d", "flow");
    assert_int_equal(plan->step_count, 4);
    expect_order(plan);
    const struct oro_step *c = step_of(plan, "c"), *d = step_of(plan, "d");
    assert_int_equal(plan->targets[0].step, d - plan->steps);
    assert_int_equal(plan->targets[0].output, 1);
    assert_int_equal(d->sources[3].step, c - plan->steps);
    assert_int_equal(d->sources[3].output, 1);
    assert_int_equal(d->sources[2].step, -1);
    assert_true(((const struct sim_params *)d->params)->strength == 0.5f);
    assert_int_equal(d->line, 1);
    oro_plan_destroy(plan);
    oro_plan_destroy(NULL);
}

TEST_WITH(several_targets_share_steps, NULL, forget_document)
{
    read_document(DOCUMENT(NODE("a", "source", "") NODE("b", "sim", LINK("field", "a.field"))
                               NODE("w", "write", LINK("field", "b.field") SET("file", "out.png"))),
                  "");
    struct oro_target targets[] = {{"b", "field"}, {"a", "field"}, {"w", NULL}, {"b", "flow"}};
    struct oro_plan *plan =
        oro_plan_create(doc, &registry, targets, 4, &(struct oro_plan_options){0}, NULL, NULL, &err);
    assert_non_null(plan);
    assert_int_equal(plan->step_count, 3);
    assert_int_equal(plan->target_count, 4);
    assert_int_equal(plan->targets[0].step, 1);
    assert_int_equal(plan->targets[1].step, 0);
    assert_int_equal(plan->targets[2].step, 2);
    assert_int_equal(plan->targets[3].output, 1);
    oro_plan_destroy(plan);
    plan = oro_plan_create(doc, &registry, NULL, 0, &(struct oro_plan_options){0}, NULL, NULL, &err);
    assert_non_null(plan);
    assert_int_equal(plan->step_count, 0);
    oro_plan_destroy(plan);
}

TEST_WITH(wrong_targets_are_named, NULL, forget_document)
{
    read_document(DOCUMENT(NODE("a", "source", "")), "");
    refused(NULL, "b", "field", NULL, ORO_E_DOCUMENT, "no node 'b'");
    refused(NULL, "a", "flow", NULL, ORO_E_DOCUMENT, "no output 'flow'");
}

TEST_WITH(sizes_propagate, NULL, forget_document)
{
    struct oro_plan *plan = plan_of(
        DOCUMENT(NODE("a", "source", "") NODE("b", "rise", LINK("field", "a.field") SET("factor", "3"))
                     NODE("c", "source", LINK("like", "b.field"))),
        "c", "field");
    const struct oro_grid *a = &step_of(plan, "a")->grid, *c = &step_of(plan, "c")->grid;
    assert_true(a->width == 64 && a->height == 32 && a->cell == 10 && a->x == 0 && a->y == 0);
    assert_true(c->width == 192 && c->height == 96 && c->cell == 10.0 / 3);
    oro_plan_destroy(plan);
}

TEST_WITH(sizes_that_differ_are_brought_together, NULL, forget_document)
{
    struct oro_plan *plan = plan_of(
        DOCUMENT(NODE("a", "source", "") NODE("b", "rise", LINK("field", "a.field")) NODE(
            "c", "sim", LINK("field", "b.field") LINK("other", "a.field") LINK("strength", "a.field"))
                     NODE("d", "sim",
                          LINK("field", "a.field") LINK("other", "b.field") LINK("strength", "a.field"))
                         NODE("e", "sim", LINK("field", "c.field") LINK("other", "d.field"))),
        "e", "field");
    expect_order(plan);
    assert_int_equal(plan->step_count, 4 + 4 + 1);
    const struct oro_step *up = step_of(plan, "c:other"), *down = step_of(plan, "d:other");
    assert_string_equal(up->type->id, "resample");
    assert_int_equal(up->grid.width, 128);
    assert_int_equal(down->grid.width, 64);
    assert_int_equal(step_of(plan, "c:strength")->grid.width, 128);
    assert_int_equal(step_of(plan, "c")->sources[3].step, up - plan->steps);
    assert_int_equal(step_of(plan, "d")->grid.width, 64); /* the first field leads */
    assert_int_equal(step_of(plan, "e")->grid.width, 128);
    oro_plan_destroy(plan);
}

#define LEVELS                                                                                               \
    NODE("a", "source", "")                                                                                  \
    NODE("l1", "level", LINK("field", "a.field"))                                                            \
    NODE("l2", "level", LINK("field", "l1.field") SET("iterations", "9") LINK("strength", "a.field"))

TEST_WITH(composites_are_expanded, NULL, forget_document)
{
    struct oro_plan *plan = plan_of(DOCUMENT(LEVELS), "l2", "extra");
    expect_order(plan);
    const struct oro_step *work = step_of(plan, "l2/work"), *extra = step_of(plan, "l2/extra");
    assert_int_equal(((const struct sim_params *)work->params)->iterations, 9);
    assert_int_equal(((const struct sim_params *)step_of(plan, "l1/work")->params)->iterations, 7);
    assert_string_equal(plan->steps[work->sources[2].step].id, "l2/work:strength");
    assert_true(((const struct source_params *)extra->params)->height == 42);
    assert_int_equal(work->grid.width, 256);
    assert_int_equal(plan->targets[0].step, extra - plan->steps);
    assert_false(plan->capped);
    oro_plan_destroy(plan);
}

TEST_WITH(the_cap_holds_levels_back, NULL, forget_document)
{
    static const struct {
        int cap, width, iterations1, iterations2;
        bool capped;
    } cases[] = {{0, 256, 7, 9, false},  {256, 256, 7, 9, false}, {255, 128, 7, 0, true},
                 {128, 128, 7, 0, true}, {127, 64, 0, 0, true},   {1, 64, 0, 0, true}};
    read_document(DOCUMENT(LEVELS), "");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct oro_plan *plan =
            plan_with("l2", "field", &(struct oro_plan_options){.max_resolution = cases[i].cap});
        assert_non_null(plan);
        assert_int_equal(step_of(plan, "l2/work")->grid.width, cases[i].width);
        assert_int_equal(((const struct sim_params *)step_of(plan, "l1/work")->params)->iterations,
                         cases[i].iterations1);
        assert_int_equal(((const struct sim_params *)step_of(plan, "l2/work")->params)->iterations,
                         cases[i].iterations2);
        assert_int_equal(plan->capped, cases[i].capped);
        assert_int_equal(step_of(plan, "l2/work")->capped, cases[i].capped);
        assert_false(step_of(plan, "a")->capped);
        oro_plan_destroy(plan);
    }
}

TEST_WITH(mistakes_in_composites_are_errors, NULL, forget_document)
{
    static const char *const parts[] = {
        "no input 'nothing'", "no node type 'nothing'", "differ in type", "in the order",  "maximum",
        "without saying why", "no output 'none'",       "must be linked", "must be linked"};
    for (int i = 0; i < 9; i++) {
        char text[1000];
        snprintf(text, sizeof text, DOCUMENT(NODE("a", "broken", SET("kind", "%d"))), i);
        read_document(text, "");
        assert_null(plan_with("a", "field", &(struct oro_plan_options){0}));
        assert_int_not_equal(err.code, ORO_OK);
        if (!strstr(err.text, parts[i]))
            fail_msg("mistake %d: '%s' lacks '%s'", i, err.text, parts[i]);
    }
    refused(DOCUMENT(NODE("a", "endless", "")), "a", "field", NULL, ORO_E_LIMIT, "nested");
}

TEST_WITH(overrides_win, NULL, forget_document)
{
    read_document(DOCUMENT(NODE("a", "source", SET("height", "5"))
                               NODE("b", "sim", LINK("field", "a.field") LINK("strength", "a.field"))),
                  "");
    struct oro_override overrides[] = {
        {"a", "height", "7"}, {"b", "strength", "0.75"}, {"a", "height", "8"}, {"a", "caption", "mine"}};
    struct oro_plan *plan =
        plan_with("b", "field", &(struct oro_plan_options){.overrides = overrides, .override_count = 4});
    assert_non_null(plan);
    assert_true(((const struct source_params *)step_of(plan, "a")->params)->height == 8); /* the last one */
    assert_string_equal(((const struct source_params *)step_of(plan, "a")->params)->caption, "mine");
    const struct oro_step *b = step_of(plan, "b");
    assert_int_equal(b->sources[2].step, -1); /* a value in place of a link */
    assert_true(((const struct sim_params *)b->params)->strength == 0.75f);
    oro_plan_destroy(plan);
}

TEST_WITH(bad_overrides_are_refused, NULL, forget_document)
{
    static const struct {
        struct oro_override override;
        const char *part;
    } bad[] = {{{"x", "height", "1"}, "no node 'x'"}, {{"a", "heigt", "1"}, "no input 'heigt'"},
               {{"a", "height", "101"}, "maximum"},   {{"a", "height", "1,5"}, "1.5"},
               {{"a", "height", ""}, "height"},       {{"a", "like", "1"}, "link"}};
    read_document(DOCUMENT(NODE("a", "source", "")), "");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        refused(NULL, "a", "field",
                &(struct oro_plan_options){.overrides = &bad[i].override, .override_count = 1},
                ORO_E_DOCUMENT, bad[i].part);
}

/* The plan outlives the document and the registry. */
TEST_WITH(a_plan_stands_alone, NULL, forget_document)
{
    char *given = oro_copy_text("given");
    struct oro_override override = {"b", "caption", given};
    read_document(DOCUMENT(NODE("a", "source", SET("caption", "of the document"))
                               NODE("b", "source", LINK("like", "a.field"))),
                  "");
    struct oro_plan *plan =
        plan_with("b", "field", &(struct oro_plan_options){.overrides = &override, .override_count = 1});
    assert_non_null(plan);
    oro_free(given);
    forget_document(NULL);
    assert_string_equal(((const struct source_params *)plan->steps[0].params)->caption, "of the document");
    assert_string_equal(((const struct source_params *)plan->steps[1].params)->caption, "given");
    oro_plan_destroy(plan);
}

static uint32_t seed_of(const char *text, const char *step, const struct oro_plan_options *options)
{
    read_document(text, "");
    struct oro_plan *plan = plan_with("t", "field", options);
    assert_non_null(plan);
    uint32_t seed = step_of(plan, step)->seed;
    assert_int_equal(((const struct source_params *)step_of(plan, step)->params)->seed, (int)seed);
    oro_plan_destroy(plan);
    return seed;
}

TEST_WITH(seeds_mix, NULL, forget_document)
{
    const struct oro_plan_options none = {0}, four = {.has_seed = true, .seed = 4},
                                  three = {.has_seed = true, .seed = 3};
    const char *zero = DOCUMENT(NODE("t", "source", "")),
               *one = DOCUMENT(NODE("t", "source", SET("seed", "1")));
    uint32_t first = seed_of(zero, "t", &none);
    assert_int_equal(first, seed_of(zero, "t", &none));
    assert_int_equal(first, seed_of(zero, "t", &three)); /* the document's is 3 */
    assert_int_not_equal(first, seed_of(one, "t", &none));
    assert_int_not_equal(first, seed_of(zero, "t", &four));
    /* A composite's seed goes to its parts unmixed: they mix it, once. */
    read_document(
        DOCUMENT(NODE("a", "source", "") NODE("l", "level", LINK("field", "a.field") SET("seed", "1"))), "");
    struct oro_plan *plan = plan_with("l", "extra", &none);
    assert_int_equal(step_of(plan, "l/extra")->seed, seed_of(one, "t", &none));
    oro_plan_destroy(plan);
}

TEST_WITH(memory_is_estimated, NULL, forget_document)
{
    enum { FIELD = 64 * 32 * 4 };
    struct oro_plan *plan =
        plan_of(DOCUMENT(NODE("a", "source", "") NODE("b", "sim", LINK("field", "a.field"))
                             NODE("c", "sim", LINK("field", "b.field"))),
                "c", "field");
    assert_int_equal(step_of(plan, "a")->output_bytes, FIELD);
    assert_int_equal(step_of(plan, "b")->output_bytes, 2 * FIELD);
    assert_int_equal(step_of(plan, "b")->scratch_bytes, 3 * FIELD);
    /* While c runs: both outputs of b, both of c, and what it needs besides. a is gone. */
    assert_int_equal(plan->peak_bytes, 7 * FIELD);
    assert_int_equal(plan->largest_buffer, FIELD);
    oro_plan_destroy(plan);
    refused(NULL, "c", "field", &(struct oro_plan_options){.memory_bytes = 7 * FIELD - 1}, ORO_E_LIMIT,
            "--memory");
    plan = plan_with("c", "field", &(struct oro_plan_options){.memory_bytes = 7 * FIELD});
    assert_non_null(plan);
    oro_plan_destroy(plan);
}

/* The bytes that `shape` reports are added to those of the rasters. */
TEST_WITH(other_memory_is_estimated, NULL, forget_document)
{
    enum { FIELD = 64 * 32 * 4 };
    static const int bytes[] = {1000, 500000};
    for (int i = 0; i < 2; i++) {
        char text[1024];
        snprintf(
            text, sizeof text,
            DOCUMENT(NODE("a", "source", "") NODE("t", "table", LINK("field", "a.field") SET("bytes", "%d"))),
            bytes[i]);
        struct oro_plan *plan = plan_of(text, "t", "field");
        assert_int_equal(step_of(plan, "t")->scratch_bytes, FIELD + bytes[i]);
        assert_int_equal(plan->peak_bytes, 3 * FIELD + bytes[i]);
        oro_plan_destroy(plan);
    }
}

/* Rasters above the limit are in tiles: windows of them are on the device, which is all that it has to hold.
 */
TEST_WITH(tiles_take_windows_of_memory, NULL, forget_document)
{
    enum { SIDE = 1024, FIELD = SIDE * SIDE * 4, WINDOW = (64 + 2 * 64) * (64 + 2 * 64) * 4 };
    const struct oro_plan_options options = {.spread = {.whole = SIDE * SIDE - 1, .tile = 64, .depth = 32},
                                             .memory_bytes = 6 * WINDOW};
    const char *text = DOCUMENT_OF("640", "1024", "1",
                                   NODE("a", "source", "") NODE("b", "sim", LINK("field", "a.field"))
                                       NODE("c", "sim", LINK("field", "b.field")));
    read_document(text, "");
    struct oro_plan *plan = plan_with("c", "field", &options);
    assert_true(plan->spread && step_of(plan, "c")->spread);
    assert_int_equal(plan->peak_bytes, 6 * WINDOW); /* one input, two outputs, three fields between */
    assert_int_equal(plan->peak_tiles, 7 * FIELD);
    assert_int_equal(plan->least_bytes, 6 * WINDOW);
    assert_int_equal(plan->peak_host, 7 * FIELD);
    assert_true(plan->out_of_core && plan->ranks == 0); /* nothing is left for a tile */
    oro_plan_destroy(plan);
    struct oro_plan_options less = options;
    less.memory_bytes += 2 * (size_t)FIELD; /* two of seven, and 73 of 256 tiles */
    plan = plan_with("c", "field", &less);
    assert_int_equal(plan->peak_bytes, 6 * WINDOW + 2 * FIELD);
    assert_int_equal(plan->peak_host, 5 * FIELD);
    assert_true(plan->out_of_core && plan->ranks == 4);
    oro_plan_destroy(plan);
    less.memory_bytes = 0; /* as much as is wanted */
    plan = plan_with("c", "field", &less);
    assert_int_equal(plan->peak_bytes, 6 * WINDOW + 7 * FIELD);
    assert_true(!plan->out_of_core && plan->ranks == 1);
    oro_plan_destroy(plan);
    less.memory_bytes = options.memory_bytes - 1;
    refused(NULL, "c", "field", &less, ORO_E_LIMIT, "--tile");
    less.spread.whole++;
    less.memory_bytes = 7 * (size_t)FIELD;
    plan = plan_with("c", "field", &less);
    assert_false(plan->spread || step_of(plan, "c")->spread);
    oro_plan_destroy(plan);
}

/* A node that needs its rasters in one piece is named, and what to do about it. */
TEST_WITH(what_cannot_be_cut_is_named, NULL, forget_document)
{
    const struct oro_plan_options options = {.spread = {.whole = 64 * 32 - 1, .tile = 32, .depth = 32}};
    refused(DOCUMENT(NODE("a", "source", "") NODE("t", "table", LINK("field", "a.field"))), "t", "field",
            &options, ORO_E_LIMIT, "--whole");
    assert_string_equal(err.node, "t");
    assert_non_null(strstr(err.text, "'table'"));
}

/* Steps that no target needs are not counted. */
TEST_WITH(unused_parts_take_no_memory, NULL, forget_document)
{
    enum { FIELD = 64 * 32 * 4 };
    const char *text =
        DOCUMENT(NODE("a", "source", "") NODE("l", "level", LINK("field", "a.field") SET("factor", "1")));
    struct oro_plan *plan = plan_of(text, "l", "field");
    assert_int_equal(plan->peak_bytes, 6 * FIELD);
    oro_plan_destroy(plan);
}

TEST_WITH(the_device_limits_one_buffer, NULL, forget_document)
{
    struct oro_device device = FAKE_DEVICE;
    device.info.buffer_limit = 64 * 32 * 4 - 1;
    read_document(DOCUMENT(NODE("a", "source", "")), "");
    struct oro_target target = {"a", "field"};
    assert_null(
        oro_plan_create(doc, &registry, &target, 1, &(struct oro_plan_options){0}, &device, NULL, &err));
    assert_int_equal(err.code, ORO_E_LIMIT);
    device.info.buffer_limit++;
    struct oro_plan *plan =
        oro_plan_create(doc, &registry, &target, 1, &(struct oro_plan_options){0}, &device, NULL, &err);
    assert_non_null(plan);
    assert_false(oro_hash_equal(plan->steps[0].key, (struct oro_hash){0}));
    oro_plan_destroy(plan);
}

TEST_WITH(sizes_have_limits, NULL, forget_document)
{
    refused(DOCUMENT(NODE("a", "source", "") NODE("b", "rise", LINK("field", "a.field") SET("factor", "64"))
                         NODE("c", "rise", LINK("field", "b.field") SET("factor", "64"))),
            "c", "field", NULL, ORO_E_LIMIT, "131072");
    assert_string_equal(err.node, "c");
    refused(DOCUMENT(NODE("a", "source", "") NODE("b", "rise", LINK("field", "a.field") SET("factor", "13"))),
            "b", "field", NULL, ORO_E_EVALUATE, "thirteen");
    assert_string_equal(err.node, "b");
}

/* 131072 x 65536 cells: more than a raster in one piece may have. Where nothing runs, they may be planned. */
TEST_WITH(one_piece_has_a_limit, NULL, forget_document)
{
    struct oro_device device = FAKE_DEVICE;
    struct oro_target target = {"c", "field"};
    struct oro_plan_options options = {0};
    read_document(DOCUMENT(NODE("a", "source", "")
                               NODE("b", "rise", LINK("field", "a.field") SET("factor", "64"))
                                   NODE("c", "rise", LINK("field", "b.field") SET("factor", "32"))),
                  "");
    assert_null(oro_plan_create(doc, &registry, &target, 1, &options, &device, NULL, &err));
    assert_int_equal(err.code, ORO_E_LIMIT);
    assert_non_null(strstr(err.text, "in one piece, and at most 32768 x 32768"));
    assert_string_equal(err.node, "c");
    struct oro_plan *plan = oro_plan_create(doc, &registry, &target, 1, &options, NULL, NULL, &err);
    assert_non_null(plan);
    oro_plan_destroy(plan);
}

TEST_WITH(invalid_documents_are_refused_whole, NULL, forget_document)
{
    read_document(DOCUMENT(NODE("a", "source", "") NODE("x", "sim", LINK("field", "y.field"))
                               NODE("z", "unheard-of", "")),
                  "");
    struct oro_problems problems = {0};
    struct oro_target target = {"a", "field"};
    assert_null(
        oro_plan_create(doc, &registry, &target, 1, &(struct oro_plan_options){0}, NULL, &problems, &err));
    assert_int_equal(err.code, ORO_E_DOCUMENT);
    assert_true(problems.errors >= 2); /* all at once */
    oro_problems_free(&problems);
    refused(DOCUMENT(NODE("a", "sim", LINK("field", "b.field")) NODE("b", "sim", LINK("field", "a.field"))),
            "a", "field", NULL, ORO_E_DOCUMENT, "");
    refused(DOCUMENT(NODE("a", "sim", LINK("field", "a.field"))), "a", "field", NULL, ORO_E_DOCUMENT, "");
}

/* An input that the interface leads to may be open in a valid document, but nothing can be evaluated then. */
TEST_WITH(open_inputs_are_refused, NULL, forget_document)
{
    read_document(DOCUMENT("<interface><in name=\"field\" to=\"a.field\"/></interface>" NODE("a", "sim", "")),
                  "");
    refused(NULL, "a", "field", NULL, ORO_E_DOCUMENT, "'field' must be linked");
    assert_string_equal(err.node, "a");
}

/* ---- Files ---- */

/* Otherwise the result would depend on which is done first, or how often. */
TEST_WITH(no_file_is_written_and_used, NULL, forget_document)
{
    read_document(DOCUMENT(NODE("r", "read", SET("file", "a.png"))
                               NODE("w", "write", LINK("field", "r.field") SET("file", "./a.png"))),
                  "doc.oro");
    refused(NULL, "w", NULL, NULL, ORO_E_DOCUMENT, "which node 'r' reads");
    assert_string_equal(err.node, "w");
    struct oro_override override = {"w", "file", "b.png"};
    struct oro_plan *plan =
        plan_with("w", NULL, &(struct oro_plan_options){.overrides = &override, .override_count = 1});
    assert_non_null(plan);
    oro_plan_destroy(plan);
}

TEST_WITH(files_stay_in_the_project, NULL, forget_document)
{
    char folder[64], path[128], file[128];
    snprintf(folder, sizeof folder, P_tmpdir "/orograph-plan-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/doc.oro", folder);
    snprintf(file, sizeof file, "%s/a.png", folder);
    assert_true(oro_file_write(file, "x", 1, NULL));
    static const char *const outside[] = {"/etc/hostname", "../a.png", "b/../../a.png"};
    char text[1000];
    for (int i = 0; i < 3; i++) {
        snprintf(text, sizeof text, DOCUMENT(NODE("r", "read", SET("file", "%s"))), outside[i]);
        read_document(text, path);
        refused(NULL, "r", "field", NULL, ORO_E_FILE, outside[i]);
        assert_string_equal(err.document, path);
        assert_string_equal(err.node, "r");
        struct oro_plan *plan = plan_with("r", "field", &(struct oro_plan_options){.allow_any_path = true});
        assert_non_null(plan);
        oro_plan_destroy(plan);
    }
    read_document(DOCUMENT(NODE("a", "source", "")
                               NODE("r", "write", LINK("field", "a.field") SET("file", "/tmp/x.png"))),
                  path);
    refused(NULL, "r", NULL, NULL, ORO_E_FILE, "/tmp/x.png");
    /* Paths given by the user are trusted. */
    struct oro_override override = {"r", "file", "/tmp/x.png"};
    struct oro_plan *plan =
        plan_with("r", NULL, &(struct oro_plan_options){.overrides = &override, .override_count = 1});
    assert_non_null(plan);
    assert_string_equal(((const struct file_params *)step_of(plan, "r")->params)->file, "/tmp/x.png");
    oro_plan_destroy(plan);
    read_document(DOCUMENT(NODE("r", "read", SET("file", "a.png"))), path);
    plan = plan_with("r", "field", &(struct oro_plan_options){0});
    assert_non_null(plan);
    assert_string_equal(((const struct file_params *)step_of(plan, "r")->params)->file, file);
    oro_plan_destroy(plan);
    unlink(file);
    rmdir(folder);
}

/* ---- Size ---- */

/* Each node links to the one before; written backwards, so that the last node comes first. */
static char *chain(size_t count)
{
    struct oro_text text = {0};
    oro_text_add(&text,
                 "<orograph xmlns=\"urn:orograph:1\" version=\"1\"><world extent=\"64\" resolution=\"8\"/>");
    for (size_t i = count; i-- > 1;)
        oro_text_addf(&text, NODE("n%zu", "sim", LINK("field", "n%zu.field") SET("iterations", "%zu")), i,
                      i - 1, i % 100);
    oro_text_add(&text, NODE("n0", "source", "") "</orograph>");
    assert_false(text.failed);
    return text.data;
}

TEST_WITH(long_chains_need_no_stack, NULL, forget_document)
{
    static const size_t counts[] = {5000, 50000};
    for (int i = 0; i < 2; i++) {
        char *text = chain(counts[i]), last[32];
        snprintf(last, sizeof last, "n%zu", counts[i] - 1);
        struct oro_plan *plan = plan_of(text, last, "field");
        assert_int_equal(plan->step_count, counts[i]);
        expect_order(plan);
        assert_int_equal(strtoul(plan->steps[counts[i] / 2].id + 1, NULL, 10), counts[i] / 2);
        assert_int_equal(plan->peak_bytes, 7 * 8 * 8 * 4);
        oro_plan_destroy(plan);
        oro_free(text);
    }
}

TEST_WITH(memory_may_be_out_at_any_point, NULL, forget_document)
{
    read_document(DOCUMENT(LEVELS), "");
    for (size_t n = 1; n < 400; n++) {
        oro_memory_fail_at(n);
        struct oro_plan *plan = plan_with("l2", "extra", &(struct oro_plan_options){0});
        oro_memory_fail_at(0);
        assert_true(plan || err.code != ORO_OK);
        oro_plan_destroy(plan);
    }
}
