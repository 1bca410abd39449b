/* Drainage that has had time to settle: what gles_shaders/lib/water.glsl comes to after many steps over
 * ground that stays. */
#ifndef ORO_TERRAIN_HYDROLOGY_STEADY_DRAINAGE_H
#define ORO_TERRAIN_HYDROLOGY_STEADY_DRAINAGE_H

#include <stdbool.h>

#include "base/error.h"

/* What a slanting way counts beside a straight one of the same slope: ACROSS_SHARE in
 * gles_shaders/lib/flow.glsl, which says why. */
#define ORO_ACROSS_SHARE 0.42F

struct oro_steady_drainage {
    int width, height;
    double cell;     /* metres */
    double exponent; /* flow_exponent */
    bool walls;      /* else water leaves over the border */
    const float *z;  /* the ground, metres */
};

/* `area` holds what every cell has of its own rain, and gets what drains through it, m^2. A cell
 * gives when all has come to it: work grows with the number of cells alone, not with the length of rivers. On
 * all processors; the bits do not depend on how many there are. */
bool oro_steady_drainage(const struct oro_steady_drainage *ground, float *area, struct oro_error *err);

#endif
