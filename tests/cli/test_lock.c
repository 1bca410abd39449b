/* orograph lock and verify: what is kept, and what is said of a change. */
#include "tests/cli/support.h"
#include "tests/support/test.h"

static const char graph[] =
    HEAD "  <world extent=\"3200\" resolution=\"64\" seed=\"5\"/>\n"
         "  <interface>\n    <out name=\"ground\" from=\"open.terrain\"/>\n  </interface>\n"
         "  <node id=\"base\" type=\"noise\">\n    <in name=\"amplitude\" value=\"900\"/>\n  </node>\n"
         "  <node id=\"worn\" type=\"thermal_erosion\">\n    <in name=\"terrain\" from=\"base.field\"/>\n"
         "    <in name=\"iterations\" value=\"9\"/>\n    <in name=\"repose\" value=\"20\"/>\n  </node>\n"
         "  <node id=\"open\" type=\"breach\">\n    <in name=\"terrain\" from=\"worn.terrain\"/>\n  </node>\n"
         "  <node id=\"alone\" type=\"ramp\"/>\n"
         "  <node id=\"out\" type=\"export\">\n    <in name=\"terrain\" from=\"open.terrain\"/>\n"
         "    <in name=\"file\" value=\"written.r32\"/>\n  </node>\n" TAIL;

#define LOCK "\"$OROGRAPH\" lock "
#define VERIFY "\"$OROGRAPH\" verify "
enum { NO_DRIVER = 5 };

TEST_WITH(what_is_locked_is_verified, make_folder, remove_folder)
{
    write_file("g.oro", graph);
    expect(DONE, LOCK "g.oro");
    says("wrote g.oro.lock (");
    expect(0, "test ! -e written.r32"); /* no file but the lock is written */
    expect(DONE, "cp g.oro.lock first && " LOCK "g.oro && cmp first g.oro.lock");
    expect(DONE, VERIFY "g.oro");
    says("g.oro: 4 steps give what g.oro.lock says");
    expect(DONE, "taskset -c 0 " VERIFY "g.oro g.oro");
    expect(DONE, LOCK "g.oro -o other --set base.amplitude=700 --max-resolution 32 --seed 8");
    expect(FAILED, "cmp -s other first");
    expect(DONE, VERIFY "g.oro --lock other"); /* with the settings that it keeps */
    replace("other", "base.amplitude=700", "base.amplitude=701");
    expect(FAILED, VERIFY "g.oro --lock other");
    says("node 'base': noise: 'field' differs by at least ");
}

/* The node that differs is named, not those that are made from it, nor what stands before it. */
TEST_WITH(the_first_change_is_named, make_folder, remove_folder)
{
    static const struct {
        const char *from, *to, *named;
    } changes[] = {
        {"name=\"repose\" value=\"20\"", "name=\"repose\" value=\"20.5\"",
         "g.oro:10: node 'worn': thermal_erosion: 'terrain' differs by at least "},
        {"name=\"amplitude\" value=\"900\"", "name=\"amplitude\" value=\"900.1\"",
         "g.oro:7: node 'base': noise: 'field' differs by at least "},
        {"type=\"breach\">", "type=\"breach\">\n    <in name=\"least_gradient\" value=\"0.02\"/>",
         "node 'open': breach: '"},
        {"resolution=\"64\"", "resolution=\"65\"", "in size: 65 x 65 cells instead of 64 x 64"},
        {"seed=\"5\"", "seed=\"6\"", "node 'base': noise: 'field' differs by at least "},
        {"id=\"alone\" type=\"ramp\"", "id=\"alone\" type=\"constant\"",
         "node 'alone': constant: it was of type 'ramp'"},
        {"id=\"alone\"", "id=\"lonely\"", "node 'lonely': ramp: it is not in the lock"},
        {"  <node id=\"alone\" type=\"ramp\"/>\n", "",
         "'alone', which g.oro.lock has, is not computed any more"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        write_file("g.oro", graph);
        expect(DONE, LOCK "g.oro");
        replace("g.oro", changes[i].from, changes[i].to);
        expect(FAILED, VERIFY "g.oro");
        says(changes[i].named);
        says("g.oro was edited after it was locked");
        expect(DONE, LOCK "g.oro && " VERIFY "g.oro"); /* what is meant is locked anew */
    }
}

/* Whole results tell the difference to the cell. */
TEST_WITH(kept_results_tell_all, make_folder, remove_folder)
{
    write_file("g.oro", HEAD
               "  <world extent=\"320\" resolution=\"32\"/>\n"
               "  <node id=\"a\" type=\"constant\">\n    <in name=\"value\" value=\"7\"/>\n  </node>\n" TAIL);
    expect(DONE, LOCK "g.oro --keep kept");
    replace("g.oro", "value=\"7\"", "value=\"9.5\"");
    expect(FAILED, VERIFY "g.oro --kept kept");
    says("'field' differs by up to 2.5 (column 0, row 0), 2.5 rms, in 1024 of 1024 cells");
    expect(FAILED, VERIFY "g.oro");
    says("'field' differs by at least 2.5 (column 2, row 2); it reaches from 9.5 to 9.5 with a mean of "
         "9.5, "
         "and did from 7 to 7 with 7");
    expect(0, "printf 'x' >>\"$(ls -d kept/*)\""); /* damaged: as without it */
    expect(FAILED, VERIFY "g.oro --kept kept");
    says("by at least 2.5");
}

TEST_WITH(a_file_that_changed, make_folder, remove_folder)
{
    write_file("g.oro", HEAD
               "  <world extent=\"320\" resolution=\"32\"/>\n"
               "  <node id=\"dem\" type=\"import\">\n    <in name=\"file\" value=\"in.pfm\"/>\n  </node>\n"
               "  <node id=\"steps\" type=\"terrace\">\n    <in name=\"terrain\" from=\"dem.terrain\"/>\n  "
               "</node>\n" TAIL);
    write_file("made.oro", graph);
    expect(DONE, "\"$OROGRAPH\" render made.oro --output base.field -o in.pfm && " LOCK "g.oro");
    expect(DONE, "\"$OROGRAPH\" render made.oro --output base.field -o in.pfm --set base.amplitude=880 && "
                 "! " VERIFY "g.oro");
    says("node 'dem': import: 'terrain' differs by at least ");
    says_not("was edited");
    expect(FAILED, VERIFY "g.oro --all");
    says("steps: 'terrain' differs");
}

TEST_WITH(files_say_what_computed_them, make_folder, remove_folder)
{
    write_file("g.oro", graph);
    expect(DONE, "\"$OROGRAPH\" render g.oro --device processor -o a.r32 && \"$OROGRAPH\" render g.oro "
                 "--device processor");
    expect(0, "grep -q '\"device\": \"processor\"' a.r32.json && grep -q '\"device\": \"processor\"' "
              "written.r32.json");
    expect(DONE, "\"$OROGRAPH\" info a.r32");
    says("from        a processor, with the same bits on every other");
    expect(DONE, "\"$OROGRAPH\" info a.r32 --json");
    says("\"device\": \"processor\"");
    expect(DONE, "\"$OROGRAPH\" convert a.r32 b.pfm && ! grep device b.pfm.json");
    if (shell("\"$OROGRAPH\" render g.oro --device 0 -o c.r32") == DONE)
        expect(0, "grep -qE '\"device\": \"(driver|card)\"' c.r32.json");
}

TEST_WITH(wrong_use, make_folder, remove_folder)
{
    write_file("g.oro", graph);
    expect(INVALID, VERIFY "g.oro");
    says("there is no lock 'g.oro.lock': 'orograph lock g.oro' writes it");
    expect(INVALID, VERIFY "g.oro --lock other");
    says("there is no lock 'other': 'orograph lock g.oro -o other' writes it");
    expect(INVALID, VERIFY "absent.oro");
    says("cannot read 'absent.oro': No such file or directory");
    expect(USAGE, LOCK "g.oro -o -");
    says("a lock is a file: -o names it, not '-'");
    write_file("g.oro.lock", "{\"results\": 3}");
    expect(INVALID, VERIFY "g.oro");
    says("'g.oro.lock' is no lock, or was changed by hand");
    expect(DONE, LOCK "g.oro");
    expect(INVALID, VERIFY "g.oro --kept absent");
    says("cannot read 'absent': No such file or directory");
    replace("g.oro.lock", "\"digest\": \"", "\"digest\": \"x");
    expect(INVALID, VERIFY "g.oro");
    expect(DONE, LOCK "g.oro");
    replace("g.oro.lock", "\"bytes\": ", "\"bytes\": -");
    expect(INVALID, VERIFY "g.oro");
    expect(INVALID, LOCK "missing.oro");
    expect(INVALID, LOCK "g.oro --set nobody.amplitude=3");
    says("nobody");
    write_file("empty.oro", HEAD TAIL);
    expect(INVALID, LOCK "empty.oro");
    says("'empty.oro' has no node whose result could be locked");
    expect(FAILED, LOCK "g.oro -o nowhere/g.lock");
    says("nowhere/g.lock");
}

/* A script's kernel has no code for the processor: a driver runs it, whose results are its own. */
TEST_WITH(what_a_driver_computes_is_told, make_folder, remove_folder)
{
    write_file("own.lua",
               "return { id = \"own\", category = \"filter\", doc = \"Waves.\",\n"
               "  inputs = { { name = \"terrain\", type = \"field\", unit = \"m\", doc = \"Ground\" } },\n"
               "  outputs = { { name = \"terrain\", type = \"field\", unit = \"m\", like = \"terrain\" } },\n"
               "  kernel = [[\nvoid cell(ivec2 p) { set_terrain(p, sin(terrain_at(p))); }\n]] }\n");
    write_file("g.oro",
               HEAD "  <world extent=\"320\" resolution=\"32\"/>\n  <node id=\"a\" type=\"noise\"/>\n"
                    "  <node id=\"b\" type=\"own\">\n    <in name=\"terrain\" from=\"a.field\"/>\n  </node>\n"
                    "  <node id=\"c\" type=\"resize\">\n    <in name=\"terrain\" from=\"b.terrain\"/>\n"
                    "    <in name=\"divide\" value=\"2\"/>\n  </node>\n" TAIL);
    if (shell(LOCK "g.oro") == NO_DRIVER)
        skip();
    says("2 results, the first in 'b', come from kernels that a driver runs");
    expect(0, "test $(grep -c '\"portable\": true' g.oro.lock) = 1");
    replace("own.lua", "sin(", "cos(");
    expect(DONE, VERIFY "g.oro");
    says("2 results differ that a driver computed: they are not portable, and not counted");
}
