/*
 * River networks of ground (Schott 2023, 6.2): where at least so much drains through a cell, along the exact
 * ways of the water (terrain/drainage/routing.h).
 */
#ifndef ORO_TERRAIN_NETWORK_RIVERS_H
#define ORO_TERRAIN_NETWORK_RIVERS_H

#include "terrain/drainage/ground.h"
#include "terrain/network/network.h"

struct oro_river_options {
    double cell, x, y;     /* metres: side of a cell, and the ground's north-west corner */
    const float *drainage; /* of every cell, m^2; NULL: exact. What is not finite counts as 0 */
    double threshold;      /* m^2: a river begins where so much drains */
    double width;          /* metres, of a river that drains a square kilometre: w ~ a^0.4 (Harel 2022) */
    int smooth;            /* rounds of smoothing of the lines between sources, junctions and outlets */
    double simplify;       /* metres that lines may be off, sideways and in height */
};

struct oro_river_report {
    size_t sources, junctions, outlets;
    uint32_t order; /* Strahler's, the highest */
};

/* Lines run downstream from sources and junctions to junctions and outlets. Every vertex has its elevation,
 * drainage, order and width. Downstream drainage does not fall (where `drainage` does, the river keeps what
 * it had upstream), and elevation does not rise (where the way leads out of a hollow, the river lies as low
 * as upstream). The last vertex before a junction stays, so that a tributary does not widen before it gets
 * there. Ground without rivers gives an empty network. Time O(n); 13 bytes a cell besides what oro_route
 * takes. Fails as oro_route. */
struct oro_network *oro_river_network(const struct oro_ground *ground,
                                      const struct oro_river_options *options,
                                      struct oro_river_report *report, struct oro_error *err);

#endif
