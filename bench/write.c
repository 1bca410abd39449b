/* What checking and writing a terrain costs, by format, beyond making it: finite values, levels, the
 * certificate of its drainage, encoding, and getting both files onto the disk. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "formats/format.h"
#include "terrain/drainage/drain.h"

static const char suite[] = "write";

static const struct {
    const char *name, *extension;
    int bits;
    bool half;
} formats[] = {{"r32", "r32", 0, false},    {"pfm", "pfm", 0, false},
               {"r16", "r16", 0, false},    {"png", "png", 0, false},
#ifdef OROGRAPH_GDAL
               {"tif", "tif", 0, false},    {"tif, 16 bits", "tif", 16, false},
#endif
               {"exr", "exr", 0, false},    {"exr, half", "exr", 0, true},
               {"picture", NULL, 0, false}, {"certificate", NULL, 0, false}};
enum { FORMATS = sizeof formats / sizeof formats[0], PICTURE = FORMATS - 2, CERTIFICATE = FORMATS - 1 };

struct work {
    struct bench *bench;
    char folder[64], path[96], sidecar[112];
    struct oro_heightfield field;
    float *rgba;
};

static double processor_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Noise with detail down to two cells, which its rivers have carved so that it drains. */
static bool make_ground(struct work *work, int size, struct oro_error *err)
{
    struct bench_graph graph;
    bench_graph_begin(&graph, size);
    bench_graph_node(&graph, "ground", "noise");
    bench_graph_set(&graph, "ground", "feature", 5000);
    bench_graph_set(&graph, "ground", "amplitude", 1500);
    bench_graph_set(&graph, "ground", "octaves", 12);
    struct oro_target target = {"ground", "field"};
    struct oro_value *value = NULL;
    struct bench_parts parts;
    size_t cells = (size_t)size * (size_t)size;
    struct oro_routing routing = {0};
    bool ok = bench_evaluate_all(work->bench, &graph, &target, 1, &value, &parts);
    const float *z = ok ? oro_value_host(value, &graph.err) : NULL;
    struct oro_ground ground = {.width = size, .height = size, .z = z};
    *err = graph.err;
    work->field = (struct oro_heightfield){.width = size,
                                           .height = size,
                                           .data = oro_alloc(cells, sizeof(float)),
                                           .cell = 20e3 / size,
                                           .metres = true};
    if (z && !work->field.data)
        oro_fail(err, ORO_E_MEMORY, "no memory for %zu cells", cells);
    ok = z && work->field.data && oro_route(&ground, &routing, err) &&
         oro_breach(&ground, &routing, &(struct oro_breaching){0}, work->field.data, err);
    oro_routing_free(&routing);
    oro_value_release(value);
    bench_graph_end(&graph);
    return ok;
}

/* The lit ground in four colours. */
static bool make_picture(struct work *work, struct oro_error *err)
{
    size_t width = (size_t)work->field.width, cells = width * (size_t)work->field.height;
    const float *z = work->field.data;
    work->rgba = oro_alloc(cells, 4 * sizeof *work->rgba);
    if (!work->rgba)
        return oro_fail(err, ORO_E_MEMORY, "no memory for %zu pixels", cells);
    for (size_t i = 0; i < cells; i++) {
        float slope = i >= width ? (z[i] - z[i - width]) / (float)work->field.cell : 0;
        float light = 0.6f + 0.4f * slope, height = z[i] / 1500.0f;
        float *pixel = work->rgba + 4 * i;
        pixel[0] = light * (0.4f + 0.4f * height);
        pixel[1] = light * (0.6f - 0.2f * height);
        pixel[2] = light * (0.3f + 0.3f * height);
        pixel[3] = 1;
    }
    return true;
}

static bool write_once(struct work *work, int which, struct oro_error *err)
{
    struct oro_write_options options = {.bits = formats[which].bits, .half = formats[which].half};
    struct oro_measure measure;
    if (which == CERTIFICATE)
        return oro_measure(&work->field, &measure, err);
    if (which == PICTURE)
        return oro_image_write(work->path, work->field.width, work->field.height, work->rgba, err);
    return oro_heightfield_write(work->path, &work->field, &options, err);
}

static long long file_size(const char *path)
{
    struct oro_stamp stamp = oro_stamp_of(path);
    return (long long)stamp.size;
}

static bool time_format(struct work *work, int which, int size, struct oro_error *err)
{
    double best = 0, least = 0;
    char name[48];
    snprintf(work->path, sizeof work->path, "%s/terrain.%s", work->folder,
             formats[which].extension ? formats[which].extension : "png");
    snprintf(work->sidecar, sizeof work->sidecar, "%s.json", work->path);
    bool ok = true;
    for (int i = 0; ok && i < work->bench->repeats; i++) {
        double started = oro_now(), busy = processor_time();
        ok = write_once(work, which, err);
        double wall = oro_now() - started;
        busy = processor_time() - busy;
        best = i == 0 || wall < best ? wall : best;
        least = i == 0 || busy < least ? busy : least;
    }
    if (ok && which != CERTIFICATE) {
        snprintf(name, sizeof name, "%s, size", formats[which].name);
        bench_figure(work->bench, suite, name, size, 1e-6 * (double)file_size(work->path), "MB");
    }
    unlink(work->path);
    unlink(work->sidecar);
    if (!ok)
        return false;
    bench_row(work->bench, suite, formats[which].name, size)->milliseconds = 1e3 * best;
    snprintf(name, sizeof name, "%s, processor time", formats[which].name);
    bench_row(work->bench, suite, name, size)->milliseconds = 1e3 * least;
    return true;
}

static bool time_size(struct work *work, int size, struct oro_error *err)
{
    const char *only = work->bench->only;
    bool ok = make_ground(work, size, err) && make_picture(work, err);
    for (int which = 0; ok && which < FORMATS; which++)
        if (!only || strcmp(only, formats[which].name) == 0)
            ok = time_format(work, which, size, err);
    oro_heightfield_free(&work->field);
    oro_free(work->rgba);
    work->rgba = NULL;
    return ok;
}

bool bench_write(struct bench *bench, struct oro_error *err)
{
    struct work work = {.bench = bench};
    const char *temporary = getenv("TMPDIR");
    snprintf(work.folder, sizeof work.folder, "%.40s/oro-bench-XXXXXX", temporary ? temporary : "/tmp");
    if (!mkdtemp(work.folder))
        return oro_fail(err, ORO_E_WRITE, "cannot make a folder '%s'", work.folder);
    bool ok = true;
    for (int i = 0; ok && i < bench->size_count; i++)
        ok = time_size(&work, bench->sizes[i], err);
    rmdir(work.folder);
    return ok;
}
