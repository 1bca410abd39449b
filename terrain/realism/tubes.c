/* Valleys like tubes: walls on both sides, and the same width for far too long; and walls where they end. */
#include <stdlib.h>

#include "base/memory.h"
#include "terrain/realism/realism_private.h"

/* A channel from where it ends, or joins a greater one, up its main donors, with the width of its valley. */
struct stem {
    size_t count;
    uint32_t *cells;
    double *widths; /* cells; NaN: not both sides have walls */
    double *sorted; /* room */
    uint8_t *tube;
};

struct search {
    const struct oro_realism_site *site;
    const struct oro_channels *channels;
    double least;   /* cells that make a channel */
    double rise;    /* of a wall, metres */
    ptrdiff_t side; /* R in cells, within which it rises */
    struct stem stem;
};

static bool is_channel(const struct search *s, size_t cell)
{
    return s->channels->area[cell] >= s->least && oro_realism_inside(s->site, cell);
}

/* How far it is from a cell to ground that is `rise` above it, in cells along a unit vector. NaN: it is
 * farther than R, or there is none. */
static double wall_distance(const struct search *s, size_t cell, double dx, double dy)
{
    double before = 0;
    for (ptrdiff_t t = 1; t <= s->side; t++) {
        ptrdiff_t x = (ptrdiff_t)(cell % s->site->width) + (ptrdiff_t)lround(dx * (double)t);
        ptrdiff_t y = (ptrdiff_t)(cell / s->site->width) + (ptrdiff_t)lround(dy * (double)t);
        if (x < 0 || y < 0 || x >= (ptrdiff_t)s->site->width || y >= (ptrdiff_t)s->site->height)
            return NAN;
        double above = (double)s->site->z[(size_t)y * s->site->width + (size_t)x] - (double)s->site->z[cell];
        if (above >= s->rise)
            return (double)(t - 1) + (s->rise - before) / (above - before);
        before = above;
    }
    return NAN;
}

static double width_at(const struct search *s, size_t i)
{
    const struct stem *stem = &s->stem;
    size_t reach = (size_t)(3 * s->side / 4);
    uint32_t up = stem->cells[i + reach < stem->count ? i + reach : stem->count - 1];
    uint32_t down = stem->cells[i > reach ? i - reach : 0], width = (uint32_t)s->site->width;
    double dx = (double)(down % width) - (double)(up % width);
    double dy = (double)(down / width) - (double)(up / width), length = hypot(dx, dy);
    if (length == 0)
        return NAN;
    return wall_distance(s, stem->cells[i], -dy / length, dx / length) +
           wall_distance(s, stem->cells[i], dy / length, -dx / length);
}

static void follow(struct search *s, uint32_t cell)
{
    struct stem *stem = &s->stem;
    stem->count = 0;
    for (; cell != ORO_NO_DONOR && is_channel(s, cell); cell = s->channels->main[cell])
        stem->cells[stem->count++] = cell;
    for (size_t i = 0; i < stem->count; i++)
        stem->widths[i] = width_at(s, i);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Whether the valley goes on from a cell of the stem, over so many cells, with walls and of even width. */
static bool is_even(const struct stem *stem, size_t first, size_t length)
{
    const double walled = 0.75,
                 spread = 0.35; /* share of cells; quartiles' distance, as share of the median */
    size_t count = 0;
    for (size_t i = first; i < first + length; i++)
        if (!isnan(stem->widths[i]))
            stem->sorted[count++] = stem->widths[i];
    if ((double)count < walled * (double)length)
        return false;
    qsort(stem->sorted, count, sizeof *stem->sorted, compare);
    double median = stem->sorted[count / 2];
    return median * ORO_TUBE_WIDTHS <= (double)length &&
           stem->sorted[3 * count / 4] - stem->sorted[count / 4] <= spread * median;
}

static void mark_tubes(struct stem *stem)
{
    for (size_t i = 0; i < stem->count; i++) {
        double length = ceil(ORO_TUBE_WIDTHS * stem->widths[i]);
        if (!(length <= (double)(stem->count - i)) || !is_even(stem, i, (size_t)length))
            continue;
        for (size_t k = i; k < i + (size_t)length; k++)
            stem->tube[stem->cells[k]] = 1;
    }
}

/* Whether the valley, which has walls and has been gentle, meets a wall ahead. */
static bool ends_in_wall(const struct search *s, size_t i)
{
    const struct stem *stem = &s->stem;
    const double gentle = 0.3, walled = 0.6; /* of the rise; share of the cells below */
    size_t side = (size_t)s->side, count = 0;
    if (i < 4 * side || isnan(stem->widths[i]))
        return false;
    for (size_t k = i - 4 * side; k < i; k++)
        count += isnan(stem->widths[k]) ? 0 : 1;
    uint32_t cell = stem->cells[i], below = stem->cells[i - 2 * side], ahead = cell;
    for (size_t k = 0; k < 2 * side && s->channels->main[ahead] != ORO_NO_DONOR; k++)
        ahead = s->channels->main[ahead];
    const float *z = s->site->z;
    return (double)count >= walled * 4 * (double)side && (double)z[ahead] - (double)z[cell] >= s->rise &&
           (double)z[cell] - (double)z[below] <= gentle * s->rise;
}

static void search(struct search *s, struct oro_realism_tubes *out)
{
    size_t cells = s->site->width * s->site->height;
    for (uint32_t i = 0; i < cells; i++) {
        uint32_t to = s->channels->routing.receiver[i];
        if (!is_channel(s, i) || (to != i && is_channel(s, to) && s->channels->main[to] == i))
            continue;
        follow(s, i);
        mark_tubes(&s->stem);
        for (size_t k = 0, free = 0; k < s->stem.count; k++) {
            out->channel_cells++;
            out->walled_cells += isnan(s->stem.widths[k]) ? 0 : 1;
            if (k >= free && ends_in_wall(s, k)) {
                out->dead_ends++;
                free = k + 2 * (size_t)s->side; /* one for each wall */
            }
        }
    }
    for (size_t i = 0; i < cells; i++)
        out->tube_cells += s->stem.tube[i];
}

/* Of steps to the east and south. */
static double mean_slope(const struct oro_realism_site *site)
{
    double sum = 0;
    for (size_t y = site->from; y < site->to_y; y++)
        for (size_t x = site->from; x < site->to_x; x++) {
            const float *z = site->z + y * site->width + x;
            sum += hypot((double)z[1] - (double)z[0], (double)z[site->width] - (double)z[0]);
        }
    return sum / (site->cell * (double)oro_realism_inner_cells(site));
}

bool oro_realism_find_tubes(const struct oro_realism_site *site, const struct oro_channels *channels,
                            struct oro_realism_tubes *out, struct oro_error *err)
{
    size_t cells = site->width * site->height;
    struct search s = {0};
    s = (struct search){.site = site,
                        .channels = channels,
                        .least = 8 * oro_realism_channel_area(site),
                        .rise = mean_slope(site) * site->scale,
                        .side = (ptrdiff_t)fmax(round(site->scale / site->cell), 1),
                        .stem = {.cells = oro_alloc(cells, sizeof *s.stem.cells),
                                 .widths = oro_alloc(cells, sizeof *s.stem.widths),
                                 .sorted = oro_alloc(cells, sizeof *s.stem.sorted),
                                 .tube = oro_alloc(cells, sizeof *s.stem.tube)}};
    bool ok = s.stem.cells && s.stem.widths && s.stem.sorted && s.stem.tube;
    if (ok && s.rise > 0)
        search(&s, out);
    oro_free(s.stem.cells);
    oro_free(s.stem.widths);
    oro_free(s.stem.sorted);
    oro_free(s.stem.tube);
    return ok || oro_realism_no_memory(site, err);
}
