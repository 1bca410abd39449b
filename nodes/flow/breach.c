/* Makes a terrain drain by carving. */
#include "nodes/flow/breaching.h"
#include "nodes/flow/drainage_tree.h"
#include "nodes/flow/drainage_tree_inputs.h"
#include "nodes/lib/range.h"

struct params {
    int method;
    float least_gradient, mask;
    ORO_OUTLET_PARAMS;
};

enum { AUTO, SUBTREE_MINIMUM, PRIORITY_FLOOD };
static const char *const methods[] = {"auto", "subtree_minimum", "priority_flood", NULL};

/* Of cells with a neighbour of their own height; real terrain in feet has 4 to 6 %, in 8 bits 55 to 82 %. */
static const double stepped_share = 0.25;

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.doc = "Elevation"),
    ORO_IN_CHOICE(
        struct params, method, AUTO, methods,
        .doc =
            "subtree_minimum: every river is as low as the lowest ground upstream. priority_flood: the "
            "classical algorithm, which digs from every pit until it meets lower ground; slower, on one "
            "processor. On smooth ground it carves 3 to 9 % less; on stepped ground, such as files of 8 "
            "bits, where subtree_minimum takes detours across terraces, a quarter to a half less. "
            "auto: priority_flood on stepped ground, where a quarter of the cells have a neighbour of their "
            "own height; else subtree_minimum"),
    ORO_IN_LEAST_GRADIENT(struct params),
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

/* `stepped` is overwritten. */
static bool choose(struct oro_eval *e, struct oro_buffer *stepped, int *method)
{
    if (*method != AUTO)
        return true;
    double count = 0;
    size_t cells = oro_grid_cells(oro_eval_grid(e));
    struct oro_dispatch find = {
        .kernel = "flow/breach_steps.comp",
        .slots = {{"terrain", oro_eval_input(e, "terrain")}, {"stepped", stepped, ORO_WRITE}},
        .reach = 1};
    if (!oro_eval_dispatch(e, &find) || !oro_sum(e, stepped, cells, &count))
        return false;
    *method = count >= stepped_share * (double)cells ? PRIORITY_FLOOD : SUBTREE_MINIMUM;
    oro_eval_figure(e, "stepped", 100 * count / (double)cells, "%");
    return true;
}

static bool carve(struct oro_drainage_tree *tree, int method, struct oro_buffer *carved)
{
    struct oro_buffer *terrain = oro_eval_input(tree->eval, "terrain");
    if (!choose(tree->eval, carved, &method))
        return false;
    if (method == PRIORITY_FLOOD)
        return oro_drainage_tree_breach_by_flood(tree, terrain, carved);
    return oro_drainage_tree_route(tree, terrain) && oro_drainage_tree_collect(tree, false, NULL, carved);
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
    tree.fall = oro_breaching_fall(e, p->least_gradient);
    ok = ok && carve(&tree, p->method, carved) && oro_breaching_give_carved(&tree, carved);
    oro_drainage_tree_end(&tree);
    return ok;
}

ORO_NODE(breach, .version = 1, .category = "flow",
         .words = "drain, remove pits, sinks, depressions, carve outlets, hydrological correction, unpit",
         .spread = ORO_SPREAD_DRAINAGE,
         .doc =
             "Makes a terrain drain: from every cell a strictly falling way leads to the border, or to the "
             "sea. It only "
             "carves, the least that this takes along the ways that water finds, in channels one cell wide; "
             "`multiscale_breach` makes them wider and shallower. Where `mask` holds it back, hollows stay.",
         .paper = "Schott 2024, 5.2; Barnes 2014; Cordonnier 2019",
         .scratch_fields = ORO_DRAINAGE_TREE_FIELDS, .drains = true, .shape = shape, .eval = eval);
