/*
 * Shared by the files of the node stream_power: stream_power.c (inputs, levels, results),
 * stream_power_implicit.c and stream_power_explicit.c (the two solvers), stream_power_constraints.c,
 * stream_power_control.c and stream_power_valleys.c (elevation constraints), stream_power_sediment.c (what is
 * laid down), stream_power_basins.c (standing water).
 *
 *     dh/dt = u - k (a / 1 km^2)^m s^n + k_h div(grad h / (1 - (s / s_c)^2)) + (G / a) q         (Schott
 * 2023, eq. 1; Yuan 2019)
 *
 * with h = base level in outlets. a: what drains through a cell, in m^2 times rain; s: the slope to its
 * receiver; q: the sediment that passes, terrain/hydrology/sediment.h.
 */
#ifndef ORO_NODES_EROSION_STREAM_POWER_H
#define ORO_NODES_EROSION_STREAM_POWER_H

#include "nodes/flow/drainage_tree.h"
#include "nodes/flow/drainage_tree_inputs.h"

struct oro_stream_power_params {
    float uplift, erodibility, hillslope, n, m, channel_head, slope_limit;
    int method, iterations, levels;
    float tolerance, step, roughness;
    int seed;
    float rain, flow_exponent, sea, base_level, mask;
    int borders, base;
    const char *constraints;
    float constraint_radius, kp, ki, kd;
    bool subsidence, coarse;
    float deposition, basins, basin_level, basin_radius;
    int basin;
    const char *basin_points;
};

struct oro_stream_power_constraints;
struct oro_stream_power_sediment;
struct oro_stream_power_basins;

/* One run, at one resolution. */
struct oro_stream_power {
    struct oro_eval *eval;
    const struct oro_stream_power_params *params;
    size_t cells;
    struct oro_drainage_tree tree;
    struct oro_buffer *height[2], *area[2]; /* [0] is the newest */
    struct oro_buffer *rate;                /* scratch: |dh/dt|, metres a year */
    struct oro_buffer *correction;          /* uplift that constraints add, metres a year; NULL: none */
    struct oro_stream_power_constraints *constraints; /* NULL: none */
    struct oro_buffer *lifting; /* what the ground rises by besides: the correction, or that with what is laid
                                   down; NULL: nothing */
    struct oro_stream_power_sediment *sediment; /* NULL: none is laid down; stream_power_sediment.h */
    struct oro_stream_power_basins *basins;     /* NULL: there are none */
    struct oro_buffer *control;                 /* numbers that travel with the state, ORO_CONTROL_* */
    struct oro_buffer *clock;                   /* what the explicit solver's last step was */
    double reference;                           /* mean uplift, metres a year, that rates are compared with */
    double change;                              /* mean |dh/dt| over `reference` at the end */
    double years;                               /* of model time; 0 where steps have no common length */
    int done;                                   /* iterations */
    bool routed;                                /* the tree and area[0] are those of height[0] */
};

/* Words of `control`: ORO_CONTROL_POINTS that the explicit solver keeps, then ORO_CONTROL_POINT for each
 * constraint's controller. The buffer has at least as many words as the outputs have cells, so that it can be
 * part of a stored state if it fits. */
enum { ORO_CONTROL_POINTS = 8, ORO_CONTROL_POINT = 11 };

/* Run until the change is below the tolerance or all iterations are done; start from the nearest stored
 * state. */
bool oro_stream_power_implicit(struct oro_stream_power *sp);
bool oro_stream_power_explicit(struct oro_stream_power *sp);

/* Whether sediment is laid down anywhere. */
bool oro_stream_power_lays(const struct oro_stream_power *sp);

/* Routes height[0] and collects area[0]. */
bool oro_stream_power_route(struct oro_stream_power *sp);
/* Puts into `change` the mean of what a dispatch left in `rate`, divided by `per` and by the reference. */
bool oro_stream_power_measure(struct oro_stream_power *sp, double per);
/* Says that the run ends before the ground was in balance, where it was to be. */
void oro_stream_power_note_unbalanced(const struct oro_stream_power *sp);
/* Stored states: the heights, what else the solver needs (`more`), and the control. */
int oro_stream_power_resume(struct oro_stream_power *sp, struct oro_buffer *more);
bool oro_stream_power_checkpoint(struct oro_stream_power *sp, int last, struct oro_buffer *more);

/* Elevation constraints (section 6.4). Makes sp->constraints and sp->correction, if there are any. */
bool oro_stream_power_constraints_begin(struct oro_stream_power *sp);
void oro_stream_power_constraints_end(struct oro_stream_power *sp);
int oro_stream_power_constraints_count(const struct oro_stream_power *sp);
/* How many words of the control are in use. */
size_t oro_stream_power_control_words(const struct oro_stream_power *sp);
/* Puts all controllers to rest, once there is a control. */
bool oro_stream_power_constraints_start(struct oro_stream_power *sp);
/* Renews the correction from the control. */
bool oro_stream_power_constraints_apply(struct oro_stream_power *sp);
/* Lets every controller look at the terrain, and renews the correction. */
bool oro_stream_power_constraints_update(struct oro_stream_power *sp);
/* Whether any have valleys, of which a stored state knows nothing: then none is kept. */
bool oro_stream_power_constraints_dug(const struct oro_stream_power *sp);
/* Whether all controllers have settled, or given up. */
bool oro_stream_power_constraints_settled(struct oro_stream_power *sp, bool *settled);
/* Reports figures, and warns of each constraint that is not met. */
bool oro_stream_power_constraints_report(struct oro_stream_power *sp);

#endif
