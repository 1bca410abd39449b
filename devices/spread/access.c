/* Between spread rasters and the memory of the host. */
#include <string.h>

#include "base/memory.h"
#include "devices/spread/internal.h"

/* A window, and memory that holds the cells of another window around it. */
struct target {
    struct tiled_buffer *tiled;
    struct oro_window part, window;
    char *memory;
};

static void *cell_of(const struct target *target, int x, int y)
{
    struct oro_window cell = {x, y, 1, 1};
    return target->memory + oro_window_block(target->window, cell, target->tiled->channels).first * WORD;
}

static size_t stride_of(const struct target *target)
{
    return (size_t)target->window.width * (size_t)target->tiled->channels;
}

/* The tiles of this rank, between `part` and the memory. */
static bool move_own(struct spread *spread, const struct target *target, bool read, struct oro_error *err)
{
    struct tiled_buffer *tiled = target->tiled;
    const struct tiling *tiling = &tiled->tiling;
    for (size_t i = oro_tiling_meet(tiling, &target->part); i < tiling->count;
         i = oro_tiling_next(tiling, &target->part, i)) {
        struct oro_window window = oro_tiling_window(tiling, i);
        struct oro_window common = oro_window_common(target->part, window);
        struct block block = oro_window_block(window, common, tiled->channels);
        void *cells = cell_of(target, common.x, common.y);
        if (oro_tiling_rank(tiling, i, spread->ranks->count) != spread->ranks->rank)
            continue;
        if (!(read ? oro_tile_read(spread, &tiled->tiles[i], block, cells, stride_of(target), err)
                   : oro_tile_write(spread, &tiled->tiles[i], block, cells, stride_of(target), err)))
            return false;
    }
    return true;
}

static void wish_all(void *user, int rank, struct wishes *wishes)
{
    const struct target *target = user;
    (void)rank;
    oro_wishes_add(wishes, (struct wish){.tiled = target->tiled, .window = target->part});
}

static void take_received(const struct target *target, const struct mail *mail)
{
    for (size_t i = 0; i < mail->received.count; i++) {
        const struct part *part = &mail->received.items[i];
        size_t row_bytes = (size_t)part->window.width * (size_t)target->tiled->channels * WORD;
        for (int row = 0; row < part->window.height; row++)
            memcpy(cell_of(target, part->window.x, part->window.y + row),
                   (const char *)oro_mail_cells(mail, part) + (size_t)row * row_bytes, row_bytes);
    }
}

static bool fetch(struct spread *spread, struct target *target, struct oro_error *err)
{
    struct mail mail;
    bool ok = oro_mail_prepare(spread, &mail, wish_all, target, err);
    ok = ok && move_own(spread, target, true, err);
    ok = oro_mail_exchange(spread, &mail, ok, err);
    if (ok)
        take_received(target, &mail);
    oro_mail_free(spread, &mail);
    return ok;
}

/* The cells that lie in the first bytes of a raster: rows of it, and a part of the next. */
static int cut_prefix(const struct tiled_buffer *tiled, size_t bytes, struct oro_window parts[2])
{
    size_t cells = bytes / WORD / (size_t)tiled->channels, width = (size_t)tiled->width;
    int rows = (int)(cells / width), rest = (int)(cells % width), count = 0;
    if (rows)
        parts[count++] = (struct oro_window){0, 0, tiled->width, rows};
    if (rest)
        parts[count++] = (struct oro_window){0, rows, rest, 1};
    return count;
}

static bool is_in_cells(const struct tiled_buffer *tiled, size_t bytes, struct oro_error *err)
{
    return bytes % ((size_t)tiled->channels * WORD) == 0 ||
           oro_fail(err, ORO_E_DEVICE, "%zu bytes are no whole number of cells", bytes);
}

bool oro_spread_download(struct spread *spread, struct tiled_buffer *tiled, void *data, size_t bytes,
                         struct oro_error *err)
{
    struct oro_window parts[2];
    bool ok = is_in_cells(tiled, bytes, err);
    int count = ok ? cut_prefix(tiled, bytes, parts) : 0;
    for (int i = 0; ok && i < count; i++) {
        struct target target = {tiled, parts[i], {0, 0, tiled->width, tiled->height}, data};
        ok = fetch(spread, &target, err);
    }
    return ok;
}

bool oro_spread_upload(struct spread *spread, struct tiled_buffer *tiled, const void *data, size_t bytes,
                       struct oro_error *err)
{
    struct oro_window parts[2];
    bool ok = is_in_cells(tiled, bytes, err);
    int count = ok ? cut_prefix(tiled, bytes, parts) : 0;
    union {
        const void *from;
        char *memory;
    } cells = {.from = data}; /* is only read */
    for (int i = 0; ok && i < count; i++) {
        struct target target = {tiled, parts[i], {0, 0, tiled->width, tiled->height}, cells.memory};
        ok = move_own(spread, &target, false, err);
    }
    return oro_spread_agree(spread, ok, err);
}

/* ---- For readers and writers of windows ---- */

static bool is_inside(const struct tiled_buffer *tiled, const struct oro_window *window,
                      struct oro_error *err)
{
    struct oro_window common =
        oro_window_common(*window, (struct oro_window){0, 0, tiled->width, tiled->height});
    if (!tiled->spread)
        return oro_fail(err, ORO_E_DEVICE, "a window of a raster that is not in tiles");
    return (common.width == window->width && common.height == window->height && common.width) ||
           oro_fail(err, ORO_E_DEVICE, "a window lies outside of its raster");
}

static bool is_local(const struct spread *spread, const struct tiled_buffer *tiled,
                     const struct oro_window *window, struct oro_error *err)
{
    if (!is_inside(tiled, window, err))
        return false;
    for (size_t i = oro_tiling_meet(&tiled->tiling, window); i < tiled->tiling.count;
         i = oro_tiling_next(&tiled->tiling, window, i))
        if (oro_tiling_rank(&tiled->tiling, i, spread->ranks->count) != spread->ranks->rank)
            return oro_fail(err, ORO_E_DEVICE, "a window lies in tiles of another process");
    return true;
}

/* With several ranks, running a chain takes all of them, and they may not come here together. */
static bool is_settled(struct spread *spread, const struct tiled_buffer *tiled, struct oro_error *err)
{
    if (!tiled->use)
        return true;
    if (spread->ranks->count == 1)
        return oro_chain_run(spread, NULL, err);
    return oro_fail(err, ORO_E_DEVICE, "a window of a raster that is still computed: finish first");
}

static bool move_local(struct spread *spread, const struct target *target, bool read, struct oro_error *err)
{
    return oro_tiled_buffer_usable(spread, target->tiled, 0, err) && is_settled(spread, target->tiled, err) &&
           is_local(spread, target->tiled, &target->part, err) && move_own(spread, target, read, err);
}

static bool read_window(struct oro_device *device, struct oro_buffer *raster, const struct oro_window *window,
                        float *to, struct oro_error *err)
{
    struct target target = {tiled_of(raster), *window, *window, (char *)to};
    return move_local(spread_of(device), &target, true, err);
}

static bool write_window(struct oro_device *device, struct oro_buffer *raster,
                         const struct oro_window *window, const float *from, struct oro_error *err)
{
    union {
        const float *from;
        char *memory;
    } cells = {.from = from}; /* is only read */
    struct target target = {tiled_of(raster), *window, *window, cells.memory};
    return move_local(spread_of(device), &target, false, err);
}

static bool load_window(struct oro_device *device, struct oro_buffer *raster, const struct oro_window *window,
                        struct oro_buffer *to, struct oro_error *err)
{
    struct spread *spread = spread_of(device);
    struct tiled_buffer *tiled = tiled_of(raster), *array = tiled_of(to);
    const struct tiling *tiling = &tiled->tiling;
    size_t cells = (size_t)window->width * (size_t)window->height;
    if (!oro_tiled_buffer_usable(spread, tiled, 0, err) ||
        !oro_tiled_buffer_usable(spread, array, cells * (size_t)tiled->channels * WORD, err) ||
        !is_settled(spread, tiled, err) || !is_local(spread, tiled, window, err))
        return false;
    struct oro_buffer *buffer = oro_tiled_buffer_buffer(spread, array, err);
    for (size_t i = oro_tiling_meet(tiling, window); buffer && i < tiling->count;
         i = oro_tiling_next(tiling, window, i)) {
        struct oro_window tile = oro_tiling_window(tiling, i), common = oro_window_common(*window, tile);
        if (!oro_tile_load(spread, &tiled->tiles[i], oro_window_block(tile, common, tiled->channels), buffer,
                           oro_window_block(*window, common, tiled->channels), err))
            return false;
    }
    return buffer;
}

static bool store_tile(struct oro_device *device, struct oro_buffer *raster, const struct oro_window *window,
                       struct oro_buffer *from, struct oro_error *err)
{
    struct spread *spread = spread_of(device);
    struct tiled_buffer *tiled = tiled_of(raster), *array = tiled_of(from);
    if (!oro_tiled_buffer_usable(spread, tiled, 0, err) || !is_settled(spread, tiled, err) ||
        !is_local(spread, tiled, window, err))
        return false;
    size_t tile = oro_tiling_meet(&tiled->tiling, window);
    struct oro_window whole = oro_tiling_window(&tiled->tiling, tile);
    if (memcmp(&whole, window, sizeof whole) != 0 ||
        !oro_tiled_buffer_usable(spread, array, tiled->tiles[tile].bytes, err))
        return oro_fail(err, ORO_E_DEVICE, "what is stored is not a tile");
    struct oro_buffer *buffer = oro_tiled_buffer_buffer(spread, array, err);
    return buffer && oro_tile_store(spread, &tiled->tiles[tile], buffer,
                                    oro_window_block(*window, *window, tiled->channels), err);
}

/* The parts that all ranks want, each told by its own. */
struct wanted {
    struct tiled_buffer *tiled;
    struct oro_window *parts;
};

static void wish_theirs(void *user, int rank, struct wishes *wishes)
{
    const struct wanted *wanted = user;
    if (wanted->parts[rank].width)
        oro_wishes_add(wishes, (struct wish){.tiled = wanted->tiled, .window = wanted->parts[rank]});
}

static bool tell_parts(struct spread *spread, const struct oro_window *own, struct oro_window *parts,
                       struct oro_error *err)
{
    int count = spread->ranks->count;
    uint64_t *told = oro_alloc((size_t)count * 4, sizeof *told);
    bool ok = told || oro_fail(err, ORO_E_MEMORY, "no memory for windows");
    if (ok)
        memcpy(told + (size_t)spread->ranks->rank * 4,
               (uint64_t[]){(uint64_t)own->x, (uint64_t)own->y, (uint64_t)own->width, (uint64_t)own->height},
               4 * sizeof *told);
    ok = oro_spread_agree(spread, ok, err) && told &&
         spread->ranks->ops->sum(spread->ranks, told, (size_t)count * 4, err);
    for (int i = 0; ok && i < count; i++)
        parts[i] = (struct oro_window){(int)told[4 * i], (int)told[4 * i + 1], (int)told[4 * i + 2],
                                       (int)told[4 * i + 3]};
    oro_free(told);
    return ok;
}

static bool fetch_told(struct spread *spread, const struct target *target, struct wanted *wanted,
                       struct oro_error *err)
{
    struct mail mail;
    if (!tell_parts(spread, &target->part, wanted->parts, err))
        return false;
    bool ok = oro_mail_prepare(spread, &mail, wish_theirs, wanted, err);
    ok = ok && (!target->part.width || move_own(spread, target, true, err));
    ok = oro_mail_exchange(spread, &mail, ok, err);
    if (ok)
        take_received(target, &mail);
    oro_mail_free(spread, &mail);
    return ok;
}

static bool fetch_window(struct oro_device *device, struct oro_buffer *raster,
                         const struct oro_window *window, float *to, struct oro_error *err)
{
    struct spread *spread = spread_of(device);
    struct target target = {tiled_of(raster), *window, *window, (char *)to};
    if (!oro_tiled_buffer_usable(spread, target.tiled, 0, err) ||
        (target.tiled->use && !oro_chain_run(spread, NULL, err)))
        return false;
    struct wanted wanted = {target.tiled, oro_alloc((size_t)spread->ranks->count, sizeof *wanted.parts)};
    bool ok = wanted.parts || oro_fail(err, ORO_E_MEMORY, "no memory for windows");
    ok = ok && (!window->width || is_inside(target.tiled, window, err));
    ok = oro_spread_agree(spread, ok, err) && fetch_told(spread, &target, &wanted, err);
    oro_free(wanted.parts);
    return ok;
}

static struct oro_ranks *ranks_of(const struct oro_device *device)
{
    return ((const struct spread *)device)->ranks;
}

static size_t budget_of(const struct oro_device *device)
{
    return ((const struct spread *)device)->options.device_bytes;
}

static bool is_in_tiles(const struct oro_buffer *raster)
{
    return ((const struct tiled_buffer *)(const void *)raster)->spread;
}

static bool cuts_grid(const struct oro_device *device, const struct oro_grid *grid)
{
    return oro_grid_cells(grid) > ((const struct spread *)device)->options.whole;
}

const struct oro_device_tiles oro_spread_tiles = {.ranks = ranks_of,
                                                  .budget = budget_of,
                                                  .has = is_in_tiles,
                                                  .cuts = cuts_grid,
                                                  .count = oro_spread_tile_count,
                                                  .window = oro_spread_tile,
                                                  .rank = oro_spread_tile_rank,
                                                  .read = read_window,
                                                  .write = write_window,
                                                  .load = load_window,
                                                  .store = store_tile,
                                                  .fetch = fetch_window};
