/* Files of the library, and their older versions. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "editor/library/library.h"

enum { BYTES_MAX = 64 << 20 };

static char *no_memory(struct oro_error *err)
{
    oro_fail(err, ORO_E_MEMORY, "no memory for a file of the library");
    return NULL;
}

/* FOLDER/.versions/FILE for FOLDER/FILE. The caller frees. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return oro_text_of("%.*s.versions/%s", slash ? (int)(slash - path) + 1 : 0, path,
                       slash ? slash + 1 : path);
}

/* ---- Listing ---- */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)b, *(char *const *)a); /* newest first */
}

/* Names of versions begin with a time of UTC, so that their order is that of time. */
static bool is_version(const char *name)
{
    return strlen(name) > 16 && strspn(name, "0123456789TZ-") >= 15;
}

/* The names in a folder of versions, newest first; the caller frees each of them and the list. */
static char **names_in(const char *folder, size_t *count)
{
    enum { MOST = 10 * ED_LIBRARY_VERSIONS_MAX };
    char **names = oro_alloc(MOST, sizeof *names);
    DIR *dir = names ? opendir(folder) : NULL;
    *count = 0;
    for (const struct dirent *entry; dir && *count < MOST && (entry = readdir(dir)) != NULL;)
        if (is_version(entry->d_name) && (names[*count] = oro_copy_text(entry->d_name)) != NULL)
            ++*count;
    if (dir)
        closedir(dir);
    if (names && *count > 1)
        qsort(names, *count, sizeof *names, by_name);
    return names;
}

static void free_names(char **names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        oro_free(names[i]);
    oro_free(names);
}

static const char *time_of(const char *path, struct oro_arena *arena)
{
    struct oro_stamp stamp = oro_stamp_of(path);
    time_t seconds = (time_t)stamp.seconds;
    struct tm parts;
    char text[32];
    if (!localtime_r(&seconds, &parts) || !strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts))
        return "";
    return oro_arena_text(arena, text);
}

bool ed_library_versions(const char *path, struct oro_arena *arena, struct ed_library_version **versions,
                         size_t *count)
{
    char *folder = folder_of(path);
    size_t found = 0;
    char **names = folder ? names_in(folder, &found) : NULL;
    *versions = names ? oro_arena_alloc(arena, found + 1, sizeof **versions) : NULL;
    *count = *versions ? found : 0;
    bool ok = *versions;
    for (size_t i = 0; i < *count; i++) {
        struct ed_library_version *version = &(*versions)[i];
        version->path = oro_arena_textf(arena, "%s/%s", folder, names[i]);
        version->when = version->path ? time_of(version->path, arena) : NULL;
        ok = ok && version->when;
    }
    free_names(names, found);
    oro_free(folder);
    return ok;
}

/* ---- Keeping ---- */

static void drop_oldest(const char *folder)
{
    size_t count;
    char **names = names_in(folder, &count);
    for (size_t i = ED_LIBRARY_VERSIONS_MAX; i < count; i++) {
        struct oro_text path = {0};
        oro_text_addf(&path, "%s/%s", folder, names[i]);
        if (!path.failed)
            unlink(path.data);
        oro_text_free(&path);
    }
    free_names(names, count);
}

/* A free name for a version that was written at a time. */
static char *version_path(const char *folder, const char *file, time_t seconds)
{
    struct tm parts;
    char stamp[32];
    const char *extension = oro_path_extension(file);
    if (!gmtime_r(&seconds, &parts) || !strftime(stamp, sizeof stamp, "%Y%m%dT%H%M%S", &parts))
        return NULL;
    for (int i = 1; i < 1000; i++) {
        struct oro_text path = {0};
        oro_text_addf(&path, "%s/%s-%03d.%s", folder, stamp, i, extension);
        if (path.failed || access(path.data, F_OK) != 0) {
            return oro_text_take(&path);
        }
        oro_text_free(&path);
    }
    return NULL;
}

/* Puts what a file holds among its older versions. */
static bool keep_version(const char *path, const void *bytes, size_t size, struct oro_error *err)
{
    char *folder = folder_of(path), *version = NULL;
    struct oro_stamp stamp = oro_stamp_of(path);
    bool ok = folder && oro_make_folders(folder, err);
    if (ok && !(version = version_path(folder, path, (time_t)stamp.seconds)))
        ok = oro_fail(err, ORO_E_WRITE, "the older version of %s cannot be kept: there is no name for it",
                      path);
    if (!folder)
        no_memory(err);
    ok = ok && oro_file_write(version, bytes, size, err);
    if (ok) { /* the time at which it was made, for lists; without it, that of now is shown */
        struct timespec times[2] = {{.tv_sec = (time_t)stamp.seconds}, {.tv_sec = (time_t)stamp.seconds}};
        utimensat(AT_FDCWD, version, times, 0);
        drop_oldest(folder);
    }
    oro_free(version);
    oro_free(folder);
    return ok;
}

static bool is_there(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0;
}

bool ed_library_write(const char *path, const void *bytes, size_t size, struct oro_error *err)
{
    const char *slash = strrchr(path, '/');
    void *before = NULL;
    size_t length = 0;
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    if (!oro_make_folders(folder, err) || !oro_file_may_write(path, err) ||
        (is_there(path) && !oro_file_read(path, BYTES_MAX, &before, &length, err)))
        return false;
    bool same = before && length == size && memcmp(before, bytes, size) == 0;
    bool ok = same || ((!before || keep_version(path, before, length, err)) &&
                       oro_file_write(path, bytes, size, err));
    oro_free(before);
    return ok;
}

bool ed_library_restore(const char *path, const char *version, struct oro_error *err)
{
    void *bytes = NULL;
    size_t size = 0;
    bool ok =
        oro_file_read(version, BYTES_MAX, &bytes, &size, err) && ed_library_write(path, bytes, size, err);
    oro_free(bytes);
    return ok;
}

bool ed_library_remove(const char *path, struct oro_error *err)
{
    void *bytes = NULL;
    size_t size = 0;
    struct stat info;
    /* What is too large or no file at all cannot be kept, and is only removed. */
    bool whole = lstat(path, &info) == 0 && S_ISREG(info.st_mode) &&
                 oro_file_read(path, BYTES_MAX, &bytes, &size, NULL);
    bool ok = !whole || keep_version(path, bytes, size, err);
    if (ok && unlink(path) != 0)
        ok = oro_fail(err, ORO_E_WRITE, "%s cannot be removed: %s", path, strerror(errno));
    oro_free(bytes);
    return ok;
}
