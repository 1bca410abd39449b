/* Documents that show what a file makes. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "editor/live/samples_private.h"
#include "graph/derived/assets.h"
#include "graph/file/load.h"

static bool no_memory(struct oro_error *err)
{
    return oro_fail(err, ORO_E_MEMORY, "no memory for a sample");
}

/* ---- What is to be seen */

static bool can_be_seen(enum oro_type type)
{
    return oro_is_raster(type) || type == ORO_UPLIFT || type == ORO_NETWORK || type == ORO_ANY;
}

static bool see(struct ed_sample_target *target, const struct oro_doc_node *node, const char *output)
{
    snprintf(target->node, sizeof target->node, "%s", node->id);
    snprintf(target->output, sizeof target->output, "%s", output);
    return true;
}

static bool find_target(const struct oro_document *doc, const struct oro_registry *registry,
                        struct ed_sample_target *target)
{
    for (size_t i = 0; i < oro_document_port_count(doc); i++) {
        const struct oro_doc_port *port = oro_document_port(doc, i);
        const struct oro_doc_node *node = port->is_output ? oro_document_find(doc, port->node) : NULL;
        if (node)
            return see(target, node, port->socket);
    }
    for (size_t i = oro_document_node_count(doc); i-- > 0;) {
        const struct oro_doc_node *node = oro_document_node(doc, i);
        const struct oro_node_type *type = oro_type_of(registry, doc, node, NULL);
        for (const struct oro_output *out = type ? type->outputs : NULL; out && out->name; out++)
            if (can_be_seen(out->type))
                return see(target, node, out->name);
    }
    return false;
}

/* ---- What must be linked */

static const char *source_of(const struct oro_input *input, const char **output)
{
    bool ground = oro_input_accepts(input, ORO_FIELD);
    *output = ground ? "field" : "uplift";
    return ground ? "noise" : oro_input_accepts(input, ORO_UPLIFT) ? "uplift_disc" : NULL;
}

static bool link_input(struct oro_document *doc, const char *node, const struct oro_input *input,
                       const struct oro_registry *registry, struct oro_error *err)
{
    const char *output, *source = source_of(input, &output);
    const struct oro_node_type *type = source ? oro_registry_find(registry, source) : NULL;
    char id[64];
    if (!type) /* evaluation will say what is missing */
        return true;
    snprintf(id, sizeof id, "sample_%s", source);
    return (oro_document_find(doc, id) || oro_edit_add_node(doc, id, source, type->version, 0, 0, err)) &&
           oro_edit_connect(doc, node, input->name, id, type->outputs[0].name, err);
}

static bool link_node(struct oro_document *doc, const char *id, const struct oro_registry *registry,
                      struct oro_error *err)
{
    const struct oro_node_type *type = oro_type_of(registry, doc, oro_document_find(doc, id), NULL);
    bool ok = true;
    for (const struct oro_input *input = type ? type->inputs : NULL; ok && input && input->name; input++) {
        const struct oro_doc_node *node = oro_document_find(doc, id);
        if (!oro_doc_node_input(node, input->name) && !oro_input_has_default(input))
            ok = link_input(doc, id, input, registry, err);
    }
    return ok;
}

static bool link_all(struct oro_document *doc, const struct oro_registry *registry, struct oro_error *err)
{
    bool ok = true;
    for (size_t i = 0, count = oro_document_node_count(doc); ok && i < count; i++) {
        char id[128];
        snprintf(id, sizeof id, "%s", oro_document_node(doc, i)->id);
        ok = strncmp(id, "sample_", 7) == 0 || link_node(doc, id, registry, err);
    }
    return ok;
}

/* ---- From files */

static struct oro_document *of_graph(const char *path, const struct oro_registry *registry,
                                     struct oro_error *err)
{
    struct oro_problems problems = {0};
    struct oro_document *doc = oro_document_load(path, registry, &problems);
    const char *why = "it is no graph";
    for (size_t i = problems.count; i-- > 0;)
        why = problems.items[i].error ? problems.items[i].text : why;
    if (!doc || oro_problems_fatal(&problems) > 0) {
        oro_fail(err, ORO_E_DOCUMENT, "%.280s", why);
        oro_document_destroy(doc);
        doc = NULL;
    }
    oro_problems_free(&problems);
    return doc;
}

/* A document beside the script, with one node of its type. */
static struct oro_document *of_script(const char *path, const struct oro_registry *registry,
                                      struct oro_error *err)
{
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    char id[128];
    snprintf(id, sizeof id, "%.*s", (int)(strlen(file) - strlen(".lua")), file);
    const struct oro_node_type *type = oro_type_named(registry, path, id, err);
    if (!type)
        return NULL;
    struct oro_document *doc = oro_document_create();
    if (doc && oro_document_set_path(doc, path) &&
        oro_edit_add_node(doc, "shown", id, type->version, 0, 0, err))
        return doc;
    no_memory(err);
    oro_document_destroy(doc);
    return NULL;
}

struct oro_document *ed_sample_document(const char *path, const struct oro_registry *registry,
                                        struct ed_sample_target *target, struct oro_error *err)
{
    struct oro_document *doc =
        ed_sample_is_script(path) ? of_script(path, registry, err) : of_graph(path, registry, err);
    if (!doc)
        return NULL;
    bool ok = find_target(doc, registry, target) ||
              oro_fail(err, ORO_E_EVALUATE, "there is nothing to be seen of it");
    if (ok && link_all(doc, registry, err))
        return doc;
    oro_document_destroy(doc);
    return NULL;
}
