#include "formats/folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/temporary.h"
#include "base/text.h"

enum { DEPTH = 3 };

char *oro_folder_path(const char *folder, const char *name)
{
    struct oro_text path = {0};
    oro_text_addf(&path, "%s/%s", folder, name);
    if (path.failed)
        oro_text_free(&path);
    return path.data;
}

char *oro_folder_make(const char *path, struct oro_error *err)
{
    struct oro_text name = {0};
    int parent = oro_folder_open_for(path, err);
    if (parent < 0)
        return NULL;
    oro_temporary_sweep(parent);
    size_t before = strlen(path) - strlen(oro_path_name(path));
    oro_text_add_bytes(&name, path, before);
    oro_temporary_name(&name, path + before);
    bool ok = !name.failed || oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", path);
    if (ok && mkdirat(parent, name.data + before, 0777) != 0)
        ok = oro_fail(err, ORO_E_WRITE, "cannot write '%s': %s", path, strerror(errno));
    close(parent);
    if (ok)
        return name.data;
    oro_text_free(&name);
    return NULL;
}

void oro_folder_remove(const char *path)
{
    oro_remove_all(AT_FDCWD, path);
}

/* ---- What may be replaced ---- */

/* Names of a chunk, "12.0", and of what describes an array or a group. */
static bool is_zarr_name(const char *name)
{
    static const char *const known[] = {".zarray", ".zattrs", ".zgroup", ".zmetadata"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(name, known[i]) == 0)
            return true;
    return strspn(name, "0123456789.") == strlen(name) && oro_is_digit(name[0]);
}

/* Whether the folder, and those in it down to `depth`, hold only such files. */
static bool holds_only_zarr(int folder, int depth)
{
    DIR *stream = fdopendir(folder);
    bool only = stream != NULL;
    if (!stream)
        close(folder);
    for (const struct dirent *entry; only && (entry = readdir(stream));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        int inner = openat(dirfd(stream), entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (inner < 0)
            only = is_zarr_name(entry->d_name);
        else if (depth > 0)
            only = holds_only_zarr(inner, depth - 1); /* NOLINT(misc-no-recursion): as deep as DEPTH */
        else
            only = close(inner) != 0;
    }
    if (stream)
        closedir(stream);
    return only;
}

static bool is_zarr(const char *path)
{
    int folder = oro_path_is_array(path) ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    return folder >= 0 && holds_only_zarr(folder, DEPTH - 1);
}

bool oro_folder_may_write(const char *path, struct oro_error *err)
{
    struct stat info;
    if (lstat(path, &info) != 0)
        return oro_file_may_write(path, err); /* the name is free */
    if (!S_ISDIR(info.st_mode))
        return oro_fail(err, ORO_E_WRITE, "cannot write '%s': it is no folder", path);
    if (access(path, W_OK | X_OK) != 0)
        return oro_fail(err, ORO_E_WRITE, "cannot write '%s': %s", path, strerror(errno));
    return is_zarr(path) ||
           oro_fail(err, ORO_E_WRITE,
                    "cannot write '%s': it is a folder that holds other files than those of a Zarr array",
                    path);
}

/* ---- Before it gets its name ---- */

/* Has every file on the disk, down to `depth` folders. False: errno says why. */
static bool sync_files(int folder, int depth)
{
    DIR *stream = fdopendir(folder);
    bool ok = stream != NULL;
    if (!stream)
        close(folder);
    for (const struct dirent *entry; ok && (entry = readdir(stream));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        struct stat info;
        int inner = openat(dirfd(stream), entry->d_name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
        ok = inner >= 0 && fstat(inner, &info) == 0;
        if (ok && S_ISDIR(info.st_mode) && depth > 0) {
            ok = sync_files(inner, depth - 1); /* NOLINT(misc-no-recursion): as deep as DEPTH */
            continue;
        }
        ok = ok && fsync(inner) == 0;
        if (inner >= 0)
            close(inner);
    }
    if (stream)
        closedir(stream);
    return ok;
}

bool oro_folder_settle(const char *temporary, const char *path, struct oro_error *err)
{
    if (!oro_folder_may_write(path, err))
        return false;
    int folder = open(temporary, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return (folder >= 0 && sync_files(folder, DEPTH - 1)) ||
           oro_fail(err, ORO_E_WRITE, "cannot write '%s': %s", path, strerror(errno));
}
