#include "editor/live/steps.h"

#include "base/memory.h"

/* The phase of a step that is known to come from the cache; the steps before it need not run. */
enum { READY = ED_NODE_FAILED + 1 };

/* Changes the phase of all steps that are in phase `from` and lead to the targets through steps of that phase
 * only. */
static void mark(const struct oro_plan *plan, uint8_t *phases, uint8_t from, uint8_t to)
{
    for (size_t i = 0; i < plan->target_count; i++)
        if (phases[plan->targets[i].step] == from)
            phases[plan->targets[i].step] = to;
    for (size_t i = plan->step_count; i-- > 0;) {
        const struct oro_step *step = &plan->steps[i];
        for (size_t k = 0; phases[i] == to && step->type->inputs[k].name; k++)
            if (step->sources[k].step >= 0 && phases[step->sources[k].step] == from)
                phases[step->sources[k].step] = to;
    }
}

bool ed_steps_begin(struct ed_steps *steps, const struct oro_plan *plan, struct oro_error *err)
{
    *steps = (struct ed_steps){.plan = plan, .current = plan->step_count};
    steps->phases = oro_alloc(plan->step_count + 1, 1);
    if (!steps->phases)
        return oro_fail(err, ORO_E_MEMORY, "no memory to evaluate %zu steps", plan->step_count);
    mark(plan, steps->phases, ED_NODE_UNKNOWN, ED_NODE_CACHED);
    return true;
}

void ed_steps_end(struct ed_steps *steps)
{
    oro_free(steps->phases);
    steps->phases = NULL;
}

enum ed_node_phase ed_steps_phase(const struct ed_steps *steps, size_t step)
{
    return steps->phases[step] == READY ? ED_NODE_CACHED : (enum ed_node_phase)steps->phases[step];
}

size_t ed_steps_report(struct ed_steps *steps, const struct oro_step_report *report)
{
    size_t step = (size_t)(report->step - steps->plan->steps);
    if (report->outcome == ORO_STEP_COMPUTED) {
        steps->phases[step] = ED_NODE_DONE;
        steps->current = steps->plan->step_count;
    } else if (report->outcome != ORO_STEP_FAILED) {
        steps->phases[step] = READY;
    }
    return step;
}

bool ed_steps_progress(struct ed_steps *steps, const struct oro_progress *progress)
{
    bool first = !steps->begun;
    if (first)
        mark(steps->plan, steps->phases, ED_NODE_CACHED, ED_NODE_WAITING);
    steps->begun = true;
    steps->current = (size_t)(progress->step - steps->plan->steps);
    steps->phases[steps->current] = ED_NODE_RUNNING;
    steps->part = progress->total > 0 ? (float)progress->done / (float)progress->total : -1;
    return first;
}

void ed_steps_stopped(struct ed_steps *steps, bool failed)
{
    if (steps->current < steps->plan->step_count)
        steps->phases[steps->current] = failed ? ED_NODE_FAILED : ED_NODE_WAITING;
    steps->current = steps->plan->step_count;
}
