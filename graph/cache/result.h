/* What evaluating a step gives, and what the cache keeps. */
#ifndef ORO_GRAPH_CACHE_RESULT_H
#define ORO_GRAPH_CACHE_RESULT_H

#include "graph/type/value.h"

enum { ORO_RESULT_VALUES_MAX = 12, ORO_RESULT_FIGURES_MAX = 12 };

struct oro_figure {
    char name[48];
    char unit[16];
    double value;
};

/* All outputs of one step, or a simulation's state after `iterations` steps. */
struct oro_result {
    struct oro_value *values[ORO_RESULT_VALUES_MAX];
    int value_count;
    struct oro_figure figures[ORO_RESULT_FIGURES_MAX];
    int figure_count;
};
void oro_result_release(struct oro_result *result); /* releases its values and zeroes it */
uint64_t oro_result_bytes(const struct oro_result *result);
/* What was said of it (graph/type/said.h), or NULL. */
const char *oro_result_said(const struct oro_result *result);

#endif
