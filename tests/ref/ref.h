/*
 * The erosion nodes in plain C, for comparison with the kernels: written from the papers' equations, one cell
 * after the other, in double precision. Only the state kept from one iteration to the next is rounded to
 * float, as on a device.
 *
 * Rasters are arrays of width * height floats, row by row from the north. Maps are always rasters here. A
 * function that makes one step reads the old state and writes the new one; the two must not be the same
 * array.
 */
#ifndef ORO_TESTS_REF_REF_H
#define ORO_TESTS_REF_REF_H

#include <stdbool.h>

/* ---- Flow (Schott 2024, eq. 1 and 2) ---- */

struct ref_flow {
    int width, height;
    double cell, exponent; /* metres; p of eq. 1 */
    bool walls;            /* the ground is mirrored at the border; else it goes on downhill from `base` */
    const float *base;     /* heights at the start */
    bool rises;            /* the ground beyond an open border rises with the border */
};

/* Height of a cell that may lie outside, up to two cells. */
double ref_height(const struct ref_flow *flow, const float *height, int x, int y);

/* The flow that comes to a cell from its neighbours: each gives all that it carries to its lower neighbours,
 * in proportion to slope^p. */
double ref_came(const struct ref_flow *flow, const float *height, const float *carried, int x, int y);

/* The flow that leaves a cell over an open border. */
double ref_leaving(const struct ref_flow *flow, const float *height, const float *carried);

/* One step of eq. 2. Rain is relative to 1. */
void ref_drainage_step(const struct ref_flow *flow, const float *height, const float *rain, const float *area,
                       float *area_out);
/* Area to start from: `given`, which may be NULL, but at least the cell's own rain. */
void ref_drainage_start(const struct ref_flow *flow, const float *rain, const float *given, float *area);

/* The ground around a cell. */
struct ref_ground {
    double slope;    /* the steepest way down; 0 in a pit */
    double receiver; /* height of the neighbour there; undefined in a pit */
    double rise;     /* the steepest slope up; negative on a summit */
    double above;    /* height of the lowest higher neighbour; INFINITY where there is none */
    double mean;     /* of the eight neighbours */
};
struct ref_ground ref_ground_at(const struct ref_flow *flow, const float *height, int x, int y);

/* ---- Fluvial erosion (eq. 5) ---- */

struct ref_power {
    double slope_exponent, area_exponent, slope_limit, area_limit; /* the limits: a tangent; square metres */
    double reference_cell;                                         /* metres */
};
/* min(s, s_max)^n min(a, a_max)^m, with the area in m2. Nothing where there is no slope. */
double ref_stream_power(const struct ref_power *power, double slope, double area);

struct ref_fluvial {
    struct ref_flow flow;
    struct ref_power power;
    double erodibility;
    const float *hardness, *mask, *rain;
};
void ref_fluvial_step(const struct ref_fluvial *fluvial, const float *height, const float *area,
                      float *height_out, float *area_out);

/* ---- Thermal erosion (4.3, made conservative) ---- */

struct ref_thermal {
    int width, height;
    double cell, amount, reference_cell;
    const float *repose, *mask; /* degrees */
};
void ref_thermal_step(const struct ref_thermal *thermal, const float *height, float *height_out);

/* ---- Deposition (4.4, with a budget) ---- Sediment is a depth on its cell. */

struct ref_deposition {
    struct ref_flow flow;
    struct ref_power power;
    double creation, settling, capacity, least_slope; /* the last: a tangent */
    bool hollows;                                     /* the method; else plains */
    const float *mask, *rain;
};
struct ref_load {
    float *height, *area, *sediment, *source;
};
void ref_deposition_step(const struct ref_deposition *deposition, struct ref_load before,
                         struct ref_load after);

/* ---- Upsample (4.1) ---- */

enum ref_method { REF_CATMULL_ROM, REF_B_SPLINE, REF_BILINEAR };
/* `fine` has factor times as many cells on each side. */
void ref_upsample(enum ref_method method, int width, int height, const float *coarse, int factor,
                  float *fine);

#endif
