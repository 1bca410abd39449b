/* The amplification of figure 15 (Schott 2024): 128 cells to 4096, with the iterations of table 1: every
 * process (fluvial, thermal, deposition) runs that many at every level. */
#include <stdio.h>

#include "bench/bench.h"

static const int sizes[] = {128, 256, 512, 1024, 2048, 4096};
static const int iterations[] = {2600, 1800, 4200, 1600, 700, 400};
enum { LEVELS = sizeof sizes / sizeof sizes[0] };

static bool measure(struct bench *bench, int levels, const char *name, struct oro_error *err)
{
    struct bench_graph graph;
    struct bench_times times;
    char last[16];
    snprintf(last, sizeof last, "level%d", sizes[levels - 1]);
    char id[16], before[16] = "bumps";
    bench_graph_begin(&graph, sizes[0]);
    bench_graph_node(&graph, "bumps", "bumps");
    for (int i = 0; i < levels; i++) {
        snprintf(id, sizeof id, "level%d", sizes[i]);
        bench_graph_amplify(&graph, id, before, "terrain", i == 0, iterations[i]);
        snprintf(before, sizeof before, "%s", id);
    }
    bool ok = bench_evaluate(bench, &graph, last, "terrain", &times);
    if (ok) {
        struct bench_row *row = bench_row(bench, "figure15", name, sizes[levels - 1]);
        row->iterations = 1;
        row->milliseconds = 1e3 * times.whole;
    } else {
        *err = graph.err;
    }
    bench_graph_end(&graph);
    return ok;
}

/* Times the graph up to every level, so that differences show what one level costs: wall-clock time, first
 * with the kernels' compilation, then again without. */
bool bench_figure15(struct bench *bench, struct oro_error *err)
{
    int last = LEVELS;
    while (last > 1 && bench->size_count > 0 && sizes[last - 1] > bench->sizes[bench->size_count - 1])
        last--;
    if (!measure(bench, last, "with compilation", err))
        return false;
    for (int levels = 1; levels <= last; levels++)
        if (!measure(bench, levels, "whole, wall clock", err))
            return false;
    return true;
}
