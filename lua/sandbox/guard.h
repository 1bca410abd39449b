/*
 * A Lua state with limits: of memory, of Lua's virtual instructions, and of time. A script that passes one is
 * ended with a message that names its line, whatever it does to continue (pcall in a loop, error handlers,
 * <close>). Used for node types and for `orograph run`; expressions have a smaller sandbox of their own.
 *
 * The allocator limits memory, and a hook between instructions everything else. So this is for mistakes in
 * scripts, not against malice: a single call of a C function can take as long as it likes
 * (string.rep("", 1 << 60), a pattern that goes back and forth, keys whose hashes collide). Scripts of
 * unknown origin run in a process that is ended from outside. A guard has one state, for one thread at a
 * time.
 */
#ifndef ORO_LUA_SANDBOX_GUARD_H
#define ORO_LUA_SANDBOX_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lua.h>

#include "base/error.h"
#include "base/log.h"

struct oro_guard_limits {
    size_t memory;  /* bytes of everything that the state holds */
    int64_t steps;  /* Lua's virtual instructions, counted 200 at a time, and charges; INT64_MAX: no limit */
    double seconds; /* 0: no limit */
};

struct oro_guard;

/* Makes a state without any library. `log` gets what scripts print (NULL drops that), and must outlive the
 * guard. NULL: ORO_E_MEMORY. */
struct oro_guard *oro_guard_create(const struct oro_guard_limits *limits, const struct oro_log *log,
                                   struct oro_error *err);
void oro_guard_destroy(struct oro_guard *guard); /* NULL is allowed */
lua_State *oro_guard_state(struct oro_guard *guard);
/* The guard that made a state; also within C functions that Lua calls. */
struct oro_guard *oro_guard_of(lua_State *lua);
const struct oro_log *oro_guard_log(const struct oro_guard *guard);

/* Starts again with this many steps and seconds (as in the limits); memory stays as it is. */
void oro_guard_refill(struct oro_guard *guard, int64_t steps, double seconds);
/* Until it is refilled: the seconds that calls of functions may take, where the limit of seconds is meant for
 * many steps. Each step counts as a microsecond besides, which is far more than it takes. */
void oro_guard_limit_calls(struct oro_guard *guard, double seconds);
/* Starts again with this many steps, while the time goes on, and a limit that was passed stays passed. Cheap
 * enough for work that consists of many small parts. */
void oro_guard_restart(struct oro_guard *guard, int64_t steps);
/* Steps taken since the last refill or restart. */
int64_t oro_guard_steps(const struct oro_guard *guard);

/* Like lua_pcall: calls the function below `arguments` values. On failure the stack is as it was below the
 * function, and `err` has one line: ORO_E_EVALUATE with Lua's message, which begins with "FILE:LINE: " if Lua
 * knows it; ORO_E_LIMIT for a limit that was passed, also with file and line; ORO_E_MEMORY when the system
 * has none; ORO_E_CANCELLED when the function of oro_guard_stop_when said so. Once a limit was passed, every
 * further call fails until the guard is refilled. */
bool oro_guard_call(struct oro_guard *guard, int arguments, int results, struct oro_error *err);
/* Whether a limit was passed or the script was stopped: for C functions that catch errors or continue after
 * one. */
bool oro_guard_is_over(const struct oro_guard *guard);

/* For C functions that Lua calls and that work long, such as those of whole fields: takes `steps` from the
 * limit, looks at the clock, and raises an error if fewer are left or time is up. A step is about 10 ns. */
void oro_guard_charge(lua_State *lua, double steps);
/* Counts seconds that the script has waited for something it asked for as if it had worked. */
void oro_guard_spend(struct oro_guard *guard, double seconds);
/* Makes the guard ask between instructions whether to stop; if so, the script ends with ORO_E_CANCELLED.
 * NULL: never stop. */
void oro_guard_stop_when(struct oro_guard *guard, bool (*stopped)(void *user), void *user);

#endif
