#include "base/memory.h"
#include "devices/gpu/internal.h"

/* The size that the driver is asked for: a storage block has at least one vec4. */
static size_t padded(size_t bytes)
{
    return bytes < 16 ? 16 : (bytes + 15) & ~(size_t)15;
}

static double mib(size_t bytes)
{
    return (double)bytes / (1 << 20);
}

void oro_gpu_delete_buffer(struct oro_gpu *gpu, GLuint name)
{
    /* Deleting a bound buffer unbinds it. */
    for (int i = 0; i < ORO_BUFFERS_MAX; i++)
        if (gpu->bound.buffers[i] == name)
            gpu->bound.buffers[i] = 0;
    glDeleteBuffers(1, &name);
}

static GLuint pool_remove(struct oro_pool *pool, int i)
{
    GLuint name = pool->names[i];
    pool->total -= pool->bytes[i];
    pool->count--;
    for (; i < pool->count; i++) {
        pool->names[i] = pool->names[i + 1];
        pool->bytes[i] = pool->bytes[i + 1];
    }
    return name;
}

static GLuint pool_take(struct oro_pool *pool, size_t bytes)
{
    for (int i = pool->count - 1; i >= 0; i--)
        if (pool->bytes[i] == bytes)
            return pool_remove(pool, i);
    return 0;
}

static void pool_trim(struct oro_gpu *gpu, int count, size_t total)
{
    while (gpu->pool.count > count || (gpu->pool.count > 0 && gpu->pool.total > total))
        oro_gpu_delete_buffer(gpu, pool_remove(&gpu->pool, 0));
}

void oro_gpu_pool_clear(struct oro_gpu *gpu)
{
    pool_trim(gpu, 0, 0);
}

/* The most bytes that the pool may hold: no more than the budget leaves, and of a large budget only a part,
 * or what was in use at once before, for which there was room. */
static size_t pool_limit(const struct oro_gpu *gpu)
{
    const struct oro_device *device = &gpu->device;
    size_t limit = (size_t)512 << 20, part = device->budget_bytes / 8;
    if (device->peak_bytes > device->used_bytes + limit)
        limit = device->peak_bytes - device->used_bytes;
    if (!device->budget_bytes)
        return limit;
    if (part > limit)
        limit = part;
    size_t left = device->budget_bytes > device->used_bytes ? device->budget_bytes - device->used_bytes : 0;
    return left < limit ? left : limit;
}

static void pool_put(struct oro_gpu *gpu, GLuint name, size_t bytes)
{
    if (bytes > pool_limit(gpu)) {
        oro_gpu_delete_buffer(gpu, name);
        return;
    }
    pool_trim(gpu, ORO_POOL_MAX - 1, pool_limit(gpu) - bytes);
    gpu->pool.names[gpu->pool.count] = name;
    gpu->pool.bytes[gpu->pool.count++] = bytes;
    gpu->pool.total += bytes;
}

/* The first buffer of a size is tested; see probe.c. */
static bool proven(struct oro_gpu *gpu, GLuint name, size_t bytes, struct oro_error *err)
{
    struct oro_device_info *info = &gpu->device.info;
    if (bytes <= gpu->proven_bytes)
        return true;
    if (!oro_gpu_buffer_works(gpu, name, bytes)) {
        if (gpu->lost)
            return oro_gpu_ready(gpu, err);
        info->buffer_limit = gpu->proven_bytes;
        return oro_fail(err, ORO_E_LIMIT, "the device cannot use a buffer of %.1f MiB; %.1f MiB did work",
                        mib(bytes), mib(gpu->proven_bytes));
    }
    gpu->proven_bytes = bytes;
    return true;
}

static GLuint allocate(struct oro_gpu *gpu, size_t bytes, struct oro_error *err)
{
    GLuint name = 0;
    glGenBuffers(1, &name);
    glBindBuffer(GL_COPY_WRITE_BUFFER, name);
    glBufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)bytes, NULL, GL_DYNAMIC_COPY);
    if (oro_gpu_check(gpu, "make a buffer", err) && proven(gpu, name, bytes, err))
        return name;
    oro_gpu_delete_buffer(gpu, name);
    return 0;
}

static GLuint take_or_allocate(struct oro_gpu *gpu, size_t bytes, struct oro_error *err)
{
    GLuint name = pool_take(&gpu->pool, bytes);
    if (name)
        return name;
    pool_trim(gpu, ORO_POOL_MAX, pool_limit(gpu));
    name = allocate(gpu, bytes, err);
    if (!name && !gpu->lost && gpu->pool.count > 0) {
        oro_gpu_pool_clear(gpu);
        name = allocate(gpu, bytes, err);
    }
    return name;
}

static bool within_limits(const struct oro_device *device, size_t bytes, struct oro_error *err)
{
    if (bytes > device->info.buffer_limit)
        return oro_fail(err, ORO_E_LIMIT,
                        "a buffer of %.1f MiB is wanted; the device takes at most %.1f MiB in one",
                        mib(bytes), mib(device->info.buffer_limit));
    if (device->budget_bytes &&
        (bytes > device->budget_bytes || device->used_bytes > device->budget_bytes - bytes))
        return oro_fail(err, ORO_E_LIMIT,
                        "a buffer of %.1f MiB is wanted; %.1f of the budget of %.1f MiB are in use",
                        mib(bytes), mib(device->used_bytes), mib(device->budget_bytes));
    return true;
}

struct oro_buffer *oro_gpu_buffer_create(struct oro_device *device, size_t bytes, struct oro_error *err)
{
    struct oro_gpu *gpu = oro_gpu_of(device);
    if (!oro_gpu_ready(gpu, err) || !within_limits(device, bytes, err))
        return NULL;
    struct oro_buffer *buffer = oro_alloc(1, sizeof *buffer);
    if (!buffer) {
        oro_fail(err, ORO_E_MEMORY, "no memory for a buffer");
        return NULL;
    }
    *buffer = (struct oro_buffer){.bytes = bytes, .generation = gpu->generation};
    device->used_bytes += bytes;
    buffer->name = take_or_allocate(gpu, padded(bytes), err);
    if (!buffer->name) {
        device->used_bytes -= bytes;
        oro_free(buffer);
        return NULL;
    }
    if (device->used_bytes > device->peak_bytes)
        device->peak_bytes = device->used_bytes;
    return buffer;
}

/* Whether kernels reach a buffer in the host's memory, tried for the first one of a size. */
static bool host_proven(struct oro_gpu *gpu, GLuint name, size_t bytes)
{
    if (bytes > gpu->host_proven && oro_gpu_buffer_works(gpu, name, bytes))
        gpu->host_proven = bytes;
    return bytes <= gpu->host_proven;
}

struct oro_buffer *oro_gpu_host_create(struct oro_device *device, size_t bytes, void **memory)
{
    const GLbitfield access =
        GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT_EXT | GL_MAP_COHERENT_BIT_EXT;
    enum { LEAST_BYTES = 1024 }; /* that can be tried */
    struct oro_gpu *gpu = oro_gpu_of(device);
    size_t size = padded(bytes > LEAST_BYTES ? bytes : LEAST_BYTES);
    if (!oro_gpu_ready(gpu, NULL) || !gpu->gl.buffer_storage || size > device->info.buffer_limit)
        return NULL;
    struct oro_buffer *buffer = oro_alloc(1, sizeof *buffer);
    if (!buffer)
        return NULL;
    *buffer = (struct oro_buffer){.bytes = bytes, .generation = gpu->generation, .host = true};
    glGenBuffers(1, &buffer->name);
    glBindBuffer(GL_COPY_WRITE_BUFFER, buffer->name);
    gpu->gl.buffer_storage(GL_COPY_WRITE_BUFFER, (GLsizeiptr)size, NULL, access | GL_CLIENT_STORAGE_BIT_EXT);
    bool ok = oro_gpu_check(gpu, "make a buffer of the host", NULL);
    *memory = ok ? glMapBufferRange(GL_COPY_WRITE_BUFFER, 0, (GLsizeiptr)size, access) : NULL;
    if (*memory && oro_gpu_check(gpu, "map a buffer", NULL) && host_proven(gpu, buffer->name, size))
        return buffer;
    oro_gpu_delete_buffer(gpu, buffer->name);
    oro_free(buffer);
    return NULL;
}

void oro_gpu_buffer_destroy(struct oro_device *device, struct oro_buffer *buffer)
{
    if (!buffer)
        return;
    struct oro_gpu *gpu = oro_gpu_of(device);
    if (buffer->host) {
        if (buffer->generation == gpu->generation && oro_gpu_ready(gpu, NULL))
            oro_gpu_delete_buffer(gpu, buffer->name);
    } else if (buffer->generation == gpu->generation) {
        device->used_bytes -= buffer->bytes;
        if (oro_gpu_ready(gpu, NULL))
            pool_put(gpu, buffer->name, padded(buffer->bytes));
    }
    oro_free(buffer);
}

bool oro_gpu_buffer_usable(const struct oro_gpu *gpu, const struct oro_buffer *buffer, size_t bytes,
                           struct oro_error *err)
{
    if (!buffer)
        return oro_fail(err, ORO_E_DEVICE, "a buffer is missing");
    if (buffer->generation != gpu->generation)
        return oro_fail(err, ORO_E_LOST, "a buffer is from before the GPU context was lost");
    if (bytes > buffer->bytes)
        return oro_fail(err, ORO_E_DEVICE, "%zu bytes do not fit a buffer of %zu bytes", bytes,
                        buffer->bytes);
    return true;
}
