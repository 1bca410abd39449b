/* Detail alone: heights without the Gaussian below 2 R. Where it is strong, and whether it runs in lines. */
#include "base/memory.h"
#include "base/parallel.h"
#include "terrain/realism/realism_private.h"

/* In R. */
#define DETAIL 2.0

float *oro_realism_detail(const struct oro_realism_site *site)
{
    float *detail = oro_realism_blurred(site, oro_realism_sigma(DETAIL * site->scale));
    for (size_t i = 0; detail && i < site->width * site->height; i++)
        detail[i] = (float)((double)site->z[i] - (double)detail[i]);
    return detail;
}

/* ---- Patchiness ---- */

/* The window that local strength is of, in R: its standard deviation. */
#define PATCH 2.0
/* Weaker than so much of the whole's rms is as weak: level ground must not decide. */
#define WEAKEST 0.01

static double mean_inside(const struct oro_realism_site *site, const float *values)
{
    double sum = 0;
    for (size_t y = site->from; y < site->to_y; y++)
        for (size_t x = site->from; x < site->to_x; x++)
            sum += (double)values[y * site->width + x];
    return sum / (double)oro_realism_inner_cells(site);
}

/* The standard deviation of log of the root of local mean squares. */
static double deviation_of_logs(const struct oro_realism_site *site, const float *squares, double least)
{
    double n = (double)oro_realism_inner_cells(site), sum = 0, sum2 = 0;
    for (size_t y = site->from; y < site->to_y; y++)
        for (size_t x = site->from; x < site->to_x; x++) {
            double strength = 0.5 * log(fmax((double)squares[y * site->width + x], least) / least);
            sum += strength;
            sum2 += strength * strength;
        }
    return sqrt(fmax(sum2 / n - sum / n * (sum / n), 0));
}

bool oro_realism_patchiness(const struct oro_realism_site *site, const float *detail, double *patchiness,
                            struct oro_error *err)
{
    size_t cells = site->width * site->height;
    float *squares = oro_alloc(cells, sizeof *squares), *local = NULL;
    for (size_t i = 0; squares && i < cells; i++)
        squares[i] = detail[i] * detail[i];
    if (squares)
        local = oro_realism_averaged(site, squares, PATCH * site->scale);
    if (local) {
        double least = WEAKEST * WEAKEST * mean_inside(site, squares);
        *patchiness = least > 0 ? deviation_of_logs(site, local, least) : NAN;
    }
    oro_free(squares);
    oro_free(local);
    return local || oro_realism_no_memory(site, err);
}

/* ---- Strength by slope ---- */

/* Classes of the slope of the ground after a Gaussian with a standard deviation of R: where each begins. */
static const double classes[] = {0, 5, 10, 20, 30, 40};
enum { CLASSES = sizeof classes / sizeof *classes };
/* A class has so many cells of both grounds, or does not count. */
enum { LEAST_CELLS = 100 };

struct by_slope {
    double squares[CLASSES], cells[CLASSES];
};

static int class_of(double steep)
{
    double degrees = atan(steep) * (180 / M_PI);
    int class = CLASSES - 1;
    while (degrees < classes[class])
        class --;
    return class;
}

static void sort_by_slope(const struct oro_realism_site *smooth, const float *detail, struct by_slope *out)
{
    for (size_t y = smooth->from; y < smooth->to_y; y++)
        for (size_t x = smooth->from; x < smooth->to_x; x++) {
            size_t i = y * smooth->width + x;
            struct oro_horn_gradient g = oro_realism_gradient(smooth, i);
            int class = class_of(hypot(g.x, g.y));
            out->squares[class] += (double)detail[i] * (double)detail[i];
            out->cells[class]++;
        }
}

static bool find_by_slope(const struct oro_realism_site *site, struct by_slope *out, struct oro_error *err)
{
    float *detail = oro_realism_detail(site), *low = oro_realism_blurred(site, site->scale);
    struct oro_realism_site smooth = *site;
    smooth.z = low;
    *out = (struct by_slope){0};
    if (detail && low)
        sort_by_slope(&smooth, detail, out);
    oro_free(detail);
    oro_free(low);
    return (detail && low) || oro_realism_no_memory(site, err);
}

bool oro_realism_slope_classes(const struct oro_realism_site *a, const struct oro_realism_site *truth,
                               double *spread, struct oro_error *err)
{
    struct by_slope own, real;
    if (!find_by_slope(a, &own, err) || !find_by_slope(truth, &real, err))
        return false;
    double sum = 0, cells = 0;
    for (int k = 0; k < CLASSES; k++) {
        if (own.cells[k] < LEAST_CELLS || real.cells[k] < LEAST_CELLS || !(own.squares[k] > 0) ||
            !(real.squares[k] > 0))
            continue;
        double ratio = 0.5 * log(own.squares[k] / own.cells[k] / (real.squares[k] / real.cells[k]));
        sum += real.cells[k] * ratio * ratio;
        cells += real.cells[k];
    }
    *spread = cells > 0 ? sqrt(sum / cells) : NAN;
    return true;
}
