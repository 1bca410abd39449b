/*
 * Where uplift and rivers balance, on the processor: what the node stream_power comes to with its implicit
 * solver, by the same kernels and the same routing, for those who need it many times in a row.
 */
#ifndef ORO_TERRAIN_INVERSION_BALANCE_H
#define ORO_TERRAIN_INVERSION_BALANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* dh/dt = u - k (a / 1 km^2)^m s^n + k_h lap(h)   (Schott 2023, eq. 1). The inputs of stream_power. */
struct oro_law {
    float erodibility, n, m, channel_head, hillslope;
    float slope_limit; /* degrees */
    float rain;
};

/* A raster of floats, row by row. */
struct oro_balance_grid {
    int width, height;
    double cell; /* metres */
};

struct oro_balance {
    struct oro_law law;
    struct oro_balance_grid grid;
    const float *uplift; /* metres a year; >= 0 */
    const float *sea;    /* cells above 0.5 are outlets; NULL: none */
    const float *base;   /* elevation of the outlets; elsewhere, what is lower starts there. NULL: 0 */
    bool walls;          /* border cells are no outlets */
    int levels;          /* as stream_power's: halvings of the resolution that go first */
    int iterations;      /* at most, at every level */
    double tolerance;    /* of the mean change, as a share of the mean uplift */
    float roughness;     /* cells */
    uint32_t seed;
    bool (*stop)(void *user); /* true ends the work with ORO_E_CANCELLED; or NULL */
    void *user;
};

/* The result: arrays of the grid's size, which the caller allocates. */
struct oro_balanced {
    float *height;      /* metres; comes with where to start from where there are no levels */
    float *area;        /* m^2 times rain, that drains through */
    uint32_t *receiver; /* cell numbers; an outlet's own */
    int steps;          /* taken at the finest level */
    double change;      /* at the end, as a share of the uplift */
};

/* With the numbers that stream_power has by default. */
struct oro_balance oro_balance_usual(const struct oro_law *law, const struct oro_balance_grid *grid);

/* The bits do not depend on how many processors there are. Fails with ORO_E_MEMORY, ORO_E_CANCELLED, or as
 * oro_ground_check. */
bool oro_balance(const struct oro_balance *balance, struct oro_balanced *out, struct oro_error *err);

/* Brings a raster to another size: area average where cells get larger, else a smooth surface, as the node
 * `resize`. */
void oro_balance_resize(const struct oro_balance_grid *from, const float *field,
                        const struct oro_balance_grid *to, float *out);
/* A row or column that is there: `at`, or the nearest of `count`. */
int oro_balance_index(int at, int count);
/* A grid of half the resolution, `level` times over. */
struct oro_balance_grid oro_balance_coarser(const struct oro_balance_grid *grid, int level);

#endif
