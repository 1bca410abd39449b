/* Where paths in documents may lead: first the text of the path is checked, then where links on the disk
 * really go. */
#include "graph/derived/paths.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/walls.h"

/* True if the path is absolute or some part of it climbs above where it starts. */
static bool climbs_out(const char *path)
{
    size_t depth = 0;
    while (*path) {
        size_t length = strcspn(path, "/");
        if (length == 2 && memcmp(path, "..", 2) == 0) {
            if (depth == 0)
                return true;
            depth--;
        } else if (length > 0 && !(length == 1 && *path == '.')) {
            depth++;
        }
        path += length + (path[length] == '/');
    }
    return false;
}

/* `folder` of `length` bytes (0: the working folder) and `path` below it. The caller frees; NULL: memory is
 * out. */
static char *join(const char *folder, size_t length, const char *path)
{
    struct oro_text joined = {0};
    if (path[0] != '/' && length > 0) {
        oro_text_add_bytes(&joined, folder, length);
        if (folder[length - 1] != '/')
            oro_text_add(&joined, "/");
    }
    oro_text_add(&joined, path);
    return oro_text_take(&joined);
}

/* Cuts off the last part: "a/b" becomes "a", "a" becomes "." and "/a" becomes "/". False: nothing is left to
 * cut. */
static bool cut_last(char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        path[--length] = '\0';
    if (strcmp(path, "/") == 0 || strcmp(path, ".") == 0)
        return false;
    char *slash = strrchr(path, '/');
    if (!slash) {
        memcpy(path, ".", 2);
        return true;
    }
    slash[slash == path] = '\0';
    return true;
}

/* Cuts off what does not exist. False: something is wrong with the path. */
static bool cut_to_existing(char *path)
{
    struct stat info;
    while (lstat(path, &info) != 0)
        if (errno != ENOENT || !cut_last(path))
            return false;
    return true;
}

/* The true place of a path, or of the nearest folder above it that exists. False: it is unknown, for example
 * for a link to a missing file, through which a write would create that file. `path` is changed. */
static bool true_place(char *path, char place[PATH_MAX])
{
    return cut_to_existing(path) && realpath(path, place);
}

/* `root`: the folder's own true place. */
static bool lies_in(const char *place, const char *folder, size_t length, char root[PATH_MAX])
{
    char *text = join(folder, length, ".");
    bool inside = text && realpath(text, root);
    oro_free(text);
    if (!inside)
        return false;
    size_t size = strlen(root);
    return strcmp(root, "/") == 0 ||
           (strncmp(place, root, size) == 0 && (place[size] == '/' || !place[size]));
}

bool oro_installed_folder(char folder[PATH_MAX])
{
    static const char share[] = "/../share/orograph";
    char program[PATH_MAX], wanted[PATH_MAX + sizeof share];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0)
        return false;
    program[length] = '\0';
    char *slash = strrchr(program, '/');
    if (!slash)
        return false;
    *slash = '\0';
    snprintf(wanted, sizeof wanted, "%s%s", program, share);
    return realpath(wanted, folder);
}

/* In a build tree the two are links, and lie elsewhere. */
bool oro_path_is_installed(const char *path)
{
    static const char *const parts[] = {"/library", "/examples"};
    char installed[PATH_MAX], folder[PATH_MAX + 16], place[PATH_MAX], root[PATH_MAX];
    bool inside = false;
    if (!oro_installed_folder(installed) || !realpath(path, place))
        return false;
    for (int i = 0; i < 2 && !inside; i++) {
        snprintf(folder, sizeof folder, "%s%s", installed, parts[i]);
        inside = lies_in(place, folder, strlen(folder), root);
    }
    return inside;
}

typedef bool visit_folder(const char *folder, size_t length, void *user);

/* "library/alpine.oro" is found in the folder itself, "alpine.oro" in its library. */
static bool visit_library(const char *folder, visit_folder *test, void *user)
{
    char library[PATH_MAX + 16];
    snprintf(library, sizeof library, "%s/library", folder);
    return test(library, strlen(library), user) || test(folder, strlen(folder), user);
}

/* The program's folder within each folder of XDG_DATA_DIRS; one that is also `installed` is left out. */
static bool visit_data_folders(const char *installed, visit_folder *test, void *user)
{
    const char *list = getenv("XDG_DATA_DIRS");
    char folder[PATH_MAX], place[PATH_MAX];
    if (!list || !*list)
        list = "/usr/local/share:/usr/share";
    for (size_t length; *list; list += length + (list[length] == ':')) {
        length = strcspn(list, ":");
        int size = snprintf(folder, sizeof folder, "%.*s/orograph", (int)length, list);
        if (*list == '/' && size < PATH_MAX && realpath(folder, place) && strcmp(place, installed) != 0 &&
            visit_library(place, test, user))
            return true;
    }
    return false;
}

/* ---- The user's library ---- */

char *oro_own_library(void)
{
    return oro_user_folder("XDG_DATA_HOME", ".local/share", "orograph/library");
}

char *oro_library_folders_file(void)
{
    return oro_user_folder("XDG_CONFIG_HOME", ".config", "orograph/library-folders");
}

/* The folders that the user has added. */
static bool visit_added(visit_folder *test, void *user)
{
    enum { BYTES_MAX = 1 << 17 };
    char *path = oro_library_folders_file();
    void *text = NULL;
    size_t size = 0;
    bool done = false;
    int count = 0;
    if (path && access(path, R_OK) == 0 && oro_file_read(path, BYTES_MAX, &text, &size, NULL))
        for (const char *line = text; !done && *line && count < ORO_LIBRARY_FOLDERS_MAX;) {
            size_t length = strcspn(line, "\r\n");
            if (line[0] == '/' && length < PATH_MAX) {
                done = test(line, length, user);
                count++;
            }
            line += length + (line[length] != '\0');
        }
    oro_free(text);
    oro_free(path);
    return done;
}

bool oro_any_own_library(visit_folder *test, void *user)
{
    char *own = oro_own_library();
    bool done = own && test(own, strlen(own), user);
    oro_free(own);
    return done || visit_added(test, user);
}

static bool is_category(DIR *dir, const char *name)
{
    struct stat info;
    return name[0] != '.' && strcmp(name, "presets") != 0 && fstatat(dirfd(dir), name, &info, 0) == 0 &&
           S_ISDIR(info.st_mode);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

bool oro_any_category(const char *folder, size_t length, bool (*test)(const char *category, void *user),
                      void *user)
{
    char *path = join(folder, length, "."), **names = oro_alloc(ORO_CATEGORIES_MAX, sizeof *names);
    DIR *dir = path && names ? opendir(path) : NULL;
    const struct dirent *entry;
    size_t count = 0;
    bool done = false;
    while (dir && count < ORO_CATEGORIES_MAX && (entry = readdir(dir)) != NULL)
        if (is_category(dir, entry->d_name) && (names[count] = oro_copy_text(entry->d_name)) != NULL)
            count++;
    if (dir)
        closedir(dir);
    if (count > 1)
        qsort(names, count, sizeof *names, by_name);
    for (size_t i = 0; i < count; i++) {
        done = done || test(names[i], user);
        oro_free(names[i]);
    }
    oro_free(names);
    oro_free(path);
    return done;
}

bool oro_any_library(visit_folder *test, void *user)
{
    const char *list = getenv("OROGRAPH_PATH");
    while (list && *list) {
        size_t length = strcspn(list, ":");
        if (length > 0 && test(list, length, user))
            return true;
        list += length + (list[length] == ':');
    }
    char installed[PATH_MAX] = "", *own = oro_user_folder("XDG_DATA_HOME", ".local/share", "orograph");
    bool done = own && strlen(own) < PATH_MAX && visit_library(own, test, user);
    oro_free(own);
    return done || visit_added(test, user) ||
           (oro_installed_folder(installed) && visit_library(installed, test, user)) ||
           visit_data_folders(installed, test, user);
}

struct allowed {
    char place[PATH_MAX], root[PATH_MAX]; /* where the file is, and the folder that it may be in */
};

static bool holds_place(const char *folder, size_t length, void *user)
{
    struct allowed *allowed = user;
    return lies_in(allowed->place, folder, length, allowed->root);
}

/* Whether the file, or the place where it would be made, lies in a folder that documents may use. */
static bool is_allowed(const char *file, const char *folder, size_t length, bool writes,
                       struct allowed *allowed)
{
    char *copy = oro_copy_text(file);
    bool ok = copy && true_place(copy, allowed->place) &&
              (holds_place(folder, length, allowed) || (!writes && oro_any_library(holds_place, allowed)));
    oro_free(copy);
    return ok;
}

/* Whatever becomes of its folders and links, the file is opened in the folder that it was judged by. */
static bool hold(const char *file, const struct allowed *allowed, bool writes, struct oro_error *err)
{
    char *folder = writes ? oro_path_folder(file) : NULL;
    if (writes && !folder)
        return oro_fail(err, ORO_E_MEMORY, "no memory for a path");
    bool ok = oro_walls_hold(writes ? folder : file, allowed->root, writes, err);
    oro_free(folder);
    return ok;
}

struct lookup {
    const char *path;
    char *found;
    bool failed; /* memory is out */
};

static bool holds_file(const char *folder, size_t length, void *user)
{
    struct lookup *lookup = user;
    struct stat info;
    char *file = join(folder, length, lookup->path);
    lookup->failed = !file;
    if (file && stat(file, &info) == 0) {
        lookup->found = file;
        return true;
    }
    oro_free(file);
    return lookup->failed;
}

/* The file beside the document, or in the library when there is none beside it. NULL: memory is out. */
static char *find_file(const char *folder, size_t length, const char *path)
{
    struct stat info;
    struct lookup lookup = {.path = path};
    char *file = join(folder, length, path);
    if (!file || path[0] == '/' || lstat(file, &info) == 0)
        return file;
    oro_any_library(holds_file, &lookup);
    if (!lookup.found && !lookup.failed)
        return file;
    oro_free(file);
    return lookup.found;
}

static bool resolve(const char *document_path, const char *path, bool allow_any, bool writes, char **resolved,
                    struct oro_error *err)
{
    const char *slash = document_path ? strrchr(document_path, '/') : NULL;
    size_t length = slash ? (size_t)(slash - document_path) + 1 : 0;
    struct stat info;
    if (!*path)
        return oro_fail(err, ORO_E_FILE, "the path is empty");
    if (strlen(path) >= PATH_MAX)
        return oro_fail(err, ORO_E_FILE, "'%.100s...' is longer than a path can be", path);
    if (!allow_any && path[0] == '/')
        return oro_fail(
            err, ORO_E_FILE,
            "'%s' is an absolute path: paths are relative to the document (--allow-path allows it)", path);
    if (!allow_any && climbs_out(path))
        return oro_fail(err, ORO_E_FILE, "'%s' leads out of the document's folder (--allow-path allows it)",
                        path);
    char *file = writes ? join(document_path, length, path) : find_file(document_path, length, path);
    if (!file)
        return oro_fail(err, ORO_E_MEMORY, "no memory for a path");
    struct allowed allowed;
    bool ok = allow_any || is_allowed(file, document_path, length, writes, &allowed);
    if (ok && !allow_any)
        ok = hold(file, &allowed, writes, err);
    else if (!ok)
        oro_fail(err, ORO_E_FILE,
                 "'%s' leads out of the document's folder by a link (--allow-path allows it)", path);
    bool there = ok && stat(file, &info) == 0;
    /* What replaces a folder, as a Zarr array does, is asked before it writes (oro_folder_may_write). */
    if (there && !S_ISREG(info.st_mode) && !(S_ISDIR(info.st_mode) && (writes || oro_path_is_array(file))))
        ok = oro_fail(err, ORO_E_FILE, "'%s' is not a regular file", path);
    if (ok)
        *resolved = file;
    else
        oro_free(file);
    return ok;
}

bool oro_resolve_path(const char *document_path, const char *path, bool allow_any, char **resolved,
                      struct oro_error *err)
{
    return resolve(document_path, path, allow_any, false, resolved, err);
}

bool oro_resolve_output(const char *document_path, const char *path, bool allow_any, char **resolved,
                        struct oro_error *err)
{
    return resolve(document_path, path, allow_any, true, resolved, err);
}
