/* What the nodes that make terrains drain have in common: their outputs, and how a result is given. */
#ifndef ORO_NODES_FLOW_BREACHING_H
#define ORO_NODES_FLOW_BREACHING_H

#include "nodes/flow/drainage_tree.h"

/* Give `terrain`, which is `changed` blended with the input terrain by the mask, and `mask`. Of carved ground
 * also `carved`, how far cells were lowered; `drainage`, for which `tree` is routed anew over the terrain
 * that is given; and the figures deepest_cut, deepest_trench, cut_volume, cut_cells. Of filled ground
 * `filled` and the figures highest_raise, raise_volume, raise_cells. */
bool oro_breaching_give_carved(struct oro_drainage_tree *tree, struct oro_buffer *changed);
bool oro_breaching_give_filled(struct oro_eval *eval, struct oro_buffer *changed);

#endif
