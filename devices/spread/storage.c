/* Where tiles are kept: on the device, in host memory, in files. The least recently used leave first. */
#include <string.h>

#include "base/memory.h"
#include "devices/spread/internal.h"

static double mib(size_t bytes)
{
    return (double)bytes / (1 << 20);
}

/* ---- Lists ---- */

static void push(struct tile_list *list, struct tile *tile)
{
    tile->newer = NULL;
    tile->older = list->newest;
    *(list->newest ? &list->newest->newer : &list->oldest) = tile;
    list->newest = tile;
}

static void leave(struct tile_list *list, struct tile *tile)
{
    *(tile->newer ? &tile->newer->older : &list->newest) = tile->older;
    *(tile->older ? &tile->older->newer : &list->oldest) = tile->newer;
}

static void used(struct spread *spread, struct tile *tile)
{
    struct tile_list *list = tile->place == ON_DEVICE ? &spread->on_device
                             : tile->place == ON_HOST ? &spread->on_host
                                                      : NULL;
    if (!list)
        return;
    leave(list, tile);
    push(list, tile);
}

/* ---- Host memory ---- */

/* Memory of tiles that are gone, kept for others of their size: new memory costs more at its first touch than
 * what is copied there. */
struct spare {
    struct spare *next;
    size_t bytes;
};

enum { LEAST_KEPT = 64 << 10 };

static void *take_memory(struct spread *spread, size_t bytes)
{
    for (struct spare **at = &spread->spares; *at; at = &(*at)->next) {
        struct spare *spare = *at;
        if (spare->bytes != bytes)
            continue;
        *at = spare->next;
        spread->spare_bytes -= bytes;
        return spare;
    }
    return oro_alloc(bytes, 1);
}

/* Frees spares until they and the tiles fit the budget. */
static void trim_spares(struct spread *spread)
{
    while (spread->spares && spread->host_bytes + spread->spare_bytes > spread->options.host_bytes) {
        struct spare *spare = spread->spares;
        spread->spares = spare->next;
        spread->spare_bytes -= spare->bytes;
        oro_free(spare);
    }
}

static void give_memory(struct spread *spread, void *memory, size_t bytes)
{
    struct spare *spare = memory;
    if (bytes < LEAST_KEPT) {
        oro_free(memory);
        return;
    }
    *spare = (struct spare){spread->spares, bytes};
    spread->spares = spare;
    spread->spare_bytes += bytes;
    trim_spares(spread);
}

void oro_spares_free(struct spread *spread)
{
    while (spread->spares) {
        struct spare *spare = spread->spares;
        spread->spares = spare->next;
        oro_free(spare);
    }
}

void oro_tile_drop(struct spread *spread, struct tile *tile)
{
    struct oro_device *inner = spread->inner;
    if (tile->place == ON_DEVICE) {
        leave(&spread->on_device, tile);
        inner->ops->buffer_destroy(inner, tile->buffer);
    } else if (tile->place == ON_HOST) {
        leave(&spread->on_host, tile);
        spread->host_bytes -= tile->bytes;
        give_memory(spread, tile->memory, tile->bytes);
    } else if (tile->place == ON_DISK) {
        oro_slots_drop(tile);
    }
    tile->place = NOWHERE;
}

/* ---- Away from the device ---- */

/* Moves tiles to files until host memory has room for so many bytes more. */
static bool make_host_room(struct spread *spread, size_t bytes, struct oro_error *err)
{
    size_t budget = spread->options.host_bytes;
    while (spread->on_host.oldest && spread->host_bytes + bytes > budget) {
        struct tile *tile = spread->on_host.oldest;
        void *memory = tile->memory;
        if (!oro_slots_put(spread, tile, memory, err))
            return false;
        leave(&spread->on_host, tile);
        spread->host_bytes -= tile->bytes;
        give_memory(spread, memory, tile->bytes);
        tile->place = ON_DISK;
    }
    return true;
}

/* Memory for all of a tile, which gets `outside` once it is filled: its own, or where host memory is too
 * small for a tile, the memory of those on their way to a file. */
static void *begin_outside(struct spread *spread, size_t bytes, struct oro_error *err)
{
    if (!make_host_room(spread, bytes, err))
        return NULL;
    void *memory = NULL;
    if (spread->host_bytes + bytes <= spread->options.host_bytes)
        memory = take_memory(spread, bytes);
    return memory ? memory : oro_spread_transit(spread, bytes, err);
}

/* The tile is nowhere; takes over what begin_outside gave. */
static bool end_outside(struct spread *spread, struct tile *tile, void *memory, struct oro_error *err)
{
    if (memory == spread->transit) {
        if (!oro_slots_put(spread, tile, memory, err))
            return false;
        tile->place = ON_DISK;
        return true;
    }
    tile->place = ON_HOST;
    tile->memory = memory;
    push(&spread->on_host, tile);
    spread->host_bytes += tile->bytes;
    trim_spares(spread);
    if (spread->host_bytes > spread->counts.peak_host_bytes)
        spread->counts.peak_host_bytes = spread->host_bytes;
    return true;
}

/* Brings all of a buffer of the inner device to a tile that is nowhere. */
static bool bring_outside(struct spread *spread, struct tile *tile, struct oro_buffer *from,
                          struct oro_error *err)
{
    struct oro_device *inner = spread->inner;
    void *memory = begin_outside(spread, tile->bytes, err);
    if (!memory)
        return false;
    if (!inner->ops->download(inner, from, memory, tile->bytes, err)) {
        if (memory != spread->transit)
            oro_free(memory);
        return false;
    }
    spread->counts.to_host_bytes += tile->bytes;
    return end_outside(spread, tile, memory, err);
}

static bool leave_device(struct spread *spread, struct tile *tile, struct oro_error *err)
{
    struct oro_device *inner = spread->inner;
    struct oro_buffer *buffer = tile->buffer;
    leave(&spread->on_device, tile);
    tile->place = NOWHERE;
    bool ok = bring_outside(spread, tile, buffer, err);
    inner->ops->buffer_destroy(inner, buffer);
    return ok;
}

static bool has_room(const struct spread *spread, size_t bytes)
{
    size_t budget = spread->options.device_bytes, used_bytes = spread->inner->used_bytes;
    return bytes <= budget && used_bytes <= budget - bytes;
}

static bool make_room(struct spread *spread, size_t bytes, struct oro_error *err)
{
    while (spread->on_device.oldest && !has_room(spread, bytes))
        if (!leave_device(spread, spread->on_device.oldest, err))
            return false;
    return true;
}

struct oro_buffer *oro_spread_buffer(struct spread *spread, size_t bytes, struct oro_error *err)
{
    struct oro_device *inner = spread->inner;
    if (!make_room(spread, bytes, err))
        return NULL;
    if (!has_room(spread, bytes)) {
        oro_fail(
            err, ORO_E_LIMIT,
            "%.1f MiB are wanted on the device; %.1f of the budget of %.1f MiB are in use, and no tile is "
            "left that could make room: choose smaller tiles or a larger budget",
            mib(bytes), mib(inner->used_bytes), mib(spread->options.device_bytes));
        return NULL;
    }
    struct oro_buffer *buffer = inner->ops->buffer_create(inner, bytes, err);
    if (inner->peak_bytes > spread->counts.peak_device_bytes)
        spread->counts.peak_device_bytes = inner->peak_bytes;
    return buffer;
}

/* Makes a tile that is nowhere one of the device, uninitialised. */
static bool settle_on_device(struct spread *spread, struct tile *tile, struct oro_error *err)
{
    tile->buffer = oro_spread_buffer(spread, tile->bytes, err);
    if (!tile->buffer)
        return false;
    tile->place = ON_DEVICE;
    push(&spread->on_device, tile);
    return true;
}

/* ---- From the device and back ---- */

bool oro_tile_store(struct spread *spread, struct tile *tile, struct oro_buffer *from, struct block at,
                    struct oro_error *err)
{
    struct block whole = {0, (size_t)at.columns, at.columns, at.rows};
    spread->counts.stored_bytes += tile->bytes;
    if (tile->place == ON_DEVICE) {
        used(spread, tile);
        return oro_spread_copy(spread, from, at, tile->buffer, whole, err);
    }
    oro_tile_drop(spread, tile);
    if (!make_room(spread, tile->bytes, err))
        return false;
    if (has_room(spread, tile->bytes))
        return settle_on_device(spread, tile, err) &&
               oro_spread_copy(spread, from, at, tile->buffer, whole, err);
    struct oro_buffer *staging = oro_spread_staging(spread, tile->bytes, err);
    return staging && oro_spread_copy(spread, from, at, staging, whole, err) &&
           bring_outside(spread, tile, staging, err);
}

static size_t bytes_of(struct block block)
{
    return (size_t)block.columns * (size_t)block.rows * WORD;
}

static bool is_whole(const struct tile *tile, struct block part)
{
    return bytes_of(part) == tile->bytes;
}

static void copy_rows(void *to, size_t to_stride, const void *from, size_t from_stride, struct block size)
{
    for (size_t row = 0; row < (size_t)size.rows; row++)
        memcpy((char *)to + row * to_stride * WORD, (const char *)from + row * from_stride * WORD,
               (size_t)size.columns * WORD);
}

/* Reads a part of a tile outside of the device, to rows without gaps in the host's memory, unless the tile
 * itself has them so. NULL: it failed. */
static const void *pack(struct spread *spread, struct tile *tile, struct block part, struct oro_error *err)
{
    if (tile->place == ON_HOST && (size_t)part.columns == part.stride)
        return (char *)tile->memory + part.first * WORD;
    void *memory = oro_spread_transit(spread, bytes_of(part), err);
    return memory && oro_tile_read(spread, tile, part, memory, (size_t)part.columns, err) ? memory : NULL;
}

/* Where there is room, a tile that is needed as a whole comes back to the device. */
static bool come_back(struct spread *spread, struct tile *tile, struct oro_error *err)
{
    struct oro_device *inner = spread->inner;
    struct block whole = {0, tile->bytes / WORD, (int)(tile->bytes / WORD), 1};
    const void *cells = pack(spread, tile, whole, err);
    struct oro_buffer *buffer = cells ? oro_spread_buffer(spread, tile->bytes, err) : NULL;
    if (!buffer)
        return false;
    spread->counts.from_host_bytes += tile->bytes;
    if (!inner->ops->upload(inner, buffer, cells, tile->bytes, err)) {
        inner->ops->buffer_destroy(inner, buffer);
        return false;
    }
    oro_tile_drop(spread, tile);
    tile->place = ON_DEVICE;
    tile->buffer = buffer;
    push(&spread->on_device, tile);
    return true;
}

bool oro_tile_load(struct spread *spread, struct tile *tile, struct block part, struct oro_buffer *to,
                   struct block there, struct oro_error *err)
{
    struct oro_device *inner = spread->inner;
    size_t bytes = bytes_of(part);
    spread->counts.loaded_bytes += bytes;
    used(spread, tile);
    bool outside = tile->place == ON_HOST || tile->place == ON_DISK;
    if (outside && is_whole(tile, part) && has_room(spread, bytes) && !come_back(spread, tile, err))
        return false;
    if (tile->place == ON_DEVICE)
        return oro_spread_copy(spread, tile->buffer, part, to, there, err);
    if (tile->place == NOWHERE)
        return true; /* nobody has written it */
    struct oro_buffer *staging = oro_spread_staging(spread, bytes, err);
    const void *cells = staging ? pack(spread, tile, part, err) : NULL;
    spread->counts.from_host_bytes += bytes;
    struct block packed = {0, (size_t)part.columns, part.columns, part.rows};
    return cells && inner->ops->upload(inner, staging, cells, bytes, err) &&
           oro_spread_copy(spread, staging, packed, to, there, err);
}

/* ---- From the host and back ---- */

static bool read_device(struct spread *spread, struct tile *tile, struct block part, void *to, size_t stride,
                        struct oro_error *err)
{
    struct oro_device *inner = spread->inner;
    struct oro_buffer *from = tile->buffer;
    size_t bytes = bytes_of(part);
    struct block packed = {0, (size_t)part.columns, part.columns, part.rows};
    if (!is_whole(tile, part)) {
        /* Making the staging buffer may send this tile away. */
        from = oro_spread_staging(spread, bytes, err);
        if (!from)
            return false;
        if (tile->place != ON_DEVICE)
            return oro_tile_read(spread, tile, part, to, stride, err);
        if (!oro_spread_copy(spread, tile->buffer, part, from, packed, err))
            return false;
    }
    spread->counts.to_host_bytes += bytes;
    if (stride == (size_t)part.columns)
        return inner->ops->download(inner, from, to, bytes, err);
    void *memory = oro_spread_transit(spread, bytes, err);
    if (!memory || !inner->ops->download(inner, from, memory, bytes, err))
        return false;
    copy_rows(to, stride, memory, packed.stride, part);
    return true;
}

static bool read_disk(struct spread *spread, struct tile *tile, struct block part, void *to, size_t stride,
                      struct oro_error *err)
{
    if (stride == (size_t)part.columns && part.stride == stride)
        return oro_slots_get(spread, tile, part.first * WORD, to, bytes_of(part), err);
    for (size_t row = 0; row < (size_t)part.rows; row++)
        if (!oro_slots_get(spread, tile, (part.first + row * part.stride) * WORD,
                           (char *)to + row * stride * WORD, (size_t)part.columns * WORD, err))
            return false;
    return true;
}

bool oro_tile_read(struct spread *spread, struct tile *tile, struct block part, void *to, size_t stride,
                   struct oro_error *err)
{
    used(spread, tile);
    if (tile->place == ON_DEVICE)
        return read_device(spread, tile, part, to, stride, err);
    if (tile->place == ON_DISK)
        return read_disk(spread, tile, part, to, stride, err);
    if (tile->place == ON_HOST)
        copy_rows(to, stride, (char *)tile->memory + part.first * WORD, part.stride, part);
    return true;
}

static bool write_device(struct spread *spread, struct tile *tile, struct block part, const void *from,
                         size_t stride, struct oro_error *err)
{
    struct oro_device *inner = spread->inner;
    const void *cells = from;
    if (stride != (size_t)part.columns) {
        void *memory = oro_spread_transit(spread, tile->bytes, err);
        if (!memory)
            return false;
        copy_rows(memory, (size_t)part.columns, from, stride, part);
        cells = memory;
    }
    spread->counts.from_host_bytes += tile->bytes;
    return settle_on_device(spread, tile, err) &&
           inner->ops->upload(inner, tile->buffer, cells, tile->bytes, err);
}

bool oro_tile_write(struct spread *spread, struct tile *tile, struct block part, const void *from,
                    size_t stride, struct oro_error *err)
{
    bool whole = is_whole(tile, part);
    if (whole)
        oro_tile_drop(spread, tile);
    else if (tile->place == ON_DEVICE && !leave_device(spread, tile, err))
        return false;
    if (whole && has_room(spread, tile->bytes))
        return write_device(spread, tile, part, from, stride, err);
    void *memory = tile->place == ON_HOST ? tile->memory : begin_outside(spread, tile->bytes, err);
    if (!memory)
        return false;
    if (tile->place == ON_DISK) {
        if (!oro_slots_get(spread, tile, 0, memory, tile->bytes, err)) {
            if (memory != spread->transit)
                oro_free(memory);
            return false;
        }
        oro_tile_drop(spread, tile);
    }
    copy_rows((char *)memory + part.first * WORD, part.stride, from, stride, part);
    return tile->place == ON_HOST || end_outside(spread, tile, memory, err);
}
