/* Tiles of rasters on the host. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/memory.h"
#include "graph/type/ranks.h"
#include "nodes/flow/drainage_cells.h"

static struct oro_tiled_block block_of(const struct oro_drainage_cells *cells, int tile)
{
    const struct oro_tiled_grid *cut = &cells->tiles->cut;
    struct oro_tiled_block block = oro_tiled_tile(cut, tile);
    return cells->ringed ? oro_tiled_ringed(cut, &block) : block;
}

static struct oro_window window_of(const struct oro_tiled_block *block)
{
    return (struct oro_window){block->x, block->y, block->width, block->height};
}

/* ---- Room ---- */

static const char *folder(void)
{
    const char *set = getenv("TMPDIR");
    return set && *set ? set : "/var/tmp"; /* /tmp may be memory itself */
}

/* Its room is taken at once, as a full disk could not be told later. */
static void *map_file(size_t bytes)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s/orograph-drainage-XXXXXX", folder()) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return MAP_FAILED;
    }
    int file = mkstemp(path), reason = file < 0 || unlink(path) != 0 ? errno : 0;
    void *memory = MAP_FAILED;
    if (!reason)
        reason = posix_fallocate(file, 0, (off_t)bytes);
    if (!reason && (memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)) == MAP_FAILED)
        reason = errno;
    if (file >= 0)
        close(file); /* the mapping keeps it */
    errno = reason;
    return memory;
}

static bool take_file(struct oro_drainage_cells *cells, struct oro_error *err)
{
    size_t bytes = cells->count * sizeof(float);
    void *memory = map_file(bytes);
    if (memory == MAP_FAILED)
        return oro_fail(err, ORO_E_WRITE,
                        "%.1f MiB of a raster that do not fit into memory cannot be kept in the folder '%s': "
                        "%s. Name another folder (TMPDIR), or use more processes",
                        (double)bytes / (1 << 20), folder(), strerror(errno));
    cells->values = memory;
    cells->in_file = true;
    return true;
}

static bool make_room(struct oro_drainage_cells *cells, struct oro_error *err)
{
    const struct oro_drainage_tiles *tiles = cells->tiles;
    cells->first = oro_alloc((size_t)tiles->count, sizeof *cells->first);
    for (int i = 0; cells->first && i < tiles->count; i++) {
        struct oro_tiled_block block = block_of(cells, i);
        cells->first[i] = cells->count;
        if (oro_drainage_tiles_own(tiles, i))
            cells->count += (size_t)block.width * (size_t)block.height;
    }
    if (cells->first && cells->count * sizeof(float) > tiles->budget)
        return take_file(cells, err);
    cells->values = cells->first ? oro_alloc(cells->count ? cells->count : 1, sizeof *cells->values) : NULL;
    return cells->values || oro_fail(err, ORO_E_MEMORY, "no memory for %zu cells", cells->count);
}

static bool begin(struct oro_drainage_cells *cells, const struct oro_drainage_tiles *tiles, bool ringed,
                  struct oro_error *err)
{
    oro_drainage_cells_free(cells);
    *cells = (struct oro_drainage_cells){.tiles = tiles, .ringed = ringed};
    return oro_drainage_tiles_agree(tiles, make_room(cells, err), err);
}

void oro_drainage_cells_free(struct oro_drainage_cells *cells)
{
    if (cells->in_file)
        munmap(cells->values, cells->count * sizeof(float));
    else
        oro_free(cells->values);
    oro_free(cells->first);
    *cells = (struct oro_drainage_cells){0};
}

/* ---- From and to the device ---- */

bool oro_drainage_cells_begin(struct oro_drainage_cells *cells, const struct oro_drainage_tiles *tiles,
                              struct oro_error *err)
{
    return begin(cells, tiles, false, err);
}

/* A window for each call, by all ranks: one that has no more tiles only gives to the others. */
bool oro_drainage_cells_fetch(struct oro_drainage_cells *cells, const struct oro_drainage_tiles *tiles,
                              struct oro_buffer *raster, struct oro_error *err)
{
    if (!begin(cells, tiles, true, err))
        return false;
    for (int round = 0, tile = 0; round < tiles->most; round++, tile++) {
        while (tile < tiles->count && !oro_drainage_tiles_own(tiles, tile))
            tile++;
        struct oro_window window = {0};
        float *to = cells->values;
        if (tile < tiles->count) {
            struct oro_tiled_block block = block_of(cells, tile);
            window = window_of(&block);
            to += cells->first[tile];
        }
        if (!tiles->device->tiles->fetch(tiles->device, raster, &window, to, err))
            return false;
    }
    return true;
}

bool oro_drainage_cells_write(const struct oro_drainage_cells *cells, struct oro_buffer *raster,
                              struct oro_error *err)
{
    const struct oro_drainage_tiles *tiles = cells->tiles;
    struct oro_device *device = tiles->device;
    bool ok = true;
    if (!device->ops->finish(device, err))
        return false;
    for (int i = 0; ok && i < tiles->count; i++) {
        struct oro_tiled_block block = block_of(cells, i);
        struct oro_window window = window_of(&block);
        ok = !oro_drainage_tiles_own(tiles, i) ||
             device->tiles->write(device, raster, &window, cells->values + cells->first[i], err);
    }
    return oro_drainage_tiles_agree(tiles, ok, err);
}

/* ---- From and to terrain/drainage ---- */

/* The tile whose window that is: the one in its middle, as tiles are wider than their rings. */
static int tile_in(const struct oro_drainage_cells *cells, const struct oro_tiled_block *window)
{
    const struct oro_tiled_grid *cut = &cells->tiles->cut;
    int column = (window->x + window->width / 2) / cut->tile_width;
    int row = (window->y + window->height / 2) / cut->tile_height;
    return row * oro_tiled_count(cut->width, cut->tile_width) + column;
}

static bool load(void *user, const struct oro_tiled_block *window, float *out, struct oro_error *err)
{
    const struct oro_drainage_cells *cells = user;
    int tile = tile_in(cells, window);
    struct oro_tiled_block block = block_of(cells, tile);
    if (!oro_drainage_tiles_own(cells->tiles, tile) || memcmp(&block, window, sizeof block) != 0)
        return oro_fail(err, ORO_E_EVALUATE, "a window was asked for that is not that of a tile");
    memcpy(out, cells->values + cells->first[tile], (size_t)block.width * (size_t)block.height * sizeof *out);
    return true;
}

static bool store(void *user, const struct oro_tiled_block *tile, const float *values, struct oro_error *err)
{
    const struct oro_drainage_cells *cells = user;
    (void)err;
    memcpy(cells->values + cells->first[tile_in(cells, tile)], values,
           (size_t)tile->width * (size_t)tile->height * sizeof *values);
    return true;
}

struct oro_tiled_source oro_drainage_cells_source(struct oro_drainage_cells *cells)
{
    return (struct oro_tiled_source){load, cells};
}

struct oro_tiled_sink oro_drainage_cells_sink(struct oro_drainage_cells *cells)
{
    return (struct oro_tiled_sink){store, cells};
}
