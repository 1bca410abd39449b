/*
 * Stream power in plain C, in double precision, over exact receivers and areas: how far terrain is from
 * balance.
 */
#ifndef ORO_TESTS_REF_REF_STREAM_POWER_H
#define ORO_TESTS_REF_REF_STREAM_POWER_H

#include "tests/ref/ref_routing.h"

/* Arrays may be NULL: the number everywhere. */
struct ref_stream_power {
    double cell, n, m;
    double uplift, erodibility, hillslope; /* metres a year, of 1 km2 and a slope of 1; m2 a year */
    const float *uplift_map, *rain;
};

/* Mean of |u - k a^m s^n + k_h lap(h)| (Schott 2023, eq. 1) over all cells; outlets, which are held, count as
 * 0. `routing` is that of its z. */
double ref_stream_power_change(const struct ref_stream_power *power, const struct ref_routing *routing);

#endif
