/* Laws of land that rivers made, measured along exact ways to the outlets. */
#include "terrain/hydrology/metrics.h"

#include <math.h>

#include "base/memory.h"
#include "terrain/drainage/drainage_tree_private.h"

struct work {
    const struct oro_ground *ground;
    size_t cells, land; /* all; without the sea */
    double cell;        /* length of a cell's side: 1 where it is not known */
    double km;          /* a unit of length in the unit of Hack's law */
    double theta;       /* of chi */
    struct oro_routing routing;
    float *carved;  /* the ground, breached */
    uint32_t *area; /* cells that drain through each, exact */
    float *along;   /* lengths, then chi */
    float *outlet;  /* height of the outlet */
    struct oro_metrics *metrics;
};

static bool no_memory(const struct work *work, struct oro_error *err)
{
    return oro_fail(err, ORO_E_MEMORY, "no memory to measure %d x %d cells", work->ground->width,
                    work->ground->height);
}

/* The sea is no ground: what is measured there tells nothing of the land. */
static bool is_land(const struct work *work, size_t cell)
{
    return !work->ground->sea || !(work->ground->sea[cell] > 0.5f);
}

/* ---- Lines through points ---- */

/* Running sums of a line's points, about the first one, so that large offsets do no harm. */
struct line {
    size_t count;
    double x0, y0, x, y, xx, xy, yy;
};

static void add_point(struct line *line, double x, double y)
{
    if (line->count++ == 0) {
        line->x0 = x;
        line->y0 = y;
    }
    x -= line->x0;
    y -= line->y0;
    line->x += x;
    line->y += y;
    line->xx += x * x;
    line->xy += x * y;
    line->yy += y * y;
}

/* Least squares y = offset + slope x, and how far y is off, as a standard deviation. NaN where the points do
 * not tell. */
static void fit_line(const struct line *line, double *slope, double *offset, double *r2, double *off)
{
    double n = (double)line->count;
    double xx = line->xx - line->x * line->x / n, yy = line->yy - line->y * line->y / n;
    double xy = line->xy - line->x * line->y / n;
    bool told = line->count > 2 && xx > 1e-12 * line->xx;
    *slope = told ? xy / xx : NAN;
    *offset = told ? line->y0 + line->y / n - *slope * (line->x0 + line->x / n) : NAN;
    *r2 = told && yy > 1e-12 * line->yy ? xy * xy / (xx * yy) : NAN;
    *off = told ? sqrt(fmax(yy - *slope * xy, 0) / n) : NAN;
}

static struct oro_fit fit_power(const struct line *line)
{
    struct oro_fit fit = {.count = line->count};
    double offset, off;
    fit_line(line, &fit.exponent, &offset, &fit.r2, &off);
    fit.factor = exp(offset);
    fit.scatter = off * M_LOG10E;
    return fit;
}

/* ---- Along the ways ---- */

/* The distance from a cell to its receiver, in cells; 0 at an outlet. */
static double step_length(const struct work *work, size_t cell)
{
    size_t width = (size_t)work->ground->width, receiver = work->routing.receiver[cell];
    if (receiver == cell)
        return 0;
    return receiver / width != cell / width && receiver % width != cell % width ? M_SQRT2 : 1;
}

/* Longest way from a divide, in cells. */
static void lengthen_ways(void *user, const struct oro_drainage_tree_part *part)
{
    const struct work *work = user;
    for (size_t i = part->count; i-- > 0;) {
        size_t cell = part->order[i], receiver = part->receiver[cell];
        float length = work->along[cell] + (float)step_length(work, cell);
        if (receiver != cell && length > work->along[receiver])
            work->along[receiver] = length;
    }
}

static bool measure_lengths(struct work *work, struct oro_error *err)
{
    struct oro_drainage_tree_work lengths = {.part = lengthen_ways, .user = work};
    return oro_drainage_tree_down(&work->routing, work->ground, &lengths, err);
}

/* ---- Slope against area ---- */

struct bin_sums {
    size_t cells, lengths, slopes;
    double log_area, log_length, log_slope;
    double log_length2, log_slope2; /* of squares */
};

/* There are sums for every strip, so that the order of summing does not depend on the number of
 * processors. */
struct binning {
    const struct work *work;
    struct oro_strips strips;
    struct bin_sums (*sums)[ORO_AREA_BINS];
};

static int bin_of(const struct work *work, size_t cell)
{
    return (int)floor(2 * log2((double)work->area[cell]));
}

/* Slope to the receiver; 0 where there is none, or it is no lower. */
static double fall_of(const struct work *work, size_t cell)
{
    const float *z = work->ground->z;
    double drop = (double)z[cell] - (double)z[work->routing.receiver[cell]];
    return drop > 0 ? drop / (step_length(work, cell) * work->cell) : 0;
}

static void add_to_bin(const struct work *work, size_t cell, struct bin_sums *bins)
{
    struct bin_sums *bin = &bins[bin_of(work, cell)];
    double slope = fall_of(work, cell);
    bin->cells++;
    bin->log_area += log2((double)work->area[cell]);
    if (work->along[cell] > 0) {
        double length = log2((double)work->along[cell]);
        bin->lengths++;
        bin->log_length += length;
        bin->log_length2 += length * length;
    }
    if (slope > 0) {
        slope = log2(slope);
        bin->slopes++;
        bin->log_slope += slope;
        bin->log_slope2 += slope * slope;
    }
}

static void bin_strips(void *user, size_t first, size_t end)
{
    const struct binning *b = user;
    for (size_t strip = first; strip < end; strip++)
        for (size_t i = oro_strip_first(b->strips, strip); i < oro_strip_end(b->strips, strip); i++)
            if (is_land(b->work, i))
                add_to_bin(b->work, i, b->sums[strip]);
}

/* Adds up the strips' sums in those of the first. */
static void sum_strips(const struct binning *b)
{
    for (size_t strip = 1; strip < b->strips.count; strip++)
        for (int k = 0; k < ORO_AREA_BINS; k++) {
            struct bin_sums *sum = &b->sums[0][k], *more = &b->sums[strip][k];
            sum->cells += more->cells;
            sum->lengths += more->lengths;
            sum->slopes += more->slopes;
            sum->log_area += more->log_area;
            sum->log_length += more->log_length;
            sum->log_slope += more->log_slope;
            sum->log_length2 += more->log_length2;
            sum->log_slope2 += more->log_slope2;
        }
}

static double mean_of_logs(double sum, size_t count)
{
    return count > 0 ? exp2(sum / (double)count) : NAN;
}

/* Standard deviation of the summed logarithms (base 2), in powers of ten. */
static double spread_of_logs(double sum, double squares, size_t count)
{
    double n = (double)count;
    return count > 0 ? sqrt(fmax(squares / n - sum / n * (sum / n), 0)) * (M_LN2 / M_LN10) : NAN;
}

/* Fewer slopes than this say nothing about the rivers of a size. */
enum { BIN_CELLS = 10 };

static void fit_bins(struct work *work, const struct bin_sums *sums)
{
    struct line line = {0};
    for (int k = 0; k < ORO_AREA_BINS; k++) {
        const struct bin_sums *sum = &sums[k];
        if (sum->cells == 0)
            continue;
        struct oro_area_bin bin = {
            .cells = sum->cells,
            .area = mean_of_logs(sum->log_area, sum->cells) * work->cell * work->cell,
            .slope = mean_of_logs(sum->log_slope, sum->slopes),
            .length = mean_of_logs(sum->log_length, sum->lengths) * work->cell,
            .slope_spread = spread_of_logs(sum->log_slope, sum->log_slope2, sum->slopes),
            .length_spread = spread_of_logs(sum->log_length, sum->log_length2, sum->lengths),
        };
        work->metrics->bins[k] = bin;
        work->metrics->bin_count = k + 1;
        if (exp2(k / 2.0) >= ORO_HACK_CELLS && sum->slopes >= BIN_CELLS)
            add_point(&line, log(bin.area), log(bin.slope));
    }
    work->metrics->slope_area = fit_power(&line);
}

/* Every n-th cell of a bin in the order of rows, so that rivers are met all over the ground. */
static void take_samples(struct work *work)
{
    struct oro_metrics *metrics = work->metrics;
    size_t seen[ORO_AREA_BINS] = {0};
    int taken[ORO_AREA_BINS] = {0}, count = 0;
    for (size_t i = 0; i < work->cells; i++) {
        if (work->area[i] < ORO_HACK_CELLS || !(work->along[i] > 0) || !is_land(work, i))
            continue;
        int k = bin_of(work, i);
        if (seen[k]++ % ((metrics->bins[k].cells - 1) / ORO_BIN_SAMPLES + 1) != 0)
            continue;
        double slope = fall_of(work, i);
        metrics->samples[k * ORO_BIN_SAMPLES + taken[k]++] =
            (struct oro_sample){.area = work->area[i] * work->cell * work->cell,
                                .length = (double)work->along[i] * work->cell,
                                .slope = slope > 0 ? slope : NAN};
    }
    for (int k = 0; k < ORO_AREA_BINS; k++)
        for (int i = 0; i < taken[k]; i++)
            metrics->samples[count++] = metrics->samples[k * ORO_BIN_SAMPLES + i];
    metrics->sample_count = count;
}

static bool measure_slope_area(struct work *work, struct oro_error *err)
{
    struct binning binning = {.work = work,
                              .strips = oro_strips_of(work->ground->width, work->ground->height)};
    binning.sums = oro_alloc(binning.strips.count, sizeof *binning.sums);
    bool ok = binning.sums ? oro_strips_run(binning.strips, work->ground, bin_strips, &binning, err)
                           : no_memory(work, err);
    if (ok) {
        sum_strips(&binning);
        fit_bins(work, binning.sums[0]);
        take_samples(work);
    }
    oro_free(binning.sums);
    return ok;
}

/* ---- Chi ---- */

static void integrate_chi(void *user, const struct oro_drainage_tree_part *part)
{
    const struct work *work = user;
    for (size_t i = 0; i < part->count; i++) {
        size_t cell = part->order[i], receiver = part->receiver[cell];
        double area = work->area[cell] * work->cell * work->cell;
        double step = step_length(work, cell) * work->cell;
        bool is_outlet = receiver == cell;
        work->along[cell] = is_outlet ? 0 : work->along[receiver] + (float)(step * pow(area, -work->theta));
        work->outlet[cell] = is_outlet ? work->carved[cell] : work->outlet[receiver];
    }
}

static bool measure_chi(struct work *work, struct oro_error *err)
{
    struct oro_drainage_tree_work chi = {.part = integrate_chi, .user = work};
    struct oro_metrics *metrics = work->metrics;
    struct line line = {0};
    metrics->chi_steepness = metrics->chi_r2 = NAN;
    if (!metrics->breachable)
        return true;
    if (!oro_drainage_tree_up(&work->routing, work->ground, &chi, err))
        return false;
    for (size_t i = 0; i < work->cells; i++)
        if (work->routing.receiver[i] != i && work->area[i] >= ORO_HACK_CELLS)
            add_point(&line, (double)work->along[i], (double)work->carved[i] - (double)work->outlet[i]);
    double offset, off;
    fit_line(&line, &metrics->chi_steepness, &offset, &metrics->chi_r2, &off);
    return true;
}

/* ---- Carving ---- */

static bool measure_carving(struct work *work, struct oro_error *err)
{
    struct oro_error deep = {0};
    struct oro_metrics *metrics = work->metrics;
    metrics->breachable =
        oro_breach(work->ground, &work->routing, &(struct oro_breaching){0}, work->carved, &deep);
    if (metrics->breachable) {
        metrics->carve = oro_drain_cost(work->ground->z, work->carved, work->cells);
        metrics->mean_carve = metrics->carve.cut_volume / (double)work->land;
        return true;
    }
    metrics->carve = (struct oro_drain_cost){.deepest_cut = NAN, .cut_volume = NAN};
    metrics->mean_carve = NAN;
    return deep.code == ORO_E_EVALUATE || oro_fail(err, deep.code, "%s", deep.text);
}

/* ---- Areas of others ---- */

static void compare_area(struct oro_area_error *error, double other, double exact)
{
    if (!(other > 0)) {
        error->without++;
        return;
    }
    double ratio = other == exact ? 0 : log2(other / exact); /* they mostly are */
    error->cells++;
    error->rms += ratio * ratio;
    error->bias += ratio;
}

static void end_comparison(struct oro_area_error *error)
{
    double cells = (double)error->cells;
    error->rms = error->cells ? sqrt(error->rms / cells) : NAN;
    error->bias = error->cells ? error->bias / cells : NAN;
}

/* Cells through each along the steepest ways, which may end in pits: every cell passes its own on once all of
 * its donors have. */
static void add_up(struct oro_offsets offsets, const uint8_t *direction, size_t cells, unsigned char *donors,
                   uint32_t *area)
{
    for (size_t i = 0; i < cells; i++) {
        size_t next = i + (size_t)offsets.to[direction[i]];
        area[i] = 1;
        donors[next] = (unsigned char)(donors[next] + (next != i));
    }
    for (size_t start = 0; start < cells; start++) {
        size_t cell = start;
        while (donors[cell] == 0 && offsets.to[direction[cell]]) {
            size_t next = cell + (size_t)offsets.to[direction[cell]];
            donors[cell] = UINT8_MAX; /* done */
            area[next] += area[cell];
            cell = next;
            donors[cell]--;
        }
    }
}

static void compare_given(struct work *work, const float *given)
{
    for (size_t i = 0; given && i < work->cells; i++)
        if (is_land(work, i))
            compare_area(&work->metrics->given, (double)given[i], work->area[i] * work->cell * work->cell);
    end_comparison(&work->metrics->given);
}

/* ---- Hypsometry ---- */

struct oro_hypsometry oro_hypsometry_begin(void)
{
    return (struct oro_hypsometry){.least = INFINITY, .most = -INFINITY};
}

static bool is_sea(const float *sea, size_t cell)
{
    return sea && sea[cell] > 0.5f;
}

void oro_hypsometry_range(struct oro_hypsometry *of, const float *z, const float *sea, size_t cells)
{
    for (size_t i = 0; i < cells; i++) {
        if (is_sea(sea, i))
            continue;
        of->least = z[i] < of->least ? z[i] : of->least;
        of->most = z[i] > of->most ? z[i] : of->most;
        of->sum += (double)z[i];
        of->land++;
    }
}

void oro_hypsometry_count(struct oro_hypsometry *of, const float *z, const float *sea, size_t cells)
{
    double low = (double)of->least, relief = (double)of->most - low, last = ORO_HYPSOMETRY_POINTS - 1;
    for (size_t i = 0; relief > 0 && i < cells; i++)
        if (!is_sea(sea, i))
            of->counts[(int)floor(((double)z[i] - low) / relief * last)]++;
}

void oro_hypsometry_end(const struct oro_hypsometry *of, struct oro_metrics *metrics)
{
    double low = (double)of->least, relief = (double)of->most - low;
    size_t above = 0;
    for (int k = ORO_HYPSOMETRY_POINTS; k-- > 0;) {
        above += of->counts[k];
        metrics->hypsometry[k] = relief > 0 ? (double)above / (double)of->land : NAN;
    }
    metrics->hypsometric_integral = relief > 0 ? (of->sum / (double)of->land - low) / relief : NAN;
}

static void measure_hypsometry(struct work *work)
{
    const struct oro_ground *ground = work->ground;
    struct oro_hypsometry of = oro_hypsometry_begin();
    oro_hypsometry_range(&of, ground->z, ground->sea, work->cells);
    oro_hypsometry_count(&of, ground->z, ground->sea, work->cells);
    oro_hypsometry_end(&of, work->metrics);
}

/* ---- All together ---- */

static bool make_room(struct work *work, struct oro_error *err)
{
    work->carved = oro_alloc(work->cells, sizeof *work->carved);
    work->area = oro_alloc(work->cells, sizeof *work->area);
    work->along = oro_alloc(work->cells, sizeof *work->along);
    work->outlet = oro_alloc(work->cells, sizeof *work->outlet);
    return (work->carved && work->area && work->along && work->outlet) || no_memory(work, err);
}

static bool measure_ways(struct work *work, const float *given, struct oro_error *err)
{
    if (!make_room(work, err) || !measure_carving(work, err))
        return false;
    oro_drainage_cells(&work->routing, work->area);
    if (!measure_lengths(work, err) || !measure_slope_area(work, err))
        return false;
    struct line line = {0};
    double square_km = work->km * work->km * work->cell * work->cell;
    for (size_t i = 0; i < work->cells; i++)
        if (work->area[i] >= ORO_HACK_CELLS && is_land(work, i))
            add_point(&line, log(work->area[i] * square_km),
                      log((double)work->along[i] * work->cell * work->km));
    work->metrics->hack = fit_power(&line);
    if (!measure_chi(work, err))
        return false;
    compare_given(work, given);
    oro_free(work->carved);
    oro_free(work->along);
    oro_free(work->outlet);
    work->carved = work->along = work->outlet = NULL;
    /* How far the areas of the steepest ways, which end in pits, are off. */
    struct oro_area_error *error = &work->metrics->steepest;
    if (work->routing.pits == 0) { /* the exact ways are the steepest */
        *error = (struct oro_area_error){.cells = work->land};
        return true;
    }
    uint8_t *direction = oro_alloc(work->cells, sizeof *direction);
    uint32_t *area = oro_alloc(work->cells, sizeof *area);
    unsigned char *donors = oro_alloc(work->cells, 1);
    size_t pits;
    bool room = direction && area && donors, ok = room;
    ok = ok && oro_steepest(work->ground, direction, &pits, err);
    if (ok) {
        add_up(oro_offsets_of(work->ground->width), direction, work->cells, donors, area);
        for (size_t i = 0; i < work->cells; i++)
            if (is_land(work, i))
                compare_area(error, area[i], work->area[i]);
        end_comparison(error);
    }
    oro_free(direction);
    oro_free(area);
    oro_free(donors);
    return room ? ok : no_memory(work, err);
}

bool oro_metrics(const struct oro_ground *ground, const struct oro_metrics_options *options,
                 struct oro_metrics *metrics, struct oro_error *err)
{
    *metrics = (struct oro_metrics){0};
    struct work work = {.ground = ground,
                        .cells = (size_t)ground->width * (size_t)ground->height,
                        .cell = options->cell > 0 ? options->cell : 1,
                        .km = options->cell > 0 ? 1e-3 : 1,
                        .theta = options->theta > 0 ? options->theta : ORO_METRICS_THETA,
                        .metrics = metrics};
    for (size_t i = 0; i < work.cells; i++)
        work.land += is_land(&work, i);
    bool ok = oro_route(ground, &work.routing, err) &&
              oro_certify_routed(ground, &work.routing, &metrics->certificate, err);
    if (ok)
        measure_hypsometry(&work);
    ok = ok && measure_ways(&work, options->drainage, err);
    oro_routing_free(&work.routing);
    oro_free(work.carved);
    oro_free(work.area);
    oro_free(work.along);
    oro_free(work.outlet);
    return ok;
}
