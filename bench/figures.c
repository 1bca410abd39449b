/* The terrains of the figures of Schott 2023 that our examples repeat: what table 2 tells of them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "bench/bench.h"
#include "graph/file/load.h"
#include "terrain/hydrology/metrics.h"
#include "terrain/uplift/uplift.h"

struct figure {
    const char *number, *example, *node;
    struct oro_target uplift; /* what the node's uplift is linked to */
};

static const struct figure figures[] = {
    {"8", "uplift-tree", "relief", {"crust", "uplift"}},
    {"10", "star-ranges", "relief", {"crust", "uplift"}},
    {"13", "uplift-blend", "relief_3", {"blend", "uplift"}},
    {"14", "ridge-network", "relief", {"ranges", "uplift"}},
    {"16", "river-network", "relief", {"valleys", "uplift"}},
    {"19", "zagros", "relief", {"crust", "uplift"}},
    {"21", "elevation-constraints", "held", {"crust", "uplift"}},
    {"24", "blend-compared", "raised", {"blend", "uplift"}},
    {"25", "uplift-twist", "after", {"twist_uplift", "uplift"}},
};

static bool load(struct bench *bench, const struct figure *figure, struct bench_graph *graph)
{
    char path[512];
    struct oro_problems problems = {0};
    *graph = (struct bench_graph){0};
    snprintf(path, sizeof path, "%s/%s.oro", bench->examples, figure->example);
    graph->doc = oro_document_load(path, &oro_builtin_nodes, &problems);
    graph->failed = !graph->doc || oro_problems_fatal(&problems) > 0;
    if (graph->failed)
        oro_fail(&graph->err, ORO_E_DOCUMENT, "'%s' is no graph that works: see --examples", path);
    oro_problems_free(&problems);
    return !graph->failed;
}

/* Hack's law by the exact drainage of the terrain itself; the sea is not told from the land. */
static bool add_hack(struct bench *bench, const char *name, struct oro_value *terrain, struct oro_error *err)
{
    struct oro_metrics *metrics = oro_alloc(1, sizeof *metrics);
    const float *z = metrics ? oro_value_host(terrain, err) : NULL;
    const struct oro_grid *grid = &terrain->grid;
    struct oro_ground ground = {.width = grid->width, .height = grid->height, .z = z};
    struct oro_metrics_options options = {.cell = grid->cell};
    bool ok = z && oro_metrics(&ground, &options, metrics, err);
    char text[64];
    if (ok) {
        snprintf(text, sizeof text, "%.40s: Hack's c", name);
        bench_figure(bench, "balance", text, grid->width, metrics->hack.factor, "km");
        snprintf(text, sizeof text, "%.40s: Hack's n", name);
        bench_figure(bench, "balance", text, grid->width, metrics->hack.exponent, "");
    }
    oro_free(metrics);
    return ok;
}

static bool add_uplift(struct bench *bench, const char *name, int size, struct oro_value *value,
                       struct oro_error *err)
{
    char text[64];
    const void *bytes = oro_value_host(value, err);
    const struct oro_uplift *tree = bytes ? oro_uplift_of(bytes, value->bytes, err) : NULL;
    if (!tree)
        return false;
    snprintf(text, sizeof text, "%.40s: uplift tree", name);
    bench_figure(bench, "balance", text, size, (double)oro_uplift_size(tree), "nodes");
    snprintf(text, sizeof text, "%.40s: its memory", name);
    bench_figure(bench, "balance", text, size, (double)value->bytes / 1024, "KiB");
    return true;
}

/* Time of everything, steps of the node at all its levels. */
static void add_row(struct bench *bench, const char *name, const char *node, const struct bench_parts *parts,
                    int size)
{
    struct bench_row *row = bench_row(bench, "balance", name, size);
    size_t length = strlen(node);
    row->milliseconds = 1e3 * parts->whole;
    row->peak_bytes = bench->device->peak_bytes;
    for (int i = 0; i < parts->count; i++)
        if (strncmp(parts->items[i].id, node, length) == 0 &&
            (parts->items[i].id[length] == '/' || !parts->items[i].id[length]))
            row->iterations += (int)parts->items[i].steps;
}

static bool measure(struct bench *bench, const struct figure *figure, struct oro_error *err)
{
    struct bench_graph graph;
    struct bench_parts parts = {0};
    struct oro_value *values[2] = {0};
    const struct oro_target targets[] = {{figure->node, "terrain"}, figure->uplift};
    char name[64];
    snprintf(name, sizeof name, "figure %s, %s", figure->number, figure->example);
    bool ok = load(bench, figure, &graph);
    bench->device->peak_bytes = bench->device->used_bytes;
    ok = ok && bench_evaluate_all(bench, &graph, targets, 2, values, &parts);
    *err = graph.err;
    if (ok) {
        add_row(bench, name, figure->node, &parts, values[0]->grid.width);
        ok = add_uplift(bench, name, values[0]->grid.width, values[1], err) &&
             add_hack(bench, name, values[0], err);
    }
    for (int i = 0; i < 2; i++)
        oro_value_release(values[i]);
    bench_graph_end(&graph);
    return ok;
}

bool bench_figures(struct bench *bench, struct oro_error *err)
{
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
        if (!measure(bench, &figures[i], err))
            return false;
    return true;
}
