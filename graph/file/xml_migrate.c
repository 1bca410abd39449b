/* Brings older documents and node types up to date while reading. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libxml/tree.h>

#include "graph/derived/assets.h"
#include "graph/file/xml_private.h"

/* Version 1 is the first. */
const struct oro_document_migrations oro_document_migrations = {.current = ORO_DOCUMENT_VERSION};

/* Digits only, since a version is not a measurement. Negative: not a version. */
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
        if (step->from == from && step->old_name && strcmp(step->old_name, name) == 0)
            return step;
    return NULL;
}

/* Whether a node has an input of a later name by hand, which then counts; oro_check finds the other unknown.
 */
static bool is_taken(const struct oro_doc_node *node, const struct oro_node_type *type, int from,
                     const char *name)
{
    return oro_doc_node_input(node, name) && !find_rename(type, from, name);
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
        } else if (step && !is_taken(node, type, from, step->new_name) &&
                   !oro_set_text(&node->inputs[i].name, step->new_name)) {
            return false;
        }
    }
    return true;
}

/* Makes interface inputs follow the input that they lead to, when it is renamed. */
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

/* Inputs whose default means something else now have what nodes of the older version had without saying so.
 */
static bool migrate_values(struct oro_item *item, const struct oro_node_type *type, int from)
{
    for (const struct oro_node_migration *step = type->migrations; step && step->from != 0; step++) {
        if (step->from != from || !step->value || oro_doc_node_input(&item->node, step->new_name))
            continue;
        struct oro_doc_input *entry = oro_item_add_input(item);
        if (!entry || !oro_set_text(&entry->name, step->new_name) ||
            !oro_set_text(&entry->value, step->value))
            return false;
        entry->line = item->node.line;
    }
    return true;
}

static bool migrate_node(struct oro_document *doc, struct oro_item *item, const struct oro_node_type *type,
                         struct oro_problems *problems)
{
    for (int from = item->node.version; from < type->version; from++)
        if (!migrate_inputs(item, type, from, problems) || !migrate_ports(doc, item, type, from) ||
            !migrate_values(item, type, from))
            return false;
    item->node.version = type->version;
    return true;
}

/* A node without a version is of the present one. */
static bool is_older(struct oro_doc_node *node, int version)
{
    if (oro_attributes_have(&node->other, "version"))
        return false;
    if (node->version == 0)
        node->version = version;
    return node->version < version;
}

/* Migrates all nodes from the `first` on that are of its type and version, with one notice. */
static bool migrate_alike(struct oro_document *doc, const struct oro_document *root, size_t first,
                          const struct oro_node_type *type, const struct oro_registry *registry,
                          struct oro_problems *problems)
{
    const struct oro_doc_node *node = &doc->nodes[first]->node;
    int version = node->version, count = 0;
    for (size_t i = first; i < doc->node_count; i++) {
        struct oro_item *item = doc->nodes[i];
        if (item->node.version != version || strcmp(item->node.type, node->type) != 0 ||
            oro_type_of(registry, root, &item->node, NULL) != type ||
            oro_attributes_have(&item->node.other, "version"))
            continue;
        if (!migrate_node(doc, item, type, problems))
            return false;
        count++;
    }
    char others[60] = "";
    if (count > 1)
        snprintf(others, sizeof others, " here and in %d more node%s", count - 1, count > 2 ? "s" : "");
    oro_problem_add(
        problems, false, "migrated", node->line, node->id,
        "'%s' was brought from version %d to version %d%s; results may differ, and 'orograph update' "
        "writes it down",
        type->id, version, type->version, others);
    return true;
}

/* ---- Graphs ---- Inputs and outputs of graphs are found by name, or by an earlier name (`was`), whatever
 * the versions. */

static bool follow(char **name, const struct oro_document *graph, bool is_output,
                   const struct oro_doc_node *node, int line, struct oro_problems *problems)
{
    const char *now = oro_graph_renamed(graph, is_output, *name);
    if (!now || strcmp(now, *name) == 0)
        return true;
    oro_problem_add(problems, false, "migrated", line, node->id,
                    "'%.100s' is called '%.100s' now, and was renamed", *name, now);
    return oro_set_text(name, now);
}

/* Sets `left` if the node has values for inputs that the graph does not have. */
static bool rename_entries(struct oro_doc_node *node, const struct oro_document *graph, bool *left,
                           struct oro_problems *problems)
{
    for (size_t i = 0; i < node->input_count; i++) {
        struct oro_doc_input *entry = &node->inputs[i];
        const char *now = oro_graph_renamed(graph, false, entry->name);
        *left |= !now && !oro_graph_is_standard(entry->name);
        if (now && strcmp(now, entry->name) != 0 && oro_doc_node_input(node, now))
            continue; /* a value under the new name exists, too */
        if (!follow(&entry->name, graph, false, node, entry->line, problems))
            return false;
    }
    return true;
}

static bool rename_links(struct oro_document *doc, const struct oro_doc_node *node,
                         const struct oro_document *graph, struct oro_problems *problems)
{
    for (size_t i = 0; i < oro_document_port_count(doc); i++) {
        struct oro_doc_port *port = &doc->interface->ports.items[i];
        if (strcmp(port->node, node->id) == 0 &&
            !follow(&port->socket, graph, port->is_output, node, port->line, problems))
            return false;
    }
    return true;
}

static bool migrate_graph(struct oro_document *doc, const struct oro_document *root, struct oro_item *item,
                          const struct oro_registry *registry, struct oro_problems *problems)
{
    struct oro_doc_node *node = &item->node;
    struct oro_graph graph;
    bool left = false;
    if (!oro_graph_find(registry, root, node, &graph, NULL))
        return true; /* oro_check reports it */
    if (!rename_entries(node, graph.doc, &left, problems) || !rename_links(doc, node, graph.doc, problems))
        return false;
    int version = oro_document_interface_version(graph.doc);
    if (!is_older(node, version) || left) /* oro_check reports what is left */
        return true;
    oro_problem_add(problems, false, "migrated", node->line, node->id,
                    "'%s' was brought from version %d to version %d; its results may differ", node->href,
                    node->version, version);
    node->version = version;
    return true;
}

/* Makes links follow outputs of graphs that have been renamed. */
static bool migrate_sources(struct oro_document *doc, const struct oro_document *root, struct oro_item *item,
                            const struct oro_registry *registry, struct oro_problems *problems)
{
    struct oro_doc_node *node = &item->node;
    for (size_t i = 0; i < node->input_count; i++) {
        struct oro_doc_input *entry = &node->inputs[i];
        const struct oro_doc_node *from = entry->from_node ? oro_document_find(doc, entry->from_node) : NULL;
        struct oro_graph graph;
        if (from && oro_node_is_graph(from) && oro_graph_find(registry, root, from, &graph, NULL) &&
            !follow(&entry->from_output, graph.doc, true, node, entry->line, problems))
            return false;
    }
    return true;
}

static bool migrate_body(struct oro_document *doc, const struct oro_document *root,
                         const struct oro_registry *registry, struct oro_problems *problems)
{
    for (size_t i = 0; i < doc->node_count; i++) {
        struct oro_item *item = doc->nodes[i];
        bool graph = oro_node_is_graph(&item->node);
        const struct oro_node_type *type = graph ? NULL : oro_type_of(registry, root, &item->node, NULL);
        bool ok = graph ? migrate_graph(doc, root, item, registry, problems)
                        : !type || !is_older(&item->node, type->version) ||
                              migrate_alike(doc, root, i, type, registry, problems);
        if (!ok || !migrate_sources(doc, root, item, registry, problems))
            return false;
    }
    return true;
}

bool oro_migrate_types(struct oro_document *doc, const struct oro_registry *registry,
                       struct oro_problems *problems)
{
    bool ok = true;
    for (size_t i = 0; i < doc->group_count && ok; i++)
        ok = migrate_body(doc->groups[i]->group.body, doc, registry, problems);
    ok = ok && migrate_body(doc, doc, registry, problems);
    doc->revision += doc->group_count > 0; /* types derived from the groups meanwhile are out of date */
    return ok;
}
