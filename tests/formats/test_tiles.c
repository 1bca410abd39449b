/* Tiles: cut and rejoined without a bit lost, all or none; manifests that are wrong. */
#include "support.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <unistd.h>

#include "base/memory.h"
#include "formats/nodata.h"

static const struct oro_tiling five = {.side = 5, .overlap = 1};

static void expect_rejoined(const char *extension, bool sixteen)
{
    char whole[32], tiled[32], manifest[32] = "t.tiles.json";
    snprintf(whole, sizeof whole, "w.%s", extension);
    snprintf(tiled, sizeof tiled, "t.%s", extension);
    struct oro_heightfield field = make_hills(13, 9);
    struct oro_written written = {0};
    struct oro_write_options options = {.tiling = &five, .bits = sixteen ? 16 : 0, .written = &written};
    field.cell = 10;
    field.metres = true;
    field.place = (struct oro_place){oro_copy_text("EPSG:32632"), 400000, 5000000};
    write_field(in_folder(tiled), &field, &options);
    assert_int_equal(written.tiles, 6);
    assert_false(file_exists(in_folder(tiled)));
    options.tiling = NULL;
    write_field(in_folder(whole), &field, &options);
    struct oro_heightfield a = read_field(in_folder(whole), NULL), b = read_field(in_folder(manifest), NULL);
    assert_int_equal(b.width, 13);
    assert_memory_equal(a.data, b.data, 13 * 9 * sizeof(float));
    assert_true(b.metres && b.cell == 10 && b.place.west == 400000);
    char tile[32];
    snprintf(tile, sizeof tile, "t_x2_y1.%s", extension);
    struct oro_heightfield corner = read_field(in_folder(tile), NULL);
    assert_true(corner.place.west == 400080 && corner.place.north == 4999960);
    for (int y = 0; y < 5; y++)
        assert_memory_equal(corner.data + y * 5, a.data + (4 + y) * 13 + 8, 5 * sizeof(float));
    oro_heightfield_free(&corner);
    oro_heightfield_free(&a);
    oro_heightfield_free(&b);
    oro_heightfield_free(&field);
}

/* The level of the sea is the whole's: a tile by itself would take a lake on its border for the sea. */
static void expect_sea(const char *extension)
{
    char whole[32], tiled[32], tile[32];
    snprintf(whole, sizeof whole, "s.%s", extension);
    snprintf(tiled, sizeof tiled, "u.%s", extension);
    snprintf(tile, sizeof tile, "u_x1_y0.%s", extension);
    struct oro_heightfield field = make_hills(13, 9);
    for (int i = 0; i < 13 * 9; i++)
        field.data[i] = (float)(i % 13) * 10;
    field.data[4 * 13 + 8] = -5; /* a lake in the corner of four tiles */
    field.metres = true;
    assert_true(oro_heightfield_mark_sea(&field, 20, NULL));
    struct oro_write_options options = {.tiling = &five};
    write_field(in_folder(tiled), &field, &options);
    write_field(in_folder(whole), &field, NULL);
    const char *const files[] = {whole, "u.tiles.json"};
    for (int k = 0; k < 2; k++) {
        struct oro_heightfield read = read_field(in_folder(files[k]), NULL);
        assert_non_null(read.sea);
        assert_memory_equal(read.sea, field.sea, 13 * 9 * sizeof(float));
        assert_true(read.has_sea_level && read.sea_level == 20);
        oro_heightfield_free(&read);
        read = read_field(in_folder(files[k]), &(struct oro_read_options){.no_sea = true});
        assert_null(read.sea);
        oro_heightfield_free(&read);
    }
    struct oro_heightfield alone = read_field(in_folder(tile), NULL);
    assert_null(alone.sea);
    oro_heightfield_free(&alone);
    oro_heightfield_free(&field);
}

TEST(the_sea_of_the_whole)
{
    expect_sea("png");
    expect_sea("pfm");
    expect_sea("exr");
#ifdef OROGRAPH_GDAL
    expect_sea("tif");
#endif
}

TEST(rejoined_to_the_bit)
{
    expect_rejoined("png", false);
    expect_rejoined("r16", false);
    expect_rejoined("r32", false);
    expect_rejoined("pfm", false);
    expect_rejoined("exr", false);
}

#ifdef OROGRAPH_GDAL
TEST(rejoined_geotiff)
{
    expect_rejoined("tif", false);
    expect_rejoined("tif", true);
}
#endif

static void refused(const struct oro_tiling *tiling, const char *file, const char *part)
{
    struct oro_heightfield field = make_hills(13, 9);
    struct oro_write_options options = {.tiling = tiling};
    struct oro_error err = {0};
    assert_false(oro_heightfield_write(in_folder(file), &field, &options, &err));
    assert_int_equal(err.code, ORO_E_USAGE);
    if (!strstr(err.text, part))
        fail_msg("'%s' does not say '%s'", err.text, part);
    oro_heightfield_free(&field);
}

TEST(tiles_that_make_no_sense)
{
    size_t before = files_in_folder();
    refused(&(struct oro_tiling){.side = 6, .overlap = 1}, "n.png",
            "widths of 11 or 16 and heights of 6 or 11 can");
    refused(&(struct oro_tiling){.side = 20, .overlap = 1}, "n.png", "widths of 20 and heights of 20");
    refused(&(struct oro_tiling){.side = 5, .overlap = 5}, "n.png", "share 0 to 4");
    refused(&(struct oro_tiling){.side = 5, .overlap = 1, .name = "{n}_{x}"}, "n.png", "{x} and {y}");
    refused(&(struct oro_tiling){.side = 5, .overlap = 1, .name = "{n}{x}{y}"}, "n.png", "apart");
    refused(&(struct oro_tiling){.side = 5, .overlap = 1, .name = "../{x}_{y}"}, "n.png", "folder");
    refused(&five, "n.ter", "steps");
    assert_int_equal(files_in_folder(), before);
}

/* The manifest is the largest file: all tiles are on the disk by then, and must go again. */
TEST(a_disk_that_fills_leaves_nothing)
{
    struct oro_heightfield field = make_hills(13, 9);
    struct oro_write_options options = {.tiling = &five};
    struct oro_error err = {0};
    size_t before = files_in_folder();
    signal(SIGXFSZ, SIG_IGN);
    static const rlim_t limits[] = {60, 700};
    for (size_t i = 0; i < 2; i++) {
        limit_files(limits[i]);
        bool ok = oro_heightfield_write(in_folder("full.r32"), &field, &options, &err);
        limit_files(RLIM_INFINITY);
        assert_false(ok);
        assert_int_equal(err.code, ORO_E_WRITE);
        assert_int_equal(files_in_folder(), before);
    }
    oro_heightfield_free(&field);
}

TEST(no_memory)
{
    struct oro_heightfield field = make_hills(13, 9);
    write_field(in_folder("memory.r32"), &field, &(struct oro_write_options){.tiling = &five});
    for (size_t n = 1; n < 40; n++) {
        struct oro_heightfield again = {0};
        struct oro_error err = {0};
        oro_memory_fail_at(n);
        bool ok = oro_heightfield_read(in_folder("memory.tiles.json"), NULL, &again, &err);
        oro_memory_fail_at(0);
        assert_true(ok || err.code == ORO_E_MEMORY || err.code == ORO_E_FILE);
        oro_heightfield_free(&again);
    }
    oro_heightfield_free(&field);
}

#define HEAD "{\"width\": 4, \"height\": 2, "
#define TILES(files) "\"tiles\": {\"side\": 2, \"overlap\": 0, \"files\": [" files "]}}"
#define TILE(name, column) "{\"file\": \"" name "\", \"column\": " column ", \"row\": 0}"

TEST(manifests_that_are_wrong)
{
    static const struct {
        const char *text, *part;
    } cases[] = {
        {"{", "no manifest of tiles: line 1"},
        {"[]", "lists no tiles"},
        {HEAD "\"low\": 0}", "lists no tiles"},
        {"{" TILES(""), "width"},
        {HEAD TILES(TILE("a.r32", "0")), "lists 1 tiles, and its size needs 2"},
        {HEAD TILES(TILE("a.r32", "0") ", " TILE("b.r32", "0")), "tile 2, 'b.r32', does not lie at column 2"},
        {HEAD TILES(TILE("../a.r32", "0") ", " TILE("b.r32", "2")), "tile 1 names no file"},
        {HEAD TILES(TILE("m.json", "0") ", " TILE("b.r32", "2")), "tile 1 names no file"},
        {HEAD TILES(TILE("gone.r32", "0") ", " TILE("b.r32", "2")), "gone.r32"},
        {"{\"width\": 200000, \"height\": 2, " TILES(""), "width"},
        {"{\"width\": 5, \"height\": 2, " TILES(""), "cannot be cut"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        put_text(in_folder("m.json"), cases[i].text);
        expect_refused(in_folder("m.json"), NULL, ORO_E_FILE, cases[i].part);
    }
    put_file(in_folder("a.r32"), "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
    put_file(in_folder("b.r32"), "\0\0\0\0\0\0\0\0", 8);
    put_text(in_folder("m.json"), HEAD TILES(TILE("a.r32", "0") ", " TILE("b.r32", "2")));
    expect_refused(in_folder("m.json"), NULL, ORO_E_FILE, "b.r32");
}

TEST(pictures_in_tiles)
{
    float rgba[9 * 9 * 4] = {0};
    struct oro_error err = {0};
    assert_true(oro_image_write_tiles(in_folder("p.png"), &five, 9, 9, rgba, &err));
    assert_true(file_exists(in_folder("p_x1_y1.png")) && file_exists(in_folder("p.tiles.json")));
    assert_false(oro_image_write_tiles(in_folder("q.png"), &five, 8, 9, rgba, &err));
    assert_int_equal(err.code, ORO_E_USAGE);
}

TEST_GROUP(folder_setup, folder_teardown);
