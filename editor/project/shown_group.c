/* The nodes that were entered, from the root to the group that is shown. */
#include <string.h>

#include "base/memory.h"
#include "editor/project/project_private.h"

const struct oro_doc_group *ed_group_of(const struct oro_document *root, const struct oro_doc_node *node)
{
    bool is_group = node && oro_node_is_graph(node) && node->href && node->href[0] == '#';
    return is_group ? oro_document_find_group(root, node->href + 1) : NULL;
}

/* The group that the first parts of the way lead to, as far as they exist, and the document that it is of. */
static const struct oro_doc_group *follow(const struct ed_project *project, size_t *levels,
                                          struct oro_document **root)
{
    const struct oro_doc_group *group = NULL;
    size_t level = 0;
    *root = project->root;
    for (; level < project->depth; level++) {
        const struct ed_entered *part = &project->entered[level];
        const struct oro_doc_node *node = oro_document_find(group ? group->body : *root, part->node);
        const struct oro_doc_group *next = part->file ? NULL : ed_group_of(*root, node);
        bool same_file = part->file && node && node->href && strcmp(node->href, part->href) == 0;
        if (!next && !same_file)
            break;
        if (part->file)
            *root = part->file->doc;
        group = next;
    }
    *levels = level;
    return group;
}

const struct oro_doc_group *ed_shown_group(const struct ed_project *project)
{
    size_t levels;
    struct oro_document *root;
    return follow(project, &levels, &root);
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
    return group ? group->body : project->shown_root;
}

void ed_entered_check(struct ed_project *project)
{
    size_t levels;
    struct oro_document *root;
    follow(project, &levels, &root);
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
    return level < project->depth ? project->entered[level].node : NULL;
}

static void free_part(struct ed_entered *part)
{
    oro_free(part->node);
    oro_free(part->href);
    *part = (struct ed_entered){0};
}

bool ed_project_enter(struct ed_project *project, const char *node, struct oro_error *err)
{
    const struct oro_doc_node *found = oro_document_find(ed_project_shown(project), node);
    if (project->edit.open)
        return oro_fail(err, ORO_E_USAGE, "an edit is still open");
    if (!found)
        return oro_fail(err, ORO_E_USAGE, "there is no node '%.100s'", node);
    if (project->depth == ORO_GRAPH_DEPTH_MAX)
        return oro_fail(err, ORO_E_LIMIT, "graphs lie at most %d deep", ORO_GRAPH_DEPTH_MAX);
    struct ed_entered part = {0};
    bool is_group = ed_group_of(project->shown_root, found);
    if (!is_group && !(part.file = ed_opened_by(project, found, err)))
        return false;
    part.node = oro_copy_text(node);
    part.href = oro_copy_text(found->href);
    if (!part.node || !part.href) {
        free_part(&part);
        return oro_fail(err, ORO_E_MEMORY, "no memory to enter a graph");
    }
    project->entered[project->depth++] = part;
    if (part.file)
        project->shown_root = part.file->doc;
    return true;
}

void ed_project_leave(struct ed_project *project, size_t level)
{
    while (project->depth > level)
        free_part(&project->entered[--project->depth]);
    project->shown_root = project->root;
    for (size_t i = 0; i < project->depth; i++)
        if (project->entered[i].file)
            project->shown_root = project->entered[i].file->doc;
}
