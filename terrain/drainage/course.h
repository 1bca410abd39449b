/*
 * Along the ways of one tile, once it has been turned (tile.h): what it tells of them (flow.h), and what its
 * cells get when it knows what comes in from other tiles, or what lies beyond its exits. Rasters are those of
 * the tile's window; what they hold in the ring is of no use. A whole terrain is the course of its only tile.
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
    struct oro_routing routing;    /* of the window: oro_tiled_tile_order; empty until it is asked for */
    const struct oro_ground *asks; /* whether to stop within the tile: what is below fails then with
                                    * ORO_E_CANCELLED; NULL: nobody is asked */
};
bool oro_tiled_course_begin(struct oro_tiled_course *course, const struct oro_tiled_tile *tile,
                            struct oro_error *err);
/* Makes the routing, if there is none. Fails where ways lead in a circle, since turns did not fit;
 * ORO_E_MEMORY. */
bool oro_tiled_course_order(struct oro_tiled_course *course, struct oro_error *err);
void oro_tiled_course_free(struct oro_tiled_course *course);

/* The whole of a terrain as its only tile, without exits and entries. */
struct oro_tiled_whole {
    struct oro_tiled_tile tile; /* without directions */
    struct oro_tiled_course course;
};
/* Returns the course. The routing stays the caller's. */
struct oro_tiled_course *oro_tiled_whole(const struct oro_routing *routing, struct oro_tiled_whole *whole);

/* Sums of cells, in `cells` where the terrain has fewer than 2^32, else in `wide`; of rain, in `wide`; or the
 * lowest steps, in `low`. */
struct oro_tiled_sums {
    enum oro_tiled_flow flow; /* ORO_TILED_CELLS, _RAIN or _LOW */
    const float *from; /* the rain; the heights whose steps `low` begins with, NULL: with what it holds */
    uint32_t *cells;
    uint64_t *wide;
    int32_t *low; /* one of these three */
};
/* Sums within the tile, and of what comes in, if `inflow`, in the order of entries. The course needs an
 * order. */
bool oro_tiled_sum(const struct oro_tiled_course *course, const struct oro_tiled_sums *sums,
                   const struct oro_tiled_values *inflow, struct oro_error *err);
/* The message of sums without inflow. */
bool oro_tiled_tell_sums(const struct oro_tiled_course *course, const struct oro_tiled_sums *sums,
                         struct oro_tiled_bytes *message, struct oro_error *err);

/* Flood levels (oro_flood_levels), with those of the cells beyond the exits, in their order, which the ring
 * gets, too. */
bool oro_tiled_flood(const struct oro_tiled_course *course, const float *z,
                     const struct oro_tiled_values *beyond, float *level, struct oro_error *err);

#endif
