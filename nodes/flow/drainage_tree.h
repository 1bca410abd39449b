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

#include "graph/type/node.h"
#include "terrain/drainage/drain.h"

enum { ORO_DRAINAGE_TREE_SCRATCH = 5, ORO_DRAINAGE_TREE_RIMS = 11, ORO_DRAINAGE_TREE_FLAGS = 1024 };

struct oro_drainage_tree_edges;

struct oro_drainage_tree {
    struct oro_eval *eval;
    struct oro_grid grid; /* of the outputs; or of a part of it (nodes/flow/drainage_patches.h) */
    float sea, rain;      /* the literals of the inputs of these names; `rain` is 1 until it is set */
    /* Least fall of carved channels, in metres per cell of their length: oro_breach. 0 until it is set. */
    float fall;
    double gentle; /* cells of channels that fell by less, at the last collect() */
    bool walls;
    bool on_processor;

    struct oro_buffer *outlets; /* NULL: the borders and the sea */
    struct oro_buffer *z;       /* the ground routed last */
    /* On the device: receivers, and buffers that routing and the work after it share, made as they are
     * needed. */
    struct oro_buffer *next, *scratch[ORO_DRAINAGE_TREE_SCRATCH], *flags;
    struct oro_buffer *rims[ORO_DRAINAGE_TREE_RIMS]; /* a slot for each cell on the rim of a tile */
    int flags_used, first_flag, batch_flag;
    uint32_t seen[ORO_DRAINAGE_TREE_FLAGS];
    bool at_once, wary; /* flags are, and are no more, trusted to be down: oro_drainage_tree_trust */
    int trusted[16], trusted_count;
    struct oro_dispatch *dispatches; /* nodes/flow/drainage_tree_kernels.c */

    /* Of ground in tiles: on the device (nodes/flow/drainage_patches.h), and where kernels do not do on the
     * processor (nodes/flow/drainage_tree_tiles.c). Both NULL: the ground is whole. */
    struct oro_drainage_patches *patches;
    struct oro_drainage_tree_tiles *tiles;
    struct oro_drainage_tree_edges *edges; /* not NULL: this is the tree of one of the patches */
    /* On the processor, whole. */
    float *host_z, *host_sea;
    struct oro_ground ground;
    struct oro_routing routing;
    struct oro_carving_room carving;
};

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
/* The same as collect(false, NULL, carved) by a priority flood (Barnes 2014); no routing is needed before,
 * and it always runs on the processor. */
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

/* What cells belong to, as floats. */
struct oro_drainage_tree_numbers {
    struct oro_buffer *watersheds; /* 1, 2, ... in the order of the outlets */
    struct oro_buffer *lakes;      /* 1, 2, ... in the order of the cells that they spill over; 0: dry */
    struct oro_buffer *spills;     /* in those cells the lake's number, else 0 */
    struct oro_buffer *receivers;  /* neighbour numbers 0..7; an outlet: 8 */
    uint32_t watershed_count, lake_count;
};
/* Fills the buffers. `level` is what oro_drainage_tree_fill(false) gave. */
bool oro_drainage_tree_number(struct oro_drainage_tree *tree, struct oro_buffer *level,
                              struct oro_drainage_tree_numbers *numbers);

#endif
