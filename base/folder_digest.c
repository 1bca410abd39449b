#include "base/folder_digest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"

enum { FILES_MAX = 1 << 20 };

struct names {
    char **items;
    size_t count, capacity;
};

struct walk {
    const char *path;
    bool (*visit)(void *user, const char *path, const char *name, struct oro_error *err);
    void *user;
    size_t files;
    struct oro_error *err;
};

static bool no_memory(const struct walk *walk)
{
    return oro_fail(walk->err, ORO_E_MEMORY, "no memory to read '%s'", walk->path);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool add_name(struct names *names, const char *name)
{
    void *items = names->items;
    char *copy = oro_copy_text(name);
    if (!copy || !oro_reserve(&items, &names->capacity, names->count + 1, sizeof *names->items)) {
        oro_free(copy);
        return false;
    }
    names->items = items;
    names->items[names->count++] = copy;
    return true;
}

static bool list_names(struct walk *walk, const char *folder, struct names *names)
{
    DIR *stream = opendir(folder);
    if (!stream)
        return oro_fail(walk->err, ORO_E_FILE, "cannot read '%s': %s", walk->path, strerror(errno));
    bool ok = true;
    for (const struct dirent *entry; ok && (entry = readdir(stream));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        ok = ++walk->files <= FILES_MAX
                 ? add_name(names, entry->d_name) || no_memory(walk)
                 : oro_fail(walk->err, ORO_E_FILE, "'%s' holds more than %d files", walk->path, FILES_MAX);
    }
    closedir(stream);
    if (ok && names->count > 1)
        qsort(names->items, names->count, sizeof *names->items, by_name);
    return ok;
}

static bool visit_folder(struct walk *walk, const char *below);

/* `below`: the name below the whole folder, of an entry of the folder itself if not `inner`. */
static bool visit_entry(struct walk *walk, const char *below, bool inner)
{
    struct stat info;
    struct oro_text path = {0};
    oro_text_addf(&path, "%s/%s", walk->path, below);
    if (path.failed)
        return no_memory(walk);
    bool there = lstat(path.data, &info) == 0, ok;
    if (there && S_ISREG(info.st_mode))
        ok = walk->visit(walk->user, path.data, below, walk->err);
    else if (there && S_ISDIR(info.st_mode) && !inner)
        ok = visit_folder(walk, below); /* NOLINT(misc-no-recursion): one level */
    else
        ok = oro_fail(walk->err, ORO_E_FILE,
                      "'%s' cannot be read: it leads elsewhere, or holds folders within folders, or what is "
                      "neither a folder nor a file: %s",
                      walk->path, below);
    oro_text_free(&path);
    return ok;
}

static bool visit_folder(struct walk *walk, const char *below)
{
    struct names names = {0};
    struct oro_text folder = {0};
    oro_text_addf(&folder, "%s%s%s", walk->path, below ? "/" : "", below ? below : "");
    bool ok = !folder.failed ? list_names(walk, folder.data, &names) : no_memory(walk);
    oro_text_free(&folder);
    for (size_t i = 0; ok && i < names.count; i++) {
        struct oro_text name = {0};
        oro_text_addf(&name, "%s%s%s", below ? below : "", below ? "/" : "", names.items[i]);
        ok = !name.failed ? visit_entry(walk, name.data, below) /* NOLINT(misc-no-recursion) */
                          : no_memory(walk);
        oro_text_free(&name);
    }
    for (size_t i = 0; i < names.count; i++)
        oro_free(names.items[i]);
    oro_free(names.items);
    return ok;
}

bool oro_folder_visit(const char *path,
                      bool (*visit)(void *user, const char *path, const char *name, struct oro_error *err),
                      void *user, struct oro_error *err)
{
    struct walk walk = {.path = path, .visit = visit, .user = user, .err = err};
    return visit_folder(&walk, NULL);
}

/* ---- Stamps ---- */

struct stamping {
    struct oro_hasher *hasher;
    int64_t latest;
};

static bool add_stamp(void *user, const char *path, const char *name, struct oro_error *err)
{
    struct stamping *stamping = user;
    struct oro_stamp stamp = oro_stamp_of(path);
    (void)err;
    oro_hash_string(stamping->hasher, name);
    oro_hash_int(stamping->hasher, stamp.seconds);
    oro_hash_int(stamping->hasher, stamp.nanoseconds);
    oro_hash_int(stamping->hasher, (int64_t)stamp.size);
    oro_hash_int(stamping->hasher, (int64_t)stamp.inode);
    stamping->latest = stamp.seconds > stamping->latest ? stamp.seconds : stamping->latest;
    return true;
}

bool oro_folder_stamp(const char *path, struct oro_hash *stamp, int64_t *latest, struct oro_error *err)
{
    struct stamping stamping = {.hasher = oro_hasher_create()};
    if (!stamping.hasher)
        return oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", path);
    bool ok = oro_folder_visit(path, add_stamp, &stamping, err);
    *stamp = oro_hasher_end(stamping.hasher);
    *latest = stamping.latest;
    return ok;
}
