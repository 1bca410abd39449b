/*
 * Square blocks of cells: their means, and a smooth surface that brings those means to where they should be.
 * This is how an amplification keeps the ground that it was given (back-projection: Irani and Peleg 1991). A
 * block of the last row or column may lie partly outside the raster; then its mean is that of the cells
 * inside.
 */
#ifndef ORO_NODES_LIB_BLOCKS_H
#define ORO_NODES_LIB_BLOCKS_H

#include "graph/type/node.h"

/* Cells along a block of `size` metres: at least one, and no more than the raster has. A size of 0 is two
 * cells. */
int oro_blocks_side(const struct oro_grid *fine, float size);

/* Blocks of `side` cells over a raster: the grid whose cells they are. */
struct oro_grid oro_blocks_grid(const struct oro_grid *fine, int side);

/* How far blocks lie that the smooth surface through their values is made of (lib/blocks.glsl). */
enum { ORO_BLOCKS_REACH = 2 };

/* `means`: of `values`, a raster over `fine`. */
bool oro_block_means(struct oro_eval *eval, const struct oro_grid *fine, int side, struct oro_buffer *values,
                     struct oro_buffer *means);

/* What brings the means of the ground's blocks to `target`. */
struct oro_block_pull {
    int side; /* cells of a block */
    struct oro_buffer *target, *ground;
    /* Cells that lie below this surface are not lifted above it; NULL: there is none. A channel is thus never
     * dammed up by more than the ground that it was carved into. */
    struct oro_buffer *ceiling;
};
/* Adds a smooth correction to `ground`, in place, `sweeps` times; each leaves a fraction of the error. Where
 * the node's input `mask` is lower, less is added. */
bool oro_blocks_pull(struct oro_eval *eval, const struct oro_block_pull *pull, int sweeps);
/* Adds the smooth surface of what each block of `pull` is `missing`, a raster over oro_blocks_grid. */
bool oro_blocks_add(struct oro_eval *eval, const struct oro_block_pull *pull, struct oro_buffer *missing);

#endif
