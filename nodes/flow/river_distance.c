/* How far it is to the nearest river. */
#include "graph/type/node.h"
#include "nodes/lib/distance.h"
#include "nodes/lib/range.h"

struct params {
    float threshold;
};

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.doc = "Elevation, which also gives the size"),
    ORO_IN_FIELD("drainage", .optional = true, .unit = ORO_SQUARE_METRE,
                 .doc = "Drainage area; without it, that of `flow`"),
    ORO_IN_MAP(struct params, threshold, 1000000, .min = 0, .max = 1e12, .soft_max = 1e7,
               .unit = ORO_SQUARE_METRE,
               .doc = "Rivers are where at least so much land drains through: less takes in smaller streams"),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_FIELD("distance", .like = "terrain", .unit = ORO_METRE,
                  .doc = "From the middle of each cell to the middle of the nearest one with a river; 0 in "
                         "rivers. Where there is no river at all: the length of the raster's diagonal"),
    ORO_OUT_FIELD("rivers", .like = "terrain", .doc = "1 in rivers, else 0"),
    {0},
};

/* Without drainage the node is `flow`, then itself with what that gives. */
static bool expand(struct oro_build *b, const void *data)
{
    (void)data;
    if (oro_build_linked(b, "drainage"))
        return true;
    int flow = oro_build_node(b, "flow", "flow");
    oro_build_forward(b, flow, "terrain", "terrain");
    int node = oro_build_node(b, "river_distance", "distance");
    oro_build_forward(b, node, "terrain", "terrain");
    oro_build_link(b, node, "drainage", flow, "drainage");
    oro_build_forward(b, node, "threshold", "threshold");
    for (const struct oro_output *output = outputs; output->name; output++)
        oro_build_output(b, output->name, node, output->name);
    return true;
}

static bool find_rivers(struct oro_eval *e, struct oro_buffer *rivers, struct oro_buffer *nearest)
{
    struct oro_dispatch start = {.kernel = "flow/river_distance_start.comp",
                                 .slots = {{"area", oro_eval_input(e, "drainage")},
                                           {"rivers_out", rivers, ORO_WRITE},
                                           {"nearest", nearest, ORO_WRITE, "int"}},
                                 .reach = ORO_REACH_CELL};
    double count = 0;
    if (!oro_eval_dispatch(e, &start) || !oro_sum(e, rivers, oro_grid_cells(oro_eval_grid(e)), &count))
        return false;
    if (count >= (double)oro_grid_cells(oro_eval_grid(e)))
        oro_note(oro_eval_log(e), ORO_WARNING,
                 "river_distance: 'threshold' is so low that every cell is a river, and every distance 0");
    if (count == 0)
        oro_note(oro_eval_log(e), ORO_WARNING,
                 "river_distance: nowhere does as much land as 'threshold' drain: there are no rivers, and "
                 "the distance is "
                 "the raster's diagonal everywhere");
    return true;
}

static bool eval(struct oro_eval *e, const void *data)
{
    (void)data;
    struct oro_buffer *rivers = oro_eval_field(e), *distance = oro_eval_field(e);
    struct oro_buffer *nearest = oro_eval_field(e);
    return find_rivers(e, rivers, nearest) && oro_distance(e, nearest, distance) &&
           oro_eval_give(e, "distance", distance) && oro_eval_give(e, "rivers", rivers);
}

ORO_NODE(
    river_distance, .version = 1, .category = "flow",
    .words = "distance to water, river bank, proximity, riverside, floodplain, distance field",
    .doc = "Measures how far it is to the nearest river, as the crow flies, exactly. Make a mask of it with "
           "`remap`: for river banks and meadows, or for detail that begins away from the water.",
    .paper = "Grenier 2023, section 3.3; Rong 2006, Jump flooding; Aggarwal 1987, monotone searching",
    .scratch_fields = 2, .spread = ORO_SPREAD_TILES, .eval = eval, .expand = expand);
