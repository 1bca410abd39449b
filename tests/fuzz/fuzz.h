/*
 * Shared by the fuzz targets. A target is one file with LLVMFuzzerTestOneInput: whatever the bytes are, it
 * returns, or fuzz_require ends the program. The fuzzer's main function calls it with bytes that it makes up,
 * and replay.c with files.
 */
#ifndef ORO_TESTS_FUZZ_FUZZ_H
#define ORO_TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the program if the condition does not hold, as the fuzzer expects of a defect. */
#define fuzz_require(condition) ((condition) ? (void)0 : fuzz_fail(__FILE__, __LINE__, #condition))
_Noreturn void fuzz_fail(const char *file, int line, const char *what);
/* What failed must say why. */
void fuzz_require_reason(const struct oro_error *err);

/* ---- Bytes as choices, taken one after the other; behind the last all are 0. ---- */
struct fuzz_bytes {
    const uint8_t *at;
    size_t left;
};
unsigned fuzz_below(struct fuzz_bytes *bytes, unsigned count); /* 0 to count - 1; 0 if count is 0 */
bool fuzz_chance(struct fuzz_bytes *bytes, unsigned one_in);
/* Any number: small whole ones, extremes, and any bits, so that it may be infinite or no number. */
double fuzz_number(struct fuzz_bytes *bytes);
/* What comes before the next zero byte, cut to `size` - 1 bytes. Returns `out`. */
const char *fuzz_text(struct fuzz_bytes *bytes, char *out, size_t size);
/* What comes before the next zero byte, or all that is left. */
struct fuzz_bytes fuzz_part(struct fuzz_bytes *bytes);

/* ---- Files ---- in a folder that is made when it is first asked for, and removed at exit. */
enum { FUZZ_PATH = 256 };
const char *fuzz_folder(void);
const char *fuzz_path(char out[FUZZ_PATH], const char *name); /* FOLDER/NAME */
void fuzz_write(const char *path, const void *bytes, size_t size);

#endif
