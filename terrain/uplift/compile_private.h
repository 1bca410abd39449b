/* A program under construction. Calls after one that failed do nothing. */
#ifndef ORO_TERRAIN_UPLIFT_COMPILE_PRIVATE_H
#define ORO_TERRAIN_UPLIFT_COMPILE_PRIVATE_H

#include "terrain/uplift/tree_private.h"

/* Software drivers end all loops of an invocation after 2^16 - 1 rounds, without a word. An instruction
 * counts for some of them: it is looked for in the middle of a loop over stacks. */
enum { ORO_STEPS_MAX = 60000, ORO_INSTRUCTION_STEPS = 7 };

struct oro_compilation {
    struct oro_uplift_program *program;
    size_t code_capacity, primitive_capacity, bin_capacity, raster_capacity;
    struct oro_error *err;
    size_t steps; /* of loops that evaluation takes at one point, at the most */
    int frames;   /* of evaluations within each other, at the most */
    bool failed;  /* memory is out, if `err` says nothing else */
};

void oro_put_words(struct oro_compilation *c, const uint32_t *words, size_t count);
void oro_put_number(struct oro_compilation *c, size_t number);
void oro_put_float(struct oro_compilation *c, double value);
/* Records are read as vectors of four; gives the number of the first. */
size_t oro_put_primitives(struct oro_compilation *c, const void *floats, size_t count);
size_t oro_put_bins(struct oro_compilation *c, const struct oro_bins *bins);
size_t oro_put_rasters(struct oro_compilation *c, const uint32_t *values, size_t count);

/* A copy as evaluation looks for it, or the place that a paste empties, which has no affine. */
struct oro_copy {
    const struct oro_pasted *paste;
    const uint32_t *affine;
    double box[4];    /* of the region */
    double target[4]; /* around the region's place */
    uint32_t limit;   /* the copies before this one are in what is copied */
};

/* The copies of one PASTE, between its begin and its end. */
struct oro_copies {
    struct oro_copy *items;
    struct oro_pasted *pastes;
    size_t count, header; /* where the header lies in the code */
    size_t steps;         /* of what came before */
    int frames;
    size_t scan; /* steps to look through the fullest bin */
};
/* Puts the header of a PASTE; its content follows. False: it failed, and there is no end. */
bool oro_copies_begin(struct oro_compilation *c, const struct oro_op *op, struct oro_copies *copies);
void oro_copies_end(struct oro_compilation *c, struct oro_copies *copies);
/* The steps that any point takes at the most, where an evaluation of the content takes `each`, and the
 * evaluations within each other. False, with `err` filled: too many. */
bool oro_copies_work(const struct oro_copies *copies, size_t each, size_t *steps, int *depth,
                     struct oro_error *err);

#endif
