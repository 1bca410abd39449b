/* Shared by graph.c, and graph_guest.c, where the script runs in another process. */
#ifndef ORO_LUA_TYPES_GRAPH_PRIVATE_H
#define ORO_LUA_TYPES_GRAPH_PRIVATE_H

#include "lua/script/script.h"

/* Something that can be linked: an output of a node that was added, or an own input. */
struct oro_graph_handle {
    int node;   /* -1: an own input */
    int output; /* index of the output, or of the own input */
};

/* Lives while one graph is built; an upvalue of all functions here. */
struct oro_building {
    struct oro_build *build;
    const struct oro_node_type *own;
    const void *params;
    const struct oro_node_type *types[256]; /* of the nodes that were added */
};

extern const char oro_graph_handle_name[]; /* of the metatable */

/* Functions of scripts; their upvalue is the building. b.NAME, which gives a function that adds such a node,
 * and HANDLE.NAME. */
int oro_graph_find_node(lua_State *lua);
int oro_graph_find_output(lua_State *lua);

/* Pushes the metatable of handles; the table b; the table p. */
void oro_graph_push_handle_type(lua_State *lua, lua_CFunction find_output, void *user);
void oro_graph_push_nodes(lua_State *lua, lua_CFunction find_node, void *user);
void oro_graph_push_inputs(lua_State *lua, const struct oro_building *building);

/* Reads what the function returned, from stack index `first` on: one value for each output, or one table by
 * name. */
void oro_graph_take_outputs(lua_State *lua, struct oro_building *building, int first);

/* Builds the graph with the script in a guest. */
bool oro_graph_build_in_guest(const struct oro_script *script, struct oro_building *building,
                              struct oro_error *err);

#endif
