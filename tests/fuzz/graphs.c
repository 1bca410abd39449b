/* Graphs of all node types that compute something from values: the bytes choose nodes, links, values at the
 * ends of their ranges, a world of 1 to 65 cells, and a terrain that may have holes, infinities and the
 * greatest numbers. An evaluation ends with a result or with a reason, and the same bits come out without a
 * cache, with one that has seen it before, from the disk, and when a simulation goes on from a state. They
 * run on the processor alone: a kernel that it has no code for is a reason. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "devices/devices.h"
#include "graph/eval/evaluator.h"
#include "graph/file/load.h"
#include "graph/type/literal.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/folder.h"

enum { NODES_MAX = 6, SIDE_MAX = 65, ITERATIONS_MAX = 7, TYPES_MAX = 256 };
static const size_t memory_max = (size_t)64 << 20;
static const double seconds_max = 2; /* an evaluation that takes longer is cancelled */

static struct oro_device *device;
static const struct oro_node_type *types[TYPES_MAX]; /* that graphs are made of */
static unsigned type_count;

/* ---- Making a graph ---- */

static bool reads_files(const struct oro_node_type *type)
{
    bool reads = false;
    for (const struct oro_input *input = type->inputs; input->name && !reads; input++)
        reads = input->type == ORO_FILE;
    return reads;
}

static void begin(void)
{
    /* No driver is found: compiling kernels takes longer than all else here. */
    setenv("__EGL_VENDOR_LIBRARY_FILENAMES", "/nowhere", 1);
    for (size_t i = 0; i < oro_builtin_nodes.count && type_count < TYPES_MAX; i++) {
        const struct oro_node_type *type = oro_builtin_nodes.types[i];
        if (!type->sink && !reads_files(type))
            types[type_count++] = type;
    }
    device = oro_processor_create(NULL, NULL);
    fuzz_require(device && type_count > 0);
    oro_parallel_force(1); /* what is found once is found again */
}

/* A terrain whose cells are anything. */
static void write_terrain(struct fuzz_bytes *bytes, const char *path)
{
    static float cells[16 * 16];
    char file[sizeof cells + 64];
    int width = 16 - (int)fuzz_below(bytes, 16), height = 16 - (int)fuzz_below(bytes, 16);
    int extreme = (int)fuzz_below(bytes, 8);
    for (int i = 0; i < width * height; i++)
        cells[i] =
            fuzz_below(bytes, 8) < (unsigned)extreme ? (float)fuzz_number(bytes) : 100 * sinf((float)(i * i));
    int head = snprintf(file, sizeof file, "Pf\n%d %d\n-1.0\n", width, height);
    size_t size = (size_t)width * (size_t)height * sizeof *cells;
    memcpy(file + head, cells, size);
    fuzz_write(path, file, (size_t)head + size);
}

static double within(const struct oro_input *input, double value)
{
    if (input->min == 0 && input->max == 0)
        return isfinite((float)value) ? value : 0;
    return value >= input->min ? fmin(value, input->max) : input->min;
}

static double choose_number(struct fuzz_bytes *bytes, const struct oro_input *input)
{
    const double ends[] = {input->min, input->max, input->soft_min, input->soft_max, input->value};
    double value = fuzz_chance(bytes, 2) ? fuzz_number(bytes) : ends[fuzz_below(bytes, 5)];
    if (input->role == ORO_ROLE_ITERATIONS)
        value = fuzz_below(bytes, ITERATIONS_MAX);
    value = within(input, value);
    if (input->type == ORO_INT)
        value = within(input, fmax(fmin(floor(value), INT32_MAX), INT32_MIN));
    return value;
}

static const char *choose_literal(struct fuzz_bytes *bytes, const struct oro_input *input,
                                  char number[ORO_NUMBER_SIZE])
{
    static const char *const colours[] = {"#000000", "#ffffff80", "#12ab34"},
                             *const points[] = {"0 0", "1e9 -1e9", "450 450"},
                             *const profiles[] = {"0 0, 1 1", "0 1, 0.5 -3, 1 1e6", "0 0"},
                             *const gradients[] = {"0 #000000, 1 #ffffff", "0 #ff000000",
                                                   "0 #112233, 0.5 #445566, 0.5 #778899"},
                             *const networks[] = {"", "0 0, 900 900",
                                                  "100 100 50, 200 300 20 10; 700 100, 700 800", "450 450",
                                                  "-1e9 0, 1e9 0"};
    unsigned three = fuzz_below(bytes, 3), count = 0;
    switch (input->type) {
    case ORO_FLOAT:
    case ORO_INT:
        return oro_format_number(choose_number(bytes, input), number);
    case ORO_BOOL:
        return three ? "true" : "false";
    case ORO_CHOICE:
        while (input->choices[count])
            count++;
        return input->choices[fuzz_below(bytes, count)];
    case ORO_COLOUR:
        return colours[three];
    case ORO_POINT:
        return points[three];
    case ORO_PROFILE:
        return profiles[three];
    case ORO_GRADIENT:
        return gradients[three];
    case ORO_NETWORK:
        return networks[fuzz_below(bytes, sizeof networks / sizeof networks[0])];
    default:
        return NULL;
    }
}

/* Links an input to an output of an earlier node, if one fits. */
static bool link_input(struct fuzz_bytes *bytes, struct oro_document *doc, const char *node,
                       const struct oro_input *input)
{
    size_t count = oro_document_node_count(doc) - 1, first = fuzz_below(bytes, (unsigned)count);
    for (size_t i = 0; i < count; i++) {
        const struct oro_doc_node *from = oro_document_node(doc, count - 1 - (first + i) % count);
        const struct oro_node_type *type = oro_registry_find(&oro_builtin_nodes, from->type);
        size_t outputs = oro_type_output_count(type), start = fuzz_below(bytes, (unsigned)outputs);
        for (size_t k = 0; k < outputs; k++) {
            const struct oro_output *output = &type->outputs[(start + k) % outputs];
            if (oro_input_accepts(input, output->type))
                return oro_edit_connect(doc, node, input->name, from->id, output->name, NULL);
        }
    }
    return false;
}

static void add_node(struct fuzz_bytes *bytes, struct oro_document *doc, const struct oro_node_type *type,
                     unsigned number)
{
    char id[16], text[ORO_NUMBER_SIZE];
    snprintf(id, sizeof id, "n%u", number);
    fuzz_require(oro_edit_add_node(doc, id, type->id, type->version, 0, 0, NULL));
    for (const struct oro_input *input = type->inputs; input->name; input++) {
        bool wanted = oro_input_required(input) || fuzz_chance(bytes, 4);
        if (oro_input_linkable(input) && wanted && link_input(bytes, doc, id, input))
            continue;
        bool iterates = input->role == ORO_ROLE_ITERATIONS;
        const char *value = iterates || fuzz_chance(bytes, 3) ? choose_literal(bytes, input, text) : NULL;
        if (value && oro_literal_parse(input, value, NULL, NULL))
            fuzz_require(oro_edit_set(doc, id, input->name, value, NULL));
    }
}

static struct oro_document *make_graph(struct fuzz_bytes *bytes)
{
    static const double extents[] = {900, 1, 1e6, 33.3}, aspects[] = {1, 0.1, 7, 0.61};
    const struct oro_node_type *chosen[NODES_MAX];
    char path[FUZZ_PATH];
    struct oro_document *doc = oro_document_create();
    struct oro_world world = ORO_WORLD_DEFAULT;
    /* The types come first, so that a few bytes are a graph of any. */
    unsigned nodes = 1 + fuzz_below(bytes, NODES_MAX);
    for (unsigned i = 0; i < nodes; i++)
        chosen[i] = types[fuzz_below(bytes, type_count)];
    world.resolution = 1 + (int)(16 + fuzz_below(bytes, SIDE_MAX)) % SIDE_MAX;
    world.extent = extents[fuzz_below(bytes, 4)];
    world.aspect = aspects[fuzz_below(bytes, 4)];
    world.seed = fuzz_below(bytes, 256);
    fuzz_path(path, "terrain.pfm");
    fuzz_require(doc && oro_edit_world(doc, &world, NULL) &&
                 oro_edit_add_node(doc, "file", "import", 1, 0, 0, NULL) &&
                 oro_edit_set(doc, "file", "file", path, NULL));
    for (unsigned i = 0; i < nodes; i++)
        add_node(bytes, doc, chosen[i], i);
    write_terrain(bytes, path);
    return doc;
}

/* ---- Evaluating it ---- */

struct outcome {
    bool ok, late;
    struct oro_error err;
    struct oro_hash data;
};

struct watch {
    struct oro_evaluator *evaluator;
    double end;
    bool late;
};

static void take_progress(void *user, const struct oro_progress *progress)
{
    struct watch *watch = user;
    (void)progress;
    if (oro_now() > watch->end && watch->evaluator) {
        watch->late = true;
        oro_evaluator_cancel(watch->evaluator);
    }
}

static struct outcome evaluate(const struct oro_plan *plan, struct oro_cache *cache)
{
    struct watch watch = {.end = oro_now() + seconds_max};
    struct oro_evaluator_options options = {.progress = take_progress, .user = &watch, .state_seconds = 1e-9};
    struct outcome outcome = {0};
    struct oro_value *value = NULL;
    watch.evaluator = oro_evaluator_create(device, cache, &options);
    fuzz_require(watch.evaluator);
    outcome.ok = oro_evaluate(watch.evaluator, plan, &value, &outcome.err);
    outcome.late = watch.late;
    if (!outcome.ok)
        fuzz_require_reason(&outcome.err);
    else
        fuzz_require(value && oro_value_digest(value, &outcome.data, NULL));
    oro_value_release(value);
    oro_evaluator_destroy(watch.evaluator);
    return outcome;
}

static struct oro_cache *new_cache(const char *folder)
{
    const struct oro_cache_options options = {.folder = folder,
                                              .device_bytes = (size_t)128 << 20,
                                              .host_bytes = (size_t)128 << 20,
                                              .disk_seconds = -1};
    struct oro_cache *cache = oro_cache_create(&options);
    fuzz_require(cache);
    return cache;
}

static void expect_same(const struct outcome *a, const struct outcome *b)
{
    if (a->late || b->late)
        return;
    fuzz_require(a->ok == b->ok && a->err.code == b->err.code);
    fuzz_require(oro_hash_equal(a->data, b->data));
}

static struct oro_plan *plan_of(const struct oro_document *doc, const struct oro_target *target,
                                const struct oro_override *override)
{
    const struct oro_plan_options options = {.allow_any_path = true,
                                             .memory_bytes = memory_max,
                                             .overrides = override,
                                             .override_count = override != NULL};
    struct oro_error err = {0};
    struct oro_plan *plan = oro_plan_create(doc, &oro_builtin_nodes, target, 1, &options, device, NULL, &err);
    if (!plan)
        fuzz_require_reason(&err);
    if (!plan || plan->peak_bytes + plan->peak_host <= memory_max)
        return plan;
    oro_plan_destroy(plan);
    return NULL;
}

/* What is computed with fewer iterations first leaves states to go on from. */
static void check_resumed(const struct oro_document *doc, const struct oro_target *target,
                          const struct oro_plan *plan, const struct outcome *cold)
{
    for (size_t i = 0; i < oro_document_node_count(doc); i++) {
        const struct oro_doc_node *node = oro_document_node(doc, i);
        const struct oro_node_type *type = oro_registry_find(&oro_builtin_nodes, node->type);
        const struct oro_input *iterations = oro_type_input_as(type, ORO_ROLE_ITERATIONS);
        const struct oro_doc_input *given = iterations ? oro_doc_node_input(node, iterations->name) : NULL;
        char fewer[16];
        double count = 0;
        if (given && given->value)
            fuzz_require(oro_parse_number(given->value, &count));
        if (count < 2)
            continue;
        snprintf(fewer, sizeof fewer, "%d", (int)count / 2);
        const struct oro_override override = {node->id, iterations->name, fewer};
        struct oro_plan *shorter = plan_of(doc, target, &override);
        if (!shorter)
            continue;
        struct oro_cache *cache = new_cache("");
        evaluate(shorter, cache);
        struct outcome resumed = evaluate(plan, cache);
        expect_same(cold, &resumed);
        oro_cache_destroy(cache);
        oro_plan_destroy(shorter);
    }
}

static void check_cached(const struct oro_plan *plan, const struct outcome *cold, bool on_disk)
{
    char folder[FUZZ_PATH];
    fuzz_path(folder, "cache");
    for (int i = 0; i < (on_disk ? 2 : 1); i++) { /* the second time, all comes from the disk */
        struct oro_cache *cache = new_cache(on_disk ? folder : "");
        struct outcome first = evaluate(plan, cache), again = evaluate(plan, cache);
        expect_same(cold, &first);
        expect_same(cold, &again);
        oro_cache_destroy(cache);
    }
    if (on_disk)
        remove_tree(folder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_bytes bytes = {data, size};
    if (!device)
        begin();
    bool on_disk = fuzz_chance(&bytes, 8);
    struct oro_document *doc = make_graph(&bytes);
    const struct oro_doc_node *last = oro_document_node(doc, oro_document_node_count(doc) - 1);
    const struct oro_node_type *type = oro_registry_find(&oro_builtin_nodes, last->type);
    const struct oro_target target = {
        last->id, type->outputs[fuzz_below(&bytes, (unsigned)oro_type_output_count(type))].name};
    struct oro_plan *plan = plan_of(doc, &target, NULL);
    if (plan) {
        struct outcome cold = evaluate(plan, NULL);
        if (!cold.late)
            check_cached(plan, &cold, on_disk);
        if (cold.ok)
            check_resumed(doc, &target, plan, &cold);
    }
    oro_plan_destroy(plan);
    oro_document_destroy(doc);
    fuzz_require(device->used_bytes == 0);
    return 0;
}
