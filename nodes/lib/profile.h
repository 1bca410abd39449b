/* Profile inputs on the host: kernels have profile_NAME() for the same. */
#ifndef ORO_NODES_LIB_PROFILE_H
#define ORO_NODES_LIB_PROFILE_H

#include "graph/type/node.h"

/* Linear between the points, constant beyond them; 0 without any. */
double oro_profile_value(const struct oro_profile *profile, double x);

#endif
