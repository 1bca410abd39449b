/* Inputs and outputs of nodes in the interface of the graph that is shown. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "editor/project/operations_private.h"

static bool leads_to(const struct oro_doc_port *port, bool is_output, const struct ed_end *end)
{
    return port->is_output == is_output && strcmp(port->node, end->node) == 0 &&
           strcmp(port->socket, end->socket) == 0;
}

static size_t find(const struct oro_document *doc, bool is_output, const struct ed_end *end)
{
    size_t i = 0, count = oro_document_port_count(doc);
    while (i < count && !leads_to(oro_document_port(doc, i), is_output, end))
        i++;
    return i;
}

static bool is_taken(const struct oro_document *doc, bool is_output, const char *name)
{
    if (!is_output && oro_graph_is_standard(name))
        return true;
    for (size_t i = 0; i < oro_document_port_count(doc); i++) {
        const struct oro_doc_port *port = oro_document_port(doc, i);
        if (port->is_output == is_output && strcmp(port->name, name) == 0)
            return true;
    }
    return false;
}

/* A free name for the entry: the socket's; if that is taken, with the node's in front; then with a number. */
static void free_name(const struct oro_document *doc, bool is_output, const struct ed_end *end,
                      char name[128])
{
    snprintf(name, 128, "%.100s", end->socket);
    if (!is_taken(doc, is_output, name))
        return;
    snprintf(name, 128, "%.45s_%.45s", end->node, end->socket);
    for (int i = 2; is_taken(doc, is_output, name); i++)
        snprintf(name, 128, "%.45s_%.40s%d", end->node, end->socket, i);
}

static bool add(struct oro_document *doc, bool is_output, const struct ed_end *end, const char *label,
                struct oro_error *err)
{
    char name[128];
    if (find(doc, is_output, end) < oro_document_port_count(doc))
        return true;
    free_name(doc, is_output, end, name);
    const struct oro_doc_port port = {
        .is_output = is_output,
        .name = name,
        .node = (char *)end->node,
        .socket = (char *)end->socket,
        .texts = {[ORO_PORT_LABEL] = (char *)label},
    };
    return oro_edit_add_port(doc, &port, err);
}

/* The first entry of a name describes the input. If it is removed, the next entry of that name gets its
 * texts. */
static bool hand_on(struct oro_document *doc, size_t index, struct oro_error *err)
{
    const struct oro_doc_port *gone = oro_document_port(doc, index);
    size_t count = oro_document_port_count(doc), next = count;
    for (size_t i = count; i-- > 0;) {
        const struct oro_doc_port *port = oro_document_port(doc, i);
        if (port->is_output != gone->is_output || strcmp(port->name, gone->name) != 0)
            continue;
        if (i < index)
            return true;
        if (i > index)
            next = i;
    }
    if (next == count)
        return true;
    struct oro_doc_port port = *oro_document_port(doc, next);
    memcpy(port.texts, gone->texts, sizeof port.texts);
    return oro_edit_port(doc, next, &port, err);
}

static bool take_out(struct oro_document *doc, bool is_output, const struct ed_end *end,
                     struct oro_error *err)
{
    size_t index = find(doc, is_output, end);
    return index == oro_document_port_count(doc) ||
           (hand_on(doc, index, err) && oro_edit_drop_port(doc, index, err));
}

static bool need_socket(const struct ed_project *project, const struct oro_document *doc, bool is_output,
                        const struct ed_end *end, const char **label, struct oro_error *err)
{
    const struct oro_doc_node *node = oro_document_find(doc, end->node);
    const struct oro_node_type *type = ed_node_type(project, node);
    const struct oro_input *input = type && !is_output ? oro_type_input(type, end->socket) : NULL;
    if (!node)
        return oro_fail(err, ORO_E_USAGE, "there is no node '%.100s'", end->node);
    if (is_output ? !type || !oro_type_output(type, end->socket) : !input)
        return oro_fail(err, ORO_E_USAGE, "'%.100s' has no %s '%.100s'", end->node,
                        is_output ? "output" : "input", end->socket);
    *label = input ? input->label : NULL;
    return true;
}

static bool expose(struct ed_project *project, bool is_output, const struct ed_end *given, bool on,
                   struct oro_error *err)
{
    struct ed_end_text text = {0};
    const struct ed_end end = ed_keep_end(&text, given);
    char name[300];
    snprintf(name, sizeof name, "%s %.100s.%.100s", on ? "Expose" : "Hide", end.node, end.socket);
    struct oro_document *doc = ed_edit_begin(project, name, err);
    if (!doc)
        return false;
    const char *label = NULL;
    bool ok = on ? need_socket(project, doc, is_output, &end, &label, err) : true;
    char *own = ok && label ? oro_copy_text(label) : NULL; /* an edit may free the type */
    ok = ok && (on ? add(doc, is_output, &end, own, err) : take_out(doc, is_output, &end, err));
    oro_free(own);
    return ed_edit_end(project, ok, err);
}

bool ed_expose(struct ed_project *project, const char *node, const char *input, bool on,
               struct oro_error *err)
{
    return expose(project, false, &(struct ed_end){node, input}, on, err);
}

bool ed_expose_output(struct ed_project *project, const char *node, const char *output, bool on,
                      struct oro_error *err)
{
    return expose(project, true, &(struct ed_end){node, output}, on, err);
}

bool ed_is_exposed(const struct ed_project *project, const char *node, const char *input)
{
    const struct oro_document *doc = ed_project_shown(project);
    return find(doc, false, &(struct ed_end){node, input}) < oro_document_port_count(doc);
}

bool ed_is_output_exposed(const struct ed_project *project, const char *node, const char *output)
{
    const struct oro_document *doc = ed_project_shown(project);
    return find(doc, true, &(struct ed_end){node, output}) < oro_document_port_count(doc);
}
