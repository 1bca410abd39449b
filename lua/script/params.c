/* The literals of a node as a script sees them. */
#include <string.h>

#include <lauxlib.h>

#include "base/text.h"
#include "graph/type/registry.h"
#include "lua/script/script.h"

uint64_t oro_script_seed(const struct oro_node_type *type, const void *params)
{
    for (const struct oro_input *input = type->inputs; input->name; input++) {
        uint32_t seed;
        if (input->role != ORO_ROLE_SEED)
            continue;
        memcpy(&seed, (const char *)params + input->offset, sizeof seed);
        return seed;
    }
    return 0;
}

/* ---- Curves as functions of a number; the params outlive the state ---- */

static int call_profile(lua_State *lua)
{
    const struct oro_profile *profile = lua_touserdata(lua, lua_upvalueindex(1));
    float x = (float)luaL_checknumber(lua, 1), y = profile->y[profile->count - 1];
    if (x <= profile->x[0])
        y = profile->y[0];
    for (int i = 1; i < profile->count && x > profile->x[0]; i++) {
        float a = profile->x[i - 1], b = profile->x[i];
        if (x >= b)
            continue;
        float t = (x - a) / (b - a);
        y = profile->y[i - 1] * (1 - t) + profile->y[i] * t;
        break;
    }
    lua_pushnumber(lua, (lua_Number)y);
    return 1;
}

static int call_gradient(lua_State *lua)
{
    const struct oro_gradient *gradient = lua_touserdata(lua, lua_upvalueindex(1));
    float x = (float)luaL_checknumber(lua, 1), t = 0;
    int at = gradient->count - 1, next = at;
    if (x <= gradient->position[0])
        at = next = 0;
    for (int i = 1; i < gradient->count && x > gradient->position[0]; i++) {
        if (x >= gradient->position[i])
            continue;
        t = (x - gradient->position[i - 1]) / (gradient->position[i] - gradient->position[i - 1]);
        at = i - 1;
        next = i;
        break;
    }
    for (int c = 0; c < 4; c++)
        lua_pushnumber(lua, (lua_Number)(gradient->colour[at][c] * (1 - t) + gradient->colour[next][c] * t));
    return 4;
}

static void push_curve(lua_State *lua, lua_CFunction function, const void *curve)
{
    lua_pushlightuserdata(lua, (void *)curve);
    lua_pushcclosure(lua, function, 1);
}

/* ---- One literal ---- */

static void push_parts(lua_State *lua, const char *const *names, const void *from, int count)
{
    lua_createtable(lua, 0, count);
    for (int i = 0; i < count; i++) {
        float number;
        memcpy(&number, (const char *)from + (size_t)i * sizeof number, sizeof number);
        lua_pushnumber(lua, (lua_Number)number);
        lua_setfield(lua, -2, names[i]);
    }
}

static void push_integer(lua_State *lua, const struct oro_input *input, const void *at)
{
    int number;
    uint32_t seed;
    memcpy(&number, at, sizeof number);
    memcpy(&seed, at, sizeof seed);
    if (input->type == ORO_CHOICE)
        lua_pushstring(lua, input->choices[number]);
    else
        lua_pushinteger(lua, input->role == ORO_ROLE_SEED ? (lua_Integer)seed : (lua_Integer)number);
}

/* Pushes nothing for types that have no form in Lua. */
static bool push_literal(lua_State *lua, const struct oro_input *input, const void *params)
{
    static const char *const axes[] = {"x", "y"}, *const channels[] = {"r", "g", "b", "a"};
    const void *at = (const char *)params + input->offset;
    float number;
    const char *text;
    switch (input->type) {
    case ORO_FLOAT:
        memcpy(&number, at, sizeof number);
        lua_pushnumber(lua, (lua_Number)number);
        return true;
    case ORO_INT:
    case ORO_CHOICE:
        push_integer(lua, input, at);
        return true;
    case ORO_BOOL:
        lua_pushboolean(lua, *(const bool *)at);
        return true;
    case ORO_TEXT:
        memcpy(&text, at, sizeof text);
        lua_pushstring(lua, text ? text : "");
        return true;
    case ORO_POINT:
        push_parts(lua, axes, at, 2);
        return true;
    case ORO_COLOUR:
        push_parts(lua, channels, at, 4);
        return true;
    case ORO_PROFILE:
        push_curve(lua, call_profile, at);
        return true;
    case ORO_GRADIENT:
        push_curve(lua, call_gradient, at);
        return true;
    default:
        return false;
    }
}

void oro_script_push_params(lua_State *lua, const struct oro_node_type *type, const void *params)
{
    luaL_checkstack(lua, 8, NULL);
    lua_createtable(lua, 0, (int)oro_type_input_count(type));
    for (const struct oro_input *input = type->inputs; input->name; input++)
        if (push_literal(lua, input, params))
            lua_setfield(lua, -2, input->name);
}

/* ---- Names that are not there ---- */

static int no_input(lua_State *lua, const struct oro_node_type *type, const char *name)
{
    char meant[ORO_NEAR_SIZE];
    const char *nearest = oro_type_suggest_input(type, name);
    return luaL_error(lua, "there is no input '%s'%s", name, oro_did_you_mean(nearest, meant));
}

/* Called for keys that the table lacks. The upvalues are the type, and the name of the table. */
static int find_missing(lua_State *lua)
{
    const struct oro_node_type *type = lua_touserdata(lua, lua_upvalueindex(1));
    const char *table = lua_tostring(lua, lua_upvalueindex(2));
    if (lua_type(lua, 2) != LUA_TSTRING)
        return luaL_error(lua, "%s has the names of inputs, and no %s", table, luaL_typename(lua, 2));
    const char *name = lua_tostring(lua, 2);
    const struct oro_input *input = oro_type_input(type, name);
    if (!input)
        return no_input(lua, type, name);
    bool raster = oro_is_raster(input->type);
    if (strcmp(table, "p") == 0 && raster)
        return luaL_error(lua, "'%s' is a raster: it is f.%s", name, name);
    if (strcmp(table, "f") == 0 && !raster)
        return luaL_error(lua, "'%s' is no raster: it is p.%s", name, name);
    return 0;
}

void oro_script_watch(lua_State *lua, int index, const struct oro_node_type *type, const char *table)
{
    index = lua_absindex(lua, index);
    luaL_checkstack(lua, 5, NULL);
    lua_createtable(lua, 0, 2);
    lua_pushlightuserdata(lua, (void *)(uintptr_t)type);
    lua_pushstring(lua, table);
    lua_pushcclosure(lua, find_missing, 2);
    lua_setfield(lua, -2, "__index");
    lua_pushboolean(lua, false);
    lua_setfield(lua, -2, "__metatable");
    lua_setmetatable(lua, index);
}
