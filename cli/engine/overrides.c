/* --set NODE.INPUT=VALUE, and --set NAME=VALUE for variables and inputs of the interface. A value is a
 * literal, an expression, or a link. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/engine/graph.h"
#include "cli/engine/prepare.h"
#include "graph/document/variable.h"
#include "graph/file/load.h"
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
    char near[ORO_NEAR_SIZE];
    return oro_fail(err, ORO_E_DOCUMENT, "--set %.200s: there is no node '%s'%s", item, id,
                    oro_document_near_node(doc, id, near));
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
    const struct oro_input *input = type ? oro_type_input_meant(type, name) : NULL;
    if (type && !input)
        unknown_input(type, item, name, err);
    return input;
}

static bool is_number(const struct oro_input *input)
{
    return input->type == ORO_FLOAT || input->type == ORO_INT;
}

/* A value for an input that takes links alone. */
static bool not_linked(const struct cli_graph *graph, const char *item, const struct oro_input *input,
                       const char *value, struct oro_error *err)
{
    size_t length = strcspn(value, ".");
    const char *node = oro_arena_textf(graph->arena, "%.*s", (int)length, value);
    if (node && value[length] && oro_is_identifier(node))
        return unknown_node(graph->doc, item, node, err);
    return oro_fail(err, ORO_E_DOCUMENT, "--set %.200s: '%s' takes a link, NODE.OUTPUT, and no value", item,
                    input->name);
}

/* ---- What a value may be ---- A literal overrides the document's; a link or an expression is put into the
 * document. */

static void push(struct cli_graph *graph, const char *node, const char *input, const char *value)
{
    graph->overrides[graph->override_count++] = (struct oro_override){node, input, value};
}

/* Whether the document is as valid as before; else says what it lacks now. */
static bool still_valid(struct cli_graph *graph, const char *item, struct oro_error *err)
{
    struct oro_problems problems = {0};
    oro_check(graph->doc, &graph->registry, &problems);
    bool valid = oro_problems_fatal(&problems) == 0;
    for (size_t i = 0; !valid && i < problems.count; i++) {
        const struct oro_problem *problem = &problems.items[i];
        if (problem->error && !oro_problem_is_local(problem)) {
            oro_fail(err, ORO_E_DOCUMENT, "--set %.200s: %s", item, problem->text);
            break;
        }
    }
    oro_problems_free(&problems);
    return valid;
}

static bool set_expression(struct cli_graph *graph, const char *item, const struct oro_override *to,
                           const char *expr, struct oro_error *err)
{
    push(graph, to->node, to->input, NULL);
    return oro_edit_set_expression(graph->doc, to->node, to->input, expr, err) &&
           still_valid(graph, item, err);
}

/* The dot of "NODE.OUTPUT", if the value is a link to a node that is there; else NULL. */
static const char *link_dot(const struct cli_graph *graph, const char *value)
{
    const char *dot = strchr(value, '.');
    const char *node = dot ? oro_arena_textf(graph->arena, "%.*s", (int)(dot - value), value) : NULL;
    return node && oro_is_identifier(dot + 1) && oro_document_find(graph->doc, node) ? dot : NULL;
}

static bool set_link(struct cli_graph *graph, const char *item, const struct oro_override *to,
                     const char *dot, struct oro_error *err)
{
    const char *from = oro_arena_textf(graph->arena, "%.*s", (int)(dot - to->value), to->value);
    if (!from)
        return oro_fail(err, ORO_E_MEMORY, "no memory for the command line");
    const struct oro_doc_node *node = oro_document_find(graph->doc, from);
    const struct oro_node_type *type = oro_type_of(&graph->registry, graph->doc, node, NULL);
    const struct oro_output *output = type ? oro_type_output_meant(type, dot + 1) : NULL;
    push(graph, to->node, to->input, NULL);
    return oro_edit_connect(graph->doc, to->node, to->input, from, output ? output->name : dot + 1, err) &&
           still_valid(graph, item, err);
}

/* Whether a text that is no number is an expression that gives one for the input. */
static bool is_expression(const struct cli_graph *graph, const struct oro_input *input, const char *text)
{
    char literal[ORO_NUMBER_SIZE];
    struct oro_error why;
    bool formula = is_number(input) && (strpbrk(text, "+-*/^%(") || (*text >= 'A' && *text <= 'z'));
    struct oro_variables *variables =
        formula ? oro_variables_of(graph->doc, graph->doc, &graph->registry, &why) : NULL;
    bool gives = variables && oro_variables_literal(variables, text, input, literal, &why);
    oro_variables_destroy(variables);
    return gives;
}

/* `=EXPRESSION`, a literal, NODE.OUTPUT, or an expression that cannot be taken for one of these. */
static bool set_input(struct cli_graph *graph, const char *item, const struct oro_override *to,
                      struct oro_error *err)
{
    const struct oro_input *input = cli_find_input(graph, item, to->node, to->input, err);
    struct oro_error reason = {0};
    const char *value = to->value, *dot;
    if (!input)
        return false;
    const struct oro_override meant = {to->node, input->name, value};
    to = &meant;
    if (*value == '=' && is_number(input))
        return set_expression(graph, item, to, value + 1, err);
    if (oro_input_has_literal(input) && oro_literal_parse(input, value, NULL, &reason)) {
        if (input->type == ORO_FILE)
            value = absolute_path(graph, item, value, err);
        push(graph, to->node, to->input, value);
        return value;
    }
    if (oro_input_linkable(input) && (dot = link_dot(graph, value)) != NULL)
        return set_link(graph, item, to, dot, err);
    if (is_expression(graph, input, value))
        return set_expression(graph, item, to, value, err);
    return oro_input_has_literal(input) ? oro_fail(err, ORO_E_DOCUMENT, "--set %.200s: %s", item, reason.text)
                                        : not_linked(graph, item, input, value, err);
}

/* Forgets earlier values of a variable, which its expression replaces. */
static void forget_variable(struct cli_graph *graph, const char *name)
{
    size_t kept = 0;
    for (size_t i = 0; i < graph->override_count; i++)
        if (*graph->overrides[i].node || strcmp(graph->overrides[i].input, name) != 0)
            graph->overrides[kept++] = graph->overrides[i];
    graph->override_count = kept;
}

static bool set_variable(struct cli_graph *graph, const char *item, const struct oro_override *to,
                         struct oro_error *err)
{
    double number;
    const bool formula = *to->value == '=';
    if (!formula && oro_parse_number(to->value, &number)) {
        push(graph, "", to->input, to->value);
        return true;
    }
    const struct oro_input any = {.name = to->input, .type = ORO_FLOAT};
    char what[200];
    if (!formula && !is_expression(graph, &any, to->value))
        return oro_fail(err, ORO_E_DOCUMENT, "--set %.200s: %s", item,
                        oro_not_a_number(to->value, what, sizeof what));
    struct oro_doc_variable variable = *oro_document_find_variable(graph->doc, to->input);
    char *expr = oro_arena_text(graph->arena, to->value + formula),
         *name = oro_arena_text(graph->arena, to->input);
    variable.name = name;
    variable.value = NULL;
    variable.expr = expr;
    forget_variable(graph, to->input);
    if (!expr || !name)
        return oro_fail(err, ORO_E_MEMORY, "no memory for the command line");
    return oro_edit_variable(graph->doc, &variable, err) && still_valid(graph, item, err);
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
    return oro_fail(err, ORO_E_DOCUMENT,
                    "--set %.200s: there is no variable and no input of the interface '%s'; %s%s%s", item,
                    name, near ? "did you mean '" : "",
                    near ? near : "an input of a node is set with NODE.INPUT=VALUE", near ? "'?" : "");
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
    double number;
    bool literal = input && (!is_number(input) || oro_parse_number(named->value, &number));
    return !meant || !literal || !oro_input_has_literal(input) ||
           oro_literal_parse(input, named->value, NULL, &reason) ||
           oro_fail(err, ORO_E_DOCUMENT, "--set %.200s: %s", item, reason.text);
}

/* Sets a variable, or else an input of the interface, which means all inputs that it leads to. */
static bool set_name(struct cli_graph *graph, const char *item, const struct oro_override *named,
                     struct oro_error *err)
{
    bool found = false;
    if (!check_range(graph, item, named, err))
        return false;
    if (oro_document_find_variable(graph->doc, named->input))
        return set_variable(graph, item, named, err);
    for (size_t i = 0; i < oro_document_port_count(graph->doc); i++) {
        const struct oro_doc_port *port = oro_document_port(graph->doc, i);
        if (port->is_output || strcmp(port->name, named->input) != 0)
            continue;
        const struct oro_override to = {port->node, port->socket, named->value};
        found = true;
        if (!(*port->node ? set_input(graph, item, &to, err) : set_variable(graph, item, &to, err)))
            return false;
    }
    return found || cli_unknown_name(graph->doc, item, named->input, err);
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
    return set_input(graph, item, &override, err);
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
