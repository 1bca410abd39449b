/* Whether detail runs in lines, as furrows and crests do, or is speckle: the coherence of its structure
 * tensor. */
#include "base/memory.h"
#include "base/parallel.h"
#include "terrain/realism/realism_private.h"

/* The Gaussian that gradients' products are averaged by: its standard deviation in R, and in cells at least.
 */
#define WINDOW 0.5
#define LEAST_WINDOW 2.0

enum { XX, XY, YY, PRODUCTS };

struct tensor {
    struct oro_realism_site detail;
    float *product[PRODUCTS];
};

/* Cells of the rim have no gradient, and 0. */
static void multiply_rows(void *user, size_t first, size_t end)
{
    const struct tensor *t = user;
    size_t width = t->detail.width;
    for (size_t y = first; y < end; y++)
        for (size_t x = 1; y > 0 && y + 1 < t->detail.height && x + 1 < width; x++) {
            struct oro_horn_gradient g = oro_realism_gradient(&t->detail, y * width + x);
            t->product[XX][y * width + x] = (float)(g.x * g.x);
            t->product[XY][y * width + x] = (float)(g.x * g.y);
            t->product[YY][y * width + x] = (float)(g.y * g.y);
        }
}

/* Products, each averaged in its place. False: memory is out. */
static bool average_products(struct tensor *t)
{
    const struct oro_realism_site *site = &t->detail;
    double sigma = fmax(WINDOW * site->scale, LEAST_WINDOW * site->cell);
    for (int k = 0; k < PRODUCTS; k++)
        if (!(t->product[k] = oro_alloc(site->width * site->height, sizeof *t->product[k])))
            return false;
    oro_parallel(site->height, 16, multiply_rows, t);
    for (int k = 0; k < PRODUCTS; k++) {
        float *mean = oro_realism_averaged(site, t->product[k], sigma);
        oro_free(t->product[k]);
        t->product[k] = mean;
        if (!mean)
            return false;
    }
    return true;
}

/* (l1 - l2) / (l1 + l2) of the tensor's two eigenvalues, in the mean of the cells that have detail. */
static double mean_coherence(const struct tensor *t)
{
    const struct oro_realism_site *site = &t->detail;
    double sum = 0, count = 0;
    for (size_t y = site->from; y < site->to_y; y++)
        for (size_t x = site->from; x < site->to_x; x++) {
            size_t i = y * site->width + x;
            double xx = (double)t->product[XX][i], xy = (double)t->product[XY][i];
            double yy = (double)t->product[YY][i];
            if (!(xx + yy > 0))
                continue;
            sum += hypot(xx - yy, 2 * xy) / (xx + yy);
            count++;
        }
    return count > 0 ? sum / count : NAN;
}

bool oro_realism_coherence(const struct oro_realism_site *site, const float *detail, double *coherence,
                           struct oro_error *err)
{
    struct tensor t = {.detail = *site};
    t.detail.z = detail;
    bool ok = average_products(&t);
    if (ok)
        *coherence = mean_coherence(&t);
    for (int k = 0; k < PRODUCTS; k++)
        oro_free(t.product[k]);
    return ok || oro_realism_no_memory(site, err);
}
