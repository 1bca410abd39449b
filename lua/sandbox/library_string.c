#include <string.h>

#include "lua/sandbox/library_private.h"

static char lower_letter(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static char upper_letter(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static int change_letters(lua_State *lua, char (*change)(char))
{
    size_t length;
    const char *text = luaL_checklstring(lua, 1, &length);
    luaL_Buffer buffer;
    char *out = luaL_buffinitsize(lua, &buffer, length);
    oro_guard_charge(lua, (double)length / 4);
    for (size_t i = 0; i < length; i++)
        out[i] = change(text[i]);
    luaL_pushresultsize(&buffer, length);
    return 1;
}

static int lower(lua_State *lua)
{
    return change_letters(lua, lower_letter);
}

static int upper(lua_State *lua)
{
    return change_letters(lua, upper_letter);
}

static int repeat(lua_State *lua)
{
    size_t length, between_length;
    const char *text = luaL_checklstring(lua, 1, &length);
    lua_Integer count = luaL_checkinteger(lua, 2);
    const char *between = luaL_optlstring(lua, 3, "", &between_length);
    size_t each = length + between_length;
    if (count <= 0 || each == 0) {
        lua_pushliteral(lua, "");
        return 1;
    }
    if ((uint64_t)count > ORO_GUARD_TEXT_MAX / each + 1 ||
        each * (size_t)count - between_length > ORO_GUARD_TEXT_MAX)
        return luaL_error(lua, "the text would have more than %d bytes", ORO_GUARD_TEXT_MAX);
    luaL_Buffer buffer;
    oro_guard_charge(lua, (double)count);
    luaL_buffinitsize(lua, &buffer, each * (size_t)count);
    for (lua_Integer i = 1; i <= count; i++) {
        luaL_addlstring(&buffer, text, length);
        if (i < count)
            luaL_addlstring(&buffer, between, between_length);
    }
    luaL_pushresult(&buffer);
    return 1;
}

const struct oro_library_entry oro_library_string[] = {
    {.name = "byte", .price = ORO_LIBRARY_RANGE},
    {.name = "char"},
    {.name = "find", .function = oro_library_find},
    {.name = "format", .function = oro_library_format},
    {.name = "gmatch", .function = oro_library_gmatch},
    {.name = "gsub", .function = oro_library_gsub},
    {.name = "len"},
    {.name = "lower", .function = lower},
    {.name = "match", .function = oro_library_match},
    {.name = "rep", .function = repeat},
    {.name = "reverse", .price = ORO_LIBRARY_TEXTS},
    {.name = "sub"},
    {.name = "upper", .function = upper},
    {0},
};
