/* What a generation of ravines costs, by size, levels and frequency. The terrain below them, its blurred
 * slopes and its rivers are not counted. */
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"

enum { SCALE = 8, REPEATS_MAX = 32 };
static const char suite[] = "phasor";
static const double extent = 20000;

struct kind {
    const char *name;
    double waves; /* ravines of the first level along a side of the raster */
    int levels;
    bool map;  /* the frequency varies by half an octave up and down */
    bool bare; /* crests without noise */
};

enum { FEW = 3, MANY = 4 };
static const struct kind kinds[] = {
    {"1 level, f = 50", 50, 1, false, false},
    {"2 levels, f = 50", 50, 2, false, false},
    {"3 levels, f = 50", 50, 3, false, false},
    [FEW] = {"2 levels, f = 15", 15, 2, false, false},
    [MANY] = {"2 levels, f = 150", 150, 2, false, false},
    {"2 levels, f = 35 to 71", 50, 2, true, false},
    {"2 levels, f = 50, crest 0", 50, 2, false, true},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* Where cells are too wide for the last level, it is left out, and its time would mean nothing. Ravines are
 * at least four cells wide; the ratio between levels is 3. */
static bool carries(const struct kind *kind, int size)
{
    double waves = kind->map ? 1.5 * kind->waves : kind->waves;
    for (int level = 1; level < kind->levels; level++)
        waves *= 3;
    return 4 * waves <= size;
}

static void add_frequencies(struct bench_graph *graph, double frequency)
{
    bench_graph_node(graph, "frequencies", "ramp");
    bench_graph_link(graph, "frequencies", "like", "ground", "field");
    bench_graph_set(graph, "frequencies", "low", frequency / 1.41421356);
    bench_graph_set(graph, "frequencies", "high", frequency * 1.41421356);
    bench_graph_link(graph, "step", "frequency", "frequencies", "field");
}

static void build(struct bench_graph *graph, const struct kind *kind, int size)
{
    bench_graph_extent(graph, size / SCALE, extent);
    bench_graph_node(graph, "ground", "noise");
    bench_graph_set(graph, "ground", "octaves", 3);
    bench_graph_node(graph, "step", "phasor");
    bench_graph_link(graph, "step", "terrain", "ground", "field");
    bench_graph_link(graph, "step", "smooth", "ground", "field");
    bench_graph_word(graph, "step", "rivers", "false");
    bench_graph_set(graph, "step", "scale", SCALE);
    bench_graph_set(graph, "step", "levels", kind->levels);
    bench_graph_set(graph, "step", "frequency", kind->waves / extent);
    if (kind->bare)
        bench_graph_set(graph, "step", "crest", 0);
    if (kind->map)
        add_frequencies(graph, kind->waves / extent);
}

/* For comparison, as in section 5.1 of the paper. */
static void build_noise(struct bench_graph *graph, int size)
{
    bench_graph_extent(graph, size, extent);
    bench_graph_node(graph, "step", "noise");
    bench_graph_set(graph, "step", "octaves", 6);
}

/* The median time of a step in milliseconds, without that of the first run, which compiles. `kind` NULL: the
 * noise. */
static bool time_step(struct bench *bench, const struct kind *kind, int size, double *milliseconds,
                      struct oro_error *err)
{
    double seconds[REPEATS_MAX + 1] = {0};
    int count = bench->repeats < REPEATS_MAX ? bench->repeats : REPEATS_MAX;
    for (int i = 0; i <= count; i++) {
        struct bench_graph graph;
        struct bench_times times;
        if (kind)
            build(&graph, kind, size);
        else
            build_noise(&graph, size);
        bool ok = bench_evaluate(bench, &graph, "step", kind ? "terrain" : "field", &times);
        *err = graph.err;
        bench_graph_end(&graph);
        if (!ok)
            return false;
        seconds[i] = times.step_device >= 0 ? times.step_device : times.step;
    }
    *milliseconds = 1e3 * bench_median(seconds + 1, count);
    struct bench_row *row = bench_row(bench, suite, kind ? kind->name : "noise, 6 octaves", size);
    row->iterations = 1;
    row->milliseconds = *milliseconds;
    return true;
}

static bool time_size(struct bench *bench, int size, struct oro_error *err)
{
    double milliseconds[KINDS] = {0}, noise;
    for (int k = 0; k < KINDS; k++)
        if (carries(&kinds[k], size) && !time_step(bench, &kinds[k], size, &milliseconds[k], err))
            return false;
    if (!time_step(bench, NULL, size, &noise, err))
        return false;
    if (milliseconds[FEW] > 0 && milliseconds[MANY] > 0)
        bench_figure(bench, suite, "f = 150 relative to f = 15", size, milliseconds[MANY] / milliseconds[FEW],
                     "");
    return true;
}

bool bench_phasor(struct bench *bench, struct oro_error *err)
{
    for (int i = 0; i < bench->size_count; i++)
        if (!time_size(bench, bench->sizes[i], err))
            return false;
    return true;
}
