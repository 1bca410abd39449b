/*
 * Table 3 (Schott 2024, 6.5): the average breaching volume b-bar = mean |h - B(h)| of amplifications by 8
 * before any breaching: by bicubic interpolation with fractal noise, by bilinear interpolation, by phasor,
 * and by erosion.
 *
 * Noise and phasor must be as strong as the detail that erosion adds, or the comparison means little. Detail
 * is what an amplification adds to the bicubic surface, d = h - U(h_0), without what is wider than two cells
 * of the input: d - blur(d). Their amplitudes are set so that the root mean square of their detail equals
 * ours.
 */
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"

enum { FACTOR = 8, DOUBLINGS = 3, OCTAVES = 3 };
static const char suite[] = "table3";

/* Used when no files are given: two mountains and rolling hills. */
static const char *const made_up[] = {"bumps", "ridges", "hills", NULL};

static void add_source(struct bench_graph *graph, const struct bench_input *input)
{
    if (input->file) {
        bench_graph_import(graph, "input", input);
        return;
    }
    bench_graph_node(graph, "hills", "noise");
    bench_graph_set(graph, "hills", "feature", 6000);
    bench_graph_set(graph, "hills", "amplitude", input->which == 0 ? 300 : 1200);
    if (input->which == 1)
        bench_graph_word(graph, "hills", "fractal", "ridged");
    bench_graph_node(graph, "bumps", "bumps");
    bench_graph_set(graph, "bumps", "radius_low", 2500);
    bench_graph_set(graph, "bumps", "radius_high", 6000);
    bench_graph_node(graph, "input", "combine"); /* named so that it gives `field` */
    bench_graph_link(graph, "input", "a", "hills", "field");
    if (input->which == 0)
        bench_graph_link(graph, "input", "b", "bumps", "terrain");
}

static void begin(struct bench_graph *graph, const struct bench_input *input)
{
    bench_graph_extent(graph, input->base, input->extent);
    add_source(graph, input);
}

static void add_upsample(struct bench_graph *graph, const struct bench_input *input, const char *id,
                         const char *method)
{
    bench_graph_node(graph, id, "upsample");
    bench_graph_link(graph, id, "terrain", "input", input->file ? "terrain" : "field");
    bench_graph_set(graph, id, "factor", FACTOR);
    bench_graph_word(graph, id, "method", method);
}

static void add_breach(struct bench_graph *graph, const char *from, const char *output)
{
    bench_graph_node(graph, "breach", "breach");
    bench_graph_link(graph, "breach", "terrain", from, output);
    bench_graph_word(graph, "breach", "method", "subtree_minimum");
    bench_graph_set(graph, "breach", "least_gradient", 0);
}

/* detail = d - blur(d), where a node gives d. */
static void add_detail(struct bench_graph *graph, const struct bench_input *input, const char *from)
{
    bench_graph_node(graph, "wide", "blur");
    bench_graph_link(graph, "wide", "field", from, "field");
    bench_graph_set(graph, "wide", "radius", 2 * input->extent / input->base);
    bench_graph_combine(graph, "detail", from, "field", "subtract", "wide", "field");
}

/* Octaves from two cells of the input down to two cells of the result. */
static void add_noise(struct bench_graph *graph, const struct bench_input *input, double amplitude)
{
    bench_graph_node(graph, "grain", "noise");
    bench_graph_link(graph, "grain", "like", "smooth", "terrain");
    bench_graph_set(graph, "grain", "feature", 2 * input->extent / input->base);
    bench_graph_set(graph, "grain", "octaves", OCTAVES + 1);
    bench_graph_set(graph, "grain", "amplitude", amplitude);
}

/* Evaluates "detail", and also "breach" unless `volume` is NULL, then ends the graph. */
static bool evaluate(struct bench *bench, struct bench_graph *graph, double *detail, double *volume,
                     struct oro_error *err)
{
    static const struct oro_target wanted[] = {{"detail", "field"}, {"breach", "carved"}};
    struct bench_moments moments[2] = {{0}};
    struct oro_value *values[2] = {0};
    struct bench_parts parts;
    int first = detail ? 0 : 1, count = (detail ? 1 : 0) + (volume ? 1 : 0);
    bool ok = bench_evaluate_all(bench, graph, wanted + first, count, values, &parts);
    for (int i = 0; i < count && ok; i++)
        ok = bench_moments_of(values[i], &moments[first + i], &graph->err);
    for (int i = 0; i < count; i++)
        oro_value_release(values[i]);
    if (detail)
        *detail = moments[0].rms;
    if (volume)
        *volume = moments[1].mean;
    *err = graph->err;
    bench_graph_end(graph);
    return ok;
}

static bool of_erosion(struct bench *bench, const struct bench_input *input, double *detail, double *volume,
                       struct oro_error *err)
{
    struct bench_graph graph;
    begin(&graph, input);
    char id[16], before[16] = "input";
    for (int i = 0; i <= DOUBLINGS; i++) {
        snprintf(id, sizeof id, "level%d", i);
        const char *output = i || input->file ? "terrain" : "field";
        bench_graph_amplify(&graph, id, before, output, i == 0, bench_iterations[i]);
        memcpy(before, id, sizeof before);
    }
    add_upsample(&graph, input, "smooth", "catmull_rom");
    bench_graph_combine(&graph, "added", "level3", "terrain", "subtract", "smooth", "terrain");
    add_detail(&graph, input, "added");
    add_breach(&graph, "level3", "terrain");
    return evaluate(bench, &graph, detail, volume, err);
}

static bool of_noise_alone(struct bench *bench, const struct bench_input *input, double *detail,
                           struct oro_error *err)
{
    struct bench_graph graph;
    begin(&graph, input);
    add_upsample(&graph, input, "smooth", "catmull_rom");
    add_noise(&graph, input, 1);
    add_detail(&graph, input, "grain");
    return evaluate(bench, &graph, detail, NULL, err);
}

static bool of_noise(struct bench *bench, const struct bench_input *input, double amplitude, double *volume,
                     struct oro_error *err)
{
    struct bench_graph graph;
    begin(&graph, input);
    add_upsample(&graph, input, "smooth", "catmull_rom");
    add_noise(&graph, input, amplitude);
    bench_graph_combine(&graph, "rough", "smooth", "terrain", "add", "grain", "field");
    add_breach(&graph, "rough", "field");
    return evaluate(bench, &graph, NULL, volume, err);
}

/* `amplitude` is that of the first level, to which the rest is in proportion. */
static bool of_phasor(struct bench *bench, const struct bench_input *input, double amplitude, double *detail,
                      double *volume, struct oro_error *err)
{
    struct bench_graph graph;
    begin(&graph, input);
    bench_graph_node(&graph, "ravines", "phasor");
    bench_graph_link(&graph, "ravines", "terrain", "input", input->file ? "terrain" : "field");
    bench_graph_set(&graph, "ravines", "scale", FACTOR);
    bench_graph_set(&graph, "ravines", "amplitude", amplitude);
    add_upsample(&graph, input, "smooth", "catmull_rom");
    bench_graph_combine(&graph, "added", "ravines", "terrain", "subtract", "smooth", "terrain");
    add_detail(&graph, input, "added");
    add_breach(&graph, "ravines", "terrain");
    return evaluate(bench, &graph, detail, volume, err);
}

static bool of_bilinear(struct bench *bench, const struct bench_input *input, double *volume,
                        struct oro_error *err)
{
    struct bench_graph graph;
    begin(&graph, input);
    add_upsample(&graph, input, "flat", "bilinear");
    add_breach(&graph, "flat", "terrain");
    return evaluate(bench, &graph, NULL, volume, err);
}

static void add_figure(struct bench *bench, const struct bench_input *input, const char *what, double figure,
                       const char *unit)
{
    char name[64];
    snprintf(name, sizeof name, "%.20s: %.24s", input->name, what);
    bench_figure(bench, suite, name, FACTOR * input->base, figure, unit);
}

static bool measure(struct bench *bench, const struct bench_input *input, struct oro_error *err)
{
    enum { TRIAL = 60 }; /* metres */
    double detail, unit_detail, ravines_detail, ours, noise, bilinear, phasor;
    if (!of_erosion(bench, input, &detail, &ours, err) || !of_noise_alone(bench, input, &unit_detail, err) ||
        !of_noise(bench, input, detail / unit_detail, &noise, err) ||
        !of_bilinear(bench, input, &bilinear, err) ||
        !of_phasor(bench, input, TRIAL, &ravines_detail, NULL, err) ||
        !of_phasor(bench, input, TRIAL * detail / ravines_detail, NULL, &phasor, err))
        return false;
    add_figure(bench, input, "detail", detail, "m RMS");
    add_figure(bench, input, "noise amplitude", detail / unit_detail, "m");
    add_figure(bench, input, "phasor amplitude", TRIAL * detail / ravines_detail, "m");
    add_figure(bench, input, "b-bar of noise", 1e3 * noise, "mm");
    add_figure(bench, input, "b-bar of bilinear", 1e3 * bilinear, "mm");
    add_figure(bench, input, "b-bar of phasor", 1e3 * phasor, "mm");
    add_figure(bench, input, "b-bar of erosion", 1e3 * ours, "mm");
    add_figure(bench, input, "erosion / noise", ours / noise, "");
    return true;
}

bool bench_table3(struct bench *bench, struct oro_error *err)
{
    struct bench_input input;
    for (int i = 0; bench_input(bench, i, made_up, &input); i++)
        if (!measure(bench, &input, err))
            return false;
    return true;
}
