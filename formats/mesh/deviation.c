/* How far a surface is from the terrain. */
#include <math.h>

#include "formats/mesh/span.h"

/* What a triangle has of a cell: all, or half where an inner edge goes through it, or nothing of its own
 * corners, where the surface has the terrain's height. */
static double share_of(const struct oro_mesh_grid *grid, const struct oro_mesh_vertex corner[3],
                       struct oro_mesh_vertex cell)
{
    int right = grid->width - 1, bottom = grid->height - 1, edges = 0;
    bool border = cell.column == 0 || cell.row == 0 || cell.column == right || cell.row == bottom;
    for (int i = 0; i < 3; i++)
        edges += oro_mesh_turn(corner[i], corner[(i + 1) % 3], cell) == 0;
    return edges > 1 ? 0 : edges == 1 && !border ? 0.5 : 1;
}

struct sums {
    double largest, squares;
};

static void measure_row(const struct oro_mesh_grid *grid, const struct oro_mesh_vertex corner[3],
                        const struct oro_mesh_plane *plane, int row, struct sums *sums)
{
    const float *heights = grid->heights + (size_t)row * (size_t)grid->width;
    double base = plane->base + plane->south * row;
    struct oro_mesh_span span = oro_mesh_span(corner, row);
    for (int column = span.first; column <= span.last; column++) {
        /* Only the ends of a row can lie on an edge, or the whole of it. */
        bool end = column == span.first || column == span.last || row == oro_mesh_top(corner) ||
                   row == oro_mesh_bottom(corner);
        double share = end ? share_of(grid, corner, (struct oro_mesh_vertex){column, row}) : 1;
        double distance = fabs(base + plane->east * column - (double)heights[column]);
        sums->largest = share > 0 && distance > sums->largest ? distance : sums->largest;
        sums->squares += share * distance * distance;
    }
}

struct oro_mesh_deviation oro_mesh_measure(const struct oro_mesh *mesh)
{
    const struct oro_mesh_grid *grid = mesh->grid;
    struct sums sums = {0, 0};
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        struct oro_mesh_vertex corner[3];
        for (int k = 0; k < 3; k++)
            corner[k] = mesh->vertices[mesh->triangles[i][k]];
        struct oro_mesh_plane plane = oro_mesh_plane(grid, corner);
        for (int row = oro_mesh_top(corner); row <= oro_mesh_bottom(corner); row++)
            measure_row(grid, corner, &plane, row, &sums);
    }
    double cells = (double)grid->width * (double)grid->height;
    return (struct oro_mesh_deviation){sums.largest, sqrt(sums.squares / cells)};
}
