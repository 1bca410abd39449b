/* Device memory: refused before work begins, made by evicting, never leaked. */
#include "base/text.h"
#include "graph/file/xml.h"
#include "tests/engine/support.h"

enum { SIDE = 128, FIELD = SIDE * SIDE * 4 };
#define BIG(nodes) WORLD("extent=\"1280\" resolution=\"128\" seed=\"7\"", nodes)
#define SIM                                                                                                  \
    NOISE NODE("sim", "deposition",                                                                          \
               LINK("terrain", "noise.field") LINK("sediment", "noise.field") SET("iterations", "6"))

TEST(too_small_is_refused)
{
    need_device();
    struct run run = {.options = {.memory_bytes = 4 * FIELD}};
    run_document(&run, BIG(SIM), "sim.terrain");
    assert_false(run.ok);
    assert_int_equal(run.err.code, ORO_E_LIMIT);
    assert_non_null(strstr(run.err.text, "MiB"));
    assert_non_null(strstr(run.err.text, "--memory"));
    assert_int_equal(run.step_count, 0);
}

/* The estimate is enough: a budget of that size suffices, whatever the cache holds already. */
TEST(just_enough_works)
{
    need_device();
    struct run free_run = run_ok(NULL, BIG(SIM), "sim.terrain");
    struct oro_cache *cache = new_cache(NULL);
    for (int i = 0; i < 6; i++)
        run_ok(cache, text_of(BIG(NODE("noise", "noise", SET("seed", "%d"))), i + 1), "noise.field");
    run_ok(cache,
           text_of(BIG("%s"), NOISE NODE("sim", "deposition",
                                         LINK("terrain", "noise.field") LINK("sediment", "noise.field")
                                             SET("iterations", "4"))),
           "sim.terrain");
    assert_true(device->used_bytes > 6 * FIELD);
    device->budget_bytes = free_run.planned_bytes;
    struct run run = {.cache = cache, .options = {.memory_bytes = free_run.planned_bytes}};
    device->peak_bytes = device->used_bytes;
    run_document(&run, BIG(SIM), "sim.terrain");
    device->budget_bytes = 0;
    if (!run.ok)
        fail_msg("%s", run.err.text);
    assert_int_equal(step_of(&run, "sim")->resumed_from,
                     4); /* evicted results went to the host and were not lost */
    assert_same_data(run, free_run);
    oro_cache_destroy(cache);
    assert_int_equal(device->used_bytes, 0);
}

/* Many inputs that wait for their turn are evicted too: those from the cache are on the device at first. */
TEST(waiting_values_give_way)
{
    need_device();
    struct oro_text nodes = {0};
    enum { INPUTS = 12 };
    for (int i = 0; i < INPUTS; i++)
        oro_text_addf(&nodes, NODE("n%d", "noise", SET("seed", "%d")), i, i + 1);
    for (int i = 1; i < INPUTS; i++)
        oro_text_addf(&nodes, NODE("c%d", "combine", LINK("a", "%s%d.field") LINK("b", "n%d.field")), i,
                      i > 1 ? "c" : "n", i - 1, i);
    const char *text = text_of(BIG("%s"), nodes.data), *target = "c11.field";
    struct run free_run = run_ok(NULL, text, target);
    struct oro_cache *cache = new_cache(NULL);
    for (int i = 0; i < INPUTS; i++) {
        char node[24];
        snprintf(node, sizeof node, "n%d.field", i);
        run_ok(cache, text, node);
    }
    assert_true(free_run.planned_bytes < 6 * FIELD);
    device->budget_bytes = free_run.planned_bytes;
    struct run run = {.cache = cache, .options = {.memory_bytes = free_run.planned_bytes}};
    run_document(&run, text, target);
    device->budget_bytes = 0;
    if (!run.ok)
        fail_msg("%s", run.err.text);
    assert_same_data(run, free_run);
    oro_cache_destroy(cache);
    oro_text_free(&nodes);
    assert_int_equal(device->used_bytes, 0);
}

static struct oro_value *evaluate_one(struct oro_cache *cache, const char *text, const char *node,
                                      const char *output)
{
    struct oro_problems problems = {0};
    struct oro_error err;
    struct oro_document *doc = oro_document_parse(text, strlen(text), "", &oro_builtin_nodes, &problems);
    struct oro_target target = {node, output};
    struct oro_plan *plan = oro_plan_create(doc, &oro_builtin_nodes, &target, 1,
                                            &(struct oro_plan_options){0}, device, NULL, NULL);
    struct oro_evaluator *evaluator = oro_evaluator_create(device, cache, &(struct oro_evaluator_options){0});
    struct oro_value *value = NULL;
    assert_non_null(plan);
    if (!oro_evaluate(evaluator, plan, &value, &err))
        fail_msg("%s", err.text);
    oro_evaluator_destroy(evaluator);
    oro_plan_destroy(plan);
    oro_document_destroy(doc);
    oro_problems_free(&problems);
    return value;
}

TEST(pinned_values_stay)
{
    need_device();
    struct oro_cache *cache = new_cache(NULL);
    struct oro_value *pinned = evaluate_one(cache, BIG(NODE("r", "ramp", "")), "r", "field");
    struct oro_buffer *buffer = oro_value_buffer(pinned, NULL);
    assert_non_null(buffer);
    device->budget_bytes = 4 * FIELD;
    for (int i = 0; i < 10; i++)
        run_ok(cache, text_of(BIG(NODE("noise", "noise", SET("seed", "%d"))), i), "noise.field");
    assert_ptr_equal(pinned->buffer, buffer);
    assert_true(device->used_bytes <= device->budget_bytes);
    device->budget_bytes = 0;
    oro_value_release(pinned);
    oro_cache_destroy(cache);
    assert_int_equal(device->used_bytes, 0);
}

/* Nothing stays behind, neither with a cache at its budget nor without one. */
TEST(memory_does_not_grow)
{
    need_device();
    struct oro_cache_options options = {.folder = "", .device_bytes = 3 * FIELD, .host_bytes = 2 * FIELD};
    struct oro_cache *cache = oro_cache_create(&options);
    for (int i = 0; i < 20; i++) {
        const char *text =
            text_of(BIG("%s"), text_of(NOISE NODE("sim", "fluvial_erosion",
                                                  LINK("terrain", "noise.field") SET("iterations", "%d")),
                                       3 + i));
        run_ok(cache, text, "sim.terrain");
        oro_cache_settle(cache);
        assert_true(device->used_bytes <= options.device_bytes);
    }
    oro_cache_destroy(cache);
    assert_int_equal(device->used_bytes, 0);
    for (int i = 0; i < 20; i++)
        run_ok(NULL, BIG(SIM), "sim.terrain");
    assert_int_equal(device->used_bytes, 0);
}

/* The budget holds for results that share their values with a simulation's state. */
TEST(shared_values_are_evicted)
{
    need_device();
    struct oro_cache_options options = {.folder = ""};
    struct oro_cache *cache = oro_cache_create(&options);
    run_ok(cache, BIG(SIM), "sim.terrain");
    oro_cache_settle(cache);
    assert_int_equal(device->used_bytes, 0); /* a budget of 0: nothing is kept beyond what is in use */
    oro_cache_destroy(cache);
}

/* For every node, the plan's estimate is no less than what was used. */
TEST(estimates_hold)
{
    need_device();
    static const struct {
        const char *node, *target;
    } cases[] = {
        {NODE("n", "fluvial_erosion", LINK("terrain", "noise.field") SET("iterations", "5")), "n.terrain"},
        {NODE("n", "thermal_erosion", LINK("terrain", "noise.field") SET("iterations", "5")), "n.terrain"},
        {NODE("n", "deposition", LINK("terrain", "noise.field") SET("iterations", "5")), "n.terrain"},
        {NODE("n", "drainage", LINK("terrain", "noise.field") SET("iterations", "5")), "n.drainage"},
        {NODE("n", "amplify",
              LINK("terrain", "noise.field") SET("iterations", "5") SET("thermal_iterations", "5")
                  SET("deposition_iterations", "5")),
         "n.terrain"},
        {NODE("n", "amplify", LINK("terrain", "noise.field") SET("iterations", "5")), "n.eroded"},
        {NODE("n", "upsample", LINK("terrain", "noise.field")), "n.terrain"},
        {NODE("n", "blur", LINK("field", "noise.field") SET("radius", "500")), "n.field"},
        {NODE("n", "hillshade", LINK("terrain", "noise.field")), "n.image"},
        {NODE("n", "remap", LINK("field", "noise.field")), "n.field"},
        {NODE("n", "combine", LINK("a", "noise.field") LINK("b", "noise.field")), "n.field"},
        {NODE("n", "bumps", ""), "n.terrain"},
        {NODE("n", "phasor", LINK("terrain", "noise.field") SET("frequency", "0.02") SET("scale", "2")),
         "n.terrain"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        device->peak_bytes = device->used_bytes;
        struct run run = run_ok(NULL, text_of(BIG("%s%s"), NOISE, cases[i].node), cases[i].target);
        if (device->peak_bytes > run.planned_bytes)
            fail_msg("%s\n%zu bytes were used and %zu planned", cases[i].node, device->peak_bytes,
                     run.planned_bytes);
        if (run.planned_bytes > 2 * device->peak_bytes + FIELD)
            fail_msg("%s\n%zu bytes were used and as many as %zu planned", cases[i].node, device->peak_bytes,
                     run.planned_bytes);
    }
}

TEST_GROUP(open_device, close_device);
