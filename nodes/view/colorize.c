/* Colours from a field. */
#include "graph/type/node.h"
#include "nodes/lib/range.h"

struct params {
    bool automatic;
    int interpolation;
    float low, high, light, shading;
    struct oro_gradient colours;
    float layer1, layer2, layer3, layer4;
    float colour1[4], colour2[4], colour3[4], colour4[4];
};

static const char *const interpolations[] = {"linear", "smooth", "steps", NULL};

#define LAYER(number, standard, what)                                                                        \
    ORO_IN_MAP(struct params, layer##number, 0, .min = 0, .max = 1, .group = "Layers", .doc = (what)),       \
        ORO_IN_COLOUR(struct params, colour##number, standard, .group = "Layers",                            \
                      .doc = "Its colour; opacity limits how much of it is seen")

static const struct oro_input inputs[] = {
    ORO_IN_FIELD("field",
                 .doc = "What colours are given by: elevation, slope, moisture, `step` of `terrace`"),
    ORO_IN_GRADIENT(struct params, colours,
                    "0 #46603c, 0.2 #66784a, 0.4 #9a9362, 0.6 #a08366, 0.8 #8a817c, 1 #f2f4f8",
                    .doc = "The colours from `low` (position 0) to `high` (position 1); constant beyond the "
                           "first and the last. With `low` 0 and `high` 1 positions are values of the field"),
    ORO_IN_CHOICE(struct params, interpolation, 0, interpolations,
                  .doc = "Between two colours. linear: evenly, as the eye sees it. smooth: slower next to "
                         "each. steps: the first, up to the next"),
    ORO_IN_BOOL(struct params, automatic, true, .group = "Range",
                .doc = "Takes the lowest and the highest value of the field instead of `low` and `high`"),
    ORO_IN_FLOAT(struct params, low, 0, .when = "automatic=false", .min = -1e9, .max = 1e9, .soft_min = -1000,
                 .soft_max = 4000, .group = "Range", .doc = "Value of position 0"),
    ORO_IN_FLOAT(struct params, high, 1000, .when = "automatic=false", .min = -1e9, .max = 1e9,
                 .soft_min = -1000, .soft_max = 4000, .group = "Range", .doc = "Value of position 1"),
    LAYER(1, "#6b5a4a",
          "How much of the first layer lies on the gradient: 0 none, 1 all of it. A mask such as "
          "that of steep ground"),
    LAYER(2, "#3f5a2c", "The same of a second, which lies on the first"),
    LAYER(3, "#c8b98c", "Of a third"),
    LAYER(4, "#ffffff", "Of a fourth, which lies on all others"),
    ORO_IN_IMAGE("shade", .optional = true, .group = "Light",
                 .doc = "The colours are multiplied by those of this picture, such as a `hillshade` with a "
                        "`tint` of 0"),
    ORO_IN_FLOAT(struct params, shading, 1, .min = 0, .max = 1, .group = "Light",
                 .doc = "Strength of that: 0 none, 1 full"),
    ORO_IN_MAP(struct params, light, 1, .min = 0, .max = 10, .soft_max = 2, .group = "Light",
               .doc = "The colours are multiplied by this, too: a number to brighten the picture, a field to "
                      "shade it"),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_IMAGE("image", .like = "field", .doc = "The picture"),
    ORO_OUT_IMAGE("splat", .like = "field",
                  .doc = "How much is seen of each layer, for materials: red is the first, green the second, "
                         "blue the third, alpha the fourth, together at most 1. What is missing is the "
                         "gradient's. Where there is no fourth layer alpha is 0, and viewers of pictures "
                         "may show nothing"),
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

ORO_NODE(
    colorize, .version = 1, .category = "view",
    .words = "colour map, SatMap, texture, splat map, colour ramp, gradient map, albedo, diffuse, weight "
             "map, materials, palette, paint, hypsometric tint, biome, CLUT",
    .doc =
        "Paints a terrain: a gradient of colours along a field, and up to four layers on it, each a colour "
        "where its mask is. Gives a picture, and the layers' weights for the materials of other programs. "
        "Colours are mixed as they are written, sRGB-encoded, as painting programs do.",
    .spread = ORO_SPREAD_TILES, .reach = ORO_REACH_CELL, .kernel = "view/colorize.comp", .eval = eval);
