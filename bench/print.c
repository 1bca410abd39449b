#include "bench/print.h"

#include <math.h>
#include <stdio.h>

#include "base/parallel.h"
#include "bench/realism.h"

/* 0 where a row is of something else than an iteration. */
static double nanoseconds_per_cell(const struct bench_row *row)
{
    return row->bytes_per_cell > 0 ? 1e6 * row->milliseconds / row->size / row->size : 0;
}

void bench_print(const struct bench *bench)
{
    printf("%s (%s), threads: %d\n", bench->device->info.name, bench->device->info.version,
           oro_parallel_threads());
    if (bench->copy_bandwidth > 0)
        printf("copy: %.1f GB/s read and written\n\n", bench->copy_bandwidth * 1e-9);
    printf("%-10s %-48s %6s %10s %12s %8s %10s %8s %10s %9s\n", "suite", "what", "size", "iterations", "ms",
           "B/cell", "GB/s", "of copy", "ns/cell", "MB");
    for (int i = 0; i < bench->row_count; i++) {
        const struct bench_row *row = &bench->rows[i];
        printf("%-10s %-48s %6d", row->suite, row->name, row->size);
        if (row->unit)
            printf(" %10s %12.4f %s", "", row->figure, row->unit);
        else
            printf(" %10d %12.4f", row->iterations, row->milliseconds);
        if (row->bytes_per_cell > 0)
            printf(" %8.0f %10.1f %7.0f%% %10.4f", row->bytes_per_cell, row->bandwidth * 1e-9,
                   bench->copy_bandwidth > 0 ? 100 * row->bandwidth / bench->copy_bandwidth : 0,
                   nanoseconds_per_cell(row));
        if (row->peak_bytes > 0)
            printf(" %9.2f", (double)row->peak_bytes * 1e-6);
        printf("\n");
    }
    bench_realism_print(bench->realism, bench->realism_count);
}

json_t *bench_json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *row_json(const struct bench_row *row)
{
    if (row->unit)
        return json_pack("{s:s, s:s, s:i, s:o, s:s}", "suite", row->suite, "what", row->name, "size",
                         row->size, "figure", bench_json_number(row->figure), "unit", row->unit);
    json_t *object =
        json_pack("{s:s, s:s, s:i, s:i, s:f, s:f, s:f}", "suite", row->suite, "what", row->name, "size",
                  row->size, "iterations", row->iterations, "milliseconds", row->milliseconds,
                  "bytes_per_cell", row->bytes_per_cell, "bytes_per_second", row->bandwidth);
    if (row->bytes_per_cell > 0)
        json_object_set_new(object, "nanoseconds_per_cell", json_real(nanoseconds_per_cell(row)));
    if (row->peak_bytes > 0)
        json_object_set_new(object, "peak_bytes", json_integer((json_int_t)row->peak_bytes));
    return object;
}

json_t *bench_json(const struct bench *bench)
{
    json_t *rows = json_array();
    for (int i = 0; i < bench->row_count; i++)
        json_array_append_new(rows, row_json(&bench->rows[i]));
    json_t *root =
        json_pack("{s:i, s:s, s:s, s:i, s:f, s:o}", "layout", BENCH_LAYOUT, "device",
                  bench->device->info.name, "version", bench->device->info.version, "threads",
                  oro_parallel_threads(), "copy_bytes_per_second", bench->copy_bandwidth, "rows", rows);
    if (bench->realism)
        json_object_set_new(root, "realism", bench_realism_json(bench->realism, bench->realism_count));
    return root;
}
