/* Files of rasters that lie in tiles, on one rank and on several: the bytes of those that are written whole,
 * certificates too; and nothing is left of one that fails on any rank. */
#include <math.h>
#include <signal.h>
#include <string.h>

#include "formats/spread/spread_file.h"
#include "tests/formats/support.h"
#include "tests/spread/memory_ranks.h"
#include "tests/spread/support.h"
#include "tests/support/folder.h"

static const struct oro_grid grid = {.width = 201, .height = 151, .cell = 10};
enum { CELLS = 201 * 151, RANKS_MAX = 4 };

struct writing {
    const char *path;
    const float *heights;
    struct oro_write_options options;
    int side;                /* of tiles */
    int stopped, stops_from; /* this rank is stopped, when it has been asked so often; 0: never */
    bool ok[RANKS_MAX], fits[RANKS_MAX];
    struct oro_error errs[RANKS_MAX];
    struct oro_written written;
};

/* What a rank is asked. */
struct asking {
    int left; /* 0: it is never stopped */
};

static bool stop(void *user)
{
    struct asking *asking = user;
    return asking->left > 0 && --asking->left == 0;
}

static const struct oro_heightfield about = {.width = 201, .height = 151, .cell = 10, .metres = true};

static bool write_tiles(struct writing *w, struct oro_device *device, struct oro_buffer *buffer, int rank,
                        struct oro_error *err)
{
    struct oro_height_range range;
    struct oro_write_options options = w->options;
    struct oro_written unknown;
    struct asking asking = {rank == w->stopped ? w->stops_from : 0};
    struct oro_spread_raster raster = {device, buffer, grid, stop, &asking};
    bool seen = false;
    options.written = rank == 0 ? &w->written : &unknown;
    if (!device->ops->upload(device, buffer, w->heights, CELLS * sizeof(float), err) ||
        !oro_spread_raster_range(&raster, &range, err))
        return false;
    w->fits[rank] = oro_spread_file_fits(w->path, &raster, &about, &range, &options);
    return !w->fits[rank] ||
           (oro_spread_file_write(w->path, &raster, &about, &range, &options, &seen, err) && seen);
}

static void write_rank(void *user, struct oro_ranks *ranks)
{
    struct writing *w = user;
    struct oro_error *err = &w->errs[ranks->rank];
    struct oro_spread_options options = {.whole = 500, .tile = w->side, .depth = 8, .ranks = ranks};
    struct oro_device *inner = open_inner(err);
    struct oro_device *device = inner ? oro_spread_create(inner, &options, err) : NULL;
    if (!device)
        return;
    struct oro_buffer *buffer = new_field(device, &grid, err);
    w->ok[ranks->rank] =
        oro_spread_settle(device, buffer && write_tiles(w, device, buffer, ranks->rank, err), err);
    device->ops->buffer_destroy(device, buffer);
    device->ops->destroy(device);
}

/* Bumps of all sizes on a slope, with noise between them: pits, lakes over many tiles, and level ground. */
static void make_ground(float heights[CELLS], float rough)
{
    for (int y = 0; y < grid.height; y++)
        for (int x = 0; x < grid.width; x++) {
            float bumps = (float)((x / 40 % 3) * (y / 30 % 3)) + (float)random_below(100) * 0.02f;
            heights[y * grid.width + x] = (rough * bumps + 0.02f * (float)(x + y)) * 20;
        }
}

/* By so many ranks, as `w` says; then everything is the same as of the whole. */
static struct oro_written assert_same_files(struct writing w, const char *name, int ranks)
{
    const char *whole = new_folder("whole"), *parts = new_folder("parts");
    struct oro_heightfield field = make_field(grid.width, grid.height, w.heights);
    struct oro_written written = {0};
    field.cell = about.cell;
    field.metres = true;
    w.options.written = &written;
    write_field(file_in(whole, name), &field, &w.options);
    w.path = file_in(parts, name);
    with_ranks(ranks, write_rank, &w);
    for (int i = 0; i < ranks; i++)
        if (!w.ok[i] || !w.fits[i])
            fail_msg("%s, rank %d of %d: %s", name, i, ranks, w.ok[i] ? "does not fit" : w.errs[i].text);
    assert_same_tree(whole, parts);
    assert_int_equal(remove_tree(whole), 0);
    assert_int_equal(remove_tree(parts), 0);
    oro_heightfield_free(&field);
    return w.written;
}

static float ground[CELLS];

TEST(files_of_the_whole)
{
    const struct oro_tiling tiling = {.side = 51, .overlap = 1};
    size_t lakes = 0;
    for (int ranks = 1; ranks <= RANKS_MAX; ranks += ranks) {
        struct writing w = {.heights = ground, .side = ranks == 2 ? 32 : 64};
        make_ground(ground, 1);
        lakes += assert_same_files(w, "a.r32", ranks).measure.drainage.depressions;
        w.options.tiling = &tiling;
        assert_same_files(w, "a.png", ranks);
        w.options = (struct oro_write_options){.has_range = true, .low = 20, .high = 120};
        assert_same_files(w, "clipped.r16", ranks);
        make_ground(ground, 0); /* drains, and 16 bits do across level ground */
        w.options = (struct oro_write_options){.require_drained = true};
        assert_int_equal(assert_same_files(w, "even.r32", ranks).measure.drainage.depressions, 0);
        w.options = (struct oro_write_options){.has_range = true, .high = 60000};
        assert_true(assert_same_files(w, "even.r16", ranks).measure.drainage.flats > 0);
        w.options = (struct oro_write_options){.not_terrain = true};
        assert_same_files(w, "mask.r16", ranks);
    }
    assert_true(lakes > 100);
}

static void write_by(struct writing *w, const char *name, int ranks)
{
    w->path = in_folder(name);
    memset(w->ok, 0, sizeof w->ok);
    with_ranks(ranks, write_rank, w);
}

TEST(what_does_not_fit_is_told_to_all)
{
    static const char *const names[] = {"a.png", "a.exr", "a.tif", "none/a.r32"};
    struct writing w = {.heights = ground, .side = 64, .options = {.cog = true}};
    make_ground(ground, 1);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        w.options.cog = strcmp(names[i], "a.tif") == 0;
        write_by(&w, names[i], 3);
        for (int k = 0; k < 3; k++)
            assert_true(w.ok[k] && !w.fits[k]);
    }
    memset(ground, 0, sizeof ground); /* levels need a range */
    write_by(&w, "flat.r16", 2);
    assert_true(w.ok[0] && !w.fits[0] && w.ok[1] && !w.fits[1]);
    assert_int_equal(files_in_folder(), 0);
}

static void assert_failed(const struct writing *w, int ranks, enum oro_code code, const char *part)
{
    for (int i = 0; i < ranks; i++) {
        assert_true(!w->ok[i]);
        assert_int_equal(w->errs[i].code, code);
        if (!strstr(w->errs[i].text, part))
            fail_msg("'%s' was to be in '%s'", part, w->errs[i].text);
    }
    assert_int_equal(files_in_folder(), 0);
}

TEST(nothing_is_left_of_what_fails)
{
    struct writing w = {.heights = ground, .side = 32, .options = {.require_drained = true}};
    make_ground(ground, 1);
    write_by(&w, "a.r32", 3);
    assert_failed(&w, 3, ORO_E_WRITE, "is not written: it would have ");
    w.options.require_drained = false;
    ground[CELLS - 1] = NAN; /* in the last tile, of the last rank */
    write_by(&w, "a.r32", 3);
    assert_failed(&w, 3, ORO_E_WRITE, "cell 200,150 is NaN");
    ground[CELLS - 1] = 0;
    w.stopped = 2;
    for (w.stops_from = 1; w.stops_from < 40; w.stops_from += 13) {
        write_by(&w, "a.r16", 3);
        assert_failed(&w, 3, ORO_E_CANCELLED, "cancelled");
    }
    w.stops_from = 0;
    const struct oro_tiling tiling = {.side = 51, .overlap = 1};
    w.options.tiling = &tiling;
    limit_files(2000); /* the disk is full; not for small files */
    write_by(&w, "a.r32", 3);
    limit_files(RLIM_INFINITY);
    assert_failed(&w, 3, ORO_E_WRITE, "cannot write '");
}

FIXTURE(begin)
{
    struct oro_error err;
    struct oro_device *inner = open_inner(&err);
    signal(SIGXFSZ, SIG_IGN);
    if (inner)
        inner->ops->destroy(inner);
    return inner ? folder_setup(state) : -1;
}

TEST_GROUP(begin, folder_teardown);
