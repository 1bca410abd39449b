/*
 * Scripts that try to get out, to go on for ever, or to take all memory. Each must fail, soon, with one line
 * that says why, and do no harm to the next. Calls of Lua's own functions that do not end are not among them:
 * they are ended from outside, with the process.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <sys/resource.h>

#include "tests/lua/guard_support.h"
#include "tests/support/test.h"

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

static const struct oro_guard_limits limits = {.memory = (size_t)16 << 20, .steps = 2500000, .seconds = 1.5};

static const struct support_module modules[] = {
    {"bytecode", "\x1bLua\x54"},
    {"forever", "while true do end"},
    {"one", "require 'two'"},
    {"two", "require 'three'"},
    {"three", "require 'one'"},
    {"wrong", "local x = 1\nx()"},
    {"deep",
     "return ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((("
     "((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((("
     "(((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((("},
    {0},
};

/* Loops in which each turn takes few instructions are what limits of steps alone do not hold. */
#define FOREVER "while true do end"
#define LIMIT "takes "

static const struct {
    const char *name, *script, *error;
} cases[] = {
    /* Ways to the rest of the machine */
    {"os", "os.execute('true')", "index a nil value (global 'os')"},
    {"io", "io.open('/etc/passwd')", "index a nil value (global 'io')"},
    {"debug", "debug.getregistry()", "index a nil value (global 'debug')"},
    {"package", "package.loadlib('libc.so.6', 'system')", "index a nil value (global 'package')"},
    {"load", "load('return 1')()", "call a nil value (global 'load')"},
    {"loadstring", "loadstring('return 1')()", "call a nil value (global 'loadstring')"},
    {"loadfile", "loadfile('/etc/passwd')", "call a nil value (global 'loadfile')"},
    {"dofile", "dofile('/etc/passwd')", "call a nil value (global 'dofile')"},
    {"collectgarbage", "collectgarbage('stop')", "call a nil value (global 'collectgarbage')"},
    {"warn", "warn('@on')", "call a nil value (global 'warn')"},
    {"coroutine", "coroutine.wrap(function() " FOREVER " end)()", "global 'coroutine'"},
    {"_G", "_G.os.execute('true')", "index a nil value (field 'os')"},
    {"_G within _G", "_G._G._G['o' .. 's'].execute('true')", "index a nil value (field '?')"},
    {"_ENV", "local _ENV = _ENV _ENV.io.write('x')", "index a nil value (global 'io')"},
    {"metatable of texts", "getmetatable('').__index.dump(print)", "index a nil value"},
    {"metatable of print", "getmetatable(print).x = 1", "index a nil value"},
    {"methods of texts", "('x'):rep(3)", "index a string value"},
    {"string.dump", "string.dump(function() end)", "call a nil value (field 'dump')"},
    {"string.pack", "string.pack('i4', 1)", "call a nil value (field 'pack')"},
    {"bytecode", "require 'bytecode'", "lib/bytecode.lua:1: attempt to load a binary chunk"},
    {"folder above", "require '../x'", "is no name of a module"},
    {"folder above, dots", "require '...x'", "is no name of a module"},
    {"path", "require '/etc/passwd'", "is no name of a module"},
    {"backslash", "require '..\\\\x'", "is no name of a module"},
    {"zero byte", "require 'one\\0/../x'", "is no name of a module"},
    {"number as module", "require(1)", "string expected"},
    {"no such module", "require 'os'", "there is no module 'os'"},
    {"circle of modules", "require 'one'", "in a circle: one -> two -> three -> one"},
    {"error in a module", "require 'wrong'", "lib/wrong.lua:2: "},
    {"deep module", "require 'deep'", "lib/deep.lua:1: C stack overflow"},
    {"many modules", "for i = 1, 100 do pcall(require, 'm' .. i) end require 'one'", "more than 32 modules"},
    {"address of a function", "error(string.format('%p', print))", "invalid conversion '%p'"},
    {"address of a table", "error(tostring({}) .. string.format('%s', print))", ": (a table)(a function)"},
    /* Finalizers run without hooks */
    {"__gc", "setmetatable({}, {__gc = function() " FOREVER " end})", "may have no '__gc'"},
    {"__gc, true", "setmetatable({}, {__gc = true})", "may have no '__gc'"},
    {"__mode", "setmetatable({}, {__mode = 'k'})", "may have no '__mode'"},
    {"protected metatable", "setmetatable(setmetatable({}, {__metatable = 1}), nil)", "protected"},
    /* On and on */
    {"while", FOREVER, "test.lua:1: takes "},
    {"repeat", "\n\nrepeat until false", "test.lua:3: " LIMIT},
    {"goto", "::again:: goto again", LIMIT},
    {"for", "for i = 1, math.huge do end", LIMIT},
    {"ipairs", "for i in ipairs(setmetatable({}, {__index = function() return 1 end})) do end", LIMIT},
    {"pcall in a loop", "while true do pcall(function() " FOREVER " end) end", LIMIT},
    {"pcall in pcall", "local function f() pcall(f) f() end while true do pcall(f) end", LIMIT},
    {"pcall of pcall", "while true do pcall(pcall, pcall, error) end", LIMIT},
    {"handler that fails", "local function h() error('x') end while true do xpcall(error, h, 'y') end",
     LIMIT},
    {"__close", "local x <close> = setmetatable({}, {__close = function() " FOREVER " end})" FOREVER, LIMIT},
    {"many __close",
     "local m = {__close = function() " FOREVER " end} local function f() local x <close> = "
     "setmetatable({}, m) return 1 + f() end f()",
     LIMIT},
    {"__close in pcall",
     "while true do pcall(function() local x <close> = setmetatable({}, {__close = function() " FOREVER
     " end}) error('x') end) end",
     LIMIT},
    {"__tostring of an error", "error(setmetatable({}, {__tostring = function() " FOREVER " end}))",
     "test.lua:1: fails with (a table)"},
    {"__tostring in print", "print(setmetatable({}, {__tostring = function() " FOREVER " end}))", LIMIT},
    {"__index that calls itself", "setmetatable(_G, {__index = function(t, k) return t[k] end}) x()",
     "C stack overflow"},
    {"__index in a circle", "local t = {} t = setmetatable(t, {__index = t}) return t.x", "possible loop"},
    {"__lt in sort",
     "local m = {__lt = function() " FOREVER " end} table.sort{setmetatable({}, m), setmetatable({}, m)}",
     LIMIT},
    {"comparison that fails in sort", "table.sort({3, 2, 1}, error)", "fails with 2"},
    {"function in gsub", "string.gsub('aaa', 'a', function() " FOREVER " end)", LIMIT},
    {"gsub in gsub", "local function f() string.gsub('a', 'a', f) end f()", "C stack overflow"},
    {"module", "require 'forever'", "lib/forever.lua:1: " LIMIT},
    {"recursion", "local function f() return 1 + f() end f()", LIMIT},
    {"recursion in pcall", "local function f() return 1 + f() end while true do pcall(f) end", LIMIT},
    {"tail calls", "local function f() return f() end f()", LIMIT},
    /* Long in few instructions */
    {"rep that overflows", "string.rep('xxxxxxxx', 1 << 61)", "resulting string too large"},
    {"rep of much", "string.rep('x', 1 << 40)", "resulting string too large"},
    {"too much rep in pcall", "while true do pcall(string.rep, 'x', 1 << 40) end", LIMIT},
    {"comparison of texts",
     "local a, b = string.rep('a', 1e6), string.rep('a', 1e6 - 1) .. 'a' while a == b do end", LIMIT},
    {"characters", "local a = string.rep('a', 1e6) while true do utf8.len(a) utf8.offset(a, 1e6) end", LIMIT},
    {"concat of nothing", "table.concat({}, '', 1, 1 << 60)", "invalid value"},
    {"move that overflows", "table.move({}, math.mininteger, math.maxinteger, 1)", "too many elements"},
    {"unpack", "table.unpack({}, 1, 1e8)", "too many results"},
    {"unpack that overflows", "table.unpack({}, math.mininteger, math.maxinteger)", "too many results"},
    {"bytes", "string.byte(string.rep('a', 2e6), 1, -1)", "string slice too long"},
    {"arguments that grow",
     "local function f(...) return f(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, ...) end "
     "f()",
     ""},
    /* Much memory */
    {"doubled text", "local s = 'x' while true do s = s .. s end", LIMIT},
    {"doubled text, caught",
     "while true do local s = 'x' pcall(function() while true do s = s .. s end end) end", LIMIT},
    {"list", "local t = {} while true do t[#t + 1] = {} end", LIMIT},
    {"list of texts", "local t = {} while true do t[#t + 1] = string.rep('x', 500000) .. #t end", LIMIT},
    {"texts without end", "while true do local s = string.rep('x', 500000) .. 'y' end", LIMIT},
    {"chain of texts", "local s = '' for i = 1, 1e9 do s = s .. i end", LIMIT},
    {"memory, caught",
     "local t = {} while true do pcall(function() while true do t[#t + 1] = {} end end) end", LIMIT},
    {"closures", "local f = print while true do local g = f f = function() g() end end", LIMIT},
    {"gsub that grows", "local s = 'x' while true do s = string.gsub(s, '.', '%0%0') end", LIMIT},
    {"format that grows", "local s = 'x' while true do s = string.format('%s%s', s, s) end", LIMIT},
    {"print", "while true do print(string.rep('x', 100)) end", LIMIT},
};

static struct oro_guard *open_guard(struct support_modules *found, struct oro_modules *finder)
{
    struct oro_error err = {0};
    *finder = (struct oro_modules){support_find, found};
    struct oro_guard *guard = support_open(&limits, NULL, finder, &err);
    if (!guard)
        fail_msg("%s", err.text);
    return guard;
}

static int wrong; /* cases; all are told at once */

static void complain(size_t i, const char *what, const char *error)
{
    print_error("%s: %s: \"%s\"\n", cases[i].name, what, error);
    wrong++;
}

static bool has_control_characters(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < 0x20)
            return true;
    return false;
}

static void expect_failure(size_t i)
{
    struct support_modules found = {.list = modules};
    struct oro_modules finder;
    struct oro_error err = {0};
    struct oro_guard *guard = open_guard(&found, &finder);
    clock_t start = clock(); /* so that other programs do not count */
    if (support_run(guard, cases[i].script, 0, &err))
        complain(i, "does not fail", "");
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    if (!err.text[0] || !strstr(err.text, cases[i].error))
        complain(i, "says something else", err.text);
    if (has_control_characters(err.text) || strstr(err.text, "0x"))
        complain(i, "is no plain line", err.text);
    if (!SANITIZED && seconds > 2)
        complain(i, "takes too long", err.text);
    assert_true(err.code == ORO_E_EVALUATE || err.code == ORO_E_LIMIT);
    assert_int_equal(lua_gettop(oro_guard_state(guard)), 0);
    assert_false(found.asked_for_path);
    oro_guard_destroy(guard);
}

static void expect_that_others_work(void)
{
    struct support_modules found = {.list = modules};
    struct oro_modules finder;
    struct oro_error err = {0};
    struct oro_guard *guard = open_guard(&found, &finder);
    if (!support_run(guard, "local n = 0 for i = 1, 1000 do n = n + i end return n", 1, &err))
        fail_msg("%s", err.text);
    assert_int_equal(lua_tointeger(oro_guard_state(guard), -1), 500500);
    oro_guard_destroy(guard);
}

TEST(scripts_do_not_get_out)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_failure(i);
        expect_that_others_work();
    }
    assert_int_equal(wrong, 0);
}

/* The guard itself can be used again once it is refilled. */
TEST(a_refilled_guard_works)
{
    struct oro_error err = {0};
    struct oro_guard *guard = support_open(&limits, NULL, NULL, &err);
    for (int i = 0; i < 3; i++) {
        assert_false(support_run(guard, "while true do pcall(function() " FOREVER " end) end", 0, &err));
        assert_false(support_run(guard, "return 1", 0, &err));
        oro_guard_refill(guard, limits.steps, limits.seconds);
        if (!support_run(guard, "local n = 0 for i = 1, 1000 do n = n + i end", 0, &err))
            fail_msg("%s", err.text);
    }
    oro_guard_destroy(guard);
}

/* The last test: all scripts together held no more than this. */
TEST(memory_stays_low)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    if (!SANITIZED && usage.ru_maxrss > 256 * 1024)
        fail_msg("%ld KiB", usage.ru_maxrss);
}
