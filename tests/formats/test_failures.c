/* Outputs that cannot be written, and memory that runs out: an error, no crash, nothing half-written. */
#include "support.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <sys/stat.h>

#include "base/memory.h"

/* Those that can be read come first. */
static const char *const names[] = {"w.png",  "w.r16", "w.r32", "w.pfm", "w.exr",
                                    "w.zarr", "w.glb", "w.obj", "w.stl", "w.ply"};
enum { NAMES = sizeof names / sizeof names[0], READABLE = 5 };

static void expect_unwritten(const char *path, const struct oro_heightfield *field)
{
    struct oro_error err = {0};
    assert_false(oro_heightfield_write(path, field, NULL, &err));
    if (err.code != ORO_E_WRITE || !strstr(err.text, "cannot write"))
        fail_msg("code %d: %s", (int)err.code, err.text);
    assert_false(oro_heightfield_write(path, field, NULL, NULL));
}

TEST(no_folder)
{
    struct oro_heightfield field = make_hills(9, 9);
    put_text(in_folder("file"), "x");
    size_t before = files_in_folder();
    expect_unwritten(in_folder("missing/a.png"), &field);
    expect_unwritten(in_folder("file/a.png"), &field);
    assert_int_equal(files_in_folder(), before);
    oro_heightfield_free(&field);
}

TEST(folder_in_the_way)
{
    struct oro_heightfield field = make_hills(9, 9);
    assert_int_equal(mkdir(in_folder("way.png"), 0777), 0);
    assert_int_equal(mkdir(in_folder("side.png.json"), 0777), 0);
    put_text(in_folder("side.png"), "old");
    size_t before = files_in_folder(), size;
    expect_unwritten(in_folder("way.png"), &field);
    expect_unwritten(in_folder("side.png"), &field); /* the sidecar cannot be: nor is the image replaced */
    assert_int_equal(files_in_folder(), before);
    unsigned char *old = get_file(in_folder("side.png"), &size);
    assert_string_equal((char *)old, "old");
    oro_free(old);
    oro_heightfield_free(&field);
}

TEST(disk_full)
{
    struct oro_heightfield field = make_hills(200, 200);
    const float rgba[400] = {0};
    struct oro_error err = {0};
    size_t before = files_in_folder();
    signal(SIGXFSZ, SIG_IGN);
    for (rlim_t bytes = 0; bytes <= 20000; bytes += 4000) {
        limit_files(bytes);
        for (size_t k = 0; k < NAMES; k++)
            expect_unwritten(in_folder(names[k]), &field);
    }
    limit_files(20);
    assert_false(oro_image_write(in_folder("i.png"), 10, 10, rgba, &err));
    assert_int_equal(err.code, ORO_E_WRITE);
    limit_files(RLIM_INFINITY);
    assert_int_equal(files_in_folder(), before);
    oro_heightfield_free(&field);
}

/* The image is small enough, the sidecar is not. */
TEST(disk_full_for_the_sidecar)
{
    struct oro_heightfield field = make_hills(2, 2);
    size_t before = files_in_folder();
    signal(SIGXFSZ, SIG_IGN);
    limit_files(200);
    for (size_t k = 0; k < NAMES; k++)
        expect_unwritten(in_folder(names[k]), &field);
    limit_files(RLIM_INFINITY);
    assert_int_equal(files_in_folder(), before);
    oro_heightfield_free(&field);
}

static void expect_same_field(const struct oro_heightfield *field, const struct oro_heightfield *wanted,
                              const char *path, size_t n)
{
    if (field->metres != wanted->metres || field->cell != wanted->cell || field->width != wanted->width ||
        field->height != wanted->height)
        fail_msg("without allocation %zu, '%s' is read as another field", n, path);
    assert_memory_equal(field->data, wanted->data,
                        (size_t)wanted->width * (size_t)wanted->height * sizeof *wanted->data);
}

/* Without memory for its sidecar, a file would be read with other heights: that is an error. */
static void read_without_memory(const char *path)
{
    size_t before = oro_memory_count();
    struct oro_heightfield wanted = read_field(path, NULL), field;
    size_t most = oro_memory_count() - before;
    for (size_t n = 1; n <= most; n++) {
        struct oro_error err = {0};
        oro_memory_fail_at(n);
        bool ok = oro_heightfield_read(path, NULL, &field, &err);
        oro_memory_fail_at(0);
        if (ok)
            expect_same_field(&field, &wanted, path, n);
        else if (err.code != ORO_E_MEMORY)
            fail_msg("allocation %zu of '%s': code %d: %s", n, path, (int)err.code, err.text);
        oro_heightfield_free(&field);
    }
    oro_heightfield_free(&wanted);
}

/* What is done to heights on their way, and what is made besides a file. */
TEST(no_memory_for_more_than_a_file)
{
    static const struct oro_tiling two = {.side = 21, .overlap = 13};
    struct oro_heightfield field = make_hills(21, 29);
    const char *const masks[] = {"rock", "grass"};
    const struct oro_weight_maps weights = {2, masks, (const float *const[]){field.data, field.data}};
    const struct {
        const char *name;
        struct oro_write_options options;
    } cases[] = {
        {"m.zarr", {.bits = 16, .weights = &weights}},
        {"tiles.r32", {.tiling = &two}},
        {"weighed.png", {.tiling = &two, .weights = &weights}},
        {"repaired.png", {.drain = ORO_DRAIN_REPAIR}},
        {"strict.png", {.drain = ORO_DRAIN_STRICT}},
        {"half.exr", {.drain = ORO_DRAIN_STRICT, .half = true, .tiled = true}},
        {"simplified.glb", {.mesh = {.triangles = 300, .base = 5, .normal_map = true}}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        assert_true(write_without_memory(in_folder(cases[k].name), &field, &cases[k].options) > 5);
    oro_heightfield_free(&field);
}

TEST(no_memory)
{
    struct oro_heightfield field = make_hills(20, 30);
    field.cell = 25;
    for (size_t k = 0; k < NAMES; k++) {
        write_without_memory(in_folder(names[k]), &field, NULL);
        if (k < READABLE)
            read_without_memory(in_folder(names[k]));
    }
    for (size_t n = 1; n <= 6; n++) {
        struct oro_heightfield to = {0};
        struct oro_error err = {0};
        oro_memory_fail_at(n);
        bool ok = oro_heightfield_resize(&field, 7, 50, ORO_RESAMPLE_MONOTONE, &to, &err);
        oro_memory_fail_at(0);
        assert_true(ok ? n > 2 : err.code == ORO_E_MEMORY && !to.data);
        assert_true(ok || n < 7);
        oro_heightfield_free(&to);
    }
    struct oro_measure measure;
    struct oro_error err = {0};
    oro_memory_fail_at(1);
    assert_false(oro_measure(&field, &measure, &err));
    assert_int_equal(err.code, ORO_E_MEMORY);
    oro_heightfield_free(&field);
}

TEST_GROUP(folder_setup, folder_teardown);
