/* Functions of lists. They look only at the table itself, so that no metamethod can lie about its length. */
#include <string.h>

#include "lua/sandbox/library_private.h"

/* Checks that the argument is a table, and gives its length. */
static lua_Integer length_of(lua_State *lua, int index)
{
    luaL_checktype(lua, index, LUA_TTABLE);
    return (lua_Integer)lua_rawlen(lua, index);
}

/* Moves `count` elements within a table or to another one, in the direction that overwrites none too
 * early. */
static void move_elements(lua_State *lua, int source, lua_Integer from, lua_Integer count, int target,
                          lua_Integer to)
{
    bool upwards = source == target && to > from;
    oro_guard_charge(lua, 2 * (double)count);
    for (lua_Integer i = 0; i < count; i++) {
        lua_Integer offset = upwards ? count - 1 - i : i;
        lua_rawgeti(lua, source, from + offset);
        lua_rawseti(lua, target, to + offset);
        if (i % 1000 == 999)
            oro_guard_charge(lua, 200); /* looks at the clock */
    }
}

static int insert(lua_State *lua)
{
    lua_Integer length = length_of(lua, 1), at = length + 1;
    int count = lua_gettop(lua);
    if (count != 2 && count != 3)
        return luaL_error(lua, "insert takes a table, a position or none, and a value");
    if (count == 3) {
        at = luaL_checkinteger(lua, 2);
        luaL_argcheck(lua, at >= 1 && at <= length + 1, 2, "position out of bounds");
        move_elements(lua, 1, at, length + 1 - at, 1, at + 1);
    }
    lua_rawseti(lua, 1, at);
    return 0;
}

static int take_out(lua_State *lua)
{
    lua_Integer length = length_of(lua, 1), at = luaL_optinteger(lua, 2, length);
    bool last = at == length || (length == 0 && at == 0);
    luaL_argcheck(lua, last || (at >= 1 && at <= length + 1), 2, "position out of bounds");
    lua_rawgeti(lua, 1, at);
    if (at < length)
        move_elements(lua, 1, at + 1, length - at, 1, at);
    lua_pushnil(lua);
    lua_rawseti(lua, 1, at < length ? length : at);
    return 1;
}

/* The number of elements `from` .. `to`; refuses ranges that no table can have. */
static lua_Integer count_of(lua_State *lua, lua_Integer from, lua_Integer to, int index)
{
    const lua_Integer most = (lua_Integer)1 << 31;
    if (from > to)
        return 0;
    luaL_argcheck(lua, from >= -most && to <= most && to - from < most, index, "too many elements");
    return to - from + 1;
}

static int move(lua_State *lua)
{
    lua_Integer from = luaL_checkinteger(lua, 2), to = luaL_checkinteger(lua, 3);
    lua_Integer target = luaL_checkinteger(lua, 4);
    int table = lua_isnoneornil(lua, 5) ? 1 : 5;
    length_of(lua, 1);
    length_of(lua, table);
    lua_Integer count = count_of(lua, from, to, 3);
    count_of(lua, target, target > 0 ? target : -target, 4);
    move_elements(lua, 1, from, count, table == 5 && lua_rawequal(lua, 1, 5) ? 1 : table, target);
    lua_pushvalue(lua, table);
    return 1;
}

static int concat(lua_State *lua)
{
    size_t length;
    lua_Integer last = length_of(lua, 1);
    const char *between = luaL_optlstring(lua, 2, "", &length);
    lua_Integer from = luaL_optinteger(lua, 3, 1), to = luaL_optinteger(lua, 4, last);
    lua_Integer count = count_of(lua, from, to, 4);
    luaL_Buffer text;
    oro_guard_charge(lua, 3 * (double)count);
    luaL_buffinit(lua, &text);
    for (lua_Integer i = 0; i < count; i++) {
        int type = lua_rawgeti(lua, 1, from + i);
        if (type != LUA_TSTRING && type != LUA_TNUMBER)
            return luaL_error(lua, "element %I of the list is a %s, not a text or a number",
                              (LUAI_UACINT)(from + i), lua_typename(lua, type));
        luaL_addvalue(&text);
        if (i + 1 < count)
            luaL_addlstring(&text, between, length);
        if (i % 1000 == 999)
            oro_guard_charge(lua, 200); /* looks at the clock */
    }
    luaL_pushresult(&text);
    return 1;
}

static int unpack(lua_State *lua)
{
    lua_Integer last = length_of(lua, 1);
    lua_Integer from = luaL_optinteger(lua, 2, 1), to = luaL_optinteger(lua, 3, last);
    lua_Integer count = count_of(lua, from, to, 3);
    if (count > ORO_LIBRARY_UNPACK_MAX)
        return luaL_error(lua, "unpack gives at most %d values", ORO_LIBRARY_UNPACK_MAX);
    oro_guard_charge(lua, (double)count);
    luaL_checkstack(lua, (int)count, "too many values");
    for (lua_Integer i = 0; i < count; i++)
        lua_rawgeti(lua, 1, from + i);
    return (int)count;
}

const struct oro_library_entry oro_library_table[] = {
    {.name = "concat", .function = concat},   {.name = "insert", .function = insert},
    {.name = "move", .function = move},       {.name = "pack"},
    {.name = "remove", .function = take_out}, {.name = "sort", .function = oro_library_sort},
    {.name = "unpack", .function = unpack},   {0},
};
