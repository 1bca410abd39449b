/* Surfaces of triangles: they cover the grid once, and are as near to the terrain as they say. */
#include "support.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "edges.h"
#include "formats/mesh/mesh.h"

static struct oro_mesh_grid grid_of(const struct oro_heightfield *field)
{
    return (struct oro_mesh_grid){field->width, field->height, 10, field->data};
}

/* Rough ground: hills with noise on them. */
static struct oro_heightfield make_rough(int width, int height)
{
    struct oro_heightfield field = make_hills(width, height);
    uint32_t state = 1;
    for (int i = 0; i < width * height; i++) {
        state = state * 1664525U + 1013904223U;
        field.data[i] += (float)(state >> 8) * (60.0F / 16777216.0F);
    }
    return field;
}

static struct oro_mesh refine(const struct oro_mesh_grid *grid, double error, size_t triangles)
{
    struct oro_mesh mesh;
    struct oro_error err = {0};
    if (!oro_mesh_refine(grid, error, triangles, NULL, NULL, &mesh, &err))
        fail_msg("%s", err.text);
    return mesh;
}

/* Twice the area, positive where the corners go counter-clockwise seen from above. */
static long turn(struct oro_mesh_vertex a, struct oro_mesh_vertex b, struct oro_mesh_vertex c)
{
    return (long)(b.row - a.row) * (c.column - a.column) - (long)(b.column - a.column) * (c.row - a.row);
}

/* All triangles face up, their areas add up to the grid's, and only its border is open, which has all four
 * corners: then they cover the grid once. */
static void check_cover(const struct oro_mesh *mesh)
{
    const struct oro_mesh_grid *grid = mesh->grid;
    size_t border = 0, corners = 0;
    long area = 0;
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *t = mesh->triangles[i];
        assert_true(t[0] < mesh->vertex_count && t[1] < mesh->vertex_count && t[2] < mesh->vertex_count);
        long twice = turn(mesh->vertices[t[0]], mesh->vertices[t[1]], mesh->vertices[t[2]]);
        assert_true(twice > 0);
        area += twice;
    }
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        struct oro_mesh_vertex v = mesh->vertices[i];
        bool on_x = v.column == 0 || v.column == grid->width - 1;
        bool on_y = v.row == 0 || v.row == grid->height - 1;
        border += on_x || on_y;
        corners += on_x && on_y;
    }
    assert_int_equal(area, 2L * (grid->width - 1) * (grid->height - 1));
    assert_int_equal(corners, 4);
    assert_int_equal(open_edges((const uint32_t(*)[3])mesh->triangles, mesh->triangle_count), border);
    assert_int_equal(mesh->triangle_count, 2 * mesh->vertex_count - border - 2);
}

/* The surface's height at a cell, from any triangle that holds it. */
static double height_at(const struct oro_mesh *mesh, int column, int row)
{
    const struct oro_mesh_vertex p = {column, row};
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        struct oro_mesh_vertex v[3];
        double sum = 0, height = 0;
        bool inside = true;
        for (int k = 0; k < 3; k++)
            v[k] = mesh->vertices[mesh->triangles[i][k]];
        for (int k = 0; k < 3; k++) {
            long weight = turn(v[(k + 1) % 3], v[(k + 2) % 3], p);
            inside = inside && weight >= 0;
            sum += (double)weight;
            height +=
                (double)weight * (double)mesh->grid->heights[v[k].row * mesh->grid->width + v[k].column];
        }
        if (inside)
            return height / sum;
    }
    fail_msg("no triangle holds %d,%d", column, row);
    return 0;
}

static void check_deviation(const struct oro_mesh *mesh)
{
    const struct oro_mesh_grid *grid = mesh->grid;
    struct oro_mesh_deviation told = oro_mesh_measure(mesh);
    double largest = 0, squares = 0;
    for (int i = 0; i < grid->width * grid->height; i++) {
        double d = height_at(mesh, i % grid->width, i / grid->width) - (double)grid->heights[i];
        largest = fmax(largest, fabs(d));
        squares += d * d;
    }
    assert_true(fabs(told.largest - largest) <= 1e-9 * (1 + largest));
    double rms = sqrt(squares / (grid->width * grid->height));
    assert_true(fabs(told.rms - rms) <= 1e-9 * (1 + largest));
}

TEST(whole_grid)
{
    struct oro_heightfield field = make_rough(13, 7);
    struct oro_mesh_grid grid = grid_of(&field);
    struct oro_mesh mesh;
    assert_true(oro_mesh_whole(&grid, &mesh, NULL));
    assert_int_equal(mesh.triangle_count, oro_mesh_full(&grid));
    check_cover(&mesh);
    check_deviation(&mesh);
    assert_true(oro_mesh_measure(&mesh).largest == 0);
    oro_mesh_free(&mesh);
    oro_heightfield_free(&field);
}

TEST(error_holds)
{
    static const int sizes[][2] = {{2, 2}, {2, 40}, {40, 2}, {3, 3}, {17, 33}, {41, 24}};
    static const double errors[] = {500, 100, 30, 10, 1, 0.001};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        struct oro_heightfield field = make_rough(sizes[s][0], sizes[s][1]);
        struct oro_mesh_grid grid = grid_of(&field);
        size_t before = 0;
        for (size_t e = 0; e < sizeof errors / sizeof errors[0]; e++) {
            struct oro_mesh mesh = refine(&grid, errors[e], 0);
            check_cover(&mesh);
            check_deviation(&mesh);
            assert_true(oro_mesh_measure(&mesh).largest <= errors[e]);
            assert_true(mesh.triangle_count >= before && mesh.triangle_count <= oro_mesh_full(&grid));
            before = mesh.triangle_count;
            oro_mesh_free(&mesh);
        }
        assert_int_equal(before, oro_mesh_full(&grid)); /* noise needs every vertex */
        oro_heightfield_free(&field);
    }
}

TEST(number_of_triangles)
{
    struct oro_heightfield field = make_rough(30, 50);
    struct oro_mesh_grid grid = grid_of(&field);
    for (size_t most = 2; most < oro_mesh_full(&grid); most = most * 3 / 2 + 1) {
        struct oro_mesh mesh = refine(&grid, 0, most);
        assert_true(mesh.triangle_count <= most && mesh.triangle_count + 1 >= most);
        check_cover(&mesh);
        check_deviation(&mesh);
        oro_mesh_free(&mesh);
    }
    oro_heightfield_free(&field);
}

/* Vertices all over a plane would be wasted. */
TEST(flat_ground)
{
    struct oro_heightfield field = make_field(65, 33, NULL);
    struct oro_mesh_grid grid = grid_of(&field);
    for (int tilt = 0; tilt < 2; tilt++) {
        for (int i = 0; i < 65 * 33; i++)
            field.data[i] = (float)(tilt * (2 * (i % 65) + 3 * (i / 65)));
        struct oro_mesh mesh = refine(&grid, 0.001, 0);
        assert_int_equal(mesh.triangle_count, 2);
        oro_mesh_free(&mesh);
    }
    oro_heightfield_free(&field);
}

/* No vertex lies within the circle around a triangle. */
TEST(delaunay)
{
    struct oro_heightfield field = make_rough(24, 20);
    struct oro_mesh_grid grid = grid_of(&field);
    struct oro_mesh mesh = refine(&grid, 0, 300);
    for (size_t i = 0; i < mesh.triangle_count; i++)
        for (size_t j = 0; j < mesh.vertex_count; j++) {
            struct oro_mesh_vertex d = mesh.vertices[j];
            double sum = 0;
            for (int k = 0; k < 3; k++) {
                struct oro_mesh_vertex a = mesh.vertices[mesh.triangles[i][k]];
                struct oro_mesh_vertex b = mesh.vertices[mesh.triangles[i][(k + 1) % 3]];
                struct oro_mesh_vertex c = mesh.vertices[mesh.triangles[i][(k + 2) % 3]];
                double x = a.column - d.column, y = a.row - d.row;
                sum += (x * x + y * y) * (double)turn(b, c, d);
            }
            assert_true(sum <= 0);
        }
    oro_mesh_free(&mesh);
    oro_heightfield_free(&field);
}

static bool stop_now(void *user)
{
    ++*(int *)user;
    return true;
}

TEST(stopped)
{
    struct oro_heightfield field = make_rough(120, 120);
    struct oro_mesh_grid grid = grid_of(&field);
    struct oro_mesh mesh;
    struct oro_error err = {0};
    int asked = 0;
    assert_false(oro_mesh_refine(&grid, 0.001, 0, stop_now, &asked, &mesh, &err));
    assert_int_equal(err.code, ORO_E_CANCELLED);
    assert_int_equal(asked, 1);
    assert_null(mesh.triangles);
    oro_heightfield_free(&field);
}

TEST_GROUP(folder_setup, folder_teardown);
