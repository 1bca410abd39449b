/* The flow path that the water of a constraint is to take, for stream_power_valleys.c. */
#ifndef ORO_NODES_EROSION_STREAM_POWER_PATHS_H
#define ORO_NODES_EROSION_STREAM_POWER_PATHS_H

#include "base/heap.h"
#include "nodes/erosion/stream_power_constraints.h"

struct oro_flow_paths {
    const struct oro_stream_power_constraints *constraints;
    const struct oro_ground *ground;
    double cell;        /* metres */
    const float *z;     /* heights */
    uint32_t *receiver; /* of every cell */
    uint32_t *cells;    /* the path that was found, without the first cell */
    size_t count, capacity;
    /* Of a search: least costs so far and the cells before, known where `search` is the search's number; and
     * where `walked` is, receivers were followed. */
    float *cost;
    uint32_t *from, *search, *walked, searches;
    struct oro_heap waiting; /* cells, by their costs */
};

/* False: no memory. The caller ends it in any case. */
bool oro_flow_paths_begin(struct oro_flow_paths *paths, size_t cells);
void oro_flow_paths_end(struct oro_flow_paths *paths);

/* Finds the path from constraint i to an outlet, or to a constraint that lies no higher and sees to the rest.
 * It follows the receivers, unless they lead over the places of constraints that are to lie higher than i:
 * then it first goes around those, with as little as can be to dig. False: no memory. */
bool oro_flow_paths_find(struct oro_flow_paths *paths, int i);

/* How far the nearest other constraint is whose reach the cell lies in, in metres; infinite if there is none.
 */
float oro_flow_paths_clearance(const struct oro_flow_paths *paths, int i, uint32_t cell);

#endif
