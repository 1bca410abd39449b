/* The range of a raster's values, for nodes that offer to find it. */
#ifndef ORO_NODES_RANGE_H
#define ORO_NODES_RANGE_H

#include <stddef.h>

#include "graph/node.h"

/* Lowest and highest of `cells` values. */
void oro_range(const float *values, size_t cells, float range[2]);
/* The same of a linked field. False: the evaluation has failed. */
bool oro_field_range(struct oro_eval *eval, const char *input, size_t cells, float range[2]);

#endif
