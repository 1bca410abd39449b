/* What exact drainage, breaching, filling and retargeting cost by size, and how long each part of a whole
 * amplification takes. The breaching volumes of table 3 are in table3.c. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "terrain/drainage/drain.h"
#include "terrain/hydrology/steady_drainage.h"

enum { REPEATS_MAX = 32 };
static const char suite[] = "hydrology";

/* ---- Every step against size, on fractal ground ---- */

static const char *const steps[][2] = {{"noise", "field"},      {"flow", "drainage"},
                                       {"breach", "carved"},    {"fill", "filled"},
                                       {"retarget", "terrain"}, {"multiscale_breach", "carved"}};
enum { STEPS = sizeof steps / sizeof steps[0] };

static void fractal(struct bench_graph *graph, const char *id, int octaves)
{
    bench_graph_node(graph, id, "noise");
    bench_graph_set(graph, id, "feature", 5000);
    bench_graph_set(graph, id, "amplitude", 1500);
    bench_graph_set(graph, id, "octaves", octaves);
}

/* The ground has detail down to two cells at every size; for retargeting, the reference has its first four
 * octaves. */
static void build(struct bench_graph *graph, const char *type, int size)
{
    bench_graph_begin(graph, size);
    fractal(graph, "ground", 12);
    fractal(graph, "reference", 4);
    if (strcmp(type, "noise") == 0)
        return;
    bench_graph_node(graph, "step", type);
    bench_graph_link(graph, "step", "terrain", "ground", "field");
    if (strcmp(type, "retarget") == 0)
        bench_graph_link(graph, "step", "reference", "reference", "field");
}

static int repeats(const struct bench *bench)
{
    return bench->repeats < REPEATS_MAX ? bench->repeats : REPEATS_MAX;
}

static void add_time(struct bench *bench, const char *what, const char *clock, int size, double seconds)
{
    char name[48];
    snprintf(name, sizeof name, "%.32s, %.12s", what, clock);
    struct bench_row *row = bench_row(bench, suite, name, size);
    row->iterations = 1;
    row->milliseconds = 1e3 * seconds;
}

/* Does one run more than it counts, because the first one compiles. */
static bool time_step(struct bench *bench, int which, int size, struct oro_error *err)
{
    const char *type = steps[which][0], *node = strcmp(type, "noise") == 0 ? "ground" : "step";
    double wall[REPEATS_MAX + 1] = {0}, device[REPEATS_MAX + 1] = {0};
    int count = repeats(bench);
    for (int i = 0; i <= count; i++) {
        struct bench_graph graph;
        struct bench_times times;
        build(&graph, type, size);
        bool ok = bench_evaluate(bench, &graph, node, steps[which][1], &times);
        *err = graph.err;
        bench_graph_end(&graph);
        if (!ok)
            return false;
        wall[i] = times.step;
        device[i] = times.step_device;
    }
    add_time(bench, type, "wall clock", size, bench_median(wall + 1, count));
    if (device[1] >= 0)
        add_time(bench, type, "device", size, bench_median(device + 1, count));
    return true;
}

/* The same work on the processor, on its own: routing, areas, breaching. */
static bool breach_once(const struct oro_ground *ground, uint32_t *areas, float *out, double *seconds,
                        struct oro_error *err)
{
    struct oro_routing routing;
    double started = oro_now();
    if (!oro_route(ground, &routing, err))
        return false;
    oro_drainage_cells(&routing, areas);
    bool ok = oro_breach(ground, &routing, &(struct oro_breaching){0}, out, err);
    oro_routing_free(&routing);
    *seconds = oro_now() - started;
    return ok;
}

/* Drainage to start from, where time is physical. */
static bool settle_once(const struct oro_ground *ground, float *area, double *seconds, struct oro_error *err)
{
    struct oro_steady_drainage steady = {ground->width, ground->height, 5, 1.3, false, ground->z};
    for (size_t i = 0; i < (size_t)ground->width * (size_t)ground->height; i++)
        area[i] = 25;
    double started = oro_now();
    bool ok = oro_steady_drainage(&steady, area, err);
    *seconds = oro_now() - started;
    return ok;
}

static bool time_processor(struct bench *bench, int size, struct oro_error *err)
{
    struct bench_graph graph;
    build(&graph, "noise", size);
    struct oro_target target = {"ground", "field"};
    struct oro_value *value = NULL;
    struct bench_parts parts;
    bool ok = bench_evaluate_all(bench, &graph, &target, 1, &value, &parts);
    const float *z = ok ? oro_value_host(value, &graph.err) : NULL;
    size_t cells = (size_t)size * (size_t)size;
    uint32_t *areas = oro_alloc(cells, sizeof *areas);
    float *out = oro_alloc(cells, sizeof *out);
    struct oro_ground ground = {.width = size, .height = size, .z = z};
    double breaching[REPEATS_MAX], settling[REPEATS_MAX];
    int count = repeats(bench);
    ok = z && areas && out;
    for (int i = 0; ok && i < count; i++)
        ok = breach_once(&ground, areas, out, &breaching[i], &graph.err) &&
             settle_once(&ground, out, &settling[i], &graph.err);
    if (ok) {
        add_time(bench, "breach and area", "processor", size, bench_median(breaching, count));
        add_time(bench, "steady drainage", "processor", size, bench_median(settling, count));
    } else if (!graph.err.code)
        oro_fail(&graph.err, ORO_E_MEMORY, "no memory for %zu cells", cells);
    *err = graph.err;
    oro_free(areas);
    oro_free(out);
    oro_value_release(value);
    bench_graph_end(&graph);
    return ok;
}

static bool wanted(const struct bench *bench, const char *step)
{
    return !bench->only || strcmp(bench->only, step) == 0;
}

static bool time_steps(struct bench *bench, struct oro_error *err)
{
    for (int i = 0; i < bench->size_count; i++) {
        for (int k = 0; k < STEPS; k++)
            if (wanted(bench, steps[k][0]) && !time_step(bench, k, bench->sizes[i], err))
                return false;
        if (wanted(bench, "processor") && !time_processor(bench, bench->sizes[i], err))
            return false;
    }
    return true;
}

/* ---- The whole amplification, 256 cells to 4096, with retargeting and breaching ---- */

/* The first level erodes without refining; each further level doubles the resolution (Schott 2024, table 1,
 * figure 18 B). */
static const int first_size = 256;
const int bench_iterations[BENCH_LEVELS] = {4200, 2800, 1500, 600, 300};

/* As in the paper: on free ground, with ridges put back. */
static void build_chain(struct bench_graph *graph, int levels)
{
    char table[BENCH_LEVELS * 64];
    size_t length = 0;
    for (int i = 0; i < levels; i++)
        length += (size_t)snprintf(table + length, sizeof table - length,
                                   "%s%d iterations=%d thermal=%d deposition=%d", i ? "; " : "", i ? 2 : 1,
                                   bench_iterations[i], bench_iterations[i], bench_iterations[i]);
    bench_graph_begin(graph, first_size);
    bench_graph_node(graph, "bumps", "bumps");
    bench_graph_node(graph, "chain", "amplify_chain");
    bench_graph_link(graph, "chain", "terrain", "bumps", "terrain");
    bench_graph_word(graph, "chain", "levels", table);
    bench_graph_word(graph, "chain", "ground", "free");
    bench_graph_set(graph, "chain", "area_limit", 250);
    bench_graph_word(graph, "chain", "retarget", "true");
}

static void add_parts(struct bench *bench, const struct bench_parts *parts)
{
    for (int i = 0; i < parts->count; i++) {
        const struct bench_part *part = &parts->items[i];
        const char *name = strchr(part->id, '/');
        if (!name)
            continue;
        char what[40];
        snprintf(what, sizeof what, "chain: %.32s", name + 1);
        add_time(bench, what, "wall clock", part->size, part->wall);
        if (part->device > 0)
            add_time(bench, what, "device", part->size, part->device);
    }
}

static bool time_chain(struct bench *bench, struct oro_error *err)
{
    int levels = 1, size = first_size;
    while (levels < BENCH_LEVELS && 2 * size <= bench->sizes[bench->size_count - 1]) {
        levels++;
        size *= 2;
    }
    struct bench_parts parts = {.count = 0};
    bool ok = true;
    int runs = bench->device->info.software ? 1 : 2; /* in software, compiling hardly counts */
    for (int i = 0; i < runs && ok; i++) {
        struct bench_graph graph;
        struct oro_target target = {"chain", "terrain"};
        struct oro_value *value = NULL;
        build_chain(&graph, levels);
        ok = bench_evaluate_all(bench, &graph, &target, 1, &value, &parts);
        *err = graph.err;
        oro_value_release(value);
        bench_graph_end(&graph);
    }
    if (ok) {
        add_parts(bench, &parts);
        add_time(bench, "chain: whole", "wall clock", size, parts.whole);
    }
    return ok;
}

bool bench_hydrology(struct bench *bench, struct oro_error *err)
{
    return (bench->only || bench_table3(bench, err)) && time_steps(bench, err) &&
           (bench->only || time_chain(bench, err));
}
