/* Geometry of stars: quadratic curves, and how far a point is from them. */
#ifndef ORO_TERRAIN_UPLIFT_STAR_PRIVATE_H
#define ORO_TERRAIN_UPLIFT_STAR_PRIVATE_H

#include "terrain/uplift/tree_private.h"

void oro_piece_at(const struct oro_piece *piece, double s, double out[2]);

/* Stars are evaluated with so many straight chords to a piece. */
enum { ORO_STAR_CHORDS = 8 };

/* Vertex `index` of the chords of `count` pieces from the first: where one chord ends, the next begins. */
void oro_star_vertex(const struct oro_op *op, size_t first, size_t count, size_t index, double out[2]);

/* Value of a star; negative beyond the boundary. */
double oro_star_at(const struct oro_op *op, double x, double y);

#endif
