/*
 * What the node stream_power lays down, and the water that stands: terrain/hydrology/sediment.h has the laws.
 * All of it runs on the processor, on machines with a graphics card too; there the terms of the equation come
 * from the card, and heights go back to it at every step.
 *
 * With a step of no common length there is no age: sediment passes as in balance, and water that stands keeps
 * its floor. With a step in years everything is accounted for, and deltas grow.
 */
#ifndef ORO_NODES_EROSION_STREAM_POWER_SEDIMENT_H
#define ORO_NODES_EROSION_STREAM_POWER_SEDIMENT_H

#include "nodes/erosion/stream_power.h"
#include "terrain/hydrology/sediment.h"

/* ---- Basins: water that stands at a level of its own ---- */

struct oro_stream_power_body {
    bool closed;   /* nothing leaves, and the level rises when there is no room below it */
    uint32_t sump; /* its deepest cell at the beginning, which stays under water */
    double owed;   /* what has come in this step and found no room, metres over one cell */
};

struct oro_stream_power_basins {
    uint32_t *body; /* of every cell: its number, 0: none. The sea, where it has a floor, is one */
    float *level, *floor, *outlet;
    struct oro_stream_power_body *bodies; /* the first is number 1 */
    uint32_t count;
    size_t capacity;
    struct oro_buffer *outlets; /* all cells where water ends, on the device */
    struct oro_standing_scratch scratch;
};

/* Makes sp->basins, if there are any, before the tree begins; frees it. */
bool oro_stream_power_basins_begin(struct oro_stream_power *sp);
void oro_stream_power_basins_end(struct oro_stream_power *sp);
/* Puts the water's surface into height[0]. */
bool oro_stream_power_basins_fill(struct oro_stream_power *sp);
/* Puts the surfaces into heights on the host, and renews the outlets. */
bool oro_stream_power_basins_flood(struct oro_stream_power *sp, float *height);
/* Lets settle what has come to every outlet (`flux`, metres over one cell), and floods `height` anew. Adds
 * what leaves to `left`. */
bool oro_stream_power_basins_settle(struct oro_stream_power *sp, const double *flux, float *height,
                                    double *left);

/* ---- Sediment ---- */

/* Makes sp->sediment, if there is any; frees it. */
bool oro_stream_power_sediment_begin(struct oro_stream_power *sp);
void oro_stream_power_sediment_end(struct oro_stream_power *sp);
/* Renews sp->lifting, for the ground that was routed last, in balance. */
bool oro_stream_power_lay(struct oro_stream_power *sp);
/* Whether rivers keep shifting over what they lay down, in balance: on ground that does not rise there is no
 * end to that. False as well where nothing is laid down. */
bool oro_stream_power_shifts(struct oro_stream_power *sp, bool *shifts);
/* What that goes by, after a stored state. */
bool oro_stream_power_resume_shifting(struct oro_stream_power *sp);
/* Runs steps in years. */
bool oro_stream_power_age(struct oro_stream_power *sp);
/* Gives the outputs that tell of sediment and standing water, for the final heights. */
bool oro_stream_power_give_sediment(struct oro_stream_power *sp, struct oro_buffer *height);

#endif
