/* What oro_certify and oro_metrics share. */
#ifndef ORO_TERRAIN_HYDROLOGY_METRICS_PRIVATE_H
#define ORO_TERRAIN_HYDROLOGY_METRICS_PRIVATE_H

#include "terrain/hydrology/metrics.h"

/* oro_certify of ground that has been routed. */
bool oro_certify_routed(const struct oro_ground *ground, const struct oro_routing *routing,
                        struct oro_certificate *certificate, struct oro_error *err);

#endif
