/* How simulations begin whose water is on its way from the start. */
#ifndef ORO_NODES_LIB_STEADY_DRAINAGE_H
#define ORO_NODES_LIB_STEADY_DRAINAGE_H

#include "nodes/lib/duration.h"

/* Drainage to begin with, into `area`. When time is physical, it begins when all water is on its way: rivers
 * do not have to fill first, which takes more iterations the finer the cells are. Where `drainage` is linked
 * or iterations are counted, as oro_drainage_start. Needs the inputs `terrain`, `drainage` and `rain`. */
bool oro_drainage_begin(struct oro_eval *eval, const struct oro_pace *pace, double exponent, bool walls,
                        struct oro_buffer *area);

#endif
