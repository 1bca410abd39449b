#define _GNU_SOURCE /* for SEEK_DATA */
#include "graph/plan/file_digests.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder_digest.h"
#include "base/memory.h"
#include "base/missing.h"
#include "base/parallel.h"
#include "base/text.h"
#include "base/transfer.h"
#include "base/walls.h"
#include "graph/cache/notes.h"
#include "graph/type/registry.h"

enum { KEPT_MAX = 256, BLOCK_BYTES = 1 << 24 };

enum subject { DIGEST, COMPANIONS, SITE };

struct known {
    enum subject subject;
    char *name;                /* of the file, or of the node's type and params */
    struct oro_file_list from; /* what it was learnt from */
    bool is_array;
    struct oro_hash digest, stamp; /* `stamp` of all files in it */
    oro_companions *companions;    /* who told the other files */
    struct oro_file_list others;
    struct oro_site site;
};

struct oro_file_digests {
    struct known items[KEPT_MAX];
    size_t count, next; /* `next` is the one to be replaced when all are in use */
    bool notes;         /* on disk, of digests of large files */
    char *folder;       /* where; NULL: the user's cache folder */
    int64_t note_bytes; /* that a large file has at least */
};

struct oro_file_digests *oro_file_digests_create(void)
{
    return oro_alloc(1, sizeof(struct oro_file_digests));
}

static void forget(struct known *known)
{
    oro_free(known->name);
    oro_free(known->site.place.crs);
    oro_file_list_free(&known->from);
    oro_file_list_free(&known->others);
    *known = (struct known){0};
}

void oro_file_digests_destroy(struct oro_file_digests *digests)
{
    for (size_t i = 0; digests && i < digests->count; i++)
        forget(&digests->items[i]);
    if (digests)
        oro_free(digests->folder);
    oro_free(digests);
}

void oro_file_digests_note(struct oro_file_digests *digests, const char *folder, int64_t least)
{
    oro_free(digests->folder);
    digests->folder = folder && folder[0] ? oro_copy_text(folder) : NULL;
    digests->notes = !folder || digests->folder;
    digests->note_bytes = least;
}

/* ---- Keeping ---- */

/* `like` has the subject and who tells it. */
static struct known *find(struct oro_file_digests *digests, const struct known *like, const char *name)
{
    for (size_t i = 0; digests && i < digests->count; i++) {
        struct known *known = &digests->items[i];
        if (known->subject == like->subject && known->companions == like->companions &&
            strcmp(known->name, name) == 0)
            return known;
    }
    return NULL;
}

/* What is known and still true; NULL: nothing. */
static bool is_as_known(const struct known *known, const char *name)
{
    struct oro_hash stamp;
    int64_t latest;
    return oro_file_list_same(&known->from) &&
           (!known->is_array ||
            (oro_folder_stamp(name, &stamp, &latest, NULL) && oro_hash_equal(stamp, known->stamp)));
}

static const struct known *recall(struct oro_file_digests *digests, const struct known *like,
                                  const char *name, struct oro_file_list *read)
{
    const struct known *known = find(digests, like, name);
    if (!known || !is_as_known(known, name))
        return NULL;
    if (read)
        oro_file_list_add_all(read, &known->from);
    return known;
}

/* Takes over what was learnt, in the place of what was known of the same, or of the oldest. Keeps nothing of
 * files that were just written, nor if memory is out. */
static void keep(struct oro_file_digests *digests, struct known *fresh, const char *name,
                 struct oro_file_list *read)
{
    struct known *known = find(digests, fresh, name);
    if (read)
        oro_file_list_add_all(read, &fresh->from);
    fresh->name = digests && oro_file_list_settled(&fresh->from) ? oro_copy_text(name) : NULL;
    if (!fresh->name) {
        forget(fresh);
        return;
    }
    if (!known && digests->count < KEPT_MAX)
        known = &digests->items[digests->count++];
    else if (!known)
        known = &digests->items[digests->next++ % KEPT_MAX];
    forget(known);
    *known = *fresh;
}

static void forget_unkept(struct known *fresh, struct oro_file_list *read)
{
    if (read)
        oro_file_list_add_all(read, &fresh->from);
    forget(fresh);
}

/* ---- Digests ---- */

struct blocks {
    int file;
    uint64_t size;
    struct oro_hash *digests;
    atomic_int problem; /* errno; -1: the file became shorter */
};

static size_t length_of(const struct blocks *blocks, size_t index)
{
    uint64_t left = blocks->size - (uint64_t)index * BLOCK_BYTES;
    return left < BLOCK_BYTES ? (size_t)left : BLOCK_BYTES;
}

static struct oro_hash hole;

static void digest_zeros(void)
{
    static unsigned char zeros[BLOCK_BYTES]; /* const, it would make the program larger */
    hole = oro_hash_of(zeros, sizeof zeros);
}

static struct oro_hash digest_of_hole(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, digest_zeros);
    return hole;
}

/* A file of some bytes can claim a terabyte: where nothing was ever written, nothing is read. */
static bool is_hole(const struct blocks *blocks, size_t index)
{
    struct stat now;
    off_t start = (off_t)index * BLOCK_BYTES, data = lseek(blocks->file, start, SEEK_DATA);
    if (data >= 0)
        return data >= start + BLOCK_BYTES;
    return errno == ENXIO && fstat(blocks->file, &now) == 0 && (uint64_t)now.st_size == blocks->size;
}

static int read_block(const struct blocks *blocks, size_t index, unsigned char *bytes)
{
    uint64_t start = (uint64_t)index * BLOCK_BYTES;
    size_t length = length_of(blocks, index);
    ssize_t got = oro_read_at(blocks->file, bytes, length, start);
    if (got < 0 || (size_t)got < length)
        return got < 0 ? errno : -1;
    blocks->digests[index] = oro_hash_of(bytes, length);
    return 0;
}

static void read_blocks(void *user, size_t first, size_t end)
{
    struct blocks *blocks = user;
    unsigned char *bytes = oro_alloc(blocks->size < BLOCK_BYTES ? (size_t)blocks->size : BLOCK_BYTES, 1);
    int problem = bytes ? 0 : ENOMEM;
    for (size_t i = first; i < end && problem == 0 && !atomic_load(&blocks->problem); i++)
        if (length_of(blocks, i) == BLOCK_BYTES && is_hole(blocks, i))
            blocks->digests[i] = digest_of_hole();
        else
            problem = read_block(blocks, i, bytes);
    if (problem)
        atomic_store(&blocks->problem, problem);
    oro_free(bytes);
}

static bool hash_blocks(const char *path, int file, uint64_t size, struct oro_hash *digest,
                        struct oro_error *err)
{
    size_t count = (size_t)((size + BLOCK_BYTES - 1) / BLOCK_BYTES);
    struct blocks blocks = {
        .file = file, .size = size, .digests = oro_alloc(count + 1, sizeof *blocks.digests)};
    if (!blocks.digests)
        return oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", path);
    oro_parallel(count, 1, read_blocks, &blocks);
    blocks.digests[count] = (struct oro_hash){.low = size};
    *digest = oro_hash_of(blocks.digests, (count + 1) * sizeof *blocks.digests);
    oro_free(blocks.digests);
    int problem = atomic_load(&blocks.problem);
    return problem == 0 ||
           oro_fail(err, problem == ENOMEM ? ORO_E_MEMORY : ORO_E_FILE, "cannot read '%s': %s", path,
                    problem < 0 ? "it is being written" : strerror(problem));
}

/* The name of a note on a file's digest: the file as the system knows it. Its content cannot change without
 * the time of the last change, which no program can set. */
static struct oro_hash note_key(const struct stat *info)
{
    const int64_t facts[] = {1, /* the version of what is noted */
                             BLOCK_BYTES,
                             (int64_t)info->st_dev,
                             (int64_t)info->st_ino,
                             (int64_t)info->st_size,
                             (int64_t)info->st_mtim.tv_sec,
                             (int64_t)info->st_mtim.tv_nsec,
                             (int64_t)info->st_ctim.tv_sec,
                             (int64_t)info->st_ctim.tv_nsec};
    return oro_hash_of(facts, sizeof facts);
}

/* Whether a note would be true: the file did not change while it was read, and had not just been written. */
static bool is_noteworthy(int file, struct oro_hash key)
{
    struct stat now;
    return fstat(file, &now) == 0 && oro_hash_equal(note_key(&now), key) &&
           (int64_t)now.st_ctim.tv_sec < (int64_t)time(NULL) - ORO_FILE_SETTLED_SECONDS;
}

static bool digest_file(const struct oro_file_digests *digests, const char *path, int file,
                        const struct stat *info, struct oro_hash *digest, struct oro_error *err)
{
    struct oro_hash key = note_key(info);
    bool notes = digests && digests->notes && info->st_size >= digests->note_bytes;
    if (notes && oro_note_get(digests->folder, key, digest, sizeof *digest))
        return true;
    if (!hash_blocks(path, file, (uint64_t)info->st_size, digest, err))
        return false;
    if (notes && is_noteworthy(file, key))
        oro_note_put(digests->folder, key, digest, sizeof *digest);
    return true;
}

static bool add_file(const struct oro_file_digests *digests, struct oro_hasher *hasher, const char *path,
                     bool required, struct oro_error *err)
{
    struct stat info;
    struct oro_hash digest;
    /* O_NONBLOCK: opening a named pipe must not wait for a writer. */
    int file = oro_walls_open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC, false);
    if (file < 0)
        return !required || oro_cannot_read(path, errno, err);
    bool regular = fstat(file, &info) == 0 && S_ISREG(info.st_mode);
    bool ok = regular ? digest_file(digests, path, file, &info, &digest, err)
                      : !required || oro_fail(err, ORO_E_FILE, "'%s' is not a regular file", path);
    if (ok && regular)
        oro_hash_digest(hasher, digest);
    close(file);
    return ok;
}

/* ---- Folders that are taken for a file ---- */

struct array {
    const struct oro_file_digests *digests;
    struct oro_hasher *hasher;
};

static bool add_chunk(void *user, const char *path, const char *name, struct oro_error *err)
{
    const struct array *array = user;
    oro_hash_string(array->hasher, name);
    return add_file(array->digests, array->hasher, path, true, err);
}

static bool add_file_or_array(const struct oro_file_digests *digests, struct oro_hasher *hasher,
                              const char *path, struct oro_error *err)
{
    struct array array = {digests, hasher};
    if (oro_path_is_pattern(path)) /* of what it names, which are its companions */
        return true;
    return oro_path_is_array(path) ? oro_folder_visit(path, add_chunk, &array, err)
                                   : add_file(digests, hasher, path, true, err);
}

/* The file, which the list begins with, and its sidecar. */
static bool digest_both(const struct oro_file_digests *digests, const struct oro_file_list *both,
                        struct oro_hash *digest, struct oro_error *err)
{
    struct oro_hasher *hasher = oro_hasher_create();
    if (!hasher)
        return oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", both->items[0].path);
    bool ok = add_file_or_array(digests, hasher, both->items[0].path, err) &&
              add_file(digests, hasher, both->items[1].path, false, err);
    *digest = oro_hasher_end(hasher);
    return ok;
}

bool oro_file_digest(struct oro_file_digests *digests, const char *path, struct oro_file_list *read,
                     struct oro_hash *digest, struct oro_error *err)
{
    struct known fresh = {.subject = DIGEST};
    const struct known *known = recall(digests, &fresh, path, read);
    if (known) {
        *digest = known->digest;
        return true;
    }
    /* The stamps are taken first, so that a change while the file is read is noticed the next time. */
    oro_file_list_add(&fresh.from, path);
    oro_file_list_add_sidecar(&fresh.from, path);
    int64_t latest = 0;
    fresh.is_array = oro_path_is_array(path);
    bool ok = fresh.from.failed ? oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", path)
                                : (!fresh.is_array || oro_folder_stamp(path, &fresh.stamp, &latest, err)) &&
                                      digest_both(digests, &fresh.from, &fresh.digest, err);
    *digest = fresh.digest;
    if (ok && latest < (int64_t)time(NULL) - ORO_FILE_SETTLED_SECONDS)
        keep(digests, &fresh, path, read);
    else
        forget_unkept(&fresh, ok ? read : NULL);
    return ok;
}

/* ---- Companions ---- */

static bool add_other(void *others, const char *path)
{
    oro_file_list_add(others, path);
    return true;
}

bool oro_file_companions(struct oro_file_digests *digests, const struct oro_input *input, const char *path,
                         struct oro_file_list *read, struct oro_file_list *others, struct oro_error *err)
{
    struct known fresh = {.subject = COMPANIONS, .companions = input->companions};
    const struct known *known = input->companions ? recall(digests, &fresh, path, read) : NULL;
    if (known) {
        for (size_t i = 0; i < known->others.count; i++)
            oro_file_list_add(others, known->others.items[i].path);
    } else if (input->companions) {
        oro_file_list_add(&fresh.from, path);
        oro_file_list_add_folder(&fresh.from, path);
        input->companions(path, add_other, &fresh.others);
        oro_file_list_add_all(others, &fresh.others);
        fresh.from.failed = fresh.from.failed || fresh.others.failed;
        keep(digests, &fresh, path, read);
    }
    return !others->failed || oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", path);
}

/* ---- Sites ---- */

/* Names the node by its type and literals. False: it has literals that no such node needs, or memory is out.
 */
static bool name_node(const struct oro_node_type *type, const void *params, struct oro_text *name)
{
    oro_text_add(name, type->id);
    for (const struct oro_input *input = type->inputs; input->name; input++) {
        const char *at = (const char *)params + input->offset, *text = NULL;
        int number = 0;
        switch (input->type) {
        case ORO_FLOAT:
        case ORO_INT:
        case ORO_CHOICE:
            memcpy(&number, at, sizeof number);
            oro_text_addf(name, "\n%x", (unsigned)number);
            break;
        case ORO_BOOL:
            oro_text_addf(name, "\n%d", *(const bool *)(const void *)at);
            break;
        case ORO_TEXT:
        case ORO_FILE:
            memcpy(&text, at, sizeof text);
            oro_text_addf(name, "\n%zu %s", text ? strlen(text) : 0, text ? text : "");
            break;
        default:
            if (oro_input_has_literal(input))
                return false;
        }
    }
    return !name->failed;
}

static bool list_files(struct oro_file_digests *digests, const struct oro_node_type *type, const void *params,
                       struct oro_file_list *files, struct oro_error *err)
{
    bool ok = true;
    for (const struct oro_input *input = type->inputs; ok && input->name; input++) {
        const char *path = NULL;
        if (input->type != ORO_FILE || input->writes)
            continue;
        memcpy(&path, (const char *)params + input->offset, sizeof path);
        if (!path || !path[0])
            continue;
        oro_file_list_add(files, path);
        oro_file_list_add_sidecar(files, path);
        ok = oro_file_companions(digests, input, path, files, files, err);
    }
    return ok;
}

static bool copy_site(const struct oro_site *from, struct oro_site *to, struct oro_error *err)
{
    *to = *from;
    to->place.crs = from->place.crs ? oro_copy_text(from->place.crs) : NULL;
    return !from->place.crs == !to->place.crs ||
           oro_fail(err, ORO_E_MEMORY, "no memory for a coordinate system");
}

bool oro_file_site(struct oro_file_digests *digests, const struct oro_node_type *type, const void *params,
                   struct oro_file_list *read, struct oro_site *site, struct oro_error *err)
{
    struct oro_text name = {0};
    struct known fresh = {.subject = SITE};
    bool named = name_node(type, params, &name);
    const struct known *known = named ? recall(digests, &fresh, name.data, read) : NULL;
    bool ok = known ? copy_site(&known->site, site, err)
                    : list_files(digests, type, params, &fresh.from, err) &&
                          type->site(params, &fresh.site, err) && copy_site(&fresh.site, site, err);
    if (ok && !known && named)
        keep(digests, &fresh, name.data, read);
    else
        forget(&fresh);
    oro_text_free(&name);
    return ok;
}
