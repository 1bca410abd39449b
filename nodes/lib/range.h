/* The range of a raster's values. */
#ifndef ORO_NODES_LIB_RANGE_H
#define ORO_NODES_LIB_RANGE_H

#include <stddef.h>

#include "graph/type/node.h"

/* Lowest and highest of `cells` values. */
void oro_range(const float *values, size_t cells, float range[2]);
/* The same of a linked field. False: the evaluation has failed. */
bool oro_field_range(struct oro_eval *eval, const char *input, size_t cells, float range[2]);
/* The largest magnitude in a buffer of the outputs' size, found on the device. Runs largest.comp. */
bool oro_largest(struct oro_eval *eval, struct oro_buffer *values, float *largest);

#endif
