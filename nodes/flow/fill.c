/* Makes a terrain drain by filling its depressions. */
#include "nodes/flow/breaching.h"
#include "nodes/flow/drainage_tree.h"
#include "nodes/flow/drainage_tree_inputs.h"

struct params {
    int method;
    float mask;
    ORO_OUTLET_PARAMS;
};

enum { LEVEL, SLOPED };
static const char *const methods[] = {"level", "sloped", NULL};

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.doc = "Elevation"),
    ORO_IN_CHOICE(
        struct params, method, 0, methods,
        .doc = "level: depressions become flat, like lakes. sloped: they fall towards their outlet, by the "
               "least that a number of 32 bits can tell, so that no flat is left"),
    ORO_IN_OUTLETS(struct params),
    ORO_IN_MASK(struct params),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_TERRAIN(.like = "terrain", .doc = "Elevation without depressions"),
    ORO_OUT_FIELD("filled", .like = "terrain", .unit = ORO_METRE, .doc = "Depth that was filled"),
    ORO_OUT_FIELD("mask", .like = "terrain", .doc = "1 where something was filled, else 0"),
    {0},
};

static bool shape(struct oro_shape *s, const void *data, struct oro_grid *grid)
{
    const struct params *p = data;
    return oro_outlets_shape(s, p->sea, p->borders, grid);
}

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    struct oro_buffer *filled = oro_eval_field(e);
    struct oro_drainage_tree tree;
    bool ok = oro_drainage_tree_begin(e, p->sea, p->borders, &tree) &&
              oro_drainage_tree_route(&tree, oro_eval_input(e, "terrain")) &&
              oro_drainage_tree_fill(&tree, p->method == SLOPED, filled);
    oro_drainage_tree_end(&tree);
    return ok && oro_breaching_give_filled(e, filled);
}

ORO_NODE(
    fill, .version = 1, .category = "flow",
    .words = "fill sinks, fill depressions, fill pits, flood, basins, puddles", .spread = ORO_SPREAD_DRAINAGE,
    .doc = "Fills every depression up to where it spills over, as a lake would. Nothing is carved. The depth "
           "that was "
           "filled is that of the lakes.",
    .paper = "Barnes 2014", .scratch_fields = ORO_DRAINAGE_TREE_FIELDS, .drains = true, .shape = shape,
    .eval = eval);
