/* Scripts as nodes: where they are found, what depends on their changes, and how commands treat them. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include "tests/cli/support.h"
#include "tests/support/test.h"

#define LIFT(id, extra)                                                                                      \
    "return {\n  id = '" id "', doc = 'Lifts the ground. By how much is told.',\n"                           \
    "  inputs = { { name = 'terrain', type = 'field' }, { name = 'height', type = 'float', default = 50 } "  \
    "},\n"                                                                                                   \
    "  outputs = { { name = 'terrain' } },\n" extra                                                          \
    "  cell = function(x, y, f, p) return f.terrain(x, y) + p.height end,\n}\n"

#define WORLD "  <world extent=\"3200\" resolution=\"32\"/>\n"
#define NODE(id, type, inputs) "  <node id=\"" id "\" type=\"" type "\" version=\"1\">\n" inputs "  </node>\n"
#define LINK(name, from) "    <in name=\"" name "\" from=\"" from "\"/>\n"
#define SET(name, value) "    <in name=\"" name "\" value=\"" value "\"/>\n"
#define OUT(from) "  <interface>\n    <out name=\"f\" from=\"" from "\"/>\n  </interface>\n"
#define HILLS "  <node id=\"n\" type=\"noise\" version=\"1\"/>\n"

/* ---- Found ---- */

TEST_WITH(in_a_library, make_folder, remove_folder)
{
    expect(DONE, "mkdir shared work");
    write_file("shared/lift.lua", LIFT("lift", "  category = 'mine',\n"));
    write_file("shared/broken.lua", "return {\n  id = }\n");
    write_file("shared/noise.lua", LIFT("noise", ""));
    write_file("work/d.oro",
               HEAD WORLD OUT("l.terrain") HILLS NODE("l", "lift", LINK("terrain", "n.field")) TAIL);
    expect(DONE, "cd work && OROGRAPH_PATH=$PWD/../shared \"$OROGRAPH\" nodes");
    says("mine\n  lift ");
    says("Lifts the ground. (");
    says("/lift.lua, not read)\n");
    says("/broken.lua, not read)\n");
    assert_int_equal(count("  noise  "), 1); /* a node that is built in hides the script */
    expect(DONE, "cd work && OROGRAPH_PATH=$PWD/../shared \"$OROGRAPH\" nodes --format json 2>/dev/null");
    says("\"id\": \"lift\"");
    says("\"unread\": true");
    says("shared/lift.lua\"");
    expect(DONE, "cd work && OROGRAPH_PATH=$PWD/../shared \"$OROGRAPH\" nodes --format markdown");
    says("### lift");
    says("Not read for this list: `");
    says_not("lift.oro");
    expect(DONE, "cd work && OROGRAPH_PATH=$PWD/../shared \"$OROGRAPH\" nodes --search 'lifts ground'");
    says("lift ");
    expect(DONE, "cd work && OROGRAPH_PATH=$PWD/../shared \"$OROGRAPH\" nodes lift");
    says("lift  (mine, version 1)");
    says("By how much is told.");
    says("height  (float, default 50");
    expect(INVALID, "cd work && OROGRAPH_PATH=$PWD/../shared \"$OROGRAPH\" nodes broken");
    says("broken.lua:2: ");
    expect(USAGE, "cd work && \"$OROGRAPH\" nodes lift");
    expect(INVALID, "\"$OROGRAPH\" check work/d.oro");
    says("work/d.oro:8: error [unknown-type]: node 'l': there is no node type 'lift'");
    expect(DONE, "OROGRAPH_PATH=$PWD/shared \"$OROGRAPH\" check work/d.oro");
    expect(DONE, "OROGRAPH_PATH=$PWD/shared \"$OROGRAPH\" render work/d.oro -o 1.r32");
    expect(DONE, "OROGRAPH_PATH=$PWD/shared \"$OROGRAPH\" render work/d.oro --set l.height=51 -o 2.r32");
    expect(1, "cmp 1.r32 2.r32");
    /* Beside the document comes first. */
    expect(DONE, "cp shared/lift.lua work/ && sed -i 's/+ p.height/+ p.height + 1/' work/lift.lua");
    expect(DONE, "OROGRAPH_PATH=$PWD/shared \"$OROGRAPH\" render work/d.oro -o 3.r32 && cmp 2.r32 3.r32");
}

/* Lua resolves __call in C, where nothing counts its steps. */
#define HANGS "local m = {} local t = setmetatable({}, m) m.__call = t setmetatable(t, m) t()\n"

/* A script that merely lies there is listed, and not run; nor is one that a graph of a library leads to. */
TEST_WITH(not_asked_for, make_folder, remove_folder)
{
    static const char *const commands[] = {
        "nodes",       "nodes --format json",   "nodes --format markdown", "nodes --search hangs",
        "library",     "library --format json", "nodes --search leads",    "preset list",
        "check d.oro", "run batch.lua"};
    write_file("hangs.lua", "-- Made to hang.\n" HANGS);
    write_file("d.oro", HEAD WORLD HILLS TAIL);
    write_file("batch.lua", "print(#orograph.open('d.oro'):nodes())\n");
    write_file("leads.oro", HEAD OUT("h.f") NODE("h", "hangs", "") TAIL);
    expect(DONE, "mkdir -p presets/hangs && cp leads.oro presets/hangs/p.oro && cp hangs.lua presets/hangs/");
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        expect(DONE, "OROGRAPH_PATH=$PWD timeout -s KILL 60 \"$OROGRAPH\" %s >out.txt", commands[i]);
    expect(DONE, "OROGRAPH_PATH=$PWD \"$OROGRAPH\" nodes");
    says("Made to hang. (");
    says("hangs.lua, not read)");
    expect(FAILED, "\"$OROGRAPH\" nodes hangs"); /* asked for by its name, it is read */
    says("hangs.lua:");
    says_not("no memory");
    expect(DONE, "OROGRAPH_PATH=$PWD \"$OROGRAPH\" library");
    says("  leads ");
    expect(DONE, "OROGRAPH_PATH=$PWD \"$OROGRAPH\" preset list");
    says("hangs  ");
}

/* ---- Trusted ---- */

/* What is trusted is named, holds for these bytes alone, and takes in graphs and modules. */
TEST_WITH(trusted, make_folder, remove_folder)
{
    char place[500];
    expect(DONE, "mkdir -p state sub/lib");
    assert_non_null(getcwd(place, sizeof place - 6));
    setenv("XDG_STATE_HOME", strcat(place, "/state"), 1);
    write_file("lift.lua", LIFT("lift", ""));
    write_file("sub/drop.lua", "local p = require(\"lib.part\")\n" LIFT("drop", ""));
    write_file("sub/lib/part.lua", "return 1\n");
    write_file("sub/g.oro", HEAD OUT("l.terrain") HILLS NODE("l", "drop", LINK("terrain", "n.field")) TAIL);
    write_file(
        "d.oro",
        HEAD WORLD HILLS NODE(
            "l", "lift",
            LINK("terrain", "n.field")) "  <node id=\"g\" type=\"graph\" href=\"sub/g.oro\" version=\"1\"/>\n"
                                        "  <node id=\"own\" type=\"lua\" version=\"1\"><script>return "
                                        "{}</script></node>\n" TAIL);
    expect(DONE, "\"$OROGRAPH\" trust --list");
    assert_int_equal(count("\n"), 0);
    expect(DONE, "\"$OROGRAPH\" trust d.oro");
    assert_int_equal(count("\n"), 4);
    says("/lift.lua\n");
    says("/sub/drop.lua\n");
    says("/sub/lib/part.lua\n");
    says("/d.oro: node 'own'\n");
    expect(DONE, "\"$OROGRAPH\" trust --list | grep -q \"^$(sha256sum <lift.lua | cut -c1-64)\"");
    expect(DONE, "\"$OROGRAPH\" nodes");
    says("Lifts the ground.\n"); /* it is read */
    expect(DONE, "echo >>lift.lua; \"$OROGRAPH\" nodes");
    says("lift.lua, not read)");
    expect(DONE, "cd sub && \"$OROGRAPH\" nodes");
    says_not("drop.lua, not read)");
    expect(DONE, "cd sub && echo >>lib/part.lua && \"$OROGRAPH\" nodes");
    says("drop.lua, not read)"); /* a module of it is not trusted any more */
    expect(DONE, "printf 'return 1\\n' >sub/lib/part.lua");
    expect(DONE, "\"$OROGRAPH\" trust --forget sub/drop.lua && \"$OROGRAPH\" trust --list");
    assert_int_equal(count("\n"), 2);
    expect(DONE, "\"$OROGRAPH\" trust --forget d.oro && \"$OROGRAPH\" trust --list");
    assert_int_equal(count("\n"), 1); /* the older text of lift.lua */
    expect(DONE, "\"$OROGRAPH\" trust --forget lift.lua && \"$OROGRAPH\" trust --list");
    assert_int_equal(count("\n"), 0);
    expect(USAGE, "\"$OROGRAPH\" trust --forget lift.lua");
    expect(USAGE, "\"$OROGRAPH\" trust");
    expect(INVALID, "\"$OROGRAPH\" trust none.lua");
    expect(DONE, "rm -r state && mkdir -p state/orograph/trusted");
    expect(FAILED, "\"$OROGRAPH\" trust lift.lua");
    says("warning: no script counts as trusted: ");
    unsetenv("XDG_STATE_HOME");
}

/* ---- Changed ---- */

static const char chain[] = HEAD "  <world extent=\"3200\" resolution=\"1024\"/>\n" OUT(
    "s.field") "  <node id=\"n\" type=\"noise\" version=\"1\">\n" SET("feature", "4000")
    SET("method", "worley") SET("octaves", "16") "  </node>\n" NODE("l", "lift", LINK("terrain", "n.field"))
        NODE("s", "slope", LINK("terrain", "l.terrain")) NODE("other", "lift2", LINK("terrain", "n.field"))
            NODE("e", "export", LINK("terrain", "other.terrain") SET("file", "other.r32")) TAIL;

static char keys[2][4][64]; /* before and now: n, l, s, other */

static void render_chain(void)
{
    static const char *const ids[] = {"n", "l", "s", "other"};
    expect(
        DONE,
        "\"$OROGRAPH\" render d.oro -o s.r32 --report s.json && \"$OROGRAPH\" render d.oro --report o.json");
    memcpy(keys[0], keys[1], sizeof keys[0]);
    for (int i = 0; i < 4; i++)
        snprintf(keys[1][i], sizeof keys[1][i], "%s",
                 step_member(i < 3 ? "s.json" : "o.json", ids[i], "key"));
}

/* Which of the four have other keys than before, as in "-ls-". */
static void changed(const char *wanted)
{
    char found[] = "----";
    static const char letters[] = "nlso";
    render_chain();
    for (int i = 0; i < 4; i++)
        if (strcmp(keys[0][i], keys[1][i]) != 0)
            found[i] = letters[i];
    assert_string_equal(found, wanted);
    /* Costly results come from the disk, whichever command asks for them. */
    assert_string_equal(step_member("s.json", "n", "outcome"), "disk");
    assert_string_equal(step_member("o.json", "n", "outcome"), "disk");
}

TEST_WITH(what_changes, make_folder, remove_folder)
{
    write_file("d.oro", chain);
    write_file("lift.lua", LIFT("lift", "  -- a comment\n"));
    write_file("lift2.lua", "local more = require 'lib.more'\n" LIFT("lift2", "  version = more,\n"));
    expect(DONE, "mkdir lib && echo 'return 1' >lib/more.lua");
    render_chain();
    changed("----");
    expect(DONE, "touch lift.lua lib/more.lua");
    changed("----");
    expect(DONE, "cp lift.lua x && mv x lift.lua");
    changed("----");
    replace("lift.lua", "+ p.height", "+ 2 * p.height");
    changed("-ls-");
    replace("lift.lua", "+ 2 * p.height", "+ p.height");
    changed("-ls-");
    /* The whole text of a script counts, with its comments, since nothing less tells what it means. */
    replace("lift.lua", "a comment", "another comment");
    changed("-ls-");
    expect(DONE, "sed -i 's/$/\\r/' lift.lua"); /* line ends do not */
    changed("----");
    expect(DONE, "echo 'return  1' >lib/more.lua");
    changed("---o");
    expect(DONE, "echo 'return 1' >lib/less.lua"); /* a script that nothing uses */
    changed("----");
    expect(DONE, "mkdir away && mv d.oro lift.lua lift2.lua lib away && cd away && \"$OROGRAPH\" render "
                 "d.oro -o s.r32 "
                 "--report ../s.json");
    assert_string_equal(step_member("s.json", "l", "key"), keys[1][1]);
}

/* Only what a graph's script builds counts, not how. */
TEST_WITH(a_built_graph, make_folder, remove_folder)
{
    write_file("pair.lua",
               "-- first\nreturn {\n  id = 'pair', inputs = { { name = 'height', type = 'float', default = "
               "50 } }, outputs = { { name = 'a' } },\n"
               "  graph = function(b, p)\n    local n = b.noise{ amplitude = p.height }\n"
               "    return b.terrace{ terrain = n, spacing = 20 }\n  end,\n}\n");
    write_file("d.oro", HEAD WORLD OUT("p.a") NODE("p", "pair", SET("height", "70")) TAIL);
    char before[2][64];
    expect(DONE, "\"$OROGRAPH\" render d.oro -o 1.r32 --report r.json");
    snprintf(before[0], sizeof before[0], "%s", step_member("r.json", "p/noise", "key"));
    snprintf(before[1], sizeof before[1], "%s", step_member("r.json", "p/terrace", "key"));
    replace("pair.lua", "-- first", "-- second");
    replace("pair.lua", "spacing = 20", "spacing = 4 * 5");
    expect(DONE, "\"$OROGRAPH\" render d.oro -o 2.r32 --report r.json && cmp 1.r32 2.r32");
    assert_string_equal(step_member("r.json", "p/noise", "key"), before[0]);
    assert_string_equal(step_member("r.json", "p/terrace", "key"), before[1]);
    replace("pair.lua", "4 * 5", "4 * 6");
    expect(DONE, "\"$OROGRAPH\" render d.oro -o 2.r32 --report r.json");
    assert_string_equal(step_member("r.json", "p/noise", "key"), before[0]);
    assert_string_not_equal(step_member("r.json", "p/terrace", "key"), before[1]);
}

/* Random numbers in a graph's script are seeded as in other nodes: another seed of the world gives another
 * variant. */
TEST_WITH(chance_in_a_built_graph, make_folder, remove_folder)
{
    write_file("draw.lua", "return {\n  id = 'draw', inputs = { { name = 'seed', type = 'seed' } },\n"
                           "  outputs = { { name = 'a' } },\n  graph = function(b, p)\n"
                           "    print('drawn', math.random(1000000000), p.seed)\n"
                           "    return b.noise{ seed = p.seed }\n  end,\n}\n");
    write_file("d.oro", HEAD WORLD OUT("d.a") NODE("d", "draw", SET("seed", "5")) TAIL);
    expect(DONE, "for s in 1 2 1; do \"$OROGRAPH\" render d.oro --seed $s -o a.r32 2>&1 | grep drawn "
                 ">>drawn; done; cat drawn");
    assert_int_equal(count("\t5\n") + count(" 5\n"), 3); /* parts mix it themselves */
    expect(DONE, "sort -u drawn | wc -l");
    says("2\n");
    write_file("d.oro", HEAD WORLD OUT("d.a") NODE("d", "draw", SET("seed", "6")) TAIL);
    expect(DONE, "\"$OROGRAPH\" render d.oro --seed 1 -o a.r32 2>&1 | grep drawn >>drawn; sed 's/.$//' "
                 "drawn | sort -u | wc -l");
    says("3\n");
}

/* A kernel's included files count as its text, so that no older result is used. */
TEST_WITH(an_included_file_changes, make_folder, remove_folder)
{
    static const char *const texts[] = {"float hash_unit(uint h) { return 0.25; }\n",
                                        "float hash_unit(uint h) { return 0.75; }\n"};
    expect(DONE, "mkdir -p shaders/lib");
    write_file("level.lua", "return { id = 'level', outputs = { { name = 'terrain' } }, kernel = [[\n"
                            "#include \"lib/hash.glsl\"\n"
                            "void cell(ivec2 p) { set_terrain(p, hash_unit(1u)); }\n]] }\n");
    write_file("d.oro", HEAD WORLD OUT("l.terrain") NODE("l", "level", "") TAIL);
    for (int i = 0; i < 2; i++) {
        size_t length;
        write_file("shaders/lib/hash.glsl", texts[i]);
        expect(DONE, "\"$OROGRAPH\" render d.oro --shader-dir shaders -o level.r32");
        float *cells = read_floats("level.r32", &length);
        assert_true(cells[0] == (i ? 0.75f : 0.25f));
        free(cells);
    }
}

TEST_WITH(a_new_version, make_folder, remove_folder)
{
    write_file("lift.lua", LIFT("lift", ""));
    write_file("d.oro", HEAD WORLD OUT("l.terrain")
                            HILLS NODE("l", "lift", LINK("terrain", "n.field") SET("height", "70")) TAIL);
    expect(DONE, "\"$OROGRAPH\" render d.oro -o 1.r32");
    write_file("lift.lua",
               "return {\n  id = 'lift', version = 3,\n"
               "  inputs = { { name = 'terrain', type = 'field' }, { name = 'raise', type = 'float', default "
               "= 1 } },\n"
               "  outputs = { { name = 'terrain' } },\n"
               "  migrations = { { from = 1, old = 'height', new = 'up' }, { from = 2, old = 'up', new = "
               "'raise' }, { from = 2, old = 'gone' } },\n"
               "  cell = function(x, y, f, p) return f.terrain(x, y) + p.raise end,\n}\n");
    expect(DONE, "\"$OROGRAPH\" check d.oro");
    says("d.oro:8: notice [migrated]: node 'l': 'lift' was brought from version 1 to version 3; results may "
         "differ");
    expect(DONE, "\"$OROGRAPH\" render d.oro -o 2.r32 && cmp 1.r32 2.r32");
    expect(DONE, "\"$OROGRAPH\" flatten d.oro --nodes , -o new.oro");
    expect(DONE, "\"$OROGRAPH\" check new.oro");
    says_not("notice");
    expect(DONE, "sed -e 's/\"lift\" version=\"1\">/\"lift\" version=\"3\">/' -e 's/\"height\"/\"raise\"/' "
                 "d.oro | cmp - new.oro");
    write_file("lift.lua", LIFT("lift", "")); /* the older script again */
    expect(INVALID, "\"$OROGRAPH\" check new.oro");
    says("new.oro:8: error [newer-type]: node 'l': it was written by version 3 of 'lift'");
    says("of 'lift', and the script has version 1; a newer one is needed");
}

/* ---- Commands ---- */

#define STEPS(factor)                                                                                        \
    "  <node id=\"i\" type=\"lua\" version=\"1\">\n    <script><![CDATA[return {\n"                          \
    "  inputs = { { name = \"terrain\", type = \"field\" }, { name = \"seed\", type = \"seed\" },\n"         \
    "    { name = \"up\", type = \"float\", default = 5 } },\n"                                              \
    "  outputs = { { name = \"terrain\" } },\n"                                                              \
    "  -- ]] > & < \"quotes\"\n"                                                                             \
    "  cell = function(x, y, f, p) return f.terrain(x, y) + " factor                                         \
    " * p.up + math.random() end,\n}]]></script>\n"                                                          \
    "    <in name=\"terrain\" from=\"l.terrain\"/>\n    <in name=\"up\" value=\"7\"/>\n  </node>\n"

static const char two[] = HEAD WORLD OUT("i.terrain")
    HILLS NODE("l", "lift", LINK("terrain", "n.field") SET("height", "70")) STEPS("2") TAIL;

TEST_WITH(commands_lose_nothing, make_folder, remove_folder)
{
    write_file("lift.lua", LIFT("lift", ""));
    write_file("d.oro", two);
    expect(DONE, "mkdir lib && \"$OROGRAPH\" render d.oro -o 0.r32");
    expect(DONE, "\"$OROGRAPH\" flatten d.oro --nodes , -o same.oro && cmp d.oro same.oro");
    expect(DONE, "\"$OROGRAPH\" info d.oro");
    says("\nl     lift");
    says("\ni     lua");
    expect(DONE, "cp d.oro g.oro && \"$OROGRAPH\" group g.oro --nodes l,i --name rock && \"$OROGRAPH\" "
                 "render g.oro -o "
                 "1.r32 && cmp 0.r32 1.r32");
    /* A group is not extracted to where it would not find its script. */
    expect(INVALID, "cp g.oro kept.oro && \"$OROGRAPH\" extract g.oro rock -o lib/rock.oro");
    says("there is no node type 'lift'");
    expect(DONE, "cmp g.oro kept.oro && test ! -e lib/rock.oro");
    write_file("lib/lift.lua", LIFT("lift", " -- another\n"));
    expect(INVALID, "\"$OROGRAPH\" extract g.oro rock -o lib/rock.oro");
    says("node 'l': its script, 'lift.lua', is not what 'lift' is from 'lib/rock.oro'");
    expect(DONE, "cmp g.oro kept.oro && test ! -e lib/rock.oro");
    expect(DONE, "cp lift.lua lib/ && \"$OROGRAPH\" extract g.oro rock -o lib/rock.oro && \"$OROGRAPH\" "
                 "render g.oro -o "
                 "1.r32 && cmp 0.r32 1.r32");
    expect(DONE,
           "\"$OROGRAPH\" flatten g.oro -o f.oro && \"$OROGRAPH\" render f.oro -o 1.r32 && cmp 0.r32 1.r32");
    expect(DONE, "cp g.oro e.oro && \"$OROGRAPH\" embed e.oro lib/rock.oro && \"$OROGRAPH\" render e.oro -o "
                 "1.r32 && cmp "
                 "0.r32 1.r32");
    /* Here its script has another meaning, and then none. */
    replace("lift.lua", "+ p.height", "- p.height");
    expect(DONE, "\"$OROGRAPH\" render g.oro -o 1.r32 && cmp 0.r32 1.r32");
    for (int i = 0; i < 2; i++) {
        expect(INVALID, "\"$OROGRAPH\" flatten g.oro -o f2.oro");
        says("node 'l': its script, 'lib/lift.lua', is not what 'lift' is from 'g.oro'");
        expect(INVALID, "\"$OROGRAPH\" embed g.oro lib/rock.oro -o f2.oro");
        expect(DONE, "test ! -e f2.oro && rm -f lift.lua");
    }
    expect(DONE, "OROGRAPH_PATH=$PWD/lib \"$OROGRAPH\" flatten g.oro -o f2.oro && cmp f.oro f2.oro");
}

/* A file that a script's input names moves like any other. */
TEST_WITH(files_of_scripts, make_folder, remove_folder)
{
    expect(DONE, "mkdir sub");
    write_file("sub/map.lua",
               "return { id = 'map', inputs = { { name = 'file', type = 'file' } }, outputs = { { name = "
               "'a' } },\n  graph = function(b, p) return b.import{ file = p.file } end }\n");
    write_file("n.oro", HEAD WORLD OUT("n.field") HILLS TAIL);
    expect(DONE, "\"$OROGRAPH\" render n.oro -o sub/m.r32");
    write_file("sub/map.oro", HEAD OUT("m.a") NODE("m", "map", SET("file", "m.r32")) TAIL);
    write_file(
        "d.oro",
        HEAD WORLD OUT("g.f") "  <node id=\"g\" type=\"graph\" href=\"sub/map.oro\" version=\"1\"/>\n" TAIL);
    expect(DONE, "\"$OROGRAPH\" render d.oro -o 0.r32");
    expect(DONE,
           "cp sub/map.lua . && \"$OROGRAPH\" flatten d.oro -o f.oro && grep -q 'value=\"sub/m.r32\"' f.oro");
    expect(DONE, "\"$OROGRAPH\" render f.oro -o 1.r32 && cmp 0.r32 1.r32");
}

TEST_WITH(fits_the_schema, make_folder, remove_folder)
{
    write_file("lift.lua", LIFT("lift", ""));
    write_file("o.oro", two);
    expect(DONE, "\"$OROGRAPH\" schema >s.rng && if which xmllint >/dev/null; then xmllint --noout --relaxng "
                 "s.rng o.oro; "
                 "fi");
}

TEST_WITH(presets, make_folder, remove_folder)
{
    expect(DONE, "mkdir data");
    write_file("lift.lua", LIFT("lift", ""));
    write_file("d.oro", two);
    expect(DONE, "export XDG_DATA_HOME=$PWD/data; \"$OROGRAPH\" preset save d.oro l high --project && "
                 "\"$OROGRAPH\" preset "
                 "list lift");
    says("high");
    expect(DONE, "cat presets/lift/high.oro");
    says("<in name=\"height\" value=\"70\"/>");
    expect(DONE, "export XDG_DATA_HOME=$PWD/data; sed 's/value=\"70\"/value=\"9\"/' d.oro >e.oro; "
                 "\"$OROGRAPH\" preset "
                 "apply e.oro l high && cmp d.oro e.oro && \"$OROGRAPH\" preset show lift high");
    says("height");
    expect(INVALID, "export XDG_DATA_HOME=$PWD/data; \"$OROGRAPH\" preset save d.oro i mine --project");
    says("node 'i' cannot have presets");
    expect(DONE, "test ! -e presets/lua");
}
