/* Points with a number each, written as text: "x y number; x y number; ...", in metres. Control points have
 * an elevation. */
#ifndef ORO_NODES_EROSION_CONTROL_POINTS_H
#define ORO_NODES_EROSION_CONTROL_POINTS_H

#include <stdint.h>

#include "graph/type/node.h"

enum { ORO_CONTROL_POINTS_MAX = 4096 };

struct oro_control_point {
    int64_t cell;    /* index in the grid of the cell that holds the point */
    float elevation; /* metres; or another number, if these are not control points */
    int number;      /* in the text, from 1 */
};

/* What points are called in errors, and their number with its range. */
struct oro_point_kind {
    const char *point, *value;
    double least, most;
};

struct oro_control_points {
    struct oro_control_point *items; /* control points: sorted by cell, each cell once */
    int count;
    int shared; /* cells in which points of different elevation met, and got the mean */
};

/* Reads the text and finds the points' cells; blank text holds none. The points stay in their order, and may
 * share cells. ORO_E_DOCUMENT: the text is malformed, a point lies outside the grid, a number outside its
 * range, or there are more than ORO_CONTROL_POINTS_MAX; names the point. The caller frees. */
bool oro_points_read(const char *text, const struct oro_grid *grid, const struct oro_point_kind *kind,
                     struct oro_control_points *points, struct oro_error *err);

/* Reads points with elevations. Two with different ones in one cell are an error (ORO_E_DOCUMENT), unless
 * `share` says that cells may be too large to tell them apart. */
bool oro_control_points_read(const char *text, const struct oro_grid *grid, bool share,
                             struct oro_control_points *points, struct oro_error *err);
void oro_control_points_free(struct oro_control_points *points);

#endif
