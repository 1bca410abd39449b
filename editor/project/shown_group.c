/* The nodes that were entered, from the root to the group that is shown. */
#include <string.h>

#include "base/memory.h"
#include "editor/project/project_private.h"

const struct oro_doc_group *ed_group_of(const struct oro_document *root, const struct oro_doc_node *node)
{
    bool is_group = node && oro_node_is_graph(node) && node->href && node->href[0] == '#';
    return is_group ? oro_document_find_group(root, node->href + 1) : NULL;
}

/* The group that the first parts of the way lead to, as far as they exist. */
static const struct oro_doc_group *follow(const struct ed_project *project, size_t *levels)
{
    const struct oro_doc_group *group = NULL;
    size_t level = 0;
    for (; level < project->depth; level++) {
        const struct oro_document *graph = group ? group->body : project->root;
        const struct oro_doc_group *next =
            ed_group_of(project->root, oro_document_find(graph, project->entered[level]));
        if (!next)
            break;
        group = next;
    }
    *levels = level;
    return group;
}

const struct oro_doc_group *ed_shown_group(const struct ed_project *project)
{
    size_t levels;
    return follow(project, &levels);
}

const char *ed_project_shown_group(const struct ed_project *project)
{
    const struct oro_doc_group *group = ed_shown_group(project);
    return group ? group->name : "";
}

const struct oro_document *ed_project_shown(const struct ed_project *project)
{
    if (project->edit.body)
        return project->edit.body;
    const struct oro_doc_group *group = ed_shown_group(project);
    return group ? group->body : project->root;
}

void ed_entered_check(struct ed_project *project)
{
    size_t levels;
    follow(project, &levels);
    ed_project_leave(project, levels);
}

void ed_entered_clear(struct ed_project *project)
{
    ed_project_leave(project, 0);
}

size_t ed_project_depth(const struct ed_project *project)
{
    return project->depth;
}

const char *ed_project_entered(const struct ed_project *project, size_t level)
{
    return level < project->depth ? project->entered[level] : NULL;
}

bool ed_project_enter(struct ed_project *project, const char *node, struct oro_error *err)
{
    const struct oro_doc_node *found = oro_document_find(ed_project_shown(project), node);
    if (project->edit.open)
        return oro_fail(err, ORO_E_USAGE, "an edit is still open");
    if (!found)
        return oro_fail(err, ORO_E_USAGE, "there is no node '%.100s'", node);
    if (!ed_group_of(project->root, found))
        return oro_fail(err, ORO_E_USAGE, "'%.100s' is no group of this document", node);
    if (project->depth == ORO_GRAPH_DEPTH_MAX)
        return oro_fail(err, ORO_E_LIMIT, "groups lie at most %d deep", ORO_GRAPH_DEPTH_MAX);
    char *part = oro_copy_text(node);
    if (!part)
        return oro_fail(err, ORO_E_MEMORY, "no memory to enter a group");
    project->entered[project->depth++] = part;
    return true;
}

void ed_project_leave(struct ed_project *project, size_t level)
{
    while (project->depth > level) {
        oro_free(project->entered[--project->depth]);
        project->entered[project->depth] = NULL;
    }
}
