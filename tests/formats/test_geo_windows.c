/* Windows of rasters that GDAL reads: the bits of the whole; cells without height; Zarr arrays, of others,
 * too, and what is refused of them. */
#include "geo.h"

#include <stdlib.h>

#include <sys/stat.h>
#include <unistd.h>

#include "formats/reader/reader.h"
#include "formats/writer/writer.h"
#include "tests/support/folder.h"

static float odd(int x, int y)
{
    return (float)(900 + 300 * sin(x * 0.31 + y * 0.05) + 200 * cos(y * 0.23 - x * 0.07));
}

static float levels(int x, int y)
{
    return (float)((x * 977 + y * 3511) % 65536);
}

static char *tiles[] = {"TILED=YES", "BLOCKXSIZE=16", "BLOCKYSIZE=32", "COMPRESS=DEFLATE", NULL};

TEST(windows_of_geotiff)
{
    struct raster raster = {.width = 61,
                            .height = 45,
                            .transform = {440000, 25, 0, 5100000, 0, -25},
                            .epsg = 32632,
                            .z = odd,
                            .options = tiles};
    make_raster(in_folder("a.tif"), &raster);
    expect_cropped(in_folder("a.tif"), NULL);
    raster.options = NULL; /* strips */
    raster.unit = "ft";
    raster.scale = 0.5;
    raster.offset = -20;
    make_raster(in_folder("b.tif"), &raster);
    expect_cropped(in_folder("b.tif"), NULL);
    raster.type = GDT_UInt16;
    raster.z = levels;
    raster.options = tiles;
    make_raster(in_folder("c.tif"), &raster);
    expect_cropped(in_folder("c.tif"), NULL);
    expect_cropped(in_folder("c.tif"), &(struct oro_read_options){.has_range = true, .low = -3, .high = 7});
    put_text(in_folder("c.tif.json"),
             "{\"width\": 61, \"height\": 45, \"low\": 5, \"high\": 1700, \"sea\": 80}");
    expect_cropped(in_folder("c.tif"), NULL);
    raster.type = GDT_Int16;
    raster.epsg = 0;
    memset(raster.transform, 0, sizeof raster.transform);
    make_raster(in_folder("d.tif"), &raster);
    expect_cropped(in_folder("d.tif"), NULL);
}

static void expect_unreadable(const char *name, const char *part)
{
    struct oro_error err = {0};
    struct oro_reader *reader = oro_reader_open(in_folder(name), NULL, ORO_WINDOWS_BLOCKS, &err);
    oro_reader_close(reader);
    if (reader || err.code != ORO_E_FILE || !strstr(err.text, part))
        fail_msg("'%s' does not say '%s'", err.text, part);
}

TEST(what_would_have_to_be_made_is_refused)
{
    struct raster raster = {.width = 20, .height = 20, .z = odd, .epsg = 4326};
    memcpy(raster.transform, (const double[6]){8, 0.001, 0, 46, 0, -0.001}, sizeof raster.transform);
    make_raster(in_folder("degrees.tif"), &raster);
    expect_unreadable("degrees.tif", "gdalwarp");
    memset(raster.transform, 0, sizeof raster.transform);
    raster.epsg = 0;
    raster.driver = "AAIGrid";
    make_raster(in_folder("e.asc"), &raster);
    expect_unreadable("e.asc", "cannot be read by windows");
    raster.driver = NULL;
    raster.bands = 2;
    make_raster(in_folder("bands.tif"), &raster);
    expect_unreadable("bands.tif", "has 2 bands");
    put_text(in_folder("junk.tif"), "junk");
    expect_unreadable("junk.tif", "its bytes are of no format that is read");
    char *strip[] = {"COMPRESS=DEFLATE", "BLOCKYSIZE=9000", "SPARSE_OK=TRUE", "BIGTIFF=YES", NULL};
    make_raster(in_folder("strip.tif"), &(struct raster){.width = 9000, .height = 9000, .options = strip});
    expect_unreadable("strip.tif", "too large to be read by windows");
}

/* Larger than the whole may be: 131,072 cells a side, none of them on the disk. */
TEST(windows_of_a_huge_geotiff)
{
    char *sparse[] = {"TILED=YES", "SPARSE_OK=TRUE", "BIGTIFF=YES", NULL};
    struct oro_error err = {0};
    float heights[6];
    struct raster raster = {.width = 131072, .height = 131072, .options = sparse};
    make_raster(in_folder("huge.tif"), &raster);
    expect_refused(in_folder("huge.tif"), NULL, ORO_E_FILE, "at most 32768 a side are read");
    struct oro_reader *reader = oro_reader_open(in_folder("huge.tif"), NULL, ORO_WINDOWS_BLOCKS, &err);
    assert_non_null(reader);
    assert_int_equal(oro_reader_about(reader)->field.width, 131072);
    assert_true(
        oro_reader_window(reader, &(struct oro_cell_window){131069, 131070, 3, 2}, false, heights, &err));
    oro_reader_close(reader);
    raster.width = 131073;
    make_raster(in_folder("huge.tif"), &raster);
    expect_unreadable("huge.tif", "131073 x 131072");
}

/* ---- Cells without height ---- */

static float hole(int x, int y)
{
    return x == 12 && y == 7 ? -9999 : odd(x, y);
}

TEST(cells_without_height)
{
    struct raster raster = {.width = 30, .height = 20, .z = hole, .has_nodata = true, .nodata = -9999};
    struct oro_error err = {0};
    float heights[600];
    make_raster(in_folder("hole.tif"), &raster);
    struct oro_reader *reader = oro_reader_open(in_folder("hole.tif"), NULL, ORO_WINDOWS_BLOCKS, &err);
    const struct oro_cell_window beside = {0, 0, 30, 7}, around = {10, 5, 5, 5};
    assert_non_null(reader);
    assert_true(oro_reader_about(reader)->holes);
    assert_true(oro_reader_window(reader, &beside, false, heights, &err));
    assert_false(oro_reader_window(reader, &around, false, heights, &err));
    assert_non_null(strstr(err.text, "no height in cell 12,7"));
    assert_true(oro_reader_window(reader, &around, true, heights, &err));
    for (int i = 0; i < 25; i++)
        assert_true(i == 12 ? isnan(heights[i]) : heights[i] == odd(10 + i % 5, 5 + i / 5));
    oro_reader_close(reader);
}

/* What is not a number is written as the file's nodata, and is that again. */
static void expect_holes(const char *name, double nodata)
{
    struct oro_heightfield field = make_hills(30, 20);
    struct oro_error err = {0};
    const struct oro_writer_options options = {.has_nodata = true, .nodata = nodata, .block = 16};
    const struct oro_cell_window whole = {0, 0, 30, 20};
    float heights[600];
    field.data[77] = NAN;
    struct oro_writer *writer = oro_writer_begin(in_folder(name), &field, &options, &err);
    if (!writer || !oro_writer_put(writer, &whole, field.data, &err))
        fail_msg("%s", err.text);
    struct oro_writer_sum sum = oro_writer_sum(writer);
    assert_true(oro_writer_seal(writer, &sum, 0, 1, &err) &&
                oro_writer_finish(writer, &sum, NULL, NULL, &err));
    struct oro_reader *reader = oro_reader_open(in_folder(name), NULL, ORO_WINDOWS_BLOCKS, &err);
    if (!reader || !oro_reader_window(reader, &whole, true, heights, &err))
        fail_msg("%s", err.text);
    assert_true(oro_reader_about(reader)->holes && isnan(heights[77]));
    heights[77] = field.data[77] = 0;
    assert_memory_equal(heights, field.data, sizeof heights);
    oro_reader_close(reader);
    oro_heightfield_free(&field);
}

TEST(nodata_is_written_and_read)
{
    expect_holes("n.tif", -32768);
    expect_holes("m.tif", (double)NAN);
    expect_holes("n.zarr", -32768);
    expect_holes("m.zarr", (double)NAN);
}

/* ---- Zarr ---- */

static struct oro_heightfield make_placed(int width, int height)
{
    struct oro_heightfield field = make_hills(width, height);
    field.metres = true;
    field.place = (struct oro_place){oro_copy_text("EPSG:32632"), 400000, 5000000};
    return field;
}

TEST(zarr_is_read_again)
{
    struct oro_heightfield field = make_placed(61, 45);
    write_field(in_folder("z.zarr"), &field, NULL);
    remove(in_folder("z.zarr.json")); /* the array itself says everything */
    struct oro_heightfield again = read_field(in_folder("z.zarr"), NULL);
    assert_memory_equal(again.data, field.data, 61 * 45 * sizeof(float));
    assert_string_equal(again.place.crs, "EPSG:32632");
    assert_true(again.cell == 12.5 && again.place.west == 400000 && again.place.north == 5000000);
    oro_heightfield_free(&again);
    expect_cropped(in_folder("z.zarr"), NULL);
    const struct oro_write_options bits = {.bits = 16, .has_range = true, .low = -10, .high = 1100};
    write_field(in_folder("z16.zarr"), &field, &bits);
    write_field(in_folder("z16.tif"), &field, &bits);
    again = read_field(in_folder("z16.zarr"), NULL);
    struct oro_heightfield tiff = read_field(in_folder("z16.tif"), NULL);
    assert_memory_equal(again.data, tiff.data, 61 * 45 * sizeof(float));
    oro_heightfield_free(&again);
    oro_heightfield_free(&tiff);
    remove(in_folder("z16.zarr.json"));
    expect_cropped(in_folder("z16.zarr"), NULL);
    oro_heightfield_free(&field);
}

TEST(zarr_of_several_chunks_is_read_again)
{
    struct oro_heightfield field = make_placed(1030, 1100);
    write_field(in_folder("four.zarr"), &field, &(struct oro_write_options){.not_terrain = true});
    struct oro_heightfield again = read_field(in_folder("four.zarr"), NULL);
    assert_memory_equal(again.data, field.data, 1030 * 1100 * sizeof(float));
    oro_heightfield_free(&again);
    oro_heightfield_free(&field);
}

/* A system that EPSG does not number is told as WKT; whatever a sidecar calls a system harms nothing. */
TEST(systems_of_zarr)
{
    struct oro_heightfield field = make_hills(9, 9);
    OGRSpatialReferenceH crs = OSRNewSpatialReference(NULL);
    char *wkt = NULL;
    need_gdal();
    assert_int_equal(OSRImportFromProj4(crs, "+proj=laea +lat_0=46.5 +lon_0=8.25 +ellps=GRS80 +units=m"),
                     OGRERR_NONE);
    OSRExportToWkt(crs, &wkt);
    OSRRelease(crs);
    field.place = (struct oro_place){oro_copy_text(wkt), -500, 700};
    CPLFree(wkt);
    write_field(in_folder("w.zarr"), &field, NULL);
    remove(in_folder("w.zarr.json"));
    struct oro_heightfield again = read_field(in_folder("w.zarr"), NULL);
    assert_non_null(strstr(again.place.crs, "Lambert"));
    assert_true(again.place.west == -500 && again.place.north == 700);
    oro_heightfield_free(&again);
    oro_free(field.place.crs);
    field.place.crs = oro_copy_text("EPSG:1\"}, \"a\": {\"b\": \"");
    write_field(in_folder("w.zarr"), &field, NULL);
    again = read_field(in_folder("w.zarr"), &(struct oro_read_options){.no_sidecar = true});
    assert_null(again.place.crs);
    oro_heightfield_free(&again);
    oro_heightfield_free(&field);
}

static void zarr_of_others(const char *name, char **options)
{
    struct raster raster = {.driver = "Zarr",
                            .width = 61,
                            .height = 45,
                            .transform = {440000, 25, 0, 5100000, 0, -25},
                            .epsg = 32632,
                            .z = odd,
                            .options = options};
    make_raster(in_folder(name), &raster);
    struct oro_heightfield field = read_field(in_folder(name), NULL);
    for (int i = 0; i < 61 * 45; i++)
        assert_true(field.data[i] == odd(i % 61, i / 61));
    assert_true(field.cell == 25 && field.place.west == 440000);
    oro_heightfield_free(&field);
    expect_cropped(in_folder(name), NULL);
}

TEST(arrays_of_others)
{
    char *chunks[] = {"BLOCKSIZE=16,10", "COMPRESS=ZLIB", NULL}, *zstd[] = {"COMPRESS=ZSTD", NULL};
    zarr_of_others("o1.zarr", chunks);
    zarr_of_others("o2.zarr", zstd);
    zarr_of_others("o3.zarr", NULL);
}

#define ABOUT                                                                                                \
    "{\"zarr_format\": 2, \"shape\": [45, 61], \"chunks\": [45, 61], \"dtype\": \"<f4\", \"order\": \"C\", " \
    "\"filters\": null, \"compressor\": {\"id\": \"zlib\", \"level\": 1}, \"fill_value\": null}"

/* Each is what was written, with one part of .zarray replaced. */
TEST(arrays_that_are_wrong)
{
    static const struct {
        const char *part, *wrong, *says;
    } cases[] = {
        {"\"zarr_format\": 2", "\"zarr_format\": 3", "not of Zarr's version 2"},
        {"[45, 61], \"chunks\"", "[4500000, 6100000], \"chunks\"", "than are read"},
        {"[45, 61], \"chunks\"", "[45, 0], \"chunks\"", "has no cells"},
        {"[45, 61], \"chunks\"", "[45, -1], \"chunks\"", "has no cells"},
        {"[45, 61], \"chunks\"", "[1e9, 1], \"chunks\"", "has no cells"},
        {"[45, 61], \"chunks\"", "[45, 61, 2], \"chunks\"", "one or two sides"},
        {"[45, 61], \"chunks\"", "[45], \"chunks\"", "one or two sides"},
        {"\"chunks\": [45, 61]", "\"chunks\": [45000, 61000]", "more than 256 MiB"},
        {"\"chunks\": [45, 61]", "\"chunks\": [45, 0]", "makes no sense"},
        {"<f4", "|O", "no plain numbers"},
        {"<f4", "<c8", "no plain numbers"},
        {"\"C\"", "\"A\"", "neither C nor F"},
        {"\"filters\": null", "\"filters\": [{\"id\": \"delta\"}]", "filters"},
        {"\"zlib\"", "\"pickle\"", "compressor is unknown"},
        {"\"filters\": null", "\"dimension_separator\": \"/\", \"filters\": null", "dimension_separator"},
        {"\"filters\": null", "\"order\": \"F\", \"filters\": null", "makes no sense"}, /* twice */
        {"{\"zarr_format\"", "[\"zarr_format\"", "makes no sense"},
    };
    struct oro_heightfield field = make_hills(61, 45);
    write_field(in_folder("bad.zarr"), &field, NULL);
    put_text(in_folder("bad.zarr/height/.zarray"), ABOUT);
    struct oro_heightfield again = read_field(in_folder("bad.zarr"), NULL);
    oro_heightfield_free(&again);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[1024];
        const char *at = strstr(ABOUT, cases[i].part);
        assert_non_null(at);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - ABOUT), ABOUT, cases[i].wrong,
                 at + strlen(cases[i].part));
        put_text(in_folder("bad.zarr/height/.zarray"), text);
        expect_refused(in_folder("bad.zarr"), NULL, ORO_E_FILE, cases[i].says);
        expect_unreadable("bad.zarr", cases[i].says);
    }
    oro_heightfield_free(&field);
}

TEST(folders_that_are_wrong)
{
    struct oro_heightfield field = make_hills(61, 45);
    write_field(in_folder("f.zarr"), &field, NULL);
    assert_int_equal(symlink("../../f.zarr.json", in_folder("f.zarr/height/0.1")), 0);
    expect_unreadable("f.zarr", "leads elsewhere");
    remove(in_folder("f.zarr/height/0.1"));
    assert_int_equal(mkfifo(in_folder("f.zarr/height/0.2"), 0600), 0);
    expect_unreadable("f.zarr", "leads elsewhere");
    remove(in_folder("f.zarr/height/0.2"));
    assert_int_equal(mkdir(in_folder("f.zarr/height/c"), 0700), 0);
    expect_unreadable("f.zarr", "folders within folders");
    rmdir(in_folder("f.zarr/height/c"));
    assert_int_equal(mkdir(in_folder("f.zarr/other"), 0700), 0);
    put_text(in_folder("f.zarr/other/.zarray"), ABOUT);
    put_text(in_folder("f.zarr/other/0.0"), "");
    expect_unreadable("f.zarr", "2 Zarr arrays");
    remove(in_folder("f.zarr/other/0.0"));
    remove(in_folder("f.zarr/other/.zarray"));
    put_text(in_folder("f.zarr/height/0.0"), "no zlib");
    expect_refused(in_folder("f.zarr"), NULL, ORO_E_FILE, "cannot read");
    remove(in_folder("f.zarr/height/0.0"));
    expect_refused(in_folder("f.zarr"), NULL, ORO_E_FILE, "a chunk is missing");
    expect_unreadable("f.zarr", "height/0.0");
    /* What .zmetadata says was not looked at, and does not count. */
    write_field(in_folder("f.zarr"), &field, &(struct oro_write_options){.not_terrain = true});
    put_text(in_folder("f.zarr/.zmetadata"), "{\"metadata\": {}, \"zarr_consolidated_format\": 1}");
    struct oro_heightfield again = read_field(in_folder("f.zarr"), NULL);
    oro_heightfield_free(&again);
    put_text(in_folder("file.zarr"), "no folder");
    expect_unreadable("file.zarr", "cannot read");
    expect_unreadable("missing.zarr", "cannot read");
    oro_heightfield_free(&field);
}

TEST_GROUP(folder_setup, folder_teardown);
