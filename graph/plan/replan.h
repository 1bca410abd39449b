/*
 * Plans that follow a document through its edits. Most edits of a graph change values and nothing else, and
 * values change what steps do, but not which steps there are: then the plan stays, the edited nodes get their
 * params, and everything that depends on them gets its keys. After any other change a plan is made anew.
 * Either way it is the plan that oro_plan_create makes.
 *
 * A plan is also made anew after edits within groups, of composites (such as amplify) and of graphs that are
 * used as nodes, where it writes files, when a file that it reads has changed, and when the node was edited
 * whose file says where the world lies.
 */
#ifndef ORO_GRAPH_PLAN_REPLAN_H
#define ORO_GRAPH_PLAN_REPLAN_H

#include "graph/plan/plan.h"

struct oro_replanner; /* one thread at a time */

/* NULL: memory is out. */
struct oro_replanner *oro_replanner_create(void);
void oro_replanner_destroy(struct oro_replanner *replanner); /* NULL is allowed */

/* As oro_plan_create, but the plan is the replanner's, and valid until the next call. A few plans are kept,
 * for different targets, options and worlds. */
const struct oro_plan *oro_replan(struct oro_replanner *replanner, const struct oro_document *doc,
                                  const struct oro_registry *registry, const struct oro_target *targets,
                                  size_t target_count, const struct oro_plan_options *options,
                                  struct oro_device *device, struct oro_error *err);
/* How many of the plans that were asked for were not made anew. */
size_t oro_replanner_followed(const struct oro_replanner *replanner);

#endif
