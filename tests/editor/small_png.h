/* Writes pictures for documents: packed as well as the library can, and with 256 colours where
 * that is still too large. */
#ifndef TESTS_EDITOR_SMALL_PNG_H
#define TESTS_EDITOR_SMALL_PNG_H

#include <stdbool.h>

enum { SMALL_PNG_BYTES = 350000 };

/* `rgb` has `stride` bytes a row. */
bool small_png_write(const char *path, const unsigned char *rgb, int width, int height, int stride);

#endif
