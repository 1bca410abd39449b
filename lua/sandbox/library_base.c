#include <math.h>
#include <string.h>

#include "base/line.h"
#include "lua/sandbox/library_private.h"

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

int oro_library_to_string(lua_State *lua)
{
    luaL_checkany(lua, 1);
    oro_library_tostring(lua, 1, NULL);
    return 1;
}

/* Each call is one notice, until the limit is reached; the last notice says so. */
int oro_library_print(lua_State *lua)
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

/* Scripts do not see the metatables of values that the program makes. */
int oro_library_getmetatable(lua_State *lua)
{
    luaL_checkany(lua, 1);
    if (lua_istable(lua, 1))
        return oro_library_call_own(lua);
    if (luaL_getmetafield(lua, 1, "__metatable") == LUA_TNIL)
        lua_pushnil(lua);
    return 1;
}

int oro_library_setmetatable(lua_State *lua)
{
    static const char *const refused[] = {"__gc", "__mode"};
    for (size_t i = 0; lua_istable(lua, 2) && i < sizeof refused / sizeof refused[0]; i++) {
        lua_pushstring(lua, refused[i]);
        if (lua_rawget(lua, 2) != LUA_TNIL)
            return luaL_error(lua, "a metatable may have no '%s'", refused[i]);
        lua_pop(lua, 1);
    }
    return oro_library_call_own(lua);
}
