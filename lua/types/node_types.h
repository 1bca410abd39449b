/* Scripts as node types: what a registry's scripts are created with (graph/derived/scripts.h). docs/lua.md
 * tells what a script may be. */
#ifndef ORO_LUA_TYPES_NODE_TYPES_H
#define ORO_LUA_TYPES_NODE_TYPES_H

#include "graph/derived/scripts.h"

extern const struct oro_script_language oro_lua_scripts;

#endif
