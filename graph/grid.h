/*
 * A grid places the cells of a raster in the world. Cells are square, row 0 is north, and the centre of cell
 * (i, j) lies at (x + (i + 0.5) * cell, y + (j + 0.5) * cell), all in metres.
 */
#ifndef ORO_GRAPH_GRID_H
#define ORO_GRAPH_GRID_H

#include <stdbool.h>
#include <stddef.h>

/* The widest and highest grid that is accepted: 2^15 cells a side keeps every index within 31 bits. */
enum { ORO_GRID_MAX = 32768 };

struct oro_grid {
    int width, height; /* cells */
    double cell;       /* metres */
    double x, y;       /* origin, metres: the north-west corner of cell (0, 0) */
};

static inline size_t oro_grid_cells(const struct oro_grid *grid)
{
    return (size_t)grid->width * (size_t)grid->height;
}

/* Cells along the longer side. */
static inline int oro_grid_longer(const struct oro_grid *grid)
{
    return grid->width > grid->height ? grid->width : grid->height;
}

static inline bool oro_grid_same_size(const struct oro_grid *a, const struct oro_grid *b)
{
    return a->width == b->width && a->height == b->height;
}

#endif
