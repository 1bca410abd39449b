/* Where the steepest ways end, without an exact way for every cell. */
#ifndef ORO_TERRAIN_DRAINAGE_PITS_H
#define ORO_TERRAIN_DRAINAGE_PITS_H

#include "terrain/drainage/ground.h"

struct oro_pits {
    size_t pits, flats; /* as in struct oro_certificate */
    size_t ending;      /* cells whose steepest way ends in a pit */
    /* Every pit lies on level ground that has an outlet or a lower neighbour, so that there is no closed
     * depression. false: there may be one. */
    bool drained;
};

/* Fails with ORO_E_MEMORY or ORO_E_CANCELLED. Uses all processors; the result does not depend on how many. */
bool oro_measure_pits(const struct oro_ground *ground, struct oro_pits *pits, struct oro_error *err);

#endif
