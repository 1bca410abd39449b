/*
 * An evaluator while it runs a plan: results that wait for later steps, room for them on the device, and how
 * the work goes on. Private to graph/eval/.
 */
#ifndef ORO_GRAPH_EVAL_RUNNING_H
#define ORO_GRAPH_EVAL_RUNNING_H

#include <stdatomic.h>

#include "graph/cache/cache.h"
#include "graph/eval/options.h"
#include "graph/type/said.h"

/* A step while a plan runs. */
struct oro_running_step {
    bool needed, ready;
    int uses;                  /* by steps that are still to run, and by targets */
    struct oro_result *result; /* NULL: there is none; few steps of a plan have one at a time */
};

struct oro_plan_run {
    struct oro_evaluator *evaluator;
    const struct oro_plan *plan;
    struct oro_running_step *slots;
    struct oro_text said; /* of results, so far: it is said once */
    struct oro_error *err;
};

struct oro_evaluator {
    struct oro_device *device;
    struct oro_cache *cache;
    struct oro_evaluator_options options;
    atomic_int cancelled;     /* lock-free, which makes it safe in a signal handler */
    struct oro_plan_run *run; /* while a plan runs */
    double started, last_progress, last_live;
    size_t step_index, step_count;
};

/* Gives the result of a step up. */
void oro_running_step_drop(struct oro_running_step *slot);
/* Frees device memory for what `step` is about to make: first what only the cache holds is dropped, then
 * results that wait for later steps move to the host. If that is not enough, creating the buffer fails. */
void oro_evaluator_make_room(struct oro_evaluator *evaluator, const struct oro_step *step, size_t bytes);
/* The result of a step of the running plan; it exists while a step that uses it runs. */
const struct oro_result *oro_evaluator_result(const struct oro_evaluator *evaluator, int step);
/* Whether the work should end: it was cancelled, or another rank has failed. For the evaluator's thread. */
bool oro_evaluator_stopped(struct oro_evaluator *evaluator);
bool oro_evaluator_report_progress(struct oro_evaluator *evaluator, const struct oro_progress *progress,
                                   bool force);

#endif
