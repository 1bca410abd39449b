/*
 * Numbers for the ends of ways: outlets, and the dry cells that lakes spill over. Ends are numbered in the
 * order of their cells in the whole terrain; a cell gets the number of the end that its way comes to. What is
 * joined here are all tiles at once, as a tile tells only how many ends lie in each of its rows, and how ways
 * go on that come in over its rim.
 */
#ifndef ORO_TERRAIN_DRAINAGE_NUMBERS_H
#define ORO_TERRAIN_DRAINAGE_NUMBERS_H

#include "terrain/drainage/bytes.h"

/* Where the way goes that comes into a rim cell. */
enum oro_tiled_way_end {
    ORO_TILED_NO_END, /* nowhere that has a number */
    ORO_TILED_IN_ROW, /* end number `nth` (from 0) of row `at` of the tile */
    ORO_TILED_BY_EXIT /* on, by exit number `at` */
};
struct oro_tiled_end {
    enum oro_tiled_way_end what;
    uint32_t at, nth;
};

/* From the messages of all tiles (ORO_TILED_ENDS) to the answers to them (ORO_TILED_NUMBERS), which the
 * caller frees also after a failure. ORO_TILED_ENDS: of each row how many ends; how many entries, and of each
 * the rim cell and its end; how many exits, and of each the rim cell and its direction. ORO_TILED_NUMBERS:
 * how many ends there are in all; of each row how many come before its own; of each exit its number, or 0. */
bool oro_tiled_join_numbers(const struct oro_tiled_grid *grid, const struct oro_tiled_bytes *messages,
                            struct oro_tiled_bytes *answers, struct oro_error *err);

/* Hands cells (ORO_TILED_MARKS: columns and rows) to the tiles that they lie in. */
bool oro_tiled_sort_marks(const struct oro_tiled_grid *grid, const struct oro_tiled_bytes *messages,
                          struct oro_tiled_bytes *answers, struct oro_error *err);

void oro_tiled_put_end(struct oro_tiled_bytes *bytes, const struct oro_tiled_end *end);

#endif
