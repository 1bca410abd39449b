/*
 * table.sort by merging runs of doubling length: it takes n log n steps whatever the comparison returns, and
 * is stable. It works on copies, so that a comparison that changes the list does no harm.
 */
#include "lua/sandbox/library_private.h"

enum { LIST = 1, LESS = 2 };

/* Whether the value at the top comes before the one below it. */
static bool is_less(lua_State *lua)
{
    if (lua_isnil(lua, LESS))
        return lua_compare(lua, -1, -2, LUA_OPLT);
    lua_pushvalue(lua, LESS);
    lua_pushvalue(lua, -2);
    lua_pushvalue(lua, -4);
    lua_call(lua, 2, 1);
    bool less = lua_toboolean(lua, -1);
    lua_pop(lua, 1);
    return less;
}

struct runs {
    int from, to;                     /* stack indices of tables */
    lua_Integer first, middle, after; /* two adjacent runs */
};

static void merge(lua_State *lua, const struct runs *runs)
{
    lua_Integer left = runs->first, right = runs->middle;
    for (lua_Integer i = runs->first; i < runs->after; i++) {
        bool take_right = left >= runs->middle;
        if (!take_right && right < runs->after) {
            lua_rawgeti(lua, runs->from, left);
            lua_rawgeti(lua, runs->from, right);
            take_right = is_less(lua);
            lua_pop(lua, 2);
        }
        lua_rawgeti(lua, runs->from, take_right ? right++ : left++);
        lua_rawseti(lua, runs->to, i);
    }
}

static void copy(lua_State *lua, int from, int to, lua_Integer count)
{
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(lua, from, i);
        lua_rawseti(lua, to, i);
    }
}

static lua_Integer least(lua_Integer a, lua_Integer b)
{
    return a < b ? a : b;
}

int oro_library_sort(lua_State *lua)
{
    luaL_checktype(lua, LIST, LUA_TTABLE);
    if (!lua_isnoneornil(lua, LESS))
        luaL_checktype(lua, LESS, LUA_TFUNCTION);
    lua_settop(lua, 2);
    lua_Integer count = (lua_Integer)lua_rawlen(lua, LIST);
    lua_createtable(lua, (int)count, 0);
    lua_createtable(lua, (int)count, 0);
    int from = 3, to = 4;
    copy(lua, LIST, from, count);
    for (lua_Integer run = 1; run < count; run *= 2) {
        for (lua_Integer first = 1; first <= count; first += 2 * run) {
            lua_Integer middle = least(first + run, count + 1), after = least(first + 2 * run, count + 1);
            merge(lua, &(struct runs){from, to, first, middle, after});
        }
        int swap = from;
        from = to;
        to = swap;
    }
    copy(lua, from, LIST, count);
    return 0;
}
