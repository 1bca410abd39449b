/* What a node may call while it is evaluated (graph/type/node.h): failing, inputs, buffers, results. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "graph/eval/eval_private.h"

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

/* Parts of a composite are called "node/part". */
static bool of_one_node(const struct oro_step *a, const struct oro_step *b)
{
    size_t length = strcspn(a->id, "/");
    return length == strcspn(b->id, "/") && strncmp(a->id, b->id, length) == 0 && a->line == b->line &&
           strcmp(a->document ? a->document : "", b->document ? b->document : "") == 0;
}

bool oro_eval_last_of_node(const struct oro_eval *eval)
{
    const struct oro_step *end = eval->plan->steps + eval->plan->step_count;
    for (const struct oro_step *later = eval->step + 1; later < end; later++)
        if (later->type == eval->step->type && of_one_node(later, eval->step))
            return false;
    return true;
}

const struct oro_place *oro_eval_place(const struct oro_eval *eval)
{
    return &eval->plan->place;
}

struct oro_origin oro_eval_origin(struct oro_eval *eval)
{
    struct oro_origin origin = {
        .seed = eval->plan->seed, .document = eval->plan->document, .graph = eval->step->key};
    for (int i = 0; eval->step->type->inputs[i].name; i++)
        if (eval->step->sources[i].step >= 0) {
            origin.graph = eval->plan->steps[eval->step->sources[i].step].key;
            break;
        }
    return origin;
}

const struct oro_world_region *oro_eval_region(const struct oro_eval *eval)
{
    return eval->plan->region.given ? &eval->plan->region : NULL;
}

bool oro_eval_sea(const struct oro_eval *eval, double *level)
{
    *level = eval->plan->sea;
    return eval->plan->has_sea;
}

bool oro_eval_require_drained(const struct oro_eval *eval)
{
    return eval->evaluator->options.require_drained;
}

bool oro_eval_capped(const struct oro_eval *eval)
{
    return eval->step->capped;
}

bool oro_eval_spread(const struct oro_eval *eval)
{
    const struct oro_device *device = eval->evaluator->device;
    return device->info.spread && (!device->tiles || device->tiles->cuts(device, &eval->step->grid));
}

bool oro_eval_in_tiles(const struct oro_eval *eval, const struct oro_buffer *raster)
{
    const struct oro_device *device = eval->evaluator->device;
    return raster && device->info.spread && (!device->tiles || device->tiles->has(raster));
}

struct oro_device *oro_eval_tiled(struct oro_eval *eval, const struct oro_buffer *raster)
{
    struct oro_device *device = eval->evaluator->device;
    const struct oro_device_tiles *tiles = device->tiles;
    return tiles && tiles->cuts(device, &eval->step->grid) && tiles->has(raster) ? device : NULL;
}

bool oro_eval_on_processor(const struct oro_eval *eval)
{
    bool software = eval->evaluator->device->info.software;
    return (software || oro_eval_spread(eval)) && !eval->evaluator->options.kernels_only;
}

bool oro_eval_by_kernels(const struct oro_eval *eval)
{
    return !eval->evaluator->device->info.software || eval->evaluator->options.kernels_only;
}

void oro_eval_error(const struct oro_eval *eval, struct oro_error *err)
{
    if (eval->failed && eval->err)
        *err = *eval->err;
    else
        oro_fail(err, ORO_E_EVALUATE, "a node of type '%s' failed", eval->step->type->id);
}

bool oro_eval_stopped(void *eval)
{
    return atomic_load(&((struct oro_eval *)eval)->evaluator->cancelled);
}

bool oro_eval_decide(struct oro_eval *eval, bool here)
{
    return oro_ranks_decide(eval->evaluator->options.ranks, here);
}

/* ---- Inputs ---- */

int oro_eval_input_index(struct oro_eval *eval, const char *name)
{
    const struct oro_input *input = oro_type_input(eval->step->type, name);
    if (!input)
        oro_eval_fail(eval, ORO_E_EVALUATE, "node type '%s' has no input '%s'", eval->step->type->id, name);
    return input ? (int)(input - eval->step->type->inputs) : -1;
}

static struct oro_value *input_value(struct oro_eval *eval, const char *name)
{
    int index = oro_eval_input_index(eval, name);
    return index < 0 || eval->failed ? NULL : eval->inputs[index];
}

const struct oro_node_type *oro_eval_type(const struct oro_eval *eval)
{
    return eval->step->type;
}

const struct oro_grid *oro_eval_grid(struct oro_eval *eval)
{
    return &eval->step->grid;
}

const struct oro_grid *oro_eval_input_grid(struct oro_eval *eval, const char *name)
{
    struct oro_value *value = input_value(eval, name);
    return value && value->channels > 0 ? &value->grid : NULL;
}

bool oro_eval_linked(struct oro_eval *eval, const char *name)
{
    int index = oro_eval_input_index(eval, name);
    return index >= 0 && eval->inputs[index];
}

struct oro_buffer *oro_eval_value_buffer(struct oro_eval *eval, struct oro_value *value)
{
    struct oro_error err;
    if (!value->buffer)
        oro_evaluator_make_room(eval->evaluator, eval->step, oro_value_bytes(value));
    struct oro_buffer *buffer = oro_value_buffer(value, &err);
    if (!buffer)
        oro_eval_failed(eval, &err);
    return buffer;
}

static struct oro_value *input_raster(struct oro_eval *eval, const char *name)
{
    struct oro_value *value = input_value(eval, name);
    if (!value || value->channels > 0)
        return value;
    oro_eval_fail(eval, ORO_E_EVALUATE, "input '%s' is read as a raster, but it is %s", name,
                  oro_type_phrase(value->type));
    return NULL;
}

struct oro_buffer *oro_eval_input(struct oro_eval *eval, const char *name)
{
    struct oro_value *value = input_raster(eval, name);
    return value ? oro_eval_value_buffer(eval, value) : NULL;
}

const float *oro_eval_input_host(struct oro_eval *eval, const char *name)
{
    struct oro_value *value = input_raster(eval, name);
    struct oro_error err;
    const float *host = value ? oro_value_host(value, &err) : NULL;
    if (value && !host)
        oro_eval_failed(eval, &err);
    return host;
}

struct oro_buffer *oro_eval_input_tiles(struct oro_eval *eval, const char *name)
{
    const struct oro_value *value = oro_eval_linked(eval, name) ? input_raster(eval, name) : NULL;
    struct oro_buffer *tiles = value ? oro_value_tiles(value) : NULL;
    return oro_ranks_all(eval->evaluator->options.ranks, tiles) ? tiles : NULL;
}

struct oro_device *oro_eval_device(struct oro_eval *eval)
{
    return eval->evaluator->device;
}

/* ---- Buffers ---- */

struct oro_buffer *oro_evaluator_buffer(struct oro_evaluator *evaluator, size_t bytes, int channels,
                                        const struct oro_grid *grid, struct oro_error *err)
{
    struct oro_device *device = evaluator->device;
    return channels ? oro_device_raster(device, grid, channels, err)
                    : device->ops->buffer_create(device, bytes, err);
}

static struct oro_buffer *make_buffer(struct oro_eval *eval, size_t bytes, enum oro_type type, int channels,
                                      const struct oro_grid *grid)
{
    if (eval->failed)
        return NULL;
    struct oro_error err;
    void *owned = eval->owned;
    if (!oro_reserve(&owned, &eval->owned_capacity, eval->owned_count + 1, sizeof *eval->owned)) {
        oro_eval_fail(eval, ORO_E_MEMORY, "no memory for a buffer");
        return NULL;
    }
    eval->owned = owned;
    oro_evaluator_make_room(eval->evaluator, eval->step, bytes);
    struct oro_buffer *buffer = oro_evaluator_buffer(eval->evaluator, bytes, channels, grid, &err);
    if (!buffer) {
        oro_eval_failed(eval, &err);
        return NULL;
    }
    eval->owned[eval->owned_count++] = (struct oro_owned){
        .buffer = buffer, .bytes = bytes, .channels = channels, .type = type, .grid = *grid};
    return buffer;
}

struct oro_buffer *oro_eval_buffer(struct oro_eval *eval, size_t cells)
{
    return make_buffer(eval, cells * sizeof(float), ORO_FIELD, 0, &eval->step->grid);
}

struct oro_buffer *oro_eval_field(struct oro_eval *eval)
{
    return oro_eval_raster(eval, ORO_FIELD, &eval->step->grid);
}

struct oro_buffer *oro_eval_raster(struct oro_eval *eval, enum oro_type type, const struct oro_grid *grid)
{
    int channels = oro_type_channels(type);
    return make_buffer(eval, (size_t)channels * oro_grid_cells(grid) * sizeof(float), type, channels, grid);
}

static struct oro_owned *owned_by(const struct oro_eval *eval, const struct oro_buffer *buffer)
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

void oro_eval_discard(struct oro_eval *eval, struct oro_buffer *buffer)
{
    struct oro_device *device = eval->evaluator->device;
    if (!eval->failed && buffer && device->ops->discard)
        device->ops->discard(device, buffer);
}

const struct oro_owned *oro_eval_owned(const struct oro_eval *eval, const struct oro_buffer *buffer)
{
    return owned_by(eval, buffer);
}

/* ---- Results ---- */

struct oro_value *oro_eval_value_of(struct oro_eval *eval, struct oro_buffer *buffer, enum oro_type type)
{
    struct oro_owned *owned = owned_by(eval, buffer);
    if (owned && !owned->value) {
        struct oro_error err;
        owned->value = oro_value_create(eval->evaluator->device, type, &owned->grid, buffer, NULL, &err);
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

int oro_eval_output_index(struct oro_eval *eval, const char *name, enum oro_type plain)
{
    const struct oro_output *output = oro_type_output(eval->step->type, name);
    int index = output ? (int)(output - eval->step->type->outputs) : -1;
    if (output && plain != (oro_is_raster(output->type) ? ORO_NONE : output->type))
        return oro_eval_fail(eval, ORO_E_EVALUATE, "node type '%s' gives something else than %s for '%s'",
                             eval->step->type->id, oro_type_phrase(output->type), name) -
               1;
    if (index < 0 || index >= ORO_RESULT_VALUES_MAX || eval->result.values[index])
        return oro_eval_fail(eval, ORO_E_EVALUATE,
                             "node type '%s': output '%s' is unknown or was given twice",
                             eval->step->type->id, name) -
               1;
    return index;
}

bool oro_eval_put_output(struct oro_eval *eval, int index, struct oro_value *value)
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
    int index = oro_eval_output_index(eval, output, ORO_NONE);
    struct oro_value *value =
        index < 0 ? NULL : oro_eval_value_of(eval, buffer, eval->step->type->outputs[index].type);
    return value && oro_eval_put_output(eval, index, value);
}

bool oro_eval_give_host(struct oro_eval *eval, const char *output, float *data)
{
    int index = eval->failed ? -1 : oro_eval_output_index(eval, output, ORO_NONE);
    struct oro_error err;
    struct oro_value *value = NULL;
    if (index >= 0) {
        value = oro_value_create(eval->evaluator->device, eval->step->type->outputs[index].type,
                                 &eval->step->grid, NULL, data, &err);
        if (!value)
            oro_eval_failed(eval, &err);
    }
    if (!value) {
        oro_free(data);
        return false;
    }
    return oro_eval_put_output(eval, index, value);
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
