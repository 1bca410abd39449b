/* Which way water runs. */
#include "graph/type/node.h"

struct params {
    float radius, least_slope;
};

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.doc = "Elevation"),
    ORO_IN_FLOAT(
        struct params, radius, 500, .min = 0, .max = 1e7, .soft_max = 5000, .unit = ORO_METRE,
        .doc = "What is smaller than about this has no influence: as `radius` of `blur`. 0: every bump has"),
    ORO_IN_FLOAT(struct params, least_slope, 1, .min = 0, .max = 45, .soft_max = 10, .unit = ORO_DEGREE,
                 .doc = "Where the smoothed ground is flatter than this the direction fades out, until level "
                        "ground has none"),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_VECTOR("direction", .like = "terrain",
                   .doc = "Downhill, x to the east and y to the south: of length 1, or less where it fades "
                          "out"),
    ORO_OUT_FIELD("angle", .like = "terrain", .unit = ORO_DEGREE,
                  .doc = "The same as a bearing: 0 north, 90 east, up to 360; 0 where there is none"),
    {0},
};

/* With a radius the node is `blur`, then itself without one. */
static bool expand(struct oro_build *b, const void *data)
{
    const struct params *p = data;
    if (!(p->radius > 0))
        return true;
    int smooth = oro_build_node(b, "blur", "smooth");
    oro_build_forward(b, smooth, "field", "terrain");
    oro_build_forward(b, smooth, "radius", "radius");
    int node = oro_build_node(b, "flow_orientation", "orientation");
    oro_build_link(b, node, "terrain", smooth, "field");
    oro_build_number(b, node, "radius", 0);
    oro_build_forward(b, node, "least_slope", "least_slope");
    for (const struct oro_output *output = outputs; output->name; output++)
        oro_build_output(b, output->name, node, output->name);
    return true;
}

ORO_NODE(flow_orientation, .version = 1, .category = "flow",
         .words = "flow direction, downhill direction, aspect, fall line",
         .doc =
             "Tells which way water runs over a terrain at large: downhill, on the smoothed ground. Ravines, "
             "strata or grass may follow it.",
         .paper = "Grenier 2023, eq. 9", .spread = ORO_SPREAD_TILES, .reach = 1,
         .kernel = "flow/flow_orientation.comp", .expand = expand);
