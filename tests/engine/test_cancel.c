/* Cancelling is prompt, honoured whenever it comes, and leaves the cache whole. */
#include <pthread.h>
#include <time.h>

#include "graph/file/xml.h"
#include "tests/engine/support.h"

#define LONG                                                                                                 \
    NOISE NODE("first", "thermal_erosion", LINK("terrain", "noise.field") SET("iterations", "10"))           \
        NODE("sim", "fluvial_erosion", LINK("terrain", "first.terrain") SET("iterations", "%d"))

static const char *long_document(int iterations)
{
    return text_of(DOCUMENT(LONG), iterations);
}

static void cancel_at_once(struct run *run, const struct oro_progress *progress)
{
    if (strcmp(progress->step->id, "sim") == 0)
        oro_evaluator_cancel(run->evaluator);
}

static void expect_cancelled(const struct run *run)
{
    assert_false(run->ok);
    assert_int_equal(run->err.code, ORO_E_CANCELLED);
}

TEST(from_a_progress_callback)
{
    need_device();
    struct oro_cache *cache = new_cache(NULL);
    struct run run = {.cache = cache, .progress = cancel_at_once};
    run_document(&run, long_document(50000), "sim.terrain");
    expect_cancelled(&run);
    assert_int_equal(step_of(&run, "sim")->outcome, ORO_STEP_FAILED);
    assert_true(step_of(&run, "sim")->dispatches < 20); /* it was asked before the first of them */
    struct run again = run_ok(cache, long_document(30), "sim.terrain");
    assert_int_equal(step_of(&again, "first")->outcome, ORO_STEP_MEMORY);
    assert_same_data(again, run_ok(NULL, long_document(30), "sim.terrain"));
    oro_cache_destroy(cache);
}

static void cancel_later(struct run *run, const struct oro_progress *progress)
{
    if (strcmp(progress->step->id, "sim") == 0 && progress->seconds > 0.25)
        oro_evaluator_cancel(run->evaluator);
}

/* Stops within the work that is queued, some 50 ms. The limit leaves room for a loaded machine. */
TEST(in_the_middle)
{
    need_device();
    struct run run = {.progress = cancel_later};
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    run_document(&run, long_document(100000), "sim.terrain");
    clock_gettime(CLOCK_MONOTONIC, &after);
    expect_cancelled(&run);
    assert_true(after.tv_sec - before.tv_sec < 10);
    assert_true(step_of(&run, "sim")->iterations_run > 0);
    assert_true(step_of(&run, "sim")->iterations_run < 100000);
}

static void *cancel_soon(void *evaluator)
{
    nanosleep(&(struct timespec){.tv_nsec = 150000000}, NULL);
    oro_evaluator_cancel(evaluator);
    return NULL;
}

static void start_thread(struct run *run, const struct oro_progress *progress)
{
    pthread_t *thread = run->user;
    if (strcmp(progress->step->id, "sim") == 0 && progress->total == 0)
        assert_int_equal(pthread_create(thread, NULL, cancel_soon, run->evaluator), 0);
}

TEST(from_another_thread)
{
    need_device();
    pthread_t thread;
    struct run run = {.progress = start_thread, .user = &thread};
    run_document(&run, long_document(100000), "sim.terrain");
    assert_int_equal(pthread_join(thread, NULL), 0);
    expect_cancelled(&run);
}

TEST(before_the_start)
{
    need_device();
    struct oro_cache *cache = new_cache(NULL);
    struct run run = {.cache = cache, .cancel_first = true};
    run_document(&run, long_document(10), "sim.terrain");
    expect_cancelled(&run);
    assert_int_equal(run.step_count, 0);
    run_ok(cache, long_document(10), "sim.terrain");
    run_document(&run, long_document(10), "sim.terrain"); /* even where the cache has it all */
    expect_cancelled(&run);
    oro_cache_destroy(cache);
}

/* One request stops one evaluation. */
TEST(the_next_one_runs)
{
    need_device();
    struct oro_plan_options options = {0};
    struct oro_problems problems = {0};
    const char *text = long_document(5);
    struct oro_document *doc = oro_document_parse(text, strlen(text), "", &oro_builtin_nodes, &problems);
    struct oro_target target = {"sim", "terrain"};
    struct oro_plan *plan =
        oro_plan_create(doc, &oro_builtin_nodes, &target, 1, &options, device, NULL, NULL);
    assert_non_null(plan);
    struct oro_evaluator *evaluator = oro_evaluator_create(device, NULL, &(struct oro_evaluator_options){0});
    struct oro_value *value = (struct oro_value *)&target;
    struct oro_error err;
    oro_evaluator_cancel(evaluator);
    oro_evaluator_cancel(evaluator);
    assert_false(oro_evaluate(evaluator, plan, &value, &err));
    assert_int_equal(err.code, ORO_E_CANCELLED);
    assert_null(value);
    assert_true(oro_evaluate(evaluator, plan, &value, &err));
    assert_non_null(value);
    oro_value_release(value);
    oro_evaluator_destroy(evaluator);
    oro_plan_destroy(plan);
    oro_document_destroy(doc);
    oro_problems_free(&problems);
}

TEST_GROUP(open_device, close_device);
