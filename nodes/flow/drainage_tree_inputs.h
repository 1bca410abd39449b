/* Inputs of the nodes that find out where water goes, so that they agree in name, range and meaning. */
#ifndef ORO_NODES_FLOW_DRAINAGE_TREE_INPUTS_H
#define ORO_NODES_FLOW_DRAINAGE_TREE_INPUTS_H

#include "nodes/lib/flow_inputs.h"

/* Fields of the params struct that the macro below needs. */
#define ORO_OUTLET_PARAMS                                                                                    \
    float sea;                                                                                               \
    int borders

#define ORO_IN_OUTLETS(params)                                                                               \
    ORO_IN_MAP(params, sea, 0, .role = ORO_ROLE_SEA, .min = 0, .max = 1, .group = "Outlets",                 \
               .doc = "Where this mask is above 0.5, water has arrived: the sea, or lakes that are wanted"), \
        ORO_IN_CHOICE(params, borders, 0, oro_border_words, .group = "Outlets",                              \
                      .doc = "outflow: water leaves over the border. walls: it leaves into the sea alone")

/* For the nodes' `shape`: gives the size of the terrain, and fails before any work is done if water has no
 * way out, because there are walls all around and no sea. */
bool oro_outlets_shape(struct oro_shape *shape, float sea, int borders, struct oro_grid *grid);

/* Rasters that the drainage tree takes on the device besides its inputs and results, for .scratch_fields. */
enum { ORO_DRAINAGE_TREE_FIELDS = 8 };

#endif
