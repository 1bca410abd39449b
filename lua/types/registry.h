/* What Lua adds to a registry of node types: expressions, scripts as node types; and with them graphs as
 * nodes. */
#ifndef ORO_LUA_TYPES_REGISTRY_H
#define ORO_LUA_TYPES_REGISTRY_H

#include "graph/derived/assets.h"
#include "graph/derived/scripts.h"

/* A registry with the node types of `types` (oro_builtin_nodes), which knows graphs as nodes, expressions and
 * scripts. It must stay where it is while it is used, by one thread at a time. `log` gets what scripts say,
 * and must outlive it. `allow_any_path`: graphs and scripts may lie anywhere. Close in any case. */
bool oro_registry_open(struct oro_registry *registry, const struct oro_registry *types, bool allow_any_path,
                       const struct oro_log *log, struct oro_error *err);
void oro_registry_close(struct oro_registry *registry);
/* Whether a script or graph that node types are made of has changed on the disk: those types are gone then,
 * and made anew when they are asked for. Not while a plan is made. One that did not open has none. */
bool oro_registry_refresh(struct oro_registry *registry);

#endif
