/*
 * Messages: errors and warnings go to standard error, one line each; results go to standard output. The exit
 * codes of design section 6 are defined here and nowhere else.
 */
#ifndef ORO_CLI_REPORT_CONSOLE_H
#define ORO_CLI_REPORT_CONSOLE_H

#include "base/error.h"
#include "base/log.h"
#include "base/text.h"
#include "graph/document/document.h"

enum cli_exit {
    CLI_DONE = 0,
    CLI_FAILED = 1, /* while evaluating or writing */
    CLI_USAGE = 2,
    CLI_INVALID = 3, /* a document or an input file */
    CLI_CANCELLED = 4,
    CLI_NO_DEVICE = 5,
};

enum cli_exit cli_exit_code(enum oro_code code);
/* The word for a code that reports and events use and that never changes: "document", "cancelled", ... */
const char *cli_code_name(enum oro_code code);

/* "orograph: ..." and "orograph: warning: ..." on standard error. Line breaks inside become blanks. */
void cli_error(const char *format, ...) ORO_PRINTF(1, 2);
void cli_warning(const char *format, ...) ORO_PRINTF(1, 2);
/* Prints an error and returns its exit code. */
enum cli_exit cli_fail(const struct oro_error *err);

/* From now on, nothing is printed, neither messages nor results: another rank prints them. */
void cli_silence(void);

/* A sink for libraries' notices where no progress bar is shown: warnings and notices go to standard error. */
extern const struct oro_log cli_log;

/* Prints problems as "file:line: ...", without the program's name before it, so that editors can jump to
 * them. */
void cli_print_problems(const struct oro_problems *problems, const char *file);

/* Writes out what standard output still buffers. A full disk or a closed pipe turns CLI_DONE into CLI_FAILED.
 */
enum cli_exit cli_flush(enum cli_exit code);
/* Prints a text that was put together, and frees it. False: it lacks something, for want of memory. */
bool cli_print_text(struct oro_text *text);

#endif
