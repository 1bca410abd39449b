/*
 * The node `diamond_square` in plain C (Fournier 1982, Miller 1986), for comparison with the kernels: one
 * place at a time, recursively, in double precision.
 */
#ifndef ORO_TESTS_REF_REF_DIAMOND_SQUARE_H
#define ORO_TESTS_REF_REF_DIAMOND_SQUARE_H

#include <stdbool.h>
#include <stdint.h>

struct ref_squares {
    double side; /* of the squares that are there at first, one of which has a corner at the origin; metres */
    int halvings;
    double roughness; /* factor of displacements per halving; the first have standard deviation 1 */
    bool uniform;     /* displacements are, not Gaussian */
    uint32_t seed;
};

/* Elevation at a place in metres. */
double ref_diamond_square(const struct ref_squares *squares, double x, double y);

#endif
