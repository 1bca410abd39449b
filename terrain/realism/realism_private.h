/* What the files of this folder share: the part of the ground that is measured, gradients, Gaussians, ways.
 */
#ifndef ORO_TERRAIN_REALISM_REALISM_PRIVATE_H
#define ORO_TERRAIN_REALISM_REALISM_PRIVATE_H

#include <math.h>

#include "terrain/drainage/routing.h"
#include "terrain/realism/realism.h"

/* The ground with what is measured of it: columns from..to_x, rows from..to_y, ends excluded. */
struct oro_realism_site {
    const struct oro_ground *ground;
    const float *z;
    size_t width, height, from, to_x, to_y;
    double cell, scale; /* metres */
};

static inline bool oro_realism_inside(const struct oro_realism_site *site, size_t cell)
{
    size_t x = cell % site->width, y = cell / site->width;
    return x >= site->from && x < site->to_x && y >= site->from && y < site->to_y;
}

static inline size_t oro_realism_inner_cells(const struct oro_realism_site *site)
{
    return (site->to_x - site->from) * (site->to_y - site->from);
}

struct oro_horn_gradient {
    double x, y; /* rise over run, east and south */
};

/* Horn 1981, of a cell with eight neighbours. */
static inline struct oro_horn_gradient oro_realism_gradient(const struct oro_realism_site *site, size_t cell)
{
    const float *n = site->z + cell - site->width, *m = site->z + cell, *s = site->z + cell + site->width;
    double east = (double)n[1] + 2 * (double)m[1] + (double)s[1];
    double west = (double)n[-1] + 2 * (double)m[-1] + (double)s[-1];
    double south = (double)s[-1] + 2 * (double)s[0] + (double)s[1];
    double north = (double)n[-1] + 2 * (double)n[0] + (double)n[1];
    return (struct oro_horn_gradient){(east - west) / (8 * site->cell), (south - north) / (8 * site->cell)};
}

/* Sums over rows from..to, end excluded. */
struct oro_realism_rows {
    size_t from, to, sums;
    void (*add)(const void *user, size_t y, double *sums); /* a row's part, to `sums` numbers */
    const void *user;
};
/* Adds them up, by all processors; the result does not depend on how many. `sums` come as 0. False: memory is
 * out. */
bool oro_realism_add_rows(const struct oro_realism_rows *rows, double *sums);

bool oro_realism_no_memory(const struct oro_realism_site *site, struct oro_error *err);

/* The standard deviation of the Gaussian that lets half the amplitude of a wavelength pass. */
static inline double oro_realism_sigma(double wavelength)
{
    return wavelength * 0.18739;
}

/* The ground after a Gaussian; `sigma` in metres. Beyond the borders the ground goes on turned about the
 * border's cell by half a turn, so that slopes go on. The caller frees it; NULL if memory is out. */
float *oro_realism_blurred(const struct oro_realism_site *site, double sigma);
/* The same of other values of the ground's cells, mirrored at the borders, so that what is nowhere negative
 * stays so. */
float *oro_realism_averaged(const struct oro_realism_site *site, const float *values, double sigma);
/* The ground without its Gaussian below 2 R. The caller frees it; NULL if memory is out. */
float *oro_realism_detail(const struct oro_realism_site *site);

/* The power spectrum of what is measured, the plane that fits best removed, under a Hann window. */
struct oro_power {
    size_t width, height; /* waves along rows and along columns */
    float *power;         /* of wave x along rows and y along columns: [x * height + y] */
};
bool oro_power_find(const struct oro_realism_site *site, struct oro_power *power, struct oro_error *err);
/* Of wave `i` of `count`, in cycles per cell, without its sign. */
static inline double oro_power_frequency(size_t i, size_t count)
{
    return (double)(i <= count / 2 ? i : count - i) / (double)count;
}

/* Kolmogorov and Smirnov's distance of two distributions, exact. Sorts both. */
double oro_realism_distance(float *a, size_t a_count, float *b, size_t b_count);

/* Ways of the water. */
struct oro_channels {
    struct oro_routing routing;
    uint32_t *area; /* cells */
    uint32_t *main; /* the donor with the greatest area (of equals the lowest cell), or ORO_NO_DONOR */
};
#define ORO_NO_DONOR UINT32_MAX

bool oro_channels_find(const struct oro_realism_site *site, struct oro_channels *channels,
                       struct oro_error *err);
void oro_channels_free(struct oro_channels *channels);

/* The figures, each group where it is at home. */
bool oro_realism_slopes(const struct oro_realism_site *site, struct oro_realism *out, struct oro_error *err);
bool oro_realism_slope_distance(const struct oro_realism_site *a, const struct oro_realism_site *b,
                                double *distance, struct oro_error *err);
bool oro_realism_bands(const struct oro_realism_site *site, double rms[ORO_BANDS], struct oro_error *err);
bool oro_realism_low_pass(const struct oro_realism_site *a, const struct oro_realism_site *truth,
                          struct oro_realism_difference *out, struct oro_error *err);
bool oro_realism_falloff(const struct oro_realism_site *site, const struct oro_power *power, double *slope,
                         struct oro_error *err);
bool oro_realism_directions(const struct oro_realism_site *site, const struct oro_power *power,
                            struct oro_realism *out, struct oro_error *err);
bool oro_realism_openness(const struct oro_realism_site *site, double *mean, struct oro_error *err);
bool oro_realism_openness_distance(const struct oro_realism_site *a, const struct oro_realism_site *b,
                                   double *distance, struct oro_error *err);
bool oro_realism_patchiness(const struct oro_realism_site *site, const float *detail, double *patchiness,
                            struct oro_error *err);
bool oro_realism_slope_classes(const struct oro_realism_site *a, const struct oro_realism_site *truth,
                               double *spread, struct oro_error *err);
bool oro_realism_coherence(const struct oro_realism_site *site, const float *detail, double *coherence,
                           struct oro_error *err);
bool oro_realism_concavity(const struct oro_realism_site *site, const struct oro_channels *channels,
                           struct oro_realism *out, struct oro_error *err);
bool oro_realism_ways(const struct oro_realism_site *site, const struct oro_channels *channels,
                      struct oro_realism *out, struct oro_error *err);
bool oro_realism_forms(const struct oro_realism_site *site, const struct oro_channels *channels,
                       struct oro_realism *out, struct oro_error *err);
bool oro_realism_junctions(const struct oro_realism_site *site, const struct oro_channels *channels,
                           struct oro_realism *out, struct oro_error *err);
/* Two sets of channels on sites of the same size. */
bool oro_realism_junction_distance(const struct oro_realism_site *site, const struct oro_channels channels[2],
                                   double *distance, struct oro_error *err);
bool oro_realism_find_tubes(const struct oro_realism_site *site, const struct oro_channels *channels,
                            struct oro_realism_tubes *out, struct oro_error *err);
bool oro_realism_rivers(const struct oro_realism_site *site, const struct oro_channels channels[2],
                        double *offset, struct oro_error *err);

/* Channels begin where so many cells drain: 2 R^2, 100 cells at least. */
double oro_realism_channel_area(const struct oro_realism_site *site);

/* The slope of the least-squares line through points. NaN where they do not tell. */
double oro_realism_line(const double *x, const double *y, size_t count);

#endif
