/* Removing, moving and renaming nodes. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "editor/project/operations_private.h"

/* ---- Healing ---- */

/* The first input that carries what the node is about; without one, the first that takes links. */
static const struct oro_input *main_input(const struct oro_node_type *type)
{
    const struct oro_input *first = NULL;
    for (const struct oro_input *in = type->inputs; in && in->name; in++) {
        if (!oro_input_linkable(in))
            continue;
        if (in->type != ORO_FLOAT)
            return in;
        if (!first)
            first = in;
    }
    return first;
}

/* What is linked to the node's first input. */
static bool find_source(const struct ed_project *project, const struct oro_document *doc, const char *id,
                        struct ed_end_text *text, struct ed_end *source)
{
    const struct oro_doc_node *node = oro_document_find(doc, id);
    const struct oro_node_type *type = ed_node_type(project, node);
    const struct oro_input *in = type ? main_input(type) : NULL;
    const struct oro_doc_input *entry = in ? oro_doc_node_input(node, in->name) : NULL;
    if (!entry || !entry->from_node)
        return false;
    *source = ed_keep_end(text, &(struct ed_end){entry->from_node, entry->from_output});
    return true;
}

/* Links everything that took an output of `id` to `source` instead; links that do not fit are left to be cut.
 */
static bool heal_node(const struct ed_project *project, struct oro_document *doc, const char *id,
                      const struct ed_end *source, struct oro_error *err)
{
    for (size_t i = 0; i < oro_document_node_count(doc); i++) {
        for (size_t k = 0; k < oro_document_node(doc, i)->input_count; k++) {
            const struct oro_doc_node *node = oro_document_node(doc, i);
            if (!node->inputs[k].from_node || strcmp(node->inputs[k].from_node, id) != 0)
                continue;
            struct ed_end_text text = {0};
            const struct ed_end to = ed_keep_end(&text, &(struct ed_end){node->id, node->inputs[k].name});
            struct oro_error why = {0};
            if (ed_connect(project, doc, source, &to, &why) || why.code != ORO_E_MEMORY)
                continue;
            if (err)
                *err = why;
            return false;
        }
    }
    return true;
}

static bool retarget_port(struct oro_document *doc, size_t index, const struct ed_end *source,
                          struct oro_error *err)
{
    struct oro_doc_port port = *oro_document_port(doc, index);
    port.node = (char *)source->node;
    port.socket = (char *)source->socket;
    return oro_edit_port(doc, index, &port, err);
}

/* Entries of the interface that were outputs of `id` come from `source` if that has the same type. */
static bool heal_interface(const struct ed_project *project, struct oro_document *doc, const char *id,
                           const struct ed_end *source, struct oro_error *err)
{
    for (size_t i = 0; i < oro_document_port_count(doc);) {
        const struct oro_doc_port *port = oro_document_port(doc, i);
        bool fits =
            port->is_output && strcmp(port->node, id) == 0 &&
            ed_gives(project, doc, &(struct ed_end){id, port->socket}) == ed_gives(project, doc, source);
        if (!fits)
            i++;
        else if (!retarget_port(doc, i, source, err))
            return false;
    }
    return true;
}

static bool remove_one(const struct ed_project *project, struct oro_document *doc, const char *id, bool heal,
                       struct oro_error *err)
{
    struct ed_end_text text = {0};
    struct ed_end source;
    bool ok = !heal || !find_source(project, doc, id, &text, &source) ||
              (heal_node(project, doc, id, &source, err) && heal_interface(project, doc, id, &source, err));
    return ok && oro_edit_remove_node(doc, id, err);
}

bool ed_delete(struct ed_project *project, const struct ed_names *nodes, bool heal, struct oro_error *err)
{
    char name[160];
    if (nodes->count == 1)
        snprintf(name, sizeof name, "Delete %.128s", nodes->items[0]);
    else
        snprintf(name, sizeof name, "Delete %zu nodes", nodes->count);
    struct oro_document *doc = ed_edit_begin(project, name, err);
    bool ok = doc;
    for (size_t i = 0; i < nodes->count && ok; i++)
        ok = remove_one(project, doc, nodes->items[i], heal, err);
    return doc && ed_edit_end(project, ok, err);
}

/* ---- Places ---- */

bool ed_move(struct ed_project *project, const struct ed_names *nodes, double dx, double dy,
             struct oro_error *err)
{
    struct oro_document *doc = ed_edit_begin(project, "Move", err);
    bool ok = doc;
    for (size_t i = 0; i < nodes->count && ok; i++) {
        const struct oro_doc_node *node = oro_document_find(doc, nodes->items[i]);
        ok = oro_edit_move(doc, nodes->items[i], node ? node->x + dx : 0, node ? node->y + dy : 0, err);
    }
    return doc && ed_edit_end(project, ok, err);
}
