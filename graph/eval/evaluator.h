/*
 * The evaluator runs plans on a device, with a cache. One thread at a time; only oro_evaluator_cancel may be
 * called from another thread or a signal handler.
 */
#ifndef ORO_GRAPH_EVAL_EVALUATOR_H
#define ORO_GRAPH_EVAL_EVALUATOR_H

#include "graph/cache/cache.h"
#include "graph/eval/options.h"

struct oro_evaluator;
struct oro_evaluator *oro_evaluator_create(struct oro_device *device, struct oro_cache *cache,
                                           const struct oro_evaluator_options *options);
void oro_evaluator_destroy(struct oro_evaluator *evaluator);

/* Evaluates the plan's targets in order. `values` (may be NULL) receives one retained value per target, NULL
 * for a sink. On failure all are NULL. A lost device is rebuilt once and the work continues from the cache;
 * lost again, it is given up with ORO_E_LOST. */
bool oro_evaluate(struct oro_evaluator *evaluator, const struct oro_plan *plan, struct oro_value **values,
                  struct oro_error *err);

/* The history of the terrain that a source of the plan gives (graph/type/node.h), without the figures of what
 * nodes carved. The texts are the plan's. Fails with ORO_E_MEMORY. */
bool oro_plan_lineage(const struct oro_plan *plan, struct oro_plan_source source, struct oro_lineage *lineage,
                      struct oro_error *err);

/* For what has failed with `err` over the raster that a source of the plan gives: where that is not finite,
 * puts the blame on the first node on the way that made it so, of finite ones, whose place `err` then has.
 * Evaluates again what the cache does not have. */
void oro_evaluator_blame(struct oro_evaluator *evaluator, const struct oro_plan *plan,
                         struct oro_plan_source source, struct oro_error *err);
/* The same for an evaluation that has failed: for each raster that the step takes whose place `err` has. */
void oro_evaluator_blame_inputs(struct oro_evaluator *evaluator, const struct oro_plan *plan,
                                struct oro_error *err);

/* Asks the running evaluation to stop; it ends with ORO_E_CANCELLED within some 50 ms, and the cache keeps
 * what was done. While none runs, the request waits: the next evaluation ends with ORO_E_CANCELLED before it
 * does anything. Each request stops at most one evaluation, and one that comes as the work is just done may
 * be without effect. Safe in a signal handler and from any thread, until the evaluator is destroyed. */
void oro_evaluator_cancel(struct oro_evaluator *evaluator);
/* Withdraws a request that came too late for the evaluation it was meant for. Only while none runs. */
void oro_evaluator_forget_cancel(struct oro_evaluator *evaluator);

#endif
