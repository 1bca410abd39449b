#include "devices/gpu/internal.h"

#include <stdio.h>
#include <string.h>

#include "base/budget.h"
#include "base/memory.h"
#include "base/text.h"

#ifndef GL_CONTEXT_LOST
#define GL_CONTEXT_LOST 0x0507
#endif

static const char lost_text[] = "the GPU context was lost (reset by the driver)";

/* A lost context may report its loss for ever, so every loop over errors is bounded. */
enum { ERRORS_MAX = 16 };

bool oro_gpu_ready(struct oro_gpu *gpu, struct oro_error *err)
{
    if (!gpu->lost && !oro_context_use(&gpu->context))
        gpu->lost = true;
    return !gpu->lost || oro_fail(err, ORO_E_LOST, "%s", lost_text);
}

bool oro_gpu_check(struct oro_gpu *gpu, const char *doing, struct oro_error *err)
{
    GLenum first = glGetError();
    if (first == GL_CONTEXT_LOST || (gpu->gl.reset_status && gpu->gl.reset_status() != GL_NO_ERROR)) {
        gpu->lost = true;
        return oro_fail(err, ORO_E_LOST, "%s", lost_text);
    }
    if (first == GL_NO_ERROR)
        return true;
    for (int i = 0; i < ERRORS_MAX && glGetError() != GL_NO_ERROR; i++)
        ;
    if (first == GL_OUT_OF_MEMORY)
        return oro_fail(err, ORO_E_MEMORY, "the driver failed to %s: the device is out of memory", doing);
    return oro_fail(err, ORO_E_DEVICE, "the driver failed to %s (GL error 0x%04x)", doing, (unsigned)first);
}

/* Destroys everything that lives in the context, then the context. */
static void close_context(struct oro_gpu *gpu)
{
    if (gpu->context.context && !gpu->lost && oro_context_use(&gpu->context)) {
        oro_gpu_queue_reset(gpu);
        oro_gpu_pool_clear(gpu);
    }
    gpu->pool = (struct oro_pool){0};
    gpu->bound = (struct oro_bound){0};
    gpu->queue.older = NULL;
    gpu->query = gpu->staging = gpu->writer = 0;
    gpu->staged = NULL;
    gpu->timing = false;
    oro_context_close(&gpu->context);
}

static void destroy(struct oro_device *device)
{
    struct oro_gpu *gpu = oro_gpu_of(device);
    close_context(gpu);
    oro_gpu_library_destroy(gpu);
    oro_free(gpu->folder);
    oro_free(gpu);
}

static bool rebuild(struct oro_device *device, struct oro_error *err)
{
    struct oro_gpu *gpu = oro_gpu_of(device);
    close_context(gpu);
    gpu->lost = true;
    struct oro_error problem = {0};
    if (!oro_context_open(&gpu->context, &gpu->candidate, &problem))
        return oro_fail(err, ORO_E_DEVICE, "the device cannot be opened again: %s", problem.text);
    const char *name = (const char *)glGetString(GL_RENDERER);
    if (!name || strncmp(name, device->info.name, sizeof device->info.name - 1) != 0) {
        oro_context_close(&gpu->context);
        return oro_fail(err, ORO_E_DEVICE, "the device cannot be opened again: it is another one now");
    }
    gpu->lost = false;
    gpu->generation++;
    gpu->queue = (struct oro_queue){.batch = 1};
    device->used_bytes = 0;
    oro_gpu_load_extras(gpu);
    return oro_gpu_check(gpu, "start again", err);
}

static const struct oro_device_ops ops = {
    .destroy = destroy,
    .buffer_create = oro_gpu_buffer_create,
    .host_create = oro_gpu_host_create,
    .buffer_destroy = oro_gpu_buffer_destroy,
    .upload = oro_gpu_upload,
    .download = oro_gpu_download,
    .copy = oro_gpu_copy,
    .kernel_digest = oro_gpu_kernel_digest,
    .kernel = oro_gpu_kernel,
    .dispatch = oro_gpu_dispatch,
    .pace = oro_gpu_pace,
    .finish = oro_gpu_finish,
    .timer_begin = oro_gpu_timer_begin,
    .timer_end = oro_gpu_timer_end,
    .rebuild = rebuild,
};

void oro_gpu_lose(struct oro_device *device)
{
    struct oro_gpu *gpu = oro_gpu_of(device);
    close_context(gpu);
    gpu->lost = true;
}

size_t oro_gpu_budget(const struct oro_device_info *info)
{
    static const size_t unknown = (size_t)2 << 30;
    if (info->software)
        return oro_budget() / 2;
    return info->memory_bytes ? info->memory_bytes / 10 * 8 : unknown;
}

static bool is_software(const char *renderer)
{
    static const char *const names[] = {"llvmpipe", "softpipe", "swrast", "SwiftShader",
                                        "Software Rasterizer"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strstr(renderer, names[i]))
            return true;
    return false;
}

/* Opens one candidate, without probing it. */
static struct oro_gpu *open_candidate(const struct oro_candidate *candidate, struct oro_error *err)
{
    struct oro_gpu *gpu = oro_alloc(1, sizeof *gpu);
    if (!gpu) {
        oro_fail(err, ORO_E_MEMORY, "no memory for a device");
        return NULL;
    }
    gpu->device.ops = &ops;
    gpu->candidate = *candidate;
    gpu->queue.batch = 1;
    gpu->band_seconds = 0.010;
    if (!oro_context_open(&gpu->context, candidate, err)) {
        oro_free(gpu);
        return NULL;
    }
    struct oro_device_info *info = &gpu->device.info;
    const char *renderer = (const char *)glGetString(GL_RENDERER);
    const char *version = (const char *)glGetString(GL_VERSION);
    const char *vendor = (const char *)glGetString(GL_VENDOR);
    snprintf(info->name, sizeof info->name, "%s", renderer ? renderer : "unknown");
    snprintf(info->version, sizeof info->version, "%s (%s)", version ? version : "unknown",
             vendor ? vendor : "unknown");
    snprintf(info->platform, sizeof info->platform, "%s", gpu->candidate.name);
    info->software = is_software(info->name);
    return gpu;
}

static void note_problem(struct oro_text *tried, const struct oro_candidate *candidate,
                         const struct oro_error *err)
{
    oro_text_addf(tried, "%s%s: %s", tried->length ? "; " : "", candidate->name, err->text);
}

static bool is_wanted(const struct oro_gpu *gpu, int kind)
{
    return kind == ORO_GPU_ANY || gpu->device.info.software == (kind == ORO_GPU_SOFTWARE);
}

/* The first device of a kind that opens, hardware first. */
static struct oro_gpu *open_first(const struct oro_candidate *candidates, int count, int kind,
                                  struct oro_text *tried)
{
    struct oro_gpu *software = NULL;
    for (int i = 0; i < count; i++) {
        struct oro_error problem = {0};
        if (kind == ORO_GPU_HARDWARE && candidates[i].software)
            continue;
        struct oro_gpu *gpu = open_candidate(&candidates[i], &problem);
        if (!gpu) {
            note_problem(tried, &candidates[i], &problem);
        } else if (!is_wanted(gpu, kind) || (gpu->device.info.software && software)) {
            destroy(&gpu->device);
        } else if (gpu->device.info.software && kind == ORO_GPU_ANY) {
            software = gpu;
        } else {
            if (software)
                destroy(&software->device);
            return gpu;
        }
    }
    return software;
}

static struct oro_gpu *open_listed(const struct oro_candidate *candidates, int count, int index,
                                   struct oro_text *tried)
{
    if (index < 0 || index >= count) {
        oro_text_addf(tried, "there is no device %d; there are %d", index, count);
        return NULL;
    }
    struct oro_error problem = {0};
    struct oro_gpu *gpu = open_candidate(&candidates[index], &problem);
    if (!gpu)
        note_problem(tried, &candidates[index], &problem);
    return gpu;
}

int oro_gpu_cards(int *indices, int limit)
{
    struct oro_candidate candidates[ORO_CANDIDATES_MAX];
    int count = oro_candidates(candidates, ORO_CANDIDATES_MAX), cards = 0;
    for (int i = 0; i < count && cards < limit; i++) {
        struct oro_gpu *gpu = candidates[i].software ? NULL : open_candidate(&candidates[i], NULL);
        if (!gpu)
            continue;
        /* The ways that name no device lead to one that was listed already. */
        if (!gpu->device.info.software && (candidates[i].platform == ORO_PLATFORM_DEVICE || cards == 0))
            indices[cards++] = i;
        destroy(&gpu->device);
    }
    return cards;
}

static bool set_up(struct oro_gpu *gpu, const struct oro_gpu_options *options, struct oro_error *err)
{
    gpu->log = options->log;
    gpu->folder = oro_copy_text(options->shader_dir);
    if (options->shader_dir && !gpu->folder)
        return oro_fail(err, ORO_E_MEMORY, "no memory for a device");
    gpu->shaders = (struct oro_shader_set){gpu->folder, oro_shader_files, oro_shader_file_count};
    oro_gpu_load_extras(gpu);
    return oro_gpu_probe(gpu, err);
}

/* Drivers do not check what they allocate: where a limit on the address space is too low for them, they
 * crash. llvmpipe takes some 800 MiB to compile its first kernel. */
static bool has_address_space(struct oro_error *err)
{
    static const double mib = 1 << 20, least = 1024;
    double left = (double)oro_budget_address_space() / mib;
    return left >= least ||
           oro_fail(err, ORO_E_DEVICE,
                    "no usable device: a driver of OpenGL ES needs %.0f MiB of address space, and a limit "
                    "(ulimit -v) leaves %.0f",
                    least, left);
}

struct oro_device *oro_gpu_create(const struct oro_gpu_options *options, struct oro_error *err)
{
    struct oro_candidate candidates[ORO_CANDIDATES_MAX];
    if (!has_address_space(err))
        return NULL;
    int count = oro_candidates(candidates, ORO_CANDIDATES_MAX);
    struct oro_text tried = {0};
    struct oro_gpu *gpu = options->index < 0 && options->index >= ORO_GPU_SOFTWARE
                              ? open_first(candidates, count, options->index, &tried)
                              : open_listed(candidates, count, options->index, &tried);
    if (!gpu)
        oro_fail(err, ORO_E_DEVICE, "no usable device: %s", tried.data ? tried.data : "nothing to try");
    oro_text_free(&tried);
    if (gpu && !(oro_gpu_ready(gpu, err) && set_up(gpu, options, err))) {
        destroy(&gpu->device);
        gpu = NULL;
    }
    return gpu ? &gpu->device : NULL;
}
