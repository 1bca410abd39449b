/* Files of other programs on the command line and in graphs: tiles by their pattern, colours that are
 * decoded, names that lie. */
#include "tests/cli/support.h"
#include "tests/support/test.h"

static const char hills[] =
    HEAD "<world extent=\"650\" resolution=\"65\"/><interface><out name=\"f\" from=\"n.field\"/></interface>"
         "<node id=\"n\" type=\"noise\"><in name=\"amplitude\" value=\"100\"/></node>" TAIL;

static const char importing[] = HEAD
    "<world extent=\"650\" resolution=\"65\"/><interface><out name=\"f\" from=\"i.terrain\"/></interface>"
    "<node id=\"i\" type=\"import\"><in name=\"file\" value=\"t_x{x}_y{y}.r32\"/></node>" TAIL;

/* Tiles t_x0_y0.r32 and so on, of which nothing else tells anything. */
static void make_tiles(void)
{
    write_file("hills.oro", hills);
    expect(DONE, "$OROGRAPH render hills.oro -o whole.r32 && "
                 "$OROGRAPH convert whole.r32 t.r32 --tiles 33 && rm t*.json");
}

TEST(tiles_by_their_pattern)
{
    make_tiles();
    expect(DONE, "$OROGRAPH convert 't_x{x}_y{y}.r32' again.r32 && cmp again.r32 whole.r32");
    says("2 x 2 tiles of 33 cells a side; neighbours share 1 and y counts from the north");
    expect(DONE, "$OROGRAPH measure 't_x{x}_y{y}.r32'");
    says("65 x 65");
    expect(DONE, "$OROGRAPH convert t_x0_y0.r32 one.r32");
    says("'t_x0_y0.r32' is one of 4 tiles: 't_x{x}_y{y}.r32' reads them as one");
}

TEST(tiles_in_a_graph)
{
    make_tiles();
    write_file("importing.oro", importing);
    expect(DONE, "$OROGRAPH render importing.oro -o again.r32 && cmp again.r32 whole.r32");
    /* One that changes is noticed. */
    expect(
        DONE,
        "cp t_x1_y1.r32 kept && cp t_x0_y0.r32 t_x1_y1.r32 && $OROGRAPH render importing.oro -o other.r32");
    expect(FAILED, "cmp other.r32 whole.r32");
    expect(DONE,
           "mv kept t_x1_y1.r32 && $OROGRAPH render importing.oro -o again.r32 && cmp again.r32 whole.r32");
    expect(DONE, "rm t_x1_y1.r32");
    expect(INVALID, "$OROGRAPH render importing.oro -o again.r32");
    says("x 1, y 1 is missing");
}

TEST(manifests)
{
    make_tiles();
    expect(DONE, "$OROGRAPH tiles t_x1_y0.r32");
    says("wrote t.tiles.json");
    expect(DONE, "$OROGRAPH convert t.tiles.json again.r32 && cmp again.r32 whole.r32");
    says_not("neighbours share");
    expect(FAILED, "$OROGRAPH tiles 't_x{x}_y{y}.r32'");
    says("-o t.tiles.json replaces it");
    expect(DONE, "$OROGRAPH tiles 't_x{x}_y{y}.r32' -o t.tiles.json");
    expect(USAGE, "$OROGRAPH tiles whole.r32");
    says("it needs {x} and {y}");
    expect(INVALID, "$OROGRAPH tiles 'none_{x}_{y}.png'");
    says("names no file");
    expect(DONE, "cp t_x1_y1.r32 kept && head -c 400 kept >t_x1_y1.r32 && rm -f t_x1_y1.r32.json");
    expect(INVALID, "$OROGRAPH tiles 't_x{x}_y{y}.r32' -o t.tiles.json");
    says("tiles are squares of one size, and 't_x1_y1.r32' has 10 x 10 cells");
    expect(DONE, "mv kept t_x1_y1.r32");
    expect(USAGE, "$OROGRAPH tiles 't_x{x}_y{y}.r32' --low 3");
    says("go together");
}

TEST(colours)
{
    /* Two pixels: 131, 196, 64 and 128, 0, 0. */
    expect(DONE, "printf '"
                 "\\211\\120\\116\\107\\015\\012\\032\\012\\000\\000\\000\\015\\111\\110\\104\\122"
                 "\\000\\000\\000\\002\\000\\000\\000\\001\\010\\002\\000\\000\\000\\173\\100\\350"
                 "\\335\\000\\000\\000\\022\\111\\104\\101\\124\\170\\001\\001\\007\\000\\370\\377"
                 "\\000\\203\\304\\100\\200\\000\\000\\011\\155\\002\\010\\237\\243\\171\\072\\000"
                 "\\000\\000\\000\\111\\105\\116\\104\\256\\102\\140\\202"
                 "' > c.png");
    expect(INVALID, "$OROGRAPH convert c.png c.r32 --low 0 --high 9");
    says("'c.png' is a picture in colours (cell 0,0 is 131, 196, 64)");
    says("--decode terrarium or terrain-rgb");
    expect(INVALID, "$OROGRAPH measure c.png");
    says("--decode luminance");
    expect(DONE, "$OROGRAPH convert c.png c.asc --decode terrarium && tail -1 c.asc");
    says("964.25 0");
    expect(DONE, "$OROGRAPH measure c.png --decode terrarium");
    says("0.00..964.25 m");
    expect(USAGE, "$OROGRAPH convert c.png c.asc --decode mapzen");
    write_file("c.oro",
               HEAD "<world extent=\"20\" resolution=\"2\" aspect=\"0.5\"/>"
                    "<interface><out name=\"f\" from=\"i.terrain\"/></interface>"
                    "<node id=\"i\" type=\"import\"><in name=\"file\" value=\"c.png\"/></node>" TAIL);
    expect(INVALID, "$OROGRAPH render c.oro -o c.r32");
    says("'decode' of the node import");
    expect(DONE, "$OROGRAPH render c.oro -o c.r32 --set i.decode=terrarium");
    says("0.0..964.2 m");
}

/* What the file is, not what it is called. */
TEST(names_that_lie)
{
    write_file("hills.oro", hills);
    expect(DONE, "$OROGRAPH render hills.oro -o a.pfm && cp a.pfm b.png && $OROGRAPH convert b.png c.pfm && "
                 "cmp a.pfm c.pfm");
    says("'b.png' is a PFM file by its bytes");
    expect(INVALID, "printf '\\377\\330\\377....' > x.png && $OROGRAPH convert x.png c.pfm");
    says("gdal_translate -b 1 x.png OUT.tif");
    expect(INVALID, "echo nothing > x.foo && $OROGRAPH convert x.foo c.pfm");
    says("gdal_translate x.foo OUT.tif");
}

TEST_GROUP(make_folder, remove_folder);
