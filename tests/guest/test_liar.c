/* What a guest may ask of `orograph run`, and what not: one that does not keep to it is ended, and the host
 * learns of nothing wrong. The guest of these tests says what they tell it (liar.c). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lua/batch/guest.h"
#include "lua/batch/message.h"
#include "tests/support/test.h"

static struct {
    int graphs, results, calls, prints, modules;
} host;
static const float cells[6];
static struct oro_text script;
static struct oro_packet packet = {.file = -1};

/* ---- The host: gives what it is asked for ---- */

static bool call(void *user, struct oro_batch_call *asked, struct oro_error *err)
{
    (void)user;
    (void)err;
    host.calls++;
    bool graph = asked->function == ORO_BATCH_NEW, result = asked->function == ORO_BATCH_RENDER;
    if (!graph && !result)
        return true;
    asked->result = (struct oro_batch_value){.kind = graph ? ORO_BATCH_GRAPH : ORO_BATCH_RESULT,
                                             .object = graph ? &host.graphs : &host.results};
    if (result) {
        asked->result.data = cells;
        asked->result.width = 3;
        asked->result.height = 2;
        asked->result.channels = 1;
        asked->result.bytes = 60;
    }
    ++*(int *)asked->result.object;
    return true;
}

static void release(void *user, enum oro_batch_kind kind, void *object)
{
    (void)user;
    assert_ptr_equal(object, kind == ORO_BATCH_GRAPH ? &host.graphs : &host.results);
    --*(int *)object;
}

static void print(void *user, const char *line, size_t length)
{
    (void)user;
    assert_int_equal(line[length], 0);
    host.prints++;
}

static bool stopped(void *user)
{
    (void)user;
    return false;
}

static const char *find_module(void *user, const char *module, size_t *length, const char **name,
                               struct oro_error *err)
{
    (void)user;
    (void)err;
    assert_string_equal(module, "a.b");
    host.modules++;
    *length = 0;
    *name = "a/b.lua";
    return "";
}

/* ---- What the guest says ---- */

static void add_int(int64_t value)
{
    oro_text_add_bytes(&script, (const char *)&value, sizeof value);
}

/* Adds `packet`. */
static void say(uint32_t kind)
{
    add_int(kind);
    add_int((int64_t)packet.bytes.length);
    oro_text_add_bytes(&script, packet.bytes.data, packet.bytes.length);
    oro_packet_free(&packet);
}

static void say_number(uint32_t kind, int64_t number)
{
    oro_put_int(&packet, number);
    say(kind);
}

static void say_call(enum oro_batch_function function, int64_t self, const struct oro_batch_value *first,
                     const struct oro_batch_value *second)
{
    static const struct oro_batch_value nil = {0};
    const struct oro_batch_call asked = {.function = function,
                                         .arguments = {first ? *first : nil, second ? *second : nil}};
    oro_batch_put_call(&packet, &asked, self);
    say(ORO_BATCH_SAYS_CALL);
}

/* Number 0 is a graph, 1 a result. */
static void begin(void)
{
    oro_text_free(&script);
    say_call(ORO_BATCH_NEW, -1, NULL, NULL);
    say_call(ORO_BATCH_RENDER, 0, NULL, NULL);
}

/* Runs what was said, and begins again. Whatever happened, nothing is left of what the guest held. */
static bool run(struct oro_error *err)
{
    const struct oro_batch_host functions = {
        .call = call, .release = release, .print = print, .stopped = stopped, .find_module = find_module};
    const struct oro_batch_options options = {
        .memory = 1 << 20, .steps = INT64_MAX, .seconds = 60, .version = "1", .result_bytes = 100};
    memset(&host, 0, sizeof host);
    bool ok = oro_batch_run_in_guest(script.data, script.length, "s.lua", &functions, &options, err);
    assert_int_equal(host.graphs, 0);
    assert_int_equal(host.results, 0);
    begin();
    return ok;
}

/* Beside the two calls that every list begins with, none reaches the host. */
static void is_refused(void)
{
    struct oro_error err = {0};
    say(ORO_BATCH_SAYS_DONE);
    assert_false(run(&err));
    assert_string_equal(err.text, "s.lua: the script's process gives something that no script gives");
    assert_int_equal(host.calls, 2);
    assert_int_equal(host.prints, 0);
}

static void is_accepted(void)
{
    struct oro_error err = {0};
    say(ORO_BATCH_SAYS_DONE);
    if (!run(&err))
        fail_msg("%s", err.text);
}

static const struct oro_batch_value name = {.kind = ORO_BATCH_TEXT, .text = "n", .length = 1},
                                    half = {.kind = ORO_BATCH_NUMBER, .number = 0.5},
                                    three = {.kind = ORO_BATCH_NUMBER, .number = 3};

/* ---- */

TEST(what_is_right)
{
    begin();
    say_call(ORO_BATCH_SET, 0, &name, &half);
    oro_put_text(&packet, "a.b");
    say(ORO_BATCH_SAYS_MODULE);
    oro_put_bytes(&packet, "a\0b", 3);
    say(ORO_BATCH_SAYS_PRINT);
    say_number(ORO_BATCH_SAYS_WANTED, 1);
    say_call(ORO_BATCH_MEASURE, 1, NULL, NULL);
    /* Places of what is let go of are used again. */
    say_number(ORO_BATCH_SAYS_RELEASE, 0);
    say_number(ORO_BATCH_SAYS_RELEASE, 1);
    say_call(ORO_BATCH_NEW, -1, NULL, NULL);
    say_call(ORO_BATCH_RENDER, 1, NULL, NULL);
    is_accepted();
    assert_int_equal(host.calls, 6);
    assert_int_equal(host.prints, 1);
    assert_int_equal(host.modules, 1);
}

TEST(objects)
{
    static const int64_t wrong[] = {-1, -2, 1, 2, 1000, INT64_MAX, INT64_MIN};
    begin();
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        say_call(ORO_BATCH_SET, wrong[i], &name, &half);
        is_refused();
    }
    say_call(ORO_BATCH_MEASURE, 0, NULL, NULL);
    is_refused();
    say_call(ORO_BATCH_NEW, 0, NULL, NULL);
    is_refused();
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        if (wrong[i] == 1)
            continue;
        say_number(ORO_BATCH_SAYS_RELEASE, wrong[i]);
        is_refused();
        say_number(ORO_BATCH_SAYS_WANTED, wrong[i]);
        is_refused();
    }
    say_number(ORO_BATCH_SAYS_WANTED, 0);
    is_refused();
    say_number(ORO_BATCH_SAYS_RELEASE, 1);
    say_number(ORO_BATCH_SAYS_RELEASE, 1);
    is_refused();
    say_number(ORO_BATCH_SAYS_RELEASE, 0);
    say_call(ORO_BATCH_SET, 0, &name, &half);
    is_refused();
    say_number(ORO_BATCH_SAYS_WANTED, 1);
    say_number(ORO_BATCH_SAYS_WANTED, 1);
    is_refused();
}

/* A guest that holds more than it may gets no more results: two of 60 bytes are more than 100. */
TEST(results)
{
    begin();
    say_call(ORO_BATCH_RENDER, 0, NULL, NULL);
    say_number(ORO_BATCH_SAYS_RELEASE, 2);
    say_call(ORO_BATCH_RENDER, 0, NULL, NULL);
    is_accepted();
    struct oro_error err = {0};
    for (int i = 0; i < 2; i++)
        say_call(ORO_BATCH_RENDER, 0, NULL, NULL);
    assert_false(run(&err));
    assert_int_equal(host.calls, 3);
    /* Its cells count as well. */
    say_number(ORO_BATCH_SAYS_WANTED, 1);
    say_call(ORO_BATCH_RENDER, 0, NULL, NULL);
    say_number(ORO_BATCH_SAYS_WANTED, 2);
    say_call(ORO_BATCH_RENDER, 0, NULL, NULL);
    assert_false(run(&err));
    assert_int_equal(host.calls, 3);
}

TEST(arguments)
{
    static const char zero[] = "a\0b";
    static const struct oro_batch_value with_zero = {.kind = ORO_BATCH_TEXT, .text = zero, .length = 3},
                                        endless = {.kind = ORO_BATCH_NUMBER, .number = INFINITY},
                                        huge = {.kind = ORO_BATCH_NUMBER, .number = 1e300},
                                        yes = {.kind = ORO_BATCH_BOOLEAN, .boolean = true};
    struct oro_batch_value seed = {.kind = ORO_BATCH_NUMBER, .name = "seed", .number = 3},
                           unknown = {.kind = ORO_BATCH_NUMBER, .name = "sed", .number = 3}, nameless = three,
                           fraction = half, inner, outer;
    fraction.name = "seed";
    const struct {
        enum oro_batch_function function;
        const struct oro_batch_value *first, *second;
    } wrong[] = {{ORO_BATCH_SET, NULL, NULL},         {ORO_BATCH_SET, &name, NULL},
                 {ORO_BATCH_SET, &three, &three},     {ORO_BATCH_SET, &with_zero, &three},
                 {ORO_BATCH_SET, &name, &with_zero},  {ORO_BATCH_SET, &name, &endless},
                 {ORO_BATCH_SEED, &half, NULL},       {ORO_BATCH_SEED, &huge, NULL},
                 {ORO_BATCH_SEED, &yes, NULL},        {ORO_BATCH_SEED, &name, NULL},
                 {ORO_BATCH_SEED, &three, &three},    {ORO_BATCH_NODES, &three, NULL},
                 {ORO_BATCH_RENDER, &name, &name},    {ORO_BATCH_EACH, NULL, NULL},
                 {ORO_BATCH_TASK, NULL, NULL},        {ORO_BATCH_AT, &three, &three},
                 {ORO_BATCH_FUNCTIONS, NULL, NULL},   {(enum oro_batch_function)1000, NULL, NULL},
                 {ORO_BATCH_REMOVE, &with_zero, NULL}};
    begin();
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        say_call(wrong[i].function, 0, wrong[i].first, wrong[i].second);
        is_refused();
    }
    struct oro_batch_value table = {.kind = ORO_BATCH_TABLE, .items = &seed, .count = 1};
    say_call(ORO_BATCH_RENDER, 0, NULL, &table);
    say_number(ORO_BATCH_SAYS_RELEASE, 2);
    is_accepted();
    const struct oro_batch_value *const items[] = {&unknown, &nameless, &fraction};
    for (size_t i = 0; i < sizeof items / sizeof items[0]; i++) {
        inner = *items[i];
        table.items = &inner;
        say_call(ORO_BATCH_RENDER, 0, NULL, &table);
        is_refused();
    }
    inner = (struct oro_batch_value){.kind = ORO_BATCH_TABLE, .name = "seed", .items = &seed, .count = 1};
    outer = (struct oro_batch_value){.kind = ORO_BATCH_TABLE, .items = &inner, .count = 1};
    say_call(ORO_BATCH_RENDER, 0, NULL, &outer);
    is_refused();
    outer.kind = ORO_BATCH_ITEMS;
    outer.items = &seed;
    say_call(ORO_BATCH_RENDER, 0, NULL, &outer);
    is_refused();
}

/* Tables that claim more items than there are, or more than arguments have. */
TEST(counts)
{
    static const int64_t claims[] = {1, 2, 1000, 1001, INT64_MAX, -1, INT64_MIN, (int64_t)1 << 32};
    begin();
    for (size_t i = 0; i < sizeof claims / sizeof claims[0]; i++) {
        oro_put_int(&packet, ORO_BATCH_NEW);
        oro_put_int(&packet, -1);
        oro_put_int(&packet, 1);
        oro_put_int(&packet, ORO_BATCH_TABLE);
        oro_put_text(&packet, NULL);
        oro_put_int(&packet, claims[i]);
        say(ORO_BATCH_SAYS_CALL);
        is_refused();
    }
    static struct oro_batch_value many[ORO_BATCH_ITEMS_MAX + 1];
    for (size_t i = 0; i <= ORO_BATCH_ITEMS_MAX; i++)
        many[i] = (struct oro_batch_value){.kind = ORO_BATCH_NUMBER, .name = "seed"};
    const struct oro_batch_value table = {
        .kind = ORO_BATCH_TABLE, .items = many, .count = ORO_BATCH_ITEMS_MAX + 1};
    say_call(ORO_BATCH_NEW, -1, &table, NULL);
    is_refused();
}

/* A call cut off anywhere, one with something behind it, and kinds of values that do not exist. */
TEST(bytes)
{
    struct oro_packet whole = {.file = -1};
    const struct oro_batch_call asked = {.function = ORO_BATCH_SET, .arguments = {name, half}};
    oro_batch_put_call(&whole, &asked, 0);
    begin();
    for (size_t length = 0; length < whole.bytes.length; length++) {
        oro_text_add_bytes(&packet.bytes, whole.bytes.data, length);
        say(ORO_BATCH_SAYS_CALL);
        is_refused();
    }
    oro_text_add_bytes(&packet.bytes, whole.bytes.data, whole.bytes.length);
    oro_put_int(&packet, 0);
    say(ORO_BATCH_SAYS_CALL);
    is_refused();
    static const int64_t kinds[] = {ORO_BATCH_GRAPH, ORO_BATCH_RESULT, ORO_BATCH_RESULT + 1, -1, INT64_MIN};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        memcpy(whole.bytes.data + 3 * sizeof(int64_t), &kinds[i], sizeof kinds[i]);
        oro_text_add_bytes(&packet.bytes, whole.bytes.data, whole.bytes.length);
        say(ORO_BATCH_SAYS_CALL);
        is_refused();
    }
    oro_packet_free(&whole);
}

TEST(other_messages)
{
    static const char *const modules[] = {"", "..", "../a", "/etc/passwd", "a/b", ".a", "a.", "a..b", "a b"};
    static const uint32_t kinds[] = {ORO_BATCH_SAYS_RUN,
                                     ORO_BATCH_SAYS_RESULT,
                                     ORO_BATCH_SAYS_TEXT,
                                     ORO_BATCH_SAYS_CELLS,
                                     ORO_BATCH_SAYS_DONE + 1,
                                     0,
                                     UINT32_MAX};
    begin();
    for (size_t i = 0; i < sizeof modules / sizeof modules[0]; i++) {
        oro_put_text(&packet, modules[i]);
        say(ORO_BATCH_SAYS_MODULE);
        is_refused();
        assert_int_equal(host.modules, 0);
    }
    oro_put_bytes(&packet, "a\0b", 3);
    say(ORO_BATCH_SAYS_MODULE);
    is_refused();
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        say(kinds[i]);
        is_refused();
    }
    oro_put_text(&packet, NULL);
    say(ORO_BATCH_SAYS_PRINT);
    is_refused();
    oro_put_text(&packet, "a");
    oro_put_int(&packet, 1);
    say(ORO_BATCH_SAYS_PRINT);
    is_refused();
    for (int i = 0; i < 40; i++) {
        oro_put_text(&packet, "a.b");
        say(ORO_BATCH_SAYS_MODULE);
    }
    is_refused();
}

/* It ends without a word, or in the middle of one. */
TEST(silence)
{
    struct oro_error err = {0};
    begin();
    assert_false(run(&err));
    assert_string_equal(err.text, "s.lua: the script's process has ended without a result");
}

FIXTURE(use_liar)
{
    return setenv("OROGRAPH_GUEST", ORO_TEST_LIAR, 1);
}

FIXTURE(forget_script)
{
    oro_text_free(&script);
    return 0;
}

TEST_GROUP(use_liar, forget_script);
