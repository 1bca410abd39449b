/* Runs with more iterations resume from stored states, and give the same bits as a cold run. */
#include "tests/engine/support.h"

struct simulation {
    const char *name, *node, *output;
    const char *step; /* whose iterations count */
};

#define SIMULATION(type, more) NODE("sim", type, LINK("terrain", "noise.field") SET("iterations", "%d") more)

static const struct simulation simulations[] = {
    {"drainage", SIMULATION("drainage", ""), "sim.drainage", "sim"},
    {"fluvial_erosion", SIMULATION("fluvial_erosion", ""), "sim.terrain", "sim"},
    {"fluvial_erosion, drainage", SIMULATION("fluvial_erosion", SET("borders", "walls")), "sim.drainage",
     "sim"},
    {"thermal_erosion", SIMULATION("thermal_erosion", SET("amount", "0.001")), "sim.terrain", "sim"},
    {"deposition", SIMULATION("deposition", ""), "sim.terrain", "sim"},
    {"deposition, deposited", SIMULATION("deposition", ""), "sim.deposited", "sim"},
    {"amplify",
     SIMULATION("amplify",
                SET("ground", "free") SET("thermal_iterations", "3") SET("deposition_iterations", "3")),
     "sim.eroded", "sim/fluvial_erosion"},
    {"hydraulic_erosion", SIMULATION("hydraulic_erosion", SET("neighbours", "8")), "sim.terrain", "sim"},
    {"hydraulic_erosion, water",
     SIMULATION("hydraulic_erosion", SET("neighbours", "4") SET("springs", "400 400 50")), "sim.water",
     "sim"},
    {"constraint_erosion", SIMULATION("constraint_erosion", SET("connect", "false")), "sim.terrain", "sim"},
    {"constraint_erosion, gorges", SIMULATION("constraint_erosion", SET("neighbours", "4")), "sim.gorges",
     "sim"},
    {"hydraulic_erosion, eroded", SIMULATION("hydraulic_erosion", SET("borders", "sea_level")), "sim.eroded",
     "sim"},
};
enum { SIMULATIONS = sizeof simulations / sizeof simulations[0] };

static const char *document(const struct simulation *s, int iterations)
{
    char node[2048];
    snprintf(node, sizeof node, s->node, iterations); /* the table's own formats */
    return text_of(DOCUMENT("%s%s"), NOISE, node);
}

static void expect_resumed(const struct simulation *s, struct oro_cache *cache, int from, int to)
{
    struct run warm = run_ok(cache, document(s, to), s->output),
               cold = run_ok(NULL, document(s, to), s->output);
    const struct run_step *step = step_of(&warm, s->step);
    if (step->resumed_from != from || step->iterations_run != to - from)
        fail_msg("%s: ran %d from %d, not %d from %d", s->name, step->iterations_run, step->resumed_from,
                 to - from, from);
    assert_int_equal(step_of(&cold, s->step)->iterations_run, to);
    if (!oro_hash_equal(warm.data, cold.data))
        fail_msg("%s: %d iterations after %d differ from %d at once", s->name, to - from, from, to);
}

TEST(in_memory)
{
    need_device();
    for (int i = 0; i < SIMULATIONS; i++) {
        struct oro_cache *cache = new_cache(NULL);
        run_ok(cache, document(&simulations[i], 20), simulations[i].output);
        expect_resumed(&simulations[i], cache, 20, 35);
        expect_resumed(&simulations[i], cache, 20, 27); /* odd, and between two states */
        expect_resumed(&simulations[i], cache, 35, 36);
        expect_resumed(&simulations[i], cache, 0, 13); /* fewer than any state has */
        oro_cache_destroy(cache);
    }
}

/* States as they are after a new start of the program: on disk alone. */
static void store(const char *folder, const struct simulation *s, int iterations)
{
    struct oro_cache *cache = new_cache(folder);
    run_ok(cache, document(s, iterations), s->output);
    oro_cache_destroy(cache);
}

TEST(from_disk)
{
    need_device();
    for (int i = 0; i < SIMULATIONS; i++) {
        char folder[64];
        make_folder(folder);
        store(folder, &simulations[i], 21);
        struct oro_cache *cache = new_cache(folder);
        struct run warm = run_ok(cache, document(&simulations[i], 30), simulations[i].output);
        const struct run_step *step = step_of(&warm, simulations[i].step);
        if (step->resumed_from != 21 || step->iterations_run != 9)
            fail_msg("%s: ran %d from %d", simulations[i].name, step->iterations_run, step->resumed_from);
        assert_same_data(warm, run_ok(NULL, document(&simulations[i], 30), simulations[i].output));
        oro_cache_destroy(cache);
        remove_folder(folder);
    }
}

/* The result is forgotten but the state is not: nothing is left to run. */
TEST(from_the_state_itself)
{
    need_device();
    struct oro_cache *cache = new_cache(NULL);
    const char *first =
        DOCUMENT(NOISE NODE("sim", "drainage", LINK("terrain", "noise.field") SET("iterations", "20")));
    struct run one = run_ok(cache, first, "sim.drainage");
    struct run more = run_ok(cache, document(&simulations[0], 25), "sim.drainage");
    struct run back = run_ok(cache, first, "sim.drainage");
    assert_int_equal(back.computed, 0);
    assert_same_data(one, back);
    assert_other_data(one, more);
    oro_cache_destroy(cache);
}

static struct run run_with_states(struct oro_cache *cache, const struct simulation *s, int iterations)
{
    struct run run = {.cache = cache, .state_seconds = 1e-9};
    run_document(&run, document(s, iterations), s->output);
    if (!run.ok)
        fail_msg("%s: %s", s->name, run.err.text);
    return run;
}

/* Long runs keep intermediate states, for runs with fewer iterations and for resuming after an interruption.
 */
TEST(from_states_on_the_way)
{
    need_device();
    for (int i = 0; i < SIMULATIONS; i++) {
        struct oro_cache *cache = new_cache(NULL);
        struct run whole = run_with_states(cache, &simulations[i], 600);
        assert_same_data(whole, run_ok(NULL, document(&simulations[i], 600), simulations[i].output));
        expect_resumed(&simulations[i], cache, 512, 520);
        expect_resumed(&simulations[i], cache, 256, 300);
        oro_cache_destroy(cache);
    }
}

/* Figures that accumulate are those of the whole simulation. */
TEST(figures_go_on)
{
    need_device();
    const struct simulation *s = &simulations[SIMULATIONS - 1];
    struct oro_cache *cache = new_cache(NULL);
    run_ok(cache, document(s, 20), s->output);
    struct run warm = run_ok(cache, document(s, 35), s->output),
               cold = run_ok(NULL, document(s, 35), s->output);
    const struct run_step *resumed = step_of(&warm, "sim"), *whole = step_of(&cold, "sim");
    assert_int_equal(resumed->resumed_from, 20);
    assert_true(whole->figure_count > 0 && resumed->figure_count == whole->figure_count);
    for (int i = 0; i < whole->figure_count; i++)
        assert_true(resumed->figures[i].value == whole->figures[i].value);
    oro_cache_destroy(cache);
}

/* States are a convenience: if the budget has no room for them, the work goes on without. */
TEST(states_give_way_to_work)
{
    need_device();
    const struct simulation *deposition = &simulations[4];
    struct run calm = run_ok(NULL, document(deposition, 600), deposition->output);
    static const size_t host_bytes[] = {0, (size_t)64 << 20};
    for (int i = 0; i < 2; i++) {
        struct oro_cache *cache =
            oro_cache_create(&(struct oro_cache_options){.folder = "", .host_bytes = host_bytes[i]});
        device->budget_bytes = calm.planned_bytes;
        struct run tight = run_with_states(cache, deposition, 600);
        device->budget_bytes = 0;
        assert_same_data(calm, tight);
        oro_cache_destroy(cache);
        assert_int_equal(device->used_bytes, 0);
    }
}

static void interrupt(struct run *run, const struct oro_progress *progress)
{
    if (strcmp(progress->step->id, "sim") == 0 && progress->done > 300)
        oro_evaluator_cancel(run->evaluator);
}

TEST(after_cancelling)
{
    need_device();
    struct oro_cache *cache = new_cache(NULL);
    struct run run = {.cache = cache, .state_seconds = 1e-9, .progress = interrupt};
    run_document(&run, document(&simulations[1], 100000), "sim.terrain");
    assert_int_equal(run.err.code, ORO_E_CANCELLED);
    struct run again = run_ok(cache, document(&simulations[1], 300), "sim.terrain");
    assert_int_equal(step_of(&again, "sim")->resumed_from, 256);
    assert_same_data(again, run_ok(NULL, document(&simulations[1], 300), "sim.terrain"));
    oro_cache_destroy(cache);
}

/* ---- States that are kept by time ---- */

/* The iterations of the states on the disk, with those that a run has at its end left out; 0: there is none.
 */
static int state_in(const char *folder, int but)
{
    char command[160], line[256] = "";
    int found = 0;
    snprintf(command, sizeof command, "find '%s' -type f -name '*.*' ! -name '*.*[!0-9]*'", folder);
    FILE *list = popen(command, "r");
    assert_non_null(list);
    while (fgets(line, sizeof line, list)) {
        int iterations = (int)strtol(strrchr(line, '.') + 1, NULL, 10);
        if (iterations == but)
            continue;
        assert_int_equal(found, 0); /* one at a time */
        found = iterations;
    }
    pclose(list);
    return found;
}

/* A run that ends, as if killed, with the first state of the simulation on the disk. */
static void interrupt_once_kept(struct run *run, const struct oro_progress *progress)
{
    if (progress->total && strstr(progress->step->id, "sim") && state_in(run->user, 0))
        oro_evaluator_cancel(run->evaluator);
}

static void expect_continued(const struct simulation *s, char *folder)
{
    struct oro_cache *cache = new_cache(folder);
    struct run run = {.cache = cache,
                      .state_seconds = 1e9,
                      .checkpoint_seconds = 1e-9,
                      .progress = interrupt_once_kept,
                      .user = folder};
    run_document(&run, document(s, 100000), s->output);
    oro_cache_destroy(cache);
    if (run.err.code != ORO_E_CANCELLED)
        fail_msg("%s: no state was kept: %s", s->name, run.err.text);
    int kept = state_in(folder, 0);
    cache = new_cache(folder);
    expect_resumed(s, cache, kept, kept + 5);
    oro_cache_destroy(cache);
    if (state_in(folder, kept + 5))
        fail_msg("%s: the state after %d iterations is still there", s->name, kept);
}

#define STREAM_POWER(more)                                                                                   \
    NODE("sim", "stream_power",                                                                              \
         LINK("terrain", "noise.field") SET("iterations", "%d") SET("tolerance", "0") more)

TEST(by_time)
{
    static const struct simulation others[] = {
        {"stream_power", STREAM_POWER(""), "sim.terrain", "sim"},
        {"stream_power, explicit", STREAM_POWER(SET("method", "explicit")), "sim.terrain", "sim"},
        {"stream_power, deposition", STREAM_POWER(SET("deposition", "1") SET("step", "1000")), "sim.terrain",
         "sim"},
    };
    need_device();
    for (size_t i = 0; i < SIMULATIONS + sizeof others / sizeof others[0]; i++) {
        char folder[64];
        make_folder(folder);
        expect_continued(i < SIMULATIONS ? &simulations[i] : &others[i - SIMULATIONS], folder);
        remove_folder(folder);
    }
}

/* Without a disk there is nothing that a state could outlive the process on. */
TEST(none_by_time_in_memory)
{
    need_device();
    struct oro_cache *cache = new_cache(NULL);
    struct run run = {.cache = cache, .state_seconds = 1e9, .checkpoint_seconds = 1e-9};
    run_document(&run, document(&simulations[0], 60), simulations[0].output);
    assert_true(run.ok);
    expect_resumed(&simulations[0], cache, 0, 59);
    oro_cache_destroy(cache);
}

TEST(another_simulation_does_not_resume)
{
    need_device();
    struct oro_cache *cache = new_cache(NULL);
    run_ok(cache, document(&simulations[1], 20), "sim.terrain");
    struct run other = run_ok(cache,
                              DOCUMENT(NOISE NODE("sim", "fluvial_erosion",
                                                  LINK("terrain", "noise.field") SET("iterations", "35")
                                                      SET("erodibility", "0.001"))),
                              "sim.terrain");
    assert_int_equal(step_of(&other, "sim")->resumed_from, 0);
    oro_cache_destroy(cache);
}

TEST(no_iterations_change_nothing)
{
    need_device();
    static const char *const types[] = {"fluvial_erosion", "thermal_erosion", "deposition",
                                        "hydraulic_erosion"};
    struct run noise = run_ok(NULL, DOCUMENT(NOISE), "noise.field");
    for (int i = 0; i < 4; i++) {
        struct oro_cache *cache = new_cache(NULL);
        const char *text = text_of(DOCUMENT("%s<node id=\"sim\" type=\"%s\" x=\"0\" y=\"0\">" LINK(
                                       "terrain", "noise.field") SET("duration", "0") "</node>"),
                                   NOISE, types[i]);
        assert_same_data(noise, run_ok(cache, text, "sim.terrain"));
        oro_cache_destroy(cache);
    }
}

TEST_GROUP(open_device, close_device);
