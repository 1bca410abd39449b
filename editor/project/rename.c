/* Names of nodes and groups. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "editor/project/operations_private.h"

bool ed_rename(struct ed_project *project, const char *node, const char *id, struct oro_error *err)
{
    char name[160], own[128];
    snprintf(name, sizeof name, "Rename %.128s", node);
    snprintf(own, sizeof own, "%s", node);
    struct oro_document *doc = ed_edit_begin(project, name, err);
    return doc && ed_edit_end(project, oro_edit_rename_node(doc, own, id, err), err);
}

/* ---- Groups ---- */

struct renaming {
    struct oro_document *root;
    const char *from, *to; /* names of the group */
    const char *title;     /* that it gets; "": none */
    const char *shown;     /* group that is shown; NULL: the root is */
    const char *node, *id; /* node of the shown graph, and its new id */
};

static bool uses(const struct oro_doc_node *node, const char *group)
{
    return oro_node_is_graph(node) && node->href && node->href[0] == '#' && !strcmp(node->href + 1, group);
}

static bool change_graph(const struct renaming *renaming, struct oro_document *doc, bool shown,
                         struct oro_error *err)
{
    char href[128];
    snprintf(href, sizeof href, "#%s", renaming->to);
    for (size_t i = 0; strcmp(renaming->from, renaming->to) != 0 && i < oro_document_node_count(doc); i++) {
        const struct oro_doc_node *node = oro_document_node(doc, i);
        if (uses(node, renaming->from) && !oro_edit_href(doc, node->id, href, node->version, err))
            return false;
    }
    return !shown || !strcmp(renaming->node, renaming->id) ||
           oro_edit_rename_node(doc, renaming->node, renaming->id, err);
}

/* Each group is changed as a copy that replaces it; the renamed group is replaced under its new name. */
static bool change_group(const struct renaming *renaming, const char *name, struct oro_error *err)
{
    const struct oro_doc_group *group = oro_document_find_group(renaming->root, name);
    struct oro_document *body = group ? oro_document_clone(group->body) : NULL;
    if (!body)
        return ed_no_memory(err);
    bool own = !strcmp(name, renaming->from), shown = renaming->shown && !strcmp(name, renaming->shown);
    uint64_t before = oro_document_revision(body);
    bool ok =
        change_graph(renaming, body, shown, err) && (!own || oro_edit_title(body, renaming->title, err));
    bool renamed = own && strcmp(renaming->from, renaming->to) != 0;
    if (ok && (renamed || oro_document_revision(body) != before))
        ok = oro_edit_group(renaming->root, own ? renaming->to : name, body, err);
    if (ok && renamed)
        ok = oro_edit_remove_group(renaming->root, renaming->from, err);
    oro_document_destroy(body);
    return ok;
}

static bool rename_group(const struct renaming *renaming, struct oro_error *err)
{
    struct ed_names groups = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < oro_document_group_count(renaming->root); i++)
        ok = ed_names_add(&groups, oro_document_group(renaming->root, i)->name) || ed_no_memory(err);
    ok = ok && change_graph(renaming, renaming->root, !renaming->shown, err);
    for (size_t i = 0; ok && i < groups.count; i++)
        ok = change_group(renaming, groups.items[i], err);
    ed_names_free(&groups);
    return ok;
}

/* A node "rock" or "rock2" was named after the group "rock", and is renamed with it. */
static bool named_after(const char *id, const char *group)
{
    size_t length = strlen(group);
    return !strncmp(id, group, length) && strspn(id + length, "0123456789") == strlen(id + length);
}

/* Whether an id says as much as a title: they differ only by '_' in place of spaces. */
static bool is_said_by(const char *title, const char *id)
{
    for (; *title && (*title == *id || (*title == ' ' && *id == '_')); title++)
        id++;
    return !*title && !*id;
}

bool ed_rename_group(struct ed_project *project, const char *node, const char *title, char id[128],
                     struct oro_error *err)
{
    const struct oro_document *shown = ed_project_shown(project);
    const struct oro_doc_group *group = ed_group_of(project->shown_root, oro_document_find(shown, node)),
                               *around = ed_shown_group(project);
    char stem[ED_ID_SIZE], step[160], own[128];
    if (!group)
        return oro_fail(err, ORO_E_USAGE, "'%.100s' is no group of this document", node);
    ed_clean_id(title, stem);
    snprintf(own, sizeof own, "%s", node);
    snprintf(step, sizeof step, "Rename %.128s", own);
    bool follows = named_after(own, group->name) && strcmp(own, stem) != 0;
    char *from = oro_copy_text(group->name), *within = around ? oro_copy_text(around->name) : NULL;
    char *to =
        from && !strcmp(from, stem) ? oro_copy_text(stem) : ed_free_group(project->shown_root, NULL, stem);
    char *new_id = follows ? ed_free_id(shown, stem) : oro_copy_text(own);
    bool ok = from && to && new_id && (!around || within);
    if (!ok)
        ed_no_memory(err);
    struct renaming renaming = {.root = ok ? ed_edit_begin_root(project, step, err) : NULL,
                                .from = from,
                                .to = to,
                                .title = ok && is_said_by(title, to) ? "" : title,
                                .shown = within,
                                .node = own,
                                .id = new_id};
    ok = renaming.root && ed_edit_end(project, rename_group(&renaming, err), err);
    if (ok && id)
        snprintf(id, 128, "%s", new_id);
    oro_free(from);
    oro_free(within);
    oro_free(to);
    oro_free(new_id);
    return ok;
}
