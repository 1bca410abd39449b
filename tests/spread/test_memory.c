/* What the plan says of the memory that rasters in tiles take, beside what they take. */
#include <stdio.h>
#include <string.h>

#include "devices/spread/spread.h"
#include "graph/eval/evaluator.h"
#include "graph/file/load.h"
#include "tests/spread/support.h"

enum { SIDE = 256, FIELD = SIDE * SIDE * 4, TILE = 64, DEPTH = 32 };

static struct oro_document *read_document(const char *node)
{
    char text[1024];
    struct oro_problems problems = {0};
    snprintf(text, sizeof text,
             "<orograph xmlns=\"urn:orograph:1\" version=\"1\"><world resolution=\"%d\"/>"
             "<node id=\"ground\" type=\"noise\"/>%s</orograph>",
             SIDE, node);
    struct oro_document *doc =
        oro_document_parse(text, strlen(text), "test.oro", &oro_builtin_nodes, &problems);
    if (!doc || problems.errors)
        fail_msg("%s", problems.count ? problems.items[0].text : "no document");
    oro_problems_free(&problems);
    return doc;
}

static struct oro_plan *plan_of(const struct oro_document *doc, const char *output, size_t memory,
                                struct oro_device *device)
{
    const struct oro_target target = {"n", output};
    const struct oro_plan_options options = {
        .memory_bytes = memory, .spread = {.whole = (size_t)1 << 14, .tile = TILE, .depth = DEPTH}};
    struct oro_error err = {0};
    struct oro_plan *plan =
        oro_plan_create(doc, &oro_builtin_nodes, &target, 1, &options, device, NULL, &err);
    assert_ok(plan, err);
    assert_true(plan->spread);
    return plan;
}

static struct oro_spread_counts evaluate(const struct oro_plan *plan, struct oro_device *device)
{
    struct oro_error err = {0};
    struct oro_evaluator *evaluator = oro_evaluator_create(device, NULL, &(struct oro_evaluator_options){0});
    struct oro_value *value = NULL;
    assert_ok(oro_evaluate(evaluator, plan, &value, &err), err);
    struct oro_spread_counts counts = oro_spread_counts(device);
    oro_value_release(value);
    oro_evaluator_destroy(evaluator);
    return counts;
}

/* With a part of the memory that tiles would take: what the plan says of the device is right within a tenth,
 * and tiles take no more than it says, in all and outside of the device. They may take less, as rasters that
 * a single chain makes and uses never become tiles. */
static void assert_planned(const char *node, const char *output)
{
    struct oro_document *doc = read_document(node);
    struct oro_plan *plan = plan_of(doc, output, 0, NULL);
    size_t memory = plan->least_bytes + plan->peak_tiles / 4;
    oro_plan_destroy(plan);
    struct oro_device *device = open_spread(&(struct oro_spread_options){.whole = (size_t)1 << 14,
                                                                         .tile = TILE,
                                                                         .depth = DEPTH,
                                                                         .device_bytes = memory,
                                                                         .host_bytes = 64 * (size_t)FIELD});
    plan = plan_of(doc, output, memory, device);
    assert_true(plan->out_of_core);
    struct oro_spread_counts counts = evaluate(plan, device);
    double used = (double)counts.peak_device_bytes / (double)plan->peak_bytes;
    double tiles = (double)counts.peak_tile_bytes / (double)plan->peak_tiles;
    double host = (double)counts.peak_host_bytes / (double)plan->peak_host;
    if (used < 0.9 || used > 1 || tiles < 0.5 || tiles > 1.1 || host > 1.1)
        fail_msg("%.40s: device %.2f of the plan, tiles %.2f, host %.2f", node, used, tiles, host);
    oro_plan_destroy(plan);
    device->ops->destroy(device);
    oro_document_destroy(doc);
}

#define NODE(type, input, rest)                                                                              \
    "<node id=\"n\" type=\"" type "\" version=\"1\"><in name=\"" input "\" from=\"ground.field\"/>" rest     \
    "</node>"
#define FEW(name) "<in name=\"" name "\" value=\"4\"/>"

TEST(thermal_erosion)
{
    assert_planned(NODE("thermal_erosion", "terrain", FEW("iterations")), "terrain");
}

TEST(fluvial_erosion)
{
    assert_planned(NODE("fluvial_erosion", "terrain", FEW("iterations")), "terrain");
}

TEST(deposition)
{
    assert_planned(NODE("deposition", "terrain", FEW("iterations")), "terrain");
}

TEST(upsample)
{
    assert_planned("<node id=\"n\" type=\"upsample\"><in name=\"terrain\" from=\"ground.field\"/></node>",
                   "terrain");
}

TEST(amplify)
{
    assert_planned("<node id=\"n\" type=\"amplify\"><in name=\"terrain\" from=\"ground.field\"/>" FEW(
                       "iterations") FEW("thermal_iterations") "</node>",
                   "terrain");
}
