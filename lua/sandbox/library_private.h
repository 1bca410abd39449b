/* What the parts of the library share. */
#ifndef ORO_LUA_SANDBOX_LIBRARY_PRIVATE_H
#define ORO_LUA_SANDBOX_LIBRARY_PRIVATE_H

#include <lauxlib.h>
#include <lua.h>

#include "lua/sandbox/guard.h"
#include "lua/sandbox/library.h"

/* What a function of Lua's pays for beforehand. */
enum oro_library_price {
    ORO_LIBRARY_FREE,
    ORO_LIBRARY_TEXTS, /* the length of its texts */
    ORO_LIBRARY_RANGE, /* arguments are (text, from, to), and there is a result for each; not too many */
    ORO_LIBRARY_COUNT, /* as many characters as the second argument says */
};

struct oro_library_entry {
    const char *name;
    lua_CFunction function; /* NULL: as Lua has it */
    enum oro_library_price price;
};

/* Ends with a name of NULL. */
extern const struct oro_library_entry oro_library_base[], oro_library_string[], oro_library_table[],
    oro_library_math[], oro_library_utf8[];

/* What the library keeps in a state. */
struct oro_library {
    const struct oro_modules *modules; /* or NULL */
    int module_count;                  /* that were loaded, or tried */
    size_t printed;                    /* bytes */
    lua_Integer position;              /* of the key that next gave last, among the table's keys */
    uint64_t random;
};
/* NULL: the library was not opened. */
struct oro_library *oro_library_of(lua_State *lua);

/* A table for so many elements, which the guard does not mistake for one of many keys. */
void oro_library_new_array(lua_State *lua, lua_Integer count);

/* Calls the metamethod with the value at `index`, and pushes `results`; false: there is none. */
bool oro_library_call_meta(lua_State *lua, int index, const char *event, int results);

/* Loads as oro_library_load does, but raises errors. */
void oro_library_load_text(lua_State *lua, const char *text, size_t length, const char *name, int line);

/* library_pattern.c, library_match.c, library_format.c */
int oro_library_find(lua_State *lua);
int oro_library_match(lua_State *lua);
int oro_library_gmatch(lua_State *lua);
int oro_library_gsub(lua_State *lua);
int oro_library_format(lua_State *lua);
/* library_meta.c, library_pairs.c, library_sort.c, library_require.c */
int oro_library_getmetatable(lua_State *lua);
int oro_library_setmetatable(lua_State *lua);
int oro_library_pairs(lua_State *lua);
int oro_library_next(lua_State *lua);
int oro_library_sort(lua_State *lua);
int oro_library_require(lua_State *lua);

#endif
