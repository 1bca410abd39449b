/* A run of constraint_erosion: terrain/hydrology/constraint_erosion.h has the rules. The iterations run as
 * kernels on the device or, where the device is the processor anyway, by the functions of that header. */
#ifndef ORO_NODES_EROSION_CONSTRAINT_EROSION_H
#define ORO_NODES_EROSION_CONSTRAINT_EROSION_H

#include "graph/type/node.h"
#include "nodes/lib/duration.h"
#include "terrain/hydrology/constraint_erosion.h"

struct oro_constraint_erosion_kernels; /* nodes/erosion/constraint_erosion_dispatches.c */

struct oro_constraint_erosion_run {
    struct oro_eval *eval;
    const struct oro_constraint_params *params;
    struct oro_constraint_scale scale;
    struct oro_pace pace;
    size_t cells;
    bool on_processor;
    struct oro_buffer *constraint, *relief;
    struct oro_buffer *height, *gorge; /* the state: metres; weights' bits */

    /* On the device: room. */
    struct oro_constraint_erosion_kernels *kernels;
    struct oro_buffer *carved, *ground[2], *tiles[2];

    /* On the processor. */
    struct oro_constraint_erosion host;
    float *host_constraint, *host_relief;
    struct oro_constraint_params ways; /* with all eight neighbours, for the end */
};

/* Makes the buffers. Call oro_constraint_erosion_end at the end, also after a failure. */
bool oro_constraint_erosion_begin(struct oro_constraint_erosion_run *run);
void oro_constraint_erosion_end(struct oro_constraint_erosion_run *run);

/* Runs an iteration. On the processor, `height` and `gorge` have its results only after
 * oro_constraint_erosion_put. */
bool oro_constraint_erosion_iterate(struct oro_constraint_erosion_run *run);
bool oro_constraint_erosion_put(struct oro_constraint_erosion_run *run);

/* Puts into `drained` what drains through each cell of `height` (D, in reference cells of rain), among all
 * eight neighbours. This is for the end: no iteration may follow. */
bool oro_constraint_erosion_drain(struct oro_constraint_erosion_run *run, struct oro_buffer *height,
                                  struct oro_buffer *drained);

/* On the processor (nodes/erosion/constraint_erosion_host.c). */
bool oro_constraint_erosion_host_begin(struct oro_constraint_erosion_run *run);
void oro_constraint_erosion_host_end(struct oro_constraint_erosion_run *run);
bool oro_constraint_erosion_host_iterate(struct oro_constraint_erosion_run *run);
bool oro_constraint_erosion_host_put(struct oro_constraint_erosion_run *run);
bool oro_constraint_erosion_host_drain(struct oro_constraint_erosion_run *run, struct oro_buffer *height,
                                       struct oro_buffer *drained);

#endif
