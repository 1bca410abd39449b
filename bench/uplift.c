/* How long an uplift tree takes to become a field (Schott 2023, section 7: 35,000 primitives at 2000 x 1200,
 * table 2). */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/random.h"
#include "bench/bench.h"
#include "graph/file/xml.h"
#include "graph/type/node.h"
#include "terrain/uplift/uplift.h"

enum { PRIMITIVES = 35000, RIDGE = 100, WIDTH = 2000, REPEATS_MAX = 100 };

/* ---- An uplift tree: ridges that wander about a world of 60 by 36 km ---- */

static struct oro_uplift *make_ridges(struct oro_error *err)
{
    struct oro_uplift_segment *ranges = oro_alloc(PRIMITIVES, sizeof *ranges);
    uint32_t random = 1;
    double x = 0, y = 0, direction = 0;
    for (int i = 0; ranges && i < PRIMITIVES; i++) {
        if (i % RIDGE == 0) {
            x = oro_random_between(&random, 0, 60000);
            y = oro_random_between(&random, 0, 36000);
            direction = oro_random_between(&random, 0, 6.283185307179586);
        }
        direction += oro_random_between(&random, -0.5, 0.5);
        double length = oro_random_between(&random, 50, 110);
        struct oro_uplift_segment range = {.ax = (float)x, .ay = (float)y};
        x += length * cos(direction);
        y += length * sin(direction);
        range.bx = (float)x;
        range.by = (float)y;
        range.radius_a = (float)oro_random_between(&random, 300, 500);
        range.radius_b = (float)oro_random_between(&random, 300, 500);
        range.uplift_a = (float)oro_random_between(&random, 0, 1e-3);
        range.uplift_b = (float)oro_random_between(&random, 0, 1e-3);
        ranges[i] = range;
    }
    struct oro_uplift *tree = ranges ? oro_uplift_ranges(ranges, PRIMITIVES, err) : NULL;
    oro_free(ranges);
    return tree;
}

/* ---- A graph that contains it ---- */

static bool give_ridges(struct oro_eval *e, const void *params)
{
    (void)params;
    struct oro_error err = {.code = ORO_OK};
    return oro_eval_give_uplift(e, "uplift", make_ridges(&err), &err);
}

static const struct oro_input no_inputs[] = {{0}};
static const struct oro_output outputs[] = {ORO_OUT_UPLIFT("uplift", .doc = "Ridges"), {0}};
static const struct oro_node_type ridges = {.id = "ridges",
                                            .version = 1,
                                            .category = "bench",
                                            .doc = "Ridges",
                                            .inputs = no_inputs,
                                            .outputs = outputs,
                                            .eval = give_ridges};

static const char graph[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<orograph xmlns=\"urn:orograph:1\" version=\"1\">\n"
    "<world extent=\"60000\" resolution=\"2000\" aspect=\"0.6\"/>\n"
    "<node id=\"tree\" type=\"ridges\" x=\"0\" y=\"0\"/>\n"
    "<node id=\"field\" type=\"uplift_rasterize\" x=\"0\" y=\"0\"><in name=\"uplift\" "
    "from=\"tree.uplift\"/></node>\n"
    "</orograph>\n";

struct times {
    double wall, device; /* of the step that rasterises; `wall` does not wait for the device */
};

static void take(void *user, const struct oro_step_report *report)
{
    struct times *times = user;
    if (strcmp(report->step->id, "field") == 0)
        *times = (struct times){report->seconds, report->device_seconds};
}

/* The time of one evaluation, without making the uplift tree; `whole` lasts until the device is done. */
static bool rasterize(struct bench *bench, const struct oro_plan *plan, struct times *times, double *whole,
                      struct oro_error *err)
{
    struct oro_evaluator_options options = {.step_done = take, .user = times};
    struct oro_evaluator *evaluator = oro_evaluator_create(bench->device, NULL, &options);
    struct oro_value *value = NULL;
    bool ok = evaluator && oro_evaluate(evaluator, plan, &value, err);
    double queued = oro_now();
    ok = ok && bench->device->ops->finish(bench->device, err);
    *whole = times->wall + oro_now() - queued;
    oro_value_release(value);
    oro_evaluator_destroy(evaluator);
    return ok;
}

static void add(struct bench *bench, const char *name, double *seconds, int count)
{
    double median = count > 0 ? bench_median(seconds, count) : -1;
    if (median < 0)
        return;
    struct bench_row *row = bench_row(bench, "uplift", name, WIDTH);
    row->iterations = 1;
    row->milliseconds = 1e3 * median;
}

static int repeats(const struct bench *bench)
{
    return bench->repeats < REPEATS_MAX ? bench->repeats : REPEATS_MAX;
}

static bool time_raster(struct bench *bench, const struct oro_plan *plan, struct oro_error *err)
{
    double whole[REPEATS_MAX], device[REPEATS_MAX], first;
    struct times times = {0};
    if (!rasterize(bench, plan, &times, &first, err)) /* the first run compiles the kernel */
        return false;
    for (int i = 0; i < repeats(bench); i++) {
        if (!rasterize(bench, plan, &times, &whole[i], err))
            return false;
        device[i] = times.device;
    }
    add(bench, "kernel, device", device, repeats(bench));
    add(bench, "all, wall clock", whole, repeats(bench));
    return true;
}

/* ---- Parts ---- */

static bool upload(struct bench *bench, const void *data, size_t words, struct oro_error *err)
{
    const struct oro_device_ops *ops = bench->device->ops;
    struct oro_buffer *buffer = ops->buffer_create(bench->device, words * sizeof(uint32_t), err);
    bool ok = buffer && ops->upload(bench->device, buffer, data, words * sizeof(uint32_t), err);
    if (buffer)
        ops->buffer_destroy(bench->device, buffer);
    return ok;
}

static bool time_parts(struct bench *bench, const struct oro_uplift *tree, struct oro_error *err)
{
    double compiling[REPEATS_MAX], uploading[REPEATS_MAX];
    for (int i = 0; i < repeats(bench); i++) {
        struct oro_uplift_program program;
        double started = oro_now();
        if (!oro_uplift_compile(tree, &program, err))
            return false;
        compiling[i] = oro_now() - started;
        started = oro_now();
        bool ok = upload(bench, program.primitives, program.primitive_floats, err) &&
                  upload(bench, program.bins, program.bin_count, err) &&
                  bench->device->ops->finish(bench->device, err);
        uploading[i] = oro_now() - started;
        oro_uplift_program_free(&program);
        if (!ok)
            return false;
    }
    add(bench, "compile and sort, one thread", compiling, repeats(bench));
    add(bench, "upload", uploading, repeats(bench));
    return true;
}

static bool time_checking(struct bench *bench, const struct oro_uplift *tree)
{
    double checking[REPEATS_MAX];
    for (int i = 0; i < repeats(bench); i++) {
        double started = oro_now();
        if (!oro_uplift_of(tree, oro_uplift_bytes(tree), NULL))
            return false;
        checking[i] = oro_now() - started;
    }
    add(bench, "check the bytes", checking, repeats(bench));
    return true;
}

bool bench_uplift(struct bench *bench, struct oro_error *err)
{
    const struct oro_node_type *types[] = {&ridges, oro_registry_rasterizer(&oro_builtin_nodes)};
    struct oro_registry registry = {.types = types, .count = 2};
    struct oro_problems problems = {0};
    struct oro_target target = {"field", "field"};
    struct oro_plan_options options = {.allow_any_path = true};
    struct oro_document *doc = oro_document_parse(graph, strlen(graph), "bench", &registry, &problems);
    struct oro_plan *plan =
        doc ? oro_plan_create(doc, &registry, &target, 1, &options, bench->device, NULL, err) : NULL;
    struct oro_uplift *tree = plan ? make_ridges(err) : NULL;
    bool ok =
        tree && time_checking(bench, tree) && time_parts(bench, tree, err) && time_raster(bench, plan, err);
    oro_free(tree);
    oro_plan_destroy(plan);
    oro_document_destroy(doc);
    oro_problems_free(&problems);
    return ok;
}
