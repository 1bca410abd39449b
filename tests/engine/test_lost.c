/* A device that is lost in the middle: rebuilt once, and the result is what it would have been. */
#include "tests/engine/support.h"

#define CHAIN                                                                                                \
    DOCUMENT(NOISE NODE("a", "amplify",                                                                      \
                        LINK("terrain", "noise.field") SET("ground", "free") SET("iterations", "8")          \
                            SET("thermal_iterations", "8") SET("deposition_iterations", "8")))

#define SHORT_CHAIN                                                                                          \
    DOCUMENT(NOISE NODE("a", "amplify",                                                                      \
                        LINK("terrain", "noise.field") SET("ground", "free") SET("iterations", "2")          \
                            SET("thermal_iterations", "2") SET("deposition_iterations", "2")))

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

/* ---- At every call ---- */

/* The device's own functions, and how many of them were called until it is lost. */
static const struct oro_device_ops *whole;
static int calls, lost_at;

static void count(void)
{
    if (++calls == lost_at)
        oro_gpu_lose(device);
}

static bool losing_dispatch(struct oro_device *d, const struct oro_device_dispatch *dispatch,
                            struct oro_error *err)
{
    count();
    return whole->dispatch(d, dispatch, err);
}

static bool losing_upload(struct oro_device *d, struct oro_buffer *buffer, const void *data, size_t bytes,
                          struct oro_error *err)
{
    count();
    return whole->upload(d, buffer, data, bytes, err);
}

static bool losing_download(struct oro_device *d, struct oro_buffer *buffer, void *data, size_t bytes,
                            struct oro_error *err)
{
    count();
    return whole->download(d, buffer, data, bytes, err);
}

static bool losing_copy(struct oro_device *d, struct oro_buffer *from, struct oro_buffer *to, size_t bytes,
                        struct oro_error *err)
{
    count();
    return whole->copy(d, from, to, bytes, err);
}

static struct oro_buffer *losing_buffer(struct oro_device *d, size_t bytes, struct oro_error *err)
{
    count();
    return whole->buffer_create(d, bytes, err);
}

static struct oro_kernel *losing_kernel(struct oro_device *d, const struct oro_kernel_source *source,
                                        struct oro_error *err)
{
    count();
    return whole->kernel(d, source, err);
}

static bool losing_finish(struct oro_device *d, struct oro_error *err)
{
    count();
    return whole->finish(d, err);
}

static struct run lost_in_call(int n)
{
    calls = 0;
    lost_at = n;
    struct run run = {0};
    run_document(&run, SHORT_CHAIN, "a.terrain");
    if (!run.ok)
        fail_msg("lost at call %d: %s", n, run.err.text);
    return run;
}

/* Of the first calls, and then of every few; of all with OROGRAPH_TEST_EVERY in the environment. */
TEST(at_every_call)
{
    need_device();
    whole = device->ops;
    static struct oro_device_ops losing;
    losing = *whole;
    losing.dispatch = losing_dispatch;
    losing.upload = losing_upload;
    losing.download = losing_download;
    losing.copy = losing_copy;
    losing.buffer_create = losing_buffer;
    losing.kernel = losing_kernel;
    losing.finish = losing_finish;
    device->ops = &losing;
    struct run calm = lost_in_call(0);
    int most = calls, step = getenv("OROGRAPH_TEST_EVERY") ? 1 : most / 12 + 1;
    print_message("%d calls\n", most);
    for (int n = 1; n <= most; n += step)
        assert_same_data(calm, lost_in_call(n));
    device->ops = whole;
}

TEST_GROUP(open_driver, close_device);
