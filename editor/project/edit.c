/* Edits of the root, and of groups. A group is edited as a copy. */
#include <string.h>

#include "base/memory.h"
#include "editor/project/opened.h"
#include "editor/project/project_private.h"

/* ---- Begin and end ---- */

static bool begin(struct ed_project *project, const char *name, struct oro_error *err)
{
    const char *file = ed_project_shown_file(project), *slash = file ? strrchr(file, '/') : NULL;
    if (project->edit.open)
        return oro_fail(err, ORO_E_USAGE, "an edit is still open");
    if (ed_project_shown_fixed(project)) {
        project->opened.refused = true;
        return oro_fail(err, ORO_E_USAGE, "'%.200s' is read-only", slash ? slash + 1 : file);
    }
    if (!oro_edit_begin(project->shown_root, name, err))
        return false;
    project->edit.open = true;
    project->edit.root_revision = oro_document_revision(project->shown_root);
    return true;
}

/* Forgets the copy of a group. */
static void close_edit(struct ed_project *project)
{
    oro_document_destroy(project->edit.body);
    oro_free(project->edit.group);
    memset(&project->edit, 0, sizeof project->edit);
}

static bool copy_group(struct ed_project *project, const struct oro_doc_group *group)
{
    struct oro_document *body = oro_document_clone(group->body);
    project->edit.group = oro_copy_text(group->name);
    project->edit.body = body;
    project->edit.body_revision = body ? oro_document_revision(body) : 0;
    return body && project->edit.group;
}

struct oro_document *ed_edit_begin(struct ed_project *project, const char *name, struct oro_error *err)
{
    const struct oro_doc_group *group = ed_shown_group(project);
    if (!begin(project, name, err))
        return NULL;
    if (!group)
        return project->shown_root;
    if (copy_group(project, group))
        return project->edit.body;
    oro_edit_cancel(project->shown_root, NULL);
    close_edit(project);
    oro_fail(err, ORO_E_MEMORY, "no memory to edit a group");
    return NULL;
}

struct oro_document *ed_edit_begin_root(struct ed_project *project, const char *name, struct oro_error *err)
{
    return begin(project, name, err) ? project->shown_root : NULL;
}

/* Replaces the group by the copy, unless nothing was changed. */
static bool put_group_back(struct ed_project *project, struct oro_error *err)
{
    const struct oro_document *body = project->edit.body;
    if (!body || oro_document_revision(body) == project->edit.body_revision)
        return true;
    const char *name = project->edit.group;
    bool was_endless = ed_group_holds_itself(project->shown_root, name);
    if (!ed_group_replace(project->shown_root, name, body, err))
        return false;
    return was_endless || !ed_group_holds_itself(project->shown_root, name) ||
           oro_fail(err, ORO_E_USAGE, "the group '%.100s' cannot hold itself", name);
}

bool ed_edit_end(struct ed_project *project, bool ok, struct oro_error *err)
{
    if (!project->edit.open)
        return ok ? oro_fail(err, ORO_E_USAGE, "no edit has begun") : false;
    ok = ok && put_group_back(project, err);
    if (!ok) {
        oro_edit_cancel(project->shown_root, NULL);
        close_edit(project);
        ed_entered_check(project);
        return false;
    }
    struct oro_document *root = project->shown_root;
    bool changed = oro_document_revision(root) != project->edit.root_revision;
    oro_edit_end(root, NULL);
    close_edit(project);
    const char *name = NULL;
    if (changed && oro_document_can_undo(root, &name))
        ed_history_edited(&project->history, root, name);
    ed_entered_check(project);
    return true;
}

/* ---- Edits that need the root's groups ---- */

struct oro_document *ed_whole_begin(struct ed_project *project, struct oro_error *err)
{
    if (!project->edit.body)
        return project->shown_root;
    struct oro_document *whole = oro_document_clone(project->edit.body);
    bool ok = whole;
    for (size_t i = 0; i < oro_document_group_count(project->shown_root) && ok; i++) {
        const struct oro_doc_group *group = oro_document_group(project->shown_root, i);
        ok = oro_edit_group(whole, group->name, group->body, err);
    }
    if (!ok) {
        oro_document_destroy(whole);
        oro_fail(err, ORO_E_MEMORY, "no memory to edit a group");
        return NULL;
    }
    return whole;
}

/* Moves groups that only the copy has to the root. */
static bool take_groups(struct ed_project *project, struct oro_document *whole, struct oro_error *err)
{
    while (oro_document_group_count(whole) > 0) {
        const struct oro_doc_group *group = oro_document_group(whole, 0);
        char *name = oro_copy_text(group->name);
        bool is_new = !oro_document_find_group(project->shown_root, group->name);
        bool ok = name ? (!is_new || oro_edit_group(project->shown_root, group->name, group->body, err)) &&
                             oro_edit_remove_group(whole, name, err)
                       : oro_fail(err, ORO_E_MEMORY, "no memory to edit a group");
        oro_free(name);
        if (!ok)
            return false;
    }
    return true;
}

bool ed_whole_end(struct ed_project *project, struct oro_document *whole, bool ok, struct oro_error *err)
{
    if (whole == project->shown_root)
        return ok;
    ok = ok && take_groups(project, whole, err);
    if (!ok) {
        oro_document_destroy(whole);
        return false;
    }
    oro_document_destroy(project->edit.body);
    project->edit.body = whole;
    project->edit.body_revision = UINT64_MAX;
    return true;
}
