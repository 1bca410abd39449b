/* Units through nodes that pass them on. */
#include <string.h>

#include "graph/derived/assets.h"
#include "graph/file/load.h"
#include "graph/file/xml.h"
#include "graph/plan/unit.h"
#include "tests/support/test.h"

static const char document[] =
    "<orograph xmlns=\"urn:orograph:1\" version=\"1\"><world resolution=\"16\"/>"
    "<group name=\"sum\"><interface><in name=\"a\" to=\"s.a\"/><out name=\"out\" "
    "from=\"s.field\"/></interface>"
    "<node id=\"s\" type=\"combine\"/></group>"
    "<node id=\"hills\" type=\"noise\"/>"
    "<node id=\"mask\" type=\"mask_select\"><in name=\"terrain\" from=\"hills.field\"/></node>"
    "<node id=\"areas\" type=\"flow\"><in name=\"terrain\" from=\"hills.field\"/></node>"
    "<node id=\"masked\" type=\"combine\"><in name=\"a\" from=\"mask.mask\"/><in name=\"b\" "
    "from=\"hills.field\"/></node>"
    "<node id=\"bend\" type=\"reroute\"><in name=\"value\" from=\"masked.field\"/></node>"
    "<node id=\"soft\" type=\"blur\"><in name=\"field\" from=\"bend.value\"/></node>"
    "<node id=\"within\" type=\"graph\" href=\"#sum\"><in name=\"a\" from=\"soft.field\"/></node>"
    "<node id=\"fine\" type=\"upsample\"><in name=\"terrain\" from=\"hills.field\"/></node>"
    "<node id=\"sizes\" type=\"combine\"><in name=\"a\" from=\"fine.terrain\"/><in name=\"b\" "
    "from=\"soft.field\"/></node>"
    "<node id=\"masks\" type=\"combine\"><in name=\"a\" from=\"mask.mask\"/><in name=\"b\" "
    "from=\"mask.mask\"/></node>"
    "<node id=\"mixed\" type=\"combine\"><in name=\"a\" from=\"areas.drainage\"/><in name=\"b\" "
    "from=\"hills.field\"/></node>"
    "<node id=\"number\" type=\"combine\"/></orograph>";

static struct oro_registry registry; /* with groups as nodes */

FIXTURE(open_registry)
{
    registry = oro_builtin_nodes;
    registry.assets = oro_assets_create(&registry, oro_document_load_from, true);
    return registry.assets ? 0 : -1;
}

FIXTURE(close_registry)
{
    oro_assets_destroy(registry.assets);
    return 0;
}

static void expect(const char *node, const char *output, enum oro_unit unit)
{
    struct oro_problems problems = {0};
    struct oro_error err = {0};
    struct oro_document *doc = oro_document_parse(document, sizeof document - 1, "", &registry, &problems);
    assert_non_null(doc);
    const struct oro_target target = {.node = node, .output = output};
    struct oro_plan *plan =
        oro_plan_create(doc, &registry, &target, 1, &(struct oro_plan_options){0}, NULL, &problems, &err);
    if (!plan)
        fail_msg("%s: %s", node, err.text);
    enum oro_unit found = oro_plan_unit(plan, plan->targets[0]);
    if (found != unit)
        fail_msg("%s.%s is in '%s'", node, output, oro_unit_name(found));
    oro_plan_destroy(plan);
    oro_problems_free(&problems);
    oro_document_destroy(doc);
}

TEST_WITH(units_are_passed_on, open_registry, close_registry)
{
    expect("masked", "field", ORO_METRE);
    expect("bend", "value", ORO_METRE);
    expect("soft", "field", ORO_METRE);
    expect("within", "out", ORO_METRE);
    expect("sizes", "field", ORO_METRE);
}

TEST_WITH(what_has_none_stays_without, open_registry, close_registry)
{
    expect("mask", "mask", ORO_NO_UNIT);
    expect("masks", "field", ORO_NO_UNIT);
    expect("number", "field", ORO_NO_UNIT);
    expect("mixed", "field", ORO_NO_UNIT); /* square metres and metres */
    expect("areas", "drainage", ORO_SQUARE_METRE);
}
