/*
 * How long work will take, as far as work before it tells: the pace of each type of node on each device is
 * learnt while graphs are evaluated, and kept as notes beside the results (graph/cache/notes.h). Work is
 * counted in cells, times iterations where the step has them. A forecast is rough: other parameters count as
 * they were, and what grows faster than the number of cells is told too short.
 */
#ifndef ORO_GRAPH_EVAL_PACE_H
#define ORO_GRAPH_EVAL_PACE_H

#include "graph/plan/plan.h"

struct oro_forecast {
    double seconds;                 /* of the steps whose pace is known */
    size_t known, unknown;          /* steps */
    const struct oro_step *longest; /* of those that are known; NULL: none is */
    double longest_seconds;
};

/* Learns from a step that was computed, or from the `share` of it that was. What is too short to tell is
 * ignored, as making the kernels would count, and so is a far smaller raster than those learnt from before.
 * `folder`: the cache's; NULL: the user's. `device`: its name. */
void oro_pace_learn(const char *folder, const char *device, const struct oro_step *step, double share,
                    double seconds);

/* Adds the step, of which `share` is still to be done. */
void oro_forecast_add(struct oro_forecast *forecast, const char *folder, const char *device,
                      const struct oro_step *step, double share);
/* All of the plan's steps, as if the cache had none of their results. */
struct oro_forecast oro_forecast_plan(const struct oro_plan *plan, const char *folder, const char *device);

#endif
