/* The ways of the water: which donor carries a channel on, and how the grid shows in them. */
#include "base/memory.h"
#include "terrain/realism/realism_private.h"

static void find_main_donors(const struct oro_realism_site *site, struct oro_channels *c)
{
    size_t cells = site->width * site->height;
    for (size_t i = 0; i < cells; i++)
        c->main[i] = ORO_NO_DONOR;
    for (uint32_t i = 0; i < cells; i++) {
        uint32_t to = c->routing.receiver[i];
        if (to != i && (c->main[to] == ORO_NO_DONOR || c->area[i] > c->area[c->main[to]]))
            c->main[to] = i;
    }
}

bool oro_channels_find(const struct oro_realism_site *site, struct oro_channels *c, struct oro_error *err)
{
    size_t cells = site->width * site->height;
    if (!oro_route(site->ground, &c->routing, err))
        return false;
    c->area = oro_alloc(cells, sizeof *c->area);
    c->main = oro_alloc(cells, sizeof *c->main);
    if (!c->area || !c->main)
        return oro_realism_no_memory(site, err);
    oro_drainage_cells(&c->routing, c->area);
    find_main_donors(site, c);
    return true;
}

void oro_channels_free(struct oro_channels *c)
{
    oro_routing_free(&c->routing);
    oro_free(c->area);
    oro_free(c->main);
}

/* ---- Straight runs ---- */

/* Cells of the same direction, one after the other along the main donors; 0 for what is no channel. */
struct runs {
    const struct oro_realism_site *site;
    const struct oro_channels *channels;
    double least; /* cells that make a channel */
};

static bool is_channel(const struct runs *r, size_t cell)
{
    return r->channels->area[cell] >= r->least && r->channels->routing.receiver[cell] != cell &&
           oro_realism_inside(r->site, cell);
}

static ptrdiff_t way(const struct runs *r, size_t cell)
{
    return (ptrdiff_t)r->channels->routing.receiver[cell] - (ptrdiff_t)cell;
}

/* Whether the main channel comes to a cell by the way that it goes on. */
static bool goes_straight(const struct runs *r, size_t cell)
{
    uint32_t donor = r->channels->main[cell];
    return donor != ORO_NO_DONOR && is_channel(r, donor) && way(r, donor) == way(r, cell);
}

static void count_straight(const struct runs *r, struct oro_realism *out)
{
    size_t straight = 0, cells = r->site->width * r->site->height;
    for (size_t i = 0; i < cells; i++) {
        if (!is_channel(r, i))
            continue;
        out->channel_cells++;
        if (goes_straight(r, i))
            continue;
        /* The first cell of a run: on to where the channel turns, or runs into a greater one. */
        size_t length = 1, at = i, to = r->channels->routing.receiver[i];
        for (; is_channel(r, to) && r->channels->main[to] == at && way(r, to) == way(r, at); length++) {
            at = to;
            to = r->channels->routing.receiver[at];
        }
        straight += length >= ORO_STRAIGHT_RUN ? length : 0;
    }
    out->straight = out->channel_cells > 0 ? (double)straight / (double)out->channel_cells : NAN;
}

/* ---- Hack's law ---- */

/* As terrain/hydrology/metrics.h has it: cells with as many upstream. */
enum { HACK_CELLS = 100 };

/* The longest way from a divide to each cell, in cells. */
static float *longest_ways(const struct oro_realism_site *site, const struct oro_channels *c)
{
    size_t cells = site->width * site->height;
    float *along = oro_alloc(cells, sizeof *along);
    for (size_t i = cells; along && i-- > 0;) {
        size_t at = c->routing.order[i], to = c->routing.receiver[at];
        bool diagonal = at / site->width != to / site->width && at % site->width != to % site->width;
        if (to != at)
            along[to] = fmaxf(along[to], along[at] + (diagonal ? (float)M_SQRT2 : 1.0f));
    }
    return along;
}

static bool fit_hack(const struct oro_realism_site *site, const struct oro_channels *c, double *hack,
                     struct oro_error *err)
{
    float *along = longest_ways(site, c);
    size_t cells = site->width * site->height, count = 0;
    for (size_t i = 0; i < cells; i++)
        count += c->area[i] >= HACK_CELLS;
    double *x = oro_alloc(count + 1, sizeof *x), *y = oro_alloc(count + 1, sizeof *y);
    bool ok = along && x && y;
    count = 0;
    for (size_t i = 0; ok && i < cells; i++)
        if (c->area[i] >= HACK_CELLS) {
            x[count] = log((double)c->area[i]);
            y[count++] = log((double)along[i]);
        }
    if (ok)
        *hack = oro_realism_line(x, y, count);
    oro_free(along);
    oro_free(x);
    oro_free(y);
    return ok || oro_realism_no_memory(site, err);
}

bool oro_realism_ways(const struct oro_realism_site *site, const struct oro_channels *channels,
                      struct oro_realism *out, struct oro_error *err)
{
    struct runs runs = {site, channels, oro_realism_channel_area(site)};
    count_straight(&runs, out);
    return fit_hack(site, channels, &out->hack, err);
}
