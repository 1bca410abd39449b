/*
 * Rasters in tiles, which several ranks share over MPI: the bits of whole rasters on one device; and where
 * memory runs out on one rank at any point, all end with its error.
 */
#include "devices/mpi/ranks.h"
#include "devices/spread/spread.h"
#include "tests/engine/support.h"

#define EROSION                                                                                              \
    WORLD("extent=\"3200\" resolution=\"100\" aspect=\"0.7\" seed=\"7\"",                                    \
          NOISE NODE("f", "fluvial_erosion", LINK("terrain", "noise.field") SET("iterations", "12"))         \
              NODE("t", "thermal_erosion", LINK("terrain", "f.terrain") SET("iterations", "5"))              \
                  NODE("b", "blur", LINK("field", "t.terrain")))

static struct oro_ranks *judge, *ranks; /* on `judge` nothing ever fails */

FIXTURE(start)
{
    struct oro_error err;
    judge = oro_mpi_begin(NULL, NULL, &err) ? oro_mpi_ranks(0, &err) : NULL;
    return judge ? open_driver(NULL) : -1;
}

FIXTURE(end)
{
    judge->ops->destroy(judge);
    close_device(NULL);
    oro_mpi_end(false);
    return 0;
}

TEST_GROUP(start, end);

static void share_tiles(void)
{
    struct oro_error err;
    ranks = oro_mpi_ranks(5000, &err);
    assert_non_null(ranks);
    struct oro_spread_options options = {.whole = 500, .tile = 32, .depth = 8, .ranks = ranks};
    device = oro_spread_create(device, &options, &err);
    assert_non_null(device);
}

/* A new driver, since that of the tiles goes with them. */
static void stop_sharing(void)
{
    close_device(NULL);
    ranks->ops->destroy(ranks);
    open_driver(NULL);
    need_device();
}

static struct oro_cache *cache_of(const char *folder)
{
    struct oro_cache_options options = {.folder = folder,
                                        .device_bytes = (size_t)64 << 20,
                                        .host_bytes = (size_t)64 << 20,
                                        .disk_seconds = -1,
                                        .ranks = ranks};
    return oro_cache_create(&options);
}

static struct run run_in_tiles(struct oro_cache *cache)
{
    struct run run = {.ranks = ranks, .cache = cache};
    run_document(&run, EROSION, "b.field");
    run.ok = oro_ranks_agree(ranks, run.ok, &run.err);
    return run;
}

TEST(the_bits_of_whole_rasters)
{
    need_device();
    struct run whole = run_ok(NULL, EROSION, "b.field");
    share_tiles();
    struct run run = run_in_tiles(NULL);
    if (!run.ok)
        fail_msg("%s: %s", run.err.node, run.err.text);
    assert_same_data(run, whole);
    assert_true(ranks->count == 1 || ranks->bytes_sent > 10000);
    stop_sharing();
}

/* One that all ranks use; rank 0 removes it. */
static void make_shared_folder(char folder[64])
{
    if (judge->rank == 0)
        make_folder(folder);
    assert_true(judge->ops->broadcast(judge, 0, folder, 64, NULL));
}

static void remove_shared_folder(const char *folder)
{
    oro_ranks_all(judge, true);
    if (judge->rank == 0)
        remove_folder(folder);
}

static void store_and_find(const char *folder)
{
    share_tiles();
    struct oro_cache *cache = cache_of(folder);
    struct run first = run_in_tiles(cache);
    assert_true(first.ok);
    oro_cache_destroy(cache);
    cache = cache_of(folder);
    struct run second = run_in_tiles(cache);
    assert_true(second.ok);
    assert_int_equal(second.computed, 0);
    assert_same_data(first, second);
    oro_cache_destroy(cache);
    stop_sharing();
}

TEST(what_each_rank_stores_is_found)
{
    need_device();
    char folder[64];
    make_shared_folder(folder);
    store_and_find(folder);
    remove_shared_folder(folder);
}

TEST(what_rank_0_stores_is_found_in_tiles)
{
    need_device();
    char folder[64];
    make_folder(folder);
    store_and_find(folder);
    remove_folder(folder);
}

static bool fails_at(size_t n, const struct run *calm)
{
    struct oro_error err;
    char by[128], digits[ORO_HASH_TEXT];
    char folder[64];
    make_shared_folder(folder);
    share_tiles();
    struct oro_cache *cache = cache_of(folder);
    if (judge->rank == judge->count - 1)
        oro_memory_fail_at(n);
    struct run run = run_in_tiles(cache);
    oro_memory_fail_at(0);
    if (!oro_ranks_same(judge, "outcome", run.ok ? oro_hash_text(run.data, digits) : run.err.text,
                        ORO_E_EVALUATE, &err))
        fail_msg("allocation %zu: %s", n, err.text);
    snprintf(by, sizeof by, "rank %d of %d on %s: ", judge->count - 1, judge->count, judge->host);
    if (run.ok)
        assert_same_data(run, *calm);
    else if (strncmp(run.err.text, by, strlen(by)) != 0)
        fail_msg("allocation %zu: '%s' does not begin with '%s'", n, run.err.text, by);
    oro_cache_destroy(cache);
    stop_sharing();
    remove_shared_folder(folder);
    return !run.ok;
}

TEST(no_memory_on_one_rank_at_any_point)
{
    need_device();
    char folder[64];
    make_shared_folder(folder);
    share_tiles();
    struct oro_cache *cache = cache_of(folder);
    size_t before = oro_memory_count();
    struct run calm = run_in_tiles(cache);
    assert_true(calm.ok);
    uint64_t total = oro_memory_count() - before;
    oro_cache_destroy(cache);
    assert_true(ranks->ops->greatest(ranks, &total, 1, NULL));
    stop_sharing();
    remove_shared_folder(folder);
    int failures = 0;
    for (size_t n = 1; n <= total; n += total / 20 + 1)
        failures += fails_at(n, &calm);
    assert_true(failures > 5);
}
