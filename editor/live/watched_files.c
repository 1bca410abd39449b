#include <string.h>

#include "editor/live/live_private.h"
#include "graph/derived/paths.h"

static void add_read(struct oro_file_list *watched, const char *path)
{
    oro_file_list_add(watched, path);
    oro_file_list_add_sidecar(watched, path);
}

void ed_watched_plan(struct oro_file_list *watched, const struct oro_plan *plan)
{
    for (size_t i = 0; i < plan->step_count; i++) {
        const struct oro_step *step = &plan->steps[i];
        for (const struct oro_input *input = step->type->inputs; input->name; input++) {
            const char *path = NULL;
            if (input->type != ORO_FILE || input->writes)
                continue;
            memcpy(&path, (const char *)step->params + input->offset, sizeof path);
            if (path && path[0])
                add_read(watched, path);
        }
    }
}

/* A path that is not found, or is no file, is looked for beside the document. */
static void add_named(struct oro_file_list *watched, const char *document, const char *name, bool any)
{
    struct oro_error err;
    char *path = NULL;
    if (!oro_resolve_path(document, name, any, &path, &err))
        path = oro_path_beside(document[0] ? document : NULL, name);
    if (path)
        add_read(watched, path);
    oro_free(path);
}

/* Files of nodes that cannot be planned because a file is missing are watched, too. */
static void add_node(struct oro_file_list *watched, const struct oro_doc_node *node, const char *document,
                     const struct oro_registry *registry, bool any)
{
    const struct oro_node_type *type = oro_registry_find(registry, node->type);
    for (size_t i = 0; type && i < node->input_count; i++) {
        const struct oro_doc_input *entry = &node->inputs[i];
        const struct oro_input *input = oro_type_input(type, entry->name);
        if (input && input->type == ORO_FILE && !input->writes && entry->value && entry->value[0])
            add_named(watched, document, entry->value, any);
    }
}

void ed_watched_document(struct oro_file_list *watched, const struct oro_document *doc,
                         const struct oro_registry *registry, bool allow_any_path)
{
    const char *path = oro_document_path(doc);
    for (size_t i = 0; i < oro_document_node_count(doc); i++)
        add_node(watched, oro_document_node(doc, i), path, registry, allow_any_path);
    for (size_t k = 0; k < oro_document_group_count(doc); k++) {
        const struct oro_document *body = oro_document_group(doc, k)->body;
        for (size_t i = 0; i < oro_document_node_count(body); i++)
            add_node(watched, oro_document_node(body, i), path, registry, allow_any_path);
    }
}
