#include "base/file_digest.h"

#include <errno.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/folder_digest.h"
#include "base/memory.h"
#include "base/walls.h"

enum { PART_BYTES = 1 << 20 };

bool oro_open_file_digest(int file, const char *path, struct oro_hash *digest, struct oro_error *err)
{
    struct oro_hasher *hasher = oro_hasher_create();
    unsigned char *part = oro_alloc(PART_BYTES, 1);
    bool ok = (hasher && part) || oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", path);
    for (off_t done = 0; ok;) {
        ssize_t got = pread(file, part, PART_BYTES, done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            ok = oro_fail(err, ORO_E_FILE, "cannot read '%s': %s", path, strerror(errno));
        if (got <= 0)
            break;
        oro_hash_part(hasher, part, (size_t)got);
        done += got;
    }
    if (hasher)
        *digest = oro_hasher_end(hasher);
    oro_free(part);
    return ok;
}

/* O_NONBLOCK: opening a named pipe must not wait for a writer. */
static bool digest_file(const char *path, struct oro_hash *digest, struct oro_error *err)
{
    struct stat info;
    int file = oro_walls_open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC, false);
    if (file < 0)
        return oro_fail(err, ORO_E_FILE, "cannot read '%s': %s", path, strerror(errno));
    bool ok = (fstat(file, &info) == 0 && S_ISREG(info.st_mode)) ||
              oro_fail(err, ORO_E_FILE, "'%s' is not a regular file", path);
    ok = ok && oro_open_file_digest(file, path, digest, err);
    close(file);
    return ok;
}

static bool add_chunk(void *user, const char *path, const char *name, struct oro_error *err)
{
    struct oro_hasher *hasher = user;
    struct oro_hash digest;
    oro_hash_string(hasher, name);
    if (!digest_file(path, &digest, err))
        return false;
    oro_hash_digest(hasher, digest);
    return true;
}

bool oro_file_digest_of(const char *path, struct oro_hash *digest, struct oro_error *err)
{
    if (!oro_path_is_array(path))
        return digest_file(path, digest, err);
    struct oro_hasher *hasher = oro_hasher_create();
    if (!hasher)
        return oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", path);
    bool ok = oro_folder_visit(path, add_chunk, hasher, err);
    *digest = oro_hasher_end(hasher);
    return ok;
}
