/* What carving and filling share. */
#ifndef ORO_TERRAIN_DRAINAGE_DRAIN_PRIVATE_H
#define ORO_TERRAIN_DRAINAGE_DRAIN_PRIVATE_H

#include "terrain/drainage/drain.h"

/* oro_breach by ORO_BREACH_FLOOD. */
bool oro_breach_flood(const struct oro_ground *ground, const struct oro_breaching *how, float *out,
                      struct oro_error *err);

/* Fills `err` for a cell too deep to be drained, with the step at which it could be. `others`: so many more
 * cells are too deep. Returns false. */
bool oro_too_deep(const struct oro_ground *ground, size_t cell, int64_t step, size_t others,
                  struct oro_error *err);
/* The same for a cell by its column, row and height. */
bool oro_too_deep_at(size_t x, size_t y, float z, int64_t step, size_t others, struct oro_error *err);

#endif
