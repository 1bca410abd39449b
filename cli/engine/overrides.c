/* --set NODE.INPUT=VALUE, and --set NAME=VALUE for variables and inputs of the interface. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/engine/graph.h"
#include "cli/engine/prepare.h"
#include "graph/type/literal.h"

/* Cuts "NODE.INPUT=VALUE" or "NAME=VALUE" into its parts, in place; the node of the latter is "". */
static bool split(char *text, struct oro_override *override)
{
    char *equals = strchr(text, '=');
    if (!equals)
        return false;
    *equals = '\0';
    char *dot = strchr(text, '.');
    if (dot)
        *dot = '\0';
    *override =
        (struct oro_override){.node = dot ? text : "", .input = dot ? dot + 1 : text, .value = equals + 1};
    return (!dot || oro_is_identifier(override->node)) && oro_is_identifier(override->input);
}

static bool unknown_node(const struct oro_document *doc, const char *item, const char *id,
                         struct oro_error *err)
{
    size_t count = oro_document_node_count(doc);
    const char **ids = oro_alloc(count + 1, sizeof *ids);
    for (size_t i = 0; ids && i < count; i++)
        ids[i] = oro_document_node(doc, i)->id;
    const char *near = ids ? oro_suggest(id, ids, count) : NULL;
    if (near)
        oro_fail(err, ORO_E_DOCUMENT, "--set %.200s: there is no node '%s'; did you mean '%s'?", item, id,
                 near);
    else
        oro_fail(err, ORO_E_DOCUMENT, "--set %.200s: there is no node '%s'", item, id);
    oro_free(ids);
    return false;
}

static bool unknown_input(const struct oro_node_type *type, const char *item, const char *name,
                          struct oro_error *err)
{
    const char *near = oro_type_suggest_input(type, name);
    if (near)
        return oro_fail(err, ORO_E_DOCUMENT,
                        "--set %.200s: nodes of type '%s' have no input '%s'; did you mean '%s'?", item,
                        type->id, name, near);
    return oro_fail(err, ORO_E_DOCUMENT,
                    "--set %.200s: nodes of type '%s' have no input '%s'; see 'orograph nodes %s'", item,
                    type->id, name, type->id);
}

/* A file named on the command line is relative to the working folder, not to the document's. */
static const char *absolute_path(struct cli_graph *graph, const char *item, const char *path,
                                 struct oro_error *err)
{
    if (!path[0])
        return path;
    char *copy = oro_copy_text(path);
    char *slash = copy ? strrchr(copy, '/') : NULL;
    const char *name = slash ? path + (slash - copy) + 1 : path;
    if (slash)
        slash[slash == copy] = '\0';
    char *folder = copy ? realpath(slash ? copy : ".", NULL) : NULL;
    const char *whole = NULL;
    if (!folder)
        oro_fail(err, ORO_E_FILE, "--set %.200s: the folder of '%s' does not exist", item, path);
    else if (!(whole = oro_arena_textf(graph->arena, "%s/%s", strcmp(folder, "/") == 0 ? "" : folder, name)))
        oro_fail(err, ORO_E_MEMORY, "no memory for a path");
    free(folder);
    oro_free(copy);
    return whole;
}

static bool check_value(struct cli_graph *graph, const char *item, const struct oro_input *input,
                        struct oro_override *override, struct oro_error *err)
{
    struct oro_error reason = {0};
    if (!oro_input_has_literal(input))
        return oro_fail(err, ORO_E_DOCUMENT, "--set %.200s: '%s' takes a link, not a value", item,
                        input->name);
    if (!oro_literal_parse(input, override->value, NULL, &reason))
        return oro_fail(err, ORO_E_DOCUMENT, "--set %.200s: %s", item, reason.text);
    if (input->type == ORO_FILE)
        override->value = absolute_path(graph, item, override->value, err);
    return override->value != NULL;
}

const struct oro_node_type *cli_find_type(const struct cli_graph *graph, const char *item, const char *id,
                                          struct oro_error *err)
{
    const struct oro_doc_node *node = oro_document_find(graph->doc, id);
    struct oro_error why = {0};
    const struct oro_node_type *type = node ? oro_type_of(&graph->registry, graph->doc, node, &why) : NULL;
    if (!node)
        unknown_node(graph->doc, item, id, err);
    else if (!type)
        oro_fail(err, ORO_E_DOCUMENT, "--set %.200s: node '%s': %s", item, node->id, why.text);
    return type;
}

const struct oro_input *cli_find_input(const struct cli_graph *graph, const char *item, const char *node,
                                       const char *name, struct oro_error *err)
{
    const struct oro_node_type *type = cli_find_type(graph, item, node, err);
    const struct oro_input *input = type ? oro_type_input(type, name) : NULL;
    if (type && !input)
        unknown_input(type, item, name, err);
    return input;
}

static bool check_input(struct cli_graph *graph, const char *item, struct oro_override *override,
                        struct oro_error *err)
{
    const struct oro_input *input = cli_find_input(graph, item, override->node, override->input, err);
    return input && check_value(graph, item, input, override, err);
}

static bool check_variable(const char *item, const struct oro_override *override, struct oro_error *err)
{
    double value;
    return oro_parse_number(override->value, &value) ||
           oro_fail(err, ORO_E_DOCUMENT, "--set %.200s: '%.60s' is not a number", item, override->value);
}

bool cli_unknown_name(const struct oro_document *doc, const char *item, const char *name,
                      struct oro_error *err)
{
    size_t variables = oro_document_variable_count(doc), ports = oro_document_port_count(doc), count = 0;
    const char **names = oro_alloc(variables + ports + 1, sizeof *names);
    for (size_t i = 0; names && i < variables; i++)
        names[count++] = oro_document_variable(doc, i)->name;
    for (size_t i = 0; names && i < ports; i++)
        if (!oro_document_port(doc, i)->is_output)
            names[count++] = oro_document_port(doc, i)->name;
    const char *near = names ? oro_suggest(name, names, count) : NULL;
    oro_free(names);
    return oro_fail(
        err, ORO_E_DOCUMENT,
        "--set %.200s: there is no variable and no input of the interface '%s'%s%s%s; an input of a "
        "node is set with NODE.INPUT=VALUE",
        item, name, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* Whether the name means an input of the interface: a variable of that name, which the input may lead to,
 * comes first. */
static bool is_port(const struct cli_graph *graph, const struct oro_doc_port *port, const char *name)
{
    bool leads_there = !*port->node && strcmp(port->socket, name) == 0;
    return !port->is_output && strcmp(port->name, name) == 0 &&
           (leads_there || !oro_document_find_variable(graph->doc, name));
}

/* The interface may allow a smaller range than the input it leads to. */
static bool check_range(struct cli_graph *graph, const char *item, const struct oro_override *named,
                        struct oro_error *err)
{
    const struct oro_graph whole = {graph->doc, graph->doc};
    const struct oro_node_type *type = oro_graph_type(&graph->registry, &whole, NULL);
    const struct oro_input *input = type ? oro_type_input(type, named->input) : NULL;
    struct oro_error reason = {0};
    bool meant = false;
    for (size_t i = 0; i < oro_document_port_count(graph->doc); i++)
        meant |= is_port(graph, oro_document_port(graph->doc, i), named->input);
    return !meant || !input || !oro_input_has_literal(input) ||
           oro_literal_parse(input, named->value, NULL, &reason) ||
           oro_fail(err, ORO_E_DOCUMENT, "--set %.200s: %s", item, reason.text);
}

/* Sets a variable, or else an input of the interface, which means all inputs that it leads to. */
static bool set_name(struct cli_graph *graph, const char *item, const struct oro_override *named,
                     struct oro_error *err)
{
    size_t before = graph->override_count;
    struct oro_override *next = &graph->overrides[before];
    *next = *named;
    if (!check_range(graph, item, named, err))
        return false;
    if (oro_document_find_variable(graph->doc, named->input)) {
        graph->override_count++;
        return check_variable(item, next, err);
    }
    for (size_t i = 0; i < oro_document_port_count(graph->doc); i++) {
        const struct oro_doc_port *port = oro_document_port(graph->doc, i);
        if (port->is_output || strcmp(port->name, named->input) != 0)
            continue;
        next = &graph->overrides[graph->override_count++];
        *next = (struct oro_override){.node = port->node, .input = port->socket, .value = named->value};
        if (*port->node ? !check_input(graph, item, next, err) : !check_variable(item, next, err))
            return false;
    }
    return graph->override_count > before || cli_unknown_name(graph->doc, item, named->input, err);
}

static bool read_override(struct cli_graph *graph, const char *item, struct oro_error *err)
{
    struct oro_override override;
    char *copy = oro_arena_text(graph->arena, item);
    if (!copy)
        return oro_fail(err, ORO_E_MEMORY, "no memory for the command line");
    if (!split(copy, &override))
        return oro_fail(
            err, ORO_E_USAGE,
            "--set takes NODE.INPUT=VALUE or NAME=VALUE, such as --set dem.high=4200, not '%.200s'", item);
    if (!*override.node)
        return set_name(graph, item, &override, err);
    if (strcmp(override.node, "world") == 0 && !oro_document_find(graph->doc, "world")) {
        const char *told = oro_arena_textf(graph->arena, "--set %s", item);
        return cli_set_world(graph, told ? told : "--set", override.input, override.value, err);
    }
    graph->overrides[graph->override_count] = override;
    return check_input(graph, item, &graph->overrides[graph->override_count++], err);
}

bool cli_read_overrides(struct cli_graph *graph, const struct cli_list *set, struct oro_error *err)
{
    size_t most = set->count * (oro_document_port_count(graph->doc) + 1);
    if (set->count == 0)
        return true;
    graph->overrides = oro_arena_alloc(graph->arena, most, sizeof *graph->overrides);
    if (!graph->overrides)
        return oro_fail(err, ORO_E_MEMORY, "no memory for the command line");
    for (size_t i = 0; i < set->count; i++)
        if (!read_override(graph, set->items[i], err))
            return false;
    return true;
}
