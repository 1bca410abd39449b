/* --for, --tiles and --weights, as they are asked for on the command line. */
#include "tests/cli/support.h"
#include "tests/support/test.h"

static const char graph[] = HEAD
    "  <world extent=\"3200\" resolution=\"65\"/>\n"
    "  <interface>\n    <out name=\"ground\" from=\"open.terrain\"/>\n    <out name=\"picture\" "
    "from=\"shade.image\"/>\n  </interface>\n"
    "  <node id=\"base\" type=\"noise\">\n    <in name=\"amplitude\" value=\"900\"/>\n  </node>\n"
    "  <node id=\"open\" type=\"breach\" version=\"1\">\n    <in name=\"terrain\" from=\"base.field\"/>\n  "
    "</node>\n"
    "  <node id=\"steep\" type=\"slope\">\n    <in name=\"terrain\" from=\"open.terrain\"/>\n  </node>\n"
    "  <node id=\"shade\" type=\"hillshade\">\n    <in name=\"terrain\" from=\"open.terrain\"/>\n  </node>\n"
    "  <node id=\"out\" type=\"export\">\n    <in name=\"terrain\" from=\"open.terrain\"/>\n    <in "
    "name=\"file\" value=\"node.raw\"/>\n    <in name=\"for\" value=\"unity\"/>\n  </node>\n" TAIL;

#define RENDER(options) "\"$OROGRAPH\" render --device processor g.oro " options
#define CONVERT "\"$OROGRAPH\" convert "

TEST_WITH(for_an_engine, make_folder, remove_folder)
{
    write_file("g.oro", graph);
    expect(DONE, RENDER("--output ground -o u.raw --for unreal --weights steep.field,open.drainage"));
    says("u.raw: resampled from 65 x 65 to 127 x 127 cells");
    says("u.raw: for Unreal Engine: Z scale ");
    expect(0, "test -s u_steep_field.png && test -s u_open_drainage.png && grep -q '\"bpp\": 16' u.json");
    expect(0, "grep -q '\"z_location\"' u.raw.json");
    expect(DONE, RENDER("--output ground -o whole.raw --for unity") " && " RENDER(""));
    expect(0, "cmp whole.raw node.raw && grep -q south_first node.raw.json");
    expect(DONE, CONVERT "node.raw wide.r32 --size 200x129 && " CONVERT "wide.r32 wide.png --for unreal");
    says("253 x 127, which stretches the terrain along y by 0.778");
    expect(DONE, CONVERT "wide.r32 narrow.r16 --for unreal --size 253x127");
    expect(DONE, CONVERT "node.raw a.r32 && " CONVERT "whole.raw b.r32 --for none && cmp a.r32 b.r32");
}

/* Sides that are rounded to whole cells stretch nothing that could be helped. */
TEST_WITH(stretching_is_told, make_folder, remove_folder)
{
    write_file("g.oro", graph);
    expect(DONE, RENDER("--output ground -o a.r32") " && " CONVERT "a.r32 wide.r32 --size 64x48");
    says("'wide.r32': 65 x 65 cells become 64 x 48, which stretches the terrain along y by 0.75");
    expect(DONE, CONVERT "wide.r32 b.tif --size power_of_two");
    says("'b.tif': 64 x 48 cells become 64 x 64, which stretches the terrain along y by 1.33");
    expect(DONE, CONVERT "wide.r32 c.r32 --size 30 && " CONVERT "wide.r32 c.r32 --size 30x22 && " CONVERT
                         "wide.r32 c.r32 --size 30x23");
    says_not("stretches");
    expect(DONE, CONVERT "wide.r32 c.raw --for unreal --size 253x127");
    says("'c.raw': 64 x 48 cells become 253 x 127");
    expect(DONE, RENDER("--set out.for=none --set out.preset=unreal --set world.aspect=0.5"));
    says("'node.raw': 65 x 33 cells become 127 x 127, which stretches");
}

TEST_WITH(wrong_for_an_engine, make_folder, remove_folder)
{
    write_file("g.oro", graph);
    expect(USAGE, RENDER("--output ground -o g.png --for godot"));
    says("only 8 bits of a PNG");
    expect(USAGE, RENDER("--output picture -o g.exr --for godot"));
    expect(USAGE, RENDER("--output ground -o g.exr --weights picture"));
    says("is an image, and no mask");
    expect(USAGE, RENDER("--for unity"));
    expect(USAGE, RENDER("--output ground -o - --format r16 --tiles 33"));
    expect(USAGE, RENDER("--output ground -o g.r16 --overlap 2"));
    expect(USAGE, RENDER("--output ground -o g.glb --tiles 33"));
    says("go with a raster, not with a mesh");
    expect(USAGE, RENDER("--output ground -o g.obj --weights steep.field"));
    expect(USAGE, RENDER("--output ground,steep.field -o g.exr --tiles 33"));
    expect(USAGE, RENDER("--output ground -o g.stl --for blender"));
    expect(INVALID, RENDER("--set out.file=x.png"));
    says("Import Raw reads 16-bit heights");
    expect(0, "test $(ls | grep -c '^g') = 1");
}

TEST_WITH(in_tiles, make_folder, remove_folder)
{
    write_file("g.oro", graph);
    expect(DONE, RENDER("--output ground -o a.r32"));
    expect(DONE, RENDER("--output ground -o t.exr --tiles 17 --name 'part_{y}-{x}_of_{n}' --report r.json"));
    says("t.exr: in 16 tiles of 17 x 17 cells");
    expect(0, "test $(ls part_*.exr | wc -l) = 16 && grep -q '\"drained\": true' t.tiles.json");
    expect(1, "grep -q hydrology part_0-0_of_t.exr.json");
    expect(0, "grep -q t.tiles.json part_0-0_of_t.exr.json && grep -q t.tiles.json r.json");
    expect(DONE, CONVERT "t.tiles.json back.r32 && cmp a.r32 back.r32");
    expect(DONE, "\"$OROGRAPH\" measure t.tiles.json");
    expect(DONE, RENDER("--output picture -o p.png --tiles 33"));
    expect(0, "test $(ls p_x?_y?.png | wc -l) = 4");
    expect(USAGE, CONVERT "a.r32 c.png --tiles 30");
    says("widths of 59 or 88");
    expect(0, "test -z \"$(ls | grep '^c')\" || ls | grep -qx cache");
}
