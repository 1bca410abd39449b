/* One level of multi-scale amplification: finer, carved, stabilised, filled. */
#include "graph/type/node.h"
#include "nodes/lib/flow_inputs.h"

struct params {
    int factor, iterations, thermal_iterations, deposition_iterations, seed;
    float erodibility, hardness, mask;
    float repose, repose_variation, variation_size, amount;
    int deposition_method;
    ORO_DEPOSITION_PARAMS;
    ORO_FLOW_PARAMS;
    ORO_STREAM_POWER_PARAMS;
};

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.doc = "Elevation to amplify"),
    ORO_IN_DRAINAGE,
    ORO_IN_INT(struct params, factor, 2, .min = 1, .max = 64, .soft_max = 8,
               .doc = "How many times more cells along each side; 1 erodes without refining"),
    ORO_IN_INT(struct params, iterations, 600, .min = 0, .max = 100000, .soft_max = 4000,
               .group = "Fluvial erosion", .doc = "Steps of fluvial erosion"),
    ORO_IN_FLOAT(
        struct params, erodibility, 0.0005, .min = 0, .max = 1, .soft_max = 0.005, .group = "Fluvial erosion",
        .doc = "Depth that one iteration carves where slope and drainage area are 1, in reference cells "
               "(coefficient k)"),
    ORO_IN_MAP(struct params, hardness, 0, .min = 0, .max = 1, .group = "Fluvial erosion",
               .doc = "Resistance of the rock: 0 erodes freely, 1 not at all"),
    ORO_IN_INT(struct params, thermal_iterations, 200, .min = 0, .max = 100000, .soft_max = 4000,
               .group = "Thermal erosion", .doc = "Steps of thermal erosion"),
    ORO_IN_MAP(struct params, repose, 46.6, .min = 0, .max = 89, .soft_min = 20, .soft_max = 60,
               .unit = ORO_DEGREE, .group = "Thermal erosion",
               .doc = "Angle at which loose material comes to rest"),
    ORO_IN_FLOAT(struct params, repose_variation, 7.9, .min = 0, .max = 45, .unit = ORO_DEGREE,
                 .group = "Thermal erosion", .doc = "How far noise varies it, up and down"),
    ORO_IN_FLOAT(struct params, variation_size, 435, .min = 0.1, .max = 1e6, .soft_min = 10, .soft_max = 5000,
                 .unit = ORO_METRE, .group = "Thermal erosion", .doc = "Size of that noise's features"),
    ORO_IN_FLOAT(struct params, amount, 0.00005, .min = 0, .max = 1, .soft_max = 0.001,
                 .group = "Thermal erosion",
                 .doc = "What slides at most in one iteration, in metres per square metre of reference cell"),
    ORO_IN_INT(struct params, deposition_iterations, 400, .min = 0, .max = 100000, .soft_max = 4000,
               .group = "Deposition",
               .doc = "Steps of deposition, of what fluvial erosion carved at this level"),
    ORO_IN_CHOICE(struct params, deposition_method, 0, oro_deposition_words, .group = "Deposition",
                  .doc = ORO_DEPOSITION_METHODS),
    ORO_IN_DEPOSITION(struct params, .group = "Deposition"),
    ORO_IN_STREAM_POWER(struct params),
    ORO_IN_FLOW(struct params),
    ORO_IN_SEED(struct params, seed),
    ORO_IN_MASK(struct params),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_TERRAIN(.doc = "Elevation at the finer resolution"),
    ORO_OUT_FIELD("drainage", .unit = ORO_SQUARE_METRE,
                  .doc = "Area that drains through each cell: link it to the next level"),
    ORO_OUT_FIELD("eroded", .unit = ORO_METRE, .doc = "Depth that fluvial erosion carved at this level"),
    ORO_OUT_FIELD("deposited", .unit = ORO_METRE, .doc = "Depth of sediment that settled at this level"),
    {0},
};

static void forward(struct oro_build *b, int node, const char *const *names)
{
    for (; *names; names++)
        oro_build_forward(b, node, *names, *names);
}

static const char *const flow_names[] = {"rain",           "flow_exponent", "borders",    "slope_exponent",
                                         "area_exponent",  "slope_limit",   "area_limit", "area_unit",
                                         "reference_cell", "mask",          NULL};
static const char *const fluvial_names[] = {"iterations", "erodibility", "hardness", "drainage", NULL};
static const char *const thermal_names[] = {
    "repose", "repose_variation", "variation_size", "amount", "reference_cell", "seed", "mask", NULL};
static const char *const deposition_names[] = {"creation", "settling", "capacity", "least_slope", NULL};

static bool expand(struct oro_build *b, const void *data)
{
    const struct params *p = data;
    int finer = p->factor > 1 ? oro_build_node(b, "upsample", "upsample") : -1;
    if (finer >= 0) {
        oro_build_forward(b, finer, "terrain", "terrain");
        oro_build_forward(b, finer, "factor", "factor");
    }

    int fluvial = oro_build_node(b, "fluvial_erosion", "fluvial_erosion");
    if (finer >= 0)
        oro_build_link(b, fluvial, "terrain", finer, "terrain");
    else
        oro_build_forward(b, fluvial, "terrain", "terrain");
    forward(b, fluvial, flow_names);
    forward(b, fluvial, fluvial_names);

    int thermal = oro_build_node(b, "thermal_erosion", "thermal_erosion");
    oro_build_link(b, thermal, "terrain", fluvial, "terrain");
    oro_build_forward(b, thermal, "iterations", "thermal_iterations");
    forward(b, thermal, thermal_names);

    /* Levels count iterations: each is meant for its own cells. */
    oro_build_number(b, fluvial, "duration", 0);
    oro_build_number(b, thermal, "duration", 0);

    int deposition = oro_build_node(b, "deposition", "deposition");
    oro_build_link(b, deposition, "terrain", thermal, "terrain");
    oro_build_link(b, deposition, "drainage", fluvial, "drainage");
    oro_build_link(b, deposition, "sediment", fluvial, "eroded");
    oro_build_forward(b, deposition, "iterations", "deposition_iterations");
    oro_build_number(b, deposition, "duration", 0);
    oro_build_forward(b, deposition, "method", "deposition_method");
    forward(b, deposition, flow_names);
    forward(b, deposition, deposition_names);

    oro_build_output(b, "terrain", deposition, "terrain");
    oro_build_output(b, "drainage", deposition, "drainage");
    oro_build_output(b, "eroded", fluvial, "eroded");
    oro_build_output(b, "deposited", deposition, "deposited");
    return true;
}

static const struct oro_node_migration migrations[] = {
    ORO_STREAM_POWER_MIGRATIONS,
    {.from = 1, .new_name = "deposition_method", .value = "hollows"},
    {.from = 1, .new_name = "deposition_iterations", .value = "200"},
    {0}};

ORO_NODE(
    amplify, .version = 2, .category = "erosion", .migrations = migrations,
    .doc = "Adds one level of detail to a terrain: refines it, carves it by fluvial erosion, lets steep "
           "slopes slide, and "
           "drops the sediment. A chain of these turns a sketch of 128 cells into a landscape of 4096. Above "
           "the "
           "resolution of a preview the terrain passes unchanged.",
    .paper = "Schott 2024, sections 3 and 4: A = D(T(E(U)))", .expand = expand);
