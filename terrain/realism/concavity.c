/*
 * Concavity of channels by fixed drops (Wobus 2006): a channel is cut where it crosses contours 20 m apart.
 * Slopes of cells tell nothing on ground of whole metres, where most are 0, nor on breached ground, where
 * most are what the breaching left; drops of 20 m do not mind.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "terrain/realism/realism_private.h"

#define DROP ((double)ORO_DROP)

struct segment {
    int bin;                /* half octaves of area */
    double slope, log_area; /* rise over run; area in cells */
};

struct cutting {
    const struct oro_realism_site *site;
    const struct oro_channels *channels;
    double least; /* cells that make a channel */
    struct segment *segments;
    size_t count, capacity;
};

static bool add_segment(struct cutting *c, double fall, double length, double log_area)
{
    if (!oro_reserve((void **)&c->segments, &c->capacity, c->count + 1, sizeof *c->segments))
        return false;
    c->segments[c->count++] = (struct segment){
        .bin = (int)floor(2 * log_area / M_LN2), .slope = fall / length, .log_area = log_area};
    return true;
}

/* Where a channel was last cut, and what it did since then. */
struct cut {
    double level;            /* running minimum of the height, at the cell */
    double from;             /* height of the last cut */
    double length, log_area; /* metres; integral of log(area) over them */
};

/* Goes on by a step to a cell at height `z`. The running minimum falls evenly along a step. What a step falls
 * beyond its first cut is one segment, however steep it is. */
static bool follow_step(struct cutting *c, struct cut *cut, double z, double length, double log_area)
{
    double before = cut->level;
    cut->level = fmin(before, z);
    double drops = floor((cut->from - cut->level) / DROP);
    if (drops < 1) {
        cut->length += length;
        cut->log_area += length * log_area;
        return true;
    }
    double fall = before - cut->level;
    double first = length * (before - (cut->from - DROP)) / fall;
    double last = length * (before - (cut->from - drops * DROP)) / fall;
    double to_first = cut->length + first;
    bool ok = add_segment(c, DROP, to_first, (cut->log_area + first * log_area) / to_first) &&
              (drops < 2 || add_segment(c, fall, length, log_area));
    cut->from -= drops * DROP;
    cut->length = length - last;
    cut->log_area = cut->length * log_area;
    return ok;
}

static bool is_channel(const struct cutting *c, size_t cell)
{
    return c->channels->area[cell] >= c->least && oro_realism_inside(c->site, cell);
}

/* A channel from its head to where it runs into a greater one, which goes on by itself. */
static bool cut_channel(struct cutting *c, size_t head)
{
    const struct oro_realism_site *site = c->site;
    const uint32_t *receiver = c->channels->routing.receiver;
    struct cut cut = {.level = (double)site->z[head], .from = (double)site->z[head]};
    for (size_t at = head; is_channel(c, at) && receiver[at] != at; at = receiver[at]) {
        size_t to = receiver[at];
        bool diagonal = at / site->width != to / site->width && at % site->width != to % site->width;
        double length = site->cell * (diagonal ? M_SQRT2 : 1);
        if (!follow_step(c, &cut, (double)site->z[to], length, log((double)c->channels->area[at])))
            return false;
        if (c->channels->main[to] != at)
            break;
    }
    return true;
}

static bool cut_all(struct cutting *c, struct oro_error *err)
{
    size_t cells = c->site->width * c->site->height;
    for (size_t i = 0; i < cells; i++) {
        uint32_t donor = c->channels->main[i];
        bool head = is_channel(c, i) && (donor == ORO_NO_DONOR || !is_channel(c, donor));
        if (head && !cut_channel(c, i))
            return oro_realism_no_memory(c->site, err);
    }
    return true;
}

/* ---- The line ---- */

static int compare(const void *a, const void *b)
{
    const struct segment *s = a, *t = b;
    return s->bin != t->bin ? (s->bin > t->bin) - (s->bin < t->bin)
                            : (s->slope > t->slope) - (s->slope < t->slope);
}

static double slope_at(const struct segment *segments, size_t count, int quarter)
{
    size_t last = (count - 1) * (size_t)quarter;
    double share = (double)(last % 4) / 4;
    const struct segment *at = &segments[last / 4];
    return share > 0 ? at[0].slope * (1 - share) + at[1].slope * share : at[0].slope;
}

/* Gathers the sorted segments in bins. */
static void fill_bins(const struct cutting *c, struct oro_drop_law *law)
{
    for (size_t i = 0, end; i < c->count && law->bin_count < ORO_DROP_BINS; i = end) {
        const struct segment *first = &c->segments[i];
        double log_area = 0;
        for (end = i; end < c->count && c->segments[end].bin == first->bin; end++)
            log_area += c->segments[end].log_area;
        size_t count = end - i;
        law->bins[law->bin_count++] =
            (struct oro_drop_bin){.segments = count,
                                  .area = exp(log_area / (double)count) * c->site->cell * c->site->cell,
                                  .slope = slope_at(first, count, 2),
                                  .quartiles = {slope_at(first, count, 1), slope_at(first, count, 3)}};
    }
}

static void fit_bins(struct oro_drop_law *law)
{
    double x[ORO_DROP_BINS], y[ORO_DROP_BINS], mean_x = 0, mean_y = 0, off = 0, all = 0;
    for (int k = 0; k < law->bin_count; k++)
        if (law->bins[k].segments >= ORO_DROP_SEGMENTS) {
            x[law->fitted] = log(law->bins[k].area);
            y[law->fitted] = log(law->bins[k].slope);
            mean_x += x[law->fitted];
            mean_y += y[law->fitted++];
        }
    double n = law->fitted, slope = oro_realism_line(x, y, (size_t)law->fitted);
    mean_x /= n;
    mean_y /= n;
    for (int k = 0; k < law->fitted; k++) {
        double d = y[k] - mean_y - slope * (x[k] - mean_x);
        off += d * d;
        all += (y[k] - mean_y) * (y[k] - mean_y);
    }
    bool told = isfinite(slope);
    law->theta = -slope;
    law->ks = told ? exp(mean_y - slope * mean_x) : NAN;
    law->r2 = told && all > 0 ? 1 - off / all : NAN;
    law->scatter = told ? sqrt(off / n) * M_LOG10E : NAN;
}

bool oro_realism_concavity(const struct oro_realism_site *site, const struct oro_channels *channels,
                           struct oro_realism *out, struct oro_error *err)
{
    struct cutting c = {.site = site, .channels = channels, .least = oro_realism_channel_area(site)};
    bool ok = cut_all(&c, err);
    if (ok) {
        if (c.count > 0)
            qsort(c.segments, c.count, sizeof *c.segments, compare);
        out->drops = (struct oro_drop_law){.segments = c.count};
        fill_bins(&c, &out->drops);
        fit_bins(&out->drops);
        out->concavity = out->drops.theta;
    }
    oro_free(c.segments);
    return ok;
}
