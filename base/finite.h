/*
 * Values that are no numbers.
 */
#ifndef ORO_BASE_FINITE_H
#define ORO_BASE_FINITE_H

#include <stdbool.h>
#include <stddef.h>

/* The first value that is not finite, or `count`; `takes_nan`: that is infinite. On all processors. */
size_t oro_first_not_finite(const float *values, size_t count, bool takes_nan);

#endif
