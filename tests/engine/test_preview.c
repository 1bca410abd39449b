/* A preview is a prefix of the build; and the same graph gives the same bits, run after run. */
#include "tests/engine/support.h"

#define AMPLIFY(id, from, more)                                                                              \
    NODE(id, "amplify",                                                                                      \
         LINK("terrain", from ".terrain") SET("ground", "free") SET("iterations", "9")                       \
             SET("thermal_iterations", "7") SET("deposition_iterations", "5") more)
#define DRAINS(from) LINK("drainage", from ".drainage")
#define STILL SET("duration", "0")
/* A level written out. */
#define LEVEL(n, from)                                                                                       \
    NODE("up" n, "upsample", LINK("terrain", from ".terrain") SET("method", "catmull_rom"))                  \
    NODE("carve" n, "fluvial_erosion",                                                                       \
         LINK("terrain", "up" n ".terrain") SET("iterations", "9") SET("area_limit", "1000") STILL)          \
    NODE("slide" n, "thermal_erosion",                                                                       \
         LINK("terrain", "carve" n ".terrain") SET("iterations", "7") STILL SET("repose", "52"))             \
    NODE("drop" n, "deposition",                                                                             \
         LINK("terrain", "slide" n ".terrain") LINK("drainage", "carve" n ".drainage")                       \
             LINK("sediment", "carve" n ".eroded") SET("iterations", "5") SET("area_limit", "1000") STILL)

static const char base[] = NODE("base", "bumps", SET("radius_high", "600") SET("radius_low", "200"));

static const char *amplified(int levels)
{
    return text_of(DOCUMENT("%s%s%s%s"), base, AMPLIFY("a1", "base", ""),
                   levels > 1 ? AMPLIFY("a2", "a1", DRAINS("a1")) : "",
                   levels > 2 ? AMPLIFY("a3", "a2", DRAINS("a2")) : "");
}

static const char *written_out(int levels)
{
    return text_of(DOCUMENT("%s%s%s%s"), base, LEVEL("1", "base"), levels > 1 ? LEVEL("2", "drop1") : "",
                   levels > 2 ? LEVEL("3", "drop2") : "");
}

static struct run capped_run(struct oro_cache *cache, const char *document, const char *target, int cap)
{
    struct run run = {.cache = cache, .options = {.max_resolution = cap}};
    run_document(&run, document, target);
    if (!run.ok)
        fail_msg("%s", run.err.text);
    return run;
}

static void preview_is_prefix(const char *whole, const char *target, const char *shorter,
                              const char *shorter_target, const char *const *lower)
{
    struct oro_cache *cache = new_cache(NULL);
    struct run preview = capped_run(cache, whole, target, 64);
    assert_int_equal(preview.grid.width, 64);
    assert_true(preview.capped);
    struct run next = capped_run(cache, whole, target, 128);
    assert_int_equal(next.grid.width, 128);
    for (; *lower; lower++) {
        const struct run_step *step = step_of(&next, *lower);
        assert_int_equal(step->outcome, ORO_STEP_MEMORY);
        assert_true(oro_hash_equal(step->digest, step_of(&preview, *lower)->digest));
    }
    struct run alone = run_ok(NULL, shorter, shorter_target);
    assert_false(alone.capped);
    assert_same_data(preview, alone);
    struct run full = run_ok(NULL, whole, target);
    assert_same_data(full, capped_run(NULL, whole, target, 256));
    assert_same_data(full, capped_run(cache, whole, target, 0));
    assert_int_equal(full.grid.width, 256);
    oro_cache_destroy(cache);
}

TEST(preview_of_amplify)
{
    need_device();
    static const char *const lower[] = {"a1/deposition", NULL};
    preview_is_prefix(amplified(3), "a3.terrain", amplified(1), "a1.terrain", lower);
}

TEST(preview_of_a_written_out_chain)
{
    need_device();
    static const char *const lower[] = {"drop1", NULL};
    preview_is_prefix(written_out(3), "drop3.terrain", written_out(1), "drop1.terrain", lower);
}

TEST(amplify_is_the_chain)
{
    need_device();
    struct oro_cache *cache = new_cache(NULL);
    struct run composite = run_ok(cache, amplified(1), "a1.terrain"),
               chain = run_ok(cache, written_out(1), "drop1.terrain");
    assert_same_data(composite, chain);
    assert_int_equal(chain.computed, 0); /* the parts share the cache with the same nodes on their own */
    oro_cache_destroy(cache);
}

TEST(what_the_cap_leaves_out_is_not_done)
{
    need_device();
    struct run preview = capped_run(NULL, amplified(3), "a3.terrain", 32);
    assert_int_equal(preview.grid.width, 32);
    assert_same_data(preview, run_ok(NULL, text_of(DOCUMENT("%s"), base), "base.terrain"));
    assert_int_equal(step_of(&preview, "a2/fluvial_erosion")->iterations_run, 0);
}

TEST(cold_runs_are_identical)
{
    need_device();
    struct oro_cache *cache = new_cache(NULL);
    struct run first = run_ok(NULL, amplified(2), "a2.terrain"),
               second = run_ok(NULL, amplified(2), "a2.terrain");
    struct run cached = run_ok(cache, amplified(2), "a2.terrain"),
               again = run_ok(cache, amplified(2), "a2.terrain");
    assert_same_data(first, second);
    assert_same_data(first, cached);
    assert_same_data(first, again);
    assert_int_equal(again.computed, 0);
    struct run brief = {.cache = cache, .brief = true};
    run_document(&brief, amplified(2), "a2.terrain");
    assert_true(brief.ok);
    assert_int_equal(brief.step_count, 1); /* nothing above what was asked for is even looked at */
    oro_cache_destroy(cache);
}

TEST(undo_hits_the_cache)
{
    need_device();
    struct oro_cache *cache = new_cache(NULL);
    static const char *const shapes[] = {SET("seed", "1"), SET("seed", "2"), SET("seed", "1")};
    struct run runs[3];
    for (int i = 0; i < 3; i++)
        runs[i] = run_ok(cache,
                         text_of(DOCUMENT("%s%s"), text_of(NODE("base", "noise", "%s"), shapes[i]),
                                 NODE("out", "blur", LINK("field", "base.field"))),
                         "out.field");
    assert_other_data(runs[0], runs[1]);
    assert_same_data(runs[0], runs[2]);
    assert_int_equal(runs[1].computed, 2);
    assert_int_equal(runs[2].computed, 0);
    oro_cache_destroy(cache);
}

TEST_GROUP(open_device, close_device);
