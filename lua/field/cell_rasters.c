/* The rasters as a script's function `cell` sees them: f.terrain(x, y), f.terrain.width. */
#include <lauxlib.h>

#include "lua/field/cell_private.h"

/* Reads a raster between cells; refuses arguments that are not numbers. */
static int read_between(lua_State *lua, const struct oro_script_raster *raster)
{
    if (lua_type(lua, 2) != LUA_TNUMBER || lua_type(lua, 3) != LUA_TNUMBER)
        return luaL_error(lua, "%s(x, y) takes two numbers, not %s and %s", raster->input->name,
                          luaL_typename(lua, 2), luaL_typename(lua, 3));
    double x = lua_tonumber(lua, 2), y = lua_tonumber(lua, 3);
    if (x != x || y != y)
        return luaL_error(lua, "%s(x, y) takes two numbers: %s is nan", raster->input->name,
                          x != x ? "x" : "y");
    for (int i = 0; i < raster->channels; i++)
        lua_pushnumber(lua, (double)oro_script_raster_between(raster, x, y, i));
    return raster->channels;
}

static int read_raster(lua_State *lua)
{
    const struct oro_script_raster *raster = lua_touserdata(lua, lua_upvalueindex(1));
    int whole_x, whole_y;
    lua_Integer x = lua_tointegerx(lua, 2, &whole_x), y = lua_tointegerx(lua, 3, &whole_y);
    if (!whole_x || !whole_y)
        return read_between(lua, raster);
    for (int i = 0; i < raster->channels; i++)
        lua_pushnumber(lua, (double)oro_script_raster_at(raster, x, y, i));
    return raster->channels;
}

/* Pushes an object whose meaning is all in its metatable, which scripts cannot reach. */
static void push_raster(lua_State *lua, const struct oro_script_raster *raster)
{
    lua_newuserdatauv(lua, 0, 0);
    lua_newtable(lua);
    lua_pushlightuserdata(lua, (void *)(uintptr_t)raster);
    lua_pushcclosure(lua, read_raster, 1);
    lua_setfield(lua, -2, "__call");
    lua_newtable(lua);
    oro_script_set_grid(lua, -1, &raster->grid);
    lua_setfield(lua, -2, "__index");
    lua_pushliteral(lua, "raster");
    lua_setfield(lua, -2, "__name");
    lua_pushboolean(lua, false);
    lua_setfield(lua, -2, "__metatable");
    lua_setmetatable(lua, -2);
}

void oro_cell_push_rasters(lua_State *lua, const struct oro_script_rasters *rasters,
                           const struct oro_grid *grid)
{
    lua_newtable(lua);
    oro_script_set_grid(lua, -1, grid);
    for (int i = 0; i < rasters->count; i++) {
        push_raster(lua, &rasters->items[i]);
        lua_setfield(lua, -2, rasters->items[i].input->name);
    }
}
