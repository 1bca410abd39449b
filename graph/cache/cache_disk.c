/* Reading and writing files of the cache's folder. They get their names by rename and are read whole, so that
 * processes can share them. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "graph/cache/cache_private.h"

enum { ENTRY_MAX_MIB = 20480 };

struct oro_disk_cache {
    char *folder;
    uint64_t limit;
    uint64_t bytes; /* estimate of what is there */
    bool said;      /* that a state takes more than others may */
    bool failed;    /* writing failed once, which was reported; no further attempts */
    const struct oro_log *log;
};

struct oro_disk_cache *oro_disk_create(const char *folder, uint64_t limit, const struct oro_log *log)
{
    char standard[512];
    struct oro_error err;
    if (!folder && !oro_cache_folder(standard, sizeof standard)) {
        oro_note(log, ORO_WARNING, "results are not kept on disk: %s", oro_cache_no_folder);
        return NULL;
    }
    struct oro_disk_cache *disk = oro_alloc(1, sizeof *disk);
    if (!disk)
        return NULL;
    disk->folder = oro_copy_text(folder ? folder : standard);
    disk->limit = limit ? limit : oro_cache_disk_limit(log);
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

const char *oro_disk_folder(const struct oro_disk_cache *disk)
{
    return disk->folder;
}

const struct oro_log *oro_disk_log(const struct oro_disk_cache *disk)
{
    return disk->log;
}

bool oro_disk_takes(const struct oro_disk_cache *disk)
{
    return disk && !disk->failed;
}

/* ---- Entries ---- */

static void name_entry(char name[ORO_CACHE_NAME], struct oro_hash key, int iterations)
{
    char hex[ORO_HASH_TEXT];
    oro_hash_text(key, hex);
    if (iterations)
        snprintf(name, ORO_CACHE_NAME, "%s.%d", hex, iterations);
    else
        snprintf(name, ORO_CACHE_NAME, "%s", hex);
}

static char *path_of(const struct oro_disk_cache *disk, struct oro_hash key, const char *name)
{
    char *subfolder = oro_cache_subfolder(disk->folder, key);
    char *path = subfolder ? oro_cache_join(subfolder, name) : NULL;
    oro_free(subfolder);
    return path;
}

static char *entry_path(const struct oro_disk_cache *disk, struct oro_hash key, int iterations)
{
    char name[ORO_CACHE_NAME];
    name_entry(name, key, iterations);
    return path_of(disk, key, name);
}

/* A folder, a pipe, a device or a link is no entry, whoever put it there: it counts as missing, and is
 * removed where it is in the way. */
static bool is_file(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0 && S_ISREG(info.st_mode);
}

bool oro_disk_read(struct oro_disk_cache *disk, struct oro_hash key, int iterations, void **bytes,
                   size_t *size)
{
    char *path = entry_path(disk, key, iterations);
    bool ok = path && is_file(path) && oro_file_read(path, (size_t)ENTRY_MAX_MIB << 20, bytes, size, NULL);
    oro_free(path);
    return ok;
}

void oro_disk_judge(struct oro_disk_cache *disk, struct oro_hash key, int iterations, bool good)
{
    char *path = entry_path(disk, key, iterations);
    if (path && good)
        utimensat(AT_FDCWD, path, (struct timespec[]){{.tv_nsec = UTIME_NOW}, {.tv_nsec = UTIME_OMIT}}, 0);
    else if (path && oro_cache_remove(path).done)
        oro_note(disk->log, ORO_DEBUG, "dropped a damaged cache file: %s", path);
    oro_free(path);
}

static void give_up(struct oro_disk_cache *disk, const char *why)
{
    disk->failed = true;
    oro_note(disk->log, ORO_WARNING, "results are no longer kept on disk: %s", why);
}

/* False: something stays in the way, such as a folder that is not empty. Then only what would lie there is
 * not kept. */
static bool clear(const char *path, bool (*is_right)(const char *path))
{
    struct stat info;
    return lstat(path, &info) != 0 || is_right(path) || unlink(path) == 0 || rmdir(path) == 0 ||
           errno == ENOENT;
}

static bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static bool clear_way(const struct oro_disk_cache *disk, struct oro_hash key, const char *path)
{
    char *subfolder = oro_cache_subfolder(disk->folder, key);
    bool ok = subfolder && clear(subfolder, is_folder) && clear(path, is_file);
    oro_free(subfolder);
    if (!ok)
        oro_note(disk->log, ORO_DEBUG, "not kept on disk, as something else is there: %s", path);
    return ok;
}

/* Tries twice, in case another process cleared the folder in between. */
static bool write_file(const struct oro_disk_cache *disk, struct oro_hash key, const char *path,
                       const void *bytes, size_t size, struct oro_error *err)
{
    char *subfolder = oro_cache_subfolder(disk->folder, key);
    bool ok = false;
    for (int i = 0; i < 2 && !ok && subfolder; i++)
        ok = oro_make_folders(subfolder, err) && oro_file_write(path, bytes, size, err);
    oro_free(subfolder);
    return ok;
}

static bool has_room(const struct oro_disk_cache *disk, uint64_t bytes)
{
    struct statvfs info;
    return statvfs(disk->folder, &info) == 0 && info.f_frsize > 0 && info.f_bavail >= bytes / info.f_frsize;
}

uint64_t oro_disk_entry_limit(const struct oro_disk_cache *disk, bool passing, uint64_t bytes)
{
    return passing && bytes > disk->limit / 2 && has_room(disk, bytes) ? disk->limit : disk->limit / 2;
}

void oro_disk_drop_too_large(struct oro_disk_cache *disk, struct oro_hash key, int iterations, bool passing)
{
    oro_disk_drop(disk, key, iterations,
                  passing ? "it would take more than the cache may hold, or than the disk has room for"
                          : "it would take more than half of what the cache may hold",
                  false);
}

/* What was written last stays. */
static void count_bytes(struct oro_disk_cache *disk, uint64_t bytes)
{
    struct oro_cache_stats removed = {0};
    disk->bytes += bytes;
    uint64_t left = disk->limit / 10 * 9;
    if (disk->bytes > disk->limit)
        oro_cache_trim(disk->folder, left > bytes ? left : bytes, &removed, &disk->bytes);
}

static void say_large(struct oro_disk_cache *disk, uint64_t bytes)
{
    const double gib = (double)(1 << 30);
    if (!disk->said)
        oro_note(
            disk->log, ORO_NOTICE,
            "the state of a simulation takes %.1f of the %.1f GiB that the cache may hold; other results "
            "give way to it",
            (double)bytes / gib, (double)disk->limit / gib);
    disk->said = true;
}

static enum oro_passing count_kept(struct oro_disk_cache *disk, uint64_t bytes)
{
    count_bytes(disk, bytes);
    if (bytes <= disk->limit / 2)
        return ORO_PASSING_KEPT;
    say_large(disk, bytes);
    return ORO_PASSING_LARGE;
}

enum oro_passing oro_disk_put(struct oro_disk_cache *disk, struct oro_hash key, int iterations,
                              const struct oro_result *result, const struct oro_entry_tiles *tiles,
                              bool passing)
{
    if (disk->failed)
        return ORO_PASSING_NOT;
    struct oro_error err = {0};
    unsigned char *bytes = NULL;
    size_t size = 0;
    uint64_t total = 0;
    enum oro_passing kept = ORO_PASSING_NOT;
    char *path = entry_path(disk, key, iterations);
    bool ok = path && oro_entry_encode(result, tiles, key, iterations, &bytes, &size, &err);
    for (size_t i = 0; tiles && i < tiles->count; i++)
        total += tiles->files[i].bytes;
    total += size;
    if (ok && !clear_way(disk, key, path)) {
        oro_free(bytes);
        oro_free(path);
        return ORO_PASSING_NOT;
    }
    if (ok && total <= oro_disk_entry_limit(disk, passing, oro_result_bytes(result))) {
        ok = write_file(disk, key, path, bytes, size, &err);
        if (!ok && tiles)
            oro_cache_remove(path);
        if (ok)
            kept = count_kept(disk, total);
    } else if (ok && (tiles || passing)) {
        oro_disk_drop_too_large(disk, key, iterations, passing);
    }
    if (!ok && err.code == ORO_E_WRITE)
        give_up(disk, err.text);
    oro_free(bytes);
    oro_free(path);
    return kept;
}

int oro_disk_best_state(struct oro_disk_cache *disk, struct oro_hash key, int limit)
{
    char hex[ORO_HASH_TEXT];
    char *subfolder = oro_cache_subfolder(disk->folder, key);
    DIR *entries = subfolder ? opendir(subfolder) : NULL;
    int best = 0;
    oro_hash_text(key, hex);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        int iterations = oro_cache_iterations_of(entry->d_name);
        struct stat info;
        if (strncmp(entry->d_name, hex, ORO_HASH_TEXT - 1) == 0 && iterations <= limit && iterations > best &&
            fstatat(dirfd(entries), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(info.st_mode))
            best = iterations;
    }
    if (entries)
        closedir(entries);
    oro_free(subfolder);
    return best;
}

/* ---- Tiles of entries ---- */

static char *tile_path(const struct oro_disk_cache *disk, struct oro_hash key, int iterations, size_t tile)
{
    char entry[ORO_CACHE_NAME], name[ORO_CACHE_NAME + 24];
    name_entry(entry, key, iterations);
    snprintf(name, sizeof name, "%s.t%03zu", entry, tile);
    return path_of(disk, key, name);
}

bool oro_disk_write_tile(struct oro_disk_cache *disk, struct oro_hash key, int iterations, size_t tile,
                         const void *bytes, size_t size, struct oro_error *err)
{
    char *path = tile_path(disk, key, iterations, tile);
    bool ok = path ? write_file(disk, key, path, bytes, size, err)
                   : oro_fail(err, ORO_E_MEMORY, "no memory for the name of a file");
    oro_free(path);
    return ok;
}

bool oro_disk_read_tile(struct oro_disk_cache *disk, struct oro_hash key, int iterations, size_t tile,
                        const struct oro_tile_file *file, void **bytes)
{
    size_t size = 0;
    char *path = tile_path(disk, key, iterations, tile);
    bool ok = path && is_file(path) && oro_file_read(path, (size_t)file->bytes, bytes, &size, NULL);
    oro_free(path);
    if (!ok || (size == file->bytes && oro_hash_equal(oro_hash_of(*bytes, size), file->digest)))
        return ok;
    oro_free(*bytes);
    *bytes = NULL;
    return false;
}

void oro_disk_remove(struct oro_disk_cache *disk, struct oro_hash key, int iterations)
{
    char *path = entry_path(disk, key, iterations);
    if (path)
        oro_cache_remove(path);
    oro_free(path);
}

void oro_disk_drop(struct oro_disk_cache *disk, struct oro_hash key, int iterations, const char *why,
                   bool last)
{
    oro_disk_remove(disk, key, iterations);
    if (last)
        give_up(disk, why);
    else
        oro_note(disk->log, ORO_NOTICE, "%s is not kept on disk: %s",
                 iterations ? "the state of a simulation" : "a result", why);
}

void oro_disk_drop_damaged(struct oro_disk_cache *disk, struct oro_hash key, int iterations, size_t tile)
{
    char *path = tile_path(disk, key, iterations, tile), *entry = entry_path(disk, key, iterations);
    if (path && entry && oro_cache_remove(entry).done)
        oro_note(disk->log, ORO_NOTICE,
                 "a cache file is damaged or missing, and what it belongs to is computed again: %s", path);
    oro_free(path);
    oro_free(entry);
}
