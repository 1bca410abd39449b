/*
 * The scale of hydraulic erosion: from metres and the parameters of table 2 (Jako 2011) to what its kernels
 * count in.
 *
 * The table's numbers belong to a world whose unit of length is the reference cell. By Froude's law, under
 * which models of flowing water are built, its second is sqrt(reference cell in metres) seconds: slopes, and
 * the share of gravity in the flow, are then the same at every scale. A pipe's cross-section A is that of a
 * pipe as wide as a reference cell, and those of narrower cells are narrower, so that waves run as fast at
 * every resolution. So are slides where time is physical: what crosses the side of a cell goes with the
 * slope, not with the drop between cells, so that the share that slides goes with 1 / width^2 (docs/time.md).
 * The angle at which water meets the ground is the difference of the slopes of two cells; there it is that of
 * two reference cells, by the same curvature.
 *
 * Depths and elevations are counted in whole steps of 2^k metres: fine enough that an iteration's rain is
 * many of them, and coarse enough that elevations take no more than 29 bits.
 */
#ifndef ORO_NODES_EROSION_HYDRAULIC_SCALE_H
#define ORO_NODES_EROSION_HYDRAULIC_SCALE_H

#include <stdbool.h>

#include "graph/type/node.h"
#include "nodes/lib/duration.h"

/* The params of hydraulic_erosion, with the symbols of Jako 2011 in brackets. */
struct oro_hydraulic_params {
    ORO_DURATION_PARAMS;
    float time_step, reference_cell; /* [dt], metres */
    bool flow;
    float rain, evaporation, pipe_area, gravity, friction; /* [Kr r, Ke, A, g] */
    const char *springs;
    int neighbours, borders;
    float sea_level; /* metres */
    bool erosion, limit_depth, exchange;
    float capacity, suspension, deposition, erosion_depth, film, least_slope,
        collision;             /* [Kc, Ks, Kd, Kdmax] */
    float hardness, softening; /* [1 - R, Kh] */
    bool thermal;
    float slide_rate, talus_hardness, talus_bias; /* [Kt, Ka, Ki] */
    float mask;
};

enum { ORO_NEIGHBOURS_4, ORO_NEIGHBOURS_8 };
enum { ORO_BORDERS_OUTFLOW, ORO_BORDERS_WALLS, ORO_BORDERS_SEA_LEVEL };

struct oro_hydraulic_scale {
    double step;      /* metres of a step of depth */
    double unit;      /* steps to a reference cell */
    double width;     /* of a cell, in reference cells */
    double time_step; /* in seconds of table 2 */
    double limit;     /* the longest that is taken */
    double slides;    /* what slides in a time step at a rate of 1, as a share of half the drop */
    bool shortened;   /* what was asked for is longer */
    double rain;      /* steps that fall in a time step where rain is the literal; rounded when they fall */
};

/* `largest`: the largest magnitude of all elevations and depths, metres. */
void oro_hydraulic_scale(const struct oro_hydraulic_params *params, double cell, double largest,
                         struct oro_hydraulic_scale *scale);

/* The deepest water that rain still falls on, metres. */
double oro_hydraulic_deepest(const struct oro_hydraulic_scale *scale);

/* Adds the constants that the kernels share. */
void oro_hydraulic_constants(const struct oro_hydraulic_params *params,
                             const struct oro_hydraulic_scale *scale, struct oro_dispatch *dispatch);

#endif
