/*
 * The node `hydraulic_erosion` in plain C, for comparison with its kernels: Jako 2011 with the corrections
 * that its descriptor lists, cell after cell, in double precision. As in the node, elevations and depths are
 * whole steps, so that what one cell gives is what another gets.
 */
#ifndef ORO_TESTS_REF_REF_HYDRAULIC_H
#define ORO_TESTS_REF_REF_HYDRAULIC_H

#include <stdbool.h>
#include <stdint.h>

enum ref_borders { REF_OUTFLOW, REF_WALLS, REF_SEA };

struct ref_spring {
    int cell;
    double rate; /* cubic reference cells a second */
};

struct ref_hydraulic {
    int width, height, neighbours; /* 4 or 8 */
    double cell, reference_cell;   /* metres */
    enum ref_borders borders;
    double sea_level, time_step; /* metres, seconds */
    double step;                 /* in which elevations and depths are counted, metres */
    bool flow, erosion, limit_depth, exchange, thermal;
    double pipe_area, gravity, friction;
    double suspension, film, least_slope, collision, softening; /* degrees */
    double talus_hardness;
    const float *terrain, *hardness, *rain, *evaporation, *capacity, *deposition, *erosion_depth, *slide_rate,
        *talus_bias, *mask;
    const float *water, *sediment; /* at first; may be NULL */
    struct ref_spring spring;      /* a rate of 0: none */
};

/* Toward E, W, S, N, SE, NW, SW, NE: the opposite of direction k is k ^ 1. */
enum { REF_DIRECTIONS = 8 };

struct ref_water_cell {
    int64_t ground, start, bed, water, sediment, ahead; /* steps */
    double softness, kept;       /* kept: share of its fluxes that a cell can keep up */
    double flux[REF_DIRECTIONS]; /* out of the cell, in steps of depth per step of time */
};

/* A simulation: its cells are the caller's, width x height. */
struct ref_hydraulic_run {
    const struct ref_hydraulic *given;
    struct ref_water_cell *cells;
    double unit, length; /* steps to a reference cell; of a cell, in reference cells */
    double acceleration, damping, drag, speed;
    int64_t sea;
    int64_t water_left, sediment_left; /* over the border, steps */
};

struct ref_hydraulic_run ref_hydraulic_start(const struct ref_hydraulic *given, struct ref_water_cell *cells);
/* One iteration. `next` is scratch of the same size; afterwards run->cells and *next have changed places. */
void ref_hydraulic_step(struct ref_hydraulic_run *run, struct ref_water_cell **next);
/* Of the water through a cell: metres in a second by metres of depth. */
void ref_hydraulic_flow(const struct ref_hydraulic_run *run, int cell, double flow[2]);

#endif
