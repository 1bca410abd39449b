#ifndef ORO_TERRAIN_DRAINAGE_COURSE_PRIVATE_H
#define ORO_TERRAIN_DRAINAGE_COURSE_PRIVATE_H

#include "terrain/drainage/course.h"
#include "terrain/drainage/drainage_tree_private.h"
#include "terrain/drainage/steps.h"

/* Ways from entries, which are followed to their ends. `way` comes with its exit and distance. `next`: the
 * next cell of the window, in the ring beyond an exit, the cell itself at an outlet. `on`: the way from
 * there, NULL beyond an exit and at an outlet. Fills the way's values. */
struct oro_tiled_tracing {
    void (*step)(const void *user, size_t cell, size_t next, const struct oro_tiled_way *on,
                 struct oro_tiled_way *way);
    const void *user;
};
/* Fills the entries of `flows`, which has room for those of the course. */
bool oro_tiled_trace(const struct oro_tiled_course *course, const struct oro_tiled_tracing *tracing,
                     struct oro_tiled_flows *flows, struct oro_error *err);

/* Makes room for the course's exits and entries, and fills in their rim cells. */
bool oro_tiled_flows_begin(const struct oro_tiled_course *course, enum oro_tiled_flow flow,
                           struct oro_tiled_flows *flows, struct oro_error *err);
/* Traces, writes and frees the flows. */
bool oro_tiled_tell(const struct oro_tiled_course *course, const struct oro_tiled_tracing *tracing,
                    struct oro_tiled_flows *flows, struct oro_tiled_bytes *message, struct oro_error *err);

size_t oro_tiled_course_cell(const struct oro_tiled_course *course, uint32_t rim);
/* The cell of the ring that an exit leads to. */
size_t oro_tiled_course_beyond(const struct oro_tiled_course *course, uint32_t exit);

#endif
