/*
 * Going along the drainage tree, the tree of receivers, on all processors. Work that comes from upstream is
 * done inside of strips first, work that comes from below is done there last; one thread goes through the
 * head of the order (routing_private.h).
 */
#ifndef ORO_TERRAIN_DRAINAGE_DRAINAGE_TREE_PRIVATE_H
#define ORO_TERRAIN_DRAINAGE_DRAINAGE_TREE_PRIVATE_H

#include "terrain/drainage/routing_private.h"

/* A part of the cells, for one thread. */
struct oro_drainage_tree_part {
    const uint32_t *receiver;
    const uint32_t *order; /* this part of it */
    size_t count;          /* of cells in it */
};

/* What is done in one direction along the tree. Both functions may be NULL. */
struct oro_drainage_tree_work {
    void (*cells)(void *user, size_t first, size_t end); /* for all cells of a strip: before */
    void (*part)(void *user, const struct oro_drainage_tree_part *part); /* along the tree */
    void *user;
};

/* Down goes from the leaves, through parts from their end; up goes from the outlets, through parts from their
 * beginning. `ground` may be NULL; else it is asked whether to stop, and both fail with ORO_E_CANCELLED. */
bool oro_drainage_tree_down(const struct oro_routing *routing, const struct oro_ground *ground,
                            const struct oro_drainage_tree_work *work, struct oro_error *err);
bool oro_drainage_tree_up(const struct oro_routing *routing, const struct oro_ground *ground,
                          const struct oro_drainage_tree_work *work, struct oro_error *err);

/* All cells in pieces of strips, on all processors. */
bool oro_drainage_tree_cells(const struct oro_routing *routing, const struct oro_ground *ground,
                             void (*cells)(void *user, size_t first, size_t end), void *user,
                             struct oro_error *err);

#endif
