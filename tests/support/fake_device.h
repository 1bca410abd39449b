/*
 * A device in plain memory, for tests of the code above the device: buffers come and go, nothing is computed.
 * The digest of a kernel is that of its name.
 */
#ifndef ORO_TESTS_SUPPORT_FAKE_DEVICE_H
#define ORO_TESTS_SUPPORT_FAKE_DEVICE_H

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "graph/type/device.h"
#include "tests/support/test.h"

struct oro_buffer {
    size_t bytes;
    unsigned char data[];
};

static inline struct oro_buffer *fake_buffer_create(struct oro_device *device, size_t bytes,
                                                    struct oro_error *err)
{
    struct oro_buffer *buffer = oro_alloc(1, sizeof *buffer + bytes);
    if (!buffer) {
        oro_fail(err, ORO_E_MEMORY, "no memory for a buffer");
        return NULL;
    }
    buffer->bytes = bytes;
    device->used_bytes += bytes;
    return buffer;
}

static inline void fake_buffer_destroy(struct oro_device *device, struct oro_buffer *buffer)
{
    device->used_bytes -= buffer->bytes;
    oro_free(buffer);
}

static inline bool fake_upload(struct oro_device *device, struct oro_buffer *buffer, const void *data,
                               size_t bytes, struct oro_error *err)
{
    (void)device;
    (void)err;
    assert_true(bytes <= buffer->bytes);
    memcpy(buffer->data, data, bytes);
    return true;
}

static inline bool fake_download(struct oro_device *device, struct oro_buffer *buffer, void *data,
                                 size_t bytes, struct oro_error *err)
{
    (void)device;
    (void)err;
    assert_true(bytes <= buffer->bytes);
    memcpy(data, buffer->data, bytes);
    return true;
}

static inline bool fake_kernel_digest(struct oro_device *device, const char *file, struct oro_hash *digest,
                                      struct oro_error *err)
{
    (void)device;
    (void)err;
    *digest = oro_hash_of(file, strlen(file));
    return true;
}

static const struct oro_device_ops fake_ops = {
    .buffer_create = fake_buffer_create,
    .buffer_destroy = fake_buffer_destroy,
    .upload = fake_upload,
    .download = fake_download,
    .kernel_digest = fake_kernel_digest,
};

#define FAKE_DEVICE                                                                                          \
    ((struct oro_device){.ops = &fake_ops,                                                                   \
                         .info = {.name = "fake", .version = "1", .buffer_limit = 1u << 30}})

#endif
