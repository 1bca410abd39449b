/*
 * Along the ways of one tile, once it has been turned (tile.h): what it tells of them (flow.h), and what its
 * cells get when it knows what comes in from other tiles, or what lies beyond its exits. Rasters are those of
 * the tile's window; what they hold in the ring is of no use.
 */
#ifndef ORO_TERRAIN_DRAINAGE_COURSE_H
#define ORO_TERRAIN_DRAINAGE_COURSE_H

#include "terrain/drainage/flow.h"
#include "terrain/drainage/steps.h"
#include "terrain/drainage/tile.h"

/* Rim cells, ascending: those whose receivers lie beyond, and those that water comes into. */
struct oro_tiled_course {
    const struct oro_tiled_tile *tile;
    uint32_t *exits, *entries, exit_count, entry_count;
    struct oro_routing routing; /* of the window: oro_tiled_tile_order; empty until it is asked for */
};
bool oro_tiled_course_begin(struct oro_tiled_course *course, const struct oro_tiled_tile *tile,
                            struct oro_error *err);
/* Makes the routing, if there is none. Fails where ways lead in a circle, since turns did not fit;
 * ORO_E_MEMORY. */
bool oro_tiled_course_order(struct oro_tiled_course *course, struct oro_error *err);
void oro_tiled_course_free(struct oro_tiled_course *course);

/* ---- Down ---- */

struct oro_tiled_sums {
    const float *rain; /* NULL: none is summed */
    const float *z;    /* for `low`, which begins with its steps; NULL: with what it holds */
    uint64_t *cells, *rain_sum;
    int32_t *low; /* any of these may be NULL */
};
/* Sums within the tile, and of what comes in, if `inflow`, in the order of entries. The course needs an
 * order. Which of the sums they are follows from what `sums` has. */
void oro_tiled_sum(const struct oro_tiled_course *course, const struct oro_tiled_sums *sums,
                   const struct oro_tiled_values *inflow);
enum oro_tiled_flow oro_tiled_sums_flow(const struct oro_tiled_sums *sums);
/* The message of sums without inflow. */
bool oro_tiled_tell_sums(const struct oro_tiled_course *course, const struct oro_tiled_sums *sums,
                         struct oro_tiled_bytes *message, struct oro_error *err);

/* ---- Up ---- */

/* The messages; `z` is the ground. */
bool oro_tiled_tell_levels(const struct oro_tiled_course *course, const float *z,
                           struct oro_tiled_bytes *message, struct oro_error *err);
bool oro_tiled_tell_raised(const struct oro_tiled_course *course, const float *z,
                           struct oro_tiled_bytes *message, struct oro_error *err);

/* Flood levels (oro_flood_levels), with those of the cells beyond the exits, in their order. The ring gets
 * theirs, too. */
void oro_tiled_flood(const struct oro_tiled_course *course, const float *z,
                     const struct oro_tiled_values *beyond, float *level);
/* K of oro_fill, likewise, up to ORO_TILED_TOO_HIGH, which stands for all that is higher. */
void oro_tiled_raise(const struct oro_tiled_course *course, const float *z,
                     const struct oro_tiled_values *beyond, int32_t *highest);
#define ORO_TILED_TOO_HIGH (1 - ORO_STEPS_LOWEST)

#endif
