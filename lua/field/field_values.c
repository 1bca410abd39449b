/* Fields as Lua values, and work on all their rows. */
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include <lauxlib.h>

#include "base/parallel.h"
#include "lua/field/field_private.h"
#include "lua/field/rasters.h"
#include "lua/sandbox/guard.h"

/* The userdata. Its memory is that of the state, so that the guard limits it and Lua collects dropped
 * fields. */
struct field {
    const float *data; /* NULL: `value` everywhere */
    float value;
    float cells[];
};

/* Keys in the registry; their addresses count. */
static char metatable_key, space_key;

void oro_field_set_space(lua_State *lua, struct oro_space *space)
{
    lua_pushlightuserdata(lua, space);
    lua_rawsetp(lua, LUA_REGISTRYINDEX, &space_key);
    lua_rawgetp(lua, LUA_REGISTRYINDEX, &metatable_key);
    lua_getfield(lua, -1, "__index");
    oro_script_set_grid(lua, -1, &space->grid);
    lua_pop(lua, 2);
}

struct oro_space *oro_field_space(lua_State *lua)
{
    lua_rawgetp(lua, LUA_REGISTRYINDEX, &space_key);
    struct oro_space *space = lua_touserdata(lua, -1);
    lua_pop(lua, 1);
    if (!space)
        luaL_error(lua, "fields are there only while a node's function 'field' runs");
    return space;
}

/* ---- Making ---- */

static struct field *push(lua_State *lua, size_t cells)
{
    struct field *field = lua_newuserdatauv(lua, sizeof *field + cells * sizeof(float), 0);
    *field = (struct field){0};
    lua_rawgetp(lua, LUA_REGISTRYINDEX, &metatable_key);
    lua_setmetatable(lua, -2);
    return field;
}

float *oro_field_push(lua_State *lua)
{
    size_t cells = oro_grid_cells(&oro_field_space(lua)->grid);
    struct field *field = push(lua, cells);
    field->data = field->cells;
    return field->cells;
}

void oro_field_push_constant(lua_State *lua, float value)
{
    push(lua, 0)->value = value;
}

void oro_field_push_borrowed(lua_State *lua, const float *data)
{
    push(lua, 0)->data = data;
}

void *oro_field_scratch(lua_State *lua, size_t count, size_t size)
{
    return lua_newuserdatauv(lua, count * size, 0);
}

/* ---- Taking ---- */

static const struct field *to_field(lua_State *lua, int index)
{
    const struct field *field = lua_touserdata(lua, index);
    if (!field || !lua_getmetatable(lua, index))
        return NULL;
    lua_rawgetp(lua, LUA_REGISTRYINDEX, &metatable_key);
    bool same = lua_rawequal(lua, -1, -2);
    lua_pop(lua, 2);
    return same ? field : NULL;
}

bool oro_field_get(lua_State *lua, int index, struct oro_operand *operand)
{
    const struct field *field = to_field(lua, index);
    bool number = lua_type(lua, index) == LUA_TNUMBER;
    if (field)
        *operand = (struct oro_operand){field->data, field->value};
    else if (number)
        *operand = (struct oro_operand){NULL, (float)lua_tonumber(lua, index)};
    return field || number;
}

struct oro_operand oro_field_operand(lua_State *lua, int index)
{
    struct oro_operand operand = {0};
    if (!oro_field_get(lua, index, &operand))
        luaL_typeerror(lua, index, "field or number");
    return operand;
}

double oro_field_number(lua_State *lua, int index)
{
    if (lua_type(lua, index) != LUA_TNUMBER)
        luaL_typeerror(lua, index, "number");
    double number = lua_tonumber(lua, index);
    if (!isfinite(number))
        luaL_argerror(lua, index, isnan(number) ? "it is nan" : "it is infinite");
    return number;
}

/* ---- Working ---- */

struct parts {
    const struct oro_script_work *work;
    void (*part)(void *user, size_t number);
    void (*row)(void *user, int y);
    void *user;
};

static void run(void *data, size_t first, size_t end)
{
    const struct parts *parts = data;
    for (size_t i = first; i < end && !parts->work->stopped(parts->work->user); i++) {
        if (parts->row)
            parts->row(parts->user, (int)i);
        else
            parts->part(parts->user, i);
    }
}

/* Even a call that has nothing to compute costs this much. */
enum { CALL_STEPS = 50 };

/* Ends a script that was stopped, because later operations would use rows that were not computed. */
static void end_if_stopped(lua_State *lua, const struct oro_script_work *work)
{
    if (work->stopped(work->user))
        luaL_error(lua, "stopped");
}

void oro_field_rows(lua_State *lua, double cost, void (*row)(void *user, int y), void *user)
{
    const struct oro_space *space = oro_field_space(lua);
    struct parts parts = {.work = space->work, .row = row, .user = user};
    size_t least = 1 + 16384 / (size_t)space->grid.width;
    oro_guard_charge(lua, CALL_STEPS + cost * (double)oro_grid_cells(&space->grid));
    oro_parallel((size_t)space->grid.height, least, run, &parts);
    end_if_stopped(lua, space->work);
}

void oro_field_parts(lua_State *lua, size_t count, double cost, void (*part)(void *user, size_t number),
                     void *user)
{
    struct parts parts = {.work = oro_field_space(lua)->work, .part = part, .user = user};
    oro_guard_charge(lua, CALL_STEPS + cost);
    oro_parallel(count, 4, run, &parts);
    end_if_stopped(lua, parts.work);
}

/* ---- Cell by cell ---- */

enum { BLOCK = 256 }; /* cells at a time: constants are spread out over this many */

struct each {
    const struct oro_field_function *function;
    const struct oro_operand *operands;
    int count, width;
    float *to;
};

static void each_row(void *user, int y)
{
    const struct each *each = user;
    float constants[ORO_FIELD_OPERANDS_MAX][BLOCK];
    const float *x[ORO_FIELD_OPERANDS_MAX] = {0};
    size_t width = (size_t)each->width, start = (size_t)y * width;
    for (int k = 0; k < each->count; k++)
        for (size_t i = 0; !each->operands[k].data && i < BLOCK && i < width; i++)
            constants[k][i] = each->operands[k].value;
    for (size_t done = 0; done < width; done += BLOCK) {
        for (int k = 0; k < each->count; k++)
            x[k] = each->operands[k].data ? each->operands[k].data + start + done : constants[k];
        each->function->each(each->to + start + done, x, width - done < BLOCK ? width - done : BLOCK);
    }
}

void oro_field_each(lua_State *lua, const struct oro_field_function *function,
                    const struct oro_operand *operands, int count)
{
    struct each each = {function, operands, count, 1, NULL};
    bool constant = true;
    for (int k = 0; k < count; k++)
        constant = constant && !operands[k].data;
    if (constant) {
        float value;
        each.to = &value;
        oro_guard_charge(lua, CALL_STEPS);
        each_row(&each, 0);
        oro_field_push_constant(lua, value);
        return;
    }
    each.to = oro_field_push(lua);
    each.width = oro_field_space(lua)->grid.width;
    oro_field_rows(lua, function->cost, each_row, &each);
}

/* ---- The table `field` ---- */

static int call(lua_State *lua)
{
    const struct oro_field_function *function = lua_touserdata(lua, lua_upvalueindex(1));
    struct oro_operand operands[ORO_FIELD_OPERANDS_MAX];
    int count = lua_gettop(lua);
    oro_field_space(lua);
    if (count < function->least || count > function->most)
        return luaL_error(lua, "%s(%s) was called with %d value%s", function->name, function->arguments,
                          count, count == 1 ? "" : "s");
    if (function->call)
        return function->call(lua);
    for (int i = 0; i < count; i++)
        operands[i] = oro_field_operand(lua, i + 1);
    oro_field_each(lua, function, operands, count);
    return 1;
}

int oro_field_open(lua_State *lua)
{
    if (lua_rawgetp(lua, LUA_REGISTRYINDEX, &metatable_key) != LUA_TNIL)
        return 0;
    /* Pushes the metatable, its methods and the table `field`. */
    lua_newtable(lua);
    lua_newtable(lua);
    lua_newtable(lua);
    for (const struct oro_field_function *function = oro_field_functions; function->name; function++) {
        bool is_operator = strncmp(function->name, "__", 2) == 0;
        lua_pushlightuserdata(lua, (void *)(uintptr_t)function);
        lua_pushcclosure(lua, call, 1);
        lua_pushvalue(lua, -1);
        lua_setfield(lua, is_operator ? -5 : -3, function->name);
        if (is_operator || function->maker)
            lua_pop(lua, 1);
        else
            lua_setfield(lua, -3, function->name);
    }
    lua_setglobal(lua, "field");
    lua_setfield(lua, -2, "__index");
    lua_pushliteral(lua, "field");
    lua_setfield(lua, -2, "__name");
    lua_pushboolean(lua, false);
    lua_setfield(lua, -2, "__metatable");
    lua_rawsetp(lua, LUA_REGISTRYINDEX, &metatable_key);
    return 0;
}
