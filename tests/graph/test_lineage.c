/* The lineage of a terrain through a graph: which rasters are terrains, which node drained them, and which
 * changed them after that. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <libxml/parser.h>

#include "base/memory.h"
#include "graph/eval/evaluator.h"
#include "graph/file/xml.h"
#include "graph/plan/plan_private.h"
#include "tests/support/test.h"

struct params {
    float mask;
};

#define TYPE(name, list, ...)                                                                                \
    static const struct oro_input name##_inputs[] = {list, ORO_IN_MASK(struct params), {0}};                 \
    static const struct oro_node_type name = {.id = #name,                                                   \
                                              .version = 1,                                                  \
                                              .inputs = name##_inputs,                                       \
                                              .params_size = sizeof(struct params),                          \
                                              .kernel = "none.comp",                                         \
                                              __VA_ARGS__}

static const struct oro_output terrain_and_depth[] = {
    ORO_OUT_TERRAIN(.doc = "Ground"), ORO_OUT_FIELD("carved", .unit = ORO_METRE), {0}};
static const struct oro_output raster[] = {ORO_OUT_FIELD("field", .role = ORO_ROLE_FIELD), {0}};
static const struct oro_output heights[] = {ORO_OUT_FIELD("field", .role = ORO_ROLE_FIELD, .unit = ORO_METRE),
                                            {0}};

#define TERRAIN ORO_IN_TERRAIN(.doc = "Ground")

TYPE(blur, ORO_IN_FIELD("field"), .outputs = raster);
TYPE(breach, TERRAIN, .outputs = terrain_and_depth, .drains = true);
TYPE(constant, ORO_IN_LIKE(.doc = "Size"), .outputs = raster);
TYPE(erode, TERRAIN, .outputs = terrain_and_depth);
TYPE(noise, ORO_IN_LIKE(.doc = "Size"), .outputs = heights);
TYPE(slope, TERRAIN, .outputs = raster);

static const struct oro_input join_inputs[] = {
    ORO_IN_FIELD("a"), ORO_IN_FIELD("b", .optional = true), ORO_IN_MASK(struct params), {0}};
static const struct oro_node_type join = {.id = "join",
                                          .version = 1,
                                          .inputs = join_inputs,
                                          .outputs = raster,
                                          .params_size = sizeof(struct params),
                                          .kernel = "none.comp"};

static const struct oro_node_type *const types[] = {&blur, &breach, &constant, &erode, &join, &noise, &slope};
static const struct oro_registry registry = {.types = types, .count = sizeof types / sizeof types[0]};

#define NODE(id, type, links) "<node id=\"" id "\" type=\"" type "\">" links "</node>\n"
#define LINK(name, from) "<in name=\"" name "\" from=\"" from "\"/>"

/* Every node of this graph is asked about. */
/* clang-format off */
static const char graph[] =
    "<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n<world extent=\"320\" resolution=\"32\"/>\n"
    NODE("hills", "noise", "")
    NODE("level", "constant", LINK("like", "hills.field"))
    NODE("dug", "breach", LINK("terrain", "hills.field"))
    NODE("soft", "blur", LINK("field", "dug.terrain"))
    NODE("worn", "erode", LINK("terrain", "soft.field"))
    NODE("again", "breach", LINK("terrain", "worn.terrain"))
    NODE("steep", "slope", LINK("terrain", "dug.terrain"))
    NODE("softer", "blur", LINK("field", "steep.field"))
    NODE("sum", "join", LINK("a", "level.field") LINK("b", "dug.terrain"))
    NODE("mixed", "join", LINK("a", "hills.field") LINK("b", "dug.terrain"))
    NODE("masked", "join", LINK("a", "level.field") LINK("mask", "dug.terrain"))
    NODE("ditch", "blur", LINK("field", "dug.carved"))
    "</orograph>\n";
/* clang-format on */

struct asked {
    struct oro_document *doc;
    struct oro_plan *plan;
    struct oro_lineage lineage;
};

static struct asked ask(const char *node, const char *output)
{
    struct asked asked = {0};
    struct oro_problems problems = {0};
    struct oro_error err = {0};
    struct oro_target target = {node, output};
    struct oro_plan_options options = {0};
    asked.doc = oro_document_parse(graph, strlen(graph), "", &registry, &problems);
    assert_non_null(asked.doc);
    assert_int_equal(problems.errors, 0);
    oro_problems_free(&problems);
    asked.plan = oro_plan_create(asked.doc, &registry, &target, 1, &options, NULL, NULL, &err);
    if (!asked.plan)
        fail_msg("%s", err.text);
    assert_true(oro_plan_lineage(asked.plan, asked.plan->targets[0], &asked.lineage, &err));
    return asked;
}

static void end(struct asked *asked)
{
    oro_plan_destroy(asked->plan);
    oro_document_destroy(asked->doc);
}

/* NULL texts: nobody. */
static void expect(const char *node, const char *output, bool terrain, bool certain, const char *drained_by,
                   const char *changed_by)
{
    struct asked asked = ask(node, output);
    const struct oro_lineage *l = &asked.lineage;
    if (l->terrain != terrain || l->certain != certain)
        fail_msg("%s: terrain %d, certain %d", node, l->terrain, l->certain);
    if (drained_by && l->drained_by)
        assert_string_equal(l->drained_by, drained_by);
    else
        assert_true(drained_by == l->drained_by);
    if (changed_by && l->changed_by)
        assert_string_equal(l->changed_by, changed_by);
    else
        assert_true(changed_by == l->changed_by);
    assert_false(l->resampled || l->has_figures);
    end(&asked);
}

TEST(terrains)
{
    expect("hills", "field", true, true, NULL, NULL);
    expect("level", "field", false, false, NULL, NULL); /* `like` gives only its size */
    expect("steep", "field", false, false, NULL, NULL);
    expect("softer", "field", false, false, NULL, NULL);
    expect("masked", "field", false, false, NULL, NULL); /* a mask gives only its strength */
    expect("dug", "carved", false, false, NULL, NULL);
    expect("ditch", "field", false, false, NULL, NULL);
}

TEST(drained)
{
    expect("dug", "terrain", true, true, "dug", NULL);
    expect("soft", "field", true, false, "dug", "soft");
    expect("worn", "terrain", true, true, "dug", "soft"); /* the first one that changed it */
    expect("again", "terrain", true, true, "again", NULL);
    expect("sum", "field", true, false, "dug", "sum");
    expect("mixed", "field", true, false, "dug", "mixed");
}

/* Where the plan brings a raster to another size. */
TEST(resampled)
{
    struct asked asked = ask("mixed", "field");
    struct oro_plan *plan = asked.plan;
    int last = asked.plan->targets[0].step, dug = plan->steps[last].sources[1].step;
    assert_string_equal(plan->steps[dug].id, "dug");
    /* A step as the planner puts it in. */
    struct oro_step steps[16];
    struct oro_plan_source from = plan->steps[last].sources[1], to = {last, 0};
    memcpy(steps, plan->steps, plan->step_count * sizeof *steps);
    steps[last] = (struct oro_step){.id = "x:a", .type = &oro_node_resample, .sources = &from};
    struct oro_plan changed = {.steps = steps, .step_count = plan->step_count};
    struct oro_lineage lineage;
    assert_true(oro_plan_lineage(&changed, to, &lineage, NULL));
    assert_true(lineage.terrain && lineage.certain && lineage.resampled);
    assert_string_equal(lineage.drained_by, "dug");
    assert_null(lineage.changed_by);
    end(&asked);
}

TEST(masks)
{
    const float mask[3] = {0, 0.5f, 1}, terrain[3] = {0, 0.5f, 1.5f};
    struct oro_lineage lineage = {.terrain = true};
    assert_false(oro_lineage_is_terrain(&lineage, mask, 3));
    assert_true(oro_lineage_is_terrain(&lineage, terrain, 3));
    lineage.certain = true;
    assert_true(oro_lineage_is_terrain(&lineage, mask, 3));
    lineage = (struct oro_lineage){0};
    assert_false(oro_lineage_is_terrain(&lineage, terrain, 3));
}

TEST(no_memory)
{
    struct asked asked = ask("dug", "terrain");
    struct oro_error err = {0};
    oro_memory_fail_at(1);
    assert_false(oro_plan_lineage(asked.plan, asked.plan->targets[0], &asked.lineage, &err));
    assert_int_equal(err.code, ORO_E_MEMORY);
    oro_memory_fail_at(0);
    assert_true(oro_plan_lineage(asked.plan, (struct oro_plan_source){-1, 0}, &asked.lineage, &err));
    assert_false(asked.lineage.terrain);
    end(&asked);
}

FIXTURE(clean_up)
{
    xmlCleanupParser();
    return 0;
}

TEST_GROUP(NULL, clean_up);
