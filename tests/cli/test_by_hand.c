/* Graphs and values as people write them: versions, names, units, --set, merges. */
#include <stdio.h>

#include "tests/cli/support.h"
#include "tests/support/test.h"

#define WORLD "  <world resolution=\"32\"/>\n"
#define NODE(id, type, inputs) "  <node id=\"" id "\" type=\"" type "\">" inputs "</node>\n"
#define SET(name, value) "<in name=\"" name "\" value=\"" value "\"/>"
#define LINK(name, from) "<in name=\"" name "\" from=\"" from "\"/>"
#define HILLS NODE("hills", "noise", "")
#define RENDER "\"$OROGRAPH\" render g.oro --output %s -o %s.r32 --no-cache --device processor"

/* ---- Files ---- */

TEST_WITH(files_are_updated, make_folder, remove_folder)
{
    static const char old[] =
        "return { id = 'lift', version = 1, inputs = { { name = 'height', type = 'float', default = 1 } },"
        " outputs = { { name = 'field' } }, cell = function(x, y, f, p) return p.height end }";
    static const char present[] =
        "return { id = 'lift', version = 2, inputs = { { name = 'rise', type = 'float', default = 1 } },"
        " migrations = { { from = 1, old = 'height', new = 'rise' } },"
        " outputs = { { name = 'field' } }, cell = function(x, y, f, p) return p.rise end }";
    write_file("lift.lua", old);
    write_file("g.oro", HEAD WORLD NODE("a", "lift", SET("height", "7")) NODE("b", "lift", "")
                            NODE("c", "lift", "") TAIL);
    expect(INVALID, "\"$OROGRAPH\" update --check g.oro");
    says("g.oro: is in an older form");
    expect(DONE, "\"$OROGRAPH\" update g.oro && grep -c 'version=\"1\">\\|version=\"1\"/>' g.oro && "
                 "\"$OROGRAPH\" update --check g.oro");
    says("g.oro: updated\n4\ng.oro: is in the present form");
    expect(DONE, RENDER, "a.field", "1");
    write_file("lift.lua", present);
    expect(DONE, "\"$OROGRAPH\" check g.oro");
    assert_int_equal(count("notice [migrated]"), 1); /* of three nodes */
    says("'lift' was brought from version 1 to version 2 here and in 2 more nodes");
    expect(DONE,
           "\"$OROGRAPH\" update g.oro && grep 'name=\"rise\" value=\"7\"' g.oro && \"$OROGRAPH\" check "
           "g.oro && " RENDER " && cmp 1.r32 2.r32",
           "a.field", "2");
    assert_int_equal(count("notice [migrated]"), 1); /* by update itself */
}

/* A file with errors is left as it is, and others are updated all the same. */
TEST_WITH(what_cannot_be_updated, make_folder, remove_folder)
{
    write_file("bad.oro", HEAD NODE("a", "nois", "") TAIL);
    write_file("xml.oro", "<orograph");
    write_file("good.oro", HEAD HILLS TAIL);
    expect(DONE, "cp bad.oro kept.oro");
    expect(INVALID, "\"$OROGRAPH\" update bad.oro xml.oro gone.oro good.oro");
    says("did you mean 'noise'?");
    says("good.oro: updated");
    expect(DONE, "cmp bad.oro kept.oro && test \"$(cat xml.oro)\" = '<orograph' && test ! -e gone.oro");
    expect(USAGE, "\"$OROGRAPH\" update -");
}

TEST_WITH(a_merge_that_git_left, make_folder, remove_folder)
{
    static const char *const sides[] = {
        HEAD WORLD "<<<<<<< HEAD\n" HILLS "=======\n" NODE("hills", "bumps", "") ">>>>>>> other\n" TAIL,
        HEAD WORLD "  <node id=\"n\" type=\"noise\">\n<<<<<<< ours\n" SET("seed", "1") "\n||||||| base\n" SET(
            "seed", "2") "\n=======\n" SET("seed", "3") "\n>>>>>>> theirs\n</node>" TAIL,
        "<<<<<<< HEAD\n" HEAD TAIL "=======\n" HEAD TAIL ">>>>>>> x\n"};
    static const int lines[] = {4, 5, 1};
    for (int i = 0; i < 3; i++) {
        char line[80];
        write_file("g.oro", sides[i]);
        expect(INVALID, "\"$OROGRAPH\" check g.oro");
        snprintf(line, sizeof line, "g.oro:%d: error [merge-conflict]: git could not merge here", lines[i]);
        says(line);
        says("1 error in 1 of 1 file");
    }
    /* Such lines may stand where any text may. */
    write_file("g.oro", HEAD "<!--\n<<<<<<< HEAD\n=======\n-->\n" HILLS TAIL);
    expect(DONE, "\"$OROGRAPH\" check g.oro");
}

TEST_WITH(numbers_with_units, make_folder, remove_folder)
{
    static const char *const wrong[][2] = {
        {HEAD "<world extent=\"20 km\"/>\n" HILLS TAIL, "extent: '20 km' is not a number (write 20000)"},
        {HEAD "<world extent=\"1,5km\"/>\n" HILLS TAIL, "(write 1500)"},
        {HEAD NODE("n", "noise", SET("feature", "2.5 km")) TAIL,
         "input 'feature': '2.5 km' is not a number (write 2500)"},
        {HEAD "<variable name=\"h\" value=\"100 ft\"/>\n" HILLS TAIL, "(write 30.48)"},
        {HEAD NODE("n", "noise", SET("amplitude", "30 m")) TAIL, "(write 30)"},
        {HEAD NODE("n", "noise", SET("amplitude", "3 furlongs")) TAIL, "'3 furlongs' is not a number"}};
    for (int i = 0; i < 6; i++) {
        write_file("g.oro", wrong[i][0]);
        expect(INVALID, "\"$OROGRAPH\" check g.oro");
        says(wrong[i][1]);
    }
    says_not("(write");
}

/* What a node works on is its terrain or its field, whichever the one is that it has. */
TEST_WITH(terrain_and_field, make_folder, remove_folder)
{
    static const char *const types[] = {"blur", "warp", "transform", "normalize", "remap", "terrace"};
    for (int i = 0; i < 6; i++) {
        char text[1000];
        for (int k = 0; k < 2; k++) {
            const char *own = k ? "field" : "terrain", *other = k ? "terrain" : "field";
            snprintf(text, sizeof text,
                     HEAD WORLD "<interface><out name=\"o\" from=\"n.%s\"/></interface>\n" HILLS NODE(
                         "n", "%s", LINK("%s", "hills.%s"))
                         NODE("sum", "combine", LINK("a", "n.%s") LINK("b", "hills.field")) TAIL,
                     own, types[i], own, other, own);
            write_file("g.oro", text);
            expect(DONE, "\"$OROGRAPH\" check g.oro && \"$OROGRAPH\" update g.oro && cp g.oro %d.oro", k);
            expect(DONE, "\"$OROGRAPH\" render %d.oro --output sum.%s -o %d.r32 --set n.%s=hills.field", k,
                   own, k, other);
        }
        expect(DONE, "cmp 0.oro 1.oro && cmp 0.r32 1.r32");
    }
    write_file("g.oro", HEAD WORLD HILLS NODE(
                            "n", "blur", LINK("terrain", "hills.field") LINK("field", "hills.field")) TAIL);
    expect(INVALID, "\"$OROGRAPH\" check g.oro"); /* both */
    says("[unknown-input]: node 'n': 'blur' has no input 'terrain'");
}

/* ---- Shared graphs ---- */

TEST_WITH(an_input_that_is_gone, make_folder, remove_folder)
{
    static const char *const versions[] = {"", " version=\"1\"", " version=\"2\""};
    write_file("range.oro", HEAD "<interface version=\"2\"><in name=\"height\" to=\"n.amplitude\"/><out "
                                 "name=\"o\" from=\"n.field\"/></interface>\n" NODE("n", "noise", "") TAIL);
    for (int i = 0; i < 3; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 HEAD
                 "<node id=\"r\" type=\"graph\" href=\"range.oro\"%s>" SET("heigth", "3") "</node>\n" TAIL,
                 versions[i]);
        write_file("g.oro", text);
        expect(INVALID, "\"$OROGRAPH\" check g.oro");
        says("error [unknown-input]: node 'r': 'range' has no input 'heigth'; did you mean 'height'?");
    }
    replace("range.oro", "to=\"n.amplitude\"/>", "to=\"n.amplitude\" was=\"heigth\"/>");
    expect(DONE, "\"$OROGRAPH\" check g.oro");
}

TEST_WITH(a_preset_leaves_sizes_alone, make_folder, remove_folder)
{
    write_file("g.oro", HEAD HILLS NODE("a", "amplify",
                                        LINK("terrain", "hills.field") SET("factor", "4") SET("repose", "20"))
                            NODE("c", "amplify_chain",
                                 LINK("terrain", "hills.field") SET("levels", "2; 4") SET("repose", "20"))
                                NODE("f", "export",
                                     LINK("terrain", "hills.field") SET("file", "o.r32")
                                         SET("preset", "unreal") SET("drain", "repair")) TAIL);
    write_file("a.oro", HEAD NODE("a", "amplify", SET("iterations", "7")) TAIL);
    write_file("c.oro", HEAD NODE("c", "amplify_chain", SET("iterations", "7")) TAIL);
    write_file("f.oro", HEAD NODE("f", "export", SET("low", "7")) TAIL);
    expect(
        DONE,
        "for i in a c f; do \"$OROGRAPH\" preset apply g.oro $i ./$i.oro --reset || exit 1; done; cat g.oro");
    says("name=\"factor\" value=\"4\"");
    says("name=\"levels\" value=\"2; 4\"");
    says("name=\"file\" value=\"o.r32\"");
    says("name=\"preset\" value=\"unreal\"");
    says_not("repose");
    says_not("drain");
    assert_int_equal(count("value=\"7\""), 3);
}

/* ---- --set ---- */

#define SCENE                                                                                                \
    HEAD WORLD "<variable name=\"relief\" value=\"800\"/>\n<variable name=\"half\" expr=\"relief / 2\"/>\n"  \
               "<interface><in name=\"height\" to=\"hills.amplitude\" default=\"10\"/><in name=\"share\" "   \
               "to=\"half\"/>"                                                                               \
               "<out name=\"o\" from=\"worn.terrain\"/></interface>\n" HILLS NODE(                           \
                   "peaks", "noise", SET("seed", "3")) NODE("soft", "remap", LINK("field", "peaks.field"))   \
                   NODE("worn", "thermal_erosion", LINK("terrain", "hills.field") SET("iterations", "3"))

/* Both ways of writing give the same bits. */
static void same(const char *set, const char *as)
{
    expect(DONE, RENDER " %s", "o", "1", set);
    expect(DONE, RENDER " %s", "o", "2", as);
    if (shell("cmp 1.r32 2.r32") != DONE)
        fail_msg("'%s' is not '%s'", set, as);
}

TEST_WITH(set_takes_expressions, make_folder, remove_folder)
{
    write_file("g.oro", SCENE TAIL);
    same("--set hills.amplitude==half", "--set hills.amplitude=400");
    same("--set 'hills.amplitude=relief/4 + 1'", "--set hills.amplitude=201");
    same("--set height==world.cell*2", "--set height=625"); /* also over a default of the interface */
    same("--set relief=100 --set height==half", "--set height=50");
    same("--set relief==200*3 --set height==half", "--set height=300");
    same("--set height==half --set relief=100", "--set height=50"); /* in whatever order */
    same("--set height==half --set height=70", "--set height=70");
    same("--set height=70 --set height==half", "--set height=400");
    same("--set half==relief/8 --set height==half", "--set height=100");
    same("--set worn.iterations=2*4+1", "--set worn.iterations=9");
}

TEST_WITH(set_takes_links, make_folder, remove_folder)
{
    write_file("g.oro", SCENE TAIL);
    expect(DONE, RENDER " --set worn.terrain=peaks.field", "o", "1");
    write_file("l.oro", SCENE TAIL);
    replace("l.oro", "from=\"hills.field\"", "from=\"peaks.field\"");
    expect(DONE, "\"$OROGRAPH\" render l.oro -o 2.r32 --no-cache --device processor && cmp 1.r32 2.r32");
    same("--set height=5000 --set worn.mask=soft.field --set worn.mask=0.5",
         "--set height=5000 --set worn.mask=0.5");
    expect(DONE, RENDER " --set height=5000 --set worn.mask=soft.field", "o", "3");
    expect(FAILED, "cmp 2.r32 3.r32");
}

TEST_WITH(set_says_what_is_wrong, make_folder, remove_folder)
{
    static const char *const wrong[][2] = {
        {"hlls.amplitude=3", "there is no node 'hlls'; did you mean 'hills'?"},
        {"hills.amplitud=3", "have no input 'amplitud'; did you mean 'amplitude'?"},
        {"heigth=3", "no input of the interface 'heigth'; did you mean 'height'?"},
        {"hills.amplitude==hlf", "'hlf' is no variable; did you mean 'half'?"},
        {"'hills.amplitude=20 km'", "(write 20000)"},
        {"worn.terrain=peak.field", "there is no node 'peak'; did you mean 'peaks'?"},
        {"worn.terrain=peaks.feld", "'noise' has no such output; did you mean 'field'?"},
        {"worn.terrain=worn.terrain", "cycle"},
        {"worn.terrain=5", "'terrain' takes a link, NODE.OUTPUT, and no value"},
        {"worn.iterations==1e9", "the expression gives"},
        {"hills.method=perlni", "did you mean 'perlin'?"},
        {"relief==relief", "itself"},
        {"relief=tall", "'tall' is not a number"},
    };
    write_file("g.oro", SCENE TAIL);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        expect(INVALID, RENDER " --set %s", "o", "1", wrong[i][0]);
        says(wrong[i][1]);
    }
    expect(INVALID, RENDER, "hils.field", "1");
    says("there is no output 'hils.field'; the interface offers 'o'; did you mean 'hills'?");
    expect(INVALID, "\"$OROGRAPH\" group g.oro --nodes hils,worn --name x");
    says("there is no node 'hils'; did you mean 'hills'?");
    write_file("p.oro", HEAD HILLS TAIL);
    expect(INVALID, "\"$OROGRAPH\" preset apply g.oro hils ./p.oro");
    says("there is no node 'hils' in 'g.oro'; did you mean 'hills'?");
    write_file("h.oro", HEAD "<group name=\"rock\">" HILLS
                             "</group><node id=\"r\" type=\"graph\" href=\"#rok\"/>" TAIL);
    expect(INVALID, "\"$OROGRAPH\" check h.oro");
    says("there is no group 'rok' in the document; did you mean 'rock'?");
}
