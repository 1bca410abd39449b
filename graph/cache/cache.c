/* The cache in memory, in front of the one on disk. */
#include "graph/cache/cache.h"

#include <string.h>

#include "base/memory.h"
#include "graph/cache/cache_private.h"

enum { BUCKETS = 4096 };
/* Results are not written to the disk if they cost less than this many seconds, or have more bytes per second
 * of cost: computing them again is faster. */
static const double disk_worth_seconds = 0.05, disk_worth_rate = 1.5e9;

struct entry {
    struct oro_hash key;
    int iterations; /* 0: a result; else a state */
    uint64_t used;
    struct oro_result result;
    struct entry *next;
};

struct oro_cache {
    struct entry *buckets[BUCKETS];
    size_t device_limit, host_limit;
    double disk_seconds;
    uint64_t clock, counts;
    struct oro_disk_cache *disk; /* of rank 0 */
    struct oro_tile_store tiles;
    struct oro_ranks *ranks;
};

/* Ranks other than 0 use the folder for their tiles alone, and only if it is that of rank 0. */
static void open_disk(struct oro_cache *cache, const struct oro_cache_options *options)
{
    bool first = oro_ranks_first(options->ranks);
    struct oro_disk_cache *disk =
        first ? oro_disk_create(options->folder, options->disk_bytes, options->log) : NULL;
    bool shared = oro_cache_is_shared(options->ranks, disk, options->folder);
    if (shared && !first)
        disk = oro_disk_create(options->folder, options->disk_bytes, options->log);
    cache->disk = first ? disk : NULL;
    cache->tiles = (struct oro_tile_store){
        .disk = disk, .ranks = options->ranks, .shared = oro_ranks_all(options->ranks, disk && shared)};
}

struct oro_cache *oro_cache_create(const struct oro_cache_options *options)
{
    struct oro_cache *cache = oro_alloc(1, sizeof *cache);
    if (!cache)
        return NULL;
    cache->device_limit = options->device_bytes;
    cache->host_limit = options->host_bytes;
    cache->disk_seconds = options->disk_seconds;
    cache->ranks = options->ranks;
    if (!options->folder || options->folder[0])
        open_disk(cache, options);
    return cache;
}

static void free_entry(struct entry *entry)
{
    for (int i = 0; i < entry->result.value_count; i++)
        entry->result.values[i]->cached--;
    oro_result_release(&entry->result);
    oro_free(entry);
}

void oro_cache_destroy(struct oro_cache *cache)
{
    if (!cache)
        return;
    for (int i = 0; i < BUCKETS; i++)
        while (cache->buckets[i]) {
            struct entry *next = cache->buckets[i]->next;
            free_entry(cache->buckets[i]);
            cache->buckets[i] = next;
        }
    oro_disk_destroy(cache->tiles.disk);
    oro_free(cache);
}

static struct entry **bucket_of(struct oro_cache *cache, struct oro_hash key)
{
    return &cache->buckets[key.low % BUCKETS];
}

static struct entry *find(struct oro_cache *cache, struct oro_hash key, int iterations)
{
    struct entry *entry = *bucket_of(cache, key);
    while (entry && !(oro_hash_equal(entry->key, key) && entry->iterations == iterations))
        entry = entry->next;
    return entry;
}

static void share(const struct oro_result *from, struct oro_result *to)
{
    *to = *from;
    for (int i = 0; i < to->value_count; i++)
        oro_value_retain(to->values[i]);
}

/* ---- Budgets ---- Only values that nothing but the cache holds count, because values in use cannot be
 * freed anyway. A value that several entries share (such as a simulation's result and its last state)
 * counts once. */

static bool is_idle(const struct oro_value *value, bool on_device)
{
    return value->references == value->cached && (on_device ? value->buffer != NULL : value->host != NULL);
}

static bool has_idle(const struct entry *entry, bool on_device)
{
    for (int i = 0; i < entry->result.value_count; i++)
        if (is_idle(entry->result.values[i], on_device))
            return true;
    return false;
}

static size_t entry_idle(const struct entry *entry, bool on_device, uint64_t count)
{
    size_t bytes = 0;
    for (int i = 0; i < entry->result.value_count; i++) {
        struct oro_value *value = entry->result.values[i];
        if (value->counted != count && is_idle(value, on_device)) {
            value->counted = count;
            bytes += oro_value_bytes(value);
        }
    }
    return bytes;
}

static size_t total_idle(struct oro_cache *cache, bool on_device)
{
    size_t bytes = 0;
    cache->counts++;
    for (int i = 0; i < BUCKETS; i++)
        for (const struct entry *entry = cache->buckets[i]; entry; entry = entry->next)
            bytes += entry_idle(entry, on_device, cache->counts);
    return bytes;
}

static struct entry *oldest(struct oro_cache *cache, bool on_device)
{
    struct entry *found = NULL;
    for (int i = 0; i < BUCKETS; i++)
        for (struct entry *entry = cache->buckets[i]; entry; entry = entry->next)
            if (has_idle(entry, on_device) && (!found || entry->used < found->used))
                found = entry;
    return found;
}

static void remove_entry(struct oro_cache *cache, struct entry *entry)
{
    struct entry **place = bucket_of(cache, entry->key);
    while (*place != entry)
        place = &(*place)->next;
    *place = entry->next;
    free_entry(entry);
}

/* A raster in tiles is not put together for this: it may be larger than the host. */
static void leave_device(struct oro_cache *cache, struct entry *entry)
{
    bool kept = cache->host_limit > 0;
    struct oro_error err; /* ranks that agree on a failure are told by it */
    for (int i = 0; kept && i < entry->result.value_count; i++)
        if (is_idle(entry->result.values[i], true))
            kept = !oro_tiles_in(entry->result.values[i]) && oro_value_to_host(entry->result.values[i], &err);
    if (!kept)
        remove_entry(cache, entry);
}

/* Frees host copies of data that the device has too; these go first. */
static void leave_host(struct oro_cache *cache, struct entry *entry)
{
    bool only_there = false;
    for (int i = 0; i < entry->result.value_count; i++) {
        struct oro_value *value = entry->result.values[i];
        if (!is_idle(value, false))
            continue;
        only_there |= !value->buffer;
        oro_value_drop_host(value);
    }
    if (only_there)
        remove_entry(cache, entry);
}

static void enforce(struct oro_cache *cache, size_t device_limit)
{
    while (total_idle(cache, true) > device_limit)
        leave_device(cache, oldest(cache, true));
    while (total_idle(cache, false) > cache->host_limit)
        leave_host(cache, oldest(cache, false));
}

void oro_cache_settle(struct oro_cache *cache)
{
    enforce(cache, cache->device_limit);
}

bool oro_cache_make_room(struct oro_cache *cache, struct oro_device *device, size_t bytes)
{
    if (!device->budget_bytes || device->used_bytes + bytes <= device->budget_bytes)
        return true;
    size_t idle = total_idle(cache, true), over = device->used_bytes + bytes - device->budget_bytes;
    enforce(cache, idle > over ? idle - over : 0);
    return device->used_bytes + bytes <= device->budget_bytes;
}

void oro_cache_device_lost(struct oro_cache *cache)
{
    for (int i = 0; i < BUCKETS; i++)
        for (struct entry *entry = cache->buckets[i], *next; entry; entry = next) {
            bool kept = true;
            next = entry->next;
            for (int k = 0; k < entry->result.value_count; k++)
                kept &= oro_value_device_lost(entry->result.values[k]);
            if (!kept)
                remove_entry(cache, entry);
        }
}

/* ---- Entries ---- */

static void keep(struct oro_cache *cache, struct oro_hash key, int iterations,
                 const struct oro_result *result)
{
    struct entry *entry = find(cache, key, iterations);
    if (!entry) {
        entry = oro_alloc(1, sizeof *entry);
        if (!entry)
            return; /* a cache need not keep everything */
        entry->key = key;
        entry->iterations = iterations;
        struct entry **bucket = bucket_of(cache, key);
        entry->next = *bucket;
        *bucket = entry;
        share(result, &entry->result);
        for (int i = 0; i < result->value_count; i++)
            result->values[i]->cached++;
    }
    entry->used = ++cache->clock;
    enforce(cache, cache->device_limit);
}

/* Makes room for the rasters that are to be read into tiles. */
static void make_room_for(struct oro_cache *cache, struct oro_device *device,
                          const struct oro_entry_tiles *tiles)
{
    size_t bytes = 0;
    for (int i = 0; i < ORO_RESULT_VALUES_MAX; i++)
        if (tiles->values[i].count)
            bytes += oro_grid_cells(&tiles->values[i].grid) *
                     (size_t)oro_type_channels(tiles->values[i].type) * sizeof(float);
    if (device->tiles)
        oro_cache_make_room(cache, device, bytes);
}

/* What rank 0 has read of an entry, or of a manifest of tiles, is the same on all ranks. */
static bool from_disk(struct oro_cache *cache, struct oro_hash key, int iterations, struct oro_device *device,
                      struct oro_result *result)
{
    void *bytes = NULL;
    size_t size = 0;
    struct oro_entry_tiles tiles = {0};
    if (cache->disk && !oro_disk_read(cache->disk, key, iterations, &bytes, &size))
        bytes = NULL;
    bool here = oro_cache_spread_bytes(cache->ranks, &bytes, &size);
    bool good = here && oro_entry_decode(bytes, size, key, iterations, device, result, &tiles);
    oro_free(bytes);
    if (here && cache->disk)
        oro_disk_judge(cache->disk, key, iterations, good);
    bool found = here && oro_ranks_all(cache->ranks, good);
    if (found && tiles.count) {
        make_room_for(cache, device, &tiles);
        found = oro_tiles_get(&cache->tiles, key, iterations, &tiles, device, result);
    }
    if (here && !found)
        oro_result_release(result);
    oro_free(tiles.files);
    return found;
}

static enum oro_found lookup(struct oro_cache *cache, struct oro_hash key, int iterations,
                             struct oro_device *device, struct oro_result *result)
{
    struct entry *entry = find(cache, key, iterations);
    if (oro_ranks_all(cache->ranks, entry)) {
        entry->used = ++cache->clock;
        share(&entry->result, result);
        return ORO_FOUND_MEMORY;
    }
    if (!oro_ranks_decide(cache->ranks, cache->disk) || !from_disk(cache, key, iterations, device, result))
        return ORO_FOUND_NOT;
    keep(cache, key, iterations, result);
    return ORO_FOUND_DISK;
}

static bool worth_disk(const struct oro_cache *cache, const struct oro_result *result, double seconds)
{
    double least = cache->disk_seconds > 0 ? cache->disk_seconds : disk_worth_seconds;
    if (!oro_disk_takes(cache->disk) || cache->disk_seconds < 0)
        return oro_disk_takes(cache->disk);
    return seconds > least && seconds > (double)oro_result_bytes(result) / disk_worth_rate;
}

/* What rank 0 stores is copied to the host on every rank, so that their memory stays the same. Rasters in
 * tiles are not. */
static enum oro_passing store(struct oro_cache *cache, struct oro_hash key, int iterations,
                              const struct oro_result *result, bool passing)
{
    enum oro_passing stored = ORO_PASSING_NOT;
    bool in_tiles = false;
    struct oro_error err; /* ranks that agree on a failure are told by it */
    for (int i = 0; i < result->value_count; i++) {
        if (oro_tiles_in(result->values[i]))
            in_tiles = true;
        else if (cache->ranks)
            oro_value_host(result->values[i], &err);
    }
    if (in_tiles)
        stored = oro_tiles_put(&cache->tiles, key, iterations, result, passing);
    else if (cache->disk)
        stored = oro_disk_put(cache->disk, key, iterations, result, NULL, passing);
    return stored;
}

static bool put(struct oro_cache *cache, struct oro_hash key, int iterations, const struct oro_result *result,
                double seconds)
{
    bool stored = false;
    if (oro_ranks_decide(cache->ranks, worth_disk(cache, result, seconds)))
        stored = oro_ranks_decide(cache->ranks, store(cache, key, iterations, result, false));
    keep(cache, key, iterations, result);
    return stored;
}

enum oro_found oro_cache_get(struct oro_cache *cache, struct oro_hash key, struct oro_device *device,
                             struct oro_result *result)
{
    return lookup(cache, key, 0, device, result);
}

void oro_cache_put(struct oro_cache *cache, struct oro_hash key, const struct oro_result *result,
                   double seconds)
{
    put(cache, key, 0, result, seconds);
}

int oro_cache_best_state(const struct oro_cache *cache, struct oro_hash key, int limit)
{
    int best = cache->disk && limit > 0 ? oro_disk_best_state(cache->disk, key, limit) : 0;
    for (const struct entry *entry = cache->buckets[key.low % BUCKETS]; entry; entry = entry->next)
        if (oro_hash_equal(entry->key, key) && entry->iterations <= limit && entry->iterations > best)
            best = entry->iterations;
    if (cache->ranks && !cache->ranks->ops->broadcast(cache->ranks, 0, &best, sizeof best, NULL))
        return 0;
    return best;
}

const char *oro_cache_notes(const struct oro_cache *cache)
{
    return oro_disk_takes(cache->disk) ? oro_disk_folder(cache->disk) : NULL;
}

int oro_cache_get_state(struct oro_cache *cache, struct oro_hash key, int limit, struct oro_device *device,
                        struct oro_result *state)
{
    for (int best; (best = oro_cache_best_state(cache, key, limit)) > 0; limit = best - 1)
        if (lookup(cache, key, best, device, state) != ORO_FOUND_NOT)
            return best;
    return 0; /* also when all on disk were damaged */
}

bool oro_cache_put_state(struct oro_cache *cache, struct oro_hash key, int iterations,
                         const struct oro_result *state, double seconds)
{
    return put(cache, key, iterations, state, seconds);
}

bool oro_cache_takes_passing(const struct oro_cache *cache)
{
    return oro_ranks_decide(cache->ranks, oro_disk_takes(cache->disk));
}

enum oro_passing oro_cache_put_passing(struct oro_cache *cache, struct oro_hash key, int iterations,
                                       const struct oro_result *state)
{
    if (!oro_cache_takes_passing(cache))
        return ORO_PASSING_NOT;
    return (enum oro_passing)oro_ranks_told(cache->ranks, store(cache, key, iterations, state, true));
}

void oro_cache_drop_state(struct oro_cache *cache, struct oro_hash key, int iterations)
{
    if (cache->disk)
        oro_disk_remove(cache->disk, key, iterations);
}

enum oro_claimed oro_cache_claim(struct oro_cache *cache, struct oro_hash key, struct oro_claim_watch *watch,
                                 struct oro_claim **claim)
{
    *claim = NULL;
    if (cache->ranks || !oro_disk_takes(cache->disk))
        return ORO_CLAIM_NONE;
    return oro_claim_take(oro_disk_folder(cache->disk), key, watch, claim);
}
