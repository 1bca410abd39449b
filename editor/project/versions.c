#include "editor/project/versions.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "editor/project/become.h"
#include "editor/project/project_private.h"
#include "graph/file/xml.h"

static const char extension[] = ".oro";
static const char time_format[] = "%Y-%m-%d %H%M%S "; /* TIME_LENGTH characters */
enum { TIME_LENGTH = 18 };

/* "alps.versions" for "alps.oro". The caller frees. NULL: memory is out. */
static char *folder_of(const char *document)
{
    size_t length = strlen(document), end = sizeof extension - 1;
    if (length > end && strcmp(document + length - end, extension) == 0)
        length -= end;
    struct oro_text folder = {0};
    oro_text_add_bytes(&folder, document, length);
    oro_text_add(&folder, ".versions");
    return oro_text_take(&folder);
}

/* ---- Listing ---- */

/* Whether a name begins with a time as time_format writes it. */
static bool has_time(const char *name)
{
    static const char form[] = "0000-00-00 000000 ";
    for (int i = 0; i < TIME_LENGTH; i++)
        if (form[i] == '0' ? !oro_is_digit(name[i]) : name[i] != form[i])
            return false;
    return true;
}

static bool describe(struct oro_arena *arena, const char *folder, const char *name,
                     struct ed_version *version)
{
    bool timed = has_time(name);
    char *own = oro_arena_text(arena, name + (timed ? TIME_LENGTH : 0));
    version->file = oro_arena_textf(arena, "%s/%s", folder, name);
    version->when = timed ? oro_arena_textf(arena, "%.13s:%.2s", name, name + 13) : "";
    if (!own || !version->file || !version->when)
        return false;
    own[strlen(own) - (sizeof extension - 1)] = '\0';
    version->name = own;
    return true;
}

static bool is_version(const char *name)
{
    size_t length = strlen(name), end = sizeof extension - 1;
    return name[0] != '.' && length > end && strcmp(name + length - end, extension) == 0;
}

/* Files begin with the time. */
static int newest_first(const void *a, const void *b)
{
    const struct ed_version *one = a, *two = b;
    return strcmp(two->file, one->file);
}

static bool list(DIR *stream, const char *folder, struct oro_arena *arena, struct ed_versions *versions)
{
    struct ed_version *items = NULL;
    size_t capacity = 0;
    bool ok = true;
    for (struct dirent *entry; ok && (entry = readdir(stream)) != NULL;) {
        if (!is_version(entry->d_name))
            continue;
        void *more = items;
        ok = oro_reserve(&more, &capacity, versions->count + 1, sizeof *items);
        items = more;
        ok = ok && describe(arena, folder, entry->d_name, &items[versions->count]);
        versions->count += ok;
    }
    versions->items = oro_arena_alloc(arena, versions->count + 1, sizeof *items);
    ok = ok && versions->items;
    if (ok && versions->count > 0) {
        memcpy(versions->items, items, versions->count * sizeof *items);
        qsort(versions->items, versions->count, sizeof *items, newest_first);
    }
    oro_free(items);
    return ok;
}

bool ed_versions_list(const char *document, struct oro_arena *arena, struct ed_versions *versions,
                      struct oro_error *err)
{
    char *folder = folder_of(document);
    DIR *stream = folder && *document ? opendir(folder) : NULL;
    *versions = (struct ed_versions){0};
    bool ok = folder && (!stream || list(stream, folder, arena, versions));
    if (stream)
        closedir(stream);
    oro_free(folder);
    if (ok)
        return true;
    versions->count = 0;
    return oro_fail(err, ORO_E_MEMORY, "no memory for a list of versions");
}

/* ---- Keeping ---- */

/* A name for a file: without what folders are told by, and no longer than files' names may be. */
static void clean(const char *name, char out[ED_VERSION_NAME_MAX + 1])
{
    size_t length = strnlen(name, ED_VERSION_NAME_MAX);
    while (length > 0 && ((unsigned char)name[length] & 0xc0) == 0x80)
        length--; /* not within a letter */
    snprintf(out, ED_VERSION_NAME_MAX + 1, "%.*s", (int)length, name);
    for (char *at = out; *at; at++)
        if (*at == '/' || (unsigned char)*at < ' ' || *at == 0x7f)
            *at = '-';
    if (!out[0])
        snprintf(out, ED_VERSION_NAME_MAX + 1, "version");
}

/* A path that no file has yet. The caller frees. NULL: memory is out. */
static char *new_path(const char *folder, const char *name)
{
    char when[TIME_LENGTH + 1], cleaned[ED_VERSION_NAME_MAX + 1];
    time_t now = time(NULL);
    struct tm parts;
    localtime_r(&now, &parts);
    strftime(when, sizeof when, time_format, &parts);
    clean(name, cleaned);
    for (int n = 1;; n++) {
        struct oro_text path = {0};
        oro_text_addf(&path, "%s/%s%s", folder, when, cleaned);
        if (n > 1)
            oro_text_addf(&path, " (%d)", n);
        oro_text_add(&path, extension);
        if (path.failed || access(path.data, F_OK) != 0)
            return path.failed ? NULL : path.data;
        oro_text_free(&path);
    }
}

bool ed_version_keep(const struct ed_project *project, const char *name, struct oro_error *err)
{
    if (!*project->path)
        return oro_fail(err, ORO_E_USAGE, "save the document first: its versions lie beside its file");
    char *folder = folder_of(project->path), *text = NULL, *path = NULL;
    size_t size = 0;
    bool ok = (folder || oro_fail(err, ORO_E_MEMORY, "no memory for a path")) &&
              oro_document_format(project->root, project->registry, &text, &size, err) &&
              oro_make_folders(folder, err);
    if (ok) {
        path = new_path(folder, name);
        ok = path ? oro_file_write(path, text, size, err)
                  : oro_fail(err, ORO_E_MEMORY, "no memory for a path");
    }
    oro_free(folder);
    oro_free(text);
    oro_free(path);
    return ok;
}

/* ---- Using ---- */

struct oro_document *ed_version_read(const struct ed_project *project, const struct ed_version *version,
                                     struct oro_error *err)
{
    void *bytes = NULL;
    size_t size = 0;
    struct oro_problems problems = {0};
    if (!oro_file_read(version->file, ORO_DOCUMENT_BYTES_MAX, &bytes, &size, err))
        return NULL;
    /* What it refers to is looked for from the document's own place. */
    struct oro_document *doc =
        oro_document_parse(bytes, size, oro_document_path(project->root), project->registry, &problems);
    if (!doc) {
        oro_fail(err, ORO_E_DOCUMENT, "%s", problems.count ? problems.items[0].text : "it is no document");
        oro_error_place(err, version->file, problems.count ? problems.items[0].line : 0, NULL);
    }
    oro_problems_free(&problems);
    oro_free(bytes);
    return doc;
}

bool ed_version_bring_back(struct ed_project *project, const struct ed_version *version,
                           struct oro_error *err)
{
    struct oro_document *doc = ed_version_read(project, version, err);
    return doc && ed_project_become(project, "bring back a version", doc, err);
}

bool ed_version_remove(const struct ed_version *version, struct oro_error *err)
{
    if (unlink(version->file) != 0)
        return oro_fail(err, ORO_E_WRITE, "'%s' cannot be removed: %s", version->file, strerror(errno));
    char *folder = oro_copy_text(version->file);
    char *slash = folder ? strrchr(folder, '/') : NULL;
    if (slash) {
        *slash = '\0';
        rmdir(folder); /* the last one takes the folder along */
    }
    oro_free(folder);
    return true;
}
