/* Nodes whose script builds a graph of other nodes. */
#ifndef ORO_LUA_TYPES_GRAPH_H
#define ORO_LUA_TYPES_GRAPH_H

#include "graph/type/node.h"

bool oro_script_expand(struct oro_build *build, const void *params);

#endif
