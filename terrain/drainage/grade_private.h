/* The parts of carving with a least gradient, to be done along a drainage tree in this order: measure (up),
 * clear (cells), descend (down), lower (cells). Then ways have to be made to fall strictly once more. */
#ifndef ORO_TERRAIN_DRAINAGE_GRADE_PRIVATE_H
#define ORO_TERRAIN_DRAINAGE_GRADE_PRIVATE_H

#include <stdatomic.h>

#include "terrain/drainage/drainage_tree_private.h"
#include "terrain/drainage/tile.h"

struct oro_grading {
    const float *z;
    uint32_t width;
    float fall;
    int32_t *lowest;      /* the caller's: the lowest steps of plain carving, which are lowered further */
    uint32_t *length;     /* of the way to the outlet, in units of grade.h */
    float *base;          /* height of the outlet */
    int32_t *grade;       /* of the channels that come through; ORO_GRADE_NONE: none does */
    atomic_size_t gentle; /* cells of channels that fall by less than `fall` */
    const struct oro_tiled_tile *tile; /* whose ring knows what is measured already; NULL: none has to */
};

/* Fails with ORO_E_MEMORY; call oro_grading_end in either case. */
bool oro_grading_begin(struct oro_grading *grading, const struct oro_ground *ground, float fall,
                       int32_t *lowest, struct oro_error *err);
/* Frees what it takes; may be called again. */
void oro_grading_end(struct oro_grading *grading);

/* Of a cell's way to the next one, in units of grade.h. */
uint32_t oro_grading_length(uint32_t width, size_t cell, size_t next);

/* Of struct oro_drainage_tree_work, with the grading as `user`. */
void oro_grading_measure(void *grading, const struct oro_drainage_tree_part *part);
void oro_grading_clear(void *grading, size_t first, size_t end);
void oro_grading_descend(void *grading, const struct oro_drainage_tree_part *part);
void oro_grading_lower(void *grading, size_t first, size_t end);

#endif
