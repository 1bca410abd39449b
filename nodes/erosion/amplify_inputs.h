/* What `amplify` and `amplify_chain` share: the inputs of a level. */
#ifndef ORO_NODES_EROSION_AMPLIFY_INPUTS_H
#define ORO_NODES_EROSION_AMPLIFY_INPUTS_H

#include "nodes/lib/flow_inputs.h"

#define ORO_AMPLIFY_PARAMS                                                                                   \
    int ground, iterations, rounds, thermal_iterations, deposition_iterations;                               \
    float detail, roughness, smoothness, along, strength, variation, erodibility, hardness, depth, mask;     \
    float repose, repose_variation, variation_size, amount;                                                  \
    int deposition_method;                                                                                   \
    ORO_DEPOSITION_PARAMS;                                                                                   \
    ORO_FLOW_PARAMS;                                                                                         \
    ORO_STREAM_POWER_PARAMS;                                                                                 \
    int seed

enum { ORO_GROUND_KEPT, ORO_GROUND_FREE };
static const char *const oro_ground_words[] = {"kept", "free", NULL};

#define ORO_IN_GROUND(params)                                                                                \
    ORO_IN_CHOICE(params, ground, ORO_GROUND_KEPT, oro_ground_words,                                         \
                  .doc = "kept: the ground keeps its height, and gets detail as strong as its larger forms " \
                         "let expect. free: it is eroded as `erodibility` says, and gets lower")

#define ORO_IN_DETAIL(params)                                                                                \
    ORO_IN_MAP(params, detail, 1, .when = "ground=kept", .min = 0, .max = 20, .soft_max = 3,                 \
               .group = "Detail",                                                                            \
               .doc = "Where ground is kept: how strong detail is, relative to what the larger forms let "   \
                      "expect"),                                                                             \
        ORO_IN_MAP(params, roughness, 0.3, .when = "ground=kept", .min = 0, .max = 20, .soft_max = 3,        \
                   .group = "Detail",                                                                        \
                   .doc = "Where ground is kept: texture of the rock where no water runs, and irregularity " \
                          "of what water carves"),                                                           \
        ORO_IN_FLOAT(params, smoothness, 0.24, .when = "ground=kept", .min = 0, .max = 1, .group = "Detail", \
                     .doc = "Where ground is kept: how far detail of a cell's width is smoothed in each "    \
                            "level. 0 leaves gullies of one cell's width, 1 makes them broad"),              \
        ORO_IN_FLOAT(params, along, 0.5, .when = "ground=kept", .min = 0, .max = 1, .group = "Detail",       \
                     .doc = "Where ground is kept: how far detail is smoothed along the fall of the "        \
                            "ground. More makes long gullies and spurs, 0 knobs"),                           \
        ORO_IN_FLOAT(params, depth, 0, .min = 0, .max = 10000, .soft_max = 200, .unit = ORO_METRE,           \
                     .group = "Detail", .doc = "A level carves no deeper than this. 0: no limit")

#define ORO_IN_EROSION(params)                                                                               \
    ORO_IN_INT(params, iterations, 26, .min = 0, .max = 100000, .soft_max = 4000,                            \
               .group = "Fluvial erosion", .doc = "Steps of fluvial erosion in a level"),                    \
        ORO_IN_INT(params, rounds, 3, .when = "ground=kept", .min = 1, .max = 32,                            \
                   .group = "Fluvial erosion",                                                               \
                   .doc = "Where ground is kept: parts that erosion is cut into. After each, the ground is " \
                          "raised to its height again"),                                                     \
        ORO_IN_FLOAT(params, strength, 0.6, .when = "ground=kept", .min = 0, .max = 10, .soft_max = 1,       \
                     .group = "Fluvial erosion",                                                             \
                     .doc = "Where ground is kept: how far a step lowers a stream with the slope of its "    \
                            "surroundings, as a share of its fall from cell to cell"),                       \
        ORO_IN_FLOAT(params, variation, 0.33, .when = "ground=kept", .min = 0, .max = 3, .soft_max = 1,      \
                     .group = "Fluvial erosion",                                                             \
                     .doc = "Where ground is kept: how much that varies from place to place; 0.6 nearly "    \
                            "doubles or halves it"),                                                         \
        ORO_IN_FLOAT(params, erodibility, 0.0005, .min = 0, .max = 1, .soft_max = 0.005,                     \
                     .group = "Fluvial erosion",                                                             \
                     .doc = "Where ground is free: depth that one step carves where slope and drainage "     \
                            "area are 1, in reference cells (coefficient k)"),                               \
        ORO_IN_MAP(params, hardness, 0, .min = 0, .max = 1, .group = "Fluvial erosion",                      \
                   .doc = "Resistance of the rock: 0 erodes freely, 1 not at all"),                          \
        ORO_IN_INT(params, thermal_iterations, 10, .min = 0, .max = 100000, .soft_max = 4000,                \
                   .group = "Thermal erosion", .doc = "Steps of thermal erosion in a level"),                \
        ORO_IN_MAP(params, repose, 52, .min = 0, .max = 89, .soft_min = 20, .soft_max = 60,                  \
                   .unit = ORO_DEGREE, .group = "Thermal erosion",                                           \
                   .doc = "Angle at which loose material comes to rest"),                                    \
        ORO_IN_FLOAT(params, repose_variation, 7.9, .min = 0, .max = 45, .unit = ORO_DEGREE,                 \
                     .group = "Thermal erosion", .doc = "How far noise varies it, up and down"),             \
        ORO_IN_FLOAT(params, variation_size, 435, .min = 0.1, .max = 1e6, .soft_min = 10, .soft_max = 5000,  \
                     .unit = ORO_METRE, .group = "Thermal erosion", .doc = "Size of that noise's features"), \
        ORO_IN_FLOAT(params, amount, 0.00005, .when = "ground=free", .min = 0, .max = 1, .soft_max = 0.001,  \
                     .group = "Thermal erosion",                                                             \
                     .doc = "Where ground is free: what slides at most in one step, in metres per square "   \
                            "metre of reference cell"),                                                      \
        ORO_IN_INT(params, deposition_iterations, 0, .min = 0, .max = 100000, .soft_max = 4000,              \
                   .group = "Deposition",                                                                    \
                   .doc = "Steps of deposition in a level, of what fluvial erosion carved at that level"),   \
        ORO_IN_CHOICE(params, deposition_method, 0, oro_deposition_words, .group = "Deposition",             \
                      .doc = ORO_DEPOSITION_METHODS),                                                        \
        ORO_IN_DEPOSITION(params, .group = "Deposition")

#endif
