/* Inside formats/mesh/: little-endian numbers on their way into a file. */
#ifndef ORO_FORMATS_MESH_BYTES_H
#define ORO_FORMATS_MESH_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

/* Start with {stream}. Failures are kept, for one check at the end. */
struct oro_mesh_bytes {
    FILE *stream;
    size_t used;
    int reason; /* errno of the first failure, or 0 */
    unsigned char block[1 << 14];
};

void oro_mesh_put(struct oro_mesh_bytes *bytes, const void *data, size_t size);
void oro_mesh_put_16(struct oro_mesh_bytes *bytes, uint32_t value);
void oro_mesh_put_32(struct oro_mesh_bytes *bytes, uint32_t value);
void oro_mesh_put_float(struct oro_mesh_bytes *bytes, float value);

/* Writes what is left. Fails with ORO_E_WRITE if anything failed. */
bool oro_mesh_flush(struct oro_mesh_bytes *bytes, const char *path, struct oro_error *err);

#endif
