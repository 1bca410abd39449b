/* The guard: its limits, what it says, and that nothing goes on behind them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "tests/lua/guard_support.h"
#include "tests/support/test.h"

static const struct oro_guard_limits limits = {.memory = (size_t)8 << 20, .steps = 1000000, .seconds = 5};

static struct oro_guard *open_guard(const struct oro_guard_limits *some)
{
    struct oro_error err = {0};
    struct oro_guard *guard = support_open(some, NULL, NULL, &err);
    if (!guard)
        fail_msg("%s", err.text);
    return guard;
}

static void expect_error(struct oro_guard *guard, const char *script, enum oro_code code, const char *text)
{
    struct oro_error err = {0};
    int top = lua_gettop(oro_guard_state(guard));
    if (support_run(guard, script, 0, &err))
        fail_msg("%s: does not fail", script);
    assert_string_equal(err.text, text);
    assert_int_equal(err.code, code);
    assert_int_equal(lua_gettop(oro_guard_state(guard)), top);
    assert_true(support_run(guard, "", 0, NULL) == (code == ORO_E_EVALUATE));
}

TEST(errors_are_one_line)
{
    static const char *const cases[][2] = {
        {"error('no water')", "test.lua:1: no water"},
        {"\nerror('no\\nwater\\0\\27[2J\\127')", "test.lua:2: no water  [2J "},
        {"error('no water', 0)", "test.lua:1: no water"},
        {"error('caf\\xe9 caf\\u{e9} \\u{9b}x \\xed\\xa0\\x80')", "test.lua:1: caf? caf\u00e9  x ???"},
        {"\n\nerror({})", "test.lua:3: fails with (a table)"},
        {"error(print)", "test.lua:1: fails with (a function)"},
        {"error(nil)", "test.lua:1: fails with (a nil)"},
        {"error(2.5)", "test.lua:1: fails with 2.5"},
        {"error()", "test.lua:1: fails with (a nil)"},
        {"local t = {} t.x.y = 1", "test.lua:1: attempt to index a nil value (field 'x')"},
        {"x = = 1", "test.lua:1: unexpected symbol near '='"},
        {"\n\nx = 'a\n", "test.lua:3: unfinished string near ''a'"},
        {"return 1 + {}", "test.lua:1: attempt to perform arithmetic on a table value"},
        {"return '1' + 1", "test.lua:1: attempt to perform arithmetic on a string value (constant '1')"},
        {"assert(false)", "test.lua:1: assertion failed!"},
        {"assert(nil, 'no rain')", "test.lua:1: no rain"},
        {"string.rep()", "test.lua:1: bad argument #1 to 'rep' (string expected, got no value)"},
    };
    struct oro_guard *guard = open_guard(&limits);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect_error(guard, cases[i][0], ORO_E_EVALUATE, cases[i][1]);
    oro_guard_destroy(guard);
}

TEST(long_errors_are_cut)
{
    struct oro_error err = {0};
    struct oro_guard *guard = open_guard(&limits);
    assert_false(support_run(guard, "error(string.rep('\u00e9', 100000))", 0, &err));
    size_t length = strlen(err.text);
    assert_true(length > 600 && length < 800);
    assert_string_equal(err.text + length - 5, "\u00e9...");
    oro_guard_destroy(guard);
}

TEST(limits_say_where)
{
    static const char forever[] = "local function f()\nwhile true do\nend end\npcall(f)";
    struct oro_guard_limits some = limits;
    struct oro_guard *guard = open_guard(&some);
    expect_error(guard, forever, ORO_E_LIMIT, "test.lua:2: takes more than 1000000 steps");
    expect_error(guard, "return 1", ORO_E_LIMIT, "test.lua:2: takes more than 1000000 steps");
    oro_guard_refill(guard, 2000, 5);
    expect_error(guard, forever, ORO_E_LIMIT, "test.lua:2: takes more than 2000 steps");
    oro_guard_refill(guard, INT64_MAX, 0.05);
    expect_error(guard, forever, ORO_E_LIMIT, "test.lua:2: takes longer than 0.05 s");
    oro_guard_refill(guard, 10000000, 0);
    expect_error(guard, "\nlocal t = {} for i = 1, 1e6 do t[i] = i end", ORO_E_LIMIT,
                 "test.lua:2: takes more than 8192 KiB of memory");
    oro_guard_refill(guard, 1000000, 1.5);
    expect_error(guard, "local s = 'x'\nfor i = 1, 30 do\ns = s .. s end", ORO_E_LIMIT,
                 "test.lua:3: takes more than 8192 KiB of memory");
    oro_guard_destroy(guard);
}

/* What is caught is no limit that was passed; what is not refused may be used. */
TEST(refusals_can_be_caught)
{
    struct oro_error err = {0};
    struct oro_guard *guard = open_guard(&limits);
    if (!support_run(guard,
                     "local s = 'x' local ok, why = pcall(function() while true do s = s .. s end end)"
                     "assert(not ok and #s == 1 << 22 and why == 'not enough memory', why)",
                     0, &err))
        fail_msg("%s", err.text);
    expect_error(guard, "error('something else', 0)", ORO_E_EVALUATE, "test.lua:1: something else");
    oro_guard_destroy(guard);
}

TEST(steps_are_counted)
{
    struct oro_guard *guard = open_guard(&limits);
    int64_t taken[2];
    for (int i = 0; i < 2; i++) {
        oro_guard_refill(guard, 1000000, 5);
        assert_int_equal(oro_guard_steps(guard), 0);
        assert_true(support_run(guard, "for i = 1, 100000 do end", 0, NULL));
        taken[i] = oro_guard_steps(guard);
    }
    assert_true(taken[0] >= 100000 && taken[0] < 101000);
    assert_int_equal(taken[0], taken[1]);
    oro_guard_destroy(guard);
}

/* Restarting gives steps, but no way on after a limit. */
TEST(steps_begin_anew)
{
    struct oro_guard *guard = open_guard(&limits);
    oro_guard_refill(guard, 10, 5);
    for (int i = 0; i < 20; i++) {
        oro_guard_restart(guard, 150000);
        assert_int_equal(oro_guard_steps(guard), 0);
        assert_true(support_run(guard, "for i = 1, 100000 do end", 0, NULL));
        assert_in_range(oro_guard_steps(guard), 99000, 101000);
    }
    expect_error(guard, "for i = 1, 100000 do end", ORO_E_LIMIT, "test.lua:1: takes more than 150000 steps");
    oro_guard_restart(guard, 150000);
    expect_error(guard, "return 1", ORO_E_LIMIT, "test.lua:1: takes more than 150000 steps");
    oro_guard_destroy(guard);
}

static int charge(lua_State *lua)
{
    oro_guard_charge(lua, lua_tonumber(lua, 1));
    return 0;
}

TEST(charges_are_taken)
{
    struct oro_guard *guard = open_guard(&limits);
    lua_State *lua = oro_guard_state(guard);
    lua_pushcfunction(lua, charge);
    lua_setglobal(lua, "charge");
    oro_guard_refill(guard, 1000000, 5);
    assert_true(support_run(guard, "charge(400000)", 0, NULL));
    assert_in_range(oro_guard_steps(guard), 400000, 401000);
    expect_error(guard, "while true do pcall(charge, 700000) end", ORO_E_LIMIT,
                 "test.lua:1: takes more than 1000000 steps");
    oro_guard_refill(guard, INT64_MAX, 5);
    assert_true(support_run(guard, "for i = 1, 100 do charge(1e15) end", 0, NULL));
    oro_guard_destroy(guard);
}

/* Also where the last thing that a script does was caught. */
TEST(nothing_comes_of_a_script_that_is_over)
{
    struct oro_guard *guard = open_guard(&limits);
    struct oro_error err = {0};
    lua_State *lua = oro_guard_state(guard);
    lua_getglobal(lua, "pcall");
    lua_pushcfunction(lua, charge);
    lua_pushnumber(lua, 1e9);
    assert_false(oro_guard_call(guard, 2, 1, &err));
    assert_int_equal(err.code, ORO_E_LIMIT);
    assert_true(oro_guard_is_over(guard));
    assert_int_equal(lua_gettop(lua), 0);
    oro_guard_destroy(guard);
}

static bool stop_after(void *user)
{
    int *asked = user;
    return --*asked < 0;
}

TEST(scripts_can_be_stopped)
{
    struct oro_guard *guard = open_guard(&(struct oro_guard_limits){8 << 20, INT64_MAX, 0});
    int asked = 100;
    oro_guard_stop_when(guard, stop_after, &asked);
    expect_error(guard, "while true do pcall(function() while true do end end) end", ORO_E_CANCELLED,
                 "stopped");
    oro_guard_stop_when(guard, NULL, NULL);
    oro_guard_refill(guard, INT64_MAX, 0);
    assert_true(support_run(guard, "for i = 1, 1e5 do end", 0, NULL));
    oro_guard_destroy(guard);
}

TEST(calls_take_and_give_values)
{
    struct oro_guard *guard = open_guard(&limits);
    lua_State *lua = oro_guard_state(guard);
    lua_pushliteral(lua, "below");
    assert_true(support_run(guard, "return function(a, b) return a + b, a - b end", 1, NULL));
    for (int i = 0; i < 1000; i++) {
        lua_pushvalue(lua, 2);
        lua_pushinteger(lua, i);
        lua_pushinteger(lua, 5);
        assert_true(oro_guard_call(guard, 2, 2, NULL));
        assert_int_equal(lua_gettop(lua), 4);
        assert_int_equal(lua_tointeger(lua, 3), i + 5);
        assert_int_equal(lua_tointeger(lua, 4), i - 5);
        lua_settop(lua, 2);
    }
    assert_true(oro_guard_of(lua) == guard);
    oro_guard_destroy(guard);
}

/* Whichever allocation fails: an error or success, no crash and no leak. */
TEST(no_memory_is_an_error)
{
    static const char script[] = "local t = {} for i = 1, 20 do t[i] = string.rep('x', i) .. i end "
                                 "for k, v in pairs(t) do t[k] = string.gsub(v, 'x+', '%0y') end "
                                 "table.sort(t) return table.concat(t, string.format('%5.1f', 1))";
    size_t before = oro_memory_count();
    oro_guard_destroy(open_guard(&limits));
    size_t most = 2 * (oro_memory_count() - before);
    int failures = 0;
    for (size_t n = 1; n < most; n++) {
        struct oro_error err = {0};
        oro_memory_fail_at(n);
        struct oro_guard *guard = support_open(&limits, NULL, NULL, &err);
        bool done = guard && support_run(guard, script, 1, &err);
        oro_memory_fail_at(0);
        if (!done) {
            failures++;
            assert_int_equal(err.code, ORO_E_MEMORY);
            assert_string_equal(err.text, "no memory for a script");
        }
        oro_guard_destroy(guard);
    }
    assert_true(failures > 10);
}

TEST(little_memory_is_an_error)
{
    for (size_t memory = 0; memory < 60000; memory += 500) {
        struct oro_error err = {0};
        struct oro_guard *guard =
            support_open(&(struct oro_guard_limits){memory, 100000, 1}, NULL, NULL, &err);
        if (!guard)
            assert_true(err.code == ORO_E_MEMORY || err.code == ORO_E_LIMIT);
        oro_guard_destroy(guard);
    }
}
