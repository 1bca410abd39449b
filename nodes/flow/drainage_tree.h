/*
 * The drainage tree for nodes: the exact way from every cell to an outlet, and what follows from it.
 * terrain/drainage/routing.h has the rules and terrain/drainage/drain.h the meaning of the results. The
 * work is done by kernels on the device or, where the device is the processor anyway, by the functions of
 * those headers, or by terrain/drainage/tiled.h where rasters lie in tiles. All give the same bits.
 *
 * Needs the inputs of nodes/flow/drainage_tree_inputs.h. A tree belongs to one evaluation. It can be routed
 * again and again, over other ground of the same size. Errors are the evaluation's, as with all of
 * graph/type/node.h.
 */
#ifndef ORO_NODES_FLOW_DRAINAGE_TREE_H
#define ORO_NODES_FLOW_DRAINAGE_TREE_H

#include "nodes/flow/drainage_state.h"

/* Makes the buffers, for ground of the outputs' size. Call oro_drainage_tree_end at the end, also after a
 * failure. */
bool oro_drainage_tree_begin(struct oro_eval *eval, float sea, int borders, struct oro_drainage_tree *tree);
/* The same with outlets of the caller's choice, where `outlets` is above 0.5; it needs no inputs. */
bool oro_drainage_tree_begin_to(struct oro_eval *eval, struct oro_buffer *outlets,
                                struct oro_drainage_tree *tree);
void oro_drainage_tree_end(struct oro_drainage_tree *tree);

/* Finds the receivers over `z`, which must stay unchanged until the next call. */
bool oro_drainage_tree_route(struct oro_drainage_tree *tree, struct oro_buffer *z);

/* Fills `drainage` with what drains through each cell, in m^2, weighted by the input `rain` if `rain`; and
 * `carved` with the ground carved until it drains. Either may be NULL. `carved` must not be the ground's
 * buffer. */
bool oro_drainage_tree_collect(struct oro_drainage_tree *tree, bool rain, struct oro_buffer *drainage,
                               struct oro_buffer *carved);
/* The same as route(z) and collect(false, NULL, carved) with a `fall` of 0, for those who need no routing
 * afterwards: there is none then. */
bool oro_drainage_tree_carve(struct oro_drainage_tree *tree, struct oro_buffer *z, struct oro_buffer *carved);
/* The same as collect(false, NULL, carved) by a priority flood (Barnes 2014); no routing is
 * needed before, and it always runs on the processor. */
bool oro_drainage_tree_breach_by_flood(struct oro_drainage_tree *tree, struct oro_buffer *z,
                                       struct oro_buffer *carved);
/* The ground with its depressions full: level, or (`sloped`) one step higher with every cell. */
bool oro_drainage_tree_fill(struct oro_drainage_tree *tree, bool sloped, struct oro_buffer *filled);

/* Cell numbers of the receivers (an outlet: its own), as uint32. NULL: failed. */
struct oro_buffer *oro_drainage_tree_receivers(struct oro_drainage_tree *tree);

/* Whether the ground that was routed last lies in tiles: then there are directions and no receivers. */
bool oro_drainage_tree_has_tiles(const struct oro_drainage_tree *tree);
/* The same as neighbour numbers, for ground in tiles: 0..7 in the order of their rows; an outlet: 8. */
struct oro_buffer *oro_drainage_tree_directions(struct oro_drainage_tree *tree);

/* Solves h(p) = a(p) + b(p) h(receiver of p), with h = a in outlets, for all cells at once: two such steps in
 * a row are again one such step (nodes/erosion/stream_power.c has a use). `b` is overwritten; `h` may be
 * neither of the two. On the processor cells are gone through in the order of the tree, on the device by
 * pointer doubling: they agree up to rounding. */
bool oro_drainage_tree_solve(struct oro_drainage_tree *tree, struct oro_buffer *a, struct oro_buffer *b,
                             struct oro_buffer *h);

/* Fills the buffers. `level` is what oro_drainage_tree_fill(false) gave. */
bool oro_drainage_tree_number(struct oro_drainage_tree *tree, struct oro_buffer *level,
                              struct oro_drainage_tree_numbers *numbers);

#endif
