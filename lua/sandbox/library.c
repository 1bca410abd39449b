#include "lua/sandbox/library.h"

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

void oro_library_seed(lua_State *lua, uint64_t seed)
{
    struct oro_library *library = oro_library_of(lua);
    if (library)
        library->random = seed;
}

int oro_library_call_own(lua_State *lua)
{
    return lua_tocfunction(lua, lua_upvalueindex(1))(lua);
}

/* Copies what has that name from a table of globals to another one, or puts ours in its place. `to` is the
 * top of the stack. */
static void add_name(lua_State *lua, int from, int to, const char *name)
{
    static const luaL_Reg ours[] = {
        {"getmetatable", oro_library_getmetatable},
        {"math.random", oro_library_random},
        {"math.randomseed", oro_library_randomseed},
        {"next", oro_library_next},
        {"pairs", oro_library_pairs},
        {"print", oro_library_print},
        {"require", oro_library_require},
        {"setmetatable", oro_library_setmetatable},
        {"string.format", oro_library_format},
        {"string.lower", oro_library_lower},
        {"string.upper", oro_library_upper},
        {"table.sort", oro_library_sort},
        {"tostring", oro_library_to_string},
    };
    const char *dot = strchr(name, '.'), *last = dot ? dot + 1 : name;
    if (dot) {
        const char *table = lua_pushlstring(lua, name, (size_t)(dot - name));
        lua_getfield(lua, from, table);
        luaL_getsubtable(lua, to, table);
    } else {
        lua_pushvalue(lua, from);
        lua_pushvalue(lua, to);
    }
    lua_getfield(lua, -2, last);
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++)
        if (strcmp(name, ours[i].name) == 0)
            lua_pushcclosure(lua, ours[i].func, 1);
    lua_setfield(lua, -2, last);
    lua_settop(lua, to);
}

int oro_library_open(lua_State *lua)
{
    static const luaL_Reg parts[] = {{LUA_GNAME, luaopen_base},
                                     {LUA_STRLIBNAME, luaopen_string},
                                     {LUA_TABLIBNAME, luaopen_table},
                                     {LUA_MATHLIBNAME, luaopen_math},
                                     {LUA_UTF8LIBNAME, luaopen_utf8}};
    const struct oro_modules *modules = lua_touserdata(lua, 1);
    struct oro_library *library = lua_newuserdatauv(lua, sizeof *library, 0);
    *library = (struct oro_library){.modules = modules};
    lua_rawsetp(lua, LUA_REGISTRYINDEX, &library_key);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        luaL_requiref(lua, parts[i].name, parts[i].func, true);
    /* Removes the metatable that luaopen_string gives to all texts. */
    lua_pushliteral(lua, "");
    lua_pushnil(lua);
    lua_setmetatable(lua, -2);
    /* Scripts get a table of globals of their own, with the names that are listed. */
    lua_pushglobaltable(lua);
    lua_newtable(lua);
    int globals = lua_gettop(lua);
    for (size_t i = 0; oro_library_names[i]; i++)
        add_name(lua, globals - 1, globals, oro_library_names[i]);
    lua_pushvalue(lua, globals);
    lua_setfield(lua, globals, LUA_GNAME);
    lua_rawseti(lua, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    return 0;
}

struct source {
    const char *text, *name;
    size_t length;
    int line;
};

/* Sends empty lines ahead of the text, so that Lua counts lines as in the file that the text stands in. */
static const char *read_piece(lua_State *lua, void *user, size_t *length)
{
    static const char lines[] = "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n";
    struct source *source = user;
    (void)lua;
    if (source->line > 1) {
        int most = (int)sizeof lines - 1, count = source->line - 1 < most ? source->line - 1 : most;
        source->line -= count;
        *length = (size_t)count;
        return lines;
    }
    *length = source->length;
    source->length = 0;
    return source->text;
}

void oro_library_load_text(lua_State *lua, const char *text, size_t length, const char *name, int line)
{
    char chunk[256];
    struct source source = {.text = text, .length = length, .line = line};
    snprintf(chunk, sizeof chunk, "@%s", name);
    int status = lua_load(lua, read_piece, &source, chunk, "t");
    if (status == LUA_OK)
        return;
    /* Lua tells no place if the text is compiled, or nested too deeply. */
    if (status != LUA_ERRMEM && strncmp(lua_tostring(lua, -1), name, strlen(name)) != 0)
        lua_pushfstring(lua, "%s:%d: %s", name, line, lua_tostring(lua, -1));
    lua_error(lua);
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
