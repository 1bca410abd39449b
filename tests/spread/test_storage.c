/* Tiles on the device, in host memory and in files: budgets, full disks, options that make no sense. */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/spread/support.h"

static const struct oro_grid grid = {.width = 300, .height = 200, .cell = 1};
enum { CELLS = 300 * 200, BYTES = CELLS * 4 };

static float *numbers(uint32_t seed)
{
    float *data = calloc(CELLS, sizeof *data);
    assert_non_null(data);
    for (uint32_t i = 0; i < CELLS; i++)
        data[i] = (float)((i * 2654435761u + seed) >> 8);
    return data;
}

static struct oro_buffer *uploaded(struct oro_device *device, uint32_t seed, struct oro_error *err)
{
    float *data = numbers(seed);
    struct oro_buffer *field = new_field(device, &grid, err);
    bool ok = field && device->ops->upload(device, field, data, BYTES, err);
    free(data);
    if (!ok)
        device->ops->buffer_destroy(device, field);
    return ok ? field : NULL;
}

static void assert_has(struct oro_device *device, struct oro_buffer *field, uint32_t seed)
{
    struct oro_error err = {0};
    float *data = numbers(seed), *back = calloc(CELLS, sizeof *back);
    assert_ok(device->ops->download(device, field, back, BYTES, &err), err);
    assert_memory_equal(data, back, BYTES);
    free(data);
    free(back);
}

static int files_in(const char *folder)
{
    DIR *files = opendir(folder);
    int count = -2; /* itself and the one above */
    assert_non_null(files);
    while (readdir(files))
        count++;
    closedir(files);
    return count;
}

static const char *make_folder(void)
{
    static char path[64];
    snprintf(path, sizeof path, P_tmpdir "/orograph-spread-XXXXXX");
    assert_non_null(mkdtemp(path));
    return path;
}

TEST(least_recently_used_go_first)
{
    struct oro_error err = {0};
    const char *folder = make_folder();
    struct oro_device *device = open_spread(&(struct oro_spread_options){
        .whole = 1, .tile = 96, .device_bytes = 2 * BYTES, .host_bytes = BYTES, .folder = folder});
    struct oro_buffer *fields[5];
    for (uint32_t i = 0; i < 5; i++)
        assert_ok(fields[i] = uploaded(device, i, &err), err);
    assert_int_equal(files_in(folder), 0); /* they have no names */
    struct oro_spread_counts counts = oro_spread_counts(device);
    assert_true(counts.to_disk_bytes >= BYTES);
    for (uint32_t i = 0; i < 5; i++)
        assert_has(device, fields[i], i);
    assert_true(oro_spread_counts(device).from_disk_bytes >= BYTES);
    assert_int_equal(device->used_bytes, 5 * BYTES);
    for (int i = 0; i < 5; i++)
        device->ops->buffer_destroy(device, fields[i]);
    assert_int_equal(device->used_bytes, 0);
    assert_int_equal(device->peak_bytes, 5 * BYTES);
    device->ops->destroy(device);
    assert_int_equal(rmdir(folder), 0);
}

TEST(slots_are_used_again)
{
    struct oro_error err = {0};
    struct oro_device *device =
        open_spread(&(struct oro_spread_options){.whole = 1, .tile = 96, .device_bytes = 1, .host_bytes = 1});
    struct oro_buffer *kept = uploaded(device, 99, &err);
    assert_non_null(kept);
    for (uint32_t i = 0; i < 20; i++) {
        struct oro_buffer *field = uploaded(device, i, &err);
        assert_ok(field, err);
        device->ops->buffer_destroy(device, field);
    }
    /* Reading a part of a tile takes no room on the device. */
    float cells[9];
    struct oro_window window = {95, 95, 3, 3};
    assert_ok(device->tiles->read(device, kept, &window, cells, &err), err);
    float *data = numbers(99);
    for (int i = 0; i < 9; i++)
        assert_true(cells[i] == data[(95 + i / 3) * 300 + 95 + i % 3]);
    free(data);
    device->ops->buffer_destroy(device, kept);
    device->ops->destroy(device);
}

static void no_large_files(bool none)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = none ? BYTES / 2 : limit.rlim_max;
    signal(SIGXFSZ, none ? SIG_IGN : SIG_DFL);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

TEST(full_disk)
{
    struct oro_error err = {0};
    const char *folder = make_folder();
    struct oro_device *device = open_spread(&(struct oro_spread_options){
        .whole = 1, .tile = 96, .device_bytes = 1, .host_bytes = 1, .folder = folder});
    no_large_files(true);
    struct oro_buffer *field = uploaded(device, 1, &err);
    no_large_files(false);
    assert_null(field);
    assert_int_equal(err.code, ORO_E_WRITE);
    if (!strstr(err.text, folder) || !strstr(err.text, strerror(EFBIG)) || !strstr(err.text, "MiB"))
        fail_msg("%s", err.text);
    /* What is there is not lost by that, and room that was given back is used. */
    field = uploaded(device, 2, &err);
    assert_ok(field, err);
    assert_has(device, field, 2);
    device->ops->buffer_destroy(device, field);
    device->ops->destroy(device);
    assert_int_equal(rmdir(folder), 0);
}

TEST(no_folder)
{
    struct oro_error err = {0};
    struct oro_device *device = open_spread(&(struct oro_spread_options){
        .whole = 1, .tile = 96, .device_bytes = 1, .host_bytes = 1, .folder = "/no/such/folder"});
    assert_null(uploaded(device, 1, &err));
    assert_int_equal(err.code, ORO_E_WRITE);
    assert_non_null(strstr(err.text, "'/no/such/folder'"));
    device->ops->destroy(device);
}

/* A chain that does not fit says what would. */
TEST(too_small_a_device)
{
    struct oro_error err = {0};
    struct oro_device *device = open_spread(
        &(struct oro_spread_options){.whole = 1, .tile = 96, .device_bytes = 60000, .host_bytes = BYTES * 4});
    struct oro_buffer *a = uploaded(device, 1, &err), *b = new_field(device, &grid, &err);
    assert_ok(run_job(device,
                      &(struct job){.text = kernel_strips,
                                    .grid = grid,
                                    .reach = 2,
                                    .group_rows = 8,
                                    .bound = {{"from", a, 'r'}, {"to", b, 'w'}}},
                      &err),
              err);
    assert_false(device->ops->finish(device, &err));
    assert_int_equal(err.code, ORO_E_LIMIT);
    assert_non_null(strstr(err.text, "smaller tiles or a larger budget"));
    assert_has(device, a, 1);
    device->ops->buffer_destroy(device, a);
    device->ops->buffer_destroy(device, b);
    device->ops->destroy(device);
}

TEST(windows)
{
    struct oro_error err = {0};
    struct oro_device *device = open_spread(&(struct oro_spread_options){.whole = 1, .tile = 96});
    struct oro_buffer *field = uploaded(device, 7, &err);
    float *data = numbers(7), cells[50 * 60];
    struct oro_window window = {80, 90, 50, 60};
    assert_ok(device->tiles->read(device, field, &window, cells, &err), err);
    for (int i = 0; i < 50 * 60; i++)
        assert_true(cells[i] == data[(90 + i / 50) * 300 + 80 + i % 50]);
    for (int i = 0; i < 50 * 60; i++)
        data[(90 + i / 50) * 300 + 80 + i % 50] = cells[i] = (float)i;
    assert_ok(device->tiles->write(device, field, &window, cells, &err), err);
    float *back = calloc(CELLS, sizeof *back);
    assert_ok(device->ops->download(device, field, back, BYTES, &err), err);
    assert_memory_equal(data, back, BYTES);
    struct oro_window outside = {280, 0, 21, 1};
    assert_false(device->tiles->read(device, field, &outside, cells, &err));
    struct oro_window tile = device->tiles->window(device, &grid, 11);
    assert_int_equal(device->tiles->count(device, &grid), 12);
    assert_true(tile.x == 288 && tile.y == 192 && tile.width == 12 && tile.height == 8);
    free(data);
    free(back);
    device->ops->buffer_destroy(device, field);
    device->ops->destroy(device);
}

TEST(wrong_options)
{
    struct oro_error err = {0};
    struct oro_device *inner = open_inner(&err);
    assert_ok(inner, err);
    assert_null(oro_spread_create(inner, &(struct oro_spread_options){.tile = 100}, &err));
    assert_int_equal(err.code, ORO_E_USAGE);
    assert_null(oro_spread_create(inner, &(struct oro_spread_options){.tile = -32}, &err));
    assert_null(oro_spread_create(inner, &(struct oro_spread_options){.depth = -1}, &err));
    assert_int_equal(err.code, ORO_E_USAGE);
    inner->ops->destroy(inner); /* it was not taken over */
}

TEST(lost_devices)
{
    struct oro_error err = {0};
    struct oro_device *inner = open_inner(&err);
    assert_ok(inner, err);
    struct oro_device *device =
        oro_spread_create(inner, &(struct oro_spread_options){.whole = 1, .tile = 96}, &err);
    struct oro_buffer *a = uploaded(device, 1, &err), *b = new_field(device, &grid, &err);
    struct job job = {.text = kernel_strips,
                      .grid = grid,
                      .reach = 2,
                      .group_rows = 8,
                      .bound = {{"from", a, 'r'}, {"to", b, 'w'}}};
    assert_ok(run_job(device, &job, &err), err);
    oro_gpu_lose(inner);
    assert_false(device->ops->finish(device, &err));
    assert_int_equal(err.code, ORO_E_LOST);
    device->ops->buffer_destroy(device, b);
    assert_ok(device->ops->rebuild(device, &err), err);
    assert_false(device->ops->upload(device, a, &err, 4, &err));
    assert_int_equal(err.code, ORO_E_LOST);
    device->ops->buffer_destroy(device, a);
    assert_int_equal(device->used_bytes, 0);
    a = uploaded(device, 5, &err);
    assert_has(device, a, 5);
    b = new_field(device, &grid, &err);
    job.bound[0].buffer = a;
    job.bound[1].buffer = b;
    assert_ok(run_job(device, &job, &err) && device->ops->finish(device, &err), err);
    device->ops->buffer_destroy(device, a);
    device->ops->buffer_destroy(device, b);
    device->ops->destroy(device);
}

/* What nothing reads any more is gone at once, and is not stored by a chain that wrote it. */
TEST(discarded)
{
    struct oro_error err = {0};
    struct oro_device *device = open_spread(&(struct oro_spread_options){.whole = 1, .tile = 96});
    size_t least = oro_spread_counts(device).peak_tile_bytes;
    struct oro_buffer *a = uploaded(device, 1, &err), *b = new_field(device, &grid, &err);
    assert_int_equal(least, 0);
    for (int i = 0; i < 2; i++) {
        struct job job = {.text = kernel_strips,
                          .grid = grid,
                          .reach = 2,
                          .group_rows = 8,
                          .bound = {{"from", a, 'r'}, {"to", b, 'w'}}};
        assert_ok(run_job(device, &job, &err), err);
        if (i == 0)
            device->ops->discard(device, b);
        assert_ok(device->ops->finish(device, &err), err);
        assert_int_equal(oro_spread_counts(device).stored_bytes, i ? BYTES : 0);
    }
    assert_int_equal(oro_spread_counts(device).peak_tile_bytes, 2 * BYTES);
    device->ops->discard(device, a);
    struct oro_buffer *c = uploaded(device, 3, &err); /* in its place */
    assert_int_equal(oro_spread_counts(device).peak_tile_bytes, 2 * BYTES);
    assert_has(device, c, 3);
    device->ops->buffer_destroy(device, a);
    device->ops->buffer_destroy(device, b);
    device->ops->buffer_destroy(device, c);
    device->ops->destroy(device);
}
