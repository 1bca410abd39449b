/*
 * What a block tells of its drainage before it is joined with others, and what it is told then. Both go as
 * messages.
 *
 * Up, the graph. Its vertices are the block's basins (routing.h, rule 3) that reach its shared rim, and the
 * outside. A basin ends outside, in a pit of the block, or in an exit: a rim cell whose receiver lies
 * beyond. All other basins have been joined to one of these, over saddles that are in the spanning tree of
 * the whole terrain, as they were the lowest of basins that are known whole. The edges are saddles within
 * the block that may be in it: the spanning forest of the vertices. Of the rim the graph has the heights, for
 * saddles to other blocks.
 *
 * Down, the turns: over which of its edges, and from which rim cells, the block's basins are left, so that
 * the ways from there to their ends are turned round; and into which rim cells water comes from other
 * blocks.
 */
#ifndef ORO_TERRAIN_DRAINAGE_GRAPH_H
#define ORO_TERRAIN_DRAINAGE_GRAPH_H

#include "terrain/drainage/bytes.h"

enum { ORO_TILED_OUTSIDE = 0, ORO_TILED_NO_EXIT = 8 };
#define ORO_TILED_NONE UINT32_MAX

/* In the order of saddles (routing.h, rule 4). The number counts the block's cells row by row, which is the
 * same order as the whole terrain's: 4 * cell + direction. */
struct oro_tiled_edge {
    uint64_t number;
    uint32_t level;
    uint32_t lower, upper; /* vertices of its cell with the lower number, and of the other */
};

struct oro_tiled_graph {
    struct oro_tiled_block block;
    /* Of every rim cell. Where it is not shared, it has no vertex (ORO_TILED_NONE). */
    uint32_t rim, *vertex, *level;
    uint8_t *exit; /* a direction, or ORO_TILED_NO_EXIT */
    /* Vertices, numbered in the order in which they come along the rim, after the outside; and of each the
     * rim cell of its exit, or ORO_TILED_NONE. */
    uint32_t count, *exit_cell;
    uint32_t edge_count;
    struct oro_tiled_edge *edges; /* by level and number */
    /* For certificates: cells, outlets apart, that are pits, and that are flats (certificate.h); cells whose
     * steepest way ends in a pit, as far as is known within the block; of each vertex with an exit: the
     * cells whose steepest way leads there. Left out where `water` is NULL. */
    uint64_t pits, flats, ending, *water;
};

/* Makes room: a vertex for every rim cell at the most. Fails with ORO_E_MEMORY; free it in either case. */
bool oro_tiled_graph_begin(struct oro_tiled_graph *graph, const struct oro_tiled_block *block, bool water,
                           struct oro_error *err);
void oro_tiled_graph_free(struct oro_tiled_graph *graph);

/* Adds the message to `bytes`; look at bytes->failed. */
void oro_tiled_graph_write(const struct oro_tiled_graph *graph, struct oro_tiled_bytes *bytes);
/* Fails with ORO_E_EVALUATE where the message is damaged or of another block, or ORO_E_MEMORY; free the graph
 * in either case. */
bool oro_tiled_graph_read(struct oro_tiled_graph *graph, const struct oro_tiled_grid *grid,
                          const struct oro_tiled_block *block, struct oro_tiled_view message,
                          struct oro_error *err);

struct oro_tiled_turns {
    /* Edges over which a vertex is left: 2 * edge, + 1 if it is the upper one; ascending. */
    uint64_t *edges;
    /* Rim cells from which a vertex is left beyond the block: 8 * rim cell + direction; ascending. */
    uint64_t *leaving;
    size_t edge_count, leaving_count, edge_capacity, leaving_capacity;
    uint8_t *entry; /* of every rim cell: 1 if water comes in from another block */
    uint32_t rim;
    bool failed; /* memory was out while something was added */
};

bool oro_tiled_turns_begin(struct oro_tiled_turns *turns, const struct oro_tiled_block *block,
                           struct oro_error *err);
void oro_tiled_turns_free(struct oro_tiled_turns *turns);
void oro_tiled_turns_edge(struct oro_tiled_turns *turns, uint32_t edge, bool upper);
void oro_tiled_turns_leave(struct oro_tiled_turns *turns, uint32_t rim_cell, int direction);
/* Sorts what was added. */
void oro_tiled_turns_write(struct oro_tiled_turns *turns, const struct oro_tiled_block *block,
                           struct oro_tiled_bytes *bytes);
/* `edges`: those of the block's graph. Fails as oro_tiled_graph_read. */
bool oro_tiled_turns_read(struct oro_tiled_turns *turns, const struct oro_tiled_block *block, uint32_t edges,
                          struct oro_tiled_view message, struct oro_error *err);

#endif
