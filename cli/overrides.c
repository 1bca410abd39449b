/* --set NODE.INPUT=VALUE */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/graph.h"
#include "graph/literal.h"

/* Cuts "NODE.INPUT=VALUE" into its parts, in place. */
static bool split(char *text, struct oro_override *override)
{
    char *equals = strchr(text, '=');
    if (!equals)
        return false;
    *equals = '\0';
    char *dot = strchr(text, '.');
    if (!dot)
        return false;
    *dot = '\0';
    *override = (struct oro_override){.node = text, .input = dot + 1, .value = equals + 1};
    return oro_is_identifier(override->node) && oro_is_identifier(override->input);
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
    size_t count = oro_type_input_count(type);
    const char **names = oro_alloc(count + 1, sizeof *names);
    for (size_t i = 0; names && i < count; i++)
        names[i] = type->inputs[i].name;
    const char *near = names ? oro_suggest(name, names, count) : NULL;
    oro_free(names);
    if (near)
        return oro_fail(err, ORO_E_DOCUMENT,
                        "--set %.200s: nodes of type '%s' have no input '%s'; did you mean '%s'?", item,
                        type->id, name, near);
    return oro_fail(err, ORO_E_DOCUMENT,
                    "--set %.200s: nodes of type '%s' have no input '%s'; see 'orograph nodes %s'", item,
                    type->id, name, type->id);
}

/* A file named on the command line is meant from the working folder, not from the document's. */
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

static bool read_override(struct cli_graph *graph, const char *item, struct oro_override *override,
                          struct oro_error *err)
{
    char *copy = oro_arena_text(graph->arena, item);
    if (!copy)
        return oro_fail(err, ORO_E_MEMORY, "no memory for the command line");
    if (!split(copy, override))
        return oro_fail(err, ORO_E_USAGE,
                        "--set takes NODE.INPUT=VALUE, such as --set dem.high=4200, not '%.200s'", item);
    const struct oro_doc_node *node = oro_document_find(graph->doc, override->node);
    if (!node)
        return unknown_node(graph->doc, item, override->node, err);
    const struct oro_node_type *type = oro_registry_find(&oro_builtin_nodes, node->type);
    if (!type)
        return oro_fail(err, ORO_E_DOCUMENT, "--set %.200s: this program does not know nodes of type '%s'",
                        item, node->type);
    const struct oro_input *input = oro_type_input(type, override->input);
    if (!input)
        return unknown_input(type, item, override->input, err);
    return check_value(graph, item, input, override, err);
}

bool cli_read_overrides(struct cli_graph *graph, const struct cli_list *set, struct oro_error *err)
{
    if (set->count == 0)
        return true;
    graph->overrides = oro_arena_alloc(graph->arena, set->count, sizeof *graph->overrides);
    if (!graph->overrides)
        return oro_fail(err, ORO_E_MEMORY, "no memory for the command line");
    for (size_t i = 0; i < set->count; i++) {
        if (!read_override(graph, set->items[i], &graph->overrides[i], err))
            return false;
        graph->override_count++;
    }
    return true;
}
