/* Gives eroded ground back its large forms. */
#include "graph/type/node.h"
#include "nodes/lib/blocks.h"

struct params {
    float size, mask;
    int sweeps;
    bool ceiling;
};

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.doc = "Elevation to correct: the ground after erosion"),
    ORO_IN_FIELD("reference", .unit = ORO_METRE, .doc = "Elevation to keep to: the ground before erosion"),
    ORO_IN_FLOAT(
        struct params, size, 0, .min = 0, .max = 1e7, .soft_max = 2000, .unit = ORO_METRE,
        .doc = "What is wider than this keeps its height; what is narrower stays as erosion has left it. 0: "
               "two cells"),
    ORO_IN_INT(struct params, sweeps, 2, .min = 1, .max = 64, .soft_max = 8,
               .doc = "How often what is still missing is added: more keeps to the reference more exactly"),
    ORO_IN_BOOL(
        struct params, ceiling, true,
        .doc =
            "What erosion carved below the reference is not lifted above it, so that no channel is dammed"),
    ORO_IN_MASK(struct params),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_TERRAIN(.like = "terrain",
                    .doc = "Elevation whose means over squares of `size` are those of `reference`"),
    {0},
};

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    const struct oro_grid *grid = oro_eval_grid(e);
    if (oro_eval_capped(e)) /* a preview that stops short of the resolution: the level is left out */
        return oro_eval_give(e, "terrain", oro_eval_input(e, "terrain"));
    int side = oro_blocks_side(grid, p->size);
    struct oro_grid blocks = oro_blocks_grid(grid, side);
    struct oro_buffer *target = oro_eval_raster(e, ORO_FIELD, &blocks);
    struct oro_buffer *ground = oro_eval_field(e);
    struct oro_buffer *reference = oro_eval_input(e, "reference");
    struct oro_block_pull pull = {
        .side = side, .target = target, .ground = ground, .ceiling = p->ceiling ? reference : NULL};
    return oro_block_means(e, grid, side, reference, target) &&
           oro_eval_copy(e, oro_eval_input(e, "terrain"), ground, oro_grid_cells(grid)) &&
           oro_blocks_pull(e, &pull, p->sweeps) && oro_eval_give(e, "terrain", ground);
}

ORO_NODE(
    keep_ground, .version = 1, .category = "erosion",
    .words = "preserve height, keep height, restore height, isostasy",
    .doc =
        "Keeps the large forms of a terrain through erosion: adds a smooth surface that brings the mean "
        "height of every square back to that of the reference. Erosion and this in turns, the ground rises "
        "as fast as it wears away, as mountains do: valleys deepen and crests sharpen without the range "
        "getting "
        "lower.",
    .paper = "Low-pass of Schott 2024, 5.1; back-projection (Irani and Peleg 1991)",
    .spread = ORO_SPREAD_TILES, .scratch_fields = 2, .eval = eval);
