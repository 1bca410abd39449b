#include <math.h>

#include "formats/mesh/body.h"
#include "formats/mesh/span.h"

struct vector {
    double x, y, z;
};

static struct vector unit(struct vector v)
{
    double length = sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
    return (struct vector){v.x / length, v.y / length, v.z / length};
}

static double dot(struct vector a, struct vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* The terrain's normal: slopes between the cells on both sides. */
static struct vector terrain_normal(const struct oro_mesh_grid *grid, int column, int row)
{
    int west = column > 0 ? column - 1 : column, east = column + 1 < grid->width ? column + 1 : column;
    int north = row > 0 ? row - 1 : row, south = row + 1 < grid->height ? row + 1 : row;
    double rise_east = oro_mesh_height(grid, (struct oro_mesh_vertex){east, row}) -
                       oro_mesh_height(grid, (struct oro_mesh_vertex){west, row});
    double rise_north = oro_mesh_height(grid, (struct oro_mesh_vertex){column, north}) -
                        oro_mesh_height(grid, (struct oro_mesh_vertex){column, south});
    return unit((struct vector){-rise_east / (grid->cell * (east - west)),
                                -rise_north / (grid->cell * (south - north)), 1});
}

/* The mesh's normal within a triangle, before it gets the length 1: linear between the corners. */
struct shading {
    struct vector base, east, south; /* per column, per row */
};

static struct shading shading_of(const struct oro_mesh_body *body, const uint32_t corners[3],
                                 const struct oro_mesh_vertex corner[3])
{
    double value[3][3], flat[3][3];
    double scale = -1 / (double)oro_mesh_turn(corner[0], corner[1], corner[2]);
    int bx = corner[1].column - corner[0].column, by = corner[1].row - corner[0].row;
    int cx = corner[2].column - corner[0].column, cy = corner[2].row - corner[0].row;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++)
            value[i][k] = (double)body->normals[corners[i]][k];
        double b = value[1][k] - value[0][k], c = value[2][k] - value[0][k];
        flat[1][k] = (b * cy - c * by) * scale;
        flat[2][k] = (c * bx - b * cx) * scale;
        flat[0][k] = value[0][k] - flat[1][k] * corner[0].column - flat[2][k] * corner[0].row;
    }
    return (struct shading){{flat[0][0], flat[0][1], flat[0][2]},
                            {flat[1][0], flat[1][1], flat[1][2]},
                            {flat[2][0], flat[2][1], flat[2][2]}};
}

static unsigned char to_byte(double value)
{
    return (unsigned char)lround(fmin(fmax(value * 0.5 + 0.5, 0), 1) * 255);
}

static void set_texel(const struct oro_mesh_grid *grid, const struct shading *s, int column, int row,
                      unsigned char *rgb)
{
    struct vector up = unit((struct vector){s->base.x + s->east.x * column + s->south.x * row,
                                            s->base.y + s->east.y * column + s->south.y * row,
                                            s->base.z + s->east.z * column + s->south.z * row});
    struct vector east = unit((struct vector){up.z, 0, -up.x});
    struct vector north = {up.y * east.z, up.z * east.x - up.x * east.z, -up.y * east.x};
    struct vector normal = terrain_normal(grid, column, row);
    rgb[0] = to_byte(dot(normal, east));
    rgb[1] = to_byte(dot(normal, north));
    rgb[2] = to_byte(dot(normal, up));
}

void oro_mesh_normal_map(const struct oro_mesh_body *body, unsigned char *rgb)
{
    const struct oro_mesh_grid *grid = body->mesh->grid;
    for (size_t i = 0; i < body->surface_triangles; i++) {
        const uint32_t *corners = body->triangles[i];
        struct oro_mesh_vertex corner[3];
        for (int k = 0; k < 3; k++)
            corner[k] = body->mesh->vertices[corners[k]];
        struct shading shading = shading_of(body, corners, corner);
        for (int row = oro_mesh_top(corner); row <= oro_mesh_bottom(corner); row++) {
            struct oro_mesh_span span = oro_mesh_span(corner, row);
            for (int column = span.first; column <= span.last; column++)
                set_texel(grid, &shading, column, row,
                          rgb + 3 * ((size_t)row * (size_t)grid->width + (size_t)column));
        }
    }
}
