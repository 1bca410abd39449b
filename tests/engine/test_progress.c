/* Progress that an evaluation reports. */
#include "tests/engine/support.h"

#define CHAIN                                                                                                \
    DOCUMENT(NOISE NODE("a", "amplify",                                                                      \
                        LINK("terrain", "noise.field") SET("ground", "free") SET("iterations", "300")        \
                            SET("thermal_iterations", "150") SET("deposition_iterations", "100")))

struct watch {
    const struct oro_step *step;
    size_t index, steps;
    int done, total;
    double seconds;
    bool ended;
    int calls, ends;
};

static void watch(struct run *run, const struct oro_progress *progress)
{
    struct watch *w = run->user;
    w->calls++;
    assert_true(progress->seconds >= w->seconds);
    assert_true(progress->rate >= 0 && isfinite(progress->rate));
    assert_true(isfinite(progress->seconds_left));
    assert_true(progress->step_index < progress->step_count);
    if (progress->step != w->step) {
        assert_true(!w->step || w->ended);
        assert_int_equal(progress->done, 0);
        assert_int_equal(progress->total, 0); /* begins */
        assert_int_equal(progress->step_index, w->step ? w->index + 1 : 0);
        w->steps++;
    } else {
        assert_true(progress->done >= w->done);
        assert_true(progress->total > 0 && progress->done <= progress->total);
        assert_true(w->total == 0 || w->total == progress->total);
    }
    w->step = progress->step;
    w->index = progress->step_index;
    w->done = progress->done;
    w->total = progress->total;
    w->seconds = progress->seconds;
    w->ended = progress->total > 0 && progress->done == progress->total;
    w->ends += w->ended;
    assert_int_equal(progress->step_count, 5);
}

TEST(progress_is_monotone_and_ends)
{
    need_device();
    struct watch w = {0};
    struct run run = {.progress = watch, .user = &w};
    run_document(&run, CHAIN, "a.terrain");
    assert_true(run.ok);
    assert_int_equal(w.steps, 5);
    assert_int_equal(w.ends, 5); /* every step's end, once */
    assert_true(w.ended);
    assert_int_equal(w.index, 4);
    assert_true(w.calls < 5 * 2 + 10 * (w.seconds + 1)); /* some ten times a second */
}

static void rates(struct run *run, const struct oro_progress *progress)
{
    double *most = run->user;
    if (progress->rate > 0) {
        double left = (progress->total - progress->done) / progress->rate;
        assert_true(fabs(left - progress->seconds_left) < 1e-6 * (1 + left));
        *most = fmax(*most, progress->rate * progress->seconds);
    }
}

TEST(rates_are_of_the_own_work)
{
    need_device();
    struct oro_cache *cache = new_cache(NULL);
    const char *first =
        DOCUMENT(NOISE NODE("s", "drainage", LINK("terrain", "noise.field") SET("iterations", "1000")));
    const char *second =
        DOCUMENT(NOISE NODE("s", "drainage", LINK("terrain", "noise.field") SET("iterations", "1010")));
    run_ok(cache, first, "s.drainage");
    double most = 0;
    struct run run = {.cache = cache, .progress = rates, .user = &most};
    run_document(&run, second, "s.drainage");
    assert_true(run.ok);
    assert_int_equal(step_of(&run, "s")->iterations_run, 10);
    assert_true(most > 0 && most < 500); /* ten were done, not a thousand and ten */
    oro_cache_destroy(cache);
}

static double figure(const struct run_step *step, const char *name)
{
    for (int i = 0; i < step->figure_count; i++)
        if (strcmp(step->figures[i].name, name) == 0)
            return step->figures[i].value;
    fail_msg("'%s' has no figure '%s'", step->id, name);
    return 0;
}

/* Iterations until the end, as progress tells of the time left, at each iteration; -1: not told. */
struct forecast {
    int count, done[4096];
    double left[4096];
};

static void forecast(struct run *run, const struct oro_progress *progress)
{
    struct forecast *f = run->user;
    if (progress->done == 0 || f->count == 4096)
        return;
    f->done[f->count] = progress->done;
    f->left[f->count++] = progress->seconds_left < 0 ? -1 : progress->seconds_left * progress->rate;
}

/* A run that ends when it has converged is not taken for one of all its iterations. */
TEST(the_end_of_what_converges_is_foreseen)
{
    static struct forecast f;
    struct run run = {.progress = forecast, .user = &f};
    need_device();
    f.count = 0;
    run_document(&run,
                 WORLD("extent=\"6400\" resolution=\"128\" seed=\"7\"",
                       NOISE NODE("range", "stream_power",
                                  LINK("terrain", "noise.field") SET("method", "explicit")
                                      SET("iterations", "100000") SET("levels", "0"))),
                 "range.terrain");
    if (!run.ok)
        fail_msg("%s", run.err.text);
    assert_true(run.ok && f.count > 2);
    for (int i = 0; i < f.count; i++) /* it takes some 12000, and not the 100000 that it may take */
        if (f.left[i] > 20000)
            fail_msg("%g iterations left after %d", f.left[i], f.done[i]);
}

TEST(figures_survive_the_cache)
{
    need_device();
    char folder[64];
    make_folder(folder);
    struct oro_cache *cache = new_cache(folder);
    const char *text =
        DOCUMENT(NOISE NODE("s", "fluvial_erosion", LINK("terrain", "noise.field") SET("iterations", "20")));
    struct run cold = run_ok(cache, text, "s.terrain"), memory = run_ok(cache, text, "s.terrain");
    oro_cache_destroy(cache);
    cache = new_cache(folder);
    struct run disk = run_ok(cache, text, "s.terrain");
    oro_cache_destroy(cache);
    remove_folder(folder);
    assert_int_equal(step_of(&memory, "s")->outcome, ORO_STEP_MEMORY);
    assert_int_equal(step_of(&disk, "s")->outcome, ORO_STEP_DISK);
    assert_true(figure(step_of(&cold, "s"), "eroded") > 0);
    assert_true(figure(step_of(&cold, "s"), "eroded") == figure(step_of(&memory, "s"), "eroded"));
    assert_true(figure(step_of(&cold, "s"), "eroded") == figure(step_of(&disk, "s"), "eroded"));
    assert_same_data(cold, disk);
}

TEST(reports_are_true)
{
    need_device();
    struct run run = run_ok(NULL, CHAIN, "a.terrain");
    assert_int_equal(run.step_count, 5);
    const struct run_step *last = step_of(&run, "a/deposition");
    assert_int_equal(last->outcome, ORO_STEP_COMPUTED);
    assert_int_equal(last->iterations_run, 100);
    assert_int_equal(last->resumed_from, 0);
    assert_true(last->dispatches >= 100);
    assert_true(oro_hash_equal(last->digest, run.data));
    assert_int_equal(step_of(&run, "noise")->iterations_run, 0);
}

TEST_GROUP(open_device, close_device);
