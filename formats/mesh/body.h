/*
 * Inside formats/mesh/: a mesh as it goes into a file, with what hangs from its border.
 *
 * Metres, x east, y north, z up; the origin is above or below the terrain's centre, at height 0. Vertices
 * are shared by all triangles that meet there: with a base, every edge belongs to two triangles, which run
 * along it in opposite directions.
 */
#ifndef ORO_FORMATS_MESH_BODY_H
#define ORO_FORMATS_MESH_BODY_H

#include "formats/mesh/file.h"

struct oro_mesh_body {
    const struct oro_mesh *mesh;
    const struct oro_mesh_options *options;
    /* The surface comes first, in vertices and in triangles. */
    size_t surface_vertices, surface_triangles;
    size_t vertex_count, triangle_count;
    float (*positions)[3];
    /* Of length 1: the mean of the triangles around a vertex, by their areas. Of the surface; a skirt has
     * those of the vertices from which it hangs, a base has none. */
    float (*normals)[3];
    uint32_t (*triangles)[3];
    /* The border's vertices, counter-clockwise seen from above. The i-th has the vertex surface_vertices + i
     * below it, if there is a skirt or a base. */
    uint32_t *ring;
    size_t ring_count;
};

/* Fails with ORO_E_MEMORY. Frees nothing of the mesh, which must outlive the body. */
bool oro_mesh_body_make(const struct oro_mesh *mesh, const struct oro_mesh_options *options,
                        struct oro_mesh_body *body, struct oro_error *err);
void oro_mesh_body_free(struct oro_mesh_body *body);

/* Where a vertex lies in an image that covers the terrain: u goes east, v south, both 0..1. */
void oro_mesh_place(const struct oro_mesh_body *body, size_t vertex, float uv[2]);

/* Length 1, towards the east along the surface. */
void oro_mesh_tangent(const float normal[3], float tangent[3]);

#endif
