/* 100 iterations of constraint erosion, as in table 1 of Lim 2022: the whole step, wall clock. */
#include <stdio.h>

#include "bench/bench.h"

enum { ITERATIONS = 100 };

/* Runs on rough ground without a sea, which is the most work. `reference`: size of the reference cell in
 * cells. */
static bool run(struct bench *bench, int size, double reference, double *seconds, struct oro_error *err)
{
    struct bench_graph graph;
    struct bench_times times;
    bench_graph_begin(&graph, size);
    bench_graph_node(&graph, "noise", "noise");
    bench_graph_set(&graph, "noise", "feature", 7000);
    bench_graph_set(&graph, "noise", "amplitude", 2400);
    bench_graph_set(&graph, "noise", "octaves", 8);
    bench_graph_node(&graph, "erosion", "constraint_erosion");
    bench_graph_link(&graph, "erosion", "terrain", "noise", "field");
    bench_graph_set(&graph, "erosion", "iterations", ITERATIONS);
    bench_graph_set(&graph, "erosion", "sea_level", -100000);
    bench_graph_set(&graph, "erosion", "reference_cell", reference * 20000 / size);
    bool ok = bench_evaluate(bench, &graph, "erosion", "terrain", &times);
    *seconds = times.step;
    if (!ok)
        *err = graph.err;
    bench_graph_end(&graph);
    return ok;
}

static bool measure(struct bench *bench, int size, double reference, struct oro_error *err)
{
    double seconds[32];
    int repeats = bench->repeats < 32 ? bench->repeats : 32;
    char name[64];
    if (!run(bench, size, reference, &seconds[0], err)) /* the first run compiles the kernels */
        return false;
    for (int i = 0; i < repeats; i++)
        if (!run(bench, size, reference, &seconds[i], err))
            return false;
    snprintf(name, sizeof name, "100 iterations, reference of %g cells", reference);
    bench_row(bench, "constraint", name, size)->milliseconds = 1e3 * bench_median(seconds, repeats);
    return true;
}

bool bench_constraint(struct bench *bench, struct oro_error *err)
{
    static const double references[] = {1, 4};
    for (int i = 0; i < bench->size_count; i++)
        for (int k = 0; k < 2; k++)
            if (!measure(bench, bench->sizes[i], references[k], err))
                return false;
    return true;
}
