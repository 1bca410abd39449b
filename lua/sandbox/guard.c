#include "lua/sandbox/guard.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <lauxlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "lua/sandbox/guard_private.h"
#include "lua/sandbox/line.h"
#include "lua/sandbox/running.h"

enum {
    INTERVAL = 200,      /* instructions between hooks */
    SHORT_INTERVAL = 10, /* the same, while instructions are slow */
    CALM = 1000,         /* number of fast hooks after which instructions count as fast again */
    LOOK = 200,          /* a charge of this many steps or more checks the clock */
    LEVELS_MAX = 100,    /* how many calls are searched for a place in the script */
};

static const double slow = 2e-3;          /* seconds between hooks: more means that instructions are slow */
static const double collision = 2.7e-9;   /* seconds to skip a colliding key while looking for another */
static const double longest_rehash = 0.4; /* seconds; more if a quarter of the limit is more */

/* Key of the value that is raised when a script has to end, so that raising it needs no memory. Only its
 * address matters. */
static char end_key;

/* Lua's message when C functions call each other through Lua too deeply. */
static const char too_deep[] = "C stack overflow";

static bool never(void *user)
{
    (void)user;
    return false;
}

static void hook(lua_State *lua, lua_Debug *where);

static void arm(struct oro_guard *guard)
{
    lua_sethook(guard->lua, hook, LUA_MASKCOUNT, guard->interval);
}

/* Makes every further instruction call the hook. */
static void end(struct oro_guard *guard, enum oro_guard_end why)
{
    guard->end = why;
    guard->interval = 1;
    oro_guard_note_place(guard);
    if (guard->lua) /* NULL while the state is being made */
        arm(guard);
}

void oro_guard_note_place(struct oro_guard *guard)
{
    lua_Debug where;
    guard->place[0] = 0;
    for (int level = 0; guard->lua && level < LEVELS_MAX && lua_getstack(guard->lua, level, &where); level++)
        if (lua_getinfo(guard->lua, "Sl", &where) && where.currentline > 0) {
            char place[LUA_IDSIZE + 16];
            int length = snprintf(place, sizeof place, "%s:%d: ", where.short_src, where.currentline);
            oro_one_line(place, (size_t)length, guard->place, sizeof guard->place);
            return;
        }
}

static void look_at_the_clock(struct oro_guard *guard)
{
    if (guard->stopped(guard->user)) {
        end(guard, ORO_GUARD_STOPPED);
    } else if (guard->limits.seconds > 0) {
        guard->looked = oro_now();
        if (guard->looked >= guard->deadline)
            end(guard, ORO_GUARD_TIME);
    }
}

bool oro_guard_take(struct oro_guard *guard, double steps)
{
    if (guard->end)
        return false;
    double room = (double)(guard->limits.steps - guard->taken);
    if (steps > room && guard->limits.steps != INT64_MAX) {
        guard->taken = guard->limits.steps;
        end(guard, ORO_GUARD_STEPS);
        return false;
    }
    if (steps > 0)
        guard->taken += (int64_t)(steps < room ? steps : 0);
    if (steps >= LOOK)
        look_at_the_clock(guard);
    return !guard->end;
}

static int raise_end(lua_State *lua)
{
    lua_rawgetp(lua, LUA_REGISTRYINDEX, &end_key);
    return lua_error(lua);
}

/* Sets how many instructions there are before the next hook: fewer for some time, if the last ones were
 * slow. */
static void set_interval(struct oro_guard *guard, bool were_slow)
{
    int64_t left = guard->limits.steps - guard->taken;
    guard->hooks_to_calm = were_slow ? CALM : guard->hooks_to_calm - (guard->hooks_to_calm > 0);
    int interval = guard->hooks_to_calm ? SHORT_INTERVAL : INTERVAL;
    if (left < interval)
        interval = left > 1 ? (int)left : 1;
    if (interval == guard->interval)
        return;
    guard->interval = interval;
    arm(guard);
    guard->looked = oro_now(); /* Lua goes through all calls to do this, which may be many */
}

static void hook(lua_State *lua, lua_Debug *where)
{
    (void)where;
    struct oro_guard *guard = oro_guard_of(lua);
    double before = guard->looked;
    if (!guard->end) {
        guard->taken += guard->interval;
        if (guard->taken >= guard->limits.steps && guard->limits.steps != INT64_MAX)
            end(guard, ORO_GUARD_STEPS);
        else
            look_at_the_clock(guard);
    }
    if (guard->end)
        raise_end(lua);
    else
        set_interval(guard, guard->looked - before > slow);
}

void oro_guard_charge(lua_State *lua, double steps)
{
    if (!oro_guard_take(oro_guard_of(lua), steps))
        raise_end(lua);
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
    /* The largest hash, a power of two, that can be filled in time even if all of its keys collide. */
    double most = seconds / 4 > longest_rehash ? seconds / 4 : longest_rehash;
    size_t keys = 1;
    while (keys < (size_t)1 << 30 && 2.0 * (double)keys * (double)keys * collision <= most)
        keys *= 2;
    guard->keys_max = seconds > 0 ? keys : 0;
    guard->taken = 0;
    guard->end = ORO_GUARD_GOES_ON;
    guard->place[0] = 0;
    guard->looked = oro_now();
    guard->deadline = guard->looked + seconds;
    guard->interval = guard->hooks_to_calm = 0;
    set_interval(guard, false);
}

void oro_guard_restart(struct oro_guard *guard, int64_t steps)
{
    guard->limits.steps = steps;
    guard->taken = 0;
    if (!guard->end)
        set_interval(guard, false);
}

static int prepare(lua_State *lua)
{
    lua_pushliteral(lua, "the script has to end");
    lua_rawsetp(lua, LUA_REGISTRYINDEX, &end_key);
    return 0;
}

struct oro_guard *oro_guard_create(const struct oro_guard_limits *limits, const struct oro_log *log,
                                   struct oro_error *err)
{
    struct oro_guard *guard = oro_alloc(1, sizeof *guard);
    if (guard) {
        *guard = (struct oro_guard){.limits = *limits, .log = log, .stopped = never};
        guard->limits.steps = INT64_MAX; /* no limit while the state is being made */
        guard->limits.seconds = 0;
        guard->lua = lua_newstate(oro_guard_allocate, guard);
    }
    if (guard && guard->lua) {
        *(struct oro_guard **)lua_getextraspace(guard->lua) = guard;
        lua_pushcfunction(guard->lua, prepare);
        if (lua_pcall(guard->lua, 0, 0, 0) == LUA_OK) {
            oro_guard_refill(guard, limits->steps, limits->seconds);
            return guard;
        }
    }
    oro_guard_destroy(guard);
    oro_fail(err, ORO_E_MEMORY, "no memory for a script");
    return NULL;
}

void oro_guard_destroy(struct oro_guard *guard)
{
    if (guard && guard->lua)
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
    return guard->end != ORO_GUARD_GOES_ON;
}

/* Message handler: notes the place, before the calls are unwound, of errors that do not name it: values that
 * are no text, and one message of Lua's. */
static int note_raise(lua_State *lua)
{
    struct oro_guard *guard = oro_guard_of(lua);
    if (!guard->end && (lua_type(lua, 1) != LUA_TSTRING || strcmp(lua_tostring(lua, 1), too_deep) == 0))
        oro_guard_note_place(guard);
    return 1;
}

static bool fail_memory(const struct oro_guard *guard, struct oro_error *err)
{
    switch (guard->refusal) {
    case ORO_GUARD_KEYS:
        return oro_fail(err, ORO_E_LIMIT, "%sa table has more than %zu keys that are not 1, 2, 3, ...",
                        guard->place, guard->keys_max);
    case ORO_GUARD_TEXT:
        return oro_fail(err, ORO_E_LIMIT, "%sa text has more than %d bytes", guard->place,
                        ORO_GUARD_TEXT_MAX);
    case ORO_GUARD_DEPTH:
        return oro_fail(err, ORO_E_LIMIT, "%scalls are nested too deeply for the memory (%zu KiB)",
                        guard->place, guard->limits.memory / 1024);
    case ORO_GUARD_FULL:
        return oro_fail(err, ORO_E_LIMIT, "%stakes more than %zu KiB of memory", guard->place,
                        guard->limits.memory / 1024);
    default:
        return oro_fail(err, ORO_E_MEMORY, "no memory for a script");
    }
}

static bool fail_end(const struct oro_guard *guard, struct oro_error *err)
{
    switch (guard->end) {
    case ORO_GUARD_STEPS:
        return oro_fail(err, ORO_E_LIMIT, "%stakes more than %lld steps", guard->place,
                        (long long)guard->limits.steps);
    case ORO_GUARD_TIME:
        return oro_fail(err, ORO_E_LIMIT, "%stakes longer than %g s", guard->place, guard->limits.seconds);
    case ORO_GUARD_STOPPED:
        return oro_fail(err, ORO_E_CANCELLED, "stopped");
    default:
        return fail_memory(guard, err);
    }
}

/* Turns the value that was raised into `err`. Must not raise again, or call anything that the script made. */
static bool fail_value(struct oro_guard *guard, struct oro_error *err)
{
    char line[700];
    lua_State *lua = guard->lua;
    int type = lua_type(lua, -1);
    if (type == LUA_TSTRING) {
        size_t length;
        const char *text = lua_tolstring(lua, -1, &length),
                   *place = strcmp(text, too_deep) ? "" : guard->place;
        oro_one_line(text, length, line, sizeof line);
        return oro_fail(err, ORO_E_EVALUATE, "%s%s", place, line);
    }
    if (type == LUA_TNUMBER)
        return oro_fail(err, ORO_E_EVALUATE, "%sfails with %.14g", guard->place, lua_tonumber(lua, -1));
    return oro_fail(err, ORO_E_EVALUATE, "%sfails with (a %s)", guard->place, lua_typename(lua, type));
}

static bool failed(struct oro_guard *guard, int status, struct oro_error *err)
{
    if (!guard->end && status == LUA_ERRMEM && guard->refusal)
        guard->end = ORO_GUARD_MEMORY;
    return guard->end ? fail_end(guard, err) : fail_value(guard, err);
}

bool oro_guard_call(struct oro_guard *guard, int arguments, int results, struct oro_error *err)
{
    lua_State *lua = guard->lua;
    int base = lua_gettop(lua) - arguments - 1;
    if (guard->end || !lua_checkstack(lua, 3)) {
        lua_settop(lua, base);
        return guard->end ? fail_end(guard, err) : oro_fail(err, ORO_E_LIMIT, "is nested too deeply");
    }
    guard->refusal = ORO_GUARD_NO_REFUSAL;
    lua_pushcfunction(lua, note_raise);
    lua_insert(lua, base + 1);
    int running = oro_running_begin(lua);
    int status = lua_pcall(lua, arguments, results, base + 1);
    oro_running_end(running);
    lua_remove(lua, base + 1);
    if (status == LUA_OK && !guard->end)
        return true;
    failed(guard, status, err);
    lua_settop(lua, base);
    return false;
}
