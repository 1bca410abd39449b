/*
 * The drainage tree of whole ground by the functions of terrain/drainage/, with the same results as the
 * kernels: for devices that are the processor, for the priority flood, and to say what is wrong.
 */
#ifndef ORO_NODES_FLOW_DRAINAGE_HOST_H
#define ORO_NODES_FLOW_DRAINAGE_HOST_H

#include "nodes/flow/drainage_state.h"

bool oro_drainage_tree_host_ground(struct oro_drainage_tree *tree, struct oro_buffer *z);
bool oro_drainage_tree_host_route(struct oro_drainage_tree *tree);
bool oro_drainage_tree_host_collect(struct oro_drainage_tree *tree, bool rain, struct oro_buffer *drainage,
                                    struct oro_buffer *carved);
bool oro_drainage_tree_host_carve(struct oro_drainage_tree *tree, struct oro_buffer *carved);
bool oro_drainage_tree_host_fill(struct oro_drainage_tree *tree, bool sloped, struct oro_buffer *filled);
bool oro_drainage_tree_host_receivers(struct oro_drainage_tree *tree, struct oro_buffer *receivers);
bool oro_drainage_tree_host_solve(struct oro_drainage_tree *tree, struct oro_buffer *a, struct oro_buffer *b,
                                  struct oro_buffer *h);
bool oro_drainage_tree_host_number(struct oro_drainage_tree *tree, struct oro_buffer *level,
                                   struct oro_drainage_tree_numbers *numbers);
/* Lets the functions of terrain/drainage/ say what is wrong with the ground, and returns false. */
bool oro_drainage_tree_host_complain(struct oro_drainage_tree *tree, bool filling);
/* oro_drainage_tree_breach_by_flood. */
bool oro_drainage_tree_host_flood(struct oro_drainage_tree *tree, struct oro_buffer *z,
                                  struct oro_buffer *carved);

#endif
