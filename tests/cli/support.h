/* Runs the program in a folder of the test's own, and checks what it did. */
#ifndef TESTS_CLI_SUPPORT_H
#define TESTS_CLI_SUPPORT_H

#include <stddef.h>

#include "base/error.h"

/* Memory and time taken by valgrind or a sanitizer are not the program's. */
#ifdef __SANITIZE_ADDRESS__
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

enum { DONE = 0, FAILED = 1, USAGE = 2, INVALID = 3 };

/* Of the last command: its two streams; time and memory of it and its children. */
extern char output[1 << 20];
extern double seconds; /* of processor time */
extern long kilobytes; /* the largest of them */

/* Runs a shell's command line in the test's folder and gives its exit code; after two minutes it is ended. */
int shell(const char *format, ...) ORO_PRINTF(1, 2);
void expect(int code, const char *format, ...) ORO_PRINTF(2, 3);
void says(const char *part);
void says_not(const char *part);
/* How often the output contains the text. */
int count(const char *part);

void write_file(const char *name, const char *text);
/* Replaces every `from` in the file's text; there must be at least one. */
void replace(const char *name, const char *from, const char *to);
/* The floats of a .r32 file; freed by the caller. */
float *read_floats(const char *name, size_t *length);
/* The text of a member of the first object of a report whose "id" is `id`: "key", "outcome". Each call has a
 * place of its own, of the last four. */
const char *step_member(const char *report, const char *id, const char *member);

#define HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"
#define TAIL "</orograph>\n"

/* Makes a new working folder with its own cache and OROGRAPH set, and removes it. */
int make_folder(void **state);
int remove_folder(void **state);

#endif
