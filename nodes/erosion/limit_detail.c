/* Holds added detail to a given strength. */
#include "graph/type/node.h"
#include "nodes/lib/blocks.h"

struct params {
    float amplitude, size, smoothness, along, least, most, depth, mask;
};

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.doc = "Elevation with detail"),
    ORO_IN_FIELD("reference", .unit = ORO_METRE, .doc = "The smooth ground that the detail was added to"),
    ORO_IN_MAP(
        struct params, amplitude, 10, .min = 0, .max = 10000, .soft_max = 100, .unit = ORO_METRE,
        .doc = "How far detail should lie above and below the reference: root mean square. `rock` gives it"),
    ORO_IN_FLOAT(struct params, size, 0, .min = 0, .max = 1e7, .soft_max = 2000, .unit = ORO_METRE,
                 .doc = "Width of the squares over which detail is measured. 0: two cells"),
    ORO_IN_FLOAT(struct params, smoothness, 0, .min = 0, .max = 1,
                 .doc = "How far detail is smoothed before: 1 leaves nothing of what is two cells wide"),
    ORO_IN_FLOAT(struct params, along, 0, .min = 0, .max = 1,
                 .doc =
                     "How far detail is smoothed along the fall of the reference: 1 makes gullies and spurs "
                     "longer by some cells"),
    ORO_IN_FLOAT(struct params, least, 0.3, .min = 0, .max = 1,
                 .doc = "Detail is made no weaker than by this factor"),
    ORO_IN_FLOAT(struct params, most, 3, .min = 1, .max = 10,
                 .doc = "Detail is made no stronger than by this factor"),
    ORO_IN_MAP(struct params, depth, 0, .min = 0, .max = 10000, .soft_max = 200, .unit = ORO_METRE,
               .doc = "Detail reaches no deeper than this below the reference. 0: no limit"),
    ORO_IN_MASK(struct params),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_TERRAIN(.like = "terrain", .doc = "Elevation with detail of that strength"),
    {0},
};

/* What the terrain lies above its reference, smoothed in all directions, then along the fall. */
static bool find_detail(struct oro_eval *e, float along, struct oro_buffer *detail)
{
    const int window = 3; /* cells: limit_detail_along.comp */
    struct oro_buffer *smooth_ground = oro_eval_input(e, "reference");
    struct oro_buffer *smoothed = along > 0 ? oro_eval_field(e) : detail;
    struct oro_dispatch smooth = {.kernel = "erosion/limit_detail_smooth.comp",
                                  .slots = {{"ground", oro_eval_input(e, "terrain")},
                                            {"smooth_ground", smooth_ground},
                                            {"detail", smoothed, ORO_WRITE}},
                                  .reach = 1,
                                  .maps = (const char *const[]){NULL}};
    struct oro_dispatch lengthen = {
        .kernel = "erosion/limit_detail_along.comp",
        .slots = {{"smoothed", smoothed}, {"smooth_ground", smooth_ground}, {"detail", detail, ORO_WRITE}},
        .reach = window,
        .maps = (const char *const[]){NULL}};
    return oro_eval_dispatch(e, &smooth) && (!(along > 0) || oro_eval_dispatch(e, &lengthen));
}

/* The factor for every block, from the detail around it. */
static bool find_factors(struct oro_eval *e, const struct oro_grid *blocks, int side,
                         struct oro_buffer *detail, struct oro_buffer *factors)
{
    const int window = 4; /* blocks: limit_detail_factor.comp */
    const struct oro_grid *grid = oro_eval_grid(e);
    struct oro_buffer *energy = oro_eval_raster(e, ORO_FIELD, blocks);
    struct oro_dispatch measure = {.kernel = "erosion/limit_detail_energy.comp",
                                   .slots = {{"detail", detail}, {"energy", energy, ORO_WRITE}},
                                   .constants = {{"side", (float)side}}};
    struct oro_dispatch weigh = {.kernel = "erosion/limit_detail_factor.comp",
                                 .slots = {{"energy", energy}, {"factors", factors, ORO_WRITE}},
                                 .reach = window,
                                 .constants = {{"side", (float)side}}};
    oro_dispatch_source(&measure, blocks, grid, NULL, ORO_REACH_CELL);
    oro_dispatch_source(&weigh, blocks, grid, NULL, ORO_REACH_CELL);
    return oro_eval_dispatch(e, &measure) && oro_eval_dispatch(e, &weigh);
}

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    const struct oro_grid *grid = oro_eval_grid(e);
    if (oro_eval_capped(e)) /* a preview that stops short of the resolution: the level is left out */
        return oro_eval_give(e, "terrain", oro_eval_input(e, "terrain"));
    int side = oro_blocks_side(grid, p->size);
    struct oro_grid blocks = oro_blocks_grid(grid, side);
    struct oro_buffer *factors = oro_eval_raster(e, ORO_FIELD, &blocks);
    struct oro_buffer *detail = oro_eval_field(e);
    struct oro_dispatch extras = {.slots = {{"detail", detail}, {"factors", factors}},
                                  .inputs_on_grid = true,
                                  .constants = {{"side", (float)side}}};
    oro_dispatch_source(&extras, grid, &blocks, NULL, ORO_BLOCKS_REACH);
    return find_detail(e, p->along, detail) && find_factors(e, &blocks, side, detail, factors) &&
           oro_eval_default(e, &extras);
}

ORO_NODE(
    limit_detail, .version = 1, .category = "erosion",
    .words = "sharpen, local contrast, detail strength, unsharp mask, soften detail, high pass",
    .doc =
        "Makes detail weaker or stronger where it is not of the strength that is wanted. Its pattern stays: "
        "gullies remain gullies and join where they joined.",
    .spread = ORO_SPREAD_TILES, .scratch_fields = 3, .kernel = "erosion/limit_detail.comp", .eval = eval);
