/*
 * examples [--list] FILE.oro... [--as-drawn FILE.oro...]: evaluates what the files show on a device that runs
 * every dispatch by tiles as well (tiling_device.h), in worlds of several sizes; those that depend on places
 * of their world in one with its proportions. Tiles have to come out with the bits of the whole; node types
 * have to run by tiles as their descriptors say; and what runs whole has to be in the list below. --list
 * prints how each kernel ran. Exit code 77 if there is no driver to run kernels.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "devices/devices.h"
#include "graph/eval/evaluator.h"
#include "graph/file/load.h"
#include "lua/types/registry.h"
#include "tests/reach/tiling_device.h"

/* Iterations of simulations; cells along a side, in amplifications. */
enum { ITERATIONS = 2, MOST = 4 * 97 };

/* Columns of the world, and rows for each (0: as the file has them): a single cell; tiles cut off on both
 * sides; a strip that is longer than any reach. */
struct world {
    int columns;
    double aspect;
};
static const struct world worlds[] = {{1, 1}, {97, 61.0 / 97}, {225, 0.2}}, as_drawn = {149, 0};
enum { WORLDS = sizeof worlds / sizeof worlds[0] };

/* How a node type ran a kernel. */
struct record {
    const struct oro_node_type *type;
    char kernel[80], whole[80];
    int tiled, not_tiled, tiles;
};
enum { RECORDS_MAX = 2048, RUNS_MAX = 64 };
static struct record records[RECORDS_MAX];
static int record_count;

/* Those of the step that is being evaluated. */
static struct record runs[RUNS_MAX];
static int run_count;
static int failures;

static struct record *record_in(struct record *list, int *count, int limit, const struct oro_node_type *type,
                                const char *kernel)
{
    for (int i = 0; i < *count; i++)
        if (list[i].type == type && strcmp(list[i].kernel, kernel) == 0)
            return &list[i];
    if (*count == limit)
        abort();
    struct record *record = &list[(*count)++];
    *record = (struct record){.type = type};
    snprintf(record->kernel, sizeof record->kernel, "%s", kernel);
    return record;
}

static void ran(void *user, const struct tiling_run *run)
{
    (void)user;
    struct record *record = record_in(runs, &run_count, RUNS_MAX, NULL, run->kernel);
    record->tiled += !run->whole;
    record->not_tiled += run->whole != NULL;
    record->tiles += run->tiles;
    if (run->whole)
        snprintf(record->whole, sizeof record->whole, "%s", run->whole);
    if (run->failure) {
        printf("FAIL %s: %s\n", run->kernel, run->failure);
        failures++;
    }
}

/* What ran meanwhile belongs to the step. */
static void step_done(void *user, const struct oro_step_report *report)
{
    (void)user;
    for (int i = 0; i < run_count; i++) {
        struct record *all =
            record_in(records, &record_count, RECORDS_MAX, report->step->type, runs[i].kernel);
        all->tiled += runs[i].tiled;
        all->not_tiled += runs[i].not_tiled;
        all->tiles += runs[i].tiles;
        if (runs[i].not_tiled)
            memcpy(all->whole, runs[i].whole, sizeof all->whole);
    }
    run_count = 0;
}

/* ---- Documents ---- */

static bool shorten(struct oro_document *doc, const struct oro_registry *registry, const struct world *wanted,
                    struct oro_error *err)
{
    char text[16];
    struct oro_world world = *oro_document_world(doc);
    world.resolution = wanted->columns;
    world.aspect = wanted->aspect > 0 ? wanted->aspect : world.aspect;
    bool ok = oro_edit_world(doc, &world, err);
    snprintf(text, sizeof text, "%d", ITERATIONS);
    for (size_t i = 0; ok && i < oro_document_node_count(doc); i++) {
        const struct oro_doc_node *node = oro_document_node(doc, i);
        const struct oro_node_type *type = oro_type_of(registry, doc, node, err);
        for (const struct oro_input *input = type ? type->inputs : NULL; ok && input && input->name; input++)
            if (input->type == ORO_INT && strstr(input->name, "iterations"))
                ok = oro_edit_set(doc, node->id, input->name, text, err);
        ok = ok && type;
    }
    return ok;
}

enum { TARGETS_MAX = 256 };

/* All outputs of all nodes that write no files. */
static size_t targets_of(const struct oro_document *doc, const struct oro_registry *registry,
                         struct oro_target targets[TARGETS_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < oro_document_node_count(doc); i++) {
        const struct oro_doc_node *node = oro_document_node(doc, i);
        const struct oro_node_type *type = oro_type_of(registry, doc, node, NULL);
        for (const struct oro_output *output = type->outputs; !type->sink && output && output->name; output++)
            if (count < TARGETS_MAX)
                targets[count++] = (struct oro_target){node->id, output->name};
    }
    return count;
}

static bool evaluate(struct oro_device *device, const struct oro_registry *registry,
                     const struct oro_document *doc, struct oro_error *err)
{
    struct oro_target targets[TARGETS_MAX];
    struct oro_value *values[TARGETS_MAX];
    size_t count = targets_of(doc, registry, targets);
    const struct oro_evaluator_options how = {.kernels_only = true, .step_done = step_done};
    struct oro_plan *plan = oro_plan_create(
        doc, registry, targets, count,
        &(struct oro_plan_options){.allow_any_path = true, .max_resolution = MOST}, device, NULL, err);
    struct oro_evaluator *evaluator = oro_evaluator_create(device, NULL, &how);
    bool ok = plan && oro_evaluate(evaluator, plan, values, err);
    for (size_t i = 0; ok && i < count; i++)
        oro_value_release(values[i]);
    oro_evaluator_destroy(evaluator);
    oro_plan_destroy(plan);
    return ok;
}

static bool run_file(struct oro_device *device, const struct oro_registry *registry, const char *path,
                     const struct world *world)
{
    struct oro_problems problems = {0};
    struct oro_error err = {0};
    struct oro_document *doc = oro_document_load(path, registry, &problems);
    int failed = failures;
    bool ok = doc && shorten(doc, registry, world, &err) && evaluate(device, registry, doc, &err);
    run_count = 0;
    if (!ok && strstr(err.text, "cannot be spread")) /* a node that says so is right */
        ok = true;
    if (!ok)
        printf("FAIL %s, %d columns: %s\n", path, world->columns, doc ? err.text : "cannot be read");
    if (failures > failed)
        printf("in %s, %d columns\n", path, world->columns);
    oro_document_destroy(doc);
    oro_problems_free(&problems);
    return ok;
}

static bool run_files(struct oro_device *device, const struct oro_registry *registry, char **files)
{
    bool ok = true, drawn = false;
    for (; *files; files++) {
        if (strcmp(*files, "--as-drawn") == 0) {
            drawn = true;
            continue;
        }
        for (int i = 0; i < (drawn ? 1 : WORLDS); i++)
            ok = run_file(device, registry, *files, drawn ? &as_drawn : &worlds[i]) && ok;
    }
    return ok;
}

/* On the software driver. -1: there is none. */
static int run_tiled(const struct oro_registry *registry, char **files)
{
    struct oro_error err = {0};
    struct oro_device *driver = oro_gpu_create(&(struct oro_gpu_options){.index = ORO_GPU_SOFTWARE}, &err);
    if (!driver) {
        printf("skipped: %s\n", err.text);
        return -1;
    }
    struct oro_device *device =
        tiling_device_create(driver, &(struct tiling_options){.seed = 7, .ran = ran}, &err);
    if (!device) {
        driver->ops->destroy(driver);
        return 0;
    }
    bool ok = run_files(device, registry, files);
    device->ops->destroy(device);
    return ok;
}

/* ---- What node types say ---- */

static bool fail(const struct oro_node_type *type, const char *what, const char *more)
{
    printf("FAIL node type '%s' %s%s\n", type->id, what, more);
    return false;
}

static bool check_tiles(const struct oro_node_type *type)
{
    bool ok = true, tiled = false;
    for (int i = 0; i < record_count; i++) {
        const struct record *record = &records[i];
        if (record->type != type)
            continue;
        tiled = tiled || record->tiled > 0;
        if (record->not_tiled > 0)
            ok = fail(type, "says it can be spread, but runs whole: ", record->kernel);
    }
    return tiled || type->site /* reads a file, and runs none */
               ? ok
               : fail(type, "says it can be spread, but ran no kernel by tiles", "");
}

static bool check_whole(const struct oro_node_type *type)
{
    int tiled = 0, whole = 0;
    for (int i = 0; i < record_count; i++)
        if (records[i].type == type) {
            tiled += records[i].tiled;
            whole += records[i].not_tiled;
        }
    return tiled == 0 || whole > 0 || fail(type, "can be spread, but does not say so", "");
}

static bool check_host(const struct oro_node_type *type)
{
    for (int i = 0; i < record_count; i++)
        if (records[i].type == type)
            return fail(type, "works on the host, but runs a kernel: ", records[i].kernel);
    return true;
}

static bool check_type(const struct oro_node_type *type)
{
    if (type->spread == ORO_SPREAD_DRAINAGE) /* by kernels or on the host, as the device has it */
        return true;
    return type->spread == ORO_SPREAD_TILES  ? check_tiles(type)
           : type->spread == ORO_SPREAD_HOST ? check_host(type)
                                             : check_whole(type);
}

static bool check_types(const struct oro_registry *registry)
{
    bool ok = true;
    for (size_t i = 0; i < registry->count; i++)
        ok = check_type(registry->types[i]) && ok;
    return ok;
}

static void list(void)
{
    for (int i = 0; i < record_count; i++)
        printf("%-20s %-44s %5d by tiles (%d)%s%s\n", records[i].type->id, records[i].kernel,
               records[i].tiled, records[i].tiles, records[i].not_tiled ? ", not: " : "", records[i].whole);
}

int main(int count, char **words)
{
    struct oro_error err = {0};
    struct oro_registry registry;
    struct oro_log log = {0};
    bool lists = count > 1 && strcmp(words[1], "--list") == 0;
    if (!oro_registry_open(&registry, &oro_builtin_nodes, true, &log, &err)) {
        printf("%s\n", err.text);
        return 1;
    }
    int ran_well = run_tiled(&registry, words + 1 + lists);
    if (lists)
        list();
    bool ok = ran_well > 0 && check_types(&oro_builtin_nodes) && failures == 0;
    oro_registry_close(&registry);
    return ran_well < 0 ? 77 : ok ? 0 : 1;
}
