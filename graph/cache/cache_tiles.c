/* Rasters that lie in tiles, on the disk: a file for each tile, and the entry as their manifest, written
 * last. Nothing is put together. Where the ranks share the folder, each reads and writes its own tiles; else
 * rank 0 does, tile by tile, and the others get from it and send to it what is theirs. */
#include <string.h>

#include <zstd.h>

#include "base/memory.h"
#include "graph/cache/cache_private.h"

enum { LEVEL = 1 };
static const char not_shared[] =
    "the ranks do not have the cache's folder in common: rank 0 reads and writes all of it";

bool oro_tiles_in(const struct oro_value *value)
{
    return value->buffer && value->device->tiles && value->device->tiles->has(value->buffer);
}

static int rank_of(const struct oro_tile_store *store)
{
    return store->ranks ? store->ranks->rank : 0;
}

/* The greatest of all ranks; where they have failed, that of this one, and nothing else is to be done. */
static uint64_t worst(const struct oro_tile_store *store, uint64_t here, bool *ok)
{
    *ok = !store->ranks || store->ranks->ops->greatest(store->ranks, &here, 1, NULL);
    return here;
}

static size_t cells_in(const struct oro_window *window)
{
    return (size_t)window->width * (size_t)window->height;
}

/* ---- Writing ---- */

enum outcome { WRITTEN, TOO_LARGE, NO_MEMORY, NOT_WRITTEN };

struct writing {
    const struct oro_tile_store *store;
    struct oro_hash key;
    int iterations;
    struct oro_entry_tiles tiles;
    bool passing;
    uint64_t bytes, limit; /* by this rank */
    enum outcome outcome;
    struct oro_error err; /* why this rank has not; all that agree on a failure are told by it */
};

/* Each rank knows all tiles, and of the files only those that it writes itself. */
static bool plan_writing(struct writing *writing, const struct oro_result *result)
{
    struct oro_entry_tiles *tiles = &writing->tiles;
    for (int i = 0; i < result->value_count; i++) {
        const struct oro_value *value = result->values[i];
        if (!oro_tiles_in(value))
            continue;
        const struct oro_device_tiles *cut = value->device->tiles;
        struct oro_window first = cut->window(value->device, &value->grid, 0);
        struct oro_entry_raster *raster = &tiles->values[i];
        *raster =
            (struct oro_entry_raster){value->type, value->grid, first.width, first.height, tiles->count, 0};
        raster->count = oro_entry_tile_count(raster);
        tiles->count += raster->count;
        if (raster->count != cut->count(value->device, &value->grid))
            return false; /* not tiles of one size */
    }
    tiles->files = oro_alloc(tiles->count, sizeof *tiles->files);
    return tiles->files;
}

static enum outcome pack_tile(struct writing *writing, size_t number, const float *cells, size_t bytes)
{
    struct oro_disk_cache *disk = writing->store->disk;
    size_t room = ZSTD_compressBound(bytes);
    void *packed = oro_alloc(room, 1);
    size_t size = packed ? ZSTD_compress(packed, room, cells, bytes, LEVEL) : 0;
    enum outcome outcome = WRITTEN;
    if (!packed || ZSTD_isError(size))
        outcome = NO_MEMORY;
    else if (writing->bytes + size > writing->limit)
        outcome = TOO_LARGE;
    else if (!oro_disk_write_tile(disk, writing->key, writing->iterations, number, packed, size,
                                  &writing->err))
        outcome = NOT_WRITTEN;
    if (outcome == WRITTEN) {
        writing->tiles.files[number] = (struct oro_tile_file){size, oro_hash_of(packed, size)};
        writing->bytes += size;
    }
    oro_free(packed);
    return outcome;
}

/* All ranks come here for all tiles. `own`: this one writes it. */
static void write_tile(struct writing *writing, const struct oro_value *value, size_t number,
                       const struct oro_window *window, bool own)
{
    const struct oro_device_tiles *cut = value->device->tiles;
    bool shared = writing->store->shared;
    size_t bytes = cells_in(window) * (size_t)value->channels * sizeof(float);
    float *cells = own && writing->outcome == WRITTEN ? oro_alloc(bytes, 1) : NULL;
    if (own && writing->outcome == WRITTEN && !cells)
        writing->outcome = NO_MEMORY;
    struct oro_window part = cells ? *window : (struct oro_window){0};
    bool ok = true;
    if (!shared)
        ok = cut->fetch(value->device, value->buffer, &part, cells, &writing->err);
    else if (cells)
        ok = cut->read(value->device, value->buffer, &part, cells, &writing->err);
    if (!ok)
        writing->outcome = NO_MEMORY;
    else if (cells)
        writing->outcome = pack_tile(writing, number, cells, bytes);
    oro_free(cells);
}

static void write_tiles(struct writing *writing, const struct oro_result *result)
{
    const struct oro_tile_store *store = writing->store;
    for (int i = 0; i < result->value_count; i++) {
        const struct oro_value *value = result->values[i];
        const struct oro_entry_raster *raster = &writing->tiles.values[i];
        for (size_t tile = 0; tile < raster->count; tile++) {
            struct oro_window window = oro_entry_tile_window(raster, tile);
            int writer = store->shared ? value->device->tiles->rank(value->device, &value->grid, tile) : 0;
            write_tile(writing, value, raster->first + tile, &window, writer == rank_of(store));
        }
    }
}

static bool share_files(const struct oro_tile_store *store, struct oro_entry_tiles *tiles)
{
    struct oro_tile_file *files = tiles->files;
    _Static_assert(sizeof *files == 3 * sizeof(uint64_t), "files are summed as words");
    return !store->ranks ||
           store->ranks->ops->sum(store->ranks, (uint64_t *)(void *)files, 3 * tiles->count, NULL);
}

static enum oro_passing end_writing(struct writing *writing, const struct oro_result *result,
                                    enum outcome outcome)
{
    struct oro_disk_cache *disk = writing->store->disk;
    if (outcome == WRITTEN)
        return oro_disk_put(disk, writing->key, writing->iterations, result, &writing->tiles,
                            writing->passing);
    if (outcome == TOO_LARGE)
        oro_disk_drop_too_large(disk, writing->key, writing->iterations, writing->passing);
    else if (outcome == NO_MEMORY)
        oro_disk_drop(disk, writing->key, writing->iterations, "there is no memory to pack its tiles", false);
    else
        oro_disk_drop(disk, writing->key, writing->iterations,
                      writing->outcome == NOT_WRITTEN ? writing->err.text : "a rank cannot write its tiles",
                      true);
    return ORO_PASSING_NOT;
}

static struct oro_device *device_of(const struct oro_result *result)
{
    struct oro_device *device = NULL;
    for (int i = 0; i < result->value_count; i++)
        if (oro_tiles_in(result->values[i]))
            device = result->values[i]->device;
    return device;
}

static void say_not_shared(struct oro_tile_store *store)
{
    if (!store->shared && !store->said && rank_of(store) == 0)
        oro_note(oro_disk_log(store->disk), ORO_NOTICE, "%s", not_shared);
    store->said = true;
}

enum oro_passing oro_tiles_put(struct oro_tile_store *store, struct oro_hash key, int iterations,
                               const struct oro_result *result, bool passing)
{
    enum oro_passing kept = ORO_PASSING_NOT;
    struct writing writing = {.store = store, .key = key, .iterations = iterations, .passing = passing};
    writing.limit = store->disk ? oro_disk_entry_limit(store->disk, passing, oro_result_bytes(result)) : 0;
    struct oro_device *device = device_of(result);
    bool ok = plan_writing(&writing, result) && device;
    say_not_shared(store);
    if (oro_ranks_all(store->ranks, ok) && device->ops->finish(device, &writing.err)) {
        write_tiles(&writing, result);
        uint64_t outcome = worst(store, writing.outcome, &ok);
        ok = ok && share_files(store, &writing.tiles);
        if (ok && rank_of(store) == 0)
            kept = end_writing(&writing, result, (enum outcome)outcome);
    }
    oro_free(writing.tiles.files);
    return kept;
}

/* ---- Reading ---- */

/* What went wrong, the worst last; of a damaged file, its number is added. */
enum { READ, NO_ROOM };
static const uint64_t damaged = (uint64_t)1 << 62;

struct reading {
    struct oro_tile_store *store;
    struct oro_hash key;
    int iterations;
    const struct oro_entry_tiles *tiles;
    uint64_t trouble;
};

static void note_trouble(struct reading *reading, uint64_t trouble)
{
    if (trouble > reading->trouble)
        reading->trouble = trouble;
}

/* In tiles if the device keeps such a raster in tiles, else on the host. */
static struct oro_value *new_value(struct oro_device *device, const struct oro_entry_raster *raster)
{
    int channels = oro_type_channels(raster->type);
    struct oro_buffer *buffer =
        device->tiles ? oro_device_raster(device, &raster->grid, channels, NULL) : NULL;
    if (buffer && !device->tiles->has(buffer)) {
        device->ops->buffer_destroy(device, buffer);
        buffer = NULL;
    }
    void *host = buffer ? NULL : oro_alloc(oro_grid_cells(&raster->grid) * (size_t)channels, sizeof(float));
    struct oro_value *value =
        buffer || host ? oro_value_create(device, raster->type, &raster->grid, buffer, host, NULL) : NULL;
    if (!value && buffer)
        device->ops->buffer_destroy(device, buffer);
    if (!value)
        oro_free(host);
    return value;
}

static struct oro_window common_of(struct oro_window a, struct oro_window b)
{
    int x0 = a.x > b.x ? a.x : b.x, y0 = a.y > b.y ? a.y : b.y;
    int x1 = a.x + a.width < b.x + b.width ? a.x + a.width : b.x + b.width;
    int y1 = a.y + a.height < b.y + b.height ? a.y + a.height : b.y + b.height;
    return x0 < x1 && y0 < y1 ? (struct oro_window){x0, y0, x1 - x0, y1 - y0} : (struct oro_window){0};
}

/* Copies a part of what `cells` has of the window `from` to memory that has the window `to`. */
static void copy_part(float *memory, struct oro_window to, const float *cells, struct oro_window from,
                      struct oro_window part, int channels)
{
    for (int row = 0; row < part.height; row++) {
        size_t at = (size_t)(part.y - to.y + row) * (size_t)to.width + (size_t)(part.x - to.x);
        size_t of = (size_t)(part.y - from.y + row) * (size_t)from.width + (size_t)(part.x - from.x);
        memcpy(memory + at * (size_t)channels, cells + of * (size_t)channels,
               (size_t)part.width * (size_t)channels * sizeof(float));
    }
}

/* The next tile of this rank, from `tile` on, that has cells of the window, which becomes what they have in
 * common. Its width is 0 if there is none. */
static size_t next_own(const struct oro_tile_store *store, const struct oro_value *value, size_t tile,
                       struct oro_window *window)
{
    const struct oro_device_tiles *cut = value->device->tiles;
    size_t count = cut->count(value->device, &value->grid);
    for (; tile < count; tile++) {
        struct oro_window common = common_of(*window, cut->window(value->device, &value->grid, tile));
        if (common.width && cut->rank(value->device, &value->grid, tile) == rank_of(store)) {
            *window = common;
            return tile;
        }
    }
    *window = (struct oro_window){0};
    return count;
}

/* Tiles of the device need not be those of the files. */
static bool place_in_tiles(const struct oro_tile_store *store, const struct oro_value *value,
                           const float *cells, struct oro_window window)
{
    const struct oro_device_tiles *cut = value->device->tiles;
    struct oro_window part = window;
    bool ok = true;
    for (size_t tile = next_own(store, value, 0, &part); ok && part.width;
         part = window, tile = next_own(store, value, tile + 1, &part)) {
        float *copy = oro_alloc(cells_in(&part) * (size_t)value->channels, sizeof *copy);
        if (copy)
            copy_part(copy, part, cells, window, part, value->channels);
        ok = copy && cut->write(value->device, value->buffer, &part, copy, NULL);
        oro_free(copy);
    }
    return ok;
}

static bool place(const struct oro_tile_store *store, const struct oro_value *value, const float *cells,
                  struct oro_window window)
{
    struct oro_window all = {0, 0, value->grid.width, value->grid.height};
    if (value->buffer)
        return place_in_tiles(store, value, cells, window);
    copy_part(value->host, all, cells, window, window, value->channels);
    return true;
}

static bool is_needed(const struct oro_tile_store *store, const struct oro_value *value,
                      struct oro_window window)
{
    if (value->buffer)
        next_own(store, value, 0, &window);
    return window.width > 0;
}

static uint64_t unpack(const struct reading *reading, size_t number, const void *packed,
                       const struct oro_value *value, struct oro_window window)
{
    size_t bytes = cells_in(&window) * (size_t)value->channels * sizeof(float);
    float *cells = oro_alloc(bytes, 1);
    uint64_t trouble = cells ? READ : NO_ROOM;
    if (cells && ZSTD_decompress(cells, bytes, packed, (size_t)reading->tiles->files[number].bytes) != bytes)
        trouble = damaged + number;
    else if (cells && !place(reading->store, value, cells, window))
        trouble = NO_ROOM;
    oro_free(cells);
    return trouble;
}

/* All ranks come here for all files. */
static void read_tile(struct reading *reading, const struct oro_value *value, size_t number,
                      struct oro_window window)
{
    struct oro_tile_store *store = reading->store;
    const struct oro_tile_file *file = &reading->tiles->files[number];
    bool needed = is_needed(store, value, window), reads = store->shared ? needed : rank_of(store) == 0;
    void *packed = NULL;
    size_t size = (size_t)file->bytes;
    if (reads && !oro_disk_read_tile(store->disk, reading->key, reading->iterations, number, file, &packed))
        note_trouble(reading, damaged + number);
    if (!store->shared && !oro_cache_spread_bytes(store->ranks, &packed, &size))
        note_trouble(reading, NO_ROOM);
    else if (packed && needed)
        note_trouble(reading, unpack(reading, number, packed, value, window));
    oro_free(packed);
}

static bool make_values(const struct reading *reading, struct oro_device *device, struct oro_result *result)
{
    bool ok = true;
    for (int i = 0; i < result->value_count; i++)
        if (reading->tiles->values[i].count) {
            result->values[i] = ok ? new_value(device, &reading->tiles->values[i]) : NULL;
            ok = result->values[i];
        }
    return oro_ranks_all(reading->store->ranks, ok);
}

bool oro_tiles_get(struct oro_tile_store *store, struct oro_hash key, int iterations,
                   const struct oro_entry_tiles *tiles, struct oro_device *device, struct oro_result *result)
{
    struct reading reading = {store, key, iterations, tiles, READ};
    bool ok = true;
    say_not_shared(store);
    if (!make_values(&reading, device, result))
        return false;
    for (int i = 0; i < result->value_count; i++)
        for (size_t tile = 0; tile < tiles->values[i].count; tile++)
            read_tile(&reading, result->values[i], tiles->values[i].first + tile,
                      oro_entry_tile_window(&tiles->values[i], tile));
    uint64_t trouble = worst(store, reading.trouble, &ok);
    if (ok && trouble >= damaged && rank_of(store) == 0)
        oro_disk_drop_damaged(store->disk, key, iterations, (size_t)(trouble - damaged));
    return ok && trouble == READ;
}
