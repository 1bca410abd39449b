/* Rasters that are no heightfield or lead elsewhere, and memory and disks that run out: one error, no file.
 */
#include "support.h"

#ifdef OROGRAPH_GDAL

#include <signal.h>

#include <sys/stat.h>

#include "geo.h"

static struct raster metres(void)
{
    return (struct raster){.width = 300,
                           .height = 200,
                           .transform = {500000, 10, 0, 5200000, 0, -10},
                           .epsg = 32632,
                           .z = slope};
}

static void expect_raster_refused(struct raster raster, const char *part)
{
    make_raster(in_folder("bad.tif"), &raster);
    expect_refused(in_folder("bad.tif"), NULL, ORO_E_FILE, part);
}

static float nothing(int x, int y)
{
    (void)x;
    (void)y;
    return -9999;
}

TEST(no_heightfields)
{
    struct raster raster = metres();
    raster.bands = 3;
    expect_raster_refused(raster, "3 bands");
    raster = metres();
    raster.type = GDT_CFloat32;
    expect_raster_refused(raster, "complex");
    raster = metres();
    raster.transform[2] = 3;
    expect_raster_refused(raster, "gdalwarp");
    raster = metres();
    raster.epsg = 2263;
    expect_raster_refused(raster, "foot");
    raster = metres();
    raster.z = nothing;
    raster.has_nodata = true;
    raster.nodata = -9999;
    expect_raster_refused(raster, "no cell");
    raster = metres();
    raster.epsg = 0;
    raster.transform[5] = -30;
    expect_raster_refused(raster, "no coordinate system");
    raster = metres();
    raster.epsg = 4326;
    memcpy(raster.transform, (double[6]){-180, 1.2, 0, 90, 0, -0.9}, sizeof raster.transform);
    expect_raster_refused(raster, "one zone of UTM");
    memcpy(raster.transform, (double[6]){5000, 1.2, 0, 900, 0, -0.9}, sizeof raster.transform);
    expect_raster_refused(raster, "nowhere");
}

TEST(no_rasters)
{
    need_gdal();
    put_text(in_folder("x.tif"), "no raster at all");
    expect_refused(in_folder("x.tif"), NULL, ORO_E_FILE, "its bytes are of no format that is read");
    put_text(in_folder("x.hgt"), "");
    expect_refused(in_folder("x.hgt"), NULL, ORO_E_FILE, "cannot read");
    put_text(in_folder("x.foo"), "no raster at all");
    expect_refused(in_folder("x.foo"), NULL, ORO_E_FILE, "no known format");
    expect_refused(in_folder("missing.tif"), NULL, ORO_E_FILE, "cannot read");
    expect_refused("/vsimem/a.tif", NULL, ORO_E_FILE, "cannot read");
    expect_refused("/vsicurl/http://127.0.0.1:1/a.tif", NULL, ORO_E_FILE, "cannot read");
    assert_int_equal(mkfifo(in_folder("pipe.tif"), 0666), 0);
    expect_refused(in_folder("pipe.tif"), NULL, ORO_E_FILE, "not a regular file");
    put_text(in_folder("x.vrt"), "<VRTDataset");
    expect_refused(in_folder("x.vrt"), NULL, ORO_E_FILE, "cannot read");
}

/* A part of it is read in no time, and the whole is refused before anything is allocated. */
TEST(huge_rasters)
{
    char *options[] = {"SPARSE_OK=TRUE", "TILED=YES", NULL};
    struct raster raster = metres();
    raster.width = raster.height = 200000;
    raster.transform[1] = 1;
    raster.transform[5] = -1;
    raster.z = NULL;
    raster.options = options;
    expect_raster_refused(raster, "--window");
    struct oro_read_options read = {
        .window = {.given = true, .west = 600000, .south = 5100000, .east = 600050, .north = 5100040}};
    struct oro_heightfield field = read_field(in_folder("bad.tif"), &read);
    assert_true(field.width == 50 && field.height == 40);
    oro_heightfield_free(&field);
    expect_refused(in_folder("bad.tif"), &(struct oro_read_options){.max_side = 100}, ORO_E_FILE, "gdaladdo");
}

TEST(truncated)
{
    char *tiled[] = {"TILED=YES", NULL}, *packed[] = {"COMPRESS=DEFLATE", NULL};
    struct raster raster = metres();
    for (int k = 0; k < 4; k++) {
        size_t size;
        raster.options = k & 1 ? packed : tiled;
        raster.epsg = k & 2 ? 4326 : 32632;
        if (k & 2)
            memcpy(raster.transform, (double[6]){8, 0.001, 0, 47, 0, -0.001}, sizeof raster.transform);
        make_raster(in_folder("whole.tif"), &raster);
        unsigned char *bytes = get_file(in_folder("whole.tif"), &size);
        put_file(in_folder("cut.tif"), bytes, size * 2 / 3);
        expect_refused(in_folder("cut.tif"), NULL, ORO_E_FILE, "cut.tif");
        oro_free(bytes);
    }
}

TEST(options)
{
    struct raster raster = metres();
    make_raster(in_folder("good.tif"), &raster);
    static const char *const systems[] = {"EPSG:4326",
                                          "EPSG:2263",
                                          "EPSG:99999999",
                                          "EPSG:32632 ",
                                          "/etc/passwd",
                                          "http://127.0.0.1:1/x",
                                          "",
                                          "+proj=utm +zone=32"};
    for (size_t i = 0; i < sizeof systems / sizeof systems[0]; i++)
        expect_refused(in_folder("good.tif"), &(struct oro_read_options){.crs = systems[i]}, ORO_E_USAGE,
                       "system");
    expect_refused(
        in_folder("good.tif"),
        &(struct oro_read_options){.window = {.given = true, .west = 0, .south = 0, .east = 1, .north = 1}},
        ORO_E_USAGE, "outside");
    struct oro_heightfield field = make_hills(9, 9);
    write_field(in_folder("own.png"), &field, NULL);
    expect_refused(in_folder("own.png"), &(struct oro_read_options){.crs = "EPSG:32632"}, ORO_E_USAGE,
                   "does not say where it lies");
    struct oro_error err = {0};
    assert_false(
        oro_heightfield_write(in_folder("w.tif"), &field, &(struct oro_write_options){.bits = 8}, &err));
    assert_int_equal(err.code, ORO_E_USAGE);
    field.place.crs = oro_copy_text("nowhere");
    assert_false(oro_heightfield_write(in_folder("w.tif"), &field, NULL, &err));
    assert_int_equal(err.code, ORO_E_WRITE);
    assert_false(file_exists(in_folder("w.tif")));
    oro_heightfield_free(&field);
}

/* ---- Mosaics that would lead elsewhere ---- */

static void expect_mosaic_refused(const char *inside, const char *part)
{
    char text[2000];
    snprintf(text, sizeof text,
             "<VRTDataset rasterXSize=\"20\" rasterYSize=\"20\"><SRS>EPSG:32632</SRS>"
             "<GeoTransform>500000, 10, 0, 5200000, 0, -10</GeoTransform>%s</VRTDataset>",
             inside);
    put_text(in_folder("m.vrt"), text);
    expect_refused(in_folder("m.vrt"), NULL, ORO_E_FILE, part);
}

static void expect_source_refused(const char *source, const char *part)
{
    char text[1500];
    for (int relative = 0; relative < 2; relative++) {
        snprintf(text, sizeof text,
                 "<VRTRasterBand dataType=\"Float32\" band=\"1\"><SimpleSource><SourceFilename "
                 "relativeToVRT=\"%d\">%s"
                 "</SourceFilename><SourceBand>1</SourceBand></SimpleSource></VRTRasterBand>",
                 relative, source);
        expect_mosaic_refused(text, part);
    }
}

TEST(mosaics_lead_nowhere_else)
{
    char outside[600];
    struct raster raster = metres();
    assert_int_equal(mkdir(in_folder("inner"), 0777), 0);
    make_raster(in_folder("inner/in.tif"), &raster);
    make_raster(in_folder("out.tif"), &raster);
    expect_source_refused("/vsicurl/http://127.0.0.1:1/a.tif", "mosaic");
    expect_source_refused("/vsizip//tmp/a.zip/a.tif", "mosaic");
    expect_source_refused("http://127.0.0.1:1/a.tif", "mosaic");
    expect_source_refused("MEM:::DATAPOINTER=4096,PIXELS=1,LINES=1", "mosaic");
    expect_source_refused("&lt;GDAL_WMS&gt;", "mosaic");
    expect_source_refused("/etc/passwd", "mosaic");
    expect_source_refused("../../../../../etc/passwd", "mosaic");
    expect_source_refused("", "mosaic");
    expect_source_refused("missing.tif", "missing");
    expect_mosaic_refused("<VRTRasterBand dataType=\"Byte\" band=\"1\" subClass=\"VRTRawRasterBand\"/>",
                          "VRTRawRasterBand");
    expect_mosaic_refused("<VRTRasterBand dataType=\"Byte\" band=\"1\" subClass=\"VRTDerivedRasterBand\"/>",
                          "Derived");
    expect_mosaic_refused("<GDALWarpOptions/>", "GDALWarpOptions");
    expect_mosaic_refused(
        "<Metadata domain=\"OVERVIEWS\"><MDI key=\"OVERVIEW_FILE\">/etc/passwd</MDI></Metadata>",
        "OVERVIEWS");
    /* A raster in the folder above: only where that is allowed. */
    snprintf(
        outside, sizeof outside,
        "<VRTDataset rasterXSize=\"300\" rasterYSize=\"200\"><VRTRasterBand dataType=\"Float32\" band=\"1\">"
        "<SimpleSource><SourceFilename "
        "relativeToVRT=\"1\">../out.tif</SourceFilename><SourceBand>1</SourceBand>"
        "</SimpleSource></VRTRasterBand></VRTDataset>");
    put_text(in_folder("inner/m.vrt"), outside);
    expect_refused(in_folder("inner/m.vrt"), NULL, ORO_E_FILE, "outside its own folder");
    struct oro_heightfield field =
        read_field(in_folder("inner/m.vrt"), &(struct oro_read_options){.any_path = true});
    assert_int_equal(field.width, 300);
    oro_heightfield_free(&field);
    /* A mosaic of mosaics is not looked through. */
    put_text(in_folder("m.vrt"), outside);
    put_text(in_folder("nested.vrt"),
             "<VRTDataset rasterXSize=\"3\" rasterYSize=\"2\"><VRTRasterBand dataType=\"Float32\" band=\"1\">"
             "<SimpleSource><SourceFilename "
             "relativeToVRT=\"1\">inner/m.vrt</SourceFilename></SimpleSource></VRTRasterBand></VRTDataset>");
    expect_refused(in_folder("nested.vrt"), &(struct oro_read_options){.any_path = true}, ORO_E_FILE,
                   "m.vrt");
}

/* ---- Nothing half-written ---- */

TEST(disk_full)
{
    static const char *const names[] = {"f.tif", "f.asc", "f.ter"};
    struct oro_heightfield field = make_hills(200, 200);
    need_gdal();
    size_t before = files_in_folder();
    signal(SIGXFSZ, SIG_IGN);
    for (int k = 0; k < 4; k++)
        for (rlim_t bytes = 0; bytes <= 40000; bytes += 5000) {
            struct oro_error err = {0};
            limit_files(bytes);
            bool ok = oro_heightfield_write(in_folder(names[k > 1 ? k - 1 : 0]), &field,
                                            &(struct oro_write_options){.cog = k == 1}, &err);
            limit_files(RLIM_INFINITY);
            if (ok || err.code != ORO_E_WRITE)
                fail_msg("%s at %d bytes: %d %s", names[k > 1 ? k - 1 : 0], (int)bytes, ok, err.text);
            assert_int_equal(files_in_folder(), before);
        }
    oro_heightfield_free(&field);
}

/* Memory of ours runs out; GDAL's own cannot be made to. */
TEST(no_memory)
{
    struct raster raster = metres();
    raster.epsg = 4326;
    memcpy(raster.transform, (double[6]){8, 0.001, 0, 47, 0, -0.001}, sizeof raster.transform);
    make_raster(in_folder("memory.tif"), &raster);
    struct oro_heightfield field = read_field(in_folder("memory.tif"), NULL);
    bool read = false, written = false;
    size_t before = files_in_folder(), n = 1;
    for (; !(read && written); n++) {
        struct oro_heightfield again;
        struct oro_error errors[2] = {0};
        oro_memory_fail_at(n);
        read = oro_heightfield_read(in_folder("memory.tif"), NULL, &again, &errors[0]);
        oro_memory_fail_at(n);
        written = oro_heightfield_write(in_folder("out.asc"), &field, NULL, &errors[1]);
        oro_memory_fail_at(0);
        assert_true(read || !again.data);
        oro_heightfield_free(&again);
        for (int k = 0; k < 2; k++)
            if (errors[k].code && errors[k].code != ORO_E_MEMORY && errors[k].code != ORO_E_FILE)
                fail_msg("allocation %zu: code %d: %s", n, (int)errors[k].code, errors[k].text);
        assert_true(written || files_in_folder() == before);
        assert_true(n < 200);
        remove(in_folder("out.asc"));
        remove(in_folder("out.asc.json"));
        remove(in_folder("out.prj"));
    }
    assert_true(n > 5);
    oro_heightfield_free(&field);
}

#else

TEST(not_read_without_gdal)
{
    put_text(in_folder("a.hgt"), "x");
    expect_refused(in_folder("a.hgt"), NULL, ORO_E_FILE, "built without GDAL");
}

#endif

TEST_GROUP(folder_setup, folder_teardown);
