/*
 * What a tile tells of standing water for the certificate of the whole terrain (metrics.h), once it knows its
 * flood levels: sums, and where water spills over to and from other tiles, since lakes are counted by the
 * cells that they spill over.
 */
#ifndef ORO_TERRAIN_TILED_CERTIFICATE_H
#define ORO_TERRAIN_TILED_CERTIFICATE_H

#include "base/exact_sum.h"
#include "terrain/tiled/course.h"

/* True where a cell of a tile, outlets apart, has no lower neighbour. `z` and `sea` (or NULL) are those of
 * its window. Fails as oro_tiled_tile_route. */
bool oro_tiled_tile_has_pits(const struct oro_tiled_grid *grid, const struct oro_tiled_block *block,
                             const float *z, const float *sea, bool *pits, struct oro_error *err);

/* The message. `level`: of oro_tiled_flood. */
bool oro_tiled_tell_spills(const struct oro_tiled_course *course, const float *z, const float *level,
                           struct oro_tiled_bytes *message, struct oro_error *err);

struct oro_tiled_lakes {
    uint64_t lakes, wet;
    double deepest;
    struct oro_exact_sum volume;
};
/* `messages`: of all tiles. Fails where one is damaged, or ORO_E_MEMORY. */
bool oro_tiled_count_lakes(const struct oro_tiled_grid *grid, const struct oro_tiled_view *messages,
                           struct oro_tiled_lakes *lakes, struct oro_error *err);

#endif
