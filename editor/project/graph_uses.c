/* Which graph nodes use: files become groups, groups used several times become several, and files that have
 * moved are found again. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "editor/project/operations_private.h"
#include "graph/reuse/reuse.h"

/* The graph node of the shown graph, with a copy of its href, which the caller frees; NULL: `err`. */
static char *href_of(const struct ed_project *project, const char *node, struct oro_error *err)
{
    const struct oro_doc_node *found = oro_document_find(ed_project_shown(project), node);
    char *href = found && oro_node_is_graph(found) && found->href ? oro_copy_text(found->href) : NULL;
    if (!href)
        oro_fail(err, ORO_E_USAGE, "'%.100s' is no graph", node);
    return href;
}

/* A free name for a group like the graph's own; the caller frees. */
static char *name_for(const struct ed_project *project, const char *href)
{
    const char *slash = strrchr(href, '/'), *file = href[0] == '#' ? href + 1 : slash ? slash + 1 : href;
    char stem[64], id[ED_ID_SIZE];
    snprintf(stem, sizeof stem, "%.*s", (int)strcspn(file, "."), file);
    ed_clean_id(stem, id);
    return ed_free_group(project->shown_root, NULL, id);
}

bool ed_embed(struct ed_project *project, const char *node, struct oro_error *err)
{
    char *href = href_of(project, node, err), *name = href ? name_for(project, href) : NULL;
    bool ok = name || (href && ed_no_memory(err));
    if (ok && href[0] == '#')
        ok = oro_fail(err, ORO_E_USAGE, "'%.100s' is a group of the document already", node);
    struct oro_document *root = ok ? ed_edit_begin_root(project, "Embed graph", err) : NULL;
    ok = root && ed_edit_end(project, oro_reuse_embed(root, href, name, project->registry, err), err);
    oro_free(href);
    oro_free(name);
    return ok;
}

bool ed_locate(struct ed_project *project, const char *from, const char *to, struct oro_error *err)
{
    struct oro_graph graph;
    const struct oro_doc_node node = {.id = (char *)"", .type = (char *)ORO_GRAPH_TYPE, .href = (char *)to};
    if (!oro_graph_find(project->registry, project->shown_root, &node, &graph, err))
        return false;
    int version = oro_document_interface_version(graph.doc);
    struct oro_document *root = ed_edit_begin_root(project, "Locate graph", err);
    return root && ed_edit_end(project, oro_reuse_redirect(root, from, to, version, err), err);
}

/* ---- A graph of its own ---- */

/* `whole` has the node, and groups. */
static bool own_group(struct oro_document *whole, const char *node, const char *href, const char *name,
                      struct oro_error *err)
{
    char own[160];
    const struct oro_doc_group *group = oro_document_find_group(whole, href + 1);
    struct oro_document *body = group ? oro_document_clone(group->body) : NULL;
    snprintf(own, sizeof own, "#%s", name);
    bool ok = group ? body || ed_no_memory(err)
                    : oro_fail(err, ORO_E_FILE, "there is no group '%.100s' in the document", href + 1);
    ok = ok && oro_edit_group(whole, name, body, err) &&
         oro_edit_href(whole, node, own, oro_document_interface_version(body), err);
    oro_document_destroy(body);
    return ok;
}

static bool own_file(const struct ed_project *project, struct oro_document *whole, const char *node,
                     const char *href, const char *name, struct oro_error *err)
{
    char own[160];
    snprintf(own, sizeof own, "#%s", name);
    return oro_reuse_bring(whole, href, name, project->registry, err) &&
           oro_edit_href(whole, node, own, oro_document_find(whole, node)->version, err);
}

bool ed_make_unique(struct ed_project *project, const char *node, struct oro_error *err)
{
    char *href = href_of(project, node, err), *name = href ? name_for(project, href) : NULL;
    bool ok = name || (href && ed_no_memory(err));
    if (!ok || !ed_edit_begin(project, "Make graph unique", err)) {
        oro_free(href);
        oro_free(name);
        return false;
    }
    struct oro_document *whole = ed_whole_begin(project, err);
    ok = whole && (href[0] == '#' ? own_group(whole, node, href, name, err)
                                  : own_file(project, whole, node, href, name, err));
    ok = whole && ed_whole_end(project, whole, ok, err);
    ok = ed_edit_end(project, ok, err);
    oro_free(href);
    oro_free(name);
    return ok;
}
