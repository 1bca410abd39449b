/*
 * Inside formats/mesh/: which cells lie in a triangle, in exact arithmetic. Differences of coordinates have
 * 15 bits and a sign, products of two of them fit 32 bits, and what is computed here fits 64.
 */
#ifndef ORO_FORMATS_MESH_SPAN_H
#define ORO_FORMATS_MESH_SPAN_H

#include "formats/mesh/mesh.h"

/* Twice the area of a triangle in plan; positive if its corners go counter-clockwise seen from above, with
 * rows that go south. */
static inline int64_t oro_mesh_turn(struct oro_mesh_vertex a, struct oro_mesh_vertex b,
                                    struct oro_mesh_vertex c)
{
    return (int64_t)(b.row - a.row) * (c.column - a.column) -
           (int64_t)(b.column - a.column) * (c.row - a.row);
}

/* The cells of one row in a triangle: its edges belong to it. Empty where first > last. */
struct oro_mesh_span {
    int first, last;
};

static inline int64_t oro_mesh_floor(int64_t numerator, int64_t positive)
{
    return (numerator >= 0 ? numerator : numerator - positive + 1) / positive;
}

static inline struct oro_mesh_span oro_mesh_span(const struct oro_mesh_vertex corner[3], int row)
{
    struct oro_mesh_span span = {INT32_MIN, INT32_MAX};
    for (int i = 0; i < 3; i++) {
        struct oro_mesh_vertex a = corner[i], b = corner[i == 2 ? 0 : i + 1];
        /* Inside: down * (column - a.column) >= right * (row - a.row). */
        int64_t down = b.row - a.row, right = (int64_t)(b.column - a.column) * (row - a.row);
        if (down > 0) {
            int first = a.column - (int)oro_mesh_floor(-right, down);
            span.first = first > span.first ? first : span.first;
        } else if (down < 0) {
            int last = a.column + (int)oro_mesh_floor(-right, -down);
            span.last = last < span.last ? last : span.last;
        }
    }
    return span;
}

/* The plane through the corners: the height at a column and row is base + east * column + south * row. */
struct oro_mesh_plane {
    double base, east, south;
};

static inline double oro_mesh_height(const struct oro_mesh_grid *grid, struct oro_mesh_vertex v)
{
    return (double)grid->heights[(size_t)v.row * (size_t)grid->width + (size_t)v.column];
}

/* Of any values at the corners. */
static inline struct oro_mesh_plane oro_mesh_plane_of(const struct oro_mesh_vertex corner[3],
                                                      const double value[3])
{
    struct oro_mesh_vertex a = corner[0], b = corner[1], c = corner[2];
    double up_b = value[1] - value[0], up_c = value[2] - value[0];
    double scale = -1 / (double)oro_mesh_turn(a, b, c);
    double east = (up_b * (c.row - a.row) - up_c * (b.row - a.row)) * scale;
    double south = (up_c * (b.column - a.column) - up_b * (c.column - a.column)) * scale;
    return (struct oro_mesh_plane){value[0] - east * a.column - south * a.row, east, south};
}

static inline struct oro_mesh_plane oro_mesh_plane(const struct oro_mesh_grid *grid,
                                                   const struct oro_mesh_vertex corner[3])
{
    return oro_mesh_plane_of(corner, (const double[]){oro_mesh_height(grid, corner[0]),
                                                      oro_mesh_height(grid, corner[1]),
                                                      oro_mesh_height(grid, corner[2])});
}

static inline int oro_mesh_top(const struct oro_mesh_vertex corner[3])
{
    int row = corner[0].row < corner[1].row ? corner[0].row : corner[1].row;
    return corner[2].row < row ? corner[2].row : row;
}

static inline int oro_mesh_bottom(const struct oro_mesh_vertex corner[3])
{
    int row = corner[0].row > corner[1].row ? corner[0].row : corner[1].row;
    return corner[2].row > row ? corner[2].row : row;
}

#endif
