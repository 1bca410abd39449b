/*
 * Which cells are too deep to be drained, where carving (grades.h) has found that some are: those for whose
 * ways out there are no lower numbers left. To know them takes how far each is from its outlet.
 */
#ifndef ORO_TERRAIN_DRAINAGE_DEPTHS_H
#define ORO_TERRAIN_DRAINAGE_DEPTHS_H

#include "terrain/drainage/course.h"

/* The message of a flow, ORO_TILED_RAISED: cells to the outlet. */
bool oro_tiled_tell_distances(const struct oro_tiled_course *course, struct oro_tiled_bytes *message,
                              struct oro_error *err);
/* With the answer to that: a message of the tile's cells that are too deep. The course needs an order. */
bool oro_tiled_tell_depths(const struct oro_tiled_course *course, const float *z,
                           struct oro_tiled_view answer, struct oro_tiled_bytes *message,
                           struct oro_error *err);
/* From those of all tiles. Fills `err` as oro_breach does. Returns false. */
bool oro_tiled_too_deep(const struct oro_tiled_grid *grid, const struct oro_tiled_view *messages,
                        struct oro_error *err);

#endif
