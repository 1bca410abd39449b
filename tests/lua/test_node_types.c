/* Scripts as node types of documents: what their tables may say, where they are found, how they change. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "graph/derived/assets.h"
#include "graph/file/load.h"
#include "graph/plan/replan.h"
#include "lua/expression/expression.h"
#include "lua/types/node_types.h"
#include "tests/graph/fake_nodes.h"
#include "tests/support/fake_device.h"
#include "tests/support/folder.h"
#include "tests/support/test.h"

static struct oro_error err;
static char folder[] = "/tmp/orograph-scripts-XXXXXX";
static struct oro_registry registry;
static struct oro_text noted;

static void note(void *user, enum oro_level level, const char *text)
{
    (void)user;
    oro_text_addf(&noted, "%d:%s\n", (int)level, text);
}
static const struct oro_log note_log = {.write = note};

/* ---- Support ---- */

static const char *at(const char *name)
{
    static char paths[4][400];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void make_file(const char *name, const char *text)
{
    if (!oro_file_write(at(name), text, strlen(text), &err))
        fail_msg("%s", err.text);
}

static struct oro_script *read_as(const char *id, const char *text)
{
    const struct oro_script_source source = {
        .id = id, .path = at("s.lua"), .line = 1, .text = text, .length = strlen(text)};
    err = (struct oro_error){0};
    return oro_script_read(&source, oro_script_forms, &note_log, &err);
}

static bool at_once(void *asked)
{
    ++*(int *)asked;
    return true;
}

static void expect_error(const char *part)
{
    if (!strstr(err.text, part))
        fail_msg("'%s' lacks '%s'", err.text, part);
}

static void open_registry(void)
{
    registry = fake_registry;
    registry.language = &oro_lua;
    registry.assets = oro_assets_create(&registry, oro_document_load_from, false);
    registry.scripts = oro_scripts_create(&oro_lua_scripts, false, &note_log);
    assert_true(registry.assets && registry.scripts);
}

static void close_registry(void)
{
    oro_assets_destroy(registry.assets);
    oro_scripts_destroy(registry.scripts);
}

/* Pages of nodes are shown on terminals. */
TEST(no_orders_to_terminals)
{
    struct oro_script *script =
        read_as("s", "return { id = 's', doc = 'a\\27[2Jb\\nc\\u{9b}d', outputs = {{ name = 'terrain' }}, "
                     "cell = function() end }");
    assert_non_null(script);
    assert_string_equal(script->type.doc, "a [2Jb\nc  d");
    oro_script_destroy(script);
}

/* Whoever asked to stop need not wait until each of many scripts has used up its time. */
TEST(stopping)
{
    static const char text[] = "while true do end";
    int asked = 0;
    const struct oro_script_source source = {.path = "d.oro",
                                             .line = 1,
                                             .text = text,
                                             .length = sizeof text - 1,
                                             .stopped = at_once,
                                             .user = &asked};
    err = (struct oro_error){0};
    assert_null(oro_script_read(&source, oro_script_forms, &note_log, &err));
    assert_int_equal(err.code, ORO_E_CANCELLED);
    assert_true(asked > 0 && asked < 100);
}

/* ---- Tables ---- */

#define HEAD "return { id = 's', outputs = {{ name = 'terrain' }}, "
#define INPUT(text) HEAD "inputs = { { name = 'x', " text " } }, cell = function() end }"

TEST(mistakes)
{
    static const struct {
        const char *text, *part;
    } wrong[] = {
        {"", "s.lua: it must return a table that describes a node, not a nil"},
        {"return 5", "not a number"},
        {"return {", "s.lua:1: "},
        {"\n\nlocal x = nil + 1\nreturn {}", "s.lua:3: attempt to perform arithmetic"},
        {"error('no')", "s.lua:1: no"},
        {"return {}", "needs one of 'kernel'"},
        {"return { cell = 5 }", "'cell' must be a function, not a number"},
        {"return { cell = function() end, kernel = '' }", "and has several"},
        {"return { cell = function() end }", "needs an 'id'"},
        {"return { id = 't', cell = function() end }", "its file must be called t.lua"},
        {"return { id = 5, cell = function() end }", "'id' must be a text, not a number"},
        {"return { id = 's', cell = function() end }", "needs 'outputs'"},
        {"return { id = 's', cell = function() end, outputs = {} }", "needs 'outputs'"},
        {"return { id = 's', cell = function() end, outputs = { name = 'a' } }", "is a list"},
        {"return { id = 's', cell = function() end, outputs = { 'a' } }", "entry 1 of 'outputs' is no table"},
        {"return { id = 's', cell = function() end, outputs = { {} } }", "needs a 'name'"},
        {"return { id = 's', cell = function() end, outputs = { { name = 'a', type = 'float' } } }",
         "output 'a': there is no type 'float'"},
        {"return { id = 's', cell = function() end, outputs = { { name = 'a' }, { name = 'a' } } }",
         "declared twice"},
        {"return { id = 's', kernel = '', outputs = { { name = 'active' } } }",
         "output 'active': in a kernel"},
        {"return { id = 's', kernel = '', outputs = { { name = 'a' } }, inputs = { { name = 'filter', "
         "type = 'bool' } } }",
         "input 'filter': in a kernel"},
        {"return { id = 's', kernel = '', outputs = { { name = 'a' } }, buffers = { 'writeonly' } }",
         "buffer 'writeonly': in a kernel"},
        {"return { id = 's', cell = function() end, outputs = { { name = 'a', like = 'b' } } }",
         "'like' must name an input"},
        {"return { id = 's', cell = function() end, outputs = { { name = 'a', type = 'uplift' } } }",
         "only a script with 'graph'"},
        {"return { id = 's', inputts = {}, cell = function() end }", "did you mean 'inputs'?"},
        {"return { id = 's', 'x', cell = function() end }", "one is without"},
        {HEAD "version = 0, cell = function() end }", "'version' must be at least 1"},
        {HEAD "version = 1.5, cell = function() end }", "must be a whole number"},
        {HEAD "doc = 5, cell = function() end }", "'doc' must be a text"},
        {HEAD "passes = { 'a' }, cell = function() end }", "'passes' belongs to 'kernel'"},
        {HEAD "inputs = 5, cell = function() end }", "'inputs' must be a table"},
        {HEAD "migrations = { 5 }, cell = function() end }", "a migration is"},
        {INPUT(""), "s.lua:1: input 'x': it needs a 'type'"},
        {INPUT("type = 'flaot'"), "did you mean 'float'?"},
        {INPUT("type = 'float', defualt = 3"), "there is no 'defualt'; did you mean 'default'?"},
        {INPUT("type = 'float', default = '3'"), "'default' must be a number, not a string"},
        {INPUT("type = 'float', default = 3, max = 2"), "3 is above the maximum of 2"},
        {INPUT("type = 'float', min = 2"), "needs a 'default'"},
        {INPUT("type = 'float', min = 2, max = 1"), "its range is empty"},
        {INPUT("type = 'float', default = 0/0"), "'default'"},
        {INPUT("type = 'float', unit = 'mile'"), "there is no unit 'mile'"},
        {INPUT("type = 'int', map = true"), "only a float can be a map"},
        {INPUT("type = 'float', optional = true"), "optional anyway"},
        {INPUT("type = 'field', default = 1"), "must be linked has no 'default'"},
        {INPUT("type = 'field', min = 1"), "only numbers have a range"},
        {INPUT("type = 'choice'"), "a choice needs 'choices'"},
        {INPUT("type = 'choice', choices = { 'a b' }"), "no word for a choice"},
        {INPUT("type = 'choice', choices = { 'a' }, default = 'b'"), "'b' is not one of a"},
        {INPUT("type = 'float', choices = { 'a' }"), "only a choice has 'choices'"},
        {INPUT("type = 'colour'"), "needs a 'default'"},
        {INPUT("type = 'colour', default = 'red'"), "'default': "},
        {INPUT("type = 'file'"), "only a script with 'graph'"},
        {INPUT("type = 'mask'"), "is called mask"},
        {INPUT("type = 'float', handle = 'radios'"), "no handle 'radios'; did you mean 'radius'?"},
        {INPUT("type = 'float', handle = 'radius'"), "the handle 'radius' is for a float in metres"},
        {INPUT("type = 'float', unit = 'm', handle = 'width'"), "the handle 'width' needs 'handle_at'"},
        {INPUT("type = 'float', unit = 'm', handle = 'width', handle_at = 'y'"), "must name a point"},
        {INPUT("type = 'point', default = '0 0', handle = 'point', handle_when = 'x=5'"),
         "'handle_when' must"},
        {INPUT("type = 'seed', default = 4"), "there is no 'default'"},
        {HEAD "inputs = { { name = 'a b', type = 'float' } }, cell = function() end }", "'a b' is no name"},
        {HEAD "inputs = { { name = 'oro_x', type = 'float' } }, cell = function() end }", "is no name"},
        {HEAD "inputs = { { name = 'a__b', type = 'float' } }, cell = function() end }", "is no name"},
        {HEAD "inputs = { { name = 't', type = 'text' } }, kernel = '' }", "cannot read a 'text'"},
        {HEAD "kernel = 5 }", "a kernel is a text"},
        {HEAD "inputs = { { name = 'r', type = 'float', map = true } },\n"
              "kernel = 'void cell(ivec2 p) { set_terrain(p, params . r); }' }",
         "s.lua:2: 'r' is a map: it is r_at(p), not params.r"},
        {HEAD "kernel = {} }", "'kernel' is empty"},
        {HEAD "kernel = { 'x' } }", "a table of named texts"},
        {HEAD "kernel = { a = '', b = '' } }", "need 'passes'"},
        {HEAD "kernel = { a = '' }, passes = {} }", "'passes' is empty"},
        {HEAD "kernel = { blur = '' }, passes = { 'blurr' } }", "did you mean 'blur'?"},
        {HEAD "kernel = '', passes = { { times = 2 } } }", "a group of passes is empty"},
        {HEAD "kernel = '', passes = { { times = -2, 'kernel' } } }", "'times' must be 0 to"},
        {HEAD "kernel = '', passes = { { times = 'n', 'kernel' } } }", "the name of an input of type int"},
        {HEAD "kernel = '', passes = { { times = 2, { 'kernel' } } } }", "and no groups"},
        {HEAD "kernel = '', buffers = { 5 } }", "buffers are"},
        {HEAD "kernel = '', buffers = { '' } }", "'' is no name"},
        {HEAD "kernel = '', buffers = { 'terrain' } }", "has that name"},
        {HEAD "kernel = '', buffers = { a = 'float' } }", "a field, a vector or an image"},
        {"while true do end", "s.lua:1: "},
        {"local t = {} while true do t[#t + 1] = ('x') .. #t end", "s.lua:1: "},
        {"return setmetatable({}, { __index = function() error('x') end })", "needs one of"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct oro_script *script = read_as("s", wrong[i].text);
        if (script)
            fail_msg("accepted: %s", wrong[i].text);
        if (!strstr(err.text, wrong[i].part) || strncmp(err.text, "s.lua:", 6) != 0)
            fail_msg("%s\n'%s' lacks '%s'", wrong[i].text, err.text, wrong[i].part);
        assert_true(err.code == ORO_E_DOCUMENT || err.code == ORO_E_LIMIT);
        assert_null(strchr(err.text, '\n'));
    }
}

static const char full[] =
    "return {\r\n"
    "  id = 'strata', version = 3, category = 'shape', doc = 'Rock layers. More.', words = 'beds', paper = "
    "'Nobody 1900',\n"
    "  inputs = {\n"
    "    { name = 'terrain', type = 'field', unit = 'm', doc = 'Ground' },\n"
    "    { name = 'rain', type = 'field', optional = true },\n"
    "    { name = 'thickness', type = 'float', map = true, default = 40, min = 1, unit = 'm', soft_max = 90 "
    "},\n"
    "    { name = 'count', type = 'int', default = 3, max = 9, label = 'Count', group = 'More' },\n"
    "    { name = 'hard', type = 'bool', default = true },\n"
    "    { name = 'method', type = 'choice', choices = { 'soft', 'sharp' }, default = 'sharp' },\n"
    "    { name = 'tint', type = 'colour', default = '#ff8000' },\n"
    "    { name = 'centre', type = 'point', default = '10 20' },\n"
    "    { name = 'reach', type = 'float', unit = 'm', handle = 'radius', handle_at = 'centre',\n"
    "      handle_when = 'method!=soft' },\n"
    "    { name = 'angle', type = 'float', unit = 'deg' },\n"
    "    { name = 'curve', type = 'profile', default = '0 0, 1 2' },\n"
    "    { name = 'ramp', type = 'gradient', default = '0 #000000, 1 #ffffff' },\n"
    "    { name = 'seed', type = 'seed' },\n"
    "    { name = 'mask', type = 'mask' },\n"
    "  },\n"
    "  outputs = { { name = 'terrain', unit = 'm', like = 'terrain' }, { name = 'flow', type = 'vector' } "
    "},\n"
    "  migrations = { { from = 1, old = 'depth', new = 'thickness' }, { from = 2, old = 'gone' } },\n"
    "  buffers = { 'b', 'a', flow2 = 'vector' },\n"
    "  kernel = {\n"
    "    second = 'void cell(ivec2 p) { set_terrain(p, 1.0); }',\n"
    "    first = [[\n"
    "      void cell(ivec2 p) { set_flow(p, vec2(1.0)); } // here\n"
    "    ]],\n"
    "  },\n"
    "  passes = { 'first', { times = 'count', 'second', 'first' }, { times = 2, 'second' } },\n"
    "}\n";

TEST(a_full_table)
{
    struct oro_script *script = read_as("strata", full);
    if (!script)
        fail_msg("%s", err.text);
    const struct oro_node_type *type = &script->type;
    assert_string_equal(type->id, "strata");
    assert_int_equal(type->version, 3);
    assert_string_equal(type->category, "shape");
    assert_string_equal(type->words, "beds");
    assert_string_equal(type->paper, "Nobody 1900");
    assert_ptr_equal(oro_script_of(type), script);
    assert_int_equal(oro_type_input_count(type), 14);
    const struct oro_input *thickness = oro_type_input(type, "thickness");
    assert_true(thickness->map && thickness->unit == ORO_METRE);
    assert_float_equal(thickness->min, 1, 0);
    assert_float_equal(thickness->max, 1e9, 0);
    assert_float_equal(thickness->value, 40, 0);
    assert_float_equal(oro_type_input(type, "count")->min, -2147483647, 0);
    assert_float_equal(oro_type_input(type, "method")->value, 1, 0);
    assert_true(oro_type_input(type, "rain")->optional);
    assert_int_equal(oro_type_input(type, "seed")->role, ORO_ROLE_SEED);
    assert_true(oro_type_input(type, "mask")->map);
    assert_int_equal(oro_type_input(type, "mask")->role, ORO_ROLE_MASK);
    assert_int_equal(oro_type_input(type, "terrain")->role, ORO_ROLE_TERRAIN);
    assert_int_equal(type->outputs[0].role, ORO_ROLE_TERRAIN);
    const struct oro_input *reach = oro_type_input(type, "reach"), *angle = oro_type_input(type, "angle");
    assert_int_equal(reach->handle, ORO_HANDLE_RADIUS);
    assert_string_equal(reach->handle_at, "centre");
    assert_string_equal(reach->handle_when, "method!=soft");
    assert_int_equal(angle->handle, ORO_HANDLE_ROTATION); /* by its name */
    assert_string_equal(angle->handle_at, "centre");
    for (const struct oro_input *a = type->inputs; a->name; a++) /* each has a place of its own */
        for (const struct oro_input *b = a + 1; b->name; b++)
            assert_true(a->offset < b->offset);
    assert_int_equal(type->outputs[1].type, ORO_VECTOR);
    assert_string_equal(type->migrations[0].new_name, "thickness");
    assert_null(type->migrations[1].new_name);
    assert_string_equal(oro_type_input_as(type, ORO_ROLE_ITERATIONS)->name, "count");
    assert_int_equal(script->kernel_count, 2);
    assert_string_equal(script->kernels[0].name, "first");
    assert_int_equal(script->kernels[0].line, 26);
    assert_int_equal(script->kernels[1].line, 24);
    assert_int_equal(script->buffer_count, 3);
    assert_string_equal(script->buffers[0].name, "a");
    assert_int_equal(script->buffers[2].type, ORO_VECTOR);
    assert_int_equal(script->pass_count, 6);
    assert_int_equal(script->passes[0].kernel, 0);
    assert_int_equal(script->passes[1].kernel, -1);
    assert_int_equal(script->passes[1].count, 2);
    assert_string_equal(script->passes[1].input, "count");
    assert_int_equal(script->passes[2].kernel, 1);
    assert_int_equal(script->passes[4].times, 2);
    oro_script_destroy(script);
}

TEST(memory)
{
    for (size_t n = 1;; n++) {
        oro_memory_fail_at(n);
        struct oro_script *script = read_as("strata", full);
        oro_memory_fail_at(0);
        if (script) {
            oro_script_destroy(script);
            assert_true(n > 20);
            break;
        }
        if (err.code != ORO_E_MEMORY)
            fail_msg("allocation %zu: %s", n, err.text);
    }
}

/* ---- Modules ---- */

#define MINIMAL(id) "return { id = '" id "', outputs = {{ name = 'field' }}, cell = function() return 1 end }"

TEST(modules)
{
    mkdir(at("lib"), 0700);
    make_file("lib/waves.lua", "local M = {}\nfunction M.crest() return 1 + nil end\nreturn M");
    make_file("broken.lua", "return {\n\n]");
    make_file("../orograph-outside.lua", "return 1");
    struct oro_script *script = read_as("s", "local w = require('lib.waves')\n" MINIMAL("s"));
    if (!script)
        fail_msg("%s", err.text);
    assert_int_equal(script->text_count, 2);
    assert_string_equal(script->texts[1].name, "lib/waves.lua");
    oro_script_destroy(script);
    assert_null(read_as("s", "require('lib.waves').crest()\n" MINIMAL("s")));
    expect_error("lib/waves.lua:2: attempt to perform arithmetic");
    assert_null(read_as("s", "require('broken')"));
    expect_error("broken.lua:3: ");
    assert_null(read_as("s", "\nrequire('missing')"));
    expect_error("missing");
    static const char *const outside[] = {
        "../orograph-outside", "/etc/passwd", "..", "lib/waves", ".", "", "link"};
    assert_int_equal(symlink("/etc/hostname", at("link.lua")), 0);
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
        char text[200];
        snprintf(text, sizeof text, "require('%s')", outside[i]);
        assert_null(read_as("s", text));
        assert_string_not_equal(err.text, "");
    }
    unlink(at("../orograph-outside.lua"));
}

/* ---- In documents ---- */

static struct oro_document *parse(const char *name, const char *text, struct oro_problems *problems)
{
    struct oro_document *doc = oro_document_parse(text, strlen(text), at(name), &registry, problems);
    if (doc)
        oro_check(doc, &registry, problems);
    return doc;
}

static struct oro_document *parse_valid(const char *text)
{
    struct oro_problems problems = {0};
    char line[800];
    struct oro_document *doc = parse("d.oro", text, &problems);
    if (!doc || problems.count)
        fail_msg("%s", oro_problem_line(&problems.items[0], "d.oro", line, sizeof line));
    oro_problems_free(&problems);
    return doc;
}

#define DOCUMENT(content)                                                                                    \
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<orograph xmlns=\"urn:orograph:1\" "                        \
    "version=\"1\">\n" content "</orograph>\n"

static struct oro_plan *plan_of(const struct oro_document *doc, const char *node, const char *output)
{
    const struct oro_target target = {node, output};
    const struct oro_plan_options options = {0};
    err = (struct oro_error){0};
    return oro_plan_create(doc, &registry, &target, 1, &options, NULL, NULL, &err);
}

TEST(found_beside_a_document)
{
    open_registry();
    make_file("mine.lua",
              "return { id = 'mine', inputs = {{ name = 'size', type = 'float', default = 4, max = 9 }},\n"
              "outputs = {{ name = 'field' }}, cell = function() return 1 end }");
    make_file("bad.lua", "return {\nid = 'bad' }");
    make_file("noise.lua", MINIMAL("noise"));
    struct oro_document *doc = parse_valid(DOCUMENT(
        "  <node id=\"a\" type=\"mine\" version=\"1\">\n    <in name=\"size\" value=\"5\"/>\n  </node>\n"
        "  <node id=\"b\" type=\"noise\" version=\"1\"/>\n"));
    struct oro_plan *plan = plan_of(doc, "a", "field");
    assert_non_null(plan);
    assert_string_equal(plan->steps[0].type->id, "mine");
    oro_plan_destroy(plan);
    assert_ptr_equal(oro_type_of(&registry, doc, oro_document_find(doc, "b"), &err),
                     oro_registry_find(&fake_registry, "noise")); /* what is built in comes first */
    oro_document_destroy(doc);

    struct oro_problems problems = {0};
    doc = parse(
        "d.oro",
        DOCUMENT(
            "<node id=\"a\" type=\"mine\" version=\"1\"><in name=\"size\" value=\"50\"/></node>\n"
            "<node id=\"b\" type=\"bad\" version=\"1\"/>\n<node id=\"c\" type=\"nowhere\" version=\"1\"/>\n"
            "<node id=\"d\" type=\"mine\" version=\"1\"><in name=\"sise\" value=\"5\"/></node>\n"
            "<node id=\"e\" type=\"../mine\" version=\"1\"/>\n<node id=\"f\" type=\"lua\" version=\"1\"/>\n"),
        &problems);
    char all[4000] = "";
    for (size_t i = 0; i < problems.count; i++)
        oro_problem_line(&problems.items[i], "d", all + strlen(all), 600);
    static const char *const wanted[] = {
        "3: error [bad-value]",    "4: error [bad-script]: node 'b': bad.lua: it needs one of",
        "5: error [unknown-type]", "did you mean 'size'?",
        "7: error [unknown-type]", "8: error [bad-script]: node 'f': it needs a <script>",
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        if (!strstr(all, wanted[i]))
            fail_msg("%s\nlacks '%s'", all, wanted[i]);
    oro_problems_free(&problems);
    oro_document_destroy(doc);
    close_registry();
}

/* A kept plan follows an edit of a script's value, and not a change of the script. */
TEST(plans_follow_edits)
{
    static const char script[] =
        "return { id = 'mine', inputs = {{ name = 'size', type = 'float', default = 4 "
        "}},\noutputs = {{ name = 'field' }}, cell = function() return %d end }";
    const struct oro_target target = {"a", "field"};
    const struct oro_plan_options options = {.checked = true};
    struct oro_device device = FAKE_DEVICE;
    struct oro_replanner *replanner = oro_replanner_create();
    struct oro_hash key = {0};
    char text[400];
    open_registry();
    snprintf(text, sizeof text, script, 1);
    make_file("mine.lua", text);
    struct oro_document *doc = parse_valid(DOCUMENT("  <node id=\"a\" type=\"mine\" version=\"1\"/>\n"));
    for (int i = 0; i < 3; i++) {
        if (i == 1)
            assert_true(oro_edit_set(doc, "a", "size", "5", &err));
        snprintf(text, sizeof text, script, 22);
        if (i == 2)
            make_file("mine.lua", text);
        assert_int_equal(oro_scripts_refresh(registry.scripts), i == 2);
        const struct oro_plan *plan =
            oro_replan(replanner, doc, &registry, &target, 1, &options, &device, &err);
        struct oro_plan *anew = oro_plan_create(doc, &registry, &target, 1, &options, &device, NULL, &err);
        assert_true(plan && anew && plan->step_count == 1 && anew->step_count == 1);
        assert_true(oro_hash_equal(plan->steps[0].key, anew->steps[0].key));
        assert_false(oro_hash_equal(plan->steps[0].key, key));
        assert_int_equal(oro_replanner_followed(replanner), i > 0);
        key = plan->steps[0].key;
        oro_plan_destroy(anew);
    }
    oro_replanner_destroy(replanner);
    oro_document_destroy(doc);
    close_registry();
}

static const char inside[] =
    DOCUMENT("  <node id=\"a\" type=\"lua\" version=\"1\">\n    <script><![CDATA[return {\n"
             "  outputs = { { name = 'field' } },\n"
             "  cell = function(x, y) local t = {1} if x > y and "
             "t[t[1]]]]><![CDATA[>0 then return 1 end return 0 end }]]>"
             "</script>\n    <in name=\"none\" value=\"1\"/>\n  </node>\n");

TEST(within_a_document)
{
    open_registry();
    struct oro_problems problems = {0};
    struct oro_document *doc = parse("d.oro", inside, &problems);
    assert_int_equal(problems.count, 1);
    assert_string_equal(problems.items[0].code, "unknown-input");
    char *text = NULL;
    assert_true(oro_document_format(doc, &registry, &text, NULL, &err));
    assert_string_equal(text, inside); /* byte for byte, also the end of the section within */
    oro_free(text);
    assert_true(oro_edit_script(doc, "a", "return {\n\nid = }", &err));
    assert_null(oro_type_of(&registry, doc, oro_document_find(doc, "a"), &err));
    expect_error("d.oro:6: "); /* the script begins in line 4 */
    assert_true(oro_document_undo(doc, &err));
    assert_non_null(oro_type_of(&registry, doc, oro_document_find(doc, "a"), &err));
    assert_false(oro_edit_script(doc, "a", "\x01", &err));
    oro_problems_free(&problems);
    oro_document_destroy(doc);
    close_registry();
}

/* ---- Changing ---- */

static struct oro_hash source_of(const char *id)
{
    bool found;
    const struct oro_node_type *type = oro_script_type(registry.scripts, at("d.oro"), id, &found, &err);
    return type ? type->source : (struct oro_hash){0};
}

TEST(refreshing)
{
    open_registry();
    make_file("part.lua", "return 1");
    make_file("live.lua", "local p = require('part')\n" MINIMAL("live"));
    make_file("other.lua", MINIMAL("other"));
    struct oro_hash live = source_of("live"), other = source_of("other");
    assert_false(oro_hash_equal(live, (struct oro_hash){0}));
    assert_int_equal(oro_scripts_refresh(registry.scripts), 0);
    make_file("part.lua", "return 22");
    assert_int_equal(oro_scripts_refresh(registry.scripts), 1);
    assert_false(oro_hash_equal(source_of("live"), live));
    assert_true(oro_hash_equal(source_of("other"), other));
    live = source_of("live");
    uint64_t revision = oro_scripts_revision(registry.scripts);
    oro_text_free(&noted);
    make_file("live.lua", "return {{");
    assert_int_equal(oro_scripts_refresh(registry.scripts), 0);
    assert_true(oro_hash_equal(source_of("live"), live)); /* the last good version */
    assert_non_null(strstr(noted.data, "the last good version stays in use"));
    oro_text_free(&noted);
    oro_scripts_refresh(registry.scripts); /* said once */
    assert_null(noted.data);
    assert_int_equal(oro_scripts_revision(registry.scripts), revision);
    make_file("live.lua", MINIMAL("live") " -- mended");
    assert_int_equal(oro_scripts_refresh(registry.scripts), 1);
    assert_true(oro_scripts_revision(registry.scripts) > revision);
    /* What was not there comes, and what was broken from the start is mended. */
    assert_true(oro_hash_equal(source_of("late"), (struct oro_hash){0}));
    revision = oro_scripts_revision(registry.scripts);
    make_file("late.lua", "return 5");
    assert_int_equal(oro_scripts_refresh(registry.scripts), 1);
    assert_true(oro_scripts_revision(registry.scripts) > revision);
    assert_true(oro_hash_equal(source_of("late"), (struct oro_hash){0}));
    expect_error("must return a table");
    make_file("late.lua", MINIMAL("late"));
    assert_int_equal(oro_scripts_refresh(registry.scripts), 1);
    assert_false(oro_hash_equal(source_of("late"), (struct oro_hash){0}));
    close_registry();
}

/* Whoever looks for changes, as the editor does all the time, is not held up by the same script again. */
TEST(what_takes_too_long_is_read_once)
{
    open_registry();
    make_file("slow.lua", "print('read')\nwhile true do end\n");
    oro_text_free(&noted);
    assert_true(oro_hash_equal(source_of("slow"), (struct oro_hash){0}));
    assert_non_null(strstr(noted.data, "read"));
    oro_text_free(&noted);
    assert_int_equal(oro_scripts_refresh(registry.scripts), 0);
    assert_null(noted.data);
    make_file("slow.lua", MINIMAL("slow"));
    assert_int_equal(oro_scripts_refresh(registry.scripts), 1);
    assert_false(oro_hash_equal(source_of("slow"), (struct oro_hash){0}));
    close_registry();
}

/* One that is nearer to the document takes the place of another; where it goes, it stays in use. */
TEST(refreshing_nearer)
{
    char path[500];
    open_registry();
    mkdir(at("far"), 0700);
    make_file("far/near.lua", MINIMAL("near"));
    snprintf(path, sizeof path, "%s", at("far"));
    setenv("OROGRAPH_PATH", path, 1);
    struct oro_hash far = source_of("near");
    assert_false(oro_hash_equal(far, (struct oro_hash){0}));
    make_file("near.lua", MINIMAL("near") " -- nearer");
    assert_int_equal(oro_scripts_refresh(registry.scripts), 1);
    assert_false(oro_hash_equal(source_of("near"), far));
    assert_int_equal(oro_scripts_refresh(registry.scripts), 0);
    unsetenv("OROGRAPH_PATH");
    close_registry();
}

static const struct oro_node_type *type_within(const char *text, int line)
{
    const struct oro_doc_node node = {.type = ORO_INLINE_TYPE, .script = (char *)text, .script_line = line};
    return oro_script_type_inline(registry.scripts, at("within.oro"), &node, &err);
}

/* Scripts within a document change by what they require alone, not as the document's file does. */
TEST(refreshing_inline)
{
    static const char text[] = "local p = require('piece')\nreturn { outputs = {{ name = 'a' }}, cell = "
                               "function() end }";
    open_registry();
    make_file("within.oro", "1");
    make_file("piece.lua", "return 1");
    const struct oro_node_type *type = type_within(text, 3), *moved = type_within(text, 4);
    assert_non_null(type);
    assert_true(moved && moved != type); /* messages name another line; results are the same */
    assert_true(oro_hash_equal(type->source, moved->source));
    make_file("within.oro", "12");
    assert_int_equal(oro_scripts_refresh(registry.scripts), 0);
    assert_ptr_equal(type_within(text, 3), type);
    make_file("piece.lua", "return {{");
    assert_int_equal(oro_scripts_refresh(registry.scripts), 0);
    assert_ptr_equal(type_within(text, 3), type); /* the last good version */
    make_file("piece.lua", "return 333");
    assert_int_equal(oro_scripts_refresh(registry.scripts), 2);
    assert_false(oro_hash_equal(type_within(text, 3)->source, type->source));
    assert_null(type_within("return {\n{", 7));
    expect_error("within.oro:8: ");
    close_registry();
}

static void list_one(void *user, const char *id, const char *path, const struct oro_error *why)
{
    oro_text_addf(user, "%s%s ", id, path ? "" : "!");
    assert_true(path || *why->text);
}

TEST(listing)
{
    struct oro_text all = {0};
    char path[500];
    mkdir(at("library"), 0700);
    make_file("library/zebra.lua", MINIMAL("zebra"));
    make_file("library/mine.lua", MINIMAL("mine"));
    snprintf(path, sizeof path, "%s", at("library"));
    setenv("OROGRAPH_PATH", path, 1);
    open_registry();
    assert_true(oro_scripts_each_file(registry.scripts, &registry, at("d.oro"), list_one, &all));
    assert_non_null(strstr(all.data, "zebra "));
    assert_non_null(strstr(all.data, "bad ")); /* it is not read */
    assert_null(strstr(all.data, "noise"));    /* hidden by what is built in */
    assert_ptr_equal(strstr(strstr(all.data, "mine") + 1, "mine"), NULL);
    oro_text_free(&all);
    unsetenv("OROGRAPH_PATH");
    close_registry();
}

/* ---- Graphs ---- */

static struct oro_plan *plan_script(const char *script)
{
    make_file("g.lua", script);
    open_registry();
    struct oro_document *doc =
        parse_valid(DOCUMENT("<node id=\"n\" type=\"noise\" version=\"1\"/>\n"
                             "<node id=\"a\" type=\"g\" version=\"1\"><in name=\"ground\" from=\"n.field\"/>"
                             "<in name=\"many\" value=\"3\"/></node>\n"));
    struct oro_plan *plan = plan_of(doc, "a", "field");
    oro_document_destroy(doc);
    return plan;
}

#define GRAPH(body)                                                                                          \
    "return { id = 'g', inputs = {{ name = 'ground', type = 'field' }, { name = 'many', type = 'int', "      \
    "default = 1 },\n"                                                                                       \
    "{ name = 'rate', type = 'float', map = true, default = 2 }}, outputs = {{ name = 'field' }},\n"         \
    "graph = function(b, p)\n" body "\nend }"

TEST(graphs)
{
    struct oro_plan *plan =
        plan_script(GRAPH("local t = p.ground for i = 1, p.many do\n"
                          "t = b.erode{ terrain = t, amount = i * p.rate } end return t"));
    if (!plan)
        fail_msg("%s", err.text);
    assert_int_equal(plan->step_count, 4);
    assert_string_equal(plan->steps[1].id, "a/erode");
    assert_string_equal(plan->steps[3].id, "a/erode3");
    oro_plan_destroy(plan);
    close_registry();
    static const struct {
        const char *script, *part;
    } wrong[] = {
        {GRAPH("return b.erodd{}"), "g.lua:4: there is no node type 'erodd'"},
        {GRAPH("return b.erode{}"), "g.lua:4: 'erode' needs 'terrain'"},
        {GRAPH("return b.erode{ terrain = 5 }"), "must be linked"},
        {GRAPH("return b.erode{ terrain = p.ground, amounts = 5 }"), "did you mean 'amount'?"},
        {GRAPH("return b.erode{ terrain = p.ground, amount = 'wide' }"), "'wide' is not a number"},
        {GRAPH("return b.erode{ terrain = p.ground + 1 }"), "is no number here"},
        {GRAPH("return b.erode{ terrain = p.ground }.nothing"), "has no output 'nothing'"},
        {GRAPH("return 5"), "gives nothing for its output 'field', but number"},
        {GRAPH(""), "gives nothing for its output 'field'"},
        {GRAPH("return b.g{ ground = p.ground }"), "'g' has itself as a part"},
        {GRAPH("while true do end"), "g.lua:4: "},
        {GRAPH("while true do b.noise{} end"), "more than 256 parts"},
        {GRAPH("error('no')"), "g.lua:4: no"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        plan = plan_script(wrong[i].script);
        assert_null(plan);
        if (!strstr(err.text, wrong[i].part))
            fail_msg("%s\n'%s' lacks '%s'", wrong[i].script, err.text, wrong[i].part);
        assert_int_equal(err.line, 4);
        assert_string_equal(err.node, "a");
        close_registry();
    }
}

FIXTURE(set_up)
{
    return mkdtemp(folder) ? 0 : -1;
}

FIXTURE(clean_up)
{
    oro_text_free(&noted);
    return remove_tree(folder);
}

TEST_GROUP(set_up, clean_up);
