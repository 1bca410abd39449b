/* The cache's folder: FOLDER/v1/ab/<32 hex digits>[.<iterations>]. Files get their names by rename and are
 * read whole, so that processes can share them; the access time tells which were used last. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "graph/cache/cache_private.h"

enum { NAME_SIZE = 64, ENTRY_MAX_MIB = 20480, TEMPORARY_AGE = 3600 };
static const char hex_digits[] = "0123456789abcdef";
static const uint64_t default_limit = UINT64_C(10) << 30;

struct oro_disk_cache {
    char *folder;
    uint64_t limit;
    uint64_t bytes; /* estimate of what is there */
    bool failed;    /* writing failed once, which was reported; no further attempts */
    const struct oro_log *log;
};

static const char no_folder[] =
    "there is no cache folder: set OROGRAPH_CACHE or HOME to a folder, with a path of less than 500 bytes";

bool oro_cache_folder(char *out, size_t size)
{
    const char *own = getenv("OROGRAPH_CACHE");
    char *place =
        own && own[0] ? oro_copy_text(own) : oro_user_folder("XDG_CACHE_HOME", ".cache", "orograph");
    int length = place ? snprintf(out, size, "%s", place) : -1;
    oro_free(place);
    return length > 0 && (size_t)length < size;
}

/* ---- Walking the folder ---- */

struct found {
    char *path;
    uint64_t bytes;
    struct timespec used;
};
struct listing {
    struct found *items;
    size_t count, capacity;
};

static void free_listing(struct listing *list)
{
    for (size_t i = 0; i < list->count; i++)
        oro_free(list->items[i].path);
    oro_free(list->items);
}

static char *join(const char *folder, const char *name)
{
    struct oro_text path = {0};
    oro_text_addf(&path, "%s/%s", folder, name);
    if (path.failed)
        oro_text_free(&path);
    return path.data;
}

/* Only names that the cache itself makes are looked at, so that nothing is lost from a folder given by
 * mistake. */
static bool is_subfolder(const char *name)
{
    return strlen(name) == 2 && strspn(name, hex_digits) == 2;
}

static bool has_key(const char *name)
{
    return strspn(name, hex_digits) == ORO_HASH_TEXT - 1;
}

/* The iterations in the name of a state's file, 0 in that of a result, -1 in any other, such as a temporary
 * one. */
static int iterations_of(const char *name)
{
    const char *rest = name + ORO_HASH_TEXT - 1;
    if (!has_key(name) || (rest[0] && rest[0] != '.'))
        return -1;
    if (!rest[0])
        return 0;
    size_t digits = strspn(++rest, "0123456789");
    return digits > 0 && digits < 10 && !rest[digits] && rest[0] != '0' ? (int)strtol(rest, NULL, 10) : -1;
}

static bool is_entry(const char *name)
{
    return iterations_of(name) >= 0;
}

/* Files with temporary names are being written by other processes, unless they are too old for that. */
static void list_file(struct listing *list, const char *folder, const char *name)
{
    char *path = join(folder, name);
    struct stat info;
    void *items = list->items;
    if (!path || lstat(path, &info) != 0 || !S_ISREG(info.st_mode) ||
        (!is_entry(name) && time(NULL) - info.st_mtime < TEMPORARY_AGE) ||
        !oro_reserve(&items, &list->capacity, list->count + 1, sizeof *list->items)) {
        oro_free(path);
        return;
    }
    list->items = items;
    list->items[list->count++] = (struct found){path, (uint64_t)info.st_size, info.st_atim};
}

static void list_folder(struct listing *list, const char *folder)
{
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));)
        if (has_key(entry->d_name))
            list_file(list, folder, entry->d_name);
    if (entries)
        closedir(entries);
}

static void list_all(struct listing *list, const char *folder)
{
    char *root = join(folder, "v1");
    DIR *shelves = root ? opendir(root) : NULL;
    for (struct dirent *entry; shelves && (entry = readdir(shelves));) {
        char *subfolder = is_subfolder(entry->d_name) ? join(root, entry->d_name) : NULL;
        if (subfolder)
            list_folder(list, subfolder);
        oro_free(subfolder);
    }
    if (shelves)
        closedir(shelves);
    oro_free(root);
}

static int older_first(const void *a, const void *b)
{
    const struct found *left = a, *right = b;
    if (left->used.tv_sec != right->used.tv_sec)
        return left->used.tv_sec < right->used.tv_sec ? -1 : 1;
    return (left->used.tv_nsec > right->used.tv_nsec) - (left->used.tv_nsec < right->used.tv_nsec);
}

static void trim(const char *folder, uint64_t limit, struct oro_cache_stats *removed, uint64_t *left)
{
    struct listing list = {0};
    list_all(&list, folder);
    uint64_t bytes = 0;
    for (size_t i = 0; i < list.count; i++)
        bytes += list.items[i].bytes;
    if (list.count)
        qsort(list.items, list.count, sizeof *list.items, older_first);
    for (size_t i = 0; i < list.count && bytes > limit; i++) {
        bool done = unlink(list.items[i].path) == 0;
        if (!done && errno != ENOENT) /* otherwise another process removed it first */
            continue;
        bytes -= list.items[i].bytes;
        removed->files += done;
        removed->bytes += done ? list.items[i].bytes : 0;
    }
    *left = bytes;
    free_listing(&list);
}

static bool named_folder(const char *folder, struct oro_cache_stats *stats, struct oro_error *err)
{
    *stats = (struct oro_cache_stats){.limit_bytes = default_limit};
    if (folder) {
        snprintf(stats->folder, sizeof stats->folder, "%s", folder);
        return true;
    }
    if (!oro_cache_folder(stats->folder, sizeof stats->folder))
        return oro_fail(err, ORO_E_FILE, "%s", no_folder);
    return true;
}

bool oro_cache_disk_stats(const char *folder, struct oro_cache_stats *stats, struct oro_error *err)
{
    if (!named_folder(folder, stats, err))
        return false;
    struct listing list = {0};
    list_all(&list, stats->folder);
    stats->files = list.count;
    for (size_t i = 0; i < list.count; i++)
        stats->bytes += list.items[i].bytes;
    free_listing(&list);
    return true;
}

bool oro_cache_disk_trim(const char *folder, uint64_t bytes, struct oro_cache_stats *removed,
                         struct oro_error *err)
{
    uint64_t left = 0;
    if (!named_folder(folder, removed, err))
        return false;
    trim(removed->folder, bytes, removed, &left);
    if (left > bytes)
        return oro_fail(err, ORO_E_WRITE, "cannot remove files from '%s'", removed->folder);
    return true;
}

bool oro_cache_disk_clear(const char *folder, struct oro_cache_stats *removed, struct oro_error *err)
{
    return oro_cache_disk_trim(folder, 0, removed, err);
}

/* ---- Reading and writing ---- */

struct oro_disk_cache *oro_disk_create(const char *folder, uint64_t limit, const struct oro_log *log)
{
    char standard[512];
    struct oro_error err;
    if (!folder && !oro_cache_folder(standard, sizeof standard)) {
        oro_note(log, ORO_WARNING, "results are not kept on disk: %s", no_folder);
        return NULL;
    }
    struct oro_disk_cache *disk = oro_alloc(1, sizeof *disk);
    if (!disk)
        return NULL;
    disk->folder = oro_copy_text(folder ? folder : standard);
    disk->limit = limit ? limit : default_limit;
    disk->log = log;
    if (!disk->folder || !oro_make_folders(disk->folder, &err)) {
        if (disk->folder)
            oro_note(log, ORO_WARNING, "results are not kept on disk: %s", err.text);
        oro_disk_destroy(disk);
        return NULL;
    }
    struct oro_cache_stats stats;
    if (oro_cache_disk_stats(disk->folder, &stats, NULL))
        disk->bytes = stats.bytes;
    return disk;
}

void oro_disk_destroy(struct oro_disk_cache *disk)
{
    if (!disk)
        return;
    oro_free(disk->folder);
    oro_free(disk);
}

static char *subfolder_path(const struct oro_disk_cache *disk, struct oro_hash key, char hex[ORO_HASH_TEXT])
{
    struct oro_text path = {0};
    oro_hash_text(key, hex);
    oro_text_addf(&path, "%s/v1/%.2s", disk->folder, hex);
    if (path.failed)
        oro_text_free(&path);
    return path.data;
}

static char *entry_path(const struct oro_disk_cache *disk, struct oro_hash key, int iterations)
{
    char hex[ORO_HASH_TEXT], name[NAME_SIZE];
    char *subfolder = subfolder_path(disk, key, hex);
    if (iterations)
        snprintf(name, sizeof name, "%s.%d", hex, iterations);
    else
        snprintf(name, sizeof name, "%s", hex);
    char *path = subfolder ? join(subfolder, name) : NULL;
    oro_free(subfolder);
    return path;
}

bool oro_disk_read(struct oro_disk_cache *disk, struct oro_hash key, int iterations, void **bytes,
                   size_t *size)
{
    char *path = entry_path(disk, key, iterations);
    bool ok = path && oro_file_read(path, (size_t)ENTRY_MAX_MIB << 20, bytes, size, NULL);
    oro_free(path);
    return ok;
}

void oro_disk_judge(struct oro_disk_cache *disk, struct oro_hash key, int iterations, bool good)
{
    char *path = entry_path(disk, key, iterations);
    if (path && good)
        utimensat(AT_FDCWD, path, (struct timespec[]){{.tv_nsec = UTIME_NOW}, {.tv_nsec = UTIME_OMIT}}, 0);
    else if (path && unlink(path) == 0)
        oro_note(disk->log, ORO_DEBUG, "dropped a damaged cache file: %s", path);
    oro_free(path);
}

static void give_up(struct oro_disk_cache *disk, const struct oro_error *err)
{
    disk->failed = true;
    oro_note(disk->log, ORO_WARNING, "results are no longer kept on disk: %s", err->text);
}

void oro_disk_put(struct oro_disk_cache *disk, struct oro_hash key, int iterations,
                  const struct oro_result *result)
{
    if (disk->failed)
        return;
    struct oro_error err = {0};
    unsigned char *bytes = NULL;
    size_t size = 0;
    char hex[ORO_HASH_TEXT];
    char *subfolder = subfolder_path(disk, key, hex), *path = entry_path(disk, key, iterations);
    bool ok = subfolder && path && oro_entry_encode(result, key, iterations, &bytes, &size, &err);
    if (ok && size <= disk->limit / 2) {
        /* Tries twice, in case another process cleared the folder in between. */
        ok = false;
        for (int i = 0; i < 2 && !ok; i++)
            ok = oro_make_folders(subfolder, &err) && oro_file_write(path, bytes, size, &err);
        disk->bytes += ok ? size : 0;
        struct oro_cache_stats removed = {0};
        if (ok && disk->bytes > disk->limit)
            trim(disk->folder, disk->limit / 10 * 9, &removed, &disk->bytes);
    }
    if (!ok && err.code == ORO_E_WRITE)
        give_up(disk, &err);
    oro_free(bytes);
    oro_free(subfolder);
    oro_free(path);
}

int oro_disk_best_state(struct oro_disk_cache *disk, struct oro_hash key, int limit)
{
    char hex[ORO_HASH_TEXT];
    char *subfolder = subfolder_path(disk, key, hex);
    DIR *entries = subfolder ? opendir(subfolder) : NULL;
    int best = 0;
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        int iterations = iterations_of(entry->d_name);
        if (strncmp(entry->d_name, hex, ORO_HASH_TEXT - 1) == 0 && iterations <= limit && iterations > best)
            best = iterations;
    }
    if (entries)
        closedir(entries);
    oro_free(subfolder);
    return best;
}
