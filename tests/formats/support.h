/* Shared by the suites of formats/: a folder of their own, files in it, notices, fields. */
#ifndef ORO_TESTS_FORMATS_SUPPORT_H
#define ORO_TESTS_FORMATS_SUPPORT_H

#include <stdbool.h>
#include <stdint.h>

#include <sys/resource.h>

#include "base/error.h"
#include "base/log.h"
#include "formats/format.h"
#include "tests/support/test.h"

/* Group fixtures: a fresh folder, which goes with all that is in it. */
int folder_setup(void **state);
int folder_teardown(void **state);
/* NAME in that folder. Valid until 16 calls later. */
const char *in_folder(const char *name);
size_t files_in_folder(void);

void put_file(const char *path, const void *bytes, size_t size);
void put_text(const char *path, const char *text);
/* The caller frees with oro_free. */
unsigned char *get_file(const char *path, size_t *size);
bool file_exists(const char *path);
void assert_same_file(const char *a, const char *b);
/* Two folders hold the same files, and so do the folders in them. */
void assert_same_tree(const char *a, const char *b);
/* An empty folder NAME in that of the group; FOLDER/NAME, valid until four calls later. */
const char *new_folder(const char *name);
const char *file_in(const char *folder, const char *name);
/* No file may grow beyond this, as on a disk that fills. */
void limit_files(rlim_t bytes);

/* A PNG of any kind from packed rows. `bits` per channel, `type` as in the file. Palettes are filled with
 * greys. */
void put_png(const char *path, int width, int height, int bits, int type, bool interlaced,
             const unsigned char *rows);

/* Collects notices. */
struct notes {
    struct oro_log log;
    int count; /* of warnings */
    char text[4096];
};
void notes_begin(struct notes *notes);

struct oro_heightfield make_field(int width, int height, const float *values); /* values NULL: zeros */
struct oro_heightfield make_hills(int width, int height); /* smooth, distinct values, 0..1000 */
struct oro_heightfield read_field(const char *path, const struct oro_read_options *options);
void write_field(const char *path, const struct oro_heightfield *field,
                 const struct oro_write_options *options);
/* Fails the first, second, ... allocation of writing, after which nothing may be left, until it succeeds, and
 * tells which does not fail any more. */
size_t write_without_memory(const char *path, const struct oro_heightfield *field,
                            const struct oro_write_options *options);
/* Reads, expects failure with `code` and a message that holds `part`. */
void expect_refused(const char *path, const struct oro_read_options *options, enum oro_code code,
                    const char *part);
void assert_same_values(const struct oro_heightfield *a, const struct oro_heightfield *b, double tolerance);

/* The same numbers in every run. */
int random_below(int bound);
/* Windows of the file, at odd places, hold the bits that the whole has there. */
void expect_cropped(const char *path, const struct oro_read_options *options);

/* Skips the running test, saying so, unless the real inputs are there. Gives the file's path. */
const char *real_data(const char *name);

#endif
