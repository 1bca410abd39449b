/* Nodes may move to another place only if they find the same scripts there. */
#include "base/hash.h"
#include "graph/derived/scripts.h"
#include "graph/reuse/reuse_private.h"

/* Whether the node finds the same script. One that is already missing or broken here cannot be lost there. */
static bool stays(const struct oro_doc_node *node, const char *from, const char *to,
                  const struct oro_registry *registry, struct oro_error *err)
{
    const struct oro_node_type *here = oro_type_at(registry, from, node, NULL);
    const struct oro_node_type *there = here ? oro_type_at(registry, to, node, NULL) : NULL;
    if (here == there || (there && oro_hash_equal(here->source, there->source)))
        return true;
    if (oro_node_is_inline(node))
        return oro_edit_refuse(
            err, node->id, "its script requires modules that are not found, or differ, from '%.200s'", to);
    return oro_edit_refuse(
        err, node->id,
        "its script, '%.200s', is not what '%.100s' is from '%.200s'; put it beside that, or into a "
        "folder of OROGRAPH_PATH",
        here->file ? here->file : "", node->type, to);
}

bool oro_reuse_scripts_stay(const struct oro_document *body, const char *from, const char *to,
                            const struct oro_registry *registry, struct oro_error *err)
{
    bool ok = true;
    for (size_t i = 0; ok && i < oro_document_node_count(body); i++)
        if (!oro_node_is_graph(oro_document_node(body, i)))
            ok = stays(oro_document_node(body, i), from, to, registry, err);
    for (size_t i = 0; ok && i < oro_document_group_count(body); i++)
        ok = oro_reuse_scripts_stay(oro_document_group(body, i)->body, from, to, registry, err);
    return ok;
}
