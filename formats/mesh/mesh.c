#include "formats/mesh/mesh.h"

#include <math.h>

#include "base/memory.h"

void oro_mesh_free(struct oro_mesh *mesh)
{
    oro_free(mesh->vertices);
    oro_free(mesh->triangles);
    *mesh = (struct oro_mesh){0};
}

size_t oro_mesh_full(const struct oro_mesh_grid *grid)
{
    return 2 * (size_t)(grid->width - 1) * (size_t)(grid->height - 1);
}

/* The two triangles of the square south-east of a vertex. The diagonal that bends less is drawn: along
 * valleys and ridges, not across them. */
static void add_square(struct oro_mesh *mesh, int column, int row)
{
    const struct oro_mesh_grid *grid = mesh->grid;
    uint32_t width = (uint32_t)grid->width, nw = (uint32_t)row * width + (uint32_t)column;
    uint32_t ne = nw + 1, sw = nw + width, se = sw + 1;
    const float *h = grid->heights;
    bool falls = fabsf(h[nw] - h[se]) <= fabsf(h[ne] - h[sw]);
    uint32_t squares[2][2][3] = {{{sw, ne, nw}, {ne, sw, se}}, {{nw, sw, se}, {se, ne, nw}}};
    for (int i = 0; i < 2; i++, mesh->triangle_count++)
        for (int k = 0; k < 3; k++)
            mesh->triangles[mesh->triangle_count][k] = squares[falls][i][k];
}

bool oro_mesh_whole(const struct oro_mesh_grid *grid, struct oro_mesh *mesh, struct oro_error *err)
{
    size_t count = (size_t)grid->width * (size_t)grid->height;
    *mesh = (struct oro_mesh){.grid = grid};
    mesh->vertices = oro_alloc(count, sizeof *mesh->vertices);
    mesh->triangles = oro_alloc(oro_mesh_full(grid), sizeof *mesh->triangles);
    if (!mesh->vertices || !mesh->triangles) {
        oro_mesh_free(mesh);
        return oro_fail(err, ORO_E_MEMORY, "no memory for a mesh of %zu triangles", oro_mesh_full(grid));
    }
    mesh->vertex_count = count;
    for (size_t i = 0; i < count; i++)
        mesh->vertices[i] =
            (struct oro_mesh_vertex){(int)(i % (size_t)grid->width), (int)(i / (size_t)grid->width)};
    for (int row = 0; row + 1 < grid->height; row++)
        for (int column = 0; column + 1 < grid->width; column++)
            add_square(mesh, column, row);
    return true;
}
