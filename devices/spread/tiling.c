/* How rasters are cut into tiles, and windows of them. */
#include <math.h>

#include "devices/spread/internal.h"

/* Rasters that are spread although they are small are cut in proportion, so that each rank has a share; and
 * into some parts at least, as each may have been found from as large a part of a large raster. */
struct tiling oro_spread_tiling(const struct spread *spread, int width, int height)
{
    enum { PARTS = 8 }; /* along a side */
    int side = spread->options.tile;
    double whole = (double)spread->options.whole, longer = width > height ? width : height;
    if ((double)width * height <= whole) {
        double part = fmin(side * longer / sqrt(whole), longer / PARTS);
        int steps = (int)ceil(part / ORO_SPREAD_STEP);
        side = steps * ORO_SPREAD_STEP < side ? steps * ORO_SPREAD_STEP : side;
    }
    struct tiling tiling = {width, height, side, (width - 1) / side + 1, (height - 1) / side + 1, 0};
    tiling.count = (size_t)tiling.columns * (size_t)tiling.rows;
    return tiling;
}

struct oro_window oro_tiling_window(const struct tiling *tiling, size_t tile)
{
    int column = (int)(tile % (size_t)tiling->columns), row = (int)(tile / (size_t)tiling->columns);
    struct oro_window window = {column * tiling->side, row * tiling->side, tiling->side, tiling->side};
    return oro_window_common(window, (struct oro_window){0, 0, tiling->width, tiling->height});
}

int oro_tiling_rank(const struct tiling *tiling, size_t tile, int ranks)
{
    return (int)(tile * (size_t)ranks / tiling->count);
}

/* The least tile t with t * ranks / count >= rank. */
size_t oro_tiling_first(const struct tiling *tiling, int rank, int ranks)
{
    return ((size_t)rank * tiling->count + (size_t)ranks - 1) / (size_t)ranks;
}

size_t oro_tiling_end(const struct tiling *tiling, int rank, int ranks)
{
    return oro_tiling_first(tiling, rank + 1, ranks);
}

size_t oro_tiling_meet(const struct tiling *tiling, const struct oro_window *window)
{
    if (window->width < 1 || window->height < 1)
        return tiling->count;
    return (size_t)(window->y / tiling->side) * (size_t)tiling->columns + (size_t)(window->x / tiling->side);
}

size_t oro_tiling_next(const struct tiling *tiling, const struct oro_window *window, size_t tile)
{
    size_t columns = (size_t)tiling->columns, side = (size_t)tiling->side;
    size_t last_column = (size_t)(window->x + window->width - 1) / side;
    size_t last_row = (size_t)(window->y + window->height - 1) / side;
    if (tile % columns < last_column)
        return tile + 1;
    size_t row = tile / columns + 1;
    return row > last_row ? tiling->count : row * columns + (size_t)window->x / side;
}

/* ---- Windows ---- */

struct oro_window oro_window_common(struct oro_window a, struct oro_window b)
{
    int x0 = a.x > b.x ? a.x : b.x, y0 = a.y > b.y ? a.y : b.y;
    int x1 = a.x + a.width < b.x + b.width ? a.x + a.width : b.x + b.width;
    int y1 = a.y + a.height < b.y + b.height ? a.y + a.height : b.y + b.height;
    return x0 < x1 && y0 < y1 ? (struct oro_window){x0, y0, x1 - x0, y1 - y0} : (struct oro_window){0};
}

struct oro_window oro_window_around(struct oro_window window, int halo, int width, int height)
{
    struct oro_window wide = {window.x - halo, window.y - halo, window.width + 2 * halo,
                              window.height + 2 * halo};
    return oro_window_common(wide, (struct oro_window){0, 0, width, height});
}

struct oro_window oro_window_aligned(struct oro_window window, int width, int height)
{
    const int step = ORO_SPREAD_STEP;
    int x0 = window.x / step * step, y0 = window.y / step * step;
    int x1 = (window.x + window.width + step - 1) / step * step;
    int y1 = (window.y + window.height + step - 1) / step * step;
    return oro_window_common((struct oro_window){x0, y0, x1 - x0, y1 - y0},
                             (struct oro_window){0, 0, width, height});
}

struct block oro_window_block(struct oro_window window, struct oro_window part, int channels)
{
    size_t stride = (size_t)window.width * (size_t)channels;
    size_t first = (size_t)(part.y - window.y) * stride + (size_t)(part.x - window.x) * (size_t)channels;
    return (struct block){first, stride, part.width * channels, part.height};
}

/* ---- For readers and writers ---- */

size_t oro_spread_tile_count(const struct oro_device *device, const struct oro_grid *grid)
{
    return oro_spread_tiling((const struct spread *)device, grid->width, grid->height).count;
}

struct oro_window oro_spread_tile(const struct oro_device *device, const struct oro_grid *grid, size_t tile)
{
    struct tiling tiling = oro_spread_tiling((const struct spread *)device, grid->width, grid->height);
    return oro_tiling_window(&tiling, tile);
}

int oro_spread_tile_rank(const struct oro_device *device, const struct oro_grid *grid, size_t tile)
{
    const struct spread *spread = (const struct spread *)device;
    struct tiling tiling = oro_spread_tiling(spread, grid->width, grid->height);
    return oro_tiling_rank(&tiling, tile, spread->ranks->count);
}
