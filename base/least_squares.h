/* Sparse linear least squares with bounds: the x that makes |A x - wanted|^2 + regularisation |D x|^2 least,
 * with D^2 the diagonal of A^T A (Marquardt 1963), and every x within its bounds. */
#ifndef ORO_BASE_LEAST_SQUARES_H
#define ORO_BASE_LEAST_SQUARES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Row i of A has the values value[k] in the columns column[k], k from starts[i] to starts[i + 1] - 1; a
 * column may come more than once. */
struct oro_least_squares {
    size_t rows, columns;
    const uint32_t *starts; /* rows + 1 */
    const uint32_t *column;
    const double *value, *wanted;
    double regularisation;    /* > 0 for a unique x; a column of zeros gives 0 in any case */
    const double *low, *high; /* of each x: low <= 0 <= high */
};

/* Conjugate gradients over the x that are not at a bound; those that would go beyond are put at it, and the
 * others adapt. The same bits for the same problem. False: no memory. */
bool oro_least_squares(const struct oro_least_squares *problem, double *x);

#endif
