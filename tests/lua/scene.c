#include "tests/lua/scene.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "graph/eval/evaluator.h"
#include "graph/file/xml.h"
#include "lua/types/node_types.h"

struct scene scene;
static const struct oro_node_type *types[1024];
static struct oro_registry registry = {.types = types};

int scene_open(void **state)
{
    (void)state;
    if (!harness_open(&scene.h))
        print_message("skipped: %s\n", scene.h.err.text);
    scene.h.registry = &registry;
    scene_size(8, 8);
    return 0;
}

int scene_close(void **state)
{
    (void)state;
    oro_parallel_force(0);
    oro_free(scene.ground);
    harness_close(&scene.h);
    return 0;
}

void need_device(void)
{
    if (!scene.h.device)
        skip();
}

void scene_size(int width, int height)
{
    scene.width = width;
    scene.height = height;
    oro_free(scene.ground);
    scene.ground = oro_alloc((size_t)width * (size_t)height, sizeof *scene.ground);
    assert_non_null(scene.ground);
    uint32_t sequence = 5;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            scene.ground[width * y + x] =
                (float)(50 + 30 * sin(0.3 * x + 0.1 * y) * cos(0.23 * y) + 20 * oro_random_unit(&sequence));
}

/* ---- Evaluating ---- */

static bool take_types(const struct oro_script *script)
{
    assert_true(oro_builtin_nodes.count + 1 < sizeof types / sizeof types[0]);
    memcpy(types, oro_builtin_nodes.types, oro_builtin_nodes.count * sizeof types[0]);
    types[oro_builtin_nodes.count] = &script->type;
    registry.count = oro_builtin_nodes.count + 1;
    return true;
}

static void take_note(void *user, enum oro_level level, const char *text)
{
    struct harness *h = user;
    size_t used = strlen(h->warnings);
    if (level != ORO_DEBUG)
        snprintf(h->warnings + used, sizeof h->warnings - used, "%s\n", text);
}

static void *cancel_later(void *evaluator)
{
    struct timespec time = {(time_t)scene.cancel_after, (long)(1e9 * fmod(scene.cancel_after, 1))};
    nanosleep(&time, NULL);
    oro_evaluator_cancel(evaluator);
    return NULL;
}

static bool evaluate(const struct oro_plan *plan, struct oro_value **value)
{
    struct harness *h = &scene.h;
    struct oro_evaluator_options options = {.log = {take_note, h}};
    struct oro_evaluator *evaluator = oro_evaluator_create(h->device, NULL, &options);
    pthread_t thread;
    assert_non_null(evaluator);
    if (scene.cancel_after > 0)
        assert_int_equal(pthread_create(&thread, NULL, cancel_later, evaluator), 0);
    double start = oro_now();
    size_t before = oro_memory_count();
    oro_memory_fail_at(scene.fail_at);
    bool ok = oro_evaluate(evaluator, plan, value, &h->err);
    oro_memory_fail_at(0);
    scene.allocations = oro_memory_count() - before;
    scene.seconds = oro_now() - start;
    if (scene.cancel_after > 0)
        pthread_join(thread, NULL);
    oro_evaluator_destroy(evaluator);
    return ok;
}

static bool take_value(struct oro_value *value, struct harness_raster *raster)
{
    const void *host = oro_value_host(value, &scene.h.err);
    *raster = (struct harness_raster){value->type, value->grid, value->channels,
                                      oro_alloc(oro_value_bytes(value), 1), oro_value_bytes(value)};
    assert_non_null(host);
    assert_non_null(raster->data);
    memcpy(raster->data, host, raster->bytes);
    oro_value_release(value);
    return true;
}

static bool run_document(const char *text, const char *output, struct harness_raster *raster)
{
    struct harness *h = &scene.h;
    struct oro_problems problems = {0};
    struct oro_target target = {"s", output};
    struct oro_value *value = NULL;
    h->warnings[0] = '\0';
    struct oro_document *doc = oro_document_parse(text, strlen(text), "test.oro", &registry, &problems);
    if (problems.errors)
        fail_msg("line %d: %s", problems.items[0].line, problems.items[0].text);
    oro_problems_free(&problems);
    struct oro_plan *plan =
        oro_plan_create(doc, &registry, &target, 1, &h->options, h->device, NULL, &h->err);
    bool ok = plan && evaluate(plan, &value);
    oro_plan_destroy(plan);
    oro_document_destroy(doc);
    return ok && take_value(value, raster);
}

bool scene_try(const char *script, const char *nodes, const char *output, struct harness_raster *raster)
{
    struct oro_log log = {take_note, &scene.h};
    struct oro_script_source source = {
        .id = "zz_probe", .path = "probe.lua", .line = 1, .text = script, .length = strlen(script)};
    char path[128], text[8192];
    struct oro_script *read = oro_script_read(&source, oro_script_forms, &log, &scene.h.err);
    if (!read)
        return false;
    take_types(read);
    harness_store(&scene.h, "ground.pfm", scene.width, scene.height, scene.ground, path);
    snprintf(text, sizeof text,
             HARNESS_DOCUMENT("extent=\"%d\" resolution=\"%d\"",
                              NODE("t", "import", IN("file", "%s") IN("size", "file")) "%s"),
             SCENE_CELL * scene.width, scene.width, path, nodes);
    bool ok = run_document(text, output, raster);
    oro_script_destroy(read);
    return ok;
}

struct harness_raster scene_run(const char *script, const char *nodes, const char *output)
{
    struct harness_raster raster = {0};
    if (!scene_try(script, nodes, output, &raster))
        fail_msg("%s: %s", output, scene.h.err.text);
    return raster;
}

void scene_fails(const char *script, const char *nodes, ...)
{
    struct harness_raster raster;
    va_list args;
    if (scene_try(script, nodes, "field", &raster))
        fail_msg("it did not fail: %s", script);
    va_start(args, nodes);
    for (const char *part; (part = va_arg(args, const char *));)
        if (!strstr(scene.h.err.text, part))
            fail_msg("'%s' is not in the message: %s", part, scene.h.err.text);
    va_end(args);
}

void scene_survives_no_memory(const char *script, const char *nodes)
{
    enum { STEP = 7 };
    oro_parallel_force(1);
    struct harness_raster raster = scene_run(script, nodes, "field");
    size_t count = scene.allocations, failures = 0;
    for (scene.fail_at = 1; scene.fail_at <= count; scene.fail_at += STEP) {
        harness_free(&raster);
        if (scene_try(script, nodes, "field", &raster))
            continue;
        failures++;
        if (scene.h.err.code != ORO_E_MEMORY)
            fail_msg("allocation %zu of %zu: %s", scene.fail_at, count, scene.h.err.text);
    }
    scene.fail_at = 0;
    oro_parallel_force(0);
    harness_free(&raster);
    assert_true(failures > 0); /* most are Lua's, which collects garbage and tries again */
}

void scene_same_bits(const char *script, const char *nodes, const char *output)
{
    static const int threads[] = {1, 2, 3, 7};
    struct harness_raster first = {0};
    for (size_t i = 0; i < sizeof threads / sizeof threads[0]; i++) {
        oro_parallel_force(threads[i]);
        struct harness_raster raster = scene_run(script, nodes, output);
        if (i == 0) {
            first = raster;
            continue;
        }
        assert_int_equal(raster.bytes, first.bytes);
        assert_memory_equal(raster.data, first.data, first.bytes);
        harness_free(&raster);
    }
    oro_parallel_force(0);
    harness_free(&first);
}
