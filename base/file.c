#include "base/file.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/missing.h"
#include "base/text.h"
#include "base/walls.h"

static bool read_stream(FILE *stream, const char *path, size_t limit, void **data, size_t *size,
                        struct oro_error *err)
{
    struct stat info;
    if (fstat(fileno(stream), &info) != 0 || !S_ISREG(info.st_mode))
        return oro_fail(err, ORO_E_FILE, "'%s' is not a regular file", path);
    if ((uintmax_t)info.st_size > limit)
        return oro_fail(err, ORO_E_FILE, "'%s' has %jd bytes; at most %zu are read", path,
                        (intmax_t)info.st_size, limit);
    size_t length = (size_t)info.st_size;
    char *bytes = oro_alloc(length + 1, 1);
    if (!bytes)
        return oro_fail(err, ORO_E_MEMORY, "no memory for the %zu bytes of '%s'", length, path);
    if (fread(bytes, 1, length, stream) != length) {
        oro_free(bytes);
        return oro_fail(err, ORO_E_FILE, "cannot read '%s': it ended early", path);
    }
    *data = bytes;
    *size = length;
    return true;
}

bool oro_file_read(const char *path, size_t limit, void **data, size_t *size, struct oro_error *err)
{
    /* O_NONBLOCK: opening a named pipe must not wait for a writer. */
    int descriptor = oro_walls_open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC, false);
    FILE *stream = descriptor < 0 ? NULL : fdopen(descriptor, "rb");
    if (!stream) {
        int reason = errno;
        if (descriptor >= 0)
            close(descriptor);
        return oro_cannot_read(path, reason, err);
    }
    bool ok = read_stream(stream, path, limit, data, size, err);
    fclose(stream);
    return ok;
}

bool oro_stream_read(FILE *stream, const char *name, size_t limit, void **data, size_t *size,
                     struct oro_error *err)
{
    char *bytes = NULL;
    size_t length = 0, room = 0;
    while (!feof(stream) && !ferror(stream) && length <= limit) {
        void *more = bytes;
        bool fits = oro_reserve(&more, &room, length + (1 << 16), 1);
        bytes = more;
        if (!fits) {
            oro_free(bytes);
            return oro_fail(err, ORO_E_MEMORY, "no memory for what comes from %s", name);
        }
        length += fread(bytes + length, 1, room - length - 1, stream);
    }
    bool ok = true;
    if (ferror(stream))
        ok = oro_fail(err, ORO_E_FILE, "cannot read %s: %s", name, strerror(errno));
    else if (length > limit)
        ok = oro_fail(err, ORO_E_FILE, "%s goes on for more than %zu bytes", name, limit);
    if (!ok) {
        oro_free(bytes);
        return false;
    }
    bytes[length] = '\0';
    *data = bytes;
    *size = length;
    return true;
}

char *oro_path_folder(const char *path)
{
    char *folder = oro_copy_text(path);
    char *slash = folder ? strrchr(folder, '/') : NULL;
    if (slash)
        slash[slash == folder] = '\0';
    else if (folder) {
        oro_free(folder);
        folder = oro_copy_text(".");
    }
    return folder;
}

static bool make_folder(const char *path, struct oro_error *err)
{
    struct stat info;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return true;
    int above = oro_folder_open_for(path, err);
    if (above < 0)
        return false;
    bool made = mkdirat(above, oro_path_name(path), 0777) == 0;
    int reason = errno;
    close(above);
    if (made || (stat(path, &info) == 0 && S_ISDIR(info.st_mode)))
        return true;
    return oro_fail(err, ORO_E_WRITE, "cannot make the folder '%s': %s", path, strerror(reason));
}

bool oro_make_folders(const char *path, struct oro_error *err)
{
    char *partial = oro_copy_text(path);
    if (!partial)
        return oro_fail(err, ORO_E_MEMORY, "no memory for a path");
    bool ok = true;
    for (char *s = partial + 1; ok && *partial; s++) { /* nothing to do for "" */
        if (*s != '/' && *s != '\0')
            continue;
        char kept = *s;
        *s = '\0';
        ok = make_folder(partial, err);
        *s = kept;
        if (kept == '\0')
            break;
    }
    oro_free(partial);
    return ok;
}

char *oro_path_true(const char *path)
{
    char *found = realpath(path, NULL);
    struct oro_text place = {0};
    if (found) {
        oro_text_add(&place, found);
    } else {
        char *folder = oro_path_folder(path);
        const char *slash = strrchr(path, '/');
        found = folder ? realpath(folder, NULL) : NULL;
        oro_free(folder);
        if (!found)
            return NULL;
        oro_text_addf(&place, "%s/%s", strcmp(found, "/") == 0 ? "" : found, slash ? slash + 1 : path);
    }
    free(found);
    return oro_text_take(&place);
}

char *oro_path_place(const char *path)
{
    char *place = oro_path_true(path);
    const char *slash = strrchr(path, '/');
    if (place || !slash || slash == path)
        return place;
    char *folder = oro_path_folder(path), *above = folder ? oro_path_place(folder) : NULL;
    struct oro_text text = {0};
    if (above)
        oro_text_addf(&text, "%s%s", above, slash);
    oro_free(folder);
    oro_free(above);
    return oro_text_take(&text);
}

bool oro_path_same(const char *a, const char *b)
{
    char *first = oro_path_true(a), *second = oro_path_true(b);
    bool same = first && second && strcmp(first, second) == 0;
    oro_free(first);
    oro_free(second);
    return same;
}

bool oro_path_is_array(const char *path)
{
    static const char *const heads[] = {".zgroup", ".zarray"};
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool described = folder >= 0 &&
                     (faccessat(folder, heads[0], F_OK, 0) == 0 || faccessat(folder, heads[1], F_OK, 0) == 0);
    if (folder >= 0)
        close(folder);
    return described;
}

bool oro_path_is_pattern(const char *path)
{
    const char *name = oro_path_name(path);
    return strstr(name, "{x}") && strstr(name, "{y}");
}

struct oro_stamp oro_stamp_of(const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return (struct oro_stamp){0};
    return (struct oro_stamp){.seconds = info.st_mtim.tv_sec,
                              .nanoseconds = info.st_mtim.tv_nsec,
                              .size = (uint64_t)info.st_size,
                              .inode = (uint64_t)info.st_ino};
}

bool oro_stamp_equal(const struct oro_stamp *a, const struct oro_stamp *b)
{
    return a->seconds == b->seconds && a->nanoseconds == b->nanoseconds && a->size == b->size &&
           a->inode == b->inode;
}

const char *oro_path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *oro_path_extension(const char *path)
{
    const char *name = strrchr(path, '/');
    const char *dot = strrchr(name ? name : path, '.');
    return dot ? dot + 1 : "";
}

bool oro_path_ends_in(const char *path, const char *const *extensions)
{
    const char *extension = oro_path_extension(path);
    while (*extensions && strcasecmp(extension, *extensions) != 0)
        extensions++;
    return *extensions;
}

char *oro_path_beside(const char *base, const char *path)
{
    const char *slash = base ? strrchr(base, '/') : NULL;
    if (path[0] == '/' || !slash)
        return oro_copy_text(path);
    struct oro_text joined = {0};
    oro_text_add_bytes(&joined, base, (size_t)(slash - base) + 1);
    oro_text_add(&joined, path);
    return oro_text_take(&joined);
}

char *oro_user_folder(const char *variable, const char *standard, const char *rest)
{
    const char *own = getenv(variable), *home = getenv("HOME");
    struct oro_text path = {0};
    if (own && own[0] == '/')
        oro_text_addf(&path, "%s/%s", own, rest);
    else if (home && home[0] == '/')
        oro_text_addf(&path, "%s/%s/%s", home, standard, rest);
    return oro_text_take(&path);
}

char *oro_cache_place(void)
{
    const char *own = getenv("OROGRAPH_CACHE");
    return own && own[0] ? oro_copy_text(own) : oro_user_folder("XDG_CACHE_HOME", ".cache", "orograph");
}
