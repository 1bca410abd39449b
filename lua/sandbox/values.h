/*
 * Lua's values in messages: numbers, texts, booleans, and tables of these. A function arrives as one that
 * cannot be called, and tables arrive without metatables. Objects that stand for something of the program's
 * travel as numbers.
 */
#ifndef ORO_LUA_SANDBOX_VALUES_H
#define ORO_LUA_SANDBOX_VALUES_H

#include <lua.h>

#include "devices/guest/packet.h"

/* NULL where there are no objects. */
struct oro_value_objects {
    /* The number of the object at a stack index, from 0 on; -1: it is none. */
    int (*number)(lua_State *lua, int index, void *user);
    /* Pushes the object with that number. False: there is none, and nothing was pushed. */
    bool (*push)(lua_State *lua, int number, void *user);
    void *user;
};

/* Adds the value at a stack index. Raises an error for what is nested too deeply or is too large. */
void oro_put_value(lua_State *lua, int index, struct oro_packet *message,
                   const struct oro_value_objects *objects);
/* Pushes the next value; nil where the message has none, which sets `failed`. Raises errors of memory. */
void oro_push_value(lua_State *lua, struct oro_packet *message, const struct oro_value_objects *objects);

#endif
