/* How far a surface is from the terrain. */
#include <math.h>

#include "formats/mesh/span.h"

/* Whether an edge of a triangle owns the cells on it: each inner edge does for one of its two triangles, the
 * grid's border for its only one. */
static bool owns_edge(const struct oro_mesh_grid *grid, struct oro_mesh_vertex a, struct oro_mesh_vertex b)
{
    int right = grid->width - 1, bottom = grid->height - 1;
    if ((a.column == b.column && (a.column == 0 || a.column == right)) ||
        (a.row == b.row && (a.row == 0 || a.row == bottom)))
        return true;
    return b.row > a.row || (b.row == a.row && b.column > a.column);
}

static bool owns(const struct oro_mesh_grid *grid, const struct oro_mesh_vertex corner[3],
                 struct oro_mesh_vertex cell)
{
    for (int i = 0; i < 3; i++) {
        struct oro_mesh_vertex a = corner[i], b = corner[(i + 1) % 3];
        if (oro_mesh_turn(a, b, cell) == 0 && !owns_edge(grid, a, b))
            return false;
    }
    return true;
}

struct sums {
    double largest, squares;
};

static bool is_corner(const struct oro_mesh_vertex corner[3], int column, int row)
{
    return (corner[0].column == column && corner[0].row == row) ||
           (corner[1].column == column && corner[1].row == row) ||
           (corner[2].column == column && corner[2].row == row);
}

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
        if (end &&
            (is_corner(corner, column, row) || !owns(grid, corner, (struct oro_mesh_vertex){column, row})))
            continue;
        double distance = fabs(base + plane->east * column - (double)heights[column]);
        sums->largest = distance > sums->largest ? distance : sums->largest;
        sums->squares += distance * distance;
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
