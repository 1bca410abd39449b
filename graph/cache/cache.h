/*
 * The cache of results, by key: in memory (the least recently used are dropped first, with separate budgets
 * for device and host) and on disk. Files on disk are checksummed, written under a temporary name and
 * renamed, and shared by any number of processes; a damaged one is dropped as if it had never been there.
 * Rasters that lie in tiles are stored tile by tile, and found again however they are to be cut.
 * Trouble with the disk is a warning, never an error.
 */
#ifndef ORO_GRAPH_CACHE_CACHE_H
#define ORO_GRAPH_CACHE_CACHE_H

#include "base/hash.h"
#include "base/log.h"
#include "graph/cache/claim.h"
#include "graph/cache/result.h"
#include "graph/type/ranks.h"

struct oro_cache_options {
    const char *folder;  /* NULL: the user's cache folder; "" : no disk cache */
    size_t device_bytes; /* budgets; 0: nothing is kept that is not in use */
    size_t host_bytes;
    uint64_t disk_bytes; /* 0: $OROGRAPH_CACHE_SIZE, else 10 GiB */
    double disk_seconds; /* results that cost less are not written to the disk; 0: 0.05; negative: all are */
    const struct oro_log *log;
    /* NULL, or the processes that evaluate together: then all functions that get, put and drop are
     * collective, as is oro_cache_create, and find something on all ranks or on none. Rank 0 alone uses the
     * folder, and sends the others what it finds there; but tiles of rasters are written and read by the rank
     * that has them, if all see the same folder. The budgets must be the same on all. */
    struct oro_ranks *ranks;
};

struct oro_cache;
/* NULL only when memory is out. */
struct oro_cache *oro_cache_create(const struct oro_cache_options *options);
void oro_cache_destroy(struct oro_cache *cache);

enum oro_found { ORO_FOUND_NOT, ORO_FOUND_MEMORY, ORO_FOUND_DISK };
/* Fills `result` with retained values. */
enum oro_found oro_cache_get(struct oro_cache *cache, struct oro_hash key, struct oro_device *device,
                             struct oro_result *result);
/* Keeps a result. `seconds` is what it cost to compute: cheap results are not written to the disk. */
void oro_cache_put(struct oro_cache *cache, struct oro_hash key, const struct oro_result *result,
                   double seconds);

/* Finds the state of a simulation with the most iterations, at most `limit`. Returns its iterations; 0: none.
 */
int oro_cache_get_state(struct oro_cache *cache, struct oro_hash key, int limit, struct oro_device *device,
                        struct oro_result *state);
/* True: it is on the disk. */
bool oro_cache_put_state(struct oro_cache *cache, struct oro_hash key, int iterations,
                         const struct oro_result *state, double seconds);
/* A state that is to be found should the process die, until a newer one is kept: only on the disk, at once,
 * whatever it cost. As the only such state of its simulation it may take all that the cache may hold, where
 * other entries may have half, if the disk has room for it: then it is large. */
enum oro_passing { ORO_PASSING_NOT, ORO_PASSING_KEPT, ORO_PASSING_LARGE };
enum oro_passing oro_cache_put_passing(struct oro_cache *cache, struct oro_hash key, int iterations,
                                       const struct oro_result *state);
bool oro_cache_takes_passing(const struct oro_cache *cache); /* whether there is a disk for it */
void oro_cache_drop_state(struct oro_cache *cache, struct oro_hash key, int iterations); /* from the disk */

/* The iterations of the state that oro_cache_get_state would try first. */
int oro_cache_best_state(const struct oro_cache *cache, struct oro_hash key, int limit);
/* Where notes are kept beside the results (graph/cache/notes.h); NULL: nowhere. */
const char *oro_cache_notes(const struct oro_cache *cache);

/* Claims of results among the processes that share the folder: graph/cache/claim.h. Not with ranks. */
enum oro_claimed oro_cache_claim(struct oro_cache *cache, struct oro_hash key, struct oro_claim_watch *watch,
                                 struct oro_claim **claim);

/* Brings the cache back within its budgets. Putting a result does this too, but does not count values that
 * are still in use: call this after releasing values. */
void oro_cache_settle(struct oro_cache *cache);
/* Frees device memory that only the cache holds, least recently used first, until `bytes` fit the device's
 * budget. True if they do now. */
bool oro_cache_make_room(struct oro_cache *cache, struct oro_device *device, size_t bytes);
/* After the device was lost: forgets everything without a copy on the host. */
void oro_cache_device_lost(struct oro_cache *cache);

/* ---- The folder on its own (orograph cache) ---- */
struct oro_cache_stats {
    char folder[512];
    uint64_t files, bytes, limit_bytes; /* an entry counts with its tiles as one file */
};
bool oro_cache_folder(char *out,
                      size_t size); /* $OROGRAPH_CACHE, else $XDG_CACHE_HOME/orograph, else ~/.cache/... */
bool oro_cache_disk_stats(const char *folder, struct oro_cache_stats *stats, struct oro_error *err);
bool oro_cache_disk_clear(const char *folder, struct oro_cache_stats *removed, struct oro_error *err);
/* Removes the least recently used files until at most `bytes` are left. */
bool oro_cache_disk_trim(const char *folder, uint64_t bytes, struct oro_cache_stats *removed,
                         struct oro_error *err);

#endif
