/* Stretches and bends the values of a raster. */
#include <math.h>

#include "graph/type/node.h"
#include "nodes/lib/range.h"

struct params {
    bool automatic, clamp;
    float low, high, to_low, to_high;
    struct oro_profile curve;
};

static const struct oro_input inputs[] = {
    ORO_IN_FIELD("field", .doc = "Values to change"),
    ORO_IN_BOOL(struct params, automatic, true, .group = "From",
                .doc = "Takes the lowest and the highest value of the input instead of `low` and `high`"),
    ORO_IN_FLOAT(struct params, low, 0, .when = "automatic=false", .min = -1e9, .max = 1e9, .soft_min = -1000,
                 .soft_max = 4000, .group = "From", .doc = "Value that becomes `to_low`"),
    ORO_IN_FLOAT(struct params, high, 1000, .when = "automatic=false", .min = -1e9, .max = 1e9,
                 .soft_min = -1000, .soft_max = 4000, .group = "From", .doc = "Value that becomes `to_high`"),
    ORO_IN_FLOAT(struct params, to_low, 0, .min = -1e9, .max = 1e9, .soft_min = -1000, .soft_max = 4000,
                 .group = "To", .doc = "New value of the low end"),
    ORO_IN_FLOAT(struct params, to_high, 1, .min = -1e9, .max = 1e9, .soft_min = -1000, .soft_max = 4000,
                 .group = "To",
                 .doc = "New value of the high end. Below `to_low` it turns the raster upside down"),
    ORO_IN_PROFILE(
        struct params, curve, "0 0, 1 1",
        .doc = "Bends the values between the ends: from 0..1 to 0..1, where 0 is the low end and 1 the high "
               "one"),
    ORO_IN_BOOL(
        struct params, clamp, true,
        .doc =
            "Values outside the range stay at its ends; otherwise they go on beyond them in a straight line"),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_FIELD("field", .role = ORO_ROLE_FIELD, .like = "field", .doc = "Between `to_low` and `to_high`"),
    {0},
};

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    float range[2] = {p->low, p->high};
    if (p->automatic && !oro_field_range(e, "field", range))
        return false;
    return oro_eval_default(e, &(struct oro_dispatch){.constants = {{"low", range[0]}, {"high", range[1]}}});
}

static const struct oro_use uses[] = {
    {.id = "invert",
     .label = "Invert a mask",
     .words = "inverse, negate, reverse, flip values, one minus, complement",
     .set = {{"automatic", "false"}, {"high", "1"}, {"to_low", "1"}, {"to_high", "0"}}},
    {.id = "clamp",
     .label = "Clamp",
     .words = "limit, cut off, clip values, min max",
     .set = {{"automatic", "false"}, {"to_high", "1000"}}},
    {0},
};

ORO_NODE(remap, .version = 1, .category = "filter",
         .words = "levels, curves, clamp, map range, fit, contrast, gamma, bias, gain, histogram, "
                  "brightness, rescale, tone, expander",
         .uses = uses,
         .doc =
             "Brings values from one range to another, through a curve: turns elevation into a mask, a mask "
             "into metres, "
             "or makes terraces.",
         .kernel = "filter/remap.comp", .reach = ORO_REACH_CELL, .spread = ORO_SPREAD_TILES, .eval = eval);
