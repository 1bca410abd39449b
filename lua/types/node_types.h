/* Scripts as node types: what a registry's scripts are created with (graph/derived/scripts.h). docs/lua.md
 * says what a script can be. */
#ifndef ORO_LUA_TYPES_NODE_TYPES_H
#define ORO_LUA_TYPES_NODE_TYPES_H

#include "graph/derived/scripts.h"
#include "lua/script/script.h"

/* All forms of script; ends with a zeroed one. */
extern const struct oro_script_form oro_script_forms[];

extern const struct oro_script_language oro_lua_scripts;

#endif
