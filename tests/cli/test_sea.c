/* The sea of a graph in what is said of its files: certificates, sidecars, measures; and terrain that is
 * level in the steps of a file. */
#include "tests/cli/support.h"
#include "tests/support/test.h"

/* A cone in a sea whose floor has hollows; the mask is where it is below 0, also inland. */
#define ISLAND(world, interface, more)                                                                       \
    HEAD "  <world extent=\"6400\" resolution=\"64\"" world "/>\n  <interface>\n"                            \
         "    <out name=\"terrain\" from=\"open.terrain\"/>\n" interface "  </interface>\n"                  \
         "  <node id=\"base\" type=\"noise\" version=\"3\">\n    <in name=\"amplitude\" value=\"300\"/>\n  " \
         "</node>\n"                                                                                         \
         "  <node id=\"water\" type=\"mask_select\">\n    <in name=\"terrain\" from=\"base.field\"/>\n"      \
         "    <in name=\"low\" value=\"-100000\"/>\n    <in name=\"high\" value=\"0\"/>\n  </node>\n"        \
         "  <node id=\"open\" type=\"breach\" version=\"2\">\n    <in name=\"terrain\" "                     \
         "from=\"base.field\"/>\n"                                                                           \
         "    <in name=\"sea\" from=\"water.mask\"/>\n  </node>\n" more TAIL
#define OFFERED "    <out name=\"sea\" from=\"water.mask\"/>\n"
#define EXPORT(from, file)                                                                                   \
    "  <node id=\"out\" type=\"export\">\n    <in name=\"terrain\" from=\"" from "\"/>\n    <in "            \
    "name=\"file\" value=\"" file "\"/>\n  </node>\n"

#define RENDER "\"$OROGRAPH\" render --device processor "

TEST_WITH(an_offered_sea_is_in_every_certificate, make_folder, remove_folder)
{
    static const char *const files[] = {"a.png", "a.r32", "a.exr", "a.r16"};
    write_file("dry.oro", ISLAND("", "", ""));
    write_file("g.oro", ISLAND("", OFFERED, EXPORT("open.terrain", "node.png")));
    expect(FAILED, RENDER "dry.oro -o dry.png --require-drained");
    says("its breach node left them to a sea: tell it by --sea M");
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        expect(DONE, RENDER "g.oro --output terrain -o %s --require-drained", files[i]);
        says(": drains");
        expect(DONE, "grep -q '\"sea\": 0' %s.json && grep -q '\"sea_cells\"' %s.json", files[i], files[i]);
        expect(DONE, "\"$OROGRAPH\" measure %s", files[i]); /* who reads the file finds it */
        says("result      drains");
        says("cells, which are no ground and count nowhere");
    }
    expect(DONE, RENDER "g.oro --require-drained && cmp a.png node.png && \"$OROGRAPH\" measure node.png");
    says("result      drains");
    expect(DONE, RENDER "g.oro --output terrain -o tiles.r16 --tiles 32 --overlap 0 --require-drained");
    expect(DONE, RENDER "g.oro --output terrain -o a.r16 --for unreal --require-drained");
    expect(DONE, RENDER "g.oro --output terrain,open.drainage -o all.exr --require-drained");
    /* Other ground than what is offered with it. */
    expect(DONE, RENDER "g.oro --output base.field -o b.r32");
    says(" closed depressions (");
    expect(DONE, RENDER "g.oro --output sea -o mask.png && ! grep -q sea_cells mask.png.json");
}

TEST_WITH(a_graph_as_a_node_brings_its_sea, make_folder, remove_folder)
{
    write_file("isle.oro", ISLAND("", OFFERED, ""));
    write_file("g.oro", HEAD
               "  <world extent=\"6400\" resolution=\"64\"/>\n"
               "  <node id=\"isle\" type=\"graph\" href=\"isle.oro\"/>\n" EXPORT("isle.terrain", "node.tif")
                   TAIL);
    expect(DONE, RENDER "g.oro --require-drained && grep -q '\"sea_cells\"' node.tif.json");
    expect(DONE, RENDER "g.oro --output isle.terrain -o o.r32 --require-drained");
    expect(DONE, RENDER "g.oro --output isle.sea -o mask.r32");
    says_not("drain");
}

TEST_WITH(the_worlds_sea_is_a_level, make_folder, remove_folder)
{
    write_file("g.oro", ISLAND(" sea=\"40\"", "", EXPORT("base.field", "node.png")));
    expect(DONE, RENDER "g.oro --output base.field -o a.r32 --drain repair --require-drained");
    expect(DONE, "grep -q '\"sea\": 40' a.r32.json && grep -q '\"method\": \"repair\"' a.r32.json");
    expect(DONE, RENDER "g.oro && grep -q '\"sea\": 40' node.png.json");
    expect(DONE, RENDER "g.oro --output base.field -o b.png --sea -50 --drain strict --drain-limit 0");
    says("b.png: drains\n");
    expect(DONE, "grep -q '\"sea\": -50' b.png.json && \"$OROGRAPH\" measure b.png");
    says("result      drains\n");
    expect(DONE,
           RENDER "g.oro --output base.field -o c.png --set world.sea=-50 --drain strict --drain-limit 0 && "
                  "cmp b.png c.png");
    expect(USAGE, RENDER "g.oro --drain strict");
    says("--drain goes with -o OUT");
    expect(USAGE, RENDER "g.oro -o b.png --output base.field --drain repair --drain-limit 4");
}

TEST_WITH(resampling_keeps_it_drained, make_folder, remove_folder)
{
    write_file(
        "g.oro",
        ISLAND(
            "", "",
            EXPORT(
                "hills.terrain",
                "node.raw") "  <node id=\"hills\" type=\"breach\" version=\"2\">\n    <in name=\"terrain\" "
                            "from=\"base.field\"/>\n  </node>\n"));
    expect(DONE, RENDER "g.oro --output hills.terrain -o u.r16 --for unreal --require-drained");
    says("u.r16: it drained before it was resampled, and was carved open again: ");
    expect(DONE, RENDER "g.oro --output hills.terrain -o u.raw --for unity --require-drained");
    expect(DONE, RENDER "g.oro --set out.for=unity --require-drained && cmp u.raw node.raw");
    says("node.raw: it drained before it was resampled");
    expect(FAILED, RENDER "g.oro --output base.field -o b.r16 --for unreal --require-drained");
    says("give --drain repair");
    expect(DONE, RENDER "g.oro --output base.field -o b.r16 --for unreal --require-drained --drain repair");
}

/* A plain that falls by 3 m under hills of 3000: most of it is level in 16 bits. */
TEST_WITH(steps_that_hide_rivers_are_told, make_folder, remove_folder)
{
    expect(
        0,
        "awk 'BEGIN { print \"ncols 64\\nnrows 64\\nxllcorner 0\\nyllcorner 0\\ncellsize 30\"; for (y = 0; "
        "y < 64; y++) { for (x = 0; x < 64; x++) printf \"%%.4f \", (y < 8 ? (8 - y) * 375 : 0) + 3 - y * "
        "0.02 - x * 0.01 + 0.004 * sin(x * y); print \"\" } }' >plain.asc");
    expect(DONE, "\"$OROGRAPH\" convert plain.asc plain.r32 --drain repair");
    says_not("level");
    expect(DONE, "\"$OROGRAPH\" measure plain.r32");
    says("Hack        l = c a^n: c ");
    static const char *const files[] = {"p.png", "p.r16", "p.tif --bits 16"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        expect(DONE, "\"$OROGRAPH\" convert plain.r32 %s", files[i]);
        says("of its cells are level, where the ground falls by less than a step of the file, 0.0458 m: "
             "write 32 "
             "bits (.tif, .exr, .r32), or drain it with 'strict'");
        expect(DONE, "\"$OROGRAPH\" measure %.5s", files[i]);
        says("not told    ");
        says("of the ground is level in steps of 0.0458 m");
        says_not("Hack        l");
        expect(DONE, "\"$OROGRAPH\" measure %.5s --json", files[i]);
        says("\"rivers_hidden_by\": 0.");
        says("\"n\": null");
    }
    expect(DONE, "\"$OROGRAPH\" convert plain.r32 w.png --low -1000 --high 9000");
    says(", a narrower range of heights, or drain it");
    expect(DONE, "\"$OROGRAPH\" convert p.png floats.pfm && \"$OROGRAPH\" measure floats.pfm");
    says("not told    ");
}
