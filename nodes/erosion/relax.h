/*
 * Values that are known in some cells of a raster, spread smoothly over all others: the E that solves
 *
 *     lap E = E / reach^2,    E = given in fixed cells,    no flux over the border.
 *
 * Between fixed cells E is as level as can be and never leaves the range of what was given (and 0, with a
 * reach). With a reach it fades to 0 over that distance.
 *
 * Solved on the device by multigrid (Brandt 1977): a start from coarse to fine, then F-cycles, which sweep a
 * level once on the way down and twice on the way up. A cycle leaves some 0.2 of the error, and no more than
 * half of it, whatever the size of the raster and wherever the fixed cells are; so what is left is less than
 * the last cycle changed. Some 50 bytes a cell and cycle are read and written.
 */
#ifndef ORO_NODES_EROSION_RELAX_H
#define ORO_NODES_EROSION_RELAX_H

#include "graph/type/node.h"

struct oro_relaxation {
    /* Buffers of the outputs' size. */
    struct oro_buffer *fixed;  /* 1 where E is known, else 0; only read */
    struct oro_buffer *given;  /* E in fixed cells, anything elsewhere; is overwritten */
    struct oro_buffer *spread; /* gets E; in fixed cells exactly what was given */
    double reach;              /* metres; 0: no end */
    double tolerance;          /* a cycle that changes no cell by more is the last */
    /* What became of it: */
    int cycles;
    double last_change; /* the most that the last cycle changed a cell, in the unit of E */
    size_t fixed_cells; /* 0: E is 0 everywhere */
    bool settled;       /* false: cycles make no more progress, because numbers of 32 bits hold no more
                         * digits, or the most of them is done */
};

/* False: failed or cancelled. */
bool oro_relax(struct oro_eval *eval, struct oro_relaxation *relaxation);

#endif
