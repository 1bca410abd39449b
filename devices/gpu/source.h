/*
 * Kernel source as text: finding files, expanding #include, and mapping driver messages back to files and
 * lines. No GL here. Internal to devices/gpu/.
 *
 * `#include "lib/x.glsl"` on a line of its own is replaced by that file, once per kernel: including a file
 * again, or in a cycle, adds nothing. Names are relative to the shader folder. Since every file is included
 * once, includes must not stand within #if. `#line N S` keeps line numbers right; S is the source number: 0
 * the preamble, then the files in order.
 */
#ifndef ORO_GPU_SOURCE_H
#define ORO_GPU_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "devices/gpu/gpu.h"

enum { ORO_SOURCE_LINES = 10000 };

/* Where files come from: a folder, or a table of `count` embedded files. */
struct oro_shader_set {
    const char *folder;
    const struct oro_shader_file *files;
    size_t count;
};

struct oro_source_part {
    char *name;
    struct oro_stamp stamp; /* when it was read; all zero if it is embedded */
};

struct oro_source {
    struct oro_text text;          /* everything but the preamble */
    struct oro_source_part *parts; /* source number 1 is parts[0] */
    size_t count, capacity;
};

/* Fills `source`, which must be zeroed. On failure `parts` tells which files were looked at, so that changes
 * to them can be noticed; so it must be freed in any case. Fails with ORO_E_KERNEL, the text beginning with
 * "file:line: ". */
bool oro_source_assemble(struct oro_source *source, const struct oro_shader_set *set, const char *file,
                         struct oro_error *err);
/* The same for a text that messages call `name`, and whose first line they call `first_line`. */
bool oro_source_assemble_text(struct oro_source *source, const struct oro_shader_set *set, const char *name,
                              const char *text, int first_line, struct oro_error *err);
void oro_source_free(struct oro_source *source);

/* Whether a file that was looked at has changed since. Always false for embedded files. */
bool oro_source_changed(const struct oro_source *source, const struct oro_shader_set *set);

/* "preamble", a file's name, or NULL for a number that this source does not have. */
const char *oro_source_name(const struct oro_source *source, long number);

/* Rewrites a driver's log so that lines read "slope.comp:12: error: ...". Known forms are "0:12(5): error:
 * ..." (Mesa), "0(12) : error C0000: ..." (NVIDIA) and "ERROR: 0:12: ..." (ANGLE and others); other lines
 * stay as they are. */
void oro_driver_log(struct oro_text *out, const struct oro_source *source, const char *log);
/* One line for an error: the first few messages of a rewritten log, preferably those with "error". */
void oro_driver_log_summary(struct oro_text *out, const char *rewritten);

#endif
