/* What scripts may call: that it computes what the manual says, or what lua/sandbox/library.h says instead.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "tests/lua/guard_support.h"
#include "tests/support/test.h"

static const struct oro_guard_limits limits = {.memory = (size_t)64 << 20, .steps = 100000000, .seconds = 20};

static const struct support_module modules[] = {
    {"count", "loads = (loads or 0) + 1 return {loads = loads, name = ...}"},
    {"lib.waves", "return function(x) return x * 2 end"},
    {"nothing", "seen = true"},
    {"no", "return false"},
    {"first", "return 1 + require 'second'"},
    {"second", "return 1 + require 'lib.third'"},
    {"lib.third", "return 1"},
    {"broken", "x = = 1"},
    {"fails", "\nerror('no water')"},
    {"self", "require 'self'"},
    {0},
};

static struct support_printed printed;
static struct support_modules found = {.list = modules};
static struct oro_modules finder = {support_find, &found};
static const struct oro_log log_of_prints = {support_print, &printed};

static struct oro_guard *open_guard(void)
{
    struct oro_error err = {0};
    printed = (struct support_printed){0};
    struct oro_guard *guard = support_open(&limits, &log_of_prints, &finder, &err);
    if (!guard)
        fail_msg("%s", err.text);
    return guard;
}

/* What a script prints. */
static const char *output_of(const char *script)
{
    struct oro_error err = {0};
    struct oro_guard *guard = open_guard();
    if (!support_run(guard, script, 0, &err))
        fail_msg("%s: %s", script, err.text);
    assert_int_equal(lua_gettop(oro_guard_state(guard)), 0);
    oro_guard_destroy(guard);
    return printed.text;
}

static int wrong; /* cases of a test; all are told at once */

static void complain(const char *format, const char *script, const char *got, const char *expected)
{
    print_error(format, script, got, expected);
    wrong++;
}

/* Each script prints one line. */
static void check_lines(const char *const (*cases)[2], size_t count)
{
    wrong = 0;
    for (size_t i = 0; i < count; i++) {
        char expected[512];
        snprintf(expected, sizeof expected, "%s\n", cases[i][1]);
        if (strcmp(output_of(cases[i][0]), expected) != 0)
            complain("%s\n gives %s not %s", cases[i][0], printed.text, expected);
    }
    assert_int_equal(wrong, 0);
}

static void check_errors(const char *const (*cases)[2], size_t count)
{
    wrong = 0;
    for (size_t i = 0; i < count; i++) {
        struct oro_error err = {0};
        struct oro_guard *guard = open_guard();
        if (support_run(guard, cases[i][0], 0, &err))
            fail_msg("%s: does not fail", cases[i][0]);
        if (strcmp(err.text, cases[i][1]) != 0)
            complain("%s\n says %s\n not %s\n", cases[i][0], err.text, cases[i][1]);
        oro_guard_destroy(guard);
    }
    assert_int_equal(wrong, 0);
}

#define CHECK(check, cases) check(cases, sizeof cases / sizeof cases[0])

TEST(base_works)
{
    static const char *const cases[][2] = {
        {"print(1, 2.5, 'a', nil, true, {}, print, 1e100, 1 / 0, 0 / 0, -(0 / 0), -0.0)",
         "1 2.5 a nil true (a table) (a function) 1e+100 inf nan nan -0.0"},
        {"print()", ""},
        {"print('a\\nb\\27c')", "a b c"},
        {"print(tostring(12), tostring(12.0), tostring(nil), tostring('x'), tostring(print))",
         "12 12.0 nil x (a function)"},
        {"print(setmetatable({}, {__tostring = function() return 'me' end, __name = 'you'}))", "me"},
        {"print(setmetatable({}, {__name = 'you'}))", "(a table)"},
        {"print(tonumber('12'), tonumber('0x1f'), tonumber('zz', 36), tonumber('x'), tonumber('1e2'))",
         "12 31 1295 nil 100.0"},
        {"print(select('#', 1, nil, nil), select(2, 'a', 'b', 'c'), select(-1, 'a', 'b'))", "3 b b"},
        {"print(pcall(error, 'x'), pcall(error, 'y', 0), pcall(error), pcall(rawlen, 'abc'))",
         "false false false true 3"},
        {"print(type(nil), type(1), type('x'), type({}), type(print), type(true))",
         "nil number string table function boolean"},
        {"print(rawequal('a', 'a'), rawlen({1, 2}), rawget({7}, 1), rawset({}, 1, 2)[1])", "true 2 7 2"},
        {"print(assert(1, 2))", "1 2"},
        {"x = 5 print(_G.x, _G == _G._G, _VERSION)", "5 true Lua 5.4"},
        {"for i, v in ipairs{5, 6, nil, 7} do x = (x or '') .. i .. v end print(x)", "1526"},
        {"print(xpcall(function(...) return ... end, print, 1, 2, nil))", "true 1 2 nil"},
        {"print(xpcall(error, function(e) return e .. '!', 2 end, 'x'))", "false x!"},
        {"print(pcall(xpcall, error))",
         "false bad argument #2 to 'xpcall' (function expected, got no value)"},
    };
    CHECK(check_lines, cases);
}

TEST(metatables_work)
{
    static const char *const cases[][2] = {
        {"local V = {} V.__index = V function V.new(x) return setmetatable({x = x}, V) end "
         "local zero = V.new(0) function V.__add(a, b) return V.new(a.x + b.x) end "
         "function V:twice() return self.x * 2 end function V.__eq(a, b) return a.x == b.x end "
         "print((V.new(1) + V.new(2)):twice(), (zero + V.new(4)).x, V.new(1) == V.new(1), "
         "getmetatable(zero) == V)",
         "6 4 true true"},
        {"local B = {f = function() return 'f' end} local D = setmetatable({}, {__index = B}) D.__index = D "
         "print(setmetatable({}, D).f())",
         "f"},
        {"local m = {} local t = setmetatable({}, m) m.__index = {x = 1} print(t.x) m.__index = nil "
         "print(t.x)",
         "1\nnil"},
        {"local m = {__metatable = 'no'} print(getmetatable(setmetatable({}, m)))", "no"},
        {"print(getmetatable('x'), getmetatable(1), getmetatable(print), getmetatable({}))",
         "nil nil nil nil"},
        {"local t = setmetatable({}, {__call = function(_, x) return x + 1 end, __len = function() return 9 "
         "end, "
         "__unm = function() return 'minus' end, __concat = function() return 'and' end, "
         "__lt = function() return true end, __le = function() return false end}) "
         "print(t(1), #t, -t, t .. 1, t < t, t <= t)",
         "2 9 minus and true false"},
        {"local log = {} local t = setmetatable({}, {__newindex = function(t, k, v) rawset(t, k, v * 2) "
         "end}) "
         "t.x = 4 print(t.x)",
         "8"},
        {"do local x <close> = setmetatable({}, {__close = function() print('closed') end}) end", "closed"},
        {"local m = {a = 1} setmetatable({}, m) for k, v in pairs(m) do print(k, v) end", "a 1"},
        {"local m = {} setmetatable({}, m) print(next(m), #m, rawlen(m))", "nil 0 0"},
        {"local t = setmetatable({}, {}) setmetatable(t, nil) print(getmetatable(t))", "nil"},
        {"local m = {} local t = setmetatable({}, m) m.__mode = 'k' print(pcall(setmetatable, {}, m))",
         "false a metatable may have no '__mode'"},
    };
    CHECK(check_lines, cases);
}

TEST(pairs_go_in_order)
{
    static const char *const cases[][2] = {
        {"local t = {b = 1, a = 2, [true] = 3, [false] = 4, [2.5] = 5, [-1] = 6, 7, 8, 9, [''] = 10, ab = "
         "11, "
         "[1 / 0] = 12, [-1 / 0] = 13, [1e300] = 14, [math.mininteger] = 15, [math.maxinteger] = 16, [-0.5] "
         "= 17} "
         "local s = '' for k, v in pairs(t) do s = s .. v .. ' ' end print(s)",
         "13 15 6 17 7 8 5 9 16 14 12 10 2 11 1 4 3 "},
        {"local t, s = {5, 6, 7, x = 1}, '' for k in pairs(t) do t[k] = nil s = s .. k end print(s, next(t))",
         "123x nil"},
        {"local t, s = {5, 6, 7, x = 1}, '' for k in next, t do t[k] = nil s = s .. k end print(s, next(t))",
         "123x nil"},
        {"local t, s = {a = 1, b = 2, c = 3}, '' for k in pairs(t) do t.b = nil s = s .. k end print(s)",
         "ac"},
        {"local t, s = {a = 1, b = 2, c = 3}, '' for k in next, t do t.b = nil s = s .. k end print(s)",
         "ac"},
        {"local t, s = {a = 1, b = 2}, '' for k in pairs(t) do t[k] = t[k] * 2 s = s .. t[k] end print(s)",
         "24"},
        {"print(next({}), next({5}), next({5}, 1), next({a = 1, b = 2}, 'a'))", "nil 1 nil b 2"},
        {"local t, s = {x = 1, y = 2}, '' for a in next, t do for b in next, t do s = s .. a .. b .. ' ' end "
         "end "
         "print(s)",
         "xx xy yx yy "},
        {"local t = {a = 1} next(t, 'a') t.b = 2 print(next(t, 'a'))", "b 2"},
        {"print(next({b = 1}, 'a'))", "b 1"},
        {"local t = {} while next(t) == nil do t.x = 1 end print(next(t))", "x 1"},
        {"local s = '' for k, v in pairs(setmetatable({}, {__pairs = function(t) return function(_, k) "
         "k = (k or 0) + 1 if k < 4 then return k, k end end, t, nil end})) do s = s .. k end print(s)",
         "123"},
        {"local t = {} for i = 1, 1000 do t[i] = i end for i = 1000, 1, -1 do t['k' .. i] = i end t[-5] = 1 "
         "t[0] = 2 t[500.5] = 3 local n, last, sum = 0, nil, 0 for k, v in pairs(t) do n = n + 1 sum = sum + "
         "v "
         "if last and type(last) == type(k) then assert(last < k) end last = k end print(n, sum, last)",
         "2003 1001006 k999"},
    };
    CHECK(check_lines, cases);
    static const char *const errors[][2] = {
        {"for k in pairs{[{}] = 1} do end",
         "test.lua:1: keys that are gone through must be numbers, texts or booleans, not a table"},
        {"next({[print] = 1})",
         "test.lua:1: keys that are gone through must be numbers, texts or booleans, not a function"},
        {"pairs(nil)", "test.lua:1: bad argument #1 to 'pairs' (table expected, got nil)"},
        {"pairs()", "test.lua:1: bad argument #1 to 'pairs' (value expected)"},
    };
    CHECK(check_errors, errors);
}

TEST(strings_work)
{
    static const char *const cases[][2] = {
        {"print(string.byte('abc'), string.byte('abc', -1), string.byte('abc', 2, 9), string.byte('', 1))",
         "97 99 98"},
        {"print(string.char(72, 105), string.len('a\\0b'), string.lower('AbC\\xc4'), string.upper('abC'))",
         "Hi 3 abc? ABC"},
        {"print(string.rep('ab', 3, '-'), string.rep('x', 0), string.rep('x', -1), string.rep('', 9, ','))",
         "ab-ab-ab   ,,,,,,,,"},
        {"print(string.reverse('abc'), string.sub('hello', 2, -2), string.sub('x', 5))", "cba ell "},
        {"print(string.format('%d %5d|%-5d|%05d|%+d|%x|%X|%#x|%o|%i', 1, 2, 3, 4, 5, 255, 255, 255, 8, 3.0))",
         "1     2|3    |00004|+5|ff|FF|0xff|10|3"},
        {"print(string.format('%f %.2f %8.3f|%-8.1f|%e %g %G', 1, 2.345, 3, 4, 12345, 1e-10, 0.5))",
         "1.000000 2.35    3.000|4.0     |1.234500e+04 1e-10 0.5"},
        {"print(string.format('%s|%5s|%-5s|%.2s|%5.1s|%c%c|%3c|%%', 1, 'a', 'b', 'xyz', 'xyz', 65, 66, 67))",
         "1|    a|b    |xy|    x|AB|  C|%"},
        {"print(string.format('%s %s %s', {}, true, nil), string.format('%s', 'a\\0b') == 'a\\0b')",
         "(a table) true nil true"},
        {"print(string.format('%s', setmetatable({}, {__tostring = function() return 'me' end})))", "me"},
        {"print(string.format('%5.1f %f %g', 1 / 0, 0 / 0, -1 / 0), #string.format('%99.99f', 1e308))",
         "  inf nan -inf 409"},
        {"print(string.format('%d', '10'), string.format(''), string.format('%s%s', 1, 2, 3))", "10  12"},
    };
    CHECK(check_lines, cases);
    static const char *const errors[][2] = {
        {"string.format('%d', 1.5)",
         "test.lua:1: bad argument #2 to 'format' (number has no integer representation)"},
        {"string.format('%d')", "test.lua:1: bad argument #2 to 'format' (no value)"},
        {"string.format('%s')", "test.lua:1: bad argument #2 to 'format' (no value)"},
        {"string.format('%q', 'x')", "test.lua:1: invalid conversion '%q' to 'format'"},
        {"string.format('%5p', print)", "test.lua:1: invalid conversion '%p' to 'format'"},
        {"string.format('%s %.3a', 1, 2)", "test.lua:1: invalid conversion '%a' to 'format'"},
        {"string.format('%100d', 1)", "test.lua:1: invalid conversion specification: '%100d'"},
        {"string.format('%n', 1)", "test.lua:1: invalid conversion '%n' to 'format'"},
        {"string.format('%*d', 1, 2)", "test.lua:1: invalid conversion '%*' to 'format'"},
        {"string.char(256)", "test.lua:1: bad argument #1 to 'char' (value out of range)"},
    };
    CHECK(check_errors, errors);
}

TEST(patterns_work)
{
    static const char *const cases[][2] = {
        {"print(string.find('hello', 'l'), string.find('hello', 'l+'), string.find('hello', 'xyz'))",
         "3 3 nil"},
        {"print(string.find('hello', ''), string.find('hello', '', 6), string.find('hello', '', 7))",
         "1 6 nil"},
        {"print(string.find('a.b', '.', 1, true), string.find('a+b', '+', 1, true), string.find('aab', "
         "'ab'))",
         "2 2 2 3"},
        {"print(string.find('hello', 'l', -2), string.find('hello', 'h', -99), string.find('hello', "
         "'(l)(l)'))",
         "4 1 3 4 l l"},
        {"print(string.match('key = value', '^(%w+)%s*=%s*(%w+)$'))", "key value"},
        {"print(string.match('2026-11-22', '(%d+)-(%d+)-(%d+)'))", "2026 11 22"},
        {"print(string.match('  trim  ', '^%s*(.-)%s*$') .. '|')", "trim|"},
        {"print(string.match('hello', '()ll()'), string.match('abc', '.-'), string.match('abc', '.-$'))",
         "3  abc"},
        {"print(string.match('f(a(b)c)d', '%b()'), string.match('THE (quick) fox', '%f[%a]%a+%f[%A]'))",
         "(a(b)c) THE"},
        {"print(string.match('\"it\\'s\"', '([\"\\'])(.-)%1'))", "\" it's"},
        {"print(string.match('x[y]z', '[]]'), string.match('a-b', '[a%-]+'), string.match('a-b', '[%a-]+'))",
         "] a- a-b"},
        {"print(string.match('abc123', '[^%d]+'), string.match('abc', '[a-b]*'), string.match('^a', "
         "'[%^x]a'))",
         "abc ab ^a"},
        {"print(string.match('a$b', 'a$b'), string.match('a^b', 'a^b'), string.match('aaa', 'a?a?a?a?$'))",
         "a$b a^b aaa"},
        {"print(string.match('aXb', '%u'), string.match('a b', '%S+$'), string.match('\\t\\0x', '%c%c%g'))",
         "X b   x"},
        {"print(string.match('abc', 'a*?'), string.match('a*', 'a%*'), string.match('abcabc', "
         "'(a)(b)c%1%2c'))",
         "nil a* a b"},
        {"print(string.match('abc', '((a)(b))'), string.match('abc', 'b', 3), string.match('ab', '^b', 2))",
         "ab nil b"},
        {"print(string.gsub('hello world', 'o', '0'), string.gsub('abc', '', '-'))", "hell0 w0rld -a-b-c- 4"},
        {"print(string.gsub('hello world', '(%w+)', '<%1>'), string.gsub('abc', '%w', '%0%0', 2))",
         "<hello> <world> aabbc 2"},
        {"print(string.gsub('$x is $y', '%$(%w+)', {x = 'one', y = 2}), string.gsub('ab', '.', {a = false}))",
         "one is 2 ab 2"},
        {"print(string.gsub('abc', '(a)(b)', function(x, y) return y .. x end), (string.gsub('x', 'x', "
         "'%%')))",
         "bac %"},
        {"print(string.gsub('abc abc', '^abc', 'x'), string.gsub('abc', 'b*', '-'))", "x abc -a-c- 3"},
        {"print(string.gsub('abc', '()', '%1'), (string.gsub('a', 'a', 7)))", "1a2b3c4 7"},
        {"for k, v in string.gmatch('a=1, b=2', '(%w+)=(%w+)') do x = (x or '') .. k .. v .. ';' end "
         "print(x)",
         "a1;b2;"},
        {"for w in string.gmatch('one two', '%a+') do x = (x or '') .. w .. ';' end print(x)", "one;two;"},
        {"for p in string.gmatch('abc', '()') do x = (x or '') .. p end print(x)", "1234"},
        {"for w in string.gmatch('a1b22', '%d*') do x = (x or '') .. '[' .. w .. ']' end print(x)",
         "[][1][22]"},
        {"for w in string.gmatch('^a^a', '^a') do x = (x or '') .. w end print(x)", "^a^a"},
        {"for w in string.gmatch('abc', '%w', 2) do x = (x or '') .. w end print(x)", "bc"},
        {"print(string.find(string.rep('a', 1000) .. 'b', string.rep('a', 1000) .. 'b'))", "1 1001"},
        {"print(string.match('aa', '()%1'), string.match('a()', '(a)%(%)'))", "nil a"},
        {"print(#string.match(string.rep('a', 200000), '.-b?$'))", "200000"},
    };
    CHECK(check_lines, cases);
    static const char *const errors[][2] = {
        {"string.find('a', '[a')", "test.lua:1: malformed pattern (missing ']')"},
        {"string.find('a', '[]')", "test.lua:1: malformed pattern (missing ']')"},
        {"string.find('a', '[^')", "test.lua:1: malformed pattern (missing ']')"},
        {"string.find('a', '%')", "test.lua:1: malformed pattern (ends with '%')"},
        {"string.find('a', '%bx')", "test.lua:1: malformed pattern (missing arguments to '%b')"},
        {"string.find('a', '%f')", "test.lua:1: missing '[' after '%f' in pattern"},
        {"string.find('a', '(a')", "test.lua:1: unfinished capture"},
        {"string.match('a', 'a)')", "test.lua:1: invalid pattern capture"},
        {"string.gsub('a', 'a', '%2')", "test.lua:1: invalid capture index %2"},
        {"string.gsub('a', 'a', '%x')", "test.lua:1: invalid use of '%' in replacement string"},
        {"string.gsub('a', 'a', '%')", "test.lua:1: invalid use of '%' in replacement string"},
        {"string.gsub('a', 'a', function() return {} end)",
         "test.lua:1: invalid replacement value (a table)"},
        {"string.gsub('a', 'a')",
         "test.lua:1: bad argument #3 to 'gsub' (string/function/table expected, got no value)"},
    };
    CHECK(check_errors, errors);
}

TEST(tables_work)
{
    static const char *const cases[][2] = {
        {"local t = {1, 2, 3} table.insert(t, 4) table.insert(t, 1, 0) table.insert(t, 3, 9) "
         "print(table.concat(t, ','))",
         "0,1,9,2,3,4"},
        {"local t = {1, 2, 3} print(table.remove(t), table.remove(t, 1), #t, t[1], table.remove({}), "
         "table.remove({}, 0))",
         "3 1 1 2 nil nil"},
        {"local t = {1, 2, 3} print(table.remove(t, 4), #t, table.remove(t, 2), t[2])", "nil 3 2 3"},
        {"print(table.concat({1, 'a', 2.5}, '-'), table.concat({}), table.concat({1, 2, 3}, '', 2, 3))",
         "1-a-2.5  23"},
        {"print(table.unpack({1, 2, 3}, 2), table.unpack({}, 1, 2), #table.pack(table.unpack({}, 1, 8192)))",
         "2 nil 0"},
        {"print(table.pack(1, nil, 3).n, table.concat(table.move({1, 2, 3}, 1, 3, 2), ','))", "3 1,1,2,3"},
        {"print(table.concat(table.move({1, 2, 3, 4}, 2, 4, 1), ','), #table.move({1, 2}, 1, 2, 1, {}))",
         "2,3,4,4 2"},
        {"local t = {3, 1, 2} table.sort(t) print(table.concat(t, ',')) ", "1,2,3"},
        {"local t = {'b', 'a', 'C', ''} table.sort(t, function(a, b) return a > b end) print(table.concat(t, "
         "','))",
         "b,a,C,"},
        {"local t = {} for i = 1, 1000 do t[i] = {i * 7 % 10, i} end "
         "table.sort(t, function(a, b) return a[1] < b[1] end) for i = 2, 1000 do local a, b = t[i - 1], "
         "t[i] "
         "assert(a[1] < b[1] or a[1] == b[1] and a[2] < b[2]) end print('stable')",
         "stable"},
        {"for n = 0, 70 do local t = {} for i = 1, n do t[i] = math.random(20) end table.sort(t) "
         "for i = 2, n do assert(t[i - 1] <= t[i]) end assert(#t == n) end print('sorted')",
         "sorted"},
        {"local t = {} for i = 1, 100 do t[i] = i end table.sort(t, function() return true end) local s = 0 "
         "for i = 1, 100 do s = s + t[i] end print(#t, s)",
         "100 5050"},
        {"print(table.move({5}, 1, 1, math.mininteger)[math.mininteger])", "5"},
    };
    CHECK(check_lines, cases);
    static const char *const errors[][2] = {
        {"table.insert({}, 5, 1)", "test.lua:1: bad argument #2 to 'insert' (position out of bounds)"},
        {"table.concat({1, {}, 3})", "test.lua:1: invalid value (table) at index 2 in table for 'concat'"},
        {"table.sort({1, 'x'})", "test.lua:1: attempt to compare string with number"},
        {"table.sort({2, 1}, 5)", "test.lua:1: bad argument #2 to 'sort' (function expected, got number)"},
    };
    CHECK(check_errors, errors);
}

TEST(math_works)
{
    static const char *const cases[][2] = {
        {"print(math.floor(2.7), math.ceil(2.2), math.abs(-3), math.max(1, 5, 2), math.min(4, 2), 7 // 2, 7 "
         "% 4)",
         "2 3 3 5 2 3 3"},
        {"print(math.pi, math.huge, math.maxinteger, math.mininteger, math.sqrt(16), math.fmod(-7, 3))",
         "3.1415926535898 inf 9223372036854775807 -9223372036854775808 4.0 -1"},
        {"print(math.type(1), math.type(1.0), math.type('1'), math.tointeger(3.0), math.tointeger(3.5), "
         "math.ult(1, -1))",
         "integer float nil 3 nil true"},
        {"print(math.modf(3.7), math.exp(0), math.log(8, 2), math.log(100, 10), math.deg(math.pi), "
         "math.rad(180))",
         "3 1.0 3.0 2.0 180.0 3.1415926535898"},
        {"print(utf8.char(233, 8364), utf8.len('\\u{e9}x'), utf8.codepoint('\\u{e9}x', 1, -1), "
         "utf8.offset('axb', 3))",
         "\u00e9\u20ac 2 233 3"},
        {"for p, c in utf8.codes('a\\u{e9}') do x = (x or '') .. p .. ':' .. c .. ' ' end print(x, "
         "utf8.len('\\xff'))",
         "1:97 2:233  nil 1"},
    };
    CHECK(check_lines, cases);
}

/* Fixed numbers: they may never change, for terrains are made of them. */
TEST(random_numbers_are_the_same_everywhere)
{
    static const char *const cases[][2] = {
        {"print(string.format('%.17g %.17g', math.random(), math.random()))",
         "0.88331080821364261 0.43152799704850997"},
        {"math.randomseed(7) print(math.random(6), math.random(6), math.random(-5, 5), math.random(1 << 40))",
         "5 3 5 578943887890"},
        {"math.randomseed(7) local a = math.random() math.randomseed(7.0) print(a == math.random())", "true"},
        {"math.randomseed(7.5) local a = math.random() math.randomseed(7) print(a == math.random())",
         "false"},
        {"for i = 1, 1000 do local n = math.random(3) assert(n >= 1 and n <= 3 and math.type(n) == "
         "'integer') end "
         "print(math.random(5, 5), math.type(math.random(math.mininteger, math.maxinteger)))",
         "5 integer"},
        {"local n = {0, 0, 0} for i = 1, 30000 do local k = math.random(3) n[k] = n[k] + 1 end "
         "for i = 1, 3 do assert(n[i] > 9700 and n[i] < 10300) end print('even')",
         "even"},
        {"local n = 0 for i = 1, 20000 do if math.random(3 << 61) > 1 << 62 then n = n + 1 end end "
         "print(n > 6300 and n < 7000)",
         "true"},
    };
    CHECK(check_lines, cases);
    static const char *const errors[][2] = {
        {"math.random(0)", "test.lua:1: bad argument #1 to 'random' (interval is empty)"},
        {"math.random(2, 1)", "test.lua:1: bad argument #2 to 'random' (interval is empty)"},
        {"math.random(1, 2, 3)", "test.lua:1: random takes at most two numbers, not 3"},
        {"math.random(1.5)",
         "test.lua:1: bad argument #1 to 'random' (number has no integer representation)"},
        {"math.randomseed()",
         "test.lua:1: randomseed takes a number: what is random must be the same in every run"},
    };
    CHECK(check_errors, errors);
}

TEST(seeds_start_anew)
{
    struct oro_guard *guard = open_guard();
    lua_State *lua = oro_guard_state(guard);
    for (uint64_t seed = 1; seed < 4; seed++) {
        oro_library_seed(lua, seed);
        assert_true(support_run(guard, "return math.random()", 1, NULL));
        oro_library_seed(lua, seed);
        assert_true(support_run(guard, "return math.random()", 1, NULL));
        assert_true(lua_rawequal(lua, -1, -2));
    }
    assert_false(lua_rawequal(lua, 1, 3));
    oro_guard_destroy(guard);
}

TEST(modules_are_loaded_once)
{
    static const char *const cases[][2] = {
        {"local a, b = require 'count', require('count') print(a == b, a.loads, loads, a.name)",
         "true 1 1 count"},
        {"print(require 'lib.waves'(4), require 'nothing', require 'nothing', seen)", "8 true true true"},
        {"print(require 'no', require 'no')", "false false"},
        {"print(require 'first', require 'second')", "3 2"},
        {"print(require 'count'.loads, pcall(require, 'fails'), pcall(require, 'fails'))",
         "1 false false lib/fails.lua:2: no water"},
        {"print(pcall(require, 'self'), pcall(require, 'self'))",
         "false false lib/self.lua:1: modules require each other in a circle: self -> self"},
    };
    CHECK(check_lines, cases);
    static const char *const errors[][2] = {
        {"\nrequire 'broken'", "lib/broken.lua:1: unexpected symbol near '='"},
        {"\nrequire 'fails'", "lib/fails.lua:2: no water"},
        {"\nrequire 'absent'", "test.lua:2: there is no module 'absent'"},
        {"require ''",
         "test.lua:1: '' is no name of a module: write \"waves\" for waves.lua, or \"lib.waves\" for "
         "lib/waves.lua"},
        {"require 'a..b'", "test.lua:1: 'a..b' is no name of a module: write \"waves\" for waves.lua, or "
                           "\"lib.waves\" for lib/waves.lua"},
    };
    CHECK(check_errors, errors);
}

TEST(without_a_finder_there_are_no_modules)
{
    struct oro_error err = {0};
    struct oro_guard *guard = support_open(&limits, NULL, NULL, &err);
    assert_false(support_run(guard, "require 'x'", 0, &err));
    assert_string_equal(err.text, "test.lua:1: there is no module 'x': modules cannot be used here");
    oro_guard_destroy(guard);
}

TEST(printing_ends)
{
    output_of("for i = 1, 100000 do print('line ' .. i) end");
    size_t length = strlen(printed.text);
    assert_true(length > 60000 && length < ORO_LIBRARY_PRINT_MAX + 100);
    assert_string_equal(printed.text + length - 52, "\nmore than 64 KiB are printed: the rest is left out\n");
    assert_true(printed.notices > 5000);
    output_of("print(string.rep('x', 100000))");
    length = strlen(printed.text);
    assert_true(length > 900 && length < 1100);
}

/* Two states have different hashes of texts, as two processes have. */
TEST(order_does_not_follow_from_hashes)
{
    static const char script[] = "local t, s = {}, '' for i = 1, 200 do t['k' .. (i * 37 % 200)] = i end "
                                 "for k, v in pairs(t) do s = s .. k .. v .. math.random(9) end "
                                 "for k, v in next, t do s = s .. k end print(s)";
    struct oro_text first = {0};
    oro_text_add(&first, output_of(script));
    for (int i = 0; i < 5; i++)
        assert_string_equal(output_of(script), first.data);
    oro_text_free(&first);
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The list for the documentation is what a script finds, no more and no less, in order. */
TEST(the_list_of_names_is_right)
{
    struct oro_text names = {0};
    size_t count = 0;
    while (oro_library_names[count]) {
        oro_text_addf(&names, "%s ", oro_library_names[count]);
        if (count)
            assert_true(compare_texts(&oro_library_names[count - 1], &oro_library_names[count]) < 0);
        count++;
    }
    assert_true(count > 70);
    oro_text_add(&names, "\n");
    output_of(
        "local all = {} for k, v in pairs(_G) do if type(v) == 'table' and v ~= _G then for n in pairs(v) do "
        "all[#all + 1] = k .. '.' .. n end else all[#all + 1] = k end end table.sort(all) local s = '' "
        "for i = 1, #all do s = s .. all[i] .. ' ' if #s > 800 then print(s) s = '' end end print(s)");
    /* a notice has a limited length */
    struct oro_text joined = {0};
    for (const char *at = printed.text; *at; at++)
        if (*at != '\n')
            oro_text_add_bytes(&joined, at, 1);
    oro_text_add(&joined, "\n");
    assert_string_equal(joined.data, names.data);
    oro_text_free(&joined);
    oro_text_free(&names);
}
