/* Passes: kernels that are compiled once per evaluation, and run with their buffers. */
#include <string.h>

#include "graph/eval/eval_private.h"
#include "graph/eval/kernel.h"

struct oro_compiled {
    struct oro_kernel *kernel;
    unsigned char *constants;
    size_t constants_size, pass_offset;
    struct oro_buffer *buffers[ORO_BUFFERS_MAX]; /* slots, then maps */
    int slot_count, buffer_count;
};

static bool bind_maps(struct oro_eval *eval, const struct oro_pass *pass, struct oro_compiled *compiled)
{
    for (size_t i = 0; eval->step->type->inputs[i].name; i++) {
        if (!oro_kernel_binds_map(eval->step->type, eval->linked, pass, i))
            continue;
        if (compiled->buffer_count == ORO_BUFFERS_MAX)
            return oro_eval_fail(eval, ORO_E_EVALUATE, "kernel '%s' needs more than %d buffers", pass->kernel,
                                 ORO_BUFFERS_MAX);
        struct oro_buffer *buffer = oro_eval_value_buffer(eval, eval->inputs[i]);
        if (!buffer)
            return false;
        compiled->buffers[compiled->buffer_count++] = buffer;
    }
    return true;
}

static void complete(struct oro_eval *eval, struct oro_pass *pass)
{
    if (!pass->grid.width)
        pass->grid = eval->step->grid;
    if (!pass->source.width)
        pass->source = pass->grid;
    if (!pass->columns)
        pass->columns = pass->grid.width;
    if (!pass->rows)
        pass->rows = pass->grid.height;
    if (!pass->group_columns)
        pass->group_columns = ORO_GROUP_SIDE;
    if (!pass->group_rows)
        pass->group_rows = ORO_GROUP_SIDE;
}

static bool compile(struct oro_eval *eval, struct oro_pass *pass)
{
    struct oro_device *device = eval->evaluator->device;
    complete(eval, pass);
    struct oro_compiled *compiled = oro_arena_alloc(eval->arena, 1, sizeof *compiled);
    if (!compiled) {
        oro_eval_fail(eval, ORO_E_MEMORY, "no memory for a pass");
        return false;
    }
    while (compiled->slot_count < ORO_BUFFERS_MAX && pass->slots[compiled->slot_count].name)
        compiled->slot_count++;
    compiled->buffer_count = compiled->slot_count;
    unsigned char *constants = oro_kernel_constants(eval->step->type, eval->step->params, pass,
                                                    &compiled->constants_size, &compiled->pass_offset);
    compiled->constants = constants ? oro_arena_alloc(eval->arena, compiled->constants_size, 1) : NULL;
    if (compiled->constants)
        memcpy(compiled->constants, constants, compiled->constants_size);
    oro_free(constants);
    struct oro_text preamble = {0};
    oro_kernel_preamble(eval->step->type, eval->linked, pass, &preamble);
    struct oro_error err;
    if (!compiled->constants || preamble.failed)
        oro_eval_fail(eval, ORO_E_MEMORY, "no memory for kernel '%s'", pass->kernel);
    else if (!(compiled->kernel = device->ops->kernel(
                   device,
                   &(struct oro_kernel_source){pass->kernel, preamble.data, pass->text, pass->first_line},
                   &err)))
        oro_eval_failed(eval, &err);
    oro_text_free(&preamble);
    if (eval->failed || !compiled->constants || !bind_maps(eval, pass, compiled))
        return false;
    pass->compiled = compiled;
    return true;
}

bool oro_eval_run_with(struct oro_eval *eval, struct oro_pass *pass, struct oro_buffer *const *buffers,
                       const float *constants)
{
    if (eval->failed || (!pass->compiled && !compile(eval, pass)))
        return false;
    struct oro_compiled *compiled = pass->compiled;
    memcpy(compiled->buffers, buffers, (size_t)compiled->slot_count * sizeof *buffers);
    for (int i = 0; constants && i < ORO_CONSTANTS_MAX && pass->constants[i]; i++)
        memcpy(compiled->constants + compiled->pass_offset + 4 * i, &constants[i], 4);
    struct oro_device *device = eval->evaluator->device;
    struct oro_dispatch dispatch = {.kernel = compiled->kernel,
                                    .columns = pass->columns,
                                    .rows = pass->rows,
                                    .group_columns = pass->group_columns,
                                    .group_rows = pass->group_rows,
                                    .buffers = compiled->buffers,
                                    .buffer_count = compiled->buffer_count,
                                    .constants = compiled->constants,
                                    .constants_size = compiled->constants_size};
    struct oro_error err;
    return device->ops->dispatch(device, &dispatch, &err) || oro_eval_failed(eval, &err);
}

bool oro_eval_run(struct oro_eval *eval, struct oro_pass *pass, struct oro_buffer *const *buffers)
{
    return oro_eval_run_with(eval, pass, buffers, NULL);
}

/* Summed in blocks on the device, each in a fixed order; the blocks are summed here. */
bool oro_eval_sum(struct oro_eval *eval, struct oro_buffer *buffer, size_t cells, double *sum)
{
    enum { BLOCK = 256, ROW = 4096 };
    size_t blocks = (cells + BLOCK - 1) / BLOCK, rows = (blocks + ROW - 1) / ROW;
    struct oro_buffer *partial = oro_eval_buffer(eval, blocks);
    float *host = oro_alloc(blocks, sizeof *host);
    struct oro_pass pass = {.kernel = "lib/sum.comp",
                            .slots = {{"values", ORO_READ, NULL}, {"sums", ORO_WRITE, NULL}},
                            .grid = {.width = ROW, .height = (int)rows, .cell = 1},
                            .constants = {"cells_high", "cells_low"}};
    struct oro_buffer *buffers[] = {buffer, partial};
    float constants[] = {(float)(cells / 65536), (float)(cells % 65536)};
    bool ok = host && oro_eval_run_with(eval, &pass, buffers, constants) &&
              oro_eval_download(eval, partial, host, blocks * sizeof *host);
    *sum = 0;
    for (size_t i = 0; ok && i < blocks; i++)
        *sum += (double)host[i];
    if (!host)
        oro_eval_fail(eval, ORO_E_MEMORY, "no memory for a sum");
    oro_free(host);
    return ok;
}
