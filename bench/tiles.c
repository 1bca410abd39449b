/* Exact drainage by tiles beside that of the whole, in memory: what it takes, and how many bytes go from
 * tiles to what joins them and back, for each cell of the tiles' rims. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "terrain/drainage/drain.h"
#include "terrain/drainage/tiled.h"

enum { REPEATS_MAX = 32, STEPS = 4 };
static const char suite[] = "tiles";
static const char *const steps[STEPS] = {"drainage", "area", "breach", "fill"};

struct timing {
    struct bench *bench;
    int size, tile;
    const float *z;
    float *out;
    double seconds[STEPS][REPEATS_MAX];
    struct oro_tiled_traffic traffic[STEPS]; /* after each step */
};

static bool load(void *user, const struct oro_tiled_block *window, float *out, struct oro_error *err)
{
    const struct timing *t = user;
    size_t width = (size_t)window->width;
    (void)err;
    for (int y = 0; y < window->height; y++)
        memcpy(out + (size_t)y * width, t->z + (size_t)(window->y + y) * (size_t)t->size + (size_t)window->x,
               width * sizeof *out);
    return true;
}

static bool store(void *user, const struct oro_tiled_block *tile, const float *values, struct oro_error *err)
{
    const struct timing *t = user;
    size_t width = (size_t)tile->width;
    (void)err;
    for (int y = 0; y < tile->height; y++)
        memcpy(t->out + (size_t)(tile->y + y) * (size_t)t->size + (size_t)tile->x, values + (size_t)y * width,
               width * sizeof *values);
    return true;
}

static void lap(struct timing *t, int step, int repeat, double *since)
{
    double now = oro_now();
    t->seconds[step][repeat] = now - *since;
    *since = now;
}

static bool run_whole(struct timing *t, int repeat, struct oro_error *err)
{
    struct oro_ground ground = {.width = t->size, .height = t->size, .z = t->z};
    struct oro_routing routing;
    double since = oro_now();
    if (!oro_route(&ground, &routing, err))
        return false;
    lap(t, 0, repeat, &since);
    bool ok = oro_drainage_area(&routing, 1, NULL, t->out, err);
    lap(t, 1, repeat, &since);
    ok = ok && oro_breach(&ground, &routing, &(struct oro_breaching){0}, t->out, err);
    lap(t, 2, repeat, &since);
    ok = ok && oro_fill(&ground, &routing, false, t->out, err);
    lap(t, 3, repeat, &since);
    oro_routing_free(&routing);
    return ok;
}

static bool run_tiles(struct timing *t, int repeat, struct oro_error *err)
{
    struct oro_tiled_ground ground = {
        .grid = {t->size, t->size, t->tile, t->tile, false}, .z = {load, t}, .budget = SIZE_MAX / 2};
    struct oro_tiled_sink out = {store, t};
    double since = oro_now();
    struct oro_tiled_drainage *drainage = oro_tiled_route(&ground, err);
    if (!drainage)
        return false;
    lap(t, 0, repeat, &since);
    t->traffic[0] = oro_tiled_traffic(drainage);
    bool ok = oro_tiled_area(drainage, 1, NULL, &out, err);
    lap(t, 1, repeat, &since);
    t->traffic[1] = oro_tiled_traffic(drainage);
    ok = ok && oro_tiled_breach(drainage, &(struct oro_breaching){0}, &out, err);
    lap(t, 2, repeat, &since);
    t->traffic[2] = oro_tiled_traffic(drainage);
    ok = ok && oro_tiled_fill(drainage, false, &out, err);
    lap(t, 3, repeat, &since);
    t->traffic[3] = oro_tiled_traffic(drainage);
    oro_tiled_drainage_free(drainage);
    return ok;
}

static bool time_runs(struct timing *t, const char *how,
                      bool (*run)(struct timing *, int, struct oro_error *), struct oro_error *err)
{
    int count = t->bench->repeats < REPEATS_MAX ? t->bench->repeats : REPEATS_MAX;
    for (int i = 0; i < count; i++)
        if (!run(t, i, err))
            return false;
    for (int i = 0; i < STEPS; i++) {
        char name[48];
        snprintf(name, sizeof name, "%s, %s", steps[i], how);
        struct bench_row *row = bench_row(t->bench, suite, name, t->size);
        row->iterations = 1;
        row->milliseconds = 1e3 * bench_median(t->seconds[i], count);
    }
    return true;
}

static void tell_traffic(const struct timing *t, const char *how)
{
    double rim = (double)t->traffic[0].rim_cells;
    for (int i = 0; i < STEPS; i++) {
        const struct oro_tiled_traffic *now = &t->traffic[i];
        double up = (double)(i ? now->flow_up - t->traffic[i - 1].flow_up : now->route_up);
        double down = (double)(i ? now->flow_down - t->traffic[i - 1].flow_down : now->route_down);
        char name[64];
        snprintf(name, sizeof name, "%s, %s, up", steps[i], how);
        bench_figure(t->bench, suite, name, t->size, up / rim, "B/rim cell");
        snprintf(name, sizeof name, "%s, %s, down", steps[i], how);
        bench_figure(t->bench, suite, name, t->size, down / rim, "B/rim cell");
    }
}

static bool time_size(struct bench *bench, int size, const float *z, struct oro_error *err)
{
    struct timing t = {.bench = bench, .size = size, .z = z};
    t.out = oro_alloc((size_t)size * (size_t)size, sizeof *t.out);
    bool ok = t.out || oro_fail(err, ORO_E_MEMORY, "no memory for %d x %d cells", size, size);
    ok = ok && time_runs(&t, "whole", run_whole, err);
    for (int parts = 2; ok && parts <= 8; parts *= 2) {
        char how[24];
        t.tile = (size + parts - 1) / parts;
        snprintf(how, sizeof how, "%d tiles", parts * parts);
        ok = time_runs(&t, how, run_tiles, err);
        tell_traffic(&t, how);
    }
    oro_free(t.out);
    return ok;
}

/* Fractal ground, with detail down to two cells. */
bool bench_tiles(struct bench *bench, struct oro_error *err)
{
    bool ok = true;
    for (int i = 0; ok && i < bench->size_count; i++) {
        struct bench_graph graph;
        struct oro_target target = {"ground", "field"};
        struct oro_value *value = NULL;
        struct bench_parts parts;
        bench_graph_begin(&graph, bench->sizes[i]);
        bench_graph_node(&graph, "ground", "noise");
        bench_graph_set(&graph, "ground", "feature", 5000);
        bench_graph_set(&graph, "ground", "amplitude", 1500);
        bench_graph_set(&graph, "ground", "octaves", 12);
        const float *z = bench_evaluate_all(bench, &graph, &target, 1, &value, &parts)
                             ? oro_value_host(value, &graph.err)
                             : NULL;
        ok = z && time_size(bench, bench->sizes[i], z, &graph.err);
        *err = graph.err;
        oro_value_release(value);
        bench_graph_end(&graph);
    }
    return ok;
}
