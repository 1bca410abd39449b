/* phasor, what its detail is like on a terrain: its crests run down the slopes, it adds no height in the
 * mean, and rivers stay where they are. All of it is taken from the rasters that it gives. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "tests/nodes/group.h"
#include "tests/nodes/site.h"
#include "tests/support/test.h"

#define NODE(id, type, inputs) "<node id=\"" id "\" type=\"" type "\" x=\"0\" y=\"0\">" inputs "</node>\n"
/* Mountains on 128 x 128 cells of 156 m; by default, ravines every 250 m, on cells of 39 m. */
#define MOUNTAINS                                                                                            \
    NODE("m", "noise", IN("feature", "5000") IN("amplitude", "1000") IN("octaves", "4") IN("seed", "%d"))
#define RAVINES(inputs) NODE("p", "phasor", LINK("terrain", "m.field") IN("scale", "4") inputs)
#define WORLD(nodes) HARNESS_DOCUMENT("extent=\"20000\" resolution=\"128\"", nodes)

enum { SCALE = 4 };
static const double degree = 3.14159265358979323846 / 180;

/* ---- Directions of a raster, by its structure tensor ---- */

/* The mean of g g^T around a cell, with g the raster's gradient. */
struct tensor {
    float xx, xy, yy;
};

static int within(int i, int count)
{
    return i < 0 ? 0 : i < count ? i : count - 1;
}

static double value_at(const struct harness_raster *r, int x, int y)
{
    return (double)r->data[within(y, r->grid.height) * r->grid.width + within(x, r->grid.width)];
}

static void slope_at(const struct harness_raster *r, int x, int y, double slope[2])
{
    slope[0] = (value_at(r, x + 1, y) - value_at(r, x - 1, y)) / (2 * r->grid.cell);
    slope[1] = (value_at(r, x, y + 1) - value_at(r, x, y - 1)) / (2 * r->grid.cell);
}

/* A Gaussian along one axis, `sigma` in cells; beyond the edge there is nothing. */
static void smooth(const struct tensor *from, struct tensor *to, int columns, int rows, int stride_x,
                   int stride_y, double sigma)
{
    int reach = (int)(3 * sigma) + 1;
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++) {
            struct tensor sum = {0};
            for (int d = -reach; d <= reach; d++) {
                if (x + d < 0 || x + d >= columns)
                    continue;
                const struct tensor *t = &from[(x + d) * stride_x + y * stride_y];
                float weight = (float)exp(-0.5 * d * d / (sigma * sigma));
                sum.xx += weight * t->xx;
                sum.xy += weight * t->xy;
                sum.yy += weight * t->yy;
            }
            to[x * stride_x + y * stride_y] = sum;
        }
}

/* Free with oro_free. */
static struct tensor *tensors_of(const struct harness_raster *r, double sigma)
{
    int columns = r->grid.width, rows = r->grid.height;
    struct tensor *t = oro_alloc(oro_grid_cells(&r->grid), sizeof *t);
    struct tensor *along = oro_alloc(oro_grid_cells(&r->grid), sizeof *along);
    assert_non_null(t);
    assert_non_null(along);
    for (int i = 0; i < columns * rows; i++) {
        double g[2];
        slope_at(r, i % columns, i / columns, g);
        t[i] = (struct tensor){(float)(g[0] * g[0]), (float)(g[0] * g[1]), (float)(g[1] * g[1])};
    }
    smooth(t, along, columns, rows, 1, columns, sigma / r->grid.cell);
    smooth(along, t, rows, columns, columns, 1, sigma / r->grid.cell);
    oro_free(along);
    return t;
}

/* Degrees from a direction to the crests, -90 to 90. Crests run across the dominant gradient. */
static double off_course(const struct tensor *t, const double way[2])
{
    double across = 0.5 * atan2(2 * (double)t->xy, (double)t->xx - (double)t->yy) / degree;
    return remainder(across + 90 - atan2(way[1], way[0]) / degree, 180);
}

/* ---- Crests against slopes ---- */

struct course {
    double everywhere, on_crests; /* degrees off, in the mean, where the ground is steep */
    double turn;                  /* the same with their signs, everywhere */
    int cells, crests;
};

static int ascending(const void *a, const void *b)
{
    float left = *(const float *)a, right = *(const float *)b;
    return (left > right) - (left < right);
}

static float quantile(const struct harness_raster *r, double share)
{
    size_t cells = oro_grid_cells(&r->grid);
    float *sorted = oro_alloc(cells, sizeof *sorted);
    assert_non_null(sorted);
    for (size_t i = 0; i < cells; i++)
        sorted[i] = r->data[i];
    qsort(sorted, cells, sizeof *sorted, ascending);
    float value = sorted[(size_t)(share * (double)cells)];
    oro_free(sorted);
    return value;
}

static struct course course_of(const struct harness_raster *detail, const struct harness_raster *ground,
                               double sigma, double least_slope)
{
    struct course course = {0};
    int w = detail->grid.width;
    float crest = quantile(detail, 0.8);
    struct tensor *t = tensors_of(detail, sigma);
    for (int i = 0; i < w * detail->grid.height; i++) {
        double slope[2];
        slope_at(ground, i % w, i / w, slope);
        if (hypot(slope[0], slope[1]) < tan(least_slope * degree))
            continue;
        double off = off_course(&t[i], slope);
        course.everywhere += fabs(off);
        course.turn += off;
        course.cells++;
        if (detail->data[i] < crest)
            continue;
        course.on_crests += fabs(off);
        course.crests++;
    }
    oro_free(t);
    course.everywhere /= course.cells;
    course.turn /= course.cells;
    course.on_crests /= course.crests;
    return course;
}

/* Of a noise with that seed, with these inputs of the ravines, where the slope is 5 degrees or more. */
static struct course course_over(int seed, const char *inputs, double frequency, double radius)
{
    char text[4096];
    snprintf(text, sizeof text,
             WORLD(MOUNTAINS RAVINES("%s") NODE("b", "blur", LINK("field", "m.field") IN("radius", "%g"))
                       NODE("s", "upsample", LINK("terrain", "b.field") IN("factor", "4"))),
             seed, inputs, radius);
    struct harness_raster detail = harness_run(&h, text, "p", "detail");
    struct harness_raster ground = harness_run(&h, text, "s", "terrain");
    struct course course = course_of(&detail, &ground, 0.5 / frequency, 5);
    harness_free(&detail);
    harness_free(&ground);
    return course;
}

TEST(crests_run_down_the_slopes)
{
    need_device();
    for (int seed = 1; seed <= 3; seed++) {
        struct course c =
            course_over(seed, IN("levels", "1") IN("crest", "0") IN("rivers", "false"), 0.004, 500);
        assert_true(c.cells > 150000 && c.crests > 20000);
        assert_true(c.everywhere <= 12);
        assert_true(c.on_crests <= 12);
        assert_near(c.turn, 0, 1);
    }
}

/* With all that is on by default; with ravines twice as wide; with a ground as rough as they are. */
TEST(smaller_ravines_and_rivers_do_not_turn_them)
{
    need_device();
    struct course usual = course_over(1, "", 0.004, 500);
    struct course wide = course_over(1, IN("frequency", "0.002") IN("radius", "1000"), 0.002, 1000);
    struct course rough = course_over(1, IN("radius", "250") IN("rivers", "false"), 0.004, 250);
    assert_true(usual.everywhere <= 15 && usual.on_crests <= 15);
    assert_true(wide.everywhere <= 15 && wide.on_crests <= 15);
    assert_true(rough.everywhere <= 15 && rough.on_crests <= 15);
}

/* ---- Volume ---- */

static double mean_of(const struct harness_raster *r)
{
    double sum = 0;
    for (size_t i = 0; i < oro_grid_cells(&r->grid); i++)
        sum += (double)r->data[i];
    return sum / (double)oro_grid_cells(&r->grid);
}

TEST(no_height_is_added_in_the_mean)
{
    need_device();
    static const char *const inputs[] = {
        "",
        IN("rivers", "false"),
        IN("levels", "1") IN("crest", "0"),
        IN("frequency", "0.0015") IN("levels", "3") IN("ratio", "2") IN("lambda", "0.5"),
        IN("epsilon", "0"),
        IN("epsilon", "0.5") IN("c", "4"),
        IN("profile", "drawn") IN("curve", "0 0, 0.2 0.6, 1 1"),
    };
    for (size_t k = 0; k < sizeof inputs / sizeof inputs[0]; k++) {
        char text[4096];
        snprintf(text, sizeof text, WORLD(MOUNTAINS RAVINES("%s")), 4, inputs[k]);
        struct harness_raster detail = harness_run(&h, text, "p", "detail");
        struct harness_raster amplitude = harness_run(&h, text, "p", "amplitude");
        assert_true(mean_of(&amplitude) > 15);
        assert_near(mean_of(&detail) / mean_of(&amplitude), 0, 0.01);
        harness_free(&detail);
        harness_free(&amplitude);
    }
}

/* ---- Rivers ---- */

/* In the whole width of their cells; the surface between cells reaches two cells far. */
TEST(rivers_stay_where_they_are)
{
    need_device();
    char text[4096];
    snprintf(text, sizeof text,
             WORLD(MOUNTAINS RAVINES("") NODE("r", "river_distance", LINK("terrain", "m.field"))), 5);
    struct harness_raster detail = harness_run(&h, text, "p", "detail");
    struct harness_raster rivers = harness_run(&h, text, "r", "rivers");
    double most = 0, farthest = 0;
    int w = detail.grid.width, cells = 0;
    for (int i = 0; i < w * detail.grid.height; i++) {
        double off = fabs((double)detail.data[i]);
        farthest = fmax(farthest, off);
        if (rivers.data[i / w / SCALE * rivers.grid.width + i % w / SCALE] < 0.5f)
            continue;
        cells++;
        most = fmax(most, off);
    }
    assert_true(cells > 10000);
    assert_true(farthest > 20);
    assert_true(most < 0.001 * 60);
    harness_free(&detail);
    harness_free(&rivers);
}

TEST_GROUP(open_harness, close_harness);
