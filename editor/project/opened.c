#include "editor/project/opened.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "editor/project/become.h"
#include "editor/project/operations_private.h"
#include "editor/project/project_private.h"
#include "graph/derived/paths.h"
#include "graph/file/load.h"

/* ---- What is shown ---- */

const char *ed_project_entered_file(const struct ed_project *project, size_t level)
{
    const struct ed_opened *file = level < project->depth ? project->entered[level].file : NULL;
    return file ? file->place : NULL;
}

struct ed_opened *ed_opened_shown(const struct ed_project *project)
{
    struct ed_opened *shown = NULL;
    for (size_t i = 0; i < project->depth; i++)
        if (project->entered[i].file)
            shown = project->entered[i].file;
    return shown;
}

const char *ed_project_shown_file(const struct ed_project *project)
{
    const struct ed_opened *shown = ed_opened_shown(project);
    return shown ? shown->place : NULL;
}

bool ed_project_shown_fixed(const struct ed_project *project)
{
    const struct ed_opened *shown = ed_opened_shown(project);
    return shown && shown->fixed;
}

bool ed_project_was_refused(struct ed_project *project)
{
    bool refused = project->opened.refused;
    project->opened.refused = false;
    return refused;
}

/* ---- Opening ---- */

static void free_opened(struct ed_opened *one)
{
    if (one)
        oro_document_destroy(one->doc);
    if (one)
        oro_free(one->text);
    if (one)
        oro_free(one->place);
    oro_free(one);
}

void ed_opened_clear(struct ed_project *project)
{
    while (project->opened.count > 0)
        free_opened(project->opened.items[--project->opened.count]);
    project->opened.refused = false;
    project->shown_root = project->root;
}

static bool comes_with_program(const char *place)
{
    char folder[PATH_MAX];
    char *own = oro_installed_folder(folder) ? oro_path_true(folder) : NULL;
    size_t length = own ? strlen(own) : 0;
    bool within = length > 0 && strncmp(place, own, length) == 0 && place[length] == '/';
    oro_free(own);
    return within;
}

/* Also for a user who may write everything. */
static bool is_fixed(const char *place)
{
    struct stat info;
    bool closed = stat(place, &info) == 0 && (info.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0;
    return closed || comes_with_program(place) || !oro_file_may_write(place, NULL);
}

static struct oro_document *read_from(const struct ed_project *project, const char *file, const char *path,
                                      struct oro_error *err)
{
    struct oro_problems problems = {0};
    struct oro_document *doc = oro_document_read_from(file, path, project->registry, &problems);
    if (doc)
        oro_settle_names(doc, project->registry, &problems);
    else
        oro_fail(err, ORO_E_DOCUMENT, "'%.200s': %.300s", path,
                 problems.count > 0 ? problems.items[0].text : "it is no document");
    oro_problems_free(&problems);
    return doc;
}

/* Notes the document as what the file says. */
static bool note_text(const struct ed_project *project, struct ed_opened *one, const struct oro_document *doc,
                      struct oro_error *err)
{
    char *text = NULL;
    size_t size = 0;
    if (!oro_document_format(doc, project->registry, &text, &size, err))
        return false;
    oro_free(one->text);
    one->text = text;
    one->text_size = size;
    return true;
}

/* A working copy that was recovered is what is edited, and the file what it is compared with. */
static bool read_both(struct ed_project *project, struct ed_opened *one, const char *path,
                      struct oro_error *err)
{
    one->stamp = oro_stamp_of(one->place);
    ed_working_read(&project->working, one->place);
    one->doc = read_from(project, ed_working_file(&project->working, one->place), path, err);
    if (!one->doc)
        return false;
    one->settled = oro_document_revision(one->doc);
    if (!ed_working_differs(&project->working, one->place))
        return note_text(project, one, one->doc, err);
    struct oro_document *file = read_from(project, one->place, path, NULL);
    bool ok = !file || note_text(project, one, file, err);
    oro_document_destroy(file);
    return ok;
}

static struct ed_opened *find(const struct ed_project *project, const char *place)
{
    for (size_t i = 0; i < project->opened.count; i++)
        if (strcmp(project->opened.items[i]->place, place) == 0)
            return project->opened.items[i];
    return NULL;
}

/* The path of the file that a node uses; the caller frees. A graph that is wrong can be opened, to be mended.
 */
static char *path_of(const struct ed_project *project, const struct oro_doc_node *node, struct oro_error *err)
{
    struct oro_graph graph;
    struct oro_error found = {0};
    char *path = NULL;
    if (oro_graph_find(project->registry, project->shown_root, node, &graph, &found))
        path = oro_copy_text(oro_document_path(graph.doc));
    else if (found.code == ORO_E_DOCUMENT && node->href && *node->href)
        oro_resolve_path(oro_document_path(project->shown_root), node->href, false, &path, NULL);
    if (!path)
        oro_fail(err, found.code ? found.code : ORO_E_MEMORY, "%s",
                 found.code ? found.text : "no memory to open a graph");
    return path;
}

/* Takes `place` over. */
static struct ed_opened *open_file(struct ed_project *project, char *place, const char *path,
                                   struct oro_error *err)
{
    void *items = project->opened.items;
    bool room =
        oro_reserve(&items, &project->opened.capacity, project->opened.count + 1, sizeof(struct ed_opened *));
    project->opened.items = items;
    struct ed_opened *one = room ? oro_alloc(1, sizeof *one) : NULL;
    if (!one) {
        oro_free(place);
        ed_no_memory(err);
        return NULL;
    }
    *one = (struct ed_opened){.place = place, .fixed = is_fixed(place)};
    if (read_both(project, one, path, err)) {
        project->opened.items[project->opened.count++] = one;
        return one;
    }
    free_opened(one);
    return NULL;
}

struct ed_opened *ed_opened_by(struct ed_project *project, const struct oro_doc_node *node,
                               struct oro_error *err)
{
    if (!oro_node_is_graph(node)) {
        oro_fail(err, ORO_E_USAGE, "'%.100s' is no graph", node->id);
        return NULL;
    }
    char *path = path_of(project, node, err), *place = path ? oro_path_true(path) : NULL;
    struct ed_opened *one = place ? find(project, place) : NULL;
    if (one)
        oro_free(place);
    else if (place)
        one = open_file(project, place, path, err);
    else if (path)
        oro_fail(err, ORO_E_FILE, "'%.200s' cannot be read", path);
    oro_free(path);
    return one;
}

/* ---- Working copies ---- */

/* Whoever reads the copy now goes on with the old one. Nothing waits for the disk: a copy that a failing
 * machine loses is that of the last seconds. */
static bool replace_file(const char *path, const char *text, size_t size, struct oro_error *err)
{
    struct oro_text fresh = {0};
    oro_text_addf(&fresh, "%s.new", path);
    FILE *file = fresh.failed ? NULL : fopen(fresh.data, "wbe");
    bool ok = file && fwrite(text, 1, size, file) == size;
    ok = (!file || fclose(file) == 0) && ok && rename(fresh.data, path) == 0;
    if (file && !ok)
        remove(fresh.data);
    oro_text_free(&fresh);
    return ok || oro_fail(err, ORO_E_WRITE, "cannot write '%s'", path);
}

static bool keep_copy(struct ed_project *project, struct ed_opened *one, struct oro_error *err)
{
    char *text = NULL;
    size_t size = 0;
    if (!oro_document_format(one->doc, project->registry, &text, &size, err))
        return false;
    bool same = one->text && size == one->text_size && memcmp(text, one->text, size) == 0, ok = true;
    if (same) {
        ed_working_same(&project->working, one->place);
    } else {
        const char *file = ed_working_place(&project->working, one->place, err);
        ok = file && replace_file(file, text, size, err) &&
             ed_working_wrote(&project->working, one->place, err);
    }
    oro_free(text);
    return ok;
}

/* A file that another program has changed is read again, unless it was edited here, too: then saving asks. */
static bool follow_disk(struct ed_project *project, struct ed_opened *one, struct oro_error *err)
{
    struct oro_stamp now = oro_stamp_of(one->place);
    if (oro_stamp_equal(&now, &one->stamp) || ed_working_differs(&project->working, one->place) ||
        project->history.gesture)
        return true;
    one->stamp = now;
    return access(one->place, F_OK) != 0 || ed_project_update_file(project, one->place, err);
}

/* Whether it was edited. */
static bool settle_one(struct ed_project *project, struct ed_opened *one, struct oro_error *err)
{
    if (oro_document_revision(one->doc) == one->settled)
        return false;
    one->settled = oro_document_revision(one->doc);
    keep_copy(project, one, err);
    return true;
}

bool ed_project_settle(struct ed_project *project, struct oro_error *err)
{
    bool changed = false;
    *err = (struct oro_error){0};
    if (project->edit.open)
        return false;
    for (size_t i = 0; i < project->opened.count; i++) {
        struct ed_opened *one = project->opened.items[i];
        changed = settle_one(project, one, err) || changed;
        if (follow_disk(project, one, err))
            changed = settle_one(project, one, err) || changed;
    }
    struct oro_assets *assets = project->registry->assets;
    changed = oro_assets_stand_in(assets, project->root) || changed;
    if (!changed)
        return false;
    oro_assets_refresh(assets);
    ed_project_types_changed(project);
    return true;
}

void ed_opened_saved(struct ed_project *project)
{
    for (size_t i = 0; i < project->opened.count; i++) {
        struct ed_opened *one = project->opened.items[i];
        if (ed_working_differs(&project->working, one->place))
            continue;
        one->stamp = oro_stamp_of(one->place);
        note_text(project, one, one->doc, NULL); /* without it, the file is written once more than needed */
    }
}

bool ed_project_changed_files(const struct ed_project *project, struct ed_names *files)
{
    for (size_t i = 0; i < project->opened.count; i++)
        if (ed_working_differs(&project->working, project->opened.items[i]->place) &&
            !ed_names_add(files, project->opened.items[i]->place))
            return false;
    return true;
}

bool ed_project_update_file(struct ed_project *project, const char *path, struct oro_error *err)
{
    char *place = oro_path_true(path);
    struct ed_opened *one = place ? find(project, place) : NULL;
    oro_free(place);
    if (!one)
        return true;
    struct oro_document *file = read_from(project, one->place, oro_document_path(one->doc), err);
    bool was_changed = ed_project_changed(project),
         differed = ed_working_differs(&project->working, one->place);
    if (!file || !note_text(project, one, file, err)) {
        oro_document_destroy(file);
        return false;
    }
    one->stamp = oro_stamp_of(one->place);
    ed_working_read(&project->working, one->place);
    if (!ed_opened_become(project, one->doc, "Update from the disk", file, err))
        return false;
    if (!was_changed && !differed)
        project->saved = ed_history_state(&project->history);
    return true;
}

/* ---- What the document names ---- */

static bool leads_to(const char *document, const char *text, const char *place)
{
    const char *name = strrchr(place, '/'), *own = strrchr(text, '/');
    if (strcmp(own ? own + 1 : text, name ? name + 1 : place) != 0)
        return false;
    char *beside = oro_path_beside(*document ? document : NULL, text);
    char *found = beside ? oro_path_place(beside) : NULL;
    bool same = !found || strcmp(found, place) == 0; /* without memory for it: what is saved is not lost */
    oro_free(beside);
    oro_free(found);
    return same;
}

static bool names(const struct oro_document *doc, const char *document, const char *place)
{
    for (size_t i = 0; i < oro_document_node_count(doc); i++) {
        const struct oro_doc_node *node = oro_document_node(doc, i);
        for (size_t k = 0; k < node->input_count; k++)
            if (node->inputs[k].value && leads_to(document, node->inputs[k].value, place))
                return true;
    }
    for (size_t i = 0; i < oro_document_port_count(doc); i++) {
        const char *text = oro_document_port(doc, i)->texts[ORO_PORT_DEFAULT];
        if (text && leads_to(document, text, place))
            return true;
    }
    for (size_t i = 0; i < oro_document_group_count(doc); i++)
        if (names(oro_document_group(doc, i)->body, document, place))
            return true;
    return false;
}

bool ed_project_names(const struct ed_project *project, const char *document, const char *path)
{
    char *place = oro_path_place(path);
    bool named = !place || names(project->root, document, place);
    for (size_t i = 0; place && !named && i < project->opened.count; i++) {
        const struct oro_document *doc = project->opened.items[i]->doc;
        named = names(doc, oro_document_path(doc), place);
    }
    oro_free(place);
    return named;
}
