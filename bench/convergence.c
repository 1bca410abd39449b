/* How a terrain in balance comes to a new balance when its uplift is edited (Schott 2023, figures 26 and 28):
 * the mean difference from its end, step by step. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "bench/bench.h"
#include "formats/network/gnuplot.h"

enum { EXTENT = 100000, SELDOM = 10, CURVES = 4 };

/* One edit, by one solver. */
struct curve {
    const char *edit, *method;
    struct oro_text points; /* "step difference" */
};

/* What the callback sees and writes. */
struct logging {
    struct curve *curve;
    FILE *file;
    const float *end;
    size_t cells;
    int steps;
};

static void add_edit(struct bench_graph *graph, const char *edit)
{
    if (strcmp(edit, "range") == 0) {
        bench_graph_node(graph, "edit", "uplift_range");
        bench_graph_word(graph, "edit", "from", "30000 60000");
        bench_graph_word(graph, "edit", "to", "70000 40000");
        bench_graph_set(graph, "edit", "radius", 20000);
        bench_graph_set(graph, "edit", "uplift", 2e-3);
        return;
    }
    bench_graph_node(graph, "edit", "uplift_valley");
    bench_graph_word(graph, "edit", "curve",
                     "45000 45000, 0 30000; 55000 45000, 100000 35000; 50000 55000, 55000 100000");
    bench_graph_set(graph, "edit", "width", 12000);
    bench_graph_set(graph, "edit", "rim", 5e-4);
}

static void add_uplifts(struct bench_graph *graph, const char *edit)
{
    bench_graph_node(graph, "plain", "uplift_constant");
    bench_graph_set(graph, "plain", "uplift", 5e-4);
    add_edit(graph, edit);
    bench_graph_node(graph, "edited", "uplift_combine");
    bench_graph_link(graph, "edited", "a", "plain", "uplift");
    bench_graph_link(graph, "edited", "b", "edit", "uplift");
    if (strcmp(edit, "valleys") == 0)
        bench_graph_word(graph, "edited", "method", "carve");
}

static void begin(struct bench_graph *graph, const struct curve *curve, int size)
{
    static const char *const nodes[] = {"before", "after"};
    bench_graph_extent(graph, size, EXTENT);
    add_uplifts(graph, curve->edit);
    for (int i = 0; i < 2; i++) {
        bench_graph_node(graph, nodes[i], "stream_power");
        bench_graph_set(graph, nodes[i], "iterations", 1000000);
        bench_graph_set(graph, nodes[i], "n", 1);
        bench_graph_set(graph, nodes[i], "m", 0.5);
        bench_graph_link(graph, nodes[i], "uplift", i ? "edited" : "plain", "uplift");
    }
    bench_graph_word(graph, "after", "method", curve->method);
    bench_graph_set(graph, "after", "levels", 0);
    bench_graph_set(graph, "after", "roughness", 0);
    bench_graph_link(graph, "after", "terrain", "before", "terrain");
}

static void note(struct logging *logging, int step, const float *z)
{
    double difference = 0, mean = 0;
    for (size_t i = 0; i < logging->cells; i++) {
        difference += fabs((double)z[i] - (double)logging->end[i]);
        mean += (double)z[i];
    }
    difference /= (double)logging->cells;
    mean /= (double)logging->cells;
    fprintf(logging->file, "%s,%s,%d,%.6g,%.6g\n", logging->curve->edit, logging->curve->method, step,
            difference, mean);
    if (difference > 0)
        oro_text_addf(&logging->curve->points, "%d %.6g\n", step, difference);
    logging->steps = step;
}

static void look(void *user, const struct oro_live *live)
{
    struct logging *logging = user;
    struct oro_error err;
    bool after = strncmp(live->step->id, "after", 5) == 0 && strcmp(live->output, "terrain") == 0;
    const float *z = after ? oro_value_host(live->value, &err) : NULL;
    if (z && (live->done > logging->steps || live->done == 0))
        note(logging, live->done, z);
}

static bool run(struct bench *bench, struct curve *curve, struct oro_value **value, struct oro_error *err)
{
    static const struct oro_target target = {"after", "terrain"};
    struct bench_graph graph;
    struct bench_parts parts;
    begin(&graph, curve, bench->sizes[0]);
    bool ok = bench_evaluate_all(bench, &graph, &target, 1, value, &parts);
    *err = graph.err;
    bench_graph_end(&graph);
    return ok;
}

/* Once to know the end, and once more to look on. */
static bool follow(struct bench *bench, struct curve *curve, FILE *file, struct oro_error *err)
{
    struct oro_value *end = NULL, *again = NULL;
    struct logging logging = {.curve = curve, .file = file, .steps = -1};
    bool ok = run(bench, curve, &end, err) && (logging.end = oro_value_host(end, err));
    logging.cells = ok ? oro_grid_cells(&end->grid) : 0;
    struct bench watched = *bench;
    watched.live = look;
    watched.live_user = &logging;
    watched.live_every = strcmp(curve->method, "implicit") == 0 ? 1 : SELDOM;
    ok = ok && run(&watched, curve, &again, err);
    oro_value_release(end);
    oro_value_release(again);
    return ok;
}

static bool draw(const char *path, const struct curve *curves, struct oro_error *err)
{
    struct oro_text script = {0};
    oro_text_add(&script, "if (strstrt(GPVAL_TERMINALS, 'pngcairo')) { set terminal pngcairo size 800,600 } "
                          "else { set terminal png size 800,600 }\nset grid\nset logscale xy\n"
                          "set xlabel 'step'\nset ylabel 'mean difference from the end (m)'\n");
    for (int i = 0; i < CURVES; i++)
        oro_text_addf(&script, "$curve%d << END\n%sEND\n", i,
                      curves[i].points.data ? curves[i].points.data : "");
    for (int i = 0; i < CURVES; i++)
        oro_text_addf(&script, "%s$curve%d using ($1+1):2 with lines lw 2 title '%s, %s'", i ? ", " : "plot ",
                      i, curves[i].edit, curves[i].method);
    oro_text_add(&script, "\n");
    bool ok = script.failed ? oro_fail(err, ORO_E_MEMORY, "no memory to draw")
                            : oro_gnuplot_draw(path, script.data, err);
    oro_text_free(&script);
    return ok;
}

bool bench_convergence(struct bench *bench, struct oro_error *err)
{
    struct curve curves[CURVES] = {{.edit = "range", .method = "implicit"},
                                   {.edit = "range", .method = "explicit"},
                                   {.edit = "valleys", .method = "implicit"},
                                   {.edit = "valleys", .method = "explicit"}};
    char path[512];
    struct oro_error missing;
    snprintf(path, sizeof path, "%s.csv", bench->log);
    FILE *file = fopen(path, "w");
    bool ok = file || oro_fail(err, ORO_E_WRITE, "'%s': %s", path, strerror(errno));
    if (ok)
        fprintf(file, "edit,method,step,difference_m,mean_m\n");
    for (int i = 0; ok && i < CURVES; i++)
        ok = follow(bench, &curves[i], file, err);
    if (file && fclose(file) != 0 && ok)
        ok = oro_fail(err, ORO_E_WRITE, "'%s': %s", path, strerror(errno));
    snprintf(path, sizeof path, "%s.png", bench->log);
    if (ok && !oro_gnuplot_check(&missing))
        fprintf(stderr, "orograph-bench: '%s' is not drawn: %s\n", path, missing.text);
    else
        ok = ok && draw(path, curves, err);
    for (int i = 0; i < CURVES; i++)
        oro_text_free(&curves[i].points);
    return ok;
}
