#include "cli/report/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/line.h"
#include "formats/sidecar/json_memory.h"

/* Of what was printed or written: any value that lacks something was made since. A program's first values are
 * made after cli_json_begin. */
static unsigned failures;
static bool lost; /* a text that was to be part of it */

void cli_json_begin(void)
{
    failures = oro_json_failures();
}

static bool is_whole(const json_t *value)
{
    unsigned before = failures;
    failures = oro_json_failures();
    bool whole = value && failures == before && !lost;
    lost = false;
    return whole;
}

enum { LAYOUT = JSON_INDENT(2) | JSON_REAL_PRECISION(CLI_JSON_DIGITS) };

void cli_json_add(json_t *object, const char *name, json_t *value)
{
    if (!value)
        value = json_null();
    if (object)
        json_object_set_new(object, name, value);
    else
        json_decref(value);
}

void cli_json_text(json_t *object, const char *name, const char *text)
{
    cli_json_add(object, name, text ? json_string(text) : NULL);
}

json_t *cli_json_of(struct oro_text *text)
{
    json_t *value = json_string(text->data ? text->data : "");
    lost |= text->failed;
    oro_text_free(text);
    return value;
}

void cli_json_integer(json_t *object, const char *name, int64_t number)
{
    cli_json_add(object, name, json_integer(number));
}

void cli_json_number(json_t *object, const char *name, double number)
{
    if (number == floor(number) && fabs(number) < 1e15)
        cli_json_integer(object, name, (int64_t)number);
    else
        cli_json_add(object, name, isfinite(number) ? json_real(number) : NULL);
}

void cli_json_seconds(json_t *object, const char *name, double seconds)
{
    if (seconds < 0)
        cli_json_add(object, name, NULL);
    else
        cli_json_number(object, name, round(seconds * 1e6) / 1e6);
}

void cli_json_flag(json_t *object, const char *name, bool flag)
{
    cli_json_add(object, name, json_boolean(flag));
}

static json_t *number_or_null(double number)
{
    return isfinite(number) ? json_real(number) : json_null();
}

void cli_json_pair(json_t *object, const char *name, const double values[2])
{
    json_t *pair = json_array();
    for (int i = 0; i < 2; i++)
        json_array_append_new(pair, number_or_null(values[i]));
    cli_json_add(object, name, pair);
}

json_t *cli_json_numbers(const void *first, size_t count, size_t stride)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(
            array, number_or_null(*(const double *)(const void *)((const char *)first + i * stride)));
    return array;
}

/* All of them lie in strings; those of ASCII jansson has escaped itself. */
void cli_json_escape(const char *json, size_t size, struct oro_text *text)
{
    for (const char *at = json, *end = json + size; at < end;) {
        size_t length;
        uint32_t code;
        if (oro_character_at(at, end, &length, &code) == ORO_CHARACTER_CONTROL && code >= 0x7f)
            oro_text_addf(text, "\\u%04x", code);
        else
            oro_text_add_bytes(text, at, length);
        at += length;
    }
}

/* jansson hands over whole characters. */
static int add_escaped(const char *part, size_t size, void *text)
{
    cli_json_escape(part, size, text);
    return ((struct oro_text *)text)->failed ? -1 : 0;
}

bool cli_json_print(json_t *value)
{
    struct oro_text text = {0};
    bool ok = is_whole(value) && json_dump_callback(value, add_escaped, &text, LAYOUT) == 0 &&
              fwrite(text.data, 1, text.length, stdout) == text.length;
    oro_text_free(&text);
    if (ok)
        putchar('\n');
    ok = ok && is_whole(value);
    json_decref(value);
    return ok;
}

bool cli_json_write(const json_t *value, const char *path, struct oro_error *err)
{
    struct oro_file_output output;
    if (!is_whole(value))
        return oro_fail(err, ORO_E_MEMORY, "no memory for '%s'", path);
    if (!oro_file_begin(&output, path, err))
        return false;
    if (json_dumpf(value, output.stream, LAYOUT) != 0 || fputc('\n', output.stream) == EOF) {
        oro_file_abort(&output);
        return is_whole(value) ? oro_fail(err, ORO_E_WRITE, "cannot write '%s'", path)
                               : oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", path);
    }
    return oro_file_commit(&output, err);
}
