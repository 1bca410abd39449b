/* R16, RAW, R32F and PFM: bytes as other programs expect them, and sizes that do not fit. */
#include "support.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

TEST(r16_bytes)
{
    const char *path = in_folder("a.r16");
    put_file(path, "\x01\x02\xff\xff\0\0\x10\0", 8);
    struct oro_read_options options = {.has_range = true, .high = 65535};
    struct oro_heightfield field = read_field(path, &options);
    assert_int_equal(field.width, 2);
    assert_int_equal(field.height, 2);
    assert_memory_equal(field.data, ((float[]){0x201, 65535, 0, 16}), 16);
    oro_heightfield_free(&field);
    options.big_endian = true;
    options.width = 4;
    field = read_field(path, &options);
    assert_int_equal(field.height, 1);
    assert_memory_equal(field.data, ((float[]){0x102, 65535, 0, 0x1000}), 16);
    oro_heightfield_free(&field);
    options = (struct oro_read_options){.height = 4};
    field = read_field(path, &options);
    assert_int_equal(field.width, 1);
    assert_true(field.data[1] == 1);
    oro_heightfield_free(&field);
}

TEST(r16_written)
{
    struct oro_heightfield field = make_field(2, 1, (float[]){10, 20});
    struct oro_write_options options = {
        .has_range = true, .low = 10, .high = 10 + 65535.0, .big_endian = true};
    const char *path = in_folder("b.raw");
    write_field(path, &field, &options);
    size_t size;
    unsigned char *bytes = get_file(path, &size);
    assert_int_equal(size, 4);
    assert_memory_equal(bytes, "\0\0\0\x0a", 4);
    oro_free(bytes);
    struct oro_heightfield again = read_field(path, NULL); /* size, order and range from the sidecar */
    assert_true(again.metres);
    assert_same_values(&field, &again, 0);
    oro_heightfield_free(&again);
    oro_heightfield_free(&field);
}

TEST(sizes_that_do_not_fit)
{
    static const unsigned char bytes[2 * 131101];
    const char *path = in_folder("c.r16"), *float_path = in_folder("c.r32");
    put_file(path, bytes, 24);
    expect_refused(path, NULL, ORO_E_FILE, "24 bytes, and no size was given: sizes that fit: 4x3, 3x4");
    put_file(path, bytes, 262144);
    expect_refused(path, NULL, ORO_E_FILE, "as float .r32 it would be 256x256");
    struct oro_read_options options = {.width = 100, .height = 100};
    put_file(path, bytes, 131072);
    expect_refused(path, &options, ORO_E_FILE, "131072 bytes, 100x100 needs 20000: sizes that fit: 256x256");
    options.height = 0;
    expect_refused(path, &options, ORO_E_FILE, "no whole rows of the given width");
    put_file(path, bytes, 131071);
    expect_refused(path, NULL, ORO_E_FILE, "not a whole number of 2-byte samples");
    put_file(float_path, bytes, 8);
    expect_refused(float_path, NULL, ORO_E_FILE, "as 16-bit .r16 it would be 2x2");
    put_file(path, bytes, 0);
    expect_refused(path, NULL, ORO_E_FILE, "is empty");
    options = (struct oro_read_options){.width = 140000, .height = 140000};
    expect_refused(path, &options, ORO_E_USAGE, "cannot be 140000x140000");
    options = (struct oro_read_options){.width = -1};
    expect_refused(path, &options, ORO_E_USAGE, "cannot be -1x0");
    put_file(path, bytes, 2 * 131101); /* a prime, and a longer side than any file has */
    expect_refused(path, NULL, ORO_E_FILE, "no size fits");
}

TEST(floats_as_they_are)
{
    const float values[6] = {0.1F, -0.0F, 1e-40F, 1e29F, -1234.567F, 8848.86F};
    struct oro_heightfield field = make_field(3, 2, values);
    static const char *const names[] = {"f.r32", "f.R32F", "f.pfm", "f.exr"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        for (int big = 0; big < 2; big++) {
            struct oro_write_options options = {.big_endian = big};
            write_field(in_folder(names[i]), &field, &options);
            struct oro_heightfield again = read_field(in_folder(names[i]), NULL);
            assert_true(again.metres);
            assert_int_equal(again.width, 3);
            assert_memory_equal(again.data, values, sizeof values);
            oro_heightfield_free(&again);
        }
    }
    oro_heightfield_free(&field);
}

/* What is no number is read as no height, and not written. */
TEST(not_finite)
{
    float values[6] = {1, 2, 3, 4, 0, INFINITY};
    struct oro_heightfield field = make_field(3, 2, values);
    struct oro_error err;
    assert_false(oro_heightfield_write(in_folder("bad.png"), &field, NULL, &err));
    assert_int_equal(err.code, ORO_E_WRITE);
    assert_non_null(strstr(err.text, "cell 2,1 is infinite"));
    assert_false(file_exists(in_folder("bad.png")));
    oro_heightfield_free(&field);
}

TEST(pfm_bytes)
{
    const char *path = in_folder("p.pfm");
    struct oro_heightfield field = make_field(1, 2, (float[]){1, 2});
    write_field(path, &field, NULL);
    size_t size;
    unsigned char *bytes = get_file(path, &size);
    assert_int_equal(size, 20);
    assert_memory_equal(bytes, "Pf\n1 2\n-1.0\n\0\0\0\x40\0\0\x80\x3f", 20);
    oro_free(bytes);
    oro_heightfield_free(&field);
    put_file(path, "Pf\r\n1 2\r\n1\r\n\x40\0\0\0\x3f\x80\0\0",
             20); /* big-endian, lines ended in two characters */
    field = read_field(path, NULL);
    assert_memory_equal(field.data, ((float[]){1, 2}), 8);
    oro_heightfield_free(&field);
}

TEST(pfm_refused)
{
    const char *path = in_folder("bad.pfm");
    static const struct {
        const char *text, *part;
    } cases[] = {
        {"", "does not begin with 'Pf'"},
        {"P3\n1 1\n255\n1", "does not begin with 'Pf'"},
        {"PF\n1 1\n-1\n............", "colour PFM"},
        {"Pf\n1 1\n-1\n...", "truncated: it has 13 bytes, 1x1 needs 14"},
        {"Pf\n1 1\n-1", "damaged header"},
        {"Pf\n1 x\n-1\n....", "damaged header"},
        {"Pf\n1 1\n0\n....", "damaged header"},
        {"Pf\n1 1\nnan\n....", "damaged header"},
        {"Pf\n1 -1\n1\n....", "damaged header"},
        {"Pf\n0 1\n1\n....", "has no cells"},
        {"Pf\n60000 60000\n-1\n....", "is 60000x60000: at most 32768 cells a side are read"},
        {"Pf\n99999999999999999999 1\n-1\n....", "damaged header"},
        {"Pf\n111111111111111111111111111111111 1\n-1\n....", "damaged header"},
        {"Pf                                            1 1 1 ....", "damaged header"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        put_text(path, cases[i].text);
        expect_refused(path, NULL, ORO_E_FILE, cases[i].part);
    }
}

TEST_GROUP(folder_setup, folder_teardown);
