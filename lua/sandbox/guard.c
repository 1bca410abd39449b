#include "lua/sandbox/guard.h"

#include <stdio.h>
#include <string.h>

#include <lauxlib.h>

#include "base/clock.h"
#include "base/line.h"
#include "base/memory.h"
#include "lua/sandbox/running.h"

enum {
    INTERVAL = 200,  /* instructions between hooks */
    DELAYS_MAX = 10, /* of the deadline */
};

/* Why a script has to end. */
enum reason { GOES_ON, STEPS, TIME, CALLS, MEMORY, STOPPED };

struct oro_guard {
    lua_State *lua;
    struct oro_guard_limits limits;
    const struct oro_log *log;
    bool (*stopped)(void *user);
    void *user;
    size_t used;   /* bytes */
    bool full;     /* memory was last refused by the limit, not by the system */
    int64_t taken; /* steps */
    double calls;  /* seconds that they may take; 0: no limit */
    double deadline, start, work_before;
    int delayed; /* how often the deadline was put off */
    enum reason over;
    char place[LUA_IDSIZE + 24]; /* "FILE:LINE: " where the script ended or was last refused memory; or "" */
};

static bool never(void *user)
{
    (void)user;
    return false;
}

/* Notes the line that the script is at. */
static void note_place(struct oro_guard *guard)
{
    guard->place[0] = 0;
    if (guard->lua) /* NULL while the state is being made */
        oro_lua_place(guard->lua, guard->place, sizeof guard->place);
}

/* ---- Memory ---- */

/* A lua_Alloc. Shrinking and freeing cannot fail: Lua relies on it. */
static void *allocate(void *user, void *memory, size_t old_size, size_t new_size)
{
    struct oro_guard *guard = user;
    size_t old = memory ? old_size : 0; /* for a new block, Lua passes a kind of object instead */
    if (new_size == 0) {
        oro_free(memory);
        guard->used -= old;
        return NULL;
    }
    bool full = new_size > old &&
                (guard->used > guard->limits.memory || new_size - old > guard->limits.memory - guard->used);
    void *moved = full ? NULL : oro_resize(memory, new_size, 1);
    if (!moved && new_size > old) {
        guard->full = full;
        note_place(guard);
        return NULL;
    }
    guard->used = guard->used - old + new_size;
    return moved ? moved : memory;
}

/* ---- Steps and time ---- */

static void hook(lua_State *lua, lua_Debug *where);

/* Makes every further instruction call the hook. */
static void end(struct oro_guard *guard, enum reason why)
{
    guard->over = why;
    note_place(guard);
    lua_sethook(guard->lua, hook, LUA_MASKCOUNT, 1);
}

/* On a busy machine a script gets its share later: it ends once it has used its time, or is long overdue. */
static bool is_overdue(struct oro_guard *guard)
{
    if (guard->limits.seconds <= 0 || oro_now() < guard->deadline)
        return false;
    double owed = guard->limits.seconds - (oro_thread_work() - guard->work_before);
    if (owed < guard->limits.seconds / 10 || guard->delayed == DELAYS_MAX)
        return true;
    guard->delayed++;
    guard->deadline = oro_now() + owed;
    return false;
}

static bool is_slow(const struct oro_guard *guard)
{
    const double step = 1e-6;
    double most = guard->calls + step * (double)guard->taken;
    return guard->calls > 0 && oro_now() - guard->start > most &&
           oro_thread_work() - guard->work_before > most;
}

void oro_guard_charge(lua_State *lua, double steps)
{
    struct oro_guard *guard = oro_guard_of(lua);
    if (!guard->over) {
        bool limited = guard->limits.steps != INT64_MAX;
        if (limited && steps > (double)(guard->limits.steps - guard->taken))
            end(guard, STEPS);
        else if (guard->stopped(guard->user))
            end(guard, STOPPED);
        else if (is_overdue(guard))
            end(guard, TIME);
        else if (is_slow(guard))
            end(guard, CALLS);
        else
            guard->taken += (int64_t)steps;
    }
    if (guard->over)
        luaL_error(lua, "the script has to end");
}

static void hook(lua_State *lua, lua_Debug *where)
{
    (void)where;
    oro_guard_charge(lua, INTERVAL);
}

void oro_guard_spend(struct oro_guard *guard, double seconds)
{
    guard->work_before -= seconds;
}

void oro_guard_stop_when(struct oro_guard *guard, bool (*stopped)(void *user), void *user)
{
    guard->stopped = stopped ? stopped : never;
    guard->user = user;
}

void oro_guard_refill(struct oro_guard *guard, int64_t steps, double seconds)
{
    guard->limits.steps = steps;
    guard->limits.seconds = seconds;
    guard->calls = 0;
    guard->taken = 0;
    guard->start = oro_now();
    guard->deadline = guard->start + seconds;
    guard->work_before = oro_thread_work();
    guard->delayed = 0;
    guard->over = GOES_ON;
    guard->place[0] = 0;
    lua_sethook(guard->lua, hook, LUA_MASKCOUNT, INTERVAL);
}

void oro_guard_limit_calls(struct oro_guard *guard, double seconds)
{
    guard->calls = seconds;
}

void oro_guard_restart(struct oro_guard *guard, int64_t steps)
{
    guard->limits.steps = steps;
    guard->taken = 0;
}

/* ---- The state ---- */

struct oro_guard *oro_guard_create(const struct oro_guard_limits *limits, const struct oro_log *log,
                                   struct oro_error *err)
{
    struct oro_guard *guard = oro_alloc(1, sizeof *guard);
    if (guard) {
        *guard = (struct oro_guard){.limits = *limits, .log = log, .stopped = never};
        guard->lua = lua_newstate(allocate, guard);
    }
    if (!guard || !guard->lua) {
        oro_free(guard);
        oro_fail(err, ORO_E_MEMORY, "no memory for a script");
        return NULL;
    }
    *(struct oro_guard **)lua_getextraspace(guard->lua) = guard;
    oro_guard_refill(guard, limits->steps, limits->seconds);
    return guard;
}

void oro_guard_destroy(struct oro_guard *guard)
{
    if (guard)
        lua_close(guard->lua);
    oro_free(guard);
}

lua_State *oro_guard_state(struct oro_guard *guard)
{
    return guard->lua;
}

struct oro_guard *oro_guard_of(lua_State *lua)
{
    return *(struct oro_guard **)lua_getextraspace(lua);
}

const struct oro_log *oro_guard_log(const struct oro_guard *guard)
{
    return guard->log;
}

int64_t oro_guard_steps(const struct oro_guard *guard)
{
    return guard->taken;
}

bool oro_guard_is_over(const struct oro_guard *guard)
{
    return guard->over != GOES_ON;
}

/* ---- Calls ---- */

/* Message handler: notes the place before the calls are unwound, as not every error names it. */
static int note_raise(lua_State *lua)
{
    struct oro_guard *guard = oro_guard_of(lua);
    if (!guard->over)
        note_place(guard);
    return 1;
}

static bool fail_over(const struct oro_guard *guard, struct oro_error *err)
{
    switch (guard->over) {
    case STEPS:
        return oro_fail(err, ORO_E_LIMIT, "%stakes more than %lld steps", guard->place,
                        (long long)guard->limits.steps);
    case TIME:
        return oro_fail(err, ORO_E_LIMIT, "%stakes longer than %g s", guard->place, guard->limits.seconds);
    case CALLS:
        return oro_fail(err, ORO_E_LIMIT, "%scalls of functions take longer than %g s", guard->place,
                        guard->calls);
    case STOPPED:
        return oro_fail(err, ORO_E_CANCELLED, "stopped");
    default:
        return oro_fail(err, ORO_E_LIMIT, "%stakes more than %zu KiB of memory", guard->place,
                        guard->limits.memory / 1024);
    }
}

/* Whether a message begins with "FILE:LINE: ", as those of Lua functions do. Those of C functions that others
 * called do not, nor those that a script raises without. */
static bool names_place(const char *text)
{
    const char *colon = strchr(text, ':');
    size_t digits = colon ? strspn(colon + 1, "0123456789") : 0;
    return digits > 0 && colon[1 + digits] == ':';
}

/* Turns the value that was raised into `err`. Must not raise again, or call anything that the script made. */
static bool fail_value(struct oro_guard *guard, struct oro_error *err)
{
    char line[700];
    lua_State *lua = guard->lua;
    int type = lua_type(lua, -1);
    if (type == LUA_TSTRING) {
        size_t length;
        const char *text = lua_tolstring(lua, -1, &length);
        oro_one_line(text, length, line, sizeof line);
        return oro_fail(err, ORO_E_EVALUATE, "%s%s", names_place(line) ? "" : guard->place, line);
    }
    if (type == LUA_TNUMBER)
        return oro_fail(err, ORO_E_EVALUATE, "%sfails with %.14g", guard->place, lua_tonumber(lua, -1));
    return oro_fail(err, ORO_E_EVALUATE, "%sfails with (a %s)", guard->place, lua_typename(lua, type));
}

static bool failed(struct oro_guard *guard, int status, struct oro_error *err)
{
    if (!guard->over && status == LUA_ERRMEM) {
        if (!guard->full)
            return oro_fail(err, ORO_E_MEMORY, "no memory for a script");
        guard->over = MEMORY;
    }
    return guard->over ? fail_over(guard, err) : fail_value(guard, err);
}

bool oro_guard_call(struct oro_guard *guard, int arguments, int results, struct oro_error *err)
{
    lua_State *lua = guard->lua;
    int base = lua_gettop(lua) - arguments - 1;
    if (guard->over || !lua_checkstack(lua, 3)) {
        lua_settop(lua, base);
        return guard->over ? fail_over(guard, err) : oro_fail(err, ORO_E_LIMIT, "is nested too deeply");
    }
    guard->place[0] = '\0';
    lua_pushcfunction(lua, note_raise);
    lua_insert(lua, base + 1);
    int running = oro_running_begin(lua);
    int status = lua_pcall(lua, arguments, results, base + 1);
    oro_running_end(running);
    lua_remove(lua, base + 1);
    if (status == LUA_OK && !guard->over)
        return true;
    failed(guard, status, err);
    lua_settop(lua, base);
    return false;
}
