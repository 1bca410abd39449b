/*
 * orograph-kernels [-v] FOLDER FILE.oro...: writes down the texts of the kernels that the processor is asked
 * for when the files' nodes are evaluated, and their variants: FOLDER/DIGEST.comp, and FOLDER/index with a
 * line "DIGEST KERNEL" for each, and " by_hand" where code by hand goes first. The build makes code of them
 * (cmake/processor.cmake). Kernels are not run. -v tells what could not be evaluated: some graphs want a file
 * that only their user has, or results that make sense.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "devices/devices.h"
#include "devices/processor/native.h"
#include "graph/eval/evaluator.h"
#include "graph/file/load.h"
#include "lua/types/registry.h"
#include "terrain/processor/run.h"

/* This program runs none. */
const struct oro_native oro_native_table[1];
const size_t oro_native_count;

enum { RESOLUTION = 32, ITERATIONS = 3, TARGETS_MAX = 256, TEXTS_MAX = 4096, DISPATCHES_MAX = 500 };

/* ---- Texts ---- */

struct recorded {
    char digest[ORO_HASH_TEXT];
    char kernel[96];
};
static struct {
    const char *folder;
    struct recorded list[TEXTS_MAX]; /* sorted by digest */
    size_t count;
    bool failed;
} texts;

static int compare(const void *digest, const void *recorded)
{
    return strcmp(digest, ((const struct recorded *)recorded)->digest);
}

static bool fail(const char *path)
{
    fprintf(stderr, "orograph-kernels: cannot write %s\n", path);
    texts.failed = true;
    return false;
}

/* Leaves a file as it is that has these bytes. */
static bool put_file(const char *path, const char *data, size_t length)
{
    void *old = NULL;
    size_t size = 0;
    bool same = oro_file_read(path, 1 << 24, &old, &size, NULL) && size == length && !memcmp(old, data, size);
    oro_free(old);
    if (same)
        return true;
    FILE *file = fopen(path, "wb");
    bool ok = file && fwrite(data, 1, length, file) == length;
    return (file && fclose(file) == 0 && ok) || fail(path);
}

static void keep(const char *kernel, const char *data, size_t length)
{
    struct recorded new;
    oro_hash_text(oro_hash_of(data, length), new.digest);
    snprintf(new.kernel, sizeof new.kernel, "%s", kernel);
    if (bsearch(new.digest, texts.list, texts.count, sizeof new, compare))
        return;
    if (texts.count == TEXTS_MAX)
        abort();
    size_t at = texts.count++;
    for (; at > 0 && strcmp(texts.list[at - 1].digest, new.digest) > 0; at--)
        texts.list[at] = texts.list[at - 1];
    texts.list[at] = new;
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.comp", texts.folder, new.digest);
    put_file(path, data, length);
}

static void remove_others(void)
{
    DIR *folder = opendir(texts.folder);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        char digest[ORO_HASH_TEXT] = "", path[4096];
        size_t length = strlen(entry->d_name);
        if (length != ORO_HASH_TEXT - 1 + 5 || strcmp(entry->d_name + ORO_HASH_TEXT - 1, ".comp") != 0)
            continue;
        memcpy(digest, entry->d_name, ORO_HASH_TEXT - 1);
        snprintf(path, sizeof path, "%s/%s", texts.folder, entry->d_name);
        if (!bsearch(digest, texts.list, texts.count, sizeof *texts.list, compare))
            unlink(path);
    }
    if (folder)
        closedir(folder);
}

static bool put_index(void)
{
    struct oro_text index = {0};
    char path[4096];
    for (size_t i = 0; i < texts.count; i++)
        oro_text_addf(&index, "%s %s%s\n", texts.list[i].digest, texts.list[i].kernel,
                      oro_processor_find(texts.list[i].kernel) ? " by_hand" : "");
    snprintf(path, sizeof path, "%s/index", texts.folder);
    bool ok = texts.count > 0 && !index.failed && put_file(path, index.data, index.length);
    oro_text_free(&index);
    return ok;
}

/* ---- The device: a processor that runs no kernels ---- */

static float result; /* what floats are that a kernel would have written; all else is 0 */

/* A kernel is what is known of it: a bit for each buffer of floats, and one that is always there. */
static struct oro_kernel *kernel_of(const char *text)
{
    uintptr_t floats = 1;
    for (int i = 0; i < 32; i++) {
        char words[64];
        snprintf(words, sizeof words, "buffer oro_buffer_%d { float ", i);
        floats |= strstr(text, words) ? (uintptr_t)2 << i : 0;
    }
    return (struct oro_kernel *)floats;
}

static bool record(struct oro_device *device, const struct oro_kernel_source *source,
                   struct oro_kernel **kernel, struct oro_error *err)
{
    struct oro_text whole = {0};
    bool ok = oro_processor_text(device, source, &whole, err);
    if (ok)
        keep(source->file, whole.data, whole.length);
    oro_text_free(&whole);
    *kernel = kernel_of(source->preamble);
    return ok;
}

static struct oro_kernel *no_kernel(struct oro_device *device, const struct oro_kernel_source *source,
                                    struct oro_error *err)
{
    (void)device, (void)source, (void)err;
    return (struct oro_kernel *)(uintptr_t)1;
}

/* What waits for a result that never comes does not wait for ever. */
static bool run_nothing(struct oro_device *device, const struct oro_device_dispatch *dispatch,
                        struct oro_error *err)
{
    uintptr_t floats = (uintptr_t)dispatch->kernel >> 1;
    for (int i = 0; i < dispatch->buffer_count; i++) {
        if (!(dispatch->written >> i & floats >> i & 1))
            continue;
        size_t count = oro_processor_bytes(dispatch->buffers[i]) / sizeof(float);
        float *memory = device->ops->memory(device, dispatch->buffers[i], true, err);
        for (size_t at = 0; memory && at < count; at++)
            memory[at] = result / (float)(1 << at % 16);
    }
    return device->dispatches++ < DISPATCHES_MAX ||
           oro_fail(err, ORO_E_CANCELLED, "it came to no end, as no kernel runs");
}

static struct oro_device *open_device(struct oro_device_ops *ops, struct oro_error *err)
{
    struct oro_device *device = oro_processor_create(NULL, err);
    if (!device)
        return NULL;
    *ops = *device->ops;
    ops->native = record;
    ops->kernel = no_kernel;
    ops->dispatch = run_nothing;
    device->ops = ops;
    return device;
}

/* ---- Evaluating ---- */

struct work {
    struct oro_device *device;
    const struct oro_registry *registry;
    struct oro_document *doc;
    const char *path;
};

static bool evaluate_once(const struct work *work, const struct oro_target *targets, size_t count,
                          struct oro_error *err)
{
    struct oro_plan_options options = {.allow_any_path = true, .max_resolution = 2 * RESOLUTION};
    const struct oro_evaluator_options how = {.native_first = true};
    struct oro_value *values[TARGETS_MAX];
    work->device->dispatches = 0;
    struct oro_plan *plan =
        oro_plan_create(work->doc, work->registry, targets, count, &options, work->device, NULL, err);
    struct oro_evaluator *evaluator = oro_evaluator_create(work->device, NULL, &how);
    bool ok = plan && evaluator && oro_evaluate(evaluator, plan, values, err);
    for (size_t i = 0; ok && i < count; i++)
        oro_value_release(values[i]);
    oro_evaluator_destroy(evaluator);
    oro_plan_destroy(plan);
    return ok;
}

/* With results of 0, then of 1.0: nodes ask for some, and go on as they are. False: it failed with both. */
static bool evaluate(const struct work *work, const struct oro_target *targets, size_t count,
                     struct oro_error *err)
{
    bool ok = false;
    for (result = 0; result < 2; result++)
        ok = evaluate_once(work, targets, count, err) || ok;
    return ok;
}

static bool verbose;

static void tell(const char *path, const char *what, const char *problem)
{
    if (verbose)
        fprintf(stderr, "%s: %s: %s\n", path, what, problem);
}

/* The outputs of the nodes that write no files; of one alone, if it is given. */
static size_t targets_of(const struct work *work, const char *node, struct oro_target *targets)
{
    size_t count = 0;
    for (size_t i = 0; i < oro_document_node_count(work->doc); i++) {
        const struct oro_doc_node *at = oro_document_node(work->doc, i);
        const struct oro_node_type *type = oro_type_of(work->registry, work->doc, at, NULL);
        if (!type || type->sink || (node && strcmp(node, at->id) != 0))
            continue;
        for (const struct oro_output *output = type->outputs; output && output->name; output++)
            if (count < TARGETS_MAX)
                targets[count++] = (struct oro_target){at->id, output->name};
    }
    return count;
}

/* All at once; where that fails, one by one. Results of 0 are more than some nodes can take. */
static void evaluate_all(const struct work *work)
{
    struct oro_target targets[TARGETS_MAX];
    size_t count = targets_of(work, NULL, targets);
    struct oro_error err = {0};
    if (count == 0 || evaluate(work, targets, count, &err))
        return;
    for (size_t i = 0; i < count; i++)
        if (!evaluate(work, &targets[i], 1, &err))
            tell(work->path, targets[i].node, err.text);
}

/* ---- Variants ---- */

static void evaluate_node(const struct work *work, const char *node)
{
    struct oro_target targets[TARGETS_MAX];
    size_t count = targets_of(work, node, targets);
    struct oro_error err = {0};
    if (count > 0)
        evaluate(work, targets, count, &err); /* what does not fit together has no kernels */
}

/* Evaluates the node as an edit leaves it, and takes the edit back. */
static void try_edit(const struct work *work, const char *node, bool edited)
{
    if (edited)
        evaluate_node(work, node);
    oro_edit_cancel(work->doc, NULL);
}

static void with_value(const struct work *work, const char *node, const char *input, const char *value)
{
    if (oro_edit_begin(work->doc, "value", NULL))
        try_edit(work, node, oro_edit_set(work->doc, node, input, value, NULL));
}

static void with_link(const struct work *work, const char *node, const char *input)
{
    static const char source[] = "orograph_kernels_constant";
    struct oro_document *doc = work->doc;
    if (oro_edit_begin(doc, "link", NULL))
        try_edit(work, node,
                 oro_edit_add_node(doc, source, "constant", 0, 0, 0, NULL) &&
                     oro_edit_connect(doc, node, input, source, "field", NULL));
}

static void without_link(const struct work *work, const char *node, const char *input)
{
    const struct oro_doc_input *now = oro_doc_node_input(oro_document_find(work->doc, node), input);
    if (now && now->from_node)
        with_value(work, node, input, NULL);
}

static void vary(const struct work *work, const char *node, const struct oro_node_type *type)
{
    for (const struct oro_input *input = type->inputs; input->name; input++) {
        for (int i = 0; input->type == ORO_CHOICE && input->choices[i]; i++)
            with_value(work, node, input->name, input->choices[i]);
        if (input->type == ORO_BOOL) {
            with_value(work, node, input->name, "true");
            with_value(work, node, input->name, "false");
        }
        if (input->map || (input->type == ORO_FIELD && input->optional))
            with_link(work, node, input->name);
        if (input->map || input->optional)
            without_link(work, node, input->name);
    }
}

/* The node that an example of a type is about: the first of that type. */
static void vary_example(const struct work *work)
{
    const char *name = strrchr(work->path, '/');
    size_t count = oro_document_node_count(work->doc);
    name = name ? name + 1 : work->path;
    for (size_t i = 0; i < count; i++) {
        const struct oro_doc_node *node = oro_document_node(work->doc, i);
        size_t length = strlen(node->type);
        char id[128];
        if (strncmp(name, node->type, length) != 0 || strcmp(name + length, ".oro") != 0)
            continue;
        snprintf(id, sizeof id, "%s", node->id);
        const struct oro_node_type *type = oro_type_of(work->registry, work->doc, node, NULL);
        if (type)
            vary(work, id, type);
        return;
    }
}

/* ---- Files ---- */

/* Few iterations of what counts them, in a small world. */
static bool shorten(const struct work *work, struct oro_error *err)
{
    struct oro_world world = *oro_document_world(work->doc);
    char iterations[16];
    snprintf(iterations, sizeof iterations, "%d", ITERATIONS);
    world.resolution = RESOLUTION;
    bool ok = oro_edit_world(work->doc, &world, err);
    for (size_t i = 0; ok && i < oro_document_node_count(work->doc); i++) {
        const struct oro_doc_node *node = oro_document_node(work->doc, i);
        const struct oro_node_type *type = oro_type_of(work->registry, work->doc, node, err);
        for (const struct oro_input *input = type ? type->inputs : NULL; ok && input && input->name; input++)
            if (input->type == ORO_INT && strstr(input->name, "iterations"))
                ok = oro_edit_set(work->doc, node->id, input->name, iterations, err);
        ok = ok && type;
    }
    return ok;
}

static void run_file(struct oro_device *device, const struct oro_registry *registry, const char *path)
{
    struct oro_problems problems = {0};
    struct oro_error err = {0};
    struct work work = {device, registry, oro_document_load(path, registry, &problems), path};
    if (work.doc && shorten(&work, &err)) {
        evaluate_all(&work);
        vary_example(&work);
    } else {
        tell(path, "the document", work.doc ? err.text : "cannot be read");
    }
    oro_document_destroy(work.doc);
    oro_problems_free(&problems);
}

int main(int count, char **words)
{
    struct oro_error err = {0};
    struct oro_device_ops ops;
    struct oro_registry registry;
    struct oro_log log = {0};
    verbose = count > 1 && strcmp(words[1], "-v") == 0;
    count -= verbose;
    words += verbose;
    if (count < 3) {
        fprintf(stderr, "usage: orograph-kernels [-v] FOLDER FILE.oro...\n");
        return 2;
    }
    texts.folder = words[1];
    mkdir(texts.folder, 0777);
    struct oro_device *device = open_device(&ops, &err);
    bool ok = device && oro_registry_open(&registry, &oro_builtin_nodes, true, &log, &err);
    for (int i = 2; ok && i < count; i++)
        run_file(device, &registry, words[i]);
    if (ok)
        oro_registry_close(&registry);
    if (device)
        device->ops->destroy(device);
    ok = ok && !texts.failed && put_index();
    if (ok)
        remove_others();
    else
        fprintf(stderr, "orograph-kernels: no kernels%s%s\n", err.text[0] ? ": " : "", err.text);
    return ok ? 0 : 1;
}
