/* Whether crests and furrows prefer the directions of the grid. */
#include "terrain/realism/realism_private.h"

/* Wavelengths, in cells, from what a grid can carry in all directions alike to R. */
#define SHORTEST 3.0
/* Waves within so many degrees of a direction run along it. */
#define WITHIN 6.0

enum { ALL, ALL_COUNT, DIAGONAL, DIAGONAL_COUNT, AXIS, AXIS_COUNT, SUMS };

struct directions {
    const struct oro_power *power;
    double least, most; /* wavenumbers, cycles per cell */
};

/* Power times k^4 is that of the curvature: terrain's falls about as k^-4, so that all wavelengths count. */
static void add_column(const void *user, size_t x, double *sums)
{
    const struct directions *d = user;
    const struct oro_power *p = d->power;
    double across = oro_power_frequency(x, p->width);
    for (size_t y = 0; y < p->height; y++) {
        double down = oro_power_frequency(y, p->height), k = hypot(across, down);
        if (!(k >= d->least && k <= d->most))
            continue;
        double bent = (double)p->power[x * p->height + y] * pow(k, 4);
        double degrees = atan2(down, across) * (180 / M_PI); /* 0..90: mirrored directions are one */
        int toward = fabs(degrees - 45) < WITHIN ? DIAGONAL : fabs(degrees - 45) > 45 - WITHIN ? AXIS : ALL;
        sums[ALL] += bent;
        sums[ALL_COUNT]++;
        if (toward != ALL) {
            sums[toward] += bent;
            sums[toward + 1]++;
        }
    }
}

static double excess(const double *sums, int toward)
{
    return sums[toward + 1] > 0 && sums[ALL] > 0
               ? sums[toward] / sums[toward + 1] * (sums[ALL_COUNT] / sums[ALL])
               : NAN;
}

bool oro_realism_directions(const struct oro_realism_site *site, const struct oro_power *power,
                            struct oro_realism *out, struct oro_error *err)
{
    const struct directions directions = {power, site->cell / site->scale, 1 / SHORTEST};
    const struct oro_realism_rows columns = {0, power->width, SUMS, add_column, &directions};
    double sums[SUMS] = {0};
    if (!oro_realism_add_rows(&columns, sums))
        return oro_realism_no_memory(site, err);
    out->diagonal_power = excess(sums, DIAGONAL);
    out->axis_power = excess(sums, AXIS);
    return true;
}
