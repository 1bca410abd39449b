/* Inputs that every node with flowing water has, so that they agree in name, range and meaning. */
#ifndef ORO_NODES_LIB_FLOW_INPUTS_H
#define ORO_NODES_LIB_FLOW_INPUTS_H

#include "graph/type/node.h"

/* Fields of the params struct that the macros below need. */
#define ORO_FLOW_PARAMS                                                                                      \
    float flow_exponent, rain;                                                                               \
    int borders
#define ORO_STREAM_POWER_PARAMS                                                                              \
    float slope_exponent, area_exponent, slope_limit, area_limit, reference_cell;                            \
    int area_unit

static const char *const oro_border_words[] = {"outflow", "walls", NULL};
static const char *const oro_area_words[] = {"cells", "square_metres", NULL};

#define ORO_IN_FLOW(params)                                                                                  \
    ORO_IN_MAP(params, rain, 1, .min = 0, .max = 100, .soft_max = 4, .group = "Flow",                        \
               .doc = "Rain, relative to the rest: 1 everywhere, or a map"),                                 \
        ORO_IN_FLOAT(                                                                                        \
            params, flow_exponent, 1.3, .min = 1, .max = 8, .soft_max = 4, .group = "Flow",                  \
            .doc = "How strongly water prefers the steepest way down: 1 spreads it, 8 follows one way"),     \
        ORO_IN_CHOICE(params, borders, 0, oro_border_words, .group = "Flow",                                 \
                      .doc = "outflow: water and sediment leave over the border. walls: nothing leaves")

#define ORO_IN_STREAM_POWER(params) ORO_IN_STREAM_POWER_UP_TO(params, 250)
#define ORO_IN_STREAM_POWER_UP_TO(params, cells)                                                             \
    ORO_IN_FLOAT(params, slope_exponent, 2, .min = 0, .max = 4, .group = "Stream power",                     \
                 .doc = "Exponent n of the slope"),                                                          \
        ORO_IN_FLOAT(params, area_exponent, 0.8, .min = 0, .max = 2, .group = "Stream power",                \
                     .doc = "Exponent m of the drainage area"),                                              \
        ORO_IN_FLOAT(                                                                                        \
            params, slope_limit, 45, .min = 1, .max = 89, .unit = ORO_DEGREE, .group = "Stream power",       \
            .doc = "Slopes above this erode no faster: keeps steep ground from being cut to pieces"),        \
        ORO_IN_FLOAT(params, area_limit, cells, .min = 1e-4, .max = 1e16, .soft_min = 1, .soft_max = 2000,   \
                     .group = "Stream power",                                                                \
                     .doc =                                                                                  \
                         "Drainage areas above this, in `area_unit`, erode no faster: keeps valleys from "   \
                         "becoming canyons, and channels of every size alike. Ground of which most is "      \
                         "above it is worn down evenly, without valleys"),                                   \
        ORO_IN_CHOICE(params, area_unit, 0, oro_area_words, .group = "Stream power",                         \
                      .doc = "What `area_limit` counts. cells: cells of the grid that is eroded, so that "   \
                             "every level of detail has channels of the same number of cells; reference "    \
                             "cells where `duration` counts, so that levels agree. "                         \
                             "square_metres: the same ground at every level"),                               \
        ORO_IN_FLOAT(                                                                                        \
            params, reference_cell, 20, .min = 0.01, .max = 1e5, .soft_min = 1, .soft_max = 200,             \
            .unit = ORO_METRE, .group = "Stream power",                                                      \
            .doc = "Side of the reference cell: depths are multiples of it, and drainage area is counted "   \
                   "in it. It does not change with the resolution. Where `iterations` are given, one "       \
                   "carves the same in a channel at every level, and on slopes, where water spreads, finer " \
                   "levels carve less; where `duration` counts, levels carve the same on average. "          \
                   "Larger: only larger streams carve")

static const char *const oro_deposition_words[] = {"plains", "hollows", NULL};

/* Inputs of deposition that have the same name where it is a part. */
#define ORO_DEPOSITION_PARAMS float creation, settling, capacity, least_slope
#define ORO_IN_DEPOSITION(params, ...)                                                                       \
    ORO_IN_FLOAT(params, creation, 0.1, .min = 0, .max = 10, .soft_max = 1,                                  \
                 .doc = "Sediment taken up, per stream power (coefficient k_c)", __VA_ARGS__),               \
        ORO_IN_FLOAT(params, settling, 0.1, .min = 0, .max = 1,                                              \
                     .doc = "Share of the sediment beyond what the stream can carry that settles in one "    \
                            "iteration (coefficient k_d)",                                                   \
                     __VA_ARGS__),                                                                           \
        ORO_IN_FLOAT(params, capacity, 100, .min = 0, .max = 1e6, .soft_max = 1000,                          \
                     .doc = "For plains: what a stream can carry, per stream power. More makes flatter "     \
                            "plains that reach further; less makes steep fans and cones at the foot of "     \
                            "the slopes, and fills valleys",                                                 \
                     __VA_ARGS__),                                                                           \
        ORO_IN_FLOAT(params, least_slope, 0.2, .min = 0, .max = 20, .soft_max = 2, .unit = ORO_DEGREE,       \
                     .doc = "Sediment makes no ground flatter than this: valley floors keep a fall",         \
                     __VA_ARGS__)
#define ORO_DEPOSITION_METHODS                                                                               \
    "Where sediment settles. plains: wherever a stream has more than it can carry, until the ground is as "  \
    "steep as the load needs: fans, cones, plains, flat floors of valleys and basins. hollows: only where "  \
    "the ground is hollow, which it levels"

#define ORO_IN_DRAINAGE                                                                                      \
    ORO_IN_FIELD("drainage", .optional = true, .unit = ORO_SQUARE_METRE, .group = "Flow",                    \
                 .doc = "Drainage area to start from, of any resolution: link that of the level before")

#endif
