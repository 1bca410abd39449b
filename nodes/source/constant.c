/* One number everywhere. */
#include "graph/type/node.h"

struct params {
    float value;
};

static const struct oro_input inputs[] = {
    ORO_IN_LIKE(.doc = "Gives the result the size of this raster; without it, the world's base resolution"),
    ORO_IN_FLOAT(struct params, value, 0, .min = -1e9, .max = 1e9, .soft_min = 0, .soft_max = 1000,
                 .doc = "The number: metres for an elevation, 0..1 for a mask"),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_FIELD("field", .role = ORO_ROLE_FIELD, .doc = "The number in every cell"),
    {0},
};

ORO_NODE(constant, .version = 1, .category = "source",
         .words = "value, number, flat, plane, level ground, solid",
         .doc = "The same value in every cell: level ground, or an even mask.", .spread = ORO_SPREAD_TILES,
         .reach = ORO_REACH_CELL, .kernel = "source/constant.comp");
