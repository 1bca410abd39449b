/* Checking a document against the node types. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "graph/document_private.h"
#include "graph/literal.h"

/* A suggestion compares a name with many others. A document that is wrong everywhere must not make checking
 * slow. */
enum { SUGGESTIONS_MAX = 100, SUGGESTED_NODES_MAX = 1000 };

struct checker {
    const struct oro_document *doc;
    const struct oro_registry *registry;
    struct oro_problems *problems;
    int suggestions_left;
};

/* Writes "; did you mean 'name'?" or nothing. */
struct suggestion {
    char text[160];
};

static struct suggestion format_suggestion(const char *nearest)
{
    struct suggestion suggestion = {""};
    if (nearest)
        snprintf(suggestion.text, sizeof suggestion.text, "; did you mean '%.100s'?", nearest);
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

/* The type that the node can be checked against; NULL: unknown, or of a later version. */
static const struct oro_node_type *checkable_type(const struct checker *checker,
                                                  const struct oro_doc_node *node)
{
    const struct oro_node_type *type = oro_registry_find(checker->registry, node->type);
    return type && node->version <= type->version ? type : NULL;
}

static void check_type(struct checker *checker, const struct oro_doc_node *node)
{
    if (!*node->type)
        return; /* reported as a matter of form */
    const struct oro_node_type *type = oro_registry_find(checker->registry, node->type);
    if (!type)
        oro_problem_add(checker->problems, true, "unknown-type", node->line, node->id,
                        "there is no node type '%.100s'%s", node->type,
                        suggest_type(checker, node->type).text);
    else if (node->version > type->version)
        oro_problem_add(
            checker->problems, true, "newer-type", node->line, node->id,
            "it was written by version %d of '%s', and this program has version %d; a newer program is "
            "needed",
            node->version, type->id, type->version);
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
    const struct oro_node_type *type = source ? checkable_type(checker, source) : NULL;
    if (!type)
        return;
    const struct oro_output *output = oro_type_output(type, link->from_output);
    if (!output)
        oro_problem_add(problems, true, "unknown-output", link->line, node->id,
                        "input '%.100s' is linked to '%.100s.%.100s', but '%s' has no such output%s",
                        link->name, link->from_node, link->from_output, type->id,
                        suggest_output(checker, type, link->from_output).text);
    else if (socket && !oro_input_accepts(socket, output->type))
        oro_problem_add(problems, true, "wrong-type", link->line, node->id,
                        "input '%s' takes %s, but '%.100s.%s' gives %s", socket->name,
                        oro_type_phrase(socket->type), link->from_node, output->name,
                        oro_type_phrase(output->type));
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
    else if (socket && entry->value && !oro_literal_parse(socket, entry->value, NULL, &err))
        oro_problem_add(checker->problems, true, "bad-value", entry->line, node->id, "input '%s': %s",
                        socket->name, err.text);
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

static void check_missing(struct checker *checker, const struct oro_doc_node *node,
                          const struct oro_node_type *type)
{
    for (const struct oro_input *input = type->inputs; input && input->name; input++) {
        if (!oro_input_required(input) || oro_doc_node_input(node, input->name))
            continue;
        const struct oro_doc_port *port = port_into(checker->doc, node->id, input->name);
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
    if (type)
        check_missing(checker, node, type);
}

static void check_port(struct checker *checker, const struct oro_doc_port *port)
{
    if (!*port->node)
        return; /* reported as a matter of form */
    const char *kind = port->is_output ? "output" : "input";
    const struct oro_doc_node *node = oro_document_find(checker->doc, port->node);
    if (!node) {
        oro_problem_add(checker->problems, true, "bad-interface", port->line, NULL,
                        "%s '%.100s' leads to '%.100s.%.100s', but there is no node '%.100s'%s", kind,
                        port->name, port->node, port->socket, port->node,
                        suggest_node(checker, port->node).text);
        return;
    }
    const struct oro_node_type *type = checkable_type(checker, node);
    if (!type || (port->is_output ? (const void *)oro_type_output(type, port->socket)
                                  : (const void *)oro_type_input(type, port->socket)))
        return;
    struct suggestion suggestion = port->is_output ? suggest_output(checker, type, port->socket)
                                                   : suggest_input(checker, type, port->socket);
    oro_problem_add(checker->problems, true, "bad-interface", port->line, NULL,
                    "%s '%.100s' leads to '%.100s.%.100s', but '%s' has no such %s%s", kind, port->name,
                    port->node, port->socket, type->id, kind, suggestion.text);
}

void oro_check(const struct oro_document *doc, const struct oro_registry *registry,
               struct oro_problems *problems)
{
    struct checker checker = {doc, registry, problems, SUGGESTIONS_MAX};
    oro_check_form(doc, problems);
    for (size_t i = 0; i < oro_document_port_count(doc); i++)
        check_port(&checker, oro_document_port(doc, i));
    for (size_t i = 0; i < doc->node_count && !oro_problems_full(problems); i++)
        check_node(&checker, oro_document_node(doc, i));
    oro_check_cycles(doc, problems);
    oro_problems_sort(problems);
}
