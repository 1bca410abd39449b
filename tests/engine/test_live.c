/* The states of a simulation that are shown while it runs. */
#include "tests/engine/support.h"

enum { SHOWN_MAX = 256 };

/* What was seen, in order. */
struct shown {
    struct {
        char step[64], output[32];
        int done;
        struct oro_grid grid;
        struct oro_hash data;
    } items[SHOWN_MAX];
    int count;
    bool look; /* at the data, too */
};

static void take(struct run *run, const struct oro_live *live)
{
    struct shown *shown = run->user;
    assert_true(shown->count < SHOWN_MAX);
    int i = shown->count++;
    snprintf(shown->items[i].step, sizeof shown->items[i].step, "%.63s", live->step->id);
    snprintf(shown->items[i].output, sizeof shown->items[i].output, "%.31s", live->output);
    shown->items[i].done = live->done;
    shown->items[i].grid = live->value->grid;
    if (!shown->look)
        return;
    assert_non_null(oro_value_buffer(live->value, NULL));
    const void *data = oro_value_host(live->value, NULL);
    assert_non_null(data);
    shown->items[i].data = oro_hash_of(data, oro_value_bytes(live->value));
}

static struct run watched(struct oro_cache *cache, const char *text, const char *target, int every,
                          struct shown *shown)
{
    struct run run = {.cache = cache, .live = take, .live_every = every, .user = shown};
    *shown = (struct shown){.look = true};
    run_document(&run, text, target);
    if (!run.ok)
        fail_msg("%s: %s", target, run.err.text);
    return run;
}

#define SIMULATION(type, iterations)                                                                         \
    DOCUMENT(NOISE NODE("sim", type, LINK("terrain", "noise.field") SET("iterations", iterations)))

/* The state shown after 20 steps is the result of a run of 20 steps; at the end, the result is shown. */
TEST(states_are_those_of_shorter_runs)
{
    need_device();
    static const struct {
        const char *shorter, *longer, *target;
    } cases[] = {
        {SIMULATION("fluvial_erosion", "20"), SIMULATION("fluvial_erosion", "45"), "sim.terrain"},
        {SIMULATION("thermal_erosion", "20"), SIMULATION("thermal_erosion", "45"), "sim.terrain"},
        {SIMULATION("deposition", "20"), SIMULATION("deposition", "45"), "sim.terrain"},
        {SIMULATION("drainage", "20"), SIMULATION("drainage", "45"), "sim.drainage"},
        {SIMULATION("hydraulic_erosion", "20"), SIMULATION("hydraulic_erosion", "45"), "sim.terrain"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct shown shown;
        struct run run = watched(NULL, cases[i].longer, cases[i].target, 20, &shown);
        assert_same_data(run, run_ok(NULL, cases[i].longer, cases[i].target));
        assert_int_equal(shown.count, 4); /* 0, 20, 40, the end */
        static const int done[] = {0, 20, 40, 45};
        for (int k = 0; k < shown.count; k++) {
            assert_int_equal(shown.items[k].done, done[k]);
            assert_string_equal(shown.items[k].step, "sim");
            assert_string_equal(shown.items[k].output, strchr(cases[i].target, '.') + 1);
            assert_int_equal(shown.items[k].grid.width, 32);
        }
        assert_true(
            oro_hash_equal(shown.items[1].data, run_ok(NULL, cases[i].shorter, cases[i].target).data));
        assert_true(oro_hash_equal(shown.items[3].data, run.data));
    }
}

#define RISING(method)                                                                                       \
    DOCUMENT(NODE("rise", "stream_power",                                                                    \
                  SET("uplift", "0.001") SET("levels", "0") SET("iterations", "30") SET("tolerance", "0")    \
                      SET("method", method)))

TEST(mountains_rise)
{
    need_device();
    static const char *const texts[] = {RISING("implicit"), RISING("explicit")};
    for (int i = 0; i < 2; i++) {
        struct shown shown;
        struct run run = watched(NULL, texts[i], "rise.terrain", 10, &shown);
        assert_same_data(run, run_ok(NULL, texts[i], "rise.terrain"));
        assert_int_equal(shown.count, 4);
        assert_true(oro_hash_equal(shown.items[3].data, run.data));
        for (int k = 0; k < 4; k++) {
            assert_string_equal(shown.items[k].output, "terrain");
            assert_int_equal(shown.items[k].done, 10 * k);
            assert_true(k == 0 || !oro_hash_equal(shown.items[k].data, shown.items[k - 1].data));
        }
    }
}

TEST(without_a_rule_every_step_is_shown)
{
    need_device();
    struct shown shown;
    watched(NULL, SIMULATION("drainage", "5"), "sim.drainage", 0, &shown);
    assert_int_equal(shown.count, 6);
}

/* The beginning is shown at once and the end always; the hour between shown states does not pass. */
TEST(no_more_often_than_asked)
{
    need_device();
    struct shown shown = {0};
    struct run run = {.live = take, .live_seconds = 3600, .user = &shown};
    run_document(&run, SIMULATION("drainage", "50"), "sim.drainage");
    assert_true(run.ok);
    assert_true(shown.count <= 2);
    assert_int_equal(shown.items[shown.count - 1].done, 50);
}

TEST(what_is_stored_is_not_shown)
{
    need_device();
    struct shown shown;
    struct oro_cache *cache = new_cache(NULL);
    struct run first = watched(cache, SIMULATION("thermal_erosion", "20"), "sim.terrain", 10, &shown);
    assert_int_equal(shown.count, 3);
    struct run again = watched(cache, SIMULATION("thermal_erosion", "20"), "sim.terrain", 10, &shown);
    assert_int_equal(shown.count, 0);
    assert_same_data(first, again);
    watched(cache, SIMULATION("thermal_erosion", "35"), "sim.terrain", 10, &shown);
    assert_int_equal(shown.items[0].done, 20);
    assert_int_equal(shown.count, 3); /* 20, 30, the end */
    oro_cache_destroy(cache);
}

static void stop(struct run *run, const struct oro_live *live)
{
    if (live->done == 10)
        oro_evaluator_cancel(run->evaluator);
}

TEST(who_looks_on_may_cancel)
{
    need_device();
    struct run run = {.live = stop, .live_every = 10};
    run_document(&run, SIMULATION("fluvial_erosion", "100000"), "sim.terrain");
    assert_int_equal(run.err.code, ORO_E_CANCELLED);
    assert_in_range(step_of(&run, "sim")->iterations_run, 10, 11);
    assert_int_equal(device->used_bytes, 0);
}

TEST_GROUP(open_device, close_device);
