/* Checking a document against the node types. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "graph/derived/assets_private.h"
#include "graph/derived/builds.h"
#include "graph/derived/mute.h"
#include "graph/derived/scripts.h"
#include "graph/document/document_private.h"
#include "graph/document/variable.h"
#include "graph/file/load.h"
#include "graph/type/literal.h"

/* A suggestion compares a name with many others. A document that is wrong everywhere must not make checking
 * slow. */
enum { SUGGESTIONS_MAX = 100, SUGGESTED_NODES_MAX = 1000 };

struct checker {
    const struct oro_document *doc, *root; /* a group's body and its document; else the same */
    const struct oro_registry *registry;
    struct oro_problems *problems;
    struct oro_variables *variables; /* NULL: memory is out */
    int suggestions_left;
};

/* Writes "; did you mean 'name'?" or nothing. */
struct suggestion {
    char text[ORO_NEAR_SIZE];
};

static struct suggestion format_suggestion(const char *nearest)
{
    struct suggestion suggestion;
    oro_did_you_mean(nearest, suggestion.text);
    return suggestion;
}

static struct suggestion suggest_type(struct checker *checker, const char *id)
{
    const char *nearest = NULL;
    if (checker->suggestions_left-- > 0)
        nearest = oro_registry_suggest(checker->registry, id);
    return format_suggestion(nearest);
}

static const char *nth_input(const void *type, size_t i)
{
    return ((const struct oro_node_type *)type)->inputs[i].name;
}

static const char *nth_output(const void *type, size_t i)
{
    return ((const struct oro_node_type *)type)->outputs[i].name;
}

static const char *nth_node(const void *doc, size_t i)
{
    return oro_document_node(doc, i)->id;
}

static struct suggestion suggest_among(struct checker *checker, const char *word, size_t count,
                                       const char *(*nth)(const void *, size_t), const void *user)
{
    struct suggestion suggestion = {""};
    if (checker->suggestions_left-- <= 0)
        return suggestion;
    const char **names = oro_alloc(count, sizeof *names);
    for (size_t i = 0; names && i < count; i++)
        names[i] = nth(user, i);
    if (names)
        suggestion = format_suggestion(oro_suggest(word, names, count));
    oro_free(names);
    return suggestion;
}

static struct suggestion suggest_node(struct checker *checker, const char *id)
{
    if (checker->doc->node_count > SUGGESTED_NODES_MAX)
        return format_suggestion(NULL);
    return suggest_among(checker, id, checker->doc->node_count, nth_node, checker->doc);
}

static struct suggestion suggest_input(struct checker *checker, const struct oro_node_type *type,
                                       const char *name)
{
    return suggest_among(checker, name, oro_type_input_count(type), nth_input, type);
}

static struct suggestion suggest_output(struct checker *checker, const struct oro_node_type *type,
                                        const char *name)
{
    return suggest_among(checker, name, oro_type_output_count(type), nth_output, type);
}

/* The type that the node can be checked against; NULL: unknown, or of a later version. A graph of an earlier
 * version than the node was written for is taken for what it is. */
static const struct oro_node_type *checkable_type(const struct checker *checker,
                                                  const struct oro_doc_node *node)
{
    const struct oro_node_type *type = oro_type_of(checker->registry, checker->root, node, NULL);
    return type && (oro_node_is_graph(node) || node->version <= type->version) ? type : NULL;
}

static void check_graph(struct checker *checker, const struct oro_doc_node *node)
{
    struct oro_error why = {0};
    const struct oro_node_type *type = oro_type_of(checker->registry, checker->root, node, &why);
    if (!type)
        oro_problem_add(checker->problems, true, why.code == ORO_E_FILE ? "missing-graph" : "bad-graph",
                        node->line, node->id, "%s", why.text);
    else if (node->version > type->version)
        oro_problem_add(checker->problems, false, "older-graph", node->line, node->id,
                        "it was made with version %d of '%s', and the one that is there has version %d",
                        node->version, node->href, type->version);
}

static bool has_script(const struct checker *checker, const struct oro_doc_node *node)
{
    bool found = oro_node_is_inline(node);
    if (!found)
        oro_script_type(checker->registry->scripts, oro_document_path(checker->root), node->type, &found,
                        NULL);
    return found;
}

static void check_type(struct checker *checker, const struct oro_doc_node *node)
{
    if (!*node->type)
        return; /* reported as a matter of form */
    if (oro_node_is_graph(node)) {
        check_graph(checker, node);
        return;
    }
    struct oro_error why = {0};
    const struct oro_node_type *type = oro_type_of(checker->registry, checker->root, node, &why);
    if (!type && !has_script(checker, node))
        oro_problem_add(checker->problems, true, "unknown-type", node->line, node->id, "%s%s", why.text,
                        suggest_type(checker, node->type).text);
    else if (!type)
        oro_problem_add(checker->problems, true, "bad-script", node->line, node->id, "%s", why.text);
    else if (node->version > type->version)
        oro_problem_add(checker->problems, true, "newer-type", node->line, node->id,
                        "it was written by version %d of '%s', and %s has version %d; a newer %s is needed",
                        node->version, type->id, type->script ? "the script" : "this program", type->version,
                        type->script ? "one" : "program");
}

static const struct oro_doc_port *port_into(const struct oro_document *doc, const char *node,
                                            const char *input)
{
    for (size_t i = 0; i < oro_document_port_count(doc); i++) {
        const struct oro_doc_port *port = oro_document_port(doc, i);
        if (!port->is_output && strcmp(port->node, node) == 0 && strcmp(port->socket, input) == 0)
            return port;
    }
    return NULL;
}

/* Whether a muted node has something for `taker`; NULL: for whoever asks by name. */
static bool passes(struct checker *checker, const struct oro_doc_node *muted, const char *output,
                   const struct oro_input *taker)
{
    const struct oro_graph graph = {checker->doc, checker->root};
    struct oro_mute_source passed;
    struct oro_error err = {0};
    if (oro_mute_follow(checker->registry, &graph, muted, output, taker, NULL, NULL, &passed, &err))
        return passed.node;
    oro_problem_add(checker->problems, true, "memory", 0, NULL, "%s", err.text);
    return true;
}

/* A link from a muted node: what is passed on fits. */
static void check_passed(struct checker *checker, const struct oro_doc_node *node,
                         const struct oro_doc_input *link, const struct oro_input *socket,
                         const struct oro_doc_node *muted)
{
    if (!node->mute && oro_input_required(socket) && !port_into(checker->doc, node->id, socket->name) &&
        !passes(checker, muted, link->from_output, socket))
        oro_problem_add(checker->problems, true, "missing-input", link->line, node->id,
                        "input '%s' needs a link to %s: '%.100s' is muted, and has nothing to pass on",
                        socket->name, oro_type_phrase(socket->type), muted->id);
}

/* `socket` is what the link leads into, or NULL where that is unknown. */
static void check_link(struct checker *checker, const struct oro_doc_node *node,
                       const struct oro_doc_input *link, const struct oro_input *socket)
{
    struct oro_problems *problems = checker->problems;
    const struct oro_doc_node *source = oro_document_find(checker->doc, link->from_node);
    if (!source)
        oro_problem_add(problems, true, "dangling-link", link->line, node->id,
                        "input '%.100s' is linked to '%.100s.%.100s', but there is no node '%.100s'%s",
                        link->name, link->from_node, link->from_output, link->from_node,
                        suggest_node(checker, link->from_node).text);
    if (socket && !oro_input_linkable(socket)) {
        oro_problem_add(problems, true, "not-linkable", link->line, node->id,
                        "input '%s' takes a value (%s), not a link", socket->name,
                        oro_type_name(socket->type));
        return;
    }
    if (source && source->mute && socket)
        check_passed(checker, node, link, socket, source);
    const struct oro_node_type *type = source ? checkable_type(checker, source) : NULL;
    if (!type)
        return;
    const struct oro_output *output = oro_type_output(type, link->from_output);
    if (!output)
        oro_problem_add(problems, true, "unknown-output", link->line, node->id,
                        "input '%.100s' is linked to '%.100s.%.100s', but '%s' has no such output%s",
                        link->name, link->from_node, link->from_output, type->id,
                        suggest_output(checker, type, link->from_output).text);
    if (!output || !socket || source->mute)
        return;
    const struct oro_graph graph = {checker->doc, checker->root};
    enum oro_type given = oro_output_type(checker->registry, &graph, source, output);
    if (!oro_input_accepts(socket, given))
        oro_problem_add(problems, true, "wrong-type", link->line, node->id,
                        "input '%s' takes %s, but '%.100s.%s' gives %s", socket->name,
                        oro_type_phrase(socket->type), link->from_node, output->name, oro_type_phrase(given));
}

/* What an expression gives is checked like a literal. */
static void check_expression(struct checker *checker, const struct oro_doc_node *node,
                             const struct oro_doc_input *entry, const struct oro_input *socket)
{
    char text[ORO_NUMBER_SIZE];
    struct oro_error err = {0};
    if (!checker->variables)
        return;
    if (!oro_variables_literal(checker->variables, entry->expr, socket, text, &err))
        oro_problem_add(checker->problems, true, "bad-expression", entry->line, node->id, "input '%s': %s",
                        socket->name, err.text);
    else if (!oro_literal_parse(socket, text, NULL, &err))
        oro_problem_add(checker->problems, true, "bad-value", entry->line, node->id,
                        "input '%s': the expression gives %s: %s", socket->name, text, err.text);
}

static void check_entry(struct checker *checker, const struct oro_doc_node *node,
                        const struct oro_node_type *type, const struct oro_doc_input *entry)
{
    const struct oro_input *socket = type && *entry->name ? oro_type_input(type, entry->name) : NULL;
    struct oro_error err;
    if (type && *entry->name && !socket)
        oro_problem_add(checker->problems, true, "unknown-input", entry->line, node->id,
                        "'%s' has no input '%.100s'%s", type->id, entry->name,
                        suggest_input(checker, type, entry->name).text);
    if (entry->from_node)
        check_link(checker, node, entry, socket);
    else if (socket && entry->expr)
        check_expression(checker, node, entry, socket);
    else if (socket && entry->value && !oro_literal_parse(socket, entry->value, NULL, &err))
        oro_problem_add(checker->problems, true, "bad-value", entry->line, node->id, "input '%s': %s",
                        socket->name, err.text);
}

static void check_missing(struct checker *checker, const struct oro_doc_node *node,
                          const struct oro_node_type *type)
{
    for (const struct oro_input *input = type->inputs; input && input->name; input++) {
        if (!oro_input_required(input) || oro_doc_node_input(node, input->name))
            continue;
        const struct oro_doc_port *port = port_into(checker->doc, node->id, input->name);
        if (port && checker->doc != checker->root)
            continue; /* a group is there to be used */
        if (port)
            oro_problem_add(checker->problems, false, "open-input", node->line, node->id,
                            "input '%s' comes from the interface input '%.100s'", input->name, port->name);
        else
            oro_problem_add(checker->problems, true, "missing-input", node->line, node->id,
                            "input '%s' needs a link to %s%s", input->name, oro_type_phrase(input->type),
                            oro_input_has_literal(input) ? ", or a value" : "");
    }
}

static void check_node(struct checker *checker, const struct oro_doc_node *node)
{
    check_type(checker, node);
    const struct oro_node_type *type = checkable_type(checker, node);
    for (size_t i = 0; i < node->input_count && !oro_problems_full(checker->problems); i++)
        check_entry(checker, node, type, &node->inputs[i]);
    if (type && !node->mute)
        check_missing(checker, node, type);
}

static void bad_port(struct checker *checker, const struct oro_doc_port *port, const char *text)
{
    oro_problem_add(checker->problems, true, "bad-interface", port->line, NULL, "%s", text);
}

/* Whether what an entry leads to is there. */
static bool check_target(struct checker *checker, const struct oro_doc_port *port)
{
    char text[800];
    const char *kind = port->is_output ? "output" : "input";
    const struct oro_doc_node *node = oro_document_find(checker->doc, port->node);
    const struct oro_node_type *type = node ? checkable_type(checker, node) : NULL;
    if (node && (!type || (port->is_output ? (const void *)oro_type_output(type, port->socket)
                                           : (const void *)oro_type_input(type, port->socket))))
        return type;
    if (!node)
        snprintf(text, sizeof text, "%s '%.100s' leads to '%.100s.%.100s', but there is no node '%.100s'%s",
                 kind, port->name, port->node, port->socket, port->node,
                 suggest_node(checker, port->node).text);
    else
        snprintf(text, sizeof text, "%s '%.100s' leads to '%.100s.%.100s', but '%s' has no such %s%s", kind,
                 port->name, port->node, port->socket, type->id, kind,
                 (port->is_output ? suggest_output(checker, type, port->socket)
                                  : suggest_input(checker, type, port->socket))
                     .text);
    bad_port(checker, port, text);
    return false;
}

/* Told, but no error: what does not ask for it can be had. */
static void check_passed_out(struct checker *checker, const struct oro_doc_port *port)
{
    const struct oro_doc_node *node = port->is_output ? oro_document_find(checker->doc, port->node) : NULL;
    if (node && node->mute && !passes(checker, node, port->socket, NULL))
        oro_problem_add(checker->problems, false, "muted-output", port->line, node->id,
                        "output '%.100s' comes from it, but it is muted, and has nothing to pass on",
                        port->name);
}

/* A name that is there again is that of the one that has it. */
static void check_was(struct checker *checker, const struct oro_doc_port *port)
{
    char text[300], name[128];
    const char *names = port->texts[ORO_PORT_WAS];
    while (names && *(names += strspn(names, " "))) {
        size_t length = strcspn(names, " ");
        snprintf(name, sizeof name, "%.*s", (int)(length < 100 ? length : 100), names);
        names += length;
        const char *now = oro_graph_renamed(checker->doc, port->is_output, name);
        bool taken = now && strcmp(now, name) == 0, other = now && strcmp(now, port->name) != 0;
        snprintf(text, sizeof text, "%s '%.100s': was=\"%s\" %s", port->is_output ? "output" : "input",
                 port->name, name,
                 !oro_is_identifier(name) ? "is no list of names with blanks between"
                 : taken                  ? "names one that is there, which keeps its values"
                                          : "is also what another was called");
        if (taken)
            oro_problem_add(checker->problems, false, "taken-name", port->line, NULL, "%s", text);
        else if (!oro_is_identifier(name) || other)
            bad_port(checker, port, text);
    }
}

static void check_unit(struct checker *checker, const struct oro_doc_port *port)
{
    const char *unit = port->texts[ORO_PORT_UNIT];
    enum oro_unit known;
    char text[200];
    snprintf(text, sizeof text, "output '%.80s': there is no unit '%.40s'", port->name, unit ? unit : "");
    if (port->is_output && unit && !oro_unit_parse(unit, &known))
        bad_port(checker, port, text);
}

static void check_port(struct checker *checker, size_t index)
{
    const struct oro_doc_port *port = oro_document_port(checker->doc, index);
    const struct oro_graph graph = {checker->doc, checker->root};
    struct oro_input input;
    struct oro_error err = {0};
    if (!*port->node && !*port->socket)
        return; /* reported as a matter of form */
    check_was(checker, port);
    check_unit(checker, port);
    if (*port->node && !check_target(checker, port))
        return;
    check_passed_out(checker, port);
    struct oro_arena *arena = port->is_output ? NULL : oro_arena_create();
    if (arena && !oro_port_input(checker->registry, &graph, index, arena, &input, &err))
        bad_port(checker, port, err.text);
    oro_arena_destroy(arena);
}

static void check_variables(struct checker *checker)
{
    for (size_t i = 0; checker->variables && i < oro_document_variable_count(checker->doc); i++) {
        const struct oro_doc_variable *variable = oro_document_variable(checker->doc, i);
        double value;
        enum oro_unit unit;
        struct oro_error err = {0};
        if (variable->expr && !variable->value &&
            !oro_variables_get(checker->variables, variable->name, &value, &err))
            oro_problem_add(checker->problems, true, "bad-expression", variable->line, NULL,
                            "variable '%.100s': %s", variable->name, err.text);
        if (variable->unit && !oro_unit_parse(variable->unit, &unit))
            oro_problem_add(checker->problems, true, "bad-variable", variable->line, NULL,
                            "variable '%.100s': there is no unit '%.40s'", variable->name, variable->unit);
    }
}

/* Whether the world lies where a file says that is read here. */
static void check_world(struct checker *checker)
{
    const char *from = oro_document_world(checker->doc)->from;
    const struct oro_doc_node *node = from ? oro_document_find(checker->doc, from) : NULL;
    const struct oro_node_type *type = node ? checkable_type(checker, node) : NULL;
    int line = checker->doc->world ? checker->doc->world->line : 0;
    struct oro_world world;
    struct oro_error err = {0};
    if (checker->doc == checker->root &&
        !oro_world_evaluate(checker->doc, checker->registry, NULL, 0, &world, &err))
        oro_problem_add(checker->problems, true, "bad-world", line, NULL, "%s", err.text);
    if (from && !node)
        oro_problem_add(checker->problems, true, "bad-world", line, NULL, "from: there is no node '%.100s'%s",
                        from, suggest_node(checker, from).text);
    else if (type && !type->site)
        oro_problem_add(checker->problems, true, "bad-world", line, NULL,
                        "from: '%.100s' (%s) reads no terrain from a file", from, type->id);
}

static void check_written(struct checker *checker, const struct oro_doc_build *build)
{
    struct oro_arena *arena = oro_arena_create();
    struct oro_rendered *outputs;
    struct oro_error err = {0};
    size_t count;
    if (!oro_build_engine(checker->registry, build, &err))
        oro_problem_add(checker->problems, true, "bad-build", build->line, NULL, "%s", err.text);
    if (arena && build->outputs &&
        !oro_build_outputs(checker->doc, checker->registry, build, arena, &outputs, &count, &err))
        oro_problem_add(checker->problems, true, "bad-build", build->line, NULL, "%s", err.text);
    oro_arena_destroy(arena);
}

static void check_build(struct checker *checker, const struct oro_doc_build *build)
{
    const struct oro_doc_build *first = oro_document_find_build(checker->doc, build->name);
    struct oro_error err = {0};
    double cells;
    const char *resolution = build->resolution;
    if (!oro_is_identifier(build->name))
        oro_problem_add(checker->problems, true, "bad-build", build->line, NULL,
                        "'%.100s' cannot be the name of a build", build->name);
    else if (first != build)
        oro_problem_add(checker->problems, true, "bad-build", build->line, NULL,
                        "the build of line %d has the same name", first->line);
    if (resolution && *resolution == '=' &&
        (!checker->variables || !oro_variables_evaluate(checker->variables, resolution + 1, &cells, &err)))
        oro_problem_add(checker->problems, true, "bad-build", build->line, NULL, "resolution: %s", err.text);
    else if (resolution && *resolution != '=' &&
             (!oro_parse_number(resolution, &cells) || cells != floor(cells) || cells < 1 ||
              cells > ORO_GRID_MAX))
        oro_problem_add(checker->problems, true, "bad-build", build->line, NULL,
                        "resolution must be from 1 to %d cells, or =EXPRESSION, not '%.60s'", ORO_GRID_MAX,
                        resolution);
    check_written(checker, build);
}

/* Variables come first: their own mistakes are told where they are made. */
static void check_body(const struct oro_document *doc, const struct oro_document *root,
                       const struct oro_registry *registry, struct oro_problems *problems)
{
    struct oro_error err = {0};
    struct checker checker = {doc, root, registry, problems, NULL, SUGGESTIONS_MAX};
    checker.variables = oro_variables_of(doc, root, registry, &err);
    if (!checker.variables)
        oro_problem_add(problems, true, "memory", 0, NULL, "%s", err.text);
    oro_check_form(doc, problems);
    check_variables(&checker);
    check_world(&checker);
    for (size_t i = 0; i < oro_document_build_count(doc); i++)
        check_build(&checker, oro_document_build(doc, i));
    for (size_t i = 0; i < oro_document_port_count(doc); i++)
        check_port(&checker, i);
    for (size_t i = 0; i < doc->node_count && !oro_problems_full(problems); i++)
        check_node(&checker, oro_document_node(doc, i));
    oro_variables_destroy(checker.variables);
    oro_check_cycles(doc, problems);
}

/* Ids are unique within a group: with its name in front, they are in the document. */
static void name_group(struct oro_problems *problems, size_t first, const char *group)
{
    for (size_t i = first; i < problems->count; i++) {
        struct oro_problem *problem = &problems->items[i];
        char node[sizeof problem->node];
        snprintf(node, sizeof node, "%.60s%s%.60s", group, problem->node[0] ? "/" : "", problem->node);
        memcpy(problem->node, node, sizeof node);
    }
}

void oro_check(const struct oro_document *doc, const struct oro_registry *registry,
               struct oro_problems *problems)
{
    check_body(doc, doc, registry, problems);
    for (size_t i = 0; i < doc->group_count && !oro_problems_full(problems); i++) {
        const struct oro_doc_group *group = oro_document_group(doc, i);
        size_t first = problems->count;
        check_body(group->body, doc, registry, problems);
        name_group(problems, first, group->name);
    }
    oro_problems_sort(problems);
}
