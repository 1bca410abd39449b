/* Small files that unfold to large ones, and little memory: an error with its place or the result, soon, and
 * never more than was allowed. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "tests/cli/support.h"
#include "tests/support/test.h"

TEST_GROUP(make_folder, remove_folder);

/* A PNG of 1 bit with the same rows throughout: 128 KiB for 32768 x 32768 cells. */
static void write_png(const char *name, int side, int interlace)
{
    unsigned char *row = calloc((size_t)side / 8 + 1, 1);
    FILE *file = fopen(name, "wb");
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    assert_non_null(row);
    assert_non_null(file);
    memset(row, 0xf0, (size_t)side / 8);
    png_init_io(png, file);
    png_set_IHDR(png, info, (png_uint_32)side, (png_uint_32)side, 1, PNG_COLOR_TYPE_GRAY, interlace,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (int pass = png_set_interlace_handling(png); pass > 0; pass--)
        for (int y = 0; y < side; y++)
            png_write_row(png, row);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    fclose(file);
    free(row);
}

/* A TIFF of 16 bit, all in one strip of LZW, which has 6000 bytes of no sense. */
static void write_strip(const char *name, uint32_t side)
{
    enum { TAGS = 9, STRIP = 6000, HEAD_BYTES = 8 + 2 + TAGS * 12 + 4 };
    static unsigned char bytes[HEAD_BYTES + STRIP];
    static const unsigned char head[] = {'I', 'I', 42, 0, 8, 0, 0, 0, TAGS, 0};
    const uint32_t tags[TAGS][3] = {{256, 4, side}, {257, 4, side}, {258, 3, 16},
                                    {259, 3, 5},    {262, 3, 1},    {273, 4, HEAD_BYTES},
                                    {277, 3, 1},    {278, 4, side}, {279, 4, STRIP}};
    memset(bytes, 0xff, sizeof bytes);
    memcpy(bytes, head, sizeof head);
    for (int i = 0; i < TAGS; i++) {
        const uint16_t tag[2] = {(uint16_t)tags[i][0], (uint16_t)tags[i][1]};
        const uint32_t value[2] = {1, tags[i][2]};
        memcpy(bytes + 10 + i * 12, tag, sizeof tag);
        memcpy(bytes + 14 + i * 12, value, sizeof value);
    }
    memset(bytes + HEAD_BYTES - 4, 0, 4);
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, sizeof bytes, file), sizeof bytes);
    fclose(file);
}

static void write_objects(const char *name, int number)
{
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    fputs("{\"type\": \"FeatureCollection\", \"features\": [{}", file);
    for (int i = 1; i < number; i++)
        fputs(",{}", file);
    fputs("]}", file);
    fclose(file);
}

static void write_import(const char *name, const char *file)
{
    char text[1024];
    snprintf(text, sizeof text,
             HEAD "<world resolution=\"64\"/>\n<interface><out name=\"t\" from=\"a.terrain\"/></interface>\n"
                  "<node id=\"a\" type=\"import\"><in name=\"file\" value=\"%s\"/>"
                  "<in name=\"high\" value=\"100\"/></node>\n" TAIL,
             file);
    write_file(name, text);
}

enum { BYTES_MAX = 512 * 1024 };      /* kilobytes */
static const double seconds_max = 20; /* of a busy machine; measured: 3 */

static void took_little(void)
{
    if (!SANITIZED)
        assert_in_range(kilobytes, 1, BYTES_MAX);
    assert_true(SANITIZED || seconds < seconds_max);
}

TEST(a_large_raster_in_a_small_graph)
{
    if (SANITIZED)
        skip();
    write_png("bomb.png", 32768, PNG_INTERLACE_NONE);
    write_import("bomb.oro", "bomb.png");
    expect(DONE, "$OROGRAPH render bomb.oro -o out.r32 --no-cache --memory 256 --device processor");
    took_little();
    size_t length = 0;
    float *cells = read_floats("out.r32", &length);
    assert_int_equal(length, 64 * 64);
    assert_true(cells[0] == 50 && cells[64 * 64 - 1] == 50);
    free(cells);
    expect(FAILED, "$OROGRAPH render bomb.oro -o out.r32 --no-cache --device processor");
    says("bomb.oro:5: node 'a': 'bomb.png' has only 1");
    expect(FAILED, "$OROGRAPH measure bomb.png");
    says("with --memory it is read all the same");
    expect(FAILED, "$OROGRAPH measure bomb.png --memory 256");
    says("32768x32768 cells of 'bomb.png'");
    says("--memory");
    took_little();
    expect(FAILED, "$OROGRAPH measure bomb.png --against bomb.png --memory 256");
    took_little();
    expect(FAILED, "$OROGRAPH convert bomb.png out.tif --memory 256");
    says("32768x32768 cells of 'bomb.png'");
    took_little();
}

/* What the sizes of other bombs are: fewer cells, more bytes for each, and strips of a TIFF, which libtiff
 * makes room for before it looks for their bytes. */
TEST(bombs_of_other_kinds)
{
    if (SANITIZED)
        skip();
    write_png("few.png", 8192, PNG_INTERLACE_NONE);
    expect(FAILED, "$OROGRAPH measure few.png");
    says("has only 23 KiB for its 8192x8192 cells");
    took_little();
    write_strip("strip.tif", 30000);
    write_import("strip.oro", "strip.tif");
    expect(FAILED, "$OROGRAPH measure strip.tif");
    says("'strip.tif' has only 5 KiB for its 30000x30000 cells");
    took_little();
    expect(FAILED, "$OROGRAPH render strip.oro -o out.r32 --no-cache --device processor");
    says("strip.oro:5: node 'a': ");
    took_little();
}

TEST(an_interlaced_one_takes_the_whole)
{
    if (SANITIZED)
        skip();
    write_png("laced.png", 16384, PNG_INTERLACE_ADAM7);
    write_import("laced.oro", "laced.png");
    expect(FAILED, "$OROGRAPH render laced.oro -o out.r32 --no-cache --memory 200 --device processor");
    says("laced.oro:5: node 'a': ");
    says("256.0 MiB are wanted");
    took_little();
}

TEST(values_of_json_are_counted_before_they_are_read)
{
    write_objects("objects.geojson", 3000000);
    write_file(
        "objects.oro", HEAD
        "<world resolution=\"64\"/>\n<interface><out name=\"t\" from=\"b.field\"/></interface>\n"
        "<node id=\"a\" type=\"network_import\"><in name=\"file\" value=\"objects.geojson\"/></node>\n"
        "<node id=\"b\" type=\"network_rasterize\"><in name=\"network\" from=\"a.network\"/></node>\n" TAIL);
    expect(FAILED, "$OROGRAPH render objects.oro -o out.r32 --no-cache --device processor");
    says("objects.oro:5: node 'a': 'objects.geojson' has too many values");
    took_little();
    write_objects("objects.geojson", 300000);
    expect(FAILED, "$OROGRAPH render objects.oro -o out.r32 --no-cache --memory 40 --device processor");
    says("'objects.geojson' takes about");
    says("--memory");
}

TEST(little_address_space_is_told_and_no_crash)
{
    if (SANITIZED)
        skip();
    write_png("large.png", 16384, PNG_INTERLACE_NONE);
    write_import("small.oro", "large.png");
    expect(DONE, "ulimit -v 600000; $OROGRAPH render small.oro -o out.r32 --no-cache --device processor");
    expect(FAILED, "ulimit -v 600000; $OROGRAPH measure large.png --memory 256");
    says("--memory");
    expect(FAILED, "ulimit -v 600000; $OROGRAPH measure large.png");
    says("16384x16384 cells");
    expect(FAILED, "ulimit -v 600000; $OROGRAPH convert large.png out.r32");
    says("16384x16384 cells");
}

TEST(drivers_are_not_opened_in_little_address_space)
{
    if (SANITIZED)
        skip();
    write_png("tiny.png", 64, PNG_INTERLACE_NONE);
    write_import("tiny.oro", "tiny.png");
    expect(5, "ulimit -v 400000; $OROGRAPH render tiny.oro -o out.r32 --no-cache --device 0");
    says("(ulimit -v)");
    expect(5, "ulimit -v 600000; $OROGRAPH render tiny.oro -o out.r32 --no-cache --device 0");
    says("(ulimit -v)");
}

TEST(a_hundred_thousand_misspelt_types)
{
    FILE *file = fopen("wrong.oro", "wb");
    assert_non_null(file);
    fputs(HEAD "<world resolution=\"64\"/>\n", file);
    for (int i = 0; i < 99990; i++)
        fprintf(file, "<node id=\"n%d\" type=\"nois%d\"/>\n", i, i);
    fputs(TAIL, file);
    fclose(file);
    expect(INVALID, "$OROGRAPH check wrong.oro");
    says(
        "wrong.oro:4: error [unknown-type]: node 'n0': there is no node type 'nois0'; did you mean 'noise'?");
    says("wrong.oro: and 9000 more problems");
    assert_int_equal(count("\n"), 1002);
    took_little();
    assert_true(SANITIZED || seconds < 5); /* measured: 0.4; before, 3.6 to 8 */
}
