#include "lua/types/graph_guest.h"

#include <string.h>

#include <lauxlib.h>

#include "devices/guest/worker.h"
#include "graph/type/registry.h"
#include "lua/sandbox/values.h"
#include "lua/script/guest.h"
#include "lua/types/graph_private.h"
#include "lua/types/node_types.h"

enum {
    BUILD = ORO_GUEST_OWN, /* to the guest: a seed, the number of outputs, the table p, the script */
    CALL,                  /* from it: a function, and arguments */
    RESULT,                /* to it: whether it worked; then a value, or else a text */
};

/* What the guest calls. */
enum function {
    FIND_NODE,   /* (id): gives nothing */
    ADD_NODE,    /* (id, arguments): gives a handle */
    FIND_OUTPUT, /* (handle, name): gives a handle */
    FIND_INPUT,  /* (name): what p lacks */
    TAKE_OUTPUTS,
    FUNCTIONS,
};

/* A script pays for its calls, so that its steps end before it comes to CALLS_MAX of them. */
enum { CALLS_MAX = 100000, CALL_STEPS = ORO_SCRIPT_STEPS / CALLS_MAX, ARGUMENTS_MAX = 64 };

/* ---- Here ---- */

/* The state's stack while calls are served. */
enum { HOST = 1, HANDLES, INPUTS };

struct host {
    struct oro_building *building;
    struct oro_guest *guest;
    struct oro_packet message;
    int handles; /* that the guest knows */
    struct oro_error *err;
};

static int number_of(lua_State *lua, int index, void *user)
{
    struct host *host = user;
    if (!luaL_testudata(lua, index, oro_graph_handle_name))
        return -1;
    lua_pushvalue(lua, index);
    lua_rawseti(lua, HANDLES, ++host->handles);
    return host->handles - 1;
}

static bool push_handle(lua_State *lua, int number, void *user)
{
    const struct host *host = user;
    if (number < 0 || number >= host->handles)
        return false;
    lua_rawgeti(lua, HANDLES, number + 1);
    return true;
}

static struct oro_value_objects handles_of(struct host *host)
{
    return (struct oro_value_objects){number_of, push_handle, host};
}

/* Arguments: the host, the handles, the table p, the function's number, its arguments. */
static int call(lua_State *lua)
{
    struct host *host = lua_touserdata(lua, HOST);
    int first = INPUTS + 2, given = lua_gettop(lua) - first + 1;
    switch (lua_tointeger(lua, INPUTS + 1)) {
    case FIND_NODE:
    case ADD_NODE:
        lua_pushlightuserdata(lua, host->building);
        lua_pushcclosure(lua, oro_graph_find_node, 1);
        lua_pushnil(lua);
        lua_pushvalue(lua, first);
        lua_call(lua, 2, 1);
        if (lua_tointeger(lua, INPUTS + 1) == FIND_NODE)
            return 0;
        lua_replace(lua, first);
        lua_call(lua, given - 1, 1);
        return 1;
    case FIND_OUTPUT:
        lua_pushlightuserdata(lua, host->building);
        lua_pushcclosure(lua, oro_graph_find_output, 1);
        lua_insert(lua, first);
        lua_call(lua, given, 1);
        return 1;
    case FIND_INPUT:
        lua_gettable(lua, INPUTS);
        return 1;
    default:
        oro_graph_take_outputs(lua, host->building, first);
        return 0;
    }
}

/* Serves a call, and puts its result into the message. Returns the function; raises errors of memory. */
static int serve(lua_State *lua, struct host *host)
{
    const struct oro_value_objects handles = handles_of(host);
    int64_t function = oro_take_int(&host->message), count = oro_take_int(&host->message);
    if (function < 0 || function >= FUNCTIONS || count < 0 || count > ARGUMENTS_MAX)
        return FUNCTIONS;
    luaL_checkstack(lua, ARGUMENTS_MAX + 20, NULL);
    lua_pushcfunction(lua, call);
    for (int i = HOST; i <= INPUTS; i++)
        lua_pushvalue(lua, i);
    lua_pushinteger(lua, function);
    for (int64_t i = 0; i < count; i++)
        oro_push_value(lua, &host->message, &handles);
    bool least = count >= (function == FIND_OUTPUT ? 2 : function == TAKE_OUTPUTS ? 0 : 1);
    if (!least || !oro_packet_is_whole(&host->message))
        return FUNCTIONS;
    bool ok = lua_pcall(lua, (int)count + INPUTS + 1, 1, 0) == LUA_OK;
    oro_packet_begin(&host->message, RESULT);
    oro_put_int(&host->message, ok);
    oro_put_value(lua, -1, &host->message, &handles);
    lua_settop(lua, INPUTS);
    return (int)function + (ok ? 0 : FUNCTIONS + 1);
}

/* Until the guest has given its outputs. False: `err` is filled. */
static bool serve_all(lua_State *lua, struct host *host)
{
    for (int calls = 0; calls < CALLS_MAX; calls++) {
        if (!oro_guest_receive(host->guest, &host->message, host->err))
            return false;
        int done = host->message.kind == CALL ? serve(lua, host) : FUNCTIONS;
        if (done == FUNCTIONS)
            break;
        if (done == TAKE_OUTPUTS)
            return true;
        if (!oro_guest_send(host->guest, &host->message, host->err))
            return false;
    }
    return oro_guest_refuse(host->guest, host->err);
}

/* Argument: the host. Returns whether the graph was built. */
static int host_body(lua_State *lua)
{
    struct host *host = lua_touserdata(lua, 1);
    const struct oro_value_objects handles = handles_of(host);
    const struct oro_script *script = oro_script_of(host->building->own);
    luaL_checkstack(lua, 20, NULL);
    oro_graph_push_handle_type(lua, oro_graph_find_output, host->building);
    lua_pop(lua, 1);
    lua_newtable(lua);
    oro_graph_push_inputs(lua, host->building);
    oro_packet_begin(&host->message, BUILD);
    oro_put_int(&host->message, (int64_t)oro_build_seed(host->building->build));
    oro_put_int(&host->message, (int64_t)oro_type_output_count(host->building->own));
    oro_script_put(script, &host->message);
    oro_put_value(lua, INPUTS, &host->message, &handles);
    lua_pushboolean(lua, oro_guest_send(host->guest, &host->message, host->err) && serve_all(lua, host));
    return 1;
}

bool oro_graph_build_in_guest(const struct oro_script *script, struct oro_building *building,
                              struct oro_error *err)
{
    const struct oro_guard_limits own = {ORO_SCRIPT_MEMORY, INT64_MAX, 0};
    const struct oro_guest_limits limits = oro_script_guest_limits(script, ORO_SCRIPT_SECONDS);
    struct host host = {.building = building, .message = {.file = -1}, .err = err};
    struct oro_guard *guard = oro_guard_create(&own, script->log, err);
    host.guest = guard ? oro_guest_begin(ORO_GUEST_GRAPH, &limits, err) : NULL;
    bool ok = host.guest;
    if (ok) {
        lua_State *lua = oro_guard_state(guard);
        lua_pushcfunction(lua, host_body);
        lua_pushlightuserdata(lua, &host);
        ok = oro_guard_call(guard, 1, 1, err) && lua_toboolean(lua, -1);
    }
    oro_packet_free(&host.message);
    oro_guest_end(host.guest);
    oro_guard_destroy(guard);
    return ok;
}

/* ---- In the guest ---- */

struct work {
    int socket, outputs;
    struct oro_packet message;
};

static int handle_number(lua_State *lua, int index, void *user)
{
    (void)user;
    const int *number = luaL_testudata(lua, index, oro_graph_handle_name);
    return number ? *number : -1;
}

static bool push_number(lua_State *lua, int number, void *user)
{
    (void)user;
    int *handle = lua_newuserdatauv(lua, sizeof number, 0);
    *handle = number;
    luaL_setmetatable(lua, oro_graph_handle_name);
    return true;
}

static const struct oro_value_objects numbers = {handle_number, push_number, NULL};

/* Calls a function of the program with the values from stack index `first` on. Pushes its result. */
static void call_host(lua_State *lua, struct work *work, enum function function, int first)
{
    int count = lua_gettop(lua) - first + 1;
    if (count > ARGUMENTS_MAX)
        luaL_error(lua, "there are more than %d arguments", ARGUMENTS_MAX);
    oro_guard_charge(lua, CALL_STEPS);
    oro_packet_begin(&work->message, CALL);
    oro_put_int(&work->message, function);
    oro_put_int(&work->message, count);
    for (int i = first; i < first + count; i++)
        oro_put_value(lua, i, &work->message, &numbers);
    oro_guest_give(work->socket, &work->message);
    oro_guest_take(work->socket, &work->message);
    bool ok = oro_take_int(&work->message);
    oro_push_value(lua, &work->message, &numbers);
    if (!ok)
        luaL_error(lua, "%s", lua_tostring(lua, -1));
}

static struct work *work_of(lua_State *lua)
{
    return lua_touserdata(lua, lua_upvalueindex(1));
}

/* The second upvalue is the type's name. */
static int add_node(lua_State *lua)
{
    if (lua_gettop(lua) == 1 && lua_istable(lua, 1) && lua_getmetatable(lua, 1))
        return luaL_error(lua, "the inputs of '%s' must be a plain table",
                          lua_tostring(lua, lua_upvalueindex(2)));
    lua_pushvalue(lua, lua_upvalueindex(2));
    lua_insert(lua, 1);
    call_host(lua, work_of(lua), ADD_NODE, 1);
    return 1;
}

/* b.NAME */
static int find_node(lua_State *lua)
{
    struct work *work = work_of(lua);
    luaL_checkstring(lua, 2);
    lua_settop(lua, 2);
    call_host(lua, work, FIND_NODE, 2);
    lua_pushlightuserdata(lua, work);
    lua_pushvalue(lua, 2);
    lua_pushcclosure(lua, add_node, 2);
    return 1;
}

static int find_output(lua_State *lua)
{
    luaL_checkudata(lua, 1, oro_graph_handle_name);
    luaL_checkstring(lua, 2);
    lua_settop(lua, 2);
    call_host(lua, work_of(lua), FIND_OUTPUT, 1);
    return 1;
}

static int find_input(lua_State *lua)
{
    lua_settop(lua, 2);
    call_host(lua, work_of(lua), FIND_INPUT, 2);
    return 1;
}

/* Arguments: the script's function, the work. */
static int body(lua_State *lua)
{
    struct work *work = lua_touserdata(lua, 2);
    luaL_checkstack(lua, work->outputs + 20, NULL);
    lua_settop(lua, 1);
    oro_graph_push_handle_type(lua, find_output, work);
    lua_pop(lua, 1);
    oro_graph_push_nodes(lua, find_node, work);
    oro_push_value(lua, &work->message, &numbers);
    lua_newtable(lua);
    lua_pushlightuserdata(lua, work);
    lua_pushcclosure(lua, find_input, 1);
    lua_setfield(lua, -2, "__index");
    lua_pushboolean(lua, false);
    lua_setfield(lua, -2, "__metatable");
    lua_setmetatable(lua, -2);
    lua_call(lua, 2, work->outputs);
    call_host(lua, work, TAKE_OUTPUTS, 1);
    return 0;
}

static bool build(struct work *work, struct oro_script *script, uint64_t seed, struct oro_error *err)
{
    const struct oro_guard_limits limits = {ORO_SCRIPT_MEMORY, ORO_SCRIPT_STEPS, ORO_SCRIPT_SECONDS};
    struct oro_guard *guard = oro_script_open(script, &limits, seed, script->log, err);
    if (!guard)
        return false;
    lua_State *lua = oro_guard_state(guard);
    lua_pushcfunction(lua, body);
    lua_insert(lua, 2);
    lua_pushlightuserdata(lua, work);
    return oro_guard_call(guard, 2, 0, err);
}

void oro_graph_work(int socket)
{
    struct oro_error err = {0};
    struct work work = {.socket = socket, .message = {.file = -1}};
    oro_guest_take(socket, &work.message);
    uint64_t seed = (uint64_t)oro_take_int(&work.message);
    work.outputs = (int)oro_take_int(&work.message);
    struct oro_script *script = oro_script_take(&work.message, oro_script_forms, oro_guest_log(socket));
    if (!script)
        return;
    script->form = oro_script_forms;
    while (!script->form->expand)
        script->form++;
    if (!build(&work, script, seed, &err))
        oro_guest_give_error(socket, &err);
}
