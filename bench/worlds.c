/* Whether water carves at every level: noise in worlds of several widths, amplified from several sizes, and
 * how the depth that was carved goes with the water that drains through it; and whether valleys look like
 * tubes. docs/realism.md defines the figures. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "bench/bench.h"
#include "terrain/realism/realism.h"

enum { LEVELS = 3 };
static const int sizes[] = {32, 64, 128};
static const double widths[] = {2, 20, 200}; /* km */

/* The noise has its defaults, or is that of 20 km drawn larger or smaller; larger worlds are gentler. */
static const char *const kinds[] = {"defaults", "scaled", NULL};

struct trial {
    struct bench *bench;
    const char *kind;
    double km;
    int side; /* of the noise, in cells */
};

static void add_scaled_noise(const struct trial *t, struct bench_graph *graph)
{
    bench_graph_node(graph, "noise", "noise");
    bench_graph_set(graph, "noise", "feature", 200 * t->km);
    bench_graph_set(graph, "noise", "amplitude", 1000 * sqrt(t->km / 20));
}

static void add_noise(const struct trial *t, struct bench_graph *graph)
{
    if (strcmp(t->kind, "defaults") == 0)
        bench_graph_node(graph, "noise", "noise");
    else
        add_scaled_noise(t, graph);
}

static void add_chain(struct bench_graph *graph, const char *id)
{
    bench_graph_node(graph, id, "amplify_chain");
    bench_graph_link(graph, id, "terrain", "noise", "field");
}

static void refine(struct bench_graph *graph, const char *id, const char *node, const char *output,
                   int factor)
{
    bench_graph_node(graph, id, "upsample");
    bench_graph_link(graph, id, "terrain", node, output);
    bench_graph_set(graph, id, "factor", factor);
    bench_graph_word(graph, id, "method", "means");
}

/* The chain up to level k, without breaching at the end; the exact drainage; what it began with, on cells as
 * fine; and how deep the level itself eroded. */
static void add_level(struct bench_graph *graph, int k)
{
    static const char *const levels[] = {"2", "2; 2", "2; 2; 2"};
    char chain[16], before[16], water[16], smooth[16], own[16];
    snprintf(chain, sizeof chain, "chain%d", k);
    snprintf(before, sizeof before, "chain%d", k - 1);
    snprintf(water, sizeof water, "water%d", k);
    snprintf(smooth, sizeof smooth, "smooth%d", k);
    snprintf(own, sizeof own, "own%d", k);
    add_chain(graph, chain);
    bench_graph_word(graph, chain, "levels", levels[k - 1]);
    bench_graph_word(graph, chain, "breach", "false");
    bench_graph_node(graph, water, "flow");
    bench_graph_link(graph, water, "terrain", chain, "terrain");
    refine(graph, smooth, k > 1 ? before : "noise", k > 1 ? "terrain" : "field", 2);
    if (k > 1)
        bench_graph_combine(graph, own, chain, "eroded", "subtract", before, "eroded");
}

static void build(const struct trial *t, struct bench_graph *graph)
{
    bench_graph_extent(graph, t->side, 1000 * t->km);
    add_noise(t, graph);
    bench_graph_node(graph, "water", "flow");
    bench_graph_link(graph, "water", "terrain", "noise", "field");
    for (int k = 1; k <= LEVELS; k++)
        add_level(graph, k);
    add_chain(graph, "chain");
    refine(graph, "smooth", "noise", "field", 1 << LEVELS);
}

/* A raster without its border of two cells of the noise; the caller frees it. NULL after a failure. */
static double *read_inside(const struct trial *t, struct oro_value *value, struct oro_error *err)
{
    int side = value->grid.width, border = 2 * side / t->side, inside = side - 2 * border;
    const float *data = oro_value_host(value, err);
    double *values = data ? oro_alloc((size_t)inside * (size_t)inside, sizeof *values) : NULL;
    if (data && !values)
        oro_fail(err, ORO_E_MEMORY, "no memory for %d x %d cells", inside, inside);
    for (int i = 0; values && i < inside * inside; i++)
        values[i] = (double)data[side * (border + i / inside) + border + i % inside];
    return values;
}

static void add_row(const struct trial *t, const char *stage, const char *what, int side, double figure,
                    const char *unit)
{
    char name[64];
    snprintf(name, sizeof name, "%g km from %d, %s: %s %s", t->km, t->side, t->kind, stage, what);
    bench_figure(t->bench, "worlds", name, side, figure, unit);
}

/* How the depth of `ground` below `before` goes with the drainage. Without `before`, `ground` is a depth. */
static bool compare(const struct trial *t, const char *stage, struct oro_value *before,
                    struct oro_value *ground, struct oro_value *drainage, struct oro_error *err)
{
    int border = 2 * ground->grid.width / t->side, inside = ground->grid.width - 2 * border;
    double *depth = read_inside(t, ground, err), correlation = 0;
    double *area = depth ? read_inside(t, drainage, err) : NULL;
    double *above = area && before ? read_inside(t, before, err) : NULL;
    for (int i = 0; above && i < inside * inside; i++)
        depth[i] = above[i] - depth[i];
    bool ok =
        area && (above || !before) && bench_rank_correlation(depth, area, inside * inside, &correlation, err);
    if (ok)
        add_row(t, stage, before ? "lowered" : "eroded", ground->grid.width, correlation, "");
    oro_free(depth);
    oro_free(area);
    oro_free(above);
    return ok;
}

/* The share of ground that lies in closed depressions. */
static bool find_lakes(const struct trial *t, const char *stage, struct oro_value *lakes,
                       struct oro_error *err)
{
    const float *numbers = oro_value_host(lakes, err);
    size_t cells = oro_grid_cells(&lakes->grid), wet = 0;
    for (size_t i = 0; numbers && i < cells; i++)
        wet += numbers[i] > 0;
    add_row(t, stage, "closed", lakes->grid.width, 100 * (double)wet / (double)cells, "%");
    return numbers;
}

enum { ERODED, DRAINAGE, TERRAIN, SMOOTH, WATER, LAKES, OUTPUTS };
static const struct oro_target targets[] = {
    {"chain1", "eroded"},   {"chain1", "drainage"}, {"chain1", "terrain"},  {"smooth1", "terrain"},
    {"water1", "drainage"}, {"water1", "lakes"},    {"own2", "field"},      {"chain2", "drainage"},
    {"chain2", "terrain"},  {"smooth2", "terrain"}, {"water2", "drainage"}, {"water2", "lakes"},
    {"own3", "field"},      {"chain3", "drainage"}, {"chain3", "terrain"},  {"smooth3", "terrain"},
    {"water3", "drainage"}, {"water3", "lakes"},    {"chain", "terrain"},   {"chain", "drainage"},
    {"smooth", "terrain"},  {"water", "lakes"}};
enum { CHAIN = OUTPUTS * LEVELS, CHAIN_DRAINAGE, NOISE, NOISE_LAKES, TARGETS };

static bool measure(const struct trial *t, struct oro_value **values, struct oro_error *err)
{
    for (int k = 0; k < LEVELS; k++) {
        struct oro_value **level = values + OUTPUTS * k;
        char stage[16];
        snprintf(stage, sizeof stage, "level %d", k + 1);
        if (!compare(t, stage, NULL, level[ERODED], level[DRAINAGE], err) ||
            !compare(t, stage, level[SMOOTH], level[TERRAIN], level[WATER], err))
            return false;
    }
    return compare(t, "end", values[NOISE], values[CHAIN], values[CHAIN_DRAINAGE], err) &&
           find_lakes(t, "noise", values[NOISE_LAKES], err) &&
           find_lakes(t, "level 3", values[OUTPUTS * (LEVELS - 1) + LAKES], err);
}

static bool run(const struct trial *t, struct oro_error *err)
{
    struct oro_value *values[TARGETS] = {NULL};
    struct bench_graph graph;
    struct bench_parts parts;
    build(t, &graph);
    fprintf(stderr, "%g km from %d, %s\n", t->km, t->side, t->kind);
    bool ok = bench_evaluate_all(t->bench, &graph, targets, TARGETS, values, &parts);
    if (!ok)
        *err = graph.err;
    ok = ok && measure(t, values, err);
    for (int i = 0; i < TARGETS; i++)
        oro_value_release(values[i]);
    bench_graph_end(&graph);
    return ok;
}

/* ---- Tubes ---- */

enum { SEEDS = 10, TUBES_FROM = 128 };
static const char *const basins[] = {"settle", "gorges", NULL};

/* How far the chain moved the means over the noise's cells, without a border of two of them: the deepest
 * fall, and the mean change. */
static void compare_means(const struct oro_value *noise, const struct oro_value *chain, const float *before,
                          const float *after, double *deepest, double *mean)
{
    int side = noise->grid.width, factor = chain->grid.width / side, border = 2;
    *deepest = *mean = 0;
    for (int y = border; y < side - border; y++)
        for (int x = border; x < side - border; x++) {
            double sum = 0;
            for (int i = 0; i < factor * factor; i++)
                sum += (double)after[(y * factor + i / factor) * chain->grid.width + x * factor + i % factor];
            double fall = (double)before[y * side + x] - sum / (factor * factor);
            *deepest = fmax(*deepest, fall);
            *mean += fabs(fall) / ((side - 2 * border) * (side - 2 * border));
        }
}

static bool measure_tubes(const struct trial *t, struct oro_value *const values[3], struct oro_error *err)
{
    const float *noise = oro_value_host(values[0], err), *chain = oro_value_host(values[1], err);
    const float *carved = oro_value_host(values[2], err);
    int side = values[1]->grid.width;
    struct oro_ground ground = {.width = side, .height = side, .z = chain};
    struct oro_realism_tubes tubes;
    double deepest, mean, cut = 0;
    if (!noise || !chain || !carved ||
        !oro_realism_tubes(&ground, values[1]->grid.cell, values[0]->grid.cell, &tubes, err))
        return false;
    compare_means(values[0], values[1], noise, chain, &deepest, &mean);
    for (int i = 0; i < side * side; i++)
        cut += (double)carved[i] / ((double)side * side);
    add_row(t, "channels", "", side, (double)tubes.channel_cells, "cells");
    add_row(t, "walled", "", side, (double)tubes.walled_cells, "cells");
    add_row(t, "tubes", "", side, (double)tubes.tube_cells, "cells");
    add_row(t, "dead ends", "", side, (double)tubes.dead_ends, "");
    add_row(t, "means", "fall", side, deepest, "m");
    add_row(t, "means", "moved", side, mean, "m");
    add_row(t, "last breaching", "carved", side, cut, "m");
    return true;
}

static bool run_tubes(struct trial *t, int seed, struct oro_error *err)
{
    static const struct oro_target tube_targets[] = {
        {"noise", "field"}, {"chain", "terrain"}, {"chain", "carved"}};
    struct oro_value *values[3] = {NULL};
    struct bench_graph graph;
    struct bench_parts parts;
    char kind[32];
    snprintf(kind, sizeof kind, "%s, seed %d", t->kind, seed);
    bench_graph_extent(&graph, t->side, 1000 * t->km);
    add_scaled_noise(t, &graph);
    bench_graph_set(&graph, "noise", "seed", seed);
    add_chain(&graph, "chain");
    bench_graph_word(&graph, "chain", "basins", t->kind);
    bool ok = bench_evaluate_all(t->bench, &graph, tube_targets, 3, values, &parts);
    if (!ok)
        *err = graph.err;
    t->kind = kind;
    ok = ok && measure_tubes(t, values, err);
    for (int i = 0; i < 3; i++)
        oro_value_release(values[i]);
    bench_graph_end(&graph);
    return ok;
}

static bool find_tubes(struct bench *bench, struct oro_error *err)
{
    for (int b = 0; basins[b]; b++)
        for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++)
            for (int seed = 1; seed <= SEEDS; seed++) {
                struct trial t = {bench, basins[b], widths[i], TUBES_FROM};
                if (!run_tubes(&t, seed, err))
                    return false;
            }
    return true;
}

bool bench_worlds(struct bench *bench, struct oro_error *err)
{
    if ((!bench->only || strcmp(bench->only, "tubes") == 0) && !find_tubes(bench, err))
        return false;
    for (int kind = 0; kinds[kind]; kind++)
        for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++)
            for (size_t j = 0; j < sizeof sizes / sizeof sizes[0]; j++) {
                struct trial t = {bench, kinds[kind], widths[i], sizes[j]};
                if ((!bench->only || strcmp(bench->only, t.kind) == 0) && !run(&t, err))
                    return false;
            }
    return true;
}
