/*
 * What can be measured on ground where water runs: whether it drains, and how far it looks like land that
 * rivers made. Heights in metres; `cell` turns cells into metres, 0 where nobody knows it: lengths are in
 * cells then, areas in square cells, slopes in metres a cell. A number that the ground does not determine (a
 * fit through too few points, the shape of a plain) is NaN.
 *
 * The sea is an outlet and no ground: neither is it counted in means and shares, nor is anything measured on
 * it.
 *
 * All functions are thread-safe, and their results do not depend on the number of processors.
 */
#ifndef ORO_TERRAIN_HYDROLOGY_METRICS_H
#define ORO_TERRAIN_HYDROLOGY_METRICS_H

#include "terrain/drainage/certificate.h"
#include "terrain/drainage/drain.h"

/* y = factor * x^exponent, least squares of log y on log x. */
struct oro_fit {
    double factor, exponent, r2;
    double scatter; /* about the line: standard deviation of log10 y; 0.1 is a factor of 1.26 */
    size_t count;   /* of points */
};

/* Cells whose drainage area is within half an octave, from 2^(k/2) cells on. */
struct oro_area_bin {
    size_t cells;
    double area;   /* square metres, geometric mean */
    double slope;  /* metres per metre, geometric mean of those that fall to their receiver */
    double length; /* metres, of the longest way from the divide, geometric mean of those that have one */
    double slope_spread, length_spread; /* standard deviations of their log10 */
};
enum { ORO_AREA_BINS = 64, ORO_HYPSOMETRY_POINTS = 101 };

/* A cell of a sample, for a cloud of points: area and length above 0, in square metres and metres; slope in
 * metres per metre, NaN where the way does not fall. */
struct oro_sample {
    double area, length, slope;
};
enum { ORO_BIN_SAMPLES = 16, ORO_SAMPLES = ORO_AREA_BINS * ORO_BIN_SAMPLES };

/* Another drainage area against the exact one: log2(other / exact), over the cells where `other` is above 0.
 */
struct oro_area_error {
    size_t cells, without; /* compared; without an area to compare */
    double rms, bias;      /* root mean square; mean: 1 is twice the area throughout */
};

/* Everything is measured along the exact ways to the outlets (oro_route). */
struct oro_metrics {
    struct oro_certificate certificate;

    /* What it takes to drain the ground by carving alone. */
    bool breachable;             /* false: 32-bit numbers do not go that low, and chi is not known */
    struct oro_drain_cost carve; /* heights and volumes as above */
    double mean_carve;           /* b-bar of Schott 2024, 6.5: mean |h - B(h)| */

    /* Hack's law l = c a^n over cells with at least ORO_HACK_CELLS upstream: l the longest way from the
     * divide in km, a in square km (in cells where `cell` is not known). Rivers have c 1..6, n 0.45..0.7. */
    struct oro_fit hack;

    /* Slope against area, s = ks a^-theta, over the bins from ORO_HACK_CELLS on that have 10 such cells or
     * more; a in square metres; `exponent` is -theta. Where uplift and stream power balance, theta is m / n;
     * fractal noise has 0.05 to 0.17. Where the way leads up, out of a depression, there is no slope:
     * counting the slopes that breaching would carve there, a micrometre a cell, would tell of the breaching
     * alone. On ground of whole metres, or breached, it tells of that instead of the rivers:
     * terrain/realism/realism.h has a law by drops, which does not. */
    struct oro_fit slope_area;
    struct oro_area_bin bins[ORO_AREA_BINS]; /* bin k may be empty; the first `bin_count` */
    int bin_count;
    /* A sample of the same cells: at most ORO_BIN_SAMPLES of each bin, spread over the ground, by rising
     * bin. */
    struct oro_sample samples[ORO_SAMPLES];
    int sample_count;

    /* chi = integral of (1 / a)^theta dl upstream from the outlet (Perron and Royden 2013), against the
     * height above it on breached ground, over the same cells as Hack's law: height = steepness * chi. R2 of
     * the line. */
    double chi_steepness, chi_r2;

    /* Share of the cells at or above `low` + k % of the relief; its integral, (mean - low) / (high - low). */
    double hypsometry[ORO_HYPSOMETRY_POINTS], hypsometric_integral;

    /* Errors of plain steepest descent, which lets pits swallow the water, and of the raster that was
     * given. */
    struct oro_area_error steepest, given;
};
enum { ORO_HACK_CELLS = 100 };

/* The hypsometry alone, of ground that comes in parts, in the order of its rows: twice all of it, first for
 * its range, then for its counts. `sea` may be NULL. */
struct oro_hypsometry {
    size_t land, counts[ORO_HYPSOMETRY_POINTS];
    float least, most;
    double sum;
};
struct oro_hypsometry oro_hypsometry_begin(void);
void oro_hypsometry_range(struct oro_hypsometry *of, const float *z, const float *sea, size_t cells);
void oro_hypsometry_count(struct oro_hypsometry *of, const float *z, const float *sea, size_t cells);
void oro_hypsometry_end(const struct oro_hypsometry *of, struct oro_metrics *metrics);

struct oro_metrics_options {
    double cell;           /* metres; 0: not known */
    double theta;          /* of chi; 0: ORO_METRICS_THETA */
    const float *drainage; /* to compare, square metres (cells where `cell` is 0), as large as the ground; or
                              NULL */
};
/* m / n of the erosion of nodes/erosion/fluvial_erosion.c (Schott 2024, table 4). */
#define ORO_METRICS_THETA 0.4

/* Everything at once. Time O(n); 24 bytes a cell at the most, besides what oro_route and oro_breach take
 * while they work. Fails as oro_route. */
bool oro_metrics(const struct oro_ground *ground, const struct oro_metrics_options *options,
                 struct oro_metrics *metrics, struct oro_error *err);

#endif
