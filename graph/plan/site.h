/*
 * The world that plans of a document are made for: as the document says it, or with the extent, the aspect
 * and the place of a file that one of its nodes reads (struct oro_world, `from`).
 */
#ifndef ORO_GRAPH_PLAN_SITE_H
#define ORO_GRAPH_PLAN_SITE_H

#include "graph/plan/plan.h"

/* The world with what the file says in the place of what the document does; `seed`, `resolution` and `from`
 * are the document's. `from` is the document's own text; the caller frees `crs`. Fails as a plan would. Only
 * the options about paths and overrides count. */
bool oro_world_located(const struct oro_document *doc, const struct oro_registry *registry,
                       const struct oro_plan_options *options, struct oro_world *world,
                       struct oro_error *err);

#endif
