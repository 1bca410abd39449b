/* Evaluates one step: runs the node's code, or its kernel if it has no code. */
#include "base/clock.h"
#include "graph/eval/eval_private.h"

/* What is neither given nor kept goes first, so that `finish` need not keep it where rasters are in tiles. */
static void free_scratch(struct oro_eval *eval)
{
    struct oro_device *device = eval->evaluator->device;
    for (size_t i = 0; i < eval->owned_count; i++) {
        struct oro_owned *owned = &eval->owned[i];
        if (owned->value)
            continue;
        device->ops->buffer_destroy(device, owned->buffer);
        owned->buffer = NULL;
    }
}

bool oro_eval_step(struct oro_eval *eval)
{
    const struct oro_node_type *type = eval->step->type;
    eval->started = eval->last_state = oro_now();
    bool ok = type->eval ? type->eval(eval, eval->step->params) : oro_eval_default(eval, NULL);
    if (!ok && !eval->failed)
        oro_eval_fail(eval, ORO_E_EVALUATE, "node type '%s' failed without saying why", type->id);
    for (int i = 0; !eval->failed && type->outputs && type->outputs[i].name; i++)
        if (i >= ORO_RESULT_VALUES_MAX || !eval->result.values[i])
            oro_eval_fail(eval, ORO_E_EVALUATE, "node type '%s' did not give '%s'", type->id,
                          type->outputs[i].name);
    struct oro_error err;
    free_scratch(eval);
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
        else if (eval->owned[i].buffer)
            device->ops->buffer_destroy(device, eval->owned[i].buffer);
    }
    for (size_t i = 0; eval->made && eval->step->type->inputs[i].name; i++)
        oro_free(eval->made[i]);
    oro_free(eval->owned);
    oro_text_free(&eval->said);
    oro_result_release(&eval->result);
    oro_arena_destroy(eval->arena);
}
