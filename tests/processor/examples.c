/*
 * examples FILE.oro...: evaluates what the files show with every kernel run in all ways, by the driver, by
 * code that is made of its text and by code by hand, on the same buffers. Prints how far they differ, kernel
 * by kernel. Exit code 1 if they differ by more than rounding, 77 if there is no driver to run kernels.
 *
 * examples --kind NUMBER ...: uses generated code for that kind of processor (enum oro_native_kind).
 * examples --code FILE.oro...: the same without the driver.
 * examples --times CELLS TIMES FILE.oro... (build with -DOROGRAPH_ALL_KERNELS=ON): prints how long both kinds
 * of code take, in worlds of so many cells along the longer side, on one thread: the least of so many times
 * for each dispatch, "kernel cells by_hand_ms native_ms ratio". examples --digests FILE.oro...: prints
 * digests of all results, which are the same for any number of threads.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "devices/devices.h"
#include "devices/processor/native.h"
#include "graph/eval/evaluator.h"
#include "graph/file/load.h"
#include "lua/types/registry.h"

/* Cells along the longer side: more than a tile of the processor's, and no multiple of anything; as many
 * threads as share tiles unevenly. */
enum { ITERATIONS = 3, THREADS = 3 };
static int resolution = 149;

/* Relative to the largest value in a buffer. A cell at which the two decide differently by rounding may
 * differ by more: a few cells of all may, and not half of a dispatch, however small its grid. */
static const double tolerance = 1e-5, few = 2e-3, most_of_a_dispatch = 0.4;

/* Where a driver is less exact than the code: Mesa's mix(a, b, 1) is off by the rounding of a, its atan() by
 * 3e-6. Where a sum has another order: places in lattices of noise are hundreds of cells from the origin, and
 * Mesa adds what a layer is moved by to the second product of dot(matrix.xy, place) + moved, not to the dot.
 */
static const struct {
    const char *kernel;
    double tolerance;
    const char *method; /* NULL: all; else only where this one takes part */
} inexact[] = {{"filter/normalize.comp", 1e-4, NULL},
               {"mask/snow_line.comp", 5e-5, NULL},
               {"source/noise.comp", 1e-4, "native"}};

static double tolerance_of(const char *kernel, const char *ways)
{
    for (size_t i = 0; i < sizeof inexact / sizeof inexact[0]; i++)
        if (strcmp(kernel, inexact[i].kernel) == 0 && (!inexact[i].method || strstr(ways, inexact[i].method)))
            return inexact[i].tolerance;
    return tolerance;
}

/* Kernels of which all texts or some have code by hand alone: groups of invocations work in memory that they
 * share. */
static const char *const kept_by_hand[] = {
    "erosion/deposition.comp",    "erosion/fluvial_erosion.comp", "erosion/hydraulic_erosion.comp",
    "erosion/retarget_down.comp", "erosion/retarget_up.comp",     "erosion/stream_power_explicit.comp",
    "flow/drainage.comp",         "resolution/phasor.comp",       "source/gabor.comp",
    "source/phasor_noise.comp",
};

struct compared {
    const char *kernel, *slot, *ways;
    size_t values, beyond;
    double most;  /* difference of the others */
    double worst; /* share of the values beyond, of any dispatch */
};
enum { COMPARED_MAX = 1024 };
static struct compared compared[COMPARED_MAX];
static int compared_count;

static struct compared *entry_of(const char *kernel, const char *slot, const char *ways)
{
    for (int i = 0; i < compared_count; i++)
        if (strcmp(compared[i].kernel, kernel) == 0 && strcmp(compared[i].slot, slot) == 0 &&
            strcmp(compared[i].ways, ways) == 0)
            return &compared[i];
    if (compared_count == COMPARED_MAX)
        abort();
    struct compared *entry = &compared[compared_count++];
    *entry = (struct compared){.kernel = oro_copy_text(kernel), .slot = oro_copy_text(slot), .ways = ways};
    return entry;
}

static bool are_floats(const char *type)
{
    return !type || strcmp(type, "float") == 0 || strncmp(type, "vec", 3) == 0;
}

static void compare_integers(struct compared *entry, const uint32_t *a, const uint32_t *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        entry->beyond += a[i] != b[i];
}

static void compare_floats(struct compared *entry, const float *a, const float *b, size_t count)
{
    double largest = 1e-30, most = tolerance_of(entry->kernel, entry->ways);
    for (size_t i = 0; i < count; i++)
        if (isfinite(a[i]) && fabs((double)a[i]) < 1e37)
            largest = fmax(largest, fabs((double)a[i]));
    for (size_t i = 0; i < count; i++) {
        double difference = fabs((double)a[i] - (double)b[i]) / largest;
        if (a[i] == b[i] || (isnan(a[i]) && isnan(b[i])))
            continue;
        if (!(difference <= most))
            entry->beyond++;
        else
            entry->most = fmax(entry->most, difference);
    }
}

static void compare_two(const char *kernel, const struct oro_compared *buffer, enum oro_method a,
                        enum oro_method b, const char *ways)
{
    if (!buffer->left[a] || !buffer->left[b])
        return;
    struct compared *entry = entry_of(kernel, buffer->slot, ways);
    size_t count = buffer->bytes / 4, beyond = entry->beyond;
    entry->values += count;
    if (are_floats(buffer->type))
        compare_floats(entry, buffer->left[a], buffer->left[b], count);
    else
        compare_integers(entry, buffer->left[a], buffer->left[b], count);
    entry->worst = fmax(entry->worst, (double)(entry->beyond - beyond) / (double)count);
}

static bool has_code(const struct oro_methods_compared *comparison)
{
    bool ok = comparison->ran[ORO_BY_NATIVE] || oro_native_count == 0;
    for (size_t i = 0; i < sizeof kept_by_hand / sizeof kept_by_hand[0]; i++)
        ok = ok || (comparison->ran[ORO_BY_HAND] && strcmp(comparison->kernel, kept_by_hand[i]) == 0);
    return ok;
}

static bool all_have_code = true;

static void compare(void *user, const struct oro_methods_compared *comparison)
{
    (void)user;
    const char *kernel = comparison->kernel;
    if (!has_code(comparison) && entry_of(kernel, "", "")->values++ == 0)
        printf("FAIL %s: there is no code for a text of this kernel\n", kernel);
    all_have_code = all_have_code && has_code(comparison);
    for (int i = 0; i < comparison->buffer_count; i++) {
        const struct oro_compared *buffer = &comparison->buffers[i];
        compare_two(kernel, buffer, ORO_BY_DRIVER, ORO_BY_HAND, "driver hand");
        compare_two(kernel, buffer, ORO_BY_DRIVER, ORO_BY_NATIVE, "driver native");
        if (!comparison->ran[ORO_BY_DRIVER])
            compare_two(kernel, buffer, ORO_BY_HAND, ORO_BY_NATIVE, "hand native");
    }
}

/* ---- Times ---- */

struct timed {
    const char *kernel;
    long cells;
    double seconds[ORO_METHODS];
};
static struct timed timed[COMPARED_MAX];
static int timed_count;

/* Sums over all dispatches of a kernel that run in both ways. */
static void time_both(void *user, const struct oro_methods_compared *comparison)
{
    (void)user;
    int at = 0;
    if (!comparison->ran[ORO_BY_HAND] || !comparison->ran[ORO_BY_NATIVE])
        return;
    while (at < timed_count && strcmp(timed[at].kernel, comparison->kernel) != 0)
        at++;
    if (at == COMPARED_MAX)
        abort();
    if (at == timed_count)
        timed[timed_count++].kernel = oro_copy_text(comparison->kernel);
    timed[at].cells += comparison->cells;
    for (int method = 0; method < ORO_METHODS; method++)
        timed[at].seconds[method] += comparison->seconds[method];
}

static void report_times(void)
{
    double sum = 0;
    for (int i = 0; i < timed_count; i++) {
        double by_hand = timed[i].seconds[ORO_BY_HAND], native = timed[i].seconds[ORO_BY_NATIVE];
        printf("%-44s %10ld %9.3f %9.3f %6.2f\n", timed[i].kernel, timed[i].cells, 1e3 * by_hand,
               1e3 * native, native / by_hand);
        sum += log(native / by_hand);
    }
    if (timed_count)
        printf("%d kernels, geometric mean %.3f\n", timed_count, exp(sum / timed_count));
}

/* ---- Evaluating ---- */

/* Few iterations of a simulation, or of those in a composite. */
static bool shorten_node(struct oro_document *doc, const char *node, const struct oro_node_type *type,
                         struct oro_error *err)
{
    char text[16];
    snprintf(text, sizeof text, "%d", ITERATIONS);
    for (const struct oro_input *input = type->inputs; input->name; input++)
        if (input->type == ORO_INT && strstr(input->name, "iterations") &&
            !oro_edit_set(doc, node, input->name, text, err))
            return false;
    return true;
}

/* The same for all of them, in a small world. */
static bool shorten(struct oro_document *doc, const struct oro_registry *registry, struct oro_error *err)
{
    struct oro_world world = *oro_document_world(doc);
    world.resolution = resolution;
    bool ok = oro_edit_world(doc, &world, err);
    for (size_t i = 0; ok && i < oro_document_node_count(doc); i++) {
        const struct oro_doc_node *node = oro_document_node(doc, i);
        const struct oro_node_type *type = oro_type_of(registry, doc, node, err);
        ok = type && shorten_node(doc, node->id, type, err);
    }
    return ok;
}

/* All outputs of all nodes that write no files. */
static size_t targets_of(const struct oro_document *doc, const struct oro_registry *registry,
                         struct oro_target *targets, size_t limit)
{
    size_t count = 0;
    for (size_t i = 0; i < oro_document_node_count(doc); i++) {
        const struct oro_doc_node *node = oro_document_node(doc, i);
        const struct oro_node_type *type = oro_type_of(registry, doc, node, NULL);
        for (const struct oro_output *output = type->outputs; !type->sink && output && output->name; output++)
            if (count < limit)
                targets[count++] = (struct oro_target){node->id, output->name};
    }
    return count;
}

enum { TARGETS_MAX = 256 };
struct outputs {
    struct oro_target targets[TARGETS_MAX];
    struct oro_hash digests[TARGETS_MAX];
    size_t count;
};

/* Nodes that need a driver, such as scripts with kernels, are not what this is about. */
static bool evaluate(struct oro_device *device, const struct oro_registry *registry,
                     const struct oro_document *doc, const struct oro_evaluator_options *how,
                     struct outputs *outputs, struct oro_error *err)
{
    struct oro_value *values[TARGETS_MAX];
    struct oro_plan_options options = {.allow_any_path = true, .max_resolution = 2 * resolution};
    outputs->count = targets_of(doc, registry, outputs->targets, TARGETS_MAX);
    struct oro_plan *plan =
        oro_plan_create(doc, registry, outputs->targets, outputs->count, &options, device, NULL, err);
    struct oro_evaluator *evaluator = oro_evaluator_create(device, NULL, how);
    bool ok = plan && oro_evaluate(evaluator, plan, values, err);
    for (size_t i = 0; ok && i < outputs->count; i++) {
        outputs->digests[i] = oro_hash_of(oro_value_host(values[i], NULL), oro_value_bytes(values[i]));
        oro_value_release(values[i]);
    }
    oro_evaluator_destroy(evaluator);
    oro_plan_destroy(plan);
    return ok;
}

static struct oro_evaluator_options comparing = {.compare = compare};

static bool compare_kernels(struct oro_device *device, const struct oro_registry *registry,
                            const struct oro_document *doc, const char *path, struct oro_error *err)
{
    (void)path;
    struct outputs outputs;
    return evaluate(device, registry, doc, &comparing, &outputs, err);
}

static bool compare_threads(struct oro_device *device, const struct oro_registry *registry,
                            const struct oro_document *doc, const char *path, struct oro_error *err)
{
    struct outputs outputs[2];
    const struct oro_evaluator_options options = {0};
    for (int i = 0; i < 2; i++) {
        oro_parallel_force(i ? THREADS : 1);
        if (!evaluate(device, registry, doc, &options, &outputs[i], err))
            return false;
    }
    for (size_t i = 0; i < outputs->count; i++) {
        char text[ORO_HASH_TEXT];
        const struct oro_target *target = &outputs->targets[i];
        printf("%s %s.%s %s\n", path, target->node, target->output, oro_hash_text(outputs->digests[i], text));
        if (!oro_hash_equal(outputs[0].digests[i], outputs[1].digests[i]))
            return oro_fail(err, ORO_E_EVALUATE, "%s.%s has other bits with three threads", target->node,
                            target->output);
    }
    return true;
}

typedef bool test_of_document(struct oro_device *, const struct oro_registry *, const struct oro_document *,
                              const char *path, struct oro_error *);

static bool run_file(struct oro_device *device, const struct oro_registry *registry, const char *path,
                     test_of_document *test)
{
    struct oro_problems problems = {0};
    struct oro_error err = {0};
    struct oro_document *doc = oro_document_load(path, registry, &problems);
    bool ok = doc && shorten(doc, registry, &err) && test(device, registry, doc, path, &err);
    if (!ok)
        printf("%s: %s\n", path, doc ? err.text : "cannot be read");
    oro_document_destroy(doc);
    oro_problems_free(&problems);
    return ok;
}

static bool run_files(char **files, int count, test_of_document *test)
{
    struct oro_error err = {0};
    struct oro_registry registry;
    struct oro_log log = {0};
    struct oro_device *device = oro_processor_create(NULL, &err);
    bool ok = device && oro_registry_open(&registry, &oro_builtin_nodes, true, &log, &err);
    bool opened = ok;
    for (int i = 0; opened && i < count; i++)
        ok = run_file(device, &registry, files[i], test) && ok;
    oro_registry_close(&registry);
    if (device)
        device->ops->destroy(device);
    return ok;
}

static bool report(void)
{
    bool ok = all_have_code;
    for (int i = 0; i < compared_count; i++) {
        const struct compared *entry = &compared[i];
        bool agrees =
            (double)entry->beyond <= few * (double)entry->values && entry->worst <= most_of_a_dispatch;
        printf("%s %-40s %-20s %-13s %.1e  %zu of %zu beyond, at most %.2g of a dispatch\n",
               agrees ? "    " : "FAIL", entry->kernel, entry->slot, entry->ways, entry->most, entry->beyond,
               entry->values, entry->worst);
        ok = ok && agrees;
    }
    return ok && (compared_count > 0 || oro_native_count == 0);
}

static bool has_driver(void)
{
    struct oro_error err = {0};
    struct oro_device *driver = oro_gpu_create(&(struct oro_gpu_options){.index = ORO_GPU_SOFTWARE}, &err);
    if (driver)
        driver->ops->destroy(driver);
    else
        printf("skipped: %s\n", err.text);
    return driver;
}

/* What the program's first word asks for; `*words` are then the files. */
static bool is(const char *option, int options, int *count, char ***words)
{
    if (*count <= options || strcmp((*words)[0], option) != 0)
        return false;
    *count -= options + 1;
    *words += options + 1;
    return true;
}

int main(int count, char **words)
{
    count--, words++;
    if (is("--kind", 1, &count, &words))
        oro_native_force((enum oro_native_kind)(int)strtol(words[-1], NULL, 10));
    if (is("--digests", 0, &count, &words))
        return run_files(words, count, compare_threads) ? 0 : 1;
    if (is("--times", 2, &count, &words)) {
        resolution = (int)strtol(words[-2], NULL, 10);
        comparing = (struct oro_evaluator_options){.compare = time_both,
                                                   .compare_code_alone = true,
                                                   .compare_times = (int)strtol(words[-1], NULL, 10)};
        oro_parallel_force(1);
        bool timed_all = run_files(words, count, compare_kernels);
        report_times();
        return timed_all ? 0 : 1;
    }
    bool code_alone = comparing.compare_code_alone = is("--code", 0, &count, &words);
    if (!comparing.compare_code_alone && !has_driver())
        return 77;
    oro_parallel_force(THREADS);
    bool ok = run_files(words, count, compare_kernels);
    return report() && (ok || code_alone) ? 0 : 1; /* some graphs want a file that only their user has */
}
