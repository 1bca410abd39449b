#include "base/file_digest.h"

#include <errno.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/folder_digest.h"
#include "base/memory.h"
#include "base/missing.h"
#include "base/transfer.h"
#include "base/walls.h"

enum { PART_BYTES = 1 << 20, PIECES = 256, PIECE_BYTES = 1 << 14 };

/* A global: a test's files are smaller. */
static uint64_t large_from = ORO_SAMPLED_BYTES;

bool oro_open_file_digest(int file, const char *path, struct oro_hash *digest, struct oro_error *err)
{
    struct oro_hasher *hasher = oro_hasher_create();
    unsigned char *part = oro_alloc(PART_BYTES, 1);
    bool ok = (hasher && part) || oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", path);
    for (uint64_t done = 0; ok;) {
        ssize_t got = oro_read_at(file, part, PART_BYTES, done);
        if (got < 0)
            ok = oro_fail(err, ORO_E_FILE, "cannot read '%s': %s", path, strerror(errno));
        if (got <= 0)
            break;
        oro_hash_part(hasher, part, (size_t)got);
        done += (uint64_t)got;
    }
    if (hasher)
        *digest = oro_hasher_end(hasher);
    oro_free(part);
    return ok;
}

/* O_NONBLOCK: opening a named pipe must not wait for a writer. */
static int open_file(const char *path, struct oro_error *err)
{
    struct stat info;
    int file = oro_walls_open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC, false);
    if (file < 0)
        oro_cannot_read(path, errno, err);
    if (file < 0 || (fstat(file, &info) == 0 && S_ISREG(info.st_mode)))
        return file;
    close(file);
    oro_fail(err, ORO_E_FILE, "'%s' is not a regular file", path);
    return -1;
}

static bool digest_file(const char *path, struct oro_hash *digest, struct oro_error *err)
{
    int file = open_file(path, err);
    bool ok = file >= 0 && oro_open_file_digest(file, path, digest, err);
    if (file >= 0)
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

/* ---- Samples ---- */

void oro_sample_from(uint64_t bytes)
{
    large_from = bytes ? bytes : ORO_SAMPLED_BYTES;
}

struct sampling {
    struct oro_hasher *hasher;
    unsigned char *piece;
    uint64_t bytes, files, number; /* of a folder: all of it, and the file that is looked at */
};

static bool begin_sample(struct sampling *sampling, const char *path, struct oro_error *err)
{
    sampling->hasher = oro_hasher_create();
    sampling->piece = oro_alloc(PIECE_BYTES, 1);
    return (sampling->hasher && sampling->piece) ||
           oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", path);
}

static struct oro_hash end_sample(struct sampling *sampling)
{
    oro_free(sampling->piece);
    return sampling->hasher ? oro_hasher_end(sampling->hasher) : (struct oro_hash){0};
}

static bool add_piece(struct sampling *sampling, int file, uint64_t at, const char *path,
                      struct oro_error *err)
{
    ssize_t got = oro_read_at(file, sampling->piece, PIECE_BYTES, at);
    if (got < 0)
        return oro_fail(err, ORO_E_FILE, "cannot read '%s': %s", path, strerror(errno));
    oro_hash_bytes(sampling->hasher, sampling->piece, (size_t)got);
    return true;
}

bool oro_open_file_sample(int file, const char *path, bool *large, struct oro_hash *sample,
                          struct oro_error *err)
{
    struct stat info;
    struct sampling sampling = {0};
    if (fstat(file, &info) != 0)
        return oro_fail(err, ORO_E_FILE, "cannot read '%s': %s", path, strerror(errno));
    *large = (uint64_t)info.st_size >= large_from;
    if (!*large)
        return true;
    uint64_t last = info.st_size > PIECE_BYTES ? (uint64_t)info.st_size - PIECE_BYTES : 0;
    bool ok = begin_sample(&sampling, path, err);
    if (ok)
        oro_hash_int(sampling.hasher, info.st_size);
    for (unsigned i = 0; ok && i < PIECES; i++)
        ok = add_piece(&sampling, file, last / (PIECES - 1) * i + last % (PIECES - 1) * i / (PIECES - 1),
                       path, err);
    *sample = end_sample(&sampling);
    return ok;
}

static bool sample_file(const char *path, bool *large, struct oro_hash *sample, struct oro_error *err)
{
    int file = open_file(path, err);
    bool ok = file >= 0 && oro_open_file_sample(file, path, large, sample, err);
    if (file >= 0)
        close(file);
    return ok;
}

static bool count_chunk(void *user, const char *path, const char *name, struct oro_error *err)
{
    struct sampling *sampling = user;
    (void)name;
    (void)err;
    sampling->bytes += oro_stamp_of(path).size;
    sampling->files++;
    return true;
}

static bool sample_chunk(void *user, const char *path, const char *name, struct oro_error *err)
{
    struct sampling *sampling = user;
    uint64_t number = sampling->number++, files = sampling->files;
    bool chosen = number * PIECES / files != (number + 1) * PIECES / files;
    oro_hash_string(sampling->hasher, name);
    oro_hash_int(sampling->hasher, (int64_t)oro_stamp_of(path).size);
    if (!chosen && oro_path_name(name)[0] != '.')
        return true;
    int file = open_file(path, err);
    bool ok = file >= 0 && add_piece(sampling, file, 0, path, err);
    if (file >= 0)
        close(file);
    return ok;
}

bool oro_file_sample_of(const char *path, bool *large, struct oro_hash *sample, struct oro_error *err)
{
    struct sampling sampling = {0};
    if (!oro_path_is_array(path))
        return sample_file(path, large, sample, err);
    if (!oro_folder_visit(path, count_chunk, &sampling, err))
        return false;
    *large = sampling.bytes >= large_from;
    if (!*large)
        return true;
    bool ok = begin_sample(&sampling, path, err) && oro_folder_visit(path, sample_chunk, &sampling, err);
    *sample = end_sample(&sampling);
    return ok;
}
