/* Which scripts run now, for the case that the process has to end and should say where it is. */
#ifndef ORO_LUA_SANDBOX_RUNNING_H
#define ORO_LUA_SANDBOX_RUNNING_H

#include <stddef.h>

#include <lua.h>

/* Returns a number for oro_running_end; -1: there are too many. Any thread. */
int oro_running_begin(lua_State *lua);
void oro_running_end(int number);

/* Writes "FILE:LINE: " of the line that a state is at, or "" where it is at none. */
void oro_lua_place(lua_State *lua, char *place, size_t size);

/* Writes "FILE:LINE: " of the script that has run the longest, or "". It looks at what another thread, or the
 * code that a signal has interrupted, may be changing: for processes that end next (oro_guest_place). */
void oro_running_place(char *place, size_t size);

#endif
