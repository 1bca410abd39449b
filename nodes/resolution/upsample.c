/* Raises the resolution of a terrain. */
#include <string.h>

#include "base/memory.h"
#include "graph/type/node.h"
#include "nodes/lib/area_kriging.h"

struct params {
    int factor, method;
    bool made;
};

/* As enum oro_resampling, and one more. */
static const char *const methods[] = {"monotone", "catmull_rom", "b_spline", "bilinear", "means", NULL};
enum { MEANS = ORO_RESAMPLE_BILINEAR + 1 };

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.doc = "Elevation to refine"),
    ORO_IN_INT(struct params, factor, 2, .role = ORO_ROLE_CELLS, .min = 2, .max = 64, .soft_max = 8,
               .doc = "How many times more cells along each side"),
    ORO_IN_CHOICE(struct params, method, ORO_RESAMPLE_MONOTONE, methods,
                  .doc =
                      "monotone: nothing is lower or higher than the cells around, and slopes do not turn. "
                      "catmull_rom: smoother, and goes on beyond the edges, but overshoots beside cliffs. "
                      "b_spline: smoother still, and lowers peaks a little. bilinear: straight between "
                      "cells, with visible creases. means: each cell holds the mean of its ground, as in "
                      "elevation data of a satellite, and the mean of the finer cells is that: crests and "
                      "valleys get back what averaging took from them, and nothing else is higher or lower "
                      "than the cells around"),
    ORO_IN_BOOL(
        struct params, made, false, .when = "method=means",
        .doc = "The terrain's finest detail was made on its grid, which holds finer waves slantwise than "
               "along its rows: the surplus is left out, so that the grid does not show in what is finer"),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_TERRAIN(.like = "terrain", .doc = "The same ground with smaller cells"),
    {0},
};

static struct oro_grid refined(const struct oro_grid *grid, int factor)
{
    struct oro_grid finer = *grid;
    finer.width *= factor;
    finer.height *= factor;
    finer.cell /= factor;
    return finer;
}

static int least_prime_factor(int number)
{
    int prime = 2;
    while (number % prime != 0)
        prime++;
    return prime;
}

/* What `means` makes on the way to its result: tables of weights, and all steps but the last. */
static double steps_bytes(const struct oro_grid *from, int factor)
{
    struct oro_grid grid = *from;
    double values = 0;
    for (int side; factor > 1; factor /= side) {
        side = least_prime_factor(factor);
        grid = refined(&grid, side);
        values +=
            (factor > side ? 2 : 1) * (double)oro_grid_cells(&grid) + (double)side * side * ORO_KRIGING_CELLS;
    }
    return values * sizeof(float);
}

static bool shape(struct oro_shape *s, const void *data, struct oro_grid *grid)
{
    const struct params *p = data;
    *grid = *oro_shape_input(s, "terrain");
    int side = oro_grid_longer(grid);
    if (side > oro_shape_cap(s) / p->factor) {
        oro_shape_capped(s);
        return true;
    }
    if (side > ORO_GRID_MAX / p->factor)
        return oro_shape_fail(
            s, "%d cells times %d is more than the %d cells a side that a terrain may have: lower 'factor'",
            side, p->factor, ORO_GRID_MAX);
    *grid = refined(grid, p->factor);
    if (p->method == MEANS)
        oro_shape_scratch(s, steps_bytes(oro_shape_input(s, "terrain"), p->factor));
    return true;
}

/* Takes the finest slanting waves out of the ground that weights are meant for: a square of waves fits into a
 * raster, real ground fills a circle. The second differences along rows and columns, one after the other, are
 * nothing for any other wave. */
static void leave_corners_out(int side, float *table)
{
    enum { WIDTH = ORO_KRIGING_WIDTH };
    static const double second[3] = {1, -2, 1};
    const double share = 0.42 / 16;
    for (int part = 0; part < side * side; part++) {
        float *weights = table + (size_t)part * ORO_KRIGING_CELLS, before[ORO_KRIGING_CELLS];
        memcpy(before, weights, sizeof before);
        for (int y = 0; y < WIDTH; y++)
            for (int x = 0; x < WIDTH; x++)
                for (int k = 0; k < 9; k++) {
                    int from_x = x + k % 3 - 1, from_y = y + k / 3 - 1;
                    if (from_x >= 0 && from_y >= 0 && from_x < WIDTH && from_y < WIDTH)
                        weights[WIDTH * y + x] -= (float)(share * second[k % 3] * second[k / 3] *
                                                          (double)before[WIDTH * from_y + from_x]);
                }
    }
}

/* Cuts off what is higher or lower than the ground around, and gives it back to the rest of each cell. */
static struct oro_buffer *limit(struct oro_eval *e, const struct oro_grid *from, int side,
                                struct oro_buffer *terrain, struct oro_buffer *surface)
{
    struct oro_grid to = refined(from, side);
    struct oro_buffer *finer = oro_eval_raster(e, ORO_FIELD, &to);
    struct oro_dispatch dispatch = {
        .kernel = "resolution/upsample_limit.comp",
        .slots = {{"terrain", terrain}, {"surface", surface}, {"terrain_out", finer, ORO_WRITE}},
        .reach = side - 1,
        .constants = {{"side", (float)side}}};
    oro_dispatch_source(&dispatch, &to, from, NULL, ORO_KRIGING_REACH);
    return oro_eval_dispatch(e, &dispatch) ? finer : NULL;
}

/* One cell becomes side x side cells. */
static struct oro_buffer *krige(struct oro_eval *e, const struct oro_grid *from, int side,
                                struct oro_buffer *terrain, bool made)
{
    struct oro_grid to = refined(from, side);
    size_t count = (size_t)side * (size_t)side * ORO_KRIGING_CELLS;
    struct oro_buffer *finer = oro_eval_raster(e, ORO_FIELD, &to), *weights = oro_eval_buffer(e, count);
    float *table = oro_alloc(count, sizeof *table);
    bool ok = table && oro_area_kriging(side, table);
    if (!ok)
        oro_eval_fail(e, ORO_E_MEMORY, "no memory for the weights of %d x %d cells", side, side);
    if (ok && made)
        leave_corners_out(side, table);
    ok = ok && oro_eval_upload(e, weights, table, count * sizeof *table);
    oro_free(table);
    struct oro_dispatch dispatch = {
        .kernel = "resolution/upsample_means.comp",
        .slots = {{"terrain", terrain}, {"weights", weights}, {"terrain_out", finer, ORO_WRITE}},
        .constants = {{"side", (float)side}}};
    oro_dispatch_source(&dispatch, &to, from, NULL, ORO_KRIGING_REACH);
    return ok && oro_eval_dispatch(e, &dispatch) ? limit(e, from, side, terrain, finer) : NULL;
}

/* By one prime factor after the other, so that no seams show between large cells. */
static bool keep_means(struct oro_eval *e, struct oro_buffer *terrain, int factor, bool made)
{
    struct oro_grid grid = *oro_eval_input_grid(e, "terrain");
    while (terrain && factor > 1) {
        int side = least_prime_factor(factor);
        terrain = krige(e, &grid, side, terrain, made);
        made = false;
        grid = refined(&grid, side);
        factor /= side;
    }
    return terrain && oro_eval_give(e, "terrain", terrain);
}

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    const struct oro_grid *from = oro_eval_input_grid(e, "terrain"), *to = oro_eval_grid(e);
    struct oro_buffer *terrain = oro_eval_input(e, "terrain");
    if (!from || !terrain)
        return false;
    if (oro_grid_same_size(from, to)) /* held back by the cap on resolution */
        return oro_eval_give(e, "terrain", terrain);
    if (p->method == MEANS)
        return keep_means(e, terrain, p->factor, p->made);
    return oro_eval_resample(e, false, (enum oro_resampling)p->method);
}

ORO_NODE(upsample, .version = 1, .category = "resolution",
         .words = "refine, supersample, upscale, subdivide, subdivision, increase resolution, upres",
         .doc = "Gives a terrain smaller cells, with a smooth surface through the old ones. It adds "
                "no detail: follow it with erosion or noise. A preview at a lower resolution passes "
                "the terrain through unchanged.",
         .paper = "Schott 2024, section 4.1; means by area-to-point kriging (Kyriakidis 2004)",
         .shape = shape, .spread = ORO_SPREAD_TILES, .kernel = "lib/resample.comp", .eval = eval);
