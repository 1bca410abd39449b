/* Brings older documents and node types up to date while reading. */
#include <math.h>
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

static bool migrate_inputs(struct oro_item *item, const struct oro_node_type *type, int from,
                           struct oro_problems *problems)
{
    struct oro_doc_node *node = &item->node;
    for (size_t i = node->input_count; i-- > 0;) {
        const struct oro_node_migration *step = find_rename(type, from, node->inputs[i].name);
        if (step && !step->new_name) {
            if (!step->compose || !node->inputs[i].value)
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

static struct oro_doc_input *entry_of(struct oro_item *item, const char *name)
{
    for (size_t i = 0; i < item->node.input_count; i++)
        if (strcmp(item->node.inputs[i].name, name) == 0)
            return &item->node.inputs[i];
    return NULL;
}

static struct oro_doc_input *added_entry(struct oro_item *item, const char *name, const char *value)
{
    struct oro_doc_input *entry = oro_item_add_input(item);
    bool ok = entry && oro_set_text(&entry->name, name) && oro_set_text(&entry->value, value);
    if (ok)
        entry->line = item->node.line;
    return ok ? entry : NULL;
}

/* What stands in an entry, and whether it is a number; `standard` stands for no entry. NULL: neither a number
 * nor an expression, which oro_check reports. */
static const char *factor(const struct oro_doc_input *entry, const char *standard, double *number,
                          bool *is_number)
{
    const char *text = entry ? entry->value : standard;
    *is_number = text && oro_parse_number(text, number);
    return *is_number ? text : entry ? entry->expr : NULL;
}

/* Gives an entry the product of its value and the unit that it was counted in: a number, unless one of the
 * two is an expression. */
static bool multiply(struct oro_doc_input *entry, const struct oro_doc_input *unit,
                     const struct oro_node_migration *step)
{
    char standard[ORO_NUMBER_SIZE], product[ORO_NUMBER_SIZE];
    bool numbers[2];
    double count, side;
    oro_format_number(step->counted_in.standard, standard);
    const char *factors[2] = {factor(entry, NULL, &count, &numbers[0]),
                              factor(unit, standard, &side, &numbers[1])};
    if (!factors[0] || !factors[1])
        return true;
    if (numbers[0] && numbers[1]) {
        oro_format_number(count * pow(side, step->counted_in.power), product);
        return oro_set_text(&entry->value, product);
    }
    struct oro_text text = {0};
    oro_text_addf(&text, "(%s) * (%s)^%d", factors[0], factors[1], step->counted_in.power);
    bool ok = !text.failed && oro_set_text(&entry->value, NULL) && oro_set_text(&entry->expr, text.data);
    oro_text_free(&text);
    return ok;
}

/* An interface input that leads to an input with another unit now cannot follow: its values are given
 * elsewhere. */
static void warn_of_ports(const struct oro_document *doc, const struct oro_item *item, const char *input,
                          struct oro_problems *problems)
{
    for (size_t i = 0; i < oro_document_port_count(doc); i++) {
        const struct oro_doc_port *port = &doc->interface->ports.items[i];
        if (!port->is_output && oro_document_item(doc, port->node) == item &&
            strcmp(port->socket, input) == 0)
            oro_problem_add(problems, false, "migrated", port->line, item->node.id,
                            "'%.100s' leads to '%s', which counts in another unit now; values that are given "
                            "for it are not converted",
                            port->name, input);
    }
}

/* What nodes of the older version had without saying so, and what they counted otherwise. */
static bool migrate_values(struct oro_document *doc, struct oro_item *item, const struct oro_node_type *type,
                           int from, struct oro_problems *problems)
{
    for (const struct oro_node_migration *step = type->migrations; step && step->from != 0; step++) {
        if (step->from != from || !step->value)
            continue;
        struct oro_doc_input *entry = entry_of(item, step->new_name);
        if (!entry && !(entry = added_entry(item, step->new_name, step->value)))
            return false;
        if (!step->counted_in.input)
            continue;
        warn_of_ports(doc, item, step->new_name, problems);
        if (!multiply(entry, oro_doc_node_input(&item->node, step->counted_in.input), step))
            return false;
    }
    return true;
}

static const char *old_value(const void *node, const char *input)
{
    const struct oro_doc_input *entry = oro_doc_node_input(node, input);
    return entry ? entry->value : NULL;
}

/* Values that are made of several others, which are still there. */
static bool compose_values(struct oro_item *item, const struct oro_node_type *type, int from)
{
    for (const struct oro_node_migration *step = type->migrations; step && step->from != 0; step++) {
        if (step->from != from || !step->compose || step->old_name)
            continue;
        struct oro_text text = {0};
        bool ok =
            step->compose(old_value, &item->node, &text) && added_entry(item, step->new_name, text.data);
        oro_text_free(&text);
        if (!ok)
            return false;
    }
    return true;
}

static bool migrate_node(struct oro_document *doc, struct oro_item *item, const struct oro_node_type *type,
                         struct oro_problems *problems)
{
    struct oro_doc_node *node = &item->node;
    if (!type || node->version >= type->version || oro_attributes_have(&node->other, "version"))
        return true;
    for (int from = node->version; from < type->version; from++)
        if (!compose_values(item, type, from) || !migrate_inputs(item, type, from, problems) ||
            !migrate_ports(doc, item, type, from) || !migrate_values(doc, item, type, from, problems))
            return false;
    oro_problem_add(problems, false, "migrated", node->line, node->id,
                    "'%s' was brought from version %d to version %d; its results may differ", type->id,
                    node->version, type->version);
    node->version = type->version;
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
    if (node->version >= version || oro_attributes_have(&node->other, "version"))
        return true;
    if (left) { /* their values are kept for the version that has these inputs */
        oro_problem_add(
            problems, false, "dropped-input", node->line, node->id,
            "version %d of '%s' lacks inputs that it has values for; they are kept, without effect", version,
            node->href);
        return true;
    }
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
                        : migrate_node(doc, item, type, problems);
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
