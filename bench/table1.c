/*
 * Table 1 (Grenier 2023, 5.4): the average breaching volume mean |h - B(h)| of terrains that are refined by a
 * factor of eight, with detail from `phasor` or from fractal noise, or by erosion. The noise is as strong as
 * our detail, and strong in the same places: its mean is subtracted, it is multiplied by our map of
 * amplitudes and then by a number that gives it the root mean square of our detail over the raster. Its
 * largest features are as wide as ravines.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"

enum { FACTOR = 8 };
static const char suite[] = "table1";

/* Used when no files are given: a range in balance with its rivers and its creeping soil, which rounds
 * valleys so that they stay open when refined; and two mountains. */
static const char *const made_up[] = {"range", "bumps", NULL};

struct setting {
    const char *name;
    double frequency; /* 0: unchanged */
    const char *input;
    double value;
};
static const double usual_frequency = 0.004;
static const struct setting settings[] = {
    {"defaults", 0, NULL, 0},       {"crest 0", 0, "crest", 0}, {"1 level", 0, "levels", 1},
    {"f .002", 0.002, NULL, 0},     {"f .008", 0.008, NULL, 0}, {"30 m", 0, "amplitude", 30},
    {"120 m", 0, "amplitude", 120},
};
enum { SETTINGS = sizeof settings / sizeof settings[0] };

enum { FBM, RIDGED, NOISES };
static const char *const noises[NOISES] = {"fbm", "ridged"};

/* Noise within -`amplitude`..`amplitude`, lifted by `offset`. */
struct strength {
    double amplitude, offset;
};

static double frequency_of(const struct setting *setting)
{
    return setting->frequency > 0 ? setting->frequency : usual_frequency;
}

/* ---- Graphs ---- */

static void add_source(struct bench_graph *graph, const struct bench_input *input)
{
    if (input->file) {
        bench_graph_import(graph, "input", input);
        return;
    }
    if (input->which == 1) {
        bench_graph_node(graph, "input", "bumps");
        bench_graph_set(graph, "input", "radius_low", 2500);
        bench_graph_set(graph, "input", "radius_high", 6000);
        return;
    }
    bench_graph_node(graph, "uplift", "noise");
    bench_graph_set(graph, "uplift", "feature", 6000);
    bench_graph_set(graph, "uplift", "amplitude", 4e-4);
    bench_graph_set(graph, "uplift", "offset", 5e-4);
    bench_graph_node(graph, "input", "stream_power");
    bench_graph_link(graph, "input", "uplift", "uplift", "field");
    bench_graph_set(graph, "input", "hillslope", 0.3);
}

static void begin(struct bench_graph *graph, const struct bench_input *input, const struct setting *setting)
{
    bench_graph_extent(graph, input->base, input->extent);
    add_source(graph, input);
    bench_graph_node(graph, "ravines", "phasor");
    bench_graph_link(graph, "ravines", "terrain", "input", "terrain");
    bench_graph_set(graph, "ravines", "scale", FACTOR);
    bench_graph_set(graph, "ravines", "frequency", frequency_of(setting));
    if (setting->input)
        bench_graph_set(graph, "ravines", setting->input, setting->value);
    /* The same ground without ravines. */
    bench_graph_node(graph, "smooth", "phasor");
    bench_graph_link(graph, "smooth", "terrain", "input", "terrain");
    bench_graph_set(graph, "smooth", "scale", FACTOR);
    bench_graph_set(graph, "smooth", "amplitude", 0);
    bench_graph_word(graph, "smooth", "rivers", "false");
}

static void add_breach(struct bench_graph *graph, const char *id, const char *from, const char *output)
{
    bench_graph_node(graph, id, "breach");
    bench_graph_link(graph, id, "terrain", from, output);
    bench_graph_word(graph, id, "method", "subtree_minimum");
    bench_graph_set(graph, id, "least_gradient", 0);
}

/* Octaves down to two cells of the result. */
static void add_noise(struct bench_graph *graph, const struct bench_input *input,
                      const struct setting *setting, int which, struct strength strength)
{
    const char *id = noises[which];
    double feature = 1 / frequency_of(setting), cell = input->extent / input->base / FACTOR;
    bench_graph_node(graph, id, "noise");
    bench_graph_link(graph, id, "like", "smooth", "terrain");
    bench_graph_word(graph, id, "fractal", id);
    bench_graph_set(graph, id, "feature", feature);
    bench_graph_set(graph, id, "octaves", fmax(1 + floor(log2(feature / (2 * cell))), 1));
    bench_graph_set(graph, id, "amplitude", strength.amplitude);
    bench_graph_set(graph, id, "offset", strength.offset);
}

/* ---- Measuring ---- */

/* Breaching volumes in metres. */
struct volumes {
    double alone, ours, noise[NOISES];
};

/* The amplitude of noise whose root mean square under the map is `rms`, when noise of amplitude 1 is
 * given. */
static bool strength_of(struct oro_value *noise, struct oro_value *map, double rms, struct strength *strength,
                        struct oro_error *err)
{
    struct bench_moments plain;
    const float *n = bench_moments_of(noise, &plain, err) ? oro_value_host(noise, err) : NULL;
    const float *a = oro_value_host(map, err);
    size_t cells = oro_grid_cells(&noise->grid);
    double squares = 0;
    for (size_t i = 0; n && a && i < cells; i++) {
        double value = (double)a[i] * ((double)n[i] - plain.mean);
        squares += value * value;
    }
    double times = squares > 0 ? rms / sqrt(squares / (double)cells) : 0;
    *strength = (struct strength){times, -times * plain.mean};
    return n && a;
}

/* Measures the input alone and with our detail, and finds how strong the noises have to be. */
static bool measure_ours(struct bench *bench, const struct bench_input *input, const struct setting *setting,
                         struct volumes *volumes, struct strength *strengths, struct oro_error *err)
{
    enum { DETAIL, AMPLITUDE, OURS, ALONE, NOISE, WANTED = NOISE + NOISES };
    static const struct oro_target wanted[WANTED] = {{"ravines", "detail"}, {"ravines", "amplitude"},
                                                     {"ours", "carved"},    {"alone", "carved"},
                                                     {"fbm", "field"},      {"ridged", "field"}};
    struct bench_graph graph;
    struct oro_value *values[WANTED] = {0};
    struct bench_parts parts;
    struct bench_moments detail = {0}, ours = {0}, alone = {0};
    begin(&graph, input, setting);
    add_breach(&graph, "ours", "ravines", "terrain");
    add_breach(&graph, "alone", "smooth", "terrain");
    for (int k = 0; k < NOISES; k++)
        add_noise(&graph, input, setting, k, (struct strength){1, 0});
    bool ok = bench_evaluate_all(bench, &graph, wanted, WANTED, values, &parts) &&
              bench_moments_of(values[DETAIL], &detail, &graph.err) &&
              bench_moments_of(values[OURS], &ours, &graph.err) &&
              bench_moments_of(values[ALONE], &alone, &graph.err);
    for (int k = 0; ok && k < NOISES; k++)
        ok = strength_of(values[NOISE + k], values[AMPLITUDE], detail.rms, &strengths[k], &graph.err);
    for (int i = 0; i < WANTED; i++)
        oro_value_release(values[i]);
    volumes->ours = ours.mean;
    volumes->alone = alone.mean;
    *err = graph.err;
    bench_graph_end(&graph);
    return ok;
}

static bool measure_noise(struct bench *bench, const struct bench_input *input, const struct setting *setting,
                          int which, struct strength strength, double *volume, struct oro_error *err)
{
    static const struct oro_target wanted = {"breach", "carved"};
    struct bench_graph graph;
    struct oro_value *value = NULL;
    struct bench_parts parts;
    struct bench_moments carved = {0};
    begin(&graph, input, setting);
    add_noise(&graph, input, setting, which, strength);
    bench_graph_combine(&graph, "grain", noises[which], "field", "multiply", "ravines", "amplitude");
    bench_graph_combine(&graph, "rough", "smooth", "terrain", "add", "grain", "field");
    add_breach(&graph, "breach", "rough", "field");
    bool ok = bench_evaluate_all(bench, &graph, &wanted, 1, &value, &parts) &&
              bench_moments_of(value, &carved, &graph.err);
    oro_value_release(value);
    *volume = carved.mean;
    *err = graph.err;
    bench_graph_end(&graph);
    return ok;
}

/* The input amplified as much by erosion, which no setting of phasor changes. */
static bool measure_erosion(struct bench *bench, const struct bench_input *input, double *volume,
                            struct oro_error *err)
{
    static const struct oro_target wanted = {"breach", "carved"};
    struct bench_graph graph;
    struct oro_value *value = NULL;
    struct bench_parts parts;
    struct bench_moments carved = {0};
    char id[16], before[16] = "input";
    bench_graph_extent(&graph, input->base, input->extent);
    add_source(&graph, input);
    for (int i = 0; 1 << i <= FACTOR; i++) {
        snprintf(id, sizeof id, "level%d", i);
        bench_graph_amplify(&graph, id, before, "terrain", i == 0, bench_iterations[i]);
        memcpy(before, id, sizeof before);
    }
    add_breach(&graph, "breach", before, "terrain");
    bool ok = bench_evaluate_all(bench, &graph, &wanted, 1, &value, &parts) &&
              bench_moments_of(value, &carved, &graph.err);
    oro_value_release(value);
    *volume = carved.mean;
    *err = graph.err;
    bench_graph_end(&graph);
    return ok;
}

static void add_figure(struct bench *bench, const struct bench_input *input, const struct setting *setting,
                       const char *what, double figure, const char *unit)
{
    char name[64];
    snprintf(name, sizeof name, "%.20s, %.12s: %.24s", input->name, setting->name, what);
    bench_figure(bench, suite, name, FACTOR * input->base, figure, unit);
}

static bool measure(struct bench *bench, const struct bench_input *input, const struct setting *setting,
                    double erosion, struct oro_error *err)
{
    struct volumes volumes;
    struct strength strengths[NOISES];
    if (!measure_ours(bench, input, setting, &volumes, strengths, err))
        return false;
    for (int k = 0; k < NOISES; k++)
        if (!measure_noise(bench, input, setting, k, strengths[k], &volumes.noise[k], err))
            return false;
    add_figure(bench, input, setting, "no detail", 1e3 * volumes.alone, "mm");
    add_figure(bench, input, setting, "ours", 1e3 * volumes.ours, "mm");
    add_figure(bench, input, setting, "fBm", 1e3 * volumes.noise[FBM], "mm");
    add_figure(bench, input, setting, "ridged fBm", 1e3 * volumes.noise[RIDGED], "mm");
    add_figure(bench, input, setting, "erosion", 1e3 * erosion, "mm");
    add_figure(bench, input, setting, "fBm / ours", volumes.noise[FBM] / volumes.ours, "");
    add_figure(bench, input, setting, "ridged fBm / ours", volumes.noise[RIDGED] / volumes.ours, "");
    return true;
}

bool bench_table1(struct bench *bench, struct oro_error *err)
{
    struct bench_input input;
    double erosion;
    for (int i = 0; bench_input(bench, i, made_up, &input); i++) {
        if (!measure_erosion(bench, &input, &erosion, err))
            return false;
        for (int k = 0; k < SETTINGS; k++)
            if ((!bench->only || strcmp(bench->only, settings[k].name) == 0) &&
                !measure(bench, &input, &settings[k], erosion, err))
                return false;
    }
    return true;
}
