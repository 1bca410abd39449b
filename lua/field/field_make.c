/* Fields from numbers, from places, and from functions of the script. */
#include <math.h>

#include <lauxlib.h>

#include "lua/field/field_private.h"
#include "lua/field/rasters.h"
#include "lua/sandbox/guard.h"

int oro_field_new(lua_State *lua)
{
    oro_field_push_constant(lua, (float)oro_field_number(lua, 1));
    return 1;
}

/* ---- Places ---- */

/* start + step * (column or row + 0.5) */
struct line {
    double start, step;
    bool south;
    int width;
    float *to;
};

static void line_row(void *user, int y)
{
    const struct line *line = user;
    float *to = line->to + (size_t)y * (size_t)line->width;
    for (int x = 0; x < line->width; x++)
        to[x] = (float)(line->start + line->step * ((line->south ? y : x) + 0.5));
}

static int push_line(lua_State *lua, struct line line)
{
    line.width = oro_field_space(lua)->grid.width;
    line.to = oro_field_push(lua);
    oro_field_rows(lua, 0.2, line_row, &line);
    return 1;
}

int oro_field_x(lua_State *lua)
{
    const struct oro_grid *grid = &oro_field_space(lua)->grid;
    return push_line(lua, (struct line){.start = grid->x, .step = grid->cell});
}

int oro_field_y(lua_State *lua)
{
    const struct oro_grid *grid = &oro_field_space(lua)->grid;
    return push_line(lua, (struct line){.start = grid->y, .step = grid->cell, .south = true});
}

int oro_field_column(lua_State *lua)
{
    return push_line(lua, (struct line){.start = -0.5, .step = 1});
}

int oro_field_row(lua_State *lua)
{
    return push_line(lua, (struct line){.start = -0.5, .step = 1, .south = true});
}

/* ---- Single cells ---- */

int oro_field_at(lua_State *lua)
{
    struct oro_operand f = oro_field_operand(lua, 1);
    double x = oro_field_number(lua, 2), y = oro_field_number(lua, 3);
    struct oro_script_raster raster = {.grid = oro_field_space(lua)->grid,
                                       .channels = 1,
                                       .data = f.data,
                                       .value = f.value,
                                       .low = -INFINITY,
                                       .high = INFINITY};
    lua_pushnumber(lua, (double)oro_script_raster_between(&raster, x, y, 0));
    return 1;
}

/* Takes the number that the function returned for a cell. */
static float take(lua_State *lua, int x, int y)
{
    if (lua_type(lua, -1) != LUA_TNUMBER)
        luaL_error(lua, "the function gives %s for cell (%d, %d), not a number", luaL_typename(lua, -1), x,
                   y);
    float value = (float)lua_tonumber(lua, -1);
    lua_pop(lua, 1);
    return value;
}

/* What calling the function costs in addition to what it does. */
enum { CALLBACK_STEPS = 5 };

int oro_field_map(lua_State *lua)
{
    struct oro_operand f = oro_field_operand(lua, 1);
    const struct oro_grid grid = oro_field_space(lua)->grid;
    luaL_checktype(lua, 2, LUA_TFUNCTION);
    float *to = oro_field_push(lua);
    for (int y = 0; y < grid.height; y++) {
        oro_guard_charge(lua, (double)CALLBACK_STEPS * grid.width);
        for (int x = 0; x < grid.width; x++) {
            size_t cell = (size_t)y * (size_t)grid.width + (size_t)x;
            lua_pushvalue(lua, 2);
            lua_pushnumber(lua, (double)oro_operand_at(&f, cell));
            lua_pushinteger(lua, x);
            lua_pushinteger(lua, y);
            lua_call(lua, 3, 1);
            to[cell] = take(lua, x, y);
        }
    }
    return 1;
}

int oro_field_build(lua_State *lua)
{
    const struct oro_grid grid = oro_field_space(lua)->grid;
    luaL_checktype(lua, 1, LUA_TFUNCTION);
    float *to = oro_field_push(lua);
    for (int y = 0; y < grid.height; y++) {
        oro_guard_charge(lua, (double)CALLBACK_STEPS * grid.width);
        for (int x = 0; x < grid.width; x++) {
            lua_pushvalue(lua, 1);
            lua_pushinteger(lua, x);
            lua_pushinteger(lua, y);
            lua_call(lua, 2, 1);
            *to++ = take(lua, x, y);
        }
    }
    return 1;
}
