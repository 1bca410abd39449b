/* What the nodes that make terrains drain have in common: their outputs, and how a result is given. */
#ifndef ORO_NODES_FLOW_BREACHING_H
#define ORO_NODES_FLOW_BREACHING_H

#include "graph/type/node.h"

/* Gives `terrain`, blended with the input terrain by the mask, `depth` (the output of that name: how far
 * cells were lowered or raised) and `mask`, and the figures deepest_cut, deepest_trench, cut_volume,
 * cut_cells, or, where cells were raised, highest_raise, raise_volume, raise_cells. */
bool oro_breaching_give(struct oro_eval *eval, struct oro_buffer *changed, const char *depth, bool raised);

#endif
