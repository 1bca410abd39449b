/*
 * Every example of a node type, and of every case of tests/processor the nodes' first outputs, are evaluated
 * on a driver, on a spread device over it with all rasters in tiles, and on several ranks of such devices.
 * What can be evaluated there has the same bits; all else is refused with the reason.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/gpu/gpu.h"
#include "devices/spread/spread.h"
#include "graph/eval/evaluator.h"
#include "graph/file/load.h"
#include "lua/types/registry.h"
#include "tests/spread/memory_ranks.h"
#include "tests/support/test.h"

enum { COLUMNS = 61, ROWS = 47, ITERATIONS = 2, OUTPUTS_MAX = 2048, RANKS = 3 };
enum { LEAST_TILED = 666 }; /* of the outputs; docs/scale.md says what is refused */
static const char examples[] = "examples/nodes/*/*.oro", cases[] = "tests/processor/cases/*.oro";

/* An output of an example. */
struct result {
    char name[96];
    bool ok;
    struct oro_hash digest;
    struct oro_error err;
};

/* All outputs on one device. */
struct run {
    struct oro_registry registry;
    struct oro_device *device;
    bool spread;
    struct result *results;
    int count;
};

/* A small world, and few iterations. */
static void shorten(struct run *run, struct oro_document *doc)
{
    char text[16];
    struct oro_error err;
    struct oro_world world = *oro_document_world(doc);
    world.resolution = COLUMNS;
    world.aspect = (double)ROWS / COLUMNS;
    assert_true(oro_edit_world(doc, &world, &err));
    snprintf(text, sizeof text, "%d", ITERATIONS);
    for (size_t i = 0; i < oro_document_node_count(doc); i++) {
        const struct oro_doc_node *node = oro_document_node(doc, i);
        const struct oro_node_type *type = oro_type_of(&run->registry, doc, node, &err);
        for (const struct oro_input *input = type ? type->inputs : NULL; input && input->name; input++)
            if (input->type == ORO_INT && strstr(input->name, "iterations"))
                assert_true(oro_edit_set(doc, node->id, input->name, text, &err));
    }
}

static bool evaluate(struct run *run, const struct oro_document *doc, const struct oro_target *target,
                     struct result *result)
{
    const struct oro_plan_options options = {.allow_any_path = true};
    struct oro_plan *plan =
        oro_plan_create(doc, &run->registry, target, 1, &options, run->device, NULL, &result->err);
    struct oro_evaluator *evaluator =
        oro_evaluator_create(run->device, NULL, &(struct oro_evaluator_options){0});
    struct oro_value *value = NULL;
    bool ok = plan && oro_evaluate(evaluator, plan, &value, &result->err);
    const void *data = ok ? oro_value_host(value, &result->err) : NULL;
    if (data)
        result->digest = oro_hash_of(data, oro_value_bytes(value));
    oro_value_release(value);
    oro_evaluator_destroy(evaluator);
    oro_plan_destroy(plan);
    return run->spread ? oro_spread_settle(run->device, data, &result->err) : data != NULL;
}

static void run_file(struct run *run, const char *path, const char *file, bool first_outputs)
{
    struct oro_problems problems = {0};
    struct oro_document *doc = oro_document_load(path, &run->registry, &problems);
    shorten(run, doc);
    for (size_t i = 0; i < oro_document_node_count(doc); i++) {
        const struct oro_doc_node *node = oro_document_node(doc, i);
        const struct oro_node_type *type = oro_type_of(&run->registry, doc, node, NULL);
        for (const struct oro_output *output = type->outputs; !type->sink && output && output->name;
             output++) {
            if (!oro_is_raster(output->type) || run->count == OUTPUTS_MAX)
                continue;
            struct result *result = &run->results[run->count++];
            snprintf(result->name, sizeof result->name, "%.40s: %.24s.%.24s", file, node->id, output->name);
            result->ok = evaluate(run, doc, &(struct oro_target){node->id, output->name}, result);
            if (first_outputs)
                break;
        }
    }
    oro_document_destroy(doc);
    oro_problems_free(&problems);
}

static bool is_asked_for(const char *file)
{
    const char *only = getenv("OROGRAPH_EXAMPLE");
    return strncmp(file, "amplify_chain", 13) != 0 && (!only || strstr(file, only));
}

static void run_files(struct run *run, const char *pattern, bool first_outputs)
{
    glob_t files;
    assert_int_equal(glob(pattern, 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        const char *file = strrchr(files.gl_pathv[i], '/') + 1;
        if (is_asked_for(file))
            run_file(run, files.gl_pathv[i], file, first_outputs);
    }
    globfree(&files);
}

/* Takes the device over. */
static void run_all(struct run *run)
{
    const struct oro_log log = {0};
    struct oro_error err = {0};
    run->results = calloc(OUTPUTS_MAX, sizeof *run->results);
    assert_true(oro_registry_open(&run->registry, &oro_builtin_nodes, true, &log, &err));
    run_files(run, examples, false);
    run_files(run, cases, true);
    run->device->ops->destroy(run->device);
    oro_registry_close(&run->registry);
}

static struct oro_device *open_driver(void)
{
    return oro_gpu_create(&(struct oro_gpu_options){.index = ORO_GPU_SOFTWARE}, NULL);
}

static struct oro_device *open_tiled(struct oro_ranks *ranks)
{
    const struct oro_spread_options options = {
        .whole = 1, .tile = 32, .depth = 32, .poison = true, .ranks = ranks};
    return oro_spread_create(open_driver(), &options, NULL);
}

static void run_rank(void *user, struct oro_ranks *ranks)
{
    struct run *run = (struct run *)user + ranks->rank;
    *run = (struct run){.device = open_tiled(ranks), .spread = true};
    run_all(run);
}

static void compare(const struct run *whole, struct run *tiled)
{
    int same = 0;
    assert_int_equal(whole->count, tiled->count);
    for (int i = 0; i < whole->count; i++) {
        const struct result *a = &whole->results[i], *b = &tiled->results[i];
        if (!a->ok && !b->ok) /* points that lie too close at this size */
            continue;
        if (!a->ok)
            fail_msg("%s: %s", a->name, a->err.text);
        if (b->ok && !oro_hash_equal(a->digest, b->digest))
            fail_msg("%s: other bits in tiles", a->name);
        if (!b->ok && getenv("OROGRAPH_EXAMPLE"))
            print_message("%s: %s: %s\n", a->name, b->err.node, b->err.text);
        if (!b->ok && (b->err.code != ORO_E_LIMIT || !strstr(b->err.text, "cannot be spread: ")))
            fail_msg("%s: %s: %s", a->name, b->err.node, b->err.text);
        same += b->ok;
    }
    print_message("%d of %d outputs can be evaluated in tiles\n", same, whole->count);
    assert_true(same >= (getenv("OROGRAPH_EXAMPLE") ? 1 : LEAST_TILED));
    free(tiled->results);
}

TEST(examples_and_cases)
{
    struct run whole = {.device = open_driver()}, tiled = {.device = open_tiled(NULL), .spread = true};
    struct run ranked[RANKS];
    run_all(&whole);
    run_all(&tiled);
    compare(&whole, &tiled);
    with_ranks(RANKS, run_rank, ranked);
    for (int i = 0; i < RANKS; i++)
        compare(&whole, &ranked[i]);
    free(whole.results);
}
