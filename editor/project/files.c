/* Opening, saving, closing, and noticing what other programs do to the file. */
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "editor/project/kept_history.h"
#include "editor/project/opened.h"
#include "editor/project/project_private.h"
#include "graph/file/load.h"

void ed_source_free(struct ed_source *source)
{
    oro_free(source->bytes);
    oro_free(source->text);
    *source = (struct ed_source){0};
}

struct ed_project *ed_project_create(const struct oro_registry *registry, struct oro_error *err)
{
    struct ed_project *project = oro_alloc(1, sizeof *project);
    if (project) {
        project->registry = registry;
        project->root = project->shown_root = oro_document_create();
        project->working.root = project->root;
        project->path = oro_copy_text("");
    }
    if (project && project->root && project->path)
        return project;
    ed_project_destroy(project);
    oro_fail(err, ORO_E_MEMORY, "no memory for a document");
    return NULL;
}

void ed_project_destroy(struct ed_project *project)
{
    if (!project)
        return;
    ed_history_store(project, NULL);
    ed_history_clear(&project->history);
    ed_workings_free(&project->working);
    if (project->root)
        oro_assets_stand_in(project->registry->assets, project->root); /* the copies are gone */
    ed_entered_clear(project);
    ed_opened_clear(project);
    oro_free(project->opened.items);
    ed_source_free(&project->source);
    ed_reach_destroy(project->reach);
    oro_document_destroy(project->edit.body);
    oro_free(project->edit.group);
    oro_document_destroy(project->root);
    oro_free(project->path);
    oro_free(project);
}

/* Replaces the open document; takes ownership of `root`, and of `path`, which may be NULL for "". */
static void replace_document(struct ed_project *project, struct oro_document *root, char *path)
{
    uint64_t revision = ed_project_revision(project) + 1;
    ed_history_store(project, NULL); /* closing goes on without it */
    ed_history_clear(&project->history);
    ed_workings_clear(&project->working);
    oro_assets_stand_in(project->registry->assets, project->root); /* the copies are gone */
    ed_entered_clear(project);
    ed_opened_clear(project);
    ed_source_free(&project->source);
    oro_document_destroy(project->root);
    oro_free(project->path);
    project->root = project->shown_root = project->working.root = root;
    project->path = path;
    project->revision_base = revision - oro_document_revision(root); /* wraps, and comes out right */
    project->saved = ed_history_state(&project->history);
    project->disk = (struct ed_disk_state){0};
}

static bool may_replace(const struct ed_project *project, struct oro_error *err)
{
    return !project->edit.open || oro_fail(err, ORO_E_USAGE, "an edit is still open");
}

bool ed_project_new(struct ed_project *project, struct oro_error *err)
{
    if (!may_replace(project, err))
        return false;
    struct oro_document *root = oro_document_create();
    char *path = oro_copy_text("");
    if (!root || !path) {
        oro_document_destroy(root);
        oro_free(path);
        return oro_fail(err, ORO_E_MEMORY, "no memory for a document");
    }
    replace_document(project, root, path);
    return true;
}

/* ---- Opening ---- */

/* A document that was read, with its source. */
struct reading {
    struct oro_document *root;
    struct ed_source source;
    struct ed_disk_state disk;
};

static bool not_a_document(const struct oro_problems *problems, const char *path, struct oro_error *err)
{
    const struct oro_problem *first = NULL;
    for (size_t i = 0; i < problems->count && !first; i++)
        if (problems->items[i].error)
            first = &problems->items[i];
    oro_fail(err, ORO_E_DOCUMENT, "%s", first ? first->text : "it is no document");
    oro_error_place(err, path, first ? first->line : 0, NULL);
    return false;
}

static bool parse(const struct ed_project *project, const char *base, struct reading *reading,
                  struct oro_problems *problems, struct oro_error *err)
{
    struct oro_problems found = {0};
    reading->root =
        oro_document_parse(reading->source.bytes, reading->source.size, base, project->registry, &found);
    if (reading->root)
        oro_settle_names(reading->root, project->registry, &found);
    bool ok = reading->root || not_a_document(&found, base, err);
    for (size_t i = 0; problems && i < found.count; i++) {
        const struct oro_problem *problem = &found.items[i];
        oro_problem_add(problems, problem->error, problem->code, problem->line, problem->node, "%s",
                        problem->text);
    }
    oro_problems_free(&found);
    return ok;
}

static bool read_document(const struct ed_project *project, const char *path, const char *base,
                          struct reading *reading, struct oro_problems *problems, struct oro_error *err)
{
    struct ed_source *source = &reading->source;
    /* The stamp is taken first, so that a write between the two is noticed later. */
    reading->disk.stamp = oro_stamp_of(path);
    if (!oro_file_read(path, ORO_DOCUMENT_BYTES_MAX, &source->bytes, &source->size, err))
        return false;
    reading->disk.known = true;
    reading->disk.content = oro_hash_of(source->bytes, source->size);
    if (parse(project, base, reading, problems, err) &&
        oro_document_format(reading->root, project->registry, &source->text, &source->text_size, err))
        return true;
    oro_document_destroy(reading->root);
    ed_source_free(&reading->source);
    return false;
}

/* Replaces the document by the content of `file`, as the document of `path`; `reading` keeps the source. */
static bool replace_by(struct ed_project *project, const char *file, const char *path, const char *base,
                       struct reading *reading, struct oro_problems *problems, struct oro_error *err)
{
    char *own = oro_copy_text(path);
    if (!own)
        return oro_fail(err, ORO_E_MEMORY, "no memory for a path");
    if (!may_replace(project, err) || !read_document(project, file, base, reading, problems, err)) {
        oro_free(own);
        return false;
    }
    replace_document(project, reading->root, own);
    return true;
}

bool ed_project_open(struct ed_project *project, const char *path, struct oro_problems *problems,
                     struct oro_error *err)
{
    struct reading reading = {0};
    if (!replace_by(project, path, path, path, &reading, problems, err))
        return false;
    project->source = reading.source;
    project->disk = reading.disk;
    ed_history_bring(project);
    return true;
}

bool ed_project_open_copy(struct ed_project *project, const char *path, struct oro_problems *problems,
                          struct oro_error *err)
{
    struct reading reading = {0};
    if (!replace_by(project, path, "", path, &reading, problems, err))
        return false;
    project->source = reading.source;
    return true;
}

bool ed_project_restore(struct ed_project *project, const char *copy, const char *path, const char *base,
                        const struct ed_disk_state *disk, struct oro_problems *problems,
                        struct oro_error *err)
{
    struct reading reading = {0};
    if (!replace_by(project, copy, path, base, &reading, problems, err))
        return false;
    ed_source_free(&reading.source); /* those are not the bytes of the document's own file */
    project->disk = *disk;
    project->saved = UINT64_MAX;
    return true;
}

/* ---- The file on the disk ---- */

static bool read_content(const char *path, struct oro_hash *content)
{
    void *bytes = NULL;
    size_t size = 0;
    if (!oro_file_read(path, ORO_DOCUMENT_BYTES_MAX, &bytes, &size, NULL))
        return false;
    *content = oro_hash_of(bytes, size);
    oro_free(bytes);
    return true;
}

enum ed_disk ed_project_disk(struct ed_project *project)
{
    static const struct oro_stamp nothing = {0};
    struct ed_disk_state *disk = &project->disk;
    if (!*project->path || !disk->known)
        return ED_DISK_SAME;
    struct oro_stamp stamp = oro_stamp_of(project->path);
    if (oro_stamp_equal(&stamp, &disk->stamp))
        return ED_DISK_SAME;
    if (oro_stamp_equal(&stamp, &nothing))
        return ED_DISK_GONE;
    struct oro_hash content;
    if (!read_content(project->path, &content) || !oro_hash_equal(content, disk->content))
        return ED_DISK_CHANGED;
    disk->stamp = stamp;
    return ED_DISK_SAME;
}

void ed_project_disk_known(struct ed_project *project)
{
    struct ed_disk_state *disk = &project->disk;
    if (!*project->path)
        return;
    disk->known = true;
    disk->stamp = oro_stamp_of(project->path);
    if (!read_content(project->path, &disk->content))
        disk->content = (struct oro_hash){0, 0};
    for (size_t i = 0; i < project->working.count; i++)
        project->working.items[i].known = false;
}

/* ---- Saving ---- */

/* Follows symbolic links, so that a document that is a link stays one. */
static bool write_through(const char *path, const void *bytes, size_t size, struct oro_error *err)
{
    char *place = oro_path_true(path);
    bool ok = oro_file_write(place ? place : path, bytes, size, err);
    oro_free(place);
    return ok;
}

static bool write_document(const struct ed_project *project, const char *path, struct oro_hash *content,
                           struct oro_error *err)
{
    const struct ed_source *source = &project->source;
    char *text = NULL;
    size_t size = 0;
    if (!oro_document_format(project->root, project->registry, &text, &size, err))
        return false;
    bool untouched = source->bytes && size == source->text_size && memcmp(text, source->text, size) == 0;
    const void *bytes = untouched ? source->bytes : text;
    if (untouched)
        size = source->size;
    *content = oro_hash_of(bytes, size);
    bool ok = write_through(path, bytes, size, err);
    oro_free(text);
    return ok;
}

/* Whether writing there would destroy what another program wrote. */
static bool may_overwrite(struct ed_project *project, const char *path, struct oro_error *err)
{
    bool own = *project->path && (strcmp(path, project->path) == 0 || oro_path_same(path, project->path));
    if (own && ed_project_disk(project) == ED_DISK_CHANGED)
        return oro_fail(err, ORO_E_FILE, "'%s' was changed by another program since it was read", path);
    return true;
}

bool ed_project_replace_texts(struct ed_project *project, const char *const *from, const char *const *to,
                              size_t count, struct oro_error *err)
{
    return may_replace(project, err) && oro_document_replace_texts(project->root, from, to, count, err);
}

/* Graphs are opened only to be edited, and so are always saved; layers may have been given up meanwhile. */
static void mark_to_be_saved(struct ed_project *project, const char *document)
{
    for (size_t i = 0; i < project->working.count; i++) {
        struct ed_working *one = &project->working.items[i];
        one->goes = one->differs && (strcmp(oro_path_extension(one->path), "oro") == 0 ||
                                     ed_project_names(project, document, one->path));
    }
}

bool ed_project_save(struct ed_project *project, const char *path, bool over, struct oro_error *err)
{
    const char *target = path ? path : project->path;
    if (!*target)
        return oro_fail(err, ORO_E_USAGE, "the document has no name yet");
    if (!may_replace(project, err) || (!over && !may_overwrite(project, target, err)))
        return false;
    struct oro_error unsettled;
    ed_project_settle(project, &unsettled);
    if (unsettled.code)
        return oro_fail(err, unsettled.code, "%s", unsettled.text);
    mark_to_be_saved(project, target);
    struct ed_sealed *sealed = ed_workings_seal(&project->working, over, err);
    if (!sealed)
        return false;
    char *own = oro_copy_text(target);
    struct ed_disk_state disk = {.known = true};
    bool ok = own ? write_document(project, own, &disk.content, err)
                  : oro_fail(err, ORO_E_MEMORY, "no memory for a path");
    if (!ok) {
        ed_sealed_abort(sealed);
        oro_free(own);
        return false;
    }
    bool all = ed_sealed_commit(sealed, &project->working, err);
    ed_opened_saved(project);
    disk.stamp = oro_stamp_of(own);
    if (strcmp(oro_document_path(project->root), own) != 0) {
        oro_document_set_path(project->root,
                              own); /* out of memory: files are still looked for from the old place */
        project->revision_base++;
    }
    oro_free(project->path);
    project->path = own;
    project->disk = disk;
    project->saved = all ? ed_history_state(&project->history) : UINT64_MAX;
    ed_gesture_end(project);
    return all;
}
