#include "cli/engine/graph.h"

#include <string.h>

#include "base/text.h"
#include "cli/engine/interrupt.h"
#include "cli/engine/output.h"
#include "cli/options/standard.h"
#include "cli/report/console.h"
#include "graph/file/xml.h"
#include "lua/types/registry.h"

bool cli_registry_open(struct oro_registry *registry, bool allow_any_path, struct oro_error *err)
{
    if (!oro_registry_open(registry, &oro_builtin_nodes, allow_any_path, &cli_log, err))
        return false;
    oro_scripts_stop_when(registry->scripts, cli_stopped, NULL);
    return true;
}

void cli_registry_close(struct oro_registry *registry)
{
    oro_registry_close(registry);
}

/* A file that is missing is not the same as a document with problems. */
static bool is_unreadable(const struct oro_problems *problems)
{
    return problems->count == 1 && strcmp(problems->items[0].code, "unreadable") == 0;
}

struct oro_document *cli_read_checked(const char *path, const struct oro_registry *registry,
                                      struct oro_problems *problems, struct oro_error *err)
{
    struct oro_document *doc = cli_load_document(path, registry, problems);
    bool going = cli_interrupt_none(err); /* after an interrupt, scripts were not read to their end */
    bool ok = doc && oro_problems_fatal(problems) == 0 && going, unreadable = is_unreadable(problems);
    if (!unreadable && going)
        cli_print_problems(problems, path);
    if (unreadable && going)
        oro_fail(err, ORO_E_FILE, "%s", problems->items[0].text);
    else if (!ok && going)
        oro_fail(err, ORO_E_DOCUMENT, "'%s' is not a valid graph (%zu error%s)", path, problems->errors,
                 problems->errors == 1 ? "" : "s");
    if (!ok) {
        oro_document_destroy(doc);
        doc = NULL;
    }
    return doc;
}

struct oro_document *cli_read_graph(const char *path, const struct oro_registry *registry, size_t *missing,
                                    struct oro_error *err)
{
    struct oro_problems problems = {0};
    struct oro_document *doc = cli_read_checked(path, registry, &problems, err);
    *missing = problems.errors;
    oro_problems_free(&problems);
    return doc;
}

struct oro_document *cli_read_any(const char *path, const struct oro_registry *registry,
                                  struct oro_error *err)
{
    struct oro_problems problems = {0};
    struct oro_document *doc = oro_document_read(path, registry, &problems);
    if (!doc && problems.count > 0)
        oro_fail(err, ORO_E_DOCUMENT, "'%s' is no graph: %s", path, problems.items[0].text);
    else if (!doc)
        oro_fail(err, ORO_E_MEMORY, "no memory for '%s'", path);
    oro_problems_free(&problems);
    return doc;
}

bool cli_graph_open(struct cli_graph *graph, const char *path, const struct cli_list *set,
                    bool allow_any_path, struct oro_error *err)
{
    *graph = (struct cli_graph){.arena = oro_arena_create(), .allow_any_path = allow_any_path};
    if (!graph->arena)
        return oro_fail(err, ORO_E_MEMORY, "no memory for '%s'", path);
    size_t missing = 0;
    if (!cli_registry_open(&graph->registry, allow_any_path, err))
        return false;
    graph->doc = cli_read_graph(path, &graph->registry, &missing, err);
    graph->incomplete = missing > 0 || oro_scripts_build_graphs(graph->registry.scripts);
    if (!graph->doc || !cli_read_overrides(graph, set, err))
        return false;
    /* The most that can be wanted is every output of the interface and every node. */
    size_t most = oro_document_port_count(graph->doc) + oro_document_node_count(graph->doc);
    graph->targets = oro_arena_alloc(graph->arena, most + 1, sizeof *graph->targets);
    return graph->targets || oro_fail(err, ORO_E_MEMORY, "no memory for '%s'", path);
}

void cli_graph_close(struct cli_graph *graph)
{
    oro_document_destroy(graph->doc);
    cli_registry_close(&graph->registry);
    oro_arena_destroy(graph->arena);
    *graph = (struct cli_graph){0};
}

static void want(struct cli_graph *graph, const char *node, const char *output)
{
    graph->targets[graph->target_count++] = (struct oro_target){.node = node, .output = output};
}

/* The names of the interface's outputs, joined, for messages. Returns how many there are. */
static size_t list_outputs(const struct oro_document *doc, struct oro_text *names)
{
    size_t count = 0;
    for (size_t i = 0; i < oro_document_port_count(doc); i++) {
        const struct oro_doc_port *port = oro_document_port(doc, i);
        if (port->is_output)
            oro_text_addf(names, "%s'%s'", count++ ? ", " : "", port->name);
    }
    return count;
}

static const struct oro_doc_port *find_port(const struct oro_document *doc, const char *name)
{
    for (size_t i = 0; i < oro_document_port_count(doc); i++) {
        const struct oro_doc_port *port = oro_document_port(doc, i);
        if (port->is_output && (!name || strcmp(port->name, name) == 0))
            return port;
    }
    return NULL;
}

/* The node of "NODE.OUTPUT" or "NODE", and its type. NULL: there is none. */
static const struct oro_doc_node *find_node(const struct cli_graph *graph, const char *name,
                                            const struct oro_node_type **type)
{
    const char *node = oro_arena_textf(graph->arena, "%.*s", (int)strcspn(name, "."), name);
    const struct oro_doc_node *found = node ? oro_document_find(graph->doc, node) : NULL;
    *type = found ? oro_type_of(&graph->registry, graph->doc, found, NULL) : NULL;
    return *type ? found : NULL;
}

/* Wants "NODE.OUTPUT", which the interface need not offer. False: not of that form, or not in the
 * document. */
static bool want_socket(struct cli_graph *graph, const char *name)
{
    const struct oro_node_type *type;
    const struct oro_doc_node *node = find_node(graph, name, &type);
    const char *dot = strchr(name, '.');
    const struct oro_output *output = node && dot ? oro_type_output_meant(type, dot + 1) : NULL;
    if (!output)
        return false;
    want(graph, node->id, output->name);
    return true;
}

static bool is_node(const struct cli_graph *graph, const char *name)
{
    const struct oro_node_type *type;
    return find_node(graph, name, &type);
}

/* Whether nobody can tell what the name leads to, because its graph or script is missing or broken. */
static bool is_broken(const struct cli_graph *graph, const char *name, struct oro_error *err)
{
    const char *node = oro_arena_textf(graph->arena, "%.*s", (int)strcspn(name, "."), name);
    const struct oro_doc_node *found = node ? oro_document_find(graph->doc, node) : NULL;
    if (!found || oro_type_of(&graph->registry, graph->doc, found, err))
        return false;
    err->code = err->code == ORO_E_LIMIT || err->code == ORO_E_FILE ? ORO_E_DOCUMENT : err->code;
    oro_error_place(err, oro_document_path(graph->doc), found->line, found->id);
    return true;
}

static bool no_such_socket(const struct cli_graph *graph, const char *name, struct oro_error *err)
{
    const struct oro_node_type *type;
    const struct oro_doc_node *node = find_node(graph, name, &type);
    struct oro_text names = {0};
    for (const struct oro_output *output = type ? type->outputs : NULL; output && output->name; output++)
        oro_text_addf(&names, "%s'%s.%s'", names.length ? ", " : "", node->id, output->name);
    oro_fail(err, ORO_E_DOCUMENT, "there is no output '%s'; node '%s' offers %s", name, node->id,
             names.length == 0 || names.failed ? "nothing" : names.data);
    oro_text_free(&names);
    return false;
}

static bool no_such_output(const struct cli_graph *graph, const char *name, struct oro_error *err)
{
    struct oro_text names = {0};
    size_t count = list_outputs(graph->doc, &names);
    const char *list = count == 0 || names.failed ? "nothing" : names.data;
    const char *node = name && strchr(name, '.')
                           ? oro_arena_textf(graph->arena, "%.*s", (int)strcspn(name, "."), name)
                           : NULL;
    char near[ORO_NEAR_SIZE] = "";
    if (node)
        oro_document_near_node(graph->doc, node, near);
    if (name)
        oro_fail(err, ORO_E_DOCUMENT, "there is no output '%s'; the interface offers %s%s", name, list, near);
    else if (count == 0)
        oro_fail(err, ORO_E_DOCUMENT,
                 "the interface has no output to write; name one with --output NODE.OUTPUT");
    else
        oro_fail(err, ORO_E_DOCUMENT, "the interface has %zu outputs; choose one with --output: %s", count,
                 list);
    oro_text_free(&names);
    return false;
}

bool cli_want_output(struct cli_graph *graph, const char *name, struct oro_error *err)
{
    struct oro_text names = {0};
    size_t count = list_outputs(graph->doc, &names);
    oro_text_free(&names);
    const struct oro_doc_port *port = name || count == 1 ? find_port(graph->doc, name) : NULL;
    if (port)
        want(graph, port->node, port->socket);
    if (port || (name && want_socket(graph, name)))
        return true;
    if (name && is_broken(graph, name, err))
        return false;
    return name && is_node(graph, name) ? no_such_socket(graph, name, err) : no_such_output(graph, name, err);
}

bool cli_wanted_output(const struct cli_graph *graph, size_t target, struct oro_output *output,
                       struct oro_error *err)
{
    const struct oro_target *wanted = &graph->targets[target];
    const struct oro_doc_node *node = oro_document_find(graph->doc, wanted->node);
    const struct oro_node_type *type = oro_type_of(&graph->registry, graph->doc, node, err);
    const struct oro_graph whole = {graph->doc, graph->doc};
    if (!type) {
        err->code = err->code == ORO_E_LIMIT ? ORO_E_DOCUMENT : err->code; /* it contains itself */
        return false;
    }
    *output = *oro_type_output(type, wanted->output);
    output->type = oro_output_type(&graph->registry, &whole, node, output);
    return true;
}

/* Where graphs are missing, or scripts may fail to build theirs: whether the output can be computed without
 * them. Prints why not. */
static bool can_have(struct cli_graph *graph, const char *node, const char *output)
{
    const struct oro_target target = {.node = node, .output = output};
    const struct oro_plan_options options = {.overrides = graph->overrides,
                                             .override_count = graph->override_count,
                                             .allow_any_path = graph->allow_any_path,
                                             .checked = true};
    char line[1200];
    struct oro_error why = {0};
    if (!graph->incomplete)
        return true;
    struct oro_plan *plan =
        oro_plan_create(graph->doc, &graph->registry, &target, 1, &options, NULL, NULL, &why);
    bool can = plan;
    oro_plan_destroy(plan);
    if (!can) {
        cli_error("'%s' is left out: %s", node, oro_error_line(&why, line, sizeof line));
        graph->left_out++;
    }
    return can;
}

static void want_nodes(struct cli_graph *graph, bool sinks)
{
    for (size_t i = 0; i < oro_document_node_count(graph->doc); i++) {
        const struct oro_doc_node *node = oro_document_node(graph->doc, i);
        const struct oro_node_type *type = oro_type_of(&graph->registry, graph->doc, node, NULL);
        if (node->mute)
            continue;
        if (type && type->sink && sinks && can_have(graph, node->id, NULL))
            want(graph, node->id, NULL);
        else if (type && !type->sink && !sinks && type->outputs && type->outputs[0].name)
            want(graph, node->id, type->outputs[0].name);
    }
}

bool cli_want_sinks(struct cli_graph *graph, struct oro_error *err)
{
    want_nodes(graph, true);
    if (graph->target_count > 0)
        return true;
    if (graph->left_out > 0)
        return oro_fail(
            err, ORO_E_DOCUMENT,
            "every node that writes a file needs a graph that is missing, or a script that fails");
    return oro_fail(
        err, ORO_E_DOCUMENT,
        "the graph has no node that writes a file; add an 'export' node, or name a file with -o OUT");
}

bool cli_want_all(struct cli_graph *graph, struct oro_error *err)
{
    for (size_t i = 0; i < oro_document_port_count(graph->doc); i++) {
        const struct oro_doc_port *port = oro_document_port(graph->doc, i);
        if (port->is_output && can_have(graph, port->node, port->socket))
            want(graph, port->node, port->socket);
    }
    want_nodes(graph, true);
    if (graph->target_count == 0)
        want_nodes(graph, false);
    return graph->target_count > 0 ||
           oro_fail(err, ORO_E_DOCUMENT,
                    graph->left_out > 0 ? "everything needs a graph that is missing, or a script that fails"
                                        : "the graph has no nodes");
}

struct oro_plan *cli_graph_plan(const struct cli_graph *graph, const struct oro_plan_options *options,
                                struct oro_device *device, struct oro_error *err)
{
    struct oro_plan_options all = *options;
    all.overrides = graph->overrides;
    all.override_count = graph->override_count;
    all.checked = true; /* checked when it was opened */
    return oro_plan_create(graph->doc, &graph->registry, graph->targets, graph->target_count, &all, device,
                           NULL, err);
}
