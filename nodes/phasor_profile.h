/* Cross-sections of phasor noise on the host: lib/phasor_profile.glsl has the same formulas. */
#ifndef ORO_NODES_PHASOR_PROFILE_H
#define ORO_NODES_PHASOR_PROFILE_H

#include "graph/node.h"

/* Grenier 2023, eq. 6: a triangle, rounded at the bottom. `x` from the bottom (0) to the crest (1). */
double oro_phasor_rounded(double epsilon, double x);
double oro_phasor_drawn(const struct oro_profile *curve, double x);

#endif
