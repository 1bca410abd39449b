#include "formats/mesh/body.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "formats/mesh/span.h"

#define NOTHING UINT32_MAX

void oro_mesh_body_free(struct oro_mesh_body *body)
{
    oro_free(body->positions);
    oro_free(body->normals);
    oro_free(body->triangles);
    oro_free(body->ring);
    *body = (struct oro_mesh_body){0};
}

void oro_mesh_place(const struct oro_mesh_body *body, size_t vertex, float uv[2])
{
    const struct oro_mesh *mesh = body->mesh;
    if (vertex >= body->surface_vertices)
        vertex = body->ring[vertex - body->surface_vertices];
    uv[0] = (float)((mesh->vertices[vertex].column + 0.5) / mesh->grid->width);
    uv[1] = (float)((mesh->vertices[vertex].row + 0.5) / mesh->grid->height);
}

void oro_mesh_tangent(const float normal[3], float tangent[3])
{
    double length = sqrt((double)normal[0] * (double)normal[0] + (double)normal[2] * (double)normal[2]);
    tangent[0] = (float)((double)normal[2] / length);
    tangent[1] = 0;
    tangent[2] = (float)(-(double)normal[0] / length);
}

/* ---- The surface ---- */

static void add_normal(struct oro_mesh_body *body, const uint32_t corners[3])
{
    const struct oro_mesh_grid *grid = body->mesh->grid;
    struct oro_mesh_vertex corner[3];
    for (int i = 0; i < 3; i++)
        corner[i] = body->mesh->vertices[corners[i]];
    struct oro_mesh_plane plane = oro_mesh_plane(grid, corner);
    double area = (double)oro_mesh_turn(corner[0], corner[1], corner[2]);
    for (int i = 0; i < 3; i++) {
        float *normal = body->normals[corners[i]];
        normal[0] = (float)((double)normal[0] - plane.east / grid->cell * area);
        normal[1] = (float)((double)normal[1] + plane.south / grid->cell * area);
        normal[2] = (float)((double)normal[2] + area);
    }
}

static void set_vertices(struct oro_mesh_body *body)
{
    const struct oro_mesh_grid *grid = body->mesh->grid;
    for (size_t i = 0; i < body->surface_triangles; i++)
        add_normal(body, body->triangles[i]);
    for (size_t i = 0; i < body->surface_vertices; i++) {
        struct oro_mesh_vertex v = body->mesh->vertices[i];
        float *n = body->normals[i];
        body->positions[i][0] = (float)((v.column - (grid->width - 1) / 2.0) * grid->cell);
        body->positions[i][1] = (float)(((grid->height - 1) / 2.0 - v.row) * grid->cell);
        body->positions[i][2] = (float)oro_mesh_height(grid, v);
        double length =
            sqrt((double)n[0] * (double)n[0] + (double)n[1] * (double)n[1] + (double)n[2] * (double)n[2]);
        for (int k = 0; k < 3; k++)
            n[k] = (float)((double)n[k] / length);
    }
}

/* ---- The border, and what hangs from it ---- */

/* Steps along the border from the north-west corner, counter-clockwise seen from above. */
static size_t steps_to(const struct oro_mesh_grid *grid, struct oro_mesh_vertex v)
{
    size_t right = (size_t)grid->width - 1, bottom = (size_t)grid->height - 1;
    size_t column = (size_t)v.column, row = (size_t)v.row;
    if (column == 0)
        return row;
    if (row == bottom)
        return bottom + column;
    return column == right ? 2 * bottom + right - row : 2 * bottom + 2 * right - column;
}

static bool find_ring(struct oro_mesh_body *body, struct oro_error *err)
{
    const struct oro_mesh_grid *grid = body->mesh->grid;
    size_t length = 2 * ((size_t)grid->width + (size_t)grid->height - 2);
    body->ring = oro_alloc(length, sizeof *body->ring);
    if (!body->ring)
        return oro_fail(err, ORO_E_MEMORY, "no memory for the border of a mesh");
    for (size_t i = 0; i < length; i++)
        body->ring[i] = NOTHING;
    for (size_t i = 0; i < body->surface_vertices; i++) {
        struct oro_mesh_vertex v = body->mesh->vertices[i];
        if (v.column == 0 || v.row == 0 || v.column == grid->width - 1 || v.row == grid->height - 1)
            body->ring[steps_to(grid, v)] = (uint32_t)i;
    }
    for (size_t i = 0; i < length; i++)
        if (body->ring[i] != NOTHING)
            body->ring[body->ring_count++] = body->ring[i];
    return true;
}

static void add_triangle(struct oro_mesh_body *body, size_t a, size_t b, size_t c)
{
    uint32_t *corners = body->triangles[body->triangle_count++];
    corners[0] = (uint32_t)a;
    corners[1] = (uint32_t)b;
    corners[2] = (uint32_t)c;
}

static void add_walls(struct oro_mesh_body *body)
{
    for (size_t i = 0; i < body->ring_count; i++) {
        size_t next = (i + 1) % body->ring_count;
        size_t low = body->surface_vertices + i, low_next = body->surface_vertices + next;
        add_triangle(body, body->ring[next], body->ring[i], low);
        add_triangle(body, body->ring[next], low, low_next);
    }
}

/* A skirt reaches as far down everywhere, a base to one depth, where it is closed. */
static void hang(struct oro_mesh_body *body)
{
    bool base = body->options->base > 0;
    size_t first = body->surface_vertices, centre = first + body->ring_count;
    double lowest = (double)body->positions[0][2];
    for (size_t i = 0; i < body->surface_vertices; i++)
        lowest = (double)body->positions[i][2] < lowest ? (double)body->positions[i][2] : lowest;
    float bottom = (float)(lowest - body->options->base);
    for (size_t i = 0; i < body->ring_count; i++) {
        size_t top = body->ring[i], low = body->vertex_count++;
        memcpy(body->positions[low], body->positions[top], sizeof *body->positions);
        memcpy(body->normals[low], body->normals[top], sizeof *body->normals);
        body->positions[low][2] =
            base ? bottom : (float)((double)body->positions[top][2] - body->options->skirt);
    }
    add_walls(body);
    for (size_t i = 0; base && i < body->ring_count; i++)
        add_triangle(body, first + (i + 1) % body->ring_count, first + i, centre);
    if (base)
        body->positions[body->vertex_count++][2] = bottom;
}

/* ---- The whole ---- */

static bool make_room(struct oro_mesh_body *body, struct oro_error *err)
{
    size_t vertices = body->surface_vertices + body->ring_count + 1;
    size_t triangles = body->surface_triangles + 3 * body->ring_count;
    body->positions = oro_alloc(vertices, sizeof *body->positions);
    body->normals = oro_alloc(vertices, sizeof *body->normals);
    body->triangles = oro_alloc(triangles, sizeof *body->triangles);
    return (body->positions && body->normals && body->triangles) ||
           oro_fail(err, ORO_E_MEMORY, "no memory for a mesh of %zu triangles", triangles);
}

bool oro_mesh_body_make(const struct oro_mesh *mesh, const struct oro_mesh_options *options,
                        struct oro_mesh_body *body, struct oro_error *err)
{
    *body = (struct oro_mesh_body){.mesh = mesh,
                                   .options = options,
                                   .surface_vertices = mesh->vertex_count,
                                   .surface_triangles = mesh->triangle_count,
                                   .vertex_count = mesh->vertex_count};
    bool hangs = options->skirt > 0 || options->base > 0;
    if ((hangs && !find_ring(body, err)) || !make_room(body, err)) {
        oro_mesh_body_free(body);
        return false;
    }
    for (size_t i = 0; i < mesh->triangle_count; i++)
        add_triangle(body, mesh->triangles[i][0], mesh->triangles[i][1], mesh->triangles[i][2]);
    set_vertices(body);
    if (hangs)
        hang(body);
    return true;
}
