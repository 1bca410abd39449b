/*
 * A Lua state that cannot do harm: memory, instructions and time are limited, and what goes beyond ends the
 * script, whatever it does to go on (pcall in a loop, handlers of errors, <close>). Used by node types and by
 * `orograph run`; expressions have a smaller one of their own (lua/expression/sandbox.h).
 *
 * Memory is limited by the allocator, instructions by a hook; C functions that work long in proportion to
 * their arguments pay for that with oro_guard_charge, and large blocks of memory cost steps, too. Once a
 * limit was passed, every instruction fails, so that nothing that catches errors goes on. One thread at a
 * time, one state per guard.
 *
 * Two things take long within a single instruction, and are limited for that: a text may have 1 MiB, and a
 * table some thousands of keys beside 1, 2, 3, ... (16384 with seconds of 1.5; more where more time is given;
 * any number without limit of time), for Lua's hash of numbers is known, and keys that collide cost the
 * square of their number. The latter is seen by the size of the block: a table that is made for n elements
 * should be made by lua_createtable(lua, n | 1, 0), lest n = 3 * 2^k be mistaken for that.
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
    size_t memory;  /* bytes, all that the state holds */
    int64_t steps;  /* Lua's virtual instructions, and what is charged; INT64_MAX: no limit */
    double seconds; /* 0: no limit */
};

enum { ORO_GUARD_TEXT_MAX = 1 << 20 }; /* bytes of one text */

struct oro_guard;

/* A state without any library. `log` gets what scripts print; NULL drops it; it must outlive the guard.
 * NULL: ORO_E_MEMORY. */
struct oro_guard *oro_guard_create(const struct oro_guard_limits *limits, const struct oro_log *log,
                                   struct oro_error *err);
void oro_guard_destroy(struct oro_guard *guard); /* NULL is allowed */
lua_State *oro_guard_state(struct oro_guard *guard);
/* The guard of a state that it made, also from within a C function that Lua calls. */
struct oro_guard *oro_guard_of(lua_State *lua);
const struct oro_log *oro_guard_log(const struct oro_guard *guard);

/* Begins anew with so many steps and seconds (as in the limits); memory stays as it is. */
void oro_guard_refill(struct oro_guard *guard, int64_t steps, double seconds);
/* Begins anew with so many steps; the time goes on, and a limit that was passed stays passed. Costs little:
 * for work that consists of many small parts. */
void oro_guard_restart(struct oro_guard *guard, int64_t steps);
/* Steps taken since the last refill or restart. */
int64_t oro_guard_steps(const struct oro_guard *guard);

/* lua_pcall: calls the function that lies under `arguments` values. On failure the stack is as it was below
 * the function, and `err` has one line: ORO_E_EVALUATE with Lua's message, which begins with "FILE:LINE: "
 * where Lua knows it; ORO_E_LIMIT for a limit that was passed, also with file and line; ORO_E_MEMORY when the
 * system has none; ORO_E_CANCELLED after oro_guard_stop. Once a limit was passed, every further call fails
 * until the guard is refilled. */
bool oro_guard_call(struct oro_guard *guard, int arguments, int results, struct oro_error *err);
/* Whether a limit was passed, or the script stopped: for C functions that catch errors or go on after one. */
bool oro_guard_is_over(const struct oro_guard *guard);

/* Within C functions that Lua calls: takes `steps` from the limit, and raises an error when there are not as
 * many left, or time is up. A step is about 10 ns. The clock is looked at from 200 steps on. */
void oro_guard_charge(lua_State *lua, double steps);
/* Has the guard ask between steps whether to stop: then the script ends with ORO_E_CANCELLED. `stopped` is
 * also called within allocations, so that it must not use the state; NULL: never. */
void oro_guard_stop_when(struct oro_guard *guard, bool (*stopped)(void *user), void *user);

#endif
