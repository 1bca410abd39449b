/* Outlets of nodes with the inputs `sea` and `borders`: gles_shaders/lib/outlets.glsl. */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_OUTLETS_H
#define ORO_TERRAIN_PROCESSOR_LIB_OUTLETS_H

#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

struct oro_outlets {
    struct oro_map sea;
    int west, east, north, south; /* where border cells are outlets; -1 with walls */
};

ORO_INLINE struct oro_outlets oro_outlets_of(struct oro_run *run)
{
    enum { OUTFLOW, WALLS }; /* words of the input `borders` */
    struct oro_map sea = oro_run_map(run, "sea");
    if (oro_run_int(run, "borders") == WALLS)
        return (struct oro_outlets){sea, -1, -1, -1, -1};
    return (struct oro_outlets){sea, 0, run->grid.width - 1, 0, run->grid.height - 1};
}

/* `sea`: of the cell. */
ORO_INLINE bool oro_is_outlet(const struct oro_outlets *outlets, int x, int y, float sea)
{
    return (x == outlets->west) | (x == outlets->east) | (y == outlets->north) | (y == outlets->south) |
           (sea > 0.5F);
}

#endif
