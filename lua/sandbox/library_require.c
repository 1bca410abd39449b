/* Modules of the script's own folder: each is run once per state, and gives what it returns. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "lua/sandbox/library_private.h"

static char loaded_key; /* table of the values of modules by name; only the address matters */
static char chain_key;  /* list of the modules that are now being loaded */

bool oro_library_is_module(const char *name, size_t length)
{
    bool expects_name = true;
    if (length > 200)
        return false;
    for (size_t i = 0; i < length; i++) {
        char c = name[i];
        bool letter = oro_in_word(c);
        if (!letter && (c != '.' || expects_name))
            return false;
        expects_name = !letter;
    }
    return !expects_name;
}

static void push_own_table(lua_State *lua, const void *key)
{
    if (lua_rawgetp(lua, LUA_REGISTRYINDEX, key) == LUA_TTABLE)
        return;
    lua_pop(lua, 1);
    lua_newtable(lua);
    lua_pushvalue(lua, -1);
    lua_rawsetp(lua, LUA_REGISTRYINDEX, key);
}

/* Refuses a module that requires itself. The list of modules that are being loaded is at index 3. */
static void refuse_circle(lua_State *lua, const char *name)
{
    lua_Integer count = (lua_Integer)lua_rawlen(lua, 3), first = 1;
    for (; first <= count; first++) {
        lua_rawgeti(lua, 3, first);
        bool same = strcmp(lua_tostring(lua, -1), name) == 0;
        lua_pop(lua, 1);
        if (same)
            break;
    }
    if (first > count)
        return;
    luaL_Buffer text;
    luaL_buffinit(lua, &text);
    for (; first <= count; first++) {
        lua_rawgeti(lua, 3, first);
        luaL_addvalue(&text);
        luaL_addstring(&text, " -> ");
    }
    luaL_addstring(&text, name);
    luaL_pushresult(&text);
    luaL_error(lua, "modules require each other in a circle: %s", lua_tostring(lua, -1));
}

/* Pushes the module as a function, and what messages call it. */
static void load_module(lua_State *lua, const char *name)
{
    struct oro_library *library = oro_library_of(lua);
    struct oro_error err = {0};
    const char *shown = name, *text;
    size_t length = 0;
    if (!library->modules) {
        luaL_error(lua, "there is no module '%s': modules cannot be used here", name);
        return;
    }
    if (library->module_count >= ORO_LIBRARY_MODULES_MAX)
        luaL_error(lua, "more than %d modules are required", ORO_LIBRARY_MODULES_MAX);
    library->module_count++;
    text = library->modules->find(library->modules->user, name, &length, &shown, &err);
    if (!text)
        luaL_error(lua, "%s", err.text);
    oro_library_load_text(lua, text, length, shown, 1);
}

int oro_library_require(lua_State *lua)
{
    size_t length;
    luaL_checktype(lua, 1, LUA_TSTRING);
    const char *name = lua_tolstring(lua, 1, &length);
    lua_settop(lua, 1);
    if (!oro_library_is_module(name, length))
        return luaL_error(lua,
                          "'%s' is no name of a module: write \"waves\" for waves.lua, or "
                          "\"lib.waves\" for lib/waves.lua",
                          name);
    push_own_table(lua, &loaded_key);
    push_own_table(lua, &chain_key);
    if (lua_getfield(lua, 2, name) != LUA_TNIL)
        return 1;
    lua_pop(lua, 1);
    refuse_circle(lua, name);
    load_module(lua, name);
    /* Calls the function at the top; if it fails, the list of modules being loaded is restored. */
    lua_Integer depth = (lua_Integer)lua_rawlen(lua, 3) + 1;
    lua_pushstring(lua, name);
    lua_rawseti(lua, 3, depth);
    lua_pushstring(lua, name);
    int status = lua_pcall(lua, 1, 1, 0);
    lua_pushnil(lua);
    lua_rawseti(lua, 3, depth);
    if (status != LUA_OK)
        lua_error(lua);
    if (lua_isnil(lua, -1)) {
        lua_pop(lua, 1);
        lua_pushboolean(lua, true);
    }
    lua_pushvalue(lua, -1);
    lua_setfield(lua, 2, name);
    return 1;
}
