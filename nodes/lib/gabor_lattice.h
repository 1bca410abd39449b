/*
 * Gabor noise for nodes (Lagae 2009; Grenier 2023, section 4.1): lattices of kernels, laid by dispatches of
 * the node's own, which know the kernels' directions, and summed up by lib/gabor.glsl.
 *
 * A lattice has one kernel to a cell, anywhere in it. Kernels reach two cells, so they are as dense as the
 * square of their frequency, and what comes to a place lies in the 5 x 5 cells around it, whatever the
 * frequency. Where the frequency varies, a row of lattices half an octave apart covers its range, and each
 * kernel belongs to the two next to it.
 *
 * The pattern is fixed to the world: places have the same kernels on every raster and at every resolution.
 */
#ifndef ORO_NODES_LIB_GABOR_LATTICE_H
#define ORO_NODES_LIB_GABOR_LATTICE_H

#include "graph/type/node.h"

enum { ORO_GABOR_LEVELS = 3, ORO_GABOR_LATTICES = 112 };

struct oro_gabor {
    /* To be filled by the caller. */
    double low, high;  /* frequencies of the first level, 1/m, both > 0: equal, or the range of a map */
    double lowest;     /* what is below counts as none */
    double ratio;      /* frequency of each further level, relative to the one before */
    int levels;        /* 0 (none) to ORO_GABOR_LEVELS; lowered where cells are too wide to carry the last */
    double regularity; /* standard deviation of a kernel, in waves: the paper's 1/2; 1/4 at least */
    double noise_spacing; /* metres, at least a cell: one more lattice after the others, without kernels, for
                           * noise on it. 0: none */
    uint32_t seed;

    /* Filled by oro_gabor_begin. */
    bool mixed; /* the frequency varies */
    int each;   /* lattices of a level: those of level l are l * each and so on */
    struct oro_buffer *lattices, *places, *phases;
    int columns[ORO_GABOR_LATTICES], rows[ORO_GABOR_LATTICES];
    /* In cells of the outputs: how wide a lattice cell is, and where the lattice begins. */
    double spacing[ORO_GABOR_LATTICES], corner[ORO_GABOR_LATTICES][2];
    float share; /* weight of a full kernel: makes the mean square of the field 1 */
};

/* The highest frequency that cells of this width carry: half that of Nyquist. */
double oro_gabor_limit(double cell);
/* The same for an evaluation's own cells, as its kernels have it: what is at the limit but for rounding is
 * within. */
float oro_gabor_carried(struct oro_eval *eval);
/* The same for the cells that a build will have. Infinite in a preview, which does not know them and leaves
 * out what its own cells do not carry. */
double oro_gabor_build_limit(struct oro_eval *eval, double cell);

/* The range of frequencies that a map input really has: what is above `limit` counts as that (`limited` tells
 * that there is some), what is not above 0 (or not a number) as none. A literal is a range of one. Waves
 * longer than four times the raster's longer side count as none: `lowest`. Fills `low`, `high` and `lowest`.
 * False, and `levels` 0: there is none at all, or the evaluation has failed. */
bool oro_gabor_range(struct oro_eval *eval, const char *input, float literal, double limit,
                     struct oro_gabor *gabor, bool *limited);

/* How many of the levels, of which the first has `frequency`, lie within a limit. */
int oro_gabor_levels(const struct oro_gabor *gabor, int levels, double frequency, double limit);

/* Plans the lattices over the outputs' grid, makes and fills the buffers. `levels` becomes 0 where the cells
 * carry none. */
bool oro_gabor_begin(struct oro_eval *eval, struct oro_gabor *gabor);

/* Memory that this will take, for oro_shape_scratch, by what the caller fills in. `high` 0: any frequency. */
double oro_gabor_bytes(const struct oro_grid *grid, const struct oro_gabor *gabor);

/* Hands the lattices to a dispatch whose kernel includes lib/gabor.glsl, as its slots `lattices`, `places`
 * and `phases`, and with the definitions that it needs. */
void oro_gabor_read(const struct oro_gabor *gabor, struct oro_dispatch *dispatch);
/* What lays the kernels: two kernels of a node's own, that run over the lattices of all levels, the first
 * first. Their invocations are the cells of a lattice. They have the constants `lattice` and `level` besides
 * those of the caller. */
struct oro_gabor_laying {
    /* Writes a raster over the lattice, `guides_out`, vec4: whatever the second has to know of rasters. It
     * reads rasters over `source`, where a kernel lies and two cells around that: so these may be in tiles.
     */
    struct oro_dispatch guides;
    struct oro_grid source;
    /* Has the first one's result as an array, `guides`. Its slots `places` and `phases` are updated; it has
     * the constants `each` (lattices of a level) and `share`, too. */
    struct oro_dispatch kernels;
};
bool oro_gabor_lay(struct oro_eval *eval, const struct oro_gabor *gabor, struct oro_gabor_laying *laying);

#endif
