/* What a file told of its heights, and what was assumed: of every kind of guess several files, in several
 * formats. */
#include "support.h"

#include <string.h>

#ifdef OROGRAPH_GDAL

#include <unistd.h>

#include "formats/sidecar/sidecar.h"
#include "geo.h"

/* All levels of notices. */
struct said {
    struct oro_log log;
    char text[8192];
};

static void take_line(void *user, enum oro_level level, const char *text)
{
    struct said *said = user;
    size_t used = strlen(said->text);
    if (level > ORO_DEBUG)
        snprintf(said->text + used, sizeof said->text - used, "%s%s\n",
                 level == ORO_WARNING ? "warning: " : "", text);
}

static struct oro_heightfield read_saying(const char *name, struct oro_read_options options,
                                          struct said *said)
{
    *said = (struct said){.log = {take_line, said}};
    options.log = &said->log;
    return read_field(in_folder(name), &options);
}

static void assert_said(const struct said *said, const char *part)
{
    if (!strstr(said->text, part))
        fail_msg("'%s' is missing in: %s", part, said->text);
}

static void assert_unsaid(const struct said *said, const char *part)
{
    if (strstr(said->text, part))
        fail_msg("'%s' is said: %s", part, said->text);
}

enum { W = 40, H = 24 };

/* Higher in the north, the first row. */
static float north_high(int x, int y)
{
    return (float)(900 - 30 * y + 3 * x);
}

static float south_first(int x, int y)
{
    return north_high(x, H - 1 - y);
}

static struct raster placed(void)
{
    return (struct raster){.width = W,
                           .height = H,
                           .transform = {500000, 30, 0, 5200000, 0, -30},
                           .epsg = 32632,
                           .z = north_high};
}

/* ---- Orientation ---- */

static void expect_north(const char *name, double cell)
{
    struct oro_heightfield field = read_field(in_folder(name), NULL);
    assert_true(field.width == W && field.height == H && fabs(field.cell / cell - 1) < 1e-6);
    for (int i = 0; i < W * H; i++)
        if (field.data[i] != north_high(i % W, i / W))
            fail_msg("%s: cell %d,%d is %g", name, i % W, i / W, (double)field.data[i]);
    if (field.account.system == ORO_TOLD)
        assert_true(field.place.north == 5200000 && field.place.west == 500000);
    oro_heightfield_free(&field);
}

TEST(north_is_where_y_is_larger)
{
    static const char *const drivers[] = {"GTiff", "HFA", "GTiff"};
    static const char *const names[] = {"up.tif", "up.img", "bare.tif"};
    for (int k = 0; k < 3; k++) {
        struct raster raster = placed();
        raster.driver = drivers[k];
        raster.transform[3] = 5200000 - 30 * H;
        raster.transform[5] = 30;
        raster.epsg = k == 2 ? 0 : 32632;
        raster.z = south_first;
        make_raster(in_folder(names[k]), &raster);
        expect_north(names[k], 30);
    }
    struct raster raster = placed();
    raster.driver = "EHdr";
    make_raster(in_folder("plain.bil"), &raster);
    expect_north("plain.bil", 30);
}

/* A grid whose header says that the first row is the southern one. */
TEST(negative_ydim)
{
    int16_t cells[W * H];
    for (int i = 0; i < W * H; i++)
        cells[i] = (int16_t)south_first(i % W, i / W);
    put_file(in_folder("neg.bil"), cells, sizeof cells);
    put_text(in_folder("neg.hdr"), "NROWS 24\nNCOLS 40\nNBITS 16\nPIXELTYPE SIGNEDINT\nBYTEORDER I\n"
                                   "ULXMAP 500015\nULYMAP 5199295\nXDIM 30\nYDIM -30\n");
    expect_north("neg.bil", 30);
}

static void put_points(const char *name, int step, bool columns, const char *separator)
{
    static char text[W * H * 40];
    size_t used = 0;
    for (int i = 0; i < W * H; i++) {
        int k = (int)((long)i * step % (W * H)), x = columns ? k / H : k % W, y = columns ? k % H : k / W;
        used += (size_t)snprintf(text + used, sizeof text - used, "%d%s%d%s%g\n", 500015 + 30 * x, separator,
                                 5199985 - 30 * y, separator, (double)north_high(x, y));
    }
    put_text(in_folder(name), text);
}

/* Points in rows from the north and from the south, in columns, and in no order. */
TEST(points_in_any_order)
{
    need_gdal();
    put_points("rows.xyz", 1, false, " ");
    put_points("back.xyz", W * H - 1, false, ",");
    put_points("columns.xyz", 1, true, "\t");
    put_points("mixed.xyz", 37, false, " ");
    put_points("mixed2.xyz", 451, true, ";");
    expect_north("rows.xyz", 30);
    expect_north("back.xyz", 30);
    expect_north("columns.xyz", 30);
    expect_north("mixed.xyz", 30);
    expect_north("mixed2.xyz", 30);
}

/* ---- Levels or metres ---- */

TEST(a_type_decides_nothing)
{
    static const GDALDataType types[] = {GDT_UInt16, GDT_Int16, GDT_Int32, GDT_Float32};
    struct said said;
    const struct oro_read_options range = {.has_range = true, .low = 0, .high = 4000};
    for (int k = 0; k < 8; k++) {
        struct raster raster = placed();
        raster.type = types[k % 4];
        raster.epsg = k < 4 ? 32632 : 0;
        raster.unit = k < 4 ? NULL : "metre";
        make_raster(in_folder("type.tif"), &raster);
        struct oro_heightfield field = read_saying("type.tif", range, &said);
        for (int i = 0; i < W * H; i++)
            assert_true(field.data[i] == north_high(i % W, i / W));
        assert_said(&said, "low and high, 0..4000 m, are left aside");
        oro_heightfield_free(&field);
    }
}

/* Nothing is told of them: the range makes levels, and without one it is said what is assumed. */
TEST(pictures_have_levels)
{
    struct said said;
    struct raster raster = placed();
    raster.epsg = 0;
    memset(raster.transform, 0, sizeof raster.transform);
    raster.type = GDT_UInt16;
    make_raster(in_folder("picture.tif"), &raster);
    struct oro_heightfield field =
        read_saying("picture.tif", (struct oro_read_options){.has_range = true, .high = 655.35}, &said);
    assert_true(fabsf(field.data[0] - 9) < 1e-4f && field.account.range == ORO_GIVEN);
    assert_unsaid(&said, "warning");
    oro_heightfield_free(&field);
    field = read_saying("picture.tif", (struct oro_read_options){0}, &said);
    assert_true(field.data[0] == 900);
    assert_said(&said, "warning: 'picture.tif' tells neither a unit nor where it lies");
    oro_heightfield_free(&field);
    field = read_saying("picture.tif", (struct oro_read_options){.unit = "ft"}, &said);
    assert_true(fabsf(field.data[0] - 900 * 0.3048f) < 1e-4f);
    assert_unsaid(&said, "neither");
    oro_heightfield_free(&field);
}

static float shares(int x, int y)
{
    return north_high(x, y) / 1024;
}

/* Numbers of a picture are heights where the user names their unit, or a file beside it says where it lies.
 */
TEST(pictures_of_metres)
{
    unsigned char rows[W * H * 2];
    struct said said;
    need_gdal();
    for (int i = 0; i < W * H; i++) {
        int z = (int)north_high(i % W, i / W);
        rows[2 * i] = (unsigned char)(z >> 8);
        rows[2 * i + 1] = (unsigned char)z;
    }
    put_png(in_folder("m.png"), W, H, 16, 0, false, rows);
    struct oro_heightfield field = read_saying("m.png", (struct oro_read_options){.unit = "dm"}, &said);
    assert_true(field.metres && fabsf(field.data[0] - 90) < 1e-4f);
    assert_unsaid(&said, "warning");
    oro_heightfield_free(&field);
    put_text(in_folder("m.png.aux.xml"),
             "<PAMDataset><SRS>EPSG:32632</SRS><GeoTransform>500000, 30, 0, 5200000, 0, -30</GeoTransform>"
             "</PAMDataset>");
    expect_north("m.png", 30);
    remove(in_folder("m.png.aux.xml"));
    put_text(in_folder("m.pgw"), "30\n0\n0\n-30\n500015\n5199985\n");
    field = read_saying("m.png", (struct oro_read_options){0}, &said);
    assert_true(field.cell == 30 && !field.metres);
    assert_said(&said, "cells of 30 m on the ground, which a world from this file has, too");
    assert_said(&said, "does not say how high it is");
    oro_heightfield_free(&field);
    field = read_field(in_folder("m.png"), &(struct oro_read_options){.has_range = true, .high = 655.35});
    assert_true(fabsf(field.data[0] - 9) < 1e-4f);
    oro_heightfield_free(&field);
    remove(in_folder("m.pgw"));
}

TEST(floats_within_0_and_1)
{
    static const char *const names[] = {"s.r32", "s.pfm", "s.exr", "s.tif", "s.asc"};
    struct said said;
    struct oro_heightfield field = make_field(W, H, NULL);
    for (int i = 0; i < W * H; i++)
        field.data[i] = shares(i % W, i / W);
    field.cell = 30;
    need_gdal();
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        write_field(in_folder(names[k]), &field, NULL);
        char sidecar[64];
        snprintf(sidecar, sizeof sidecar, "%s.json", names[k]);
        remove(in_folder(sidecar));
        struct oro_read_options options = {.width = k ? 0 : W, .height = k ? 0 : H};
        struct oro_heightfield read = read_saying(names[k], options, &said);
        assert_said(&said, "all heights lie within 0..1");
        oro_heightfield_free(&read);
        options.has_range = true;
        options.low = 100;
        options.high = 100 + 1024;
        read = read_saying(names[k], options, &said);
        for (int i = 0; i < W * H; i++)
            assert_true(fabsf(read.data[i] - 100 - north_high(i % W, i / W)) < 1e-3f);
        assert_unsaid(&said, "warning");
        oro_heightfield_free(&read);
        if (k < 2 || k == 3)
            expect_cropped(in_folder(names[k]), &options);
    }
    field.data[5] = 1.5f; /* no shares any more */
    write_field(in_folder("s.pfm"), &field, NULL);
    struct oro_heightfield read =
        read_saying("s.pfm", (struct oro_read_options){.has_range = true, .high = 1000}, &said);
    assert_true(read.data[5] == 1.5f);
    assert_said(&said, "left aside");
    oro_heightfield_free(&read);
    oro_heightfield_free(&field);
}

/* ---- Scale on the ground ---- */

TEST(cells_without_a_system)
{
    static const char *const drivers[] = {"AAIGrid", "GTiff", "EHdr", "GSBG"};
    static const char *const names[] = {"c.asc", "c.tif", "c.bil", "c.grd"};
    struct said said;
    for (int k = 0; k < 4; k++) {
        struct raster raster = placed();
        raster.epsg = 0;
        raster.driver = drivers[k];
        make_raster(in_folder(names[k]), &raster);
        struct oro_heightfield field = read_saying(names[k], (struct oro_read_options){0}, &said);
        assert_true(fabs(field.cell - 30) < 1e-9 && !field.place.crs);
        assert_said(&said, "cells of 30 m on the ground, which a world from this file has, too");
        oro_heightfield_free(&field);
        field = read_saying(names[k], (struct oro_read_options){.cell = 12}, &said);
        assert_true(field.cell == 12);
        assert_unsaid(&said, "on the ground");
        oro_heightfield_free(&field);
    }
}

TEST(degrees_without_a_system)
{
    struct said said;
    struct raster raster = placed();
    raster.epsg = 0;
    raster.driver = "AAIGrid";
    memcpy(raster.transform, (double[6]){8.1, 1 / 3600.0, 0, 46.5, 0, -1 / 3600.0}, sizeof raster.transform);
    make_raster(in_folder("deg.asc"), &raster);
    struct oro_heightfield field = read_saying("deg.asc", (struct oro_read_options){0}, &said);
    assert_true(field.cell == 0);
    assert_said(&said, "warning: 'deg.asc' has cells of 0.0002777");
    oro_heightfield_free(&field);
}

/* Web mercator, world mercator, and a cylinder of equal areas, in the Alps. */
TEST(metres_that_are_none)
{
    static const struct {
        int epsg;
        double west, north;
    } cases[] = {{3857, 900000, 5800000}, {3395, 900000, 5770000}, {6933, 780000, 5250000}};
    struct said said;
    for (int k = 0; k < 3; k++) {
        struct raster raster = placed();
        raster.epsg = cases[k].epsg;
        raster.transform[0] = cases[k].west;
        raster.transform[3] = cases[k].north;
        make_raster(in_folder("false.tif"), &raster);
        struct oro_heightfield field = read_saying("false.tif", (struct oro_read_options){0}, &said);
        assert_string_equal(field.place.crs, "EPSG:32632");
        if (k < 2)
            assert_true(field.cell > 20 && field.cell < 21.5); /* 30 m times cos 46 degrees */
        assert_said(&said, "m of ground: it is warped to EPSG:32632");
        oro_heightfield_free(&field);
        struct oro_read_options asked = {.crs = "EPSG:32632"};
        field = read_saying("false.tif", asked, &said);
        assert_unsaid(&said, "warped");
        oro_heightfield_free(&field);
        asked.where_known = true; /* a graph's world, which may follow this very file */
        field = read_saying("false.tif", asked, &said);
        assert_said(&said, "m of ground: it is warped to EPSG:32632");
        oro_heightfield_free(&field);
    }
    expect_refused(in_folder("false.tif"), &(struct oro_read_options){.crs = "EPSG:3857"}, ORO_E_USAGE,
                   "1.4");
    struct raster raster = placed();
    make_raster(in_folder("true.tif"), &raster);
    struct oro_heightfield field = read_saying("true.tif", (struct oro_read_options){0}, &said);
    assert_unsaid(&said, "warped");
    oro_heightfield_free(&field);
}

/* ---- What is no ground ---- */

static double void_number;

static float with_voids(int x, int y)
{
    bool hole = x >= 10 && x < 13 && y >= 8 && y < 12, beyond = x < 3 && y < 4;
    return hole || beyond ? (float)void_number : north_high(x, y);
}

static void expect_voids(const char *name, struct oro_read_options options, const char *part)
{
    struct said said;
    struct oro_heightfield field = read_saying(name, options, &said);
    assert_true(field.sea && field.filled);
    assert_int_equal(field.account.none, 24);
    assert_int_equal(field.account.filled, 12);
    for (int i = 0; i < W * H; i++) {
        int x = i % W, y = i / W;
        assert_true((field.filled[i] > 0) == (x >= 10 && x < 13 && y >= 8 && y < 12));
        assert_true((field.sea[i] > 0) == (x < 3 && y < 4));
        if (field.filled[i] > 0)
            assert_true(fabsf(field.data[i] - north_high(x, y)) < 40);
    }
    if (part)
        assert_said(&said, part);
    else
        assert_unsaid(&said, "declare");
    assert_said(&said,
                "no height in 24 of 960 cells: 12 within its ground, interpolated; 12 at its border or "
                "beyond it, no ground");
    oro_heightfield_free(&field);
}

TEST(undeclared_voids)
{
    static const struct {
        const char *name, *driver;
        GDALDataType type;
        double number;
    } cases[] = {{"v.tif", NULL, GDT_Int16, -32768},    {"v.asc", "AAIGrid", GDT_Float32, -9999},
                 {"v.bil", "EHdr", GDT_Int16, -32767},  {"v.img", "HFA", GDT_Float32, -9999},
                 {"w.tif", NULL, GDT_Float32, -3.4e38}, {"u.tif", NULL, GDT_Float64, -99999}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        struct raster raster = placed();
        raster.driver = cases[k].driver;
        raster.type = cases[k].type;
        raster.z = with_voids;
        void_number = cases[k].number;
        make_raster(in_folder(cases[k].name), &raster);
        expect_voids(cases[k].name, (struct oro_read_options){0},
                     cases[k].number > -1e30 ? "does not declare" : NULL);
        raster.has_nodata = true;
        raster.nodata = cases[k].number > -1e30 ? cases[k].number : -1;
        make_raster(in_folder(cases[k].name), &raster);
        expect_voids(cases[k].name, (struct oro_read_options){0}, NULL);
    }
    void_number = -500; /* the user knows */
    struct raster raster = placed();
    raster.z = with_voids;
    make_raster(in_folder("mine.tif"), &raster);
    expect_voids("mine.tif", (struct oro_read_options){.has_nodata = true, .nodata = -500}, NULL);
}

TEST(voids_of_own_formats)
{
    static const char *const names[] = {"o.r32", "o.pfm", "o.exr"};
    struct oro_heightfield field = make_field(W, H, NULL);
    for (size_t k = 0; k < 3; k++) {
        void_number = -9999;
        for (int i = 0; i < W * H; i++)
            field.data[i] = with_voids(i % W, i / W);
        write_field(in_folder(names[k]), &field, NULL);
        expect_voids(names[k], (struct oro_read_options){0}, "24 of 960");
    }
    oro_heightfield_free(&field);
}

/* Where cells are averaged, or warped, no void goes into a height. */
TEST(voids_do_not_mix)
{
    for (int k = 0; k < 4; k++) {
        struct oro_read_options options = {.max_side = k & 1 ? W / 2 : 0};
        struct raster raster = placed();
        raster.type = GDT_Int16;
        raster.z = with_voids;
        void_number = -32768;
        if (k & 2) {
            raster.epsg = 4326;
            memcpy(raster.transform, (double[6]){8.1, 0.0003, 0, 46.5, 0, -0.0003}, sizeof raster.transform);
        }
        make_raster(in_folder("mix.tif"), &raster);
        struct oro_heightfield field = read_field(in_folder("mix.tif"), &options);
        struct oro_measure measure;
        oro_measure_values(&field, &measure);
        if (measure.low < 190 || measure.high > 1030)
            fail_msg("case %d: %g..%g m", k, measure.low, measure.high);
        assert_non_null(field.sea);
        oro_heightfield_free(&field);
    }
}

static void put_alpha(const char *name, GDALDataType type, bool declared, int epsg)
{
    struct raster raster = placed();
    need_gdal();
    GDALDatasetH set = GDALCreate(GDALGetDriverByName("MEM"), "", W, H, 2, type, NULL);
    tag_raster(set, &raster);
    set_crs(set, epsg);
    raster.z = with_voids;
    void_number = 0;
    fill_raster(set, &raster);
    float alpha[W * H];
    for (int i = 0; i < W * H; i++)
        alpha[i] = with_voids(i % W, i / W) == 0 ? 0 : 255;
    GDALRasterBandH band = GDALGetRasterBand(set, 2);
    assert_int_equal(GDALRasterIO(band, GF_Write, 0, 0, W, H, alpha, W, H, GDT_Float32, 0, 0), CE_None);
    GDALSetRasterColorInterpretation(band, declared ? GCI_AlphaBand : GCI_Undefined);
    char *options[] = {declared ? "ALPHA=YES" : "ALPHA=NO", NULL};
    GDALDatasetH copy =
        GDALCreateCopy(GDALGetDriverByName("GTiff"), in_folder(name), set, FALSE, options, NULL, NULL);
    assert_non_null(copy);
    GDALClose(copy);
    GDALClose(set);
}

TEST(alpha_bands)
{
    static const GDALDataType types[] = {GDT_Float32, GDT_Int16, GDT_UInt16};
    for (int k = 0; k < 3; k++) {
        put_alpha("alpha.tif", types[k], true, 32632);
        expect_voids("alpha.tif", (struct oro_read_options){0}, NULL);
    }
    put_alpha("two.tif", GDT_Float32, false, 32632);
    expect_refused(in_folder("two.tif"), NULL, ORO_E_FILE, "-mask 2");
}

/* ---- What lies beside ---- */

TEST(aux_files)
{
    static const char system[] =
        "<PAMDataset><SRS>EPSG:32632</SRS><GeoTransform>500000, 30, 0, 5200000, 0, -30</GeoTransform>"
        "<PAMRasterBand band=\"1\"><NoDataValue>-77</NoDataValue><UnitType>ft</UnitType></PAMRasterBand>"
        "</PAMDataset>";
    static const char *const drivers[] = {"GTiff", "GSBG", "EHdr"};
    static const char *const names[] = {"x.tif", "x.grd", "x.bil"};
    for (int k = 0; k < 3; k++) {
        struct raster raster = placed();
        char name[64];
        raster.driver = drivers[k];
        raster.epsg = 0;
        raster.z = with_voids;
        void_number = -77;
        if (k == 0)
            memset(raster.transform, 0, sizeof raster.transform);
        make_raster(in_folder(names[k]), &raster);
        snprintf(name, sizeof name, "%s.aux.xml", names[k]);
        put_text(in_folder(name), system);
        size_t before = files_in_folder();
        struct oro_heightfield field = read_field(in_folder(names[k]), NULL);
        assert_string_equal(field.place.crs, "EPSG:32632");
        assert_true(field.cell == 30 && field.place.north == 5200000);
        assert_int_equal(field.account.none, k == 1 ? 0 : 24); /* Surfer has a number of its own */
        assert_true(fabsf(field.data[W - 1] - north_high(W - 1, 0) * 0.3048f) < 1e-3f);
        assert_int_equal(files_in_folder(), before);
        oro_heightfield_free(&field);
        remove(in_folder(name));
    }
}

TEST(aux_files_lead_nowhere)
{
    struct raster raster = placed();
    make_raster(in_folder("lead.tif"), &raster);
    put_text(
        in_folder("lead.tif.aux.xml"),
        "<PAMDataset><Metadata domain=\"OVERVIEWS\"><MDI key=\"OVERVIEW_FILE\">/etc/passwd</MDI></Metadata>"
        "</PAMDataset>");
    expect_refused(in_folder("lead.tif"), NULL, ORO_E_FILE, "outside its own folder");
    put_text(
        in_folder("lead.tif.aux.xml"),
        "<PAMDataset><Metadata domain=\"GEOLOCATION\"><MDI key=\"X_DATASET\">/etc/passwd</MDI></Metadata>"
        "</PAMDataset>");
    expect_refused(in_folder("lead.tif"), NULL, ORO_E_FILE, "outside its own folder");
}

/* ---- Units ---- */

TEST(feet_by_any_name)
{
    static const struct {
        const char *name;
        double metres;
    } units[] = {{"ft", 0.3048},
                 {"FEET", 0.3048},
                 {"Foot_International", 0.3048},
                 {"foot (International)", 0.3048},
                 {"us-ft", 1200.0 / 3937},
                 {"US Survey Feet", 1200.0 / 3937},
                 {"Foot_US", 1200.0 / 3937},
                 {"U.S. survey foot", 1200.0 / 3937},
                 {"feet (NAVD88)", 0.3048},
                 {"m above EGM96", 1},
                 {"Metres", 1},
                 {"km", 1000},
                 {"yards", 0.9144}};
    for (size_t k = 0; k < sizeof units / sizeof units[0]; k++) {
        struct raster raster = placed();
        raster.unit = units[k].name;
        make_raster(in_folder("unit.tif"), &raster);
        struct oro_heightfield field = read_field(in_folder("unit.tif"), NULL);
        if (fabs((double)field.data[0] / 900 / units[k].metres - 1) > 1e-6)
            fail_msg("'%s': %g", units[k].name, (double)field.data[0]);
        oro_heightfield_free(&field);
    }
}

TEST(unknown_units)
{
    static const char *const names[] = {"fathom", "dBZ", "hPa", "degrees C", "m2"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        struct raster raster = placed();
        raster.unit = names[k];
        make_raster(in_folder("unit.tif"), &raster);
        expect_refused(in_folder("unit.tif"), NULL, ORO_E_FILE, "--unit");
        expect_refused(in_folder("unit.tif"), NULL, ORO_E_FILE, names[k]);
        struct oro_heightfield field =
            read_field(in_folder("unit.tif"), &(struct oro_read_options){.unit = "1.8288"});
        assert_true(fabs((double)field.data[0] - 900 * 1.8288) < 1e-3);
        oro_heightfield_free(&field);
    }
    expect_refused(in_folder("unit.tif"), &(struct oro_read_options){.unit = "cubit"}, ORO_E_USAGE, "cubit");
}

/* ---- Doubts ---- */

TEST(heights_of_no_place)
{
    static const double offsets[] = {-13000, 9500, 60000};
    struct said said;
    for (int k = 0; k < 3; k++) {
        struct raster raster = placed();
        raster.scale = 1;
        raster.offset = offsets[k];
        make_raster(in_folder("high.tif"), &raster);
        struct oro_heightfield field = read_saying("high.tif", (struct oro_read_options){0}, &said);
        assert_said(&said, "warning: 'high.tif' has heights of no place on Earth");
        oro_heightfield_free(&field);
        field = read_saying("high.tif", (struct oro_read_options){.unit = "m"}, &said);
        assert_unsaid(&said, "no place");
        oro_heightfield_free(&field);
        field = read_saying("high.tif", (struct oro_read_options){.not_heights = true}, &said);
        assert_string_equal(said.text, "");
        oro_heightfield_free(&field);
    }
}

TEST(the_other_byte_order)
{
    static const char *const names[] = {"b.r16", "b.raw", "b.r32"};
    struct said said;
    struct oro_heightfield field = make_hills(32, 32);
    for (int k = 0; k < 6; k++) {
        bool big = k & 1;
        struct oro_write_options write = {.big_endian = big, .has_range = true, .high = 1000};
        write_field(in_folder(names[k / 2]), &field, &write);
        char sidecar[64];
        snprintf(sidecar, sizeof sidecar, "%s.json", names[k / 2]);
        remove(in_folder(sidecar));
        struct oro_read_options read = {.has_range = k < 4, .high = 1000, .big_endian = big};
        struct oro_heightfield again = read_saying(names[k / 2], read, &said);
        assert_unsaid(&said, "smoother");
        oro_heightfield_free(&again);
        read.big_endian = !big;
        again = read_saying(names[k / 2], read, &said);
        assert_said(&said, "times smoother with the bytes of its numbers in the other order");
        assert_said(&said, big ? "big_endian (convert" : "leave out big_endian");
        oro_heightfield_free(&again);
    }
    oro_heightfield_free(&field);
}

/* ---- Where it is told ---- */

TEST(assumptions_are_one_line)
{
    struct said said;
    struct oro_heightfield field = make_hills(16, 16);
    need_gdal();
    write_field(in_folder("all.r32"), &field, NULL);
    struct oro_heightfield again = read_saying("all.r32", (struct oro_read_options){0}, &said);
    assert_string_equal(said.text, ""); /* the sidecar tells everything */
    oro_heightfield_free(&again);
    remove(in_folder("all.r32.json"));
    again = read_saying("all.r32", (struct oro_read_options){0}, &said);
    assert_string_equal(said.text, "'all.r32': assumed, not told: 16 x 16 cells, little-endian numbers, the "
                                   "first row in the north, heights in metres, cells of unknown size\n");
    oro_heightfield_free(&again);
    field.cell = 30;
    write_field(in_folder("own.tif"), &field, NULL);
    again = read_saying("own.tif", (struct oro_read_options){0}, &said);
    assert_string_equal(said.text, "");
    oro_heightfield_free(&again);
    remove(in_folder("own.tif.json"));
    again = read_saying("own.tif", (struct oro_read_options){.fit_width = 8, .fit_height = 8}, &said);
    assert_true(again.cell == 60);
    assert_string_equal(said.text,
                        "'own.tif': assumed, not told: cells of 30 m on the ground, which a world from "
                        "this file has, too\n");
    oro_heightfield_free(&again);
    oro_heightfield_free(&field);
}

TEST(sidecars_tell_the_same_words)
{
    size_t size;
    struct said said;
    struct raster raster = placed();
    raster.type = GDT_Int16;
    raster.z = with_voids;
    void_number = -32768;
    make_raster(in_folder("from.tif"), &raster);
    struct oro_heightfield field = read_saying("from.tif", (struct oro_read_options){0}, &said);
    write_field(in_folder("to.png"), &field, NULL);
    unsigned char *bytes = get_file(in_folder("to.png.json"), &size);
    char *text = oro_alloc(size + 1, 1);
    memcpy(text, bytes, size);
    char *rest = said.text;
    for (char *line = strtok_r(rest, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        if (!strstr(text, strncmp(line, "warning: ", 9) == 0 ? line + 9 : line))
            fail_msg("'%s' is missing in %s", line, text);
    assert_non_null(strstr(text, "\"file\": \"from.tif\""));
    assert_non_null(strstr(text, "\"assumed\": [\"unit\"]"));
    oro_free(text);
    oro_free(bytes);
    oro_heightfield_free(&field);
}

/* ---- On the way out ---- */

TEST(voids_are_kept_where_a_format_can)
{
    static const char *const names[] = {"k.tif", "k.asc", "k.zarr", "k.png", "l.tif"};
    struct raster raster = placed();
    raster.z = with_voids;
    raster.has_nodata = true;
    raster.nodata = void_number = -9999;
    make_raster(in_folder("kept.tif"), &raster);
    struct oro_heightfield field = read_field(in_folder("kept.tif"), NULL);
    for (int k = 0; k < 5; k++) {
        struct oro_write_options options = {.keeps_none = true, .cog = k == 4};
        write_field(in_folder(names[k]), &field, &options);
        struct oro_heightfield again = read_field(in_folder(names[k]), NULL);
        for (int i = 0; i < W * H && k != 3; i++)
            assert_true(again.sea && (again.sea[i] > 0) == (field.sea[i] > 0));
        assert_true(k != 3 || !again.sea);
        assert_int_equal(again.account.undeclared, 0);
        oro_heightfield_free(&again);
    }
    oro_heightfield_free(&field);
}

#else

TEST(nothing_without_gdal)
{
}

#endif

TEST_GROUP(folder_setup, folder_teardown);
