/* How far the rivers of a terrain are from those of the truth. */
#include "base/memory.h"
#include "terrain/realism/realism_private.h"

/* Rivers drain as many coarse cells. */
#define RIVER_CELLS 16.0

/* Squared distances along a line to the lowest of parabolas that stand on its items (Felzenszwalb and
 * Huttenlocher 2012). `at` and `bound` have room for one more than the line. */
static void distances_along(double *line, size_t count, size_t stride, double *old, size_t *at, double *bound)
{
    size_t last = 0, first = 0;
    for (size_t i = 0; i < count; i++)
        old[i] = line[i * stride];
    while (first < count && isinf(old[first]))
        first++;
    if (first == count)
        return;
    at[0] = first;
    bound[0] = -INFINITY;
    for (size_t i = first + 1; i < count; i++) {
        double x = (double)i, meet;
        if (isinf(old[i]))
            continue;
        for (;; last--) {
            double v = (double)at[last];
            meet = (old[i] + x * x - old[at[last]] - v * v) / (2 * (x - v));
            if (meet > bound[last])
                break;
        }
        at[++last] = i;
        bound[last] = meet;
    }
    bound[last + 1] = INFINITY;
    for (size_t i = 0, k = 0; i < count; i++) {
        while (bound[k + 1] < (double)i)
            k++;
        double d = (double)i - (double)at[k];
        line[i * stride] = d * d + old[at[k]];
    }
}

/* In squared cells, from every cell to the nearest one that is 0 in `d`; others come as infinite. */
static bool distances(double *d, size_t width, size_t height)
{
    size_t longer = width > height ? width : height;
    double *old = oro_alloc(longer, sizeof *old), *bound = oro_alloc(longer + 1, sizeof *bound);
    size_t *at = oro_alloc(longer, sizeof *at);
    bool ok = old && bound && at;
    for (size_t x = 0; ok && x < width; x++)
        distances_along(d + x, height, width, old, at, bound);
    for (size_t y = 0; ok && y < height; y++)
        distances_along(d + y * width, width, 1, old, at, bound);
    oro_free(old);
    oro_free(bound);
    oro_free(at);
    return ok;
}

/* From every cell to the nearest river, in squared cells. NULL: memory is out. */
static double *to_rivers(const struct oro_realism_site *site, const struct oro_channels *c, double least)
{
    size_t cells = site->width * site->height;
    double *distance = oro_alloc(cells, sizeof *distance);
    for (size_t i = 0; distance && i < cells; i++)
        distance[i] = c->area[i] >= least ? 0 : INFINITY;
    if (distance && distances(distance, site->width, site->height))
        return distance;
    oro_free(distance);
    return NULL;
}

/* From the rivers of one to those of the other, in cells. */
static double mean_distance(const struct oro_realism_site *site, double least,
                            const struct oro_channels *channels, const double *to)
{
    double sum = 0, count = 0;
    for (size_t i = 0; i < site->width * site->height; i++)
        if (channels->area[i] >= least && oro_realism_inside(site, i)) {
            sum += sqrt(to[i]);
            count++;
        }
    return count > 0 && isfinite(sum) ? sum / count : NAN;
}

bool oro_realism_rivers(const struct oro_realism_site *site, const struct oro_channels channels[2],
                        double *offset, struct oro_error *err)
{
    double coarse = site->scale / site->cell, least = RIVER_CELLS * coarse * coarse;
    double *to[2] = {to_rivers(site, &channels[0], least), to_rivers(site, &channels[1], least)};
    bool ok = to[0] && to[1];
    if (ok)
        *offset = site->cell / 2 *
                  (mean_distance(site, least, &channels[0], to[1]) +
                   mean_distance(site, least, &channels[1], to[0]));
    oro_free(to[0]);
    oro_free(to[1]);
    return ok || oro_realism_no_memory(site, err);
}
