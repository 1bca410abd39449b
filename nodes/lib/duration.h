/*
 * How long a simulation runs. docs/time.md tells the rule; in short: the input `duration` is the time that
 * passes, and the iterations follow from it and from the size of the cells; the input `iterations` counts
 * them instead where it is not 0.
 */
#ifndef ORO_NODES_LIB_DURATION_H
#define ORO_NODES_LIB_DURATION_H

#include "graph/type/node.h"

/* Years of a reference step, the unit of time of all coefficients: an iteration on reference cells. */
#define ORO_REFERENCE_YEARS 1000.0

/* Fields of the params struct that the macro below needs. */
#define ORO_DURATION_PARAMS                                                                                  \
    float duration;                                                                                          \
    int iterations

/* `step` says what an iteration does. */
#define ORO_IN_DURATION(params, standard, time_unit, most, step)                                             \
    ORO_IN_FLOAT(params, duration, standard, .role = ORO_ROLE_DURATION, .min = 0, .max = 1e9,                \
                 .soft_max = (most), .unit = (time_unit),                                                    \
                 .doc = "Time that passes, where `iterations` is 0. The same time does the same work at "    \
                        "every resolution: the finer the cells, the more iterations it takes"),              \
        ORO_IN_INT(params, iterations, 0, .role = ORO_ROLE_ITERATIONS, .min = 0, .max = 1000000,             \
                   .soft_max = 4000,                                                                         \
                   .doc = step "; 0: as many as `duration` takes. A given number does other work at every "  \
                               "resolution")

struct oro_pace {
    int iterations;
    bool counted; /* by the input: `step` is 1 */
    double step;  /* of an iteration, in reference steps */
};

/* How many iterations of `step` reference steps, each of `unit` years or seconds, `duration` takes: at least
 * one, if any time passes. Reports the number as a figure. Fails with ORO_E_LIMIT if there are too many. */
bool oro_pace_plan(struct oro_eval *eval, int iterations, double duration, double step, double unit,
                   struct oro_pace *pace);

/* What stream power takes up in an iteration of deposition, relative to a reference step on reference cells,
 * with cells of x reference cells and the exponent m of the drainage area. */
double oro_pace_carving(const struct oro_pace *pace, double x, double area_exponent);

#endif
