/*
 * The drainage tree of ground in tiles, by kernels: each tile of this rank in turn is a patch, on which the
 * kernels of drainage_tree.h run as on ground of its own. What goes beyond it is told, and found, by the
 * messages of terrain/drainage/, which are those of its own tiles: both give the same bits, and tiles may be
 * worked on by either.
 *
 * All functions are called by all ranks, in the same order, and fail on all of them.
 */
#ifndef ORO_NODES_FLOW_DRAINAGE_PATCHES_H
#define ORO_NODES_FLOW_DRAINAGE_PATCHES_H

#include "nodes/flow/drainage_cells.h"
#include "nodes/flow/drainage_kernels.h"
#include "terrain/drainage/tile.h"

/* What is kept of a tile. */
struct oro_drainage_patch {
    int number;                   /* of the tile */
    struct oro_tiled_tile tile;   /* without directions */
    struct oro_tiled_graph graph; /* exits: also once ways are turned */
    float *ring;                  /* heights around, in the order of gles_shaders/lib/patch.glsl */
    uint32_t *ways, way_count;    /* that are turned: a cell of the patch, and the one that it leads to */
    struct oro_buffer *next;      /* its receivers; NULL: they are found anew each time */
    bool routed;                  /* `next` has them */
    /* Once ways are turned. Rim cells, ascending; and of each entry the number of the exit that it leads to,
     * or ORO_TILED_NONE, that exit's cell or the outlet's, and the cells to there. */
    uint32_t *exits, *entries, exit_count, entry_count, *entry_exit, *entry_end, *entry_ahead;
};

enum { ORO_PATCH_SHAPES = 4 }; /* tiles at the east and the south may be smaller */

struct oro_drainage_patches {
    struct oro_drainage_tree *whole;
    struct oro_drainage_tiles tiles;
    struct oro_tiled_ground ground;
    struct oro_drainage_patch *own; /* in the order of their tiles */
    int own_count;
    bool valid;  /* the ground was routed by them */
    bool turned; /* ways are known */
    /* The patch at hand: its tree and ground; results; and lists with one value a rim cell. */
    struct oro_drainage_tree tree;
    struct oro_drainage_tree_edges edges;
    struct {
        int width, height;
        struct oro_dispatch *dispatches;
    } shapes[ORO_PATCH_SHAPES];
    struct oro_buffer *z, *out, *next, *places, *values, *list, *inflow[TREE_PARTS];
    uint32_t list_capacity;
    bool unfit; /* on this rank: something that kernels cannot do, or that others say better */
};

/* Routes the ground `z`; tree->patches are made at the first time. `*unfit`: it cannot be done by kernels,
 * and nothing has failed. */
bool oro_drainage_patches_route(struct oro_drainage_tree *tree, struct oro_buffer *z, bool *unfit);
void oro_drainage_patches_free(struct oro_drainage_patches *patches);

/* As oro_drainage_tree_collect and oro_drainage_tree_fill (level), into rasters in tiles. `*unfit` as above.
 */
bool oro_drainage_patches_area(struct oro_drainage_patches *patches, bool rain, struct oro_buffer *to,
                               bool *unfit);
bool oro_drainage_patches_carve(struct oro_drainage_patches *patches, struct oro_buffer *to, bool *unfit);
bool oro_drainage_patches_fill(struct oro_drainage_patches *patches, struct oro_buffer *to, bool *unfit);

/* ---- Shared by drainage_patches*.c ---- */

/* The number of a cell of the terrain among those of a tile. */
static inline uint32_t oro_drainage_patch_cell(const struct oro_tiled_block *block,
                                               struct oro_tiled_cell cell)
{
    return (uint32_t)(cell.y - block->y) * (uint32_t)block->width + (uint32_t)(cell.x - block->x);
}
/* Forgets all but its buffer. */
void oro_drainage_patch_clear(struct oro_drainage_patch *patch);
/* Makes a patch the one at hand: its ground, receivers, maps. */
bool oro_drainage_patch_take(struct oro_drainage_patches *patches, struct oro_drainage_patch *patch);
/* Routes the patch at hand as far as it is known whole. */
bool oro_drainage_patch_join(struct oro_drainage_patches *patches, const struct oro_drainage_patch *patch);
/* Turns its ways, as its answer said. */
bool oro_drainage_patch_turn(struct oro_drainage_patches *patches, const struct oro_drainage_patch *patch);
/* Writes patches->out to the patch's tile of a raster. */
bool oro_drainage_patch_store(struct oro_drainage_patches *patches, const struct oro_drainage_patch *patch,
                              struct oro_buffer *to);
/* Values of a buffer at some places, which are no more than the patch's rim cells; the caller frees them.
 * NULL: failed. */
uint32_t *oro_drainage_patch_read(struct oro_drainage_patches *patches, struct oro_buffer *from,
                                  const uint32_t *places, uint32_t count);
/* Writes them; `least`: where they are less, as signed numbers. */
bool oro_drainage_patch_write(struct oro_drainage_patches *patches, struct oro_buffer *to,
                              const uint32_t *places, const uint32_t *values, uint32_t count, bool least);
/* The slots, or cells of the patch, of some rim cells; the caller frees them. NULL: failed. */
uint32_t *oro_drainage_patch_slots(struct oro_drainage_patches *patches,
                                   const struct oro_drainage_patch *patch, const uint32_t *rim,
                                   uint32_t count);
uint32_t *oro_drainage_patch_cells(struct oro_drainage_patches *patches,
                                   const struct oro_drainage_patch *patch, const uint32_t *rim,
                                   uint32_t count);
/* Place along the edge (patch.glsl) of a rim cell; how many there are. */
size_t oro_drainage_patch_edge(const struct oro_drainage_patch *patch, uint32_t rim);
size_t oro_drainage_patch_edges(const struct oro_drainage_patch *patch);
void *oro_drainage_patches_alloc(struct oro_drainage_patches *patches, size_t count, size_t size);

/* Whether all is well on every rank: what failed on one has failed on all, and what is unfit on one is on
 * all. */
bool oro_drainage_patches_agree(struct oro_drainage_patches *patches, bool ok, bool *unfit);

/* A flow through all tiles: `tell` fills a patch's values (flow.h), of exits and entries, whose rim cells and
 * ways are there. The answers are freed by oro_tiled_free_all. NULL: it failed, or is unfit. */
typedef bool oro_drainage_teller(struct oro_drainage_patches *patches, struct oro_drainage_patch *patch,
                                 struct oro_tiled_flows *flows, void *user);
struct oro_tiled_bytes *oro_drainage_patches_flow(struct oro_drainage_patches *patches,
                                                  enum oro_tiled_flow flow, oro_drainage_teller *tell,
                                                  void *user, bool *unfit);
/* The answer for a patch; the caller frees it. NULL: failed. */
struct oro_tiled_values *oro_drainage_patch_answer(struct oro_drainage_patches *patches,
                                                   const struct oro_drainage_patch *patch,
                                                   enum oro_tiled_flow flow,
                                                   const struct oro_tiled_bytes *answers);
/* Lets what comes in at the entries take part in what travels from now on: `fields` values for each. NULL:
 * nothing comes in any more. */
bool oro_drainage_patch_come_in(struct oro_drainage_patches *patches, const struct oro_drainage_patch *patch,
                                const uint32_t *values, int fields);

#endif
