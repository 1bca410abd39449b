/* Finds the rivers of a terrain. */
#include "graph/type/node.h"
#include "nodes/flow/drainage_tree_inputs.h"
#include "nodes/network/network_lines.h"
#include "terrain/network/rivers.h"

struct params {
    float threshold, width;
    ORO_LINES_PARAMS;
    ORO_OUTLET_PARAMS;
};

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.doc = "Elevation"),
    ORO_IN_FIELD("drainage", .optional = true, .unit = ORO_SQUARE_METRE,
                 .doc =
                     "Drainage area, if there is another one than the exact: with rain, or of a simulation"),
    ORO_IN_FLOAT(struct params, threshold, 500000, .min = 1, .max = 1e15, .soft_min = 1e4, .soft_max = 1e8,
                 .unit = ORO_SQUARE_METRE,
                 .doc = "A river begins where at least so much land drains: less shows smaller streams"),
    ORO_IN_FLOAT(
        struct params, width, 10, .min = 0, .max = 1e5, .soft_max = 200, .unit = ORO_METRE,
        .doc = "Width of a river that drains a square kilometre; others go with the power 0.4 of their area"),
    ORO_IN_LINES(struct params),
    ORO_IN_OUTLETS(struct params),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_NETWORK(
        "network", .like = "terrain",
        .doc = "Rivers, downstream from their sources: elevation, drainage, width and Strahler order"),
    {0},
};

static bool shape(struct oro_shape *s, const void *data, struct oro_grid *grid)
{
    const struct params *p = data;
    return oro_outlets_shape(s, p->sea, p->borders, grid);
}

static void report(struct oro_eval *e, const struct oro_river_report *found,
                   const struct oro_network *network)
{
    oro_eval_figure(e, "sources", (double)found->sources, "");
    oro_eval_figure(e, "junctions", (double)found->junctions, "");
    oro_eval_figure(e, "outlets", (double)found->outlets, "");
    oro_eval_figure(e, "order", (double)found->order, "");
    oro_eval_figure(e, "length", oro_network_length(network), "m");
    if (network->line_count == 0)
        oro_note(oro_eval_log(e), ORO_WARNING,
                 "nowhere does as much land as 'threshold' drain: there are no rivers");
}

/* A linked raster, NULL if none is linked; sets `missing` if one is but cannot be had. */
static const float *linked(struct oro_eval *e, const char *name, bool *missing)
{
    const float *raster = oro_eval_linked(e, name) ? oro_eval_input_host(e, name) : NULL;
    *missing |= oro_eval_linked(e, name) && !raster;
    return raster;
}

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    const struct oro_grid *grid = oro_eval_input_grid(e, "terrain");
    bool missing = false;
    struct oro_error err = {0};
    struct oro_ground ground = {.width = grid->width,
                                .height = grid->height,
                                .z = linked(e, "terrain", &missing),
                                .sea = linked(e, "sea", &missing),
                                .walls = p->borders != 0,
                                .stop = oro_eval_stopped,
                                .user = e};
    struct oro_river_options options = {.cell = grid->cell,
                                        .x = grid->x,
                                        .y = grid->y,
                                        .drainage = linked(e, "drainage", &missing),
                                        .threshold = (double)p->threshold,
                                        .width = (double)p->width,
                                        .smooth = p->smooth,
                                        .simplify = (double)p->simplify};
    struct oro_river_report found;
    if (missing)
        return false;
    if (!ground.sea && p->sea > 0.5f)
        return oro_give_no_network(e, "all is sea: there are no rivers");
    struct oro_network *network = oro_river_network(&ground, &options, &found, &err);
    if (network)
        report(e, &found, network);
    return oro_eval_give_network(e, "network", network, &err);
}

ORO_NODE(
    river_network, .version = 1, .category = "network",
    .words = "rivers, streams, river lines, channels, waterways, creeks, extract rivers, hydrology",
    .doc = "Finds the rivers of a terrain, along the ways that water takes to the border or the sea, hollows "
           "filled. "
           "`uplift_from_rivers` makes valleys of them.",
    .paper = "Schott 2023, section 6.2; Harel 2022", .shape = shape, .spread = ORO_SPREAD_HOST, .eval = eval);
