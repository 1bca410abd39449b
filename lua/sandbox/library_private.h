/* Shared by the parts of the library. */
#ifndef ORO_LUA_SANDBOX_LIBRARY_PRIVATE_H
#define ORO_LUA_SANDBOX_LIBRARY_PRIVATE_H

#include <lauxlib.h>
#include <lua.h>

#include "lua/sandbox/guard.h"
#include "lua/sandbox/library.h"

/* What the library keeps in a state. */
struct oro_library {
    const struct oro_modules *modules; /* or NULL */
    int module_count;                  /* modules that were loaded or tried */
    size_t printed;                    /* bytes */
    lua_Integer position;              /* place of the key that next last gave, among the table's keys */
    uint64_t random;
};
/* NULL: the library was not opened. */
struct oro_library *oro_library_of(lua_State *lua);

/* Calls a metamethod with the value at `index`, and pushes `results` results; false: there is none. */
bool oro_library_call_meta(lua_State *lua, int index, const char *event, int results);

/* Like oro_library_load, but raises errors. */
void oro_library_load_text(lua_State *lua, const char *text, size_t length, const char *name, int line);

/* Functions in place of Lua's own. Each is a closure whose upvalue is Lua's own function of the same name:
 * oro_library_call_own calls that with the same arguments. */
int oro_library_call_own(lua_State *lua);
/* library_base.c */
int oro_library_to_string(lua_State *lua);
int oro_library_print(lua_State *lua);
int oro_library_getmetatable(lua_State *lua);
int oro_library_setmetatable(lua_State *lua);
/* library_string.c */
int oro_library_format(lua_State *lua);
int oro_library_lower(lua_State *lua);
int oro_library_upper(lua_State *lua);
/* library_math.c, library_pairs.c, library_sort.c, library_require.c */
int oro_library_random(lua_State *lua);
int oro_library_randomseed(lua_State *lua);
int oro_library_pairs(lua_State *lua);
int oro_library_next(lua_State *lua);
int oro_library_sort(lua_State *lua);
int oro_library_require(lua_State *lua);

#endif
