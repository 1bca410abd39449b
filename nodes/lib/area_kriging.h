/*
 * Area-to-point kriging (Kyriakidis 2004): heights at points from means over square cells around them. Of all
 * sums of those means it is the one nearest to the ground on average, for ground whose spectrum is a power of
 * the wavenumber, the same in all directions; and the means of what it gives are the means that it was given.
 */
#ifndef ORO_NODES_LIB_AREA_KRIGING_H
#define ORO_NODES_LIB_AREA_KRIGING_H

#include <stdbool.h>

/* Cells to each side that are looked at, and how many that makes. */
enum { ORO_KRIGING_REACH = 3, ORO_KRIGING_WIDTH = 7, ORO_KRIGING_CELLS = 49 };

/* A cell is cut into side x side parts. `weights`, side * side * ORO_KRIGING_CELLS: for each part, row by
 * row, the weights of the cells around, row by row; they sum up to 1. False: no memory. */
bool oro_area_kriging(int side, float *weights);

#endif
