/*
 * Joining basins (routing.h, rules 3 to 5) by Boruvka's rounds. Basins have labels: the outside, then the
 * pits in the order of their cells. In a round every basin but the outside finds its lowest saddle and is
 * joined to the one across: the way from its side of the saddle down to its pit is turned round, so that the
 * pit is gone. Of two basins with the same saddle the lower label stays. Then labels are given anew.
 *
 * A tile of a larger terrain (tile.h) is joined the same way. Basins that reach beyond it stay, as
 * the outside does, since their lowest saddles may lie elsewhere.
 */
#ifndef ORO_TERRAIN_DRAINAGE_BASINS_PRIVATE_H
#define ORO_TERRAIN_DRAINAGE_BASINS_PRIVATE_H

#include <stdatomic.h>

#include "terrain/drainage/routing_private.h"
#include "terrain/drainage/steps.h"

enum { ORO_NO_BASIN, ORO_OUTSIDE, ORO_FIRST_PIT };

/* Greater than the key of any saddle. */
#define ORO_NO_SADDLE UINT64_MAX

/* Rows and columns at the edges of the ground whose cells have no saddles. */
struct oro_basin_margins {
    size_t north, south, west, east;
};

struct oro_basins {
    const struct oro_ground *ground;
    struct oro_strips strips;
    struct oro_offsets offsets;
    struct oro_basin_margins margins;
    size_t first; /* label that is joined; those below stay, as the outside does */
    uint8_t *direction;
    /* The label of every cell. Two threads may find that of a cell; it is the same. */
    _Atomic uint32_t *label;
    size_t count;             /* labels in use, ORO_NO_BASIN among them */
    _Atomic uint64_t *saddle; /* of every basin: the key of its lowest saddle so far */
    uint32_t *joined;         /* of every basin: the one it is joined to, itself if it stays */
};

/* A saddle and the basins of its two cells. Keys are in the order of saddles: the level in the upper half,
 * the number in the lower. */
struct oro_saddle {
    uint64_t key;
    uint32_t lower, upper; /* basin of the lower cell number, of the upper */
};

struct oro_saddle_list {
    struct oro_saddle *items;
    size_t count, capacity;
};

/* Lists saddles between neighbouring basins: at least the lowest of every two of them. The caller frees
 * `list->items`, also after a failure. */
bool oro_list_saddles(const struct oro_basins *basins, struct oro_saddle_list *list, struct oro_error *err);

/* Labels cells by way of directions: `label` has those of pits already, and labels of other cells only where
 * all cells on down from them have one, too. */
bool oro_label_basins(struct oro_basins *basins, struct oro_error *err);

/* Joins all basins from `first` on; `saddle` and `joined` have room for `count`. `left`, which may be NULL,
 * gets the saddles between those that stay, at least the lowest of every two of them; the caller frees its
 * items, also after a failure. */
bool oro_join_all_basins(struct oro_basins *basins, struct oro_saddle_list *left, struct oro_error *err);

typedef void oro_visit_saddle(void *user, struct oro_saddle saddle);

/* Visits the saddle at `cell` in a direction, 0 to 3, if there is one. */
static inline void oro_visit_way(const struct oro_basins *basins, size_t cell, uint32_t direction,
                                 oro_visit_saddle *visit, void *user)
{
    const float *z = basins->ground->z;
    size_t there = cell + (size_t)basins->offsets.to[4 + direction];
    uint32_t lower = atomic_load_explicit(&basins->label[cell], memory_order_relaxed);
    uint32_t upper = atomic_load_explicit(&basins->label[there], memory_order_relaxed);
    if (lower == upper)
        return;
    uint64_t level = oro_level_of(z[cell] > z[there] ? z[cell] : z[there]);
    visit(user, (struct oro_saddle){level << 32 | (uint32_t)(4 * cell + direction), lower, upper});
}

/* Visits the saddles of all cells of a strip. Inlined with `visit`. */
static inline void oro_visit_saddles(const struct oro_basins *basins, size_t strip, oro_visit_saddle *visit,
                                     void *user)
{
    struct oro_strips strips = basins->strips;
    struct oro_basin_margins margins = basins->margins;
    size_t top = margins.north * strips.width, bottom = strips.cells - margins.south * strips.width;
    size_t row = oro_strip_first(strips, strip), end = oro_strip_end(strips, strip);
    size_t west = margins.west, last = strips.width - 1 - margins.east;
    row = row > top ? row : top;
    end = end < bottom ? end : bottom;
    for (; row < end; row += strips.width) {
        bool south = row + strips.width < bottom;
        for (size_t x = west; x <= last; x++) {
            if (x < last)
                oro_visit_way(basins, row + x, 0, visit, user);
            if (south && x > west)
                oro_visit_way(basins, row + x, 1, visit, user);
            if (south)
                oro_visit_way(basins, row + x, 2, visit, user);
            if (south && x < last)
                oro_visit_way(basins, row + x, 3, visit, user);
        }
    }
}

#endif
