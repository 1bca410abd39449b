/*
 * Meshes of a terrain: from a grid of heights to triangles, and to files of triangles.
 *
 * Vertices lie at the centres of cells and have their heights exactly. Seen from above, corners of triangles
 * go counter-clockwise. Nothing here knows of sidecars or temporary files; formats/writer/mesh_write.c does.
 */
#ifndef ORO_FORMATS_MESH_MESH_H
#define ORO_FORMATS_MESH_MESH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Heights, row-major, row 0 north; at least 2 by 2 cells, all finite. */
struct oro_mesh_grid {
    int width, height;
    double cell; /* metres */
    const float *heights;
};

struct oro_mesh_vertex {
    int column, row;
};

/* The surface: triangles that cover the grid from the centre of its first cell to that of its last, without
 * gaps and without overlaps. */
struct oro_mesh {
    const struct oro_mesh_grid *grid;
    struct oro_mesh_vertex *vertices;
    uint32_t (*triangles)[3];
    size_t vertex_count, triangle_count;
};
void oro_mesh_free(struct oro_mesh *mesh);

/* How many triangles the whole grid has. */
size_t oro_mesh_full(const struct oro_mesh_grid *grid);

/* All vertices of the grid. Fails with ORO_E_MEMORY. */
bool oro_mesh_whole(const struct oro_mesh_grid *grid, struct oro_mesh *mesh, struct oro_error *err);

/* Begins with two triangles and adds the vertex where the surface is furthest from the terrain, until it is
 * nowhere further than `error` (metres, vertically, at the centres of cells) or another vertex would make
 * more than `triangles` (0: no limit). All triangles fulfil Delaunay's condition in plan. `stop` (may be
 * NULL) is asked now and then: true ends the work with ORO_E_CANCELLED. Fails with ORO_E_MEMORY, too.
 *
 * Garland and Heckbert 1995, "Fast polygonal approximation of terrains and height fields": greedy
 * insertion. */
bool oro_mesh_refine(const struct oro_mesh_grid *grid, double error, size_t triangles,
                     bool (*stop)(void *user), void *user, struct oro_mesh *mesh, struct oro_error *err);

/* How far the surface is from the terrain, vertically, over the centres of all cells; metres. */
struct oro_mesh_deviation {
    double largest, rms;
};
struct oro_mesh_deviation oro_mesh_measure(const struct oro_mesh *mesh);

#endif
