/* Shows what a simulation looks like while it runs. */
#include "base/clock.h"
#include "graph/eval/eval_private.h"
#include "graph/type/registry.h"

static void show(struct oro_eval *eval, struct oro_value *value, int done)
{
    struct oro_evaluator *evaluator = eval->evaluator;
    struct oro_live live = {.step = eval->step, .output = eval->live_output, .value = value, .done = done};
    evaluator->options.live(evaluator->options.user, &live);
    evaluator->last_live = oro_now();
}

static bool is_time(struct oro_eval *eval, int done)
{
    const struct oro_evaluator_options *options = &eval->evaluator->options;
    int every = options->live_every > 0 ? options->live_every : 1;
    if (done % every != 0 || !(options->live_seconds > 0))
        return done % every == 0;
    return oro_eval_decide(eval, oro_now() - eval->evaluator->last_live >= options->live_seconds);
}

bool oro_eval_watched(struct oro_eval *eval, const char *output, int done)
{
    if (eval->failed || !eval->evaluator->options.live || oro_eval_output_index(eval, output, ORO_NONE) < 0)
        return false;
    eval->live_output = output;
    return is_time(eval, done);
}

bool oro_eval_show(struct oro_eval *eval, const char *output, struct oro_buffer *buffer, int done)
{
    struct oro_error err;
    if (!output || !buffer || !oro_eval_watched(eval, output, done))
        return !eval->failed;
    int index = oro_eval_output_index(eval, output, ORO_NONE);
    struct oro_value *value = oro_value_create(eval->evaluator->device, eval->step->type->outputs[index].type,
                                               &eval->step->grid, buffer, NULL, &err);
    if (!value)
        return oro_eval_failed(eval, &err);
    show(eval, value, done);
    value->buffer = NULL; /* the buffer was only lent */
    oro_value_release(value);
    return true;
}

void oro_eval_show_end(struct oro_eval *eval)
{
    if (!eval->live_output)
        return;
    const struct oro_node_type *type = eval->step->type;
    show(eval, eval->result.values[oro_type_output(type, eval->live_output) - type->outputs], eval->done);
}
