/* What stands between scripts of `orograph run` and their host: names, types, errors, lifetimes. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "lua/batch/guest.h"
#include "tests/support/test.h"

/* A host that writes down what it is asked for. */
struct fake {
    struct oro_text log, printed;
    int alive, made; /* objects */
    bool stop;
    size_t bytes; /* of each result */
};

static const float cells[] = {1, 2, 3, 4, 5, 6};

static void note_value(struct oro_text *log, const struct oro_batch_value *value)
{
    char number[ORO_NUMBER_SIZE];
    if (value->name)
        oro_text_addf(log, "%s=", value->name);
    if (value->kind == ORO_BATCH_NUMBER)
        oro_text_addf(log, "%s", oro_format_number(value->number, number));
    else if (value->kind == ORO_BATCH_TEXT)
        oro_text_addf(log, "'%s'%zu", value->text, value->length);
    else if (value->kind == ORO_BATCH_BOOLEAN)
        oro_text_add(log, value->boolean ? "true" : "false");
    else if (value->kind == ORO_BATCH_TABLE) {
        oro_text_add(log, "{");
        for (size_t i = 0; i < value->count; i++) {
            oro_text_add(log, i ? " " : "");
            note_value(log, &value->items[i]);
        }
        oro_text_add(log, "}");
    } else
        oro_text_add(log, "nil");
}

static bool no_memory(struct oro_error *why)
{
    return oro_fail(why, ORO_E_MEMORY, "no memory for the fake");
}

static bool give_object(struct fake *host, struct oro_batch_call *call, enum oro_batch_kind kind,
                        struct oro_error *why)
{
    call->result = oro_batch_room(call->arena, kind, NULL, kind == ORO_BATCH_RESULT ? 3 : 0);
    struct oro_batch_value figures = oro_batch_room(call->arena, ORO_BATCH_TABLE, "figures", 1);
    if (!call->result.items || !figures.items)
        return no_memory(why);
    call->result.object = oro_alloc(1, 8);
    if (!call->result.object)
        return no_memory(why);
    host->alive++;
    host->made++;
    if (kind == ORO_BATCH_GRAPH)
        return true;
    figures.items[0] = oro_batch_number("cut", 2.5);
    call->result.items[0] = oro_batch_number("width", 3);
    call->result.items[1] = oro_batch_text("unit", "m");
    call->result.items[2] = figures;
    call->result.bytes = host->bytes;
    call->result.data = cells;
    call->result.width = 3;
    call->result.height = 2;
    call->result.channels = 1;
    return true;
}

static bool give_measures(struct oro_batch_call *call, struct oro_error *why)
{
    struct oro_batch_value curve = oro_batch_room(call->arena, ORO_BATCH_ITEMS, "curve", 3);
    call->result = oro_batch_room(call->arena, ORO_BATCH_TABLE, NULL, 4);
    if (!curve.items || !call->result.items)
        return no_memory(why);
    for (int i = 0; i < 3; i++)
        curve.items[i] = oro_batch_number(NULL, i == 1 ? NAN : i + 0.5);
    call->result.items[0] = oro_batch_number("mean", 3);
    call->result.items[1] = oro_batch_boolean("drained", true);
    call->result.items[2] = oro_batch_text("file", NULL);
    call->result.items[3] = curve;
    return true;
}

static bool fail_as_told(const char *text, struct oro_error *why)
{
    enum oro_code code = strcmp(text, "missing") == 0     ? ORO_E_FILE
                         : strcmp(text, "nodevice") == 0  ? ORO_E_DEVICE
                         : strcmp(text, "usage") == 0     ? ORO_E_USAGE
                         : strcmp(text, "cancelled") == 0 ? ORO_E_CANCELLED
                                                          : ORO_OK;
    return code == ORO_OK || oro_fail(why, code, "the host says: %s", text);
}

static bool call_fake(void *user, struct oro_batch_call *call, struct oro_error *why)
{
    struct fake *host = user;
    const struct oro_batch_entry *entry = &oro_batch_functions[call->function];
    oro_text_addf(&host->log, "%s.%s", entry->object, entry->name);
    assert_true(!call->self == !strcmp(entry->object, "orograph"));
    for (size_t i = 0; i < strlen(entry->takes) - (strchr(entry->takes, '?') ? 1u : 0u) && i < 3; i++) {
        oro_text_add(&host->log, " ");
        note_value(&host->log, &call->arguments[i]);
    }
    oro_text_add(&host->log, "\n");
    if (call->arguments[0].kind == ORO_BATCH_TEXT && !fail_as_told(call->arguments[0].text, why))
        return false;
    if (call->function == ORO_BATCH_OPEN || call->function == ORO_BATCH_NEW)
        return give_object(host, call, ORO_BATCH_GRAPH, why);
    if (call->function == ORO_BATCH_RENDER || call->function == ORO_BATCH_READ)
        return give_object(host, call, ORO_BATCH_RESULT, why);
    return call->function != ORO_BATCH_MEASURE || give_measures(call, why);
}

static void release_fake(void *user, enum oro_batch_kind kind, void *object)
{
    struct fake *host = user;
    assert_true(kind == ORO_BATCH_GRAPH || kind == ORO_BATCH_RESULT);
    host->alive--;
    oro_free(object);
}

static void print_fake(void *user, const char *line, size_t length)
{
    struct fake *host = user;
    oro_text_add_bytes(&host->printed, line, length);
    oro_text_add(&host->printed, "\n");
}

static bool stopped_fake(void *user)
{
    return ((struct fake *)user)->stop;
}

static struct fake fake;
static struct oro_error err;
static size_t result_limit, memory_limit;

typedef bool run_script(const char *text, size_t length, const char *name, const struct oro_batch_host *host,
                        const struct oro_batch_options *options, struct oro_error *why);

/* Runs a script with the arguments "a" and "b"; nothing may be left of what it held. */
static bool run_as(run_script *how, const char *script)
{
    static char a[] = "a", b[] = "b";
    char *arguments[] = {a, b};
    const struct oro_batch_host host = {.call = call_fake,
                                        .release = release_fake,
                                        .print = print_fake,
                                        .stopped = stopped_fake,
                                        .user = &fake};
    const struct oro_batch_options options = {.memory = memory_limit,
                                              .steps = INT64_MAX,
                                              .version = "1.2",
                                              .arguments = arguments,
                                              .argument_count = 2,
                                              .result_bytes = result_limit};
    oro_text_free(&fake.log);
    oro_text_free(&fake.printed);
    fake.log = fake.printed = (struct oro_text){0};
    oro_text_add(&fake.log, "");
    oro_text_add(&fake.printed, "");
    fake.made = 0;
    err = (struct oro_error){0};
    bool ok = how(script, strlen(script), "s.lua", &host, &options, &err);
    assert_int_equal(fake.alive, 0);
    return ok;
}

/* Within the program and apart from it, the same happens. */
static bool run(const char *script)
{
    bool ok = run_as(oro_batch_run, script);
    struct oro_error within = err;
    struct oro_text log = fake.log, printed = fake.printed;
    fake.log = fake.printed = (struct oro_text){0};
    assert_int_equal(run_as(oro_batch_run_in_guest, script), ok);
    assert_int_equal(err.code, within.code);
    assert_string_equal(err.text, within.text);
    assert_string_equal(fake.log.data, log.data);
    assert_string_equal(fake.printed.data, printed.data);
    oro_text_free(&log);
    oro_text_free(&printed);
    return ok;
}

static void succeeds(const char *script)
{
    if (!run(script))
        fail_msg("'%s' failed: %s", script, err.text);
}

static void fails(const char *script, enum oro_code code, const char *text)
{
    assert_false(run(script));
    if (err.code != code || !strstr(err.text, text))
        fail_msg("'%s' failed with %d: '%s', not %d: '%s'", script, (int)err.code, err.text, (int)code, text);
}

/* ---- */

TEST(shares_of_a_list)
{
    succeeds("for i, v in orograph.each{'a', 'b'} do print(i, v) end print(orograph.task())");
    assert_string_equal(fake.printed.data, "1\ta\n2\tb\n1\t1\n");
    succeeds("for i in orograph.each{} do print(i) end");
    assert_string_equal(fake.printed.data, "");
    fails("orograph.each(5)", ORO_E_EVALUATE, "s.lua:1: orograph.each: takes a list");
    fails("orograph.each({}, {})", ORO_E_EVALUATE, "orograph.each: takes a list");
}

TEST(what_the_host_is_asked)
{
    succeeds("local g = orograph.open('g.oro')\n"
             "g:set('n.a', 2) g:set('n.a', true) g:set('n.a', 'x') g:set('n.a', 0.5)\n"
             "g:seed() g:seed(7)\n"
             "g:add('noise', 'n', {seed = 3, amplitude = 2.5, method = 'x', big = false})\n"
             "local r = g:render(nil, {seed = 2, max_resolution = 8})\n"
             "r:write('f', {low = 1, high = 2.5, size = 'unreal'}) r:write('f', {size = 20})\n"
             "orograph.write_text('t', 'a\\0b') orograph.list('f')\n"
             "orograph.new{extent = 10}\n");
    assert_string_equal(
        fake.log.data,
        "orograph.open 'g.oro'5\n"
        "graph.set 'n.a'3 2\ngraph.set 'n.a'3 true\ngraph.set 'n.a'3 'x'1\ngraph.set 'n.a'3 0.5\n"
        "graph.seed nil\ngraph.seed 7\n"
        "graph.add 'noise'5 'n'1 {amplitude=2.5 big=false method='x'1 seed=3}\n"
        "graph.render nil {max_resolution=8 seed=2} nil\n"
        "result.write 'f'1 {high=2.5 low=1 size='unreal'6}\n"
        "result.write 'f'1 {size=20}\n"
        "orograph.write_text 't'1 'a'3\n"
        "orograph.list 'f'1 nil\n"
        "orograph.new {extent=10}\n");
}

TEST(what_the_script_gets)
{
    succeeds("assert(orograph.version == '1.2' and #orograph.args == 2 and orograph.args[2] == 'b')\n"
             "local g = orograph.open('g.oro')\n"
             "local r = g:render()\n"
             "assert(r.width == 3 and math.type(r.width) == 'integer' and r.unit == 'm')\n"
             "assert(r.figures.cut == 2.5 and r.nothing == nil)\n"
             "assert(r:at(0, 0) == 1 and r:at(2, 0) == 3 and r:at(0, 1) == 4 and r:at(2, 1) == 6)\n"
             "local m = r:measure()\n"
             "assert(m.mean == 3 and m.drained == true and m.file == nil and #m.curve == 3)\n"
             "assert(m.curve[1] == 0.5 and m.curve[2] ~= m.curve[2] and m.curve[3] == 2.5)\n"
             "print('a', 1, nil, true, 2.5) print() print(g, r)\n"
             "assert(g:nodes() == nil)\n");
    assert_string_equal(fake.printed.data, "a\t1\tnil\ttrue\t2.5\n\ngraph\tresult\n");
}

/* Every function, with too few arguments, too many, and each of them of every wrong type. */
TEST(wrong_arguments)
{
    static const char good[] = "tbnivoml";
    static const char *const texts[] = {"'x'", "'x'", "1.5", "2", "true", "{}", "{a = 1}", "{1}"};
    static const char *const bad[] = {"nil", "true", "2.5", "'x'", "{}", "print", "g", "0/0", "'a\\0b'"};
    /* Which of `bad` a letter takes. */
    static const struct {
        char letter;
        const char *takes;
    } fits[] = {{'t', "000100000"}, {'b', "000100001"}, {'n', "001000000"}, {'i', "000000000"},
                {'v', "011100000"}, {'o', "000010000"}, {'m', "000010000"}, {'l', "000010000"}};
    int tried = 0;
    for (int f = 0; f < ORO_BATCH_FUNCTIONS; f++) {
        const struct oro_batch_entry *entry = &oro_batch_functions[f];
        const char *owner = entry->object[0] == 'g' ? "g" : entry->object[0] == 'r' ? "r" : "orograph";
        char letters[4] = "", optional[4] = "";
        int count = 0;
        for (const char *at = entry->takes; *at; at++) {
            optional[count] = *at == '?' ? '?' : ' ';
            at += *at == '?';
            letters[count++] = *at;
        }
        for (int wrong = 0; wrong <= count; wrong++)
            for (size_t b = 0; b < sizeof bad / sizeof bad[0]; b++) {
                char script[800], call[300] = "";
                for (int i = 0; i < count + (wrong == count); i++) {
                    const char *text = i == wrong ? bad[b] : texts[strchr(good, letters[i]) - good];
                    size_t used = strlen(call);
                    snprintf(call + used, sizeof call - used, "%s%s", i ? ", " : "", text);
                }
                bool fine = wrong < count && optional[wrong] == '?' && b == 0;
                for (size_t k = 0; wrong < count && k < sizeof fits / sizeof fits[0]; k++)
                    fine = fine || (fits[k].letter == letters[wrong] && fits[k].takes[b] == '1');
                snprintf(script, sizeof script,
                         "local g = orograph.open('g') local r = g:render()\n"
                         "local ok, why = pcall(function() return %s%s%s(%s) end)\n"
                         "assert(ok == %s, why or 'went through')\n"
                         "assert(ok or string.find(why, 's.lua:2: ', 1, true) == 1, why)\n"
                         "assert(ok or string.find(why, '%s', 1, true), why)\n",
                         owner, owner[1] ? "." : ":", entry->name, call, fine ? "true" : "false",
                         entry->name);
                succeeds(script);
                tried++;
            }
    }
    assert_in_range(tried, 300, 1000);
}

TEST(messages)
{
    fails("orograph.open(3)", ORO_E_EVALUATE,
          "s.lua:1: orograph.open: argument 1 must be a text, not this number");
    fails("orograph.open()", ORO_E_EVALUATE, "argument 1 must be a text, not nothing");
    fails("orograph.open('a', 'b')", ORO_E_EVALUATE, "orograph.open: takes 1 argument, not 2");
    fails("local g = orograph.new() g.render('x')", ORO_E_EVALUATE,
          "graph:render: is called on a graph, with a colon");
    fails("local g = orograph.new() g:render('x'):at(3, 0)", ORO_E_EVALUATE,
          "result:at: 3, 0 lies outside of 3 x 2 cells");
    fails("local g = orograph.new() g:render('x'):at(-1, 0)", ORO_E_EVALUATE, "outside");
    fails("local g = orograph.new() g:render('x'):at(0, 2)", ORO_E_EVALUATE, "outside");
    fails("local g = orograph.new() g:render('x', {sed = 3})", ORO_E_EVALUATE,
          "graph:render: there is no option 'sed'; did you mean 'seed'?");
    fails("local g = orograph.new() g:render('x', {seed = 'a'})", ORO_E_EVALUATE,
          "graph:render: 'seed' must be a whole number, not this text");
    fails("local g = orograph.new() g:render('x', {3})", ORO_E_EVALUATE, "keys must be names");
    fails("orograph.new().render.x = 3", ORO_E_EVALUATE, "");
    fails("local g = orograph.new() g.x = 3", ORO_E_EVALUATE, "s.lua:1: ");
}

/* A host's error can be caught; if nobody does, it is told by its own code. */
TEST(errors_of_the_host)
{
    succeeds("local ok, why = pcall(orograph.open, 'missing')\n"
             "assert(not ok and why == 's.lua:1: the host says: missing', why)\n"
             "assert(orograph.open('fine'))\n");
    fails("\n\norograph.open('missing')", ORO_E_FILE, "s.lua:3: the host says: missing");
    fails("orograph.open('nodevice')", ORO_E_DEVICE, "s.lua:1: the host says: nodevice");
    fails("orograph.open('cancelled')", ORO_E_CANCELLED, "cancelled");
    fails("orograph.open('usage')", ORO_E_EVALUATE, "the host says: usage");
    fails("pcall(orograph.open, 'missing') error('mine')", ORO_E_EVALUATE, "s.lua:1: mine");
    fails("local ok, why = pcall(orograph.open, 'missing') error(why, 0)", ORO_E_FILE, "missing");
    fails("x = = 1", ORO_E_DOCUMENT, "s.lua:1: ");
    fails("error({})", ORO_E_EVALUATE, "");
}

TEST(stopping)
{
    fake.stop = true;
    fails("while true do pcall(function() while true do end end) end", ORO_E_CANCELLED, "");
    fake.stop = false;
}

TEST(lifetimes)
{
    fake.bytes = 1000;
    result_limit = 10500;
    succeeds("local g = orograph.open('g') for i = 1, 500 do local r = g:render() end");
    assert_int_equal(fake.made, 501);
    succeeds("local g = orograph.open('g') local all = {} for i = 1, 10 do all[i] = g:render() end");
    fails("local g = orograph.open('g') local all = {} for i = 1, 11 do all[i] = g:render() end", ORO_E_LIMIT,
          "let go of some");
    fails("local all = {} for i = 1, 1001 do all[i] = orograph.new() end", ORO_E_LIMIT,
          "s.lua:1: the script holds 1000 graphs; let go of some");
    succeeds("for i = 1, 3000 do local g = orograph.new() end");
    /* The graph of a result may go before it. */
    succeeds(
        "local r = orograph.open('g'):render() for i = 1, 1e4 do local t = {} end assert(r:at(0, 0) == 1)");
    result_limit = 0;
    fake.bytes = 0;
    succeeds("local g = orograph.open('g') assert(getmetatable(g) == false)\n"
             "assert(not pcall(setmetatable, g, {}))\n"
             "assert(g.__gc == nil and g.__index == nil)\n");
}

/* Whenever memory ends, nothing of the host's is lost. */
TEST(without_memory)
{
    static const char script[] = "local all = {}\nfor i = 1, 1000 do\n  local g = orograph.open('g')\n"
                                 "  all[i] = {g, g:render('x', {seed = i}), g:render():measure()}\nend\n",
                      short_script[] = "local r = orograph.open('g'):render('x', {seed = 3}) r:measure() "
                                       "assert(r:at(0, 1) == 4)";
    static run_script *const ways[] = {oro_batch_run, oro_batch_run_in_guest};
    for (size_t way = 0; way < 2; way++) {
        int failed = 0;
        for (memory_limit = 60000; memory_limit < 200000; memory_limit += 4999)
            failed += !run_as(ways[way], script);
        memory_limit = (size_t)64 << 20;
        assert_true(failed > 20);
        size_t before = oro_memory_count();
        assert_true(run_as(ways[way], short_script));
        size_t count = oro_memory_count() - before;
        assert_true(count > 20);
        for (size_t i = 1; i <= count; i++) {
            oro_memory_fail_at(i);
            run_as(ways[way], short_script);
            oro_memory_fail_at(0);
        }
    }
}

/* Documentation is made from the tables. */
TEST(tables)
{
    for (int i = 0; i < ORO_BATCH_FUNCTIONS; i++) {
        const struct oro_batch_entry *entry = &oro_batch_functions[i];
        assert_non_null(entry->name);
        assert_true(strlen(entry->doc) > 10 && entry->doc[strlen(entry->doc) - 1] == '.');
        assert_true(strlen(entry->takes) <= 6);
        /* An option that the text shows is one that is taken, and the other way round. */
        for (const char *at = entry->options; at && *at; at += strspn(at, ", ")) {
            char shown[40];
            size_t length = strcspn(at, " ");
            snprintf(shown, sizeof shown, "%.*s=", (int)length, at);
            assert_non_null(strstr(entry->arguments, shown));
            at += length + 2;
        }
    }
    for (const struct oro_batch_entry *field = oro_batch_fields; field->name; field++)
        assert_true(strlen(field->doc) > 3);
}

FIXTURE(limit_memory)
{
    memory_limit = (size_t)64 << 20;
    return 0;
}

TEST_GROUP(limit_memory, NULL);
