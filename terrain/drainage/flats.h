/*
 * Level ground: what cells with no lower neighbour, but with an equal one, drain to (routing.h, rule 2).
 * Garbrecht and Martz (1997) and Barnes (2014) let such cells fall towards the outlet of their flat and away
 * from higher ground, by counting cells. Here these are the lengths of shortest ways over ground that is
 * uneven at random, and harder to cross beside higher ground: water comes together on winding ways, where
 * counted cells would lead it along straight lines.
 *
 * Four fields over the cells of flats, each the least solution of its rule, so that it does not matter how
 * they are found. Neighbours here have the same height; ORO_FLAT_NONE is more than any value.
 *
 *     wall(p) = 1 beside a higher cell or the edge of the terrain, else 1 + min wall(neighbours)
 *     cost(p) = 2 + chance(p) + max(0, 12 - wall(p)), chance: 0..7 by the cell's place in the terrain
 *     open(p) = min over neighbours q of open(q) + length cost(p); length: 5 straight, 7 diagonal;
 *               open(q) = 0 where q is an outlet or has a lower neighbour
 *     sink(p) = of closed flats, where open is ORO_FLAT_NONE: the least key of all cells of the flat. A
 * cell's key is the lower the further it is from walls, then by chance. way(p)  = as open(p), with 0 also
 * where p's own key is sink(p)
 *
 * The receiver of p is the neighbour that gives it its way(p), of several the first by number. The sinks stay
 * pits. A way longer than ORO_FLAT_LONGEST isn't gone on with; cells beyond are a closed flat.
 */
#ifndef ORO_TERRAIN_DRAINAGE_FLATS_H
#define ORO_TERRAIN_DRAINAGE_FLATS_H

#include "terrain/drainage/basins_private.h"
#include "terrain/drainage/blocks.h"

#define ORO_FLAT_NONE UINT32_MAX
#define ORO_FLAT_LONGEST 0x7fffffffu

enum oro_flat_field { ORO_FLAT_WALL, ORO_FLAT_OPEN, ORO_FLAT_SINK, ORO_FLAT_WAY, ORO_FLAT_FIELDS };

/* Of a cell that is no flat: `open` and `way` are 0. */
struct oro_flat_values {
    uint32_t of[ORO_FLAT_FIELDS];
};
static inline struct oro_flat_values oro_flat_ground(void)
{
    return (struct oro_flat_values){{ORO_FLAT_NONE, 0, ORO_FLAT_NONE, 0}};
}

/* The flats of a tile, or of a whole, which has no ring. */
struct oro_flats {
    const struct oro_ground *ground; /* the window */
    struct oro_tiled_block block, window;
    uint8_t *direction; /* rule 1; those of flats are replaced */
    uint32_t *label;    /* room for a number a cell of the window; zero before and after */
    /* Values of the window's rim cells that belong to other tiles (blocks.h numbers them). NULL: nothing is
     * known of these yet, and ways end at the tile's edge. */
    const struct oro_flat_values *ring;
    /* Gets the values of the block's rim cells, up to the field `last`; what comes after it is not found, and
     * directions stay as they are. NULL: all fields are found. */
    struct oro_flat_values *rim;
    enum oro_flat_field last;
    bool crossing; /* set: a flat of the tile has an equal neighbour in the ring */
};

/* Fails with ORO_E_MEMORY or ORO_E_CANCELLED. */
bool oro_flats_cross(struct oro_flats *flats, struct oro_error *err);

#endif
