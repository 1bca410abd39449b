/*
 * Making ground drain: by carving, by filling, in float heights or in the integer levels of a file.
 */
#ifndef ORO_TERRAIN_DRAINAGE_DRAIN_H
#define ORO_TERRAIN_DRAINAGE_DRAIN_H

#include "terrain/drainage/routing.h"

enum oro_breach_method {
    ORO_BREACH_SUBTREE, /* every cell as low as the lowest ground upstream, one step lower with every cell */
    ORO_BREACH_FLOOD,   /* Barnes 2014: from every pit along the back links of a priority flood, until lower
                           ground */
};

struct oro_breaching {
    enum oro_breach_method method;
    float fall; /* least fall of carved channels, in height per cell of their length; 0: one step a cell */
    size_t *gentle; /* gets the cells of such channels that fall by less, for want of height; or NULL */
};

/* Lowers cells until every one has a strictly descending way to an outlet: no pits, no flats, nothing is
 * raised. Cells that need no carving keep their bits. `routing` is that of the ground; ORO_BREACH_FLOOD does
 * not use it (NULL). `out` may be ground->z; after a failure it is as it was. Fails with ORO_E_EVALUATE where
 * that needs heights below the lowest float, saying which cell is too deep, and the least elevation at which
 * it could be drained; ORO_E_MEMORY; ORO_E_CANCELLED.
 *
 * In steps (steps.h), where K(p) < step(p) a cell gets the height of K(p):
 *
 * SUBTREE: K(p) = min over all q upstream of p, and p, of step(q) - cells from q to p.
 *
 * FLOOD: the flood takes up cells from the outlets, the lowest height first, of equal ones the one met first
 * (outlets by number; then the neighbours of a cell by number). A cell links back to the one that it was met
 * from. K(p) = min of step(p), and of K(q) - 1 over all q linking back to p that are pits (routing.h, rule 1;
 * each cell of a flat is one) or have K(q) < step(q).
 *
 * `fall`: a channel starts at every cell q whose receiver p was carved for it, K(p) = K(q) - 1 < step(p). It
 * goes down with `fall` as long as it is below the ground, and further where it meets a deeper one; in other
 * ground nothing changes. It goes no deeper than its outlet: where q is not high enough for that, it falls
 * evenly from q to the outlet, which is as low as K says. As grades (grade.h) of the heights of K(q) and of
 * the ground:
 *
 *     G(p) = min grade(K(q)) over all q upstream of p, and p, at which channels start, unless at a cell on
 *            the way from q to p the grade of the ground is below;
 *     where G(p) < grade(p), the cell gets the step of the height of G(p) instead of K(p), if that is lower;
 *
 * and then every way falls by a step with every cell, as above. */
bool oro_breach(const struct oro_ground *ground, const struct oro_routing *routing,
                const struct oro_breaching *how, float *out, struct oro_error *err);

/* ---- Carving for those who need no drainage tree afterwards, again and again over ground that changes: what
 * oro_breach gives by ORO_BREACH_SUBTREE without a fall, in half the time, as no order of the cells is made
 * ---- */

/* Memory that is kept from one call to the next, for ground of the same size. Zeroed at first. */
struct oro_carving_scratch {
    uint8_t *direction;
    uint32_t *label;
};
void oro_carving_scratch_free(struct oro_carving_scratch *scratch);

/* `out` is not ground->z. Fails as oro_breach and oro_route do; then `out` may hold anything. Uses all
 * processors; the result does not depend on how many. */
bool oro_carve(const struct oro_ground *ground, struct oro_carving_scratch *scratch, float *out,
               struct oro_error *err);

/* ---- Filling ---- */

/* Raises cells until none is below its way to the outlet. `sloped`: one step higher with every cell of the
 * way, so that no pits and no flats are left; else lakes are level, at the flood level. In steps: K(p) = max
 * over all q on the way from p to its outlet, and p, of ceil(q) + cells from p to q, where ceil is the lowest
 * step that is not below; where K(p) > ceil(p), the height of K(p). Fails with ORO_E_EVALUATE above the
 * highest float; ORO_E_MEMORY; ORO_E_CANCELLED. `out` may be ground->z; after a failure it is as it was. */
bool oro_fill(const struct oro_ground *ground, const struct oro_routing *routing, bool sloped, float *out,
              struct oro_error *err);

/* How much heights were changed. Volumes are in units of height times cells. */
struct oro_drain_cost {
    size_t cells; /* that were changed */
    double deepest_cut, highest_raise;
    double cut_volume, raise_volume; /* both positive */
};
struct oro_drain_cost oro_drain_cost(const float *before, const float *after, size_t cells);

/* Makes ground of integer levels (0..top, exact in float, top at most 2^24) fall strictly from every cell to
 * an outlet, with the smallest largest change that there is along the tree of a priority flood whose ways
 * through flats are the shortest: the mean of carving alone and of raising alone,
 *
 *     floor((C(p) + R(p)) / 2),
 *     C(p) = min over all q upstream of p, and p, of level(q) - cells from q to p,
 *     R(p) = max over all q on the way from p to the outlet, and p, of level(q) + cells from p to q,
 *
 * held between the number of cells from p to the outlet, and `top` less that of the longest way from
 * upstream. `cost`, in levels, may be NULL. Takes 24 bytes a cell, on one processor. Fails with
 * ORO_E_EVALUATE where the levels from 0 to `top` are too few for the longest way, or some are not such
 * levels; as oro_ground_check; ORO_E_MEMORY; ORO_E_CANCELLED. `out` may be ground->z; after a failure it is
 * as it was. */
bool oro_levels_drain(const struct oro_ground *ground, double top, float *out, struct oro_drain_cost *cost,
                      struct oro_error *err);

#endif
