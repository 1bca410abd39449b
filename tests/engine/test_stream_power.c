/* Mountain ranges and what is kept of them: they go on from stored states with the same bits, stop when asked
 * to, and an edit of one primitive of an uplift works out again what depends on it and nothing else. */
#include "tests/engine/support.h"

#define RANGE(inputs)                                                                                        \
    NODE("range", "stream_power", LINK("terrain", "noise.field") SET("iterations", "%d") inputs)
#define EXPLICIT SET("method", "explicit")
#define ENDLESS SET("tolerance", "0")
#define POINTS SET("subsidence", "false") SET("constraints", "800 800 300 400; 300 400 40 200")

static const char *document(const char *node, int iterations)
{
    char text[2048];
    snprintf(text, sizeof text, node, iterations); /* the tables' own formats */
    return text_of(DOCUMENT("%s%s"), NOISE, text);
}

static void expect_same(const char *what, struct oro_cache *cache, const char *text)
{
    static const char *const outputs[] = {"range.terrain",    "range.drainage", "range.slope",
                                          "range.correction", "range.sediment", "range.sediment_flux",
                                          "range.water"};
    struct oro_cache *cold = new_cache(NULL);
    for (int i = 0; i < 7; i++)
        if (!oro_hash_equal(run_ok(cache, text, outputs[i]).data, run_ok(cold, text, outputs[i]).data))
            fail_msg("%s: %s differs", what, outputs[i]);
    oro_cache_destroy(cold);
}

/* ---- Going on ---- */

struct simulation {
    const char *name, *node;
};

static const struct simulation simulations[] = {
    {"implicit", RANGE(ENDLESS)},
    {"implicit, constraints", RANGE(ENDLESS POINTS)},
    {"implicit, years", RANGE(ENDLESS SET("step", "1234.5"))},
    {"implicit, sediment in balance", RANGE(ENDLESS SET("deposition", "1"))},
    {"implicit, sediment in years", RANGE(ENDLESS SET("deposition", "1") SET("step", "1234.5"))},
    {"implicit, sediment, points", RANGE(ENDLESS SET("deposition", "1") SET("step", "1234.5") POINTS)},
    {"implicit, a basin that fills",
     RANGE(ENDLESS SET("deposition", "1") SET("step", "1234.5") SET("basin_points", "500 500 200 150"))},
    {"implicit, a basin whose water stands at many levels",
     NODE("level", "ramp", SET("low", "20") SET("high", "400") SET("start", "300 0") SET("end", "700 0"))
         NODE("disc", "ramp",
              SET("method", "radial") SET("low", "1") SET("high", "0") SET("start", "500 500")
                  SET("end", "900 500"))
             RANGE(ENDLESS SET("deposition", "1") SET("step", "12345") SET("levels", "0") SET(
                 "erodibility", "0.03") LINK("basins", "disc.field") LINK("basin_level", "level.field"))},
    {"implicit, nothing rises", RANGE(ENDLESS SET("uplift", "0") SET("hillslope", "1"))},
    {"explicit", RANGE(ENDLESS EXPLICIT)},
    {"explicit, constraints", RANGE(ENDLESS EXPLICIT POINTS)},
    {"explicit, nothing rises", RANGE(ENDLESS EXPLICIT SET("uplift", "0"))},
};
enum { SIMULATIONS = sizeof simulations / sizeof simulations[0] };

TEST(goes_on)
{
    need_device();
    static const int counts[] = {20, 90, 131};
    for (int i = 0; i < SIMULATIONS; i++) {
        struct oro_cache *cache = new_cache(NULL);
        for (int k = 0, before = 0; k < 3; before = counts[k++]) {
            const char *text = document(simulations[i].node, counts[k]);
            struct run run = run_ok(cache, text, "range.terrain");
            const struct run_step *step = step_of(&run, "range");
            if (step->resumed_from != before || step->iterations_run != counts[k] - before)
                fail_msg("%s: ran %d from %d, not from %d", simulations[i].name, step->iterations_run,
                         step->resumed_from, before);
            expect_same(simulations[i].name, cache, text);
        }
        oro_cache_destroy(cache);
    }
}

TEST(goes_on_from_disk)
{
    need_device();
    for (int i = 0; i < SIMULATIONS; i++) {
        char folder[64];
        make_folder(folder);
        struct oro_cache *cache = new_cache(folder);
        run_ok(cache, document(simulations[i].node, 75), "range.terrain");
        oro_cache_destroy(cache);
        cache = new_cache(folder);
        const char *text = document(simulations[i].node, 140);
        struct run run = run_ok(cache, text, "range.terrain");
        assert_int_equal(step_of(&run, "range")->resumed_from, 75);
        expect_same(simulations[i].name, cache, text);
        oro_cache_destroy(cache);
        remove_folder(folder);
    }
}

/* No stored state knows of the valleys of constraints: what has some does not go on from there. */
TEST(valleys_of_constraints_are_not_forgotten)
{
    need_device();
#define LOW ENDLESS SET("levels", "0") SET("subsidence", "true") SET("constraints", "800 800 5 100")
    static const char *const nodes[] = {RANGE(LOW), RANGE(LOW SET("step", "20000")),
                                        RANGE(LOW SET("step", "20000") SET("deposition", "0.5"))};
#undef LOW
    for (int i = 0; i < 3; i++) {
        struct oro_cache *cache = new_cache(NULL);
        run_ok(cache, document(nodes[i], 110), "range.terrain");
        const char *text = document(nodes[i], 131);
        run_ok(cache, text, "range.terrain");
        expect_same(nodes[i], cache, text);
        oro_cache_destroy(cache);
    }
}

static double figure_of(const struct run *run, const char *name)
{
    const struct run_step *step = step_of(run, "range");
    for (int i = 0; i < step->figure_count; i++)
        if (strcmp(step->figures[i].name, name) == 0)
            return step->figures[i].value;
    fail_msg("no figure '%s'", name);
    return 0;
}

/* The first run, of `few`, or both, end in balance: what is told and given is that of a cold run. */
static void expect_balance(const char *node, int few, int many)
{
    struct oro_cache *cache = new_cache(NULL);
    run_ok(cache, document(node, few), "range.terrain");
    const char *text = document(node, many);
    struct run warm = run_ok(cache, text, "range.terrain"), cold = run_ok(NULL, text, "range.terrain");
    if (figure_of(&warm, "steps") != figure_of(&cold, "steps"))
        fail_msg("%s: %g steps, not %g", node, figure_of(&warm, "steps"), figure_of(&cold, "steps"));
    assert_true(figure_of(&cold, "steps") < many);
    assert_float_equal(figure_of(&warm, "change"), figure_of(&cold, "change"), 1e-6);
    assert_same_data(warm, cold);
    expect_same(node, cache, text);
    oro_cache_destroy(cache);
}

TEST(balance_stays_where_it_is)
{
    need_device();
    expect_balance(RANGE(SET("tolerance", "0.001")), 1000, 2000);
    expect_balance(RANGE(SET("tolerance", "0.001")), 2, 2000);
    expect_balance(RANGE(SET("tolerance", "0.001") POINTS), 1000, 2000);
    expect_balance(RANGE(SET("tolerance", "0.05") SET("uplift", "0")), 2, 2000);
    expect_balance(RANGE(SET("tolerance", "0.05") SET("uplift", "0")), 1000, 2000);
    expect_balance(RANGE(EXPLICIT SET("tolerance", "0.01")), 5000, 20000);
    expect_balance(RANGE(EXPLICIT SET("tolerance", "0.05") SET("uplift", "0")), 20, 20000);
    expect_balance(RANGE(EXPLICIT SET("tolerance", "0.05") SET("uplift", "0")), 100, 20000);
}

static double change_after(int iterations)
{
    struct run run = run_ok(NULL, document(RANGE(EXPLICIT ENDLESS), iterations), "range.terrain");
    return figure_of(&run, "change");
}

/* The last iteration is looked at as well, where a longer run does not look: it must not stop there. */
TEST(balance_is_found_at_the_same_time)
{
    need_device();
    double change = change_after(100) * 1.0001;
    char node[512];
    assert_true(change_after(64) > change);
    snprintf(node, sizeof node,
             NODE("range", "stream_power",
                  LINK("terrain", "noise.field") SET("iterations", "%%d") EXPLICIT SET("tolerance", "%.9g")),
             change);
    expect_balance(node, 100, 2000);
}

/* ---- Stopping ---- */

static void interrupt(struct run *run, const struct oro_progress *progress)
{
    if (strcmp(progress->step->id, "range") == 0 && progress->done > 300)
        oro_evaluator_cancel(run->evaluator);
}

TEST(stops_when_cancelled)
{
    need_device();
    for (int i = 0; i < SIMULATIONS; i++) {
        struct oro_cache *cache = new_cache(NULL);
        struct run run = {.cache = cache, .state_seconds = 1e-9, .progress = interrupt};
        run_document(&run, document(simulations[i].node, 1000000), "range.terrain");
        assert_false(run.ok);
        assert_int_equal(run.err.code, ORO_E_CANCELLED);
        const char *text = document(simulations[i].node, 300);
        struct run again = run_ok(cache, text, "range.terrain");
        assert_int_equal(step_of(&again, "range")->resumed_from, 256);
        expect_same(simulations[i].name, cache, text);
        oro_cache_destroy(cache);
    }
}

/* ---- An edit of one primitive ---- */

static const char *with_discs(const char *second)
{
    return text_of(
        WORLD("extent=\"6400\" resolution=\"64\" seed=\"7\"",
              NODE("a", "uplift_disc", SET("centre", "1500 1500") SET("radius", "1500"))
                  NODE("b", "uplift_disc", SET("centre", "%s") SET("radius", "1500"))
                      NODE("c", "uplift_disc", SET("centre", "3000 5000") SET("radius", "1500"))
                          NODE("ab", "uplift_combine", LINK("a", "a.uplift") LINK("b", "b.uplift"))
                              NODE("abc", "uplift_combine", LINK("a", "ab.uplift") LINK("b", "c.uplift"))
                                  NODE("rock", "noise", "")
                                      NODE("hard", "remap",
                                           LINK("field", "rock.field") SET("to_low", "0.001")
                                               SET("to_high", "0.003"))
                                          NODE("range", "stream_power",
                                               LINK("uplift", "abc.uplift") LINK("erodibility", "hard.field")
                                                   SET("iterations", "100"))),
        second);
}

static bool was_computed(const struct run *run, const char *id)
{
    for (int i = 0; i < run->step_count; i++)
        if (strcmp(run->steps[i].id, id) == 0)
            return run->steps[i].outcome == ORO_STEP_COMPUTED;
    return false;
}

TEST(an_edit_works_out_what_depends_on_it)
{
    need_device();
    static const char *const others[] = {"a", "c", "rock", "hard"}, *const dependent[] = {"b", "ab", "abc"};
    struct oro_cache *cache = new_cache(NULL);
    struct run first = run_ok(cache, with_discs("4800 1600"), "range.terrain");
    for (int i = 0; i < 4; i++)
        assert_true(was_computed(&first, others[i]));
    struct run edited = run_ok(cache, with_discs("4900 1600"), "range.terrain");
    for (int i = 0; i < 4; i++)
        if (was_computed(&edited, others[i]))
            fail_msg("'%s' was computed again", others[i]);
    for (int i = 0; i < 3; i++)
        assert_true(was_computed(&edited, dependent[i]));
    assert_true(was_computed(&edited, "range/level0"));
    assert_other_data(first, edited);
    struct run back = run_ok(cache, with_discs("4800 1600"), "range.terrain");
    assert_int_equal(back.computed, 0);
    assert_same_data(first, back);
    oro_cache_destroy(cache);
}

TEST_GROUP(open_device, close_device);
