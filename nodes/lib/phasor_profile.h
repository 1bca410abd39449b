/* Cross-sections of phasor noise on the host: lib/phasor_profile.glsl has the same formulas. */
#ifndef ORO_NODES_LIB_PHASOR_PROFILE_H
#define ORO_NODES_LIB_PHASOR_PROFILE_H

#include "graph/type/node.h"

struct oro_phasor_profile {
    const struct oro_profile
        *curve; /* NULL: eq. 6 of Grenier 2023, a triangle that is rounded at the bottom */
    double epsilon;
};

struct oro_phasor_heights {
    double mean, low, high;
};

/* Measures over x from 0 to 1; for eq. 6 that is from the bottom to the crest. */
struct oro_phasor_heights oro_phasor_measure(const struct oro_phasor_profile *profile);

#endif
