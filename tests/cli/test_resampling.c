/* What the command line makes finer goes no lower and no higher than it was, whatever the format and the way.
 */
#include "tests/cli/support.h"
#include "tests/support/test.h"

/* Level sea, a cliff across the grid, a plateau; as ESRI ASCII, of which all other files are made. */
static void make_cliff(int width, int height, double sea, double top)
{
    expect(
        0,
        "awk 'BEGIN { print \"ncols %d\\nnrows %d\\nxllcorner 0\\nyllcorner 0\\ncellsize 10\"\n"
        "  for (y = 0; y < %d; y++) { for (x = 0; x < %d; x++) printf \"%%s \", (2 * x > y + 20 ? %g : %g); "
        "print \"\" } }' >in.asc",
        width, height, height, width, top, sea);
}

TEST_WITH(cliffs_do_not_overshoot, make_folder, remove_folder)
{
    static const struct {
        int width, height;
        double sea, top;
        const char *range;
    } cliffs[] = {{64, 64, 0, 200, ", 0.0..200.0 m"},
                  {50, 33, -120.5, -20, ", -120.5..-20.0 m"},
                  {31, 60, 1000, 4000, ", 1000.0..4000.0 m"}};
    static const char *const files[] = {"in.asc", "in.r32", "in.tif", "in.png", "in.exr"};
    for (size_t i = 0; i < sizeof cliffs / sizeof cliffs[0]; i++) {
        make_cliff(cliffs[i].width, cliffs[i].height, cliffs[i].sea, cliffs[i].top);
        for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) {
            if (k > 0)
                expect(DONE, "\"$OROGRAPH\" convert in.asc %s", files[k]);
            expect(DONE, "\"$OROGRAPH\" convert %s out.r32 --size 128", files[k]);
            says(cliffs[i].range);
            expect(DONE, "\"$OROGRAPH\" convert %s out.png --for unreal", files[k]);
            says(cliffs[i].range);
            expect(DONE, "\"$OROGRAPH\" convert %s out.pfm --size 201x77", files[k]);
            says(cliffs[i].range);
        }
        expect(DONE, "\"$OROGRAPH\" convert in.r32 out.r32 --size 128 --resampling catmull_rom");
        says_not(cliffs[i].range); /* the smooth surface is a choice, and does */
        expect(DONE, "\"$OROGRAPH\" convert in.r32 out.r32 --size 20 --resampling catmull_rom");
        says(cliffs[i].range); /* averages do not */
    }
}

/* Degrees become metres: 1201 x 1201 numbers are a tile of SRTM. */
TEST_WITH(warping_does_not_overshoot, make_folder, remove_folder)
{
    make_cliff(1201, 1201, 0, 200);
    if (shell("\"$OROGRAPH\" convert in.asc tile.r16 --low 0 --high 65535 --big-endian && mv tile.r16 "
              "N46E008.hgt && "
              "\"$OROGRAPH\" convert N46E008.hgt out.pfm") != DONE)
        skip(); /* without GDAL */
    says("(974 x 1404, 0.0..200.0 m");
    expect(DONE, "\"$OROGRAPH\" convert N46E008.hgt out.pfm --crs EPSG:2056");
    says(", 0.0..200.0 m");
}

TEST_WITH(nodes_do_not_overshoot, make_folder, remove_folder)
{
    make_cliff(64, 64, 0, 200);
    write_file("g.oro", HEAD
               "  <world extent=\"640\" resolution=\"200\"/>\n"
               "  <node id=\"dem\" type=\"import\">\n    <in name=\"file\" value=\"in.asc\"/>\n  </node>\n"
               "  <node id=\"finer\" type=\"upsample\">\n    <in name=\"terrain\" from=\"dem.terrain\"/>\n  "
               "</node>\n"
               "  <node id=\"half\" type=\"resize\">\n    <in name=\"terrain\" from=\"dem.terrain\"/>\n"
               "    <in name=\"divide\" value=\"7\"/>\n  </node>\n"
               "  <node id=\"back\" type=\"resize\">\n    <in name=\"terrain\" from=\"half.terrain\"/>\n"
               "    <in name=\"like\" from=\"dem.terrain\"/>\n  </node>\n"
               "  <node id=\"out\" type=\"export\">\n    <in name=\"terrain\" from=\"dem.terrain\"/>\n"
               "    <in name=\"file\" value=\"out.r32\"/>\n    <in name=\"preset\" value=\"unity\"/>\n  "
               "</node>\n" TAIL);
    for (int smooth = 0; smooth < 2; smooth++) {
        const char *method = smooth ? " --set finer.method=catmull_rom --set back.method=catmull_rom" : "";
        expect(DONE, "\"$OROGRAPH\" render g.oro --output dem.terrain -o a.pfm");
        says(", 0.0..200.0 m"); /* plain import */
        expect(DONE, "\"$OROGRAPH\" render g.oro --output finer.terrain -o a.pfm%s", method);
        (smooth ? says_not : says)(", 0.0..200.0 m");
        expect(DONE, "\"$OROGRAPH\" render g.oro --output back.terrain -o a.pfm%s", method);
        (smooth ? says_not : says)(", 0.000..200.000)");
        expect(DONE, "\"$OROGRAPH\" render g.oro%s", smooth ? " --set out.resampling=catmull_rom" : "");
        expect(smooth, "grep -qE '\"minimum\": (0|-0\\.00[0-9]*),' out.r32.json && grep -q '\"maximum\": "
                       "200,' out.r32.json");
        expect(DONE, "\"$OROGRAPH\" render g.oro --output dem.terrain -o a.png --for unreal%s",
               smooth ? " --resampling catmull_rom" : "");
    }
    expect(USAGE, "\"$OROGRAPH\" convert in.asc out.r32 --size 128 --resampling smooth");
    says("catmull_rom");
}
