/* Dispatches where the device's memory is the processor's: kernels that have code for it are run as that
 * (terrain/processor/run.h). */
#include <string.h>

#include "graph/eval/eval_private.h"
#include "graph/eval/kernel.h"
#include "terrain/processor/run.h"

struct oro_processor_dispatch {
    oro_processor_code *code;
    struct oro_run run;
    struct oro_run_buffer buffers[ORO_BUFFERS_MAX + 1];
    struct oro_run_input *inputs;
    struct oro_run_number numbers[ORO_CONSTANTS_MAX + 1];
};

static struct oro_run_grid run_grid(const struct oro_grid *grid)
{
    return (struct oro_run_grid){grid->width, grid->height, (float)grid->x, (float)grid->y,
                                 (float)grid->cell};
}

/* The memory of a buffer; NULL: the evaluation has failed. */
static void *memory_of(struct oro_eval *eval, struct oro_buffer *buffer, bool writes)
{
    struct oro_device *device = eval->evaluator->device;
    struct oro_error err;
    void *memory = device->ops->memory(device, buffer, writes, &err);
    if (!memory)
        oro_eval_failed(eval, &err);
    return memory; /* cppcheck-suppress returnDanglingLifetime; it does not point to err */
}

void *oro_eval_memory(struct oro_eval *eval, struct oro_buffer *buffer, bool writes)
{
    bool has = eval->evaluator->device->ops->memory && buffer && !eval->failed;
    return has ? memory_of(eval, buffer, writes) : NULL;
}

static bool describe_inputs(struct oro_eval *eval, const struct oro_dispatch *dispatch,
                            struct oro_processor_dispatch *made)
{
    const struct oro_node_type *type = eval->step->type;
    made->inputs = oro_arena_alloc(eval->arena, oro_type_input_count(type) + 1, sizeof *made->inputs);
    if (!made->inputs)
        return oro_eval_fail(eval, ORO_E_MEMORY, "no memory for a dispatch");
    made->run.inputs = made->inputs;
    for (size_t i = 0; type->inputs[i].name; i++) {
        const struct oro_input *input = &type->inputs[i];
        made->inputs[i] = (struct oro_run_input){.name = input->name, .linked = eval->linked[i]};
        if (oro_input_has_literal(input))
            made->inputs[i].literal = (const char *)eval->step->params + input->offset;
        if (input->map) {
            made->inputs[i].min = (float)input->min;
            made->inputs[i].max = (float)input->max;
        }
        if (!oro_kernel_binds_map(type, eval->linked, dispatch, i))
            continue;
        struct oro_buffer *buffer = oro_eval_value_buffer(eval, eval->inputs[i]);
        made->inputs[i].values = buffer ? memory_of(eval, buffer, false) : NULL;
        if (!made->inputs[i].values)
            return false;
    }
    return true;
}

static void describe_blend(struct oro_eval *eval, const struct oro_dispatch *dispatch, struct oro_run *run)
{
    const struct oro_node_type *type = eval->step->type;
    for (const struct oro_output *output = type->outputs; output && output->name; output++) {
        const struct oro_input *terrain = oro_kernel_blended_with(type, eval->linked, dispatch, output);
        if (!terrain)
            continue;
        run->blended = output->name;
        run->blended_with = terrain->name;
        run->blended_by = oro_type_input_as(type, ORO_ROLE_MASK)->name;
    }
}

bool oro_eval_has_processor_code(const struct oro_eval *eval, const struct oro_dispatch *dispatch)
{
    return eval->evaluator->device->ops->memory && !eval->evaluator->options.kernels_only &&
           !dispatch->text && oro_processor_find(dispatch->kernel);
}

struct oro_processor_dispatch *oro_eval_describe(struct oro_eval *eval, const struct oro_dispatch *dispatch)
{
    struct oro_processor_dispatch *made = oro_arena_alloc(eval->arena, 1, sizeof *made);
    if (!made) {
        oro_eval_fail(eval, ORO_E_MEMORY, "no memory for a dispatch");
        return NULL;
    }
    made->code = oro_processor_find(dispatch->kernel);
    made->run = (struct oro_run){.grid = run_grid(&dispatch->grid),
                                 .source = run_grid(&dispatch->source),
                                 .inputs_on_grid = dispatch->inputs_on_grid,
                                 .buffers = made->buffers,
                                 .numbers = made->numbers,
                                 .defines = dispatch->defines,
                                 .stop = oro_eval_stopped,
                                 .user = eval};
    describe_blend(eval, dispatch, &made->run);
    return describe_inputs(eval, dispatch, made) ? made : NULL;
}

bool oro_eval_run(struct oro_eval *eval, const struct oro_dispatch *dispatch)
{
    struct oro_processor_dispatch *made = dispatch->described;
    for (int i = 0; i < oro_kernel_slot_count(dispatch); i++) {
        const struct oro_slot *slot = &dispatch->slots[i];
        if (!slot->buffer)
            return oro_eval_fail(eval, ORO_E_EVALUATE, "kernel '%s' has no buffer '%s'", dispatch->kernel,
                                 slot->name);
        made->buffers[i] =
            (struct oro_run_buffer){slot->name, memory_of(eval, slot->buffer, slot->access != ORO_READ)};
        if (!made->buffers[i].data)
            return false;
    }
    for (int i = 0; i < ORO_CONSTANTS_MAX && dispatch->constants[i].name; i++)
        made->numbers[i] = (struct oro_run_number){dispatch->constants[i].name, dispatch->constants[i].value};
    made->code(&made->run);
    eval->evaluator->device->dispatches++;
    if (made->run.missing)
        return oro_eval_fail(eval, ORO_E_EVALUATE, "the processor's code for '%s' has no '%s'",
                             dispatch->kernel, made->run.missing);
    if (made->run.no_memory)
        return oro_eval_fail(eval, ORO_E_MEMORY, "no memory for '%s'", dispatch->kernel);
    return !oro_eval_stopped(eval) || oro_eval_fail(eval, ORO_E_CANCELLED, "cancelled");
}
