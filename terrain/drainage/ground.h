/*
 * The ground that water runs over, and the rules by which it runs. terrain/drainage/ works on the processor,
 * for files and for machines without a graphics card; nodes/flow/drainage_tree.h runs kernels that follow the
 * same rules and give the same bits.
 *
 * Cells are numbered row by row from the north-west; the neighbours of a cell likewise, 0 (north-west) to 7
 * (south-east). Outlets are the cells where water leaves: border cells, unless there are walls, and those
 * that the sea mask covers.
 *
 * A height nearer to zero than the least normal float (1.2e-38) counts as zero, and so does such a
 * difference: devices differ in whether they know smaller numbers.
 */
#ifndef ORO_TERRAIN_DRAINAGE_GROUND_H
#define ORO_TERRAIN_DRAINAGE_GROUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* More cells do not fit the edge numbers, which are 32-bit: 4 per cell. */
#define ORO_GROUND_CELLS_MAX ((size_t)1 << 30)

struct oro_ground {
    int width, height;
    const float *z;   /* metres, width * height; all finite */
    const float *sea; /* cells above 0.5 are outlets; NULL: none */
    bool walls;       /* border cells are not outlets */
    /* Asked now and then, from one thread, where it is set: true ends the work with ORO_E_CANCELLED. */
    bool (*stop)(void *user);
    void *user;
};

/* Fails with ORO_E_EVALUATE: a height that is not finite (which cell), no outlet at all (walls and no sea),
 * no cells, or too many. Every function below that takes a ground expects one that this accepts. */
bool oro_ground_check(const struct oro_ground *ground, struct oro_error *err);

bool oro_ground_is_outlet(const struct oro_ground *ground, size_t cell);

#endif
