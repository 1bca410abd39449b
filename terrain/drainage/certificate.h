/*
 * Certificates: whether ground drains. Functions are thread-safe, and their results do not depend on the
 * number of processors.
 */
#ifndef ORO_TERRAIN_DRAINAGE_CERTIFICATE_H
#define ORO_TERRAIN_DRAINAGE_CERTIFICATE_H

#include "terrain/drainage/routing.h"

/* Whether ground drains. Volumes are in units of height times cells. */
struct oro_certificate {
    size_t pits;  /* cells, outlets apart, without a strictly lower neighbour (of 8) */
    size_t flats; /* those of them that have an equal neighbour */
    /* The share of cells, 0..1, whose water ends in a pit when it takes the steepest way (routing.h, rule 1),
     * a border cell being an outlet. */
    double share_ending_in_pit;
    size_t depressions; /* closed ones: lakes that would stand where every one is full (oro_lakes) */
    size_t undrained;   /* cells below the level of their lake */
    double deepest;     /* greatest depth of such a lake */
    double fill_volume; /* of all of them */
};

/* Ground without a closed depression lets all water out, across flats where it has any. Time O(n); no memory
 * where there are no pits, 1 byte a cell and 4 a pit where level ground drains, else 5 bytes a cell besides
 * what oro_route takes. Uses all processors; the result does not depend on how many. Fails as oro_route. */
bool oro_certify(const struct oro_ground *ground, struct oro_certificate *certificate, struct oro_error *err);

/* Whether there is no closed depression, which takes a part of that where there are some. Fails likewise. */
bool oro_drains(const struct oro_ground *ground, bool *drained, struct oro_error *err);

/* The same as oro_certify of ground that has been routed. */
bool oro_certify_routed(const struct oro_ground *ground, const struct oro_routing *routing,
                        struct oro_certificate *certificate, struct oro_error *err);

/* ---- Inside of this folder: where the steepest ways end, without an exact way for every cell ---- */

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
