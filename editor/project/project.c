/* What a project holds, and its history. */
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "editor/project/project_private.h"

const struct oro_registry *ed_project_registry(const struct ed_project *project)
{
    return project->registry;
}

const struct oro_document *ed_project_root(const struct ed_project *project)
{
    return project->shown_root;
}

const struct oro_document *ed_project_main(const struct ed_project *project)
{
    return project->root;
}

uint64_t ed_project_revision(const struct ed_project *project)
{
    uint64_t revision = project->revision_base + oro_document_revision(project->root);
    for (size_t i = 0; i < project->opened.count; i++)
        revision += oro_document_revision(project->opened.items[i]->doc);
    return revision;
}

const char *ed_project_path(const struct ed_project *project)
{
    return project->path;
}

struct ed_workings *ed_project_workings(struct ed_project *project)
{
    return &project->working;
}

void ed_project_types_changed(struct ed_project *project)
{
    project->revision_base++;
}

bool ed_project_changed(const struct ed_project *project)
{
    return ed_history_state(&project->history) != project->saved;
}

/* ---- History ---- */

void ed_gesture_begin(struct ed_project *project, const char *name)
{
    ed_gesture_end(project);
    project->history.gesture = true;
    project->history.gesture_name = oro_copy_text(name); /* if memory is out, its edits' own names are used */
}

void ed_gesture_end(struct ed_project *project)
{
    struct ed_history *history = &project->history;
    history->gesture = false;
    history->gesture_steps = 0;
    oro_free(history->gesture_name);
    history->gesture_name = NULL;
}

void ed_gesture_cancel(struct ed_project *project)
{
    struct ed_history *history = &project->history;
    bool did = history->gesture && history->gesture_steps > 0;
    ed_gesture_end(project);
    if (did && ed_project_undo(project, NULL))
        ed_history_forget_undone(history);
}

bool ed_project_did(struct ed_project *project, const struct ed_foreign_step *step, struct oro_error *err)
{
    bool ok = ed_history_add(&project->history, step, err);
    if (!ok)
        project->saved = UINT64_MAX; /* it was done all the same */
    return ok;
}

const char *ed_project_undo_name(const struct ed_project *project)
{
    return ed_history_name(&project->history, true);
}

const char *ed_project_redo_name(const struct ed_project *project)
{
    return ed_history_name(&project->history, false);
}

static void pass_path_on(struct oro_document *doc)
{
    char *path = oro_document_group_count(doc) > 0 ? oro_copy_text(oro_document_path(doc)) : NULL;
    if (path)
        oro_document_set_path(doc, path);
    oro_free(path);
}

void ed_after_step(struct ed_project *project)
{
    pass_path_on(project->root);
    for (size_t i = 0; i < project->opened.count; i++)
        pass_path_on(project->opened.items[i]->doc);
    ed_entered_check(project);
}

bool ed_project_undo(struct ed_project *project, struct oro_error *err)
{
    if (project->edit.open)
        return oro_fail(err, ORO_E_USAGE, "an edit is still open");
    ed_gesture_end(project);
    bool ok = ed_history_undo(&project->history, err);
    ed_after_step(project);
    return ok;
}

bool ed_project_redo(struct ed_project *project, struct oro_error *err)
{
    if (project->edit.open)
        return oro_fail(err, ORO_E_USAGE, "an edit is still open");
    ed_gesture_end(project);
    bool ok = ed_history_redo(&project->history, err);
    ed_after_step(project);
    return ok;
}

size_t ed_project_steps(const struct ed_project *project, size_t *done)
{
    return ed_history_count(&project->history, done);
}

const char *ed_project_step_name(const struct ed_project *project, size_t step)
{
    return ed_history_step_name(&project->history, step);
}

bool ed_project_go_to_step(struct ed_project *project, size_t wanted, struct oro_error *err)
{
    size_t done, count = ed_project_steps(project, &done);
    for (; done > wanted; done--)
        if (!ed_project_undo(project, err))
            return false;
    for (; done < wanted && done < count; done++)
        if (!ed_project_redo(project, err))
            return false;
    return true;
}
