/* Meshes as a user meets them: `render`, `convert` and `export`, what they say, and what they refuse. */
#include "support.h"
#include "tests/support/test.h"

static const char graph[] =
    HEAD "<world extent=\"1000\" resolution=\"64\"/>\n"
         "<node id=\"hills\" type=\"bumps\" version=\"1\"/>\n"
         "<node id=\"shade\" type=\"hillshade\"><in name=\"terrain\" from=\"hills.terrain\"/></node>\n"
         "<node id=\"file\" type=\"export\"><in name=\"terrain\" from=\"hills.terrain\"/>"
         "<in name=\"file\" value=\"export.stl\"/></node>\n" TAIL;

static const char raster[] = "convert hills.pfm";

static int set_up(void **state)
{
    int failed = make_folder(state);
    write_file("hills.oro", graph);
    expect(DONE, "$OROGRAPH render hills.oro --device processor --output hills.terrain -o hills.pfm");
    return failed;
}

TEST(render)
{
    expect(DONE,
           "$OROGRAPH render hills.oro --device processor --output hills.terrain -o a.glb --triangles 900 "
           "--texture shade.image --normal-map --base 20");
    says("wrote a.glb (64 x 64, ");
    says(" triangles and ");
    says(" below its border: within ");
    says("a.glb: before it was simplified: ");
    expect(DONE, "grep -q largest_error a.glb.json && grep -q 'of.*before it was simplified' a.glb.json");
    expect(DONE, "head -c 4 a.glb | grep -q glTF && grep -qa baseColorTexture a.glb && "
                 "grep -qa normalTexture a.glb");
    expect(DONE, "$OROGRAPH render hills.oro --device processor --output hills.terrain -o b.glb");
    says("7938 triangles: the whole grid)");
    expect(USAGE, "$OROGRAPH render hills.oro --output hills.terrain -o c.glb --texture hills.terrain");
    says("--texture takes an image");
    expect(INVALID, "$OROGRAPH render hills.oro --output hills.terrain -o c.glb --texture nothing");
    expect(USAGE, "$OROGRAPH render hills.oro --triangles 9");
    says("are for meshes");
    expect(USAGE, "$OROGRAPH render hills.oro --output shade.image -o c.glb");
    expect(USAGE, "$OROGRAPH render hills.oro --output hills.terrain,shade.image -o c.glb");
    says("'c.glb' holds one output");
    expect(FAILED, "test -e c.glb");
}

TEST(pipe)
{
    expect(DONE, "$OROGRAPH render hills.oro --device processor --output hills.terrain -o p.glb "
                 "--texture shade.image");
    expect(DONE, "$OROGRAPH render hills.oro --device processor --output hills.terrain -o - --format glb "
                 "--texture shade.image 2>/dev/null | cmp - p.glb");
}

TEST(placed)
{
    write_file("placed.oro",
               HEAD "<world extent=\"1000\" resolution=\"64\" crs=\"EPSG:32632\" "
                    "origin=\"440000 5130000\"/>\n<node id=\"hills\" type=\"bumps\" version=\"1\"/>\n" TAIL);
    expect(DONE, "$OROGRAPH render placed.oro --device processor --output hills.terrain -o placed.glb");
    expect(
        DONE,
        "grep -q '\"crs\": \"EPSG:32632\"' placed.glb.json && grep -q '\"west\": 440000,' placed.glb.json");
    expect(DONE, "grep -qa '\"crs\":\"EPSG:32632\",\"origin\":.440500,' placed.glb");
}

TEST(export)
{
    expect(DONE, "$OROGRAPH render hills.oro --device processor");
    expect(DONE, "grep -q '\"surface_triangles\": 7938' export.stl.json && "
                 "test $(stat -c %%s export.stl) = $((84 + 50 * 7938))");
}

TEST(convert)
{
    expect(DONE, "$OROGRAPH %s a.stl --error 5 --base 10", raster);
    says(" below its border: within ");
    expect(DONE, "$OROGRAPH %s b.obj --skirt 3 --triangles 100", raster);
    says("wrote b.obj");
    expect(DONE, "$OROGRAPH render hills.oro --device processor --output shade.image -o shade.png");
    expect(DONE, "$OROGRAPH %s c.glb --texture shade.png", raster);
    expect(DONE, "$OROGRAPH %s d.ply --drain repair", raster);
    says("d.ply: drains");
}

TEST(refused)
{
    static const struct {
        int code;
        const char *arguments, *part;
    } cases[] = {
        {USAGE, "n.png --triangles 8", "are for meshes: .glb, .obj, .stl, .ply"},
        {USAGE, "n.glb --triangles 8 --error 2", "exclude each other"},
        {USAGE, "n.glb --skirt 8 --base 2", "exclude each other"},
        {USAGE, "n.glb --triangles 1", "--triangles takes 2 to"},
        {USAGE, "n.glb --error 0", "--error takes 0.001"},
        {USAGE, "n.ply --normal-map", "are for .glb"},
        {USAGE, "n.obj --texture hills.png", "are for .glb"},
        {INVALID, "n.glb --texture none.png", "none.png"},
        {INVALID, "n.glb --texture hills.oro", "neither a PNG nor a JPEG"},
        {FAILED, "n.glb --size 1x64", "1x64 cells: a mesh needs 2 a side"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect(cases[i].code, "$OROGRAPH %s %s", raster, cases[i].arguments);
        says(cases[i].part);
        expect(DONE, "! ls n.* 2>/dev/null");
    }
    expect(DONE, "$OROGRAPH %s m.stl", raster);
    expect(INVALID, "$OROGRAPH convert m.stl n.png");
    says("is a mesh, which is written and not read");
    expect(INVALID, "$OROGRAPH info m.stl");
    says("is a mesh, which is written and not read");
}

TEST_GROUP(set_up, remove_folder);
