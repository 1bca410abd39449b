/* PNG: every kind that is read, and everything that must be refused without harm. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <sys/stat.h>

#include <png.h>

#include "base/memory.h"

static void put_big(unsigned char *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(value >> (24 - 8 * i));
}

/* Signature and header chunk alone, with its check sum. */
static void put_head(const char *path, uint32_t width, uint32_t height, unsigned char bits,
                     unsigned char type)
{
    unsigned char head[33] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    put_big(head + 16, width);
    put_big(head + 20, height);
    head[24] = bits;
    head[25] = type;
    uint32_t crc = 0xffffffff;
    for (int i = 12; i < 29; i++) {
        crc ^= head[i];
        for (int k = 0; k < 8; k++)
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
    }
    put_big(head + 29, ~crc);
    put_file(path, head, sizeof head);
}

/* Reads with the range 0..largest, so that values are levels. */
static void expect_levels(const char *path, double largest, int count, const float *expected)
{
    struct oro_read_options options = {.has_range = true, .high = largest};
    struct oro_heightfield field = read_field(path, &options);
    assert_true(field.metres);
    assert_int_equal(field.width * field.height, count);
    for (int i = 0; i < count; i++)
        assert_true(field.data[i] == expected[i]);
    oro_heightfield_free(&field);
}

TEST(grey)
{
    const char *path = in_folder("grey.png");
    put_png(path, 2, 2, 8, PNG_COLOR_TYPE_GRAY, false, (const unsigned char[]){0, 1, 200, 255});
    expect_levels(path, 255, 4, (float[]){0, 1, 200, 255});
    put_png(path, 2, 1, 16, PNG_COLOR_TYPE_GRAY, false, (const unsigned char[]){0x12, 0x34, 0xff, 0xff});
    expect_levels(path, 65535, 2, (float[]){0x1234, 65535});
    put_png(path, 2, 1, 16, PNG_COLOR_TYPE_GRAY_ALPHA, false,
            (const unsigned char[]){0, 7, 0, 1, 1, 0, 9, 9});
    expect_levels(path, 65535, 2, (float[]){7, 256});
    put_png(path, 2, 1, 8, PNG_COLOR_TYPE_GRAY_ALPHA, false, (const unsigned char[]){3, 1, 4, 255});
    expect_levels(path, 255, 2, (float[]){3, 4});
}

TEST(few_bits)
{
    const char *path = in_folder("bits.png");
    put_png(path, 3, 1, 1, PNG_COLOR_TYPE_GRAY, false, (const unsigned char[]){0xa0});
    expect_levels(path, 1, 3, (float[]){1, 0, 1});
    put_png(path, 4, 1, 2, PNG_COLOR_TYPE_GRAY, false, (const unsigned char[]){0x1b});
    expect_levels(path, 3, 4, (float[]){0, 1, 2, 3});
    put_png(path, 3, 1, 4, PNG_COLOR_TYPE_GRAY, false, (const unsigned char[]){0x0f, 0x50});
    expect_levels(path, 15, 3, (float[]){0, 15, 5});
}

/* Greys are levels, however they are stored. */
TEST(grey_as_colours)
{
    const char *path = in_folder("colour.png");
    put_png(path, 2, 1, 8, PNG_COLOR_TYPE_RGB, false, (const unsigned char[]){9, 9, 9, 3, 3, 3});
    expect_levels(path, 255, 2, (float[]){9, 3});
    put_png(path, 2, 1, 8, PNG_COLOR_TYPE_RGBA, false, (const unsigned char[]){9, 9, 9, 8, 60, 60, 60, 255});
    expect_levels(path, 255, 2, (float[]){9, 60});
    put_png(path, 1, 1, 16, PNG_COLOR_TYPE_RGB, false, (const unsigned char[]){2, 7, 2, 7, 2, 7});
    expect_levels(path, 65535, 1, (float[]){519});
    put_png(path, 1, 1, 16, PNG_COLOR_TYPE_RGBA, false, (const unsigned char[]){2, 0, 2, 0, 2, 0, 0, 1});
    expect_levels(path, 65535, 1, (float[]){512});
    put_png(path, 3, 1, 8, PNG_COLOR_TYPE_PALETTE, false, (const unsigned char[]){0, 17, 255});
    expect_levels(path, 255, 3, (float[]){0, 17, 255});
    put_png(path, 2, 1, 4, PNG_COLOR_TYPE_PALETTE, false, (const unsigned char[]){0x3e});
    expect_levels(path, 255, 2, (float[]){3, 14});
}

/* What is fully transparent has no height; what is nearly so has. */
TEST(transparent_cells)
{
    static const int types[] = {PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGBA};
    for (int k = 0; k < 4; k++) {
        unsigned char rows[25 * 8];
        size_t bytes = k & 1 ? 2 : 1, pixel = (k & 2 ? 4 : 2) * bytes;
        for (size_t i = 0; i < 25; i++) {
            memset(rows + i * pixel, 80, pixel);
            if (i == 12)
                memset(rows + (i + 1) * pixel - bytes, 0, bytes);
            if (i == 7)
                memset(rows + (i + 1) * pixel - bytes, 1, bytes);
        }
        put_png(in_folder("clear.png"), 5, 5, (int)(8 * bytes), types[k / 2], false, rows);
        struct oro_heightfield field = read_field(in_folder("clear.png"), NULL);
        assert_non_null(field.filled);
        for (int i = 0; i < 25; i++)
            assert_true((field.filled[i] == 1) == (i == 12));
        assert_true(field.account.none == 1 && field.account.filled == 1 && field.account.cells == 25);
        oro_heightfield_free(&field);
    }
}

/* Two pixels of the colours R, G, B and 7, 7, 7 behind a palette. */
static void put_palette(const char *path, unsigned char r, unsigned char g, unsigned char b)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = 2,
                       .height = 1,
                       .format = PNG_FORMAT_RGB_COLORMAP,
                       .colormap_entries = 2};
    const unsigned char map[] = {7, 7, 7, r, g, b};
    assert_true(png_image_write_to_file(&image, path, 0, (const unsigned char[]){1, 0}, 0, map));
}

static void expect_decoded(const char *path, enum oro_decode decode, int count, const float *expected)
{
    struct oro_read_options options = {.decode = decode, .has_range = true, .high = 255};
    struct oro_heightfield field = read_field(path, &options);
    assert_int_equal(field.account.unit, decode == ORO_DECODE_LUMINANCE ? ORO_UNTOLD : ORO_GIVEN);
    assert_true(field.metres);
    assert_int_equal(field.width * field.height, count);
    for (int i = 0; i < count; i++)
        assert_true(fabsf(field.data[i] - expected[i]) <= 1e-4f * fabsf(expected[i]));
    oro_heightfield_free(&field);
}

TEST(colours_are_no_heights)
{
    const char *path = in_folder("colour.png");
    put_png(path, 2, 1, 8, PNG_COLOR_TYPE_RGB, false, (const unsigned char[]){9, 9, 9, 0, 3, 6});
    expect_refused(path, NULL, ORO_E_FILE, "cell 1,0 is 0, 3, 6");
    expect_refused(path, NULL, ORO_E_FILE, "--decode terrarium or terrain-rgb");
    expect_refused(path, NULL, ORO_E_FILE, "--decode luminance");
    put_png(path, 1, 2, 8, PNG_COLOR_TYPE_RGBA, false, (const unsigned char[]){9, 9, 9, 0, 30, 30, 31, 255});
    expect_refused(path, NULL, ORO_E_FILE, "cell 0,1 is 30, 30, 31");
    put_png(path, 1, 1, 16, PNG_COLOR_TYPE_RGB, false, (const unsigned char[]){1, 0, 1, 0, 1, 9});
    expect_refused(path, NULL, ORO_E_FILE, "cell 0,0 is 256, 256, 265");
    put_png(path, 1, 1, 8, PNG_COLOR_TYPE_RGB, true, (const unsigned char[]){4, 0, 0});
    expect_refused(path, NULL, ORO_E_FILE, "cell 0,0 is 4, 0, 0");
    put_palette(path, 1, 2, 3);
    expect_refused(path, NULL, ORO_E_FILE, "cell 0,0 is 1, 2, 3");
}

TEST(colours_are_decoded)
{
    const char *path = in_folder("colour.png");
    put_png(path, 3, 1, 8, PNG_COLOR_TYPE_RGB, false,
            (const unsigned char[]){128, 0, 0, 131, 196, 64, 127, 255, 128});
    expect_decoded(path, ORO_DECODE_TERRARIUM, 3, (float[]){0, 964.25f, -0.5f});
    put_png(path, 2, 1, 8, PNG_COLOR_TYPE_RGBA, false,
            (const unsigned char[]){1, 134, 160, 255, 2, 99, 85, 255});
    expect_decoded(path, ORO_DECODE_TERRAIN_RGB, 2, (float[]){0, 5650.1f});
    put_palette(path, 128, 1, 128);
    expect_decoded(path, ORO_DECODE_TERRARIUM, 2, (float[]){1.5f, 1799 - 32768 + 7 / 256.0f});
    put_png(path, 2, 1, 8, PNG_COLOR_TYPE_RGB, false, (const unsigned char[]){9, 9, 9, 100, 200, 50});
    expect_decoded(path, ORO_DECODE_LUMINANCE, 2, (float[]){9, 167.91f});
    put_png(path, 1, 1, 8, PNG_COLOR_TYPE_GRAY, false, (const unsigned char[]){9});
    expect_decoded(path, ORO_DECODE_LUMINANCE, 1, (float[]){9});
}

TEST(not_decoded)
{
    const char *path = in_folder("colour.png");
    struct oro_read_options options = {.decode = ORO_DECODE_TERRARIUM};
    put_png(path, 1, 1, 8, PNG_COLOR_TYPE_GRAY, false, (const unsigned char[]){9});
    expect_refused(path, &options, ORO_E_FILE, "has no colours");
    put_png(path, 1, 1, 16, PNG_COLOR_TYPE_RGB, false, (const unsigned char[]){1, 0, 1, 0, 1, 9});
    expect_refused(path, &options, ORO_E_FILE, "colours of 16 bits");
    put_file(in_folder("c.r16"), "ab", 2);
    expect_refused(in_folder("c.r16"), &options, ORO_E_USAGE, "no colours to decode");
}

TEST(interlaced)
{
    unsigned char rows[11 * 13 * 2];
    for (size_t i = 0; i < sizeof rows; i++)
        rows[i] = (unsigned char)(i * 37 + i / 11);
    const char *plain = in_folder("plain.png"), *laced = in_folder("laced.png");
    put_png(plain, 11, 13, 16, PNG_COLOR_TYPE_GRAY, false, rows);
    put_png(laced, 11, 13, 16, PNG_COLOR_TYPE_GRAY, true, rows);
    struct oro_heightfield a = read_field(plain, NULL), b = read_field(laced, NULL);
    assert_false(a.metres);
    assert_same_values(&a, &b, 0);
    oro_heightfield_free(&a);
    oro_heightfield_free(&b);
}

TEST(warns_of_steps)
{
    const char *path = in_folder("steps.png");
    struct notes notes;
    notes_begin(&notes);
    struct oro_read_options options = {.log = &notes.log};
    put_png(path, 4, 1, 8, PNG_COLOR_TYPE_GRAY, false, (const unsigned char[]){0, 5, 5, 255});
    struct oro_heightfield field = read_field(path, &options);
    oro_heightfield_free(&field);
    char expected[600];
    snprintf(expected, sizeof expected,
             "'%s' has 8 bits (3 levels): slopes will show steps; blur it or use a 16-bit file\n", path);
    assert_non_null(strstr(notes.text, expected));
    notes_begin(&notes);
    put_png(path, 1, 1, 16, PNG_COLOR_TYPE_GRAY, false, (const unsigned char[]){0, 5});
    field = read_field(path, &options);
    oro_heightfield_free(&field);
    assert_null(strstr(notes.text, "will show steps"));
}

TEST(real_files)
{
    struct notes notes;
    notes_begin(&notes);
    struct oro_read_options options = {.has_range = true, .high = 3000, .log = &notes.log};
    struct oro_heightfield field = read_field(real_data("mountains_8bit_256.png"), &options);
    assert_int_equal(field.width, 256);
    assert_non_null(strstr(notes.text, "has 8 bits (247 levels): slopes will show steps"));
    oro_heightfield_free(&field);
    field = read_field(real_data("eroded_512.png"), &options);
    struct oro_measure measure;
    assert_true(oro_measure(&field, &measure, NULL));
    assert_int_equal(measure.width, 512);
    assert_int_equal(measure.drainage.pits, 0);
    assert_true(measure.drainage.share_ending_in_pit == 0);
    assert_int_equal(notes.count, 1);
    oro_heightfield_free(&field);
}

TEST(wrong_magic)
{
    const char *path = in_folder("magic.png");
    put_text(path, "width height\n1 2 3 4 5 6 7 8 9 10 11 12\n");
    expect_refused(path, NULL, ORO_E_FILE, "is not a PNG file");
    put_text(path, "");
    expect_refused(path, NULL, ORO_E_FILE, "is empty");
    put_text(path, "x");
    expect_refused(path, NULL, ORO_E_FILE, "is not a PNG file");
    put_file(path, "\x89PNG", 4);
    expect_refused(path, NULL, ORO_E_FILE, "truncated");
    put_file(path, "\x89PNG\r\n\x1a\n\0\0\0\x0dIDAT................", 32);
    expect_refused(path, NULL, ORO_E_FILE, "does not begin with a PNG header");
    expect_refused(in_folder("absent.png"), NULL, ORO_E_FILE, "cannot read");
    expect_refused(in_folder(""), NULL, ORO_E_FILE, "not a regular file");
    assert_int_equal(mkfifo(in_folder("pipe.png"), 0666), 0);
    expect_refused(in_folder("pipe.png"), NULL, ORO_E_FILE, "not a regular file");
    assert_int_equal(mkdir(in_folder("folder.png"), 0777), 0);
    expect_refused(in_folder("folder.png"), NULL, ORO_E_FILE, "not a regular file");
}

TEST(header_decides)
{
    const char *path = in_folder("huge.png");
    size_t before = oro_memory_count();
    struct oro_read_options options = {.no_sidecar = true};
    put_head(path, 60000, 60000, 16, PNG_COLOR_TYPE_GRAY);
    expect_refused(path, &options, ORO_E_FILE, "is 60000x60000: at most 32768 cells a side are read");
    put_head(path, 0xffffffff, 1, 8, PNG_COLOR_TYPE_GRAY);
    expect_refused(path, &options, ORO_E_FILE, "is 4294967295x1");
    put_head(path, 0, 5, 8, PNG_COLOR_TYPE_GRAY);
    expect_refused(path, &options, ORO_E_FILE, "has no cells");
    put_head(path, 32768, 32768, 16, PNG_COLOR_TYPE_RGBA);
    expect_refused(path, &options, ORO_E_FILE, "33 bytes cannot hold 32768x32768 cells");
    put_head(path, 4, 4, 7, PNG_COLOR_TYPE_GRAY);
    expect_refused(path, &options, ORO_E_FILE, "colour type 0 with 7 bits");
    put_head(path, 4, 4, 8, 5);
    expect_refused(path, &options, ORO_E_FILE, "colour type 5");
    assert_int_equal(oro_memory_count(), before);
    put_head(path, 4, 4, 16, PNG_COLOR_TYPE_PALETTE);
    expect_refused(path, &options, ORO_E_FILE, "damaged");
    put_head(path, 4, 4, 8, PNG_COLOR_TYPE_PALETTE);
    expect_refused(path, &options, ORO_E_FILE, "truncated");
}

/* A file cut off anywhere, or with any byte changed, is read or refused; nothing worse happens. */
static void damage(const char *name, bool interlaced)
{
    unsigned char rows[12 * 12 * 6];
    for (size_t i = 0; i < sizeof rows; i++)
        rows[i] = (unsigned char)(i * i);
    const char *path = in_folder(name);
    put_png(path, 12, 12, 16, PNG_COLOR_TYPE_RGB, interlaced, rows);
    size_t size;
    unsigned char *bytes = get_file(path, &size);
    for (size_t length = 0; length < size; length++) {
        put_file(path, bytes, length);
        expect_refused(path, NULL, ORO_E_FILE, path);
    }
    for (size_t i = 0; i < size; i++) {
        struct oro_heightfield field;
        bytes[i] ^= 0x41;
        put_file(path, bytes, size);
        if (oro_heightfield_read(path, NULL, &field, NULL))
            oro_heightfield_free(&field);
        bytes[i] ^= 0x41;
    }
    oro_free(bytes);
}

TEST(damage)
{
    damage("damage.png", false);
    damage("damage_laced.png", true);
}

TEST(image)
{
    const char *path = in_folder("image.png"), *again = in_folder("image_again.png");
    const float rgba[8] = {0, 0.5F, 1, 1, -3, 2, NAN, 0};
    struct oro_error err;
    assert_true(oro_image_write(path, 2, 1, rgba, &err));
    assert_true(oro_image_write(again, 2, 1, rgba, &err));
    assert_same_file(path, again);
    assert_false(file_exists(in_folder("image.png.json")));
    png_image image = {.version = PNG_IMAGE_VERSION};
    unsigned char pixels[8];
    assert_true(png_image_begin_read_from_file(&image, path));
    image.format = PNG_FORMAT_RGBA;
    assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
    assert_memory_equal(pixels, ((unsigned char[]){0, 128, 255, 255, 0, 255, 0, 0}), 8);
    assert_false(oro_image_write(path, 0, 1, rgba, &err));
    assert_int_equal(err.code, ORO_E_USAGE);
    assert_false(oro_image_write(in_folder("no/where.png"), 2, 1, rgba, &err));
    assert_int_equal(err.code, ORO_E_WRITE);
}

TEST_GROUP(folder_setup, folder_teardown);
