/* Points with an elevation, written as text: "x y elevation; x y elevation; ...", all in metres. */
#ifndef ORO_NODES_CONTROL_POINTS_H
#define ORO_NODES_CONTROL_POINTS_H

#include "graph/node.h"

enum { ORO_CONTROL_POINTS_MAX = 4096 };

struct oro_control_point {
    int cell;        /* index in the grid of the cell that holds the point */
    float elevation; /* metres */
    int number;      /* in the text, from 1 */
};

struct oro_control_points {
    struct oro_control_point *items; /* sorted by cell, each cell once */
    int count;
    int shared; /* cells in which points of different elevation met, and got the mean */
};

/* Reads the text and finds the points' cells; blank text holds none. Two points with different elevations in
 * one cell are an error, unless `share` says that cells may be too large to tell them apart. ORO_E_DOCUMENT:
 * the text is malformed, a point lies outside the grid, two contradict each other, or there are more than
 * ORO_CONTROL_POINTS_MAX; names the points. The caller frees. */
bool oro_control_points_read(const char *text, const struct oro_grid *grid, bool share,
                             struct oro_control_points *points, struct oro_error *err);
void oro_control_points_free(struct oro_control_points *points);

#endif
