/* Which steps of a plan run, and how far they are: told from what the evaluator reports. Internal to live/.
 */
#ifndef ED_LIVE_STEPS_H
#define ED_LIVE_STEPS_H

#include "editor/live/live.h"
#include "graph/eval/evaluator.h"

struct ed_steps {
    const struct oro_plan *plan;
    uint8_t *phases; /* private: use ed_steps_phase */
    bool begun;      /* what has to run is known */
    size_t current;  /* that runs; the step count: none */
    float part;      /* of it that is done; negative: unknown */
};

/* All steps that lead to the targets are taken for cached until something else is heard of them. False:
 * memory is out; then there is nothing to end. */
bool ed_steps_begin(struct ed_steps *steps, const struct oro_plan *plan, struct oro_error *err);
void ed_steps_end(struct ed_steps *steps);
/* Unknown: the step is not wanted. */
enum ed_node_phase ed_steps_phase(const struct ed_steps *steps, size_t step);
/* What the evaluator says: of a step that is done, and of progress. Gives the step. */
size_t ed_steps_report(struct ed_steps *steps, const struct oro_step_report *report);
/* True where this is the first that is heard of work: all that will run is waiting now. */
bool ed_steps_progress(struct ed_steps *steps, const struct oro_progress *progress);
/* The evaluation ended without success: what was running is waiting again, or has failed. */
void ed_steps_stopped(struct ed_steps *steps, bool failed);

#endif
