/*
 * Metatables. The real metatable of an object is one of the library (the shadow), which no script sees; it
 * has the contents that the script's table had when setmetatable was called. So __mode and __gc never reach
 * Lua, whenever they are set. The shadow and the script's table refer to each other by keys that scripts
 * cannot have.
 */
#include "lua/sandbox/library_private.h"

static char shadow_key, original_key; /* only their addresses matter */

static const char *const events[] = {
    "__add", "__band",  "__bnot",  "__bor", "__bxor", "__call",     "__close", "__concat",    "__div",
    "__eq",  "__idiv",  "__index", "__le",  "__len",  "__lt",       "__mod",   "__mul",       "__newindex",
    "__pow", "__pairs", "__shl",   "__shr", "__sub",  "__tostring", "__unm",   "__metatable",
};

/* Pushes the shadow of the metatable at `index`; makes it if there is none. */
static void push_shadow(lua_State *lua, int index)
{
    if (lua_rawgetp(lua, index, &shadow_key) == LUA_TTABLE)
        return;
    lua_pop(lua, 1);
    lua_newtable(lua);
    lua_pushvalue(lua, index);
    lua_rawsetp(lua, -2, &original_key);
    lua_pushvalue(lua, -1);
    lua_rawsetp(lua, index, &shadow_key);
}

/* Copies the metatable at `index` to the shadow at the top. */
static void take_over(lua_State *lua, int index)
{
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++) {
        lua_pushstring(lua, events[i]);
        lua_pushvalue(lua, -1);
        lua_rawget(lua, index);
        lua_pushvalue(lua, -2);
        if (lua_rawget(lua, -4) == LUA_TNIL && lua_isnil(lua, -2)) {
            lua_pop(lua, 3);
            continue;
        }
        lua_pop(lua, 1);
        lua_rawset(lua, -3);
    }
}

static void refuse_event(lua_State *lua, int index, const char *event)
{
    lua_pushstring(lua, event);
    if (lua_rawget(lua, index) != LUA_TNIL)
        luaL_error(lua, "a metatable may have no '%s'", event);
    lua_pop(lua, 1);
}

int oro_library_setmetatable(lua_State *lua)
{
    int type = lua_type(lua, 2);
    luaL_checktype(lua, 1, LUA_TTABLE);
    luaL_argexpected(lua, type == LUA_TNIL || type == LUA_TTABLE, 2, "nil or table");
    lua_settop(lua, 2);
    if (luaL_getmetafield(lua, 1, "__metatable") != LUA_TNIL)
        return luaL_error(lua, "cannot change a protected metatable");
    if (lua_getmetatable(lua, 1) && lua_rawgetp(lua, -1, &original_key) != LUA_TTABLE)
        return luaL_error(lua, "cannot change a protected metatable");
    lua_settop(lua, 2);
    if (type == LUA_TTABLE) {
        refuse_event(lua, 2, "__gc");
        refuse_event(lua, 2, "__mode");
        push_shadow(lua, 2);
        take_over(lua, 2);
        oro_guard_charge(lua, 100);
    }
    lua_setmetatable(lua, 1);
    lua_settop(lua, 1);
    return 1;
}

/* Scripts do not see metatables that they did not set. */
int oro_library_getmetatable(lua_State *lua)
{
    luaL_checkany(lua, 1);
    if (luaL_getmetafield(lua, 1, "__metatable") != LUA_TNIL)
        return 1;
    if (!lua_getmetatable(lua, 1))
        lua_pushnil(lua);
    else if (lua_rawgetp(lua, -1, &original_key) != LUA_TTABLE)
        lua_pushnil(lua);
    return 1;
}
