/* The device's buffers: arrays, and rasters that are whole or in tiles. */
#include "base/memory.h"
#include "devices/spread/internal.h"

bool oro_held_is_large(const struct spread *spread, const struct held *held)
{
    return (size_t)held->width * (size_t)held->height > spread->options.whole;
}

struct tile *oro_tiles_create(const struct spread *spread, const struct held *held)
{
    const struct tiling *tiling = &held->tiling;
    struct tile *tiles = oro_alloc(tiling->count, sizeof *tiles);
    int ranks = spread->ranks->count;
    for (size_t i = 0; tiles && i < tiling->count; i++) {
        struct oro_window window = oro_tiling_window(tiling, i);
        if (oro_tiling_rank(tiling, i, ranks) == spread->ranks->rank)
            tiles[i].shape = oro_window_block(window, window, held->channels);
        tiles[i].bytes = (size_t)tiles[i].shape.columns * (size_t)tiles[i].shape.rows * WORD;
    }
    return tiles;
}

void oro_tiles_free(struct spread *spread, const struct held *held, struct tile *tiles)
{
    for (size_t i = 0; tiles && i < held->tiling.count; i++)
        oro_tile_drop(spread, &tiles[i]);
    oro_free(tiles);
}

static bool begin_tiles(struct spread *spread, struct held *held, struct oro_error *err)
{
    held->tiling = oro_spread_tiling(spread, held->width, held->height);
    held->tiles = oro_tiles_create(spread, held);
    held->spread = held->tiles;
    return held->tiles || oro_fail(err, ORO_E_MEMORY, "no memory for the tiles of a raster");
}

struct oro_buffer *oro_held_create(struct spread *spread, size_t bytes, const struct oro_grid *grid,
                                   int channels, struct oro_error *err)
{
    struct held *held = oro_alloc(1, sizeof *held);
    if (!held) {
        oro_fail(err, ORO_E_MEMORY, "no memory for a buffer");
        return NULL;
    }
    *held = (struct held){.bytes = bytes, .generation = spread->generation};
    if (grid) {
        held->width = grid->width;
        held->height = grid->height;
        held->channels = channels;
    }
    bool ok = grid ? !oro_held_is_large(spread, held) || begin_tiles(spread, held, err)
                   : oro_held_buffer(spread, held, err) != NULL;
    if (!ok) {
        oro_free(held);
        return NULL;
    }
    return (struct oro_buffer *)(void *)held;
}

void oro_held_free(struct spread *spread, struct held *held)
{
    oro_held_forget(spread, held);
    oro_tiles_free(spread, held, held->tiles);
    oro_free(held);
}

bool oro_held_usable(const struct spread *spread, const struct held *held, size_t bytes,
                     struct oro_error *err)
{
    if (!held)
        return oro_fail(err, ORO_E_DEVICE, "a buffer is missing");
    if (held->generation != spread->generation)
        return oro_fail(err, ORO_E_LOST, "a buffer is from before the GPU context was lost");
    return bytes <= held->bytes ||
           oro_fail(err, ORO_E_DEVICE, "%zu bytes do not fit a buffer of %zu bytes", bytes, held->bytes);
}

struct oro_buffer *oro_held_buffer(struct spread *spread, struct held *held, struct oro_error *err)
{
    if (!held->buffer)
        held->buffer = oro_spread_buffer(spread, held->bytes, err);
    return held->buffer;
}

void oro_held_forget(struct spread *spread, struct held *held)
{
    struct oro_device *inner = spread->inner;
    if (held->buffer)
        inner->ops->buffer_destroy(inner, held->buffer);
    held->buffer = NULL;
}

bool oro_held_cut(struct spread *spread, struct held *held, struct oro_error *err)
{
    struct oro_device *inner = spread->inner;
    struct oro_buffer *buffer = held->buffer;
    struct oro_window grid = {0, 0, held->width, held->height};
    if (!begin_tiles(spread, held, err))
        return false;
    held->buffer = NULL;
    bool ok = true;
    for (size_t i = 0; buffer && ok && i < held->tiling.count; i++) {
        struct oro_window window = oro_tiling_window(&held->tiling, i);
        if (held->tiles[i].bytes)
            ok = oro_tile_store(spread, &held->tiles[i], buffer,
                                oro_window_block(grid, window, held->channels), err);
    }
    if (buffer)
        inner->ops->buffer_destroy(inner, buffer);
    return ok;
}

bool oro_held_gather(struct spread *spread, struct held *held, struct oro_error *err)
{
    struct oro_device *inner = spread->inner;
    void *cells = oro_alloc(held->bytes, 1);
    if (!cells)
        return oro_fail(err, ORO_E_MEMORY, "no memory to put a raster together");
    bool ok = oro_spread_download(spread, held, cells, held->bytes, err);
    if (ok) {
        oro_tiles_free(spread, held, held->tiles);
        held->tiles = NULL;
        held->spread = false;
        ok = oro_held_buffer(spread, held, err) &&
             inner->ops->upload(inner, held->buffer, cells, held->bytes, err);
    }
    oro_free(cells);
    return ok;
}
