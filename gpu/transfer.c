#include <string.h>

#include "base/parallel.h"
#include "gpu/internal.h"

/* Mapping a buffer makes some drivers move it to host memory for good, where kernels are slow. So on hardware
 * downloads go through this staging buffer, piece by piece. */
enum { STAGING_BYTES = 16 << 20 };

/* OpenGL requires it. */
static void barrier(struct oro_gpu *gpu)
{
    if (gpu->bound.writes)
        glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    gpu->bound.writes = false;
}

/* On hardware, waiting for the device is necessary as well: NVIDIA's driver (580.159) loses a small upload
 * that is queued behind a copy between other buffers. */
static void before_write(struct oro_gpu *gpu)
{
    barrier(gpu);
    if (!gpu->device.info.software)
        glFinish();
}

bool oro_gpu_upload(struct oro_device *device, struct oro_buffer *buffer, const void *data, size_t bytes,
                    struct oro_error *err)
{
    struct oro_gpu *gpu = oro_gpu_of(device);
    if (!oro_gpu_ready(gpu, err) || !oro_gpu_buffer_usable(gpu, buffer, bytes, err))
        return false;
    before_write(gpu);
    glBindBuffer(GL_COPY_WRITE_BUFFER, buffer->name);
    glBufferSubData(GL_COPY_WRITE_BUFFER, 0, (GLsizeiptr)bytes, data);
    return oro_gpu_check(gpu, "write a buffer", err);
}

/* Reads from the buffer bound to `target`, by mapping it. */
static bool read_mapped(struct oro_gpu *gpu, GLenum target, void *data, size_t bytes, struct oro_error *err)
{
    const void *mapped = glMapBufferRange(target, 0, (GLsizeiptr)bytes, GL_MAP_READ_BIT);
    if (mapped) {
        memcpy(data, mapped, bytes);
        if (!glUnmapBuffer(target))
            return oro_gpu_check(gpu, "read a buffer", err) &&
                   oro_fail(err, ORO_E_DEVICE, "the driver dropped a buffer while it was read");
    }
    if (!oro_gpu_check(gpu, "read a buffer", err))
        return false;
    return mapped || oro_fail(err, ORO_E_DEVICE, "the driver failed to read a buffer");
}

/* Where the driver lets it stay mapped, reading it takes no more than the wait for what was copied there. */
static void make_staging(struct oro_gpu *gpu)
{
    const GLbitfield access = GL_MAP_READ_BIT | GL_MAP_PERSISTENT_BIT_EXT | GL_MAP_COHERENT_BIT_EXT;
    glGenBuffers(1, &gpu->staging);
    glBindBuffer(GL_COPY_WRITE_BUFFER, gpu->staging);
    if (gpu->gl.buffer_storage) {
        gpu->gl.buffer_storage(GL_COPY_WRITE_BUFFER, STAGING_BYTES, NULL, access);
        gpu->staged = glMapBufferRange(GL_COPY_WRITE_BUFFER, 0, STAGING_BYTES, access);
    } else {
        glBufferData(GL_COPY_WRITE_BUFFER, STAGING_BYTES, NULL, GL_STREAM_READ);
    }
}

struct piece {
    char *to;
    const char *from;
};

static void copy_part(void *user, size_t first, size_t end)
{
    const struct piece *piece = user;
    memcpy(piece->to + first, piece->from + first, end - first);
}

/* The memory that is copied to is mostly new: each of its pages costs more at the first touch than the
 * device takes to send it. */
static void copy_together(void *to, const void *from, size_t bytes)
{
    enum { LEAST = 1 << 20 }; /* bytes that are worth a thread */
    struct piece piece = {to, from};
    oro_parallel(bytes, LEAST, copy_part, &piece);
}

static bool read_staged(struct oro_gpu *gpu, void *data, size_t bytes, struct oro_error *err)
{
    if (!gpu->staged)
        return read_mapped(gpu, GL_COPY_WRITE_BUFFER, data, bytes, err);
    GLsync copied = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    bool ok = oro_gpu_wait(gpu, copied, err);
    glDeleteSync(copied);
    if (ok)
        copy_together(data, gpu->staged, bytes);
    return ok && oro_gpu_check(gpu, "read a buffer", err);
}

bool oro_gpu_download(struct oro_device *device, struct oro_buffer *buffer, void *data, size_t bytes,
                      struct oro_error *err)
{
    struct oro_gpu *gpu = oro_gpu_of(device);
    if (!oro_gpu_ready(gpu, err) || !oro_gpu_buffer_usable(gpu, buffer, bytes, err))
        return false;
    if (!bytes)
        return true;
    barrier(gpu);
    glBindBuffer(GL_COPY_READ_BUFFER, buffer->name);
    if (device->info.software)
        return read_mapped(gpu, GL_COPY_READ_BUFFER, data, bytes, err);
    if (!gpu->staging)
        make_staging(gpu);
    glBindBuffer(GL_COPY_WRITE_BUFFER, gpu->staging);
    for (size_t done = 0; done < bytes;) {
        size_t piece = bytes - done < STAGING_BYTES ? bytes - done : STAGING_BYTES;
        glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, (GLintptr)done, 0, (GLsizeiptr)piece);
        if (!read_staged(gpu, (char *)data + done, piece, err))
            return false;
        done += piece;
    }
    return true;
}

bool oro_gpu_copy(struct oro_device *device, struct oro_buffer *from, struct oro_buffer *to, size_t bytes,
                  struct oro_error *err)
{
    struct oro_gpu *gpu = oro_gpu_of(device);
    if (!oro_gpu_ready(gpu, err) || !oro_gpu_buffer_usable(gpu, from, bytes, err) ||
        !oro_gpu_buffer_usable(gpu, to, bytes, err))
        return false;
    if (from == to || !bytes)
        return true;
    before_write(gpu);
    glBindBuffer(GL_COPY_READ_BUFFER, from->name);
    glBindBuffer(GL_COPY_WRITE_BUFFER, to->name);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, (GLsizeiptr)bytes);
    return oro_gpu_check(gpu, "copy a buffer", err);
}
