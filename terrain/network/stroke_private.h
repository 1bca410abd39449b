/* The curve of a stroke's points, shared by stroke.c and stroke_fit.c. */
#ifndef ORO_TERRAIN_NETWORK_STROKE_PRIVATE_H
#define ORO_TERRAIN_NETWORK_STROKE_PRIVATE_H

#include "terrain/network/stroke.h"

/* A uniform quadratic B-spline. `u` goes from 0 to `pieces`; piece i is a Bezier curve about control point i
 * + 1 of an open spline, i of a ring. Two points are a straight line. */
struct oro_spline {
    const struct oro_stroke_point *points;
    size_t count; /* of a ring: without the repeated one */
    int pieces;
    bool ring;
};
struct oro_spline oro_spline_of(const struct oro_stroke *points);
/* Which three points have weight at u, and how much: the weights themselves, and their derivatives. */
struct oro_spline_weights {
    size_t points[3];
    double value[3], slope[3], bend[3];
};
struct oro_spline_weights oro_spline_weigh(const struct oro_spline *spline, double u);
/* `slope` and `bend` (NULL: not wanted) receive the first and second derivative of the place. */
struct oro_stroke_point oro_spline_at(const struct oro_spline *spline, double u, double slope[2],
                                      double bend[2]);

#endif
