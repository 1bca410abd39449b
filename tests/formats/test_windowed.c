/* Files written window by window, by one process and by several at once: the same bytes, and those of a whole
 * export; raw samples read so; what is refused, and what is left behind. Through GDAL: test_geo_windows.c. */
#define _DEFAULT_SOURCE /* for MAP_ANONYMOUS */
#include "support.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file_digest.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "formats/reader/reader.h"
#include "formats/writer/writer.h"

enum { WIDTH = 61, HEIGHT = 46, PROCESSES = 4, CUTS = 7, WINDOWS = CUTS * CUTS };

/* ---- Windows that cover the raster, of random sizes, in random order ---- */

/* Ends of CUTS parts of a side, some of which may be empty. */
static void cut(int side, int ends[CUTS + 1])
{
    for (int i = 1; i < CUTS; i++)
        ends[i] = random_below(side + 1);
    ends[0] = 0;
    ends[CUTS] = side;
    for (int i = 1; i < CUTS; i++)
        for (int k = i; k > 1 && ends[k] < ends[k - 1]; k--) {
            int swap = ends[k];
            ends[k] = ends[k - 1];
            ends[k - 1] = swap;
        }
}

static void make_windows(struct oro_cell_window windows[WINDOWS])
{
    int xs[CUTS + 1], ys[CUTS + 1];
    cut(WIDTH, xs);
    cut(HEIGHT, ys);
    for (int i = 0; i < WINDOWS; i++) {
        int x = i % CUTS, y = i / CUTS;
        windows[i] = (struct oro_cell_window){xs[x], ys[y], xs[x + 1] - xs[x], ys[y + 1] - ys[y]};
    }
    for (int i = WINDOWS - 1; i > 0; i--) {
        int k = random_below(i + 1);
        struct oro_cell_window swap = windows[i];
        windows[i] = windows[k];
        windows[k] = swap;
    }
}

static bool put_window(struct oro_writer *writer, const struct oro_heightfield *field,
                       const struct oro_cell_window *window, struct oro_error *err)
{
    size_t width = (size_t)window->width;
    if (width == 0 || window->height == 0)
        return true;
    float *heights = oro_alloc(width * (size_t)window->height, sizeof *heights);
    for (int y = 0; y < window->height; y++)
        memcpy(heights + (size_t)y * width, field->data + (window->y + y) * field->width + window->x,
               width * sizeof *heights);
    bool ok = oro_writer_put(writer, window, heights, err);
    oro_free(heights);
    return ok;
}

/* ---- Several processes ---- */

struct shared {
    pthread_barrier_t together;
    struct oro_writer_sum sums[PROCESSES];
};

struct task {
    const char *path, *folder;
    const struct oro_heightfield *field;
    const struct oro_writer_options *options;
    const struct oro_cell_window *windows;
    struct shared *shared;
    int number, count;
};

/* What a process of several does; ends it. */
static void take_part(const struct task *task)
{
    struct oro_error err = {0};
    struct oro_writer_sum all = {0};
    alarm(60);
    struct oro_writer *writer = oro_writer_join(task->path, task->field, task->options, task->folder, &err);
    bool ok = writer != NULL;
    for (int i = task->number; ok && i < WINDOWS; i += task->count)
        ok = put_window(writer, task->field, &task->windows[i], &err);
    if (ok)
        task->shared->sums[task->number] = oro_writer_sum(writer);
    pthread_barrier_wait(&task->shared->together);
    for (int i = 0; i < task->count; i++)
        oro_writer_add(&all, &task->shared->sums[i]);
    ok = ok && oro_writer_seal(writer, &all, task->number, task->count, &err);
    oro_writer_leave(writer);
    if (!ok)
        fprintf(stderr, "process %d: %s\n", task->number, err.text);
    _exit(ok ? 0 : 1);
}

static struct shared *share(int count)
{
    const int no_file = -1, flags = MAP_SHARED | MAP_ANONYMOUS;
    /* cppcheck-suppress invalidFunctionArg; memory without a file has this number */
    struct shared *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, flags, no_file, 0);
    pthread_barrierattr_t attributes;
    assert_true(shared != MAP_FAILED);
    pthread_barrierattr_init(&attributes);
    pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_barrier_init(&shared->together, &attributes, (unsigned)count);
    pthread_barrierattr_destroy(&attributes);
    return shared;
}

/* Writes the field by so many processes, each other windows of it in random order. */
static void write_by(int count, const char *path, const struct oro_heightfield *field,
                     const struct oro_writer_options *options)
{
    struct oro_error err = {0};
    struct oro_cell_window windows[WINDOWS];
    struct oro_writer_sum all = {0};
    struct oro_written written;
    struct oro_writer *writer = oro_writer_begin(path, field, options, &err);
    if (!writer)
        fail_msg("%s", err.text);
    make_windows(windows);
    struct shared *shared = share(count);
    pid_t children[PROCESSES];
    for (int i = 0; i < count; i++) {
        struct task task = {path, oro_writer_folder(writer), field, options, windows, shared, i, count};
        children[i] = fork();
        if (children[i] == 0)
            take_part(&task);
    }
    for (int i = 0; i < count; i++) {
        int status = -1;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
        oro_writer_add(&all, &shared->sums[i]);
    }
    munmap(shared, sizeof *shared);
    if (!oro_writer_finish(writer, &all, NULL, &written, &err))
        fail_msg("%s", err.text);
    assert_int_equal(written.measure.width, WIDTH);
}

/* Writes the whole as one window, and says whether it worked. */
static bool write_at_once(const char *name, const struct oro_heightfield *field,
                          const struct oro_writer_options *options, struct oro_error *err)
{
    struct oro_writer *writer = oro_writer_begin(in_folder(name), field, options, err);
    if (!writer)
        return false;
    bool ok = oro_writer_put(writer, &(struct oro_cell_window){0, 0, field->width, 4}, field->data, err) &&
              oro_writer_put(writer, &(struct oro_cell_window){0, 4, field->width, field->height - 4},
                             field->data + 4 * field->width, err);
    struct oro_writer_sum sum = oro_writer_sum(writer);
    if (ok && oro_writer_seal(writer, &sum, 0, 1, err))
        return oro_writer_finish(writer, &sum, NULL, NULL, err);
    oro_writer_abort(writer);
    return false;
}

/* The folders of 1, 2 and 4 processes, whose windows are others each time. */
static void expect_same(const char *name, const struct oro_heightfield *field,
                        const struct oro_writer_options *options, const char *whole)
{
    static const int counts[] = {1, 2, 4};
    const char *first = whole ? whole : new_folder("first");
    if (!whole)
        write_by(1, file_in(first, name), field, options);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        const char *again = new_folder("again");
        write_by(counts[i], file_in(again, name), field, options);
        assert_same_tree(first, again);
    }
}

/* Also against what is written at once. */
static void expect_whole(const char *name, const struct oro_heightfield *field,
                         struct oro_writer_options options)
{
    const char *whole = new_folder("whole");
    struct oro_write_options write = options.write;
    write.not_terrain = true; /* drainage is not known by windows */
    write_field(file_in(whole, name), field, &write);
    expect_same(name, field, &options, whole);
}

static struct oro_heightfield make_placed(void)
{
    struct oro_heightfield field = make_hills(WIDTH, HEIGHT);
    field.metres = true;
    field.place = (struct oro_place){oro_copy_text("EPSG:32632"), 400000, 5000000};
    return field;
}

/* Windows that are less than a tile, and some that cover several; a sea of the whole, which its tiles have
 * not; sidecars of what is taken for large, which get a sample last. */
TEST(windows_are_those_of_the_whole)
{
    static const struct oro_tiling small = {.side = 16, .overlap = 1, .name = "{n}-{y}-{x}"},
                                   large = {.side = 46, .overlap = 31, .y_north = true};
    static const struct {
        const char *name;
        double sea;
        bool sampled;
        struct oro_writer_options options;
    } cases[] = {
        {"a.r32", 0, false, {.block = 0}},
        {"a.r16", 0, false, {.write = {.has_range = true, .high = 700, .big_endian = true}}},
        {"a.raw", 12, false, {.write = {.has_range = true, .high = 900}}},
        {"l.r32", 0, true, {.block = 0}},
        {"l.zarr", 0, true, {.block = 0}},
        {"t.png", 0, false, {.write = {.has_range = true, .low = -5, .high = 1200, .tiling = &small}}},
        {"t.r16", 350, false, {.write = {.has_range = true, .low = -5, .high = 1200, .tiling = &large}}},
        {"t.r32", 350, false, {.write = {.tiling = &large}}},
        {"c.zarr", 0, false, {.write = {.bits = 16, .has_range = true, .high = 1000}}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct oro_heightfield field = make_placed();
        field.has_sea_level = cases[i].sea > 0;
        field.sea_level = cases[i].sea;
        oro_sample_from(cases[i].sampled);
        expect_whole(cases[i].name, &field, cases[i].options);
        oro_sample_from(0);
        oro_heightfield_free(&field);
    }
}

/* The bytes of the whole, by two windows. */
static void expect_halves(const char *name, int width, int height, struct oro_writer_options options)
{
    struct oro_heightfield field = make_hills(width, height);
    struct oro_error err = {0};
    char again[64];
    field.metres = true;
    options.write.has_range = true;
    options.write.high = 1000;
    if (oro_writer_fits(in_folder(name), &field, &options, NULL)) {
        struct oro_write_options write = options.write;
        write.not_terrain = true;
        write_field(file_in(new_folder("whole"), name), &field, &write);
        new_folder("again");
        snprintf(again, sizeof again, "again/%s", name);
        if (!write_at_once(again, &field, &options, &err))
            fail_msg("%s", err.text);
        assert_same_tree(in_folder("whole"), in_folder("again"));
    }
    oro_heightfield_free(&field);
}

/* Rows from the south, as Unity has them; figures in every tile's sidecar, which are those of the whole; the
 * chunks of a raster that needs four. */
TEST(halves_are_those_of_the_whole)
{
    static const struct oro_tiling tiling = {.side = 127, .overlap = 1};
    for (int i = 1; oro_engine_names[i]; i++) {
        struct oro_writer_options options = {.write = {.engine = oro_engine_at(i)}};
        expect_halves("s.raw", 33, 33, options);
        options.write.tiling = &tiling;
        expect_halves("e.raw", 253, 127, options);
    }
    expect_halves("s.zarr", 1030, 1100, (struct oro_writer_options){.write = {.bits = 16}});
}

TEST(chunks_do_not_tell_who_wrote_them)
{
    struct oro_heightfield field = make_placed();
    struct oro_writer_options options = {.block = 8};
    expect_same("c.zarr", &field, &options, NULL);
    options.block = 16;
    options.write = (struct oro_write_options){.bits = 16, .has_range = true, .high = 1000};
    expect_same("c.zarr", &field, &options, NULL);
    oro_heightfield_free(&field);
}

#ifdef OROGRAPH_GDAL
TEST(blocks_do_not_tell_who_wrote_them)
{
    struct oro_heightfield field = make_placed();
    struct oro_writer_options options = {.block = 16};
    expect_same("b.tif", &field, &options, NULL);
    struct oro_heightfield again = read_field(file_in(in_folder("again"), "b.tif"), NULL);
    assert_memory_equal(again.data, field.data, WIDTH * HEIGHT * sizeof(float));
    assert_true(again.cell == 12.5 && again.place.west == 400000 && again.place.north == 5000000);
    oro_heightfield_free(&again);
    options.write = (struct oro_write_options){.bits = 16, .has_range = true, .high = 1000};
    expect_same("b.tif", &field, &options, NULL);
    write_field(in_folder("levels.tif"), &field, &options.write);
    again = read_field(file_in(in_folder("again"), "b.tif"), NULL);
    struct oro_heightfield whole = read_field(in_folder("levels.tif"), NULL);
    assert_memory_equal(again.data, whole.data, WIDTH * HEIGHT * sizeof(float));
    oro_heightfield_free(&whole);
    oro_heightfield_free(&again);
    oro_heightfield_free(&field);
}
#endif

/* ---- What is refused ---- */

static void expect_unwritable(const char *name, const struct oro_heightfield *field,
                              const struct oro_writer_options *options, const char *part)
{
    struct oro_error err = {0};
    size_t before = files_in_folder();
    assert_null(oro_writer_begin(in_folder(name), field, options, &err));
    if (!strstr(err.text, part))
        fail_msg("'%s' does not say '%s'", err.text, part);
    assert_int_equal(files_in_folder(), before);
    assert_false(oro_writer_fits(in_folder(name), field, options, NULL));
}

TEST(what_needs_the_whole_is_refused)
{
    const struct oro_tiling five = {.side = 5, .overlap = 1};
    struct oro_heightfield field = make_hills(13, 9), huge = {.width = 131073, .height = 1};
    const struct oro_writer_options none = {0};
    expect_unwritable("w.png", &field, &none, "cannot be written by windows");
    expect_unwritable("w.doc", &field, &none, "no known format");
    expect_unwritable("w.r16", &field, &none, "needs a range");
    expect_unwritable("w.r32", &huge, &none, "sides are 1..131072");
    expect_unwritable("missing/w.r32", &field, &none, "No such file");
    expect_unwritable("w.tif", &field, &(struct oro_writer_options){.write = {.cog = true}},
                      "needs the whole");
    expect_unwritable("w.zarr", &field, &(struct oro_writer_options){.write = {.zstd = true}},
                      "needs the whole");
    expect_unwritable("w.r32", &field, &(struct oro_writer_options){.write = {.drain = ORO_DRAIN_REPAIR}},
                      "draining needs the whole");
    expect_unwritable("w.r32", &field, &(struct oro_writer_options){.has_nodata = true}, "no height");
    expect_unwritable("w.tif", &field, &(struct oro_writer_options){.block = 20}, "multiples of 16");
    expect_unwritable("w.tif", &field, &(struct oro_writer_options){.write = {.tiling = &five}},
                      "tiles that");
    expect_unwritable("w.zarr", &field, &(struct oro_writer_options){.write = {.tiling = &five}},
                      "tiles that");
    expect_unwritable("w.r32", &field, &(struct oro_writer_options){.write = {.has_range = true}},
                      "low < high");
    field.height = 8;
    expect_unwritable("w.r32", &field, &(struct oro_writer_options){.write = {.tiling = &five}},
                      "heights of");
    field.height = 9;
    oro_heightfield_free(&field);
}

static struct oro_writer *begin(const char *name, const struct oro_heightfield *field,
                                const struct oro_writer_options *options)
{
    struct oro_error err = {0};
    struct oro_writer *writer = oro_writer_begin(in_folder(name), field, options, &err);
    if (!writer)
        fail_msg("%s", err.text);
    return writer;
}

TEST(windows_that_are_wrong)
{
    static const struct oro_cell_window wrong[] = {{-1, 0, 2, 2}, {0, 0, 14, 1}, {0, 0, 1, 10},
                                                   {12, 8, 1, 2}, {0, 0, 0, 1},  {5, 5, INT32_MAX, 1}};
    struct oro_heightfield field = make_hills(13, 9);
    struct oro_error err = {0};
    size_t before = files_in_folder();
    struct oro_writer *writer = begin("w.r32", &field, &(struct oro_writer_options){0});
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(oro_writer_put(writer, &wrong[i], field.data, &err));
        assert_int_equal(err.code, ORO_E_USAGE);
    }
    field.data[5] = NAN;
    assert_false(oro_writer_put(writer, &(struct oro_cell_window){2, 3, 6, 1}, field.data, &err));
    assert_non_null(strstr(err.text, "cell 7,3 is NaN"));
    /* All but one cell: nothing is written. */
    field.data[5] = 1;
    assert_true(oro_writer_put(writer, &(struct oro_cell_window){0, 0, 13, 8}, field.data, &err) &&
                oro_writer_put(writer, &(struct oro_cell_window){1, 8, 12, 1}, field.data, &err));
    struct oro_writer_sum sum = oro_writer_sum(writer);
    assert_true(oro_writer_seal(writer, &sum, 0, 1, &err));
    assert_false(oro_writer_finish(writer, &sum, NULL, NULL, &err));
    assert_non_null(strstr(err.text, "116 cells were put, and it has 117"));
    assert_int_equal(files_in_folder(), before);
    oro_writer_abort(begin("w.r32", &field, &(struct oro_writer_options){0}));
    assert_int_equal(files_in_folder(), before);
    oro_heightfield_free(&field);
}

struct kind {
    const char *name;
    struct oro_writer_options options;
};
static const struct oro_tiling nine = {.side = 9, .overlap = 1};
static const struct kind kinds[] = {
    {"k.r32", {.block = 0}},
    {"k.zarr", {.block = 8}},
    {"k.png", {.write = {.has_range = true, .high = 1000, .tiling = &nine}}},
#ifdef OROGRAPH_GDAL
    {"k.tif", {.block = 16}},
#endif
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

TEST(a_disk_that_fills_leaves_nothing)
{
    static const rlim_t limits[] = {10, 100, 400, 700, 1500, 4000};
    struct oro_heightfield field = make_hills(33, 25);
    size_t before = files_in_folder();
    signal(SIGXFSZ, SIG_IGN);
    for (int k = 0; k < KINDS; k++) {
        size_t failed = 0;
        for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
            struct oro_error err = {0};
            limit_files(limits[i]);
            bool ok = write_at_once(kinds[k].name, &field, &kinds[k].options, &err);
            limit_files(RLIM_INFINITY);
            failed += !ok;
            assert_true(ok || err.code == ORO_E_WRITE);
            if (!ok)
                assert_int_equal(files_in_folder(), before);
            before = files_in_folder();
        }
        assert_true(failed >= 3);
    }
    oro_heightfield_free(&field);
}

/* Every allocation of the first forty, which are those of beginning, then some. */
TEST(no_memory_leaves_nothing)
{
    struct oro_heightfield field = make_hills(17, 17);
    oro_parallel_force(1);
    for (int k = 0; k < KINDS; k++) {
        char name[32];
        snprintf(name, sizeof name, "m%s", kinds[k].name);
        size_t before = files_in_folder();
        bool ok = false;
        for (size_t n = 1; !ok; n += n < 40 ? 1 : 7) {
            struct oro_error err = {0};
            oro_memory_fail_at(n);
            ok = write_at_once(name, &field, &kinds[k].options, &err);
            oro_memory_fail_at(0);
            if (!ok && err.code != ORO_E_MEMORY)
                fail_msg("%s, allocation %zu: %s", name, n, err.text);
            assert_true(ok || files_in_folder() == before);
        }
    }
    oro_parallel_force(0);
    oro_heightfield_free(&field);
}

/* ---- A folder in the place of another ---- */

TEST(only_an_array_is_replaced)
{
    struct oro_heightfield field = make_hills(33, 25);
    struct oro_error err = {0};
    const struct oro_writer_options options = {.block = 8}, other = {.block = 32};
    assert_true(write_at_once("r.zarr", &field, &options, &err));
    assert_true(file_exists(in_folder("r.zarr/height/3.4")));
    size_t before = files_in_folder();
    assert_true(write_at_once("r.zarr", &field, &other, &err));
    assert_false(file_exists(in_folder("r.zarr/height/3.4")));
    assert_true(file_exists(in_folder("r.zarr/height/0.0")));
    write_field(in_folder("r.zarr"), &field, NULL);
    assert_int_equal(files_in_folder(), before);
    put_text(in_folder("r.zarr/height/notes.txt"), "mine");
    assert_false(write_at_once("r.zarr", &field, &options, &err));
    assert_non_null(strstr(err.text, "holds other files"));
    assert_false(oro_heightfield_write(in_folder("r.zarr"), &field, NULL, &err));
    assert_non_null(strstr(err.text, "holds other files"));
    assert_true(file_exists(in_folder("r.zarr/height/notes.txt")));
    assert_int_equal(files_in_folder(), before);
    oro_heightfield_free(&field);
}

/* ---- Reading ---- */

TEST(windows_of_raw_samples)
{
    struct oro_heightfield field = make_placed();
    const struct oro_engine *unity = NULL;
    for (int i = 1; oro_engine_names[i]; i++)
        if (oro_engine_at(i)->south_first && !unity)
            unity = oro_engine_at(i);
    write_field(in_folder("x.r32"), &field, NULL);
    expect_cropped(in_folder("x.r32"), NULL);
    write_field(in_folder("x.r16"), &field,
                &(struct oro_write_options){.big_endian = true, .has_range = true, .low = 3, .high = 707});
    expect_cropped(in_folder("x.r16"), NULL);
    expect_cropped(in_folder("x.r16"), &(struct oro_read_options){.has_range = true, .low = -1, .high = 1});
    remove(in_folder("x.r16.json"));
    expect_cropped(in_folder("x.r16"), &(struct oro_read_options){.width = WIDTH, .south_first = true});
    oro_heightfield_free(&field);
    field = make_hills(33, 33);
    field.metres = true;
    assert_non_null(unity);
    write_field(in_folder("u.raw"), &field, &(struct oro_write_options){.engine = unity});
    expect_cropped(in_folder("u.raw"), NULL);
    write_field(in_folder("u.pfm"), &field, NULL);
    expect_cropped(in_folder("u.pfm"), NULL);
    oro_heightfield_free(&field);
}

static void expect_unreadable(const char *name, const struct oro_read_options *options, enum oro_code code,
                              const char *part)
{
    struct oro_error err = {0};
    assert_null(oro_reader_open(in_folder(name), options, ORO_WINDOWS_BLOCKS, &err));
    assert_int_equal(err.code, code);
    if (!strstr(err.text, part))
        fail_msg("'%s' does not say '%s'", err.text, part);
}

/* Raw samples that are no heights are holes. */
TEST(raw_holes)
{
    const float heights[] = {1, -9999, 3, NAN};
    const struct oro_cell_window all = {0, 0, 2, 2}, first = {0, 0, 1, 1};
    struct oro_read_options options = {
        .width = 2,
        .height = 2,
    };
    struct oro_error err = {0};
    float got[4];
    put_file(in_folder("holes.r32"), heights, sizeof heights);
    struct oro_reader *reader = oro_reader_open(in_folder("holes.r32"), &options, ORO_WINDOWS_BLOCKS, &err);
    assert_non_null(reader);
    assert_true(oro_reader_about(reader)->holes);
    assert_true(oro_reader_window(reader, &all, true, got, &err));
    assert_true(got[0] == 1 && isnan(got[1]) && got[2] == 3 && isnan(got[3]));
    assert_false(oro_reader_window(reader, &all, false, got, &err));
    assert_non_null(strstr(err.text, "no height in cell 1,0"));
    assert_true(oro_reader_window(reader, &first, false, got, &err));
    oro_reader_close(reader);
    options.has_nodata = true;
    options.nodata = 3;
    reader = oro_reader_open(in_folder("holes.r32"), &options, ORO_WINDOWS_BLOCKS, &err);
    assert_true(oro_reader_window(reader, &all, true, got, &err));
    assert_true(got[0] == 1 && got[1] == -9999 && isnan(got[2]) && isnan(got[3]));
    oro_reader_close(reader);
}

TEST(what_is_not_read_by_windows)
{
    static const struct oro_cell_window wrong[] = {{-1, 0, 1, 1}, {0, 0, 62, 1}, {0, 46, 1, 1}, {0, 0, 1, 0}};
    struct oro_heightfield field = make_placed();
    struct oro_error err = {0};
    float height;
    write_field(in_folder("p.png"), &field, NULL);
    write_field(in_folder("p.r32"), &field, NULL);
    expect_unreadable("p.png", NULL, ORO_E_FILE, "cannot be read by windows");
    expect_unreadable("p.tiles.json", NULL, ORO_E_FILE, "cannot be read by windows");
    expect_unreadable("p.glb", NULL, ORO_E_FILE, "cannot be read by windows");
    expect_unreadable("none.r32", NULL, ORO_E_FILE, "No such file");
    expect_unreadable("p.r32", &(struct oro_read_options){.crs = "EPSG:32632"}, ORO_E_USAGE,
                      "need the whole");
    expect_unreadable("p.r32", &(struct oro_read_options){.width = 131073}, ORO_E_USAGE,
                      "sides are 1..131072");
    expect_unreadable("p.r32", &(struct oro_read_options){.width = 60}, ORO_E_FILE, "given width");
    struct oro_reader *reader = oro_reader_open(in_folder("p.r32"), NULL, ORO_WINDOWS_BLOCKS, &err);
    assert_non_null(reader);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(oro_reader_window(reader, &wrong[i], false, &height, &err) || err.code != ORO_E_USAGE);
    assert_int_equal(truncate(in_folder("p.r32"), 4000), 0);
    assert_false(oro_reader_window(reader, &(struct oro_cell_window){60, 45, 1, 1}, false, &height, &err));
    assert_non_null(strstr(err.text, "truncated"));
    oro_reader_close(reader);
    field.data[WIDTH + 2] = INFINITY;
    put_file(in_folder("p.r32"), field.data, WIDTH * HEIGHT * sizeof(float));
    reader = oro_reader_open(in_folder("p.r32"), NULL, ORO_WINDOWS_BLOCKS, &err);
    assert_true(oro_reader_window(reader, &(struct oro_cell_window){0, 0, 1, 1}, true, &height, &err));
    assert_false(oro_reader_window(reader, &(struct oro_cell_window){2, 1, 1, 1}, false, &height, &err));
    assert_non_null(strstr(err.text, "cell 2,1"));
    oro_reader_close(reader);
    oro_heightfield_free(&field);
}

/* Larger than what is read at once: the sizes of sidecars and raw files are allowed, their cells are not
 * read. */
TEST(rasters_that_are_too_large_for_the_whole)
{
    struct oro_error err = {0};
    float heights[4];
    FILE *file = fopen(in_folder("large.r16"), "wb");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(truncate(in_folder("large.r16"), (off_t)131072 * 40000 * 2), 0); /* a hole: no disk */
    put_text(in_folder("large.r16.json"), "{\"width\": 131072, \"height\": 40000}");
    expect_refused(in_folder("large.r16"), NULL, ORO_E_FILE,
                   "is 131072x40000: at most 32768 cells a side are read");
    struct oro_reader *reader = oro_reader_open(in_folder("large.r16"), NULL, ORO_WINDOWS_BLOCKS, &err);
    if (!reader)
        fail_msg("%s", err.text);
    assert_int_equal(oro_reader_about(reader)->field.height, 40000);
    assert_true(
        oro_reader_window(reader, &(struct oro_cell_window){131070, 39998, 2, 2}, false, heights, &err));
    assert_true(heights[0] == 0 && heights[3] == 0);
    oro_reader_close(reader);
    remove(in_folder("large.r16"));
}

TEST_GROUP(folder_setup, folder_teardown);
