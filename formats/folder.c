#include "formats/folder.h"

#include <errno.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/folder_digest.h"
#include "base/memory.h"
#include "base/temporary.h"
#include "base/text.h"

char *oro_folder_path(const char *folder, const char *name)
{
    return oro_text_of("%s/%s", folder, name);
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
    static const char *const known[] = {".zarray", ".zattrs", ".zgroup", ".zmetadata", NULL};
    return oro_find_word(name, known) >= 0 ||
           (strspn(name, "0123456789.") == strlen(name) && oro_is_digit(name[0]));
}

static bool has_zarr_name(void *user, const char *path, const char *name, struct oro_error *err)
{
    (void)user;
    (void)path;
    (void)err;
    return is_zarr_name(oro_path_name(name));
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
    return (oro_path_is_array(path) && oro_folder_visit(path, has_zarr_name, NULL, NULL)) ||
           oro_fail(err, ORO_E_WRITE,
                    "cannot write '%s': it is a folder that holds other files than those of a Zarr array",
                    path);
}

/* ---- Before it gets its name ---- */

/* Has a file on the disk. */
static bool sync_file(void *user, const char *path, const char *name, struct oro_error *err)
{
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    bool ok = (file >= 0 && fsync(file) == 0) ||
              oro_fail(err, ORO_E_WRITE, "cannot write '%s': %s", (const char *)user, strerror(errno));
    (void)name;
    if (file >= 0)
        close(file);
    return ok;
}

bool oro_folder_sync_files(const char *temporary, const char *path, struct oro_error *err)
{
    return oro_folder_visit(temporary, sync_file, (void *)path, err);
}

bool oro_folder_settle(const char *temporary, const char *path, struct oro_error *err)
{
    return oro_folder_may_write(path, err) && oro_folder_sync_files(temporary, path, err);
}
