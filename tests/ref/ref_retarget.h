/*
 * The node `retarget` in plain C (Schott 2024, 5.1), for comparison with the kernels: one cell after the
 * other, in double precision. Rasters are arrays of width * height, row by row from the north.
 */
#ifndef ORO_TESTS_REF_REF_RETARGET_H
#define ORO_TESTS_REF_REF_RETARGET_H

/* Solves lap E = E / reach^2 with E = given in cells where `fixed` is above 0.5, and no flux over the border.
 * `reach` is in cells; 0: no end. There must be a fixed cell, or a reach. Over-relaxed Gauss-Seidel until
 * nothing changes by more than 1e-9. */
void ref_spread(int width, int height, const float *fixed, const float *given, double reach, double *e);

/* The largest |lap E - E / reach^2| in cells that are not fixed. */
double ref_spread_residual(int width, int height, const float *fixed, double reach, const double *e);

/* 1 in cells that no cell exceeds of those up to `radius` cells away along either axis, and that come first
 * among equals; else 0. */
void ref_peaks(int width, int height, const float *terrain, int radius, float *peaks);

#endif
