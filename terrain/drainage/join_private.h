#ifndef ORO_TERRAIN_DRAINAGE_JOIN_PRIVATE_H
#define ORO_TERRAIN_DRAINAGE_JOIN_PRIVATE_H

#include "terrain/drainage/join.h"

/* A saddle between two vertices: an edge of one of the blocks, or a way from one to another. */
struct oro_tiled_link {
    uint64_t number; /* as in the graph of the larger block */
    uint32_t level;
    uint32_t lower, upper; /* vertices of all blocks */
    uint32_t child, edge;  /* block and its edge; ORO_TILED_NONE: between blocks */
};

/* Vertices of all blocks are numbered one after the other: vertex v of block i is base[i] + v, but for the
 * outside, which is 0. What leads to one another through exits is one basin: it is named by the vertex at
 * its end. */
struct oro_tiled_join {
    struct oro_tiled_family family;
    int children;
    struct oro_tiled_graph *graph; /* of each block */
    uint32_t *base;
    uint32_t vertices, *owner; /* block of each vertex */
    uint32_t *next;            /* of each vertex with an exit to another of the blocks: the vertex there */
    uint32_t *end;             /* the last of them */
    bool *stays; /* of each basin: it reaches the larger block's shared rim, or is the outside */
    struct oro_tiled_link *links;
    size_t link_count, link_capacity;
    /* In the order of links: those that join a basin to its group for good, and those that become edges of
     * the larger block. A group is what was joined to one basin that stays: that basin, of each basin. */
    uint32_t *trees, *edges;
    uint32_t tree_count, edge_count;
    uint32_t *group;
    struct oro_tiled_ending ending;
};

/* A rim cell of one of the blocks. */
struct oro_tiled_place {
    uint32_t child, rim;
};
struct oro_tiled_place oro_tiled_join_place(const struct oro_tiled_join *join, struct oro_tiled_cell cell);
/* Its vertex; the outside where it has none. */
uint32_t oro_tiled_join_vertex(const struct oro_tiled_join *join, struct oro_tiled_place place);
/* Where a vertex has its exit: true if it has one. */
bool oro_tiled_join_exit(const struct oro_tiled_join *join, uint32_t vertex, struct oro_tiled_place *place,
                         struct oro_tiled_cell *to);
/* The lower or upper cell of a link between blocks. */
struct oro_tiled_cell oro_tiled_link_cell(const struct oro_tiled_join *join,
                                          const struct oro_tiled_link *link, bool upper);

bool oro_tiled_join_no_memory(const struct oro_tiled_family *family, struct oro_error *err);
bool oro_tiled_join_misfit(const struct oro_tiled_family *family, struct oro_error *err);

/* join_links.c: all saddles that may be in the spanning tree, in their order. */
bool oro_tiled_join_links(struct oro_tiled_join *join, struct oro_error *err);

#endif
