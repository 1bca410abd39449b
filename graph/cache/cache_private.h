/* Shared by the files of this folder: cache.c (memory), cache_disk.c (reading and writing files),
 * cache_folder.c (names, sizes, removing), cache_entry.c (the form of a file), cache_tiles.c (rasters in
 * tiles), cache_ranks.c (several processes), claim.c (who
 * computes what). */
#ifndef ORO_GRAPH_CACHE_CACHE_PRIVATE_H
#define ORO_GRAPH_CACHE_CACHE_PRIVATE_H

#include <sys/types.h>

#include "graph/cache/cache.h"
#include "graph/cache/cache_paths.h"

/* ---- cache_entry.c: a result as bytes. Checksummed; nothing is believed when reading. ---- */

/* A file with one tile of a raster: its size and the digest of all its bytes. */
struct oro_tile_file {
    uint64_t bytes;
    struct oro_hash digest;
};
/* A raster that lies in tile files: cells along a tile's sides, but for those at the edge of the grid, and
 * which files it has, tile by tile, row by row. */
struct oro_entry_raster {
    enum oro_type type;
    struct oro_grid grid;
    int tile_width, tile_height;
    size_t first, count; /* `count` 0: the value is whole, and lies in the entry itself */
};
/* What an entry knows of its tile files: it is their manifest. */
struct oro_entry_tiles {
    struct oro_entry_raster values[ORO_RESULT_VALUES_MAX];
    struct oro_tile_file *files; /* made with oro_alloc */
    size_t count;
};
/* Tiles that a raster is cut into; its `count` must be this. */
size_t oro_entry_tile_count(const struct oro_entry_raster *raster);
struct oro_window oro_entry_tile_window(const struct oro_entry_raster *raster, size_t tile);

/* The caller frees *bytes with oro_free. `iterations` is 0 for a result, and positive for a state. */
bool oro_entry_encode(const struct oro_result *result, const struct oro_entry_tiles *tiles,
                      struct oro_hash key, int iterations, unsigned char **bytes, size_t *size,
                      struct oro_error *err);
/* Also false if the entry is that of another key or number of iterations. Values in tiles are NULL in
 * `result`; the caller frees tiles->files. */
bool oro_entry_decode(const unsigned char *bytes, size_t size, struct oro_hash key, int iterations,
                      struct oro_device *device, struct oro_result *result, struct oro_entry_tiles *tiles);

/* ---- cache_folder.c ---- An entry is the file of its name, and files of its tiles beside it. */
extern const char oro_cache_no_folder[];
/* $OROGRAPH_CACHE_SIZE, else 10 GiB; with a warning where the former is no size. */
uint64_t oro_cache_disk_limit(const struct oro_log *log);
/* The iterations in the name of a state's file, 0 in that of a result, -1 in any other, such as a temporary
 * one or that of a tile. */
int oro_cache_iterations_of(const char *name);
struct oro_removal {
    bool done, failed; /* some of it was there; some of it is still there */
};
/* Removes an entry with its tiles. */
struct oro_removal oro_cache_remove(const char *path);
/* Removes the least recently used entries until at most `limit` bytes are left. */
void oro_cache_trim(const char *folder, uint64_t limit, struct oro_cache_stats *removed, uint64_t *left);

/* ---- cache_disk.c ---- */
struct oro_disk_cache;
/* `folder` NULL: the user's cache folder. Returns NULL where there is none, or it cannot be used (with a
 * warning). */
struct oro_disk_cache *oro_disk_create(const char *folder, uint64_t limit, const struct oro_log *log);
void oro_disk_destroy(struct oro_disk_cache *disk);
const char *oro_disk_folder(const struct oro_disk_cache *disk);
/* Whether something can be written: there is a disk, and no writing has failed yet. */
bool oro_disk_takes(const struct oro_disk_cache *disk);
const struct oro_log *oro_disk_log(const struct oro_disk_cache *disk);
/* The bytes of an entry, which the caller frees with oro_free. `iterations` 0: a result; else a state. */
bool oro_disk_read(struct oro_disk_cache *disk, struct oro_hash key, int iterations, void **bytes,
                   size_t *size);
/* After an entry was read: whether its bytes are good, in which case it counts as used; a damaged one is
 * removed. */
void oro_disk_judge(struct oro_disk_cache *disk, struct oro_hash key, int iterations, bool good);
/* `tiles`: what was written of values in tiles, or NULL. Without the entry, they count for nothing.
 * `passing`: as for oro_cache_put_passing. */
enum oro_passing oro_disk_put(struct oro_disk_cache *disk, struct oro_hash key, int iterations,
                              const struct oro_result *result, const struct oro_entry_tiles *tiles,
                              bool passing);
/* The most iterations of any stored state of that key, at most `limit`; 0: none. */
int oro_disk_best_state(struct oro_disk_cache *disk, struct oro_hash key, int limit);
/* Bytes that an entry may have, with its tiles; `bytes`: what it has before it is packed. */
uint64_t oro_disk_entry_limit(const struct oro_disk_cache *disk, bool passing, uint64_t bytes);
void oro_disk_remove(struct oro_disk_cache *disk, struct oro_hash key, int iterations);
bool oro_disk_write_tile(struct oro_disk_cache *disk, struct oro_hash key, int iterations, size_t tile,
                         const void *bytes, size_t size, struct oro_error *err);
/* False also for a file that is not as it was written. The caller frees *bytes with oro_free. */
bool oro_disk_read_tile(struct oro_disk_cache *disk, struct oro_hash key, int iterations, size_t tile,
                        const struct oro_tile_file *file, void **bytes);
/* Removes what was written of an entry that is not to be, and says why. With `last`, nothing is written from
 * now on. */
void oro_disk_drop_too_large(struct oro_disk_cache *disk, struct oro_hash key, int iterations, bool passing);
void oro_disk_drop(struct oro_disk_cache *disk, struct oro_hash key, int iterations, const char *why,
                   bool last);

/* Removes an entry because of one of its tiles, and says so. */
void oro_disk_drop_damaged(struct oro_disk_cache *disk, struct oro_hash key, int iterations, size_t tile);

/* ---- cache_ranks.c ---- Collective. */
/* Whether every rank finds in its folder what rank 0, which has `disk`, puts into its own. */
bool oro_cache_is_shared(struct oro_ranks *ranks, const struct oro_disk_cache *disk, const char *folder);
/* Gives every rank the bytes that rank 0 has read. False: rank 0 has none, or some rank has no memory. */
bool oro_cache_spread_bytes(struct oro_ranks *ranks, void **bytes, size_t *size);

/* ---- cache_tiles.c ---- Rasters that lie in tiles. Collective. */
struct oro_tile_store {
    struct oro_disk_cache *disk; /* of every rank if the folder is shared, else of rank 0 alone */
    struct oro_ranks *ranks;     /* NULL: this process alone */
    bool shared;                 /* every rank reads and writes its own tiles; else rank 0 does for all */
    bool said;                   /* that it is not shared */
};
bool oro_tiles_in(const struct oro_value *value);
/* Writes the tiles, then the entry. Values that are not in tiles are on the host of rank 0. */
enum oro_passing oro_tiles_put(struct oro_tile_store *store, struct oro_hash key, int iterations,
                               const struct oro_result *result, bool passing);
/* Fills in the values of `result` that lie in tiles. False: not all of them could be read. If a tile is
 * damaged, or missing, then the entry is gone. */
bool oro_tiles_get(struct oro_tile_store *store, struct oro_hash key, int iterations,
                   const struct oro_entry_tiles *tiles, struct oro_device *device, struct oro_result *result);

#endif
