#include <math.h>

#include "lua/sandbox/library_private.h"

/* SplitMix64 (Steele, Lea, Flood 2014): the state is a counter, so any seed is a good one. */
static uint64_t next_random(struct oro_library *library)
{
    uint64_t z = library->random += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* A number in 0..most, all equally likely: numbers of the last, incomplete round are rejected. */
static uint64_t random_up_to(struct oro_library *library, uint64_t most)
{
    uint64_t mask = most, number;
    for (int shift = 1; shift < 64; shift *= 2)
        mask |= mask >> shift;
    do
        number = next_random(library) & mask;
    while (number > most);
    return number;
}

int oro_library_random(lua_State *lua)
{
    struct oro_library *library = oro_library_of(lua);
    int count = lua_gettop(lua);
    if (count == 0) {
        lua_pushnumber(lua, (double)(next_random(library) >> 11) * 0x1p-53);
        return 1;
    }
    if (count > 2)
        return luaL_error(lua, "random takes at most two numbers, not %d", count);
    lua_Integer low = count == 2 ? luaL_checkinteger(lua, 1) : 1, high = luaL_checkinteger(lua, count);
    luaL_argcheck(lua, low <= high, count, "interval is empty");
    uint64_t number = (uint64_t)low + random_up_to(library, (uint64_t)high - (uint64_t)low);
    lua_pushinteger(lua, (lua_Integer)number);
    return 1;
}

/* 3 and 3.0 are the same seed; other fractions are taken by their bits. */
int oro_library_randomseed(lua_State *lua)
{
    if (lua_isnoneornil(lua, 1))
        return luaL_error(lua, "randomseed takes a number: what is random must be the same in every run");
    union {
        double number;
        uint64_t bits;
    } seed = {.number = luaL_checknumber(lua, 1)};
    int whole;
    lua_Integer integer = lua_tointegerx(lua, 1, &whole);
    oro_library_seed(lua, whole ? (uint64_t)integer : isnan(seed.number) ? 0 : seed.bits);
    return 0;
}
