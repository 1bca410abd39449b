/* A linear or radial gradient. */
#include "graph/type/node.h"

struct params {
    int method;
    float angle, low, high;
    float start[2], end[2];
};

static const char *const methods[] = {"linear", "radial", NULL};

static const struct oro_input inputs[] = {
    ORO_IN_LIKE(.doc = "Gives the ramp the size of this raster; without it, the world's base resolution"),
    ORO_IN_CHOICE(struct params, method, 0, methods,
                  .doc =
                      "linear: a plane from `start` to `end`. radial: a cone around `start` that ends at the "
                      "distance of `end`"),
    ORO_IN_FLOAT(struct params, low, 0, .min = -1e9, .max = 1e9, .soft_min = -1000, .soft_max = 4000,
                 .unit = ORO_METRE, .doc = "Value at `start`, and behind it"),
    ORO_IN_FLOAT(struct params, high, 1000, .min = -1e9, .max = 1e9, .soft_min = -1000, .soft_max = 4000,
                 .unit = ORO_METRE, .doc = "Value at `end`, and beyond it"),
    ORO_IN_FLOAT(struct params, angle, 90, .handle = ORO_HANDLE_ROTATION, .when = "start=end", .min = -360,
                 .max = 360, .soft_min = 0, .unit = ORO_DEGREE,
                 .doc = "Compass direction from `low` to `high` when `start` and `end` are the same: 0 is "
                        "north, 90 east"),
    ORO_IN_POINT(
        struct params, start, "0 0", .unit = ORO_METRE, .group = "Placement",
        .doc =
            "Where the ramp begins: metres east and south of the north-west corner. When `start` and `end` "
            "are the same the ramp fits the world: from edge to edge along `angle`, or from the centre to "
            "the nearest edge"),
    ORO_IN_POINT(struct params, end, "0 0", .handle = ORO_HANDLE_LINE, .handle_at = "start",
                 .unit = ORO_METRE, .group = "Placement", .doc = "Where the ramp ends"),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_FIELD("field", .role = ORO_ROLE_FIELD, .unit = ORO_METRE, .doc = "From `low` to `high`"),
    {0},
};

static const struct oro_use uses[] = {
    {.id = "radial",
     .label = "Radial gradient",
     .words = "cone, circular gradient, dome, circle, spherical",
     .set = {{"method", "radial"}}},
    {0},
};

ORO_NODE(
    ramp, .version = 1, .category = "source", .uses = uses,
    .words = "gradient, linear gradient, tilted plane, wedge, tilt, incline",
    .doc =
        "A gradient: a tilted plane or a cone. Level before `start` and beyond `end`. Bend it with `remap`.",
    .spread = ORO_SPREAD_TILES, .reach = ORO_REACH_CELL, .kernel = "source/ramp.comp");
