/* phasor, the surface that it makes: it goes through the terrain, its gradient is its own, and it has no
 * steps. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "tests/nodes/hills.h"
#include "tests/support/test.h"

/* Of 3.125 m; and ravines every 667 m. */
#define SMALL_CELLS IN("scale", "32") IN("least_slope", "0")
#define WIDE IN("frequency", "0.0015")

/* ---- The terrain ---- */

TEST(passes_through_the_terrain)
{
    need_device();
    struct harness_raster coarse = take(HILLS, "m", "field");
    /* Every third cell of the finer raster, from the second, has the same centre as a coarse one. */
    struct harness_raster fine = take(
        HILLS RAVINES("p", IN("scale", "3") IN("amplitude", "0") IN("method", "spline")), "p", "terrain");
    assert_int_equal(fine.grid.width, 72);
    for (int y = 0; y < 24; y++)
        for (int x = 0; x < 24; x++)
            assert_near(fine.data[(3 * y + 1) * 72 + 3 * x + 1], coarse.data[y * 24 + x], 0.001);
    struct harness_raster same = take(
        HILLS RAVINES("p", IN("scale", "1") IN("amplitude", "0") IN("method", "b_spline")), "p", "terrain");
    assert_true(largest_difference(&same, &coarse) == 0);
    harness_free(&coarse);
    harness_free(&fine);
    harness_free(&same);
}

/* Where the spline, continued beyond both edges, meets itself. */
TEST(passes_through_narrow_terrains)
{
    need_device();
    static const int sizes[][2] = {{2, 9}, {3, 9}, {5, 9}, {9, 2}, {9, 3}, {9, 5}, {2, 2}, {1, 7}};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        int columns = sizes[k][0], rows = sizes[k][1];
        float *ground = site_scatter(columns, rows, 0, 100, 3);
        struct site site = site_start(&h, columns, rows, 10);
        site_raster(&site, "m", ground);
        site_node(&site, "p", "phasor",
                  LINK("terrain", "m.terrain") IN("scale", "3") IN("amplitude", "0") IN("method", "spline")
                      IN("rivers", "false"));
        float *fine = site_take(&site, "p", "terrain");
        for (int i = 0; i < columns * rows; i++)
            assert_near(fine[(3 * (i / columns) + 1) * 3 * columns + 3 * (i % columns) + 1], ground[i],
                        0.001);
        oro_free(ground);
        oro_free(fine);
    }
}

TEST(adds_the_detail)
{
    need_device();
    struct harness_raster bare = take(HILLS RAVINES("p", LEVELS IN("mask", "0")), "p", "terrain"),
                          full = take(HILLS RAVINES("p", LEVELS), "p", "terrain"),
                          detail = take(HILLS RAVINES("p", LEVELS), "p", "detail"),
                          half = take(HILLS RAVINES("p", LEVELS IN("mask", "0.5")), "p", "detail");
    assert_true(largest(&detail) > 20 && largest(&detail) < 60);
    for (size_t i = 0; i < oro_grid_cells(&full.grid); i++) {
        assert_near(full.data[i], bare.data[i] + detail.data[i], 1e-3);
        assert_near(half.data[i], 0.5f * detail.data[i], 1e-3);
    }
    harness_free(&bare);
    harness_free(&full);
    harness_free(&detail);
    harness_free(&half);
}

/* The gradient is that of the terrain: against differences across cells that are small beside the ravines.
 * Crests and the bottoms of this profile are kinks, where differences say little: a quantile is looked at. */
static int by_size(const void *a, const void *b)
{
    float left = *(const float *)a, right = *(const float *)b;
    return (left > right) - (left < right);
}

static void check_gradient(const char *nodes, float tolerance)
{
    enum { SIDE = 768, INNER = SIDE - 2 };
    static float error[INNER * INNER];
    struct harness_raster terrain = take(nodes, "p", "terrain"), gradient = take(nodes, "p", "gradient");
    assert_int_equal(terrain.grid.width, SIDE);
    float width = (float)(2 * terrain.grid.cell);
    for (int i = 0; i < INNER * INNER; i++) {
        int k = (i / INNER + 1) * SIDE + i % INNER + 1;
        float east = (terrain.data[k + 1] - terrain.data[k - 1]) / width;
        float south = (terrain.data[k + SIDE] - terrain.data[k - SIDE]) / width;
        error[i] = fmaxf(fabsf(gradient.data[2 * k] - east), fabsf(gradient.data[2 * k + 1] - south));
    }
    qsort(error, INNER * INNER, sizeof error[0], by_size);
    assert_true(largest(&gradient) > 0.3f);
    assert_near(error[INNER * INNER * 85 / 100], 0, (double)tolerance);
    harness_free(&terrain);
    harness_free(&gradient);
}

TEST(gradient_is_exact)
{
    need_device();
    check_gradient(HILLS RAVINES("p", SMALL_CELLS WIDE IN("amplitude", "0")), 0.001f);
    check_gradient(HILLS RAVINES("p", SMALL_CELLS WIDE IN("levels", "1") IN("crest", "0")), 0.005f);
    check_gradient(HILLS RAVINES("p", SMALL_CELLS WIDE IN("levels", "2") IN("crest", "0")), 0.01f);
    check_gradient(HILLS RAVINES("p", SMALL_CELLS WIDE IN("levels", "1") IN("crest", "0.5")
                                          IN("crest_octaves", "2") IN("crest_size", "600")),
                   0.01f);
    check_gradient(
        HILLS RAVINES("p", SMALL_CELLS WIDE IN("levels", "1") IN("crest", "0") IN("profile", "drawn")),
        0.005f);
}

/* The amplitude's own slope counts as well; where frequencies differ, kernels have sizes of their own. */
TEST(gradient_is_exact_with_maps)
{
    need_device();
    check_gradient(HILLS NODE("a", "ramp", IN("high", "100")) RAVINES(
                       "p", SMALL_CELLS WIDE IN("levels", "2") IN("crest", "0") LINK("amplitude", "a.field")),
                   0.01f);
    check_gradient(HILLS NODE("f", "ramp", IN("low", "0.001") IN("high", "0.002")) RAVINES(
                       "p", SMALL_CELLS IN("levels", "2") IN("crest", "0") LINK("frequency", "f.field")),
                   0.01f);
}

/* ---- Steps ---- */

/* Largest difference between neighbouring cells. */
static double largest_step(const struct harness_raster *r)
{
    int w = r->grid.width, n = r->channels;
    double most = 0;
    for (int i = 0; i < w * (r->grid.height - 1) * n; i++) {
        most = fmax(most, fabs((double)r->data[i + w * n] - (double)r->data[i]));
        if (i / n % w < w - 1)
            most = fmax(most, fabs((double)r->data[i + n] - (double)r->data[i]));
    }
    return most;
}

/* Largest difference between such differences, along rows. */
static double largest_bend(const struct harness_raster *r)
{
    int w = r->grid.width;
    double most = 0;
    for (int i = 1; i < w * r->grid.height - 1; i++)
        if (i % w > 0 && i % w < w - 1)
            most = fmax(most, fabs((double)r->data[i - 1] - 2 * (double)r->data[i] + (double)r->data[i + 1]));
    return most;
}

/* Eq. 8: where the field is 0 all phases meet, and the surface is continuous still. */
TEST(no_steps_where_ravines_part)
{
    need_device();
    for (int levels = 1; levels <= 2; levels++) {
        char nodes[1024];
        snprintf(nodes, sizeof nodes,
                 HILLS RAVINES("p", SMALL_CELLS WIDE IN("c", "3") IN("crest", "0") IN("levels", "%d")),
                 levels);
        struct harness_raster detail = take(nodes, "p", "detail");
        assert_true(largest(&detail) > 25);
        assert_true(largest_step(&detail) < 5);
        harness_free(&detail);
    }
}

/* How much smaller the largest differences are with cells a quarter as wide. */
static double shrinkage(const char *inputs, const char *output,
                        double (*differences)(const struct harness_raster *))
{
    double most[2];
    for (int i = 0; i < 2; i++) {
        char nodes[2048];
        snprintf(nodes, sizeof nodes,
                 HILLS NODE("a", "noise", IN("feature", "900") IN("amplitude", "100") IN("seed", "3"))
                     RAVINES("p", IN("scale", "%d") IN("frequency", "0.0006") IN("least_slope", "0") "%s"),
                 i == 0 ? 8 : 32, inputs);
        struct harness_raster raster = take(nodes, "p", output);
        most[i] = differences(&raster);
        harness_free(&raster);
    }
    return most[0] / most[1];
}

/* Differences of a continuous surface are a quarter as large then, and so are those of its slope where that
 * is continuous; a step stays as it is. Crests are creases: slopes are looked at without ravines, and that of
 * their amplitude by itself. Both levels count as much, and are even where they part. */
TEST(differences_shrink_with_the_cells)
{
    need_device();
    double detail = shrinkage(LINK("amplitude", "a.field") IN("c", "0.2") IN("lambda", "1")
                                  IN("crest_octaves", "1"),
                              "detail", largest_step),
           slope = shrinkage(IN("amplitude", "0"), "gradient", largest_step),
           amplitude = shrinkage(LINK("amplitude", "a.field"), "amplitude", largest_bend);
    assert_near(detail, 4, 0.5);
    assert_near(slope, 4, 0.4);
    assert_near(amplitude, 16, 1.6);
}

TEST_GROUP(open_harness, close_harness);
