/* orograph check: what `orograph render` would refuse, all of it at once, with the remedy. */
#include <stdio.h>

#include "tests/cli/support.h"
#include "tests/support/test.h"

#define WORLD "  <world resolution=\"32\"/>\n"
#define NODE(id, type, inputs) "  <node id=\"" id "\" type=\"" type "\">" inputs "</node>\n"
#define SET(name, value) "<in name=\"" name "\" value=\"" value "\"/>"
#define LINK(name, from) "<in name=\"" name "\" from=\"" from "\"/>"
#define READS(file) NODE("dem", "import", SET("file", file))
#define WRITES(id, from, file) NODE(id, "export", LINK("terrain", from) SET("file", file))
#define HILLS NODE("hills", "noise", "")

/* What check lists, render refuses, in the same words. */
static void refused(const char *text, const char *listed)
{
    write_file("g.oro", text);
    expect(INVALID, "\"$OROGRAPH\" check g.oro");
    says(listed);
    assert_int_not_equal(shell("\"$OROGRAPH\" render g.oro --no-cache"), DONE);
    says(listed);
}

TEST_WITH(files_that_are_missing, make_folder, remove_folder)
{
    write_file("alps.asc", "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n1 2\n3 4\n");
    refused(HEAD WORLD READS("alp.asc") WRITES("out", "dem.terrain", "o.r32") TAIL,
            "node 'dem': cannot read 'alp.asc': No such file or directory; did you mean 'alps.asc'?");
    refused(HEAD WORLD READS("nowhere/alps.tif") WRITES("out", "dem.terrain", "o.r32") TAIL,
            "cannot read 'nowhere/alps.tif': No such file or directory");
    says_not("did you mean");
    refused(HEAD WORLD NODE("dem", "network_import", SET("file", "alps.geojson"))
                NODE("lines", "network_rasterize", LINK("network", "dem.network"))
                    WRITES("out", "lines.field", "o.r32") TAIL,
            "node 'dem': cannot read 'alps.geojson': No such file or directory; did you mean 'alps.asc'?");
    write_file("g.oro", HEAD WORLD READS("alps.asc") WRITES("out", "dem.terrain", "o.r32") TAIL);
    expect(DONE, "\"$OROGRAPH\" check g.oro");
}

TEST_WITH(files_that_are_wrong, make_folder, remove_folder)
{
    write_file("text.png", "no picture");
    refused(HEAD WORLD READS("text.png") WRITES("out", "dem.terrain", "o.r32") TAIL,
            "'text.png' is not a PNG");
    refused(HEAD WORLD READS("../alps.png") WRITES("out", "dem.terrain", "o.r32") TAIL,
            "'../alps.png' leads out of the document's folder (--allow-path allows it)");
    refused(HEAD WORLD HILLS WRITES("out", "hills.field", "o.xyz9") TAIL, "'o.xyz9' has no known format");
    refused(HEAD WORLD HILLS WRITES("out", "hills.field", "nowhere/o.png") TAIL, "nowhere");
}

TEST_WITH(two_nodes_and_one_file, make_folder, remove_folder)
{
    refused(HEAD WORLD HILLS WRITES("a", "hills.field", "o.png") WRITES("b", "hills.field", "./o.png") TAIL,
            "which node 'b' writes, too; give it another name");
    write_file("own.pfm", "Pf\n2 2\n-1\n0123456789abcdef");
    refused(HEAD WORLD READS("own.pfm") WRITES("a", "dem.terrain", "own.pfm") TAIL,
            "which node 'dem' reads; give it another name");
}

/* A plan stops at its first error; the list does not. */
TEST_WITH(all_at_once, make_folder, remove_folder)
{
    write_file("g.oro",
               HEAD WORLD NODE("a", "import", SET("file", "a.png")) NODE("b", "import", SET("file", "b.png"))
                   NODE("both", "combine", LINK("a", "a.terrain") LINK("b", "b.terrain"))
                       NODE("fine", "amplify_chain", LINK("terrain", "both.field") SET("levels", "2 depht=3"))
                           WRITES("one", "fine.terrain", "o.png") WRITES("two", "both.field", "o.gif")
                               HILLS WRITES("x", "hills.field", "x.png") WRITES("y", "hills.field", "x.png")
                                   TAIL);
    expect(INVALID, "\"$OROGRAPH\" check g.oro");
    says("g.oro:4: error [bad-file]: node 'a': cannot read 'a.png'");
    says("g.oro:5: error [bad-file]: node 'b': cannot read 'b.png'");
    says("error [refused]: node 'fine': level 1: 'depht=3'");
    says("error [refused]: node 'two': 'o.gif' has no known format");
    says("error [refused]: node 'x': writes 'x.png', which node 'y' writes, too");
    says("5 errors in 1 of 1 file");
}

/* What --set gives is no fault, nor what only a user of the graph gives; a missing graph is told once. */
TEST_WITH(what_is_still_open, make_folder, remove_folder)
{
    write_file("g.oro", HEAD WORLD NODE("dem", "import", "") WRITES("out", "dem.terrain", "o.r32") TAIL);
    expect(DONE, "\"$OROGRAPH\" check g.oro");
    says("g.oro:4: notice [open-input]: node 'dem': no file given");
    write_file(
        "g.oro", HEAD
        "<interface><in name=\"t\" to=\"b.field\"/><out name=\"o\" from=\"b.field\"/></interface>\n" NODE(
            "b", "blur", "") TAIL);
    expect(DONE, "\"$OROGRAPH\" check g.oro");
    write_file("g.oro", HEAD WORLD "<node id=\"r\" type=\"graph\" href=\"rang.oro\"/>\n" WRITES(
                            "out", "r.terrain", "o.r32") TAIL);
    write_file("range.oro", HEAD TAIL);
    expect(INVALID, "\"$OROGRAPH\" check g.oro");
    says("[missing-graph]: node 'r': 'rang.oro' is missing");
    says("did you mean 'range.oro'?");
    says("1 error in 1 of 1 file");
}

/* The node that made a cell no number is named, not the one that met it. */
TEST_WITH(numbers_that_are_none, make_folder, remove_folder)
{
#define BAD(id, formula)                                                                                     \
    "  <node id=\"" id "\" type=\"lua\"><script>return { inputs = {{name='terrain', type='field'}},"         \
    " outputs = {{name='terrain'}}, kernel = 'void cell(ivec2 p) { float t = terrain_at(p);"                 \
    " set_terrain(p, " formula "); }' }</script>" LINK("terrain", "hills.field") "</node>\n"
    static const char *const formulas[][2] = {
        {HEAD WORLD HILLS BAD("bad", "sqrt(-1.0 - t * t)"), "bad.terrain"},
        {HEAD WORLD HILLS BAD("bad", "p.x == 3 ? log(-2.0 - abs(t)) : t")
             NODE("soft", "blur", LINK("field", "bad.terrain")),
         "soft.field"},
        {HEAD WORLD HILLS BAD("bad", "exp(abs(t) + 1000.0)")
             NODE("more", "combine", LINK("a", "bad.terrain") LINK("b", "hills.field"))
                 NODE("cut", "crop", LINK("terrain", "more.field")),
         "cut.terrain"}};
    for (int i = 0; i < 3; i++) {
        char text[4000];
        snprintf(text, sizeof text, "%s" WRITES("out", "%s", "o.r32") TAIL, formulas[i][0], formulas[i][1]);
        write_file("g.oro", text);
        expect(FAILED, "\"$OROGRAPH\" render g.oro --no-cache");
        says("g.oro:5: node 'bad': its 'terrain' has cells that are no finite numbers, though what it takes "
             "is "
             "finite; node 'out' fails by that");
        expect(FAILED, "\"$OROGRAPH\" render g.oro --output %s -o p.png", formulas[i][1]);
        says("node 'bad': its 'terrain' has cells that are no finite numbers");
    }
}
