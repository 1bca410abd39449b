/* Expressions: what they compute, what they say when they are wrong, and what they must not be able to do. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/text.h"
#include "lua/expression/expression.h"
#include "lua/expression/sandbox.h"
#include "tests/support/test.h"

/* Variables that are numbers, and one, `deep`, whose value is an expression that names itself. */
struct names {
    struct oro_interpreter *lua;
    int depth; /* of `deep` */
    char asked[512];
};

static bool look_up(void *user, const char *name, double *value, struct oro_error *err)
{
    static const struct {
        const char *name;
        double value;
    } known[] = {{"relief", 1200}, {"zero", 0}, {"_x1", 0.25}, {"world.seed", 7}, {"world.extent", 10000}};
    struct names *names = user;
    size_t length = strlen(names->asked);
    snprintf(names->asked + length, sizeof names->asked - length, "%s ", name);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i].name, name) == 0) {
            *value = known[i].value;
            return true;
        }
    if (strcmp(name, "deep") == 0 && names->depth > 0) {
        struct oro_names again = {look_up, names};
        names->depth--;
        return oro_lua.evaluate(names->lua, "1 + (min(deep, 1e9) + zero)", &again, value, err);
    }
    if (strcmp(name, "deep") == 0) {
        *value = 0;
        return true;
    }
    return oro_fail(err, ORO_E_DOCUMENT, "'%s' is no variable", name);
}

static struct names names;
static struct oro_names lookup = {look_up, &names};

FIXTURE(create)
{
    names.lua = oro_lua.create(NULL);
    return names.lua ? 0 : -1;
}

FIXTURE(destroy)
{
    oro_lua.destroy(names.lua);
    return 0;
}

static double value_of(const char *text)
{
    struct oro_error err = {0};
    double value = NAN;
    names.asked[0] = 0;
    if (!oro_lua.evaluate(names.lua, text, &lookup, &value, &err))
        fail_msg("%s: %s", text, err.text);
    return value;
}

/* The expression is wrong, soon found to be, and says so; the next one works. */
static void expect_error(const char *text, const char *part)
{
    struct oro_error err = {0};
    double value = 42;
    clock_t start = clock();
    names.asked[0] = 0;
    if (oro_lua.evaluate(names.lua, text, &lookup, &value, &err))
        fail_msg("%.60s gives %g", text, value);
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 0.5);
    assert_int_equal(err.code, ORO_E_DOCUMENT);
    if (!strstr(err.text, part) || strchr(err.text, '\n'))
        fail_msg("%.60s: \"%s\" does not say \"%s\"", text, err.text, part);
    assert_true(value == 42);
    assert_true(value_of("relief * 0.5 + 1") == 601);
}

TEST(expressions_compute)
{
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"1", 1},
        {" 12.5\n", 12.5},
        {"-0.5", -0.5},
        {".5 + 5.", 5.5},
        {"1.5e3 + 1E-1 + 2e+0", 1502.1},
        {"2 + 3 * 4 ^ 2 / 2", 26},
        {"7 // 2", 3},
        {"-7 // 2", -4},
        {"3 / 2", 1.5},
        {"7 % 3", 1},
        {"-7 % 3", 2},
        {"2 ^ 3 ^ 2", 512},
        {"-2 ^ 2", -4},
        {"(1 + 2) * 3", 9},
        {"- (-3)", 3},
        {"1 - -2", 3},
        {"9007199254740993", 9007199254740992.0},
        {"9223372036854775807 + 1", 9223372036854775808.0},
        {"1000000 * 1000000 * 1000000 * 1000000", 1e24},
        {"floor(1e15 + 0.5) * floor(1e15)", 1e30},
        {"123456789012345678901234567890", 123456789012345678901234567890.0},
        {"relief * 0.4 + 10", 490},
        {"relief\n*\t2", 2400},
        {"_x1", 0.25},
        {"world.seed * 2", 14},
        {"world . extent", 10000},
        {"relief > 1000 and 3 or 5", 3},
        {"relief <= 1000 and 3 or 5", 5},
        {"not (relief == 1200) and 3 or 5", 5},
        {"relief ~= 1200 and 3 or 5", 5},
        {"true and 4", 4},
        {"false or 4", 4},
        {"abs(-3) + ceil(1.2) + floor(1.8)", 6},
        {"sqrt(16) + exp(0) + log(1)", 5},
        {"log(8, 2) + log(1000, 10) + log(9, 3)", 8},
        {"sin(0) + cos(0) + tan(0) + asin(0) + acos(1) + atan(0)", 1},
        {"deg(pi) + rad(180) - pi", 180},
        {"atan(1, -1) / pi", 0.75},
        {"min(3, 1, 2) + max(3, 1, 2)", 4},
        {"clamp(5, 0, 1) + clamp(-5, 0, 1) + clamp(0.5, 0, 1)", 1.5},
        {"mix(10, 20, 0.25)", 12.5},
        {"round(2.5) + round(-2.5) + round(0.4)", 0},
        {"smoothstep(0, 1, 0.25)", 0.15625},
        {"smoothstep(1, 1, 0) + smoothstep(1, 1, 1)", 1},
        {"sign(-3) + sign(0) + sign(9) * 10", 9},
        {"fmod(-7, 3)", -1},
        {"math.sqrt(4) + math.pi - pi", 2},
        {"min(huge, 3)", 3},
        {"max (1,\n 2)", 2},
        {"((((((((1))))))))", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double value = value_of(cases[i].text);
        if (!(fabs(value - cases[i].value) <= 1e-12 * fabs(cases[i].value)))
            fail_msg("%s gives %.17g, not %.17g", cases[i].text, value, cases[i].value);
    }
}

TEST(names_are_looked_up_once_and_in_order)
{
    value_of("zero + relief * zero + world.seed - world.seed");
    assert_string_equal(names.asked, "zero relief world.seed ");
    value_of("pi + abs(1) + math.pi");
    assert_string_equal(names.asked, "");
    value_of("true and 1 or relief"); /* so that a misspelt name is found whatever the values are */
    assert_string_equal(names.asked, "relief ");
}

TEST(errors_say_what_is_wrong)
{
    static const char *const cases[][2] = {
        {"", "is empty"},
        {" \n", "is empty"},
        {"relif * 2", "'relif' is no variable"},
        {"true and 1 or relif", "'relif' is no variable"},
        {"world.sed", "'world.sed' is no variable"},
        {"world", "write world.NAME"},
        {"world + 1", "write world.NAME"},
        {"math", "write math.NAME"},
        {"world.", "a name is expected"},
        {"world.1", "a name is expected"},
        {"relief.x", "'relief' has no parts"},
        {"math.random()", "there is no 'math.random'"},
        {"math.huge()", "attempt to call a number"},
        {"world.seed()", "'world.seed' is no function"},
        {"1 +", "something is missing at the end"},
        {"1 2", "'2.0' makes no sense there"},
        {"* 2", "'*' makes no sense there"},
        {"(1", "')' expected"},
        {"1)", "')' closes nothing"},
        {"()", "')' makes no sense there"},
        {"min(1, 2", "')' expected"},
        {"1, 2", "',' separates"},
        {"0,5", "numbers have a point"},
        {"(1, 2)", "')' expected near ','"},
        {"1.2.3", "malformed number near '1.2.'"},
        {"1e", "malformed number near '1e'"},
        {"0x10", "malformed number near '0x'"},
        {"10m", "malformed number near '10m'"},
        {"1 / 0", "gives inf"},
        {"-1 / 0", "gives -inf"},
        {"0 / 0", "gives nan"},
        {"clamp(0 / 0, 7, 9)", "gives nan"},
        {"smoothstep(0, 1, 0 / 0)", "gives nan"},
        {"sign(0 / 0)", "gives nan"},
        {"1 // 0", "gives inf"},
        {"5 % 0", "gives"},
        {"sqrt(-1)", "gives nan"},
        {"max(0/0, 1)", "gives nan"},
        {"min(1, 0/0)", "gives nan"},
        {"1e999", "gives inf"},
        {"huge", "gives inf"},
        {"relief > 1000", "gives true, not a number"},
        {"relief < 1000", "gives false, not a number"},
        {"true", "gives true, not a number"},
        {"nil", "'nil' has no place"},
        {"min", "'min' is a function"},
        {"min + 1", "'min' is a function"},
        {"relief(1)", "'relief' is no function"},
        {"relief (1)", "'relief' is no function"},
        {"nothing(1)", "'nothing' is no function"},
        {"(1)(2)", "attempt to call a number"},
        {"clamp(1)", "clamp takes 3 numbers, not 1"},
        {"sin()", "sin takes 1 number, not 0"},
        {"log(1, 2, 3)", "log takes 1 to 2 numbers, not 3"},
        {"min()", "min takes 1 to"},
        {"sin(true)", "sin takes numbers: number 1 is true"},
        {"1 < 2 < 3", "attempt to compare"},
        {"true + 1", "attempt to perform arithmetic on a boolean"},
        {"a = 1", "'==' compares"},
        {"1 && 2", "write 'and'"},
        {"1 || 2", "write 'or'"},
        {"1 != 2", "write '~='"},
        {"!1", "write 'not'"},
        {"1 > 2 ? 3 : 4", "CONDITION and A or B"},
        {"if 1 > 2 then 3 else 4 end", "CONDITION and A or B"},
        {"2 ** 3", "write '^'"},
        {"5 --3", "write a - (-b)"},
        {"5\xe2\x88\x92"
         "3",
         "'\xe2\x88\x92' has no place"},
        {"h\xc3\xb6he", "'\xc3\xb6' has no place"},
        {"1 \x01", "a character of code 1"},
        {"1 \xff", "has no place"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect_error(cases[i][0], cases[i][1]);
}

/* Ways out, known from other sandboxes. None may run, none may pass as an expression. */
TEST(nothing_escapes)
{
    static const char *const cases[] = {
        "1) os.exit( (",
        "1) while true do end return (1",
        "1) + (2",
        "1), (2",
        "1; os.exit()",
        "1 os.exit()",
        "1\nos.exit()",
        "1 return 2",
        "return 1",
        "1 end while true do",
        "(function() while true do end end)()",
        "(function() return 1 end)()",
        "(function(...) return select('#', ...) end)(1)",
        "1 --[[ x ]] + 1",
        "1 --[[",
        "1 --]]",
        "1 -- comment",
        "1 --\n + 1",
        "\"x\"",
        "'1' + 1",
        "[[1]] + 1",
        "[==[1]==] + 1",
        "(\"x\"):rep(1e9)",
        "(\"x\"):rep(1e9):len()",
        "#\"abc\"",
        "1 .. 2",
        "1 ..2",
        "1..2",
        "(1 .. 2) + 0",
        "#{1, 2}",
        "({1})[1]",
        "{1}",
        "(min)(1)",
        "_G",
        "_G.os",
        "_ENV",
        "_ENV.min",
        "_VERSION",
        "os.exit()",
        "os.execute(1)",
        "io.write(1)",
        "require(1)",
        "load(1)",
        "loadstring(1)",
        "dofile(1)",
        "print(1)",
        "pcall(sin, 1)",
        "error(1)",
        "rawget(math, 1)",
        "setmetatable(math, 1)",
        "getmetatable(1)",
        "debug.sethook()",
        "coroutine.wrap(sin)",
        "collectgarbage()",
        "string.rep(1, 1000000000)",
        "math.randomseed(1)",
        "math.random",
        "math.sin",
        "math.min = 1",
        "math.__index",
        "world.__index",
        "world.seed.x",
        "world.seed = 1",
        "world[1]",
        "world:seed()",
        "relief:x()",
        "relief = 1",
        "local x = 1",
        "goto a ::a::",
        "::a:: 1",
        "for i = 1, 2 do end",
        "repeat until false",
        "1 <const> = 2",
        "...",
        "min(...)",
        "1 & 2",
        "1 | 2",
        "~1",
        "1 << 62",
        "1 >> 62",
        "1 < < 2",
        "1 / / 2",
        "`ls`",
        "$HOME",
        "@x",
        "\\x41",
        "a\\",
        "\xef\xbb\xbf"
        "1",
        "#!/bin/sh",
        "\x1bLua",
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect_error(cases[i], "");
}

/* `text` with `repeated` in the middle, as often as fits into `bytes`. */
static char *bomb(const char *before, const char *repeated, const char *after, size_t bytes)
{
    struct oro_text text = {0};
    oro_text_add(&text, before);
    while (text.length + strlen(repeated) + strlen(after) <= bytes)
        oro_text_add(&text, repeated);
    oro_text_add(&text, after);
    assert_false(text.failed);
    return text.data;
}

TEST(large_texts_are_refused_or_computed)
{
    static const struct {
        const char *before, *repeated, *after, *error; /* no error: it has a value */
        size_t bytes;
    } cases[] = {
        {"1", "+1", "", NULL, 4096},
        {"1", " ", "", NULL, 4096},
        {"1", "0", "", "gives inf", 4096},
        {"0.", "1", "", NULL, 4096},
        {"1", "+1", "", "longer than 4096 bytes", 5000},
        {"1", " ", "", "longer than 4096 bytes", 4097},
        {"", "(", "", "nested", 4096},
        {"", "(", "1", "nested", 4096},
        {"", "abs(", "1", "nested", 4096},
        {"", "- ", "1", "nested", 4096},
        {"", "not ", "1", "nested", 4096},
        {"2", "^2", "", "nested", 4096},
        {"1", "+1*(2", "", "nested", 4096},
        {"", ")", "", "closes nothing", 4096},
        {"min(1", ",1", ")", "", 4096},
        {"1", " and 1", "", NULL, 4096},
        {"1", "<1", "", "", 4096},
        {"", "a", "", "longer than 100", 4096},
        {"world.", "a", "", "longer than 100", 4096},
        {"", "x", "(1)", "longer than 100", 4000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *text = bomb(cases[i].before, cases[i].repeated, cases[i].after, cases[i].bytes);
        if (cases[i].error)
            expect_error(text, cases[i].error);
        else
            value_of(text);
        oro_free(text);
    }
}

/* Many variables, each found and each in its place. */
static bool count_up(void *user, const char *name, double *value, struct oro_error *err)
{
    int *asked = user;
    (void)err;
    *value = (double)++*asked;
    return name[0] == 'v' && atoi(name + 1) == *asked; /* NOLINT(cert-err34-c): the test's own numbers */
}

TEST(there_may_be_many_variables)
{
    struct oro_text text = {0};
    struct oro_error err = {0};
    int asked = 0, count = 0;
    double value = 0;
    struct oro_names many = {count_up, &asked};
    oro_text_add(&text, "v1");
    for (count = 1; text.length < 4080;)
        oro_text_addf(&text, "+v%d", ++count);
    assert_true(oro_lua.evaluate(names.lua, text.data, &many, &value, &err));
    assert_int_equal(asked, count);
    assert_true(value == count * (count + 1) / 2.0);
    oro_text_free(&text);
}

TEST(variables_may_be_expressions)
{
    names.depth = 64;
    assert_true(value_of("deep") == 64);
    names.depth = 64;
    assert_true(value_of("deep * 2 + relief") == 1328);
    names.depth = 1000;
    assert_true(value_of("deep") == 1000);
    names.depth = 0;
}

/* An error within a variable's own expression comes through as it is. */
static bool wrong_inside(void *user, const char *name, double *value, struct oro_error *err)
{
    (void)user;
    return oro_lua.evaluate(names.lua, strcmp(name, "a") == 0 ? "b + 1" : "1 / 0",
                            &(struct oro_names){wrong_inside, NULL}, value, err);
}

TEST(errors_of_variables_come_through)
{
    struct oro_error err = {0};
    struct oro_names wrong = {wrong_inside, NULL};
    double value = 0;
    assert_false(oro_lua.evaluate(names.lua, "1 + a", &wrong, &value, &err));
    assert_string_equal(err.text, "gives inf");
    assert_false(oro_lua.evaluate(names.lua, "1 + a", NULL, &value, &err));
    assert_string_equal(err.text, "'a' is no variable");
    assert_true(oro_lua.evaluate(names.lua, "1 + 1", NULL, &value, NULL));
    assert_true(value == 2);
}

/* The sandbox by itself, without the check of tokens: any Lua text. */
TEST(the_sandbox_holds_alone)
{
    static const char *const cases[][2] = {
        {"while true do end", "takes too long"},
        {"for i = 1, 1e18 do end", "takes too long"},
        {"local function f() return f() end return f()", "takes too long"},
        {"goto a", "no visible label"},
        {"::a:: goto a", "takes too long"},
        {"local function f() return 1 + f() end return f()", "takes too"},
        {"local s = 'x' while true do s = s .. s end", "takes too much memory"},
        {"local t = {} for i = 1, 1e9 do t[i] = i end", "takes too"},
        {"local t = {} while true do t = {t, t, t, t, t, t, t, t, t, t, t, t, t, t, t, t} end", "takes too"},
        {"return ('x'):rep(1e9)", "attempt to index a string value"},
        {"return ('x').y", "attempt to index a string value"},
        {"return #'abc' .. 'x'", "gives text, not a number"},
        {"return '1'", "gives text, not a number"},
        {"return '10' + 1", "attempt to perform arithmetic on a string"},
        {"return {}", "gives table, not a number"},
        {"return sin", "gives function, not a number"},
        {"return", "gives nil, not a number"},
        {"", "gives nil, not a number"},
        {"return os", "gives nil"},
        {"return io", "gives nil"},
        {"return load", "gives nil"},
        {"return require", "gives nil"},
        {"return pcall", "gives nil"},
        {"return setmetatable", "gives nil"},
        {"return getmetatable", "gives nil"},
        {"return rawset", "gives nil"},
        {"return debug", "gives nil"},
        {"return coroutine", "gives nil"},
        {"return string", "gives nil"},
        {"return _G", "gives nil"},
        {"return math.random", "gives nil"},
        {"error('x')", "attempt to call a nil value"},
        {"\x1bLua", "attempt to load a binary chunk"},
        {"return sin({})", "sin takes numbers"},
        {"return sin('1')", "sin takes numbers"},
    };
    struct oro_error err = {0};
    struct oro_sandbox *sandbox = oro_sandbox_create(&err);
    assert_non_null(sandbox);
    double value = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        clock_t start = clock();
        if (oro_sandbox_run(sandbox, cases[i][0], NULL, 0, &value, &err))
            fail_msg("%s gives %g", cases[i][0], value);
        assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 1);
        assert_int_equal(err.code, ORO_E_DOCUMENT);
        if (!strstr(err.text, cases[i][1]))
            fail_msg("%s: \"%s\" does not say \"%s\"", cases[i][0], err.text, cases[i][1]);
        assert_true(oro_sandbox_run(sandbox, "return max(1, 2) + math.pi - pi", NULL, 0, &value, &err));
        assert_true(value == 2);
    }
    oro_sandbox_destroy(sandbox);
}

TEST(nothing_outlives_an_evaluation)
{
    static const char *const changes[] = {
        "x = 5 return 1",       "min = max return 1", "math.min = max return 1", "math = {} return 1",
        "world.y = 1 return 1", "_ENV = {} return 1", "pi = 3 return 1"};
    struct oro_error err = {0};
    struct oro_sandbox *sandbox = oro_sandbox_create(&err);
    const struct oro_variable variables[] = {{"y", 3}, {"world.z", 4}};
    double value = 0;
    assert_non_null(sandbox);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        assert_true(oro_sandbox_run(sandbox, changes[i], variables, 2, &value, &err));
        assert_true(oro_sandbox_run(sandbox,
                                    "return x == nil and world.y == nil and y == nil and world.z == nil and "
                                    "math.min(1, 2) + min(1, 2) + floor(pi * 100)",
                                    NULL, 0, &value, &err));
        assert_true(value == 316);
    }
    oro_sandbox_destroy(sandbox);
}

/* Memory that runs out anywhere is an error, and the interpreter goes on. */
TEST(memory_may_run_out)
{
    struct oro_error err = {0};
    for (size_t n = 1;; n++) {
        oro_memory_fail_at(n);
        struct oro_interpreter *lua = oro_lua.create(&err);
        oro_memory_fail_at(0);
        if (lua) {
            oro_lua.destroy(lua);
            break;
        }
        assert_int_equal(err.code, ORO_E_MEMORY);
    }
    static const char text[] = "clamp(relief * 0.4, 1, 100000) + (world.seed > 3 and 20 or zero)";
    struct oro_interpreter *lua = oro_lua.create(&err);
    double value = 0;
    for (size_t n = 1;; n++) {
        size_t before = oro_memory_count();
        oro_memory_fail_at(n);
        bool ok = oro_lua.evaluate(lua, text, &lookup, &value, &err);
        oro_memory_fail_at(0);
        assert_true(ok || err.code == ORO_E_MEMORY);
        assert_true(!ok || value == 500);
        if (oro_memory_count() - before < n)
            break;
        assert_true(oro_lua.evaluate(lua, text, &lookup, &value, &err));
    }
    oro_lua.destroy(lua);
    oro_lua.destroy(NULL);
}

/* What an interpreter holds does not grow with its use. */
TEST(many_evaluations_work)
{
    char text[64];
    for (int i = 0; i < 20000; i++) {
        snprintf(text, sizeof text, "relief + %d.5 + min(%d, 1e6)", i, i);
        assert_true(value_of(text) == 1200.5 + 2 * i);
    }
    for (int i = 0; i < 70000; i++)
        assert_false(oro_lua.evaluate(names.lua, i % 2 ? "1 +" : "true", &lookup, &(double){0}, NULL));
    assert_true(value_of("1 + 1") == 2);
}

TEST_GROUP(create, destroy);
