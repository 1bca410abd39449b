#include "terrain/drainage/blocks.h"

#include "terrain/drainage/ground.h"

static int least(int a, int b)
{
    return a < b ? a : b;
}

bool oro_tiled_grid_check(const struct oro_tiled_grid *grid, struct oro_error *err)
{
    if (grid->width < 1 || grid->height < 1)
        return oro_fail(err, ORO_E_EVALUATE, "a terrain without cells cannot be drained");
    if (grid->width > ORO_TILED_SIDE_MAX || grid->height > ORO_TILED_SIDE_MAX)
        return oro_fail(err, ORO_E_LIMIT, "%d x %d cells are more than the %d a side that can be drained",
                        grid->width, grid->height, ORO_TILED_SIDE_MAX);
    if (grid->tile_width < 1 || grid->tile_height < 1)
        return oro_fail(err, ORO_E_EVALUATE, "a terrain cannot be cut into tiles of %d x %d cells",
                        grid->tile_width, grid->tile_height);
    size_t width = (size_t)least(grid->width, grid->tile_width) + 2;
    size_t height = (size_t)least(grid->height, grid->tile_height) + 2;
    if (width * height > ORO_GROUND_CELLS_MAX)
        return oro_fail(err, ORO_E_LIMIT, "tiles of %d x %d cells are larger than the %zu that fit",
                        grid->tile_width, grid->tile_height, ORO_GROUND_CELLS_MAX);
    int64_t columns = oro_tiled_count(grid->width, grid->tile_width);
    int64_t tiles = columns * oro_tiled_count(grid->height, grid->tile_height);
    return tiles <= ORO_TILED_TILES_MAX ||
           oro_fail(err, ORO_E_LIMIT, "%lld tiles are more than the %d that can be drained together",
                    (long long)tiles, ORO_TILED_TILES_MAX);
}

int oro_tiled_count(int side, int size)
{
    return side / size + (side % size != 0);
}

struct oro_tiled_block oro_tiled_cut(const struct oro_tiled_block *of, int width, int height, int which)
{
    int columns = oro_tiled_count(of->width, width);
    int x = which % columns * width, y = which / columns * height;
    return (struct oro_tiled_block){of->x + x, of->y + y, least(width, of->width - x),
                                    least(height, of->height - y)};
}

struct oro_tiled_block oro_tiled_all(const struct oro_tiled_grid *grid)
{
    return (struct oro_tiled_block){0, 0, grid->width, grid->height};
}

int oro_tiled_tiles(const struct oro_tiled_grid *grid)
{
    return oro_tiled_count(grid->width, grid->tile_width) * oro_tiled_count(grid->height, grid->tile_height);
}

struct oro_tiled_block oro_tiled_tile(const struct oro_tiled_grid *grid, int which)
{
    struct oro_tiled_block all = oro_tiled_all(grid);
    return oro_tiled_cut(&all, grid->tile_width, grid->tile_height, which);
}

struct oro_tiled_block oro_tiled_ringed(const struct oro_tiled_grid *grid,
                                        const struct oro_tiled_block *block)
{
    int west = block->x > 0, north = block->y > 0;
    int east = block->x + block->width < grid->width, south = block->y + block->height < grid->height;
    return (struct oro_tiled_block){block->x - west, block->y - north, block->width + west + east,
                                    block->height + north + south};
}

/* ---- Rims ---- */

uint32_t oro_tiled_rim_count(const struct oro_tiled_block *block)
{
    uint32_t width = (uint32_t)block->width, height = (uint32_t)block->height;
    return width == 1 ? height : height == 1 ? width : 2 * (width + height) - 4;
}

struct oro_tiled_cell oro_tiled_rim_cell(const struct oro_tiled_block *block, uint32_t index)
{
    int right = block->width - 1, bottom = block->height - 1, at = (int)index;
    struct oro_tiled_cell cell = {block->x, block->y};
    if (at <= right)
        cell.x += at;
    else if (at <= right + bottom) {
        cell.x += right;
        cell.y += at - right;
    } else if (at <= 2 * right + bottom) {
        cell.x += 2 * right + bottom - at;
        cell.y += bottom;
    } else
        cell.y += 2 * (right + bottom) - at;
    return cell;
}

uint32_t oro_tiled_rim_index(const struct oro_tiled_block *block, struct oro_tiled_cell cell)
{
    int right = block->width - 1, bottom = block->height - 1;
    int x = cell.x - block->x, y = cell.y - block->y;
    int index = y == 0        ? x
                : x == right  ? right + y
                : y == bottom ? 2 * right + bottom - x
                              : 2 * (right + bottom) - y;
    return (uint32_t)index;
}

bool oro_tiled_is_shared(const struct oro_tiled_grid *grid, const struct oro_tiled_block *block,
                         struct oro_tiled_cell cell)
{
    return (cell.x == block->x && block->x > 0) || (cell.y == block->y && block->y > 0) ||
           (cell.x == block->x + block->width - 1 && cell.x < grid->width - 1) ||
           (cell.y == block->y + block->height - 1 && cell.y < grid->height - 1);
}

struct oro_tiled_cell oro_tiled_neighbour(struct oro_tiled_cell cell, int direction)
{
    static const int across[] = {-1, 0, 1, -1, 1, -1, 0, 1}, down[] = {-1, -1, -1, 0, 0, 1, 1, 1};
    return (struct oro_tiled_cell){cell.x + across[direction], cell.y + down[direction]};
}
