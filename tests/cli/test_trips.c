/* Elevation data as other projects have it, by its formats and their oddities: imported into a world that
 * lies where they do, amplified, written for each engine, and read again. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cli/support.h"
#include "tests/formats/geo.h"

static const char graph[] =
    HEAD "<world resolution=\"%d\" from=\"dem\"/>"
         "<interface><out name=\"terrain\" from=\"fine.terrain\"/></interface>"
         "<node id=\"dem\" type=\"import\"><in name=\"file\" value=\"%s\"/></node>"
         "<node id=\"fine\" type=\"amplify\"><in name=\"terrain\" from=\"dem.terrain\"/></node>" TAIL;

/* What a file says of the ground, and how exactly. */
struct ground {
    const char *crs;           /* NULL: it does not say */
    double west, north;        /* where it says a system */
    double cell;               /* metres */
    int cells, rows;           /* of the world */
    float (*height)(int, int); /* of each cell in metres; NaN: none. NULL: the cells are warped */
    double step;               /* of its numbers, in metres */
};

static float hills(int x, int y)
{
    return (float)(800 + 12 * y - 5 * x + 90 * sin(x / 7.0) * cos(y / 5.0));
}

/* ---- What is compared ---- */

static void expect_heights(const char *file, const struct oro_heightfield *found,
                           const struct oro_heightfield *wanted, double step)
{
    assert_true(found->width == wanted->width && found->height == wanted->height);
    for (int i = 0; i < found->width * found->height; i++) {
        double want = (double)wanted->data[i], off = fabs((double)found->data[i] - want);
        if (!(off <= 0.5001 * step + FLT_EPSILON * fabs(want)))
            fail_msg("%s: cell %d of %d x %d is %g m, not %g: off by %g, and a step is %g", file, i,
                     found->width, found->height, (double)found->data[i], want, off, step);
    }
}

/* `slack`: metres. */
static void expect_near(const char *file, const char *what, double found, double wanted, double slack)
{
    if (!(fabs(found - wanted) <= slack))
        fail_msg("%s: its %s is %.3f, not %.3f: off by %g m, and %g are allowed", file, what, found, wanted,
                 fabs(found - wanted), slack);
}

/* What is only written and read does not move at all. */
static const double exact = 1e-3;

/* Both cover the same ground; along y only where its proportions are kept. */
static void expect_ground(const char *file, const struct oro_heightfield *found,
                          const struct oro_heightfield *wanted, double slack)
{
    expect_near(file, "width", found->width * found->cell, wanted->width * wanted->cell, slack);
    if ((long)found->width * wanted->height == (long)found->height * wanted->width)
        expect_near(file, "height", found->height * found->cell, wanted->height * wanted->cell, slack);
    assert_true(!found->place.crs == !wanted->place.crs);
    if (!wanted->place.crs)
        return;
    assert_string_equal(found->place.crs, wanted->place.crs);
    expect_near(file, "western border", found->place.west, wanted->place.west, slack);
    expect_near(file, "northern border", found->place.north, wanted->place.north, slack);
}

/* The number of a member of the text that was printed last. */
static double member(const char *key)
{
    const char *at = strstr(output, key);
    if (!at)
        fail_msg("%s is missing in: %s", key, output);
    return strtod(at + strlen(key), NULL);
}

/* Metres between two levels, of which a sidecar tells; 0: the file holds metres. */
static double step_of(const char *sidecar)
{
    expect(0, "cat %s", sidecar);
    return strstr(output, "\"low\"") ? (member("\"high\": ") - member("\"low\": ")) / 65535 : 0;
}

/* A GeoTIFF as others see it, who do not read the sidecar. */
static void expect_tags(const char *file, const struct oro_heightfield *wanted)
{
    struct oro_heightfield seen = read_field(file, &(struct oro_read_options){.no_sidecar = true});
    GDALDatasetH set = GDALOpen(file, GA_ReadOnly);
    double at[6];
    assert_non_null(set);
    assert_int_equal(GDALGetGeoTransform(set, at), CE_None);
    if (wanted->place.crs) {
        expect_near(file, "tagged western border", at[0], wanted->place.west, exact);
        expect_near(file, "tagged northern border", at[3], wanted->place.north, exact);
    }
    expect_near(file, "tagged width", at[1] * wanted->width, wanted->cell * wanted->width, exact);
    expect_near(file, "tagged height", -at[5] * wanted->height, wanted->cell * wanted->height, exact);
    GDALClose(set);
    expect_ground(file, &seen, wanted, exact);
    expect_heights(file, &seen, wanted, 0);
    oro_heightfield_free(&seen);
}

/* ---- The way there and back ---- */

static void expect_imported(const char *file, const struct ground *ground)
{
    expect(DONE, "$OROGRAPH render g.oro --output dem.terrain -o dem.r32");
    struct oro_heightfield dem = read_field("dem.r32", NULL), wanted = {0};
    assert_true(dem.width == ground->cells && dem.height == ground->rows);
    if (ground->height) {
        wanted = make_field(dem.width, dem.height, NULL);
        for (int i = 0; i < dem.width * dem.height; i++) {
            float height = ground->height(i % dem.width, i / dem.width);
            wanted.data[i] = isnan(height) ? dem.data[i] : height;
        }
        expect_heights(file, &dem, &wanted, ground->step);
    }
    oro_heightfield_free(&wanted);
    wanted = dem;
    wanted.cell = ground->cell;
    wanted.place = (struct oro_place){(char *)ground->crs, ground->west, ground->north};
    expect_ground(file, &dem, &wanted, ground->cell / 2);
    oro_heightfield_free(&dem);
}

/* Gives the sidecar. What is no square is cut into squares for Unity, as the program says. */
static const char *write_for(const char *engine, const char *file)
{
    static char sidecar[80];
    snprintf(sidecar, sizeof sidecar, "%s.json", file);
    if (shell("$OROGRAPH render g.oro -o %s --for %s", file, engine) == DONE)
        return sidecar;
    says("for Unity, whose terrains are squares: crop it to a square, or cut it into them by convert --size "
         "65x129 --tiles 65");
    expect(DONE, "$OROGRAPH convert plain.r32 %s --for unity --size 65x129 --tiles 65", file);
    says("in 2 tiles");
    return "unity.tiles.json";
}

static void expect_back(const char *engine, const char *file, const struct oro_heightfield *plain)
{
    struct oro_heightfield wanted = {0};
    const char *sidecar = write_for(engine, file);
    bool tiles = strstr(sidecar, ".tiles.");
    expect(DONE, "$OROGRAPH convert %s back.r32", tiles ? sidecar : file);
    struct oro_heightfield back = read_field("back.r32", NULL);
    assert_true(oro_heightfield_resize(plain, back.width, back.height, ORO_RESAMPLE_MONOTONE, &wanted, NULL));
    expect_heights(file, &back, &wanted, step_of(sidecar));
    expect_ground(file, &back, plain, exact);
    if (strstr(file, ".tif"))
        expect_tags(file, plain);
    oro_heightfield_free(&wanted);
    oro_heightfield_free(&back);
}

/* `turn` chooses among the formats of an engine, so that the tests together write them all. */
static void expect_trip(const char *file, const struct ground *ground, int turn)
{
    static const struct {
        const char *engine, *endings[3];
    } engines[] = {{"unreal", {"png", "r16", "raw"}},
                   {"unity", {"raw", "r16", "raw"}},
                   {"godot", {"exr", "r16", "raw"}},
                   {"blender", {"tif", "exr", "tif"}},
                   {"houdini", {"exr", "tif", "r32"}}};
    char text[1000], name[40];
    snprintf(text, sizeof text, graph, ground->cells, file);
    write_file("g.oro", text);
    expect_imported(file, ground);
    expect(DONE, "$OROGRAPH render g.oro -o plain.r32");
    struct oro_heightfield plain = read_field("plain.r32", NULL);
    assert_int_equal(plain.width, 2 * ground->cells);
    for (size_t i = 0; i < sizeof engines / sizeof engines[0]; i++) {
        snprintf(name, sizeof name, "%s.%s", engines[i].engine, engines[i].endings[turn % 3]);
        expect_back(engines[i].engine, name, &plain);
    }
    oro_heightfield_free(&plain);
}

/* ---- The files ---- */

static struct raster utm(int width, int height)
{
    return (struct raster){.width = width,
                           .height = height,
                           .transform = {500000, 30, 0, 5200000, 0, -30},
                           .epsg = 32632,
                           .z = hills};
}

static const struct ground in_utm = {"EPSG:32632", 500000, 5200000, 30, 48, 48, hills, 0};

static bool is_void(int x, int y)
{
    return (x < 6 && y < 9) || (x > 20 && x < 24 && y > 30 && y < 33);
}

static float with_voids(int x, int y)
{
    return is_void(x, y) ? -32768 : hills(x, y);
}

static float but_for_voids(int x, int y)
{
    return is_void(x, y) ? NAN : hills(x, y);
}

/* A survey of whole metres, which has a hole and does not reach a corner. */
TEST_WITH(geotiff_with_voids, make_folder, remove_folder)
{
    struct raster raster = utm(48, 40);
    struct ground ground = in_utm;
    raster.type = GDT_Int16;
    raster.has_nodata = true;
    raster.nodata = -32768;
    raster.z = with_voids;
    ground.rows = raster.height;
    ground.height = but_for_voids;
    ground.step = 1;
    make_raster("utm.tif", &raster);
    expect_trip("utm.tif", &ground, 0);
}

TEST_WITH(geotiff_in_degrees, make_folder, remove_folder)
{
    struct raster raster = utm(60, 40);
    raster.epsg = 4326;
    memcpy(raster.transform, (double[6]){8.99, 0.0004, 0, 46.51, 0, -0.0004}, sizeof raster.transform);
    make_raster("degrees.tif", &raster);
    expect_trip("degrees.tif", &(struct ground){"EPSG:32632", 499232.5, 5150700, 38.3, 48, 46, NULL, 0}, 1);
}

/* Half of it lies at 180 degrees west. */
TEST_WITH(geotiff_across_the_antimeridian, make_folder, remove_folder)
{
    struct raster raster = utm(48, 40);
    raster.epsg = 4326;
    memcpy(raster.transform, (double[6]){179.99, 0.0004, 0, -17, 0, -0.0004}, sizeof raster.transform);
    make_raster("fiji.tif", &raster);
    expect_trip("fiji.tif", &(struct ground){"EPSG:32760", 818358.8, 8118014.5, 43.3, 48, 42, NULL, 0}, 2);
}

/* Its metres are none on the ground, and the world that follows it says so. */
TEST_WITH(geotiff_of_a_web_map, make_folder, remove_folder)
{
    struct raster raster = utm(48, 40);
    raster.epsg = 3857;
    memcpy(raster.transform, (double[6]){1000000, 30, 0, 5900000, 0, -30}, sizeof raster.transform);
    make_raster("web.tif", &raster);
    expect_trip("web.tif", &(struct ground){"EPSG:32632", 498712.8, 5176451.1, 20.56, 48, 40, NULL, 0}, 0);
    expect(DONE, "$OROGRAPH render g.oro --output dem.terrain -o again.r32");
    says("'web.tif' lies in EPSG:3857, where 1.461 m are 1 m of ground: it is warped to EPSG:32632");
}

static float decimetres(int x, int y)
{
    return 10 * (hills(x, y) + 200);
}

TEST_WITH(geotiff_with_scale_and_offset, make_folder, remove_folder)
{
    struct raster raster = utm(48, 48);
    struct ground ground = in_utm;
    raster.type = GDT_UInt16;
    raster.scale = 0.1;
    raster.offset = -200;
    raster.z = decimetres;
    ground.step = 0.1;
    make_raster("scaled.tif", &raster);
    expect_trip("scaled.tif", &ground, 2);
}

/* Nothing says where it lies. */
TEST_WITH(esri_grid_without_a_system, make_folder, remove_folder)
{
    struct raster raster = utm(48, 64);
    struct ground ground = in_utm;
    raster.driver = "AAIGrid";
    raster.epsg = 0;
    ground.rows = raster.height;
    ground.crs = NULL;
    ground.step = 1e-3;
    make_raster("bare.asc", &raster);
    expect_trip("bare.asc", &ground, 0);
}

/* The header of a .bil whose first row is the southern one. */
TEST_WITH(bil_from_the_south, make_folder, remove_folder)
{
    enum { SIDE = 48 };
    int16_t cells[SIDE * SIDE];
    struct ground ground = in_utm;
    for (int i = 0; i < SIDE * SIDE; i++)
        cells[i] = (int16_t)lrintf(hills(i % SIDE, SIDE - 1 - i / SIDE));
    put_file("south.bil", cells, sizeof cells);
    put_text("south.hdr", "NROWS 48\nNCOLS 48\nNBITS 16\nPIXELTYPE SIGNEDINT\nBYTEORDER I\n"
                          "ULXMAP 500015\nULYMAP 5198575\nXDIM 30\nYDIM -30\n");
    ground.crs = NULL;
    ground.step = 1;
    expect_trip("south.bil", &ground, 1);
}

TEST_WITH(points, make_folder, remove_folder)
{
    struct raster raster = utm(48, 48);
    struct ground ground = in_utm;
    raster.driver = "XYZ";
    ground.crs = NULL;
    ground.step = 1e-3;
    make_raster("points.xyz", &raster);
    expect_trip("points.xyz", &ground, 2);
}

TEST_WITH(netcdf, make_folder, remove_folder)
{
    struct raster raster = utm(48, 48);
    raster.driver = "netCDF";
    make_raster("dem.nc", &raster);
    expect_trip("dem.nc", &in_utm, 0);
}

static float feet(int x, int y)
{
    return hills(x, y) / 0.3048F;
}

TEST_WITH(geopackage_in_feet, make_folder, remove_folder)
{
    struct raster raster = utm(48, 48);
    struct ground ground = in_utm;
    raster.driver = "GPKG";
    raster.unit = "ft";
    raster.z = feet;
    ground.step = 1e-3;
    make_raster("dem.gpkg", &raster);
    expect_trip("dem.gpkg", &ground, 1);
}

/* A whole tile, of which the name alone says where it lies; see also test_world.c. */
TEST_WITH(srtm, make_folder, remove_folder)
{
    struct raster raster = {
        .driver = "SRTMHGT", .type = GDT_Int16, .width = 1201, .height = 1201, .z = hills};
    const double side = 1.0 / 1200;
    raster.epsg = 4326;
    memcpy(raster.transform, (double[6]){8 - side / 2, side, 0, 47 + side / 2, 0, -side},
           sizeof raster.transform);
    make_raster("N46E008.hgt", &raster);
    expect_trip("N46E008.hgt",
                &(struct ground){"EPSG:32632", 422534.97, 5205696.05, 77502.1 / 48, 48, 69, NULL, 0}, 2);
}

TEST_WITH(saga, make_folder, remove_folder)
{
    struct raster raster = utm(48, 40);
    struct ground ground = in_utm;
    raster.driver = "SAGA";
    ground.rows = raster.height;
    make_raster("dem.sdat", &raster);
    expect_trip("dem.sdat", &ground, 0);
}

TEST_WITH(erdas, make_folder, remove_folder)
{
    struct raster raster = utm(48, 48);
    raster.driver = "HFA";
    raster.type = GDT_Float64;
    make_raster("dem.img", &raster);
    expect_trip("dem.img", &in_utm, 1);
}

/* What a .png cannot say stands in the .aux.xml beside it. */
TEST_WITH(png_with_a_file_beside, make_folder, remove_folder)
{
    struct raster raster = utm(48, 48);
    struct ground ground = in_utm;
    raster.driver = "PNG";
    raster.type = GDT_UInt16;
    ground.step = 1;
    make_raster("dem.png", &raster);
    put_text("dem.png.aux.xml",
             "<PAMDataset><SRS>EPSG:32632</SRS><GeoTransform>500000, 30, 0, 5200000, 0, -30</GeoTransform>"
             "</PAMDataset>");
    expect_trip("dem.png", &ground, 2);
}

TEST_GROUP(folder_setup, folder_teardown);
