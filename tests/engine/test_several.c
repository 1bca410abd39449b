/* Several iterations in one dispatch: pictures and states come when they would come otherwise, with the same
 * bits. */
#include "tests/engine/support.h"

#define SIMULATION(iterations)                                                                               \
    DOCUMENT(                                                                                                \
        NOISE NODE("sim", "fluvial_erosion", LINK("terrain", "noise.field") SET("iterations", iterations)))

#define WATER(iterations)                                                                                    \
    DOCUMENT(NOISE NODE("sim", "hydraulic_erosion",                                                          \
                        LINK("terrain", "noise.field") SET("neighbours", "4")                                \
                            SET("iterations", iterations)))

static const struct oro_dispatch_shape four = {4, 16, 16, 2};

static struct run run_kernels(struct run run, const char *document)
{
    run.kernels_only = true;
    run_document(&run, document, "sim.terrain");
    if (!run.ok)
        fail_msg("%s", run.err.text);
    return run;
}

static struct run one_by_one(const char *document)
{
    return run_kernels((struct run){.per_dispatch = {.times = 1}}, document);
}

struct shown {
    int done[16], count;
    struct oro_hash at_twenty;
};

static void take(struct run *run, const struct oro_live *live)
{
    struct shown *shown = run->user;
    assert_true(shown->count < 16);
    shown->done[shown->count++] = live->done;
    if (live->done == 20)
        shown->at_twenty = oro_hash_of(oro_value_host(live->value, NULL), oro_value_bytes(live->value));
}

TEST(pictures_come_when_asked_for)
{
    need_device();
    struct shown shown = {0};
    struct run run = run_kernels(
        (struct run){.per_dispatch = four, .live = take, .live_every = 10, .user = &shown}, SIMULATION("45"));
    assert_same_data(run, one_by_one(SIMULATION("45")));
    assert_int_equal(shown.count, 6);
    static const int done[] = {0, 10, 20, 30, 40, 45};
    for (int i = 0; i < 6; i++)
        assert_int_equal(shown.done[i], done[i]);
    assert_true(oro_hash_equal(shown.at_twenty, one_by_one(SIMULATION("20")).data));
}

/* 3 dispatches of four to each picture, but for the last. */
TEST(dispatches_are_as_long_as_pictures_allow)
{
    need_device();
    struct shown shown = {0};
    struct run watched = run_kernels(
        (struct run){.per_dispatch = four, .live = take, .live_every = 10, .user = &shown}, SIMULATION("45"));
    struct run unwatched = run_kernels((struct run){.per_dispatch = four}, SIMULATION("45"));
    struct run single = one_by_one(SIMULATION("45"));
    uint64_t others = step_of(&single, "sim")->dispatches - 45;
    assert_int_equal(step_of(&watched, "sim")->dispatches - others, 4 * 3 + 2);
    assert_int_equal(step_of(&unwatched, "sim")->dispatches - others, 12);
}

static void expect_resumed(const char *whole, struct oro_dispatch_shape per_dispatch, const char *shorter,
                           struct oro_dispatch_shape others)
{
    struct oro_cache *cache = new_cache(NULL);
    run_kernels((struct run){.cache = cache, .per_dispatch = per_dispatch, .state_seconds = 1e-9}, whole);
    struct run resumed = run_kernels((struct run){.cache = cache, .per_dispatch = others}, shorter);
    assert_int_equal(step_of(&resumed, "sim")->resumed_from, 256);
    assert_same_data(resumed, one_by_one(shorter));
    oro_cache_destroy(cache);
}

TEST(states_are_kept_on_the_way)
{
    need_device();
    expect_resumed(SIMULATION("520"), (struct oro_dispatch_shape){5, 16, 16, 2}, SIMULATION("263"), four);
    expect_resumed(WATER("520"), (struct oro_dispatch_shape){3, 12, 12, 1}, WATER("263"),
                   (struct oro_dispatch_shape){2, 16, 16, 1});
}

#define RANGE(iterations, tolerance)                                                                         \
    DOCUMENT(NOISE NODE("sim", "stream_power",                                                               \
                        LINK("terrain", "noise.field") SET("method", "explicit") SET("levels", "0")          \
                            SET("iterations", iterations) SET("tolerance", tolerance)))

static int steps_of(const struct run *run)
{
    const struct run_step *step = step_of(run, "sim");
    for (int i = 0; i < step->figure_count; i++)
        if (strcmp(step->figures[i].name, "steps") == 0)
            return (int)step->figures[i].value;
    return -1;
}

/* Steps that were too long are done again, which takes dispatches, but no iterations. */
TEST(ranges_go_on_from_kept_states)
{
    need_device();
    static const int done[] = {0, 90, 131, 200};
    static const char *const texts[] = {RANGE("90", "0"), RANGE("131", "0"), RANGE("200", "0")};
    struct oro_cache *cache = new_cache(NULL);
    for (int i = 0; i < 3; i++) {
        struct run run = run_kernels(
            (struct run){.cache = cache,
                         .per_dispatch = i == 1 ? (struct oro_dispatch_shape){5, 16, 16, 2} : four},
            texts[i]);
        assert_int_equal(step_of(&run, "sim")->resumed_from, done[i]);
        assert_int_equal(steps_of(&run), done[i + 1]);
        assert_same_data(run, one_by_one(texts[i]));
    }
    oro_cache_destroy(cache);
}

TEST(balance_is_found_as_one_by_one)
{
    need_device();
    const char *text = RANGE("20000", "0.01");
    struct run run = run_kernels((struct run){.per_dispatch = four}, text), single = one_by_one(text);
    assert_int_equal(steps_of(&run), steps_of(&single));
    assert_true(steps_of(&run) < 20000);
    assert_true(step_of(&run, "sim")->dispatches < step_of(&single, "sim")->dispatches);
    assert_same_data(run, single);
}

TEST(ranges_are_shown_when_asked_for)
{
    need_device();
    struct shown together = {0}, single = {0};
    run_kernels((struct run){.per_dispatch = four, .live = take, .live_every = 10, .user = &together},
                RANGE("45", "0"));
    run_kernels((struct run){.per_dispatch = {.times = 1}, .live = take, .live_every = 10, .user = &single},
                RANGE("45", "0"));
    assert_int_equal(together.count, single.count);
    assert_true(oro_hash_equal(together.at_twenty, single.at_twenty));
}

TEST_GROUP(open_driver, close_device);
