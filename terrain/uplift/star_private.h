/* Geometry of stars: quadratic curves, nearest points on them, and where rays meet them. */
#ifndef ORO_TERRAIN_UPLIFT_STAR_PRIVATE_H
#define ORO_TERRAIN_UPLIFT_STAR_PRIVATE_H

#include "terrain/uplift/tree_private.h"

void oro_piece_at(const struct oro_piece *piece, double s, double out[2]);

/* Value of a star: eq. 7 in eq. 6 with r = 1; negative beyond the boundary. */
double oro_star_at(const struct oro_op *op, double x, double y);

#endif
