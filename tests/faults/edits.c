/* The editor's project: opened, changed in many ways, undone, done again, saved; a version kept; recovery
 * copies. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "editor/project/operations.h"
#include "editor/project/safety.h"
#include "graph/file/xml.h"
#include "lua/types/registry.h"
#include "tests/faults/work.h"

static char *text_of(const struct ed_project *project, struct oro_error *err)
{
    char *text = NULL;
    return oro_document_format(ed_project_root(project), ed_project_registry(project), &text, NULL, err)
               ? text
               : NULL;
}

static bool edit(struct ed_project *p, struct ed_names *names, struct oro_error *err)
{
    char id[128];
    const struct ed_end from = {"eroded", "terrain"};
    return ed_add_node(p, "slope", NULL, 300, 0, &from, NULL, NULL, err) &&
           ed_add_node(p, "blur", NULL, 400, 0, &(struct ed_end){"slope", "field"}, NULL, NULL, err) &&
           ed_rename(p, "slope", "steep", err) &&
           (ed_names_add(names, "steep") || oro_fail(err, ORO_E_MEMORY, "no memory for names")) &&
           ed_duplicate(p, names, 50, 50, NULL, err) && ed_move(p, names, 10, 10, err) &&
           ed_group(p, names, "steepness", id, err) && ed_expose_output(p, "blur", "field", true, err) &&
           ed_delete(p, &(struct ed_names){(char *[]){(char *)"mask"}, 1, 1}, true, err);
}

/* Undoing must lead back to the text from the beginning, however far the edits went. */
static bool undo_all(struct ed_project *p, const char *before, struct oro_error *err)
{
    while (ed_project_undo_name(p))
        if (!ed_project_undo(p, err))
            return false;
    char *text = text_of(p, err);
    bool same = text && strcmp(text, before) == 0;
    if (text && !same)
        faults_broken("undone, and not as before");
    oro_free(text);
    return same;
}

static bool redo_all(struct ed_project *p, struct oro_error *err)
{
    while (ed_project_redo_name(p))
        if (!ed_project_redo(p, err))
            return false;
    return true;
}

static bool work_on(struct ed_project *p, struct oro_error *err)
{
    struct oro_problems problems = {0};
    struct ed_names names = {0};
    bool ok = ed_project_open(p, "out/graph.oro", &problems, err);
    char *before = ok ? text_of(p, err) : NULL;
    ok = before && edit(p, &names, err) && undo_all(p, before, err) && redo_all(p, err) &&
         ed_project_save(p, NULL, false, err);
    if (!ok && before) {
        struct oro_error again = {0};
        undo_all(p, before, &again);
    }
    oro_free(before);
    ed_names_free(&names);
    oro_problems_free(&problems);
    return ok;
}

int faults_edit(void)
{
    struct oro_error err = {0};
    struct oro_registry registry;
    if (!oro_registry_open(&registry, &oro_builtin_nodes, false, NULL, &err))
        return faults_fail(&err);
    struct ed_project *project = ed_project_create(&registry, &err);
    bool ok = project && work_on(project, &err);
    ed_project_destroy(project);
    oro_registry_close(&registry);
    return ok ? 0 : faults_fail(&err);
}

/* ---- Recovery copies, taken after a program that was killed ---- */

static bool keep_copy(struct ed_project *p, struct ed_safety *safety, struct oro_error *err)
{
    struct oro_problems problems = {0};
    bool ok = ed_project_open(p, "out/graph.oro", &problems, err) &&
              ed_add_node(p, "noise", NULL, 0, 0, NULL, NULL, NULL, err);
    if (ok)
        ed_safety_now(safety, p);
    oro_problems_free(&problems);
    return ok;
}

int faults_recovery(void)
{
    struct oro_error err = {0};
    struct oro_registry registry;
    if (!oro_registry_open(&registry, &oro_builtin_nodes, false, NULL, &err))
        return faults_fail(&err);
    struct ed_project *project = ed_project_create(&registry, &err);
    struct ed_safety *safety = project ? ed_safety_create("out/recovery", &err) : NULL;
    bool ok = safety && keep_copy(project, safety, &err);
    if (safety)
        ed_safety_destroy(safety, true);
    ed_project_destroy(project);
    oro_registry_close(&registry);
    return ok ? 0 : faults_fail(&err);
}
