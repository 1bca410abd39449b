/* Joins two rasters cell by cell. */
#include "graph/type/node.h"

struct params {
    float a, b, t, smoothness, mask;
    int method;
};

static const char *const methods[] = {"add",        "subtract",   "multiply", "min", "max",
                                      "smooth_min", "smooth_max", "lerp",     NULL};

static const struct oro_input inputs[] = {
    ORO_IN_MAP(struct params, a, 0, .doc = "First raster, or a number"),
    ORO_IN_MAP(struct params, b, 0, .doc = "Second raster, or a number. It takes on the size of the first"),
    ORO_IN_CHOICE(
        struct params, method, 0, methods,
        .doc = "add: a + b. subtract: a - b. multiply: a b. min, max: the lower, the higher. smooth_min, "
               "smooth_max: the same with a rounded seam. lerp: from a to b by `t`"),
    ORO_IN_FLOAT(
        struct params, smoothness, 50, .when = "method=smooth_min|smooth_max", .min = 0, .max = 1e6,
        .soft_max = 500, .unit = ORO_METRE,
        .doc = "Of smooth_min and smooth_max: the seam is rounded where a and b differ by less than this"),
    ORO_IN_MAP(struct params, t, 0.5, .label = "Share of b", .when = "method=lerp", .min = 0, .max = 1,
               .doc = "Of lerp: 0 gives a, 1 gives b"),
    ORO_IN_MAP(struct params, mask, 1, .role = ORO_ROLE_MASK, .min = 0, .max = 1, .group = "Mask",
               .doc = "Strength of the effect: 0 leaves a as it is, 1 gives the full result"),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_FIELD("field", .role = ORO_ROLE_FIELD, .unit_of = "a b", .doc = "The result"),
    {0},
};

static const struct oro_use uses[] = {
    {.id = "blend",
     .label = "Blend",
     .words = "mix, lerp, interpolate, crossfade, opacity, layer, composite, fade",
     .set = {{"method", "lerp"}}},
    {.id = "max",
     .label = "Maximum",
     .words = "max, lighten, union, higher, combine, merge",
     .set = {{"method", "max"}}},
    {.id = "min",
     .label = "Minimum",
     .words = "min, darken, intersection, lower, combine",
     .set = {{"method", "min"}}},
    {.id = "multiply",
     .label = "Multiply",
     .words = "times, product, apply mask, math, combine",
     .set = {{"method", "multiply"}}},
    {.id = "subtract",
     .label = "Subtract",
     .words = "minus, difference, math, carve out, combine",
     .set = {{"method", "subtract"}}},
    {.id = "soft_max",
     .label = "Soft maximum",
     .words = "smooth maximum, smooth union, rounded seam, combine",
     .set = {{"method", "smooth_max"}}},
    {0},
};

ORO_NODE(combine, .version = 1, .category = "filter",
         .words = "add, math, merge, sum, plus, arithmetic, layer, stack, join, boolean", .uses = uses,
         .doc = "Joins two rasters, or a raster and a number, cell by cell.", .kernel = "filter/combine.comp",
         .reach = ORO_REACH_CELL, .spread = ORO_SPREAD_TILES);
