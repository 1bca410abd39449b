#include "bench/bench.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"

void bench_graph_begin(struct bench_graph *graph, int resolution)
{
    bench_graph_extent(graph, resolution, 20000);
}

void bench_graph_extent(struct bench_graph *graph, int resolution, double extent)
{
    *graph = (struct bench_graph){.doc = oro_document_create()};
    struct oro_world world = ORO_WORLD_DEFAULT;
    world.extent = extent;
    world.resolution = resolution;
    graph->failed = !graph->doc || !oro_edit_world(graph->doc, &world, &graph->err);
}

void bench_graph_node(struct bench_graph *graph, const char *id, const char *type)
{
    if (!graph->failed)
        graph->failed = !oro_edit_add_node(graph->doc, id, type, 1, 0, 0, &graph->err);
}

void bench_graph_set(struct bench_graph *graph, const char *id, const char *input, double value)
{
    char text[ORO_NUMBER_SIZE];
    bench_graph_word(graph, id, input, oro_format_number(value, text));
}

void bench_graph_word(struct bench_graph *graph, const char *id, const char *input, const char *word)
{
    if (!graph->failed)
        graph->failed = !oro_edit_set(graph->doc, id, input, word, &graph->err);
}

void bench_graph_link(struct bench_graph *graph, const char *id, const char *input, const char *from,
                      const char *output)
{
    if (!graph->failed)
        graph->failed = !oro_edit_connect(graph->doc, id, input, from, output, &graph->err);
}

void bench_graph_end(struct bench_graph *graph)
{
    oro_document_destroy(graph->doc);
    graph->doc = NULL;
}

/* The part of the graph that a step belongs to: "chain/level2" for "chain/level2/upsample". */
static struct bench_part *part_of(struct bench_parts *parts, const char *id)
{
    size_t length = strcspn(id, "/");
    if (id[length])
        length += 1 + strcspn(id + length + 1, "/");
    for (int i = 0; i < parts->count; i++)
        if (strlen(parts->items[i].id) == length && strncmp(parts->items[i].id, id, length) == 0)
            return &parts->items[i];
    if (parts->count == BENCH_PARTS_MAX || length >= sizeof parts->items[0].id)
        return NULL;
    struct bench_part *part = &parts->items[parts->count++];
    *part = (struct bench_part){.device = 0};
    memcpy(part->id, id, length);
    return part;
}

/* What callbacks of an evaluation are given. */
struct looking {
    struct bench *bench;
    struct bench_parts *parts;
};

static void show(void *user, const struct oro_live *live)
{
    struct looking *looking = user;
    looking->bench->live(looking->bench->live_user, live);
}

static void collect(void *user, const struct oro_step_report *report)
{
    struct looking *looking = user;
    struct bench_part *part = part_of(looking->parts, report->step->id);
    if (!part)
        return;
    part->size = report->step->grid.width;
    part->wall += report->seconds;
    part->device += report->device_seconds;
    for (int i = 0; i < report->figure_count; i++)
        if (strcmp(report->figures[i].name, "steps") == 0)
            part->steps += report->figures[i].value;
}

bool bench_evaluate_all(struct bench *bench, struct bench_graph *graph, const struct oro_target *targets,
                        int count, struct oro_value **values, struct bench_parts *parts)
{
    if (graph->failed)
        return false;
    *parts = (struct bench_parts){.count = 0};
    struct looking looking = {bench, parts};
    struct oro_evaluator_options options = {.step_done = collect,
                                            .user = &looking,
                                            .per_dispatch = bench->per_dispatch,
                                            .live = bench->live ? show : NULL,
                                            .live_every = bench->live_every};
    struct oro_plan_options plan_options = {.allow_any_path = true,
                                            .memory_bytes = bench->device->budget_bytes};
    struct oro_plan *plan = oro_plan_create(graph->doc, &oro_builtin_nodes, targets, (size_t)count,
                                            &plan_options, bench->device, NULL, &graph->err);
    struct oro_evaluator *evaluator = plan ? oro_evaluator_create(bench->device, NULL, &options) : NULL;
    double started = oro_now();
    bool ok = evaluator && oro_evaluate(evaluator, plan, values, &graph->err) &&
              bench->device->ops->finish(bench->device, &graph->err);
    parts->whole = oro_now() - started;
    oro_evaluator_destroy(evaluator);
    oro_plan_destroy(plan);
    graph->failed = !ok;
    return ok;
}

bool bench_evaluate(struct bench *bench, struct bench_graph *graph, const char *node, const char *output,
                    struct bench_times *times)
{
    struct bench_parts parts;
    struct oro_target target = {node, output};
    struct oro_value *value = NULL;
    *times = (struct bench_times){0};
    if (!bench_evaluate_all(bench, graph, &target, 1, &value, &parts))
        return false;
    oro_value_release(value);
    times->whole = parts.whole;
    for (int i = 0; i < parts.count; i++) {
        if (parts.items[i].device > 0)
            times->device += parts.items[i].device;
        if (strcmp(parts.items[i].id, node) != 0)
            continue;
        times->step = parts.items[i].wall;
        times->step_device = parts.items[i].device;
    }
    return true;
}

static int ascending(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

double bench_median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, ascending);
    return values[count / 2];
}

struct bench_row *bench_row(struct bench *bench, const char *suite, const char *name, int size)
{
    if (bench->row_count < BENCH_ROWS_MAX)
        bench->row_count++;
    struct bench_row *row = &bench->rows[bench->row_count - 1];
    *row = (struct bench_row){.size = size};
    strncpy(row->suite, suite, sizeof row->suite - 1);
    strncpy(row->name, name, sizeof row->name - 1);
    return row;
}

void bench_figure(struct bench *bench, const char *suite, const char *name, int size, double figure,
                  const char *unit)
{
    struct bench_row *row = bench_row(bench, suite, name, size);
    row->figure = figure;
    row->unit = unit;
}
