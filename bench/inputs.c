/* The terrains that tables are computed on, and what is printed about the results. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"

static void name_after(struct bench_input *input, const char *made_up)
{
    const char *slash = input->file ? strrchr(input->file, '/') : NULL;
    const char *name = !input->file ? made_up : slash ? slash + 1 : input->file;
    snprintf(input->name, sizeof input->name, "%.*s", (int)strcspn(name, "."), name);
}

bool bench_input(const struct bench *bench, int i, const char *const *made_up, struct bench_input *input)
{
    const struct bench_inputs *given = &bench->inputs;
    if (given->file_count ? i >= given->file_count : !made_up[i])
        return false;
    *input = (struct bench_input){.file = given->file_count ? given->files[i] : NULL,
                                  .which = i,
                                  .base = given->base,
                                  .high = given->high[i],
                                  .extent = given->extent[i] > 0 ? given->extent[i] : 20000};
    name_after(input, made_up[given->file_count ? 0 : i]);
    return true;
}

void bench_graph_import(struct bench_graph *graph, const char *id, const struct bench_input *input)
{
    bench_graph_node(graph, id, "import");
    bench_graph_word(graph, id, "file", input->file);
    bench_graph_set(graph, id, "high", input->high);
}

void bench_graph_amplify(struct bench_graph *graph, const char *id, const char *before, const char *output,
                         bool first, int iterations)
{
    bench_graph_node(graph, id, "amplify");
    bench_graph_link(graph, id, "terrain", before, output);
    if (!first)
        bench_graph_link(graph, id, "drainage", before, "drainage");
    bench_graph_set(graph, id, "factor", first ? 1 : 2);
    bench_graph_word(graph, id, "ground", "free"); /* as in the paper */
    bench_graph_set(graph, id, "area_limit", 250);
    bench_graph_set(graph, id, "iterations", iterations);
    bench_graph_set(graph, id, "thermal_iterations", iterations);
    bench_graph_set(graph, id, "deposition_iterations", iterations);
}

void bench_graph_combine(struct bench_graph *graph, const char *id, const char *a, const char *a_output,
                         const char *method, const char *b, const char *b_output)
{
    bench_graph_node(graph, id, "combine");
    bench_graph_link(graph, id, "a", a, a_output);
    bench_graph_link(graph, id, "b", b, b_output);
    bench_graph_word(graph, id, "method", method);
}

bool bench_moments_of(struct oro_value *value, struct bench_moments *moments, struct oro_error *err)
{
    const float *data = oro_value_host(value, err);
    size_t cells = oro_grid_cells(&value->grid);
    double sum = 0, squares = 0;
    for (size_t i = 0; data && i < cells; i++) {
        sum += (double)data[i];
        squares += (double)data[i] * (double)data[i];
    }
    *moments = (struct bench_moments){sum / (double)cells, sqrt(squares / (double)cells)};
    return data != NULL;
}
