/*
 * What the files of exact drainage share. Directions are bytes while the routing is made: a neighbour's
 * number 0..7, or one of the two below.
 *
 * Work goes by strips, some rows each, that depend on the terrain's size alone. An order of the cells is cut
 * the same way, so that processors can go along the tree at once: first come the cells whose receiver, or
 * some of whose upstream, is in another strip (the head, a few per cent); then, strip by strip, the others,
 * whose receiver is in their strip and whose upstream all is. oro_routing.parts has the place in `order`
 * where each strip begins, and the end: strips + 1 numbers.
 */
#ifndef ORO_TERRAIN_DRAINAGE_ROUTING_PRIVATE_H
#define ORO_TERRAIN_DRAINAGE_ROUTING_PRIVATE_H

#include <math.h>

#include "terrain/drainage/routing.h"

enum { ORO_TO_OUTLET = 8, ORO_TO_PIT = 9 }; /* an outlet itself; a pit itself */

struct oro_strips {
    size_t width, cells; /* of the terrain */
    size_t rows, count;  /* of a strip; strips */
};
struct oro_strips oro_strips_of(int width, int height);
/* The cells of a strip: first..end. */
size_t oro_strip_first(struct oro_strips strips, size_t strip);
size_t oro_strip_end(struct oro_strips strips, size_t strip);

/* Calls body(user, first strip, end strip) for all strips, on all processors; between some strips asks the
 * ground (which may be NULL) whether to stop. Fails with ORO_E_CANCELLED. */
bool oro_strips_run(struct oro_strips strips, const struct oro_ground *ground,
                    void (*body)(void *user, size_t first, size_t end), void *user, struct oro_error *err);

/* Whether to stop; then fills `err` with ORO_E_CANCELLED. In loops that count, asks only now and then. */
bool oro_ground_stops(const struct oro_ground *ground, size_t count, struct oro_error *err);
/* What oro_ground_check says of a height, and of ground without outlets. They return false, as the next does.
 */
bool oro_fail_not_finite(size_t x, size_t y, float z, struct oro_error *err);
bool oro_fail_closed(struct oro_error *err);
/* Fills `err` with ORO_E_MEMORY and returns false. */
bool oro_no_memory(const struct oro_ground *ground, struct oro_error *err);

/* A cell's rain in whole units (oro_drainage_rain), and how much a sum of them is (oro_drainage_area). */
static inline uint64_t oro_rain_units(float rain)
{
    rain = rain > 0 ? rain : 0;
    if (rain > (float)ORO_RAIN_MAX)
        rain = (float)ORO_RAIN_MAX;
    return (uint64_t)floorf(rain * (float)(1 / ORO_RAIN_UNIT) + 0.5f);
}
static inline float oro_rain_amount(uint64_t sum)
{
    float high = (float)(uint32_t)(sum >> 32), low = (float)(uint32_t)(sum & UINT32_MAX);
    return high * 4096.0f + low * (float)ORO_RAIN_UNIT;
}

/* The distance in cell numbers to each neighbour; 0 for ORO_TO_OUTLET and ORO_TO_PIT. */
struct oro_offsets {
    ptrdiff_t to[10];
};
struct oro_offsets oro_offsets_of(int width);

/* Whether a cell, which is in column `x`, has a neighbour k inside of the terrain. */
static inline bool oro_has_neighbour(struct oro_strips strips, size_t cell, size_t x, int k)
{
    bool west = k == 0 || k == 3 || k == 5, east = k == 2 || k == 4 || k == 7;
    return !((west && x == 0) || (east && x == strips.width - 1) || (k < 3 && cell < strips.width) ||
             (k > 4 && cell + strips.width >= strips.cells));
}

/* Rule 1 for a strip, into `direction`. Returns how many pits there are. */
size_t oro_steepest_strip(const struct oro_ground *ground, struct oro_strips strips, size_t strip,
                          uint8_t *direction);

/* Rule 1 for all cells, and how many pits there are. Fails with ORO_E_CANCELLED. */
bool oro_steepest(const struct oro_ground *ground, uint8_t *direction, size_t *pits, struct oro_error *err);

/* All rules: directions that all lead to outlets; a terrain is its only tile. `steepest`: without rule 2,
 * each cell of a flat is a pit. `label`: room for a number a cell, all zero. */
bool oro_find_ways(const struct oro_ground *ground, bool steepest, uint8_t *direction, uint32_t *label,
                   size_t *pits, struct oro_error *err);

/* oro_route without rule 2, for certificates. */
bool oro_route_steepest(const struct oro_ground *ground, struct oro_routing *routing, struct oro_error *err);

/* Makes a routing from directions; it is empty, or has room for receivers. Free it also after a failure. */
bool oro_order_cells(const struct oro_ground *ground, const uint8_t *direction, struct oro_routing *routing,
                     struct oro_error *err);

#endif
