/* Elevation data in, files that say where they lie out: a tile of SRTM through a graph, whose world lies
 * where the tile does. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cli/support.h"
#include "tests/support/test.h"

/* The corner and the cells that gdalwarp gives the tile in its zone of UTM, in metres. */
static const double west = 422534.97, north = 5205696.05, across = 77502.1, down = 111717.6;

/* Hills in whole metres, as a tile of three arc seconds: rows from the north, high bytes first. */
static void write_tile(const char *name)
{
    enum { SIDE = 1201 };
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            int height = (int)(900 + 500 * sin(x / 90.0) * cos(y / 70.0) + y / 4.0);
            fputc(height >> 8, file);
            fputc(height & 255, file);
        }
    assert_int_equal(fclose(file), 0);
}

/* The number behind the first `key` in what the last command wrote. */
static double number(const char *key)
{
    const char *at = strstr(output, key);
    if (!at)
        fail_msg("'%s' is missing in: %s", key, output);
    return strtod(at + strlen(key), NULL);
}

static const char graph[] = HEAD
    "<world extent=\"20000\" resolution=\"64\" from=\"dem\"/>"
    "<interface><out name=\"terrain\" from=\"drained.terrain\"/><out name=\"rivers\" from=\"r.network\"/>"
    "<out name=\"part\" from=\"part.terrain\"/></interface>"
    "<node id=\"dem\" type=\"import\"/>"
    "<node id=\"fine\" type=\"upsample\"><in name=\"terrain\" from=\"dem.terrain\"/></node>"
    "<node id=\"drained\" type=\"breach\"><in name=\"terrain\" from=\"fine.terrain\"/></node>"
    "<node id=\"part\" type=\"crop\"><in name=\"terrain\" from=\"dem.terrain\"/>"
    "<in name=\"x\" value=\"20000\"/><in name=\"y\" value=\"30000\"/>"
    "<in name=\"width\" value=\"30000\"/><in name=\"height\" value=\"30000\"/></node>"
    "<node id=\"r\" type=\"river_network\"><in name=\"terrain\" from=\"drained.terrain\"/>"
    "<in name=\"threshold\" value=\"50000000\"/></node>" TAIL;

TEST(a_tile_of_srtm)
{
    write_tile("N46E008.hgt");
    write_file("dem.oro", graph);
    expect(DONE, "$OROGRAPH render dem.oro --set dem.file=N46E008.hgt --output terrain -o out.tif && "
                 "$OROGRAPH info out.tif && cat out.tif.json");
    says("EPSG:32632");
    expect(DONE, "$OROGRAPH info dem.oro --set dem.file=N46E008.hgt");
    says("in EPSG:32632");
    assert_true(fabs(number("world   ") - across) < 100);
    expect(DONE, "cat out.tif.json");
    double cell = number("\"cell_size\": ");
    assert_true(fabs(number("\"west\": ") - west) < cell / 2);
    assert_true(fabs(number("\"north\": ") - north) < cell / 2);
    assert_true(fabs(cell * number("\"width\": ") - across) < cell / 2);
    assert_true(fabs(cell * number("\"height\": ") - down) <= cell);

    expect(
        DONE,
        "$OROGRAPH render dem.oro --set dem.file=N46E008.hgt --output part -o part.png && cat part.png.json");
    assert_true(fabs(number("\"west\": ") - (west + 20000)) < number("\"cell_size\": "));
    assert_true(fabs(number("\"north\": ") - (north - 30000)) < number("\"cell_size\": "));

    expect(
        DONE,
        "$OROGRAPH render dem.oro --set dem.file=N46E008.hgt --output rivers -o r.geojson && cat r.geojson");
    says("urn:ogc:def:crs:EPSG::32632");
    double x = number("\"coordinates\":[[");
    assert_true(x >= west && x <= west + across);
}

/* The same ground as a GeoTIFF of another program lies in the same place, and is put where it belongs in a
 * world that is elsewhere. */
TEST(places_of_files_and_worlds)
{
    write_tile("N46E008.hgt");
    write_file("dem.oro", graph);
    expect(DONE,
           "$OROGRAPH convert N46E008.hgt dem.tif && "
           "$OROGRAPH render dem.oro --set dem.file=dem.tif --output terrain -o out.pfm && cat out.pfm.json");
    double cell = number("\"cell_size\": ");
    assert_true(fabs(number("\"west\": ") - west) < cell / 2 &&
                fabs(number("\"north\": ") - north) < cell / 2);

    replace("dem.oro", "extent=\"20000\" resolution=\"64\" from=\"dem\"",
            "extent=\"10000\" resolution=\"100\" crs=\"EPSG:32632\" origin=\"440000 5150000\"");
    expect(DONE,
           "$OROGRAPH render dem.oro --set dem.file=N46E008.hgt --output dem.terrain -o here.r32 && "
           "$OROGRAPH convert N46E008.hgt there.r32 --window 440000,5140000,450000,5150000 --size 100x100");
    size_t length = 0;
    float *here = read_floats("here.r32", &length), *there = read_floats("there.r32", &length);
    assert_int_equal(length, 10000);
    for (size_t i = 0; i < length; i++)
        if (fabsf(here[i] - there[i]) > 3)
            fail_msg("cell %zu is %g, not %g", i, (double)here[i], (double)there[i]);
    free(here);
    free(there);
    expect(INVALID, "$OROGRAPH render dem.oro --set dem.file=none.hgt --output dem.terrain -o here.r32");
}

/* Files of formats of ours are put where their sidecars say, and nodes that change the raster keep the place.
 */
TEST(own_formats_and_other_sizes)
{
    static const char placed[] =
        HEAD "<world extent=\"10000\" resolution=\"50\" crs=\"EPSG:32632\" origin=\"440000 5150000\"/>"
             "<node id=\"dem\" type=\"import\"/>"
             "<node id=\"part\" type=\"crop\"><in name=\"terrain\" from=\"dem.terrain\"/>"
             "<in name=\"x\" value=\"2000\"/><in name=\"y\" value=\"4000\"/>"
             "<in name=\"width\" value=\"5000\"/><in name=\"height\" value=\"5000\"/></node>"
             "<node id=\"coarse\" type=\"resize\"><in name=\"terrain\" from=\"part.terrain\"/>"
             "<in name=\"divide\" value=\"2\"/></node>"
             "<node id=\"fine\" type=\"amplify\" version=\"1\"><in name=\"terrain\" "
             "from=\"part.terrain\"/></node>" TAIL;
    write_tile("N46E008.hgt");
    write_file("placed.oro", placed);
    expect(DONE,
           "$OROGRAPH convert N46E008.hgt dem.tif --size 400x577 && $OROGRAPH convert dem.tif dem.pfm && "
           "$OROGRAPH render placed.oro --set dem.file=dem.tif --output dem.terrain -o tif.r32 && "
           "$OROGRAPH render placed.oro --set dem.file=dem.pfm --output dem.terrain -o pfm.r32 && "
           "cmp tif.r32 pfm.r32");
    static const char *const nodes[] = {"coarse", "fine"};
    for (int i = 0; i < 2; i++) {
        char command[300];
        snprintf(command, sizeof command,
                 "$OROGRAPH render placed.oro --set dem.file=dem.pfm --output %s.terrain -o %s.tif && "
                 "cat %s.tif.json",
                 nodes[i], nodes[i], nodes[i]);
        expect(DONE, command);
        assert_true(number("\"west\": ") == 442000 && number("\"north\": ") == 5146000);
        assert_true(number("\"cell_size\": ") * number("\"width\": ") == 5000);
    }
    replace("placed.oro", "440000 5150000", "600000 5150000");
    expect(INVALID, "$OROGRAPH render placed.oro --set dem.file=dem.pfm --output dem.terrain -o no.r32");
    says("lies outside");
    expect(DONE, "test ! -e no.r32 && test ! -e no.r32.json");
}

/* Lines in longitudes and latitudes come to lie where the world is. */
TEST(lines_from_anywhere)
{
    write_file("lines.geojson", "{\"type\":\"LineString\",\"coordinates\":[[9,46.5],[9.01,46.5]]}");
    write_file(
        "lines.oro", HEAD
        "<world extent=\"10000\" resolution=\"10\" crs=\"EPSG:32632\" origin=\"499000 5151000\"/>"
        "<interface><out name=\"lines\" from=\"in.network\"/></interface>"
        "<node id=\"in\" type=\"network_import\"><in name=\"file\" value=\"lines.geojson\"/></node>" TAIL);
    expect(DONE, "$OROGRAPH render lines.oro -o out.geojson && cat out.geojson");
    says("[[500000.0,51"); /* the middle of the zone */
    says_not("longitudes");
    replace("lines.oro", " crs=\"EPSG:32632\" origin=\"499000 5151000\"", "");
    expect(DONE, "$OROGRAPH render lines.oro -o out.geojson && cat out.geojson");
    says("seems to be in longitudes and latitudes");
    says("[[9.0,46.5]");
}

/* check says so as well, and before anything is computed. */
TEST(systems_that_no_world_lies_in)
{
    static const struct {
        const char *crs, *told;
    } wrong[] = {{"EPSG:4326", "the world's crs: 'EPSG:4326' is no system in metres"},
                 {"somewhere", "the world's crs: 'somewhere' is no coordinate system"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        write_file("g.oro", HEAD "<world resolution=\"32\"/>\n<node id=\"n\" type=\"noise\"/>\n" TAIL);
        expect(INVALID, "\"$OROGRAPH\" render g.oro --output n.field -o o.tif --set world.crs=%s",
               wrong[i].crs);
        says(wrong[i].told);
        expect(0, "sed -i 's/<world/<world crs=\"%s\"/' g.oro", wrong[i].crs);
        expect(INVALID, "\"$OROGRAPH\" check g.oro");
        says(wrong[i].told);
    }
}

TEST_GROUP(make_folder, remove_folder);
