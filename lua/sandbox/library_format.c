/* string.format, without formats that show addresses or depend on the locale. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lua/sandbox/library_private.h"

enum { SPEC = 16, ROOM = 512 }; /* 1e308 with 99 digits after the point has 409 characters */

static const char *const flags_of[][2] = {
    {"di", "-+0 "},
    {"xXo", "-#0"},
    {"eEfFgG", "-+#0 "},
    {"cs", "-"},
};

static size_t digits_at(const char *at)
{
    size_t count = 0;
    while (at[count] >= '0' && at[count] <= '9')
        count++;
    return count;
}

/* Reads "-8.3f", which follows a '%', into "%-8.3", and returns the letter. */
static const char *read_spec(lua_State *lua, const char *at, char spec[SPEC])
{
    size_t flags = strspn(at, "-+#0 "), width = digits_at(at + flags), length = flags + width, precision = 0;
    if (at[length] == '.') {
        precision = digits_at(at + length + 1);
        length += precision + 1;
    }
    if (flags > 5 || width > 2 || precision > 2)
        luaL_error(lua, "invalid conversion '%%%s': at most two digits for width and precision",
                   lua_pushlstring(lua, at, length + 1 < 20 ? length + (at[length] != 0) : 20));
    spec[0] = '%';
    memcpy(spec + 1, at, length);
    spec[1 + length] = 0;
    for (size_t i = 0; at[length] && i < sizeof flags_of / sizeof flags_of[0]; i++)
        if (strchr(flags_of[i][0], at[length]) && strspn(at, flags_of[i][1]) >= flags)
            return at + length;
    luaL_error(lua, "invalid conversion '%%%s' to 'format'",
               lua_pushlstring(lua, at, length + (at[length] != 0)));
    return at;
}

static void add_whole(lua_State *lua, luaL_Buffer *out, int argument, char *spec, char letter)
{
    char text[ROOM];
    long long number = luaL_checkinteger(lua, argument);
    size_t length = strlen(spec);
    snprintf(spec + length, SPEC - length, "ll%c", letter);
    /* read_spec has checked the format. */
    int count = snprintf(text, sizeof text, spec, number);
    luaL_addlstring(out, text, (size_t)count);
}

/* Infinity and NaN are written without signs and zeros, in which C libraries differ. */
static void add_float(lua_State *lua, luaL_Buffer *out, int argument, char *spec, char letter)
{
    char text[ROOM];
    double number = luaL_checknumber(lua, argument);
    size_t length = strlen(spec);
    snprintf(spec + length, SPEC - length, "%c", letter);
    int count =
        isnan(number) ? snprintf(text, sizeof text, "nan") : snprintf(text, sizeof text, spec, number);
    luaL_addlstring(out, text, (size_t)count);
}

static void add_padding(luaL_Buffer *out, size_t count)
{
    while (count-- > 0)
        luaL_addchar(out, ' ');
}

/* Texts may hold zero bytes and be long, so width and precision are applied here, not by snprintf. */
static void add_text(lua_State *lua, luaL_Buffer *out, int argument, const char *spec)
{
    size_t length, width = 0, most = SIZE_MAX;
    bool left = spec[1] == '-';
    const char *text = oro_library_tostring(lua, argument, &length), *at = spec + 1;
    for (at += strspn(at, "-"); *at >= '0' && *at <= '9'; at++)
        width = width * 10 + (size_t)(*at - '0');
    if (*at == '.')
        for (at++, most = 0; *at; at++)
            most = most * 10 + (size_t)(*at - '0');
    lua_pushlstring(lua, text, length < most ? length : most);
    size_t count = (size_t)lua_rawlen(lua, -1), padding = width > count ? width - count : 0;
    lua_replace(lua, argument);
    lua_pop(lua, 1);
    if (!left)
        add_padding(out, padding);
    lua_pushvalue(lua, argument);
    luaL_addvalue(out);
    if (left)
        add_padding(out, padding);
}

/* Adds a character as a text of one byte. */
static void add_character(lua_State *lua, luaL_Buffer *out, int argument, const char *spec)
{
    char c = (char)luaL_checkinteger(lua, argument);
    lua_pushlstring(lua, &c, 1);
    lua_replace(lua, argument);
    add_text(lua, out, argument, spec);
}

static void add_argument(lua_State *lua, luaL_Buffer *out, int argument, char *spec, char letter)
{
    if (letter == 's')
        add_text(lua, out, argument, spec);
    else if (letter == 'c')
        add_character(lua, out, argument, spec);
    else if (strchr("dixXo", letter))
        add_whole(lua, out, argument, spec, letter);
    else
        add_float(lua, out, argument, spec, letter);
}

int oro_library_format(lua_State *lua)
{
    size_t length;
    const char *at = luaL_checklstring(lua, 1, &length), *end = at + length;
    char spec[SPEC];
    int argument = 1, last = lua_gettop(lua); /* the buffer is behind the last argument */
    luaL_Buffer out;
    oro_guard_charge(lua, (double)length / 4);
    luaL_buffinit(lua, &out);
    for (; at < end; at++) {
        if (*at != '%' || at[1] == '%') {
            luaL_addchar(&out, *at);
            at += *at == '%';
            continue;
        }
        at = read_spec(lua, at + 1, spec);
        argument++;
        luaL_argcheck(lua, argument <= last, argument, "no value");
        oro_guard_charge(lua, 20);
        add_argument(lua, &out, argument, spec, *at);
    }
    luaL_pushresult(&out);
    return 1;
}
