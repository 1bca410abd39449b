/* Hostile scripts, each wherever a script can run: while it is described, as a graph, a cell, a field, and by
 * `orograph run`. Each ends with an error that says where, or does no harm; and honest scripts go on working.
 * Scripts that keep a function busy until it is ended from outside take longer, and are in test_hostile.c. */
#include <stdlib.h>
#include <unistd.h>

#include <sys/stat.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "lua/batch/guest.h"
#include "lua/types/node_types.h"
#include "tests/lua/scene.h"
#include "tests/support/folder.h"

struct attack {
    const char *script;
    const char *error; /* what the message says; NULL: nothing fails */
};

static const struct attack attacks[] = {
    /* Memory */
    {"local s = 'x' for i = 1, 40 do s = s .. s end", "takes "},
    {"local t = {} for i = 1, 1e7 do t[i] = {} end", "takes "},
    {"string.rep('x', 1e9)", "takes "},
    {"string.rep('x', 1 << 62)", "resulting string too large"},
    {"string.rep('x', -1)", NULL},
    {"string.rep('x', 3, string.rep('y', 1e6))", NULL},
    {"table.concat({}, 'x', 1, 1 << 40)", "invalid value (nil) at index 1 in table for 'concat'"},
    {"local t = {} t[1 << 40] = 1 t[-(1 << 40)] = 1 assert(#t == 0)", NULL},
    {"local t = {} for i = 1, 25 do t = {t, t} end", NULL},
    {"select('#', table.unpack({}, 1, 1e7))", "too many results to unpack"},
    {"local f = function() end for i = 1, 1e4 do local g = f f = function() return g() end end f()", NULL},
    /* Depth */
    {"local function f() return 1 + f() end f()", "takes "},
    {"local function f() return pcall(f) end f()", NULL},
    {"local function f() local ok, why = pcall(f) error(why) end f()", "probe.lua:"},
    {"local m = {} m.__index = function(t, k) return t[k] end local x = setmetatable({}, m).y",
     "C stack overflow"},
    {"local t = {} for i = 1, 3000 do t = setmetatable({}, {__index = t}) end local x = t.y",
     "'__index' chain too long; possible loop"},
    {"local m = {} m.__tostring = function(t) return tostring(t) end tostring(setmetatable({}, m))",
     "C stack overflow"},
    {"local m = {} m.__lt = function(a, b) return a < b end local x = setmetatable({}, m) < "
     "setmetatable({}, m)",
     "C stack overflow"},
    {"local m = {} m.__concat = function(a, b) return a .. b end local x = setmetatable({}, m) .. 'x'",
     "C stack overflow"},
    {"local m = {} m.__len = function(t) return #t end local x = #setmetatable({}, m)", "C stack overflow"},
    {"local m = {} m.__newindex = function(t, k, v) t[k] = v end setmetatable({}, m).x = 1",
     "C stack overflow"},
    {"local m = {} m.__eq = function(a, b) return a == b end local x = setmetatable({}, m) == "
     "setmetatable({}, m)",
     "C stack overflow"},
    {"local t = {} setmetatable(t, {__index = t, __newindex = t}) local x = t.y",
     "'__index' chain too long; possible loop"},
    {"table.sort({3, 2, 1, 5, 4}, function(a, b) table.sort({2, 1}, function() error('x') end) end)", "x"},
    {"local s = string.rep('(', 300) string.find('x', s)", "too many captures"},
    {"string.gsub('x', '.', function(c) return string.gsub(c, '.', error) end)", "x"},
    /* Errors of every kind */
    {"error()", "fails with (a nil)"},
    {"error(nil, 0)", "fails with (a nil)"},
    {"error({})", "fails with (a table)"},
    {"error({ code = 1 }, 5)", "fails with (a table)"},
    {"error(print)", "fails with (a function)"},
    {"error(true)", "fails with (a boolean)"},
    {"error(0/0)", "nan"},
    {"error('')", ""},
    {"error('', 0)", ""},
    {"error('a\\nb\\r\\27[2J\\0c\\xC2\\x9Bd\\xFF')", "a b  [2J c d?"},
    {"error(string.rep('x', 1e6))", "xxx"},
    {"error('x', 1 << 62)", "x"},
    {"error('x', -1)", "x"},
    {"error(setmetatable({}, {__tostring = function() error('again') end}))", "fails with (a table)"},
    {"error(setmetatable({}, {__tostring = function() return 1 end}))", "fails with (a table)"},
    {"error(setmetatable({}, {__tostring = function() while true do end end}))", "fails with (a table)"},
    {"error(setmetatable({}, {__name = '\\27[2J'}))", "fails with (a table)"},
    {"assert(false)", "assertion failed!"},
    {"assert(nil, {})", "fails with (a table)"},
    {"assert(false, '\\0')", ""},
    {"xpcall(error, error) error('x')", "x"},
    {"xpcall(error, function() error('y') end) error('x')", "x"},
    {"xpcall(error, 1)", "bad argument #2 to 'xpcall' (function expected, got number)"},
    {"pcall()", "bad argument #1 to 'pcall' (value expected)"},
    {"local ok, why = pcall(error, setmetatable({}, {__index = error})) error(why)", "fails with (a table)"},
    {"local x <close> = setmetatable({}, {__close = function() error('closed') end})", "closed"},
    {"local x <close> = 5", "variable 'x' got a non-closable value"},
    {"do local x <close> = setmetatable({}, {__close = function() error('a') end}) error('b') end", "a"},
    {"for i in pairs({1}), nil, nil do end for i = 1, 2 do local x <close> = nil end", NULL},
    /* Loops */
    {"while true do pcall(function() while true do end end) end", "takes "},
    {"for i = math.maxinteger - 1, math.maxinteger do end", NULL},
    {"for i = math.mininteger, math.mininteger + 1 do end", NULL},
    {"for i = 1, 3, math.maxinteger do end for i = -1, -3, math.mininteger do end", NULL},
    {"for i = 1, 10, 0 do end", "'for' step is zero"},
    {"for i = 1, 0/0 do end for i = 0/0, 1 do error('no') end", "no"},
    {"for i = 'a', 2 do end", "bad 'for' initial value (number expected, got string)"},
    {"for i = 1, 2, {} do end", "bad 'for' step (number expected, got table)"},
    {"for k in 5 do end", "attempt to call a number value (for iterator 'for iterator')"},
    {"local t = {} for k in pairs(t) do t[k] = nil end next(t, 'x')", NULL},
    {"local t = {a = 1, b = 2} for k in pairs(t) do t[k .. k] = 1 end", NULL},
    {"local t = setmetatable({}, {__pairs = function() return error end}) for k in pairs(t) do end",
     "fails with (a nil)"},
    /* Numbers */
    {"local x = math.mininteger // -1 local y = math.mininteger % -1", NULL},
    {"local x = 1 // 0", "attempt to divide by zero"},
    {"local x = 1 % 0", "attempt to perform 'n%0'"},
    {"local x = 1.5 | 0", "number has no integer representation"},
    {"local x = 1 << 1000 assert(x == 0) x = 1 >> -70 x = 1 << math.mininteger", NULL},
    {"local x = (2^63) | 0", "number has no integer representation"},
    {"local x = '0x7fffffffffffffff' + 1",
     "attempt to perform arithmetic on a string value (constant '0x7fffffffffffffff')"},
    {"math.random(math.mininteger, math.maxinteger) math.random(0)",
     "bad argument #1 to 'random' (interval is empty)"},
    {"math.random(1, 0)", "bad argument #2 to 'random' (interval is empty)"},
    {"math.random(1 << 62, 1, 2)", "random takes at most two numbers, not 3"},
    {"math.randomseed(0/0) math.randomseed('x')",
     "bad argument #1 to 'randomseed' (number expected, got string)"},
    {"math.tointeger('x') math.tointeger(2^70) math.ult(1, -1)", NULL},
    {"math.fmod(1, 0)", "bad argument #2 to 'fmod' (zero)"},
    {"math.fmod(math.mininteger, -1) math.abs(math.mininteger)", NULL},
    {"tonumber('z', 99)", "bad argument #2 to 'tonumber' (base out of range)"},
    {"tonumber('1e' .. string.rep('9', 5000)) tonumber(string.rep('7', 1e5), 36)", NULL},
    {"local t = {} t[0/0] = 1", "table index is NaN"},
    {"local t = {} t[1/0] = 1 t[-1/0] = 2 assert(t[1/0] == 1)", NULL},
    {"local t = {} t[nil] = 1", "table index is nil"},
    {"local t = {} t[2^53] = 1 t[-0.0] = 2 assert(t[0] == 2)", NULL},
    /* Texts */
    {"string.format('%d', 1.5)", "bad argument #2 to 'format' (number has no integer representation)"},
    {"string.format('%d', 2^63)", "bad argument #2 to 'format' (number has no integer representation)"},
    {"string.format(string.rep('%s', 300))", "bad argument #2 to 'format' (no value)"},
    {"string.format('%99999d', 1)", "invalid conversion specification: '%99999d'"},
    {"string.format('%.99999f', 1e308)", "invalid conversion specification: '%.99999f'"},
    {"string.format('%.99f%.99f', 1e308, -1e308)", NULL},
    {"string.format('%n', 1)", "invalid conversion '%n' to 'format'"},
    {"string.format('%')", "bad argument #2 to 'format' (no value)"},
    {"string.format('%s', setmetatable({}, {__tostring = function() return {} end}))",
     "__tostring must give a text"},
    {"string.format('%c%c', 0, 300) string.format('%5s', '\\0')",
     "bad argument #2 to 'format' (string contains zeros)"},
    {"string.format('%s', string.rep('\\0', 1e5))", NULL},
    {"string.char(256)", "bad argument #1 to 'char' (value out of range)"},
    {"string.char(-1)", "bad argument #1 to 'char' (value out of range)"},
    {"string.byte('x', math.mininteger, math.maxinteger)", NULL},
    {"string.byte(string.rep('x', 1e6), 1, -1)", "stack overflow (string slice too long)"},
    {"string.sub('x', math.mininteger, math.maxinteger) string.sub('x', 1/0)",
     "bad argument #2 to 'sub' (number has no integer representation)"},
    {"string.find('x', '[')", "malformed pattern (missing ']')"},
    {"string.find('x', '[a')", "malformed pattern (missing ']')"},
    {"string.find('x', '%')", "malformed pattern (ends with '%')"},
    {"string.find('x', '%b')", "malformed pattern (missing arguments to '%b')"},
    {"string.find('x', '%f')", "missing '[' after '%f' in pattern"},
    {"string.find('x', '%9')", "invalid capture index %9"},
    {"string.find('x', '(()')", "unfinished capture"},
    {"string.find('x', ')')", NULL},
    {"string.find('x', string.rep('()', 40))", "too many captures"},
    {"string.find('x', string.rep('x?', 1000) .. 'y')", NULL},
    {"string.find('x', 'x', math.mininteger) string.find('x', 'x', math.maxinteger)", NULL},
    {"string.find(string.rep('a', 1e6), 'b', 1, true)", NULL},
    {"string.gsub('x', '.', '%9')", "invalid capture index %9"},
    {"string.gsub('x', '.', '%')", "invalid use of '%' in replacement string"},
    {"string.gsub('x', '.', {x = {}})", "invalid replacement value (a table)"},
    {"string.gsub('x', '.', function() return print end)", "invalid replacement value (a function)"},
    {"string.gsub('x', '', setmetatable({}, {__index = function() error('i') end}))", "i"},
    {"string.gsub(string.rep('x', 1e5), '.', string.rep('y', 1e5))", "takes "},
    {"string.gsub('x', '.', 'y', math.mininteger)", NULL},
    {"for a in string.gmatch('x', '') do end for a in string.gmatch('abc', '()', -1) do end", NULL},
    {"string.upper({})", "bad argument #1 to 'upper' (string expected, got table)"},
    {"string.reverse(string.rep('x', 1e6)) string.len('\\0')", NULL},
    {"('x'):upper()", "attempt to index a string value (constant 'x')"},
    {"utf8.char(-1)", "bad argument #1 to 'char' (value out of range)"},
    {"utf8.char(1 << 40)", "bad argument #1 to 'char' (value out of range)"},
    {"utf8.codepoint('\\xFF')", "invalid UTF-8 code"},
    {"utf8.codepoint('x', math.mininteger)", "bad argument #2 to 'codepoint' (out of bounds)"},
    {"utf8.codepoint('x', 1, math.maxinteger)", "bad argument #3 to 'codepoint' (out of bounds)"},
    {"utf8.len('x', math.mininteger)", "bad argument #2 to 'len' (initial position out of bounds)"},
    {"utf8.len('\\xFF\\xFE')", NULL},
    {"utf8.offset('x', math.mininteger) utf8.offset('x', math.maxinteger)", NULL},
    {"utf8.offset('x', 1, math.maxinteger)", "bad argument #3 to 'offset' (position out of bounds)"},
    {"utf8.offset('\\x80\\x80', 1, 2)", "initial position is a continuation byte"},
    {"for p, c in utf8.codes('\\xF8\\x88\\x80\\x80\\x80') do end", "invalid UTF-8 code"},
    {"for p, c in utf8.codes('x\\xC0') do end", "invalid UTF-8 code"},
    /* Tables */
    {"table.move({}, 1, 1, math.mininteger)", NULL},
    {"table.move({}, math.mininteger, math.maxinteger, 1)",
     "bad argument #3 to 'move' (too many elements to move)"},
    {"table.move({}, 1, math.maxinteger, 2)", "bad argument #4 to 'move' (destination wrap around)"},
    {"table.move({1}, 1, 1, math.maxinteger)", NULL},
    {"table.insert({}, math.maxinteger, 1)", "bad argument #2 to 'insert' (position out of bounds)"},
    {"table.insert({}, 1, 2, 3)", "wrong number of arguments to 'insert'"},
    {"table.insert(setmetatable({}, {__len = function() return 1 << 62 end}), 1)", NULL},
    {"table.remove({}, math.mininteger)", "bad argument #1 to 'remove' (position out of bounds)"},
    {"table.unpack({}, math.mininteger, math.maxinteger)", "too many results to unpack"},
    {"table.unpack({}, math.maxinteger - 1, math.maxinteger)", NULL},
    {"table.concat({{}})", "invalid value (table) at index 1 in table for 'concat'"},
    {"table.concat({1, 2}, 'x', math.maxinteger - 1, math.maxinteger)",
     "invalid value (nil) at index 9223372036854775806 in table for 'concat'"},
    {"table.sort({1, 'x'})", "attempt to compare string with number"},
    {"table.sort({3, 1, 2}, function() return true end)", NULL},
    {"table.sort({1, 2, 3}, 5)", "bad argument #2 to 'sort' (function expected, got number)"},
    {"table.sort({0/0, 1, 0/0, 2})", NULL},
    {"local t = {} for i = 1, 100 do t[i] = i end table.sort(t, function(a, b) t[b] = nil return a < b end)",
     NULL},
    {"select(0)", "bad argument #1 to 'select' (index out of range)"},
    {"select(math.mininteger)", "bad argument #1 to 'select' (index out of range)"},
    {"select(math.maxinteger, 1)", NULL},
    {"rawset({}, 0/0, 1)", "table index is NaN"},
    {"rawlen(5)", "bad argument #1 to 'rawlen' (table or string expected, got number)"},
    {"setmetatable({}, 5)", "bad argument #2 to 'setmetatable' (nil or table expected, got number)"},
    {"setmetatable(setmetatable({}, {__metatable = 1}), {})", "cannot change a protected metatable"},
    {"setmetatable('x', {})", "bad argument #1 to 'setmetatable' (table expected, got string)"},
    {"setmetatable({}, {__gc = function() while true do end end})", "a metatable may have no '__gc'"},
    {"local t = setmetatable({}, {__mode = 'kv'}) t[1] = {}", "a metatable may have no '__mode'"},
    {"getmetatable('x').__index = nil", "attempt to index a nil value"},
    /* What is not there */
    {"os.exit(0)", "attempt to index a nil value (global 'os')"},
    {"io.open('/etc/passwd')", "attempt to index a nil value (global 'io')"},
    {"coroutine.wrap(function() end)()", "attempt to index a nil value (global 'coroutine')"},
    {"load('x = 1')()", "attempt to call a nil value (global 'load')"},
    {"debug.sethook()", "attempt to index a nil value (global 'debug')"},
    {"collectgarbage('stop')", "attempt to call a nil value (global 'collectgarbage')"},
    {"dofile('x')", "attempt to call a nil value (global 'dofile')"},
    {"string.dump(print)", "attempt to call a nil value (field 'dump')"},
    {"_G._G._G.os.exit()", "attempt to index a nil value (field 'os')"},
    {"_ENV = nil print(1)", "attempt to index a nil value (upvalue '_ENV')"},
    {"_ENV = setmetatable({}, {__index = error}) x = y",
     "bad argument #2 to 'index' (number expected, got string)"},
    {"print = nil error = nil pcall = nil string = nil table = nil", NULL},
    {"for k in pairs(_G) do _G[k] = nil end", "attempt to index a nil value (global '_G')"},
    {"setmetatable(_G, {__index = function(t, k) return k end, __newindex = error}) local x = y", NULL},
    {"math.floor = error pairs = error ipairs = error tostring = error type = error", NULL},
    {"print(string.rep('x', 1e6)) print('\\27[2J\\0\\n') print(setmetatable({}, {__name = '\\27'}))", NULL},
    {"for i = 1, 1e4 do print(i) end", NULL},
    {"print(setmetatable({}, {__tostring = error}))", "fails with (a table)"},
    {"require('..')", "is no name of a module"},
    {"require('/etc/passwd')", "is no name of a module"},
    {"require('../x')", "is no name of a module"},
    {"require('')", "is no name of a module"},
    {"require('a\\0b')", "is no name of a module"},
    {"require(string.rep('x', 1e5))", "xxx"},
    {"require('nothing')", "nothing"},
    {"require({})", "bad argument #1 to 'require' (string expected, got table)"},
    {"require(5)", "bad argument #1 to 'require' (string expected, got number)"},
};
/* These take longer: they end by a limit of steps or of time, of which cells and fields have more. */
static const struct attack slow_attacks[] = {
    {"::a:: goto a", "takes "},
    {"repeat until false", "takes "},
    {"for i = 1, math.huge do end", "takes "},
    {"while true do local x <close> = nil end", "takes "},
    {"while true do end", "takes "},
    {"for k in setmetatable({}, {__call = function() return 1 end}) do end", "takes "},
    {"local t = {} for i = 1, 300 do t[i] = string.rep(string.char(i % 256), 1e6) end", "takes "},
    {"local x <close> = setmetatable({}, {__close = function() while true do end end})", "takes "},
    {"string.rep('', 1 << 62)", "takes "},
    {"local function f(...) return f(1, ...) end f()", "takes "},
    {"xpcall(function() error('x') end, function(e) local function f() return f() + 1 end return f() end)",
     NULL},
    {"while true do pcall(error) end", "takes "},
};
enum {
    ATTACKS = sizeof attacks / sizeof attacks[0],
    SLOW_ATTACKS = sizeof slow_attacks / sizeof slow_attacks[0]
};

/* Generous, as other programs run beside this one. */
static const double soon = 20;

/* ---- Where scripts run ---- */

static struct oro_error err;

static bool describe_text(const char *text, size_t length)
{
    const struct oro_script_source source = {
        .id = "zz_probe", .path = "probe.lua", .line = 1, .text = text, .length = length};
    struct oro_script *script = oro_script_read(&source, oro_script_forms, NULL, &err);
    bool ok = script;
    oro_script_destroy(script);
    return ok;
}

#define HONEST_TABLE                                                                                         \
    "{ id = 'zz_probe', inputs = { { name = 'terrain', type = 'field' }, { name = 'size', type = 'float', "  \
    "default = 1, min = 0, max = 2 } }, outputs = { { name = 'field', type = 'field' } }, cell = "           \
    "function() "                                                                                            \
    "return 1 end }"
#define KERNEL_TABLE                                                                                         \
    "{ id = 'zz_probe', inputs = { { name = 'terrain', type = 'field' } }, outputs = { { name = 'field', "   \
    "type = 'field' } }, buffers = { b = 'image' }, kernel = { a = 'void main() {}' }, "                     \
    "passes = { { times = 2, 'a' } } }"
#define HONEST_RETURN SCRIPT("", OUT_FIELD, CELL("return f.terrain(x, y)"))

static bool describe(const char *attack)
{
    struct oro_text text = {0};
    oro_text_addf(&text, "%s\n" HONEST_RETURN, attack);
    bool ok = describe_text(text.data, text.length);
    oro_text_free(&text);
    return ok;
}

static bool evaluate(const char *before, const char *attack, const char *behind)
{
    struct harness_raster raster = {0};
    struct oro_text text = {0};
    oro_text_addf(&text, SCRIPT("", OUT_FIELD, "%s do local f, b, p %s\nend %s\nend\n"), before, attack,
                  behind);
    bool ok = scene_try(text.data, PROBE(""), "field", &raster);
    oro_text_free(&text);
    harness_free(&raster);
    err = scene.h.err;
    return ok;
}

static bool graph(const char *attack)
{
    return evaluate("graph = function(b, p)", attack, "return p.terrain");
}

static bool cell(const char *attack)
{
    return evaluate("cell = function(x, y, f, p)", attack, "return f.terrain(x, y)");
}

static bool field(const char *attack)
{
    return evaluate("field = function(f, p)", attack, "return f.terrain * 2");
}

static bool call_nothing(void *user, struct oro_batch_call *call, struct oro_error *why)
{
    (void)user;
    (void)call;
    (void)why;
    return true;
}

static void print_nothing(void *user, const char *line, size_t length)
{
    (void)user;
    assert_true(strlen(line) <= length);
}

static bool never(void *user)
{
    (void)user;
    return false;
}

static const char *find_no_module(void *user, const char *module, size_t *length, const char **name,
                                  struct oro_error *why)
{
    (void)user;
    (void)length;
    (void)name;
    oro_fail(why, ORO_E_FILE, "there is no module '%.100s'", module);
    return NULL;
}

static bool batch(const char *attack)
{
    const struct oro_batch_host host = {
        .call = call_nothing, .print = print_nothing, .stopped = never, .find_module = find_no_module};
    const struct oro_batch_options options = {
        .memory = (size_t)64 << 20, .steps = 10000000, .seconds = 1.5, .version = "1"};
    err = (struct oro_error){0};
    return oro_batch_run_in_guest(attack, strlen(attack), "probe.lua", &host, &options, &err);
}

/* ---- What comes of it ---- */

/* One line that a terminal shows as it is, with the place. */
static void check_message(const char *script, const char *part)
{
    const char *text = err.text;
    for (const char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7F ||
            ((unsigned char)*c == 0xC2 && (unsigned char)c[1] < 0xA0))
            fail_msg("'%s': a byte 0x%02X in the message", script, (unsigned char)*c);
    const char *place = strstr(text, "probe.lua");
    if (!place || !strstr(place, part))
        fail_msg("'%s' fails with '%s', not '%s'", script, text, part);
}

typedef bool run_attack(const char *attack);

static void attack_by(run_attack *run, const struct attack *list, size_t count)
{
    scene_size(2, 2);
    assert_true(run(""));
    for (size_t i = 0; i < count; i++) {
        double start = oro_now();
        bool ok = run(list[i].script);
        if (ok != !list[i].error)
            fail_msg("'%s': %s", list[i].script, ok ? "nothing fails" : err.text);
        if (!ok)
            check_message(list[i].script, list[i].error);
        assert_true(oro_now() - start < soon);
    }
    assert_true(run(""));
}

TEST(described)
{
    attack_by(describe, attacks, ATTACKS);
    attack_by(describe, slow_attacks, SLOW_ATTACKS);
}

TEST(as_a_graph)
{
    attack_by(graph, attacks, ATTACKS);
}

TEST(as_a_cell)
{
    attack_by(cell, attacks, ATTACKS);
}

TEST(as_a_field)
{
    attack_by(field, attacks, ATTACKS);
}

TEST(as_a_batch)
{
    attack_by(batch, attacks, ATTACKS);
}

/* ---- Descriptors ---- */

static const char *const values[] = {"true",
                                     "0",
                                     "-1",
                                     "0/0",
                                     "-1/0",
                                     "2^63",
                                     "math.mininteger",
                                     "''",
                                     "'\\0'",
                                     "'a\\0b'",
                                     "'\\27[2J'",
                                     "'\\xC2\\x9B'",
                                     "'a\\nb'",
                                     "'\\xFF'",
                                     "'%s%n'",
                                     "'x y'",
                                     "'<&>'",
                                     "'zz_probe'",
                                     "string.rep('x', 1e5)",
                                     "string.rep('a,', 1e5)",
                                     "{}",
                                     "{{}}",
                                     "{{{}}}",
                                     "{1, 2}",
                                     "{'a', 'a'}",
                                     "{[1.5] = 1}",
                                     "{[-1] = 1}",
                                     "{[2] = 1}",
                                     "{[true] = 1}",
                                     "{[{}] = 1}",
                                     "{a = {}}",
                                     "{1, nil, 3}",
                                     "print",
                                     "function() end",
                                     "function() error('x') end",
                                     "setmetatable({}, {__index = error})",
                                     "setmetatable({}, {__len = function() return 1 << 62 end})",
                                     "setmetatable({}, {__pairs = function() return error end})"};

/* Every key of a descriptor, of an input, of an output, of a kernel and of a pass, with every wrong value:
 * an error of the script, or a node type. */
static void try_values(const char *form, const char *const *keys)
{
    int failed = 0;
    for (; *keys; keys++)
        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
            struct oro_text text = {0};
            char value[200];
            snprintf(value, sizeof value, "%s = %s", *keys, values[i]);
            oro_text_addf(&text, form, value);
            if (!describe_text(text.data, text.length)) {
                check_message(value, "");
                failed++;
            }
            oro_text_free(&text);
        }
    assert_true(failed > 20);
}

TEST(descriptors)
{
    static const char *const top[] = {"id",      "category", "doc",     "paper",  "version",
                                      "inputs",  "outputs",  "cell",    "field",  "graph",
                                      "kernel",  "kernels",  "buffers", "passes", "migrations",
                                      "unknown", "[1]",      "[true]",  NULL},
                             *const input[] = {"name",     "type",     "default",   "min",         "max",
                                               "soft_min", "soft_max", "step",      "unit",        "label",
                                               "doc",      "group",    "when",      "words",       "choices",
                                               "optional", "handle",   "handle_at", "handle_when", "like",
                                               "map",      NULL},
                             *const output[] = {"name", "type", "unit", "doc", "like", "label", NULL},
                             *const buffer[] = {"b", "c", "field", "terrain", "gl_x", "[1]", "[true]", NULL},
                             *const pass[] = {"times", "[1]", "[2]", "kernel", "[true]", NULL};
    try_values("local t = " HONEST_TABLE "\nlocal u = { %s } for k, v in next, u do t[k] = v end return t",
               top);
    try_values("local t = " HONEST_TABLE
               "\nlocal u = { %s } for k, v in next, u do t.inputs[2][k] = v end return t",
               input);
    try_values("local t = " HONEST_TABLE
               "\nlocal u = { %s } for k, v in next, u do t.outputs[1][k] = v end return t",
               output);
    try_values("local t = " KERNEL_TABLE
               "\nlocal u = { %s } for k, v in next, u do t.buffers[k] = v end return t",
               buffer);
    try_values("local t = " KERNEL_TABLE
               "\nlocal u = { %s } for k, v in next, u do t.passes[1][k] = v end return t",
               pass);
}

/* Whole scripts that are none. */
TEST(no_scripts)
{
    static const struct {
        const char *text;
        size_t length;
        const char *error;
    } scripts[] = {
        {"", 0, "it must return a table"},
        {"\0", 1, "unexpected symbol"},
        {"return nil", 10, "it must return a table"},
        {"return 5", 8, "it must return a table"},
        {"return {}", 9, "it needs one of"},
        {"return setmetatable({}, {__index = function() return 1 end})", 60, "it needs one of"},
        {"return error", 12, "it must return a table"},
        {"\x1bLua\x54\0\x19\x93", 8, "attempt to load a binary chunk"},
        {"#!/bin/sh\nexit", 14, "unexpected symbol near '#'"},
        {"\xEF\xBB\xBFreturn", 9, "unexpected symbol"},
        {"return '", 8, "unfinished string"},
        {"return [[", 9, "unfinished long string"},
        {"--[[", 4, "unfinished long comment"},
        {"return {"
         "\xC2\x9B"
         "}",
         11, "unexpected symbol"},
        {"x = = 1", 7, "unexpected symbol near '='"},
        {"goto a", 6, "no visible label"},
        {"break", 5, "break outside loop"},
        {"local x <const> = 1 x = 2", 25, "assign to const variable"},
        {"return '\\u{FFFFFFFFF}'", 22, "UTF-8 value too large"},
        {"return '\\999'", 13, "decimal escape too large"},
        {"return 0x", 9, "malformed number"},
        {"return 1e", 9, "malformed number"},
    };
    for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
        assert_false(describe_text(scripts[i].text, scripts[i].length));
        check_message(scripts[i].text, scripts[i].error);
    }
}

/* Texts that the parser of Lua could take long for, or much memory. */
TEST(long_scripts)
{
    static const struct {
        const char *before, *part, *behind;
        int times;
    } forms[] = {
        {"return ", "(", "1", 100000},
        {"return ", "{", "", 100000},
        {"return ", "-", "1", 100000},
        {"return ", "not ", "1", 100000},
        {"return 1", " .. 1", "", 100000},
        {"return 1", "^1", "", 100000},
        {"", "do ", "", 100000},
        {"", "if x then ", "", 50000},
        {"", "function f() ", "", 50000},
        {"", "local a ", "", 50000},
        {"", "local x = 1 x = function() return x end ", "", 20000},
        {"return {", "1,", "}", 300000},
        {"return {", "{},", "}", 200000},
        {"f", "()", "", 200000},
        {"x = x", ".x", "", 300000},
        {"", ";", "", 1000000},
        {"", "\n", "x", 1000000},
        {"--", "[", "", 1000000},
        {"return [", "=", "[", 1000000},
        {"return '", "a", "'", 1000000},
        {"", "goto a ", "", 100000},
        {"", "::a:: ", "", 1000},
        {"local ", "x,", "x = 1", 100000},
        {"return function(", "x,", "x) end", 100000},
        {"x", ",x", " = 1", 100000},
        {"", "a = a + 1 ", "return a()", 100000},
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        struct oro_text text = {0};
        oro_text_add(&text, forms[i].before);
        for (int k = 0; k < forms[i].times; k++)
            oro_text_add(&text, forms[i].part);
        oro_text_add(&text, forms[i].behind);
        double start = oro_now();
        assert_false(describe_text(text.data, text.length < 1 << 20 ? text.length : (1 << 20) - 1));
        check_message(forms[i].part, "probe.lua");
        assert_true(oro_now() - start < soon);
        oro_text_free(&text);
    }
}

/* ---- Modules ---- */

static char folder[] = "/tmp/orograph-scripts-XXXXXX";

static void write_module(const char *name, const char *text)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_true(oro_file_write(path, text, strlen(text), &err));
}

static void requires(const char *script, const char *error)
{
    char path[200];
    snprintf(path, sizeof path, "%s/probe.lua", folder);
    const struct oro_script_source source = {
        .id = "zz_probe", .path = path, .line = 1, .text = script, .length = strlen(script)};
    struct oro_script *read = oro_script_read(&source, oro_script_forms, NULL, &err);
    if (error && !read && strstr(err.text, error))
        return;
    if (!read || error)
        fail_msg("'%s' gives '%s', not '%s'", script, read ? "no error" : err.text, error);
    oro_script_destroy(read);
}

FIXTURE(make_modules)
{
    char path[200];
    if (!mkdtemp(folder))
        return -1;
    write_module("one.lua", "require 'two'");
    write_module("two.lua", "\nrequire 'three'");
    write_module("three.lua", "require 'one'");
    write_module("own.lua", "require 'own'");
    write_module("wrong.lua", "\n\nerror({})");
    write_module("syntax.lua", "\nx = = 1");
    write_module("bytes.lua", "\x1bLua\x54");
    write_module("empty.lua", "");
    write_module("forever.lua", "while true do pcall(error) end");
    write_module("globals.lua", "for k in pairs(_G) do print = nil end string.format = error return _ENV");
    snprintf(path, sizeof path, "%s/folder.lua", folder);
    if (mkdir(path, 0700) != 0)
        return -1;
    snprintf(path, sizeof path, "%s/link.lua", folder);
    if (symlink("/etc/passwd", path) != 0)
        return -1;
    snprintf(path, sizeof path, "%s/pipe.lua", folder);
    return mkfifo(path, 0600);
}

FIXTURE(remove_modules)
{
    return remove_tree(folder);
}

TEST_WITH(modules, make_modules, remove_modules)
{
    requires("require 'one'",
             "three.lua:1: modules require each other in a circle: one -> two -> three -> one");
    requires("require 'own'", "own.lua:1: modules require each other in a circle: own -> own");
    requires("require 'probe'", "probe.lua");
    requires("require 'wrong'", "probe.lua:1: fails with (a table)");
    requires("require 'syntax'", "syntax.lua:2: unexpected symbol");
    requires("require 'bytes'", "bytes.lua:1: attempt to load a binary chunk");
    requires("require 'forever'", "forever.lua:1: takes ");
    requires("require 'folder'", "probe.lua:1: ");
    requires("require 'link'", "probe.lua:1: module 'link' does not lie in the script's folder");
    requires("require 'pipe'", "probe.lua:1: ");
    requires("require 'empty.lua'", "probe.lua:1: ");
    requires("for i = 1, 100 do pcall(require, 'm' .. i) end require 'empty'", "more than 32 modules");
    requires("assert(require 'empty' == true and require 'globals' == _ENV) " HONEST_RETURN, NULL);
}

TEST_GROUP(scene_open, scene_close);
