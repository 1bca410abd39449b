/* Shares of a script's work: several processes run the same script, each as a task of its own. */
#include "lua/batch/batch_private.h"

static int task_of(const struct oro_batch *batch)
{
    return batch->options->tasks > 1 ? batch->options->task : 1;
}

static int tasks_of(const struct oro_batch *batch)
{
    return batch->options->tasks > 1 ? batch->options->tasks : 1;
}

/* Upvalues: the batch, the list, where the next item is. */
static int next_item(lua_State *lua)
{
    struct oro_batch *batch = lua_touserdata(lua, lua_upvalueindex(1));
    lua_Integer index = lua_tointeger(lua, lua_upvalueindex(3));
    lua_pushinteger(lua, index);
    batch->within = lua_geti(lua, lua_upvalueindex(2), index) != LUA_TNIL;
    if (!batch->within)
        return 1; /* the nil */
    lua_pushinteger(lua, index + tasks_of(batch));
    lua_replace(lua, lua_upvalueindex(3));
    return 2;
}

int oro_batch_each(lua_State *lua)
{
    struct oro_batch *batch = lua_touserdata(lua, lua_upvalueindex(1));
    if (lua_gettop(lua) != 1 || !lua_istable(lua, 1))
        return oro_batch_error(lua, "orograph.each: takes a list");
    lua_pushlightuserdata(lua, batch);
    lua_pushvalue(lua, 1);
    lua_pushinteger(lua, task_of(batch));
    lua_pushcclosure(lua, next_item, 3);
    return 1;
}

int oro_batch_task(lua_State *lua)
{
    struct oro_batch *batch = lua_touserdata(lua, lua_upvalueindex(1));
    if (lua_gettop(lua) != 0)
        return oro_batch_error(lua, "orograph.task: takes no arguments");
    batch->knows_task = true;
    lua_pushinteger(lua, task_of(batch));
    lua_pushinteger(lua, tasks_of(batch));
    return 2;
}
