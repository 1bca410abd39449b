/* Drainage that has had time to settle: what gles_shaders/lib/water.glsl comes to after many steps over
 * ground that stays. */
#ifndef ORO_NODES_LIB_STEADY_DRAINAGE_H
#define ORO_NODES_LIB_STEADY_DRAINAGE_H

#include "nodes/lib/duration.h"

struct oro_steady_drainage {
    int width, height;
    double cell;     /* metres */
    double exponent; /* flow_exponent */
    bool walls;      /* else water leaves over the border */
    const float *z;  /* the ground, metres */
};

/* `area` holds what every cell has of its own rain, and gets what drains through it, m^2. Cells are gone
 * through from the highest to the lowest, so that all has come to a cell when it gives: work grows with the
 * number of cells alone, not with the length of rivers. */
bool oro_steady_drainage(const struct oro_steady_drainage *ground, float *area, struct oro_error *err);

/* Drainage to begin with, into `area`. When time is physical, it begins when all water is on its way: rivers
 * do not have to fill first, which takes more iterations the finer the cells are. Where `drainage` is linked
 * or iterations are counted, as oro_drainage_start. Needs the inputs `terrain`, `drainage` and `rain`. */
bool oro_drainage_begin(struct oro_eval *eval, const struct oro_pace *pace, double exponent, bool walls,
                        struct oro_buffer *area);

#endif
