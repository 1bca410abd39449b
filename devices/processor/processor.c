/* The processor as a device: buffers are memory, and kernels run by their code for it. */
#include <stdio.h>
#include <string.h>

#include "base/budget.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/words.h"
#include "devices/devices.h"
#include "devices/gpu/source.h"
#include "devices/processor/native.h"
#include "terrain/processor/run.h"

/* A buffer of the device, and its copy for the driver. One of the two may be older than the other. */
struct held {
    void *memory;
    size_t bytes;
    struct oro_buffer *copy; /* NULL: the driver has not needed it yet */
    bool memory_is_old, copy_is_old;
};

/* A kernel file that was asked for: its text with all that it includes, and the words of that. */
struct text {
    char *file;
    struct oro_source source;
    struct oro_word_set *words;
    struct text *next;
};

struct processor {
    struct oro_device device; /* first, so that pointers to both are interchangeable */
    struct text *texts;
    const struct oro_log *log;
    struct oro_device *driver; /* NULL: not needed yet, or there is none */
    struct oro_error problem;  /* why there is none */
};

static struct processor *processor_of(struct oro_device *device)
{
    return (struct processor *)device;
}

static struct held *held_of(struct oro_buffer *buffer)
{
    return (struct held *)(void *)buffer;
}

/* ---- Buffers ---- */

static bool is_within_budget(const struct oro_device *device, size_t bytes, struct oro_error *err)
{
    size_t budget = device->budget_bytes;
    if (!budget || (bytes <= budget && device->used_bytes <= budget - bytes))
        return true;
    return oro_fail(
        err, ORO_E_LIMIT, "a buffer of %.1f MiB is wanted; %.1f of the budget of %.1f MiB are in use",
        (double)bytes / (1 << 20), (double)device->used_bytes / (1 << 20), (double)budget / (1 << 20));
}

static struct oro_buffer *buffer_create(struct oro_device *device, size_t bytes, struct oro_error *err)
{
    if (!is_within_budget(device, bytes, err))
        return NULL;
    struct held *held = oro_alloc(1, sizeof *held);
    if (held)
        held->memory = oro_alloc(bytes ? bytes : 1, 1);
    if (!held || !held->memory) {
        oro_free(held);
        oro_fail(err, ORO_E_MEMORY, "no memory for a buffer of %.1f MiB", (double)bytes / (1 << 20));
        return NULL;
    }
    held->bytes = bytes;
    device->used_bytes += bytes;
    if (device->used_bytes > device->peak_bytes)
        device->peak_bytes = device->used_bytes;
    return (struct oro_buffer *)(void *)held;
}

size_t oro_processor_bytes(const struct oro_buffer *buffer)
{
    return ((const struct held *)(const void *)buffer)->bytes;
}

static void drop_copy(struct processor *processor, struct held *held)
{
    if (held->copy)
        processor->driver->ops->buffer_destroy(processor->driver, held->copy);
    held->copy = NULL;
}

static void buffer_destroy(struct oro_device *device, struct oro_buffer *buffer)
{
    if (!buffer)
        return;
    struct held *held = held_of(buffer);
    drop_copy(processor_of(device), held);
    device->used_bytes -= held->bytes;
    oro_free(held->memory);
    oro_free(held);
}

static void *memory(struct oro_device *device, struct oro_buffer *buffer, bool writes, struct oro_error *err)
{
    struct held *held = held_of(buffer);
    struct oro_device *driver = processor_of(device)->driver;
    if (held->memory_is_old && !driver->ops->download(driver, held->copy, held->memory, held->bytes, err))
        return NULL;
    held->memory_is_old = false;
    held->copy_is_old = held->copy_is_old || writes;
    return held->memory;
}

static bool fits(const struct held *held, size_t bytes, struct oro_error *err)
{
    return bytes <= held->bytes ||
           oro_fail(err, ORO_E_DEVICE, "%zu bytes do not fit a buffer of %zu bytes", bytes, held->bytes);
}

static bool upload(struct oro_device *device, struct oro_buffer *buffer, const void *data, size_t bytes,
                   struct oro_error *err)
{
    void *to = fits(held_of(buffer), bytes, err) ? memory(device, buffer, true, err) : NULL;
    if (to)
        memcpy(to, data, bytes);
    return to;
}

static bool download(struct oro_device *device, struct oro_buffer *buffer, void *data, size_t bytes,
                     struct oro_error *err)
{
    const void *from = fits(held_of(buffer), bytes, err) ? memory(device, buffer, false, err) : NULL;
    if (from)
        memcpy(data, from, bytes);
    return from;
}

static bool copy(struct oro_device *device, struct oro_buffer *from, struct oro_buffer *to, size_t bytes,
                 struct oro_error *err)
{
    const void *data = fits(held_of(from), bytes, err) ? memory(device, from, false, err) : NULL;
    return data && (from == to || upload(device, to, data, bytes, err));
}

/* ---- Kernels with code that was made of their text ---- */

static void free_text(struct text *text)
{
    if (!text)
        return;
    oro_free(text->file);
    oro_source_free(&text->source);
    oro_words_free(text->words);
    oro_free(text);
}

/* NULL: it failed. */
static struct text *text_of(struct processor *processor, const char *file, struct oro_error *err)
{
    for (struct text *text = processor->texts; text; text = text->next)
        if (strcmp(text->file, file) == 0)
            return text;
    const struct oro_shader_set set = {.files = oro_shader_files, .count = oro_shader_file_count};
    struct text *text = oro_alloc(1, sizeof *text);
    if (text)
        text->file = oro_copy_text(file);
    if (!text || !text->file)
        oro_fail(err, ORO_E_MEMORY, "no memory for kernel '%s'", file);
    else if (oro_source_assemble(&text->source, &set, file, err) &&
             !(text->words = oro_words_of(text->source.text.data)))
        oro_fail(err, ORO_E_MEMORY, "no memory for kernel '%s'", file);
    if (!text || !text->words) {
        free_text(text);
        return NULL;
    }
    text->next = processor->texts;
    processor->texts = text;
    return text;
}

static const struct oro_word_set *words(struct oro_device *device, const char *file, struct oro_error *err)
{
    const struct text *text = text_of(processor_of(device), file, err);
    return text ? text->words : NULL;
}

bool oro_processor_text(struct oro_device *device, const struct oro_kernel_source *source,
                        struct oro_text *whole, struct oro_error *err)
{
    const struct text *text = text_of(processor_of(device), source->file, err);
    if (!text)
        return false;
    oro_text_add(whole, source->preamble);
    for (size_t i = 0; i < text->source.count; i++)
        oro_text_addf(whole, "// source %zu: %s\n", i + 1, text->source.parts[i].name);
    oro_text_add(whole, text->source.text.data);
    return !whole->failed || oro_fail(err, ORO_E_MEMORY, "no memory for kernel '%s'", source->file);
}

static bool native(struct oro_device *device, const struct oro_kernel_source *source,
                   struct oro_kernel **kernel, struct oro_error *err)
{
    struct oro_text whole = {0};
    bool ok = oro_processor_text(device, source, &whole, err);
    *kernel =
        ok ? (struct oro_kernel *)(uintptr_t)oro_native_find(oro_hash_of(whole.data, whole.length)) : NULL;
    oro_text_free(&whole);
    return ok;
}

/* Kernels with code are entries of its table; others are the driver's. */
static const struct oro_native *native_of(const struct oro_kernel *kernel)
{
    uintptr_t at = (uintptr_t)kernel, first = (uintptr_t)oro_native_table;
    bool within = at >= first && at < (uintptr_t)(oro_native_table + oro_native_count);
    return within ? (const struct oro_native *)at : NULL;
}

static bool run_native(struct oro_device *device, const struct oro_device_dispatch *wanted,
                       struct oro_error *err)
{
    static const uint32_t nothing[64];
    struct oro_native_buffer buffers[8 * sizeof wanted->written];
    for (int i = 0; i < wanted->buffer_count; i++) {
        struct oro_buffer *buffer = wanted->buffers[i];
        buffers[i] = (struct oro_native_buffer){(void *)(uintptr_t)nothing, 16};
        if (!buffer)
            continue;
        buffers[i].data = memory(device, buffer, wanted->written >> i & 1, err);
        buffers[i].words = (long)(held_of(buffer)->bytes / 4);
        if (!buffers[i].data)
            return false;
    }
    device->dispatches++;
    return oro_native_run(native_of(wanted->kernel), wanted->constants, buffers, wanted->buffer_count,
                          wanted->columns, wanted->rows, device->stop, device->stop_user) ||
           oro_fail(err, ORO_E_CANCELLED, "cancelled");
}

/* ---- Kernels without code for the processor ---- */

static struct oro_device *driver_of(struct processor *processor, struct oro_error *err)
{
    if (!processor->driver && !processor->problem.code) {
        struct oro_gpu_options options = {.index = ORO_GPU_SOFTWARE, .log = processor->log};
        processor->driver = oro_gpu_create(&options, &processor->problem);
    }
    if (!processor->driver && err)
        *err = processor->problem;
    if (processor->driver) {
        processor->driver->stop = processor->device.stop;
        processor->driver->stop_user = processor->device.stop_user;
    }
    return processor->driver;
}

/* The digest of all code for the processor is in the device's version. A kernel without any hangs on the
 * texts of all kernels, which is more than it needs, but found at once. */
static bool kernel_digest(struct oro_device *device, const char *file, struct oro_hash *digest,
                          struct oro_error *err)
{
    (void)device, (void)err;
    *digest = oro_processor_find(file) ? oro_hash_of(file, strlen(file)) : oro_gpu_kernels_digest();
    return true;
}

static struct oro_kernel *kernel(struct oro_device *device, const struct oro_kernel_source *source,
                                 struct oro_error *err)
{
    struct oro_error problem = {0};
    struct oro_device *driver = driver_of(processor_of(device), &problem);
    if (driver)
        return driver->ops->kernel(driver, source, err);
    oro_fail(err, ORO_E_DEVICE,
             "kernel '%s' has no code for the processor, and needs a driver with OpenGL ES 3.1 (%.400s)",
             source->file, problem.text);
    return NULL;
}

/* The driver's copy, as new as the memory. */
static struct oro_buffer *copy_of(struct processor *processor, struct held *held, struct oro_error *err)
{
    struct oro_device *driver = processor->driver;
    if (!held->copy) {
        held->copy = driver->ops->buffer_create(driver, held->bytes, err);
        held->copy_is_old = true;
    }
    if (!held->copy ||
        (held->copy_is_old && !driver->ops->upload(driver, held->copy, held->memory, held->bytes, err)))
        return NULL;
    held->copy_is_old = false;
    return held->copy;
}

static bool dispatch(struct oro_device *device, const struct oro_device_dispatch *wanted,
                     struct oro_error *err)
{
    if (native_of(wanted->kernel))
        return run_native(device, wanted, err);
    struct processor *processor = processor_of(device);
    struct oro_device *driver = driver_of(processor, err);
    struct oro_buffer *copies[ORO_BUFFERS_MAX];
    struct oro_device_dispatch same = *wanted;
    if (!driver)
        return false;
    for (int i = 0; i < wanted->buffer_count; i++)
        if (!(copies[i] = copy_of(processor, held_of(wanted->buffers[i]), err)))
            return false;
    same.buffers = copies;
    if (!driver->ops->dispatch(driver, &same, err))
        return false;
    for (int i = 0; i < wanted->buffer_count; i++)
        if (wanted->written >> i & 1)
            held_of(wanted->buffers[i])->memory_is_old = true;
    device->dispatches++;
    device->by_driver++;
    return true;
}

static bool pace(struct oro_device *device, struct oro_error *err)
{
    struct oro_device *driver = processor_of(device)->driver;
    return !driver || driver->ops->pace(driver, err);
}

static bool finish(struct oro_device *device, struct oro_error *err)
{
    struct oro_device *driver = processor_of(device)->driver;
    return !driver || driver->ops->finish(driver, err);
}

/* ---- The device ---- */

static bool timer_begin(struct oro_device *device)
{
    (void)device;
    return false;
}

static double timer_end(struct oro_device *device)
{
    (void)device;
    return -1;
}

/* Results that the driver had are lost with it, and so is all that may depend on them. */
static bool rebuild(struct oro_device *device, struct oro_error *err)
{
    struct oro_device *driver = processor_of(device)->driver;
    return !driver || driver->ops->rebuild(driver, err);
}

static void destroy(struct oro_device *device)
{
    struct processor *processor = processor_of(device);
    if (processor->driver)
        processor->driver->ops->destroy(processor->driver);
    for (struct text *text = processor->texts, *next; text; text = next) {
        next = text->next;
        free_text(text);
    }
    oro_free(processor);
}

static const struct oro_device_ops ops = {
    .destroy = destroy,
    .buffer_create = buffer_create,
    .buffer_destroy = buffer_destroy,
    .upload = upload,
    .download = download,
    .copy = copy,
    .memory = memory,
    .kernel_digest = kernel_digest,
    .kernel = kernel,
    .words = words,
    .native = native,
    .dispatch = dispatch,
    .pace = pace,
    .finish = finish,
    .timer_begin = timer_begin,
    .timer_end = timer_end,
    .rebuild = rebuild,
};

struct oro_device *oro_processor_create(const struct oro_log *log, struct oro_error *err)
{
    struct processor *processor = oro_alloc(1, sizeof *processor);
    if (!processor) {
        oro_fail(err, ORO_E_MEMORY, "no memory for a device");
        return NULL;
    }
    processor->device.ops = &ops;
    processor->log = log;
    struct oro_device_info *info = &processor->device.info;
    *info = (struct oro_device_info){.name = "processor",
                                     .memory_bytes = oro_memory_physical(),
                                     .buffers_per_kernel = ORO_BUFFERS_MAX,
                                     .software = true};
    int threads = oro_parallel_threads();
    snprintf(info->version, sizeof info->version, "code %.16s", oro_processor_digest);
    snprintf(info->platform, sizeof info->platform, "%d thread%s", threads, threads == 1 ? "" : "s");
    return &processor->device;
}
