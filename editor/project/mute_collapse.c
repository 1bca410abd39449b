/* Muting and collapsing: sets the flag of all named nodes, or clears it if all have it already. */
#include "editor/project/operations_private.h"

struct flag {
    const char *on, *off; /* names of the step */
    bool (*is_set)(const struct oro_doc_node *node);
    bool (*set)(struct oro_document *doc, const char *node, bool on, struct oro_error *err);
};

static bool is_muted(const struct oro_doc_node *node)
{
    return node->mute;
}

static bool is_collapsed(const struct oro_doc_node *node)
{
    return node->collapsed;
}

static bool toggle(struct ed_project *project, const struct ed_names *nodes, const struct flag *flag,
                   struct oro_error *err)
{
    const struct oro_document *shown = ed_project_shown(project);
    bool on = false;
    for (size_t i = 0; i < nodes->count && !on; i++) {
        const struct oro_doc_node *node = oro_document_find(shown, nodes->items[i]);
        on = node && !flag->is_set(node);
    }
    struct oro_document *doc = ed_edit_begin(project, on ? flag->on : flag->off, err);
    bool ok = doc;
    for (size_t i = 0; i < nodes->count && ok; i++)
        ok = flag->set(doc, nodes->items[i], on, err);
    return doc && ed_edit_end(project, ok, err);
}

bool ed_mute(struct ed_project *project, const struct ed_names *nodes, struct oro_error *err)
{
    static const struct flag mute = {"Mute", "Unmute", is_muted, oro_edit_mute};
    return toggle(project, nodes, &mute, err);
}

bool ed_collapse(struct ed_project *project, const struct ed_names *nodes, struct oro_error *err)
{
    static const struct flag collapse = {"Collapse", "Expand", is_collapsed, oro_edit_collapse};
    return toggle(project, nodes, &collapse, err);
}
