/* Files that are written: under a temporary name in their folder, which stays open from the beginning to the
 * renaming, so that nothing lands elsewhere if that folder is moved or exchanged meanwhile. */
#define _GNU_SOURCE /* for O_PATH, renameat2 and sync_file_range, which only Linux has */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/temporary.h"
#include "base/text.h"
#include "base/walls.h"

#ifndef O_PATH
#define O_PATH O_RDONLY
#endif

/* ---- What may be replaced ---- */

/* rename() would replace a device, a pipe or a write-protected file as readily as any other. */
static bool is_replaceable(int folder, const char *path, struct oro_error *err)
{
    struct stat info;
    if (fstatat(folder, oro_path_name(path), &info, 0) != 0)
        return true;
    if (S_ISREG(info.st_mode))
        return faccessat(folder, oro_path_name(path), W_OK, 0) == 0 ||
               oro_fail(err, ORO_E_WRITE, "cannot write '%s': the file is read-only", path);
    return oro_fail(err, ORO_E_WRITE, "cannot write '%s': it is %s", path,
                    S_ISDIR(info.st_mode) ? "a folder" : "not a regular file");
}

int oro_folder_open_for(const char *path, struct oro_error *err)
{
    char *place = oro_path_folder(path);
    if (!place) {
        oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", path);
        return -1;
    }
    errno = ENOENT;
    int folder = path[0] ? oro_walls_open(place, O_PATH | O_DIRECTORY | O_CLOEXEC, true) : -1;
    if (folder < 0)
        oro_fail(err, ORO_E_WRITE, "cannot write '%s': %s", path, strerror(errno));
    oro_free(place);
    return folder;
}

bool oro_file_may_write(const char *path, struct oro_error *err)
{
    struct stat info;
    int folder = oro_folder_open_for(path, err), reason = 0;
    if (folder < 0)
        return false;
    if (faccessat(folder, ".", W_OK | X_OK, 0) != 0 ||
        (fstatat(folder, oro_path_name(path), &info, 0) != 0 && errno == ENAMETOOLONG))
        reason = errno;
    bool ok = reason ? oro_fail(err, ORO_E_WRITE, "cannot write '%s': %s", path, strerror(reason))
                     : is_replaceable(folder, path, err);
    close(folder);
    return ok;
}

/* ---- Names that change hands ---- */

static bool exchange(int from_folder, const char *from, int to_folder, const char *to)
{
#ifdef RENAME_EXCHANGE
    return renameat2(from_folder, from, to_folder, to, RENAME_EXCHANGE) == 0;
#else
    errno = ENOSYS;
    return false;
#endif
}

/* Where the file system cannot exchange names: a second name keeps the older file, and a folder, which can
 * have one name only, is put aside. False: errno says why. */
static bool replace_slowly(int from_folder, const char *from, int to_folder, const char *to,
                           enum oro_replaced *replaced)
{
    char aside[256];
    bool fits = snprintf(aside, sizeof aside, "%s~", from) < (int)sizeof aside;
    bool linked = fits && linkat(to_folder, to, from_folder, aside, 0) == 0;
    bool moved = fits && !linked && errno == EPERM && renameat(to_folder, to, from_folder, aside) == 0;
    if (renameat(from_folder, from, to_folder, to) != 0) {
        int reason = errno;
        if (moved)
            renameat(from_folder, aside, to_folder, to);
        else if (linked)
            unlinkat(from_folder, aside, 0);
        errno = reason;
        return false;
    }
    bool kept = (linked || moved) && renameat(from_folder, aside, from_folder, from) == 0;
    *replaced = kept ? ORO_REPLACED_KEPT : ORO_REPLACED_LOST;
    return true;
}

bool oro_replace(int from_folder, const char *from, int to_folder, const char *to,
                 enum oro_replaced *replaced)
{
    struct stat new, old;
    *replaced = ORO_REPLACED_NOTHING;
    if (fstatat(to_folder, to, &old, AT_SYMLINK_NOFOLLOW) != 0)
        return renameat(from_folder, from, to_folder, to) == 0;
    if (fstatat(from_folder, from, &new, AT_SYMLINK_NOFOLLOW) != 0)
        return false;
    if (S_ISDIR(new.st_mode) != S_ISDIR(old.st_mode)) { /* an exchange would not mind */
        errno = S_ISDIR(old.st_mode) ? EISDIR : ENOTDIR;
        return false;
    }
    *replaced = ORO_REPLACED_KEPT;
    return exchange(from_folder, from, to_folder, to) ||
           replace_slowly(from_folder, from, to_folder, to, replaced);
}

void oro_replace_back(int from_folder, const char *from, int to_folder, const char *to,
                      enum oro_replaced replaced)
{
    if (replaced == ORO_REPLACED_NOTHING)
        renameat(to_folder, to, from_folder, from);
    else if (replaced == ORO_REPLACED_KEPT && !exchange(from_folder, from, to_folder, to))
        renameat(from_folder, from, to_folder, to);
}

/* Without it, a name may be lost with the power although the file is on the disk. A system that cannot do it
 * is no failure: the file has its name. */
void oro_folder_sync(int folder)
{
    int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (again < 0)
        return;
    fsync(again);
    close(again);
}

/* ---- One file ---- */

static void forget(struct oro_file_output *output)
{
    if (output->path && !output->shares_folder)
        close(output->folder);
    oro_free(output->path);
    oro_free(output->temporary);
    *output = (struct oro_file_output){0};
}

/* Opens it under a temporary name, with the permissions of the file that it will replace; else the system
 * applies the user's mask, which no program can ask for without changing it. */
static bool open_temporary(struct oro_file_output *output)
{
    struct stat info;
    const char *name = oro_path_name(output->path), *temporary = oro_path_name(output->temporary);
    bool replaces = fstatat(output->folder, name, &info, 0) == 0;
    mode_t mode = replaces ? info.st_mode & 0777 : 0666;
    int descriptor =
        openat(output->draft, temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (descriptor < 0)
        return false;
    if (replaces)
        fchmod(descriptor, mode);
    output->stream = fdopen(descriptor, "wb");
    if (output->stream)
        return true;
    int reason = errno;
    close(descriptor);
    unlinkat(output->draft, temporary, 0);
    errno = reason;
    return false;
}

static bool begin(struct oro_file_output *output, const char *path, struct oro_error *err)
{
    struct oro_text temporary = {0};
    const char *name = oro_path_name(path);
    output->draft = output->folder;
    oro_text_add_bytes(&temporary, path, (size_t)(name - path));
    oro_temporary_name(&temporary, name);
    output->temporary = temporary.data;
    output->path = oro_copy_text(path);
    if (!output->path || temporary.failed)
        return oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", path);
    return is_replaceable(output->folder, path, err) &&
           (open_temporary(output) ||
            oro_fail(err, ORO_E_WRITE, "cannot write '%s': %s", path, strerror(errno)));
}

bool oro_file_begin(struct oro_file_output *output, const char *path, struct oro_error *err)
{
    *output = (struct oro_file_output){.folder = oro_folder_open_for(path, err)};
    if (output->folder < 0) {
        *output = (struct oro_file_output){0};
        return false;
    }
    oro_temporary_sweep(output->folder);
    if (begin(output, path, err))
        return true;
    if (!output->path)
        close(output->folder);
    forget(output);
    return false;
}

bool oro_file_begin_in(struct oro_file_output *output, int folder, const char *path, struct oro_error *err)
{
    *output = (struct oro_file_output){.folder = folder, .shares_folder = true};
    if (begin(output, path, err))
        return true;
    forget(output);
    return false;
}

bool oro_file_adopt(struct oro_file_output *output, int draft, const char *name, int folder, const char *path,
                    struct oro_error *err)
{
    *output = (struct oro_file_output){.path = oro_copy_text(path),
                                       .temporary = oro_copy_text(name),
                                       .folder = folder,
                                       .draft = draft,
                                       .shares_folder = true};
    if (output->path && output->temporary)
        return true;
    forget(output);
    return oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", path);
}

static bool give_up(struct oro_file_output *output, int reason, struct oro_error *err)
{
    unlinkat(output->draft, oro_path_name(output->temporary), 0);
    oro_fail(err, ORO_E_WRITE, "cannot write '%s': %s", output->path,
             reason ? strerror(reason) : "the disk did not take it");
    forget(output);
    return false;
}

bool oro_file_flush(struct oro_file_output *output, struct oro_error *err)
{
    errno = 0;
    if (fflush(output->stream) != 0 || ferror(output->stream)) {
        int reason = errno;
        fclose(output->stream);
        output->stream = NULL;
        return give_up(output, reason, err);
    }
#ifdef __linux__
    sync_file_range(fileno(output->stream), 0, 0, SYNC_FILE_RANGE_WRITE);
#endif
    return true;
}

bool oro_file_seal(struct oro_file_output *output, struct oro_error *err)
{
    errno = 0;
    bool ok = fflush(output->stream) == 0 && !ferror(output->stream) && fsync(fileno(output->stream)) == 0;
    int reason = errno;
    if (fclose(output->stream) != 0 && ok) {
        ok = false;
        reason = errno;
    }
    output->stream = NULL;
    return ok || give_up(output, reason, err);
}

bool oro_file_commit(struct oro_file_output *output, struct oro_error *err)
{
    if (output->stream && !oro_file_seal(output, err))
        return false;
    if (renameat(output->draft, oro_path_name(output->temporary), output->folder,
                 oro_path_name(output->path)) != 0)
        return give_up(output, errno, err);
    oro_folder_sync(output->folder);
    forget(output);
    return true;
}

void oro_file_abort(struct oro_file_output *output)
{
    if (!output->temporary)
        return;
    if (output->stream)
        fclose(output->stream);
    unlinkat(output->draft, oro_path_name(output->temporary), 0);
    forget(output);
}

bool oro_file_write(const char *path, const void *data, size_t size, struct oro_error *err)
{
    struct oro_file_output output;
    if (!oro_file_begin(&output, path, err))
        return false;
    if (fwrite(data, 1, size, output.stream) != size) {
        int reason = errno;
        oro_file_abort(&output);
        return oro_fail(err, ORO_E_WRITE, "cannot write '%s': %s", path, strerror(reason));
    }
    return oro_file_commit(&output, err);
}

/* ---- Several files ---- */

static bool place(struct oro_file_output *output, struct oro_error *err)
{
    const char *from = oro_path_name(output->temporary), *to = oro_path_name(output->path);
    output->placed = oro_replace(output->draft, from, output->folder, to, &output->replaced);
    return output->placed ||
           oro_fail(err, ORO_E_WRITE, "cannot write '%s': %s", output->path, strerror(errno));
}

/* The older file, or nothing, gets its name back. */
static void take_back(struct oro_file_output *output)
{
    if (output->placed)
        oro_replace_back(output->draft, oro_path_name(output->temporary), output->folder,
                         oro_path_name(output->path), output->replaced);
    output->placed = false;
}

bool oro_files_place(struct oro_file_output *files, size_t count, struct oro_error *err)
{
    for (size_t left = count; left > 0; left--)
        if (!place(&files[left - 1], err)) {
            oro_files_take_back(files, count);
            return false;
        }
    return true;
}

void oro_files_take_back(struct oro_file_output *files, size_t count)
{
    for (size_t i = 0; i < count; i++)
        take_back(&files[i]);
}

/* What is left under temporary names are older files, or those that were taken back. */
void oro_files_end(struct oro_file_output *files, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (files[i].placed && !files[i].shares_folder)
            oro_folder_sync(files[i].folder);
        oro_file_abort(&files[i]);
    }
}
