#include <math.h>
#include <string.h>

#include "lua/sandbox/library_private.h"
#include "lua/sandbox/line.h"

bool oro_library_call_meta(lua_State *lua, int index, const char *event, int results)
{
    index = lua_absindex(lua, index);
    if (luaL_getmetafield(lua, index, event) == LUA_TNIL)
        return false;
    lua_pushvalue(lua, index);
    lua_call(lua, 1, results);
    return true;
}

const char *oro_library_tostring(lua_State *lua, int index, size_t *length)
{
    if (oro_library_call_meta(lua, index, "__tostring", 1)) {
        if (lua_type(lua, -1) != LUA_TSTRING)
            luaL_error(lua, "__tostring must give a text");
        return lua_tolstring(lua, -1, length);
    }
    switch (lua_type(lua, index)) {
    case LUA_TNUMBER:
        if (isnan(lua_tonumber(lua, index)))
            lua_pushliteral(lua, "nan"); /* C libraries disagree on the sign of NaN */
        else
            lua_pushvalue(lua, index);
        break;
    case LUA_TSTRING:
        lua_pushvalue(lua, index);
        break;
    case LUA_TBOOLEAN:
        lua_pushstring(lua, lua_toboolean(lua, index) ? "true" : "false");
        break;
    case LUA_TNIL:
        lua_pushliteral(lua, "nil");
        break;
    default:
        lua_pushfstring(lua, "(a %s)", luaL_typename(lua, index));
    }
    return lua_tolstring(lua, -1, length);
}

static int to_string(lua_State *lua)
{
    luaL_checkany(lua, 1);
    oro_library_tostring(lua, 1, NULL);
    return 1;
}

/* Each call is one notice, until the limit is reached; the last notice says so. */
static int print(lua_State *lua)
{
    int count = lua_gettop(lua);
    luaL_Buffer all;
    luaL_buffinit(lua, &all);
    for (int i = 1; i <= count; i++) {
        if (i > 1)
            luaL_addchar(&all, '\t');
        oro_library_tostring(lua, i, NULL);
        luaL_addvalue(&all);
    }
    luaL_pushresult(&all);
    size_t length;
    const char *text = lua_tolstring(lua, -1, &length);
    struct oro_library *library = oro_library_of(lua);
    const struct oro_log *log = oro_guard_log(oro_guard_of(lua));
    char line[1000];
    oro_guard_charge(lua, 500);
    if (library->printed > ORO_LIBRARY_PRINT_MAX)
        return 0;
    oro_one_line(text, length, line, sizeof line);
    library->printed += strlen(line) + 1;
    if (library->printed <= ORO_LIBRARY_PRINT_MAX)
        oro_note(log, ORO_NOTICE, "%s", line);
    else
        oro_note(log, ORO_NOTICE, "more than %d KiB are printed: the rest is left out",
                 ORO_LIBRARY_PRINT_MAX / 1024);
    return 0;
}

/* Calls the handler after the error. Lua would call it within the error, where hooks are off if a hook raised
 * it. */
static int x_pcall(lua_State *lua)
{
    int count = lua_gettop(lua) - 2;
    luaL_checktype(lua, 2, LUA_TFUNCTION);
    lua_pushboolean(lua, true);
    lua_pushvalue(lua, 1);
    lua_rotate(lua, 3, 2);
    if (lua_pcall(lua, count, LUA_MULTRET, 0) == LUA_OK)
        return lua_gettop(lua) - 2;
    if (oro_guard_is_over(oro_guard_of(lua)))
        return lua_error(lua);
    lua_pushboolean(lua, false);
    lua_pushvalue(lua, 2);
    lua_pushvalue(lua, -3);
    lua_pcall(lua, 1, 1, 0);
    return 2;
}

const struct oro_library_entry oro_library_base[] = {
    {.name = "_VERSION"},
    {.name = "assert"},
    {.name = "error"},
    {.name = "getmetatable", .function = oro_library_getmetatable},
    {.name = "ipairs"},
    {.name = "next", .function = oro_library_next},
    {.name = "pairs", .function = oro_library_pairs},
    {.name = "pcall"},
    {.name = "print", .function = print},
    {.name = "rawequal"},
    {.name = "rawget"},
    {.name = "rawlen"},
    {.name = "rawset"},
    {.name = "require", .function = oro_library_require},
    {.name = "select"},
    {.name = "setmetatable", .function = oro_library_setmetatable},
    {.name = "tonumber", .price = ORO_LIBRARY_TEXTS},
    {.name = "tostring", .function = to_string},
    {.name = "type"},
    {.name = "xpcall", .function = x_pcall},
    {0},
};
