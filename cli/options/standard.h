/*
 * Standard input and output in place of files, "-". Documents are read straight from standard input. Rasters
 * go through a file in a folder of their own, since formats want to go back and forth; what is told then goes
 * to standard error.
 */
#ifndef ORO_CLI_OPTIONS_STANDARD_H
#define ORO_CLI_OPTIONS_STANDARD_H

#include <stdbool.h>

#include "base/error.h"
#include "graph/document/document.h"
#include "graph/type/registry.h"

bool cli_is_standard(const char *path); /* whether it is "-" */

/* As oro_document_load; "-" is standard input, whose paths start from the working folder. */
struct oro_document *cli_load_document(const char *path, const struct oro_registry *registry,
                                       struct oro_problems *problems);

/* Files that stand for standard input and output while a command runs. Starts zeroed. */
struct cli_standard {
    char *folder, *in, *out; /* NULL: not made */
    int descriptor;          /* of the true standard output, if `out` */
};

/* Turns "-" in `*path` into the name of a file of that format (an extension, without its dot), which has all
 * of standard input, or whose contents cli_standard_send sends to standard output. Any other path stays as it
 * is. Fails with ORO_E_USAGE (no format), ORO_E_FILE, ORO_E_WRITE, ORO_E_MEMORY. Call cli_standard_end in any
 * case. */
bool cli_standard_in(struct cli_standard *standard, const char **path, const char *format,
                     struct oro_error *err);
bool cli_standard_out(struct cli_standard *standard, const char **path, const char *format,
                      struct oro_error *err);
/* Only names a file for it, in no folder, where another rank has the output. */
bool cli_standard_name(struct cli_standard *standard, const char **path, const char *format,
                       struct oro_error *err);
bool cli_standard_send(struct cli_standard *standard, struct oro_error *err);
void cli_standard_end(struct cli_standard *standard);

#endif
