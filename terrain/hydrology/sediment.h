/*
 * Stream power that lays down what it carries (Yuan, Braun, Guerit, Rouby and Cordonnier 2019, "A new
 * efficient method to solve the stream power law model taking into account sediment deposition"), a step of
 * time along the drainage tree:
 *
 *     dh/dt = u - k a^m s^n + (G / a) q + creep,     q = integral over all upstream of (u - dh/dt)
 *
 * q is what passes through a cell, its own waste among it; so what rises, what leaves and what the ground
 * keeps add up whatever the step. s is the slope to the receiver, or to the water that stands over it.
 *
 * The paper goes back and forth between q and h until both agree, which is slow for a large G. Here one walk
 * down the tree finds for every cell how the sediment that comes to it depends on its own height (a tangent,
 * exact for n = 1), and one walk up solves the cells with that; the walks are repeated until no height
 * changes.
 *
 * Where a way leads up, water stands: nothing is carved there, and what comes settles from the mouths of the
 * rivers on, until the hollow is full; only what it cannot hold goes on.
 */
#ifndef ORO_TERRAIN_HYDROLOGY_SEDIMENT_H
#define ORO_TERRAIN_HYDROLOGY_SEDIMENT_H

#include "base/heap.h"
#include "terrain/drainage/routing.h"

/* Rasters have width * height cells of the ground. */
struct oro_sediment {
    const struct oro_ground *ground; /* z: heights at the beginning, in outlets that of the water's surface */
    const struct oro_routing *routing;
    double cell, years;       /* metres; length of the step */
    double n, steepest;       /* exponent of the slope; slope that slides, metres a metre */
    const float *lift;        /* u, metres a year */
    const float *strength;    /* k a^m: what a slope of 1 carves, metres a year */
    const float *settling;    /* G cell^2 / a; below 0: the cell stays as it is */
    const float *pull, *mean; /* creep: pull * (mean - h), metres a year; both NULL: none */
};

/* What a step takes, 73 bytes a cell; zeroed at first, kept from step to step. */
struct oro_sediment_scratch {
    size_t cells;
    double *numbers;
    uint8_t *kind;
};
void oro_sediment_scratch_free(struct oro_sediment_scratch *scratch);

/* Fills `after` with the heights at the end, in outlets unchanged; `flux` with what leaves each cell, in
 * metres over one cell and the step, in outlets what arrives; inside of standing water it is no flux. `walks`
 * (which may be NULL) gets the number of walks down and up. Uses all processors; the result does not depend
 * on how many. Fails with ORO_E_MEMORY, ORO_E_CANCELLED. */
bool oro_sediment_step(const struct oro_sediment *step, struct oro_sediment_scratch *scratch, float *after,
                       double *flux, int *walks, struct oro_error *err);

/* What comes down in balance, where dh/dt is 0 everywhere and q is all that rises upstream: fills `flux` with
 * q in metres over one cell and a year, and `laid` with (G / a) q in metres a year. */
void oro_sediment_in_balance(const struct oro_routing *routing, const float *lift, const float *settling,
                             float *laid, double *flux);

/* ---- Water that stands ---- */

/* Bodies of water whose surface is known, and the ground beneath. */
struct oro_standing_water {
    int width, height;
    double cell;
    const uint32_t *body; /* of every cell: a body's number, 0: none */
    const float *level;   /* of the surface, in a body's cells */
    float *floor;         /* the ground, in a body's cells */
    const float *held;    /* cells where it is below 0 stay as they are; NULL: there are none */
};

/* The work of filling: marks, and the cells that come next. Zeroed at first. */
struct oro_standing_scratch {
    uint32_t *seen;
    struct oro_heap listed; /* by their distances */
    size_t cells;
    uint32_t stamp;
    double rounded; /* how much less than it took the floor has gained: floats have their spacing */
};
void oro_standing_scratch_free(struct oro_standing_scratch *scratch);

/* Raises the floor of the lowest cells of a body to one level, until that has taken `volume` (metres over one
 * cell), and returns the level. */
double oro_standing_raise(const struct oro_standing_water *water, struct oro_standing_scratch *scratch,
                          uint32_t body, double volume);

/* Lets `volume` (metres over one cell) settle from the mouth `cell` on, in the cells of its body: first as a
 * cone whose top reaches the surface at the mouth, and whose front falls by ORO_DELTA_FRONT; then, where that
 * has no room, up to the surface, nearest cells first. Leaves what finds no room in `volume`. Fails with
 * ORO_E_MEMORY. */
#define ORO_DELTA_FRONT 0.05
bool oro_standing_settle(const struct oro_standing_water *water, struct oro_standing_scratch *scratch,
                         size_t cell, double *volume, struct oro_error *err);

#endif
