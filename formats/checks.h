/*
 * Inside formats/: what reading and writing have in common: which codec a file's name asks for, and what is
 * refused either way.
 */
#ifndef ORO_FORMATS_CHECKS_H
#define ORO_FORMATS_CHECKS_H

#include <stdint.h>

#include "formats/codec.h"

/* The codec of the extension; NULL: none. */
const struct oro_codec *oro_codec_of(const char *path);
/* Whether that is taken for tiles: their manifest, .json, or the pattern of their names. */
bool oro_is_tiles(const char *path);
/* The codec that reads a file, by its bytes or else by its name; NULL: GDAL does. */
const struct oro_codec *oro_codec_to_read(const char *path);

/* The format of a file does not give windows of any cells. Return false. */
bool oro_fail_windows(const char *path, struct oro_error *err);
bool oro_fail_extension(const char *path, enum oro_code code, struct oro_error *err);
/* Fails with ORO_E_USAGE if a range is given that has no extent. */
bool oro_check_range(const char *path, bool given, double low, double high, struct oro_error *err);
/* Fails with ORO_E_WRITE, and tells the first cell of the window that is not finite. `takes_nan`: a NaN is
 * let pass. */
bool oro_check_finite(const char *path, const struct oro_cell_window *window, const float *values,
                      bool takes_nan, struct oro_error *err);
/* Fails with ORO_E_USAGE where a window does not lie in the raster. */
bool oro_check_window(const char *path, const struct oro_heightfield *field,
                      const struct oro_cell_window *window, struct oro_error *err);
size_t oro_cell_count(int width, int height);

/* A few bytes can stand for a billion cells, as of one colour: nobody meant such a file to fill the memory,
 * or to keep the processor busy for minutes. Fails with ORO_E_LIMIT where a file of `size` bytes has too few
 * for so many cells, unless the user has said how much memory there is (base/budget.h). `by_rows`: they are
 * never in memory at once. */
bool oro_check_worth(const char *path, uint64_t size, int width, int height, bool by_rows,
                     struct oro_error *err);

#endif
