#include "editor/session/sea.h"

#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "editor/session/inputs.h"
#include "editor/session/world.h"
#include "graph/derived/assets.h"

static bool number_of(const struct oro_doc_input *entry, const struct oro_input *input, double *value)
{
    *value = input->value;
    return !entry || (entry->value && oro_parse_number(entry->value, value));
}

static bool tells(const struct oro_node_type *type, const struct oro_doc_node *node,
                  const struct oro_input *input, double *level)
{
    const struct oro_doc_input *entry = oro_doc_node_input(node, input->name);
    double value;
    if (input->role == ORO_ROLE_SEA) {
        *level = 0;
        return entry && (entry->from_node || (number_of(entry, input, &value) && value > 0.5));
    }
    return input->role == ORO_ROLE_SEA_LEVEL && ed_input_applies(type, node, input) &&
           number_of(entry, input, level);
}

static bool has_sea(const struct oro_registry *registry, const struct oro_document *graph,
                    const struct oro_doc_node *node, double *level)
{
    const struct oro_node_type *type = oro_type_of(registry, graph, node, NULL);
    for (const struct oro_input *input = type ? type->inputs : NULL; input && input->name; input++)
        if (tells(type, node, input, level))
            return true;
    /* What is within a group counts as if it stood in its place. */
    const struct oro_doc_group *group =
        node->href && node->href[0] == '#' ? oro_document_find_group(graph, node->href + 1) : NULL;
    for (size_t i = 0; group && i < oro_document_node_count(group->body); i++) {
        const struct oro_doc_node *inner = oro_document_node(group->body, i);
        if (!inner->href && has_sea(registry, group->body, inner, level))
            return true;
    }
    return false;
}

/* Marks the nodes that a node is made from, and itself, until one has a sea. */
static bool look_upstream(const struct ed_session *session, size_t index, unsigned char *seen, double *level)
{
    const struct oro_document *shown = ed_project_shown(session->project);
    size_t count = oro_document_node_count(shown), waiting = 0;
    size_t *stack = oro_alloc(count, sizeof *stack);
    bool found = false;
    if (!stack)
        return false;
    stack[waiting++] = index;
    seen[index] = 1;
    while (waiting > 0 && !found) {
        const struct oro_doc_node *node = oro_document_node(shown, stack[--waiting]);
        found = has_sea(&session->registry, shown, node, level);
        for (size_t i = 0; i < node->input_count; i++) {
            const char *from = node->inputs[i].from_node;
            size_t source = from ? oro_document_find_index(shown, from) : SIZE_MAX;
            if (source >= count || seen[source])
                continue;
            seen[source] = 1;
            stack[waiting++] = source;
        }
    }
    oro_free(stack);
    return found;
}

bool ed_sea_of(const struct ed_session *session, const char *node, double *level)
{
    const struct oro_document *shown = ed_project_shown(session->project);
    size_t index = oro_document_find_index(shown, node), count = oro_document_node_count(shown);
    unsigned char *seen = index < count ? oro_alloc(count, 1) : NULL;
    const struct oro_world world = ed_world(session);
    bool found = seen && look_upstream(session, index, seen, level);
    oro_free(seen);
    if (seen && world.has_sea)
        *level = world.sea;
    return found || (seen && world.has_sea);
}
