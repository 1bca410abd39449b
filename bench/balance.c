/* Mountain ranges under uniform uplift (Schott 2023, table 1): how long both solvers take until uplift and
 * rivers balance; then the terrains of the paper's figures, and on request how they get there. */
#include <string.h>

#include "bench/bench.h"

enum { EXTENT = 100000, ENOUGH = 1000000 };

static double mean_of(struct oro_value *value, struct oro_error *err)
{
    const float *heights = oro_value_host(value, err);
    size_t cells = oro_grid_cells(&value->grid);
    double sum = 0;
    for (size_t i = 0; heights && i < cells; i++)
        sum += (double)heights[i];
    return sum / (double)cells;
}

static bool balance_once(struct bench *bench, const char *method, int size, double *seconds, double *mean,
                         struct oro_error *err)
{
    static const struct oro_target target = {"range", "terrain"};
    struct bench_graph graph;
    struct bench_parts parts = {0};
    struct oro_value *value = NULL;
    bench_graph_extent(&graph, size, EXTENT);
    bench_graph_node(&graph, "range", "stream_power");
    bench_graph_word(&graph, "range", "method", method);
    bench_graph_set(&graph, "range", "iterations", ENOUGH);
    bench_graph_set(&graph, "range", "n", 1);
    bench_graph_set(&graph, "range", "m", 0.5);
    bool ok = bench_evaluate_all(bench, &graph, &target, 1, &value, &parts);
    *err = graph.err;
    *seconds = parts.whole;
    *mean = ok ? mean_of(value, err) : 0;
    oro_value_release(value);
    bench_graph_end(&graph);
    return ok;
}

static bool balance(struct bench *bench, const char *method, int size, struct oro_error *err)
{
    enum { MOST = 32 };
    double seconds[MOST], mean = 0;
    int repeats = bench->repeats < MOST ? bench->repeats : MOST;
    for (int i = -1; i < repeats; i++) /* the first one warms up */
        if (!balance_once(bench, method, size, &seconds[i < 0 ? 0 : i], &mean, err))
            return false;
    struct bench_row *row = bench_row(bench, "balance", method, size);
    row->iterations = 1;
    row->milliseconds = 1e3 * bench_median(seconds, repeats);
    bench_figure(bench, "balance",
                 strcmp(method, "implicit") ? "explicit, mean height" : "implicit, mean height", size, mean,
                 "m");
    return true;
}

bool bench_balance(struct bench *bench, struct oro_error *err)
{
    static const char *const methods[] = {"implicit", "explicit"};
    bool log_alone = bench->only && strcmp(bench->only, "log") == 0;
    if (log_alone && !bench->log)
        return oro_fail(err, ORO_E_USAGE, "balance: '--only log' needs '--log PREFIX', where it is to go");
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < bench->size_count; i++)
            if ((!bench->only || strcmp(bench->only, methods[k]) == 0) &&
                !balance(bench, methods[k], bench->sizes[i], err))
                return false;
    if (bench->only && strcmp(bench->only, "figures") != 0 && !log_alone)
        return true;
    return (log_alone || bench_figures(bench, err)) && (!bench->log || bench_convergence(bench, err));
}
