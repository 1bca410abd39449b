#include <string.h>

#include "base/parallel.h"
#include "devices/gpu/internal.h"

/* Mapping a buffer makes some drivers move it to host memory for good, where kernels are slow. So on hardware
 * data goes through this staging buffer, piece by piece: while the device copies one piece, the processor
 * copies another. */
enum { PIECE_BYTES = 16 << 20, PIECES = 2, STAGING_BYTES = PIECE_BYTES * PIECES };

/* Less than that is written as quickly by the driver itself. */
enum { LEAST_STAGED = 256 << 10 };

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

/* Reads from the buffer bound to `target`, by mapping it. */
static bool read_mapped(struct oro_gpu *gpu, GLenum target, void *data, size_t bytes, struct oro_error *err)
{
    const void *mapped = glMapBufferRange(target, 0, (GLsizeiptr)bytes, GL_MAP_READ_BIT);
    if (mapped) {
        memcpy(data, mapped, bytes);
    }
    bool kept = !mapped || glUnmapBuffer(target);
    if (!oro_gpu_check(gpu, "read a buffer", err))
        return false;
    if (!kept)
        return oro_fail(err, ORO_E_DEVICE, "the driver dropped a buffer while it was read");
    return mapped || oro_fail(err, ORO_E_DEVICE, "the driver failed to read a buffer");
}

/* Where the driver lets it stay mapped, using it takes no more than the wait for what was copied there. */
static void make_staging(struct oro_gpu *gpu)
{
    const GLbitfield access =
        GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT_EXT | GL_MAP_COHERENT_BIT_EXT;
    if (gpu->staging)
        return;
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

/* Waits until the device is done with a piece of the staging buffer; `copied` may be NULL. */
static bool wait_for(struct oro_gpu *gpu, GLsync *copied, struct oro_error *err)
{
    bool ok = !*copied || oro_gpu_wait(gpu, *copied, err);
    if (*copied)
        glDeleteSync(*copied);
    *copied = NULL;
    return ok;
}

static size_t piece_at(size_t bytes, size_t done)
{
    return bytes - done < PIECE_BYTES ? bytes - done : PIECE_BYTES;
}

/* From the buffer bound to GL_COPY_READ_BUFFER. */
static bool read_staged(struct oro_gpu *gpu, char *data, size_t bytes, struct oro_error *err)
{
    GLsync copied[PIECES] = {NULL};
    bool ok = true;
    for (size_t done = 0, i = 0; ok && done < bytes + PIECE_BYTES; done += PIECE_BYTES, i++) {
        GLintptr there = (GLintptr)(i % PIECES * PIECE_BYTES);
        if (done < bytes) {
            glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, (GLintptr)done, there,
                                (GLsizeiptr)piece_at(bytes, done));
            copied[i % PIECES] = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
            glFlush();
        }
        if (!i)
            continue;
        size_t before = done - PIECE_BYTES, from = (i - 1) % PIECES;
        ok = wait_for(gpu, &copied[from], err);
        if (ok)
            copy_together(data + before, gpu->staged + from * PIECE_BYTES, piece_at(bytes, before));
    }
    for (int i = 0; i < PIECES; i++)
        if (copied[i])
            glDeleteSync(copied[i]);
    return ok && oro_gpu_check(gpu, "read a buffer", err);
}

/* Likewise where the staging buffer cannot stay mapped. */
static bool read_in_pieces(struct oro_gpu *gpu, char *data, size_t bytes, struct oro_error *err)
{
    for (size_t done = 0; done < bytes; done += PIECE_BYTES) {
        size_t piece = piece_at(bytes, done);
        glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, (GLintptr)done, 0, (GLsizeiptr)piece);
        if (!read_mapped(gpu, GL_COPY_WRITE_BUFFER, data + done, piece, err))
            return false;
    }
    return true;
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
    if (!device->info.software)
        make_staging(gpu);
    glBindBuffer(GL_COPY_READ_BUFFER, buffer->name);
    if (device->info.software)
        return read_mapped(gpu, GL_COPY_READ_BUFFER, data, bytes, err);
    glBindBuffer(GL_COPY_WRITE_BUFFER, gpu->staging);
    return gpu->staged ? read_staged(gpu, data, bytes, err) : read_in_pieces(gpu, data, bytes, err);
}

/* Into the buffer bound to GL_COPY_WRITE_BUFFER. Waits for the copies, as before_write has to. */
static bool write_staged(struct oro_gpu *gpu, const char *data, size_t bytes, struct oro_error *err)
{
    GLsync copied[PIECES] = {NULL};
    bool ok = true;
    for (size_t done = 0, i = 0; ok && done < bytes; done += PIECE_BYTES, i++) {
        size_t there = i % PIECES * PIECE_BYTES, piece = piece_at(bytes, done);
        ok = wait_for(gpu, &copied[i % PIECES], err);
        if (!ok)
            break;
        copy_together(gpu->staged + there, data + done, piece);
        glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, (GLintptr)there, (GLintptr)done,
                            (GLsizeiptr)piece);
        copied[i % PIECES] = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
        glFlush();
    }
    for (int i = 0; i < PIECES; i++)
        ok = wait_for(gpu, &copied[i], ok ? err : NULL) && ok;
    return ok && oro_gpu_check(gpu, "write a buffer", err);
}

bool oro_gpu_upload(struct oro_device *device, struct oro_buffer *buffer, const void *data, size_t bytes,
                    struct oro_error *err)
{
    struct oro_gpu *gpu = oro_gpu_of(device);
    if (!oro_gpu_ready(gpu, err) || !oro_gpu_buffer_usable(gpu, buffer, bytes, err))
        return false;
    bool large = !device->info.software && bytes >= LEAST_STAGED;
    if (large)
        make_staging(gpu);
    if (large && gpu->staged) {
        barrier(gpu);
        glBindBuffer(GL_COPY_READ_BUFFER, gpu->staging);
        glBindBuffer(GL_COPY_WRITE_BUFFER, buffer->name);
        return write_staged(gpu, data, bytes, err);
    }
    before_write(gpu);
    glBindBuffer(GL_COPY_WRITE_BUFFER, buffer->name);
    glBufferSubData(GL_COPY_WRITE_BUFFER, 0, (GLsizeiptr)bytes, data);
    return oro_gpu_check(gpu, "write a buffer", err);
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
