/* The cache's folder: FOLDER/v1/ab/<32 hex digits>[.<iterations>], and beside it the tiles of rasters that
 * lie in such, <that name>.t<number>; <key>.claim (claim.c) is swept as temporary files are. The access time
 * of an entry tells when it was used last. */
#include <dirent.h>
#include <errno.h>
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

enum { TEMPORARY_AGE = 3600 };
static const char hex_digits[] = "0123456789abcdef";

const char oro_cache_no_folder[] =
    "there is no cache folder: set OROGRAPH_CACHE or HOME to a folder, with a path of less than 500 bytes";

uint64_t oro_cache_disk_limit(const struct oro_log *log)
{
    const char *given = getenv("OROGRAPH_CACHE_SIZE");
    uint64_t bytes = 0;
    if (given && given[0] && oro_parse_bytes(given, &bytes) && bytes > 0)
        return bytes;
    if (given && given[0])
        oro_note(log, ORO_WARNING,
                 "OROGRAPH_CACHE_SIZE is '%.60s', which is no size such as 200G; the cache may hold 10 GiB",
                 given);
    return UINT64_C(10) << 30;
}

bool oro_cache_folder(char *out, size_t size)
{
    char *place = oro_cache_place();
    int length = place ? snprintf(out, size, "%s", place) : -1;
    oro_free(place);
    return length > 0 && (size_t)length < size;
}

/* ---- Names ---- */

char *oro_cache_join(const char *folder, const char *name)
{
    return oro_text_of("%s/%s", folder, name);
}

char *oro_cache_subfolder(const char *folder, struct oro_hash key)
{
    struct oro_text path = {0};
    char hex[ORO_HASH_TEXT];
    oro_text_addf(&path, "%s/v1/%.2s", folder, oro_hash_text(key, hex));
    return oro_text_take(&path);
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

int oro_cache_iterations_of(const char *name)
{
    const char *rest = name + ORO_HASH_TEXT - 1;
    if (!has_key(name) || (rest[0] && rest[0] != '.'))
        return -1;
    if (!rest[0])
        return 0;
    size_t digits = strspn(++rest, "0123456789");
    return digits > 0 && digits < 10 && !rest[digits] && rest[0] != '0' ? (int)strtol(rest, NULL, 10) : -1;
}

/* How long the entry's name is in that of a tile; 0: it is no tile. */
static size_t tile_stem(const char *name)
{
    char stem[ORO_CACHE_NAME];
    const char *end = strrchr(name, '.');
    if (!end || end[1] != 't' || !end[2] || end[2 + strspn(end + 2, "0123456789")])
        return 0;
    size_t length = (size_t)(end - name);
    snprintf(stem, sizeof stem, "%.*s", (int)length, name);
    return length < sizeof stem && oro_cache_iterations_of(stem) >= 0 ? length : 0;
}

/* ---- Walking the folder ---- */

/* A file; then an entry, with all that belongs to it. */
struct found {
    char *path; /* of the entry */
    uint64_t bytes;
    struct timespec used;
    bool tile; /* a tile alone, or tiles without an entry */
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

static bool is_old(time_t changed)
{
    return time(NULL) - changed >= TEMPORARY_AGE;
}

/* Files with temporary names are being written by other processes, unless they are too old for that. */
static void list_file(struct listing *list, const char *folder, const char *name)
{
    char *path = oro_cache_join(folder, name);
    size_t stem = tile_stem(name);
    struct stat info;
    void *items = list->items;
    if (!path || lstat(path, &info) != 0 || !S_ISREG(info.st_mode) ||
        (!stem && oro_cache_iterations_of(name) < 0 && !is_old(info.st_mtime)) ||
        !oro_reserve(&items, &list->capacity, list->count + 1, sizeof *list->items)) {
        oro_free(path);
        return;
    }
    if (stem)
        path[strlen(folder) + 1 + stem] = '\0';
    list->items = items;
    list->items[list->count++] =
        (struct found){path, (uint64_t)info.st_size, stem ? info.st_mtim : info.st_atim, stem > 0};
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

static int older_first(const void *a, const void *b)
{
    const struct found *left = a, *right = b;
    if (left->used.tv_sec != right->used.tv_sec)
        return left->used.tv_sec < right->used.tv_sec ? -1 : 1;
    return (left->used.tv_nsec > right->used.tv_nsec) - (left->used.tv_nsec < right->used.tv_nsec);
}

/* By entry, its own file first; the latest of its tiles follows. */
static int by_entry(const void *a, const void *b)
{
    const struct found *left = a, *right = b;
    int order = strcmp(left->path, right->path);
    if (order || left->tile != right->tile)
        return order ? order : left->tile - right->tile;
    return older_first(b, a);
}

/* Makes one item of an entry and its tiles. Tiles without an entry are being written, like temporary files.
 */
static void gather_entries(struct listing *list)
{
    size_t count = 0;
    if (list->count)
        qsort(list->items, list->count, sizeof *list->items, by_entry);
    for (size_t i = 0, next; i < list->count; i = next) {
        struct found entry = list->items[i];
        for (next = i + 1; next < list->count && strcmp(list->items[next].path, entry.path) == 0; next++) {
            entry.bytes += list->items[next].bytes;
            oro_free(list->items[next].path);
        }
        if (entry.tile && !is_old(entry.used.tv_sec))
            oro_free(entry.path);
        else
            list->items[count++] = entry;
    }
    list->count = count;
}

static void list_all(struct listing *list, const char *folder)
{
    char *root = oro_cache_join(folder, "v1");
    DIR *shelves = root ? opendir(root) : NULL;
    for (struct dirent *entry; shelves && (entry = readdir(shelves));) {
        char *subfolder = is_subfolder(entry->d_name) ? oro_cache_join(root, entry->d_name) : NULL;
        if (subfolder)
            list_folder(list, subfolder);
        oro_free(subfolder);
    }
    if (shelves)
        closedir(shelves);
    oro_free(root);
    gather_entries(list);
}

/* ---- Removing ---- */

static void remove_file(const char *path, struct oro_removal *removal)
{
    if (unlink(path) == 0)
        removal->done = true;
    else /* otherwise another process removed it first, or a folder lies there, which is nothing of the
            cache's */
        removal->failed |= errno != ENOENT && errno != EISDIR;
}

static void remove_tiles(const char *folder, const char *entry, struct oro_removal *removal)
{
    size_t length = strlen(entry);
    DIR *files = opendir(folder);
    for (struct dirent *file; files && (file = readdir(files));) {
        bool is_its = strncmp(file->d_name, entry, length) == 0 && tile_stem(file->d_name) == length;
        char *path = is_its ? oro_cache_join(folder, file->d_name) : NULL;
        if (path)
            remove_file(path, removal);
        oro_free(path);
    }
    if (files)
        closedir(files);
}

struct oro_removal oro_cache_remove(const char *path)
{
    struct oro_removal removal = {0};
    char *folder = oro_copy_text(path), *slash = folder ? strrchr(folder, '/') : NULL;
    remove_file(path, &removal); /* first, since its tiles are nothing without it */
    if (slash) {
        *slash = '\0';
        remove_tiles(folder, slash + 1, &removal);
    }
    oro_free(folder);
    return removal;
}

void oro_cache_trim(const char *folder, uint64_t limit, struct oro_cache_stats *removed, uint64_t *left)
{
    struct listing list = {0};
    list_all(&list, folder);
    uint64_t bytes = 0;
    for (size_t i = 0; i < list.count; i++)
        bytes += list.items[i].bytes;
    if (list.count)
        qsort(list.items, list.count, sizeof *list.items, older_first);
    bool everything = limit == 0; /* what is empty, too */
    for (size_t i = 0; i < list.count && (bytes > limit || everything); i++) {
        struct oro_removal removal = oro_cache_remove(list.items[i].path);
        if (removal.failed)
            continue;
        bytes -= list.items[i].bytes;
        removed->files += removal.done;
        removed->bytes += removal.done ? list.items[i].bytes : 0;
    }
    *left = bytes;
    free_listing(&list);
}

/* ---- The folder on its own ---- */

static bool named_folder(const char *folder, struct oro_cache_stats *stats, struct oro_error *err)
{
    *stats = (struct oro_cache_stats){.limit_bytes = oro_cache_disk_limit(NULL)};
    if (folder) {
        snprintf(stats->folder, sizeof stats->folder, "%s", folder);
        return true;
    }
    if (!oro_cache_folder(stats->folder, sizeof stats->folder))
        return oro_fail(err, ORO_E_FILE, "%s", oro_cache_no_folder);
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
    oro_cache_trim(removed->folder, bytes, removed, &left);
    if (left > bytes)
        return oro_fail(err, ORO_E_WRITE, "cannot remove files from '%s'", removed->folder);
    return true;
}

bool oro_cache_disk_clear(const char *folder, struct oro_cache_stats *removed, struct oro_error *err)
{
    return oro_cache_disk_trim(folder, 0, removed, err);
}
