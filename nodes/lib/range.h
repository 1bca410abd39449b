/* Figures of rasters: range, largest value, sum; and the difference of two. */
#ifndef ORO_NODES_LIB_RANGE_H
#define ORO_NODES_LIB_RANGE_H

#include <stddef.h>

#include "graph/type/node.h"

/* Lowest and highest of `cells` values. */
void oro_range(const float *values, size_t cells, float range[2]);
/* The same of a linked field. False: the evaluation has failed. */
bool oro_field_range(struct oro_eval *eval, const char *input, float range[2]);
/* The largest magnitude in a buffer of the outputs' size, found on the device. */
bool oro_largest(struct oro_eval *eval, struct oro_buffer *values, float *largest);
/* The same of the components of vectors. */
bool oro_largest_component(struct oro_eval *eval, struct oro_buffer *vectors, float *largest);
/* Sum over a raster, in double, the same on every run; over a field of the outputs' grid, or another array of
 * `cells` floats. */
bool oro_sum_over(struct oro_eval *eval, struct oro_buffer *values, const struct oro_grid *grid, double *sum);
bool oro_sum(struct oro_eval *eval, struct oro_buffer *values, size_t cells, double *sum);
/* `before` less `after`, all of the outputs' size. */
bool oro_difference(struct oro_eval *eval, struct oro_buffer *before, struct oro_buffer *after,
                    struct oro_buffer *removed);

#endif
