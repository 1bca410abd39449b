/* Cells that are no ground: found, filled, resampled, drained to and left out of measures. */
#include "support.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "formats/nodata.h"

enum { W = 40, H = 30, CELLS = W * H };

static bool outside(int i)
{
    return hypot(i % W - 20.0, i / W - 15.0) > 12;
}

/* A bumpy island; around it, `nothing`. */
static struct oro_heightfield island(float nothing)
{
    struct oro_heightfield field = make_field(W, H, NULL);
    field.cell = 10;
    for (int i = 0; i < CELLS; i++)
        field.data[i] = outside(i) ? nothing : 50 + 5 * sinf((float)(i % W)) * cosf((float)(i / W));
    return field;
}

static void expect_island(const struct oro_heightfield *field)
{
    assert_non_null(field->sea);
    for (int i = 0; i < CELLS; i++) {
        assert_true((field->sea[i] > 0.5f) == outside(i));
        assert_true(field->data[i] > 40 && field->data[i] < 60);
    }
}

TEST(what_the_border_leads_to)
{
    struct oro_heightfield field = island(NAN), before = island(NAN);
    assert_true(oro_heightfield_fill(&field, NULL));
    expect_island(&field);
    assert_null(field.filled);
    for (int i = 0; i < CELLS; i++)
        assert_true(outside(i) || field.data[i] == before.data[i]);
    oro_heightfield_free(&field);
    oro_heightfield_free(&before);
}

/* A hole within the ground is no sea, and takes a height near those around. */
TEST(holes_within_the_ground)
{
    struct oro_heightfield field = island(NAN);
    const int hole = 15 * W + 20;
    field.data[hole] = field.data[hole + 1] = NAN;
    assert_true(oro_heightfield_fill(&field, NULL));
    expect_island(&field);
    assert_int_equal(field.account.filled, 2);
    for (int i = 0; i < CELLS; i++)
        assert_true((field.filled[i] == 1) == (i == hole || i == hole + 1));
    assert_true(fabsf(field.data[hole] - field.data[hole - 1]) < 3);
    oro_heightfield_free(&field);
}

/* Water that comes to the coast has arrived: beside ground the filled cells are lower. */
TEST(coasts_are_outlets)
{
    struct oro_heightfield field = island(NAN);
    assert_true(oro_heightfield_fill(&field, NULL));
    for (int i = 0; i < CELLS; i++)
        for (int k = 0; k < 9 && outside(i); k++) {
            int x = i % W + k % 3 - 1, y = i / W + k / 3 - 1;
            if (x >= 0 && y >= 0 && x < W && y < H && !outside(y * W + x))
                assert_true(field.data[i] < field.data[y * W + x]);
        }
    oro_heightfield_free(&field);
}

TEST(no_ground_at_all)
{
    struct oro_heightfield field = make_field(3, 2, NULL);
    struct oro_error err = {0};
    for (int i = 0; i < 6; i++)
        field.data[i] = NAN;
    assert_false(oro_heightfield_fill(&field, &err));
    assert_int_equal(err.code, ORO_E_FILE);
    oro_heightfield_free(&field);
}

static void write_raw(const char *path, const struct oro_heightfield *field)
{
    put_file(path, field->data, CELLS * sizeof *field->data);
}

TEST(files)
{
    struct oro_heightfield field = island(-9999), read;
    struct oro_read_options options = {.width = W, .height = H};
    write_raw(in_folder("a.r32"), &field);
    read = read_field(in_folder("a.r32"), &options);
    expect_island(&read);
    oro_heightfield_free(&read);
    options.has_nodata = true;
    options.nodata = -7;
    read = read_field(in_folder("a.r32"), &options);
    assert_null(read.sea);
    oro_heightfield_free(&read);
    put_text(in_folder("a.r32.json"), "{\"nodata\": -9999}"); /* comes first */
    read = read_field(in_folder("a.r32"), &options);
    expect_island(&read);
    oro_heightfield_free(&read);
    oro_heightfield_free(&field);
}

TEST(no_numbers_in_files)
{
    struct oro_heightfield field = island(NAN), read;
    struct oro_read_options options = {.width = W, .height = H};
    for (int k = 0; k < 3; k++) {
        field.data[0] = k == 0 ? NAN : k == 1 ? INFINITY : -3e38f;
        write_raw(in_folder("b.r32"), &field);
        read = read_field(in_folder("b.r32"), &options);
        expect_island(&read);
        oro_heightfield_free(&read);
    }
    oro_heightfield_free(&field);
}

/* In whole numbers the height may be half a level off. */
TEST(whole_numbers)
{
    struct oro_heightfield field = island(0), read;
    struct oro_write_options write = {.has_range = true, .low = 0.3, .high = 100.7};
    struct oro_read_options options = {.has_nodata = true, .nodata = 0.3004};
    write_field(in_folder("c.png"), &field, &write);
    read = read_field(in_folder("c.png"), &options);
    expect_island(&read);
    oro_heightfield_free(&read);
    oro_heightfield_free(&field);
}

TEST(sizes)
{
    struct oro_heightfield field = island(NAN), to;
    assert_true(oro_heightfield_fill(&field, NULL));
    assert_true(oro_heightfield_resize(&field, 2 * W, 2 * H, ORO_RESAMPLE_MONOTONE, &to, NULL));
    size_t sea = 0, fine = 0;
    for (int i = 0; i < CELLS; i++)
        sea += field.sea[i] > 0.5f;
    for (int i = 0; i < 4 * CELLS; i++) {
        assert_true(to.sea[i] == 0 || to.sea[i] == 1);
        fine += to.sea[i] == 1;
    }
    assert_in_range(fine, 4 * sea - 80, 4 * sea + 80);
    oro_heightfield_free(&to);
    oro_heightfield_free(&field);
}

/* The sea at 0 comes in from the border, not into a hollow inland; and on from cells without data. */
TEST(sea_at_a_level)
{
    struct oro_heightfield field = island(-3);
    field.data[15 * W + 20] = -7;
    assert_true(oro_heightfield_mark_sea(&field, 0, NULL));
    for (int i = 0; i < CELLS; i++)
        assert_true((field.sea[i] > 0.5f) == outside(i));
    field.sea[15 * W + 21] = 1;
    assert_true(oro_heightfield_mark_sea(&field, 0, NULL));
    assert_true(field.sea[15 * W + 20] > 0.5f);
    oro_heightfield_free(&field);
}

/* A mask that is all up to a level is told by it: from the border, or inland, too; others are no level. */
TEST(seas_are_found)
{
    struct oro_heightfield field = island(-3), again = island(-3);
    assert_true(oro_heightfield_find_sea(&field, NULL));
    assert_false(field.has_sea_level); /* nothing is marked */
    assert_true(oro_heightfield_mark_sea(&again, 0, NULL) && oro_heightfield_mark(&field, again.sea, NULL));
    assert_true(oro_heightfield_find_sea(&field, NULL));
    assert_true(field.has_sea_level && field.sea_level == 0 && !field.sea_inland);

    field.has_sea_level = false;
    field.data[15 * W + 20] = -7; /* a hollow inland */
    field.sea[15 * W + 20] = 1;
    assert_true(oro_heightfield_find_sea(&field, NULL));
    assert_true(field.has_sea_level && field.sea_level == 0 && field.sea_inland);

    field.has_sea_level = field.sea_inland = false;
    field.data[15 * W + 21] = -8; /* another, which is none */
    assert_true(oro_heightfield_find_sea(&field, NULL));
    assert_false(field.has_sea_level || field.sea_inland);

    for (int i = 0; i < CELLS; i++)
        again.data[i] += 250; /* the level is that of the highest cell then */
    again.has_sea_level = false;
    assert_true(oro_heightfield_find_sea(&again, NULL));
    assert_true(again.has_sea_level && again.sea_level == 247);
    oro_heightfield_free(&field);
    oro_heightfield_free(&again);
}

TEST(measures_of_land_alone)
{
    struct oro_heightfield field = island(0);
    struct oro_measure wet, dry;
    assert_true(oro_measure(&field, &dry, NULL));
    assert_true(dry.low == 0 && dry.sea == 0 && dry.drainage.flats > 100);
    assert_true(oro_heightfield_mark_sea(&field, 0, NULL));
    assert_true(oro_measure(&field, &wet, NULL));
    assert_true(wet.low > 40 && wet.mean > 45 && wet.sea > 100);
    assert_int_equal(wet.drainage.flats, 0);
    oro_heightfield_free(&field);
}

/* Without a sea, strict draining raises a level sea by as many steps as it is wide. */
TEST(strict_leaves_the_sea)
{
    struct oro_heightfield field = island(0), read;
    struct oro_written written = {0};
    struct oro_write_options options = {
        .has_range = true, .low = 0, .high = 100, .drain = ORO_DRAIN_STRICT, .written = &written};
    write_field(in_folder("d.png"), &field, &options);
    read = read_field(in_folder("d.png"), NULL);
    assert_true(read.data[8 * W + 4] > 0);
    oro_heightfield_free(&read);
    assert_true(oro_heightfield_mark_sea(&field, 0, NULL));
    write_field(in_folder("d.png"), &field, &options);
    assert_int_equal(written.measure.drainage.pits, 0);
    read = read_field(in_folder("d.png"), NULL);
    for (int i = 0; i < CELLS; i++)
        assert_true(!outside(i) || read.data[i] == 0);
    oro_heightfield_free(&read);
    oro_heightfield_free(&field);
}

TEST(out_of_memory)
{
    bool done = false;
    for (size_t n = 1; !done; n++) {
        struct oro_heightfield field = island(NAN);
        struct oro_error err = {0};
        field.data[15 * W + 20] = NAN;
        assert_true(n < 100);
        oro_memory_fail_at(n);
        done = oro_heightfield_fill(&field, &err) && oro_heightfield_mark_sea(&field, 46, &err);
        oro_memory_fail_at(0);
        assert_true(done || err.code == ORO_E_MEMORY);
        oro_heightfield_free(&field);
    }
}

TEST_GROUP(folder_setup, folder_teardown);
