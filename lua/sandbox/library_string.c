#include <math.h>
#include <string.h>

#include "lua/sandbox/library_private.h"

static int change_letters(lua_State *lua, char from, char to)
{
    size_t length;
    const char *text = luaL_checklstring(lua, 1, &length);
    luaL_Buffer buffer;
    char *out = luaL_buffinitsize(lua, &buffer, length);
    for (size_t i = 0; i < length; i++)
        out[i] = (char)(text[i] >= from && text[i] < from + 26 ? text[i] - from + to : text[i]);
    luaL_pushresultsize(&buffer, length);
    return 1;
}

int oro_library_lower(lua_State *lua)
{
    return change_letters(lua, 'A', 'a');
}

int oro_library_upper(lua_State *lua)
{
    return change_letters(lua, 'a', 'A');
}

/* string.format without conversions that show addresses. C libraries disagree on the sign of NaN. */
int oro_library_format(lua_State *lua)
{
    size_t length;
    const char *at = luaL_checklstring(lua, 1, &length), *end = at + length;
    for (int argument = 1, last = lua_gettop(lua); at < end; at++) {
        if (*at != '%' || *++at == '%')
            continue;
        at += strspn(at, "-+#0 .123456789");
        if (*at && strchr("aApq", *at))
            return luaL_error(lua, "invalid conversion '%%%c' to 'format'", *at);
        if (++argument > last)
            break;
        if (*at == 's')
            oro_library_tostring(lua, argument, NULL);
        else if (lua_type(lua, argument) == LUA_TNUMBER && isnan(lua_tonumber(lua, argument)))
            lua_pushnumber(lua, NAN);
        else
            continue;
        lua_replace(lua, argument);
    }
    return oro_library_call_own(lua);
}
