/* Round trips, ranges, and that equal terrains give equal bytes. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const names[] = {"t.png", "t.PNG", "t.r16", "t.raw", "t.r32", "t.r32f", "t.pfm", "t.exr"};
enum { NAMES = sizeof names / sizeof names[0] };

static bool is_float(const char *name)
{
    return strstr(name, "r32") || strstr(name, "pfm") || strstr(name, "exr");
}

static void round_trip(const char *name, const struct oro_heightfield *field)
{
    const char *path = in_folder(name);
    write_field(path, field, NULL);
    struct oro_heightfield again = read_field(path, NULL);
    assert_true(again.metres);
    assert_true(again.cell == field->cell);
    struct oro_measure measure;
    assert_true(oro_measure(field, &measure, NULL));
    assert_same_values(field, &again, is_float(name) ? 0 : (measure.high - measure.low) / 65535 * 0.501);
    /* What was read is written as it was. */
    const char *second = in_folder("second.png"), *third = in_folder("third.png");
    write_field(second, &again, NULL);
    struct oro_heightfield more = read_field(second, NULL);
    write_field(third, &more, NULL);
    assert_same_file(second, third);
    oro_heightfield_free(&again);
    oro_heightfield_free(&more);
}

TEST(round_trips)
{
    static const int sizes[][2] = {{1, 1}, {1, 7}, {7, 1}, {2, 2}, {33, 20}, {64, 64}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct oro_heightfield field = make_hills(sizes[i][0], sizes[i][1]);
        for (size_t k = 0; k < NAMES; k++)
            round_trip(names[k], &field);
        oro_heightfield_free(&field);
    }
}

TEST(real_round_trip)
{
    struct oro_read_options options = {.has_range = true, .high = 3200};
    struct oro_heightfield field = read_field(real_data("new_zealand_256.png"), &options);
    struct oro_write_options same = {.has_range = true, .high = 3200};
    write_field(in_folder("nz.png"), &field, &same);
    struct oro_heightfield again = read_field(in_folder("nz.png"), NULL);
    assert_same_values(&field, &again, 0);
    oro_heightfield_free(&again);
    write_field(in_folder("nz.r16"), &field, &same);
    again = read_field(in_folder("nz.r16"), NULL);
    assert_same_values(&field, &again, 0);
    oro_heightfield_free(&again);
    oro_heightfield_free(&field);
}

TEST(flat)
{
    struct oro_heightfield field = make_field(3, 3, (float[]){7, 7, 7, 7, 7, 7, 7, 7, 7});
    for (size_t k = 0; k < NAMES; k++)
        round_trip(names[k], &field);
    oro_heightfield_free(&field);
}

TEST(range_without_anything)
{
    struct oro_heightfield field = make_field(3, 1, (float[]){100, 150, 300});
    const char *path = in_folder("n.png");
    write_field(path, &field, NULL);
    struct oro_read_options options = {.no_sidecar = true};
    struct oro_heightfield again = read_field(path, &options);
    assert_false(again.metres);
    assert_true(again.cell == 0);
    assert_true(again.data[0] == 0 && again.data[2] == 1 && fabs((double)again.data[1] - 0.25) < 1e-5);
    oro_heightfield_free(&again);
    oro_heightfield_free(&field);
}

TEST(options_win_over_the_sidecar)
{
    struct oro_heightfield field = make_field(2, 1, (float[]){100, 300});
    field.cell = 5;
    const char *path = in_folder("o.png");
    write_field(path, &field, NULL);
    struct oro_read_options options = {.has_range = true, .low = -10, .high = 40};
    struct oro_heightfield again = read_field(path, &options);
    assert_true(again.metres && again.cell == 5);
    assert_true(again.data[0] == -10 && again.data[1] == 40);
    oro_heightfield_free(&again);
    oro_heightfield_free(&field);
}

TEST(empty_ranges)
{
    struct oro_heightfield field = make_field(2, 1, (float[]){100, 300});
    const char *path = in_folder("e.png");
    write_field(path, &field, NULL);
    const double bad[][2] = {{1, 1}, {2, 1}, {NAN, 1}, {0, INFINITY}, {0, 1e300}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct oro_read_options options = {.has_range = true, .low = bad[i][0], .high = bad[i][1]};
        expect_refused(path, &options, ORO_E_USAGE, "low < high");
        struct oro_write_options write = {.has_range = true, .low = bad[i][0], .high = bad[i][1]};
        struct oro_error err;
        assert_false(oro_heightfield_write(path, &field, &write, &err));
        assert_int_equal(err.code, ORO_E_USAGE);
    }
    oro_heightfield_free(&field);
}

TEST(clipping_is_told)
{
    struct oro_heightfield field = make_field(4, 1, (float[]){-5, 0, 100, 101});
    struct notes notes;
    notes_begin(&notes);
    struct oro_write_options options = {.has_range = true, .high = 100, .log = &notes.log};
    const char *path = in_folder("c.png");
    write_field(path, &field, &options);
    assert_int_equal(notes.count, 1);
    assert_non_null(strstr(notes.text, "2 of 4 cells lie outside 0..100 and were clipped"));
    struct oro_heightfield again = read_field(path, NULL);
    assert_memory_equal(again.data, ((float[]){0, 0, 100, 100}), 16);
    oro_heightfield_free(&again);
    oro_heightfield_free(&field);
}

/* Rounding to levels keeps the order of heights, whatever the range. */
TEST(rounding_is_monotone)
{
    enum { COUNT = 20000 };
    struct oro_heightfield field = make_field(COUNT, 1, NULL);
    for (int i = 0; i < COUNT; i++)
        field.data[i] = (float)(1000 + i * 0.00013);
    const char *path = in_folder("m.png");
    write_field(path, &field, NULL);
    struct oro_heightfield again = read_field(path, NULL);
    for (int i = 1; i < COUNT; i++)
        assert_true(again.data[i] >= again.data[i - 1]);
    assert_true(again.data[0] == field.data[0] && again.data[COUNT - 1] == field.data[COUNT - 1]);
    oro_heightfield_free(&again);
    oro_heightfield_free(&field);
}

TEST(equal_bytes)
{
    struct oro_heightfield field = make_hills(50, 40);
    struct oro_write_options options = {
        .sidecar = {.seed = 7, .graph_digest = "00ff", .document = "alps.oro"}};
    for (size_t k = 0; k < NAMES; k++) {
        const char *path = in_folder(names[k]);
        char other[64], path_json[600], other_json[700];
        snprintf(other, sizeof other, "other_%s", names[k]);
        const char *second = in_folder(other);
        snprintf(path_json, sizeof path_json, "%s.json", path);
        snprintf(other_json, sizeof other_json, "%s.json", second);
        write_field(path, &field, &options);
        write_field(second, &field, &options);
        assert_same_file(path, second);
        assert_same_file(path_json, other_json);
    }
    oro_heightfield_free(&field);
}

TEST(names)
{
    for (const char *const *extension = oro_format_extensions; *extension; extension++) {
        char name[16];
        snprintf(name, sizeof name, "a%s", *extension);
        assert_true(oro_format_writable(name));
        assert_non_null(strstr(oro_format_names, *extension));
    }
    assert_true(oro_format_writable("a/b.c/d.Png"));
    assert_false(oro_format_writable("a.png/d"));
    assert_false(oro_format_writable("a.hgt"));
    assert_true(oro_format_readable("a.hgt"));
    assert_false(oro_format_readable("a.oro"));
    assert_true(oro_format_is_mesh("a.GLB") && oro_format_writable("a.GLB"));
    assert_false(oro_format_readable("a.glb"));
    assert_null(strstr(oro_raster_format_names, oro_mesh_format_names));
    assert_false(oro_format_writable(""));
    for (size_t k = 0; k < NAMES; k++)
        assert_true(oro_format_writable(names[k]));
    struct oro_heightfield field = make_hills(3, 3);
    struct oro_error err;
    assert_false(oro_heightfield_write(in_folder("a.jpg"), &field, NULL, &err));
    assert_int_equal(err.code, ORO_E_USAGE);
    assert_non_null(strstr(err.text, oro_format_names));
    struct oro_heightfield none = {0};
    assert_false(oro_heightfield_write(in_folder("a.png"), &none, NULL, &err));
    assert_int_equal(err.code, ORO_E_USAGE);
    oro_heightfield_free(&field);
    oro_heightfield_free(&field);
    oro_heightfield_free(NULL);
}

TEST_GROUP(folder_setup, folder_teardown);
