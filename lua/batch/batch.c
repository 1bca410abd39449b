#include "lua/batch/batch.h"

#include <stdarg.h>
#include <string.h>

#include "base/clock.h"
#include "lua/batch/batch_private.h"

/* ---- Calls ---- */

/* The line is that of the nearest Lua function: with `pcall(orograph.open, path)` the caller is pcall, which
 * has no lines. */
int oro_batch_error(lua_State *lua, const char *format, ...)
{
    lua_Debug place;
    int level = 1;
    bool found = false;
    while (!found && lua_getstack(lua, level++, &place))
        found = lua_getinfo(lua, "Sl", &place) && place.currentline > 0;
    if (found)
        lua_pushfstring(lua, "%s:%d: ", place.short_src, place.currentline);
    else
        lua_pushliteral(lua, "");
    va_list args;
    va_start(args, format);
    lua_pushvfstring(lua, format, args);
    va_end(args);
    lua_concat(lua, 2);
    return lua_error(lua);
}

void oro_batch_push_name(lua_State *lua, const struct oro_batch_entry *entry)
{
    bool method = strcmp(entry->object, "orograph") != 0;
    lua_pushfstring(lua, "%s%s%s", entry->object, method ? ":" : ".", entry->name);
}

static struct oro_batch_object *take_self(lua_State *lua, const struct oro_batch_entry *entry)
{
    bool graph = strcmp(entry->object, "graph") == 0;
    struct oro_batch_object *self = oro_batch_object_at(lua, 1, graph ? ORO_BATCH_GRAPH : ORO_BATCH_RESULT);
    if (!self || !self->value.object) {
        oro_batch_push_name(lua, entry);
        oro_batch_error(lua, "%s: is called on a %s, with a colon", lua_tostring(lua, -1), entry->object);
    }
    return self;
}

static void release_pending(struct oro_batch *batch)
{
    if (batch->pending.object)
        batch->host->release(batch->host->user, batch->pending.kind, batch->pending.object);
    batch->pending = (struct oro_batch_value){0};
}

static int raise_error(lua_State *lua, struct oro_batch *batch, const struct oro_error *err)
{
    char line[2048];
    batch->last = *err;
    return oro_batch_error(lua, "%s", oro_error_line(err, line, sizeof line));
}

/* Whether a function makes a result, or a graph, and so needs room for it. */
static bool makes_result(enum oro_batch_function function)
{
    return function == ORO_BATCH_RENDER || function == ORO_BATCH_READ;
}

static bool makes_graph(enum oro_batch_function function)
{
    return function == ORO_BATCH_NEW || function == ORO_BATCH_OPEN;
}

bool oro_batch_may_make(const struct oro_batch_options *options, enum oro_batch_function function,
                        size_t bytes, size_t graphs)
{
    if (makes_graph(function))
        return graphs < ORO_BATCH_GRAPHS_MAX;
    return !makes_result(function) || !options->result_bytes || bytes <= options->result_bytes;
}

static bool has_room(const struct oro_batch *batch, enum oro_batch_function function)
{
    return oro_batch_may_make(batch->options, function, batch->alive, batch->graphs);
}

/* Lua does not know how large graphs and results are, so a collection is forced to release those that nobody
 * holds. */
static void make_room(lua_State *lua, struct oro_batch *batch, enum oro_batch_function function)
{
    const size_t mib = (size_t)1 << 20;
    struct oro_error err;
    if (!has_room(batch, function))
        lua_gc(lua, LUA_GCCOLLECT);
    if (has_room(batch, function))
        return;
    if (makes_graph(function))
        oro_fail(&err, ORO_E_LIMIT, "the script holds %zu graphs; let go of some (graph = nil)",
                 batch->graphs);
    else
        oro_fail(&err, ORO_E_LIMIT,
                 "the script holds %zu MiB of results, and may hold %zu MiB; let go of some (result = nil)",
                 batch->alive / mib, batch->options->result_bytes / mib);
    raise_error(lua, batch, &err);
}

static int call_function(lua_State *lua)
{
    struct oro_batch *batch = lua_touserdata(lua, lua_upvalueindex(1));
    struct oro_batch_call call = {.function =
                                      (enum oro_batch_function)lua_tointeger(lua, lua_upvalueindex(2))};
    const struct oro_batch_entry *entry = &oro_batch_functions[call.function];
    bool method = strcmp(entry->object, "orograph") != 0;
    if (method)
        call.self = take_self(lua, entry)->value.object;
    release_pending(batch);
    oro_arena_destroy(batch->arena);
    batch->arena = call.arena = oro_arena_create();
    if (!batch->arena)
        return oro_batch_error(lua, "no memory for a call");
    oro_batch_take(lua, method ? 2 : 1, &call);
    make_room(lua, batch, call.function);
    call.common = !batch->within && !batch->knows_task;
    struct oro_error err = {0};
    double begun = oro_now();
    bool ok = batch->host->call(batch->host->user, &call, &err);
    oro_guard_spend(oro_guard_of(lua), oro_now() - begun);
    if (!ok)
        raise_error(lua, batch, &err);
    if (call.result.object)
        batch->pending = call.result;
    oro_batch_push(lua, batch, &call.result);
    batch->pending = (struct oro_batch_value){0};
    if (makes_result(call.function))
        make_room(lua, batch, call.function);
    return 1;
}

static void fetch_cells(lua_State *lua, struct oro_batch *batch, struct oro_batch_value *result)
{
    struct oro_error err = {0};
    size_t bytes = result->bytes;
    if (!batch->host->cells(batch->host->user, result, &err))
        raise_error(lua, batch, &err);
    batch->alive += result->bytes - bytes;
}

/* Scripts call this for millions of cells, so it bypasses the general path. */
static int call_at(lua_State *lua)
{
    const struct oro_batch_entry *entry = &oro_batch_functions[ORO_BATCH_AT];
    struct oro_batch_object *self = take_self(lua, entry);
    struct oro_batch_value *value = &self->value;
    int whole[2] = {0, 0};
    lua_Integer x = lua_tointegerx(lua, 2, &whole[0]), y = lua_tointegerx(lua, 3, &whole[1]);
    if (lua_type(lua, 2) != LUA_TNUMBER || lua_type(lua, 3) != LUA_TNUMBER || !whole[0] || !whole[1])
        return oro_batch_error(lua, "result:at: takes a column and a row, whole numbers from 0 on");
    if (!value->data && value->channels && self->batch->host->cells)
        fetch_cells(lua, self->batch, value);
    if (!value->data)
        return oro_batch_error(lua, "result:at: this result has no cells");
    if (x < 0 || x >= value->width || y < 0 || y >= value->height)
        return oro_batch_error(lua, "result:at: %I, %I lies outside of %d x %d cells", x, y, value->width,
                               value->height);
    const float *cell =
        value->data + ((size_t)y * (size_t)value->width + (size_t)x) * (size_t)value->channels;
    for (int i = 0; i < value->channels; i++)
        lua_pushnumber(lua, (lua_Number)cell[i]);
    return value->channels;
}

void oro_batch_push_function(lua_State *lua, struct oro_batch *batch, enum oro_batch_function function)
{
    if (function == ORO_BATCH_AT) {
        lua_pushcfunction(lua, call_at);
        return;
    }
    lua_pushlightuserdata(lua, batch);
    if (function == ORO_BATCH_EACH || function == ORO_BATCH_TASK) {
        lua_pushcclosure(lua, function == ORO_BATCH_EACH ? oro_batch_each : oro_batch_task, 1);
        return;
    }
    lua_pushinteger(lua, (lua_Integer)function);
    lua_pushcclosure(lua, call_function, 2);
}

/* ---- The state ---- */

static int print_line(lua_State *lua)
{
    struct oro_batch *batch = lua_touserdata(lua, lua_upvalueindex(1));
    int count = lua_gettop(lua);
    luaL_Buffer line;
    luaL_buffinit(lua, &line);
    for (int i = 1; i <= count; i++) {
        if (i > 1)
            luaL_addchar(&line, '\t');
        oro_library_tostring(lua, i, NULL);
        luaL_addvalue(&line);
    }
    luaL_pushresult(&line);
    size_t length;
    const char *text = lua_tolstring(lua, -1, &length);
    batch->host->print(batch->host->user, text, length);
    return 0;
}

static void push_arguments(lua_State *lua, const struct oro_batch_options *options)
{
    lua_createtable(lua, options->argument_count | 1, 0); /* lua/sandbox/guard.h says why the size is odd */
    for (int i = 0; i < options->argument_count; i++) {
        lua_pushstring(lua, options->arguments[i]);
        lua_rawseti(lua, -2, i + 1);
    }
}

/* Runs through the guard, because any of this may raise an error. Argument 1: the batch. */
static int open_all(lua_State *lua)
{
    struct oro_batch *batch = lua_touserdata(lua, 1);
    lua_pushcfunction(lua, oro_library_open);
    if (batch->modules.find)
        lua_pushlightuserdata(lua, &batch->modules);
    else
        lua_pushnil(lua);
    lua_call(lua, 1, 0);
    oro_batch_open_objects(lua, batch);
    lua_newtable(lua);
    for (int i = 0; i < ORO_BATCH_FUNCTIONS; i++) {
        if (strcmp(oro_batch_functions[i].object, "orograph") != 0)
            continue;
        oro_batch_push_function(lua, batch, (enum oro_batch_function)i);
        lua_setfield(lua, -2, oro_batch_functions[i].name);
    }
    push_arguments(lua, batch->options);
    lua_setfield(lua, -2, "args");
    lua_pushstring(lua, batch->options->version);
    lua_setfield(lua, -2, "version");
    lua_setglobal(lua, "orograph");
    lua_pushlightuserdata(lua, batch);
    lua_pushcclosure(lua, print_line, 1);
    lua_setglobal(lua, "print");
    return 0;
}

static bool run(struct oro_guard *guard, struct oro_batch *batch, const char *text, size_t length,
                const char *name, struct oro_error *err)
{
    lua_State *lua = oro_guard_state(guard);
    lua_pushcfunction(lua, open_all);
    lua_pushlightuserdata(lua, batch);
    if (!oro_guard_call(guard, 1, 0, err))
        return false;
    if (!oro_library_load(guard, text, length, name, 1, err)) {
        if (err->code == ORO_E_EVALUATE)
            err->code = ORO_E_DOCUMENT;
        return false;
    }
    oro_guard_refill(guard, batch->options->steps, batch->options->seconds);
    return oro_guard_call(guard, 0, 0, err);
}

/* An error of the host that the script did not catch ends the program with the code that another command
 * would give. It is recognised by its text, which follows the line of the script. */
static void find_code(const struct oro_batch *batch, struct oro_error *err)
{
    char line[2048];
    oro_error_line(&batch->last, line, sizeof line);
    size_t length = strlen(err->text), part = strlen(line);
    if (part == 0 || batch->last.code == ORO_OK || err->code != ORO_E_EVALUATE)
        return;
    bool same = part <= length && strcmp(err->text + length - part, line) == 0;
    if (same && batch->last.code != ORO_E_USAGE)
        err->code = batch->last.code;
}

bool oro_batch_run(const char *text, size_t length, const char *name, const struct oro_batch_host *host,
                   const struct oro_batch_options *options, struct oro_error *err)
{
    static const struct oro_log silent = {0};
    struct oro_batch batch = {
        .host = host, .options = options, .modules = {.find = host->find_module, .user = host->user}};
    const struct oro_guard_limits limits = {options->memory, options->steps, options->seconds};
    struct oro_guard *guard = oro_guard_create(&limits, &silent, err);
    if (!guard)
        return false;
    oro_guard_stop_when(guard, host->stopped, host->user);
    bool ok = run(guard, &batch, text, length, name, err);
    if (!ok)
        find_code(&batch, err);
    oro_guard_destroy(guard);
    release_pending(&batch);
    oro_arena_destroy(batch.arena);
    return ok;
}
