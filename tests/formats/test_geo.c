/* Rasters that lie somewhere on Earth: read through GDAL, warped, cut, filled, written and read again. */
#include "support.h"

#include <string.h>

#ifdef OROGRAPH_GDAL

#include "base/file.h"
#include "geo.h"

/* ---- Degrees ---- */

enum { POSTS = 1201 };

static double hills(double east, double north)
{
    return 1500 + 500 * sin(east * 40) * cos(north * 30);
}

static float hills_of_tile(int x, int y)
{
    return (float)hills(8 + x / 1200.0, 47 - y / 1200.0);
}

/* SRTM's tile of the Alps between 8 and 9 degrees. */
static const struct raster tile = {
    .driver = "SRTMHGT",
    .type = GDT_Int16,
    .width = POSTS,
    .height = POSTS,
    .transform = {8 - 0.5 / 1200, 1 / 1200.0, 0, 47 + 0.5 / 1200, 0, -1 / 1200.0},
    .epsg = 4326,
    .z = hills_of_tile};

static OGRCoordinateTransformationH between(int from, int to)
{
    OGRSpatialReferenceH systems[2];
    for (int i = 0; i < 2; i++) {
        systems[i] = OSRNewSpatialReference(NULL);
        OSRImportFromEPSG(systems[i], i ? to : from);
        OSRSetAxisMappingStrategy(systems[i], OAMS_TRADITIONAL_GIS_ORDER);
    }
    OGRCoordinateTransformationH way = OCTNewCoordinateTransformation(systems[0], systems[1]);
    OSRRelease(systems[0]);
    OSRRelease(systems[1]);
    return way;
}

/* The box around the tile's corners is that of the raster, but for half a cell; its edges bulge by less. */
static void expect_corners(const struct oro_heightfield *field)
{
    OGRCoordinateTransformationH way = between(4326, 32632);
    double x[4] = {8, 9, 8, 9}, y[4] = {47, 47, 46, 46}, least = 1e9, most = -1e9, low = 1e9, high = -1e9;
    for (int i = 0; i < 4; i++) {
        x[i] += x[i] > 8.5 ? 0.5 / 1200 : -0.5 / 1200;
        y[i] += y[i] > 46.5 ? 0.5 / 1200 : -0.5 / 1200;
    }
    assert_true(OCTTransform(way, 4, x, y, NULL));
    for (int i = 0; i < 4; i++) {
        least = fmin(least, x[i]);
        most = fmax(most, x[i]);
        low = fmin(low, y[i]);
        high = fmax(high, y[i]);
    }
    double half = field->cell / 2;
    assert_true(fabs(field->place.west - least) < half && fabs(field->place.north - high) < half);
    assert_true(fabs(field->place.west + field->width * field->cell - most) < half);
    assert_true(fabs(field->place.north - field->height * field->cell - low) < half);
    OCTDestroyCoordinateTransformation(way);
}

/* Heights are those of the surface, where the cells say that they lie. */
static void expect_hills(const struct oro_heightfield *field)
{
    OGRCoordinateTransformationH way = between(32632, 4326);
    int compared = 0;
    for (int i = 0; i < 1000; i++) {
        int column = (i * 7919) % field->width, row = (i * 104729) % field->height;
        double x = field->place.west + (column + 0.5) * field->cell,
               y = field->place.north - (row + 0.5) * field->cell;
        size_t cell = (size_t)row * (size_t)field->width + (size_t)column;
        assert_true(OCTTransform(way, 1, &x, &y, NULL));
        bool inside = x > 8.001 && x < 8.999 && y > 46.001 && y < 46.999;
        if (!inside)
            continue;
        assert_true(!field->sea || field->sea[cell] == 0);
        if (fabs((double)field->data[cell] - hills(x, y)) > 1.5)
            fail_msg("%g m at %g %g, not %g", (double)field->data[cell], x, y, hills(x, y));
        compared++;
    }
    assert_true(compared > 800);
    OCTDestroyCoordinateTransformation(way);
}

TEST(degrees_become_metres)
{
    const char *path = in_folder("N46E008.hgt");
    make_raster(path, &tile);
    struct oro_heightfield field = read_field(path, NULL);
    assert_string_equal(field.place.crs, "EPSG:32632");
    assert_true(field.metres && field.cell > 70 && field.cell < 90);
    expect_corners(&field);
    expect_hills(&field);
    assert_non_null(field.sea); /* the tile is no rectangle there */
    assert_null(field.filled);
    oro_heightfield_free(&field);
}

TEST(part_of_degrees)
{
    const char *path = in_folder("N46E008.hgt");
    struct oro_read_options options = {
        .window = {.given = true, .west = 440000, .south = 5130000, .east = 450000, .north = 5138000},
        .crs = "EPSG:32632"};
    struct oro_heightfield field = read_field(path, &options);
    assert_true(field.place.west == 440000 && field.place.north == 5138000);
    assert_true(fabs(field.width * field.cell - 10000) < 1e-6);
    assert_true(fabs(field.height * field.cell - 8000) <= field.cell / 2);
    assert_null(field.sea);
    expect_hills(&field);
    oro_heightfield_free(&field);
    options.max_side = 40;
    field = read_field(path, &options);
    assert_int_equal(field.width, 40);
    assert_int_equal(field.height, 32);
    oro_heightfield_free(&field);
    options.window =
        (struct oro_map_window){.given = true, .west = 0, .south = 0, .east = 1000, .north = 1000};
    expect_refused(path, &options, ORO_E_USAGE, "outside");
}

TEST(zones)
{
    static const struct {
        double east, north;
        const char *crs;
    } cases[] = {{-75, -33, "EPSG:32718"},
                 {179.9, 1, "EPSG:32660"},
                 {-179.9, 1, "EPSG:32601"},
                 {20, 86, "EPSG:32661"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct raster raster = {.width = 10, .height = 10, .epsg = 4326, .z = slope};
        memcpy(raster.transform, (double[6]){cases[i].east - 0.05, 0.01, 0, cases[i].north + 0.05, 0, -0.01},
               sizeof raster.transform);
        make_raster(in_folder("zone.tif"), &raster);
        struct oro_heightfield field = read_field(in_folder("zone.tif"), NULL);
        assert_string_equal(field.place.crs, cases[i].crs);
        oro_heightfield_free(&field);
    }
}

/* ---- What is written is read again ---- */

static struct oro_heightfield placed_hills(void)
{
    struct oro_heightfield field = make_hills(90, 70);
    field.place = (struct oro_place){oro_copy_text("EPSG:32632"), 423000.5, 5206000.25};
    return field;
}

static void expect_place(const struct oro_heightfield *field, const struct oro_heightfield *of,
                         double tolerance)
{
    assert_non_null(field->place.crs);
    assert_string_equal(field->place.crs, of->place.crs);
    assert_true(fabs(field->place.west - of->place.west) <= tolerance);
    assert_true(fabs(field->place.north - of->place.north) <= tolerance);
    assert_true(fabs(field->cell / of->cell - 1) < 1e-9);
}

TEST(floats_come_back)
{
    static const struct {
        const char *name;
        bool zstd, cog;
        size_t files;
    } cases[] = {{"a.tif", .files = 2},
                 {"b.TIFF", .zstd = true, .files = 2},
                 {"c.tif", .cog = true, .files = 2},
                 {"d.asc", .files = 3}}; /* with its .prj */
    struct oro_heightfield field = placed_hills(), read;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t before = files_in_folder();
        struct oro_write_options options = {.zstd = cases[i].zstd, .cog = cases[i].cog};
        write_field(in_folder(cases[i].name), &field, &options);
        assert_int_equal(files_in_folder(), before + cases[i].files);
        read = read_field(in_folder(cases[i].name), &(struct oro_read_options){.no_sidecar = true});
        assert_same_values(&read, &field, 0);
        expect_place(&read, &field, 1e-6);
        assert_true(!read.sea && !read.filled && read.metres);
        oro_heightfield_free(&read);
    }
    oro_heightfield_free(&field);
}

/* The system that a grid had is not that of the one which replaces it; where that fails, all stays as it was.
 */
TEST(a_system_beside_a_grid)
{
    struct oro_heightfield field = placed_hills(), bare = make_hills(40, 30);
    struct oro_error err = {0};
    write_field(in_folder("p.asc"), &field, NULL);
    assert_true(oro_stamp_of(in_folder("p.prj")).inode != 0);
    struct oro_tiling tiling = {.side = 10, .overlap = 0};
    bare.data[5] = NAN;
    assert_false(oro_heightfield_write(in_folder("p.asc"), &bare, NULL, &err));
    assert_true(oro_stamp_of(in_folder("p.prj")).inode != 0);
    bare.data[5] = 0;
    write_field(in_folder("p.asc"), &bare, NULL);
    assert_int_equal(oro_stamp_of(in_folder("p.prj")).inode, 0);
    bare.place = field.place;
    write_field(in_folder("q.asc"), &bare, &(struct oro_write_options){.tiling = &tiling});
    assert_true(oro_stamp_of(in_folder("q_x3_y2.prj")).inode != 0);
    bare.place = (struct oro_place){0};
    oro_heightfield_free(&bare);
    oro_heightfield_free(&field);
}

/* Systems that a .prj file calls by other names get back their numbers. */
TEST(systems_of_esri)
{
    static const struct {
        const char *crs;
        double west, north;
    } systems[] = {{"EPSG:32632", 400000, 5000000},
                   {"EPSG:25833", 400000, 5000000},
                   {"EPSG:2154", 700000, 6600000},
                   {"EPSG:2056", 2600000, 1200000},
                   {"EPSG:27700", 400000, 300000}};
    struct oro_heightfield field = make_hills(9, 8), read;
    for (size_t i = 0; i < sizeof systems / sizeof systems[0]; i++) {
        field.place = (struct oro_place){(char *)systems[i].crs, systems[i].west, systems[i].north};
        write_field(in_folder("e.asc"), &field, NULL);
        read = read_field(in_folder("e.asc"), &(struct oro_read_options){.no_sidecar = true});
        assert_string_equal(read.place.crs, systems[i].crs);
        oro_heightfield_free(&read);
    }
    field.place = (struct oro_place){0};
    oro_heightfield_free(&field);
}

/* The sidecar describes what the format made of the heights. */
TEST(terragen)
{
    struct oro_heightfield field = make_hills(90, 70), read;
    struct oro_written written = {0};
    write_field(in_folder("t.ter"), &field, &(struct oro_write_options){.written = &written});
    read = read_field(in_folder("t.ter"), &(struct oro_read_options){.no_sidecar = true});
    assert_same_values(&read, &field, 0.02);
    assert_true(fabs(read.cell - 12.5) < 1e-5 && !read.place.crs);
    struct oro_measure measure;
    assert_true(oro_measure(&read, &measure, NULL));
    assert_true(measure.low == written.measure.low && measure.high == written.measure.high);
    assert_int_equal(measure.drainage.pits, written.measure.drainage.pits);
    oro_heightfield_free(&read);
    for (int i = 0; i < 90 * 70; i++)
        field.data[i] = 12;
    write_field(in_folder("t.ter"), &field, NULL);
    read = read_field(in_folder("t.ter"), NULL);
    assert_same_values(&read, &field, 1e-3);
    struct oro_error err = {0};
    assert_false(oro_heightfield_write(in_folder("u.ter"), &field,
                                       &(struct oro_write_options){.drain = ORO_DRAIN_STRICT}, &err));
    assert_int_equal(err.code, ORO_E_USAGE);
    oro_heightfield_free(&read);
    oro_heightfield_free(&field);
}

/* A GeoTIFF with levels holds the heights of a PNG with the same range, with the sidecar and without. */
TEST(levels_come_back)
{
    struct oro_heightfield field = placed_hills(), png, tif;
    struct oro_write_options options = {.has_range = true, .low = -100.25, .high = 1234.5};
    write_field(in_folder("levels.png"), &field, &options);
    options.bits = 16;
    png = read_field(in_folder("levels.png"), NULL);
    expect_place(&png, &field, 0);
    for (int k = 0; k < 4; k++) {
        options.cog = k & 1;
        write_field(in_folder("levels.tif"), &field, &options);
        tif = read_field(in_folder("levels.tif"), &(struct oro_read_options){.no_sidecar = k > 1});
        assert_same_values(&tif, &png, k > 1 ? 1e-4 : 0);
        expect_place(&tif, &field, 0);
        oro_heightfield_free(&tif);
    }
    oro_heightfield_free(&png);
    oro_heightfield_free(&field);
}

TEST(equal_fields_give_equal_bytes)
{
    struct oro_heightfield field = make_hills(700, 600);
    for (int k = 0; k < 4; k++) {
        struct oro_write_options options = {.bits = k & 1 ? 16 : 32, .cog = k & 2};
        write_field(in_folder("e1.tif"), &field, &options);
        write_field(in_folder("e2.tif"), &field, &options);
        assert_same_file(in_folder("e1.tif"), in_folder("e2.tif"));
    }
    oro_heightfield_free(&field);
}

/* What GDAL's own programs see. */
TEST(tags)
{
    struct oro_heightfield field = placed_hills();
    write_field(in_folder("tags.tif"), &field,
                &(struct oro_write_options){.bits = 16, .has_range = true, .low = 0, .high = 2000});
    GDALDatasetH set = GDALOpen(in_folder("tags.tif"), GA_ReadOnly);
    double at[6];
    assert_non_null(set);
    GDALRasterBandH band = GDALGetRasterBand(set, 1);
    assert_int_equal(GDALGetGeoTransform(set, at), CE_None);
    assert_true(at[0] == 423000.5 && at[1] == 12.5 && at[3] == 5206000.25 && at[5] == -12.5);
    assert_string_equal(OSRGetAuthorityCode(GDALGetSpatialRef(set), NULL), "32632");
    assert_string_equal(GDALGetRasterUnitType(band), "metre");
    assert_true(fabs(GDALGetRasterScale(band, NULL) - 2000 / 65535.0) < 1e-12);
    assert_string_equal(GDALGetMetadataItem(set, "COMPRESSION", "IMAGE_STRUCTURE"), "DEFLATE");
    GDALClose(set);
    oro_heightfield_free(&field);
}

TEST(every_format_keeps_the_place)
{
    static const char *const names[] = {"p.png", "p.r16", "p.r32", "p.pfm"};
    struct oro_heightfield field = placed_hills(), half;
    assert_true(oro_heightfield_resize(&field, 45, 35, ORO_RESAMPLE_MONOTONE, &half, NULL));
    field.cell *= 2;
    expect_place(&half, &field, 0);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        write_field(in_folder(names[i]), &half, NULL);
        struct oro_heightfield read = read_field(in_folder(names[i]), NULL);
        expect_place(&read, &half, 0);
        oro_heightfield_free(&read);
    }
    oro_heightfield_free(&half);
    oro_heightfield_free(&field);
}

/* A system that has no number is kept as text. */
TEST(systems_without_a_number)
{
    OGRSpatialReferenceH crs = OSRNewSpatialReference(NULL);
    struct oro_heightfield field = make_hills(20, 20), read;
    char *text = NULL;
    need_gdal();
    OSRSetProjCS(crs, "mine");
    OSRSetWellKnownGeogCS(crs, "WGS84");
    OSRSetTM(crs, 46.5, 8.25, 1, 1000, 2000);
    OSRExportToWkt(crs, &text);
    field.place = (struct oro_place){oro_copy_text(text), 0, 0};
    write_field(in_folder("mine.tif"), &field, NULL);
    read = read_field(in_folder("mine.tif"), NULL);
    OGRSpatialReferenceH again = OSRNewSpatialReference(read.place.crs);
    assert_true(OSRIsSame(crs, again));
    OSRRelease(again);
    OSRRelease(crs);
    CPLFree(text);
    oro_heightfield_free(&read);
    oro_heightfield_free(&field);
}

/* ---- Parts and mosaics ---- */

static float west_half(int x, int y)
{
    return slope(x, y);
}

static float east_half(int x, int y)
{
    return slope(x + 60, y);
}

static struct raster metres(int width, int height)
{
    return (struct raster){.width = width,
                           .height = height,
                           .transform = {500000, 10, 0, 5200000, 0, -10},
                           .epsg = 32632,
                           .z = slope};
}

static void expect_slope(const struct oro_heightfield *field, int width, int height, int x, int y)
{
    assert_int_equal(field->width, width);
    assert_int_equal(field->height, height);
    for (int i = 0; i < width * height; i++)
        assert_true(field->data[i] == slope(x + i % width, y + i / width));
    assert_true(field->cell == 10 && field->place.west == 500000 + 10 * x &&
                field->place.north == 5200000 - 10 * y);
}

TEST(windows)
{
    struct raster raster = metres(100, 80);
    struct oro_read_options options = {
        .window = {.given = true, .west = 500204, .south = 5199400, .east = 500596, .north = 5199903}};
    make_raster(in_folder("window.tif"), &raster);
    struct oro_heightfield field = read_field(in_folder("window.tif"), &options);
    expect_slope(&field, 40, 50, 20, 10);
    oro_heightfield_free(&field);
    options.window = (struct oro_map_window){
        .given = true, .west = 400000, .south = 5199700, .east = 500300, .north = 5300000};
    field = read_field(in_folder("window.tif"), &options); /* the part of it that there is */
    expect_slope(&field, 30, 30, 0, 0);
    oro_heightfield_free(&field);
    options.window = (struct oro_map_window){.given = false};
    options.max_side = 50;
    field = read_field(in_folder("window.tif"), &options);
    assert_true(field.width == 50 && field.height == 40 && field.cell == 20);
    for (int i = 0; i < 50 * 40; i++)
        assert_true(fabs((double)field.data[i] - (slope(2 * (i % 50), 2 * (i / 50)) + 5)) < 1e-3);
    oro_heightfield_free(&field);
}

static void put_mosaic(const char *path, const char *first, const char *second)
{
    char text[3000];
    snprintf(text, sizeof text,
             "<VRTDataset rasterXSize=\"100\" rasterYSize=\"50\"><SRS>EPSG:32632</SRS>"
             "<GeoTransform>500000, 10, 0, 5200000, 0, -10</GeoTransform>"
             "<VRTRasterBand dataType=\"Float32\" band=\"1\">"
             "<SimpleSource><SourceFilename relativeToVRT=\"1\">%s</SourceFilename><SourceBand>1</SourceBand>"
             "<SrcRect xOff=\"0\" yOff=\"0\" xSize=\"60\" ySize=\"50\"/>"
             "<DstRect xOff=\"0\" yOff=\"0\" xSize=\"60\" ySize=\"50\"/></SimpleSource>"
             "<SimpleSource><SourceFilename relativeToVRT=\"1\">%s</SourceFilename><SourceBand>1</SourceBand>"
             "<SrcRect xOff=\"0\" yOff=\"0\" xSize=\"40\" ySize=\"50\"/>"
             "<DstRect xOff=\"60\" yOff=\"0\" xSize=\"40\" ySize=\"50\"/></SimpleSource>"
             "</VRTRasterBand></VRTDataset>",
             first, second);
    put_text(path, text);
}

TEST(mosaics)
{
    struct raster west = metres(60, 50), east = metres(40, 50);
    west.z = west_half;
    east.z = east_half;
    east.transform[0] += 600;
    make_raster(in_folder("west.tif"), &west);
    make_raster(in_folder("east.tif"), &east);
    put_mosaic(in_folder("both.vrt"), "west.tif", "east.tif");
    struct oro_heightfield field = read_field(in_folder("both.vrt"), NULL);
    expect_slope(&field, 100, 50, 0, 0);
    oro_heightfield_free(&field);
}

static bool count_file(void *user, const char *path)
{
    int *left = user;
    assert_true(file_exists(path));
    return --*left != 0;
}

/* A mosaic changes with its rasters, and a grid with its header. */
TEST(other_files)
{
    struct raster raster = metres(30, 20);
    int left = 100;
    put_mosaic(in_folder("both.vrt"), "west.tif", "east.tif");
    assert_true(oro_heightfield_companions(in_folder("both.vrt"), count_file, &left));
    assert_int_equal(left, 98);
    left = 1;
    assert_false(oro_heightfield_companions(in_folder("both.vrt"), count_file, &left));
    assert_int_equal(left, 0);
    left = 100;
    raster.driver = "EHdr";
    make_raster(in_folder("plain.bil"), &raster);
    assert_true(oro_heightfield_companions(in_folder("plain.bil"), count_file, &left));
    assert_in_range(left, 97, 99);
    left = 100;
    assert_true(oro_heightfield_companions(in_folder("missing.tif"), count_file, &left) &&
                oro_heightfield_companions(in_folder("p.png"), count_file, &left));
    assert_int_equal(left, 100);
}

/* ---- What numbers mean ---- */

static void expect_meaning(struct raster raster, double factor, double offset)
{
    raster.width = 30;
    raster.height = 20;
    raster.z = slope;
    make_raster(in_folder("meaning.tif"), &raster);
    struct oro_heightfield field = read_field(in_folder("meaning.tif"), NULL);
    for (int i = 0; i < 600; i++)
        if (fabs((double)field.data[i] - (slope(i % 30, i / 30) * factor + offset)) > 1e-3)
            fail_msg("cell %d is %g m", i, (double)field.data[i]);
    oro_heightfield_free(&field);
}

TEST(units_and_scales)
{
    expect_meaning((struct raster){.type = GDT_Int16, .unit = "ft"}, 0.3048, 0);
    expect_meaning((struct raster){.unit = "US survey foot"}, 1200.0 / 3937, 0);
    expect_meaning((struct raster){.type = GDT_Int16, .scale = 0.5, .offset = -40}, 0.5, -40);
    expect_meaning((struct raster){.type = GDT_UInt16, .scale = 0.5, .offset = -40, .unit = "ft"}, 0.1524,
                   -40 * 0.3048);
    expect_meaning((struct raster){.type = GDT_UInt16}, 1, 0);
    expect_meaning((struct raster){.type = GDT_Float64, .unit = "metre"}, 1, 0);
}

static float holey(int x, int y)
{
    bool hole = hypot(x - 30, y - 25) < 5, beyond = x + y < 20;
    return hole || beyond ? -9999 : slope(x, y);
}

TEST(holes_are_filled_and_the_rest_is_sea)
{
    struct raster raster = metres(60, 50);
    raster.z = holey;
    raster.has_nodata = true;
    raster.nodata = -9999;
    make_raster(in_folder("holes.tif"), &raster);
    struct oro_heightfield field = read_field(in_folder("holes.tif"), NULL);
    assert_true(field.sea && field.filled);
    for (int i = 0; i < 60 * 50; i++) {
        int x = i % 60, y = i / 60;
        bool hole = hypot(x - 30, y - 25) < 5;
        assert_true((field.filled[i] == 1) == hole && (field.sea[i] == 1) == (x + y < 20));
        if (hole)
            assert_true(fabsf(field.data[i] - slope(x, y)) < 15); /* it rises by 76 m across */
        else if (x + y >= 20)
            assert_true(field.data[i] == slope(x, y));
        else
            assert_true(field.data[i] > -100);
    }
    oro_heightfield_free(&field);
}

TEST(one_row)
{
    struct raster raster = metres(40, 1);
    make_raster(in_folder("row.tif"), &raster);
    struct oro_heightfield field = read_field(in_folder("row.tif"), NULL);
    expect_slope(&field, 40, 1, 0, 0);
    oro_heightfield_free(&field);
}

/* Without a system cells are taken to be metres, and `crs` tells which. */
TEST(no_system)
{
    struct raster raster = metres(40, 30);
    raster.epsg = 0;
    make_raster(in_folder("none.tif"), &raster);
    struct oro_heightfield field = read_field(in_folder("none.tif"), NULL);
    assert_true(field.cell == 10 && !field.place.crs && field.account.metres_assumed);
    oro_heightfield_free(&field);
    field = read_field(in_folder("none.tif"), &(struct oro_read_options){.crs = "EPSG:32632"});
    expect_slope(&field, 40, 30, 0, 0);
    assert_string_equal(field.place.crs, "EPSG:32632");
    oro_heightfield_free(&field);
}

/* Cells of 10 x 20 m become squares; feet become the metres of the system that is chosen. */
TEST(what_is_warped_though_projected)
{
    struct raster oblong = metres(40, 30), feet = metres(40, 30);
    oblong.transform[5] = -20;
    make_raster(in_folder("oblong.tif"), &oblong);
    struct oro_heightfield field = read_field(in_folder("oblong.tif"), NULL);
    assert_string_equal(field.place.crs, "EPSG:32632");
    assert_true(fabs(field.width * field.cell - 400) < field.cell &&
                fabs(field.height * field.cell - 600) < field.cell);
    oro_heightfield_free(&field);
    feet.epsg = 2263;
    feet.transform[0] = 980000;
    feet.transform[3] = 200000;
    make_raster(in_folder("feet.tif"), &feet);
    expect_refused(in_folder("feet.tif"), NULL, ORO_E_FILE, "US survey foot");
    field = read_field(in_folder("feet.tif"), &(struct oro_read_options){.crs = "EPSG:32618"});
    assert_true(fabs(field.cell - 3.048) < 0.05);
    oro_heightfield_free(&field);
}

#else

TEST(not_written_without_gdal)
{
    struct oro_heightfield field = make_hills(5, 5);
    struct oro_error err = {0};
    size_t before = files_in_folder();
    assert_false(oro_heightfield_write(in_folder("a.tif"), &field, NULL, &err));
    assert_non_null(strstr(err.text, "built without GDAL"));
    assert_int_equal(files_in_folder(), before);
    oro_heightfield_free(&field);
}

#endif

TEST_GROUP(folder_setup, folder_teardown);
