/*
 * Tiles in files: one file for each size of tile, with a slot for each. The files have no names as soon as
 * they are made, so that nothing is left of them, however the program ends.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/transfer.h"
#include "devices/spread/internal.h"

struct slots {
    struct slots *next;
    int descriptor;
    size_t bytes, count; /* of a slot; slots so far */
    size_t *unused;      /* among them */
    size_t unused_count, unused_capacity;
};

size_t oro_slots_bytes(const struct spread *spread)
{
    size_t bytes = 0;
    for (const struct slots *file = spread->files; file; file = file->next)
        bytes += file->bytes * (file->count - file->unused_count);
    return bytes;
}

static bool cannot(const struct spread *spread, const char *what, struct oro_error *err)
{
    int reason = errno;
    size_t bytes = oro_slots_bytes(spread);
    return oro_fail(
        err, ORO_E_WRITE,
        "tiles that do not fit into memory cannot be %s the folder '%s': %s; %.1f MiB are there. Name "
        "another folder, or give more memory",
        what, spread->folder, strerror(reason), (double)bytes / (1 << 20));
}

static bool open_file(const struct spread *spread, struct slots *file, struct oro_error *err)
{
    size_t length = strlen(spread->folder) + sizeof "/orograph-tiles-XXXXXX";
    char *path = oro_alloc(length, 1);
    if (!path)
        return oro_fail(err, ORO_E_MEMORY, "no memory for a file's name");
    snprintf(path, length, "%s/orograph-tiles-XXXXXX", spread->folder);
    file->descriptor = mkstemp(path);
    bool ok = file->descriptor >= 0 && unlink(path) == 0;
    if (!ok)
        cannot(spread, "kept in", err);
    if (!ok && file->descriptor >= 0)
        close(file->descriptor);
    oro_free(path);
    return ok;
}

static struct slots *file_for(struct spread *spread, size_t bytes, struct oro_error *err)
{
    for (struct slots *file = spread->files; file; file = file->next)
        if (file->bytes == bytes)
            return file;
    struct slots *file = oro_alloc(1, sizeof *file);
    if (!file)
        oro_fail(err, ORO_E_MEMORY, "no memory for a file of tiles");
    if (!file || !open_file(spread, file, err)) {
        oro_free(file);
        return NULL;
    }
    file->bytes = bytes;
    file->next = spread->files;
    spread->files = file;
    return file;
}

/* Room for the number of each slot, so that giving one back cannot fail. */
static bool take_slot(struct slots *file, struct tile *tile, struct oro_error *err)
{
    void *unused = file->unused;
    if (!oro_reserve(&unused, &file->unused_capacity, file->count + 1, sizeof *file->unused))
        return oro_fail(err, ORO_E_MEMORY, "no memory for a file of tiles");
    file->unused = unused;
    tile->file = file;
    tile->slot = file->unused_count ? file->unused[--file->unused_count] : file->count++;
    return true;
}

void oro_slots_drop(struct tile *tile)
{
    tile->file->unused[tile->file->unused_count++] = tile->slot;
}

static uint64_t place_of(const struct tile *tile, size_t offset)
{
    return (uint64_t)tile->slot * tile->file->bytes + offset;
}

bool oro_slots_put(struct spread *spread, struct tile *tile, const void *memory, struct oro_error *err)
{
    struct slots *file = file_for(spread, tile->bytes, err);
    double start = oro_now();
    if (!file || !take_slot(file, tile, err))
        return false;
    if (!oro_write_at(file->descriptor, memory, tile->bytes, place_of(tile, 0))) {
        cannot(spread, "written to", err);
        oro_slots_drop(tile);
        return false;
    }
    spread->counts.to_disk_bytes += tile->bytes;
    spread->counts.disk_seconds += oro_now() - start;
    return true;
}

bool oro_slots_get(struct spread *spread, const struct tile *tile, size_t offset, void *to, size_t bytes,
                   struct oro_error *err)
{
    double start = oro_now();
    ssize_t got = oro_read_at(tile->file->descriptor, to, bytes, place_of(tile, offset));
    if (got != (ssize_t)bytes) {
        errno = got < 0 ? errno : EIO;
        return cannot(spread, "read from", err);
    }
    spread->counts.from_disk_bytes += bytes;
    spread->counts.disk_seconds += oro_now() - start;
    return true;
}

void oro_slots_close(struct spread *spread)
{
    while (spread->files) {
        struct slots *file = spread->files;
        spread->files = file->next;
        close(file->descriptor);
        oro_free(file->unused);
        oro_free(file);
    }
}
