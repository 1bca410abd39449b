/*
 * Kernels as C that was made from their text when the program was built. orograph-kernels
 * (cli/main_kernels.c) writes down the texts that the processor is asked for, kernelc (compiler/) makes C of
 * them, and the build compiles that for several kinds of processor (cmake/processor.cmake).
 */
#ifndef ORO_DEVICES_PROCESSOR_NATIVE_H
#define ORO_DEVICES_PROCESSOR_NATIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/hash.h"

struct oro_native_buffer {
    void *data;
    long words; /* of 4 bytes */
};

/* Runs the invocations x0..x1-1, y0..y1-1 of a kernel. `block` is its uniform block, `buffers` are in the
 * order of the text's bindings. */
typedef void oro_native_code(const unsigned char *block, const struct oro_native_buffer *buffers, int x0,
                             int x1, int y0, int y1);

/* Kinds of processor, of which the best that fits is chosen when the first kernel runs. */
enum oro_native_kind { ORO_NATIVE_LEAST, ORO_NATIVE_AVX2, ORO_NATIVE_AVX512, ORO_NATIVE_KINDS };

struct oro_native {
    const char *digest; /* oro_hash_text of the kernel's text */
    const char *kernel; /* "mask/slope.comp" */
    oro_native_code *code[ORO_NATIVE_KINDS];
};
/* The generated table, sorted by digest. */
extern const struct oro_native oro_native_table[];
extern const size_t oro_native_count;

/* The code for a text with this digest; NULL: there is none. */
const struct oro_native *oro_native_find(struct oro_hash digest);

/* Runs columns x rows invocations by pieces, on all processors. False: `stop`, which may be NULL and is asked
 * between pieces, has ended it. */
bool oro_native_run(const struct oro_native *native, const unsigned char *block,
                    const struct oro_native_buffer *buffers, int buffer_count, int columns, int rows,
                    bool (*stop)(void *user), void *user);

/* For tests: uses that kind's code, if the processor can run it; ORO_NATIVE_KINDS chooses again. Returns the
 * kind that is used now. */
enum oro_native_kind oro_native_force(enum oro_native_kind kind);

#endif
