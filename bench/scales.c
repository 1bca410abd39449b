/* How much a simulation depends on the resolution: the same world and the same time on grids of several
 * sizes, the change of each compared with that on the finest. Patterns are compared on the coarsest grid
 * after a Gaussian of 4 of its cells. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "bench/bench.h"

static const double blur = 4; /* standard deviation, in the coarsest cells */

/* Its least features are 500 m wide: grids of 256 cells show them. Slopes are steep enough to slide. */
static const char *const world[] = {"octaves", "4", "amplitude", "2500", "offset", "2500", NULL};

/* By default sediment gets from side to side of this world once: it is still filling the hollows then. */
static const struct simulation {
    const char *type, *duration; /* NULL: by default */
} simulations[] = {{"fluvial_erosion", NULL},   {"thermal_erosion", NULL},    {"deposition", "4000000"},
                   {"hydraulic_erosion", NULL}, {"constraint_erosion", NULL}, {NULL, NULL}};

/* The change of a run on the coarsest grid, `side` cells a side. */
struct change {
    double mean; /* magnitude, of all cells of the run */
    double *low; /* after the Gaussian */
};

static void reduce(const float *before, const float *after, int size, int side, struct change *change)
{
    int factor = size / side;
    double share = 1.0 / (factor * factor);
    change->mean = 0;
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++) {
            double difference = (double)after[size * y + x] - (double)before[size * y + x];
            change->mean += fabs(difference) / size / size;
            change->low[side * (y / factor) + x / factor] += share * difference;
        }
}

/* Along one axis; near the border the part of the Gaussian inside counts. */
static void blur_lines(const double *from, double *to, int side, int along, int across)
{
    int reach = (int)ceil(3 * blur);
    for (int line = 0; line < side; line++)
        for (int i = 0; i < side; i++) {
            double sum = 0, weights = 0;
            for (int k = i > reach ? i - reach : 0; k <= i + reach && k < side; k++) {
                double weight = exp(-(k - i) * (k - i) / (2 * blur * blur));
                sum += weight * from[across * line + along * k];
                weights += weight;
            }
            to[across * line + along * i] = sum / weights;
        }
}

static bool compare(struct oro_value **values, int size, int side, struct change *change,
                    struct oro_error *err)
{
    const float *before = oro_value_host(values[0], err), *after = oro_value_host(values[1], err);
    double *room = oro_alloc((size_t)side * (size_t)side, sizeof *room);
    change->low = oro_alloc((size_t)side * (size_t)side, sizeof *change->low);
    bool ok = before && after;
    if (ok && room && change->low) {
        reduce(before, after, size, side, change);
        blur_lines(change->low, room, side, 1, side);
        blur_lines(room, change->low, side, side, 1);
    } else if (ok) {
        ok = oro_fail(err, ORO_E_MEMORY, "no memory for a comparison");
    }
    oro_free(room);
    return ok;
}

static bool run(struct bench *bench, const struct simulation *simulation, int size, struct change *change,
                struct oro_error *err)
{
    struct bench_graph graph;
    struct bench_parts parts;
    struct oro_target targets[] = {{"noise", "field"}, {"erosion", "terrain"}};
    struct oro_value *values[2] = {NULL, NULL};
    *change = (struct change){0};
    bench_graph_begin(&graph, size);
    bench_graph_node(&graph, "noise", "noise");
    bench_graph_node(&graph, "erosion", simulation->type);
    if (simulation->duration)
        bench_graph_word(&graph, "erosion", "duration", simulation->duration);
    bench_graph_link(&graph, "erosion", "terrain", "noise", "field");
    for (int i = 0; world[i]; i += 2)
        bench_graph_word(&graph, "noise", world[i], world[i + 1]);
    bool ok = bench_evaluate_all(bench, &graph, targets, 2, values, &parts);
    if (!ok)
        *err = graph.err;
    ok = ok && compare(values, size, bench->sizes[0], change, err);
    for (int i = 0; i < 2; i++)
        oro_value_release(values[i]);
    bench_graph_end(&graph);
    return ok;
}

static bool measure(struct bench *bench, const struct simulation *simulation, struct oro_error *err)
{
    struct change changes[BENCH_SIZES_MAX] = {{0}};
    int last = bench->size_count - 1, side = bench->sizes[0];
    bool ok = true;
    for (int i = 0; ok && i <= last; i++)
        ok = run(bench, simulation, bench->sizes[i], &changes[i], err);
    for (int i = 0; ok && i <= last; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s, mean change", simulation->type);
        bench_figure(bench, "scales", name, bench->sizes[i], changes[i].mean, "m");
        snprintf(name, sizeof name, "%s, correlation", simulation->type);
        bench_figure(bench, "scales", name, bench->sizes[i],
                     bench_correlation(changes[i].low, changes[last].low, side * side), "");
    }
    for (int i = 0; i <= last; i++)
        oro_free(changes[i].low);
    return ok;
}

bool bench_scales(struct bench *bench, struct oro_error *err)
{
    for (int i = 0; i < bench->size_count; i++)
        if (bench->sizes[i] % bench->sizes[0] != 0)
            return oro_fail(err, ORO_E_USAGE, "sizes are multiples of the first");
    for (const struct simulation *simulation = simulations; simulation->type; simulation++)
        if ((!bench->only || strcmp(bench->only, simulation->type) == 0) && !measure(bench, simulation, err))
            return false;
    return true;
}
