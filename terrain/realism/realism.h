/*
 * How far ground looks like real ground: figures of one terrain, and of one against the truth that it should
 * have been. docs/realism.md defines each of them, and says what real ground has.
 *
 * All figures depend on a scale R: the width of the coarse cells that the detail was made from. A border of
 * 2 R, or of a quarter of the shorter side where that is less, is left out everywhere but in the figure that
 * is about the border. Water runs along exact ways to the outlets (oro_route), so that neither flats nor
 * depressions matter. A figure that the ground does not determine is NaN.
 *
 * All functions are thread-safe, and their results do not depend on the number of processors.
 */
#ifndef ORO_TERRAIN_REALISM_REALISM_H
#define ORO_TERRAIN_REALISM_REALISM_H

#include "terrain/drainage/ground.h"

/* R in cells where nobody says it. */
#define ORO_REALISM_SCALE 8.0

/* Bands of wavelengths, as multiples of R: detail that the coarse cells just do not have, and landforms that
 * they do have. */
enum { ORO_BAND_FINE, ORO_BAND_BROAD, ORO_BANDS };

/* Slopes of channels by drops of ORO_DROP metres, in bins of half an octave of area: slope = ks area^-theta,
 * with areas in square metres, through the bins that have ORO_DROP_SEGMENTS or more. */
struct oro_drop_bin {
    size_t segments;
    double area, slope;  /* square metres, geometric mean; rise over run, median */
    double quartiles[2]; /* of the slopes */
};
enum { ORO_DROP = 20, ORO_DROP_SEGMENTS = 10, ORO_DROP_BINS = 64 };
struct oro_drop_law {
    double ks, theta, r2;
    double scatter; /* about the line: standard deviation of log10 of the bins' slopes */
    size_t segments;
    struct oro_drop_bin bins[ORO_DROP_BINS]; /* by rising area, those without segments left out */
    int bin_count, fitted;
};

struct oro_realism {
    double cell, scale; /* metres: the width of a cell, and R */
    double mean_slope;  /* degrees */
    double flat;        /* 0..1: cells less steep than 2 degrees */
    double openness;    /* degrees, the mean: positive openness (Yokoyama 2002), as far as 2 R */
    double spectrum_slope;
    double band_rms[ORO_BANDS]; /* metres, of wavelengths R..2R and 4R..16R */
    double diagonal_power;      /* of curvature along the diagonals, over that of all directions: 1 without */
    double axis_power;          /* a grid's mark; the same along rows and columns */
    double patchiness;          /* standard deviation of log of detail's local strength */
    double coherence;           /* 0..1: of detail's structure tensor, 1 where it runs in lines alone */

    double concavity; /* theta of the law of drops */
    struct oro_drop_law drops;
    double hack;     /* n of l = c a^n */
    double straight; /* 0..1: channel cells in straight runs of ORO_STRAIGHT_RUN cells and more */
    size_t channel_cells;
    double junction_angle; /* degrees, the mean: at which channels meet */
    size_t junctions;

    double convergent;                /* 0..1: cells where contours converge strongly */
    double anisotropy[2];             /* 0..1: of gradients, four-fold and eight-fold */
    double deepest_trench;            /* metres, of a trench one cell wide */
    size_t trench_cells, trench_at;   /* with trenches above ORO_TRENCH_DEPTH; the cell of the deepest */
    size_t longest_trench;            /* such cells, one after the other down the water's way */
    double border_slope, inner_slope; /* across the border, rise over run, and 32 cells inside */
};
enum { ORO_STRAIGHT_RUN = 8, ORO_TRENCH_DEPTH = 10 };

/* Ground against the truth. */
struct oro_realism_difference {
    /* 0..1: Kolmogorov and Smirnov's, of the distributions of slopes, of openness and of angles of
     * confluences
     */
    double slope_distance, openness_distance, junction_distance;
    double class_spread;          /* of log(own rms of detail / the truth's), root mean square over slopes */
    double low_pass_rmse;         /* metres, after a Gaussian with a standard deviation of R */
    double detail_correlation;    /* -1..1, of wavelengths below 8 R */
    double band_share[ORO_BANDS]; /* rms over the truth's, of wavelengths R..2R and 4R..16R */
    double river_offset;          /* metres: mean distance between the rivers of both */
};

/* Valleys like tubes, where channels are cells that eight times as many drain through as elsewhere here. A
 * wall is ground within R, across the channel's course over 1.5 R, that is higher by R times the mean slope;
 * the width is the distance between both walls. A tube has walls in three of four cells, and widths whose
 * quartiles lie within 0.35 of the median of each other, over ORO_TUBE_WIDTHS medians. A dead end is a cell
 * with both walls, as have 3 of 5 over the 4 R below, that is no more than 0.3 walls above the one 2 R below,
 * and where the water comes down a wall within 2 R. */
enum { ORO_TUBE_WIDTHS = 20 };
struct oro_realism_tubes {
    size_t channel_cells, walled_cells, tube_cells, dead_ends;
};

/* `cell` > 0 and `scale` (R) are in metres; `scale` 0 is ORO_REALISM_SCALE cells. Ground with fewer than four
 * cells a side has no figures. Time O(n log n); some 40 bytes a cell. Fails with ORO_E_USAGE (the lengths),
 * and as oro_route. */
bool oro_realism(const struct oro_ground *ground, double cell, double scale, struct oro_realism *figures,
                 struct oro_error *err);
bool oro_realism_tubes(const struct oro_ground *ground, double cell, double scale,
                       struct oro_realism_tubes *tubes, struct oro_error *err);
/* Fails with ORO_E_USAGE, too, if the two are not of the same size. */
bool oro_realism_against(const struct oro_ground *ground, const struct oro_ground *truth, double cell,
                         double scale, struct oro_realism_difference *difference, struct oro_error *err);

#endif
