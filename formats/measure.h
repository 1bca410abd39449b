/*
 * What can be said about a heightfield without asking where it came from.
 */
#ifndef ORO_FORMATS_MEASURE_H
#define ORO_FORMATS_MEASURE_H

#include <stddef.h>

#include "formats/heightfield.h"

struct oro_measure {
    int width, height;
    double cell; /* metres, 0: unknown */
    double low, high, mean;
    size_t pits;                /* interior cells without a strictly lower neighbour (of 8) */
    size_t flats;               /* interior cells among those pits that have an equal neighbour */
    double share_ending_in_pit; /* of the drained area (steepest descent), 0..1: what ends in a pit */
};

/* Water goes the steepest way down to one of 8 neighbours (a diagonal is sqrt 2 longer), of equal ones to the
 * first in row-major order. Border cells are outlets, each its own: they are never pits. Fails only when
 * memory is out. Cost: O(n), one byte a cell. Thread-safe. */
bool oro_measure(const struct oro_heightfield *field, struct oro_measure *measure, struct oro_error *err);

#endif
