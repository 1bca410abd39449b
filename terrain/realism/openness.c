/* How much of the sky a place sees: valleys little, crests much, whatever the slope (Yokoyama 2002). */
#include "base/memory.h"
#include "base/parallel.h"
#include "terrain/realism/realism_private.h"

/* How far places look, in R. */
#define RADIUS 2.0

/* The steepest way up to what is seen in one of the eight directions, as rise over run. */
static double horizon(const struct oro_realism_site *site, size_t x, size_t y, int dx, int dy)
{
    double step = site->cell * (dx != 0 && dy != 0 ? M_SQRT2 : 1), steepest = -INFINITY;
    double here = (double)site->z[y * site->width + x], reach = fmax(RADIUS * site->scale, step);
    /* Unsigned: beyond the west and the north, too, is beyond the width and the height. */
    for (int k = 1; k * step <= reach * (1 + 1e-9); k++) {
        x += (size_t)dx;
        y += (size_t)dy;
        if (x >= site->width || y >= site->height)
            break;
        steepest = fmax(steepest, ((double)site->z[y * site->width + x] - here) / (k * step));
    }
    return steepest;
}

/* Degrees: the mean of the angles from the zenith to the eight horizons. */
static float openness(const struct oro_realism_site *site, size_t x, size_t y)
{
    double sum = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx != 0 || dy != 0)
                sum += 90 - atan(horizon(site, x, y, dx, dy)) * (180 / M_PI);
    return (float)(sum / 8);
}

struct view {
    const struct oro_realism_site *site;
    float *openness; /* of the inner cells */
};

static void look_from_rows(void *user, size_t first, size_t end)
{
    const struct view *v = user;
    const struct oro_realism_site *site = v->site;
    size_t width = site->to_x - site->from;
    for (size_t y = first; y < end; y++)
        for (size_t x = 0; x < width; x++)
            v->openness[y * width + x] = openness(site, site->from + x, site->from + y);
}

static float *opennesses(const struct oro_realism_site *site)
{
    struct view view = {site, oro_alloc(oro_realism_inner_cells(site), sizeof *view.openness)};
    if (view.openness)
        oro_parallel(site->to_y - site->from, 4, look_from_rows, &view);
    return view.openness;
}

bool oro_realism_openness(const struct oro_realism_site *site, double *mean, struct oro_error *err)
{
    float *open = opennesses(site);
    size_t count = oro_realism_inner_cells(site);
    double sum = 0;
    for (size_t i = 0; open && i < count; i++)
        sum += (double)open[i];
    *mean = sum / (double)count;
    oro_free(open);
    return open || oro_realism_no_memory(site, err);
}

bool oro_realism_openness_distance(const struct oro_realism_site *a, const struct oro_realism_site *b,
                                   double *distance, struct oro_error *err)
{
    float *open[2] = {opennesses(a), opennesses(b)};
    size_t count = oro_realism_inner_cells(a);
    bool ok = open[0] && open[1];
    if (ok)
        *distance = oro_realism_distance(open[0], count, open[1], count);
    oro_free(open[0]);
    oro_free(open[1]);
    return ok || oro_realism_no_memory(a, err);
}
