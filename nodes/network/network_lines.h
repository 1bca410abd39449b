/* What nodes that find networks in a terrain share. */
#ifndef ORO_NODES_NETWORK_NETWORK_LINES_H
#define ORO_NODES_NETWORK_NETWORK_LINES_H

#include "graph/type/node.h"

/* Fields of the params struct that the macro below needs. */
#define ORO_LINES_PARAMS                                                                                     \
    float simplify;                                                                                          \
    int smooth

#define ORO_IN_LINES(params)                                                                                 \
    ORO_IN_FLOAT(                                                                                            \
        params, simplify, 50, .min = 0, .max = 1e5, .soft_max = 1000, .unit = ORO_METRE, .group = "Lines",   \
        .doc =                                                                                               \
            "How far lines may be off, sideways and in height, to have fewer vertices: 0 keeps every bend"), \
        ORO_IN_INT(params, smooth, 2, .min = 0, .max = 100, .soft_max = 10, .group = "Lines",                \
                   .doc = "Rounds of smoothing, which take away the steps of the cells: 0 for none")

/* Gives an empty network, and warns: `why`. */
bool oro_give_no_network(struct oro_eval *eval, const char *why);

#endif
