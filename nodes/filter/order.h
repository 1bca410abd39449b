/* Order statistics of a raster. */
#ifndef ORO_NODES_FILTER_ORDER_H
#define ORO_NODES_FILTER_ORDER_H

#include <stddef.h>

/* The value of a rank, exactly: 0 is the lowest, `cells` - 1 the highest. None of the values is NaN; -0
 * counts as lower than 0. Reads the values three times and needs no memory. */
float oro_value_of_rank(const float *values, size_t cells, size_t rank);

#endif
