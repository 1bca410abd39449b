/* What Lua adds to a registry of node types: expressions, and scripts as node types; along with them, graphs
 * as node types. */
#ifndef ORO_LUA_TYPES_REGISTRY_H
#define ORO_LUA_TYPES_REGISTRY_H

#include "graph/derived/assets.h"
#include "graph/derived/scripts.h"

/* Makes a registry with the node types of `types` (oro_builtin_nodes) that also knows graphs, expressions and
 * scripts. It must not be moved, and only one thread at a time may use it. `log` gets what scripts print and
 * must outlive the registry. `allow_any_path`: graphs and scripts may lie anywhere. If it fails, nothing is
 * left to close. */
bool oro_registry_open(struct oro_registry *registry, const struct oro_registry *types, bool allow_any_path,
                       const struct oro_log *log, struct oro_error *err);
void oro_registry_close(struct oro_registry *registry);
/* Whether a script or graph that node types are made of has changed on disk: those types are dropped, and
 * made again when they are next asked for. Must not be called while a plan is made. Does nothing if opening
 * failed. */
bool oro_registry_refresh(struct oro_registry *registry);

#endif
