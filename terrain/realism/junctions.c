/* At which angles channels meet. Sites differ in heights alone here, which channels have been found from. */
#include "base/memory.h"
#include "terrain/realism/realism_private.h"

/* How far upstream of a confluence its channels are taken to be: R, and so many cells at least. */
#define LEAST_REACH 6.0
/* Fewer angles make no distribution. */
enum { LEAST_JUNCTIONS = 10 };

struct point {
    double x, y; /* cells, from the confluence */
};

/* Where the channel through `donor` is first so far away, up the main donors. False: it ends before. */
static bool go_up(const struct oro_realism_site *site, const struct oro_channels *c, size_t from,
                  uint32_t donor, struct point *at)
{
    double reach = fmax(site->scale / site->cell, LEAST_REACH);
    for (; donor != ORO_NO_DONOR; donor = c->main[donor]) {
        *at = (struct point){(double)(donor % site->width) - (double)(from % site->width),
                             (double)(donor / site->width) - (double)(from / site->width)};
        if (hypot(at->x, at->y) >= reach)
            return true;
    }
    return false;
}

/* The angle at which the channel of cell `donor` meets the main one. */
static bool find_angle(const struct oro_realism_site *site, const struct oro_channels *c, uint32_t donor,
                       float *angle)
{
    size_t at = c->routing.receiver[donor];
    struct point a, b;
    if (!go_up(site, c, at, c->main[at], &a) || !go_up(site, c, at, donor, &b))
        return false;
    *angle = (float)(fabs(atan2(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y)) * (180 / M_PI));
    return true;
}

struct junctions {
    float *angle; /* degrees */
    size_t count;
};

static bool find_junctions(const struct oro_realism_site *site, const struct oro_channels *c,
                           struct junctions *junctions, struct oro_error *err)
{
    double least = oro_realism_channel_area(site);
    size_t cells = site->width * site->height, room = 1;
    for (size_t i = 0; i < cells; i++)
        room += c->area[i] >= least;
    *junctions = (struct junctions){oro_alloc(room, sizeof *junctions->angle), 0};
    if (!junctions->angle)
        return oro_realism_no_memory(site, err);
    for (uint32_t i = 0; i < cells; i++) {
        size_t to = c->routing.receiver[i];
        if (to != i && c->main[to] != i && c->area[i] >= least && oro_realism_inside(site, to))
            junctions->count += find_angle(site, c, i, junctions->angle + junctions->count);
    }
    return true;
}

bool oro_realism_junctions(const struct oro_realism_site *site, const struct oro_channels *channels,
                           struct oro_realism *out, struct oro_error *err)
{
    struct junctions junctions;
    if (!find_junctions(site, channels, &junctions, err))
        return false;
    double sum = 0;
    for (size_t i = 0; i < junctions.count; i++)
        sum += (double)junctions.angle[i];
    out->junctions = junctions.count;
    out->junction_angle = junctions.count > 0 ? sum / (double)junctions.count : NAN;
    oro_free(junctions.angle);
    return true;
}

bool oro_realism_junction_distance(const struct oro_realism_site *site, const struct oro_channels channels[2],
                                   double *distance, struct oro_error *err)
{
    struct junctions of[2] = {0};
    bool ok =
        find_junctions(site, &channels[0], &of[0], err) && find_junctions(site, &channels[1], &of[1], err);
    if (ok)
        *distance = of[0].count >= LEAST_JUNCTIONS && of[1].count >= LEAST_JUNCTIONS
                        ? oro_realism_distance(of[0].angle, of[0].count, of[1].angle, of[1].count)
                        : NAN;
    oro_free(of[0].angle);
    oro_free(of[1].angle);
    return ok;
}
