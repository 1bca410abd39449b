/* Scripts as nodes: errors are told in one line, with the place. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cli/support.h"
#include "tests/support/test.h"

/* The node x stands in line 9. */
#define DOCUMENT(x)                                                                                          \
    HEAD "  <world extent=\"3200\" resolution=\"32\"/>\n  <node id=\"n\" type=\"noise\"/>\n"                 \
         "  <node id=\"good\" type=\"export\">\n    <in name=\"terrain\" from=\"n.field\"/>\n    <in "       \
         "name=\"file\" value=\"good.r32\"/>\n  </node>\n" x                                                 \
         "  <node id=\"out\" type=\"export\">\n    <in name=\"terrain\" from=\"x.terrain\"/>\n    <in "      \
         "name=\"file\" value=\"bad.r32\"/>\n  </node>\n" TAIL
#define USE "  <node id=\"x\" type=\"bad\">\n    <in name=\"terrain\" from=\"n.field\"/>\n  </node>\n"
#define SCRIPT(text)                                                                                         \
    "return {\n  id = 'bad', inputs = { { name = 'terrain', type = 'field' } }, outputs = { { name = "       \
    "'terrain' } },\n" text "}\n"

static void set_up(const char *script)
{
    write_file("d.oro", DOCUMENT(USE));
    write_file("bad.lua", script);
    expect(DONE, "rm -f *.r32 *.json");
}

/* Found while the node is evaluated: the other output is there. */
static void fails_as(const char *script, const char *message)
{
    set_up(script);
    expect(DONE, "\"$OROGRAPH\" check d.oro");
    expect(FAILED, "\"$OROGRAPH\" render d.oro 2>&1 >/dev/null");
    says("d.oro:9: node 'x': ");
    says(message);
    char *line = strstr(output, "orograph: d.oro:9");
    assert_true(line && strchr(line, '\n') == line + strlen(line) - 1); /* one line, the last */
    expect(DONE, "test -e good.r32 && test ! -e bad.r32");
}

/* Found while the script is read. */
static void broken_as(const char *script, const char *message)
{
    set_up(script);
    for (int i = 0; i < 2; i++) {
        expect(INVALID, i ? "\"$OROGRAPH\" render d.oro" : "\"$OROGRAPH\" check d.oro");
        says("d.oro:9: error [bad-script]: node 'x': ");
        says(message);
    }
    says("'out' is left out: ");
    expect(DONE, "test -e good.r32 && test ! -e bad.r32");
}

TEST_WITH(cells, make_folder, remove_folder)
{
    fails_as(SCRIPT("cell = function(x, y, f, p)\n  return f.terrain(x, y) + nil\nend,\n"),
             "bad.lua:4: attempt to perform arithmetic on a nil value (cell 0, 0)");
    fails_as(
        SCRIPT(
            "cell = function(x, y, f, p)\n  if x + y == 9 then\n    error('no')\n  end\n  return 1\nend,\n"),
        "bad.lua:5: no (cell 9, 0)");
    fails_as(SCRIPT("cell = function(x, y, f, p)\n  error('two\\nlines')\nend,\n"), "bad.lua:4: two");
    fails_as(SCRIPT("cell = function(x, y, f, p)\nend,\n"), "bad.lua:3: 'cell' gives 0 values");
    fails_as(SCRIPT("cell = function(x, y, f, p)\n  return y / 0\nend,\n"), "output 'terrain' is nan");
    fails_as(SCRIPT("field = function(f, p)\n\n  return f.terain + 1\nend,\n"),
             "bad.lua:5: there is no input 'terain'; did you mean 'terrain'?");
    fails_as(SCRIPT("cell = function(x, y, f, p)\n  return p.hieght\nend,\n"),
             "bad.lua:4: there is no input 'hieght' (cell 0, 0)");
    fails_as(SCRIPT("field = function(f, p)\n  return\nend,\n"), "bad.lua:3: 'field' gives 0 values");
}

TEST_WITH(kernels, make_folder, remove_folder)
{
    fails_as(SCRIPT("kernel = [[\nvoid cell(ivec2 p) {\n  set_terrain(p, terain_at(p));\n}\n]],\n"),
             "bad.lua:5: ");
    fails_as(
        "local before = 1 + 1; local text = [=[void cell(ivec2 p) {\n\n  set_terrain(p, a);\n}]=]\n\n" SCRIPT(
            "kernel = text,\n"),
        "bad.lua:3: ");
    /* The same text may stand in a file of another system; and in a document's script. */
    set_up(SCRIPT("-- more\nkernel = [[\nvoid cell(ivec2 p) {\n\n\n  set_terrain(p, a);\n}\n]],\n"));
    expect(FAILED, "sed -i 's/$/\\r/' bad.lua && \"$OROGRAPH\" render d.oro");
    says("d.oro:9: node 'x': ");
    says("bad.lua:8: ");
    says_not("\r");
    /* Of several files, the faulty one is named. */
    fails_as(SCRIPT("kernel = {\n  a = [[\nvoid cell(ivec2 p) { set_terrain(p, 1.0); }\n]],\n  b = [[\nvoid "
                    "cell(ivec2 p) {\n"
                    "  set_terrain(p, a);\n}\n]],\n},\npasses = { 'a', 'b' },\n"),
             "bad.lua:9: ");
    /* If the text is not in the file literally, lines are counted in the script itself. */
    fails_as(SCRIPT("kernel = 'void cell(ivec2 p) {' .. '\\n\\n  set_terrain(p, a); }',\n"),
             "kernel 'kernel':3: ");
    fails_as(SCRIPT("kernel = [[\nvoid cell(ivec2 p) {\n  set_terrain(p + 1, 1.0);\n}\n]],\n"),
             "a cell may set only itself");
}

TEST_WITH(graphs, make_folder, remove_folder)
{
    static const struct {
        const char *script, *message;
    } wrong[] = {
        {SCRIPT("graph = function(b, p)\n\n  return b.noize{}\nend,\n"),
         "bad.lua:5: there is no node type 'noize'"},
        {SCRIPT("graph = function(b, p)\n  return b.noise{ amplitde = 5 }\nend,\n"),
         "did you mean 'amplitude'?"},
        {SCRIPT("graph = function(b, p)\n  return b.noise{ amplitude = 'high' }\nend,\n"), "bad.lua:4: "},
        {SCRIPT("graph = function(b, p)\n  return b.noise{ octaves = 500 }\nend,\n"),
         "bad.lua:4: 'octaves' of 'noise': "},
        {SCRIPT("graph = function(b, p)\n  return b.terrace(p.terrain)\nend,\n"),
         "bad.lua:4: 'terrace' takes one table of inputs: b.terrace{"},
        {SCRIPT("graph = function(b, p)\n  return b:noise{}\nend,\n"), "bad.lua:4: 'noise' takes one table"},
        {SCRIPT("graph = function(b, p)\n  return b.terrace{ p.terrain }\nend,\n"), "are given by name"},
        {SCRIPT("graph = function(b, p)\n  return b.noise{}.filed\nend,\n"),
         "bad.lua:4: 'noise' has no output 'filed'; did you mean 'field'?"},
        {SCRIPT("graph = function(b, p)\n  return b.terrace{ terrain = p.terain }\nend,\n"),
         "bad.lua:4: there is no input 'terain'; did you mean 'terrain'?"},
        {SCRIPT("graph = function(b, p)\n  return p.terrain + 5\nend,\n"), "bad.lua:4: what is linked"},
        {SCRIPT("graph = function(b, p)\n  b.noise{}\nend,\n"), "gives nothing for its output 'terrain'"},
        {SCRIPT("graph = function(b, p)\n  return b.terrace{}\nend,\n"),
         "bad.lua:4: 'terrace' needs 'terrain'"},
        {SCRIPT("graph = function(b, p)\n  return b.export{ terrain = p.terrain }\nend,\n"),
         "'export' writes files"},
        {SCRIPT("graph = function(b, p)\n  return b.lost{}\nend,\n"), "bad.lua:4: part.lua:2: "},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        set_up(wrong[i].script);
        write_file("lost.lua", "local a = require 'part'\nreturn a\n");
        write_file("part.lua", "return 1 +\n");
        expect(FAILED, "\"$OROGRAPH\" render d.oro -o 1.r32 --output x.terrain");
        says("d.oro:9: node 'x': ");
        says(wrong[i].message);
        expect(DONE, "\"$OROGRAPH\" render d.oro -o 1.r32 --output n.field");
        expect(INVALID, "\"$OROGRAPH\" render d.oro"); /* outputs that do not need it are written */
        says("'out' is left out: ");
        says(wrong[i].message);
        expect(DONE, "test -e good.r32 && test ! -e bad.r32");
    }
}

TEST_WITH(broken_scripts, make_folder, remove_folder)
{
    broken_as("return {\n", "bad.lua:2: ");
    broken_as("\n\nretrun {}\n", "bad.lua:3: ");
    broken_as("", "bad.lua: it must return a table");
    broken_as("return {\n id = 'bad',\n inputs = { { name = 'height', type = 'floot' } },\n outputs = { { "
              "name = 'terrain' } "
              "}, cell = print }\n",
              "bad.lua:3: input 'height': there is no type 'floot'; did you mean 'float'?");
    broken_as("return { id = 'bad', kernal = '' }\n", "there is no 'kernal'; did you mean 'kernel'?");
    broken_as(SCRIPT("kernel = [[\nvoid cell(ivec2 p) {\n  terrain[0] = 1.0;\n}\n]],\n"), "bad.lua:5: ");
    broken_as("\nlocal a = require 'gone'\n" SCRIPT("cell = a,\n"), "bad.lua:2: cannot read 'gone.lua'");
    broken_as("local a = require '../gone'\n" SCRIPT("cell = a,\n"), "bad.lua:1: ");
    write_file("part.lua", "local a = 1\nlocal = 2\n");
    broken_as("local a = require 'part'\n" SCRIPT("cell = a,\n"), "part.lua:2: ");
}

/* A script within a document: the lines are the document's. */
TEST_WITH(within, make_folder, remove_folder)
{
    static const char *const scripts[] = {
        "  cell = function(x, y, f, p)\n    return f.terrain(x, y) + nil\n  end,\n",
        "  kernel = [[\nvoid cell(ivec2 p) { set_terrain(p, a); }\n]],\n",
    };
    for (int i = 0; i < 2; i++) {
        char text[2000];
        snprintf(
            text, sizeof text,
            DOCUMENT("  <node id=\"x\" type=\"lua\">\n    <script><![CDATA[return {\n  inputs = { { name = "
                     "'terrain', "
                     "type = 'field' } },\n  outputs = { { name = 'terrain' } },\n%s}]]></script>\n    <in "
                     "name=\"terrain\" from=\"n.field\"/>\n  </node>\n"),
            scripts[i]);
        write_file("d.oro", text);
        expect(FAILED, "\"$OROGRAPH\" render d.oro");
        says("d.oro:9: node 'x': ");
        says("d.oro:14: ");
        expect(DONE, "test -e good.r32 && test ! -e bad.r32");
    }
    expect(DONE, "sed -i '12s/$/ bad = 5,/' d.oro");
    expect(INVALID, "\"$OROGRAPH\" check d.oro");
    says("d.oro:9: error [bad-script]: node 'x': ");
    says("there is no 'bad'");
    expect(DONE, "sed -i '12s/ bad = 5,/ =/' d.oro");
    expect(INVALID, "\"$OROGRAPH\" check d.oro");
    says("d.oro:12: ");
}

/* Links to what a script no longer has, and from it. */
TEST_WITH(other_outputs, make_folder, remove_folder)
{
    set_up(SCRIPT("cell = function() return 1 end,\n"));
    expect(DONE, "\"$OROGRAPH\" render d.oro && test -e bad.r32");
    replace("bad.lua", "outputs = { { name = 'terrain'", "outputs = { { name = 'ground'");
    expect(INVALID, "\"$OROGRAPH\" check d.oro");
    says("d.oro:13: error [unknown-output]: node 'out': input 'terrain' is linked to 'x.terrain', but 'bad' "
         "has no such output");
    replace("bad.lua", "outputs = { { name = 'ground'", "outputs = { { name = 'terrain'");
    replace("bad.lua", "inputs = { { name = 'terrain'", "inputs = { { name = 'ground'");
    expect(INVALID, "\"$OROGRAPH\" check d.oro");
    says("d.oro:10: error [unknown-input]: node 'x': ");
    says("[missing-input]: node 'x': ");
}
