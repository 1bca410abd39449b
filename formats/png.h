/* Inside formats/: PNGs within other files. */
#ifndef ORO_FORMATS_PNG_H
#define ORO_FORMATS_PNG_H

#include <stdio.h>

#include "base/error.h"

/* Writes an 8-bit RGB PNG; `path` is for messages. Fails with ORO_E_WRITE, ORO_E_MEMORY. */
bool oro_png_write_rgb(FILE *stream, const char *path, int width, int height, const unsigned char *rgb,
                       struct oro_error *err);

#endif
