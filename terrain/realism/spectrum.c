/* The power spectrum of a terrain. */
#include <kiss_fft.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "terrain/realism/realism_private.h"

enum { LEAST_LINES = 16 }; /* that are worth a thread */

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

/* ---- Heights above the plane that fits best, under a window that ends at 0 ---- */

enum { HEIGHT, EAST, SOUTH, EAST_EAST, SOUTH_SOUTH, PLANE };

struct windowing {
    const struct oro_realism_site *site;
    const struct patch *patch;
    double plane[PLANE];  /* sums, then mean height and slopes */
    const double *across; /* the window along a row */
    kiss_fft_cpx *to;
};

static const float *row_of(const struct windowing *w, size_t y)
{
    return w->site->z + (w->patch->y + y) * w->site->width + w->patch->x;
}

static double from_middle(size_t i, size_t count)
{
    return (double)i - ((double)count - 1) / 2;
}

static void add_heights(const void *user, size_t y, double *sums)
{
    const struct windowing *w = user;
    const float *z = row_of(w, y);
    double v = from_middle(y, w->patch->height);
    for (size_t x = 0; x < w->patch->width; x++) {
        double u = from_middle(x, w->patch->width);
        sums[HEIGHT] += (double)z[x];
        sums[EAST] += (double)z[x] * u;
        sums[SOUTH] += (double)z[x] * v;
        sums[EAST_EAST] += u * u;
        sums[SOUTH_SOUTH] += v * v;
    }
}

static void window_rows(void *user, size_t first, size_t end)
{
    const struct windowing *w = user;
    size_t width = w->patch->width;
    for (size_t y = first; y < end; y++) {
        const float *z = row_of(w, y);
        double down = hann(y, w->patch->height), v = from_middle(y, w->patch->height);
        for (size_t x = 0; x < width; x++) {
            double above = (double)z[x] - w->plane[HEIGHT] - w->plane[EAST] * from_middle(x, width) -
                           w->plane[SOUTH] * v;
            w->to[y * width + x] = (kiss_fft_cpx){.r = (float)(above * w->across[x] * down)};
        }
    }
}

/* The grid's symmetry makes the sums of the plane's coefficients independent of each other. False: memory is
 * out. */
static bool window_heights(const struct oro_realism_site *site, const struct patch *p, kiss_fft_cpx *to)
{
    struct windowing w = {.site = site, .patch = p, .to = to};
    const struct oro_realism_rows rows = {0, p->height, PLANE, add_heights, &w};
    double *across = oro_alloc(p->width, sizeof *across), *plane = w.plane;
    bool ok = across && oro_realism_add_rows(&rows, plane);
    if (ok) {
        plane[HEIGHT] /= (double)(p->width * p->height);
        plane[EAST] = plane[EAST_EAST] > 0 ? plane[EAST] / plane[EAST_EAST] : 0;
        plane[SOUTH] = plane[SOUTH_SOUTH] > 0 ? plane[SOUTH] / plane[SOUTH_SOUTH] : 0;
        for (size_t x = 0; x < p->width; x++)
            across[x] = hann(x, p->width);
        w.across = across;
        oro_parallel(p->height, LEAST_LINES, window_rows, &w);
    }
    oro_free(across);
    return ok;
}

/* ---- The spectrum ---- */

/* Lines of `length`, one after the other. */
struct lines {
    kiss_fft_cfg plan;
    size_t length, count;
    const kiss_fft_cpx *from;
    kiss_fft_cpx *to;
};

static void transform_lines(void *user, size_t first, size_t end)
{
    const struct lines *l = user;
    for (size_t i = first; i < end; i++)
        kiss_fft(l->plan, l->from + i * l->length, l->to + i * l->length);
}

/* Blocks of a few lines, so that what is written stays in the cache. */
static void turn_lines(void *user, size_t first, size_t end)
{
    enum { BLOCK = 16 };
    const struct lines *l = user;
    for (size_t begin = first; begin < end; begin += BLOCK)
        for (size_t k = 0; k < l->length; k++)
            for (size_t i = begin; i < end && i < begin + BLOCK; i++)
                l->to[k * l->count + i] = l->from[i * l->length + k];
}

static bool transform_all(struct lines *l)
{
    l->plan = kiss_fft_alloc((int)l->length, 0, NULL, NULL);
    if (l->plan)
        oro_parallel(l->count, LEAST_LINES, transform_lines, l);
    kiss_fft_free(l->plan);
    return l->plan != NULL;
}

/* Rows, then columns, which are left one after the other. `heights` is overwritten. */
static bool transform(const struct patch *p, kiss_fft_cpx *heights, kiss_fft_cpx *spectrum)
{
    struct lines rows = {.length = p->width, .count = p->height, .from = heights, .to = spectrum};
    struct lines turned = {.length = p->width, .count = p->height, .from = spectrum, .to = heights};
    struct lines columns = {.length = p->height, .count = p->width, .from = heights, .to = spectrum};
    if (!transform_all(&rows))
        return false;
    oro_parallel(p->height, LEAST_LINES, turn_lines, &turned);
    return transform_all(&columns);
}

/* NULL: memory is out. */
static float *powers_of(const kiss_fft_cpx *waves, size_t cells)
{
    float *power = oro_alloc(cells, sizeof *power);
    for (size_t i = 0; power && i < cells; i++)
        power[i] = (float)((double)waves[i].r * (double)waves[i].r + (double)waves[i].i * (double)waves[i].i);
    return power;
}

bool oro_power_find(const struct oro_realism_site *site, struct oro_power *power, struct oro_error *err)
{
    struct patch p = find_patch(site);
    size_t cells = p.width * p.height;
    *power = (struct oro_power){.width = p.width, .height = p.height};
    kiss_fft_cpx *heights = oro_alloc(cells, sizeof *heights), *waves = oro_alloc(cells, sizeof *waves);
    if (heights && waves && window_heights(site, &p, heights) && transform(&p, heights, waves))
        power->power = powers_of(waves, cells);
    oro_free(heights);
    oro_free(waves);
    return power->power || oro_realism_no_memory(site, err);
}
