/* orograph-bench [erosion] [figure15] [--only NODE] [--sizes 256,512,...] [--repeats N] [--device N]
 * [--shader-dir DIR]
 * [--json] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/text.h"
#include "bench/bench.h"
#include "gpu/gpu.h"

struct request {
    bool erosion, figure15, json;
    int device;
    const char *shader_dir;
    struct bench *bench;
};

static bool read_sizes(struct bench *bench, const char *text)
{
    bench->size_count = 0;
    while (*text && bench->size_count < BENCH_SIZES_MAX) {
        char *end;
        long size = strtol(text, &end, 10);
        if (end == text || size < 8 || size > ORO_GRID_MAX)
            return false;
        bench->sizes[bench->size_count++] = (int)size;
        text = *end == ',' ? end + 1 : end;
    }
    return bench->size_count > 0 && !*text;
}

static bool read_number(const char *text, int *number)
{
    double value;
    if (!text || !oro_parse_number(text, &value) || value < 0 || value > 1000)
        return false;
    *number = (int)value;
    return true;
}

static bool read_arguments(int count, char **words, struct request *request)
{
    for (int i = 1; i < count; i++) {
        const char *word = words[i], *next = i + 1 < count ? words[i + 1] : NULL;
        if (strcmp(word, "erosion") == 0)
            request->erosion = true;
        else if (strcmp(word, "figure15") == 0)
            request->figure15 = true;
        else if (strcmp(word, "--json") == 0)
            request->json = true;
        else if (strcmp(word, "--only") == 0 && next)
            request->bench->only = words[++i];
        else if (strcmp(word, "--shader-dir") == 0 && next)
            request->shader_dir = words[++i];
        else if (strcmp(word, "--sizes") == 0 && next && read_sizes(request->bench, next))
            i++;
        else if (strcmp(word, "--repeats") == 0 && read_number(next, &request->bench->repeats))
            i++;
        else if (strcmp(word, "--device") == 0 && read_number(next, &request->device))
            i++;
        else
            return false;
    }
    if (!request->erosion && !request->figure15)
        request->erosion = request->figure15 = true;
    return request->bench->repeats > 0;
}

static void print_table(const struct bench *bench)
{
    printf("%s (%s)\n", bench->device->info.name, bench->device->info.version);
    printf("copy: %.1f GB/s read and written\n\n", bench->copy_bandwidth * 1e-9);
    printf("%-10s %-20s %6s %10s %12s %8s %10s %8s\n", "suite", "what", "size", "iterations", "ms", "B/cell",
           "GB/s", "of copy");
    for (int i = 0; i < bench->row_count; i++) {
        const struct bench_row *row = &bench->rows[i];
        printf("%-10s %-20s %6d %10d %12.4f", row->suite, row->name, row->size, row->iterations,
               row->milliseconds);
        if (row->bytes_per_cell > 0)
            printf(" %8.0f %10.1f %7.0f%%", row->bytes_per_cell, row->bandwidth * 1e-9,
                   bench->copy_bandwidth > 0 ? 100 * row->bandwidth / bench->copy_bandwidth : 0);
        printf("\n");
    }
}

static void print_json(const struct bench *bench)
{
    json_t *rows = json_array();
    for (int i = 0; i < bench->row_count; i++) {
        const struct bench_row *row = &bench->rows[i];
        json_array_append_new(rows,
                              json_pack("{s:s, s:s, s:i, s:i, s:f, s:f, s:f}", "suite", row->suite, "what",
                                        row->name, "size", row->size, "iterations", row->iterations,
                                        "milliseconds", row->milliseconds, "bytes_per_cell",
                                        row->bytes_per_cell, "bytes_per_second", row->bandwidth));
    }
    json_t *root =
        json_pack("{s:s, s:s, s:f, s:o}", "device", bench->device->info.name, "version",
                  bench->device->info.version, "copy_bytes_per_second", bench->copy_bandwidth, "rows", rows);
    json_dumpf(root, stdout, JSON_INDENT(2));
    printf("\n");
    json_decref(root);
}

static bool run(const struct request *request, struct oro_error *err)
{
    struct bench *bench = request->bench;
    return bench_copy(bench, err) && (!request->erosion || bench_erosion(bench, err)) &&
           (!request->figure15 || bench_figure15(bench, err));
}

int main(int count, char **words)
{
    static struct bench bench = {.sizes = {256, 512, 1024}, .size_count = 3, .repeats = 5};
    struct request request = {.device = ORO_GPU_ANY, .bench = &bench};
    struct oro_error err = {0};
    if (!read_arguments(count, words, &request)) {
        fprintf(
            stderr,
            "usage: orograph-bench [erosion] [figure15] [--only NODE] [--sizes 256,512,...] [--repeats N] "
            "[--device N] [--shader-dir DIR] [--json]\n");
        return 2;
    }
    bench.device = oro_gpu_create(
        &(struct oro_gpu_options){.index = request.device, .shader_dir = request.shader_dir}, &err);
    bool ok = bench.device && run(&request, &err);
    if (ok && request.json)
        print_json(&bench);
    else if (bench.device)
        print_table(&bench);
    if (!ok)
        fprintf(stderr, "orograph-bench: %s\n", err.text);
    if (bench.device)
        bench.device->ops->destroy(bench.device);
    return ok ? 0 : bench.device ? 1 : 5;
}
