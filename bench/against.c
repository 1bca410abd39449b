#include "bench/against.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/print.h"

static const char *text_of(const json_t *object, const char *member)
{
    const char *text = json_string_value(json_object_get(object, member));
    return text ? text : "";
}

/* Times have no unit of their own. */
static const char *unit_of(const json_t *row)
{
    const char *unit = text_of(row, "unit");
    return *unit ? unit : "ms";
}

static const json_t *value_of(const json_t *row)
{
    return json_object_get(row, json_object_get(row, "unit") ? "figure" : "milliseconds");
}

static bool same(const json_t *a, const json_t *b, const char *member)
{
    return json_equal(json_object_get(a, member), json_object_get(b, member)) == 1;
}

static json_t *rows_of(const json_t *run)
{
    return json_object_get(run, "rows");
}

/* The row of a run that is of the same suite, name and size as `row`, in the same unit or in another one. */
static const json_t *find(const json_t *run, const json_t *row, bool same_unit)
{
    const json_t *rows = rows_of(run);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *other = json_array_get(rows, i);
        if (same(row, other, "suite") && same(row, other, "what") && same(row, other, "size") &&
            (strcmp(unit_of(row), unit_of(other)) == 0) == same_unit)
            return other;
    }
    return NULL;
}

/* ---- Reading ---- */

static bool is_row(const json_t *row)
{
    const json_t *value = value_of(row);
    return json_is_string(json_object_get(row, "suite")) && json_is_string(json_object_get(row, "what")) &&
           json_is_integer(json_object_get(row, "size")) && (json_is_number(value) || json_is_null(value)) &&
           (!json_object_get(row, "unit") || *text_of(row, "unit"));
}

/* The first programs printed layout 1 without its number. */
static bool check(const char *path, const json_t *run, struct oro_error *err)
{
    static const char what[] = "is not what orograph-bench prints with --json";
    const json_t *layout = json_object_get(run, "layout"), *rows = rows_of(run);
    if (json_is_integer(layout) && json_integer_value(layout) != BENCH_LAYOUT)
        return oro_fail(err, ORO_E_FILE, "'%s' is of layout %lld, and this program reads layout %d", path,
                        (long long)json_integer_value(layout), BENCH_LAYOUT);
    if ((layout && !json_is_integer(layout)) || !json_is_array(rows) || !*text_of(run, "device"))
        return oro_fail(err, ORO_E_FILE, "'%s' %s", path, what);
    for (size_t i = 0; i < json_array_size(rows); i++)
        if (!is_row(json_array_get(rows, i)))
            return oro_fail(err, ORO_E_FILE, "'%s' %s: row %zu", path, what, i + 1);
    return true;
}

json_t *bench_against_read(const char *path, struct oro_error *err)
{
    json_error_t problem;
    json_t *run = json_load_file(path, JSON_REJECT_DUPLICATES, &problem);
    if (!run && problem.line > 0)
        oro_fail(err, ORO_E_FILE, "'%s' is not JSON: line %d: %s", path, problem.line, problem.text);
    else if (!run)
        oro_fail(err, ORO_E_FILE, "%s", problem.text); /* names the file */
    else if (check(path, run, err) && json_object_set_new(run, "file", json_string(path)) == 0)
        return run;
    json_decref(run);
    return NULL;
}

/* ---- Comparing ---- */

static double number_of(const json_t *value)
{
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static void warn(const json_t *now, const json_t *before)
{
    const char *file = text_of(before, "file");
    const json_t *threads = json_object_get(before, "threads");
    if (!same(now, before, "device"))
        fprintf(stderr, "orograph-bench: warning: '%s' was made on another device, %s\n", file,
                text_of(before, "device"));
    if (threads && !same(now, before, "threads"))
        fprintf(stderr, "orograph-bench: warning: '%s' was made with another number of threads, %d\n", file,
                (int)json_integer_value(threads));
    if (json_object_get(now, "realism"))
        fprintf(stderr, "orograph-bench: warning: --against does not compare what the suite realism finds\n");
}

static bool compare_row(json_t *row, const json_t *now, const json_t *before, struct oro_error *err)
{
    const json_t *earlier = find(before, row, true), *other = earlier ? NULL : find(before, row, false);
    if (earlier) {
        double was = number_of(value_of(earlier)), is = number_of(value_of(row));
        json_object_set_new(row, "before", bench_json_number(was));
        json_object_set_new(row, "ratio", bench_json_number(is / was));
    }
    return !other || find(now, other, true) ||
           oro_fail(err, ORO_E_FILE, "%s '%s' at %d is in %s, and in '%s' in %s", text_of(row, "suite"),
                    text_of(row, "what"), (int)json_integer_value(json_object_get(row, "size")), unit_of(row),
                    text_of(before, "file"), unit_of(other));
}

static json_t *rows_only_before(const json_t *now, const json_t *before)
{
    json_t *only = json_array(), *rows = rows_of(before);
    for (size_t i = 0; i < json_array_size(rows); i++)
        if (!find(now, json_array_get(rows, i), true))
            json_array_append(only, json_array_get(rows, i));
    return only;
}

bool bench_against(json_t *now, const json_t *before, struct oro_error *err)
{
    static const char *const members[] = {"file", "device", "version", "threads"};
    json_t *against = json_object(), *rows = rows_of(now);
    bool ok = true;
    warn(now, before);
    for (size_t i = 0; i < json_array_size(rows); i++)
        ok = compare_row(json_array_get(rows, i), now, before, ok ? err : NULL) && ok;
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        json_object_set(against, members[i], json_object_get(before, members[i]));
    json_object_set_new(against, "only_before", rows_only_before(now, before));
    json_object_set_new(now, "against", against);
    return ok;
}

/* ---- Printing ---- */

static void print_name(const json_t *row)
{
    printf("%-10s %-48s %6d", text_of(row, "suite"), text_of(row, "what"),
           (int)json_integer_value(json_object_get(row, "size")));
}

static void print_row(const json_t *row)
{
    print_name(row);
    if (json_object_get(row, "before"))
        printf(" %12.4f %12.4f %8.3f %s\n", number_of(json_object_get(row, "before")),
               number_of(value_of(row)), number_of(json_object_get(row, "ratio")), unit_of(row));
    else
        printf(" only in this run\n");
}

void bench_against_print(const json_t *now)
{
    const json_t *against = json_object_get(now, "against"), *rows = rows_of(now);
    const json_t *only_before = json_object_get(against, "only_before");
    const char *file = text_of(against, "file");
    printf("\nbefore: '%s', %s (%s)\n", file, text_of(against, "device"), text_of(against, "version"));
    printf("%-10s %-48s %6s %12s %12s %8s\n", "suite", "what", "size", "before", "now", "ratio");
    for (size_t i = 0; i < json_array_size(rows); i++)
        print_row(json_array_get(rows, i));
    for (size_t i = 0; i < json_array_size(only_before); i++) {
        print_name(json_array_get(only_before, i));
        printf(" only in '%s'\n", file);
    }
}
