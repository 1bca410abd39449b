/* How fast a terrain's spectrum falls: roughness at the lengths that a coarse terrain does not have. */
#include "base/memory.h"
#include "terrain/realism/realism_private.h"

/* Wavelengths that the line is fitted to: from a little above two cells to 2 R. */
#define SHORTEST 2.33
#define LONGEST 2.0

/* Mean power in rings of a wavenumber each. Rings are as wide as the coarser of the two steps of wavenumber.
 */
struct rings {
    double *power, *wavenumber; /* sums, then means */
    double *count;
    double width; /* of a ring, cycles per cell */
    size_t rings;
};

struct spectrum {
    const struct oro_power *power;
    const struct rings *rings;
};

/* What a column adds to the rings: powers, wave numbers, counts. */
static void add_column(const void *user, size_t x, double *sums)
{
    const struct spectrum *s = user;
    const struct oro_power *p = s->power;
    size_t rings = s->rings->rings;
    for (size_t y = 0; y < p->height; y++) {
        double wavenumber = hypot(oro_power_frequency(x, p->width), oro_power_frequency(y, p->height));
        size_t ring = (size_t)round(wavenumber / s->rings->width);
        if (ring >= rings)
            continue;
        sums[ring] += (double)p->power[x * p->height + y];
        sums[rings + ring] += wavenumber;
        sums[2 * rings + ring]++;
    }
}

static bool add_to_rings(const struct oro_power *p, const struct rings *r)
{
    const struct spectrum spectrum = {p, r};
    const struct oro_realism_rows rows = {0, p->width, 3 * r->rings, add_column, &spectrum};
    return oro_realism_add_rows(&rows, r->power);
}

/* Leaves logarithms of the rings between the two wavelengths at the front, and fits them. */
static double fit_rings(const struct oro_realism_site *site, struct rings *r)
{
    double least = site->cell / (LONGEST * site->scale), most = 1 / SHORTEST;
    size_t count = 0;
    for (size_t i = 1; i < r->rings; i++) {
        double wavenumber = r->wavenumber[i] / r->count[i];
        if (!(r->count[i] > 0 && r->power[i] > 0 && wavenumber >= least && wavenumber <= most))
            continue;
        r->power[count] = log(r->power[i] / r->count[i]);
        r->wavenumber[count++] = log(wavenumber);
    }
    return oro_realism_line(r->wavenumber, r->power, count);
}

bool oro_realism_falloff(const struct oro_realism_site *site, const struct oro_power *power, double *slope,
                         struct oro_error *err)
{
    size_t shorter = power->width < power->height ? power->width : power->height;
    struct rings r = {.width = 1 / (double)shorter, .rings = shorter / 2 + 1};
    r.power = oro_alloc(3 * r.rings, sizeof *r.power);
    bool ok = r.power != NULL;
    if (ok) {
        r.wavenumber = r.power + r.rings;
        r.count = r.wavenumber + r.rings;
        ok = add_to_rings(power, &r);
    }
    if (ok)
        *slope = fit_rings(site, &r);
    oro_free(r.power);
    return ok || oro_realism_no_memory(site, err);
}
