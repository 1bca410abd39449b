/*
 * Heightfields and pictures in tiles: squares that share cells along their edges, cut from one whole, with
 * one range of heights. They are named by their place in the grid, and a manifest, NAME.tiles.json, lists
 * them: it is read as the whole (formats/reader/manifest.h).
 */
#ifndef ORO_FORMATS_TILES_H
#define ORO_FORMATS_TILES_H

#include <stdbool.h>

#include "base/error.h"

enum { ORO_TILES_MOST = 65536 };

/* How a raster is cut. */
struct oro_tiling {
    int side;    /* cells of a tile, along each side */
    int overlap; /* cells that neighbours have in common; below `side` */
    /* Of the files, without extension: {n} is the name of the file that was asked for, {x} and {y} are column
     * and row. NULL: "{n}_x{x}_y{y}". */
    const char *name;
    bool y_north; /* rows are counted from the south; false: from the north */
};

/* One of the tiles. */
struct oro_tile_place {
    int x, y;        /* as in its name */
    int column, row; /* of its first cell in the whole, whose row 0 is north */
    int width, height;
};

/* Whether the tiling makes sense: sides, and a name that tells all tiles apart. Fails with ORO_E_USAGE. */
bool oro_tiling_check(const struct oro_tiling *tiling, struct oro_error *err);
/* Whether such tiles cover a raster of that size exactly. Fails with ORO_E_USAGE and names the sizes next to
 * it that they do cover. */
bool oro_tiling_fits(const struct oro_tiling *tiling, const char *path, int width, int height,
                     struct oro_error *err);

/* How many tiles cover a side; where it does not fit (oro_tiling_fits), the last ends at the border. */
int oro_tiling_count(const struct oro_tiling *tiling, int side);
/* The tile of that number: from west to east, then from north to south. NULL tiling: the whole. */
struct oro_tile_place oro_tile_at(const struct oro_tiling *tiling, int number, int width, int height);
int oro_tile_count(const struct oro_tiling *tiling, int width, int height);

/* The names of files, in the folder of `path`; with a NULL tiling, `path` as it is. `suffix` follows the name
 * of `path`, before its place in the grid, and may be "". The caller frees; NULL: memory is out. */
char *oro_tile_path(const struct oro_tiling *tiling, const struct oro_tile_place *tile, const char *path,
                    const char *suffix, const char *extension);
char *oro_tiles_manifest_path(const char *path);

#endif
