/*
 * Closed basins settled: sediment fills them to plains, and valleys open their sills, as much of each as
 * changes the ground least.
 *
 * With the drainage tree (routing.h) of the ground, A the cells that drain through a cell, d how far
 * breaching would lower it (drain.h, SUBTREE), S the slope of valley sides, c a cell's size, w(A) the width
 * of valley floors, which is a cell's diagonal at least:
 *
 * - Graded heights do not fall upstream; where breaching would carve or water stand, they rise by s(A) =
 *   s A^-0.45 at least, as rivers in balance do (Flint 1974). They are
 *   those with the least sum of W (h - z)^2, so that a basin and its way out meet at a level between filling
 *   and carving (Soille 2004). W = 1 + 0.3 (w / c + d / (c S)) where breaching would carve, as a valley is so
 *   much wider than a cell; else 1. This is isotonic regression over a tree (Pardalos and Xue 1999).
 * - Streams of 16 cells and more that join ground which that has lowered fall by no more than 1.8 A^-0.45 of
 *   the mean slope, so that they do not hang above it, but are lowered by a tenth less with each cell.
 * - Where that lowers a cell by D there is a valley: its floor rises to both edges by S / 4; at a distance x
 *   from there the ground is no higher than y = floor + t D (1 + t), t = S x / D, but for t / 2 (1 + t) of
 *   what is above y, where S x is more by how far the ground lies above the mean of the 5 x 5 cells around:
 *   edges wind with the ground, and sides are as rough. Held to what half as wide a floor would give.
 * - Basins that keep their water count as ground up to where it spills; their beds stay as they are.
 * - What is left, for want of digits or around islands of the sea, is carved by steps as oro_carve does.
 */
#ifndef ORO_TERRAIN_HYDROLOGY_SETTLE_H
#define ORO_TERRAIN_HYDROLOGY_SETTLE_H

#include "terrain/drainage/routing.h"

struct oro_settling {
    double cell;     /* metres */
    double width;    /* w of a square kilometre, metres; grows with area^0.4 */
    double sides;    /* S; 0: the ground's mean slope */
    double gradient; /* s as a share of the ground's mean slope */
    double lake;     /* square metres; basins whose water covers as much keep it. 0: none does */
    /* Basins stay closed whose water covers less than so many square metres, and is less deep than the ground
     * rises on average over `shallow` cells. Where cells are means over finer ground, dams across valleys
     * that are narrower than cells make such. 0: none does. */
    double least, shallow;
};

/* `out` gets the ground, `surface` the water over it, in lakes a little above it at least, elsewhere the
 * same: every cell of the surface has a strictly descending way to an outlet. Border cells may be lowered.
 * Neither is ground->z; `surface` may be NULL where there are no lakes. Works on one processor, but for the
 * routing. Fails as oro_route and oro_carve do; then they may hold anything. */
bool oro_settle(const struct oro_ground *ground, const struct oro_settling *how, float *out, float *surface,
                struct oro_error *err);

#endif
