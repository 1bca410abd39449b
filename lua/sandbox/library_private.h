/* Shared by the parts of the library. */
#ifndef ORO_LUA_SANDBOX_LIBRARY_PRIVATE_H
#define ORO_LUA_SANDBOX_LIBRARY_PRIVATE_H

#include <lauxlib.h>
#include <lua.h>

#include "lua/sandbox/guard.h"
#include "lua/sandbox/library.h"

/* What a function of Lua's is charged for before it is called. */
enum oro_library_price {
    ORO_LIBRARY_FREE,
    ORO_LIBRARY_TEXTS, /* the length of its texts */
    ORO_LIBRARY_RANGE, /* its arguments (text, from, to): it gives a result for each place; limited in number
                        */
    ORO_LIBRARY_COUNT, /* the number of characters that the second argument gives */
};

struct oro_library_entry {
    const char *name;
    lua_CFunction function; /* NULL: Lua's own */
    enum oro_library_price price;
};

/* Ends with a name of NULL. */
extern const struct oro_library_entry oro_library_base[], oro_library_string[], oro_library_table[],
    oro_library_math[], oro_library_utf8[];

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

/* Makes a table for `count` elements, which the guard does not mistake for one of many keys. */
void oro_library_new_array(lua_State *lua, lua_Integer count);

/* Calls a metamethod with the value at `index`, and pushes `results` results; false: there is none. */
bool oro_library_call_meta(lua_State *lua, int index, const char *event, int results);

/* Like oro_library_load, but raises errors. */
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
