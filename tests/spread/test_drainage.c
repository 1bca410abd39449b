/*
 * Nodes that find drainage give the same bits and figures in tiles, on any number of ranks, without a whole
 * raster on any of them; and fail with the same words.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/spread/spread.h"
#include "gpu/gpu.h"
#include "graph/eval/evaluator.h"
#include "graph/file/load.h"
#include "tests/nodes/harness.h"
#include "tests/spread/memory_ranks.h"
#include "tests/support/test.h"

enum { RANKS_MAX = 4, OUTPUTS_MAX = 8, FIGURES_MAX = 64 };

/* A node of a document, all of whose outputs are compared. */
struct job {
    const char *document, *node;
};

struct result {
    bool ok;
    struct oro_hash digests[OUTPUTS_MAX];
    int output_count;
    struct oro_figure figures[FIGURES_MAX];
    int figure_count;
    struct oro_error err;
};

/* ---- A device that has no whole rasters ---- */

/* As much of a raster in tiles is not moved at once while a node works. */
enum { COLUMNS = 150, ROWS = 117 };
static const size_t field_bytes = sizeof(float) * COLUMNS * ROWS;
static _Thread_local bool watching;
static struct oro_device_ops plain_ops, watched_ops;

static bool is_whole(const struct oro_device *device, const struct oro_buffer *buffer, size_t bytes)
{
    return watching && device->tiles->has(buffer) && bytes >= field_bytes;
}

static bool watched_download(struct oro_device *device, struct oro_buffer *buffer, void *data, size_t bytes,
                             struct oro_error *err)
{
    if (is_whole(device, buffer, bytes))
        return oro_fail(err, ORO_E_DEVICE, "a whole raster was downloaded");
    return plain_ops.download(device, buffer, data, bytes, err);
}

static bool watched_upload(struct oro_device *device, struct oro_buffer *buffer, const void *data,
                           size_t bytes, struct oro_error *err)
{
    if (is_whole(device, buffer, bytes))
        return oro_fail(err, ORO_E_DEVICE, "a whole raster was uploaded");
    return plain_ops.upload(device, buffer, data, bytes, err);
}

static struct oro_device *open_driver(void)
{
    struct oro_error err = {0};
    struct oro_device *driver = oro_gpu_create(&(struct oro_gpu_options){.index = ORO_GPU_SOFTWARE}, &err);
    if (!driver)
        fail_msg("%s", err.text);
    return driver;
}

static struct oro_device *open_watched(struct oro_ranks *ranks, int tile)
{
    const struct oro_spread_options options = {
        .whole = 1, .tile = tile, .depth = 32, .poison = true, .ranks = ranks};
    struct oro_error err = {0};
    struct oro_device *device = oro_spread_create(open_driver(), &options, &err);
    if (!device)
        fail_msg("%s", err.text);
    device->ops = &watched_ops;
    return device;
}

/* ---- Evaluation ---- */

static void take_figures(void *user, const struct oro_step_report *report)
{
    struct result *result = user;
    for (int i = 0; i < report->figure_count && result->figure_count < FIGURES_MAX; i++)
        result->figures[result->figure_count++] = report->figures[i];
}

/* All outputs of the node, at once. */
static bool evaluate(struct oro_device *device, const struct oro_plan *plan, struct result *result)
{
    const struct oro_evaluator_options options = {.step_done = take_figures, .user = result};
    struct oro_evaluator *evaluator = oro_evaluator_create(device, NULL, &options);
    struct oro_value *values[OUTPUTS_MAX] = {0};
    watching = device->tiles;
    bool ok = oro_evaluate(evaluator, plan, values, &result->err);
    watching = false;
    for (size_t i = 0; i < plan->target_count; i++) {
        const void *data = ok ? oro_value_host(values[i], &result->err) : NULL;
        if (data)
            result->digests[result->output_count++] = oro_hash_of(data, oro_value_bytes(values[i]));
        ok = data;
        oro_value_release(values[i]);
    }
    oro_evaluator_destroy(evaluator);
    return ok;
}

/* Takes the device over. */
static void run(struct oro_device *device, const struct job *job, struct result *result)
{
    const struct oro_plan_options options = {.allow_any_path = true};
    struct oro_problems problems = {0};
    struct oro_document *doc =
        oro_document_parse(job->document, strlen(job->document), "test.oro", &oro_builtin_nodes, &problems);
    const struct oro_output *outputs =
        oro_registry_find(&oro_builtin_nodes, oro_document_find(doc, job->node)->type)->outputs;
    struct oro_target targets[OUTPUTS_MAX];
    size_t count = 0;
    for (; outputs[count].name; count++)
        targets[count] = (struct oro_target){job->node, outputs[count].name};
    *result = (struct result){0};
    struct oro_plan *plan =
        oro_plan_create(doc, &oro_builtin_nodes, targets, count, &options, device, NULL, &result->err);
    result->ok = plan && evaluate(device, plan, result);
    if (device->tiles)
        result->ok = oro_spread_settle(device, result->ok, &result->err);
    oro_plan_destroy(plan);
    oro_document_destroy(doc);
    oro_problems_free(&problems);
    device->ops->destroy(device);
}

struct ranked {
    const struct job *job;
    int tile;
    struct result results[RANKS_MAX];
};

static void run_rank(void *user, struct oro_ranks *ranks)
{
    struct ranked *all = user;
    run(open_watched(ranks, all->tile), all->job, &all->results[ranks->rank]);
}

static void compare(const struct result *whole, const struct result *tiled, const char *where)
{
    if (whole->ok != tiled->ok)
        fail_msg("%s: %s; whole: %s", where, tiled->err.text, whole->err.text);
    assert_string_equal(whole->err.text, tiled->err.text);
    assert_int_equal(whole->output_count, tiled->output_count);
    for (int i = 0; i < whole->output_count; i++)
        if (!oro_hash_equal(whole->digests[i], tiled->digests[i]))
            fail_msg("%s: other bits in output %d", where, i);
    assert_int_equal(whole->figure_count, tiled->figure_count);
    for (int i = 0; whole->ok && i < whole->figure_count; i++) {
        assert_string_equal(whole->figures[i].name, tiled->figures[i].name);
        assert_memory_equal(&whole->figures[i].value, &tiled->figures[i].value, sizeof(double));
    }
}

static void check(const struct job *job, bool succeeds)
{
    static const int tiles[] = {32, 64, 96};
    struct result whole;
    struct oro_device *driver = open_driver(), *spread = oro_spread_create(driver, &(struct oro_spread_options){.whole = 1}, NULL);
    plain_ops = watched_ops = *spread->ops;
    watched_ops.download = watched_download;
    watched_ops.upload = watched_upload;
    spread->ops->destroy(spread);
    run(open_driver(), job, &whole);
    if (whole.ok != succeeds)
        fail_msg("whole: %s", whole.err.text);
    for (int ranks = 1; ranks <= RANKS_MAX; ranks++)
        for (size_t i = 0; i < sizeof tiles / sizeof tiles[0]; i++) {
            char where[64];
            struct ranked all = {.job = job, .tile = tiles[i]};
            snprintf(where, sizeof where, "%d ranks, tiles of %d", ranks, tiles[i]);
            with_ranks(ranks, run_rank, &all);
            for (int rank = 0; rank < ranks; rank++)
                compare(&whole, &all.results[rank], where);
        }
}

#define WORLD "extent=\"15000\" resolution=\"150\" aspect=\"0.78\" seed=\"5\""
#define NUMBER(name, value) "<in name=\"" name "\" value=\"" value "\"/>"
#define LINK(name, from) "<in name=\"" name "\" from=\"" from "\"/>"
#define NODE(id, type, inputs) "<node id=\"" id "\" type=\"" type "\">" inputs "</node>"
#define HILLS                                                                                                \
    NODE("hills", "noise", NUMBER("amplitude", "700") NUMBER("feature", "3000"))                             \
    NODE("sea", "noise", NUMBER("amplitude", "1") NUMBER("feature", "1500") NUMBER("seed", "8"))             \
    NODE("rain", "noise", NUMBER("amplitude", "0.5") NUMBER("offset", "1") NUMBER("seed", "9"))             \
    NODE("none", "constant", NUMBER("value", "0"))
#define JOB(type, version, inputs)                                                                           \
    (&(struct job){HARNESS_DOCUMENT(WORLD, HILLS "<node id=\"node\" type=\"" type "\" version=\"" version        \
                                                 "\">" LINK("terrain", "hills.field") inputs "</node>"),      \
                   "node"})

TEST(breach)
{
    check(JOB("breach", "2", NUMBER("least_gradient", "1") LINK("sea", "sea.field")), true);
    check(JOB("breach", "2", NUMBER("method", "subtree_minimum") LINK("mask", "rain.field")), true);
}

TEST(fill)
{
    check(JOB("fill", "1", NUMBER("method", "level") LINK("sea", "sea.field") NUMBER("borders", "walls")), true);
    check(JOB("fill", "1", NUMBER("method", "sloped")), true);
}

TEST(flow)
{
    check(JOB("flow", "1", LINK("rain", "rain.field") LINK("sea", "sea.field")), true);
    check(JOB("flow", "1", NUMBER("rain", "2")), true);
}

TEST(multiscale_breach)
{
    check(JOB("multiscale_breach", "2", NUMBER("radius", "700") NUMBER("iterations", "2")), true);
}

/* The same words as for the whole, on every rank: it is no matter of any one of them. */
TEST(water_that_has_nowhere_to_go)
{
    check(JOB("fill", "1", LINK("sea", "none.field") NUMBER("borders", "walls")), false);
}
