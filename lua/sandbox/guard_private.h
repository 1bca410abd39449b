/* Shared by guard.c (calls, steps, time) and guard_memory.c. */
#ifndef ORO_LUA_SANDBOX_GUARD_PRIVATE_H
#define ORO_LUA_SANDBOX_GUARD_PRIVATE_H

#include "lua/sandbox/guard.h"

enum oro_guard_end {
    ORO_GUARD_GOES_ON,
    ORO_GUARD_STEPS,
    ORO_GUARD_TIME,
    ORO_GUARD_MEMORY,
    ORO_GUARD_STOPPED,
};

/* Why the allocator last refused. */
enum oro_guard_refusal {
    ORO_GUARD_NO_REFUSAL,
    ORO_GUARD_SYSTEM,
    ORO_GUARD_FULL,
    ORO_GUARD_KEYS,
    ORO_GUARD_TEXT,
    ORO_GUARD_DEPTH,
};

struct oro_guard {
    lua_State *lua;
    struct oro_guard_limits limits;
    const struct oro_log *log;
    bool (*stopped)(void *user);
    void *user;
    size_t used;   /* bytes */
    int64_t taken; /* steps */
    double start, deadline, looked;
    int hooks_to_calm;
    int interval;    /* instructions before the next hook */
    size_t keys_max; /* keys of one table beside 1, 2, 3, ...; 0: no limit */
    enum oro_guard_end end;
    enum oro_guard_refusal refusal;
    char place[LUA_IDSIZE + 24]; /* "FILE:LINE: " where the script ended or was last refused memory; or "" */
};

/* A lua_Alloc whose user pointer is the guard. */
void *oro_guard_allocate(void *user, void *memory, size_t old_size, size_t new_size);
/* Takes steps and checks the clock. False: the script has to end, and its next instruction fails. Never
 * raises, never allocates. */
bool oro_guard_take(struct oro_guard *guard, double steps);
/* Notes the line that the script is at. */
void oro_guard_note_place(struct oro_guard *guard);

#endif
