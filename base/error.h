/*
 * Errors are values: a function that can fail returns false or NULL and fills a struct oro_error that its
 * caller owns. Nothing in a library prints, exits, or keeps an error in a global. A NULL `err` is allowed
 * everywhere: the caller then learns only that the call failed.
 */
#ifndef ORO_BASE_ERROR_H
#define ORO_BASE_ERROR_H

#include <stdarg.h>
#include <stdbool.h>

#if defined(__GNUC__)
#define ORO_PRINTF(text_argument, first_argument)                                                            \
    __attribute__((format(printf, text_argument, first_argument)))
#else
#define ORO_PRINTF(text_argument, first_argument)
#endif

/* What went wrong, as far as a caller would act differently. The command line maps these to exit codes. */
enum oro_code {
    ORO_OK = 0,
    ORO_E_USAGE,     /* a request that makes no sense, such as an unknown option */
    ORO_E_DOCUMENT,  /* a graph file that is not valid */
    ORO_E_FILE,      /* an input file (image, heightfield) that is not valid, or that is not there */
    ORO_E_WRITE,     /* an output that cannot be written: folder missing, read-only, disk full */
    ORO_E_MEMORY,    /* an allocation failed */
    ORO_E_LIMIT,     /* the work would exceed a stated limit or budget and was refused */
    ORO_E_DEVICE,    /* no usable device, or the device refused an operation */
    ORO_E_LOST,      /* the GPU context was lost; the device can be rebuilt */
    ORO_E_KERNEL,    /* a kernel does not compile or link */
    ORO_E_EVALUATE,  /* a node could not be evaluated */
    ORO_E_CANCELLED, /* the user asked to stop */
    ORO_E_OMITTED,   /* a script that is not read for a list */
    ORO_E_RANKS,     /* another process that takes part in the evaluation is gone, or cannot be reached */
};

struct oro_error {
    enum oro_code code;
    char text[1024];    /* one line, no trailing newline; says what is wrong and what would be right */
    char document[512]; /* file the error is in, or "" */
    int line;           /* line in that file, or 0 */
    char node[128];     /* id of the node concerned, or "" */
};

/* Fills `err` (place fields are cleared) and returns false, so that `return oro_fail(...)` reads well. */
bool oro_fail(struct oro_error *err, enum oro_code code, const char *format, ...) ORO_PRINTF(3, 4);
bool oro_fail_v(struct oro_error *err, enum oro_code code, const char *format, va_list args) ORO_PRINTF(3, 0);
#ifdef __clang_analyzer__
/* The static analyser does not look into variadic functions; this tells it the result. */
#define oro_fail(...) (oro_fail(__VA_ARGS__), false)
#endif

/* Adds a place to an error already filled; parts that are NULL or 0, or already known, stay as they are. */
void oro_error_place(struct oro_error *err, const char *document, int line, const char *node);

/* Writes "document:line: node 'x': text" with the parts that are known. Returns `out`. */
const char *oro_error_line(const struct oro_error *err, char *out, int size);

#endif
