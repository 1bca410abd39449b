/* orograph info: what a graph will do, before it does it; or what a heightfield is. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "cli/command/commands.h"
#include "cli/command/info_memory.h"
#include "cli/command/measure.h"
#include "cli/engine/graph.h"
#include "cli/report/console.h"
#include "cli/report/json.h"
#include "cli/report/nodes.h"
#include "cli/report/report.h"
#include "cli/report/table.h"
#include "graph/plan/site.h"

struct info_options {
    const char *report;
    struct cli_list set;
    const char *device;
    struct cli_integer max_resolution, memory, whole, tile;
    bool allow_path, json;
};

static void print_port(const struct cli_graph *graph, const struct oro_doc_port *port)
{
    const struct oro_graph whole = {graph->doc, graph->doc};
    const struct oro_doc_node *node = oro_document_find(graph->doc, port->node);
    const struct oro_node_type *type = node ? oro_type_of(&graph->registry, graph->doc, node, NULL) : NULL;
    const struct oro_output *output = type ? oro_type_output(type, port->socket) : NULL;
    const char *label = port->texts[ORO_PORT_LABEL];
    if (port->is_output)
        printf("output  %s from %s.%s, %s%s%s%s\n", port->name, port->node, port->socket,
               oro_type_name(output ? oro_output_type(&graph->registry, &whole, node, output) : ORO_NONE),
               label ? "  (" : "", label ? label : "", label ? ")" : "");
}

/* A graph with an interface is a node type, and is shown like one. */
static bool print_interface(const struct cli_graph *graph, struct oro_error *err)
{
    const struct oro_graph whole = {graph->doc, graph->doc};
    struct oro_error why = {0};
    const struct oro_node_type *type = oro_graph_type(&graph->registry, &whole, &why);
    for (size_t i = 0; i < oro_document_port_count(graph->doc); i++)
        print_port(graph, oro_document_port(graph->doc, i));
    if (oro_document_port_count(graph->doc) == 0)
        return true;
    putchar('\n');
    if (!type && why.code == ORO_E_MEMORY)
        return oro_fail(err, ORO_E_MEMORY, "%s", why.text);
    if (!type)
        printf("not usable as a node: %s\n", why.text);
    return !type || cli_nodes_print_page(CLI_NODES_TEXT, type) ||
           oro_fail(err, ORO_E_MEMORY, "no memory for the page of the graph");
}

/* A file that says where the world lies, and cannot be read, is told of with the plan. */
static void print_world(const struct cli_graph *graph)
{
    char cell[ORO_NUMBER_SIZE], width[ORO_NUMBER_SIZE], height[ORO_NUMBER_SIZE];
    const struct oro_document *doc = graph->doc;
    const struct oro_plan_options options = {.overrides = graph->overrides,
                                             .override_count = graph->override_count,
                                             .allow_any_path = graph->allow_any_path};
    struct oro_world world;
    bool located = oro_world_located(doc, &graph->registry, &options, &world, NULL);
    if (!located)
        world = *oro_document_world(doc);
    struct oro_grid grid = oro_world_grid(&world);
    const char *title = oro_document_title(doc);
    if (title && title[0])
        printf("title   %s\n", title);
    printf("world   %s x %s m, %d x %d cells of %s m, seed %lld\n",
           oro_format_number(grid.width * grid.cell, width),
           oro_format_number(grid.height * grid.cell, height), grid.width, grid.height,
           oro_format_number(grid.cell, cell), (long long)world.seed);
    if (world.crs)
        printf("place   %s m east, %s m north is its north-west corner, in %s\n",
               oro_format_number(world.west, width), oro_format_number(world.north, height), world.crs);
    if (located)
        oro_free(world.crs);
    if (world.has_sea)
        printf("sea     up to %s m\n", oro_format_number(world.sea, width));
    printf("nodes   %zu\n", oro_document_node_count(doc));
    for (size_t i = 0; i < oro_document_build_count(doc); i++) {
        const struct oro_doc_build *build = oro_document_build(doc, i);
        printf("build   %s: %s", build->name, build->outputs ? build->outputs : "all");
        if (build->resolution)
            printf(", resolution %s", build->resolution);
        if (build->engine)
            printf(", for %s", build->engine);
        putchar('\n');
    }
}

static bool gives_raster(const struct oro_node_type *type)
{
    bool any = oro_type_output_count(type) == 0; /* a sink works at the size of what it writes */
    for (const struct oro_output *output = type->outputs; output && output->name; output++)
        any |= oro_is_raster(output->type);
    return any;
}

static void add_step(struct cli_table *table, const struct oro_step *step)
{
    char cell[ORO_NUMBER_SIZE], output[CLI_BYTES_SIZE], scratch[CLI_BYTES_SIZE];
    cli_table_row(table, step->id, step->type->id);
    if (gives_raster(step->type)) {
        cli_table_cell(table, "%d x %d", step->grid.width, step->grid.height);
        cli_table_cell(table, "%s m", oro_format_number(step->grid.cell, cell));
        cli_table_cell(table, "%s", cli_bytes_text(step->output_bytes, output));
    } else
        cli_table_row(table, "-", "-", "-");
    cli_table_row(table, cli_bytes_text(step->scratch_bytes, scratch), step->capped ? "capped" : "");
}

static bool print_plan(const struct oro_plan *plan, struct oro_error *err)
{
    char total_text[CLI_BYTES_SIZE], peak[CLI_BYTES_SIZE], largest[CLI_BYTES_SIZE];
    uint64_t total = 0;
    struct cli_table table = {.columns = "llrrrrl"};
    cli_table_row(&table, "step", "type", "size", "cell", "results", "scratch", "");
    for (size_t i = 0; i < plan->step_count; i++) {
        add_step(&table, &plan->steps[i]);
        total += plan->steps[i].output_bytes;
    }
    putchar('\n');
    if (!cli_table_print(&table, stdout, 0))
        return oro_fail(err, ORO_E_MEMORY, "no memory for the plan");
    printf("\nresults %s in all; about %s of device memory at the peak, %s in the largest piece\n",
           cli_bytes_text(total, total_text), cli_bytes_text(plan->peak_bytes, peak),
           cli_bytes_text(plan->largest_buffer, largest));
    return true;
}

/* The first input that must come from a graph that uses this one; NULL: the graph can be rendered on its
 * own. */
static const char *open_input(const struct cli_graph *graph)
{
    const struct oro_graph whole = {graph->doc, graph->doc};
    const struct oro_node_type *type = oro_graph_type(&graph->registry, &whole, NULL);
    for (const struct oro_input *input = type ? type->inputs : NULL; input && input->name; input++)
        if (oro_input_required(input))
            return input->name;
    return NULL;
}

static bool print_json(const struct cli_graph *graph, const struct oro_plan *plan,
                       const struct cli_memory_answer *answer, struct oro_error *err)
{
    uint64_t total = 0;
    for (size_t i = 0; i < plan->step_count; i++)
        total += plan->steps[i].output_bytes;
    json_t *object = json_object();
    cli_json_integer(object, "nodes", (int64_t)oro_document_node_count(graph->doc));
    cli_json_integer(object, "steps", (int64_t)plan->step_count);
    cli_json_integer(object, "results_bytes", (int64_t)total);
    cli_json_integer(object, "largest_bytes", (int64_t)plan->largest_buffer);
    cli_json_add(object, "memory", cli_memory_json(answer));
    return cli_json_print(object) || oro_fail(err, ORO_E_MEMORY, "no memory for the plan");
}

/* Of a device, and how much it has, is only asked if its memory was not given. */
static bool print_all(const struct cli_graph *graph, const struct info_options *options,
                      const struct oro_plan_options *plan_options, struct oro_error *err)
{
    const struct cli_memory_request request = {.device = options->device,
                                               .memory_bytes = (size_t)options->memory.value << 20,
                                               .whole = (int)options->whole.value,
                                               .tile = (int)options->tile.value};
    struct cli_memory_answer answer;
    struct oro_plan *plan = cli_graph_plan(graph, plan_options, NULL, err);
    bool ok = plan && cli_memory_ask(graph, plan, plan_options, &request, &answer, err);
    if (ok && options->json)
        ok = print_json(graph, plan, &answer, err);
    else if (ok) {
        ok = print_plan(plan, err);
        cli_memory_print(&answer);
    }
    oro_plan_destroy(plan);
    return ok;
}

static bool describe(struct cli_graph *graph, const char *file, const struct info_options *options,
                     struct oro_error *err)
{
    if (!cli_graph_open(graph, file, &options->set, options->allow_path, err))
        return false;
    if (!options->json) {
        print_world(graph);
        if (!print_interface(graph, err))
            return false;
        if (oro_document_node_count(graph->doc) == 0)
            return true;
    }
    struct oro_plan_options plan_options = {.max_resolution = (int)options->max_resolution.value,
                                            .allow_any_path = options->allow_path};
    const char *open = open_input(graph);
    if (open && options->json)
        return oro_fail(err, ORO_E_USAGE, "it is planned where it is used: '%s' comes from there", open);
    if (open) {
        printf("\nplanned where it is used: '%s' comes from there\n", open);
        return true;
    }
    if (!cli_want_all(graph, err))
        return false;
    return print_all(graph, options, &plan_options, err);
}

static bool describe_graph(const char *file, const struct info_options *options, struct oro_error *err)
{
    struct cli_graph graph;
    bool ok = describe(&graph, file, options, err);
    cli_graph_close(&graph);
    if (ok && options->report && !options->json) {
        putchar('\n');
        ok = cli_report_show(options->report, err);
    }
    return ok;
}

static int run_info(const void *options, char *const *arguments, int count)
{
    (void)count;
    struct oro_error err = {0};
    struct cli_measure_request request = {.path = arguments[0],
                                          .read = {.log = &cli_log},
                                          .device = true,
                                          .json = ((const struct info_options *)options)->json};
    bool heightfield = oro_format_readable(arguments[0]) || oro_format_is_mesh(arguments[0]);
    if (heightfield ? !cli_measure_file(&request, &err) : !describe_graph(arguments[0], options, &err))
        return (int)cli_fail(&err);
    return CLI_DONE;
}

#define AT(field) offsetof(struct info_options, field)
static const struct cli_option options_table[] = {
    {"set", 0, CLI_LIST, AT(set), "NODE.INPUT=VALUE",
     .help = "Replace a value of the document; may be repeated"},
    {"max-resolution", 0, CLI_INTEGER, AT(max_resolution), "N", .min = 1, .max = ORO_GRID_MAX,
     .help = "As for render: hold back what would raise the resolution above N cells"},
    {"report", 0, CLI_TEXT, AT(report), "FILE.json",
     .help = "Show the times in a report of 'render --report', slowest first"},
    {"memory", 0, CLI_INTEGER, AT(memory), "MB", .min = 1, .max = 1 << 24,
     .help = "Say what fits a device with so much memory (default: what the device has)"},
    {"device", 0, CLI_TEXT, AT(device), "N",
     .help = "A device of 'orograph devices', or 'processor' (default: as for render)"},
    {"whole", 0, CLI_INTEGER, AT(whole), "N", .min = 32, .max = ORO_GRID_MAX,
     .help = "As for render: cut rasters of more than N x N cells into tiles"},
    {"tile", 0, CLI_INTEGER, AT(tile), "N", .min = 32, .max = ORO_GRID_MAX,
     .help = "As for render: cells along the side of such a tile"},
    {"json", 0, CLI_FLAG, AT(json), .help = "Print sizes and memory as JSON"},
    {"allow-path", 0, CLI_FLAG, AT(allow_path),
     .help = "Let the document name files outside its own folder and the library"},
    {0},
};
#undef AT

const struct cli_command cli_info = {
    .name = "info",
    .arguments = "FILE",
    .summary = "Describes a graph (sizes, memory, times) or a heightfield",
    .help = "Without --memory, the device at hand is asked for its own. For a heightfield, see 'orograph "
            "measure'.\n"
            "Example: orograph info alps.oro --report alps.report.json\n",
    .options = options_table,
    .options_size = sizeof(struct info_options),
    .least = 1,
    .most = 1,
    .run = run_info,
};
