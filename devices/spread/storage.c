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
    list->bytes += tile->bytes;
}

static void leave(struct tile_list *list, struct tile *tile)
{
    *(tile->newer ? &tile->newer->older : &list->newest) = tile->older;
    *(tile->older ? &tile->older->newer : &list->oldest) = tile->newer;
    list->bytes -= tile->bytes;
}

static void higher(size_t *peak, size_t bytes)
{
    *peak = bytes > *peak ? bytes : *peak;
}

static void count_peaks(struct spread *spread)
{
    struct oro_spread_counts *counts = &spread->counts;
    size_t host = spread->on_host.bytes, disk = oro_slots_bytes(spread);
    higher(&counts->peak_host_bytes, host);
    higher(&counts->peak_disk_bytes, disk);
    higher(&counts->peak_tile_bytes, spread->on_device.bytes + host + disk);
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

void oro_tile_drop(struct spread *spread, struct tile *tile)
{
    struct oro_device *inner = spread->inner;
    if (tile->place == ON_DEVICE) {
        leave(&spread->on_device, tile);
        inner->ops->buffer_destroy(inner, tile->buffer);
    } else if (tile->place == ON_HOST) {
        leave(&spread->on_host, tile);
        oro_pinned_give(spread, tile->pinned);
    } else if (tile->place == ON_DISK) {
        oro_slots_drop(tile);
    }
    tile->place = NOWHERE;
}

/* ---- Away from the device ---- */

/* Moves tiles to files until so many bytes more fit the host. */
static bool free_host_memory(struct spread *spread, size_t bytes, struct oro_error *err)
{
    size_t budget = spread->options.host_bytes;
    while (spread->on_host.oldest && spread->on_host.bytes + bytes > budget) {
        struct tile *tile = spread->on_host.oldest;
        struct pinned *pinned = tile->pinned;
        if (!oro_pinned_settle(spread, pinned, err) || !oro_slots_put(spread, tile, pinned->memory, err))
            return false;
        leave(&spread->on_host, tile);
        oro_pinned_give(spread, pinned);
        tile->place = ON_DISK;
    }
    return true;
}

/* A tile that is nowhere takes over memory that has its cells; it goes on to a file where host memory is too
 * small for any tile. */
static bool settle_on_host(struct spread *spread, struct tile *tile, struct pinned *pinned,
                           struct oro_error *err)
{
    if (!free_host_memory(spread, tile->bytes, err)) {
        oro_pinned_give(spread, pinned);
        return false;
    }
    if (spread->on_host.bytes + tile->bytes > spread->options.host_bytes) {
        bool ok = oro_pinned_settle(spread, pinned, err) && oro_slots_put(spread, tile, pinned->memory, err);
        tile->place = ok ? ON_DISK : NOWHERE;
        count_peaks(spread);
        oro_pinned_give(spread, pinned);
        return ok;
    }
    tile->place = ON_HOST;
    tile->pinned = pinned;
    push(&spread->on_host, tile);
    oro_spares_trim(spread);
    count_peaks(spread);
    return true;
}

/* Brings cells of a buffer of the inner device to a tile that is nowhere. */
static bool bring_outside(struct spread *spread, struct tile *tile, struct oro_buffer *from, struct block at,
                          struct oro_error *err)
{
    struct pinned *pinned = oro_pinned_take(spread, tile->bytes, err);
    if (!pinned)
        return false;
    if (!oro_pinned_store(spread, pinned, 0, from, at, err)) {
        oro_pinned_give(spread, pinned);
        return false;
    }
    return settle_on_host(spread, tile, pinned, err);
}

static bool leave_device(struct spread *spread, struct tile *tile, struct oro_error *err)
{
    struct oro_device *inner = spread->inner;
    struct oro_buffer *buffer = tile->buffer;
    leave(&spread->on_device, tile);
    tile->place = NOWHERE;
    bool ok = bring_outside(spread, tile, buffer, tile->shape, err);
    inner->ops->buffer_destroy(inner, buffer);
    return ok;
}

static bool fits(const struct spread *spread, size_t bytes)
{
    size_t budget = spread->options.device_bytes, used_bytes = spread->inner->used_bytes;
    return bytes <= budget && used_bytes <= budget - bytes;
}

static bool make_space(struct spread *spread, size_t bytes, struct oro_error *err)
{
    while (spread->on_device.oldest && !fits(spread, bytes))
        if (!leave_device(spread, spread->on_device.oldest, err))
            return false;
    return true;
}

struct oro_buffer *oro_spread_buffer(struct spread *spread, size_t bytes, struct oro_error *err)
{
    struct oro_device *inner = spread->inner;
    if (!make_space(spread, bytes, err))
        return NULL;
    if (!fits(spread, bytes)) {
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
    count_peaks(spread);
    return true;
}

/* ---- From the device and back ---- */

bool oro_tile_store(struct spread *spread, struct tile *tile, struct oro_buffer *from, struct block at,
                    struct oro_error *err)
{
    spread->counts.stored_bytes += tile->bytes;
    if (tile->place == ON_DEVICE) {
        used(spread, tile);
        return oro_spread_copy(spread, COPY, from, at, tile->buffer, tile->shape, err);
    }
    oro_tile_drop(spread, tile);
    if (!make_space(spread, tile->bytes, err))
        return false;
    if (!fits(spread, tile->bytes))
        return bring_outside(spread, tile, from, at, err);
    return settle_on_device(spread, tile, err) &&
           oro_spread_copy(spread, COPY, from, at, tile->buffer, tile->shape, err);
}

static size_t bytes_of(struct block block)
{
    return (size_t)block.columns * (size_t)block.rows * WORD;
}

static bool is_whole(const struct tile *tile, struct block part)
{
    return bytes_of(part) == tile->bytes;
}

static bool read_disk(struct spread *spread, const struct tile *tile, struct block part, void *to,
                      size_t stride, struct oro_error *err)
{
    if (stride == (size_t)part.columns && part.stride == stride)
        return oro_slots_get(spread, tile, part.first * WORD, to, bytes_of(part), err);
    for (size_t row = 0; row < (size_t)part.rows; row++)
        if (!oro_slots_get(spread, tile, (part.first + row * part.stride) * WORD,
                           (char *)to + row * stride * WORD, (size_t)part.columns * WORD, err))
            return false;
    return true;
}

/* A part of a tile that lies outside of the device. */
static bool load_outside(struct spread *spread, struct tile *tile, struct block part, struct oro_buffer *to,
                         struct block there, struct oro_error *err)
{
    if (tile->place == ON_HOST)
        return oro_pinned_load(spread, tile->pinned, part, to, there, err);
    struct block packed = {0, (size_t)part.columns, part.columns, part.rows};
    struct pinned *pinned = oro_pinned_take(spread, tile->bytes, err);
    bool ok = pinned && oro_pinned_settle(spread, pinned, err) &&
              read_disk(spread, tile, part, pinned->memory, packed.stride, err) &&
              oro_pinned_load(spread, pinned, packed, to, there, err);
    oro_pinned_give(spread, pinned);
    return ok;
}

/* Where it fits, a tile that is needed as a whole comes back to the device. */
static bool come_back(struct spread *spread, struct tile *tile, struct oro_error *err)
{
    struct oro_device *inner = spread->inner;
    struct oro_buffer *buffer = oro_spread_buffer(spread, tile->bytes, err);
    if (!buffer)
        return false;
    if (!load_outside(spread, tile, tile->shape, buffer, tile->shape, err)) {
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
    size_t bytes = bytes_of(part);
    spread->counts.loaded_bytes += bytes;
    used(spread, tile);
    bool outside = tile->place == ON_HOST || tile->place == ON_DISK;
    if (outside && is_whole(tile, part) && fits(spread, bytes) && !come_back(spread, tile, err))
        return false;
    if (tile->place == ON_DEVICE)
        return oro_spread_copy(spread, COPY, tile->buffer, part, to, there, err);
    if (tile->place == NOWHERE)
        return true; /* nobody has written it */
    return load_outside(spread, tile, part, to, there, err);
}

/* ---- From the host and back ---- */

static bool read_device(struct spread *spread, struct tile *tile, struct block part, void *to, size_t stride,
                        struct oro_error *err)
{
    struct pinned *pinned = oro_pinned_take(spread, tile->bytes, err);
    bool ok = pinned && oro_pinned_store(spread, pinned, 0, tile->buffer, part, err) &&
              oro_pinned_settle(spread, pinned, err);
    if (ok)
        oro_copy_rows(to, stride, pinned->memory, (size_t)part.columns, part);
    oro_pinned_give(spread, pinned);
    return ok;
}

bool oro_tile_read(struct spread *spread, struct tile *tile, struct block part, void *to, size_t stride,
                   struct oro_error *err)
{
    used(spread, tile);
    /* A staging buffer that is made for it may send the tile away. */
    if (tile->place == ON_DEVICE && !oro_spread_staged(spread, tile->bytes, err))
        return false;
    if (tile->place == ON_DEVICE)
        return read_device(spread, tile, part, to, stride, err);
    if (tile->place == ON_DISK)
        return read_disk(spread, tile, part, to, stride, err);
    if (tile->place == ON_HOST) {
        if (!oro_pinned_settle(spread, tile->pinned, err))
            return false;
        oro_copy_rows(to, stride, (char *)tile->pinned->memory + part.first * WORD, part.stride, part);
    }
    return true;
}

bool oro_tile_pack(struct spread *spread, struct tile *tile, struct block part, struct pinned *pinned,
                   size_t first, struct oro_error *err)
{
    if (tile->place != ON_DEVICE || !pinned->buffer)
        return oro_tile_read(spread, tile, part, (char *)pinned->memory + first * WORD, (size_t)part.columns,
                             err);
    used(spread, tile);
    return oro_pinned_store(spread, pinned, first, tile->buffer, part, err);
}

/* Gives a tile its memory in the host, with what it has, for the host to write a part of it. */
static struct pinned *open_outside(struct spread *spread, struct tile *tile, struct oro_error *err)
{
    struct pinned *pinned = tile->place == ON_HOST ? tile->pinned : oro_pinned_take(spread, tile->bytes, err);
    bool ok = pinned && oro_pinned_settle(spread, pinned, err) &&
              (tile->place != ON_DISK || oro_slots_get(spread, tile, 0, pinned->memory, tile->bytes, err));
    if (ok && tile->place == ON_DISK)
        oro_tile_drop(spread, tile);
    if (!ok && tile->place != ON_HOST)
        oro_pinned_give(spread, pinned);
    return ok ? pinned : NULL;
}

/* All of a tile that is nowhere goes to the device if it fits there. */
static bool settle_anywhere(struct spread *spread, struct tile *tile, struct pinned *pinned,
                            struct oro_error *err)
{
    if (!fits(spread, tile->bytes))
        return settle_on_host(spread, tile, pinned, err);
    bool ok = settle_on_device(spread, tile, err) &&
              oro_pinned_load(spread, pinned, tile->shape, tile->buffer, tile->shape, err);
    oro_pinned_give(spread, pinned);
    return ok;
}

bool oro_tile_write(struct spread *spread, struct tile *tile, struct block part, const void *from,
                    size_t stride, struct oro_error *err)
{
    bool whole = is_whole(tile, part);
    if (whole)
        oro_tile_drop(spread, tile);
    else if (tile->place == ON_DEVICE && !leave_device(spread, tile, err))
        return false;
    struct pinned *pinned = open_outside(spread, tile, err);
    if (!pinned)
        return false;
    oro_copy_rows((char *)pinned->memory + part.first * WORD, part.stride, from, stride, part);
    if (tile->place == ON_HOST)
        return true;
    return whole ? settle_anywhere(spread, tile, pinned, err) : settle_on_host(spread, tile, pinned, err);
}
