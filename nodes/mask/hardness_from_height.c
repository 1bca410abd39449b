/* How hard the rock is: harder on high ground, and nowhere quite the same. */
#include <math.h>

#include "graph/type/node.h"

struct params {
    float low, high, to_low, to_high, noise, radius;
    int seed;
};

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.doc = "Elevation that the rock's hardness follows"),
    ORO_IN_FLOAT(struct params, low, 0, .min = -1e6, .max = 1e6, .soft_min = -1000, .soft_max = 8000,
                 .unit = ORO_METRE, .group = "Height",
                 .doc =
                     "Elevation of hardness `to_low`. `low` equal to `high` takes the terrain's own range"),
    ORO_IN_FLOAT(struct params, high, 0, .min = -1e6, .max = 1e6, .soft_min = -1000, .soft_max = 8000,
                 .unit = ORO_METRE, .group = "Height", .doc = "Elevation of hardness `to_high`"),
    ORO_IN_FLOAT(struct params, to_low, 0.2, .min = 0, .max = 1, .group = "Height",
                 .doc = "Hardness of the lowest ground: 0 soft, 1 hard. Level ground has it too"),
    ORO_IN_FLOAT(struct params, to_high, 0.8, .min = 0, .max = 1, .group = "Height",
                 .doc = "Hardness of the highest ground. Below `to_low`, high ground is the softer"),
    ORO_IN_FLOAT(struct params, noise, 0.3, .min = 0, .max = 1, .group = "Variation",
                 .doc = "How much harder or softer the rock is from place to place: two standard deviations, "
                        "so that 95 of 100 places lie within this"),
    ORO_IN_FLOAT(struct params, radius, 200, .min = 0, .max = 1e6, .soft_max = 2000, .unit = ORO_METRE,
                 .doc = "The hardness has no smaller features than about this: radius of `blur` for the "
                        "elevation, and size of the noise's patches"),
    ORO_IN_SEED(struct params, seed),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_FIELD("field", .role = ORO_ROLE_FIELD, .like = "terrain",
                  .doc = "0 soft, 1 hard: for `hardness`"),
    {0},
};

/* The terrain's elevation as hardness, blurred. */
static int add_height(struct oro_build *b, const struct params *p)
{
    int scaled = oro_build_node(b, "remap", "scale");
    oro_build_forward(b, scaled, "field", "terrain");
    oro_build_number(b, scaled, "automatic", p->low == p->high);
    for (int i = 0; i < 4; i++) {
        const char *name = (const char *const[]){"low", "high", "to_low", "to_high"}[i];
        oro_build_forward(b, scaled, name, name);
    }
    int blurred = oro_build_node(b, "blur", "blur");
    oro_build_link(b, blurred, "field", scaled, "field");
    oro_build_forward(b, blurred, "radius", "radius");
    return blurred;
}

/* Jako 2011 blurs noise that every cell has on its own, and what is left of that depends on how many cells
 * the blur is wide. This one is as smooth, and fixed to the world: gradient noise in layers of much the same
 * size, turned against each other, which is as much alike at a distance of `radius` as blurred noise is
 * (1/e). The standard deviation is that of a layer, 0.306, by the square root of 4; measured over many of its
 * features, as is the size. */
static int add_noise(struct oro_build *b, const struct params *p)
{
    const double deviation = 0.306 / 2, largest = 2.9, least = 0.01;
    int noise = oro_build_node(b, "noise", "noise");
    oro_build_forward(b, noise, "like", "terrain");
    oro_build_forward(b, noise, "seed", "seed");
    oro_build_number(b, noise, "octaves", 4);
    oro_build_number(b, noise, "lacunarity", 1.2);
    oro_build_number(b, noise, "gain", 1);
    oro_build_number(b, noise, "feature", fmax(largest * (double)p->radius, least));
    oro_build_number(b, noise, "amplitude", (double)p->noise / 2 / deviation);
    return noise;
}

static bool expand(struct oro_build *b, const void *data)
{
    const struct params *p = data;
    int height = add_height(b, p), noise = add_noise(b, p);
    int sum = oro_build_node(b, "combine", "sum");
    oro_build_link(b, sum, "a", height, "field");
    oro_build_link(b, sum, "b", noise, "field");
    int limited = oro_build_node(b, "remap", "limit");
    oro_build_link(b, limited, "field", sum, "field");
    oro_build_number(b, limited, "automatic", 0);
    oro_build_number(b, limited, "low", 0);
    oro_build_number(b, limited, "high", 1);
    oro_build_output(b, "field", limited, "field");
    return true;
}

ORO_NODE(
    hardness_from_height, .version = 1, .category = "mask",
    .words = "hardness, rock hardness, erodibility, resistance, soft rock",
    .doc = "Hardness of rock from elevation: high ground is harder, for it is what resisted, and noise makes "
           "it vary from place to place, so that erosion works unevenly. Scaled, blurred, and held to 0..1. "
           "The noise is fixed to the world: a place has the same at every resolution.",
    .paper = "Jako 2011, section 4", .expand = expand);
