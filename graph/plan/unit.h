/* The units of what a plan's steps give. */
#ifndef ORO_GRAPH_PLAN_UNIT_H
#define ORO_GRAPH_PLAN_UNIT_H

#include "graph/plan/plan.h"

/* The unit of an output of a step: its own or, where the type passes units on (`unit_of`), that of what it is
 * made from. */
enum oro_unit oro_plan_unit(const struct oro_plan *plan, struct oro_plan_source source);

#endif
