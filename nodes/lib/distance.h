/*
 * How far it is to the nearest of marked cells, as the crow flies, exactly: jump flooding along the columns
 * (Rong 2006), then monotone searching along the rows (Aggarwal 1987). Takes as many dispatches as width and
 * height have binary digits. Rasters that are cut into tiles are looked through on the host (Meijster 2000),
 * which takes memory for all of one there, to the same bits.
 */
#ifndef ORO_NODES_LIB_DISTANCE_H
#define ORO_NODES_LIB_DISTANCE_H

#include "graph/type/node.h"

/* `nearest` is a buffer of int of the outputs' size, with its own row in each marked cell and -1 in all
 * others; it is overwritten. `distance` gets metres, from the middle of each cell to the middle of the
 * nearest marked one; where none is marked, the length of the raster's diagonal, which is more than any
 * distance. Makes one more buffer, or
 * takes its size of host memory. False: failed or cancelled. */
bool oro_distance(struct oro_eval *eval, struct oro_buffer *nearest, struct oro_buffer *distance);

#endif
