/* What one iteration costs: two runs of different length, so that start-up and the sums at the end cancel
 * out. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "bench/bench.h"

struct kernel {
    const char *type, *name, *output;
    double bytes_per_cell; /* every field of the state read and written once, every fixed field read once */
    int effort;            /* an iteration takes roughly as long as this many of the others */
    const char *words[7];  /* inputs and what they are set to; end with NULL */
};

static const struct kernel kernels[] = {
    {"drainage", "drainage", "drainage", 12, 1, {NULL}},
    {"fluvial_erosion", "fluvial_erosion", "terrain", 16, 1, {NULL}},
    {"thermal_erosion", "thermal_erosion", "terrain", 12, 1, {NULL}},
    {"deposition", "deposition", "terrain", 32, 1, {NULL}},
    {"stream_power",
     "stream_power explicit",
     "terrain",
     16,
     1,
     {"method", "explicit", "levels", "0", "tolerance", "0", NULL}},
    {"stream_power",
     "stream_power implicit",
     "terrain",
     8,
     20,
     {"method", "implicit", "levels", "0", "tolerance", "0", NULL}},
    {"hydraulic_erosion", "hydraulic_erosion 4", "terrain", 60, 1, {"neighbours", "4", NULL}},
    {"hydraulic_erosion", "hydraulic_erosion 8", "terrain", 76, 1, {"neighbours", "8", NULL}},
};

static bool run(struct bench *bench, const struct kernel *kernel, int size, int iterations, double *seconds,
                struct oro_error *err)
{
    struct bench_graph graph;
    struct bench_times times;
    bench_graph_begin(&graph, size);
    bench_graph_node(&graph, "noise", "noise");
    bench_graph_set(&graph, "noise", "feature", 5000);
    bench_graph_set(&graph, "noise", "amplitude", 1500);
    bench_graph_node(&graph, "erosion", kernel->type);
    bench_graph_link(&graph, "erosion", "terrain", "noise", "field");
    bench_graph_set(&graph, "erosion", "iterations", iterations);
    for (int i = 0; kernel->words[i]; i += 2)
        bench_graph_word(&graph, "erosion", kernel->words[i], kernel->words[i + 1]);
    bool ok = bench_evaluate(bench, &graph, "erosion", kernel->output, &times);
    *seconds = times.step_device > 1e-3 ? times.step_device : times.step;
    if (!ok)
        *err = graph.err;
    bench_graph_end(&graph);
    return ok;
}

/* Enough for a few hundred milliseconds on a fast device, and few enough on a slow one. */
static int long_run(const struct bench *bench, const struct kernel *kernel, int size)
{
    double cells = (double)size * size;
    double wanted = (bench->device->info.software ? 2e7 : 3e9) / cells / kernel->effort;
    int most = 4000 / kernel->effort;
    return wanted < 4 ? 4 : wanted > most ? most : (int)wanted;
}

static bool measure(struct bench *bench, const struct kernel *kernel, int size, struct oro_error *err)
{
    int more = long_run(bench, kernel, size), few = more / 4;
    double seconds[32], warm_up;
    int repeats = bench->repeats < 32 ? bench->repeats : 32;
    bench->device->peak_bytes = bench->device->used_bytes;
    if (!run(bench, kernel, size, few, &warm_up, err))
        return false;
    for (int i = 0; i < repeats; i++) {
        double base, longer;
        if (!run(bench, kernel, size, few, &base, err) || !run(bench, kernel, size, few + more, &longer, err))
            return false;
        seconds[i] = (longer - base) / more;
    }
    double median = bench_median(seconds, repeats);
    struct bench_row *row = bench_row(bench, "erosion", kernel->name, size);
    row->iterations = more;
    row->milliseconds = 1e3 * median;
    row->bytes_per_cell = kernel->bytes_per_cell;
    row->bandwidth = kernel->bytes_per_cell * size * size / median;
    row->peak_bytes = bench->device->peak_bytes;
    return true;
}

/* Sizes that the device's memory does not allow are left out, so that those of smaller ones are printed. */
static bool measure_or_skip(struct bench *bench, const struct kernel *kernel, int size, struct oro_error *err)
{
    if (measure(bench, kernel, size, err))
        return true;
    if (err->code != ORO_E_LIMIT && err->code != ORO_E_MEMORY)
        return false;
    int reason = (int)strcspn(err->text, ";"); /* what follows is advice for users of orograph */
    fprintf(stderr, "orograph-bench: erosion '%s' at %d is skipped: %.*s\n", kernel->name, size, reason,
            err->text);
    *err = (struct oro_error){0};
    return true;
}

bool bench_erosion(struct bench *bench, struct oro_error *err)
{
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++)
        for (int i = 0; i < bench->size_count; i++)
            if ((!bench->only || strcmp(bench->only, kernels[k].type) == 0) &&
                !measure_or_skip(bench, &kernels[k], bench->sizes[i], err))
                return false;
    return true;
}

/* ---- The device's memory: what a plain copy moves ---- */

enum { COPY_COLUMNS = 1024, COPY_GROUP = 256, VEC4 = 16 };

static const char copy_preamble[] =
    "#version 310 es\nprecision highp float;\nprecision highp int;\n"
    "layout(local_size_x = 256) in;\n"
    "uniform ivec2 oro_first_group;\n"
    "layout(std430, binding = 0) restrict readonly buffer oro_buffer_0 { vec4 from[]; };\n"
    "layout(std430, binding = 1) restrict writeonly buffer oro_buffer_1 { vec4 to[]; };\n";

static double copy_once(struct oro_device *device, struct oro_kernel *kernel,
                        struct oro_buffer *const *buffers, size_t bytes, struct oro_error *err)
{
    struct oro_device_dispatch dispatch = {.kernel = kernel,
                                           .columns = COPY_COLUMNS,
                                           .rows = (int)(bytes / VEC4 / COPY_COLUMNS),
                                           .group_columns = COPY_GROUP,
                                           .group_rows = 1,
                                           .buffers = buffers,
                                           .buffer_count = 2};
    double started = oro_now();
    bool timed = device->ops->timer_begin(device);
    bool ok = device->ops->dispatch(device, &dispatch, err) && device->ops->finish(device, err);
    double seconds = timed ? device->ops->timer_end(device) : -1;
    if (seconds <= 0)
        seconds = oro_now() - started;
    return ok ? 2 * (double)bytes / seconds : 0;
}

bool bench_copy(struct bench *bench, struct oro_error *err)
{
    struct oro_device *device = bench->device;
    size_t bytes = (size_t)(device->info.software ? 64 : 512) << 20;
    int repeats = device->info.software ? 4 : 20; /* a second of copies would be most of a short run */
    struct oro_kernel *kernel = device->ops->kernel(
        device, &(struct oro_kernel_source){.file = "lib/bench_copy.comp", .preamble = copy_preamble}, err);
    struct oro_buffer *buffers[2] = {0};
    for (int i = 0; kernel && i < 2 && (i == 0 || buffers[0]); i++)
        buffers[i] = device->ops->buffer_create(device, bytes, err);
    for (int i = 0; buffers[1] && i < repeats; i++) {
        double bandwidth = copy_once(device, kernel, buffers, bytes, err);
        if (bandwidth > bench->copy_bandwidth)
            bench->copy_bandwidth = bandwidth;
    }
    for (int i = 0; i < 2; i++)
        if (buffers[i])
            device->ops->buffer_destroy(device, buffers[i]);
    return bench->copy_bandwidth > 0;
}
