/* Dispatches: runs of kernels, which are compiled once per evaluation, with their buffers. */
#include <math.h>
#include <string.h>

#include "graph/eval/eval_private.h"
#include "graph/eval/kernel.h"

struct oro_compiled {
    struct oro_kernel *kernel;
    unsigned char *constants;
    size_t constants_size, own_offset;           /* where the dispatch's own constants begin */
    struct oro_buffer *buffers[ORO_BUFFERS_MAX]; /* slots, then maps */
    int slot_count, buffer_count;
    unsigned written, read; /* bits of the buffers that the kernel writes, and reads */
};

static bool bind_maps(struct oro_eval *eval, const struct oro_dispatch *dispatch,
                      struct oro_compiled *compiled)
{
    for (size_t i = 0; eval->step->type->inputs[i].name; i++) {
        if (!oro_kernel_binds_map(eval->step->type, eval->linked, dispatch, i))
            continue;
        if (compiled->buffer_count == ORO_BUFFERS_MAX)
            return oro_eval_fail(eval, ORO_E_EVALUATE, "kernel '%s' needs more than %d buffers",
                                 dispatch->kernel, ORO_BUFFERS_MAX);
        struct oro_buffer *buffer = oro_eval_value_buffer(eval, eval->inputs[i]);
        if (!buffer)
            return false;
        compiled->read |= 1U << compiled->buffer_count;
        compiled->buffers[compiled->buffer_count++] = buffer;
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

static bool compile(struct oro_eval *eval, struct oro_dispatch *dispatch)
{
    struct oro_device *device = eval->evaluator->device;
    struct oro_compiled *compiled = oro_arena_alloc(eval->arena, 1, sizeof *compiled);
    if (!compiled) {
        oro_eval_fail(eval, ORO_E_MEMORY, "no memory for a dispatch");
        return false;
    }
    compiled->slot_count = compiled->buffer_count = oro_kernel_slot_count(dispatch);
    for (int i = 0; i < compiled->slot_count; i++) {
        compiled->written |= dispatch->slots[i].access == ORO_READ ? 0 : 1U << i;
        compiled->read |= dispatch->slots[i].access == ORO_WRITE ? 0 : 1U << i;
    }
    unsigned char *constants = oro_kernel_constants(eval->step->type, eval->step->params, dispatch,
                                                    &compiled->constants_size, &compiled->own_offset);
    compiled->constants = constants ? oro_arena_alloc(eval->arena, compiled->constants_size, 1) : NULL;
    if (compiled->constants)
        memcpy(compiled->constants, constants, compiled->constants_size);
    oro_free(constants);
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

static bool prepare(struct oro_eval *eval, struct oro_dispatch *dispatch)
{
    if (dispatch->compiled || dispatch->described)
        return true;
    if (!dispatch->text && !is_listed(eval->step->type, dispatch->kernel))
        return oro_eval_fail(eval, ORO_E_EVALUATE, "kernel '%s' is not listed by node type '%s'",
                             dispatch->kernel, eval->step->type->id);
    complete(eval, dispatch);
    if (!oro_eval_has_processor_code(eval, dispatch))
        return true;
    dispatch->described = oro_eval_describe(eval, dispatch);
    return dispatch->described;
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
void oro_dispatch_resampling(struct oro_dispatch *dispatch, const struct oro_grid *to,
                             const struct oro_grid *from, const float *place)
{
    const int around = 3; /* cells, of a cubic surface */
    double scale = to->cell / from->cell, misfit = 0;
    if (!place)
        misfit = fmax(fabs(from->width - scale * to->width), fabs(from->height - scale * to->height));
    oro_dispatch_source(dispatch, to, from, place, around + (int)fmin(ceil(misfit), oro_grid_longer(from)));
}

void oro_eval_add_input(struct oro_eval *eval, struct oro_dispatch *dispatch, const char *name)
{
    int index = oro_eval_input_index(eval, name);
    if (index >= 0 && eval->linked[index])
        oro_add_slot(dispatch, (struct oro_slot){name, oro_eval_input(eval, name), ORO_READ,
                                                 oro_kernel_element(eval->step->type->inputs[index].type)});
}

/* Sets what may have changed since the last run. */
static bool fill_in(struct oro_eval *eval, const struct oro_dispatch *dispatch)
{
    struct oro_compiled *compiled = dispatch->compiled;
    for (int i = 0; i < compiled->slot_count; i++) {
        compiled->buffers[i] = dispatch->slots[i].buffer;
        if (!compiled->buffers[i])
            return oro_eval_fail(eval, ORO_E_EVALUATE, "kernel '%s' has no buffer '%s'", dispatch->kernel,
                                 dispatch->slots[i].name);
    }
    for (int i = 0; i < ORO_CONSTANTS_MAX && dispatch->constants[i].name; i++)
        memcpy(compiled->constants + compiled->own_offset + 4 * i, &dispatch->constants[i].value, 4);
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

bool oro_eval_run_kernel(struct oro_eval *eval, struct oro_dispatch *dispatch)
{
    if ((!dispatch->compiled && !compile(eval, dispatch)) || !fill_in(eval, dispatch))
        return false;
    struct oro_compiled *compiled = dispatch->compiled;
    struct oro_device *device = eval->evaluator->device;
    struct oro_error err;
    return device->ops->dispatch(device,
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
           oro_eval_failed(eval, &err);
}

bool oro_eval_dispatch(struct oro_eval *eval, struct oro_dispatch *dispatch)
{
    if (!eval->failed && dispatch->unknown)
        oro_eval_fail(eval, ORO_E_EVALUATE, "kernel '%s' has nothing that is called '%s', or no room for it",
                      dispatch->kernel, dispatch->unknown);
    if (eval->failed || !prepare(eval, dispatch))
        return false;
    if (!dispatch->described)
        return oro_eval_run_kernel(eval, dispatch);
    return eval->evaluator->options.compare ? oro_eval_run_both(eval, dispatch)
                                            : oro_eval_run(eval, dispatch);
}

struct oro_several oro_eval_several(const struct oro_eval *eval, const struct oro_dispatch *step,
                                    struct oro_several usual)
{
    const struct oro_several *wanted = &eval->evaluator->options.several;
    const struct oro_device_info *info = &eval->evaluator->device->info;
    bool alone = oro_eval_has_processor_code(eval, step) || oro_eval_spread(eval);
    if (alone || (!wanted->times && info->software))
        return (struct oro_several){.times = 1};
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
