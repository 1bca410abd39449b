#include "lua/expression/sandbox.h"

#include <math.h>
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "base/memory.h"
#include "lua/expression/functions.h"

struct oro_sandbox {
    lua_State *lua;
    size_t used, limit; /* bytes */
    bool over_limit;    /* an allocation was refused because of the limit, not by the system */
};

/* Key of the table of functions and constants in the registry; only its address matters. */
static char builtins_key;

/* Lua relies on shrinking never to fail. */
static void *allocate(void *user, void *memory, size_t old_size, size_t new_size)
{
    struct oro_sandbox *sandbox = user;
    size_t old = memory ? old_size : 0; /* for a new block, Lua passes a type of object instead */
    if (new_size > old && new_size - old > sandbox->limit - sandbox->used) {
        sandbox->over_limit = true;
        return NULL;
    }
    if (new_size == 0) {
        oro_free(memory);
        sandbox->used -= old;
        return NULL;
    }
    void *moved = oro_resize(memory, new_size, 1);
    if (!moved && new_size > old)
        return NULL;
    sandbox->used = sandbox->used - old + new_size;
    return moved ? moved : memory;
}

static int call(lua_State *lua)
{
    const struct oro_function *function = &oro_functions[lua_tointeger(lua, lua_upvalueindex(1))];
    double x[ORO_ARGUMENTS_MAX];
    int count = lua_gettop(lua);
    if (count < function->least || count > function->most) {
        if (function->least == function->most)
            return luaL_error(lua, "%s takes %d number%s, not %d", function->name, function->least,
                              function->least == 1 ? "" : "s", count);
        return luaL_error(lua, "%s takes %d to %d numbers, not %d", function->name, function->least,
                          function->most, count);
    }
    for (int i = 0; i < count; i++) {
        if (lua_type(lua, i + 1) != LUA_TNUMBER)
            return luaL_error(lua, "%s takes numbers: number %d is %s", function->name, i + 1,
                              luaL_tolstring(lua, i + 1, NULL));
        x[i] = lua_tonumber(lua, i + 1);
    }
    lua_pushnumber(lua, function->compute(x, count));
    return 1;
}

/* Builds the metatable of environments, which finds functions and constants for names that an environment
 * lacks. */
static int prepare(lua_State *lua)
{
    lua_createtable(lua, 0, 1);
    lua_createtable(lua, 0, (int)(oro_function_count + oro_constant_count));
    for (size_t i = 0; i < oro_function_count; i++) {
        lua_pushinteger(lua, (lua_Integer)i);
        lua_pushcclosure(lua, call, 1);
        lua_setfield(lua, -2, oro_functions[i].name);
    }
    for (size_t i = 0; i < oro_constant_count; i++) {
        lua_pushnumber(lua, oro_constants[i].value);
        lua_setfield(lua, -2, oro_constants[i].name);
    }
    lua_setfield(lua, -2, "__index");
    lua_rawsetp(lua, LUA_REGISTRYINDEX, &builtins_key);
    return 0;
}

struct oro_sandbox *oro_sandbox_create(struct oro_error *err)
{
    struct oro_sandbox *sandbox = oro_alloc(1, sizeof *sandbox);
    if (sandbox) {
        sandbox->limit = SIZE_MAX;
        sandbox->lua = lua_newstate(allocate, sandbox);
        if (sandbox->lua) {
            lua_pushcfunction(sandbox->lua, prepare);
            if (lua_pcall(sandbox->lua, 0, 0, 0) == LUA_OK) {
                sandbox->limit = sandbox->used + ORO_SANDBOX_MEMORY;
                return sandbox;
            }
        }
        oro_sandbox_destroy(sandbox);
    }
    oro_fail(err, ORO_E_MEMORY, "no memory for the interpreter of expressions");
    return NULL;
}

void oro_sandbox_destroy(struct oro_sandbox *sandbox)
{
    if (sandbox && sandbox->lua)
        lua_close(sandbox->lua);
    oro_free(sandbox);
}

struct run {
    const char *chunk;
    const struct oro_variable *variables;
    size_t count;
    double value;
};

static void too_long(lua_State *lua, lua_Debug *where)
{
    (void)where;
    luaL_error(lua, "takes too long (more than %d steps)", ORO_SANDBOX_STEPS);
}

/* Pushes a new table for the run; names that it lacks are looked up among functions and constants. */
static void push_environment(lua_State *lua)
{
    lua_newtable(lua);
    lua_rawgetp(lua, LUA_REGISTRYINDEX, &builtins_key);
    lua_setmetatable(lua, -2);
}

static int not_a_number(lua_State *lua)
{
    const char *what = lua_type(lua, -1) == LUA_TSTRING ? "text"
                       : lua_isboolean(lua, -1)         ? (lua_toboolean(lua, -1) ? "true" : "false")
                                                        : luaL_typename(lua, -1);
    return luaL_error(lua, "gives %s, not a number", what);
}

/* Runs protected: any of this may raise an error. */
static int body(lua_State *lua)
{
    struct run *run = lua_touserdata(lua, 1);
    if (luaL_loadbufferx(lua, run->chunk, strlen(run->chunk), "=expression", "t") != LUA_OK)
        return lua_error(lua);
    /* Pushes the environment of the run: the variables, `math`, and `world`, which holds the variables
     * "world.NAME". */
    static const char prefix[] = "world.";
    const size_t length = sizeof prefix - 1;
    push_environment(lua);
    push_environment(lua);
    lua_setfield(lua, -2, "math");
    lua_newtable(lua);
    for (size_t i = 0; i < run->count; i++) {
        const struct oro_variable *variable = &run->variables[i];
        bool world = strncmp(variable->name, prefix, length) == 0;
        lua_pushnumber(lua, variable->value);
        lua_setfield(lua, world ? -2 : -3, variable->name + (world ? length : 0));
    }
    lua_setfield(lua, -2, "world");
    lua_setupvalue(lua, -2, 1);
    lua_sethook(lua, too_long, LUA_MASKCOUNT, ORO_SANDBOX_STEPS);
    lua_call(lua, 0, 1);
    lua_sethook(lua, NULL, 0, 0);
    if (lua_type(lua, -1) != LUA_TNUMBER)
        return not_a_number(lua);
    run->value = lua_tonumber(lua, -1);
    if (!isfinite(run->value))
        return luaL_error(lua, "gives %s", isnan(run->value) ? "nan" : run->value > 0 ? "inf" : "-inf");
    return 0;
}

/* Drops the place from "expression:1: unexpected symbol near '*'". */
static const char *message_of(lua_State *lua)
{
    const char *text = lua_type(lua, -1) == LUA_TSTRING ? lua_tostring(lua, -1) : "failed";
    if (strncmp(text, "expression:", 11) == 0 && strstr(text, ": "))
        text = strstr(text, ": ") + 2;
    return strstr(text, "stack overflow") || strstr(text, "too many C levels") ? "is nested too deeply"
                                                                               : text;
}

/* Turns Lua's message on a text that is no expression into a sentence. */
static bool make_plain(const char *text, struct oro_error *err)
{
    const char *near = strstr(text, " near ");
    if (near && strcmp(near, " near <eof>") == 0)
        return oro_fail(err, ORO_E_DOCUMENT, "something is missing at the end");
    if (near && (strncmp(text, "<eof> expected", 14) == 0 || strncmp(text, "unexpected symbol", 17) == 0))
        return oro_fail(err, ORO_E_DOCUMENT, "%s makes no sense there", near + 6);
    return oro_fail(err, ORO_E_DOCUMENT, "%s", text);
}

static bool failed(struct oro_sandbox *sandbox, int status, struct oro_error *err)
{
    if (status != LUA_ERRMEM)
        return make_plain(message_of(sandbox->lua), err);
    if (sandbox->over_limit)
        return oro_fail(err, ORO_E_DOCUMENT, "takes too much memory (more than %d KiB)",
                        ORO_SANDBOX_MEMORY / 1024);
    return oro_fail(err, ORO_E_MEMORY, "no memory for an expression");
}

bool oro_sandbox_run(struct oro_sandbox *sandbox, const char *chunk, const struct oro_variable *variables,
                     size_t count, double *value, struct oro_error *err)
{
    lua_State *lua = sandbox->lua;
    struct run run = {.chunk = chunk, .variables = variables, .count = count};
    sandbox->over_limit = false;
    lua_pushcfunction(lua, body);
    lua_pushlightuserdata(lua, &run);
    int status = lua_pcall(lua, 1, 0, 0);
    if (status == LUA_OK)
        *value = run.value;
    else
        failed(sandbox, status, err);
    lua_sethook(lua, NULL, 0, 0);
    lua_settop(lua, 0);
    return status == LUA_OK;
}
