/*
 * Inside formats/: 8-bit pictures as PNG. Both fail with ORO_E_WRITE or ORO_E_MEMORY; `path` is for messages.
 */
#ifndef ORO_FORMATS_PNG_PNG_H
#define ORO_FORMATS_PNG_PNG_H

#include <stdio.h>

#include "base/error.h"

/* Of bytes, interleaved: 1 channel is grey, 3 are RGB, 4 RGBA. Or of colours: RGBA, clipped to 0..1 (NaN: 0).
 */
struct oro_png_picture {
    int width, height, channels;
    const unsigned char *bytes;
    const float *rgba;
};
bool oro_png_write_picture(FILE *stream, const char *path, const struct oro_png_picture *picture,
                           struct oro_error *err);
/* Gives the bytes of the file, which the caller frees with oro_free. Without them, `*bytes` is NULL. */
bool oro_png_encode(const char *path, const struct oro_png_picture *picture, char **bytes, size_t *size,
                    struct oro_error *err);

#endif
