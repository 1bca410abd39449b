#include "formats/mesh/bytes.h"

#include <errno.h>
#include <string.h>

static void empty(struct oro_mesh_bytes *bytes)
{
    if (bytes->reason == 0 && fwrite(bytes->block, 1, bytes->used, bytes->stream) != bytes->used)
        bytes->reason = errno;
    bytes->used = 0;
}

void oro_mesh_put(struct oro_mesh_bytes *bytes, const void *data, size_t size)
{
    if (bytes->used + size > sizeof bytes->block)
        empty(bytes);
    if (size > sizeof bytes->block) {
        if (bytes->reason == 0 && fwrite(data, 1, size, bytes->stream) != size)
            bytes->reason = errno;
    } else if (size > 0) {
        memcpy(bytes->block + bytes->used, data, size);
        bytes->used += size;
    }
}

void oro_mesh_put_16(struct oro_mesh_bytes *bytes, uint32_t value)
{
    const unsigned char data[] = {(unsigned char)value, (unsigned char)(value >> 8)};
    oro_mesh_put(bytes, data, sizeof data);
}

void oro_mesh_put_32(struct oro_mesh_bytes *bytes, uint32_t value)
{
    const unsigned char data[] = {(unsigned char)value, (unsigned char)(value >> 8),
                                  (unsigned char)(value >> 16), (unsigned char)(value >> 24)};
    oro_mesh_put(bytes, data, sizeof data);
}

void oro_mesh_put_float(struct oro_mesh_bytes *bytes, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    oro_mesh_put_32(bytes, bits);
}

bool oro_mesh_flush(struct oro_mesh_bytes *bytes, const char *path, struct oro_error *err)
{
    empty(bytes);
    return bytes->reason == 0 ||
           oro_fail(err, ORO_E_WRITE, "cannot write '%s': %s", path, strerror(bytes->reason));
}
