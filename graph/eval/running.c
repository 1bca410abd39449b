#include "graph/eval/running.h"

#include "base/clock.h"
#include "base/memory.h"

const struct oro_result *oro_evaluator_result(const struct oro_evaluator *evaluator, int step)
{
    return evaluator->run->slots[step].result;
}

void oro_running_step_drop(struct oro_running_step *slot)
{
    if (slot->result)
        oro_result_release(slot->result);
    oro_free(slot->result);
    slot->result = NULL;
}

static bool uses(const struct oro_step *step, const struct oro_running_step *slots,
                 const struct oro_value *value)
{
    for (size_t i = 0; step->type->inputs[i].name; i++) {
        struct oro_plan_source source = step->sources[i];
        if (source.step >= 0 && slots[source.step].result->values[source.output] == value)
            return true;
    }
    return false;
}

void oro_evaluator_make_room(struct oro_evaluator *evaluator, const struct oro_step *step, size_t bytes)
{
    struct oro_device *device = evaluator->device;
    struct oro_plan_run *run = evaluator->run;
    if (!device->budget_bytes || (evaluator->cache && oro_cache_make_room(evaluator->cache, device, bytes)))
        return;
    for (size_t i = run->plan->step_count; i-- > 0;)
        for (int k = 0; run->slots[i].result && k < run->slots[i].result->value_count; k++) {
            struct oro_value *value = run->slots[i].result->values[k];
            if (device->used_bytes + bytes <= device->budget_bytes)
                return;
            /* Values that others hold, such as one on display, stay on the device. */
            if (value->buffer && value->references == value->cached + 1 && !uses(step, run->slots, value))
                oro_value_to_host(value, NULL);
        }
}

bool oro_evaluator_report_progress(struct oro_evaluator *evaluator, const struct oro_progress *progress,
                                   bool force)
{
    double now = oro_now();
    if (!evaluator->options.progress || (!force && now - evaluator->last_progress < 0.1))
        return false;
    struct oro_progress full = *progress;
    full.step_index = evaluator->step_index;
    full.step_count = evaluator->step_count;
    full.seconds = now - evaluator->started;
    evaluator->last_progress = now;
    evaluator->options.progress(evaluator->options.user, &full);
    return true;
}

bool oro_evaluator_stopped(struct oro_evaluator *evaluator)
{
    struct oro_ranks *ranks = evaluator->options.ranks;
    return atomic_load(&evaluator->cancelled) || (ranks && ranks->ops->stop && ranks->ops->stop(ranks));
}
