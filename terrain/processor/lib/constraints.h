/* Elevation constraints of the node stream_power: gles_shaders/lib/constraints.glsl. */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_CONSTRAINTS_H
#define ORO_TERRAIN_PROCESSOR_LIB_CONSTRAINTS_H

#include <math.h>

#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

/* Cells of a block; words of a point, before the first controller's, and of a controller. */
enum { ORO_CONSTRAINTS_BLOCK = 16, ORO_CONSTRAINTS_POINT = 8, ORO_CONSTRAINTS_HEAD = 8 };
enum { ORO_CONSTRAINTS_CONTROL = 9 };

struct oro_constraints {
    struct oro_run_grid grid;
    const float *points, *control;
    const uint32_t *reach;
};

ORO_INLINE struct oro_constraints oro_constraints_of(struct oro_run *run)
{
    return (struct oro_constraints){.grid = run->grid,
                                    .points = oro_run_buffer(run, "points"),
                                    .control = oro_run_buffer(run, "control"),
                                    .reach = oro_run_buffer(run, "reach")};
}

ORO_INLINE int oro_constraints_block(const struct oro_constraints *c, int x, int y)
{
    int columns = (c->grid.width + ORO_CONSTRAINTS_BLOCK - 1) / ORO_CONSTRAINTS_BLOCK;
    return y / ORO_CONSTRAINTS_BLOCK * columns + x / ORO_CONSTRAINTS_BLOCK;
}

/* In radii of the point. */
ORO_INLINE float oro_constraint_distance(const struct oro_constraints *c, const float *point, int x, int y)
{
    float dx = ((float)x + 0.5F) * c->grid.cell - point[2], dy = ((float)y + 0.5F) * c->grid.cell - point[3];
    return sqrtf(dx * dx + dy * dy) / point[5];
}

/* `distance`: in radii. */
ORO_INLINE float oro_constraint_weight(float distance)
{
    float t = oro_min(distance, 1);
    return 1 - t * t * (3 - 2 * t);
}

ORO_INLINE bool oro_constraint_lowers_only(const float *point)
{
    return point[7] < 0;
}

ORO_INLINE int oro_constraint_controller(const float *point)
{
    return (int)(oro_constraint_lowers_only(point) ? -1 - point[7] : point[7]);
}

ORO_INLINE float oro_constraint_setting(const struct oro_constraints *c, const float *point)
{
    int controller = oro_constraint_controller(point);
    return c->control[ORO_CONSTRAINTS_HEAD + ORO_CONSTRAINTS_CONTROL * controller];
}

#endif
