#include "lua/sandbox/running.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

#include "base/line.h"

enum { MOST = 64, LEVELS_MAX = 100 /* how many calls are searched */ };

static struct {
    _Atomic(lua_State *) lua;
    _Atomic uint64_t since;
} running[MOST];
static _Atomic uint64_t begun;

int oro_running_begin(lua_State *lua)
{
    for (int i = 0; i < MOST; i++) {
        lua_State *nobody = NULL;
        if (atomic_load_explicit(&running[i].lua, memory_order_relaxed) ||
            !atomic_compare_exchange_strong(&running[i].lua, &nobody, lua))
            continue;
        atomic_store(&running[i].since, atomic_fetch_add(&begun, 1));
        return i;
    }
    return -1;
}

void oro_running_end(int number)
{
    if (number >= 0)
        atomic_store(&running[number].lua, NULL);
}

void oro_lua_place(lua_State *lua, char *place, size_t size)
{
    lua_Debug where;
    place[0] = '\0';
    for (int level = 0; level < LEVELS_MAX && lua_getstack(lua, level, &where); level++)
        if (lua_getinfo(lua, "Sl", &where) && where.currentline > 0) {
            char text[LUA_IDSIZE + 16];
            int length = snprintf(text, sizeof text, "%s:%d: ", where.short_src, where.currentline);
            oro_one_line(text, (size_t)length, place, size);
            return;
        }
}

void oro_running_place(char *place, size_t size)
{
    int oldest = -1;
    place[0] = '\0';
    for (int i = 0; i < MOST; i++)
        if (atomic_load(&running[i].lua) &&
            (oldest < 0 || atomic_load(&running[i].since) < atomic_load(&running[oldest].since)))
            oldest = i;
    lua_State *lua = oldest < 0 ? NULL : atomic_load(&running[oldest].lua);
    if (lua)
        oro_lua_place(lua, place, size);
}
