/* Graphs as nodes, from outside: files that come, go, move and change, and the commands that make them. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "tests/cli/support.h"
#include "tests/support/test.h"

/* Sanitizers take terabytes of addresses for themselves. */
#ifdef __SANITIZE_ADDRESS__
#define LIMITED ""
#else
#define LIMITED "ulimit -v 3000000; "
#endif

#define WORLD "  <world extent=\"3200\" resolution=\"32\"/>\n"
static const char hills[] = HEAD
    "  <about title=\"Hills\" category=\"hills\" doc=\"Rolling ground. With terraces.\"/>\n"
    "  <interface>\n"
    "    <in name=\"relief\" to=\"base.amplitude\" label=\"Relief\" min=\"0\" max=\"3000\" unit=\"m\" "
    "doc=\"How high\"/>\n"
    "    <in name=\"step\" to=\"steps.spacing\"/>\n"
    "    <out name=\"terrain\" from=\"steps.terrain\" doc=\"The ground\"/>\n"
    "  </interface>\n"
    "  <node id=\"base\" type=\"noise\" version=\"1\"/>\n"
    "  <node id=\"steps\" type=\"terrace\" version=\"1\">\n    <in name=\"terrain\" from=\"base.field\"/>\n  "
    "</node>\n" TAIL;

#define USER(href)                                                                                           \
    HEAD WORLD "  <interface>\n    <out name=\"ground\" from=\"hills.terrain\"/>\n  </interface>\n"          \
               "  <node id=\"hills\" type=\"graph\" href=\"" href                                            \
               "\" version=\"1\">\n    <in name=\"relief\" value=\"700\"/>\n  </node>\n" TAIL

/* ---- Sharing ---- */

/* Work that is worth a place in the cache on the disk, of two steps. */
static const char costly[] = HEAD
    "  <interface>\n    <in name=\"relief\" to=\"base.amplitude\"/>\n    <out name=\"terrain\" "
    "from=\"fine.field\"/>\n  </interface>\n"
    "  <node id=\"base\" type=\"noise\" version=\"1\">\n    <in name=\"method\" value=\"worley\"/>\n    <in "
    "name=\"octaves\" value=\"16\"/>\n  </node>\n"
    "  <node id=\"fine\" type=\"noise\" version=\"1\">\n    <in name=\"amplitude\" from=\"base.field\"/>\n   "
    " <in "
    "name=\"method\" value=\"worley\"/>\n"
    "    <in name=\"octaves\" value=\"16\"/>\n    <in name=\"seed\" value=\"2\"/>\n  </node>\n" TAIL;
#define COSTLY_USER                                                                                          \
    HEAD "  <world extent=\"3200\" resolution=\"2048\"/>\n  <interface>\n    <out name=\"ground\" "          \
         "from=\"hills.terrain\"/>\n  </interface>\n"                                                        \
         "  <node id=\"hills\" type=\"graph\" href=\"hills/rolling.oro\" version=\"1\">\n    <in "           \
         "name=\"relief\" "                                                                                  \
         "value=\"700\"/>\n  </node>\n" TAIL

/* Two projects use one graph; results that one has rendered, the other finds in the cache. The graph may move
 * to any folder of OROGRAPH_PATH. */
TEST_WITH(one_graph_for_two_projects, make_folder, remove_folder)
{
    expect(DONE, "mkdir -p one two shared/hills moved/hills");
    write_file("shared/hills/rolling.oro", costly);
    write_file("one/a.oro", COSTLY_USER);
    write_file("two/b.oro", COSTLY_USER);
    expect(INVALID, "\"$OROGRAPH\" check one/a.oro");
    expect(DONE, "OROGRAPH_PATH=$PWD/shared \"$OROGRAPH\" render one/a.oro -o one/a.r32 --report one.json");
    expect(0, "grep -q '\"outcome\": \"computed\"' one.json");
    expect(DONE, "OROGRAPH_PATH=$PWD/shared \"$OROGRAPH\" render two/b.oro -o two/b.r32 --report two.json");
    expect(0, "cmp one/a.r32 two/b.r32");
    expect(0, "grep -q '\"outcome\": \"disk\"' two.json");
    expect(1, "grep '\"outcome\": \"computed\"' two.json");
    expect(0, "mv shared/hills/rolling.oro moved/hills/");
    expect(DONE, "cd one && OROGRAPH_PATH=$PWD/../moved:$PWD/../shared \"$OROGRAPH\" render a.oro -o a2.r32 "
                 "--report one.json && cmp a.r32 a2.r32");
    expect(DONE, "cd two && OROGRAPH_PATH=$PWD/../nowhere:$PWD/../moved/ \"$OROGRAPH\" render b.oro -o "
                 "b2.r32 --report two.json && cmp b.r32 b2.r32");
    expect(1, "grep '\"outcome\": \"computed\"' one/one.json two/two.json");
    /* Another relief is another result, of the graph's other nodes as well. */
    expect(DONE, "OROGRAPH_PATH=$PWD/moved \"$OROGRAPH\" render two/b.oro --set hills.relief=900 -o "
                 "two/b.r32 --report two.json");
    expect(0, "grep -q '\"outcome\": \"computed\"' two.json");
    expect(1, "cmp one/a.r32 two/b.r32");
}

TEST_WITH(a_new_version, make_folder, remove_folder)
{
    write_file("rolling.oro", hills);
    write_file("user.oro", USER("rolling.oro"));
    expect(DONE, "\"$OROGRAPH\" render user.oro -o old.r32");
    expect(DONE, "sed -e 's/<interface>/<interface version=\"2\">/' -e 's/in name=\"relief\"/in "
                 "name=\"height\" was=\"relief\"/' "
                 "-e 's/out name=\"terrain\"/out name=\"ground\" was=\"terrain\"/' -i rolling.oro");
    expect(DONE, "\"$OROGRAPH\" check user.oro");
    says("user.oro:5: notice [migrated]: node 'hills': 'terrain' is called 'ground' now");
    says(
        "user.oro:7: notice [migrated]: node 'hills': 'rolling.oro' was brought from version 1 to version 2");
    says("user.oro:8: notice [migrated]: node 'hills': 'relief' is called 'height' now");
    expect(DONE, "\"$OROGRAPH\" render user.oro -o new.r32 && cmp old.r32 new.r32");
    expect(DONE, "\"$OROGRAPH\" flatten user.oro --nodes , -o saved.oro");
    expect(DONE, "sed -e 's/\\.terrain/.ground/' -e 's/oro\" version=\"1\">/oro\" version=\"2\">/' -e "
                 "'s/\"relief\"/\"height\"/' user.oro | cmp - saved.oro");
    expect(DONE, "\"$OROGRAPH\" check saved.oro");
    says_not("notice");
    expect(DONE, "\"$OROGRAPH\" render saved.oro -o new.r32 && cmp old.r32 new.r32");
}

/* ---- Graphs that are gone ---- */

static const char two_exports[] =
    HEAD WORLD "  <interface>\n    <in name=\"relief\" to=\"hills.relief\" default=\"300\"/>\n"
               "    <in name=\"high\" to=\"own.amplitude\" default=\"50\"/>\n    <out name=\"ground\" "
               "from=\"hills.terrain\"/>\n  </interface>\n"
               "  <node id=\"own\" type=\"noise\" version=\"1\"/>\n"
               "  <node id=\"hills\" type=\"graph\" href=\"sub/rolling.oro\" version=\"4\" x=\"7\" "
               "y=\"8\">\n    <in name=\"relief\" value=\"700.0\"/>\n"
               "    <in name=\"unheard\" from=\"own.field\"/>\n    <!-- kept -->\n  </node>\n"
               "  <node id=\"good\" type=\"export\" version=\"1\">\n    <in name=\"terrain\" "
               "from=\"own.field\"/>\n    <in "
               "name=\"file\" value=\"good.r32\"/>\n  </node>\n"
               "  <node id=\"bad\" type=\"export\" version=\"1\">\n    <in name=\"terrain\" "
               "from=\"hills.terrain\"/>\n    "
               "<in name=\"file\" value=\"bad.r32\"/>\n  </node>\n" TAIL;

/* Such a document opens, says what is wrong and where, is saved without loss, and renders as far as possible.
 */
static void still_of_use(const char *problem)
{
    expect(INVALID, "\"$OROGRAPH\" check two.oro");
    says(problem);
    says("two.oro:10: error");
    says("node 'hills'");
    says("1 error in 1 of 1 file");
    expect(DONE, "\"$OROGRAPH\" flatten two.oro --nodes , -o same.oro; cmp two.oro same.oro");
    expect(INVALID, "rm -f good.r32; \"$OROGRAPH\" render two.oro");
    says("'bad' is left out");
    says("sub/rolling.oro");
    expect(DONE, "cmp good.r32 wanted.r32 && test ! -e bad.r32");
    expect(INVALID, "\"$OROGRAPH\" render two.oro --output ground -o bad.r32");
    expect(DONE, "test ! -e bad.r32");
    expect(DONE, "\"$OROGRAPH\" render two.oro --output own.field -o own.r32");
    expect(DONE, "\"$OROGRAPH\" info two.oro");
    says("own");
}

TEST_WITH(a_graph_that_is_gone, make_folder, remove_folder)
{
    expect(DONE, "mkdir sub");
    write_file("two.oro", two_exports);
    write_file("sub/rolling.oro", hills);
    expect(DONE,
           "grep -v unheard two.oro >all.oro && \"$OROGRAPH\" render all.oro && mv good.r32 wanted.r32 && "
           "rm bad.r32 sub/rolling.oro");
    still_of_use("[missing-graph]");
    write_file("sub/rolling.oro", "<orograph xmlns=");
    still_of_use("[bad-graph]");
    write_file("sub/rolling.oro", "");
    still_of_use("[bad-graph]");
    write_file("sub/rolling.oro", HEAD "<node id=\"n\" type=\"nois\" version=\"1\"/>" TAIL);
    still_of_use("[bad-graph]");
}

/* If a part of a graph is missing, the rest can still be used. */
TEST_WITH(a_graph_that_is_gone_within, make_folder, remove_folder)
{
    write_file(
        "outer.oro", HEAD
        "<interface><out name=\"good\" from=\"n.field\"/><out name=\"bad\" from=\"h.terrain\"/></interface>"
        "<node id=\"n\" type=\"noise\" version=\"1\"/><node id=\"h\" type=\"graph\" href=\"gone.oro\" "
        "version=\"1\"/>" TAIL);
    write_file("middle.oro", HEAD
               "<interface><out name=\"good\" from=\"o.good\"/><out name=\"bad\" from=\"o.bad\"/></interface>"
               "<node id=\"o\" type=\"graph\" href=\"outer.oro\" version=\"1\"/>" TAIL);
    write_file("user.oro",
               HEAD WORLD "<node id=\"m\" type=\"graph\" href=\"middle.oro\" version=\"1\"/>\n" TAIL);
    expect(DONE, "\"$OROGRAPH\" render user.oro --output m.good -o good.r32");
    expect(INVALID, "\"$OROGRAPH\" render user.oro --output m.bad -o bad.r32");
    says("gone.oro");
    says("outer.oro:");
    says("'m/o/h'");
    expect(DONE, "test ! -e bad.r32");
}

/* ---- Values from outside ---- */

TEST_WITH(values_of_the_interface, make_folder, remove_folder)
{
    write_file(
        "d.oro", HEAD WORLD
        "  <variable name=\"level\" value=\"1\"/>\n  <variable name=\"twice\" expr=\"level * 2\"/>\n"
        "  <interface>\n    <in name=\"high\" to=\"a.amplitude\" max=\"500\" default=\"100\"/>\n    "
        "<in name=\"high\" to=\"b.amplitude\"/>\n"
        "    <in name=\"level\" to=\"level\" min=\"0\" max=\"9\"/>\n    <in name=\"lift\" "
        "to=\"level\"/>\n    <out name=\"f\" from=\"c.field\"/>\n  </interface>\n"
        "  <node id=\"a\" type=\"noise\" version=\"1\">\n    <in name=\"offset\" expr=\"twice\"/>\n  "
        "</node>\n  "
        "<node id=\"b\" type=\"noise\" version=\"1\">\n    <in name=\"seed\" value=\"3\"/>\n  </node>\n"
        "  <node id=\"c\" type=\"combine\" version=\"1\">\n    <in name=\"a\" from=\"a.field\"/>\n    <in "
        "name=\"b\" from=\"b.field\"/>\n  </node>\n" TAIL);
    expect(DONE, "\"$OROGRAPH\" check d.oro");
    expect(DONE, "\"$OROGRAPH\" render d.oro -o 1.r32; \"$OROGRAPH\" render d.oro --set high=100 --set "
                 "level=1 -o 2.r32; cmp 1.r32 2.r32");
    expect(DONE, "\"$OROGRAPH\" render d.oro --set a.amplitude=40 --set b.amplitude=40 -o 1.r32; "
                 "\"$OROGRAPH\" render d.oro --set high=40 -o 2.r32; cmp 1.r32 2.r32");
    expect(DONE,
           "\"$OROGRAPH\" render d.oro --set a.offset=6 -o 1.r32; \"$OROGRAPH\" render d.oro --set level=3 "
           "-o 2.r32; \"$OROGRAPH\" render d.oro --set lift=3 -o 3.r32; cmp 1.r32 2.r32 && cmp 2.r32 3.r32");
    expect(INVALID, "\"$OROGRAPH\" render d.oro --set high=501 -o 1.r32");
    says("--set high=501");
    expect(INVALID, "\"$OROGRAPH\" render d.oro --set level=10 -o 1.r32");
    expect(INVALID, "\"$OROGRAPH\" render d.oro --set level=x -o 1.r32");
    expect(INVALID, "\"$OROGRAPH\" render d.oro --set hihg=4 -o 1.r32");
    says("did you mean 'high'?");
    expect(INVALID, "\"$OROGRAPH\" render d.oro --set f=4 -o 1.r32");
}

/* ---- Commands ---- */

TEST_WITH(commands_keep_results, make_folder, remove_folder)
{
    expect(DONE, "mkdir lib sub");
    write_file(
        "d.oro", HEAD WORLD
        "  <variable name=\"r\" value=\"400\"/>\n  <interface>\n    <out name=\"f\" from=\"t.terrain\"/>\n  "
        "</interface>\n"
        "  <node id=\"n\" type=\"noise\" version=\"1\">\n    <in name=\"amplitude\" expr=\"r\"/>\n  </node>\n"
        "  <node id=\"t\" type=\"terrace\" version=\"1\">\n    <in name=\"terrain\" from=\"n.field\"/>\n  "
        "</node>\n" TAIL);
    expect(DONE, "\"$OROGRAPH\" render d.oro -o 0.r32");
    expect(DONE, "\"$OROGRAPH\" group d.oro --nodes n,t,n --name rock -o g.oro && \"$OROGRAPH\" render g.oro "
                 "-o 1.r32 && cmp 0.r32 1.r32");
    expect(DONE, "\"$OROGRAPH\" extract g.oro rock -o lib/rock.oro && \"$OROGRAPH\" render g.oro -o 1.r32 && "
                 "cmp 0.r32 1.r32 && \"$OROGRAPH\" check lib/rock.oro");
    expect(DONE, "grep -q 'href=\"lib/rock.oro\"' g.oro && \"$OROGRAPH\" flatten g.oro -o f.oro && "
                 "\"$OROGRAPH\" render f.oro -o 1.r32 && cmp 0.r32 1.r32");
    expect(1, "grep 'type=\"graph\"' f.oro");
    expect(DONE, "\"$OROGRAPH\" embed g.oro lib/rock.oro && rm lib/rock.oro && \"$OROGRAPH\" render g.oro -o "
                 "1.r32 && cmp 0.r32 1.r32");
    expect(INVALID, "\"$OROGRAPH\" extract g.oro none -o lib/x.oro");
    expect(USAGE, "\"$OROGRAPH\" extract g.oro rock -o g.oro");
    expect(USAGE, "\"$OROGRAPH\" extract g.oro rock -o ../outside.oro");
    expect(USAGE, "\"$OROGRAPH\" group d.oro --nodes n");
    expect(DONE, "test ! -e lib/x.oro && \"$OROGRAPH\" check g.oro");
}

/* Files that a group reads would not be found from its new place. */
TEST_WITH(a_map_stays_behind, make_folder, remove_folder)
{
    expect(DONE, "mkdir lib maps lib/maps");
    write_file("d.oro", HEAD WORLD
               "  <interface>\n    <out name=\"f\" from=\"i.terrain\"/>\n  </interface>\n  <node id=\"s\" "
               "type=\"noise\"/>\n"
               "  <node id=\"i\" type=\"import\" version=\"1\">\n    <in name=\"file\" "
               "value=\"maps/m.r32\"/>\n  </node>\n" TAIL);
    expect(DONE, "\"$OROGRAPH\" render d.oro --output s.field -o maps/m.r32 && \"$OROGRAPH\" render d.oro "
                 "--output f -o 0.r32");
    expect(DONE, "\"$OROGRAPH\" group d.oro --nodes i --name map && cp d.oro kept.oro");
    expect(INVALID, "\"$OROGRAPH\" extract d.oro map -o lib/map.oro");
    says("maps/m.r32");
    expect(DONE, "cmp d.oro kept.oro && test ! -e lib/map.oro");
    expect(DONE, "cp maps/* lib/maps && \"$OROGRAPH\" extract d.oro map -o lib/map.oro && \"$OROGRAPH\" "
                 "render d.oro --output f -o 1.r32 && cmp 0.r32 1.r32");
}

TEST_WITH(a_page_of_a_graph, make_folder, remove_folder)
{
    write_file("rolling.oro", hills);
    expect(DONE, "\"$OROGRAPH\" info rolling.oro");
    says("rolling  (hills, version 1)");
    says("Rolling ground. With terraces.");
    says("relief  Relief  (float or field, default 1000, 0..3000, m");
    says("How high");
    says("seed  (int, default 0");
    says("vary  (bool, default false");
    says("terrain  (field");
    says("The ground");
    write_file("bad.oro", HEAD "<interface><in name=\"a\" to=\"n.amplitude\" unit=\"x\"/></interface><node "
                               "id=\"n\" type=\"noise\" version=\"1\"/>" TAIL);
    expect(INVALID, "\"$OROGRAPH\" info bad.oro");
    says("no unit 'x'");
    expect(DONE, "\"$OROGRAPH\" nodes --format json | head -c 1");
    assert_true(output[0] == '[' || output[0] == '{');
}

/* ---- Harm ---- Each must end by itself, in little memory. */

static void hostile(const char *name, const char *part)
{
    expect(INVALID, LIMITED "timeout 60 \"$OROGRAPH\" check %s", name);
    says(part);
}

#define HOSTILE(href) HEAD "<node id=\"u\" type=\"graph\" href=\"" href "\"/>\n" TAIL

TEST_WITH(files_that_mean_harm, make_folder, remove_folder)
{
    expect(DONE, "ln -s /dev/zero zero.oro; ln -s /dev/random random.oro; ln -s /etc away; mkfifo pipe.oro; "
                 "mkdir folder.oro; ln -s self.oro other.oro");
    write_file("h.oro", HOSTILE("zero.oro"));
    hostile("h.oro", "h.oro:3: error [missing-graph]");
    write_file("h.oro", HOSTILE("random.oro"));
    hostile("h.oro", "leads out");
    write_file("h.oro", HOSTILE("away/passwd"));
    hostile("h.oro", "leads out");
    write_file("h.oro", HOSTILE("pipe.oro"));
    hostile("h.oro", "not a regular file");
    expect(INVALID, "timeout 60 \"$OROGRAPH\" check --allow-path h.oro");
    write_file("h.oro", HOSTILE("/dev/zero"));
    expect(INVALID, "timeout 60 \"$OROGRAPH\" check --allow-path h.oro");
    says("not a regular file");
    write_file("h.oro", HOSTILE("folder.oro"));
    hostile("h.oro", "not a regular file");
    write_file("h.oro", HEAD "<interface><out name=\"f\" from=\"u.f\"/></interface>\n<node id=\"u\" "
                             "type=\"graph\" href=\"h.oro\" version=\"1\"/>\n" TAIL);
    hostile("h.oro", "contains itself");
    write_file("h.oro", HOSTILE("a&#10;b&#9;[2J.oro"));
    hostile("h.oro", "a b [2J.oro");
    write_file("self.oro", HEAD "<interface><out name=\"f\" from=\"u.f\"/></interface><node id=\"u\" "
                                "type=\"graph\" href=\"other.oro\" version=\"1\"/>" TAIL);
    hostile("self.oro", "contains itself");
    expect(INVALID, "timeout 60 \"$OROGRAPH\" render self.oro -o x.r32");
    says("contains itself");
    expect(INVALID, "cp self.oro kept.oro; timeout 60 \"$OROGRAPH\" flatten self.oro -o flat.oro");
    says("cannot be taken apart");
    expect(DONE, "test ! -e flat.oro && cmp self.oro kept.oro");
}

/* Taken apart, some 30 small files would be a thousand million nodes. */
TEST_WITH(a_bomb, make_folder, remove_folder)
{
    char name[32], text[1200];
    for (int i = 0; i < 30; i++) {
        snprintf(name, sizeof name, "f%d.oro", i);
        snprintf(text, sizeof text,
                 HEAD "<interface><out name=\"f\" from=\"c.field\"/></interface><node id=\"a\" "
                      "type=\"graph\" href=\"f%d.oro\" version=\"1\"/>"
                      "<node id=\"b\" type=\"graph\" href=\"f%d.oro\" version=\"1\"/><node id=\"c\" "
                      "type=\"combine\" version=\"1\"><in "
                      "name=\"a\" from=\"a.f\"/><in name=\"b\" from=\"b.f\"/></node>" TAIL,
                 i + 1, i + 1);
        write_file(name, text);
    }
    write_file("f30.oro", HEAD "<interface><out name=\"f\" from=\"n.field\"/></interface><node id=\"n\" "
                               "type=\"noise\" version=\"1\"/>" TAIL);
    expect(INVALID, LIMITED "timeout 60 \"$OROGRAPH\" check f0.oro"); /* it could not be rendered */
    says("more than 500000 nodes");
    expect(FAILED, LIMITED "timeout 60 \"$OROGRAPH\" info f0.oro");
    says("more than 500000 nodes");
    expect(FAILED, LIMITED "timeout 100 \"$OROGRAPH\" flatten f0.oro -o flat.oro");
    says("more than 5000 nodes");
    expect(DONE,
           "test ! -e flat.oro && \"$OROGRAPH\" flatten f22.oro -o flat.oro && \"$OROGRAPH\" check flat.oro");
}
