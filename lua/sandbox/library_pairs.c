/*
 * pairs and next in an order that is always the same. Lua's own order follows from the hashes of texts, which
 * differ from run to run. pairs sorts the keys once. next finds the first key by looking at all of them; for
 * the following keys, the sorted keys of the last table are kept, so that a loop with next costs no more than
 * one with pairs.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lua/sandbox/library_private.h"

/* Keys of the table that next was last called for, and of its sorted keys; only the addresses matter. */
static char table_key, keys_key;

enum rank { WHOLE, FRACTION, TEXT, FALSE_OR_TRUE };

struct key {
    enum rank rank;
    lua_Integer whole; /* or the value of a boolean */
    double fraction;   /* a float that is not whole */
    const char *text;
    size_t length;
    lua_Integer at; /* its place among the keys as Lua gives them */
};

/* False: the key is a light userdata, which only the library itself uses. */
static bool read_key(lua_State *lua, int index, struct key *key)
{
    *key = (struct key){0};
    switch (lua_type(lua, index)) {
    case LUA_TNUMBER:
        key->rank = lua_isinteger(lua, index) ? WHOLE : FRACTION;
        key->whole = lua_tointeger(lua, index);
        key->fraction = lua_tonumber(lua, index);
        return true;
    case LUA_TSTRING:
        key->rank = TEXT;
        key->text = lua_tolstring(lua, index, &key->length);
        return true;
    case LUA_TBOOLEAN:
        key->rank = FALSE_OR_TRUE;
        key->whole = lua_toboolean(lua, index);
        return true;
    case LUA_TLIGHTUSERDATA:
        return false;
    default:
        return luaL_error(lua, "keys that are gone through must be numbers, texts or booleans, not a %s",
                          luaL_typename(lua, index));
    }
}

/* Lua turns whole floats into integers when they are keys, so both kinds can be compared without rounding. */
static bool is_less(lua_Integer whole, double fraction)
{
    if (!(fraction > -0x1p63))
        return false;
    return fraction >= 0x1p63 || whole <= (lua_Integer)floor(fraction);
}

static int compare_numbers(const struct key *a, const struct key *b)
{
    if (a->rank == WHOLE && b->rank == WHOLE)
        return (a->whole > b->whole) - (a->whole < b->whole);
    if (a->rank == FRACTION && b->rank == FRACTION)
        return (a->fraction > b->fraction) - (a->fraction < b->fraction);
    if (a->rank == WHOLE)
        return is_less(a->whole, b->fraction) ? -1 : 1;
    return is_less(b->whole, a->fraction) ? 1 : -1;
}

static int compare(const void *left, const void *right)
{
    const struct key *a = left, *b = right;
    if (a->rank <= FRACTION && b->rank <= FRACTION)
        return compare_numbers(a, b);
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    if (a->rank == FALSE_OR_TRUE)
        return (int)(a->whole - b->whole);
    int order = memcmp(a->text, b->text, a->length < b->length ? a->length : b->length);
    return order ? order : (a->length > b->length) - (a->length < b->length);
}

/* Pushes the table's keys in Lua's order, and counts them. `*sorted`: that is already the order wanted, as in
 * lists. */
static lua_Integer push_keys(lua_State *lua, int table, bool *sorted)
{
    lua_Integer count = 0;
    struct key key, before;
    *sorted = true;
    lua_createtable(lua, (int)lua_rawlen(lua, table), 0);
    lua_pushnil(lua);
    while (lua_next(lua, table)) {
        lua_pop(lua, 1);
        if (!read_key(lua, -1, &key))
            continue;
        *sorted = *sorted && (!count || compare(&before, &key) < 0);
        before = key;
        lua_pushvalue(lua, -1);
        lua_rawseti(lua, -3, ++count);
    }
    return count;
}

/* Pushes an array of the table's keys in order. */
static lua_Integer push_keys_in_order(lua_State *lua, int table)
{
    bool sorted;
    lua_Integer count = push_keys(lua, table, &sorted);
    if (sorted)
        return count;
    struct key *keys = lua_newuserdatauv(lua, (size_t)count * sizeof *keys, 0);
    for (lua_Integer i = 0; i < count; i++) {
        lua_rawgeti(lua, -2, i + 1);
        read_key(lua, -1, &keys[i]);
        keys[i].at = i + 1;
        lua_pop(lua, 1);
    }
    qsort(keys, (size_t)count, sizeof *keys, compare);
    lua_createtable(lua, (int)count, 0);
    for (lua_Integer i = 0; i < count; i++) {
        lua_rawgeti(lua, -3, keys[i].at);
        lua_rawseti(lua, -2, i + 1);
    }
    lua_replace(lua, -3);
    lua_pop(lua, 1);
    return count;
}

/* Pushes the first key from `*at` on that still has a value, and the value; or nil. `*at` becomes the place
 * of that key. */
static int push_next(lua_State *lua, int table, int keys, lua_Integer *at)
{
    for (;; ++*at) {
        if (lua_rawgeti(lua, keys, *at) == LUA_TNIL)
            return 1;
        lua_pushvalue(lua, -1);
        if (lua_rawget(lua, table) != LUA_TNIL)
            return 2;
        lua_pop(lua, 2);
    }
}

/* Upvalues: the table, its keys, how many keys have been visited. */
static int iterate(lua_State *lua)
{
    lua_Integer at = lua_tointeger(lua, lua_upvalueindex(3)) + 1;
    int results = push_next(lua, lua_upvalueindex(1), lua_upvalueindex(2), &at);
    lua_pushinteger(lua, at);
    lua_replace(lua, lua_upvalueindex(3));
    return results;
}

int oro_library_pairs(lua_State *lua)
{
    luaL_checkany(lua, 1);
    if (oro_library_call_meta(lua, 1, "__pairs", 3))
        return 3;
    luaL_checktype(lua, 1, LUA_TTABLE);
    lua_pushvalue(lua, 1);
    push_keys_in_order(lua, 1);
    lua_pushinteger(lua, 0);
    lua_pushcclosure(lua, iterate, 3);
    lua_pushvalue(lua, 1);
    lua_pushnil(lua);
    return 3;
}

static int push_first(lua_State *lua)
{
    struct key key, least = {0};
    lua_Integer count = 0;
    lua_settop(lua, 1);
    lua_pushnil(lua); /* the least key so far */
    lua_pushnil(lua);
    while (lua_next(lua, 1)) {
        lua_pop(lua, 1);
        if (read_key(lua, -1, &key) && (!count++ || compare(&key, &least) < 0)) {
            least = key;
            lua_copy(lua, -1, 2);
        }
    }
    if (!count)
        return 1; /* nil */
    lua_pushvalue(lua, 2);
    lua_rawget(lua, 1);
    return 2;
}

/* The place of the key at index 2 among the sorted keys at index 3, or where it would be. */
static lua_Integer position_of(lua_State *lua, lua_Integer count)
{
    struct key key, other;
    if (!read_key(lua, 2, &key))
        return count;
    lua_Integer low = 0;
    while (low < count) {
        lua_Integer middle = low + (count - low) / 2;
        lua_rawgeti(lua, 3, middle + 1);
        read_key(lua, -1, &other);
        lua_pop(lua, 1);
        if (compare(&other, &key) <= 0)
            low = middle + 1;
        else
            count = middle;
    }
    return low;
}

/* Whether the keys that were kept are those of the table at index 1, and the key at index 2 was visited
 * last. */
static bool goes_on(lua_State *lua, lua_Integer position)
{
    lua_rawgetp(lua, LUA_REGISTRYINDEX, &table_key);
    lua_rawgetp(lua, LUA_REGISTRYINDEX, &keys_key);
    bool same =
        lua_rawequal(lua, 1, 3) && lua_rawgeti(lua, 4, position) != LUA_TNIL && lua_rawequal(lua, 2, -1);
    lua_settop(lua, 4);
    lua_remove(lua, 3);
    return same;
}

int oro_library_next(lua_State *lua)
{
    struct oro_library *library = oro_library_of(lua);
    luaL_checktype(lua, 1, LUA_TTABLE);
    if (lua_isnoneornil(lua, 2))
        return push_first(lua);
    lua_settop(lua, 2);
    if (!goes_on(lua, library->position)) {
        lua_settop(lua, 2);
        lua_Integer count = push_keys_in_order(lua, 1);
        library->position = position_of(lua, count);
        lua_pushvalue(lua, 1);
        lua_rawsetp(lua, LUA_REGISTRYINDEX, &table_key);
        lua_pushvalue(lua, 3);
        lua_rawsetp(lua, LUA_REGISTRYINDEX, &keys_key);
    }
    library->position++;
    return push_next(lua, 1, 3, &library->position);
}
