/* Reads the table that a script returns, without calling metamethods. */
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <lauxlib.h>

#include "base/text.h"
#include "lua/script/script_private.h"

enum { TEXT_MAX = 8192 };

/* The first line in which the name stands in quotes; 0: there is none. */
static int line_of(const struct oro_script *script, const char *name)
{
    const struct oro_script_text *own = &script->texts[0];
    size_t length = strlen(name);
    for (const char *at = own->text; (at = strstr(at, name)) && *at; at++) { /* an empty name is everywhere */
        bool quoted = at > own->text && (at[-1] == '"' || at[-1] == '\'') && at[length] == at[-1];
        if (!quoted)
            continue;
        int line = own->line;
        for (const char *c = own->text; c < at; c++)
            line += *c == '\n';
        return line;
    }
    return 0;
}

bool oro_script_refuse(struct oro_script_reader *reader, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const char *file = reader->script->texts[0].name;
    int line = reader->name ? line_of(reader->script, reader->name) : 0;
    char place[24] = "";
    if (line > 0)
        snprintf(place, sizeof place, "%d: ", line);
    if (reader->name)
        return oro_fail(reader->err, ORO_E_DOCUMENT, "%s:%s%s%s '%.60s': %s", file, line > 0 ? "" : " ",
                        place, reader->what, reader->name, text);
    return oro_fail(reader->err, ORO_E_DOCUMENT, "%s: %s", file, text);
}

bool oro_script_no_memory(struct oro_script_reader *reader)
{
    return oro_fail(reader->err, ORO_E_MEMORY, "no memory for script '%s'", reader->script->texts[0].name);
}

/* Pushes an entry. Returns its type. */
static int push(const struct oro_script_reader *reader, int table, const char *key)
{
    table = lua_absindex(reader->lua, table);
    lua_pushstring(reader->lua, key);
    return lua_rawget(reader->lua, table);
}

static bool wrong_type(struct oro_script_reader *reader, const char *key, const char *wanted)
{
    const char *is = luaL_typename(reader->lua, -1);
    lua_pop(reader->lua, 1);
    return oro_script_refuse(reader, "'%s' must be %s, not a %s", key, wanted, is);
}

/* Blanks control characters, which terminals would obey when they show a description; line ends stay. In
 * UTF-8, U+0080 to U+009F are control characters, too. */
static void blank_order(char *c)
{
    unsigned char first = (unsigned char)c[0], second = (unsigned char)c[1];
    if ((first < 0x20 && first != '\n' && first != '\t') || first == 0x7F)
        *c = ' ';
    else if (first == 0xC2 && second >= 0x80 && second < 0xA0)
        c[0] = c[1] = ' ';
}

const char *oro_entry_keep(struct oro_script_reader *reader, const char *what)
{
    size_t length;
    if (lua_type(reader->lua, -1) != LUA_TSTRING) {
        oro_script_refuse(reader, "%s must be a text, not a %s", what, luaL_typename(reader->lua, -1));
        return NULL;
    }
    const char *text = lua_tolstring(reader->lua, -1, &length);
    if (length > TEXT_MAX || strlen(text) != length) {
        oro_script_refuse(reader, "%s is longer than %d bytes, or holds a zero byte", what, TEXT_MAX);
        return NULL;
    }
    char *kept = oro_arena_text(reader->script->arena, text);
    if (!kept)
        oro_script_no_memory(reader);
    for (char *c = kept; c && *c; c++)
        blank_order(c);
    return kept;
}

bool oro_entry_text(struct oro_script_reader *reader, int table, const char *key, const char **text)
{
    if (push(reader, table, key) != LUA_TNIL) {
        char what[64];
        snprintf(what, sizeof what, "'%s'", key);
        *text = oro_entry_keep(reader, what);
        lua_pop(reader->lua, 1);
        return *text;
    }
    lua_pop(reader->lua, 1);
    return true;
}

bool oro_entry_number(struct oro_script_reader *reader, int table, const char *key, double *number)
{
    int type = push(reader, table, key);
    if (type == LUA_TNIL) {
        lua_pop(reader->lua, 1);
        return true;
    }
    if (type != LUA_TNUMBER)
        return wrong_type(reader, key, "a number");
    *number = lua_tonumber(reader->lua, -1);
    lua_pop(reader->lua, 1);
    return isfinite(*number) || oro_script_refuse(reader, "'%s' must be finite", key);
}

bool oro_entry_int(struct oro_script_reader *reader, int table, const char *key, int *number)
{
    double value = *number;
    if (!oro_entry_number(reader, table, key, &value))
        return false;
    if (value != floor(value) || fabs(value) > INT_MAX)
        return oro_script_refuse(reader, "'%s' must be a whole number", key);
    *number = (int)value;
    return true;
}

bool oro_entry_bool(struct oro_script_reader *reader, int table, const char *key, bool *value)
{
    int type = push(reader, table, key);
    if (type != LUA_TNIL && type != LUA_TBOOLEAN)
        return wrong_type(reader, key, "true or false");
    if (type == LUA_TBOOLEAN)
        *value = lua_toboolean(reader->lua, -1);
    lua_pop(reader->lua, 1);
    return true;
}

bool oro_entry_table(struct oro_script_reader *reader, int table, const char *key)
{
    int type = push(reader, table, key);
    return type == LUA_TNIL || type == LUA_TTABLE || wrong_type(reader, key, "a table");
}

/* Checks the key at stack index -2. */
static bool is_known(struct oro_script_reader *reader, const char *const *known, bool list)
{
    lua_State *lua = reader->lua;
    if (lua_type(lua, -2) != LUA_TSTRING)
        return (list && lua_isinteger(lua, -2)) ||
               oro_script_refuse(reader, "its entries have names; one is without ('name = value')");
    const char *key = lua_tostring(lua, -2);
    size_t count = 0;
    for (; known[count]; count++)
        if (strcmp(known[count], key) == 0)
            return true;
    char meant[ORO_NEAR_SIZE];
    const char *nearest = oro_suggest(key, known, count);
    return oro_script_refuse(reader, "there is no '%.60s'%s", key, oro_did_you_mean(nearest, meant));
}

bool oro_entry_known(struct oro_script_reader *reader, int table, const char *const *known, bool list)
{
    lua_State *lua = reader->lua;
    table = lua_absindex(lua, table);
    for (lua_pushnil(lua); lua_next(lua, table); lua_pop(lua, 1)) {
        if (is_known(reader, known, list))
            continue;
        lua_pop(lua, 2);
        return false;
    }
    return true;
}

bool oro_entry_name(struct oro_script_reader *reader, const char *name)
{
    bool fine = isalpha((unsigned char)name[0]) && strlen(name) <= ORO_SCRIPT_NAME_MAX &&
                strncmp(name, "oro_", 4) != 0 && strncmp(name, "gl_", 3) != 0 && !strstr(name, "__");
    size_t length = strlen(name);
    if (length >= 4 && strcmp(name + length - 4, "_out") == 0)
        return oro_script_refuse(reader, "names that end in _out are those of the engine");
    for (const char *c = name; fine && *c; c++)
        fine = isalnum((unsigned char)*c) || *c == '_';
    return fine || oro_script_refuse(reader,
                                     "'%.60s' is no name: letters, digits and single '_', a letter first, at "
                                     "most %d, not beginning with oro_ or gl_",
                                     name, ORO_SCRIPT_NAME_MAX);
}
