/* find, match, gmatch and gsub. */
#include <string.h>

#include "lua/sandbox/library_private.h"
#include "lua/sandbox/pattern.h"

static void begin(struct oro_matcher *m, lua_State *lua, const char *text, size_t length,
                  const struct oro_pattern *pattern)
{
    m->lua = lua;
    m->pattern = pattern;
    m->text = text;
    m->end = text + length;
    m->work = 0;
}

/* Reads a pattern and pushes it as a block of memory. */
static const struct oro_pattern *push_pattern(lua_State *lua, int index, bool anchors)
{
    size_t length;
    const char *text = luaL_checklstring(lua, index, &length);
    struct oro_pattern *pattern = lua_newuserdatauv(lua, sizeof *pattern, 0);
    oro_pattern_read(lua, text, length, anchors, pattern);
    return pattern;
}

static void push_capture(struct oro_matcher *m, int i)
{
    if (m->to[i])
        lua_pushlstring(m->lua, m->from[i], (size_t)(m->to[i] - m->from[i]));
    else
        lua_pushinteger(m->lua, m->from[i] - m->text + 1);
}

/* Pushes the captures; if there are none and `whole` is set, pushes the whole match, `from` to `to`. */
static int push_captures(struct oro_matcher *m, const char *from, const char *to, bool whole)
{
    luaL_checkstack(m->lua, ORO_PATTERN_CAPTURES, "too many captures");
    for (int i = 0; i < m->pattern->captures; i++)
        push_capture(m, i);
    if (m->pattern->captures || !whole)
        return m->pattern->captures;
    lua_pushlstring(m->lua, from, (size_t)(to - from));
    return 1;
}

/* The place of `part` in `text`, or NULL. Pays for itself. */
static const char *search(lua_State *lua, const char *text, size_t length, const char *part,
                          size_t part_length)
{
    double bytes = 0;
    if (part_length == 0)
        return text;
    const char *end = text + length;
    while ((size_t)(end - text) >= part_length) {
        const char *found = memchr(text, part[0], (size_t)(end - text) - part_length + 1);
        bytes += (double)((found ? found : end) - text) + (double)part_length + 8;
        if (bytes > 10000 || !found) {
            oro_guard_charge(lua, bytes / 64);
            bytes = 0;
        }
        if (!found || memcmp(found, part, part_length) == 0)
            return found;
        text = found + 1;
    }
    return NULL;
}

static bool is_plain(const char *pattern, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (pattern[i] && strchr("^$*+?.([%-", pattern[i]))
            return false;
    return true;
}

/* Reads argument 3, the first position, as an offset; false: it is behind the end. */
static bool read_start(lua_State *lua, size_t length, size_t *start)
{
    lua_Integer at = luaL_optinteger(lua, 3, 1);
    if (at < 0)
        at = at < -(lua_Integer)length ? 1 : (lua_Integer)length + at + 1;
    if (at == 0)
        at = 1;
    *start = (size_t)at - 1;
    return *start <= length;
}

static int find_plain(lua_State *lua, size_t start)
{
    size_t length, part_length;
    const char *text = lua_tolstring(lua, 1, &length), *part = lua_tolstring(lua, 2, &part_length);
    const char *found = search(lua, text + start, length - start, part, part_length);
    if (!found) {
        lua_pushnil(lua);
        return 1;
    }
    lua_pushinteger(lua, found - text + 1);
    lua_pushinteger(lua, found - text + (lua_Integer)part_length);
    return 2;
}

/* The first match from `at` on, which ends at `*to`. NULL: there is none. */
static const char *first_match(struct oro_matcher *m, const char *at, const char **to)
{
    do {
        *to = oro_pattern_match(m, at);
        if (*to)
            break;
    } while (at++ < m->end && !m->pattern->anchored);
    oro_pattern_settle(m);
    return *to ? at : NULL;
}

static int find_or_match(lua_State *lua, bool find)
{
    size_t length, pattern_length, start;
    const char *text = luaL_checklstring(lua, 1, &length);
    const char *pattern = luaL_checklstring(lua, 2, &pattern_length), *to;
    if (!read_start(lua, length, &start)) {
        lua_pushnil(lua);
        return 1;
    }
    if (find && (lua_toboolean(lua, 4) || is_plain(pattern, pattern_length)))
        return find_plain(lua, start);
    struct oro_matcher m;
    begin(&m, lua, text, length, push_pattern(lua, 2, true));
    const char *from = first_match(&m, text + start, &to);
    if (!from) {
        lua_pushnil(lua);
        return 1;
    }
    if (!find)
        return push_captures(&m, from, to, true);
    lua_pushinteger(lua, from - text + 1);
    lua_pushinteger(lua, to - text);
    return 2 + push_captures(&m, from, to, false);
}

int oro_library_find(lua_State *lua)
{
    return find_or_match(lua, true);
}

int oro_library_match(lua_State *lua)
{
    return find_or_match(lua, false);
}

/* Upvalues: the text, the pattern, where to continue, where the last match ended. */
static int next_match(lua_State *lua)
{
    size_t length;
    const char *text = lua_tolstring(lua, lua_upvalueindex(1), &length), *from, *to;
    lua_Integer start = lua_tointeger(lua, lua_upvalueindex(3)),
                last = lua_tointeger(lua, lua_upvalueindex(4));
    struct oro_matcher m;
    begin(&m, lua, text, length, lua_touserdata(lua, lua_upvalueindex(2)));
    while (start <= (lua_Integer)length) {
        from = first_match(&m, text + start, &to);
        if (!from)
            break;
        start = to - text;
        if (start == last) { /* an empty match at the end of the last one */
            start++;
            continue;
        }
        last = start;
        lua_pushinteger(lua, start);
        lua_replace(lua, lua_upvalueindex(3));
        lua_pushinteger(lua, last);
        lua_replace(lua, lua_upvalueindex(4));
        return push_captures(&m, from, to, true);
    }
    lua_pushinteger(lua, (lua_Integer)length + 1);
    lua_replace(lua, lua_upvalueindex(3));
    lua_pushnil(lua);
    return 1;
}

int oro_library_gmatch(lua_State *lua)
{
    size_t length, start;
    luaL_checklstring(lua, 1, &length);
    luaL_checklstring(lua, 2, NULL);
    if (!read_start(lua, length, &start))
        start = length + 1;
    lua_pushvalue(lua, 1);
    push_pattern(lua, 2, false);
    lua_pushinteger(lua, (lua_Integer)start);
    lua_pushinteger(lua, -1);
    lua_pushcclosure(lua, next_match, 4);
    return 1;
}

/* Adds the replacement text, in which %0 to %9 and %% are replaced. */
static void add_text(struct oro_matcher *m, luaL_Buffer *out, const char *from, const char *to)
{
    size_t length;
    const char *text = lua_tolstring(m->lua, 3, &length), *end = text + length;
    for (; text < end; text++) {
        int index = -1;
        if (*text != '%') {
            luaL_addchar(out, *text);
            continue;
        }
        if (++text < end && *text == '%') {
            luaL_addchar(out, '%');
            continue;
        }
        if (text < end && *text >= '0' && *text <= '9')
            index = *text - '0';
        if (index < 0)
            luaL_error(m->lua, "invalid use of '%%' in replacement string");
        if (index == 0 || (index == 1 && m->pattern->captures == 0)) {
            luaL_addlstring(out, from, (size_t)(to - from));
            continue;
        }
        if (index > m->pattern->captures)
            luaL_error(m->lua, "invalid capture index %%%d in replacement string", index);
        push_capture(m, index - 1);
        luaL_addvalue(out);
    }
}

/* Adds what replaces a match: the value that the function or the table gives, or the match itself if that is
 * none. */
static void add_value(struct oro_matcher *m, luaL_Buffer *out, const char *from, const char *to)
{
    lua_State *lua = m->lua;
    int type = lua_type(lua, 3);
    if (type == LUA_TSTRING || type == LUA_TNUMBER) {
        add_text(m, out, from, to);
        return;
    }
    if (type == LUA_TFUNCTION) {
        lua_pushvalue(lua, 3);
        lua_call(lua, push_captures(m, from, to, true), 1);
    } else {
        if (m->pattern->captures)
            push_capture(m, 0);
        else
            lua_pushlstring(lua, from, (size_t)(to - from));
        lua_gettable(lua, 3);
    }
    if (!lua_toboolean(lua, -1)) {
        lua_pop(lua, 1);
        luaL_addlstring(out, from, (size_t)(to - from));
    } else if (!lua_isstring(lua, -1)) {
        luaL_error(lua, "invalid replacement value (a %s)", luaL_typename(lua, -1));
    } else {
        luaL_addvalue(out);
    }
}

int oro_library_gsub(lua_State *lua)
{
    size_t length;
    const char *at = luaL_checklstring(lua, 1, &length), *last = NULL;
    luaL_checklstring(lua, 2, NULL);
    /* Makes the third argument a text once, so that the matches need not convert it again and again. */
    int type = lua_type(lua, 3);
    luaL_argexpected(
        lua, type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TTABLE || type == LUA_TFUNCTION, 3,
        "string/function/table");
    if (type == LUA_TNUMBER)
        lua_tolstring(lua, 3, NULL);
    lua_Integer most = luaL_optinteger(lua, 4, (lua_Integer)length + 1), count = 0;
    struct oro_matcher m;
    luaL_Buffer out;
    begin(&m, lua, at, length, push_pattern(lua, 2, true));
    luaL_buffinit(lua, &out);
    while (count < most) {
        const char *to = oro_pattern_match(&m, at);
        if (to && to != last) {
            count++;
            oro_guard_charge(lua, 10);
            add_value(&m, &out, at, to);
            at = last = to;
        } else if (at < m.end) {
            luaL_addchar(&out, *at++);
        } else {
            break;
        }
        if (m.pattern->anchored)
            break;
    }
    luaL_addlstring(&out, at, (size_t)(m.end - at));
    luaL_pushresult(&out);
    oro_pattern_settle(&m);
    lua_pushinteger(lua, count);
    return 2;
}
