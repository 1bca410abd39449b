/*
 * The evaluator and the cache on several ranks (CMakeLists.txt: 2 and 3): the results of one process, and
 * what fails or is decided on one rank is so on all. Where two ranks went different ways, they would wait for
 * each other until the test's time is over.
 */
#include "devices/mpi/ranks.h"
#include "tests/engine/support.h"

#define CHAIN                                                                                                \
    DOCUMENT(NOISE NODE("a", "amplify",                                                                      \
                        LINK("terrain", "noise.field") LINK("hardness", "mask.field") SET("iterations", "3") \
                            SET("thermal_iterations", "3") SET("deposition_iterations", "2"))                \
                 NODE("mask", "remap", LINK("field", "noise.field"))                                         \
                     NODE("view", "hillshade", LINK("terrain", "a.terrain")))
#define EROSION(iterations)                                                                                  \
    DOCUMENT(                                                                                                \
        NOISE NODE("sim", "fluvial_erosion", LINK("terrain", "noise.field") SET("iterations", iterations)))

static struct oro_ranks *judge; /* on which nothing ever fails: compares what became of the others */
static struct oro_ranks *ranks;

FIXTURE(start)
{
    struct oro_error err;
    judge = oro_mpi_begin(NULL, NULL, &err) ? oro_mpi_ranks(0, &err) : NULL;
    return judge ? open_device(NULL) : -1;
}

FIXTURE(end)
{
    judge->ops->destroy(judge);
    close_device(NULL);
    oro_mpi_end(false);
    return 0;
}

TEST_GROUP(start, end);

FIXTURE(connect)
{
    struct oro_error err;
    ranks = oro_mpi_ranks(1000, &err);
    return ranks ? 0 : -1;
}

FIXTURE(part)
{
    ranks->ops->destroy(ranks);
    return 0;
}

#define RANKS_TEST(name) TEST_WITH(name, connect, part)

static bool last_rank(void)
{
    return judge->rank == judge->count - 1;
}

/* Every rank's `folder` is its own: only that of rank 0 may be used. "": none. */
static struct oro_cache *cache_of(const char *folder, size_t bytes)
{
    struct oro_cache_options options = {
        .folder = folder, .device_bytes = bytes, .host_bytes = bytes, .disk_seconds = -1, .ranks = ranks};
    struct oro_cache *cache = oro_cache_create(&options);
    assert_non_null(cache);
    return cache;
}

static void assert_same_everywhere(const char *what, const char *text)
{
    struct oro_error err;
    if (!oro_ranks_same(judge, what, text, ORO_E_EVALUATE, &err))
        fail_msg("%s", err.text);
}

/* How a run went, which must be the same on all ranks. */
static void compare(const struct run *run)
{
    char digits[ORO_HASH_TEXT];
    assert_same_everywhere("outcome", run->ok ? oro_hash_text(run->data, digits) : run->err.text);
    assert_same_everywhere("steps", text_of("%d, %d", run->step_count, run->computed));
}

RANKS_TEST(the_result_of_one_process)
{
    need_device();
    struct run alone = run_ok(NULL, CHAIN, "view.image"), run = {.ranks = ranks};
    run_document(&run, CHAIN, "view.image");
    assert_true(run.ok);
    assert_same_data(run, alone);
    compare(&run);
    assert_true(ranks->bytes_sent > 0);
}

/* As a program does: planning is no part of the evaluation, and its errors are agreed on afterwards. */
static void run_and_agree(struct run *run, const char *document, const char *target)
{
    run->state_seconds = 1e-9;
    run_document(run, document, target);
    run->ok = oro_ranks_agree(run->ranks, run->ok, &run->err);
}

static bool fails_at(size_t n, const char *document, const char *target, const struct run *calm)
{
    struct oro_error err;
    char folder[64], by[128];
    make_folder(folder);
    ranks = oro_mpi_ranks(1000, &err);
    assert_non_null(ranks);
    struct run run = {.ranks = ranks, .cache = cache_of(folder, (size_t)256 << 20)};
    if (last_rank())
        oro_memory_fail_at(n);
    run_and_agree(&run, document, target);
    oro_memory_fail_at(0);
    assert_same_everywhere("outcome", run.ok ? "ok" : run.err.text);
    snprintf(by, sizeof by, "rank %d of %d on %s: ", judge->count - 1, judge->count, judge->host);
    if (run.ok)
        assert_same_data(run, *calm);
    else if (strncmp(run.err.text, by, strlen(by)) != 0)
        fail_msg("allocation %zu: '%s' does not begin with '%s'", n, run.err.text, by);
    oro_cache_destroy(run.cache);
    ranks->ops->destroy(ranks);
    remove_folder(folder);
    return !run.ok;
}

static void fail_everywhere(const char *document, const char *target)
{
    struct oro_error err;
    char folder[64];
    int failures = 0;
    need_device();
    make_folder(folder);
    ranks = oro_mpi_ranks(1000, &err);
    struct run calm = {.ranks = ranks, .cache = cache_of(folder, (size_t)256 << 20)};
    size_t before = oro_memory_count();
    run_and_agree(&calm, document, target);
    assert_true(calm.ok);
    uint64_t total = oro_memory_count() - before;
    oro_cache_destroy(calm.cache);
    remove_folder(folder);
    assert_true(ranks->ops->greatest(ranks, &total, 1, &err));
    ranks->ops->destroy(ranks);
    for (size_t n = 1; n <= total; n += total / 40 + 1)
        failures += fails_at(n, document, target, &calm);
    assert_true(failures > 10);
}

TEST(no_memory_on_one_rank_at_any_point)
{
    fail_everywhere(CHAIN, "view.image");
}

/* A state that one rank has no memory for is kept by none. */
TEST(no_memory_on_one_rank_for_states)
{
    fail_everywhere(EROSION("257"), "sim.terrain");
}

static void cancel_at_3(struct run *run, const struct oro_progress *progress)
{
    if (last_rank() && progress->done >= 3)
        oro_evaluator_cancel(run->evaluator);
}

RANKS_TEST(cancelled_by_one_rank)
{
    need_device();
    struct run run = {.ranks = ranks, .progress = cancel_at_3, .brief = true};
    run_document(&run, EROSION("1000000"), "sim.terrain");
    assert_false(run.ok);
    assert_int_equal(run.err.code, ORO_E_CANCELLED);
    assert_string_equal(run.err.node, "sim");
    compare(&run);
}

RANKS_TEST(cancelled_before_it_begins)
{
    need_device();
    struct run run = {.ranks = ranks, .cancel_first = last_rank()};
    run_document(&run, EROSION("5"), "sim.terrain");
    assert_false(run.ok);
    assert_int_equal(run.err.code, ORO_E_CANCELLED);
    assert_same_everywhere("error", run.err.text);
}

RANKS_TEST(rank_0_has_the_folder_for_all)
{
    need_device();
    char folder[64];
    make_folder(folder);
    struct run runs[2];
    for (int i = 0; i < 2; i++) {
        runs[i] = (struct run){.ranks = ranks, .cache = cache_of(folder, (size_t)256 << 20), .brief = true};
        run_document(&runs[i], CHAIN, "view.image");
        assert_true(runs[i].ok);
        compare(&runs[i]);
        oro_cache_destroy(runs[i].cache);
    }
    assert_true(runs[0].computed > 3);
    assert_int_equal(runs[1].computed, 0);
    assert_int_equal(step_of(&runs[1], "view")->outcome, ORO_STEP_DISK);
    assert_same_data(runs[0], runs[1]);
    struct oro_cache_stats stats;
    assert_true(oro_cache_disk_stats(folder, &stats, NULL));
    assert_int_equal(stats.files > 0, ranks->rank == 0);
    remove_folder(folder);
}

/* The last rank keeps nothing in memory. */
RANKS_TEST(found_in_memory_by_all_or_none)
{
    need_device();
    struct run run = {
        .ranks = ranks, .cache = cache_of("", last_rank() ? 0 : (size_t)256 << 20), .brief = true};
    for (int i = 0; i < 2; i++) {
        run_document(&run, CHAIN, "view.image");
        assert_true(run.ok);
        oro_cache_settle(run.cache);
        assert_true(run.computed > 3);
        compare(&run);
    }
    oro_cache_destroy(run.cache);
    run.cache = cache_of("", (size_t)256 << 20);
    for (int i = 0; i < 2; i++) {
        run_document(&run, CHAIN, "view.image");
        assert_true(run.ok);
        compare(&run);
    }
    assert_int_equal(run.computed, 0);
    oro_cache_destroy(run.cache);
}

/* Every rank's clock says something else about whether a state is worth keeping. */
RANKS_TEST(rank_0_decides_which_states_are_stored)
{
    need_device();
    for (int kept = 0; kept < 2; kept++) {
        bool keeps = kept == (ranks->rank == 0);
        struct run run = {.ranks = ranks,
                          .cache = cache_of("", (size_t)256 << 20),
                          .state_seconds = keeps ? 1e-9 : 1e9,
                          .brief = true};
        run_document(&run, EROSION("300"), "sim.terrain");
        assert_true(run.ok);
        run_document(&run, EROSION("260"), "sim.terrain");
        assert_true(run.ok);
        assert_int_equal(step_of(&run, "sim")->resumed_from, kept ? 256 : 0);
        compare(&run);
        oro_cache_destroy(run.cache);
    }
}
