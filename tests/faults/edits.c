/* The editor's project: opened, changed in many ways, undone, done again, saved; a version kept; recovery
 * copies. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "editor/project/operations.h"
#include "editor/project/safety.h"
#include "editor/project/working.h"
#include "formats/format.h"
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

/* ---- A layer that was painted, saved with the document that names it ---- */

static char *make_work_folder(void *user, struct oro_error *err)
{
    (void)user;
    return oro_make_folders("work", err) ? oro_path_true("work") : NULL;
}

static bool paint(struct ed_project *p, struct oro_error *err)
{
    float heights[64];
    for (int i = 0; i < 64; i++)
        heights[i] = (float)i;
    struct oro_heightfield field = {.width = 8, .height = 8, .data = heights, .cell = 10, .metres = true};
    ed_working_in(ed_project_workings(p), make_work_folder, NULL);
    const char *file = ed_working_place(ed_project_workings(p), "out/layer.pfm", err);
    return file && oro_heightfield_write(file, &field, NULL, err) &&
           ed_working_wrote(ed_project_workings(p), "out/layer.pfm", err) &&
           ed_add_node(p, "noise", NULL, 0, 0, NULL, NULL, NULL, err);
}

static bool paint_and_save(struct ed_project *p, struct oro_error *err)
{
    struct oro_problems problems = {0};
    bool ok = ed_project_open(p, "out/painted.oro", &problems, err) && paint(p, err) &&
              ed_project_save(p, NULL, false, err);
    oro_problems_free(&problems);
    return ok;
}

/* ---- Recovery copies ---- */

static const char recovery[] = "out/recovery";

/* How many nodes the newest copy has that a program left which no longer runs. */
static bool newest_copy(size_t *nodes, struct oro_error *err)
{
    struct ed_recoveries found;
    struct oro_arena *arena = oro_arena_create();
    bool ok = arena ? ed_recoveries_list(recovery, arena, &found, err)
                    : oro_fail(err, ORO_E_MEMORY, "no memory for recovery copies");
    *nodes = ok && found.count ? found.items[0].nodes : 0;
    oro_arena_destroy(arena);
    return ok;
}

/* A session with a copy, which ends as a program does that crashes. */
static bool leave_copy(struct ed_project *p, struct oro_error *err)
{
    struct oro_problems problems = {0};
    size_t nodes = 0;
    struct ed_safety *safety = ed_safety_create(recovery, err);
    bool ok = safety && ed_project_open(p, "out/graph.oro", &problems, err) &&
              ed_add_node(p, "noise", NULL, 0, 0, NULL, NULL, NULL, err);
    if (ok)
        ed_safety_now(safety, p);
    ed_safety_destroy(safety, !ok);
    oro_problems_free(&problems);
    if (!ok || !newest_copy(&nodes, err))
        return false;
    if (nodes != oro_document_node_count(ed_project_root(p)))
        return oro_fail(err, ORO_E_WRITE, "the recovery copy was not written");
    printf("kept\n");
    return fflush(stdout) == 0;
}

static bool take_first(struct ed_safety *safety, struct ed_project *p, struct oro_error *err)
{
    struct oro_problems problems = {0};
    struct ed_recoveries found;
    struct oro_arena *arena = oro_arena_create();
    bool ok = arena && ed_recoveries_list(recovery, arena, &found, err);
    ok = ok && (found.count > 0 || oro_fail(err, ORO_E_FILE, "there is no recovery copy")) &&
         ed_recovery_take(safety, &found.items[0], p, &problems, err);
    if (!arena)
        oro_fail(err, ORO_E_MEMORY, "no memory for recovery copies");
    oro_problems_free(&problems);
    oro_arena_destroy(arena);
    return ok;
}

/* The next session takes it over, and writes another before it ends on purpose. */
static bool take_copy(struct ed_project *p, struct oro_error *err)
{
    struct ed_safety *safety = ed_safety_create(recovery, err);
    bool ok =
        safety && take_first(safety, p, err) && ed_add_node(p, "noise", NULL, 0, 0, NULL, NULL, NULL, err);
    if (ok)
        ed_safety_now(safety, p);
    if (ok)
        printf("clearing\n");
    fflush(stdout);
    ed_safety_destroy(safety, true);
    return ok;
}

static bool leave_and_take(struct ed_project *p, struct oro_error *err)
{
    return leave_copy(p, err) && take_copy(p, err);
}

/* ---- Projects ---- */

static int with_project(bool (*work)(struct ed_project *p, struct oro_error *err))
{
    struct oro_error err = {0};
    struct oro_registry registry;
    if (!oro_registry_open(&registry, &oro_builtin_nodes, false, NULL, &err))
        return faults_fail(&err);
    struct ed_project *project = ed_project_create(&registry, &err);
    bool ok = project && work(project, &err);
    ed_project_destroy(project);
    oro_registry_close(&registry);
    return ok ? 0 : faults_fail(&err);
}

int faults_edit(void)
{
    return with_project(work_on);
}

int faults_paint(void)
{
    return with_project(paint_and_save);
}

int faults_recovery(void)
{
    return with_project(leave_and_take);
}

/* ---- After a fault ---- */

static bool discard_all(struct ed_project *p, struct oro_error *err)
{
    bool ok = true;
    for (size_t nodes = 1; ok && newest_copy(&nodes, err) && nodes;) {
        struct ed_safety *safety = ed_safety_create(recovery, err);
        ok = safety && take_first(safety, p, err);
        if (ok && oro_document_node_count(ed_project_root(p)) != nodes)
            ok = oro_fail(err, ORO_E_DOCUMENT, "the copy lacks nodes");
        ed_safety_destroy(safety, true);
    }
    return ok;
}

bool faults_recovered(const char *printed)
{
    size_t nodes = 0;
    struct oro_error err = {0};
    bool must = strstr(printed, "kept") && !strstr(printed, "clearing");
    if (!newest_copy(&nodes, &err) || (must && !nodes)) {
        fprintf(stderr, "there is no copy: %s\n", err.text);
        return false;
    }
    return with_project(discard_all) == 0;
}
