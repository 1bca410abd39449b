#include "tests/spread/support.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "graph/eval/kernel.h"
#include "tests/spread/memory_ranks.h"

/* ---- Kernels ---- */

const char kernel_noise[] = "float hash(ivec2 p) {\n"
                            "    uint h = uint(p.x) * 73856093u ^ uint(p.y) * 19349663u ^ uint(numbers.x);\n"
                            "    h = (h ^ (h >> 15)) * 2246822519u;\n"
                            "    return float((h ^ (h >> 13)) & 0xffffffu) / 16777216.0;\n"
                            "}\n"
                            "void main() {\n"
                            "    ivec2 p = oro_cell();\n"
                            "    if (oro_inside(p)) to[oro_index(p)] = hash(p);\n"
                            "}\n";

/* Reads the corners and the sides of a square around the cell. */
const char kernel_stencil[] = "void main() {\n"
                              "    ivec2 p = oro_cell();\n"
                              "    if (!oro_inside(p)) return;\n"
                              "    int r = int(numbers.x);\n"
                              "    float sum = 0.0;\n"
                              "    for (int y = -1; y <= 1; y++) for (int x = -1; x <= 1; x++)\n"
                              "        sum += from[near(p + r * ivec2(x, y))] * (1.1 + float(x + 3 * y));\n"
                              "    to[oro_index(p)] = fract(sum * 0.37 + other[oro_index(p)] * 0.618);\n"
                              "}\n";

const char kernel_update[] = "void main() {\n"
                             "    ivec2 p = oro_cell();\n"
                             "    if (!oro_inside(p)) return;\n"
                             "    int r = int(numbers.x);\n"
                             "    float slope = from[near(p + ivec2(r, 0))] - from[near(p - ivec2(0, r))];\n"
                             "    to[oro_index(p)] = fract(to[oro_index(p)] * 0.9 + slope * slope);\n"
                             "}\n";

/* Groups of 32 x 32 cells, loaded into shared memory with two cells around; strips of four. */
const char kernel_strips[] =
    "shared float tile[36][36];\n"
    "void main() {\n"
    "    ivec2 corner = oro_group() * 32;\n"
    "    for (int i = int(gl_LocalInvocationIndex); i < 36 * 36; i += 256)\n"
    "        tile[i / 36][i % 36] = from[near(corner + ivec2(i % 36, i / 36) - 2)];\n"
    "    barrier();\n"
    "    for (int j = 0; j < 4; j++) {\n"
    "        ivec2 at = ivec2(gl_LocalInvocationID.xy) + ivec2(0, 8 * j), p = corner + at;\n"
    "        if (!oro_inside(p)) continue;\n"
    "        float sum = tile[at.y][at.x] + 1.7 * tile[at.y + 4][at.x + 4] - tile[at.y + 2][at.x + 4];\n"
    "        to[oro_index(p)] = fract(sum * 0.77 + tile[at.y + 2][at.x + 2]);\n"
    "    }\n"
    "}\n";

/* The weights are an array. */
const char kernel_blur[] = "void main() {\n"
                           "    ivec2 p = oro_cell();\n"
                           "    if (!oro_inside(p)) return;\n"
                           "    float sum = 0.0;\n"
                           "    for (int i = -9; i <= 9; i++)\n"
                           "        sum += weights[abs(i)] * from[near(p + i * ivec2(numbers.xy))];\n"
                           "    to[oro_index(p)] = sum;\n"
                           "}\n";

/* Cells of the source around the place that the cell has there. */
const char kernel_resample[] =
    "void main() {\n"
    "    ivec2 p = oro_cell();\n"
    "    if (!oro_inside(p)) return;\n"
    "    vec2 place = numbers.xy + (vec2(p) + 0.5) * (grid.cell / source.cell) - 0.5;\n"
    "    ivec2 q = ivec2(floor(place));\n"
    "    float sum = 0.0;\n"
    "    for (int y = -1; y <= 2; y++) for (int x = -1; x <= 2; x++)\n"
    "        sum += from[oro_source_index(q + ivec2(x, y))] * (1.3 + float(x - y));\n"
    "    to[oro_index(p)] = fract(sum + numbers.z * other[oro_index(p)]);\n"
    "}\n";

/* ---- Devices and dispatches ---- */

bool without_host_buffers;

struct oro_device *open_inner(struct oro_error *err)
{
    static struct oro_device_ops plain;
    struct oro_device *device = oro_gpu_create(&(struct oro_gpu_options){.index = ORO_GPU_SOFTWARE}, err);
    if (device && without_host_buffers) {
        plain = *device->ops;
        plain.host_create = NULL;
        device->ops = &plain;
    }
    return device;
}

struct oro_device *open_spread(const struct oro_spread_options *options)
{
    struct oro_error err = {0};
    struct oro_device *inner = open_inner(&err);
    if (!inner)
        fail_msg("%s", err.text);
    struct oro_device *device = oro_spread_create(inner, options, &err);
    if (!device)
        fail_msg("%s", err.text);
    return device;
}

static const struct oro_input no_inputs[] = {{0}};
static const struct oro_output no_outputs[] = {{0}};
static const struct oro_node_type no_type = {.id = "test", .inputs = no_inputs, .outputs = no_outputs};

static struct oro_dispatch dispatch_of(const struct job *job)
{
    struct oro_dispatch dispatch = {
        .kernel = "test",
        .grid = job->grid,
        .source = job->source.width ? job->source : job->grid,
        .columns = job->grid.width,
        .rows = job->grid.height,
        .group_columns = 16,
        .group_rows = 16,
        .constants = {{"x", job->numbers[0]}, {"y", job->numbers[1]}, {"z", job->numbers[2]}},
        .defines = "#define numbers vec3(pass.x, pass.y, pass.z)\n"
                   "int near(ivec2 p) { return oro_index(clamp(p, ivec2(0), grid.size - 1)); }\n"};
    if (job->group_rows) { /* groups go through 32 x 32 cells */
        dispatch.group_columns = 32;
        dispatch.group_rows = job->group_rows;
        dispatch.columns = (job->grid.width - 1) / 32 * 32 + 32;
        dispatch.rows = (job->grid.height - 1) / 32 * job->group_rows + job->group_rows;
    }
    for (int i = 0; i < 8 && job->bound[i].name; i++)
        dispatch.slots[i] = (struct oro_slot){.name = job->bound[i].name,
                                              .access = job->bound[i].access == 'r'   ? ORO_READ
                                                        : job->bound[i].access == 'w' ? ORO_WRITE
                                                                                      : ORO_UPDATE};
    return dispatch;
}

static struct oro_kernel *compile(struct oro_device *device, const struct job *job,
                                  const struct oro_dispatch *dispatch, struct oro_error *err)
{
    struct oro_text text = {0};
    oro_kernel_preamble(&no_type, NULL, dispatch, &text);
    struct oro_kernel_source source = {.file = "test", .preamble = text.data, .text = job->text};
    struct oro_kernel *kernel = device->ops->kernel(device, &source, err);
    oro_text_free(&text);
    return kernel; /* cppcheck-suppress returnDanglingLifetime; a kernel keeps no pointer to its source */
}

static void bind(const struct job *job, struct oro_device_dispatch *dispatch, struct oro_buffer *buffers[8])
{
    dispatch->buffers = buffers;
    for (int i = 0; i < 8 && job->bound[i].name; i++) {
        buffers[i] = job->bound[i].buffer;
        dispatch->buffer_count++;
        dispatch->read |= (job->bound[i].access != 'w') * (1U << i);
        dispatch->written |= (job->bound[i].access != 'r') * (1U << i);
    }
}

bool run_job(struct oro_device *device, const struct job *job, struct oro_error *err)
{
    struct oro_dispatch wanted = dispatch_of(job);
    struct oro_buffer *buffers[8];
    size_t size, own;
    int side = job->group_rows ? 32 : 16;
    unsigned char *constants = oro_kernel_constants(&no_type, NULL, &wanted, &size, &own);
    struct oro_device_dispatch dispatch = {.kernel = compile(device, job, &wanted, err),
                                           .columns = wanted.columns,
                                           .rows = wanted.rows,
                                           .group_columns = wanted.group_columns,
                                           .group_rows = wanted.group_rows,
                                           .extent = {.grid = wanted.grid,
                                                      .source = wanted.source,
                                                      .reach = job->reach,
                                                      .source_reach = job->source_reach,
                                                      .source_corner = {job->corner[0], job->corner[1]},
                                                      .cell_columns = side,
                                                      .cell_rows = side},
                                           .constants = constants,
                                           .constants_size = size};
    bind(job, &dispatch, buffers);
    for (int i = 0; constants && i < 3; i++)
        memcpy(constants + own + (size_t)4 * (size_t)i, &job->numbers[i], 4);
    bool ok = constants && dispatch.kernel && device->ops->dispatch(device, &dispatch, err);
    oro_free(constants);
    return ok;
}

struct oro_buffer *new_field(struct oro_device *device, const struct oro_grid *grid, struct oro_error *err)
{
    return oro_device_raster(device, grid, 1, err);
}

static size_t run_alone(program *run, const void *user, float *out, size_t room)
{
    struct oro_error err = {0};
    struct oro_device *inner = open_inner(&err);
    if (!inner)
        fail_msg("%s", err.text);
    size_t count = run(inner, user, out, room, &err);
    if (!count)
        fail_msg("whole: %s", err.text);
    inner->ops->destroy(inner);
    return count;
}

struct oro_spread_counts assert_same(program *run, const void *user, size_t room,
                                     const struct oro_spread_options *options)
{
    float *whole = calloc(room, sizeof *whole), *tiled = calloc(room, sizeof *tiled);
    assert_true(whole && tiled);
    size_t count = run_alone(run, user, whole, room);
    struct oro_error err = {0};
    struct oro_device *device = open_spread(options);
    size_t same = run(device, user, tiled, room, &err);
    if (!same)
        fail_msg("in tiles: %s", err.text);
    struct oro_spread_counts counts = oro_spread_counts(device);
    assert_int_equal(device->used_bytes, 0);
    device->ops->destroy(device);
    assert_int_equal(count, same);
    for (size_t i = 0; i < count; i++)
        if (memcmp((const void *)&whole[i], (const void *)&tiled[i], sizeof whole[i]) != 0)
            fail_msg("tiles of %d, depth %d: number %zu is %.9g, in tiles %.9g", options->tile,
                     options->depth, i, (double)whole[i], (double)tiled[i]);
    free(whole);
    free(tiled);
    return counts;
}

/* ---- Ranks ---- */

enum { RANKS_MAX = 8 };

struct ranked {
    program *run;
    const void *user;
    struct oro_spread_options options;
    size_t room, counts[RANKS_MAX];
    float *out[RANKS_MAX];
    struct oro_error errs[RANKS_MAX];
};

static void run_rank(void *user, struct oro_ranks *ranks)
{
    struct ranked *all = user;
    int rank = ranks->rank;
    struct oro_spread_options options = all->options;
    options.ranks = ranks;
    struct oro_device *inner = open_inner(&all->errs[rank]);
    struct oro_device *device = inner ? oro_spread_create(inner, &options, &all->errs[rank]) : NULL;
    if (!device)
        return;
    size_t count = all->run(device, all->user, all->out[rank], all->room, &all->errs[rank]);
    if (oro_spread_settle(device, count > 0, &all->errs[rank]))
        all->counts[rank] = count;
    device->ops->destroy(device);
}

void assert_same_on_ranks(int ranks, program *run, const void *user, size_t room,
                          const struct oro_spread_options *options)
{
    struct ranked all = {.run = run, .user = user, .options = *options, .room = room};
    float *whole = calloc(room, sizeof *whole);
    assert_non_null(whole);
    size_t count = run_alone(run, user, whole, room);
    for (int i = 0; i < ranks; i++)
        assert_non_null(all.out[i] = calloc(room, sizeof *all.out[i]));
    with_ranks(ranks, run_rank, &all);
    for (int i = 0; i < ranks; i++) {
        if (all.counts[i] != count)
            fail_msg("rank %d of %d: %s", i, ranks, all.errs[i].text);
        assert_memory_equal(whole, all.out[i], count * sizeof *whole);
        free(all.out[i]);
    }
    free(whole);
}
