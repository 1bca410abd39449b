/* Distances to the nearest of marked cells on the host, as squares, which are exact. */
#ifndef ORO_NODES_LIB_DISTANCE_SQUARES_H
#define ORO_NODES_LIB_DISTANCE_SQUARES_H

#include <stdbool.h>
#include <stdint.h>

/* `cells`, row-major: not negative in marked cells, negative in all others. Each gets the square of the
 * distance to the nearest marked one, in cells; -1 where none is marked; a square beyond 31 bits as the bits
 * of a float of the opposite sign, which are below -1. A side has at most ORO_GRID_MAX cells. On all
 * processors, in a time that only hangs on the number of cells. False: no memory. */
bool oro_distance_squares(int32_t *cells, int width, int height);

#endif
