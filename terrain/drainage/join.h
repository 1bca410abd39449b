/*
 * Step 2. Blocks that cover a larger one are joined: from their graphs comes the graph of the larger block,
 * by the rule that makes the graph of a tile. The block that is the whole terrain has no shared rim: all of
 * its basins are joined to the outside. Then answers go down again, from the larger block's to one for each
 * of those that it was joined from.
 *
 * Any number of blocks may be joined at once. With many tiles, four at a time are joined to larger ones
 * first, so that what comes last has few. Time and memory go by the rim cells of the blocks.
 */
#ifndef ORO_TERRAIN_DRAINAGE_JOIN_H
#define ORO_TERRAIN_DRAINAGE_JOIN_H

#include "terrain/drainage/graph.h"

/* A block that is cut into others of the same size, but for the last of each row and column. */
struct oro_tiled_family {
    struct oro_tiled_grid grid;
    struct oro_tiled_block block;
    int width, height; /* of those that it is cut into */
};
int oro_tiled_family_count(const struct oro_tiled_family *family);
struct oro_tiled_block oro_tiled_family_block(const struct oro_tiled_family *family, int which);
/* Which of them has a cell of the block. */
int oro_tiled_family_of(const struct oro_tiled_family *family, struct oro_tiled_cell cell);

struct oro_tiled_join;

/* `graphs`: the messages of the blocks, in their order. Adds the graph of the larger block to `message`,
 * which may be NULL for the whole terrain. Fails with ORO_E_EVALUATE where a message is damaged, they don't
 * fit each other, or water has nowhere to go; ORO_E_MEMORY. Returns NULL then. */
struct oro_tiled_join *oro_tiled_join(const struct oro_tiled_family *family,
                                      const struct oro_tiled_view *graphs, struct oro_tiled_bytes *message,
                                      struct oro_error *err);
void oro_tiled_join_free(struct oro_tiled_join *join);

/* `answer`: that of the larger block, NULL for the whole terrain. Adds the answer for each of its blocks to
 * `answers`. Fails likewise. */
bool oro_tiled_part(const struct oro_tiled_join *join, const struct oro_tiled_view *answer,
                    struct oro_tiled_bytes *answers, struct oro_error *err);

/* The pits, flats and waters that end in pits, of all the blocks (struct oro_tiled_graph). */
struct oro_tiled_ending {
    uint64_t pits, flats, ending;
};
struct oro_tiled_ending oro_tiled_join_ending(const struct oro_tiled_join *join);

#endif
