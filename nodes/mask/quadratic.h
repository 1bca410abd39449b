/*
 * A quadratic surface fitted around every cell of a terrain by weighted least squares (Evans 1972; Wood 1996
 * for windows of any size). Its radius is a length in metres, so its slopes and curvatures are those of the
 * same ground at every resolution that shows it.
 *
 * The weight of a cell falls smoothly with its distance along both axes, to 0 at the radius. Such weights are
 * a product, so the fit is made along the rows first and along the columns then. Beyond the border there is
 * nothing: a window that reaches over it is cut off, and planes and quadratic surfaces are fitted exactly
 * everywhere. A window of many cells is sampled at 65 x 65 of them at most.
 */
#ifndef ORO_NODES_MASK_QUADRATIC_H
#define ORO_NODES_MASK_QUADRATIC_H

#include "graph/type/node.h"

/* Makes the fit along the rows and hands it to `dispatch`, whose kernel includes lib/quadratic.glsl and calls
 * quadratic_at(p): as the slots `row_value`, `row_slope` and `row_bend`, each a new buffer, and the
 * constants `reach` and `stride`. `terrain` has the outputs' size; `radius` is in metres,
 * and at least one and a half cells are looked at. False: the evaluation has failed. */
bool oro_quadratic_fit(struct oro_eval *eval, struct oro_buffer *terrain, double radius,
                       struct oro_dispatch *dispatch);

#endif
