/* Dispatches: runs of kernels, which are compiled once per evaluation, with their buffers. */
#include <math.h>
#include <string.h>

#include "graph/eval/eval_private.h"
#include "graph/eval/kernel_native.h"

struct oro_compiled {
    struct oro_kernel *kernel;
    unsigned char *constants;
    size_t constants_size;
    size_t constant_at[ORO_CONSTANTS_MAX]; /* where the dispatch's own constants are; 0: nowhere */
    struct oro_buffer *buffers[ORO_NATIVE_BUFFERS_MAX];
    int slots[ORO_NATIVE_BUFFERS_MAX]; /* of the dispatch, that buffers are of; -1: another raster, or none */
    int buffer_count;
    unsigned written, read; /* bits of the buffers that the kernel writes, and reads */
};

static void bind_slot(struct oro_compiled *compiled, const struct oro_dispatch *dispatch, int slot)
{
    int at = compiled->buffer_count++;
    compiled->slots[at] = slot;
    compiled->written |= dispatch->slots[slot].access == ORO_READ ? 0 : 1U << at;
    compiled->read |= dispatch->slots[slot].access == ORO_WRITE ? 0 : 1U << at;
}

/* A raster that is linked to an input, or nothing. */
static bool bind_input(struct oro_eval *eval, struct oro_compiled *compiled, struct oro_value *value)
{
    int at = compiled->buffer_count++;
    compiled->slots[at] = -1;
    compiled->read |= 1U << at;
    compiled->buffers[at] = value ? oro_eval_value_buffer(eval, value) : NULL;
    return !value || compiled->buffers[at];
}

static bool bind_maps(struct oro_eval *eval, const struct oro_dispatch *dispatch,
                      struct oro_compiled *compiled)
{
    for (size_t i = 0; eval->step->type->inputs[i].name; i++) {
        if (!oro_kernel_binds_map(eval->step->type, eval->linked, dispatch, i))
            continue;
        if (compiled->buffer_count == ORO_BUFFERS_MAX)
            return oro_eval_fail(eval, ORO_E_EVALUATE, "kernel '%s' needs more than %d buffers",
                                 dispatch->kernel, ORO_BUFFERS_MAX);
        if (!bind_input(eval, compiled, eval->inputs[i]))
            return false;
    }
    return true;
}

static void complete(struct oro_eval *eval, struct oro_dispatch *dispatch)
{
    if (!dispatch->grid.width)
        dispatch->grid = eval->step->grid;
    if (!dispatch->source.width)
        dispatch->source = dispatch->grid;
    if (!dispatch->columns)
        dispatch->columns = dispatch->grid.width;
    if (!dispatch->rows)
        dispatch->rows = dispatch->grid.height;
    if (!dispatch->group_columns)
        dispatch->group_columns = ORO_GROUP_SIDE;
    if (!dispatch->group_rows)
        dispatch->group_rows = ORO_GROUP_SIDE;
    if (!dispatch->cell_columns)
        dispatch->cell_columns = dispatch->group_columns;
    if (!dispatch->cell_rows)
        dispatch->cell_rows = dispatch->group_rows;
}

/* Only listed kernels are in the cache key: if another one changed, old results would stay in the cache. */
static bool is_listed(const struct oro_node_type *type, const char *kernel)
{
    for (int i = 0; type->kernels && type->kernels[i]; i++)
        if (strcmp(type->kernels[i], kernel) == 0)
            return true;
    return type->kernel && strcmp(type->kernel, kernel) == 0;
}

static struct oro_compiled *compiled_new(struct oro_eval *eval)
{
    struct oro_compiled *compiled = oro_arena_alloc(eval->arena, 1, sizeof *compiled);
    if (!compiled)
        oro_eval_fail(eval, ORO_E_MEMORY, "no memory for a dispatch");
    return compiled;
}

static bool compile(struct oro_eval *eval, struct oro_dispatch *dispatch)
{
    struct oro_device *device = eval->evaluator->device;
    struct oro_compiled *compiled = compiled_new(eval);
    if (!compiled)
        return false;
    for (int i = 0; i < oro_kernel_slot_count(dispatch); i++)
        bind_slot(compiled, dispatch, i);
    size_t own_offset = 0;
    unsigned char *constants = oro_kernel_constants(eval->step->type, eval->step->params, dispatch,
                                                    &compiled->constants_size, &own_offset);
    compiled->constants = constants ? oro_arena_alloc(eval->arena, compiled->constants_size, 1) : NULL;
    if (compiled->constants)
        memcpy(compiled->constants, constants, compiled->constants_size);
    oro_free(constants);
    for (size_t i = 0; i < ORO_CONSTANTS_MAX; i++)
        compiled->constant_at[i] = own_offset + 4 * i;
    struct oro_text preamble = {0};
    oro_kernel_preamble(eval->step->type, eval->linked, dispatch, &preamble);
    struct oro_error err;
    if (!compiled->constants || preamble.failed)
        oro_eval_fail(eval, ORO_E_MEMORY, "no memory for kernel '%s'", dispatch->kernel);
    else if (!(compiled->kernel = device->ops->kernel(
                   device,
                   &(struct oro_kernel_source){dispatch->kernel, preamble.data, dispatch->text,
                                               dispatch->first_line, dispatch->foreign},
                   &err)))
        oro_eval_failed(eval, &err);
    oro_text_free(&preamble);
    if (eval->failed || !compiled->constants || !bind_maps(eval, dispatch, compiled))
        return false;
    dispatch->compiled = compiled;
    return true;
}

/* ---- Code that was made of the kernel's text ---- */

/* NULL: there is none, or the evaluation has failed. */
static struct oro_kernel *find_native(struct oro_eval *eval, const struct oro_dispatch *dispatch,
                                      struct oro_native_form *form)
{
    struct oro_device *device = eval->evaluator->device;
    struct oro_text preamble = {0};
    struct oro_kernel *kernel = NULL;
    struct oro_error err;
    bool fits = true;
    const struct oro_word_set *words = device->ops->words(device, dispatch->kernel, &err);
    if (!words)
        oro_eval_failed(eval, &err);
    else if (!oro_kernel_native(eval->step->type, eval->linked, dispatch, words, eval->arena, form, &fits,
                                &preamble) &&
             fits)
        oro_eval_fail(eval, ORO_E_MEMORY, "no memory for kernel '%s'", dispatch->kernel);
    else if (fits &&
             !device->ops->native(
                 device, &(struct oro_kernel_source){.file = dispatch->kernel, .preamble = preamble.data},
                 &kernel, &err))
        oro_eval_failed(eval, &err);
    oro_text_free(&preamble);
    return kernel;
}

static bool bind_native(struct oro_eval *eval, const struct oro_dispatch *dispatch,
                        const struct oro_native_form *form, struct oro_compiled *compiled)
{
    const struct oro_node_type *type = eval->step->type;
    for (int i = 0; i < form->constant_count; i++)
        compiled->constant_at[form->constants[i]] = form->constants_offset + 4 * (size_t)i;
    for (int i = 0; i < form->buffer_count; i++) {
        const struct oro_native_slot *buffer = &form->buffers[i];
        size_t input = buffer->input ? (size_t)(buffer->input - type->inputs) : 0;
        bool bound = buffer->slot < 0 && oro_kernel_binds_map(type, eval->linked, dispatch, input);
        if (buffer->slot >= 0)
            bind_slot(compiled, dispatch, buffer->slot);
        else if (!bind_input(eval, compiled, bound ? eval->inputs[input] : NULL))
            return false;
    }
    return true;
}

/* False: the evaluation has failed. Without code for the kernel, `dispatch->native` stays NULL. */
static bool compile_native(struct oro_eval *eval, struct oro_dispatch *dispatch)
{
    struct oro_native_form form;
    if (!eval->evaluator->device->ops->native || eval->evaluator->options.kernels_only || dispatch->text)
        return true;
    struct oro_kernel *kernel = find_native(eval, dispatch, &form);
    if (!kernel)
        return !eval->failed;
    struct oro_compiled *compiled = compiled_new(eval);
    if (!compiled)
        return false;
    compiled->kernel = kernel;
    compiled->constants_size = form.block_size;
    compiled->constants = oro_arena_alloc(eval->arena, form.block_size, 1);
    if (!compiled->constants)
        return oro_eval_fail(eval, ORO_E_MEMORY, "no memory for kernel '%s'", dispatch->kernel);
    oro_kernel_native_block(eval->step->type, eval->linked, eval->step->params, dispatch, &form,
                            compiled->constants);
    dispatch->native = compiled;
    return bind_native(eval, dispatch, &form, compiled);
}

/* ---- Running ---- */

static bool prepare(struct oro_eval *eval, struct oro_dispatch *dispatch)
{
    if (dispatch->compiled || dispatch->native || dispatch->described)
        return true;
    if (!dispatch->text && !is_listed(eval->step->type, dispatch->kernel))
        return oro_eval_fail(eval, ORO_E_EVALUATE, "kernel '%s' is not listed by node type '%s'",
                             dispatch->kernel, eval->step->type->id);
    complete(eval, dispatch);
    const struct oro_evaluator_options *options = &eval->evaluator->options;
    bool by_hand = oro_eval_has_processor_code(eval, dispatch);
    if ((!by_hand || options->native_first || options->compare) && !compile_native(eval, dispatch))
        return false;
    if (by_hand && (!dispatch->native || options->compare))
        dispatch->described = oro_eval_describe(eval, dispatch);
    return by_hand ? dispatch->native || dispatch->described : dispatch->native || compile(eval, dispatch);
}

/* Rasters of both grids that have the same size cannot be told apart: they are read as far as `source`, and
 * as the two lie from each other. */
static int reach_of_both(const struct oro_grid *grid, const struct oro_grid *source, const float corner[2],
                         int reach)
{
    double scale = grid->cell / source->cell - 1, farthest = 0;
    int cells[2] = {grid->width, grid->height};
    if (reach == ORO_REACH_WHOLE)
        return reach;
    for (int axis = 0; axis < 2; axis++) {
        double at_corner = (double)corner[axis], at_end = at_corner + scale * cells[axis];
        farthest = fmax(farthest, fmax(fabs(at_corner), fabs(at_end)));
    }
    int away = (int)ceil(farthest), all = away + (reach > 0 ? reach : 0);
    return all > 0 ? all : ORO_REACH_CELL;
}

void oro_dispatch_source(struct oro_dispatch *dispatch, const struct oro_grid *grid,
                         const struct oro_grid *source, const float corner[2], int reach)
{
    static const float own_corner[2] = {0, 0};
    corner = corner ? corner : own_corner;
    dispatch->grid = *grid;
    dispatch->source = *source;
    dispatch->source_reach = reach;
    for (int axis = 0; axis < 2; axis++)
        dispatch->source_corner[axis] = corner[axis];
    if (!dispatch->reach)
        dispatch->reach = ORO_REACH_CELL;
    if (!oro_grid_same_size(grid, source))
        return;
    int both = reach_of_both(grid, source, corner, reach);
    dispatch->reach = both == ORO_REACH_WHOLE || both > dispatch->reach ? both : dispatch->reach;
}

/* Grids of the same ground are aligned at both ends, and do not fit by as much as their sizes are rounded. */
static int resampling_reach(const struct oro_grid *from, const struct oro_grid *to, bool placed)
{
    const int around = 3; /* cells, of a cubic surface */
    double scale = to->cell / from->cell, misfit = 0;
    if (!placed)
        misfit = fmax(fabs(from->width - scale * to->width), fabs(from->height - scale * to->height));
    return around + (int)fmin(ceil(misfit), oro_grid_longer(from));
}

bool oro_eval_resample(struct oro_eval *eval, bool placed, enum oro_resampling method)
{
    static const char *const defines[2][2] = {
        {NULL, "#define PLACED 1\n"},
        {"#define set_field set_terrain\n", "#define PLACED 1\n#define set_field set_terrain\n"}};
    const char *name = eval->step->type->inputs[0].name;
    const struct oro_grid *from = oro_eval_input_grid(eval, name), *to = oro_eval_grid(eval);
    struct oro_buffer *raster = oro_eval_input(eval, name);
    bool is_field = strcmp(name, "field") == 0;
    float place[2] = {0};
    if (!from || !raster)
        return false;
    if (placed)
        oro_grid_place(from, to, place);
    struct oro_dispatch extras = {.slots = {{"field", raster}},
                                  .defines = defines[!is_field][placed],
                                  .constants = {{"east", place[0]}, {"south", place[1]}, {"method", method}}};
    oro_dispatch_source(&extras, to, from, placed ? place : NULL, resampling_reach(from, to, placed));
    return oro_eval_default(eval, &extras);
}

void oro_eval_add_input(struct oro_eval *eval, struct oro_dispatch *dispatch, const char *name)
{
    int index = oro_eval_input_index(eval, name);
    if (index >= 0 && eval->linked[index])
        oro_add_slot(dispatch, (struct oro_slot){name, oro_eval_input(eval, name), ORO_READ,
                                                 oro_kernel_element(eval->step->type->inputs[index].type)});
}

/* Sets what may have changed since the last run. */
static bool fill_in(struct oro_eval *eval, const struct oro_dispatch *dispatch, struct oro_compiled *compiled)
{
    for (int i = 0; i < compiled->buffer_count; i++) {
        if (compiled->slots[i] < 0)
            continue;
        const struct oro_slot *slot = &dispatch->slots[compiled->slots[i]];
        compiled->buffers[i] = slot->buffer;
        if (!slot->buffer)
            return oro_eval_fail(eval, ORO_E_EVALUATE, "kernel '%s' has no buffer '%s'", dispatch->kernel,
                                 slot->name);
    }
    for (int i = 0; i < ORO_CONSTANTS_MAX && dispatch->constants[i].name; i++)
        if (compiled->constant_at[i])
            memcpy(compiled->constants + compiled->constant_at[i], &dispatch->constants[i].value, 4);
    return true;
}

/* For devices that keep rasters in tiles. What the node type says of its reach is meant for its own kernel.
 */
static struct oro_device_extent extent_of(const struct oro_eval *eval, const struct oro_dispatch *dispatch)
{
    const struct oro_node_type *type = eval->step->type;
    bool own = type->kernel && !dispatch->text && strcmp(type->kernel, dispatch->kernel) == 0;
    return (struct oro_device_extent){
        .grid = dispatch->grid,
        .source = dispatch->source,
        .reach = dispatch->reach || !own ? dispatch->reach : type->reach,
        .source_reach = dispatch->source_reach || !own ? dispatch->source_reach : type->source_reach,
        .source_corner = {dispatch->source_corner[0], dispatch->source_corner[1]},
        .cell_columns = dispatch->cell_columns,
        .cell_rows = dispatch->cell_rows,
        .sums = dispatch->sums};
}

static bool run(struct oro_eval *eval, const struct oro_dispatch *dispatch, struct oro_compiled *compiled)
{
    struct oro_device *device = eval->evaluator->device;
    struct oro_error err;
    return fill_in(eval, dispatch, compiled) &&
           (device->ops->dispatch(device,
                                  &(struct oro_device_dispatch){.kernel = compiled->kernel,
                                                                .columns = dispatch->columns,
                                                                .rows = dispatch->rows,
                                                                .group_columns = dispatch->group_columns,
                                                                .group_rows = dispatch->group_rows,
                                                                .buffers = compiled->buffers,
                                                                .buffer_count = compiled->buffer_count,
                                                                .written = compiled->written,
                                                                .read = compiled->read,
                                                                .extent = extent_of(eval, dispatch),
                                                                .constants = compiled->constants,
                                                                .constants_size = compiled->constants_size},
                                  &err) ||
            oro_eval_failed(eval, &err));
}

bool oro_eval_run_kernel(struct oro_eval *eval, struct oro_dispatch *dispatch)
{
    return (dispatch->compiled || compile(eval, dispatch)) && run(eval, dispatch, dispatch->compiled);
}

bool oro_eval_run_native(struct oro_eval *eval, const struct oro_dispatch *dispatch)
{
    return run(eval, dispatch, dispatch->native);
}

bool oro_eval_dispatch(struct oro_eval *eval, struct oro_dispatch *dispatch)
{
    if (!eval->failed && dispatch->unknown)
        oro_eval_fail(eval, ORO_E_EVALUATE, "kernel '%s' has nothing that is called '%s', or no room for it",
                      dispatch->kernel, dispatch->unknown);
    if (eval->failed || !prepare(eval, dispatch))
        return false;
    if (eval->evaluator->options.compare && !dispatch->text)
        return oro_eval_run_all_methods(eval, dispatch);
    if (dispatch->described)
        return oro_eval_run(eval, dispatch);
    return dispatch->native ? oro_eval_run_native(eval, dispatch) : oro_eval_run_kernel(eval, dispatch);
}

struct oro_dispatch_shape oro_eval_dispatch_shape(const struct oro_eval *eval,
                                                  const struct oro_dispatch *step,
                                                  struct oro_dispatch_shape usual)
{
    const struct oro_dispatch_shape *wanted = &eval->evaluator->options.per_dispatch;
    const struct oro_device_info *info = &eval->evaluator->device->info;
    bool native = eval->evaluator->device->ops->native && !eval->evaluator->options.kernels_only;
    bool alone = (native && !step->text) || oro_eval_spread(eval);
    if (alone || (!wanted->times && info->software))
        return (struct oro_dispatch_shape){.times = 1};
    return wanted->times ? *wanted : usual;
}

bool oro_eval_group_fits(const struct oro_eval *eval, int invocations, size_t shared_bytes)
{
    const struct oro_device_info *info = &eval->evaluator->device->info;
    return invocations <= info->group_limit && shared_bytes <= info->shared_bytes;
}

/* ---- The default ---- */

/* Gives buffers to the slots that have none, and the size of the first linked raster to `source`. */
static void bind_default(struct oro_eval *eval, struct oro_dispatch *dispatch)
{
    const struct oro_node_type *type = eval->step->type;
    for (size_t i = 0; type->inputs[i].name; i++) {
        int slot = oro_kernel_find_slot(dispatch, type->inputs[i].name, "");
        if (!eval->linked[i] || slot < 0)
            continue;
        if (!dispatch->source.width && !type->inputs[i].map)
            dispatch->source = eval->inputs[i]->grid;
        if (!dispatch->slots[slot].buffer)
            dispatch->slots[slot].buffer = oro_eval_value_buffer(eval, eval->inputs[i]);
    }
    for (const struct oro_output *output = type->outputs; output->name; output++) {
        struct oro_slot *slot = &dispatch->slots[oro_kernel_find_slot(dispatch, output->name, "_out")];
        if (!slot->buffer)
            slot->buffer = oro_eval_raster(eval, output->type, &eval->step->grid);
    }
}

bool oro_eval_default(struct oro_eval *eval, const struct oro_dispatch *extras)
{
    const struct oro_node_type *type = eval->step->type;
    struct oro_dispatch dispatch = extras ? *extras : (struct oro_dispatch){0};
    dispatch.kernel = type->kernel;
    if (!oro_kernel_default_slots(type, eval->linked, eval->arena, &dispatch))
        return oro_eval_fail(eval, ORO_E_EVALUATE, "node type '%s' has too many inputs and outputs",
                             type->id);
    bind_default(eval, &dispatch);
    bool ok = oro_eval_dispatch(eval, &dispatch);
    for (const struct oro_output *output = type->outputs; ok && output->name; output++) {
        int slot = oro_kernel_find_slot(&dispatch, output->name, "_out");
        ok = oro_eval_give(eval, output->name, dispatch.slots[slot].buffer);
    }
    return ok;
}
