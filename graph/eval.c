/* What a node may call while it is evaluated (graph/node.h). */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "graph/eval_private.h"
#include "graph/kernel.h"
#include "graph/registry.h"

/* ---- Failing: the first error stays. ---- */

bool oro_eval_fail(struct oro_eval *eval, enum oro_code code, const char *format, ...)
{
    if (eval->failed)
        return false;
    va_list args;
    va_start(args, format);
    oro_fail_v(eval->err, code, format, args);
    va_end(args);
    eval->failed = true;
    return false;
}

bool oro_eval_failed(struct oro_eval *eval, const struct oro_error *err)
{
    if (!eval->failed && eval->err)
        *eval->err = *err;
    eval->failed = true;
    return false;
}

const struct oro_log *oro_eval_log(struct oro_eval *eval)
{
    return &eval->evaluator->options.log;
}

struct oro_origin oro_eval_origin(struct oro_eval *eval)
{
    struct oro_origin origin = {.seed = eval->plan->seed, .document = eval->plan->document, .graph = eval->step->key};
    for (int i = 0; eval->step->type->inputs[i].name; i++)
        if (eval->step->sources[i].step >= 0) {
            origin.graph = eval->plan->steps[eval->step->sources[i].step].key;
            break;
        }
    return origin;
}

/* ---- Inputs ---- */

static int input_index(struct oro_eval *eval, const char *name)
{
    const struct oro_input *input = oro_type_input(eval->step->type, name);
    if (!input)
        oro_eval_fail(eval, ORO_E_EVALUATE, "node type '%s' has no input '%s'", eval->step->type->id, name);
    return input ? (int)(input - eval->step->type->inputs) : -1;
}

static struct oro_value *input_value(struct oro_eval *eval, const char *name)
{
    int index = input_index(eval, name);
    return index < 0 || eval->failed ? NULL : eval->inputs[index];
}

const struct oro_grid *oro_eval_grid(struct oro_eval *eval)
{
    return &eval->step->grid;
}

const struct oro_grid *oro_eval_input_grid(struct oro_eval *eval, const char *name)
{
    struct oro_value *value = input_value(eval, name);
    return value ? &value->grid : NULL;
}

bool oro_eval_linked(struct oro_eval *eval, const char *name)
{
    int index = input_index(eval, name);
    return index >= 0 && eval->linked[index];
}

/* Buffers that the cache alone holds give way first. */
static void make_room(struct oro_eval *eval, size_t bytes)
{
    if (eval->evaluator->cache)
        oro_cache_make_room(eval->evaluator->cache, eval->evaluator->device, bytes);
}

static struct oro_buffer *value_buffer(struct oro_eval *eval, struct oro_value *value)
{
    struct oro_error err;
    if (!value->buffer)
        make_room(eval, oro_value_bytes(value));
    struct oro_buffer *buffer = oro_value_buffer(value, &err);
    if (!buffer)
        oro_eval_failed(eval, &err);
    return buffer;
}

struct oro_buffer *oro_eval_input(struct oro_eval *eval, const char *name)
{
    struct oro_value *value = input_value(eval, name);
    return value ? value_buffer(eval, value) : NULL;
}

const float *oro_eval_input_host(struct oro_eval *eval, const char *name)
{
    struct oro_value *value = input_value(eval, name);
    struct oro_error err;
    const float *host = value ? oro_value_host(value, &err) : NULL;
    if (value && !host)
        oro_eval_failed(eval, &err);
    return host;
}

/* ---- Buffers ---- */

struct oro_buffer *oro_eval_buffer(struct oro_eval *eval, size_t cells)
{
    if (eval->failed)
        return NULL;
    struct oro_device *device = eval->evaluator->device;
    struct oro_error err;
    void *owned = eval->owned;
    if (!oro_reserve(&owned, &eval->owned_capacity, eval->owned_count + 1, sizeof *eval->owned)) {
        oro_eval_fail(eval, ORO_E_MEMORY, "no memory for a buffer");
        return NULL;
    }
    eval->owned = owned;
    size_t bytes = cells * sizeof(float);
    make_room(eval, bytes);
    struct oro_buffer *buffer = device->ops->buffer_create(device, bytes, &err);
    if (!buffer) {
        oro_eval_failed(eval, &err);
        return NULL;
    }
    eval->owned[eval->owned_count++] = (struct oro_owned){buffer, bytes, NULL};
    return buffer;
}

static struct oro_owned *owned_by(struct oro_eval *eval, const struct oro_buffer *buffer)
{
    for (size_t i = 0; i < eval->owned_count; i++)
        if (eval->owned[i].buffer == buffer)
            return &eval->owned[i];
    return NULL;
}

bool oro_eval_upload(struct oro_eval *eval, struct oro_buffer *buffer, const void *data, size_t bytes)
{
    struct oro_device *device = eval->evaluator->device;
    struct oro_error err;
    if (eval->failed || !buffer)
        return false;
    return device->ops->upload(device, buffer, data, bytes, &err) || oro_eval_failed(eval, &err);
}

bool oro_eval_download(struct oro_eval *eval, struct oro_buffer *buffer, void *data, size_t bytes)
{
    struct oro_device *device = eval->evaluator->device;
    struct oro_error err;
    if (eval->failed || !buffer)
        return false;
    return device->ops->download(device, buffer, data, bytes, &err) || oro_eval_failed(eval, &err);
}

bool oro_eval_copy(struct oro_eval *eval, struct oro_buffer *from, struct oro_buffer *to, size_t cells)
{
    struct oro_device *device = eval->evaluator->device;
    struct oro_error err;
    if (eval->failed || !from || !to)
        return false;
    return device->ops->copy(device, from, to, cells * sizeof(float), &err) || oro_eval_failed(eval, &err);
}

/* ---- Passes ---- */

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
        struct oro_buffer *buffer = value_buffer(eval, eval->inputs[i]);
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
    if (!compiled)
        return oro_eval_fail(eval, ORO_E_MEMORY, "no memory for a pass");
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
                   device, &(struct oro_kernel_source){pass->kernel, preamble.data}, &err)))
        oro_eval_failed(eval, &err);
    oro_text_free(&preamble);
    if (eval->failed || !bind_maps(eval, pass, compiled))
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
    for (int i = 0; constants && i < 8 && pass->constants[i]; i++)
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

bool oro_eval_progress(struct oro_eval *eval, int done, int total)
{
    struct oro_evaluator *evaluator = eval->evaluator;
    struct oro_error err;
    if (eval->failed)
        return false;
    eval->done = done;
    if (!evaluator->device->ops->pace(evaluator->device, &err))
        return oro_eval_failed(eval, &err);
    if (evaluator->cancelled)
        return oro_eval_fail(eval, ORO_E_CANCELLED, "cancelled");
    double seconds = oro_now() - eval->started;
    int fresh = done - eval->done_at_start;
    double rate = seconds > 0 && fresh > 0 ? fresh / seconds : 0;
    struct oro_progress progress = {.step = eval->step,
                                    .done = done,
                                    .total = total,
                                    .rate = rate,
                                    .seconds_left = rate > 0 ? (total - done) / rate : -1};
    oro_evaluator_report_progress(evaluator, &progress, done == total);
    return true;
}

/* ---- Results ---- */

/* The value of a buffer, made on first use; retained for the caller. */
static struct oro_value *value_of(struct oro_eval *eval, struct oro_buffer *buffer, enum oro_type type)
{
    struct oro_owned *owned = owned_by(eval, buffer);
    if (owned && !owned->value) {
        struct oro_error err;
        owned->value = oro_value_create(eval->evaluator->device, type, &eval->step->grid, buffer, NULL, &err);
        if (!owned->value) {
            oro_eval_failed(eval, &err);
            return NULL;
        }
    }
    if (owned)
        return oro_value_retain(owned->value);
    for (size_t i = 0; eval->step->type->inputs[i].name; i++)
        if (eval->inputs[i] && eval->inputs[i]->buffer == buffer)
            return oro_value_retain(eval->inputs[i]);
    oro_eval_fail(eval, ORO_E_EVALUATE, "a buffer that is not the evaluation's was given");
    return NULL;
}

static int output_index(struct oro_eval *eval, const char *name)
{
    const struct oro_output *output = oro_type_output(eval->step->type, name);
    int index = output ? (int)(output - eval->step->type->outputs) : -1;
    if (index < 0 || index >= ORO_RESULT_VALUES_MAX || eval->result.values[index])
        return oro_eval_fail(eval, ORO_E_EVALUATE, "node type '%s': output '%s' is unknown or was given twice",
                             eval->step->type->id, name) -
               1;
    return index;
}

static bool put_output(struct oro_eval *eval, int index, struct oro_value *value)
{
    eval->result.values[index] = value;
    if (index >= eval->result.value_count)
        eval->result.value_count = index + 1;
    return true;
}

bool oro_eval_give(struct oro_eval *eval, const char *output, struct oro_buffer *buffer)
{
    if (eval->failed || !buffer)
        return false;
    int index = output_index(eval, output);
    struct oro_value *value =
        index < 0 ? NULL : value_of(eval, buffer, eval->step->type->outputs[index].type);
    return value && put_output(eval, index, value);
}

bool oro_eval_give_host(struct oro_eval *eval, const char *output, float *data)
{
    int index = eval->failed ? -1 : output_index(eval, output);
    struct oro_error err;
    struct oro_value *value = NULL;
    if (index >= 0) {
        value = oro_value_create(eval->evaluator->device, eval->step->type->outputs[index].type, &eval->step->grid,
                                 NULL, data, &err);
        if (!value)
            oro_eval_failed(eval, &err);
    }
    if (!value) {
        oro_free(data);
        return false;
    }
    return put_output(eval, index, value);
}

void oro_eval_figure(struct oro_eval *eval, const char *name, double value, const char *unit)
{
    if (eval->result.figure_count == ORO_RESULT_FIGURES_MAX)
        return;
    struct oro_figure *figure = &eval->result.figures[eval->result.figure_count++];
    snprintf(figure->name, sizeof figure->name, "%s", name);
    snprintf(figure->unit, sizeof figure->unit, "%s", unit);
    figure->value = value;
}

/* Summed in blocks on the device, each in a fixed order; the blocks are summed here. */
bool oro_eval_sum(struct oro_eval *eval, struct oro_buffer *buffer, size_t cells, double *sum)
{
    enum { BLOCK = 256, ROW = 4096 };
    size_t blocks = (cells + BLOCK - 1) / BLOCK, rows = (blocks + ROW - 1) / ROW;
    struct oro_buffer *partial = oro_eval_buffer(eval, blocks);
    float *host = oro_alloc(blocks, sizeof *host);
    struct oro_pass pass = {.kernel = "sum.comp",
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

/* ---- Simulations resume ---- */

int oro_eval_resume(struct oro_eval *eval, int iterations, struct oro_buffer *const *state, int count)
{
    struct oro_evaluator *evaluator = eval->evaluator;
    struct oro_result stored = {0};
    if (eval->failed)
        return -1;
    if (!evaluator->cache || iterations <= 0)
        return 0;
    int done = oro_cache_get_state(evaluator->cache, eval->step->resume_key, iterations, evaluator->device, &stored);
    size_t cells = oro_grid_cells(&eval->step->grid);
    bool ok = done > 0 && stored.value_count == count;
    for (int i = 0; ok && i < count; i++)
        ok = oro_value_bytes(stored.values[i]) == cells * sizeof(float);
    for (int i = 0; ok && i < count; i++) {
        struct oro_buffer *from = value_buffer(eval, stored.values[i]);
        oro_eval_copy(eval, from, state[i], cells);
    }
    oro_result_release(&stored);
    if (eval->failed)
        return -1;
    eval->done_at_start = ok ? done : 0;
    return eval->done_at_start;
}

/* Besides the last state, long runs keep those after 256, 512, 1024, ... steps, at most one in two seconds. */
static bool worth_keeping(const struct oro_eval *eval, int done, int iterations)
{
    if (done == iterations)
        return true;
    return done >= 256 && (done & (done - 1)) == 0 && oro_now() - eval->last_state > 2;
}

bool oro_eval_checkpoint(struct oro_eval *eval, int done, int iterations, struct oro_buffer *const *state, int count)
{
    struct oro_evaluator *evaluator = eval->evaluator;
    if (eval->failed)
        return false;
    if (!evaluator->cache || done == 0 || done == eval->done_at_start || !worth_keeping(eval, done, iterations))
        return true;
    struct oro_result result = {0};
    size_t cells = oro_grid_cells(&eval->step->grid);
    for (int i = 0; i < count && !eval->failed; i++) {
        struct oro_buffer *buffer = state[i];
        if (done != iterations) {
            buffer = oro_eval_buffer(eval, cells);
            oro_eval_copy(eval, state[i], buffer, cells);
        }
        struct oro_value *value = eval->failed ? NULL : value_of(eval, buffer, ORO_FIELD);
        if (value)
            result.values[result.value_count++] = value;
    }
    double now = oro_now();
    if (!eval->failed)
        oro_cache_put_state(evaluator->cache, eval->step->resume_key, done, &result, now - eval->started);
    eval->last_state = now;
    oro_result_release(&result);
    return !eval->failed;
}

/* ---- One step ---- */

/* The node has one kernel and no code: everything is bound, and it runs once over the output's cells. */
static bool run_default(struct oro_eval *eval)
{
    const struct oro_node_type *type = eval->step->type;
    struct oro_pass pass = {.kernel = type->kernel};
    struct oro_buffer *buffers[ORO_BUFFERS_MAX] = {0};
    if (!oro_kernel_default_slots(type, eval->linked, eval->arena, &pass))
        return oro_eval_fail(eval, ORO_E_EVALUATE, "node type '%s' has too many inputs and outputs", type->id);
    int count = 0;
    for (size_t i = 0; type->inputs[i].name; i++) {
        if (!eval->linked[i])
            continue;
        if (!pass.source.width && !type->inputs[i].map)
            pass.source = eval->inputs[i]->grid;
        buffers[count++] = value_buffer(eval, eval->inputs[i]);
    }
    int first_output = count;
    size_t cells = oro_grid_cells(&eval->step->grid);
    for (const struct oro_output *output = type->outputs; output->name; output++)
        buffers[count++] = oro_eval_buffer(eval, cells * (size_t)oro_type_channels(output->type));
    if (!oro_eval_run(eval, &pass, buffers))
        return false;
    for (const struct oro_output *output = type->outputs; output->name; output++)
        oro_eval_give(eval, output->name, buffers[first_output++]);
    return !eval->failed;
}

bool oro_eval_step(struct oro_eval *eval)
{
    const struct oro_node_type *type = eval->step->type;
    eval->started = eval->last_state = oro_now();
    bool ok = type->eval ? type->eval(eval, eval->step->params) : run_default(eval);
    if (!ok && !eval->failed)
        oro_eval_fail(eval, ORO_E_EVALUATE, "node type '%s' failed without saying why", type->id);
    for (int i = 0; !eval->failed && type->outputs && type->outputs[i].name; i++)
        if (i >= ORO_RESULT_VALUES_MAX || !eval->result.values[i])
            oro_eval_fail(eval, ORO_E_EVALUATE, "node type '%s' did not give '%s'", type->id, type->outputs[i].name);
    struct oro_error err;
    if (!eval->failed && !eval->evaluator->device->ops->finish(eval->evaluator->device, &err))
        oro_eval_failed(eval, &err);
    return !eval->failed;
}

void oro_eval_end(struct oro_eval *eval)
{
    struct oro_device *device = eval->evaluator->device;
    for (size_t i = 0; i < eval->owned_count; i++) {
        if (eval->owned[i].value)
            oro_value_release(eval->owned[i].value);
        else
            device->ops->buffer_destroy(device, eval->owned[i].buffer);
    }
    oro_free(eval->owned);
    oro_result_release(&eval->result);
    oro_arena_destroy(eval->arena);
}
