/* Shared by cache.c (memory), cache_disk.c (the folder) and cache_entry.c (the form of a file). */
#ifndef ORO_GRAPH_CACHE_CACHE_PRIVATE_H
#define ORO_GRAPH_CACHE_CACHE_PRIVATE_H

#include <sys/types.h>

#include "graph/cache/cache.h"

/* ---- cache_entry.c: a result as bytes. Checksummed; nothing is believed when reading. ---- */
/* The caller frees *bytes with oro_free. `iterations` is 0 for a result, and positive for a state. */
bool oro_entry_encode(const struct oro_result *result, struct oro_hash key, int iterations,
                      unsigned char **bytes, size_t *size, struct oro_error *err);
/* Also false if the entry is that of another key or number of iterations. */
bool oro_entry_decode(const unsigned char *bytes, size_t size, struct oro_hash key, int iterations,
                      struct oro_device *device, struct oro_result *result);

/* ---- cache_disk.c ---- */
struct oro_disk_cache;
/* `folder` NULL: the user's cache folder. Returns NULL where there is none, or it cannot be used (with a
 * warning). */
struct oro_disk_cache *oro_disk_create(const char *folder, uint64_t limit, const struct oro_log *log);
void oro_disk_destroy(struct oro_disk_cache *disk);
/* The bytes of an entry, which the caller frees with oro_free. `iterations` 0: a result; else a state. */
bool oro_disk_read(struct oro_disk_cache *disk, struct oro_hash key, int iterations, void **bytes,
                   size_t *size);
/* After an entry was read: whether its bytes are good, in which case it counts as used; a damaged one is
 * removed. */
void oro_disk_judge(struct oro_disk_cache *disk, struct oro_hash key, int iterations, bool good);
void oro_disk_put(struct oro_disk_cache *disk, struct oro_hash key, int iterations,
                  const struct oro_result *result);
/* The most iterations of any stored state of that key, at most `limit`; 0: none. */
int oro_disk_best_state(struct oro_disk_cache *disk, struct oro_hash key, int limit);

#endif
