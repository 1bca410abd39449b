#include "editor/project/kept_history.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "base/memory.h"
#include "base/text.h"
#include "editor/project/become.h"
#include "editor/project/kept_file.h"
#include "editor/project/project_private.h"
#include "graph/file/xml.h"

enum { STEPS_MAX = 100 };
static const size_t bytes_max = (size_t)16 << 20, file_max = (size_t)64 << 20;

static char *path_of(const struct ed_project *project)
{
    return ed_kept_file(project, "orograph/history");
}

bool ed_history_is_kept(const struct ed_project *project)
{
    char *path = path_of(project);
    bool kept = path && access(path, F_OK) == 0;
    oro_free(path);
    return kept;
}

/* ---- Storing ---- */

/* Strokes and opened files are left as they are: the states are those of the document alone. */
static bool walk(struct ed_project *project, struct ed_history_step *step, bool undo, struct oro_error *err)
{
    if (step->doc == project->root)
        return undo ? oro_document_undo(project->root, err) : oro_document_redo(project->root, err);
    if (ed_is_becoming(project, &step->foreign))
        return step->foreign.apply(step->foreign.user, undo, err);
    return true;
}

static bool add_state(const struct ed_project *project, const struct ed_history_step *step, json_t *steps,
                      size_t *bytes, struct oro_error *err)
{
    char *text = NULL;
    size_t size = 0;
    if (!oro_document_format(project->root, project->registry, &text, &size, err))
        return false;
    *bytes += size;
    json_t *entry = json_object();
    json_t *name = json_string(step->name ? step->name : "");
    json_object_set_new(entry, "name", name ? name : json_string(""));
    json_object_set_new(entry, "before", json_stringn(text, size));
    bool ok = json_array_insert_new(steps, 0, entry) == 0;
    oro_free(text);
    return ok || oro_fail(err, ORO_E_MEMORY, "no memory to keep the history");
}

/* Goes back through the history, notes the states before the one that was saved, and returns. */
static bool collect(struct ed_project *project, json_t *steps, struct oro_error *err)
{
    struct ed_history *history = &project->history;
    size_t at = history->done, bytes = 0;
    bool ok = true, reached = ed_history_state(history) == project->saved;
    while (ok && at > 0 && json_array_size(steps) < STEPS_MAX && bytes < bytes_max) {
        struct ed_history_step *step = &history->steps[at - 1];
        ok = walk(project, step, true, err);
        if (!ok)
            break;
        at--;
        if (reached && !step->joined &&
            (step->doc == project->root || ed_is_becoming(project, &step->foreign)))
            ok = add_state(project, step, steps, &bytes, err);
        uint64_t state = at > 0 ? history->steps[at - 1].state : history->base_state;
        reached = reached || state == project->saved;
    }
    while (at < history->done)
        if (!walk(project, &history->steps[at++], false, err))
            return false;
    return ok;
}

static bool write_file(const struct ed_project *project, const char *path, json_t *steps,
                       struct oro_error *err)
{
    char digest[ORO_HASH_TEXT];
    oro_hash_text(project->disk.content, digest);
    json_t *root = json_pack("{s:s, s:O}", "content", digest, "steps", steps);
    char *text = root ? json_dumps(root, JSON_COMPACT) : NULL;
    bool ok = text ? oro_file_write(path, text, strlen(text), err)
                   : oro_fail(err, ORO_E_MEMORY, "no memory to keep the history");
    free(text);
    json_decref(root);
    return ok;
}

static bool store(struct ed_project *project, const char *path, struct oro_error *err)
{
    json_t *steps = json_array();
    bool ok = (steps || oro_fail(err, ORO_E_MEMORY, "no memory to keep the history")) &&
              collect(project, steps, err) && write_file(project, path, steps, err);
    json_decref(steps);
    return ok;
}

bool ed_history_store(struct ed_project *project, struct oro_error *err)
{
    char *path = project->disk.known && !project->edit.open ? path_of(project) : NULL;
    bool ok = !path || access(path, F_OK) != 0 || store(project, path, err);
    oro_free(path);
    return ok;
}

bool ed_history_keep(struct ed_project *project, bool keep, struct oro_error *err)
{
    char *path = path_of(project);
    if (!path || !project->disk.known) {
        oro_free(path);
        return oro_fail(err, ORO_E_USAGE, "save the document first");
    }
    bool ok = true;
    if (keep) {
        ok = ed_kept_folder_make(path, err) && store(project, path, err);
    } else if (unlink(path) != 0 && errno != ENOENT) {
        ok = oro_fail(err, ORO_E_WRITE, "the kept history cannot be removed: %s", strerror(errno));
    }
    oro_free(path);
    return ok;
}

/* ---- Bringing back ---- */

static json_t *read_file(const struct ed_project *project, const char *path)
{
    char digest[ORO_HASH_TEXT];
    void *bytes = NULL;
    size_t size = 0;
    if (!oro_file_read(path, file_max, &bytes, &size, NULL))
        return NULL;
    json_t *root = json_loadb(bytes, size, 0, NULL);
    oro_free(bytes);
    const char *content = json_string_value(json_object_get(root, "content"));
    oro_hash_text(project->disk.content, digest);
    if (content && strcmp(content, digest) == 0)
        return root;
    json_decref(root);
    return NULL;
}

void ed_history_bring(struct ed_project *project)
{
    char *path = project->disk.known ? path_of(project) : NULL;
    json_t *root = path ? read_file(project, path) : NULL, *step;
    size_t i;
    json_array_foreach(json_object_get(root, "steps"), i, step)
    {
        const char *name = json_string_value(json_object_get(step, "name"));
        const char *before = json_string_value(json_object_get(step, "before"));
        if (i >= STEPS_MAX || !before || !ed_project_became(project, name ? name : "", before, NULL))
            break;
    }
    project->saved = ed_history_state(&project->history);
    json_decref(root);
    oro_free(path);
}
