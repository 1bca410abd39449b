/* One step: the node's code, or its kernel where it has none. */
#include "base/clock.h"
#include "graph/eval/eval_private.h"
#include "graph/eval/kernel.h"

/* The node has one kernel and no code: everything is bound, and it runs once over the output's cells. */
static bool run_default(struct oro_eval *eval)
{
    const struct oro_node_type *type = eval->step->type;
    struct oro_pass pass = {.kernel = type->kernel};
    struct oro_buffer *buffers[ORO_BUFFERS_MAX] = {0};
    if (!oro_kernel_default_slots(type, eval->linked, eval->arena, &pass))
        return oro_eval_fail(eval, ORO_E_EVALUATE, "node type '%s' has too many inputs and outputs",
                             type->id);
    int count = 0;
    for (size_t i = 0; type->inputs[i].name; i++) {
        if (!eval->linked[i])
            continue;
        if (!pass.source.width && !type->inputs[i].map)
            pass.source = eval->inputs[i]->grid;
        buffers[count++] = oro_eval_value_buffer(eval, eval->inputs[i]);
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
            oro_eval_fail(eval, ORO_E_EVALUATE, "node type '%s' did not give '%s'", type->id,
                          type->outputs[i].name);
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
    for (size_t i = 0; eval->made && eval->step->type->inputs[i].name; i++)
        oro_free(eval->made[i]);
    oro_free(eval->owned);
    oro_result_release(&eval->result);
    oro_arena_destroy(eval->arena);
}
