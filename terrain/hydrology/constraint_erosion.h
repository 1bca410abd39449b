/*
 * Constraint erosion (Lim 2022): rivers carve ground that is held to a map of heights, and gorges join closed
 * basins. This is an iteration on the processor; gles_shaders/erosion/constraint_erosion_*.comp do the same
 * on the device. They agree up to the rounding of drainage, which the device sums in another order.
 *
 * Cells are nodes, off their cell's middle by up to .35 of its width where jitter is 1: distances between
 * neighbours then are .3 of the width or more. Total height is that of the ground, or of the sea where it
 * covers the ground. Water belongs to a unit of length, the reference cell, in which the paper's numbers hold
 * as they are; x is the cell's width in it.
 *
 * 1. Receivers (3.2): the neighbour down the steepest slope of total heights between nodes; of equal ones the
 * lowest neighbour number (ground.h). Cells under water are outlets: their own receiver. So is a cell with no
 * lower neighbour: an outlet on the border, unless there are walls, elsewhere a minimum.
 *
 * 2. Drainage (3.3): D(p) = local moisture(p) + kept * sum of D over all cells whose receiver p is. kept =
 * (1 - rain_loss)^x; local = x (1 - kept) / rain_loss, or x^2 without loss: what a cell of x reference cells
 * keeps of its own rain.
 *
 * 3. Gorges (3.4): every minimum M has the basin of all that drains to it; outlets' basins are one, the
 * outside. Its saddle is the lowest (routing.h, rule 4, of total heights) between a cell i of the basin and a
 * cell j of another. The path runs from M up to i, over to j, and down to the end E of j's receivers. Along
 * it the ideal height is z0 + (z1 - z0) s / L, where z0 is the total height of M, z1 that of E (z0 if E is an
 * outlet that is higher), s the length of the path from M, L the whole. Cells above the ideal, but not under
 * water, are brought nearer by w = min(gorge_strength D(M)^gorge_exponent, 1), where D(M) > 0. Where several
 * paths meet, the lowest result counts, and the largest w, which is kept as `gorge`. All read the heights of
 * before.
 * Where resolutions are to agree and x < 2/3, steps 1 to 3 are done for gorges on a grid of wide cells,
 * `factor` = round(1 / x) times as wide, and so about reference cells: a way more or less is a difference of
 * hundreds of metres, and which saddle is the lowest depends on the cells. Wide cells have the mean height of
 * theirs, and the moisture of their middle (of the four in the middle, the one to the north-west). Paths are
 * carved as wide as these cells: from middle to middle, all cells whose middles are not farther away than
 * half the width.
 *
 * 4. Erosion (3.5), `rounds` times with the same receivers and drainage: where the ground is not under water
 * and the receiver's total height is lower by `drop`, the ground sinks by min(drop, erodibility
 * reference_cell / rounds * (D sharing)^drainage_exponent * slope^slope_exponent), slope = drop / distance
 * of the nodes. `sharing` is 1 / sqrt(x): channels whose width grows with the root of what flows (Leopold and
 * Maddock 1953) are between D, which is right for the depth of channels, and D / x, which is right for
 * slopes. Where resolutions are to agree (`physical`) it is 1 / x, which is right for what is carved from
 * channels, too.
 *
 * 5. Constraints (3.6). Value: h += value_strength (c - h). Besides, the mean height around is held where
 * there is relief: h += broad_strength (1 - value_strength) relief B, B the mean of c - h around, weighted by
 * relief, of the state that the iteration began with (below). Gradient: h += g (1 - gorge) (mean over
 * neighbours n of (h(n) - c(n)) + c - h), all of one state. Where x <= 2/3, neighbours are all cells in the
 * square of half-width `reach` around the cell and it itself, cut at the border, whose spread is that of
 * neighbours a reference cell away, and g is gradient_strength. Else they are the 4 or 8 next to it, and g is
 * gradient_strength / x^2. Where resolutions are to agree, g is 2/3 of that for 8 neighbours, and 3/4 of it
 * for squares, which is the same with the cell itself; the rows and columns next to the square then count
 * `rim`, so that its spread is exact. g is held at .9.
 *
 * 6. The sea is whatever is not above sea_level (3.7). Land stays land: where c is above the sea, so is h, by
 * `coast` or as far as c is.
 *
 * B: relief (c - h) and relief are summed by square tiles of `tile` cells (the last ones are cut); these sums
 * over the tiles within `tiles_around` in both directions, and the results once more (so that no wave comes
 * out with the other sign, which would grow). B is the one by the other, both bilinear between the middles of
 * the tiles (as if whole), beyond the outermost ones constant; 0 where there is no relief.
 */
#ifndef ORO_TERRAIN_HYDROLOGY_CONSTRAINT_EROSION_H
#define ORO_TERRAIN_HYDROLOGY_CONSTRAINT_EROSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Literals of the node's inputs; see nodes/erosion/constraint_erosion.c for their meaning. */
struct oro_constraint_params {
    float duration;
    int iterations;
    float value_strength, gradient_strength, broad_strength, breadth;
    float moisture, rain_loss;
    float erodibility, drainage_exponent, slope_exponent;
    float gorge_strength, gorge_exponent;
    float sea_level;
    int borders, neighbours;
    float jitter, roughness, reference_cell;
    int seed;
    /* For the node alone: */
    bool connect;
    float gorge_walls, mask;
};
enum { ORO_CONSTRAINT_OUTFLOW, ORO_CONSTRAINT_WALLS };
enum { ORO_CONSTRAINT_NEIGHBOURS_4, ORO_CONSTRAINT_NEIGHBOURS_8 };

/* What the above calls x, and what follows from it. */
struct oro_constraint_scale {
    double x, kept, local, sharing;
    int rounds;      /* of erosion in an iteration: 1 / x, at most ORO_CONSTRAINT_ROUNDS */
    double gradient; /* g is gradient_strength times this, at most ORO_CONSTRAINT_STRONGEST */
    int reach;       /* 0: neighbours next to the cell; at most ORO_CONSTRAINT_REACH */
    double rim;      /* weight of the cells one farther away than `reach` */
    int tile, tiles_around;
    int factor;   /* cells of the grid of gorges are so many times as wide, at most ORO_CONSTRAINT_ROUNDS */
    double coast; /* metres that land stays above the sea at least */
    double bound; /* D / local is nowhere above this times the most moisture */
    bool cut;     /* the cells are so small that rounds and reach were cut to their limits */
};
enum {
    ORO_CONSTRAINT_ROUNDS = 16,
    ORO_CONSTRAINT_REACH = 24,
    ORO_CONSTRAINT_ERODIBILITY = 100, /* at most */
    ORO_CONSTRAINT_MOISTURE = 8       /* likewise */
};
#define ORO_CONSTRAINT_STRONGEST 0.9 /* g at most: with 1 a checkerboard would stay one */

/* `physical`: resolutions are to agree in what is carved. */
void oro_constraint_scale(const struct oro_constraint_params *params, double cell, size_t cells,
                          bool physical, struct oro_constraint_scale *scale);

/* A raster or, where that is NULL, one value everywhere. Values are held within 0 and `most` (NaN is 0). */
struct oro_constraint_map {
    const float *raster;
    float literal, most;
};

struct oro_constraint_erosion {
    int width, height;
    double cell;
    const struct oro_constraint_params *params;
    struct oro_constraint_scale scale;
    const float *constraint; /* c, metres */
    const float *relief;     /* 0..1: 1 in hills where it rains, 0 on plains and under the sea */
    struct oro_constraint_map moisture, value_strength, gradient_strength, erodibility;
    float *h;        /* the state, metres */
    float *drainage; /* D of the last iteration */
    float *gorge;    /* of the last iteration, 0..1 */
    /* Asked now and then, from one thread, where it is set: true ends the work with ORO_E_CANCELLED. */
    bool (*stop)(void *user);
    void *user;
    struct oro_constraint_scratch *scratch; /* NULL at first; made on first use */
};

/* Fail with ORO_E_MEMORY or ORO_E_CANCELLED. Use all processors; results do not depend on how many. Heights
 * are finite. */
bool oro_constraint_iterate(struct oro_constraint_erosion *run, struct oro_error *err);
/* Steps 1 and 2 alone: fills `drainage`. */
bool oro_constraint_drain(struct oro_constraint_erosion *run, struct oro_error *err);
void oro_constraint_free(struct oro_constraint_erosion *run); /* the room */

#endif
