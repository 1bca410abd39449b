/*
 * Files of triangles. All of them are in metres, have the origin at the terrain's centre and at height 0,
 * and show the upper side of a triangle counter-clockwise. Equal meshes and options give equal bytes.
 *
 *   .glb  glTF 2.0, binary: x east, y up, z south, as glTF demands
 *   .obj  Wavefront: x east, y north, z up; numbers with as few digits as read back exactly
 *   .stl  binary: the same axes
 *   .ply  binary, little-endian: the same axes
 */
#ifndef ORO_FORMATS_MESH_FILE_H
#define ORO_FORMATS_MESH_FILE_H

#include <stdio.h>

#include "formats/mesh/mesh.h"

/* An image as the bytes of a PNG or JPEG file. */
struct oro_mesh_image {
    const void *bytes;
    size_t size; /* 0: no image */
};

struct oro_mesh_options {
    size_t triangles; /* of the surface, at most; 0: ORO_MESH_TRIANGLES, unless there is an error */
    double error;     /* metres that the surface may be from the terrain; 0: given by `triangles` */
    double skirt;     /* metres that walls hang down from the border; 0: none */
    double base;      /* metres of a closed base below the lowest vertex; 0: none */
    bool normal_map;  /* of the terrain, within the file; .glb */
    struct oro_mesh_image texture; /* covers the terrain; .glb */
};

/* Triangles without any options: a whole grid of 1024 by 1024 has fewer. */
enum { ORO_MESH_TRIANGLES = 1 << 21 };

/* What was made. */
struct oro_mesh_made {
    size_t vertices, triangles; /* in the file; 0: it is no mesh */
    size_t surface_triangles;   /* without the skirt or the base */
    bool whole;                 /* every cell is a vertex: nothing was simplified */
    struct oro_mesh_deviation deviation;
    double low, high; /* of the surface */
};

/* What is said of a mesh in its file. */
struct oro_mesh_facts {
    const char *program;
    const char *crs;               /* or NULL: the place is unknown */
    double east, north;            /* of the origin, in that system */
    struct oro_mesh_image normals; /* a normal map in tangent space */
};

struct oro_mesh_body;

/* Write the whole file; `path` is for messages. Fail with ORO_E_WRITE, ORO_E_MEMORY, and with ORO_E_LIMIT
 * where the format cannot hold so much. */
bool oro_glb_write(FILE *stream, const char *path, const struct oro_mesh_body *body,
                   const struct oro_mesh_facts *facts, struct oro_error *err);
bool oro_obj_write(FILE *stream, const char *path, const struct oro_mesh_body *body,
                   const struct oro_mesh_facts *facts, struct oro_error *err);
bool oro_stl_write(FILE *stream, const char *path, const struct oro_mesh_body *body,
                   const struct oro_mesh_facts *facts, struct oro_error *err);
bool oro_ply_write(FILE *stream, const char *path, const struct oro_mesh_body *body,
                   const struct oro_mesh_facts *facts, struct oro_error *err);

/* Bytes of a .glb with the whole grid, without images. */
uint64_t oro_glb_whole_size(const struct oro_mesh_grid *grid);

/* The terrain's normals, relative to those of the mesh, as 8-bit RGB with the grid's size: what is left to
 * shade where the mesh is coarser than the terrain. Red goes east, green north along the surface, blue up
 * from it. `rgb` has room for width * height * 3 bytes. */
void oro_mesh_normal_map(const struct oro_mesh_body *body, unsigned char *rgb);

#endif
