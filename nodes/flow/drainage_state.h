/*
 * What a drainage tree consists of, for those who find it: kernels, patches of tiles, the processor. Nodes
 * use it by nodes/flow/drainage_tree.h.
 */
#ifndef ORO_NODES_FLOW_DRAINAGE_STATE_H
#define ORO_NODES_FLOW_DRAINAGE_STATE_H

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
    struct oro_dispatch *dispatches; /* nodes/flow/drainage_kernels.c */

    /* Of ground in tiles: on the device (nodes/flow/drainage_patches.h), and where kernels do not do on the
     * processor (nodes/flow/drainage_tree_tiles.c). Both NULL: the ground is whole. */
    struct oro_drainage_patches *patches;
    struct oro_drainage_tree_tiles *tiles;
    struct oro_drainage_tree_edges *edges; /* not NULL: this is the tree of one of the patches */
    /* On the processor, whole. */
    float *host_z, *host_sea;
    struct oro_ground ground;
    struct oro_routing routing;
    struct oro_carving_scratch carving;
};

/* What cells belong to, as floats. */
struct oro_drainage_tree_numbers {
    struct oro_buffer *watersheds; /* 1, 2, ... in the order of the outlets */
    struct oro_buffer *lakes;      /* 1, 2, ... in the order of the cells that they spill over; 0: dry */
    struct oro_buffer *spills;     /* in those cells the lake's number, else 0 */
    struct oro_buffer *receivers;  /* neighbour numbers 0..7; an outlet: 8 */
    uint32_t watershed_count, lake_count;
};

#endif
