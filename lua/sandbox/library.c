#include "lua/sandbox/library.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <lualib.h>

#include "lua/sandbox/library_private.h"

/* Key in the registry; only its address matters. */
static char library_key;

struct oro_library *oro_library_of(lua_State *lua)
{
    lua_rawgetp(lua, LUA_REGISTRYINDEX, &library_key);
    struct oro_library *library = lua_touserdata(lua, -1);
    lua_pop(lua, 1);
    return library;
}

void oro_library_new_array(lua_State *lua, lua_Integer count)
{
    lua_createtable(lua, (int)count | 1, 0);
}

void oro_library_seed(lua_State *lua, uint64_t seed)
{
    struct oro_library *library = oro_library_of(lua);
    if (library)
        library->random = seed;
}

static double price_of_texts(lua_State *lua)
{
    double bytes = 0;
    for (int i = 1; i <= lua_gettop(lua); i++)
        if (lua_type(lua, i) == LUA_TSTRING)
            bytes += (double)lua_rawlen(lua, i);
    return bytes / 8;
}

/* The function itself checks bounds. */
static double price_of_range(lua_State *lua)
{
    size_t length;
    luaL_checklstring(lua, 1, &length);
    double from = (double)luaL_optinteger(lua, 2, 1), to = (double)luaL_optinteger(lua, 3, (lua_Integer)from);
    from = fmax(from < 0 ? from + (double)length + 1 : from, 1);
    to = fmin(to < 0 ? to + (double)length + 1 : to, (double)length);
    if (to - from >= ORO_LIBRARY_UNPACK_MAX)
        luaL_error(lua, "gives more than %d values", ORO_LIBRARY_UNPACK_MAX);
    return fmax(to - from, 0);
}

/* Charges for a function of Lua's own, the first upvalue, and then calls it. */
static int call_charged(lua_State *lua)
{
    switch ((enum oro_library_price)lua_tointeger(lua, lua_upvalueindex(2))) {
    case ORO_LIBRARY_TEXTS:
        oro_guard_charge(lua, price_of_texts(lua));
        break;
    case ORO_LIBRARY_RANGE:
        oro_guard_charge(lua, price_of_range(lua));
        break;
    default:
        oro_guard_charge(lua, fmin(fabs(lua_tonumber(lua, 2)), ORO_GUARD_TEXT_MAX));
    }
    return lua_tocfunction(lua, lua_upvalueindex(1))(lua);
}

static void push_library(lua_State *lua, lua_CFunction open, const struct oro_library_entry *entries)
{
    lua_pushcfunction(lua, open);
    lua_call(lua, 0, 1);
    /* Pushes a table of the entries; Lua's own table is at the top, and is removed. */
    lua_newtable(lua);
    for (const struct oro_library_entry *entry = entries; entry->name; entry++) {
        if (entry->function)
            lua_pushcfunction(lua, entry->function);
        else
            lua_getfield(lua, -2, entry->name);
        if (entry->price) {
            lua_pushinteger(lua, entry->price);
            lua_pushcclosure(lua, call_charged, 2);
        }
        lua_setfield(lua, -2, entry->name);
    }
    lua_remove(lua, -2);
}

int oro_library_open(lua_State *lua)
{
    static const struct {
        const char *name;
        lua_CFunction open;
        const struct oro_library_entry *entries;
    } parts[] = {
        {"string", luaopen_string, oro_library_string},
        {"table", luaopen_table, oro_library_table},
        {"math", luaopen_math, oro_library_math},
        {"utf8", luaopen_utf8, oro_library_utf8},
    };
    const struct oro_modules *modules = lua_touserdata(lua, 1);
    struct oro_library *library = lua_newuserdatauv(lua, sizeof *library, 0);
    *library = (struct oro_library){.modules = modules};
    lua_rawsetp(lua, LUA_REGISTRYINDEX, &library_key);
    push_library(lua, luaopen_base, oro_library_base);
    lua_pushvalue(lua, -1);
    lua_setfield(lua, -2, "_G");
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        push_library(lua, parts[i].open, parts[i].entries);
        lua_setfield(lua, -2, parts[i].name);
    }
    /* Removes the metatable that luaopen_string gives to all texts. */
    lua_pushliteral(lua, "");
    lua_pushnil(lua);
    lua_setmetatable(lua, -2);
    lua_pop(lua, 1);
    /* Replaces Lua's own table of globals, which has more. */
    lua_rawseti(lua, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    return 0;
}

struct source {
    const char *text, *name;
    size_t length, given;
    int before; /* lines that are still to be sent ahead of the text */
    int line;
};

/* Sends empty lines ahead of the text, so that Lua counts lines as in the file that the text stands in. */
static const char *read_lines(lua_State *lua, struct source *source, size_t *length)
{
    static const char lines[] = "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n";
    int most = (int)sizeof lines - 1, count = source->before < most ? source->before : most;
    source->before -= count;
    source->line += count;
    *length = (size_t)count;
    oro_guard_charge(lua, count / 4.0);
    return lines;
}

/* The parser takes no steps but may take long, so each piece that it gets is charged for. */
static const char *read_piece(lua_State *lua, void *user, size_t *length)
{
    enum { PIECE = 200, STEPS = 2 };
    struct source *source = user;
    if (source->before > 0)
        return read_lines(lua, source, length);
    size_t left = source->length - source->given;
    const char *piece = source->text + source->given;
    *length = left < PIECE ? left : PIECE;
    for (size_t i = 0; i < *length; i++)
        source->line += piece[i] == '\n';
    oro_guard_charge(lua, (double)*length * STEPS);
    source->given += *length;
    return *length ? piece : NULL;
}

/* Lua gives no line in two cases: text that is nested too deeply for the parser, and bytecode. */
static int fail_load(lua_State *lua, const struct source *source)
{
    const char *text = lua_type(lua, -1) == LUA_TSTRING ? lua_tostring(lua, -1) : "";
    if (strcmp(text, "C stack overflow") == 0)
        lua_pushfstring(lua, "%s:%d: is nested too deeply", source->name, source->line);
    else if (strstr(text, "attempt to load a binary chunk") == text)
        lua_pushfstring(lua, "%s:1: is no text, but compiled Lua", source->name);
    return lua_error(lua);
}

void oro_library_load_text(lua_State *lua, const char *text, size_t length, const char *name, int line)
{
    char chunk[256];
    struct source source = {.text = text, .length = length, .name = name, .before = line - 1, .line = 1};
    snprintf(chunk, sizeof chunk, "@%s", name);
    if (lua_load(lua, read_piece, &source, chunk, "t") != LUA_OK)
        fail_load(lua, &source);
}

static int load(lua_State *lua)
{
    const struct source *source = lua_touserdata(lua, 1);
    oro_library_load_text(lua, source->text, source->length, source->name, source->line);
    return 1;
}

bool oro_library_load(struct oro_guard *guard, const char *text, size_t length, const char *name, int line,
                      struct oro_error *err)
{
    lua_State *lua = oro_guard_state(guard);
    struct source source = {.text = text, .length = length, .name = name, .line = line};
    struct oro_error failure = {0};
    lua_pushcfunction(lua, load);
    lua_pushlightuserdata(lua, &source);
    if (oro_guard_call(guard, 1, 1, &failure))
        return true;
    bool named = strncmp(failure.text, name, strlen(name)) == 0 || failure.code != ORO_E_LIMIT;
    return oro_fail(err, failure.code, "%s%s%s", named ? "" : name, named ? "" : ": ", failure.text);
}
