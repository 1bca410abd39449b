/* Lines found cell by cell on a raster become lines of a network: smoothed, and with no more vertices than
 * they need. */
#ifndef ORO_TERRAIN_NETWORK_TRACE_PRIVATE_H
#define ORO_TERRAIN_NETWORK_TRACE_PRIVATE_H

#include "terrain/network/network.h"

/* Ready for use when zeroed but for the first two. Running out of memory shows in oro_network_finish. */
struct oro_trace {
    int smooth;      /* rounds: every vertex, the ends apart, goes to (before + 2 itself + after) / 4 */
    double simplify; /* metres: Douglas and Peucker 1973, in the three dimensions */
    struct oro_network_builder builder;

    struct oro_vertex *line; /* the one being traced, with its ends */
    uint32_t *number;        /* of its vertices: in the network */
    size_t count, line_capacity, number_capacity;
};

/* The next vertex of the line. */
void oro_trace_add(struct oro_trace *trace, struct oro_vertex vertex);
/* The line ends. Its ends are the network's vertices `first` and `last`. `keep_before_last`: the vertex
 * before the last is not to be left out. */
void oro_trace_end(struct oro_trace *trace, uint32_t first, uint32_t last, bool keep_before_last);
/* Frees all but the builder's memory. */
void oro_trace_free(struct oro_trace *trace);

#endif
