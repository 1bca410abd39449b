/* The kernels of exact drainage over ground that is whole, or a part of one that is not, and how they are
 * run. */
#ifndef ORO_NODES_FLOW_DRAINAGE_KERNELS_H
#define ORO_NODES_FLOW_DRAINAGE_KERNELS_H

#include "nodes/flow/drainage_state.h"

enum oro_drainage_tree_kernel {
    TREE_TILE,
    TREE_FOREST,
    TREE_FOLLOW,
    TREE_LEVELS,
    TREE_NUMBERS,
    TREE_JOIN,
    TREE_MERGE,
    TREE_WALK,
    TREE_REVERSE,
    TREE_BREACH,
    TREE_BREACH_TILES,
    TREE_DRAINAGE,
    TREE_RAIN_DRAINAGE,
    TREE_FLOOD,
    TREE_SLOPED_FLOOD,
    TREE_ROOTS,
    TREE_SPILLS,
    TREE_MARK,
    TREE_COUNT,
    TREE_ASSIGN,
    TREE_LABEL,
    TREE_LABEL_SPILLS,
    TREE_DIRECTIONS,
    TREE_SOLVE_START,
    TREE_SOLVE,
    TREE_DROP,
    TREE_GRADE_START,
    TREE_RISE,
    TREE_LOWER,
    TREE_FALL,
    /* Of patches. */
    TREE_FIX,
    TREE_LIST,
    TREE_REVERSE_PATHS,
    TREE_READ,
    TREE_WRITE,
    TREE_LEAST,
    /* Of flats: a kernel for each field of terrain/drainage/flats.h, in their order; TREE_TILE with what
     * comes of it. */
    TREE_FLATS_START,
    TREE_FLATS,
    TREE_FLATS_CHOOSE = TREE_FLATS + 4,
    TREE_TILE_FLATS,
    /* For each of what travels along the tree. */
    TREE_RIM_START,
    TREE_LEAVE = TREE_RIM_START + 8,
    TREE_RIM_ADVANCE = TREE_LEAVE + 8,
    TREE_RIM_ADD = TREE_RIM_ADVANCE + 8,
    TREE_ENTER = TREE_RIM_ADD + 8,
    TREE_KERNEL_COUNT = TREE_ENTER + 8,
};

/* What travels along the tree: the lowest step, numbers of cells, rain, grades of channels; and up the tree
 * ways to the outlets, in units of length or in cells, and the highest level, or step, on them. */
enum oro_drainage_tree_travel {
    TREE_LOWEST,
    TREE_CELLS,
    TREE_RAIN,
    TREE_GRADE,
    TREE_PATH,
    TREE_CELLS_OF_PATH,
    TREE_HIGHEST,
    TREE_SLOPED_HIGHEST,
    TREE_TRAVELS
};
/* The slots of what that consists of: on the rims of tiles before and after a round (NULL: a round changes it
 * in place), and the result. */
enum { TREE_PARTS = 2 };
struct oro_drainage_tree_part_slots {
    const char *name, *out, *type, *result; /* no result: what only tiles need to know */
};
extern const struct oro_drainage_tree_part_slots oro_drainage_tree_parts[TREE_TRAVELS][TREE_PARTS];
/* Slots of the rim of a tile, and tiles along a side: gles_shaders/lib/tiles.glsl. */
enum { ORO_DRAINAGE_TREE_RIM = 128 };
static inline int oro_drainage_tree_tiles(int side)
{
    return (side - 1) / (ORO_DRAINAGE_TREE_RIM / 4) + 1;
}

/* The first `count` scratch buffers; some are NULL after a failure. */
struct oro_buffer **oro_drainage_tree_scratch(struct oro_drainage_tree *tree, int count);

/* Whether the node has such an input, and it is linked. */
bool oro_drainage_tree_links(const struct oro_drainage_tree *tree, const char *name);
/* Makes the buffers for kernels over the tree's grid, and the dispatches. */
bool oro_drainage_tree_begin_kernels(struct oro_drainage_tree *tree);
/* Makes the dispatches. */
bool oro_drainage_tree_plan(struct oro_drainage_tree *tree);
void oro_drainage_tree_set(struct oro_drainage_tree *tree, int kernel, const char *constant, double value);
/* Runs a kernel on buffers by the names of its slots; `z`, `next`, `flags` and `outlets` are always the
 * tree's: TREE_RUN(tree, TREE_MARK, {"jump", jump}, {"mark", mark}). */
struct oro_drainage_tree_slot {
    const char *name;
    struct oro_buffer *buffer;
};
bool oro_drainage_tree_run(struct oro_drainage_tree *tree, int kernel,
                           const struct oro_drainage_tree_slot *slots);
#define TREE_RUN(tree, kernel, ...)                                                                          \
    oro_drainage_tree_run(tree, kernel, (const struct oro_drainage_tree_slot[]){__VA_ARGS__, {0}})

/* Lets the rims of all of the kernels' tiles know what comes in there, or lies beyond. */
bool oro_drainage_tree_cross(struct oro_drainage_tree *tree, enum oro_drainage_tree_travel what);
/* Fills `results`, one for each part that has one. */
bool oro_drainage_tree_travel(struct oro_drainage_tree *tree, enum oro_drainage_tree_travel what,
                              struct oro_buffer *const *results);

/* Pairs of flags that stay as they are: both down, and for rounds (gles_shaders/lib/rounds.glsl) to begin
 * with. */
enum { TREE_DOWN = ORO_DRAINAGE_TREE_FLAGS, TREE_GO = TREE_DOWN + 2, TREE_STAY = 4 };
/* Reserves `count` flags that are down; returns the number of the first, or -1. After
 * oro_drainage_tree_need_flags there is room for half of all before those in use are given away again.
 * oro_drainage_tree_flag_up tells how a flag was at the last oro_drainage_tree_read_flags. */
void oro_drainage_tree_need_flags(struct oro_drainage_tree *tree);
int oro_drainage_tree_new_flags(struct oro_drainage_tree *tree, int count);
bool oro_drainage_tree_read_flags(struct oro_drainage_tree *tree);
bool oro_drainage_tree_flag_up(const struct oro_drainage_tree *tree, int flag);

/* Work can be queued as a whole, so that it waits for the device only once. After oro_drainage_tree_trust,
 * oro_drainage_tree_look does not read its flag but trusts that it is down, until oro_drainage_tree_end_trust
 * reads them all. If one was up, tree->wary is set: the results are wrong, and have to be found again without
 * trust, as all later ones. `queued`: whether queueing went well. */
void oro_drainage_tree_trust(struct oro_drainage_tree *tree);
bool oro_drainage_tree_look(struct oro_drainage_tree *tree, int flag, bool *up);
bool oro_drainage_tree_end_trust(struct oro_drainage_tree *tree, bool queued);

/* Rounds of doubling that usually suffice. */
int oro_drainage_tree_usual_rounds(const struct oro_drainage_tree *tree);
/* Runs `kernel` until its flag stays down. */
bool oro_drainage_tree_repeat(struct oro_drainage_tree *tree, int kernel,
                              const struct oro_drainage_tree_slot *slots);

/* Lowers `lowest`, the lowest steps of plain carving, along channels to the gradient of tree->fall, and sets
 * tree->gentle. The content of `scratch` is lost. */
enum { TREE_GRADE_SCRATCH = 5 };
bool oro_drainage_tree_grade(struct oro_drainage_tree *tree, struct oro_buffer *lowest,
                             struct oro_buffer *const *scratch);

/* Lets grades come down their ways, as far as they are within the limits of its cells. */
bool oro_drainage_tree_descend(struct oro_drainage_tree *tree, struct oro_buffer *limit,
                               struct oro_buffer *grade);

/* oro_drainage_tree_route by kernels. */
bool oro_drainage_kernels_route(struct oro_drainage_tree *tree, struct oro_buffer *z);
/* The same of oro_drainage_tree_collect, _carve, _fill, _solve and _number. */
bool oro_drainage_kernels_collect(struct oro_drainage_tree *tree, bool rain, struct oro_buffer *drainage,
                                  struct oro_buffer *carved);
bool oro_drainage_kernels_carve(struct oro_drainage_tree *tree, struct oro_buffer *z,
                                struct oro_buffer *carved);
bool oro_drainage_kernels_fill(struct oro_drainage_tree *tree, bool sloped, struct oro_buffer *filled);
bool oro_drainage_kernels_solve(struct oro_drainage_tree *tree, struct oro_buffer *a, struct oro_buffer *b,
                                struct oro_buffer *h);
bool oro_drainage_kernels_number(struct oro_drainage_tree *tree, struct oro_buffer *level,
                                 struct oro_drainage_tree_numbers *numbers);

/* Queues the routing over `z`, as far as it usually goes; once the flags have been read,
 * oro_drainage_tree_is_routed tells whether that was all of it. If not, oro_drainage_kernels_route has to do
 * it.
 */
bool oro_drainage_tree_queue_route(struct oro_drainage_tree *tree, struct oro_buffer *z);
bool oro_drainage_tree_is_routed(const struct oro_drainage_tree *tree);

/* The edges of a part of a terrain, for the tree of that part. Lists by place along the edge are in the order
 * of gles_shaders/lib/patch.glsl. */
struct oro_drainage_tree_edges {
    int borders, shared;           /* sides where the terrain ends, and goes on: bits as in patch.glsl */
    struct oro_buffer *sea, *rain; /* of the part, where they are linked */
    /* Heights around the part; directions of the cells whose ways leave it (8: no exit). */
    struct oro_buffer *ring, *exits;
    /* Of the cells beyond exits: the way from there and the step to it, and the height of its outlet; lowest
     * step and ground. */
    struct oro_buffer *beyond_way, *beyond_base, *beyond_low, *beyond_ground;
    /* What comes in from beyond with what travels down: at slots of `places`, the values of each part. */
    uint32_t inflow_count;
    struct oro_buffer *places, *inflow[TREE_PARTS];
    struct oro_buffer *parts[TREE_PARTS]; /* of what crossed last, on the rims */
    /* Of what was routed last: a height is no number, or water cannot leave; there is a pit or an exit; or a
     * flat. */
    bool bad, pits, flats;
};
/* Routing of a part, in two steps, between which components can be looked at: joins what is known whole;
 * turns ways. */
bool oro_drainage_tree_join_part(struct oro_drainage_tree *tree, struct oro_buffer *z);
bool oro_drainage_tree_turn_part(struct oro_drainage_tree *tree);
/* Lists the saddles between its components, as gles_shaders/flow/routing_list.comp says. */
bool oro_drainage_tree_list_part(struct oro_drainage_tree *tree, struct oro_buffer *list, uint32_t capacity);
struct oro_buffer *oro_drainage_tree_components(struct oro_drainage_tree *tree);

#endif
