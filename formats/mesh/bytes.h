/* Inside formats/mesh/: little-endian numbers on their way into a file. Failures stay with the stream, for
 * one check at the end. */
#ifndef ORO_FORMATS_MESH_BYTES_H
#define ORO_FORMATS_MESH_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

/* Numbers of 32 bits, whole or float. */
void oro_mesh_put(FILE *stream, const void *numbers, size_t count);

/* Fails with ORO_E_WRITE if anything failed. */
bool oro_mesh_flush(FILE *stream, const char *path, struct oro_error *err);

#endif
