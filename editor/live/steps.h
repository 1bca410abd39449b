/* Which steps of a plan run, and how far they are, derived from what the evaluator reports. Internal to
 * live/. */
#ifndef ED_LIVE_STEPS_H
#define ED_LIVE_STEPS_H

#include "editor/live/live.h"
#include "graph/eval/evaluator.h"

struct ed_steps {
    const struct oro_plan *plan;
    uint8_t *phases; /* private: use ed_steps_phase */
    bool begun;      /* it is known which steps have to run */
    size_t current;  /* that runs; the step count: none */
    float part;      /* of it that is done; negative: unknown */
};

/* All steps that lead to the targets are taken for cached until the evaluator reports otherwise. False:
 * memory is out; then ed_steps_end is not needed. */
bool ed_steps_begin(struct ed_steps *steps, const struct oro_plan *plan, struct oro_error *err);
void ed_steps_end(struct ed_steps *steps);
/* ED_NODE_UNKNOWN: the step is not wanted. */
enum ed_node_phase ed_steps_phase(const struct ed_steps *steps, size_t step);
/* Takes in the evaluator's report of a step that is done; returns the step. */
size_t ed_steps_report(struct ed_steps *steps, const struct oro_step_report *report);
/* Takes in a report of progress. True if it is the first of work: all steps that will run are waiting now. */
bool ed_steps_progress(struct ed_steps *steps, const struct oro_progress *progress);
/* The evaluation did not succeed: the step that was running is waiting again, or has failed. */
void ed_steps_stopped(struct ed_steps *steps, bool failed);

#endif
