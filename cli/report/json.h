/* Builds JSON objects member by member. All functions do nothing to a NULL object; a member that cannot be
 * made is null, and for lack of memory the whole is then neither printed nor written. */
#ifndef ORO_CLI_REPORT_JSON_H
#define ORO_CLI_REPORT_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "base/error.h"
#include "base/text.h"

/* Enough for every number we write; 17 would turn 0.1 into 0.10000000000000001. */
enum { CLI_JSON_DIGITS = 15 };

/* Before the first value is made. */
void cli_json_begin(void);
void cli_json_text(json_t *object, const char *name, const char *text); /* NULL or not UTF-8: null */
/* The text as a value; frees it. One that has failed counts as memory that is out. */
json_t *cli_json_of(struct oro_text *text);
void cli_json_integer(json_t *object, const char *name, int64_t number);
/* Whole numbers come without ".0"; what is not finite is null. */
void cli_json_number(json_t *object, const char *name, double number);
/* A time, rounded to microseconds; negative: null. */
void cli_json_seconds(json_t *object, const char *name, double seconds);
void cli_json_flag(json_t *object, const char *name, bool flag);
/* An array of two numbers; what is not finite is null. */
void cli_json_pair(json_t *object, const char *name, const double values[2]);
void cli_json_add(json_t *object, const char *name, json_t *value); /* takes over `value` */

/* An array of the double at `first` and those `stride` bytes farther each; what is not finite is null. */
json_t *cli_json_numbers(const void *first, size_t count, size_t stride);

/* Adds JSON to a text, with characters that a terminal obeys (base/line.h) as escapes. */
void cli_json_escape(const char *json, size_t size, struct oro_text *text);
/* Prints to standard output, indented, and releases the value. False: memory is out. */
bool cli_json_print(json_t *value);
/* Writes a file, indented, all or nothing. */
bool cli_json_write(const json_t *value, const char *path, struct oro_error *err);

#endif
