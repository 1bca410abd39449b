/* Raises the resolution of a terrain. */
#include "graph/type/node.h"
#include "nodes/lib/blocks.h"

struct params {
    int factor, method;
};

static const char *const methods[] = {"catmull_rom", "b_spline", "bilinear", "means", NULL};
enum { MEANS = 3 };

/* Each leaves a third of the error of the means, or less. */
enum { SWEEPS = 5 };

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.doc = "Elevation to refine"),
    ORO_IN_INT(struct params, factor, 2, .min = 2, .max = 64, .soft_max = 8,
               .doc = "How many times more cells along each side"),
    ORO_IN_CHOICE(
        struct params, method, 0, methods,
        .doc = "catmull_rom: smooth, and keeps the heights of peaks. b_spline: smoother still, and lowers "
               "peaks a little. bilinear: straight between cells, with visible creases. means: each cell "
               "holds the "
               "mean of its ground, as in elevation data of a satellite, and the mean of the finer cells is "
               "that: "
               "crests and valleys get back what averaging took from them"),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_TERRAIN(.like = "terrain", .doc = "The same ground with smaller cells"),
    {0},
};

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
    grid->width *= p->factor;
    grid->height *= p->factor;
    grid->cell /= p->factor;
    if (p->method == MEANS) /* what the means lack */
        oro_shape_scratch(s, (double)oro_grid_cells(oro_shape_input(s, "terrain")) * sizeof(float));
    return true;
}

/* The smooth surface first, then what its means lack. */
static bool keep_means(struct oro_eval *e, struct oro_buffer *terrain, int factor)
{
    const struct oro_grid *grid = oro_eval_grid(e);
    struct oro_buffer *finer = oro_eval_buffer(e, oro_grid_cells(grid));
    struct oro_dispatch smooth = {
        .kernel = "resolution/upsample.comp",
        .slots = {{"terrain", terrain}, {"terrain_out", finer, ORO_WRITE}},
        .source = *oro_eval_input_grid(e, "terrain"),
    };
    struct oro_block_pull pull = {
        .fine = *grid, .side = factor, .target = terrain, .ground = finer, .interpolating = true};
    return oro_eval_dispatch(e, &smooth) && oro_blocks_pull(e, &pull, SWEEPS) &&
           oro_eval_give(e, "terrain", finer);
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
    return p->method == MEANS ? keep_means(e, terrain, p->factor) : oro_eval_default(e, NULL);
}

ORO_NODE(upsample, .version = 1, .category = "resolution",
         .doc =
             "Gives a terrain smaller cells, with a smooth surface through the old ones. It adds no detail: "
             "follow it with "
             "erosion or noise. Slopes go on beyond the edges, so no rims appear there. A preview at a lower "
             "resolution "
             "passes the terrain through unchanged.",
         .paper = "Schott 2024, section 4.1; means by back-projection (Irani and Peleg 1991)", .shape = shape,
         .kernel = "resolution/upsample.comp", .eval = eval);
