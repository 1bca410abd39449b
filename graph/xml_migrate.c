/* Bringing older documents and node types up to date while reading. */
#include <stdlib.h>
#include <string.h>

#include <libxml/tree.h>

#include "graph/xml_private.h"

/* Version 1 is the first. */
const struct oro_document_migrations oro_document_migrations = {.current = ORO_DOCUMENT_VERSION};

/* Digits only: a version is no measurement. Negative: not a version. */
static int parse_version(const char *text)
{
    size_t length = strlen(text);
    /* NOLINTNEXTLINE(cert-err34-c): nothing else is left that could go wrong */
    return length > 0 && length < 9 && strspn(text, "0123456789") == length ? atoi(text) : -1;
}

static const struct oro_document_migration *find_step(const struct oro_document_migrations *migrations,
                                                      int from)
{
    for (size_t i = 0; i < migrations->count; i++)
        if (migrations->steps[i].from == from)
            return &migrations->steps[i];
    return NULL;
}

static bool migrate_from(struct _xmlNode *root, int version, const struct oro_document_migrations *migrations,
                         struct oro_problems *problems)
{
    for (int at = version; at < migrations->current; at++) {
        const struct oro_document_migration *step = find_step(migrations, at);
        if (!step) {
            oro_problem_add(problems, true, "old-version", oro_xml_line(root), NULL,
                            "the document has version %d, which this program no longer reads", version);
            return false;
        }
        if (!step->apply(root, problems)) {
            oro_problem_add(problems, true, "memory", 0, NULL, "no memory to read the document");
            return false;
        }
    }
    if (version < migrations->current)
        oro_problem_add(problems, false, "migrated", oro_xml_line(root), NULL,
                        "the document was brought from version %d to version %d", version,
                        migrations->current);
    return true;
}

bool oro_migrate_tree(struct _xmlNode *root, const struct oro_document_migrations *migrations,
                      struct oro_problems *problems)
{
    int line = oro_xml_line(root);
    xmlChar *text = xmlGetNoNsProp(root, (const xmlChar *)"version");
    if (!text) {
        oro_problem_add(problems, true, "no-version", line, NULL,
                        "the root element needs version=\"%d\"; the document is read as if it had it",
                        migrations->current);
        return true;
    }
    int version = parse_version((const char *)text);
    if (version < 0)
        oro_problem_add(problems, true, "bad-version", line, NULL, "'%.60s' is not a version of the format",
                        (const char *)text);
    else if (version > migrations->current)
        oro_problem_add(
            problems, true, "newer-version", line, NULL,
            "the document has version %d, and this program reads versions up to %d; a newer program is "
            "needed",
            version, migrations->current);
    xmlFree(text);
    return version >= 0 && version <= migrations->current &&
           migrate_from(root, version, migrations, problems);
}

/* ---- Node types ---- */

static const struct oro_node_migration *find_rename(const struct oro_node_type *type, int from,
                                                    const char *name)
{
    for (const struct oro_node_migration *step = type->migrations; step && step->from != 0; step++)
        if (step->from == from && strcmp(step->old_name, name) == 0)
            return step;
    return NULL;
}

static bool migrate_inputs(struct oro_item *item, const struct oro_node_type *type, int from,
                           struct oro_problems *problems)
{
    struct oro_doc_node *node = &item->node;
    for (size_t i = node->input_count; i-- > 0;) {
        const struct oro_node_migration *step = find_rename(type, from, node->inputs[i].name);
        if (step && !step->new_name) {
            oro_problem_add(problems, false, "dropped-input", node->inputs[i].line, node->id,
                            "input '%s' no longer exists in version %d of '%s' and was dropped",
                            step->old_name, from + 1, type->id);
            oro_item_remove_input(item, i);
        } else if (step && !oro_set_text(&node->inputs[i].name, step->new_name)) {
            return false;
        }
    }
    return true;
}

/* Interface inputs that lead to a renamed input follow it. */
static bool migrate_ports(struct oro_document *doc, const struct oro_item *item,
                          const struct oro_node_type *type, int from)
{
    for (size_t i = 0; i < oro_document_port_count(doc); i++) {
        struct oro_doc_port *port = &doc->interface->ports.items[i];
        if (port->is_output || oro_document_item(doc, port->node) != item)
            continue;
        const struct oro_node_migration *step = find_rename(type, from, port->socket);
        if (step && step->new_name && !oro_set_text(&port->socket, step->new_name))
            return false;
    }
    return true;
}

bool oro_migrate_types(struct oro_document *doc, const struct oro_registry *registry,
                       struct oro_problems *problems)
{
    for (size_t i = 0; i < doc->node_count; i++) {
        struct oro_item *item = doc->nodes[i];
        struct oro_doc_node *node = &item->node;
        const struct oro_node_type *type = oro_registry_find(registry, node->type);
        if (!type || node->version >= type->version || oro_attributes_have(&node->other, "version"))
            continue;
        for (int from = node->version; from < type->version; from++)
            if (!migrate_inputs(item, type, from, problems) || !migrate_ports(doc, item, type, from))
                return false;
        oro_problem_add(problems, false, "migrated", node->line, node->id,
                        "'%s' was brought from version %d to version %d; its results may differ", type->id,
                        node->version, type->version);
        node->version = type->version;
    }
    return true;
}
