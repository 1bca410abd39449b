/* The device's buffers: arrays, and rasters that are whole or in tiles. */
#include "base/memory.h"
#include "devices/spread/internal.h"

bool oro_tiled_buffer_is_large(const struct spread *spread, const struct tiled_buffer *tiled)
{
    return (size_t)tiled->width * (size_t)tiled->height > spread->options.whole;
}

struct tile *oro_tiles_create(const struct spread *spread, const struct tiled_buffer *tiled)
{
    const struct tiling *tiling = &tiled->tiling;
    struct tile *tiles = oro_alloc(tiling->count, sizeof *tiles);
    int ranks = spread->ranks->count;
    for (size_t i = 0; tiles && i < tiling->count; i++) {
        struct oro_window window = oro_tiling_window(tiling, i);
        if (oro_tiling_rank(tiling, i, ranks) == spread->ranks->rank)
            tiles[i].shape = oro_window_block(window, window, tiled->channels);
        tiles[i].bytes = (size_t)tiles[i].shape.columns * (size_t)tiles[i].shape.rows * WORD;
    }
    return tiles;
}

void oro_tiles_free(struct spread *spread, const struct tiled_buffer *tiled, struct tile *tiles)
{
    for (size_t i = 0; tiles && i < tiled->tiling.count; i++)
        oro_tile_drop(spread, &tiles[i]);
    oro_free(tiles);
}

static bool begin_tiles(struct spread *spread, struct tiled_buffer *tiled, struct oro_error *err)
{
    tiled->tiling = oro_spread_tiling(spread, tiled->width, tiled->height);
    tiled->tiles = oro_tiles_create(spread, tiled);
    tiled->spread = tiled->tiles;
    return tiled->tiles || oro_fail(err, ORO_E_MEMORY, "no memory for the tiles of a raster");
}

struct oro_buffer *oro_tiled_buffer_create(struct spread *spread, size_t bytes, const struct oro_grid *grid,
                                           int channels, struct oro_error *err)
{
    struct tiled_buffer *tiled = oro_alloc(1, sizeof *tiled);
    if (!tiled) {
        oro_fail(err, ORO_E_MEMORY, "no memory for a buffer");
        return NULL;
    }
    *tiled = (struct tiled_buffer){.bytes = bytes, .generation = spread->generation};
    if (grid) {
        tiled->width = grid->width;
        tiled->height = grid->height;
        tiled->channels = channels;
    }
    bool ok = grid ? !oro_tiled_buffer_is_large(spread, tiled) || begin_tiles(spread, tiled, err)
                   : oro_tiled_buffer_buffer(spread, tiled, err) != NULL;
    if (!ok) {
        oro_free(tiled);
        return NULL;
    }
    return (struct oro_buffer *)(void *)tiled;
}

void oro_tiled_buffer_free(struct spread *spread, struct tiled_buffer *tiled)
{
    oro_tiled_buffer_forget(spread, tiled);
    oro_tiles_free(spread, tiled, tiled->tiles);
    oro_free(tiled);
}

bool oro_tiled_buffer_usable(const struct spread *spread, const struct tiled_buffer *tiled, size_t bytes,
                             struct oro_error *err)
{
    if (!tiled)
        return oro_fail(err, ORO_E_DEVICE, "a buffer is missing");
    if (tiled->generation != spread->generation)
        return oro_fail(err, ORO_E_LOST, "a buffer is from before the GPU context was lost");
    return bytes <= tiled->bytes ||
           oro_fail(err, ORO_E_DEVICE, "%zu bytes do not fit a buffer of %zu bytes", bytes, tiled->bytes);
}

struct oro_buffer *oro_tiled_buffer_buffer(struct spread *spread, struct tiled_buffer *tiled,
                                           struct oro_error *err)
{
    if (!tiled->buffer)
        tiled->buffer = oro_spread_buffer(spread, tiled->bytes, err);
    return tiled->buffer;
}

void oro_tiled_buffer_forget(struct spread *spread, struct tiled_buffer *tiled)
{
    struct oro_device *inner = spread->inner;
    if (tiled->buffer)
        inner->ops->buffer_destroy(inner, tiled->buffer);
    tiled->buffer = NULL;
}

bool oro_tiled_buffer_cut(struct spread *spread, struct tiled_buffer *tiled, struct oro_error *err)
{
    struct oro_device *inner = spread->inner;
    struct oro_buffer *buffer = tiled->buffer;
    struct oro_window grid = {0, 0, tiled->width, tiled->height};
    if (!begin_tiles(spread, tiled, err))
        return false;
    tiled->buffer = NULL;
    bool ok = true;
    for (size_t i = 0; buffer && ok && i < tiled->tiling.count; i++) {
        struct oro_window window = oro_tiling_window(&tiled->tiling, i);
        if (tiled->tiles[i].bytes)
            ok = oro_tile_store(spread, &tiled->tiles[i], buffer,
                                oro_window_block(grid, window, tiled->channels), err);
    }
    if (buffer)
        inner->ops->buffer_destroy(inner, buffer);
    return ok;
}

bool oro_tiled_buffer_gather(struct spread *spread, struct tiled_buffer *tiled, struct oro_error *err)
{
    struct oro_device *inner = spread->inner;
    void *cells = oro_alloc(tiled->bytes, 1);
    if (!cells)
        return oro_fail(err, ORO_E_MEMORY, "no memory to put a raster together");
    bool ok = oro_spread_download(spread, tiled, cells, tiled->bytes, err);
    if (ok) {
        oro_tiles_free(spread, tiled, tiled->tiles);
        tiled->tiles = NULL;
        tiled->spread = false;
        ok = oro_tiled_buffer_buffer(spread, tiled, err) &&
             inner->ops->upload(inner, tiled->buffer, cells, tiled->bytes, err);
    }
    oro_free(cells);
    return ok;
}
