#include "lua/types/reference.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "lua/batch/batch.h"
#include "lua/field/field.h"
#include "lua/glsl/glsl.h"
#include "lua/sandbox/library.h"
#include "lua/script/script.h"

/* ---- The library ---- */

/* The length of "math." in "math.abs"; 0 for "print". */
static size_t table_of(const char *name)
{
    const char *dot = strchr(name, '.');
    return dot ? (size_t)(dot - name) + 1 : 0;
}

/* Adds the names that begin with the same table as `first`; if it has no table, those that have none. */
static void add_names(struct oro_text *to, const char *first)
{
    size_t length = table_of(first);
    bool begun = false;
    oro_text_addf(to, length ? "| `%.*s` |" : "| basics%.*s |", length ? (int)length - 1 : 0, first);
    for (size_t i = 0; oro_library_names[i]; i++) {
        const char *name = oro_library_names[i];
        if (table_of(name) != length || strncmp(name, first, length) != 0)
            continue;
        oro_text_addf(to, "%s `%s`", begun ? "," : "", name + length);
        begun = true;
    }
    oro_text_add(to, " |\n");
}

static bool is_first_of_table(size_t index)
{
    const char *name = oro_library_names[index];
    size_t length = table_of(name);
    for (size_t i = 0; i < index; i++)
        if (table_of(oro_library_names[i]) == length && strncmp(oro_library_names[i], name, length) == 0)
            return false;
    return true;
}

static void add_library(struct oro_text *to)
{
    oro_text_add(
        to,
        "\n## Lua's library\n\nIn every script; [Lua](lua.md#what-a-script-may-call) tells what differs from "
        "plain Lua.\n\n| table | |\n|---|---|\n");
    for (size_t i = 0; oro_library_names[i]; i++)
        if (is_first_of_table(i))
            add_names(to, oro_library_names[i]);
}

/* ---- Kernels ---- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void add_list(struct oro_text *to, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        oro_text_addf(to, "%s`%s`", i ? ", " : "", names[i]);
    oro_text_add(to, "\n");
}

static void add_kernels(struct oro_text *to)
{
    const char *names[256];
    size_t count = 0, files = 0;
    oro_text_add(to, "\n## Kernels\n\nFunctions of GLSL ES 3.1, of the files below, and of the engine:\n\n");
    while (count < sizeof names / sizeof names[0] && oro_glsl_function(count)) {
        names[count] = oro_glsl_function(count);
        count++;
    }
    qsort(names, count, sizeof names[0], by_text);
    add_list(to, names, count);
    oro_text_add(to, "\nBesides `NAME_at`, `set_NAME`, `profile_NAME`, `gradient_NAME` and `stop_NAME` of "
                     "inputs and outputs "
                     "of these names. With `#include`:\n\n");
    while (oro_glsl_includes[files])
        files++;
    add_list(to, oro_glsl_includes, files);
}

/* ---- Fields ---- */

/* "f:blur(radius)", "field.noise(options)", "a + b" */
static void add_call(struct oro_text *to, const struct oro_field_function *function)
{
    const char *rest = strchr(function->arguments, ',');
    if (strncmp(function->name, "__", 2) == 0) {
        oro_text_addf(to, "| `%s` |", strcmp(function->name, "__call") ? function->arguments : "f(x, y)");
        return;
    }
    if (function->maker) {
        oro_text_addf(to, "| `field.%s(%s)` |", function->name, function->arguments);
        return;
    }
    const char *optional = strstr(function->arguments, " [");
    bool first_optional = optional && (!rest || optional < rest);
    int length = (int)strcspn(function->arguments, ", ");
    rest = first_optional ? optional + 1 : rest ? rest + 1 : "";
    if (first_optional && strncmp(rest, "[, ", 3) == 0)
        oro_text_addf(to, "| `%.*s:%s([%s)` |", length, function->arguments, function->name, rest + 3);
    else
        oro_text_addf(to, "| `%.*s:%s(%s)` |", length, function->arguments, function->name,
                      rest + strspn(rest, " "));
}

static void add_fields(struct oro_text *to)
{
    oro_text_add(to,
                 "\n## Fields\n\nIn scripts with `field`. What is written `f:blur(radius)` can be written "
                 "`field.blur(f, radius)` as well. Fields and numbers mix.\n\n| | |\n|---|---|\n");
    for (const struct oro_field_function *function = oro_field_functions; function->name; function++) {
        add_call(to, function);
        oro_text_addf(to, " %s |\n", function->doc);
    }
}

/* ---- Batches ---- */

static void add_entry(struct oro_text *to, const struct oro_batch_entry *entry, bool is_function)
{
    bool of_table = strcmp(entry->object, "orograph") == 0;
    oro_text_addf(to, "| `%s%s%s", entry->object, of_table || !is_function ? "." : ":", entry->name);
    if (is_function)
        oro_text_addf(to, "(%s)", entry->arguments);
    oro_text_addf(to, "` | %s |\n", entry->doc);
}

static void add_object(struct oro_text *to, const char *object)
{
    oro_text_add(to, "\n| | |\n|---|---|\n");
    for (size_t i = 0; i < ORO_BATCH_FUNCTIONS; i++)
        if (strcmp(oro_batch_functions[i].object, object) == 0)
            add_entry(to, &oro_batch_functions[i], true);
    for (const struct oro_batch_entry *entry = oro_batch_fields; entry->name; entry++)
        if (strcmp(entry->object, object) == 0)
            add_entry(to, entry, false);
}

static void add_batches(struct oro_text *to)
{
    oro_text_add(to, "\n## Batches\n\nIn scripts that `orograph run` runs.\n\n### orograph\n");
    add_object(to, "orograph");
    oro_text_add(to, "\n### A graph\n\nWhat `orograph.open` and `orograph.new` give.\n");
    add_object(to, "graph");
    oro_text_add(to, "\n### A result\n\nWhat `graph:render` and `orograph.read` give.\n");
    add_object(to, "result");
}

/* ---- Limits ---- */

static void add_limit(struct oro_text *to, const char *what, double most)
{
    oro_text_addf(to, "| %s | %.10g |\n", what, most);
}

static void add_limits(struct oro_text *to)
{
    oro_text_add(to, "\n## Limits of node scripts\n\n| | at most |\n|---|---|\n");
    add_limit(to, "Bytes of a script or module", ORO_SCRIPT_BYTES_MAX);
    add_limit(to, "Characters of a name", ORO_SCRIPT_NAME_MAX);
    add_limit(to, "Inputs", ORO_SCRIPT_INPUTS_MAX);
    add_limit(to, "Outputs", ORO_SCRIPT_OUTPUTS_MAX);
    add_limit(to, "Modules that are required", ORO_SCRIPT_MODULES_MAX);
    add_limit(to, "Kernels", ORO_SCRIPT_KERNELS_MAX);
    add_limit(to, "Bytes of a kernel", ORO_GLSL_BYTES_MAX);
    add_limit(to, "Buffers", ORO_SCRIPT_BUFFERS_MAX);
    add_limit(to, "Passes that are listed", ORO_SCRIPT_PASSES_MAX);
    add_limit(to, "Passes that are run in one evaluation", ORO_SCRIPT_RUNS_MAX);
    add_limit(to,
              "Turns of a kernel's loops in one cell, other than those that count up to a number of at most "
              "64",
              ORO_GLSL_BUDGET);
    add_limit(to, "Steps of Lua to read a script, or to build its graph", ORO_SCRIPT_STEPS);
    add_limit(to, "Seconds to do so", ORO_SCRIPT_SECONDS);
    add_limit(to, "MiB of memory that a script's state holds meanwhile", (double)(ORO_SCRIPT_MEMORY >> 20));
}

void oro_lua_reference(struct oro_text *to)
{
    oro_text_add(to,
                 "<!-- Generated by `orograph run --api`; do not edit. -->\n\n# What Lua scripts can call\n\n"
                 "[Lua](lua.md) tells how scripts are written. Here are the names.\n");
    add_library(to);
    add_kernels(to);
    add_fields(to);
    add_batches(to);
    add_limits(to);
}
