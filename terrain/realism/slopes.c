/* Slopes and where they face: their mean, their distribution, and whether the grid shows in them. */
#include <complex.h>

#include "base/memory.h"
#include "terrain/realism/realism_private.h"

static double degrees_of(double steep)
{
    return atan(steep) * (180 / M_PI);
}

/* ---- Means ---- */

#define FLAT 2.0 /* degrees */

/* Sums of a row's cells. Those of a fold n are of w exp(i n theta), for gradients in direction theta,
 * weighted by how steep they are. */
enum { DEGREES, FLATTER, STEEP, FOUR, FOUR_IMAGINARY, EIGHT, EIGHT_IMAGINARY, SUMS };

static void add_row(const void *user, size_t y, double *sums)
{
    const struct oro_realism_site *site = user;
    for (size_t x = site->from; x < site->to_x; x++) {
        struct oro_horn_gradient g = oro_realism_gradient(site, y * site->width + x);
        double steep = hypot(g.x, g.y), degrees = degrees_of(steep);
        sums[DEGREES] += degrees;
        sums[FLATTER] += degrees < FLAT;
        if (!(steep > 0))
            continue;
        double complex direction = g.x / steep + g.y / steep * I, two = direction * direction;
        double complex four = two * two, eight = four * four;
        sums[STEEP] += steep;
        sums[FOUR] += steep * creal(four);
        sums[FOUR_IMAGINARY] += steep * cimag(four);
        sums[EIGHT] += steep * creal(eight);
        sums[EIGHT_IMAGINARY] += steep * cimag(eight);
    }
}

static double share_of(const double fold[2], double weight)
{
    return weight > 0 ? hypot(fold[0], fold[1]) / weight : NAN;
}

/* ---- Across the border ---- */

/* How many cells inside the slopes are that those of the border are held against. */
enum { INSIDE = 32, RIM = 2 };

/* Sum of the height differences across a side, over the two steps that are `deep` cells from it. `start` is
 * the side's first cell, `along` leads to the next one of the side, `across` to the next one inside. */
static double sum_across(const float *z, size_t start, size_t count, size_t along, ptrdiff_t across,
                         size_t deep)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        const float *at = z + start + i * along + (ptrdiff_t)deep * across;
        for (int k = 0; k < RIM; k++, at += across)
            sum += fabs((double)at[across] - (double)at[0]);
    }
    return sum;
}

static double slope_across(const struct oro_realism_site *site, size_t deep)
{
    size_t w = site->width, h = site->height;
    ptrdiff_t row = (ptrdiff_t)w;
    double sum = sum_across(site->z, 0, w, 1, row, deep) +
                 sum_across(site->z, (h - 1) * w, w, 1, -row, deep) + sum_across(site->z, 0, h, w, 1, deep) +
                 sum_across(site->z, w - 1, h, w, -1, deep);
    return sum / ((double)(2 * RIM * (w + h)) * site->cell);
}

/* ---- All ---- */

bool oro_realism_slopes(const struct oro_realism_site *site, struct oro_realism *out, struct oro_error *err)
{
    const struct oro_realism_rows rows = {site->from, site->to_y, SUMS, add_row, site};
    double sums[SUMS] = {0};
    if (!oro_realism_add_rows(&rows, sums))
        return oro_realism_no_memory(site, err);
    out->mean_slope = sums[DEGREES] / (double)oro_realism_inner_cells(site);
    out->flat = sums[FLATTER] / (double)oro_realism_inner_cells(site);
    out->anisotropy[0] = share_of(&sums[FOUR], sums[STEEP]);
    out->anisotropy[1] = share_of(&sums[EIGHT], sums[STEEP]);
    size_t shorter = site->width < site->height ? site->width : site->height;
    bool room = shorter >= 2 * (INSIDE + RIM);
    out->border_slope = room ? slope_across(site, 0) : NAN;
    out->inner_slope = room ? slope_across(site, INSIDE) : NAN;
    return true;
}

/* ---- Distributions ---- */

static float *slopes_of(const struct oro_realism_site *site)
{
    size_t count = 0;
    float *slopes = oro_alloc(oro_realism_inner_cells(site), sizeof *slopes);
    for (size_t y = site->from; slopes && y < site->to_y; y++)
        for (size_t x = site->from; x < site->to_x; x++) {
            struct oro_horn_gradient g = oro_realism_gradient(site, y * site->width + x);
            slopes[count++] = (float)degrees_of(hypot(g.x, g.y));
        }
    return slopes;
}

bool oro_realism_slope_distance(const struct oro_realism_site *a, const struct oro_realism_site *b,
                                double *distance, struct oro_error *err)
{
    float *slopes[2] = {slopes_of(a), slopes_of(b)};
    size_t count = oro_realism_inner_cells(a);
    bool ok = slopes[0] && slopes[1];
    if (ok)
        *distance = oro_realism_distance(slopes[0], count, slopes[1], count);
    oro_free(slopes[0]);
    oro_free(slopes[1]);
    return ok || oro_realism_no_memory(a, err);
}
