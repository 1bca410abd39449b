/* Makes a terrain drain by carving valleys rather than trenches. */
#include <math.h>

#include "base/memory.h"
#include "nodes/flow/breaching.h"
#include "nodes/flow/drainage_tree.h"
#include "nodes/flow/drainage_tree_inputs.h"
#include "nodes/lib/angle.h"
#include "nodes/lib/range.h"

struct params {
    float radius, ratio, sides, least_gradient, mask;
    int kernel, iterations;
    ORO_OUTLET_PARAMS;
};

enum { SMOOTH, CONE, BOX };
static const char *const shapes[] = {"smooth", "cone", "box", NULL};

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.doc = "Elevation"),
    ORO_IN_FLOAT(
        struct params, radius, 500, .min = 0, .max = 1e6, .soft_max = 2000, .unit = ORO_METRE,
        .doc =
            "How far the first and widest carving reaches to either side. 0 carves as `breach` does, but for "
            "the `sides`"),
    ORO_IN_FLOAT(struct params, ratio, 0.5, .min = 0.1, .max = 0.9,
                 .doc = "Each carving reaches this much as far as the one before, down to one cell"),
    ORO_IN_INT(struct params, iterations, 6, .min = 1, .max = 16,
               .doc = "How often the narrowest valleys, of a few cells, are carved: the more, the shallower "
                      "are the trenches at last"),
    ORO_IN_CHOICE(struct params, kernel, 0, shapes,
                  .doc =
                      "Cross-section of the valleys: smooth rounds them, cone makes them V-shaped, box flat"),
    ORO_IN_FLOAT(struct params, sides, 35, .min = 0, .max = 89, .soft_max = 60, .unit = ORO_DEGREE,
                 .doc =
                     "How steeply the sides of what was carved rise at most: deep cuts become valleys rather "
                     "than slot canyons. Where the terrain is about as steep or steeper, they rise a little "
                     "more steeply than it does. 0: as steeply as it comes"),
    ORO_IN_LEAST_GRADIENT(struct params),
    ORO_IN_FIELD("level_ground", .optional = true,
                 .doc = "Where this mask is above 0.5, water stands or ground is level otherwise: channels "
                        "cross it without a gradient"),
    ORO_IN_OUTLETS(struct params),
    ORO_IN_MASK(struct params),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_TERRAIN(.like = "terrain", .doc = "Elevation that drains everywhere"),
    ORO_OUT_FIELD("carved", .like = "terrain", .unit = ORO_METRE, .doc = "Depth that was carved"),
    ORO_OUT_FIELD("mask", .like = "terrain", .doc = "1 where something was carved, else 0"),
    ORO_OUT_FIELD("drainage", .like = "terrain", .unit = ORO_SQUARE_METRE,
                  .doc = "Area that drains through each cell of the terrain that is given: exact"),
    {0},
};

/* Cells that an invocation of the spreading kernel takes, along the way. */
enum { RUN = 4 };
#define RUN_DEFINED "#define RUN 4\n"

/* What a partial breach works with, the drainage tree among it. */
struct partial {
    struct oro_drainage_tree *tree;
    struct oro_buffer *ground, *carved, *weights;
    struct oro_dispatch spread[2]; /* along the rows, down the columns */
};

/* Weights of the middle and of one side, up to `side` cells, all within reach of `radius` cells; then zeros.
 */
static void weigh(int kernel, double radius, int side, float *weights)
{
    for (int i = 0; i <= side + RUN; i++) {
        double t = i <= side ? i / (radius + 1) : 1;
        weights[i] = (float)(kernel == SMOOTH ? (1 - t * t) * (1 - t * t)
                             : kernel == CONE ? 1 - t
                                              : i <= side);
    }
}

/* The sum over both sides, in the kernel's order. */
static float total_of(const float *weights, int side)
{
    float total = 0;
    for (int i = -side; i <= side; i++)
        total += weights[i < 0 ? -i : i];
    return total;
}

static bool set_weights(struct oro_eval *e, struct partial *partial, int kernel, double radius, int side)
{
    size_t count = (size_t)side + 1 + RUN;
    float *weights = oro_alloc(count, sizeof *weights);
    if (!weights)
        return oro_eval_fail(e, ORO_E_MEMORY, "no memory for a kernel of %d cells", side);
    weigh(kernel, radius, side, weights);
    for (int i = 0; i < 2; i++) {
        partial->spread[i].reach = side + RUN - 1; /* of a run's first cell, to what its last one reads */
        oro_set(&partial->spread[i], "side", side);
        oro_set(&partial->spread[i], "total", (double)total_of(weights, side));
    }
    bool ok = oro_eval_upload(e, partial->weights, weights, count * sizeof *weights);
    oro_free(weights);
    return ok;
}

/* P_k: what breaching would carve, spread by the kernel, is taken off (Schott 2024, 5.2). */
static bool carve_partly(struct oro_eval *e, struct partial *partial)
{
    return oro_drainage_tree_carve(partial->tree, partial->ground, partial->carved) &&
           oro_eval_dispatch(e, &partial->spread[0]) && oro_eval_dispatch(e, &partial->spread[1]);
}

/* How often to carve with a radius. Narrow carving settles how deep trenches become and is repeated; wide
 * carving is not, as it would move much and help little. */
static int times(const struct params *p, double radius)
{
    const double narrow = 4; /* cells */
    return radius > narrow ? 1 : p->iterations;
}

static bool carve(struct oro_eval *e, struct partial *partial, const struct params *p, double radius)
{
    int total = 1, done = 0;
    double r = radius;
    while (r >= 1) {
        total += times(p, r);
        r *= (double)p->ratio;
    }
    while (radius >= 1) {
        if (!set_weights(e, partial, p->kernel, radius, (int)radius))
            return false;
        for (int i = 0; i < times(p, radius); i++)
            if (!carve_partly(e, partial) || !oro_eval_progress(e, ++done, total))
                return false;
        radius *= (double)p->ratio;
    }
    return true;
}

/* Fills `ground` with the terrain that is given as `carved`, its sides laid back to `sides` degrees: lower
 * ground is handed on over strides that are halved, as in jump flooding (Rong 2006). `carved` is overwritten.
 */
static bool widen(struct oro_eval *e, float sides, struct oro_buffer *carved, struct oro_buffer *ground)
{
    const struct oro_grid *grid = oro_eval_grid(e);
    const double fading = 0.125; /* of the slope */
    const int last_rounds = 3;   /* of single cells: shorter ways than those over the strides */
    double slope = tan(oro_radians((double)sides));
    struct oro_buffer *terrain = oro_eval_input(e, "terrain"), *from = carved, *to = ground;
    struct oro_dispatch round = {
        .kernel = "flow/breach_sides.comp",
        .slots = {{"terrain", terrain}, {"carved"}, {"widened", NULL, ORO_WRITE}},
        .constants = {{"slope", (float)slope}, {"fade", (float)(fading * slope)}, {"stride"}}};
    float deepest;
    if (!oro_difference(e, terrain, carved, ground) || !oro_largest(e, ground, &deepest))
        return false;
    double reach = fmin((double)deepest / (fading * slope * grid->cell), oro_grid_longer(grid));
    int stride = 1;
    while (2 * stride <= reach)
        stride *= 2;
    for (int left = last_rounds; left > 0;) {
        oro_bind(&round, "carved", from);
        oro_bind(&round, "widened", to);
        oro_set(&round, "stride", stride);
        round.reach = stride;
        if (!oro_eval_dispatch(e, &round))
            return false;
        oro_swap_buffers(&from, &to);
        if (stride > 1)
            stride /= 2;
        else
            left--;
    }
    return from == ground || oro_eval_copy(e, from, ground, oro_grid_cells(grid));
}

/* Carves exactly, lays back the sides, and carves what these keep from draining. */
static bool finish(struct oro_drainage_tree *tree, float sides, float fall, struct oro_buffer *ground,
                   struct oro_buffer *carved)
{
    if (sides != 0 &&
        !(oro_drainage_tree_carve(tree, ground, carved) && widen(tree->eval, sides, carved, ground)))
        return false;
    tree->fall = fall;
    return oro_drainage_tree_route(tree, ground) && oro_drainage_tree_collect(tree, false, NULL, carved);
}

/* Where ground is level, channels have sunk into it as they came nearer to their outlet. It gets its height
 * back, and so does, up to it, what was carved below it up the ways and through its sills; then all is carved
 * by no more than it must be. `carved` is overwritten. */
static bool level(struct oro_drainage_tree *tree, float sides, struct oro_buffer *ground,
                  struct oro_buffer *carved)
{
    struct oro_eval *e = tree->eval;
    struct oro_dispatch raise = {.kernel = "flow/breach_level.comp",
                                 .slots = {{"raised", carved}, {"ground", ground, ORO_WRITE}},
                                 .reach = ORO_REACH_CELL,
                                 .maps = (const char *const[]){NULL}};
    double cells = 0;
    if (!oro_eval_linked(e, "level_ground"))
        return true;
    oro_eval_add_input(e, &raise, "terrain");
    oro_eval_add_input(e, &raise, "level_ground");
    if (!oro_sum_over(e, oro_eval_input(e, "level_ground"), oro_eval_grid(e), &cells))
        return false;
    return !(cells > 0) || (oro_eval_dispatch(e, &raise) && oro_drainage_tree_route(tree, ground) &&
                            oro_drainage_tree_fill(tree, false, carved) && oro_eval_dispatch(e, &raise) &&
                            finish(tree, sides, 0, ground, carved));
}

static void plan_spreading(struct oro_eval *e, struct partial *partial, struct oro_buffer *rows)
{
    enum { SIDE = 16 }; /* of a group; so many cells along the way fit into a tile */
    const struct oro_grid *grid = oro_eval_grid(e);
    int along = oro_eval_spread(e) ? 32 / RUN : SIDE;
    partial->spread[0] = (struct oro_dispatch){.kernel = "flow/breach_spread.comp",
                                               .slots = {{"ground", partial->ground},
                                                         {"breached", partial->carved},
                                                         {"weights", partial->weights},
                                                         {"rows", rows, ORO_WRITE, "vec2"}},
                                               .columns = (grid->width - 1) / RUN + 1,
                                               .rows = grid->height,
                                               .group_columns = along,
                                               .group_rows = SIDE,
                                               .cell_columns = along * RUN,
                                               .defines = "#define DOWN 0\n" RUN_DEFINED,
                                               .constants = {{"side"}, {"total"}}};
    partial->spread[1] = (struct oro_dispatch){.kernel = "flow/breach_spread.comp",
                                               .slots = {{"rows", rows, ORO_READ, "vec2"},
                                                         {"weights", partial->weights},
                                                         {"ground", partial->ground, ORO_UPDATE}},
                                               .columns = grid->width,
                                               .rows = (grid->height - 1) / RUN + 1,
                                               .group_columns = SIDE,
                                               .group_rows = along,
                                               .cell_rows = along * RUN,
                                               .defines = "#define DOWN 1\n" RUN_DEFINED,
                                               .constants = {{"side"}, {"total"}}};
}

static bool run(struct oro_drainage_tree *tree, const struct params *p, struct oro_buffer *carved)
{
    struct oro_eval *e = tree->eval;
    const struct oro_grid *grid = oro_eval_grid(e);
    size_t cells = oro_grid_cells(grid);
    double longer = oro_grid_longer(grid);
    double radius = fmin((double)p->radius / grid->cell, longer);
    struct partial partial = {.tree = tree,
                              .ground = oro_eval_field(e),
                              .carved = carved,
                              .weights = oro_eval_buffer(e, (size_t)longer + 1 + RUN)};
    plan_spreading(e, &partial, oro_eval_raster(e, ORO_VECTOR, grid));
    return oro_eval_copy(e, oro_eval_input(e, "terrain"), partial.ground, cells) &&
           carve(e, &partial, p, radius) &&
           finish(tree, p->sides, oro_breaching_fall(e, p->least_gradient), partial.ground, carved) &&
           level(tree, p->sides, partial.ground, carved);
}

static bool shape(struct oro_shape *s, const void *data, struct oro_grid *grid)
{
    const struct params *p = data;
    return oro_outlets_shape(s, p->sea, p->borders, grid);
}

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    struct oro_buffer *carved = oro_eval_field(e);
    struct oro_drainage_tree tree;
    bool ok = oro_drainage_tree_begin(e, p->sea, p->borders, &tree);
    ok = ok && run(&tree, p, carved) && oro_breaching_give_carved(&tree, carved);
    oro_drainage_tree_end(&tree);
    return ok;
}

ORO_NODE(multiscale_breach, .version = 1, .category = "flow",
         .words = "drain, remove pits, sinks, depressions, wide outlets", .spread = ORO_SPREAD_DRAINAGE,
         .doc =
             "Makes a terrain drain without trenches one cell wide: what would have to be carved is first "
             "taken off widely "
             "and smoothly, then more and more narrowly, and exactly at last. Deep cuts get sides like "
             "those of valleys. From every cell a strictly falling way leads to the border, or to the sea. "
             "It only carves.",
         .paper = "Schott 2024, 5.2", .scratch_fields = ORO_DRAINAGE_TREE_FIELDS + 3, .drains = true,
         .shape = shape, .eval = eval);
