/* Shared by drainage_tree*.c: the kernels of exact drainage, and how they are run. */
#ifndef ORO_NODES_FLOW_DRAINAGE_TREE_PRIVATE_H
#define ORO_NODES_FLOW_DRAINAGE_TREE_PRIVATE_H

#include "nodes/flow/drainage_tree.h"

enum oro_drainage_tree_kernel {
    TREE_RECEIVERS,
    TREE_JUMP,
    TREE_BASINS,
    TREE_LEVELS,
    TREE_NUMBERS,
    TREE_LINK,
    TREE_EXITS,
    TREE_CLIMB_LINKS,
    TREE_MERGE,
    TREE_CLEAR,
    TREE_TURN,
    TREE_BREACH,
    TREE_DRAINAGE,
    TREE_RAIN_DRAINAGE,
    TREE_CLIMB_START,
    TREE_CLIMB,
    TREE_FLOOD,
    TREE_SLOPED_START,
    TREE_SLOPED_CLIMB,
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
    TREE_WAY_START,
    TREE_WAY,
    TREE_DROP,
    TREE_GRADE_START,
    TREE_GRADE_ADVANCE,
    TREE_GRADE_MEET,
    TREE_RISE,
    TREE_LOWER,
    /* Sums: those of the lowest step, of cells, of both, and of rain with and without. */
    TREE_START,
    TREE_ADVANCE = TREE_START + 8,
    TREE_ADD = TREE_ADVANCE + 8,
    TREE_KERNEL_COUNT = TREE_ADD + 8,
};

/* Which sums travel together. */
enum { TREE_SUM_LOWEST = 1, TREE_SUM_CELLS = 2, TREE_SUM_RAIN = 4 };
/* The slots of what travels, before and after a round. */
enum { TREE_SUMS = 4 };
extern const struct oro_drainage_tree_sum {
    int kind;
    const char *name, *out, *type;
} oro_drainage_tree_sums[TREE_SUMS];

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

void oro_drainage_tree_swap(struct oro_buffer **a, struct oro_buffer **b);

/* Reserves `count` flags that are down; returns the number of the first, or -1. oro_drainage_tree_flag_up
 * tells how a flag was at the last oro_drainage_tree_read_flags. */
int oro_drainage_tree_new_flags(struct oro_drainage_tree *tree, int count);
bool oro_drainage_tree_read_flags(struct oro_drainage_tree *tree);
bool oro_drainage_tree_flag_up(const struct oro_drainage_tree *tree, int flag);

/* Rounds of doubling that usually suffice. */
int oro_drainage_tree_usual_rounds(const struct oro_drainage_tree *tree);
/* Lets the pointers in `jump` lead to the ends of their chains. */
bool oro_drainage_tree_jump(struct oro_drainage_tree *tree, struct oro_buffer *jump);

/* Lowers `lowest`, the lowest steps of plain carving, along channels to the gradient of tree->fall, sets
 * tree->gentle, and leaves `pointer` at the receivers, for the lowest steps to be found once more. */
struct oro_drainage_tree_grading {
    struct oro_buffer *lowest, *pointer;
    struct oro_buffer *spare, *pointer_out, *room[5]; /* whose content is lost */
};
bool oro_drainage_tree_grade(struct oro_drainage_tree *tree, const struct oro_drainage_tree_grading *grading);

/* On the processor. */
bool oro_drainage_tree_host_ground(struct oro_drainage_tree *tree, struct oro_buffer *z);
bool oro_drainage_tree_host_route(struct oro_drainage_tree *tree);
bool oro_drainage_tree_host_collect(struct oro_drainage_tree *tree, bool rain, struct oro_buffer *drainage,
                                    struct oro_buffer *carved);
bool oro_drainage_tree_host_fill(struct oro_drainage_tree *tree, bool sloped, struct oro_buffer *filled);
bool oro_drainage_tree_host_receivers(struct oro_drainage_tree *tree, struct oro_buffer *receivers);
bool oro_drainage_tree_host_solve(struct oro_drainage_tree *tree, struct oro_buffer *a, struct oro_buffer *b,
                                  struct oro_buffer *h);
bool oro_drainage_tree_host_number(struct oro_drainage_tree *tree, struct oro_buffer *level,
                                   struct oro_drainage_tree_numbers *numbers);
/* Lets the functions of terrain/hydrology/ say what is wrong with the ground, and returns false. */
bool oro_drainage_tree_host_complain(struct oro_drainage_tree *tree, bool filling);

#endif
