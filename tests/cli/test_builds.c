/* The world, a part of it, and named builds, as `render`, `info`, `check` and scripts are asked for them. */
#include <stdlib.h>
#include <string.h>

#include "tests/cli/support.h"
#include "tests/support/test.h"

static const char graph[] = HEAD
    "  <world extent=\"=relief * 4\" resolution=\"=res\" seed=\"4\"/>\n"
    "  <variable name=\"res\" value=\"48\"/>\n"
    "  <variable name=\"relief\" value=\"800\" unit=\"m\"/>\n"
    "  <interface>\n    <out name=\"ground\" from=\"open.terrain\"/>\n"
    "    <out name=\"picture\" from=\"shade.image\"/>\n    <out name=\"rivers\" from=\"lines.network\"/>\n"
    "  </interface>\n"
    "  <build name=\"game\" resolution=\"=res * 2 + 31\" for=\"unreal\" outputs=\"ground\"/>\n"
    "  <build name=\"web\" resolution=\"32\" outputs=\"ground picture, rivers\"/>\n"
    "  <build name=\"all\" for=\"unity\"/>\n"
    "  <node id=\"base\" type=\"noise\" version=\"1\">\n    <in name=\"amplitude\" expr=\"relief\"/>\n  "
    "</node>\n"
    "  <node id=\"open\" type=\"breach\" version=\"1\">\n    <in name=\"terrain\" from=\"base.field\"/>\n  "
    "</node>\n"
    "  <node id=\"shade\" type=\"hillshade\">\n    <in name=\"terrain\" from=\"open.terrain\"/>\n  </node>\n"
    "  <node id=\"lines\" type=\"river_network\">\n    <in name=\"terrain\" from=\"open.terrain\"/>\n  "
    "</node>\n"
    "  <node id=\"out\" type=\"export\">\n    <in name=\"terrain\" from=\"open.terrain\"/>\n    <in "
    "name=\"file\" value=\"node.raw\"/>\n  </node>\n" TAIL;

#define RENDER(options) "\"$OROGRAPH\" render --device processor g.oro " options

TEST_WITH(the_worlds_numbers, make_folder, remove_folder)
{
    write_file("g.oro", graph);
    expect(DONE, "\"$OROGRAPH\" check g.oro && \"$OROGRAPH\" info g.oro --set res=20");
    says("3200 x 3200 m, 20 x 20 cells of 160 m, seed 4");
    says("build   game: ground, resolution =res * 2 + 31, for unreal\nbuild   web: ");
    says("build   all: all, for unity\n");
    expect(DONE, RENDER("--output ground -o a.r32 --resolution 40"));
    says("wrote a.r32 (40 x 40, ");
    expect(DONE, RENDER("--output ground -o b.r32 --set world.resolution=40 --report b.json"));
    expect(DONE, RENDER("--output ground -o c.r32 --set res=40") " && cmp a.r32 b.r32 && cmp a.r32 c.r32");
    expect(DONE, "grep -q '\"resolution\": 40' b.json && grep -q '\"extent\": 3200' b.json");
    expect(DONE, RENDER("--output ground -o d.r32 --set world.aspect=0.5 --set 'world.extent==relief * 2' "
                        "--set world.seed=9"));
    says("wrote d.r32 (48 x 24, ");
    expect(DONE, "grep -q '\"cell_size\": 33.3333' d.r32.json && grep -q '\"seed\": 9' d.r32.json");
    /* A node of that name comes first. */
    expect(DONE, "sed -e 's/\"base\"/\"world\"/; s/base[.]field/world.field/' g.oro >w.oro && \"$OROGRAPH\" "
                 "render --device processor w.oro --output ground -o w.r32 --set world.amplitude=7");
    static const struct {
        const char *set, *told;
    } wrong[] = {{"--set world.resolutoin=9", "the world has no 'resolutoin'; did you mean 'resolution'?"},
                 {"--set world.extent=wide", "'wide' is not a number; it takes a number or =EXPRESSION"},
                 {"--set 'world.extent=20 km'", "(write 20000)"},
                 {"--set world.resolution=64.5", "resolution takes whole cells"},
                 {"--set world.resolution=0", "resolution must be from 1 to 131072 cells, not 0"},
                 {"--set world.seed=1.5", "'1.5' is no whole number"},
                 {"--set world.origin=7", "origin takes two numbers"},
                 {"--set 'world.aspect==rse'", "'rse' is no variable; did you mean 'res'?"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        expect(INVALID, RENDER("--output ground -o x.r32 %s"), wrong[i].set);
        says(wrong[i].told);
    }
    expect(USAGE, RENDER("--output ground -o x.r32 --resolution 0"));
    expect(USAGE, RENDER("--output ground -o x.r32 --resolution 40 --set world.resolution=41"));
    says("--resolution and --set world.resolution=41 both tell the world's resolution: leave one out");
    expect(USAGE, RENDER("--output ground -o x.r32 --sea 4 --set world.sea=5"));
}

/* Row after row of the whole, from a corner on. */
static void expect_part(const char *whole, int width, const char *part, int x, int y, int columns, int rows)
{
    size_t cells = 0, count = 0;
    float *all = read_floats(whole, &cells), *cut = read_floats(part, &count);
    assert_int_equal(count, columns * rows);
    for (int i = 0; i < rows; i++)
        assert_memory_equal(cut + i * columns, all + (y + i) * width + x, (size_t)columns * sizeof *all);
    free(all);
    free(cut);
}

TEST_WITH(regions_have_the_wholes_cells, make_folder, remove_folder)
{
    write_file("g.oro", graph);
    expect(DONE, RENDER("--output ground -o whole.r32"));
    expect(DONE, RENDER("--output ground -o shares.r32 --region 0.25,0.5,0.5,0.25"));
    says("wrote shares.r32 (24 x 12, ");
    expect_part("whole.r32", 48, "shares.r32", 12, 24, 24, 12);
    expect(DONE,
           RENDER("--output ground -o metres.r32 --region 800,1600,1600,800 --require-drained") " && cmp "
                                                                                                "shares.r32 "
                                                                                                "metres.r32");
    expect(DONE, RENDER("--output base.field -o odd.r32 --region 1000,0,333,3200 && \"$OROGRAPH\" render "
                        "--device processor g.oro --output base.field -o whole.r32"));
    expect_part("whole.r32", 48, "odd.r32", 15, 0, 5, 48);
    expect(DONE, RENDER("--output picture -o p.png --region 0,0,0.5,1"));
    says("wrote p.png (24 x 48)");
    expect(DONE, RENDER("--output ground,shade.image -o p.exr --region 0,0,0.5,1"));
    says("(24 x 48, 2 outputs");
    expect(DONE, RENDER("--region 0.5,0.5,0.5,0.5"));
    says("node.raw (24 x 24, ");
    expect(DONE, RENDER("--build web --region 0.5,0.5,0.5,0.5"));
    says("g-web-ground.tif (16 x 16, ");
    says("g-web-picture.png (16 x 16)");
    expect(
        DONE,
        RENDER("--output picture -o q.png --resolution 32 --region 1600,1600,1600,1600") " && cmp q.png "
                                                                                         "g-web-picture.png");
    static const struct {
        const char *region, *told;
    } wrong[] = {{"0,0,1", "--region takes X,Y,WIDTH,HEIGHT"},
                 {"0,0,0,1", "width and height are above 0"},
                 {"0.5,0,0.75,1", "shares end at 1"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        expect(USAGE, RENDER("--output ground -o x.r32 --region %s"), wrong[i].region);
        says(wrong[i].told);
    }
    expect(USAGE, RENDER("--output ground -o x.r32 --region 9000,0,50,50"));
    says("--region lies outside the world: it begins at 9000 0, and the world is 3200 x 3200 m");
    expect(USAGE, RENDER("--output rivers -o x.geojson --region 0,0,1,1"));
    says("'lines.network' is a network");
}

TEST_WITH(named_builds, make_folder, remove_folder)
{
    expect(0, "mkdir in");
    write_file("in/g.oro", graph);
    expect(DONE, "\"$OROGRAPH\" render --device processor in/g.oro --build game");
    says("in/g-game.png: for Unreal Engine: Z scale ");
    expect(DONE, "grep -q '\"width\": 127' in/g-game.png.json && test ! -e in/node.raw");
    expect(DONE, "\"$OROGRAPH\" render --device processor in/g.oro --build web");
    expect(DONE, "cd in && test -s g-web-ground.tif -a -s g-web-picture.png -a -s g-web-rivers.geojson");
    expect(DONE, "grep -q '\"width\": 32' in/g-web-ground.tif.json");
    expect(DONE, "\"$OROGRAPH\" render --device processor in/g.oro --build all");
    says("in/node.raw: for Unity: resolution 33");
    expect(DONE, "cd in && \"$OROGRAPH\" render --device processor g.oro --build game -o mine.r16");
    says("wrote mine.r16 (127 x 127, ");
    expect(DONE,
           "cd in && \"$OROGRAPH\" render --device processor g.oro --build game -o other.r16 --resolution "
           "253 --output base.field");
    says("wrote other.r16 (253 x 253, ");
    expect(INVALID, "\"$OROGRAPH\" render in/g.oro --build gmae");
    says("there is no build 'gmae'; did you mean 'game'?");
    expect(USAGE, "\"$OROGRAPH\" render in/g.oro --build web -o x.r16");
    says("build 'web' writes 'ground picture, rivers': choose one with --output");
    expect(USAGE, "\"$OROGRAPH\" render in/g.oro --build game -o x.tif");
    says("reads 16-bit heights");
    expect(0, "sed -i 's/for=\"unreal\"/for=\"unrael\"/; s/\"32\" outputs=\"ground/\"32\" outputs=\"gruond/' "
              "in/g.oro");
    expect(INVALID, "\"$OROGRAPH\" check in/g.oro");
    says("error [bad-build]: build 'game': for must be one of none, unreal, unity");
    says("writes 'gruond', which is no output of the interface");
    expect(INVALID, "\"$OROGRAPH\" render --device processor in/g.oro --build game");
    expect(DONE, "\"$OROGRAPH\" render --device processor in/g.oro"); /* what needs no build */
}

TEST_WITH(scripts_have_them, make_folder, remove_folder)
{
    write_file("g.oro", graph);
    write_file("s.lua", "local g = orograph.open('g.oro')\n"
                        "print(g:world().resolution, g:world().extent, g:world().sea)\n"
                        "g:set('res', 24)\n"
                        "print(g:world().resolution, g:world{sea = 12}.sea)\n"
                        "local part = g:render('ground', {region = '0,0,0.5,0.25'})\n"
                        "print(part.width, part.height, g:render('ground').width, part:measure().sea > 0)\n"
                        "print(g:render('picture', {region = '0,0,0.5,0.25'}).height)\n"
                        "print(#g:export{build = 'web'}, #g:export())\n"
                        "print(pcall(g.render, g, 'ground', {region = '0,0,1'}))\n"
                        "print(pcall(g.export, g, {build = 'wbe'}))\n");
    expect(DONE, "\"$OROGRAPH\" run s.lua g.oro --device processor --write .");
    says("48\t3200\tnil\n24\t12\n12\t6\t24\ttrue\n6\n");
    says("\n3\t1\n");
    says("false\ts.lua:9: region takes X,Y");
    says("there is no build 'wbe'; did you mean 'web'?");
}
