/* Files of other programs: read as what their bytes say, whatever they are called; pictures in colours. */
#include "support.h"

#include "geo.h"

static struct raster hills_of(const char *driver, GDALDataType type)
{
    return (struct raster){.driver = driver,
                           .type = type,
                           .width = 40,
                           .height = 24,
                           .transform = {500000, 30, 0, 5200000, 0, -30},
                           .epsg = 32632,
                           .z = slope};
}

static void expect_slope(const char *path, const struct oro_read_options *options, double tolerance)
{
    struct oro_heightfield field = read_field(path, options);
    assert_true(field.width == 40 && field.height == 24);
    for (int i = 0; i < 960; i++)
        if (fabs((double)field.data[i] - (double)slope(i % 40, i / 40)) > tolerance)
            fail_msg("'%s': cell %d is %g", path, i, (double)field.data[i]);
    oro_heightfield_free(&field);
}

/* ---- What the bytes say ---- */

static void rename_to(const char *from, const char *to)
{
    size_t size;
    unsigned char *bytes = get_file(in_folder(from), &size);
    put_file(in_folder(to), bytes, size);
    oro_free(bytes);
}

TEST(names_that_lie)
{
    static const struct {
        const char *file, *name, *says;
    } cases[] = {
        {"a.tif", "tif.png", "a TIFF file"},
        {"a.tif", "tif.r32", "a TIFF file"},
        {"a.tif", "tif.pfm", "a TIFF file"},
        {"a.tif", "tif.exr", "a TIFF file"},
        {"a.pfm", "pfm.tif", "a PFM file"},
        {"a.pfm", "pfm.png", "a PFM file"},
        {"a.exr", "exr.raw", "an OpenEXR file"},
        {"a.exr", "exr.asc", "an OpenEXR file"},
        {"a.asc", "asc.exr", "an ESRI ASCII"},
        {"a.tif", "tif.asc", ""},
        {"a.tif", "tif.dat", ""},
        {"a.exr", "exr", ""},
    };
    struct oro_heightfield field = make_field(40, 24, NULL);
    struct oro_write_options plain = {.not_terrain = true};
    for (int i = 0; i < 960; i++)
        field.data[i] = slope(i % 40, i / 40);
    field.cell = 30;
    write_field(in_folder("a.tif"), &field, &plain);
    write_field(in_folder("a.pfm"), &field, &plain);
    write_field(in_folder("a.exr"), &field, &plain);
    write_field(in_folder("a.asc"), &field, &plain);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct notes notes;
        notes_begin(&notes);
        rename_to(cases[i].file, cases[i].name);
        expect_slope(in_folder(cases[i].name), &(struct oro_read_options){.log = &notes.log}, 0);
        if (cases[i].says[0] ? !strstr(notes.text, cases[i].says) : notes.count > 0)
            fail_msg("%s: %s", cases[i].name, notes.text);
    }
    oro_heightfield_free(&field);
}

/* Raw samples may begin with any bytes; few of them make no other format. */
TEST(raw_samples_stay_raw)
{
    const unsigned short levels[] = {0x4d42, 0x3550, 7, 8}; /* "BMP5" */
    put_file(in_folder("bm.r16"), levels, sizeof levels);
    struct oro_heightfield field =
        read_field(in_folder("bm.r16"), &(struct oro_read_options){.has_range = true, .high = 65535});
    assert_true(field.width == 2 && field.data[0] == 0x4d42 && field.data[3] == 8);
    oro_heightfield_free(&field);
}

TEST(pictures_that_are_not_read)
{
    static const char *const names[] = {"x.jpg", "x.png", "x.tif", "x.foo"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        put_file(in_folder(names[i]), "\xff\xd8\xff\xe0\0\x10JFIF\0......................", 34);
        expect_refused(in_folder(names[i]), NULL, ORO_E_FILE, "is a JPEG file");
        expect_refused(in_folder(names[i]), NULL, ORO_E_FILE, "gdal_translate -b 1");
    }
    put_text(in_folder("x.webp"), "RIFF....WEBP");
    expect_refused(in_folder("x.webp"), NULL, ORO_E_FILE, "a WebP file");
    put_text(in_folder("x.foo"), "no raster at all");
    expect_refused(in_folder("x.foo"), NULL, ORO_E_FILE, "gdal_translate");
}

/* ---- Drivers ---- */

static bool has_driver(const char *name)
{
    need_gdal();
    return GDALGetDriverByName(name) != NULL;
}

static void expect_driver(const char *driver, GDALDataType type, char **options, const char *name,
                          double tolerance)
{
    struct raster raster = hills_of(driver, type);
    double largest = type == GDT_UInt16 ? 65535 : type == GDT_Byte ? 255 : 0; /* pictures have levels */
    struct oro_read_options read = {.has_range = largest > 0, .high = largest};
    raster.options = options;
    if (!has_driver(driver))
        return;
    make_raster(in_folder(name), &raster);
    expect_slope(in_folder(name), &read, tolerance);
    rename_to(name, "renamed.png");
    expect_slope(in_folder("renamed.png"), &read, tolerance);
    remove(in_folder("renamed.png"));
}

TEST(drivers)
{
    char *nc2[] = {"FORMAT=NC2", NULL}, *plain[] = {"DATA_ENCODING=SIMPLE_PACKING", NULL};
    expect_driver("netCDF", GDT_Float32, NULL, "x.nc", 0);
    expect_driver("netCDF", GDT_Int16, nc2, "short.nc", 0);
    expect_driver("GPKG", GDT_Float32, NULL, "x.gpkg", 0);
    expect_driver("GPKG", GDT_Int16, NULL, "short.gpkg", 0.01);
    expect_driver("GRIB", GDT_Float32, plain, "x.grib", 0.01);
    expect_driver("HF2", GDT_Float32, NULL, "x.hf2", 0.01);
    expect_driver("PNM", GDT_UInt16, NULL, "x.pgm", 0);
    expect_driver("BMP", GDT_Byte, NULL, "x.bmp", 255); /* it has no more than 255 */
}

/* HDF5 keeps cells in other files, wherever the file says: only for those whom the user trusts. */
TEST(files_that_name_others)
{
    char *nc4[] = {"FORMAT=NC4", NULL};
    struct raster raster = hills_of("netCDF", GDT_Float32);
    raster.options = nc4;
    if (!has_driver("netCDF"))
        return;
    make_raster(in_folder("four.nc"), &raster);
    expect_refused(in_folder("four.nc"), NULL, ORO_E_FILE, "--allow-path");
    rename_to("four.nc", "four.tif");
    expect_refused(in_folder("four.tif"), NULL, ORO_E_FILE, "HDF5");
    expect_slope(in_folder("four.nc"), &(struct oro_read_options){.any_path = true}, 0);
}

TEST(several_rasters)
{
    char *append[] = {"APPEND_SUBDATASET=YES", "RASTER_TABLE=second", NULL};
    struct raster raster = hills_of("GPKG", GDT_Float32);
    if (!has_driver("GPKG"))
        return;
    make_raster(in_folder("two.gpkg"), &raster);
    raster.options = append;
    make_raster(in_folder("two.gpkg"), &raster);
    expect_refused(in_folder("two.gpkg"), NULL, ORO_E_FILE, "gdal_translate 'GPKG:");
}

/* ---- Colours ---- */

static void put_colours(const char *path, const char *driver, int bands, GDALDataType type)
{
    need_gdal();
    GDALDatasetH set = GDALCreate(GDALGetDriverByName("MEM"), "", 2, 2, bands, type, NULL);
    const unsigned short packed[4][4] = {
        {128, 128, 129, 131}, {0, 1, 0, 196}, {0, 128, 0, 64}, {255, 255, 255, 255}};
    for (int i = 0; i < bands; i++)
        assert_int_equal(GDALRasterIO(GDALGetRasterBand(set, i + 1), GF_Write, 0, 0, 2, 2, (void *)packed[i],
                                      2, 2, GDT_UInt16, 0, 0),
                         CE_None);
    GDALSetGeoTransform(set, (double[]){500000, 10, 0, 5200000, 0, -10});
    set_crs(set, 32632);
    GDALDatasetH copy = GDALCreateCopy(GDALGetDriverByName(driver), path, set, FALSE, NULL, NULL, NULL);
    assert_non_null(copy);
    GDALClose(copy);
    GDALClose(set);
}

static void expect_terrarium(const char *path)
{
    struct oro_heightfield field =
        read_field(path, &(struct oro_read_options){.decode = ORO_DECODE_TERRARIUM});
    const float expected[] = {0, 1.5f, 256, 964.25f};
    assert_true(field.metres && field.width == 2 && field.height == 2 && field.account.unit == ORO_GIVEN);
    for (int i = 0; i < 4; i++)
        assert_true(field.data[i] == expected[i]);
    oro_heightfield_free(&field);
    expect_refused(path, NULL, ORO_E_FILE, "--decode terrarium");
}

TEST(bands_of_colours)
{
    struct oro_read_options terrarium = {.decode = ORO_DECODE_TERRARIUM};
    put_colours(in_folder("rgb.tif"), "GTiff", 3, GDT_Byte);
    expect_terrarium(in_folder("rgb.tif"));
    put_colours(in_folder("rgba.tif"), "GTiff", 4, GDT_Byte);
    expect_terrarium(in_folder("rgba.tif"));
    put_colours(in_folder("rgb.bmp"), "BMP", 3, GDT_Byte);
    expect_terrarium(in_folder("rgb.bmp"));
    put_colours(in_folder("deep.tif"), "GTiff", 3, GDT_UInt16);
    expect_refused(in_folder("deep.tif"), NULL, ORO_E_FILE, "--decode terrarium");
    expect_refused(in_folder("deep.tif"), &terrarium, ORO_E_FILE, "16 bits");
    put_colours(in_folder("two.tif"), "GTiff", 2, GDT_Byte);
    expect_refused(in_folder("two.tif"), NULL, ORO_E_FILE, "2 bands");
    expect_refused(in_folder("two.tif"), &terrarium, ORO_E_FILE, "has no colours");
    struct oro_heightfield field = read_field(
        in_folder("rgb.tif"),
        &(struct oro_read_options){.decode = ORO_DECODE_LUMINANCE, .has_range = true, .high = 255});
    assert_true(fabs((double)field.data[3] - (0.2126 * 131 + 0.7152 * 196 + 0.0722 * 64)) < 0.01);
    assert_true(field.place.crs && field.cell == 10);
    oro_heightfield_free(&field);
}

/* Numbers of colours are no heights; a palette of greys is none. */
TEST(palettes)
{
    struct raster raster = {.type = GDT_Byte, .width = 2, .height = 2, .z = slope};
    need_gdal();
    for (int coloured = 0; coloured < 2; coloured++) {
        GDALColorTableH palette = GDALCreateColorTable(GPI_RGB);
        for (int i = 0; i < 256; i++) {
            const GDALColorEntry colour = {(short)i, (short)(coloured ? 128 : i), (short)i, 255};
            GDALSetColorEntry(palette, i, &colour);
        }
        GDALDatasetH set =
            GDALCreate(GDALGetDriverByName("GTiff"), in_folder("palette.tif"), 2, 2, 1, GDT_Byte, NULL);
        GDALSetRasterColorTable(GDALGetRasterBand(set, 1), palette);
        fill_raster(set, &raster);
        GDALClose(set);
        GDALDestroyColorTable(palette);
        if (coloured)
            break;
        struct oro_heightfield field = read_field(in_folder("palette.tif"), NULL);
        assert_true(field.data[3] == 10);
        oro_heightfield_free(&field);
    }
    expect_refused(in_folder("palette.tif"), NULL, ORO_E_FILE, "it has a palette");
    struct oro_heightfield field =
        read_field(in_folder("palette.tif"), &(struct oro_read_options){.decode = ORO_DECODE_TERRAIN_RGB});
    assert_true(fabs((double)field.data[3] - ((10 * 65536 + 128 * 256 + 10) / 10.0 - 10000)) < 0.1);
    oro_heightfield_free(&field);
}

TEST_GROUP(folder_setup, folder_teardown);
