/*
 * Scripts that build a graph of other nodes: graph = function(b, p). `b.noise{feature = 900}` adds a node and
 * returns a handle, which stands for its first output; `.name` of it is another output. `p` has the script's
 * own inputs: numbers, booleans and words as they are; and handles, to be passed to nodes, for inputs that
 * are linked or have no form in Lua.
 */
#include "lua/types/graph.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <lauxlib.h>

#include "base/text.h"
#include "graph/type/registry.h"
#include "lua/types/graph_private.h"

const char oro_graph_handle_name[] = "output of a node";

static struct oro_building *building_of(lua_State *lua)
{
    return lua_touserdata(lua, lua_upvalueindex(1));
}

static void push_handle(lua_State *lua, int node, int output)
{
    struct oro_graph_handle *handle = lua_newuserdatauv(lua, sizeof *handle, 0);
    *handle = (struct oro_graph_handle){node, output};
    luaL_setmetatable(lua, oro_graph_handle_name);
}

/* ---- Links ---- */

static const char *name_of(const struct oro_building *building, const struct oro_graph_handle *handle)
{
    return handle->node < 0 ? building->own->inputs[handle->output].name
                            : building->types[handle->node]->outputs[handle->output].name;
}

static enum oro_type type_of(const struct oro_building *building, const struct oro_graph_handle *handle)
{
    const struct oro_input *own = &building->own->inputs[handle->output];
    if (handle->node >= 0)
        return building->types[handle->node]->outputs[handle->output].type;
    bool linked = oro_build_linked(building->build, own->name);
    return linked && own->type == ORO_FLOAT ? ORO_FIELD : own->type;
}

static bool fits(const struct oro_building *building, const struct oro_graph_handle *handle,
                 const struct oro_input *input)
{
    enum oro_type type = type_of(building, handle);
    bool carried = oro_is_raster(type) || type == ORO_UPLIFT || type == ORO_NETWORK || type == ORO_ANY;
    return carried ? oro_input_accepts(input, type) : type == input->type;
}

static void set_link(lua_State *lua, struct oro_building *building, int node, const struct oro_input *input)
{
    const struct oro_graph_handle *handle = luaL_checkudata(lua, -1, oro_graph_handle_name);
    if (!fits(building, handle, input))
        luaL_error(lua, "'%s' of '%s' takes %s, and '%s' is %s", input->name, building->types[node]->id,
                   oro_input_linkable(input) ? oro_type_phrase(input->type) : oro_type_name(input->type),
                   name_of(building, handle), oro_type_phrase(type_of(building, handle)));
    if (handle->node < 0)
        oro_build_forward(building->build, node, input->name, name_of(building, handle));
    else
        oro_build_link(building->build, node, input->name, handle->node, name_of(building, handle));
}

/* ---- Values ---- */

static void set_text(lua_State *lua, struct oro_building *building, int node, const struct oro_input *input,
                     const char *text)
{
    if (!oro_input_has_literal(input))
        luaL_error(lua, "'%s' of '%s' must be linked to what another node gives", input->name,
                   building->types[node]->id);
    oro_build_text(building->build, node, input->name, text);
}

/* 0 for NaN, too. */
static unsigned byte_of(double part)
{
    return part > 0 ? (unsigned)(fmin(part, 1) * 255 + .5) & 0xFF : 0;
}

/* Writes { x = 1, y = 2 } or { r = 1, g = 0, b = 0 } as documents do. */
static void set_table(lua_State *lua, struct oro_building *building, int node, const struct oro_input *input)
{
    static const char *const axes[] = {"x", "y"}, *const channels[] = {"r", "g", "b", "a"};
    char text[80] = "#";
    int count = input->type == ORO_POINT ? 2 : input->type == ORO_COLOUR ? 4 : 0;
    if (count == 0)
        luaL_error(lua, "'%s' of '%s' cannot be a table", input->name, building->types[node]->id);
    for (int i = 0; i < count; i++) {
        lua_getfield(lua, -1, count == 2 ? axes[i] : channels[i]);
        double number = count == 4 && i == 3 ? luaL_optnumber(lua, -1, 1) : luaL_checknumber(lua, -1);
        char part[ORO_NUMBER_SIZE];
        lua_pop(lua, 1);
        if (count == 2)
            snprintf(text + (i ? strlen(text) : 0), sizeof text / 2, "%s%s", i ? " " : "",
                     oro_format_number(number, part));
        else
            snprintf(text + strlen(text), 3, "%02x", byte_of(number));
    }
    set_text(lua, building, node, input, text);
}

/* The value lies at stack index -1. */
static void set_input(lua_State *lua, struct oro_building *building, int node, const struct oro_input *input)
{
    char number[ORO_NUMBER_SIZE];
    switch (lua_type(lua, -1)) {
    case LUA_TUSERDATA:
        set_link(lua, building, node, input);
        break;
    case LUA_TNUMBER:
        if (input->type == ORO_FLOAT || input->type == ORO_INT)
            oro_build_number(building->build, node, input->name, lua_tonumber(lua, -1));
        else
            set_text(lua, building, node, input, oro_format_number(lua_tonumber(lua, -1), number));
        break;
    case LUA_TBOOLEAN:
        set_text(lua, building, node, input, lua_toboolean(lua, -1) ? "true" : "false");
        break;
    case LUA_TSTRING:
        set_text(lua, building, node, input, lua_tostring(lua, -1));
        break;
    case LUA_TTABLE:
        set_table(lua, building, node, input);
        break;
    default:
        luaL_error(lua, "'%s' of '%s' cannot be a %s", input->name, building->types[node]->id,
                   luaL_typename(lua, -1));
    }
}

static void no_input(lua_State *lua, const struct oro_node_type *type, const char *name)
{
    const char *nearest = oro_type_suggest_input(type, name);
    luaL_error(lua, nearest ? "'%s' has no input '%s'; did you mean '%s'?" : "'%s' has no input '%s'",
               type->id, name, nearest ? nearest : "");
}

/* Raises an error of the build, so that it names the line of the script. */
static void check_build(lua_State *lua, const struct oro_building *building)
{
    const struct oro_error *err = oro_build_error(building->build);
    if (err)
        luaL_error(lua, "%s", err->text);
}

/* Goes through the inputs in the order of the type, so that the same script does the same each time. */
static void set_inputs(lua_State *lua, struct oro_building *building, int node)
{
    const struct oro_node_type *type = building->types[node];
    for (const struct oro_input *input = type->inputs; input->name; input++) {
        lua_pushstring(lua, input->name);
        if (lua_rawget(lua, 1) != LUA_TNIL)
            set_input(lua, building, node, input);
        lua_pop(lua, 1);
        const struct oro_error *err = oro_build_error(building->build);
        if (err)
            luaL_error(lua, "'%s' of '%s': %s", input->name, building->types[node]->id, err->text);
    }
}

/* ---- Nodes ---- */

/* b.noise{...}: the second upvalue is the type. */
static int add_node(lua_State *lua)
{
    struct oro_building *building = building_of(lua);
    const struct oro_node_type *type = lua_touserdata(lua, lua_upvalueindex(2));
    char name[2 * ORO_SCRIPT_NAME_MAX];
    int before = 0;
    if (lua_gettop(lua) > 1 || (!lua_isnoneornil(lua, 1) && !lua_istable(lua, 1)))
        return luaL_error(lua, "'%s' takes one table of inputs: b.%s{ input = value }", type->id, type->id);
    lua_settop(lua, 1);
    if (lua_isnil(lua, 1)) {
        lua_newtable(lua);
        lua_replace(lua, 1);
    }
    if (lua_getmetatable(lua, 1))
        return luaL_error(lua, "the inputs of '%s' must be a plain table", type->id);
    for (lua_pushnil(lua); lua_next(lua, 1); lua_pop(lua, 1)) {
        if (lua_type(lua, -2) != LUA_TSTRING)
            luaL_error(lua, "inputs of '%s' are given by name: input = value", type->id);
        if (!oro_type_input(type, lua_tostring(lua, -2)))
            no_input(lua, type, lua_tostring(lua, -2));
    }
    for (const struct oro_input *input = type->inputs; input->name; input++) {
        if (!oro_input_required(input))
            continue;
        lua_getfield(lua, 1, input->name);
        if (lua_isnil(lua, -1))
            luaL_error(lua, "'%s' needs '%s'", type->id, input->name);
        lua_pop(lua, 1);
    }
    for (size_t i = 0; i < sizeof building->types / sizeof building->types[0] && building->types[i]; i++)
        before += building->types[i] == type;
    snprintf(name, sizeof name, before ? "%.60s%d" : "%.60s", type->id, before + 1);
    int node = oro_build_node_of(building->build, type, name);
    check_build(lua, building);
    if (node < 0)
        return luaL_error(lua, "'%s' could not be added", type->id);
    building->types[node] = type;
    set_inputs(lua, building, node);
    push_handle(lua, node, 0);
    return 1;
}

/* b.NAME */
int oro_graph_find_node(lua_State *lua)
{
    struct oro_building *building = building_of(lua);
    const char *id = luaL_checkstring(lua, 2);
    struct oro_error err = {0};
    const struct oro_node_type *type = oro_build_find(building->build, id, &err);
    if (!type)
        return luaL_error(lua, "%s", err.text);
    if (type->sink)
        return luaL_error(lua, "'%s' writes files, which nodes within scripts may not", id);
    if (!type->outputs || !type->outputs[0].name)
        return luaL_error(lua, "'%s' gives nothing", id);
    lua_pushlightuserdata(lua, building);
    lua_pushlightuserdata(lua, (void *)type);
    lua_pushcclosure(lua, add_node, 2);
    return 1;
}

static void no_output(lua_State *lua, const struct oro_node_type *type, const char *name)
{
    const char *nearest = oro_type_suggest_output(type, name);
    luaL_error(lua, nearest ? "'%s' has no output '%s'; did you mean '%s'?" : "'%s' has no output '%s'",
               type->id, name, nearest ? nearest : "");
}

/* node.NAME */
int oro_graph_find_output(lua_State *lua)
{
    const struct oro_building *building = building_of(lua);
    const struct oro_graph_handle *handle = luaL_checkudata(lua, 1, oro_graph_handle_name);
    const char *name = luaL_checkstring(lua, 2);
    if (handle->node < 0)
        return luaL_error(lua, "'%s' is what is linked to the node; it can only be handed on",
                          building->own->inputs[handle->output].name);
    const struct oro_node_type *type = building->types[handle->node];
    const struct oro_output *output = oro_type_output(type, name);
    if (!output)
        no_output(lua, type, name);
    push_handle(lua, handle->node, (int)(output - type->outputs));
    return 1;
}

static int refuse_arithmetic(lua_State *lua)
{
    return luaL_error(lua,
                      "what is linked, or comes from a node, is no number here; use nodes like b.combine");
}

/* ---- The whole ---- */

void oro_graph_take_outputs(lua_State *lua, struct oro_building *building, int first)
{
    const struct oro_node_type *own = building->own;
    bool table = lua_istable(lua, first);
    for (int i = 0; own->outputs[i].name; i++) {
        const char *name = own->outputs[i].name;
        if (table)
            lua_getfield(lua, first, name);
        else
            lua_pushvalue(lua, first + i);
        const struct oro_graph_handle *handle = luaL_testudata(lua, -1, oro_graph_handle_name);
        if (!handle) {
            luaL_error(lua, "'graph' gives nothing for its output '%s', but %s", name,
                       luaL_typename(lua, -1));
            return;
        }
        enum oro_type type = type_of(building, handle), wanted = own->outputs[i].type;
        if (type != wanted && type != ORO_ANY && !(wanted == ORO_FIELD && type == ORO_UPLIFT))
            luaL_error(lua, "'graph' gives %s for its output '%s', which is %s", oro_type_phrase(type), name,
                       oro_type_phrase(wanted));
        if (handle->node < 0)
            oro_build_output_of_input(building->build, name, name_of(building, handle));
        else
            oro_build_output(building->build, name, handle->node, name_of(building, handle));
        lua_pop(lua, 1);
        check_build(lua, building);
    }
}

void oro_graph_push_handle_type(lua_State *lua, lua_CFunction find_output, void *user)
{
    static const char *const arithmetic[] = {"__add", "__sub", "__mul", "__div", "__unm",
                                             "__pow", "__mod", "__lt",  "__le",  "__concat"};
    luaL_newmetatable(lua, oro_graph_handle_name);
    lua_pushlightuserdata(lua, user);
    lua_pushcclosure(lua, find_output, 1);
    lua_setfield(lua, -2, "__index");
    for (size_t i = 0; i < sizeof arithmetic / sizeof arithmetic[0]; i++) {
        lua_pushcfunction(lua, refuse_arithmetic);
        lua_setfield(lua, -2, arithmetic[i]);
    }
}

void oro_graph_push_nodes(lua_State *lua, lua_CFunction find_node, void *user)
{
    lua_newtable(lua);
    lua_newtable(lua);
    lua_pushlightuserdata(lua, user);
    lua_pushcclosure(lua, find_node, 1);
    lua_setfield(lua, -2, "__index");
    lua_setmetatable(lua, -2);
}

/* Handles replace the literals of inputs that are linked, or whose type has no form in Lua. */
void oro_graph_push_inputs(lua_State *lua, const struct oro_building *building)
{
    oro_script_push_params(lua, building->own, building->params);
    for (int i = 0; building->own->inputs[i].name; i++) {
        const struct oro_input *input = &building->own->inputs[i];
        bool linked = oro_build_linked(building->build, input->name);
        bool carried = !oro_input_has_literal(input) || input->type == ORO_NETWORK;
        bool curve = input->type == ORO_PROFILE || input->type == ORO_GRADIENT || input->type == ORO_FILE;
        if (linked || curve || input->type == ORO_NETWORK)
            push_handle(lua, -1, i);
        else if (carried)
            lua_pushnil(lua);
        else
            continue;
        lua_setfield(lua, -2, input->name);
    }
    oro_script_watch(lua, -1, building->own, "the table p");
}

/* Arguments: the script's function, the building. */
static int body(lua_State *lua)
{
    struct oro_building *building = lua_touserdata(lua, 2);
    int outputs = (int)oro_type_output_count(building->own);
    luaL_checkstack(lua, outputs + 20, NULL);
    lua_settop(lua, 1);
    oro_graph_push_handle_type(lua, oro_graph_find_output, building);
    lua_pop(lua, 1);
    oro_graph_push_nodes(lua, oro_graph_find_node, building);
    oro_graph_push_inputs(lua, building);
    lua_call(lua, 2, outputs);
    oro_graph_take_outputs(lua, building, 1);
    return 0;
}

static bool build_here(const struct oro_script *script, struct oro_building *building, struct oro_error *err)
{
    const struct oro_guard_limits limits = {ORO_SCRIPT_MEMORY, ORO_SCRIPT_STEPS, ORO_SCRIPT_SECONDS};
    struct oro_guard *guard =
        oro_script_open(script, &limits, oro_build_seed(building->build), script->log, err);
    if (!guard)
        return false;
    lua_State *lua = oro_guard_state(guard);
    lua_pushcfunction(lua, body);
    lua_insert(lua, 2);
    lua_pushlightuserdata(lua, building);
    bool ok = oro_guard_call(guard, 2, 0, err);
    oro_guard_destroy(guard);
    return ok;
}

bool oro_script_expand(struct oro_build *build, const void *params)
{
    const struct oro_node_type *own = oro_build_type(build);
    const struct oro_script *script = oro_script_of(own);
    struct oro_building *building = oro_alloc(1, sizeof *building);
    struct oro_error err = {0};
    bool ok = building || oro_fail(&err, ORO_E_MEMORY, "no memory for script '%s'", own->id);
    if (ok) {
        *building = (struct oro_building){.build = build, .own = own, .params = params};
        ok = script->in_guest ? oro_graph_build_in_guest(script, building, &err)
                              : build_here(script, building, &err);
    }
    oro_free(building);
    return ok || oro_build_fail(build, &err);
}
