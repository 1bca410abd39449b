/* Rasters of our own formats lie where their sidecars say, and are put to systems and windows as GDAL's are.
 */
#include "support.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

enum { SIDE = 40 };
static const double west = 400000, north = 5100000, cell = 50;

static struct oro_heightfield placed_hills(void)
{
    struct oro_heightfield field = make_hills(SIDE, SIDE);
    field.cell = cell;
    field.place = (struct oro_place){oro_copy_text("EPSG:32632"), west, north};
    return field;
}

static struct oro_read_options window(double x, double y, double side)
{
    return (struct oro_read_options){.crs = "EPSG:32632",
                                     .where_known = true,
                                     .window = {.given = true,
                                                .whole = true,
                                                .west = west + x,
                                                .north = north - y,
                                                .east = west + x + side,
                                                .south = north - y - side}};
}

#ifdef OROGRAPH_GDAL

TEST(windows_of_own_formats)
{
    static const char *const names[] = {"a.pfm", "a.r32", "a.png", "a.exr", "a.asc"};
    struct oro_heightfield field = placed_hills();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        write_field(in_folder(names[i]), &field, NULL);
        struct oro_heightfield whole = read_field(in_folder(names[i]), NULL);
        struct oro_read_options options = window(500, 250, 1000);
        struct oro_heightfield part = read_field(in_folder(names[i]), &options);
        assert_true(part.width == 20 && part.height == 20 && part.cell == cell && part.metres);
        assert_true(part.place.west == west + 500 && part.place.north == north - 250);
        for (int y = 0; y < 20; y++)
            for (int x = 0; x < 20; x++)
                assert_true(part.data[y * 20 + x] == whole.data[(y + 5) * SIDE + x + 10]);
        assert_null(part.sea);
        oro_heightfield_free(&part);

        options.shape_only = true;
        part = read_field(in_folder(names[i]), &options);
        assert_true(part.width == 20 && part.height == 20 && !part.data);
        oro_heightfield_free(&part);

        options = window(0, 0, SIDE * cell); /* all of it: as it is */
        part = read_field(in_folder(names[i]), &options);
        assert_memory_equal(part.data, whole.data, SIDE * SIDE * sizeof *part.data);
        oro_heightfield_free(&part);
        oro_heightfield_free(&whole);
    }
    oro_heightfield_free(&field);
}

/* Beyond the file there is no ground, and its sea stays sea. */
TEST(edges_and_seas)
{
    struct oro_heightfield field = placed_hills();
    for (int i = 0; i < SIDE; i++)
        field.data[20 * SIDE + i] = -5000; /* a strait */
    write_field(in_folder("s.pfm"), &field, NULL);
    oro_heightfield_free(&field);
    struct oro_read_options options = window(-500, 0, SIDE * cell);
    options.has_nodata = true;
    options.nodata = -5000;
    struct oro_heightfield moved = read_field(in_folder("s.pfm"), &options);
    assert_non_null(moved.sea);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            bool sea = moved.sea[y * SIDE + x] > 0.5f;
            if (x < 9 || y == 20)
                assert_true(sea);
            else if (x > 10 && (y < 18 || y > 22))
                assert_false(sea);
            assert_true(fabsf(moved.data[y * SIDE + x]) < 2000);
        }
    oro_heightfield_free(&moved);
}

TEST(other_systems_and_files_elsewhere)
{
    struct oro_heightfield field = placed_hills();
    struct oro_error err = {0};
    write_field(in_folder("a.pfm"), &field, NULL);
    struct oro_read_options options = {.crs = "EPSG:2056"};
    struct oro_heightfield other = read_field(in_folder("a.pfm"), &options);
    assert_string_equal(other.place.crs, "EPSG:2056");
    assert_true(fabs(other.place.west - west) > 1e6);
    oro_heightfield_free(&other);

    options = window(1e5, 0, 1000);
    assert_false(oro_heightfield_read(in_folder("a.pfm"), &options, &other, &err));
    assert_int_equal(err.code, ORO_E_USAGE);
    assert_non_null(strstr(err.text, "lies outside"));

    /* Without a place, it is read as it is if that is wanted. */
    oro_free(field.place.crs);
    field.place.crs = NULL;
    write_field(in_folder("a.pfm"), &field, NULL);
    other = read_field(in_folder("a.pfm"), &options);
    assert_memory_equal(other.data, field.data, SIDE * SIDE * sizeof *other.data);
    oro_heightfield_free(&other);
    options.where_known = false;
    assert_false(oro_heightfield_read(in_folder("a.pfm"), &options, &other, &err));
    assert_non_null(strstr(err.text, "does not say where it lies"));
    oro_heightfield_free(&field);
}

TEST(memory_is_out)
{
    struct oro_heightfield field = placed_hills();
    struct oro_read_options options = window(500, 250, 1000);
    write_field(in_folder("a.pfm"), &field, NULL);
    oro_heightfield_free(&field);
    size_t before = oro_memory_count();
    field = read_field(in_folder("a.pfm"), &options);
    size_t most = oro_memory_count() - before;
    oro_heightfield_free(&field);
    for (size_t n = 1; n <= most; n++) {
        struct oro_error err = {0};
        oro_memory_fail_at(n);
        bool ok = oro_heightfield_read(in_folder("a.pfm"), &options, &field, &err);
        oro_memory_fail_at(0);
        if (!ok)
            assert_true(err.code == ORO_E_MEMORY && !field.data && !field.place.crs);
        oro_heightfield_free(&field);
    }
}

#else

TEST(without_gdal)
{
    struct oro_heightfield field = placed_hills(), read = {0};
    struct oro_error err = {0};
    write_field(in_folder("a.pfm"), &field, NULL);
    struct oro_read_options options = window(0, 0, SIDE * cell);
    read = read_field(in_folder("a.pfm"), &options);
    assert_memory_equal(read.data, field.data, SIDE * SIDE * sizeof *read.data);
    oro_heightfield_free(&read);
    options = window(500, 250, 1000);
    assert_false(oro_heightfield_read(in_folder("a.pfm"), &options, &read, &err));
    assert_non_null(strstr(err.text, "built without GDAL"));
    oro_heightfield_free(&field);
}

#endif

TEST_GROUP(folder_setup, folder_teardown);
