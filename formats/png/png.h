/*
 * Inside formats/: 8-bit pictures as PNG. All fail with ORO_E_WRITE or ORO_E_MEMORY; `path` is for messages.
 */
#ifndef ORO_FORMATS_PNG_PNG_H
#define ORO_FORMATS_PNG_PNG_H

#include <stdio.h>

#include "base/error.h"

/* From interleaved bytes: 1 channel is grey, 3 are RGB, 4 RGBA. */
bool oro_png_write_bytes(FILE *stream, const char *path, int width, int height, int channels,
                         const unsigned char *bytes, struct oro_error *err);
/* RGBA from floats, clipped to 0..1 (NaN: 0). */
bool oro_png_write_colours(FILE *stream, const char *path, int width, int height, const float *rgba,
                           struct oro_error *err);

#endif
