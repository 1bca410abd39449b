/* PNG that is compressed in blocks: libpng reads what was written, whatever the size and the threads. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <png.h>

#include "base/memory.h"
#include "base/parallel.h"

static uint32_t hash(uint32_t x)
{
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return x >> 22 ^ x;
}

enum { CONSTANT, SMOOTH, NOISE, KINDS };

/* Whole levels. */
static struct oro_heightfield make_levels(int width, int height, int kind)
{
    struct oro_heightfield field = make_field(width, height, NULL);
    for (int i = 0; i < width * height; i++) {
        double smooth = 30000 + 20000 * sin(i % width / 40.0) * cos(i / width / 60.0);
        field.data[i] = kind == CONSTANT ? 77
                        : kind == SMOOTH ? (float)floor(smooth)
                                         : (float)(hash((uint32_t)i) & 65535);
    }
    return field;
}

static const struct oro_write_options levels = {.has_range = true, .high = 65535, .not_terrain = true};

static void expect_back(int width, int height, int kind)
{
    const char *path = in_folder("back.png");
    struct oro_heightfield field = make_levels(width, height, kind);
    write_field(path, &field, &levels);
    struct oro_heightfield back = read_field(path, NULL);
    assert_int_equal(back.width, width);
    assert_int_equal(back.height, height);
    assert_same_values(&field, &back, 0);
    oro_heightfield_free(&field);
    oro_heightfield_free(&back);
}

TEST(comes_back)
{
    static const int sizes[][2] = {{1, 1},     {1, 2},     {2, 1},     {1, 999},   {999, 1},
                                   {3, 7},     {31, 17},   {256, 255}, {32767, 2}, {32768, 2},
                                   {32768, 3}, {400, 401}, {1, 32768}};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
        for (int kind = 0; kind < KINDS; kind++)
            expect_back(sizes[k][0], sizes[k][1], kind);
}

/* More than is compressed at once. */
TEST(batches)
{
    expect_back(2900, 3001, NOISE);
    expect_back(2900, 3001, SMOOTH);
}

TEST(threads)
{
    const char *one = in_folder("one.png"), *many = in_folder("many.png");
    for (int kind = 0; kind < KINDS; kind++) {
        struct oro_heightfield field = make_levels(601, 511, kind);
        oro_parallel_force(1);
        write_field(one, &field, NULL);
        for (int threads = 2; threads <= 7; threads++) {
            oro_parallel_force(threads);
            write_field(many, &field, NULL);
            assert_same_file(one, many);
        }
        oro_parallel_force(0);
        oro_heightfield_free(&field);
    }
}

static float *make_colours(size_t count, int kind)
{
    float *rgba = oro_alloc(count, sizeof *rgba);
    for (size_t i = 0; i < count; i++)
        rgba[i] = kind == CONSTANT ? 0.4f
                  : kind == SMOOTH ? 0.5f + 0.5f * sinf((float)i / 300)
                                   : (float)(hash((uint32_t)i) & 255) / 255;
    return rgba;
}

static void expect_picture(int width, int height, int kind)
{
    const char *path = in_folder("picture.png"), *other = in_folder("other.png");
    size_t count = (size_t)width * (size_t)height * 4;
    float *rgba = make_colours(count, kind);
    unsigned char *pixels = oro_alloc(count, 1);
    png_image image = {.version = PNG_IMAGE_VERSION};
    oro_parallel_force(3);
    assert_true(oro_image_write(path, width, height, rgba, NULL));
    oro_parallel_force(1);
    assert_true(oro_image_write(other, width, height, rgba, NULL));
    oro_parallel_force(0);
    assert_same_file(path, other);
    assert_true(png_image_begin_read_from_file(&image, path));
    assert_int_equal(image.width, width);
    assert_int_equal(image.height, height);
    assert_int_equal(image.format, PNG_FORMAT_RGBA);
    assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
    for (size_t i = 0; i < count; i++)
        if (pixels[i] != (unsigned char)lroundf(rgba[i] * 255.0f))
            fail_msg("%dx%d, kind %d: byte %zu is %d", width, height, kind, i, pixels[i]);
    oro_free(pixels);
    oro_free(rgba);
}

TEST(pictures)
{
    static const int sizes[][2] = {{1, 1}, {1, 500}, {500, 1}, {31, 33}, {181, 181}, {300, 401}, {32768, 2}};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
        for (int kind = 0; kind < KINDS; kind++)
            expect_picture(sizes[k][0], sizes[k][1], kind);
}

/* Several blocks, by several threads: whichever allocation fails, the file is whole or not there. */
TEST(no_memory)
{
    enum { SIDE = 400 };
    const char *path = in_folder("none.png");
    float *rgba = make_colours((size_t)SIDE * SIDE * 4, SMOOTH);
    size_t before = files_in_folder();
    oro_parallel_force(3);
    bool ok = false;
    for (size_t n = 1; !ok; n++) {
        struct oro_error err = {0};
        oro_memory_fail_at(n);
        ok = oro_image_write(path, SIDE, SIDE, rgba, &err);
        oro_memory_fail_at(0);
        assert_true(ok || err.code == ORO_E_MEMORY);
        assert_int_equal(files_in_folder(), before + ok);
        assert_true(n < 1000);
    }
    oro_parallel_force(0);
    oro_free(rgba);
}

TEST_GROUP(folder_setup, folder_teardown);
