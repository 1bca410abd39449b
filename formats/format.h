/*
 * Heightfield and image files (design, section 7). The format follows the extension:
 *   .png            16-bit grey out; 8 or 16-bit grey, RGB, RGBA (mean of the colour channels; alpha ignored) or palette in
 *   .r16 .raw       uint16, little-endian unless told otherwise; size given, from the sidecar, or square
 *   .r32 .r32f      float32, little-endian; likewise
 *   .pfm            float32 with size and byte order in its header; rows from the bottom up, as the format demands
 * Integer formats carry no metres: the range is given, found in the sidecar PATH.json, or 0..1 is returned.
 */
#ifndef ORO_FORMATS_FORMAT_H
#define ORO_FORMATS_FORMAT_H

#include <stdint.h>

#include "formats/heightfield.h"
#include "formats/measure.h"

enum { ORO_HEIGHTFIELD_SIDE_MAX = 32768 };

struct oro_read_options {
    bool has_range;       /* integer formats: 0 becomes `low`, the largest value `high` (else the sidecar's range) */
    double low, high;     /* metres */
    int width, height;    /* size of headerless formats; 0: sidecar, else square */
    bool big_endian;      /* headerless formats */
    bool no_sidecar;      /* do not look for PATH.json */
    const struct oro_log *log; /* warnings: 8-bit staircase, non-square guesses; may be NULL */
};

/* Reads a heightfield. Fails with ORO_E_FILE (wrong magic, truncated, NaN or infinity, size that does not fit, more than
 * ORO_HEIGHTFIELD_SIDE_MAX a side: refused from the header, before any allocation) or ORO_E_MEMORY. */
bool oro_heightfield_read(const char *path, const struct oro_read_options *options, struct oro_heightfield *field,
                          struct oro_error *err);

/* What a written file's sidecar records besides what can be seen in the file. */
struct oro_sidecar {
    int64_t seed;
    const char *graph_digest; /* hexadecimal, or NULL */
    const char *document;     /* or NULL */
};

struct oro_write_options {
    bool has_range;      /* integer formats: else the field's own minimum and maximum */
    double low, high;
    bool big_endian;     /* headerless formats */
    struct oro_sidecar sidecar;
};

/* Writes the file and its sidecar PATH.json, each atomically. The sidecar's hydrology (measure.h) is that of the file as
 * it will be read back, after quantisation. Fails with ORO_E_WRITE (or ORO_E_USAGE: unknown extension, range empty). */
bool oro_heightfield_write(const char *path, const struct oro_heightfield *field,
                           const struct oro_write_options *options, struct oro_error *err);

/* True when the extension is one that oro_heightfield_write knows. `oro_format_names` is for messages. */
bool oro_format_writable(const char *path);
extern const char oro_format_names[];

/* An 8-bit RGBA PNG from `width * height * 4` floats in 0..1. Atomic. */
bool oro_image_write(const char *path, int width, int height, const float *rgba, struct oro_error *err);

/* Resamples to another size: bicubic (Catmull-Rom) where finer, area average where coarser, cell-centred. `cell` is
 * adjusted to keep the extent along x. */
bool oro_heightfield_resize(const struct oro_heightfield *from, int width, int height, struct oro_heightfield *to,
                            struct oro_error *err);

/* Sizes that programs expect: "as_is", "power_of_two", "power_of_two_plus_one", "unreal", "unity", "godot". The size of
 * the preset's list nearest to `size`; the size itself for as_is; 0: unknown preset. */
int oro_size_preset(const char *preset, int size);
extern const char *const oro_size_presets[]; /* ends with NULL */

#endif
