#include "base/clock.h"
#include "devices/gpu/internal.h"

/* A batch should take this long; at most two are queued. */
static const double batch_seconds = 0.010, short_seconds = 0.005, long_seconds = 0.015;

static void drop_fence(struct oro_queue *queue)
{
    if (queue->older)
        glDeleteSync(queue->older);
    queue->older = NULL;
}

void oro_gpu_queue_reset(struct oro_gpu *gpu)
{
    drop_fence(&gpu->queue);
    gpu->queue.seconds = gpu->queue.batch_seconds = 0;
    gpu->queue.fenced = gpu->device.dispatches;
}

bool oro_gpu_wait(struct oro_gpu *gpu, GLsync fence, struct oro_error *err)
{
    const GLuint64 second = 1000000000;
    enum { PATIENCE = 300 };
    for (int i = 0; i < PATIENCE; i++) {
        GLenum state = glClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, second);
        if (state == GL_ALREADY_SIGNALED || state == GL_CONDITION_SATISFIED)
            return true;
        if (!oro_gpu_check(gpu, "wait for a kernel", err))
            return false;
        if (state == GL_WAIT_FAILED)
            return oro_fail(err, ORO_E_DEVICE, "the driver failed to wait for a kernel");
    }
    return oro_fail(err, ORO_E_DEVICE, "a kernel did not end within %d seconds", PATIENCE);
}

/* The batch before the last one took `elapsed`, provided that the device was busy all the time. It was if we
 * had to wait. */
static void adapt(struct oro_queue *queue, double waited, double elapsed)
{
    const uint64_t most = (uint64_t)1 << 20;
    bool device_busy = waited > 0.1 * elapsed;
    if (elapsed < short_seconds && queue->batch < most)
        queue->batch *= 2;
    else if (device_busy && elapsed > long_seconds)
        queue->batch = queue->batch > 1 ? queue->batch / 2 : 1;
    if (device_busy && elapsed > 2 * batch_seconds && elapsed > 3 * queue->batch_seconds)
        queue->epoch++;
}

/* Closes a batch with a fence and waits for the batch before it. */
static bool turn(struct oro_gpu *gpu, struct oro_error *err)
{
    struct oro_queue *queue = &gpu->queue;
    GLsync fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    glFlush();
    double start = oro_now();
    bool ok = true;
    if (queue->older) {
        ok = oro_gpu_wait(gpu, queue->older, err);
        double now = oro_now();
        adapt(queue, now - start, now - queue->waited_at);
        drop_fence(queue);
    }
    queue->older = fence;
    queue->waited_at = oro_now();
    queue->fenced = gpu->device.dispatches;
    queue->batch_seconds = queue->seconds;
    queue->seconds = 0;
    return ok && oro_gpu_check(gpu, "run a kernel", err);
}

bool oro_gpu_pace(struct oro_device *device, struct oro_error *err)
{
    struct oro_gpu *gpu = oro_gpu_of(device);
    const struct oro_queue *queue = &gpu->queue;
    if (!gpu->lost && device->dispatches - queue->fenced < queue->batch && queue->seconds < batch_seconds)
        return true;
    return oro_gpu_ready(gpu, err) && turn(gpu, err);
}

bool oro_gpu_finish(struct oro_device *device, struct oro_error *err)
{
    struct oro_gpu *gpu = oro_gpu_of(device);
    if (!oro_gpu_ready(gpu, err))
        return false;
    if (gpu->gl.buffer_storage) /* the processor may read what kernels wrote to buffers of the host */
        glMemoryBarrier(GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT_EXT);
    glFinish();
    oro_gpu_queue_reset(gpu);
    return oro_gpu_check(gpu, "run a kernel", err);
}
