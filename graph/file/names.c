/* Where a type has only one of `terrain` and `field`, people who write by hand may use the other. */
#include <string.h>

#include "graph/derived/assets.h"
#include "graph/document/document_private.h"
#include "graph/file/load.h"

/* NULL also for graphs: while one is read, those that use it have no type yet. */
static const struct oro_node_type *plain_type(const struct oro_document *root,
                                              const struct oro_doc_node *node,
                                              const struct oro_registry *registry)
{
    return node && !oro_node_is_graph(node) ? oro_type_of(registry, root, node, NULL) : NULL;
}

static bool settle(char **name, const char *meant)
{
    return strcmp(*name, meant) == 0 || oro_set_text(name, meant);
}

/* A value under the name that the type has counts, and then the other is unknown. */
static bool settle_inputs(struct oro_document *doc, const struct oro_document *root,
                          struct oro_doc_node *node, const struct oro_registry *registry)
{
    const struct oro_node_type *type = plain_type(root, node, registry);
    for (size_t i = 0; i < node->input_count; i++) {
        struct oro_doc_input *entry = &node->inputs[i];
        const struct oro_input *meant = type ? oro_type_input_meant(type, entry->name) : NULL;
        const struct oro_doc_node *from = entry->from_node ? oro_document_find(doc, entry->from_node) : NULL;
        const struct oro_node_type *gives = plain_type(root, from, registry);
        const struct oro_output *output = gives ? oro_type_output_meant(gives, entry->from_output) : NULL;
        if (meant && !oro_doc_node_input(node, meant->name) && !settle(&entry->name, meant->name))
            return false;
        if (output && !settle(&entry->from_output, output->name))
            return false;
    }
    return true;
}

static bool settle_ports(struct oro_document *doc, const struct oro_document *root,
                         const struct oro_registry *registry)
{
    for (size_t i = 0; i < oro_document_port_count(doc); i++) {
        struct oro_doc_port *port = &doc->interface->ports.items[i];
        const struct oro_doc_node *node = oro_document_find(doc, port->node);
        const struct oro_node_type *type = plain_type(root, node, registry);
        const struct oro_output *output =
            type && port->is_output ? oro_type_output_meant(type, port->socket) : NULL;
        const struct oro_input *input =
            type && !port->is_output ? oro_type_input_meant(type, port->socket) : NULL;
        if ((output && !settle(&port->socket, output->name)) ||
            (input && !settle(&port->socket, input->name)))
            return false;
    }
    return true;
}

static bool settle_body(struct oro_document *doc, const struct oro_document *root,
                        const struct oro_registry *registry)
{
    for (size_t i = 0; i < doc->node_count; i++)
        if (!settle_inputs(doc, root, &doc->nodes[i]->node, registry))
            return false;
    return settle_ports(doc, root, registry);
}

void oro_settle_names(struct oro_document *doc, const struct oro_registry *registry,
                      struct oro_problems *problems)
{
    bool ok = settle_body(doc, doc, registry);
    for (size_t i = 0; ok && i < doc->group_count; i++)
        ok = settle_body(doc->groups[i]->group.body, doc, registry);
    doc->revision += doc->group_count > 0; /* types derived from the groups meanwhile are out of date */
    if (!ok)
        oro_problem_add(problems, true, "memory", 0, NULL, "no memory to read the document");
}
