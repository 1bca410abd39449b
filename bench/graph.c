#include "bench/bench.h"

#include <string.h>

#include "base/clock.h"
#include "base/text.h"

void bench_graph_begin(struct bench_graph *graph, int resolution)
{
    *graph = (struct bench_graph){.doc = oro_document_create()};
    struct oro_world world = ORO_WORLD_DEFAULT;
    world.extent = 20000;
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
    if (!graph->failed)
        graph->failed = !oro_edit_set(graph->doc, id, input, oro_format_number(value, text), &graph->err);
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

struct collector {
    struct bench_times *times;
    const char *node;
};

static void collect(void *user, const struct oro_step_report *report)
{
    struct collector *collector = user;
    if (report->device_seconds >= 0)
        collector->times->device += report->device_seconds;
    if (strcmp(report->step->id, collector->node) != 0)
        return;
    collector->times->step = report->seconds;
    collector->times->step_device = report->device_seconds;
}

static bool evaluate(struct bench *bench, struct bench_graph *graph, const struct oro_plan *plan,
                     struct oro_evaluator *evaluator, struct bench_times *times)
{
    struct oro_value *value = NULL;
    double started = oro_now();
    bool ok = oro_evaluate(evaluator, plan, &value, &graph->err) &&
              bench->device->ops->finish(bench->device, &graph->err);
    times->whole = oro_now() - started;
    oro_value_release(value);
    return ok;
}

bool bench_evaluate(struct bench *bench, struct bench_graph *graph, const char *node, const char *output,
                    struct bench_times *times)
{
    if (graph->failed)
        return false;
    *times = (struct bench_times){0};
    struct collector collector = {times, node};
    struct oro_evaluator_options options = {.step_done = collect, .user = &collector};
    struct oro_target target = {node, output};
    struct oro_plan *plan = oro_plan_create(graph->doc, &oro_builtin_nodes, &target, 1,
                                            &(struct oro_plan_options){0}, bench->device, NULL, &graph->err);
    struct oro_evaluator *evaluator = plan ? oro_evaluator_create(bench->device, NULL, &options) : NULL;
    bool ok = evaluator && evaluate(bench, graph, plan, evaluator, times);
    oro_evaluator_destroy(evaluator);
    oro_plan_destroy(plan);
    graph->failed = !ok;
    return ok;
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
