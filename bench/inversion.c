/* How well terrains come back from their uplift: uplift_from_terrain by its defaults, then stream_power from
 * the ground that it gives, as docs/inversion.md has it. No times. */
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"
#include "terrain/inversion/inversion.h"
#include "terrain/network/compare.h"

static const char *const made_up[] = {"noise", NULL};

/* Peaks that rise this far above the ground around them make ridges, as a share of the relief. */
static const double prominence = 0.1;

static void build(struct bench_graph *graph, const struct bench_input *input, int resolution)
{
    bench_graph_extent(graph, resolution, input->extent);
    if (input->file) {
        bench_graph_import(graph, "real", input);
    } else {
        bench_graph_node(graph, "rough", "noise");
        bench_graph_node(graph, "real", "remap");
        bench_graph_link(graph, "real", "field", "rough", "field");
        bench_graph_set(graph, "real", "to_high", 2000);
    }
    const char *output = input->file ? "terrain" : "field";
    bench_graph_node(graph, "uplift", "uplift_from_terrain");
    bench_graph_link(graph, "uplift", "terrain", "real", output);
    bench_graph_node(graph, "balance", "stream_power");
    bench_graph_link(graph, "balance", "uplift", "uplift", "uplift");
    bench_graph_link(graph, "balance", "terrain", "uplift", "terrain");
    bench_graph_word(graph, "balance", "base", "terrain");
    bench_graph_set(graph, "balance", "levels", 0);
    bench_graph_set(graph, "balance", "roughness", 0);
}

static void note(struct bench *bench, const struct bench_input *input, const char *what, int size,
                 double figure, const char *unit)
{
    char name[64];
    snprintf(name, sizeof name, "%s, %s", input->name, what);
    bench_figure(bench, "inversion", name, size, figure, unit);
}

static bool compare(struct bench *bench, const struct bench_input *input, struct oro_value **values,
                    struct oro_error *err)
{
    const struct oro_grid *grid = &values[0]->grid;
    const float *real = oro_value_host(values[0], err), *back = real ? oro_value_host(values[1], err) : NULL;
    struct oro_balance_grid size = {grid->width, grid->height, grid->cell};
    struct oro_ground a = {.width = grid->width, .height = grid->height, .z = real};
    struct oro_ground b = {.width = grid->width, .height = grid->height, .z = back};
    struct oro_agreement found;
    struct oro_comparison ridges;
    if (!back || !oro_agree(&size, back, real, &found, err) ||
        !oro_compare_ridges(&a, &b, grid->cell, prominence * (found.highest[1] - found.lowest), &ridges, err))
        return false;
    note(bench, input, "mean", grid->width, 100 * (found.mean[0] / found.mean[1] - 1), "% off");
    note(bench, input, "highest", grid->width, 100 * (found.highest[0] / found.highest[1] - 1), "% off");
    note(bench, input, "correlation", grid->width, found.correlation, "");
    note(bench, input, "ridges", grid->width, ridges.mean / grid->cell, "cells off");
    return true;
}

static bool measure(struct bench *bench, const struct bench_input *input, struct oro_error *err)
{
    struct bench_graph graph;
    struct bench_parts parts;
    struct oro_target targets[] = {{"real", input->file ? "terrain" : "field"}, {"balance", "terrain"}};
    struct oro_value *values[2] = {NULL, NULL};
    build(&graph, input, bench->sizes[0]);
    bool ok = bench_evaluate_all(bench, &graph, targets, 2, values, &parts);
    if (!ok)
        *err = graph.err;
    ok = ok && compare(bench, input, values, err);
    for (int i = 0; i < 2; i++)
        oro_value_release(values[i]);
    bench_graph_end(&graph);
    return ok;
}

bool bench_inversion(struct bench *bench, struct oro_error *err)
{
    struct bench_input input;
    for (int i = 0; bench_input(bench, i, made_up, &input); i++)
        if (!measure(bench, &input, err))
            return false;
    return true;
}
