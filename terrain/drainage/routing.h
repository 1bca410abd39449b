/*
 * Exact drainage, the drainage tree: from every cell a way to an outlet, the same as a priority flood would
 * find (hydrology: Barnes 2014; spanning tree of basins: Cordonnier 2019). The rules decide every tie, so
 * that there is one result:
 *
 * 1. The receiver of a cell is the neighbour down the steepest slope: the float32 difference of the heights,
 * times 0.70710678 on a diagonal; of equal ones the lowest neighbour number. An outlet is its own receiver. A
 * cell with no strictly lower neighbour is a pit.
 * 2. A flat is such cells of one height that are neighbours. Its cells drain over it to the nearest cell of
 * that height that is an outlet or has a lower neighbour, by the shortest way over ground that is uneven at
 * random and harder beside higher ground (after Garbrecht and Martz 1997 and Barnes 2014; flats.h has the
 * numbers). A flat that has none is closed: it drains to one of its cells far from higher ground, which stays
 * a pit.
 * 3. The basin of a pit is all that drains to it. All that drains to outlets is one basin, the outside.
 * 4. A saddle joins neighbouring cells of different basins. Its level is the higher of the two heights, its
 * number 4 * (lower cell number) + direction: 0 east, 1 south-west, 2 south, 3 south-east. Saddles are
 * ordered by level, then number; the minimum spanning tree of the basins in that order is unique.
 * 5. The spanning tree is rooted at the outside. A basin's saddle towards the root leads from its cell i to
 * cell j of another basin: the receivers along the way from i down to the pit are turned round, and i's
 * receiver becomes j.
 *
 * Every chain of receivers then ends at an outlet, and climbs no higher than it must. docs/drainage.md tells
 * how that is found, of wholes and by tiles.
 */
#ifndef ORO_TERRAIN_DRAINAGE_ROUTING_H
#define ORO_TERRAIN_DRAINAGE_ROUTING_H

#include "terrain/drainage/ground.h"

struct oro_routing {
    int width, height;
    uint32_t *receiver; /* cell number; an outlet's own */
    uint32_t *order;    /* all cells, each after its receiver; the same whatever the processors */
    size_t pits;        /* cells with no strictly lower neighbour, outlets apart: flats are pits here */
    size_t *parts;      /* for this folder alone: see routing_private.h */
};

/* Fails with ORO_E_MEMORY or ORO_E_CANCELLED, or as oro_ground_check. After a failure `routing` is empty.
 * Uses all processors; the result does not depend on how many. */
bool oro_route(const struct oro_ground *ground, struct oro_routing *routing, struct oro_error *err);
void oro_routing_free(struct oro_routing *routing);

/* ---- Along the drainage tree. Results have width * height cells; the caller allocates them. ---- */

/* How many cells drain through each cell, itself among them: exact. */
void oro_drainage_cells(const struct oro_routing *routing, uint32_t *cells);

/* The same weighted by rain, in units of ORO_RAIN_UNIT: rain below 0 (or not a number) counts as 0, above
 * ORO_RAIN_MAX as that; a cell's rain is rounded to whole units, floor(rain * 2^20 + 0.5) in float32. Sums
 * are exact, so their order does not matter. */
#define ORO_RAIN_UNIT (1.0 / 1048576)
#define ORO_RAIN_MAX 1000.0
void oro_drainage_rain(const struct oro_routing *routing, const float *rain, uint64_t *sum);

/* Drainage area in square metres, in float32 as the kernels do it: amount * (cell * cell). The amount is the
 * number of cells, or, of a sum of rain, high * 4096 + low / 2^20 with its upper and lower 32 bits. `rain`
 * may be NULL: 1 everywhere. Fails with ORO_E_MEMORY. */
bool oro_drainage_area(const struct oro_routing *routing, double cell, const float *rain, float *area,
                       struct oro_error *err);

/* The level that water stands at when every depression is full: the highest ground on the way to the outlet
 * (as ground.h counts heights, so that it is never -0). */
void oro_flood_levels(const struct oro_ground *ground, const struct oro_routing *routing, float *level);

/* Solves h(p) = a(p) + b(p) h(receiver of p), with h = a in outlets. `h` comes with a. */
void oro_drainage_tree_recurrence(const struct oro_routing *routing, const float *b, float *h);

/* Watersheds by outlet: 1, 2, ... in the order of the outlets' cell numbers. Returns how many. */
uint32_t oro_watersheds(const struct oro_routing *routing, uint32_t *watershed);

/* Lakes: where the flood level is above the ground. A lake spills over the first dry cell on the way to the
 * outlet; lakes that spill over the same cell are one. They are numbered 1, 2, ... in the order of those
 * cells; dry cells are 0. Returns how many. `level` is that of oro_flood_levels. */
uint32_t oro_lakes(const struct oro_ground *ground, const struct oro_routing *routing, const float *level,
                   uint32_t *lake);

#endif
