/* What a terrain has in bands of wavelengths, and whether it is what the truth has there. */
#include "base/memory.h"
#include "terrain/realism/realism_private.h"

/* Wavelengths that bound the bands, in R. */
static const double bounds[ORO_BANDS][2] = {{1, 2}, {4, 16}};
/* Detail is what is shorter, in R. */
#define DETAIL 8.0

static float *below(const struct oro_realism_site *site, double wavelength)
{
    return oro_realism_blurred(site, oro_realism_sigma(wavelength));
}

struct two {
    const struct oro_realism_site *site;
    const float *a, *b;
};

static void add_row(const void *user, size_t y, double *sums)
{
    const struct two *two = user;
    for (size_t i = y * two->site->width + two->site->from; i < y * two->site->width + two->site->to_x; i++) {
        double d = (double)two->a[i] - (double)two->b[i];
        sums[0] += d;
        sums[1] += d * d;
    }
}

/* The standard deviation of a - b. False: memory is out. */
static bool find_deviation(const struct two *two, double *deviation)
{
    const struct oro_realism_rows rows = {two->site->from, two->site->to_y, 2, add_row, two};
    double sums[2] = {0}, n = (double)oro_realism_inner_cells(two->site);
    if (!oro_realism_add_rows(&rows, sums))
        return false;
    *deviation = sqrt(fmax(sums[1] / n - sums[0] / n * (sums[0] / n), 0));
    return true;
}

bool oro_realism_bands(const struct oro_realism_site *site, double rms[ORO_BANDS], struct oro_error *err)
{
    for (int k = 0; k < ORO_BANDS; k++) {
        float *fine = below(site, bounds[k][0] * site->scale);
        float *broad = below(site, bounds[k][1] * site->scale);
        const struct two two = {site, fine, broad};
        bool ok = fine && broad && find_deviation(&two, &rms[k]);
        oro_free(fine);
        oro_free(broad);
        if (!ok)
            return oro_realism_no_memory(site, err);
    }
    return true;
}

/* ---- Against the truth ---- */

static double rmse(const struct oro_realism_site *site, const float *a, const float *b)
{
    double squares = 0;
    for (size_t y = site->from; y < site->to_y; y++)
        for (size_t x = site->from; x < site->to_x; x++) {
            double d = (double)a[y * site->width + x] - (double)b[y * site->width + x];
            squares += d * d;
        }
    return sqrt(squares / (double)oro_realism_inner_cells(site));
}

/* Pearson's, of the details of both: their heights without `a` and `b`, the ground below. */
static double correlation(const struct oro_realism_site *sites[2], float *const low[2])
{
    const struct oro_realism_site *site = sites[0];
    double n = (double)oro_realism_inner_cells(site), x1 = 0, y1 = 0, xx = 0, yy = 0, xy = 0;
    for (size_t row = site->from; row < site->to_y; row++)
        for (size_t i = row * site->width + site->from; i < row * site->width + site->to_x; i++) {
            double x = (double)sites[0]->z[i] - (double)low[0][i];
            double y = (double)sites[1]->z[i] - (double)low[1][i];
            x1 += x;
            y1 += y;
            xx += x * x;
            yy += y * y;
            xy += x * y;
        }
    xx -= x1 * x1 / n;
    yy -= y1 * y1 / n;
    return xx > 0 && yy > 0 ? (xy - x1 * y1 / n) / sqrt(xx * yy) : NAN;
}

bool oro_realism_low_pass(const struct oro_realism_site *a, const struct oro_realism_site *truth,
                          struct oro_realism_difference *out, struct oro_error *err)
{
    float *smooth[2] = {oro_realism_blurred(a, a->scale), oro_realism_blurred(truth, a->scale)};
    float *low[2] = {below(a, DETAIL * a->scale), below(truth, DETAIL * a->scale)};
    bool ok = smooth[0] && smooth[1] && low[0] && low[1];
    if (ok) {
        out->low_pass_rmse = rmse(a, smooth[0], smooth[1]);
        out->detail_correlation = correlation((const struct oro_realism_site *[]){a, truth}, low);
    }
    for (int k = 0; k < 2; k++) {
        oro_free(smooth[k]);
        oro_free(low[k]);
    }
    return ok || oro_realism_no_memory(a, err);
}
