/* Scripts that mean harm, or are broken badly: each ends by itself, soon, in little memory, with an error in
 * one line, and leaves nothing behind. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cli/support.h"
#include "tests/support/test.h"

enum { SECONDS_MAX = 15 /* on a slow machine */, KILOBYTES_MAX = 256 << 10, TEXT_MAX = 3 << 20 };

#define START                                                                                                \
    "return { id = 'bad', inputs = { { name = 'terrain', type = 'field' } }, outputs = { { name = "          \
    "'terrain' } },\n"
#define SCRIPT(text) START text "\n}\n"
#define CELL(text) SCRIPT("cell = function(x, y, f, p) " text " end")
#define FIELD(text) SCRIPT("field = function(f, p) " text " end")
#define GRAPH(text) SCRIPT("graph = function(b, p) " text " end")
#define KERNEL(text) SCRIPT("kernel = [[\n" text "]]")

static void check_measure_of(const char *what, long kilobytes_max)
{
    if (SANITIZED)
        return;
    if (seconds > SECONDS_MAX || kilobytes > kilobytes_max)
        fail_msg("%s took %.1f s and %ld KiB: %s", what, seconds, kilobytes, output);
}

static void check_measure(const char *what)
{
    check_measure_of(what, KILOBYTES_MAX);
}

static void still_renders(void)
{
    expect(DONE, "rm -rf bad.lua; \"$OROGRAPH\" render plain.oro -o n.r32 && \"$OROGRAPH\" nodes >/dev/null");
}

/* `code` 0: as it ends, with 1 or 3. */
static void ends(int code, const char *what, const char *message)
{
    int found = shell("\"$OROGRAPH\" render d.oro --output x.terrain -o x.r32");
    if (code ? found != code : found != FAILED && found != INVALID)
        fail_msg("%s ended with %d: %s", what, found, output);
    check_measure(what);
    says("d.oro:5: ");
    says(message);
    assert_true(strlen(output) < 70000);
    expect(DONE, "test ! -e x.r32");
}

static void ends_as(int code, const char *script, const char *message)
{
    write_file("bad.lua", script);
    ends(code, script, message);
    still_renders();
}

static int make_documents(void **state);

TEST_WITH(loops, make_documents, remove_folder)
{
    ends_as(INVALID, "while true do end\n", "bad.lua:1: takes ");
    ends_as(INVALID, "::a:: goto a\n", "bad.lua:1: takes ");
    ends_as(INVALID, "while true do pcall(function() while true do end end) end\n", "bad.lua:1: takes ");
    ends_as(INVALID,
            "local t = {}\nfor i = 1, 9999 do t[i] = i % 7 end\nwhile true do table.sort(t, function() "
            "return true end) end\n",
            "bad.lua:3: takes ");
    ends_as(FAILED, CELL("while true do end"), "bad.lua:2: takes ");
    ends_as(FAILED, CELL("while true do pcall(function() while true do end end) end"), "bad.lua:2: takes ");
    ends_as(FAILED, CELL("for i = 1, 200000 do end return 1"), "takes too long");
    ends_as(FAILED, FIELD("while true do end"), "bad.lua:2: takes ");
    ends_as(FAILED, FIELD("return field.build(function() for i = 1, 1e9 do end return 1 end)"),
            "bad.lua:2: takes ");
    ends_as(FAILED, FIELD("local a = f.terrain for i = 1, 1e9 do a = a:blur(1000) end return a"),
            "bad.lua:2: takes ");
    ends_as(FAILED, GRAPH("while true do end"), "bad.lua:2: takes ");
    ends_as(FAILED, GRAPH("for i = 1, 1e9 do pcall(function() b.noise{ seed = i } end) end"),
            "bad.lua:2: takes ");
}

TEST_WITH(memory, make_documents, remove_folder)
{
    ends_as(INVALID, "local t = {}\nfor i = 1, 1e9 do t[i] = { i } end\n", "bad.lua:2: takes ");
    ends_as(INVALID, "local s = 'x'\nwhile true do s = s .. s end\n", "bad.lua:2: ");
    ends_as(INVALID, "local s = string.rep('x', 1e9)\n", "bad.lua:1: ");
    ends_as(INVALID, "error(string.rep('x', 1000000))\n", "bad");
    ends_as(INVALID, "local function f() return 1 + f() end\nf()\n", "bad.lua:1: ");
    ends_as(FAILED, CELL("local function f() return 1 + f() end return f()"), "bad.lua:2: ");
    ends_as(FAILED, CELL("local t = {} for i = 1, 1e9 do t[i] = { i } end"), "bad.lua:2: takes ");
    ends_as(FAILED, "local keep = {}\n" CELL("for i = 1, 5000 do keep[#keep + 1] = { i } end return 1"),
            "takes ");
    ends_as(FAILED, FIELD("local t = {} for i = 1, 1e9 do t[i] = f.terrain + i end return t[1]"), "takes ");
    ends_as(INVALID, "return { id = 'bad', doc = string.rep('x', 1e6) }\n", "needs one of");
    ends_as(INVALID,
            "local t = {}\nfor i = 1, 1000 do t[i] = { name = 'i' .. i, type = 'float' } end\n"
            "return { id = 'bad', inputs = t, outputs = { { name = 'terrain' } }, cell = print }\n",
            "more than 64 entries");
}

TEST_WITH(output_of_scripts, make_documents, remove_folder)
{
    /* What is printed is cut off; the work itself ends by its steps or goes on. */
    write_file("bad.lua", GRAPH("for i = 1, 300 do print(string.rep('x', 1000)) end return p.terrain"));
    expect(DONE, "\"$OROGRAPH\" render d.oro --output x.terrain -o x.r32");
    assert_true(strlen(output) > 10000 && strlen(output) < 70000);
    write_file("bad.lua", CELL("print(x, y) print('a\\nb\\27[2J') return 1"));
    expect(DONE, "\"$OROGRAPH\" render d.oro --output x.terrain -o x.r32");
    assert_true(strlen(output) < 70000);
    says_not("\33");
    expect(DONE, "rm x.r32*");
    ends_as(FAILED, GRAPH("for i = 1, 1e9 do print(string.rep('x', 1000)) end"), "takes ");
    write_file("bad.lua", CELL("if x == y then print(string.rep('x', 100000)) end return 1"));
    expect(DONE, "\"$OROGRAPH\" render d.oro --output x.terrain -o x.r32 && rm x.r32*");
    assert_true(strlen(output) < 110000);
    ends_as(FAILED, CELL("error('a\\nb\\27[2J' .. string.rep('x', 100000))"), "bad.lua:2: a");
    says_not("\33");
}

TEST_WITH(parts, make_documents, remove_folder)
{
    ends_as(FAILED, GRAPH("local a for i = 1, 10000 do a = b.noise{ seed = i } end return a"),
            "more than 256 parts");
    ends_as(FAILED, GRAPH("return b.bad{ terrain = p.terrain }"), "'bad' has itself as a part");
    expect(
        DONE,
        "for i in a:b b:a; do echo \"return { id = '${i%%:*}', inputs = { { name = 'terrain', type = 'field' "
        "} }, "
        "outputs = { { name = 'terrain' } }, graph = function(b, p) return b.${i##*:}{ terrain = p.terrain } "
        "end }\" >${i%%:*}.lua; done");
    ends_as(FAILED, GRAPH("return b.a{ terrain = p.terrain }"), "'a' has itself as a part");
    /* 250 to the power of 12 nodes. */
    expect(
        DONE,
        "for i in 0 1 2 3 4 5 6 7 8 9 10 11; do echo \"return { id = 'g$i', inputs = { { name = 'terrain', "
        "type = "
        "'field' } }, outputs = { { name = 'terrain' } }, graph = function(b, p) local a = p.terrain for i = "
        "1, 250 do a = b.g$((i + 1)){ terrain = a } end return a end }\" >g$i.lua; done; sed -e s/g11/g12/ "
        "-e "
        "s/b.g12/b.terrace/ g11.lua >g12.lua");
    write_file("bad.lua", GRAPH("return b.g0{ terrain = p.terrain }"));
    expect(FAILED, "\"$OROGRAPH\" render d.oro --output x.terrain -o x.r32");
    says("d.oro:5: node 'x': ");
    if (!strstr(output, "a plan has at most 250000 steps")) /* that takes long on a slow machine */
        says("building the graphs of scripts takes more than");
    check_measure_of("parts in parts", 2 * KILOBYTES_MAX); /* a plan with that many steps is that large */
}

/* ---- Kernels ---- */

static char long_text[TEXT_MAX];

/* `head`, so many times `part` with the number in place of $, `tail`. */
static const char *repeat(const char *head, const char *part, int times, const char *tail)
{
    size_t at = (size_t)snprintf(long_text, sizeof long_text, "%s", head);
    for (const char *c; times-- > 0;)
        for (c = part; *c && at + 100 < sizeof long_text; c++)
            if (*c == '$')
                at += (size_t)snprintf(long_text + at, sizeof long_text - at, "%d", times);
            else
                long_text[at++] = *c;
    snprintf(long_text + at, sizeof long_text - at, "%s", tail);
    return long_text;
}

TEST_WITH(kernels, make_documents, remove_folder)
{
    ends_as(
        FAILED,
        KERNEL("void cell(ivec2 p) { float a = terrain_at(p);\nwhile (true) a += 1.0;\nset_terrain(p, a); }"),
        "bad.lua:4: ");
    ends_as(
        FAILED,
        KERNEL(
            "void cell(ivec2 p) { float a = 0.0;\nfor (int i = 0; i < 2000000000; i++) a += sin(float(i));\n"
            "set_terrain(p, a); }"),
        "bad.lua:4: ");
    ends_as(FAILED, KERNEL("void cell(ivec2 p) { set_terrain(p + 1, 1.0); }"), "a cell may set only itself");
    static const char *const refused[] = {
        KERNEL("float g(float a) { return g(a) + 1.0; }\nvoid cell(ivec2 p) { set_terrain(p, g(1.0)); }"),
        KERNEL("void cell(ivec2 p) { oro_new_terrain[99999999] = 1.0; }"),
        KERNEL("void cell(ivec2 p) { terrain[0] = 1.0; }"),
        KERNEL("void cell(ivec2 p) { float a[100000000]; a[p.x] = 1.0; set_terrain(p, a[p.y]); }"),
        KERNEL("#include \"/etc/passwd\"\nvoid cell(ivec2 p) { set_terrain(p, 1.0); }"),
        KERNEL("#include \"lib/../../../etc/passwd\"\nvoid cell(ivec2 p) { set_terrain(p, 1.0); }"),
        KERNEL("#extension GL_OES_texture_buffer : require\nvoid cell(ivec2 p) { set_terrain(p, 1.0); }"),
        KERNEL("void cell(ivec2 p) { if (p.x == 1) barrier(); set_terrain(p, 1.0); }"),
        KERNEL("void cell(ivec2 p) { set_terrain(p, 1.0); }\nvoid main() { }"),
        KERNEL("shared float a[9];\nvoid cell(ivec2 p) { set_terrain(p, a[0]); }"),
        SCRIPT("kernel = [[void cell(ivec2 p) { set_terrain(p, 1.0); }]], passes = { { times = 100000000, "
               "'kernel' } }"),
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        ends_as(INVALID, refused[i], "bad.lua:");
    ends_as(INVALID,
            repeat(START "kernel = [[void cell(ivec2 p) { float a = 1.0;\n",
                   "a = sin(a) * cos(a) + pow(a, $.5);\n", 3000, "set_terrain(p, a); }]] }\n"),
            "bad.lua:");
}

/* Accesses beyond arrays and rasters reach nothing. */
TEST_WITH(indices, make_documents, remove_folder)
{
    write_file("bad.lua",
               KERNEL("void cell(ivec2 p) { float a[4]; for (int i = 0; i < 4; i++) a[i] = 1.0;\n"
                      "set_terrain(p, a[p.x * 1000000] + a[-p.y] + terrain_at((p - 9) * 1000000)); }"));
    expect(DONE, "\"$OROGRAPH\" render d.oro --output x.terrain -o x.r32");
    check_measure("indices");
    still_renders();
}

/* ---- Files ---- */

static void a_file(const char *make, const char *message)
{
    expect(DONE, "%s", make);
    ends(INVALID, make, message);
    expect(INVALID, "\"$OROGRAPH\" check --allow-path d.oro");
    check_measure(make);
    says("d.oro:5: error ");
    expect(DONE, "\"$OROGRAPH\" nodes >/dev/null");
    check_measure(make);
    still_renders();
}

TEST_WITH(files, make_documents, remove_folder)
{
    a_file("head -c 2000000 /dev/zero | tr '\\0' '-' >bad.lua", "bad.lua");
    a_file("head -c 3000 /dev/zero >bad.lua", "bad.lua");
    a_file("printf '\\033LuaT\\000\\031\\223' >bad.lua", "bad.lua:1: attempt to load a binary chunk");
    a_file("mkfifo bad.lua", "bad.lua' is not a regular file");
    a_file("mkdir bad.lua", "bad.lua' is not a regular file");
    a_file("ln -s /etc/passwd bad.lua", "bad.lua' leads out");
    a_file("ln -s /dev/zero bad.lua", "bad.lua' leads out");
    a_file("echo \"return require '/etc/passwd'\" >bad.lua", "bad.lua:1: ");
    a_file("echo \"return require '..etc.passwd'\" >bad.lua", "bad.lua:1: ");
    a_file("ln -s /etc/passwd p.lua; echo \"return require 'p'\" >bad.lua", "bad.lua:1: ");
    a_file("rm p.lua; mkfifo p.lua; echo \"return require 'p'\" >bad.lua", "bad.lua:1: ");
    a_file("rm p.lua; echo \"return require 'q'\" >p.lua; echo \"return require 'p'\" >q.lua; echo \"return "
           "require 'p'\" "
           ">bad.lua",
           "q.lua:1: ");
    expect(INVALID, "ln -s bad.lua bad.lua; \"$OROGRAPH\" check d.oro");
    still_renders();
}

/* Files whose names mean something else, or nothing. */
TEST_WITH(names, make_documents, remove_folder)
{
    static const char *const ids[] = {"noise", "graph", "lua", "Höhe", "a b", ".hidden", "", "x\\ny", "9"};
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++)
        expect(DONE, "echo 'while true do end' >\"$(printf '%s').lua\"", ids[i]);
    expect(DONE, "\"$OROGRAPH\" nodes");
    says_not("left out");
    check_measure("names");
    still_renders();
    expect(DONE, "\"$OROGRAPH\" nodes noise && \"$OROGRAPH\" check plain.oro");
    static const char *const types[] = {"lua", "graph", "Höhe", "a b", ".hidden", "../bad", "sub/bad"};
    expect(DONE, "mkdir -p sub && cp lua.lua sub/bad.lua && cp lua.lua ../bad.lua");
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        char text[500];
        snprintf(text, sizeof text, HEAD "<node id=\"x\" type=\"%s\"/>\n" TAIL, types[i]);
        write_file("t.oro", text);
        expect(INVALID, "\"$OROGRAPH\" check t.oro");
        says("t.oro:3: error ");
        says_not("takes "); /* not run */
        check_measure(types[i]);
    }
    expect(DONE, "rm ../bad.lua");
}

FIXTURE(make_documents)
{
    if (make_folder(state) != 0)
        return -1;
    write_file("plain.oro", HEAD
               "<world extent=\"3200\" resolution=\"64\"/>\n<interface><out name=\"f\" from=\"n.field\"/>"
               "</interface>\n<node id=\"n\" type=\"noise\"/>\n" TAIL);
    write_file("d.oro", HEAD
               "<world extent=\"3200\" resolution=\"64\"/>\n<node id=\"n\" type=\"noise\"/>\n<node id=\"x\" "
               "type=\"bad\"><in name=\"terrain\" from=\"n.field\"/></node>\n" TAIL);
    return 0;
}

/* Each ends after its own limit; so many of them would take minutes. */
TEST(many_together)
{
    expect(DONE, "{ echo \"<orograph xmlns='urn:orograph:1' version='1'>\"; for i in $(seq 2000); do echo "
                 "\"<node id='n$i' type='lua'><script>"
                 "local x = $i while true do end</script></node>\"; done; echo '</orograph>'; } >many.oro");
    expect(INVALID, "\"$OROGRAPH\" check many.oro");
    says("the scripts before it took more than");
    check_measure("2000 endless scripts");
    expect(DONE, "rm many.oro");
}
