/* Elevation constraints of the node stream_power: gles_shaders/lib/constraints.glsl. */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_CONSTRAINTS_H
#define ORO_TERRAIN_PROCESSOR_LIB_CONSTRAINTS_H

#include <math.h>

#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

/* Cells of a block; words of a point, before the first controller's, and of a controller. */
enum { ORO_CONSTRAINTS_BLOCK = 16, ORO_CONSTRAINTS_POINT = 8, ORO_CONSTRAINTS_HEAD = 8 };
enum { ORO_CONSTRAINTS_CONTROL = 11 };

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
ORO_INLINE float oro_constraint_remoteness(float distance)
{
    float t = oro_min(distance, 1);
    return t * t * (3 - 2 * t);
}

ORO_INLINE bool oro_constraint_lowers_only(const float *point)
{
    return point[7] < 0;
}

ORO_INLINE int oro_constraint_controller(const float *point)
{
    return (int)(oro_constraint_lowers_only(point) ? -1 - point[7] : point[7]);
}

/* What the point's controller adds; a place along a river lowers the ground at the most. */
ORO_INLINE float oro_constraint_added(const struct oro_constraints *c, const float *point)
{
    int controller = oro_constraint_controller(point);
    float added = c->control[ORO_CONSTRAINTS_HEAD + ORO_CONSTRAINTS_CONTROL * controller];
    return oro_constraint_lowers_only(point) ? oro_min(added, 0) : added;
}

ORO_INLINE float oro_constraint_strength(const struct oro_constraints *c, const float *point)
{
    return oro_constraint_lowers_only(point) ? oro_min(-oro_constraint_added(c, point) / point[4], 1) : 1;
}

ORO_INLINE float oro_constraint_preference(float strength, float remoteness)
{
    return strength * (1 - remoteness) / oro_max(remoteness, 1e-6F);
}

/* What the constraints that reach a cell have together. */
struct oro_constraint_sharing {
    float preferences, weight;
};

ORO_INLINE struct oro_constraint_sharing oro_constraint_sharing_at(const struct oro_constraints *c, int x,
                                                                   int y)
{
    struct oro_constraint_sharing all = {0, 0};
    int block = oro_constraints_block(c, x, y);
    for (uint32_t i = c->reach[block]; i < c->reach[block + 1]; i++) {
        const float *point = c->points + (size_t)c->reach[i] * ORO_CONSTRAINTS_POINT;
        float remoteness = oro_constraint_remoteness(oro_constraint_distance(c, point, x, y));
        float strength = oro_constraint_strength(c, point);
        all.preferences += oro_constraint_preference(strength, remoteness);
        all.weight += strength * (1 - remoteness);
    }
    return all;
}

/* The point's share of what they do at a cell. */
ORO_INLINE float oro_constraint_share(const struct oro_constraints *c,
                                      const struct oro_constraint_sharing *all, const float *point, int x,
                                      int y)
{
    float remoteness = oro_constraint_remoteness(oro_constraint_distance(c, point, x, y));
    float preference = oro_constraint_preference(oro_constraint_strength(c, point), remoteness);
    return preference > 0 ? preference / all->preferences * oro_min(all->weight, 1) : 0;
}

#endif
