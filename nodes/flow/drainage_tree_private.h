/* Ground in tiles, on the device or on the processor: shared by drainage_tree*.c. */
#ifndef ORO_NODES_FLOW_DRAINAGE_TREE_PRIVATE_H
#define ORO_NODES_FLOW_DRAINAGE_TREE_PRIVATE_H

#include "nodes/flow/drainage_tree.h"

bool oro_drainage_tree_is_tiled(struct oro_drainage_tree *tree, struct oro_buffer *z);
bool oro_drainage_tree_tiled_route(struct oro_drainage_tree *tree, struct oro_buffer *z);
bool oro_drainage_tree_tiled_collect(struct oro_drainage_tree *tree, bool rain, struct oro_buffer *drainage,
                                     struct oro_buffer *carved);
bool oro_drainage_tree_tiled_carve(struct oro_drainage_tree *tree, struct oro_buffer *z,
                                   struct oro_buffer *carved);
bool oro_drainage_tree_tiled_fill(struct oro_drainage_tree *tree, bool sloped, struct oro_buffer *filled);
bool oro_drainage_tree_tiled_number(struct oro_drainage_tree *tree,
                                    struct oro_drainage_tree_numbers *numbers);
void oro_drainage_tree_free_tiles(struct oro_drainage_tree *tree);

#endif
