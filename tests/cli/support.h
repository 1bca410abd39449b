/* Running the program in a folder of the test's own, and looking at what it did. */
#ifndef TESTS_CLI_SUPPORT_H
#define TESTS_CLI_SUPPORT_H

#include <stddef.h>

#include "base/error.h"

/* What valgrind or a sanitizer takes is not the program's. */
#ifdef __SANITIZE_ADDRESS__
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

enum { DONE = 0, FAILED = 1, USAGE = 2, INVALID = 3 };

/* Of the last command: both streams; what it and its children took. */
extern char output[1 << 20];
extern double seconds; /* of processors */
extern long kilobytes; /* the largest of them */

/* Runs a shell's command line in the test's folder and gives its exit code; after two minutes it is ended. */
int shell(const char *format, ...) ORO_PRINTF(1, 2);
void expect(int code, const char *format, ...) ORO_PRINTF(2, 3);
void says(const char *part);
void says_not(const char *part);
/* How often it says so. */
int count(const char *part);

void write_file(const char *name, const char *text);
/* The file's text with every `from` replaced; there must be one. */
void replace(const char *name, const char *from, const char *to);
/* The floats of a .r32 file; freed by the caller. */
float *read_floats(const char *name, size_t *length);
/* The text of a member of the first object of a report whose "id" is `id`: "key", "outcome". Each call has a
 * place of its own, of the last four. */
const char *step_member(const char *report, const char *id, const char *member);

#define HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"
#define TAIL "</orograph>\n"

/* A new folder to work in, with a cache of its own and OROGRAPH set; and its end. */
int make_folder(void **state);
int remove_folder(void **state);

#endif
