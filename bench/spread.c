/* Rasters in tiles: what they cost in core and out of core, beside the same device with whole rasters. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "bench/bench.h"
#include "devices/devices.h"
#include "devices/spread/spread.h"
#include "graph/eval/kernel.h"

enum { ITERATIONS = 64, REACH = 2, FIELDS = 5, LOADED = 3 };

/* Erosion as far as memory is concerned: height and water take turns, and rock is only read. */
static const char text[] =
    "void main() {\n"
    "    ivec2 p = oro_cell();\n"
    "    if (!oro_inside(p)) return;\n"
    "    int i = oro_index(p);\n"
    "    float h = height[i], sum = 0.0, slope = 0.0;\n"
    "    for (int k = 0; k < 4; k++) {\n"
    "        ivec2 step = ivec2(k - 1 & 1, k & 1) * (k < 2 ? 1 : -1);\n"
    "        int near = oro_index(clamp(p + step, ivec2(0), grid.size - 1));\n"
    "        int far = oro_index(clamp(p + 2 * step, ivec2(0), grid.size - 1));\n"
    "        float drop = max(height[near] - h, 0.0);\n"
    "        sum += drop / (1.0 + drop + max(height[near] - height[far], 0.0)) * water[near];\n"
    "        slope = max(slope, h - height[near]);\n"
    "    }\n"
    "    water_out[i] = 1.0 + 0.5 * sum;\n"
    "    height_out[i] = h - 0.01 * rock[i] * sqrt(sum) * slope;\n"
    "}\n";

static const struct oro_input no_inputs[] = {{0}};
static const struct oro_output no_outputs[] = {{0}};
static const struct oro_node_type no_type = {.id = "spread", .inputs = no_inputs, .outputs = no_outputs};

struct simulation {
    struct oro_device *device;
    struct oro_grid grid;
    struct oro_dispatch dispatch;
    struct oro_kernel *kernel;
    unsigned char *constants;
    size_t constants_size;
    struct oro_buffer *fields[FIELDS]; /* height, water, rock; the height and water that are written next */
};

static bool begin(struct simulation *s, struct oro_device *device, int size, struct oro_error *err)
{
    struct oro_text preamble = {0};
    size_t own;
    *s = (struct simulation){.device = device, .grid = {.width = size, .height = size, .cell = 10}};
    s->dispatch = (struct oro_dispatch){.kernel = "spread",
                                        .grid = s->grid,
                                        .source = s->grid,
                                        .group_columns = ORO_GROUP_SIDE,
                                        .group_rows = ORO_GROUP_SIDE,
                                        .slots = {{"height"},
                                                  {"water"},
                                                  {"rock"},
                                                  {"height_out", NULL, ORO_WRITE},
                                                  {"water_out", NULL, ORO_WRITE}}};
    oro_kernel_preamble(&no_type, NULL, &s->dispatch, &preamble);
    s->constants = oro_kernel_constants(&no_type, NULL, &s->dispatch, &s->constants_size, &own);
    struct oro_kernel_source source = {.file = "spread", .preamble = preamble.data, .text = text};
    s->kernel = s->constants && !preamble.failed ? device->ops->kernel(device, &source, err) : NULL;
    oro_text_free(&preamble);
    bool ok = s->kernel;
    for (int i = 0; ok && i < FIELDS; i++) {
        s->fields[i] = oro_device_raster(device, &s->grid, 1, err);
        ok = s->fields[i];
    }
    return ok;
}

static void end(struct simulation *s)
{
    for (int i = 0; i < FIELDS; i++)
        s->device->ops->buffer_destroy(s->device, s->fields[i]);
    oro_free(s->constants);
}

struct bumps {
    float *data;
    size_t width, field;
};

/* Bumps of some size, so that every cell has something to do. */
static void make_bumps(void *user, size_t first, size_t end)
{
    const struct bumps *bumps = user;
    for (size_t y = first; y < end; y++)
        for (size_t x = 0; x < bumps->width; x++) {
            size_t bump = (x / 7 * 31 + y / 5 * 17 + bumps->field) % 97;
            bumps->data[y * bumps->width + x] = 1.0f + (float)(bump + (x * y + x) % 13) * 0.25f;
        }
}

static bool fill(struct simulation *s, struct oro_error *err)
{
    size_t cells = oro_grid_cells(&s->grid);
    struct bumps bumps = {oro_alloc(cells, sizeof(float)), (size_t)s->grid.width, 0};
    bool ok = bumps.data || oro_fail(err, ORO_E_MEMORY, "no memory for a raster");
    for (; ok && bumps.field < LOADED; bumps.field++) {
        oro_parallel((size_t)s->grid.height, 64, make_bumps, &bumps);
        ok =
            s->device->ops->upload(s->device, s->fields[bumps.field], bumps.data, cells * sizeof(float), err);
    }
    oro_free(bumps.data);
    return ok;
}

static bool iterate(struct simulation *s, struct oro_error *err)
{
    struct oro_device *device = s->device;
    struct oro_device_dispatch dispatch = {.kernel = s->kernel,
                                           .columns = s->grid.width,
                                           .rows = s->grid.height,
                                           .group_columns = ORO_GROUP_SIDE,
                                           .group_rows = ORO_GROUP_SIDE,
                                           .buffers = s->fields,
                                           .buffer_count = FIELDS,
                                           .read = 7,
                                           .written = 24,
                                           .extent = {.grid = s->grid,
                                                      .source = s->grid,
                                                      .reach = REACH,
                                                      .cell_columns = ORO_GROUP_SIDE,
                                                      .cell_rows = ORO_GROUP_SIDE},
                                           .constants = s->constants,
                                           .constants_size = s->constants_size};
    for (int i = 0; i < ITERATIONS; i++) {
        if (!device->ops->dispatch(device, &dispatch, err) || !device->ops->pace(device, err))
            return false;
        oro_swap_buffers(&s->fields[0], &s->fields[3]);
        oro_swap_buffers(&s->fields[1], &s->fields[4]);
    }
    return device->ops->finish(device, err);
}

/* The digest of the height. */
static bool digest_of(struct simulation *s, struct oro_hash *digest, struct oro_error *err)
{
    size_t bytes = oro_grid_cells(&s->grid) * sizeof(float);
    void *data = oro_alloc(bytes, 1);
    bool ok = data || oro_fail(err, ORO_E_MEMORY, "no memory for a raster");
    ok = ok && s->device->ops->download(s->device, s->fields[0], data, bytes, err);
    if (ok)
        *digest = oro_hash_of(data, bytes);
    oro_free(data);
    return ok;
}

/* One way to run it. */
struct way {
    const char *name;
    bool spread;
    int part; /* of the memory that all fields take, one in so many on the device; 0: as much as it has */
    int host; /* likewise in host memory; 0: all */
    int depth;
    bool plain; /* in memory of the host that kernels do not reach */
};

static struct oro_device *open_device(const struct bench *bench, const struct way *way, int size,
                                      struct oro_error *err)
{
    int kind = bench->device->info.software ? ORO_GPU_SOFTWARE : ORO_GPU_HARDWARE;
    struct oro_device *device = oro_gpu_create(&(struct oro_gpu_options){.index = kind}, err);
    if (!device)
        return NULL;
    static struct oro_device_ops plain;
    device->budget_bytes = oro_gpu_budget(&device->info);
    if (way->plain) {
        plain = *device->ops;
        plain.host_create = NULL;
        device->ops = &plain;
    }
    if (!way->spread)
        return device;
    size_t all = (size_t)size * (size_t)size * sizeof(float) * FIELDS;
    int tile = (size / 8 + ORO_SPREAD_STEP - 1) / ORO_SPREAD_STEP * ORO_SPREAD_STEP;
    struct oro_spread_options options = {.whole = 1,
                                         .tile = tile < 4096 ? tile : 4096,
                                         .depth = way->depth,
                                         .device_bytes = way->part ? all / (size_t)way->part : 0,
                                         .host_bytes = way->host ? all / (size_t)way->host : all};
    struct oro_device *spread = oro_spread_create(device, &options, err);
    if (!spread)
        device->ops->destroy(device);
    return spread;
}

static void add_counts(struct bench *bench, const struct way *way, int size,
                       const struct oro_spread_counts *before, const struct oro_spread_counts *after)
{
    const struct {
        const char *name;
        uint64_t bytes;
    } counts[] = {{"loaded", after->loaded_bytes - before->loaded_bytes},
                  {"stored", after->stored_bytes - before->stored_bytes},
                  {"to host", after->to_host_bytes - before->to_host_bytes},
                  {"from host", after->from_host_bytes - before->from_host_bytes},
                  {"to disk", after->to_disk_bytes - before->to_disk_bytes},
                  {"from disk", after->from_disk_bytes - before->from_disk_bytes}};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s: %s", way->name, counts[i].name);
        if (counts[i].bytes)
            bench_figure(bench, "spread", name, size, (double)counts[i].bytes * 1e-6 / ITERATIONS,
                         "MB an iteration");
    }
    const struct {
        const char *name;
        double seconds;
    } times[] = {{"loading", after->load_seconds - before->load_seconds},
                 {"stepping", after->step_seconds - before->step_seconds},
                 {"storing", after->store_seconds - before->store_seconds},
                 {"waiting", after->wait_seconds - before->wait_seconds}};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s: %s", way->name, times[i].name);
        bench_figure(bench, "spread", name, size, 1e3 * times[i].seconds / ITERATIONS, "ms an iteration");
    }
}

static bool measure(struct bench *bench, struct simulation *s, const struct way *way, struct oro_hash *digest,
                    struct oro_error *err)
{
    enum { REPEATS_MAX = 16 };
    double seconds[REPEATS_MAX];
    int size = s->grid.width, repeats = bench->repeats < REPEATS_MAX ? bench->repeats : REPEATS_MAX;
    if (!fill(s, err) || !iterate(s, err) || !digest_of(s, digest, err))
        return false;
    struct oro_spread_counts before = {0};
    for (int i = 0; i < repeats; i++) {
        if (way->spread)
            before = oro_spread_counts(s->device);
        double started = oro_now();
        if (!iterate(s, err))
            return false;
        seconds[i] = oro_now() - started;
    }
    struct bench_row *row = bench_row(bench, "spread", way->name, size);
    row->iterations = ITERATIONS;
    row->milliseconds = 1e3 * bench_median(seconds, repeats) / ITERATIONS;
    row->bytes_per_cell = FIELDS * sizeof(float);
    row->bandwidth = row->bytes_per_cell * (double)size * size / row->milliseconds * 1e3;
    row->peak_bytes = s->device->peak_bytes;
    if (way->spread) {
        struct oro_spread_counts after = oro_spread_counts(s->device);
        row->peak_bytes = after.peak_device_bytes;
        add_counts(bench, way, size, &before, &after);
    }
    return true;
}

static bool run(struct bench *bench, const struct way *way, int size, struct oro_hash *digest,
                struct oro_error *err)
{
    struct oro_device *device = open_device(bench, way, size, err);
    if (!device)
        return false;
    struct simulation s;
    bool ok = begin(&s, device, size, err) && measure(bench, &s, way, digest, err);
    end(&s);
    device->ops->destroy(device);
    return ok;
}

bool bench_spread(struct bench *bench, struct oro_error *err)
{
    static const struct way ways[] = {{.name = "whole"},
                                      {"in tiles, depth 32", true, .depth = 32},
                                      {"in tiles, depth 128", true, .depth = 128},
                                      {"a quarter on the device, depth 32", true, .part = 4, .depth = 32},
                                      {"a quarter on the device, depth 128", true, .part = 4, .depth = 128},
                                      {"a quarter, by plain memory", true, 4, 0, 128, .plain = true},
                                      {"a quarter there, one in host memory", true, 4, 4, .depth = 128}};
    for (int i = 0; i < bench->size_count; i++) {
        struct oro_hash whole, tiled;
        bool has_whole = false;
        for (size_t k = 0; k < sizeof ways / sizeof ways[0]; k++) {
            struct oro_hash *digest = k ? &tiled : &whole;
            bool ok = run(bench, &ways[k], bench->sizes[i], digest, err);
            if (!ok && err->code != ORO_E_LIMIT && err->code != ORO_E_MEMORY)
                return false;
            has_whole = has_whole || (ok && k == 0);
            if (ok && k && has_whole && !oro_hash_equal(whole, tiled))
                return oro_fail(err, ORO_E_EVALUATE, "%s, %d cells: other bits than whole", ways[k].name,
                                bench->sizes[i]);
        }
    }
    return true;
}
