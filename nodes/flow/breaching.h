/* What the nodes that make terrains drain have in common: their outputs, and how a result is given. */
#ifndef ORO_NODES_FLOW_BREACHING_H
#define ORO_NODES_FLOW_BREACHING_H

#include "nodes/flow/drainage_tree.h"

/* The input of the params struct's float `least_gradient`, and what `fall` of the drainage tree it means. */
#define ORO_IN_LEAST_GRADIENT(params)                                                                        \
    ORO_IN_FLOAT(params, least_gradient, 0.05, .min = 0, .max = 45, .soft_max = 2, .unit = ORO_DEGREE,       \
                 .doc = "How steeply carved channels fall at least, so that their slopes survive in a file " \
                        "of 16 bits: 0.05 is 0.9 m in a kilometre. They become no lower than their outlet: " \
                        "where the ground is not high enough above it they fall evenly, by less. 0: by no "  \
                        "more than 32-bit numbers can tell")
float oro_breaching_fall(struct oro_eval *eval, float least_gradient);

/* Give `terrain`, which is `changed` blended with the input terrain by the mask, and `mask`. Of carved ground
 * also `carved`, how far cells were lowered; `drainage`, for which `tree` is routed anew over the terrain
 * that is given; and the figures deepest_cut, deepest_trench, cut_volume, cut_cells, gentle_cells
 * (drainage_tree.h). Of filled ground `filled` and the figures highest_raise, raise_volume, raise_cells. */
bool oro_breaching_give_carved(struct oro_drainage_tree *tree, struct oro_buffer *changed);
bool oro_breaching_give_filled(struct oro_eval *eval, struct oro_buffer *changed);

#endif
