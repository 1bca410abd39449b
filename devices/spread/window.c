/* Copies of rectangles between buffers of the inner device, and memory on the way. */
#include "base/memory.h"
#include "devices/spread/internal.h"

enum { GROUP_COLUMNS = 32, GROUP_ROWS = 4 };

#define PREAMBLE(numbers, buffers)                                                                           \
    "#version 310 es\nprecision highp float;\nprecision highp int;\n"                                        \
    "layout(local_size_x = 32, local_size_y = 4) in;\n"                                                      \
    "layout(std140, binding = 0) uniform oro_block { int " numbers "; };\n" buffers                          \
    "uniform ivec2 oro_first_group;\n"                                                                       \
    "ivec2 oro_cell() { return (ivec2(gl_WorkGroupID.xy) + oro_first_group) * ivec2(32, 4) + "               \
    "ivec2(gl_LocalInvocationID.xy); }\n"

#define COPY_SOURCE(kind)                                                                                    \
    {                                                                                                        \
        .file = "spread/copy.comp",                                                                          \
        .preamble =                                                                                          \
            PREAMBLE("from_first, from_stride, to_first, to_stride, columns, rows",                          \
                     "layout(std430, binding = 0) restrict readonly buffer oro_buffer_0 { uint from[]; };\n" \
                     "layout(std430, binding = 1) restrict writeonly buffer oro_buffer_1 { uint to[]; };\n"  \
                     "// " kind "\n")                                                                        \
    }

static const struct oro_kernel_source copy_sources[COPY_KINDS] = {
    [COPY] = COPY_SOURCE("copy"), [LOAD] = COPY_SOURCE("load"), [STORE] = COPY_SOURCE("store")};

static const struct oro_kernel_source poison_source = {
    .file = "spread/poison.comp",
    .preamble =
        PREAMBLE("stride, words, spared_x, spared_y, columns, rows",
                 "layout(std430, binding = 0) restrict writeonly buffer oro_buffer_0 { uint to[]; };\n")};

enum { NUMBERS = 6 };

static bool run(struct spread *spread, struct oro_kernel **kernel, const struct oro_kernel_source *source,
                struct oro_device_dispatch dispatch, struct oro_error *err)
{
    struct oro_device *inner = spread->inner;
    if (!*kernel)
        *kernel = inner->ops->kernel(inner, source, err);
    dispatch.kernel = *kernel;
    dispatch.group_columns = GROUP_COLUMNS;
    dispatch.group_rows = GROUP_ROWS;
    dispatch.constants_size = NUMBERS * sizeof(int);
    return *kernel && inner->ops->dispatch(inner, &dispatch, err);
}

bool oro_spread_copy(struct spread *spread, enum copy_kind kind, struct oro_buffer *from, struct block at,
                     struct oro_buffer *to, struct block there, struct oro_error *err)
{
    const int numbers[NUMBERS] = {(int)at.first,     (int)at.stride, (int)there.first,
                                  (int)there.stride, at.columns,     at.rows};
    struct oro_buffer *const buffers[] = {from, to};
    return run(spread, &spread->copy_kernels[kind], &copy_sources[kind],
               (struct oro_device_dispatch){.columns = at.columns,
                                            .rows = at.rows,
                                            .buffers = buffers,
                                            .buffer_count = 2,
                                            .read = 1,
                                            .written = 2,
                                            .constants = numbers},
               err);
}

bool oro_spread_poison(struct spread *spread, struct oro_buffer *buffer, size_t words, struct block spared,
                       struct oro_error *err)
{
    const int numbers[NUMBERS] = {(int)spared.stride,
                                  (int)words,
                                  (int)(spared.first % spared.stride),
                                  (int)(spared.first / spared.stride),
                                  spared.columns,
                                  spared.rows};
    return run(spread, &spread->poison_kernel, &poison_source,
               (struct oro_device_dispatch){.columns = (int)spared.stride,
                                            .rows = (int)((words - 1) / spared.stride + 1),
                                            .buffers = &buffer,
                                            .buffer_count = 1,
                                            .written = 1,
                                            .constants = numbers},
               err);
}

void *oro_spread_transit(struct spread *spread, size_t bytes, struct oro_error *err)
{
    if (bytes <= spread->transit_bytes)
        return spread->transit;
    oro_free(spread->transit);
    spread->transit = oro_alloc(bytes, 1);
    spread->transit_bytes = spread->transit ? bytes : 0;
    if (!spread->transit)
        oro_fail(err, ORO_E_MEMORY, "no memory for a part of a raster, %.1f MiB", (double)bytes / (1 << 20));
    return spread->transit;
}

struct oro_buffer *oro_spread_staging(struct spread *spread, size_t bytes, struct oro_error *err)
{
    struct oro_device *inner = spread->inner;
    if (bytes <= spread->staging_bytes)
        return spread->staging;
    if (spread->staging)
        inner->ops->buffer_destroy(inner, spread->staging);
    spread->staging_bytes = 0;
    spread->staging = oro_spread_buffer(spread, bytes, err);
    spread->staging_bytes = spread->staging ? bytes : 0;
    return spread->staging;
}

bool oro_spread_staged(struct spread *spread, size_t bytes, struct oro_error *err)
{
    return spread->inner->ops->host_create || oro_spread_staging(spread, bytes, err);
}
