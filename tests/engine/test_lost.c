/* A device that is lost in the middle: rebuilt once, and the result is what it would have been. */
#include "tests/engine/support.h"

#define CHAIN                                                                                                \
    DOCUMENT(NOISE NODE("a", "amplify",                                                                      \
                        LINK("terrain", "noise.field") SET("iterations", "8") SET("thermal_iterations", "8") \
                            SET("deposition_iterations", "8")))

struct plan_of_loss {
    const char *after; /* step */
    int times;
};

static void lose(struct run *run, const struct oro_step_report *report)
{
    struct plan_of_loss *plan = run->user;
    if (plan->times > 0 && strcmp(report->step->id, plan->after) == 0) {
        plan->times--;
        oro_gpu_lose(device);
    }
}

static struct run losing(struct oro_cache *cache, const char *after, int times)
{
    struct plan_of_loss plan = {after, times};
    struct run run = {.cache = cache, .step_done = lose, .user = &plan};
    run_document(&run, CHAIN, "a.terrain");
    assert_int_equal(plan.times, 0);
    return run;
}

TEST(a_loss_is_survived)
{
    need_device();
    static const char *const steps[] = {"noise", "a/upsample", "a/fluvial_erosion", "a/thermal_erosion",
                                        "a/deposition"};
    struct run calm = run_ok(NULL, CHAIN, "a.terrain");
    for (int i = 0; i < 5; i++)
        for (int cached = 0; cached < 2; cached++) {
            struct oro_cache *cache = cached ? new_cache(NULL) : NULL;
            struct run run = losing(cache, steps[i], 1);
            if (!run.ok)
                fail_msg("lost after %s: %s", steps[i], run.err.text);
            assert_same_data(calm, run);
            assert_non_null(strstr(run.warnings, "lost"));
            oro_cache_destroy(cache);
        }
}

/* Results with a copy on the host or on the disk are not computed again. */
TEST(work_resumes_from_the_cache)
{
    need_device();
    char folder[64];
    make_folder(folder);
    struct oro_cache *cache = new_cache(folder);
    struct run run = losing(cache, "a/thermal_erosion", 1);
    assert_true(run.ok);
    assert_int_equal(run.computed, 5); /* each step once */
    assert_same_data(run, run_ok(NULL, CHAIN, "a.terrain"));
    oro_cache_destroy(cache);
    remove_folder(folder);
}

TEST(twice_is_an_error)
{
    need_device();
    struct run run = losing(NULL, "a/fluvial_erosion", 2);
    assert_false(run.ok);
    assert_int_equal(run.err.code, ORO_E_LOST);
    assert_non_null(strstr(run.err.text, "twice"));
    struct run next = run_ok(NULL, CHAIN, "a.terrain"); /* the next evaluation starts the device again */
    assert_int_equal(next.computed, 5);
}

TEST(between_evaluations)
{
    need_device();
    struct oro_cache *cache = new_cache(NULL);
    struct run first = run_ok(cache, CHAIN, "a.terrain");
    oro_gpu_lose(device);
    struct run second = run_ok(cache, CHAIN, "a.terrain"); /* all would have come from the cache */
    assert_same_data(first, second);
    oro_cache_destroy(cache);
}

TEST_GROUP(open_driver, close_device);
