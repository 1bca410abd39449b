/* The isolation of a summit: how far away the nearest higher ground is (in plan, metres), or INFINITY for the
 * highest. Of equal height is not higher. */
#ifndef ORO_TERRAIN_NETWORK_ISOLATION_H
#define ORO_TERRAIN_NETWORK_ISOLATION_H

#include "terrain/network/network.h"

/* Where higher ground is looked for: the centres of a terrain's cells. */
struct oro_isolation_ground {
    const float *z;
    int width, height;
    double cell, x, y; /* metres: side of a cell, and the north-west corner */
};
double oro_isolation_on_ground(const struct oro_isolation_ground *ground, const struct oro_vertex *summit);

/* The same among the vertices of a network that know their elevations: without the terrain, the best that is
 * known. */
struct oro_isolation_index;
/* NULL: no memory. The network must outlive the index. */
struct oro_isolation_index *oro_isolation_index(const struct oro_network *network);
void oro_isolation_index_free(struct oro_isolation_index *index);
double oro_isolation_in_network(const struct oro_isolation_index *index, const struct oro_vertex *summit);

#endif
