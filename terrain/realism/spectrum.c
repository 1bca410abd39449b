/* How fast a terrain's spectrum falls: roughness at the lengths that a coarse terrain does not have. */
#include <kiss_fftnd.h>

#include "base/memory.h"
#include "terrain/realism/realism_private.h"

/* Wavelengths that the line is fitted to: from a little above two cells to 2 R. */
#define SHORTEST 2.33
#define LONGEST 2.0

/* The rectangle that is transformed: the middle of the ground, of a size that the transform likes. */
struct patch {
    size_t x, y, width, height;
};

/* The greatest size, at most `size`, without a prime factor above 5. */
static size_t fast_size(size_t size)
{
    while (size > 1 && (size_t)kiss_fft_next_fast_size((int)size) != size)
        size--;
    return size;
}

static struct patch find_patch(const struct oro_realism_site *site)
{
    size_t across = site->to_x - site->from, down = site->to_y - site->from;
    struct patch p = {.width = fast_size(across), .height = fast_size(down)};
    p.x = site->from + (across - p.width) / 2;
    p.y = site->from + (down - p.height) / 2;
    return p;
}

static double hann(size_t i, size_t count)
{
    return 0.5 - 0.5 * cos(2 * M_PI * ((double)i + 0.5) / (double)count);
}

/* Heights above the plane that fits best, under a window that ends at 0, divided by their greatest amount.
 * The grid's symmetry makes the sums of the plane's coefficients independent of each other. */
static void window_heights(const struct oro_realism_site *site, const struct patch *p, kiss_fft_cpx *to)
{
    double n = (double)(p->width * p->height), mean = 0, east = 0, south = 0, xx = 0, yy = 0;
    double half_x = ((double)p->width - 1) / 2, half_y = ((double)p->height - 1) / 2;
    for (size_t y = 0; y < p->height; y++)
        for (size_t x = 0; x < p->width; x++) {
            double z = (double)site->z[(p->y + y) * site->width + p->x + x];
            double u = (double)x - half_x, v = (double)y - half_y;
            mean += z / n;
            east += z * u;
            south += z * v;
            xx += u * u;
            yy += v * v;
        }
    for (size_t y = 0; y < p->height; y++)
        for (size_t x = 0; x < p->width; x++) {
            double z = (double)site->z[(p->y + y) * site->width + p->x + x] - mean;
            double u = (double)x - half_x, v = (double)y - half_y;
            z -= (xx > 0 ? east / xx * u : 0) + (yy > 0 ? south / yy * v : 0);
            to[y * p->width + x] = (kiss_fft_cpx){.r = (float)(z * hann(x, p->width) * hann(y, p->height))};
        }
}

/* Mean power in rings of a wavenumber each. Rings are as wide as the coarser of the two steps of wavenumber.
 */
struct rings {
    double *power, *wavenumber; /* sums, then means */
    double *count;
    double width; /* of a ring, cycles per cell */
    size_t rings;
};

static void add_to_rings(const struct patch *p, const kiss_fft_cpx *spectrum, struct rings *r)
{
    for (size_t y = 0; y < p->height; y++)
        for (size_t x = 0; x < p->width; x++) {
            double u = (double)(x <= p->width / 2 ? x : p->width - x) / (double)p->width;
            double v = (double)(y <= p->height / 2 ? y : p->height - y) / (double)p->height;
            const kiss_fft_cpx *c = &spectrum[y * p->width + x];
            size_t ring = (size_t)round(hypot(u, v) / r->width);
            if (ring >= r->rings)
                continue;
            r->power[ring] += (double)c->r * (double)c->r + (double)c->i * (double)c->i;
            r->wavenumber[ring] += hypot(u, v);
            r->count[ring]++;
        }
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

static bool transform(const struct patch *p, kiss_fft_cpx *heights, kiss_fft_cpx *spectrum)
{
    const int sizes[2] = {(int)p->height, (int)p->width};
    kiss_fftnd_cfg plan = kiss_fftnd_alloc(sizes, 2, 0, NULL, NULL);
    if (plan)
        kiss_fftnd(plan, heights, spectrum);
    kiss_fft_free(plan);
    return plan != NULL;
}

bool oro_realism_spectrum(const struct oro_realism_site *site, double *slope, struct oro_error *err)
{
    struct patch p = find_patch(site);
    size_t cells = p.width * p.height, shorter = p.width < p.height ? p.width : p.height;
    struct rings r = {.width = 1 / (double)shorter, .rings = shorter / 2 + 1};
    kiss_fft_cpx *heights = oro_alloc(cells, sizeof *heights), *spectrum = oro_alloc(cells, sizeof *spectrum);
    r.power = oro_alloc(r.rings, sizeof *r.power);
    r.wavenumber = oro_alloc(r.rings, sizeof *r.wavenumber);
    r.count = oro_alloc(r.rings, sizeof *r.count);
    bool ok = heights && spectrum && r.power && r.wavenumber && r.count;
    if (ok) {
        window_heights(site, &p, heights);
        ok = transform(&p, heights, spectrum);
    }
    if (ok) {
        add_to_rings(&p, spectrum, &r);
        *slope = fit_rings(site, &r);
    }
    oro_free(heights);
    oro_free(spectrum);
    oro_free(r.power);
    oro_free(r.wavenumber);
    oro_free(r.count);
    return ok || oro_realism_no_memory(site, err);
}
