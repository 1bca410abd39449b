/* The per-node times of a report, for `orograph info --report`. */
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/memory.h"
#include "cli/report/report.h"
#include "cli/report/table.h"
#include "formats/sidecar/json_memory.h"

enum { REPORT_BYTES_MAX = 64 * 1024 * 1024 };

static double number_of(const json_t *step, const char *name)
{
    return json_number_value(json_object_get(step, name));
}

static const char *text_of(const json_t *step, const char *name)
{
    const char *text = json_string_value(json_object_get(step, name));
    return text ? text : "?";
}

static int slower_first(const void *a, const void *b)
{
    double first = number_of(*(json_t *const *)a, "seconds"),
           second = number_of(*(json_t *const *)b, "seconds");
    return (first < second) - (first > second);
}

static void add_step(struct cli_table *table, const json_t *step, double total)
{
    double seconds = number_of(step, "seconds");
    cli_table_row(table, text_of(step, "id"), text_of(step, "type"), text_of(step, "outcome"));
    cli_table_cell(table, "%.0f x %.0f", number_of(step, "width"), number_of(step, "height"));
    cli_table_cell(table, "%.3f s", seconds);
    cli_table_cell(table, "%.1f %%", total > 0 ? 100 * seconds / total : 0.0);
    if (json_is_number(json_object_get(step, "device_seconds")))
        cli_table_cell(table, "%.3f s", number_of(step, "device_seconds"));
    else
        cli_table_cell(table, "-");
}

static bool show_steps(const json_t *steps, struct oro_error *err)
{
    size_t count = json_array_size(steps);
    json_t **sorted = oro_alloc(count + 1, sizeof *sorted);
    double total = 0;
    if (!sorted)
        return oro_fail(err, ORO_E_MEMORY, "no memory for a report");
    for (size_t i = 0; i < count; i++) {
        sorted[i] = json_array_get(steps, i);
        total += number_of(sorted[i], "seconds");
    }
    qsort(sorted, count, sizeof *sorted, slower_first);
    struct cli_table table = {.columns = "lllrrrr"};
    cli_table_row(&table, "step", "type", "outcome", "size", "time", "share", "device");
    for (size_t i = 0; i < count; i++)
        add_step(&table, sorted[i], total);
    oro_free(sorted);
    return cli_table_print(&table, stdout, 0) || oro_fail(err, ORO_E_MEMORY, "no memory for a report");
}

bool cli_report_show(const char *path, struct oro_error *err)
{
    void *data = NULL;
    size_t size = 0;
    json_error_t problem;
    if (!oro_file_read(path, REPORT_BYTES_MAX, &data, &size, err))
        return false;
    bool ok = oro_json_fits(path, data, size, err);
    json_t *root = ok ? json_loadb(data, size, 0, &problem) : NULL;
    oro_free(data);
    if (!ok)
        return false;
    json_t *steps = json_object_get(root, "steps");
    if (!root)
        ok = oro_fail(err, ORO_E_FILE, "%s:%d: %s", path, problem.line, problem.text);
    else if (!json_is_array(steps))
        ok = oro_fail(err, ORO_E_FILE, "'%s' is not a report of 'orograph render'", path);
    else
        ok = show_steps(steps, err);
    json_decref(root);
    return ok;
}
