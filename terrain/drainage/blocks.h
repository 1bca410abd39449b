/*
 * A terrain that is cut into tiles, and its blocks: rectangles of one tile or of several that were joined.
 * Cells of the whole terrain are named by their column and row, since their numbers take 64 bits; within a
 * tile they have 32.
 *
 * Blocks know of each other what lies along their rims. The rim of a block is its outermost cells, numbered
 * from the north-west corner clockwise. A rim cell is shared where it has a neighbour outside of the block.
 */
#ifndef ORO_TERRAIN_DRAINAGE_BLOCKS_H
#define ORO_TERRAIN_DRAINAGE_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* With it, sums of rain (ORO_RAIN_MAX everywhere) fit 64 bits. */
enum { ORO_TILED_SIDE_MAX = 131072, ORO_TILED_TILES_MAX = 65536 };

struct oro_tiled_grid {
    int width, height;           /* of the terrain, in cells */
    int tile_width, tile_height; /* those at the east and the south may be smaller */
    bool walls;                  /* the terrain's border cells are not outlets */
};

/* Cells x.. and y.. of the terrain. */
struct oro_tiled_block {
    int x, y, width, height;
};

/* Fails with ORO_E_LIMIT or ORO_E_EVALUATE. Every function below expects a grid that this accepts. */
bool oro_tiled_grid_check(const struct oro_tiled_grid *grid, struct oro_error *err);

/* How many blocks of `size` cells it takes to cover `side` cells. */
int oro_tiled_count(int side, int size);
/* Block number `which`, row by row, of those of width x height cells that cover the block `of`. */
struct oro_tiled_block oro_tiled_cut(const struct oro_tiled_block *of, int width, int height, int which);
struct oro_tiled_block oro_tiled_all(const struct oro_tiled_grid *grid);
int oro_tiled_tiles(const struct oro_tiled_grid *grid);
struct oro_tiled_block oro_tiled_tile(const struct oro_tiled_grid *grid, int which);
/* A block and the cells of the terrain that are neighbours of its own. */
struct oro_tiled_block oro_tiled_ringed(const struct oro_tiled_grid *grid,
                                        const struct oro_tiled_block *block);

static inline bool oro_tiled_has(const struct oro_tiled_block *block, int x, int y)
{
    return x >= block->x && y >= block->y && x < block->x + block->width && y < block->y + block->height;
}

/* ---- Rims. Columns and rows are the terrain's. ---- */

struct oro_tiled_cell {
    int x, y;
};

uint32_t oro_tiled_rim_count(const struct oro_tiled_block *block);
struct oro_tiled_cell oro_tiled_rim_cell(const struct oro_tiled_block *block, uint32_t index);
/* Of a cell on the rim. */
uint32_t oro_tiled_rim_index(const struct oro_tiled_block *block, struct oro_tiled_cell cell);
bool oro_tiled_is_shared(const struct oro_tiled_grid *grid, const struct oro_tiled_block *block,
                         struct oro_tiled_cell cell);

/* The neighbour in a direction, 0 to 7 (ground.h). */
struct oro_tiled_cell oro_tiled_neighbour(struct oro_tiled_cell cell, int direction);

#endif
