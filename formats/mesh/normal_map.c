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

static unsigned char to_byte(double value)
{
    return (unsigned char)lround(fmin(fmax(value * 0.5 + 0.5, 0), 1) * 255);
}

/* `planes`: the mesh's normal within a triangle, linear between the corners. */
static void set_texel(const struct oro_mesh_grid *grid, const struct oro_mesh_plane planes[3], int column,
                      int row, unsigned char *rgb)
{
    double v[3];
    for (int k = 0; k < 3; k++)
        v[k] = planes[k].base + planes[k].east * column + planes[k].south * row;
    struct vector up = unit((struct vector){v[0], v[1], v[2]});
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
        struct oro_mesh_plane planes[3];
        for (int k = 0; k < 3; k++)
            corner[k] = body->mesh->vertices[corners[k]];
        for (int k = 0; k < 3; k++)
            planes[k] = oro_mesh_plane_of(corner, (const double[]){(double)body->normals[corners[0]][k],
                                                                   (double)body->normals[corners[1]][k],
                                                                   (double)body->normals[corners[2]][k]});
        for (int row = oro_mesh_top(corner); row <= oro_mesh_bottom(corner); row++) {
            struct oro_mesh_span span = oro_mesh_span(corner, row);
            for (int column = span.first; column <= span.last; column++)
                set_texel(grid, planes, column, row,
                          rgb + 3 * ((size_t)row * (size_t)grid->width + (size_t)column));
        }
    }
}
