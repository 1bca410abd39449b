#include "graph/plan/file_digests.h"

#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"

enum { INPUT_FILE_MAX_MIB = 8192, KEPT_MAX = 256 };

struct stamps {
    struct oro_stamp file, sidecar;
};

struct kept {
    char *path;
    struct stamps stamps;
    struct oro_hash digest;
};

struct oro_file_digests {
    struct kept items[KEPT_MAX];
    size_t count, next; /* `next` is the one to be replaced when all are in use */
};

struct oro_file_digests *oro_file_digests_create(void)
{
    return oro_alloc(1, sizeof(struct oro_file_digests));
}

void oro_file_digests_destroy(struct oro_file_digests *digests)
{
    for (size_t i = 0; digests && i < digests->count; i++)
        oro_free(digests->items[i].path);
    oro_free(digests);
}

/* ---- Reading ---- */

static bool add_file(struct oro_hasher *hasher, const char *path, bool required, struct oro_error *err)
{
    void *data = NULL;
    size_t size = 0;
    struct oro_error problem = {0};
    if (!oro_file_read(path, (size_t)INPUT_FILE_MAX_MIB << 20, &data, &size, &problem))
        return (!required && problem.code == ORO_E_FILE) || oro_fail(err, problem.code, "%s", problem.text);
    oro_hash_bytes(hasher, data, size);
    oro_free(data);
    return true;
}

static bool read_both(const char *path, const char *sidecar, struct oro_hash *digest, struct oro_error *err)
{
    struct oro_hasher *hasher = oro_hasher_create();
    if (!hasher)
        return oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", path);
    bool ok = add_file(hasher, path, true, err) && add_file(hasher, sidecar, false, err);
    *digest = oro_hasher_end(hasher);
    return ok;
}

/* ---- Keeping ---- */

static bool same_stamps(const struct stamps *a, const struct stamps *b)
{
    return oro_stamp_equal(&a->file, &b->file) && oro_stamp_equal(&a->sidecar, &b->sidecar);
}

/* A missing file has a stamp of zero. */
static bool is_settled(const struct stamps *stamps)
{
    int64_t latest = (int64_t)time(NULL) - ORO_FILE_SETTLED_SECONDS;
    return stamps->file.seconds < latest && stamps->sidecar.seconds < latest;
}

static struct kept *find(struct oro_file_digests *digests, const char *path)
{
    for (size_t i = 0; i < digests->count; i++)
        if (strcmp(digests->items[i].path, path) == 0)
            return &digests->items[i];
    return NULL;
}

/* Replaces the digest of the same file, or the oldest one. Does nothing if memory is out. */
static void keep(struct oro_file_digests *digests, const char *path, const struct stamps *stamps,
                 struct oro_hash digest)
{
    struct kept *kept = find(digests, path);
    char *own = oro_copy_text(path);
    if (!own)
        return;
    if (!kept && digests->count < KEPT_MAX)
        kept = &digests->items[digests->count++];
    else if (!kept)
        kept = &digests->items[digests->next++ % KEPT_MAX];
    oro_free(kept->path);
    *kept = (struct kept){own, *stamps, digest};
}

bool oro_file_digest(struct oro_file_digests *digests, const char *path, struct oro_hash *digest,
                     struct oro_error *err)
{
    struct oro_text sidecar = {0};
    oro_text_addf(&sidecar, "%s.json", path);
    if (sidecar.failed)
        return oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", path);
    /* The stamps are taken first, so that a change while the file is read is noticed the next time. */
    struct stamps now = {oro_stamp_of(path), oro_stamp_of(sidecar.data)};
    bool settled = digests && is_settled(&now);
    const struct kept *kept = settled ? find(digests, path) : NULL;
    bool known = kept && same_stamps(&kept->stamps, &now);
    bool ok = known || read_both(path, sidecar.data, digest, err);
    if (known)
        *digest = kept->digest;
    else if (ok && settled)
        keep(digests, path, &now, *digest);
    oro_text_free(&sidecar);
    return ok;
}
