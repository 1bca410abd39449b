#include "lua/sandbox/values.h"

#include <lauxlib.h>

enum { DEEP = 16, BYTES_MAX = 8 << 20 };

enum kind { NIL, FALSE, TRUE, INTEGER, NUMBER, TEXT, TABLE, TABLE_END, FUNCTION, OBJECT, OTHER };

static void put(lua_State *lua, int index, struct oro_packet *message,
                const struct oro_value_objects *objects, int depth);

static void put_table(lua_State *lua, int index, struct oro_packet *message,
                      const struct oro_value_objects *objects, int depth)
{
    if (depth == DEEP)
        luaL_error(lua, "tables are nested more than %d deep", DEEP);
    luaL_checkstack(lua, 4, NULL);
    oro_put_int(message, TABLE);
    for (lua_pushnil(lua); lua_next(lua, index); lua_pop(lua, 1)) {
        int key = lua_type(lua, -2);
        if (key != LUA_TSTRING && key != LUA_TNUMBER && key != LUA_TBOOLEAN)
            luaL_error(lua, "a key of the table is a %s", lua_typename(lua, key));
        put(lua, lua_gettop(lua) - 1, message, objects, depth + 1);
        put(lua, lua_gettop(lua), message, objects, depth + 1);
    }
    oro_put_int(message, TABLE_END);
}

static void put_object(lua_State *lua, int index, struct oro_packet *message,
                       const struct oro_value_objects *objects)
{
    int number = objects ? objects->number(lua, index, objects->user) : -1;
    oro_put_int(message, number < 0 ? OTHER : OBJECT);
    if (number >= 0)
        oro_put_int(message, number);
}

static void put(lua_State *lua, int index, struct oro_packet *message,
                const struct oro_value_objects *objects, int depth)
{
    size_t length;
    const char *text;
    if (message->bytes.length > BYTES_MAX)
        luaL_error(lua, "the table has more than %d MiB", BYTES_MAX >> 20);
    switch (lua_type(lua, index)) {
    case LUA_TNIL:
        oro_put_int(message, NIL);
        break;
    case LUA_TBOOLEAN:
        oro_put_int(message, lua_toboolean(lua, index) ? TRUE : FALSE);
        break;
    case LUA_TNUMBER:
        oro_put_int(message, lua_isinteger(lua, index) ? INTEGER : NUMBER);
        if (lua_isinteger(lua, index))
            oro_put_int(message, lua_tointeger(lua, index));
        else
            oro_put_real(message, lua_tonumber(lua, index));
        break;
    case LUA_TSTRING:
        text = lua_tolstring(lua, index, &length);
        oro_put_int(message, TEXT);
        oro_put_bytes(message, text, length);
        break;
    case LUA_TTABLE:
        put_table(lua, index, message, objects, depth);
        break;
    case LUA_TFUNCTION:
        oro_put_int(message, FUNCTION);
        break;
    default:
        put_object(lua, index, message, objects);
    }
}

void oro_put_value(lua_State *lua, int index, struct oro_packet *message,
                   const struct oro_value_objects *objects)
{
    put(lua, lua_absindex(lua, index), message, objects, 0);
}

/* ---- Back ---- */

static int not_here(lua_State *lua)
{
    return luaL_error(lua, "a function of the script cannot be called here");
}

static bool push(lua_State *lua, struct oro_packet *message, const struct oro_value_objects *objects,
                 int depth);

/* A key that cannot be one ends the message. */
static void push_table(lua_State *lua, struct oro_packet *message, const struct oro_value_objects *objects,
                       int depth)
{
    lua_newtable(lua);
    while (push(lua, message, objects, depth + 1)) {
        int key = lua_type(lua, -1);
        bool nan = key == LUA_TNUMBER && lua_tonumber(lua, -1) != lua_tonumber(lua, -1);
        if ((key != LUA_TSTRING && key != LUA_TNUMBER && key != LUA_TBOOLEAN) || nan) {
            message->failed = true;
            lua_pop(lua, 1);
            return;
        }
        if (!push(lua, message, objects, depth + 1)) {
            message->failed = true;
            lua_pop(lua, 1);
            return;
        }
        lua_rawset(lua, -3);
    }
}

/* False: nothing was pushed, because a table ends here or the message has failed. */
static bool push(lua_State *lua, struct oro_packet *message, const struct oro_value_objects *objects,
                 int depth)
{
    size_t length;
    const char *text;
    int64_t kind = oro_take_int(message);
    luaL_checkstack(lua, 6, NULL);
    message->failed = message->failed || depth > DEEP;
    if (message->failed)
        return false;
    switch (kind) {
    case NIL:
    case OTHER:
        lua_pushnil(lua);
        return true;
    case FALSE:
    case TRUE:
        lua_pushboolean(lua, kind == TRUE);
        return true;
    case INTEGER:
        lua_pushinteger(lua, oro_take_int(message));
        return true;
    case NUMBER:
        lua_pushnumber(lua, oro_take_real(message));
        return true;
    case TEXT:
        text = oro_take_bytes(message, &length);
        lua_pushlstring(lua, text ? text : "", length);
        return true;
    case TABLE:
        push_table(lua, message, objects, depth);
        return true;
    case FUNCTION:
        lua_pushcfunction(lua, not_here);
        return true;
    case OBJECT:
        if (objects && objects->push(lua, (int)oro_take_int(message), objects->user))
            return true;
        break;
    case TABLE_END:
        return false;
    default:
        break;
    }
    message->failed = true;
    return false;
}

void oro_push_value(lua_State *lua, struct oro_packet *message, const struct oro_value_objects *objects)
{
    if (!push(lua, message, objects, 0)) {
        message->failed = true;
        lua_pushnil(lua);
    }
}
