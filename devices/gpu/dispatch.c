#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "devices/gpu/guest_dispatch.h"

/* ---- Bindings: calls that change nothing are skipped ---- */

void oro_gpu_use_program(struct oro_gpu *gpu, GLuint program)
{
    if (gpu->bound.program != program)
        glUseProgram(program);
    gpu->bound.program = program;
}

void oro_gpu_bind_buffer(struct oro_gpu *gpu, int binding, GLuint name)
{
    if (gpu->bound.buffers[binding] != name)
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, (GLuint)binding, name);
    gpu->bound.buffers[binding] = name;
}

/* Makes the buffer at least as large as the kernel's block, so that a kernel never reads past the buffer's
 * end. */
static bool make_constants(struct oro_gpu *gpu, struct oro_kernel *kernel, size_t size, struct oro_error *err)
{
    size_t wanted = size > kernel->block_size ? size : kernel->block_size;
    if (wanted <= kernel->constants_capacity)
        return true;
    void *copy = oro_alloc(wanted, 1);
    if (!copy)
        return oro_fail(err, ORO_E_MEMORY, "no memory for a kernel's constants");
    oro_free(kernel->constants_copy);
    kernel->constants_copy = copy;
    if (!kernel->constants)
        glGenBuffers(1, &kernel->constants);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, kernel->constants);
    gpu->bound.constants = kernel->constants;
    glBufferData(GL_UNIFORM_BUFFER, (GLsizeiptr)wanted, copy, GL_DYNAMIC_DRAW);
    kernel->constants_capacity = wanted;
    kernel->constants_size = wanted;
    return true;
}

static bool set_constants(struct oro_gpu *gpu, const struct oro_device_dispatch *dispatch,
                          struct oro_error *err)
{
    struct oro_kernel *kernel = dispatch->kernel;
    size_t size = dispatch->constants ? dispatch->constants_size : 0;
    if (!size && !kernel->block_size)
        return true;
    if (!make_constants(gpu, kernel, size, err))
        return false;
    if (gpu->bound.constants != kernel->constants)
        glBindBufferBase(GL_UNIFORM_BUFFER, 0, kernel->constants);
    gpu->bound.constants = kernel->constants;
    if (!size || memcmp(kernel->constants_copy, dispatch->constants, size) == 0)
        return true;
    memcpy(kernel->constants_copy, dispatch->constants, size);
    glBufferSubData(GL_UNIFORM_BUFFER, 0, (GLsizeiptr)size, dispatch->constants);
    return true;
}

static bool bind(struct oro_gpu *gpu, const struct oro_device_dispatch *dispatch, struct oro_error *err)
{
    if (dispatch->buffer_count > gpu->device.info.buffers_per_kernel)
        return oro_fail(err, ORO_E_LIMIT, "a kernel uses %d buffers; the device binds at most %d",
                        dispatch->buffer_count, gpu->device.info.buffers_per_kernel);
    for (int i = 0; i < dispatch->buffer_count; i++) {
        const struct oro_buffer *buffer = dispatch->buffers[i];
        if (!oro_gpu_buffer_usable(gpu, buffer, 0, err))
            return false;
        oro_gpu_bind_buffer(gpu, i, buffer->name);
    }
    oro_gpu_use_program(gpu, dispatch->kernel->program);
    return set_constants(gpu, dispatch, err);
}

/* ---- Running, whole or in pieces ---- */

/* A number of work groups along each axis. */
struct extent {
    GLuint x, y;
};

/* The work groups of a run: `count` of them to the east and south of the first. */
struct groups {
    struct extent first, count;
};

static void launch(struct oro_gpu *gpu, struct oro_kernel *kernel, struct extent first, struct extent count)
{
    GLint x = (GLint)first.x, y = (GLint)first.y;
    if (kernel->first_group >= 0 && (kernel->first_x != x || kernel->first_y != y)) {
        glUniform2i(kernel->first_group, x, y);
        kernel->first_x = x;
        kernel->first_y = y;
    }
    glDispatchCompute(count.x, count.y, 1);
    gpu->bands++;
}

/* The groups of the next piece: whole rows if `wanted` allows, else part of a row. */
static struct extent next_piece(const struct oro_gpu *gpu, struct extent all, struct extent at, double wanted)
{
    GLuint limit = (GLuint)gpu->device.info.groups_per_axis;
    struct extent piece = {all.x - at.x, 1};
    if (piece.x > limit)
        piece.x = limit;
    if (wanted < (double)piece.x)
        piece.x = wanted > 1 ? (GLuint)wanted : 1;
    if (piece.x < all.x)
        return piece;
    double rows = wanted / (double)all.x;
    piece.y = all.y - at.y < limit ? all.y - at.y : limit;
    if (rows < (double)piece.y)
        piece.y = rows > 1 ? (GLuint)rows : 1;
    return piece;
}

/* Runs the groups in pieces of `wanted` groups. With `measure`, waits for each piece and adapts the next to
 * the time it took: pieces grow at most fourfold at a time, because the first estimate may come from a piece
 * too small to fill the device. False: the owner asked to stop. */
static bool run_pieces(struct oro_gpu *gpu, struct oro_kernel *kernel, struct groups run_groups,
                       double wanted, bool measure)
{
    struct extent at = {0, 0}, all = run_groups.count;
    while (at.y < all.y) {
        if (measure && gpu->device.stop && gpu->device.stop(gpu->device.stop_user))
            return false;
        struct extent piece = next_piece(gpu, all, at, wanted);
        double groups = (double)piece.x * (double)piece.y, start = measure ? oro_now() : 0;
        launch(gpu, kernel, (struct extent){run_groups.first.x + at.x, run_groups.first.y + at.y}, piece);
        if (measure) {
            glFinish();
            double seconds = oro_now() - start - gpu->sync_seconds;
            bool telling = groups * 2 >= wanted || groups >= (double)all.x * (double)all.y;
            if (telling || kernel->group_seconds < 0)
                kernel->group_seconds = seconds > 0 ? seconds / groups : 0;
            double fitting = kernel->group_seconds > 0 ? gpu->band_seconds / kernel->group_seconds : 1e18;
            wanted = fitting < 4 * wanted ? fitting : 4 * wanted;
        }
        at.x += piece.x;
        if (at.x >= all.x) {
            at.x = 0;
            at.y += piece.y;
        }
    }
    return true;
}

/* A run of so few groups takes as long as one group, and does not show what a group costs among many. */
enum { FEW_GROUPS = 64 };

/* A kernel's cost is measured after 1, 2, 4, ... runs, then now and then, and when the queue found that
 * estimates were wrong. */
static bool measure_due(const struct oro_gpu *gpu, const struct oro_kernel *kernel, double groups)
{
    return (kernel->runs >= kernel->next_measure && groups > FEW_GROUPS) ||
           kernel->epoch != gpu->queue.epoch || kernel->group_seconds < 0;
}

static bool run(struct oro_gpu *gpu, struct oro_kernel *kernel, struct groups all)
{
    const double everything = 1e18;
    double total = (double)all.count.x * (double)all.count.y, expected = total * kernel->group_seconds;
    bool can_cut = kernel->first_group >= 0;
    bool unknown = kernel->group_seconds < 0 || kernel->epoch != gpu->queue.epoch;
    bool cut = can_cut && !unknown && expected > gpu->band_seconds;
    kernel->runs++;
    if (gpu->band_groups > 0 && can_cut)
        return run_pieces(gpu, kernel, all, gpu->band_groups, false);
    if (!cut && !measure_due(gpu, kernel, total)) {
        gpu->queue.seconds += expected;
        return run_pieces(gpu, kernel, all, everything, false);
    }
    double wanted = everything;
    if (can_cut && unknown)
        wanted = FEW_GROUPS;
    else if (cut)
        wanted = gpu->band_seconds / kernel->group_seconds;
    glFinish();
    bool whole = run_pieces(gpu, kernel, all, wanted, true);
    const uint64_t rarely = 4096;
    kernel->epoch = gpu->queue.epoch;
    kernel->next_measure = kernel->runs < rarely ? kernel->runs * 2 : kernel->runs + rarely;
    gpu->queue.seconds = 0; /* everything has been waited for */
    gpu->queue.fenced = gpu->device.dispatches;
    return whole;
}

static bool usable(const struct oro_gpu *gpu, const struct oro_device_dispatch *dispatch,
                   struct oro_error *err)
{
    const struct oro_kernel *kernel = dispatch->kernel;
    if (!kernel || dispatch->group_columns < 1 || dispatch->group_rows < 1 || dispatch->buffer_count < 0)
        return oro_fail(err, ORO_E_DEVICE, "a run without a kernel or without a group size");
    if (kernel->generation != gpu->generation || !kernel->program)
        return oro_fail(err, ORO_E_LOST, "a kernel is from before the GPU context was lost");
    return true;
}

static GLuint groups_along(int cells, int group)
{
    return (GLuint)((cells - 1) / group + 1);
}

bool oro_gpu_dispatch(struct oro_device *device, const struct oro_device_dispatch *dispatch,
                      struct oro_error *err)
{
    struct oro_gpu *gpu = oro_gpu_of(device);
    if (!oro_gpu_ready(gpu, err) || !usable(gpu, dispatch, err))
        return false;
    if (dispatch->columns < 1 || dispatch->rows < 1)
        return true;
    struct groups all = {{(GLuint)dispatch->first_column_group, (GLuint)dispatch->first_row_group},
                         {groups_along(dispatch->columns, dispatch->group_columns),
                          groups_along(dispatch->rows, dispatch->group_rows)}};
    GLuint limit = (GLuint)device->info.groups_per_axis;
    bool has_offset = dispatch->kernel->first_group >= 0;
    if (!has_offset && (all.count.x > limit || all.count.y > limit || all.first.x || all.first.y))
        return oro_fail(err, ORO_E_LIMIT,
                        "a kernel wants %u x %u groups from %u, %u on; without oro_first_group it gets at "
                        "most %u from 0, 0 on",
                        all.count.x, all.count.y, all.first.x, all.first.y, limit);
    if (dispatch->kernel->guest_text) {
        device->dispatches++;
        return oro_gpu_dispatch_in_guest(
            gpu, dispatch, &(struct oro_gpu_groups){all.first.x, all.first.y, all.count.x, all.count.y}, err);
    }
    if (!bind(gpu, dispatch, err))
        return false;
    if (!run(gpu, dispatch->kernel, all))
        return oro_fail(err, ORO_E_CANCELLED, "cancelled");
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    gpu->bound.writes = true;
    device->dispatches++;
#ifndef NDEBUG
    return oro_gpu_check(gpu, "run a kernel", err);
#else
    return true;
#endif
}

void oro_gpu_force_bands(struct oro_device *device, int groups)
{
    oro_gpu_of(device)->band_groups = groups;
}

uint64_t oro_gpu_bands(const struct oro_device *device)
{
    return ((const struct oro_gpu *)device)->bands;
}
