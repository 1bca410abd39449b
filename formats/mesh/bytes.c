#include "formats/mesh/bytes.h"

#include <errno.h>
#include <string.h>

void oro_mesh_put(FILE *stream, const void *numbers, size_t count)
{
    enum { ROOM = 256 };
    unsigned char bytes[ROOM];
    for (size_t at = 0, size = 4 * count; at < size;) {
        size_t end = size - at < ROOM ? size - at : ROOM;
        for (size_t i = 0; i < end; i++) {
            uint32_t bits;
            memcpy(&bits, (const char *)numbers + at + i / 4 * 4, sizeof bits);
            bytes[i] = (unsigned char)(bits >> 8 * (i % 4));
        }
        fwrite(bytes, 1, end, stream);
        at += end;
    }
}

bool oro_mesh_flush(FILE *stream, const char *path, struct oro_error *err)
{
    errno = 0;
    if (fflush(stream) == 0 && !ferror(stream))
        return true;
    return oro_fail(err, ORO_E_WRITE, "cannot write '%s': %s", path,
                    errno ? strerror(errno) : "the disk did not take it");
}
