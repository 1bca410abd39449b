/*
 * Lines that bend smoothly: uniform quadratic B-splines with a line's vertices as control points (so:
 * quadratic Beziers between the middles of its pieces). They begin and end at the first and the last vertex,
 * and pass by the others. What is evaluated along lines and what is drawn of them both come from here. Any
 * thread.
 */
#ifndef ORO_TERRAIN_NETWORK_BEND_H
#define ORO_TERRAIN_NETWORK_BEND_H

#include <stdbool.h>
#include <stddef.h>

/* A vertex of a line, or a point of its curve. Positions are doubles: a network's vertices are floats, but
 * points between them need not be. */
struct oro_line_end {
    double x, y;
    double along;  /* 0 at the line's first vertex, 1 at its last, by length */
    double width;  /* metres */
    double vertex; /* the place among the line's vertices: 1.5 is between the second and the third */
};
/* Zeroed is empty. */
struct oro_line_points {
    struct oro_line_end *items;
    size_t count, capacity;
};
/* False: memory is out, or there are ORO_LINE_POINTS_MAX points already. */
enum { ORO_LINE_POINTS_MAX = 1 << 22 };
bool oro_line_add(struct oro_line_points *points, struct oro_line_end point);
void oro_line_free(struct oro_line_points *points);

/* Whether a line of vertices ends where it began, which makes its curve a ring: four vertices or more. */
bool oro_line_is_ring(const struct oro_line_points *vertices);
/* Replaces `curve` by points of the curve, in bends of straight pieces of which each turns by 2 degrees or
 * less. `ring`: closed, from the middle of the piece before the first vertex; the last vertex may name the
 * first one once more. `vertex` of the vertices is set. False: as oro_line_add. */
bool oro_line_bend(struct oro_line_points *vertices, bool ring, struct oro_line_points *curve);

#endif
