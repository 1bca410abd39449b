/* Laws of land that rivers made, measured along exact ways to the outlets. */
#include "hydrology/metrics.h"

#include <math.h>

#include "base/memory.h"

struct work {
    const struct oro_ground *ground;
    size_t cells;
    double cell;  /* length of a cell's side: 1 where it is not known */
    double km;    /* a unit of length in the unit of Hack's law */
    double theta; /* of chi */
    struct oro_routing routing;
    float *carved;  /* the ground, breached */
    uint32_t *area; /* cells that drain through each, exact */
    float *along;   /* lengths, then chi */
    float *outlet;  /* height of the outlet */
    struct oro_metrics *metrics;
};

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

/* Least squares y = offset + slope x. NaN where the points do not tell. */
static void fit_line(const struct line *line, double *slope, double *offset, double *r2)
{
    double n = (double)line->count;
    double xx = line->xx - line->x * line->x / n, yy = line->yy - line->y * line->y / n;
    double xy = line->xy - line->x * line->y / n;
    bool told = line->count > 2 && xx > 1e-12 * line->xx;
    *slope = told ? xy / xx : NAN;
    *offset = told ? line->y0 + line->y / n - *slope * (line->x0 + line->x / n) : NAN;
    *r2 = told && yy > 1e-12 * line->yy ? xy * xy / (xx * yy) : NAN;
}

static struct oro_fit fit_power(const struct line *line)
{
    struct oro_fit fit = {.count = line->count};
    double offset;
    fit_line(line, &fit.exponent, &offset, &fit.r2);
    fit.factor = exp(offset);
    return fit;
}

/* ---- Along the ways ---- */

/* From a cell to its receiver, in cells; 0 at an outlet. */
static double step_length(const struct work *work, size_t cell)
{
    size_t width = (size_t)work->ground->width, receiver = work->routing.receiver[cell];
    if (receiver == cell)
        return 0;
    return receiver / width != cell / width && receiver % width != cell % width ? M_SQRT2 : 1;
}

/* Longest way from a divide, in cells. */
static void measure_lengths(struct work *work)
{
    for (size_t i = work->cells; i-- > 0;) {
        size_t cell = work->routing.order[i], receiver = work->routing.receiver[cell];
        float length = work->along[cell] + (float)step_length(work, cell);
        if (receiver != cell && length > work->along[receiver])
            work->along[receiver] = length;
    }
}

static void measure_hack(struct work *work)
{
    struct line line = {0};
    double square_km = work->km * work->km * work->cell * work->cell;
    for (size_t i = 0; i < work->cells; i++)
        if (work->area[i] >= ORO_HACK_CELLS)
            add_point(&line, log(work->area[i] * square_km),
                      log((double)work->along[i] * work->cell * work->km));
    work->metrics->hack = fit_power(&line);
}

/* ---- Slope against area ---- */

struct bin_sums {
    size_t cells, lengths, slopes;
    double log_area, log_length, log_slope;
};

static void add_to_bins(const struct work *work, struct bin_sums *bins)
{
    const float *z = work->ground->z;
    for (size_t i = 0; i < work->cells; i++) {
        double area = log2((double)work->area[i]);
        struct bin_sums *bin = &bins[(int)floor(2 * area)];
        double step = step_length(work, i);
        double drop = (double)z[i] - (double)z[work->routing.receiver[i]];
        bin->cells++;
        bin->log_area += area;
        if (work->along[i] > 0) {
            bin->lengths++;
            bin->log_length += log2((double)work->along[i]);
        }
        if (drop > 0) {
            bin->slopes++;
            bin->log_slope += log2(drop / (step * work->cell));
        }
    }
}

static double mean_of_logs(double sum, size_t count)
{
    return count > 0 ? exp2(sum / (double)count) : NAN;
}

/* Fewer slopes than this say nothing about the rivers of a size. */
enum { BIN_CELLS = 10 };

static void measure_slope_area(struct work *work)
{
    struct bin_sums sums[ORO_AREA_BINS] = {{0}};
    struct line line = {0};
    add_to_bins(work, sums);
    for (int k = 0; k < ORO_AREA_BINS; k++) {
        const struct bin_sums *sum = &sums[k];
        if (sum->cells == 0)
            continue;
        struct oro_area_bin bin = {
            .cells = sum->cells,
            .area = mean_of_logs(sum->log_area, sum->cells) * work->cell * work->cell,
            .slope = mean_of_logs(sum->log_slope, sum->slopes),
            .length = mean_of_logs(sum->log_length, sum->lengths) * work->cell,
        };
        work->metrics->bins[k] = bin;
        work->metrics->bin_count = k + 1;
        if (exp2(k / 2.0) >= ORO_HACK_CELLS && sum->slopes >= BIN_CELLS)
            add_point(&line, log(bin.area), log(bin.slope));
    }
    work->metrics->slope_area = fit_power(&line);
}

/* ---- Chi ---- */

static void measure_chi(struct work *work)
{
    struct line line = {0};
    for (size_t i = 0; i < work->cells; i++) {
        size_t cell = work->routing.order[i], receiver = work->routing.receiver[cell];
        double area = work->area[cell] * work->cell * work->cell;
        double step = step_length(work, cell) * work->cell;
        bool is_outlet = receiver == cell;
        work->along[cell] = is_outlet ? 0 : work->along[receiver] + (float)(step * pow(area, -work->theta));
        work->outlet[cell] = is_outlet ? work->carved[cell] : work->outlet[receiver];
        if (!is_outlet && work->area[cell] >= ORO_HACK_CELLS)
            add_point(&line, (double)work->along[cell],
                      (double)work->carved[cell] - (double)work->outlet[cell]);
    }
    double offset;
    fit_line(&line, &work->metrics->chi_steepness, &offset, &work->metrics->chi_r2);
}

/* ---- Carving ---- */

static bool measure_carving(struct work *work, struct oro_error *err)
{
    struct oro_error deep = {0};
    struct oro_metrics *metrics = work->metrics;
    metrics->breachable = oro_breach(work->ground, &work->routing, ORO_BREACH_SUBTREE, work->carved, &deep);
    if (metrics->breachable) {
        metrics->carve = oro_drain_cost(work->ground->z, work->carved, work->cells);
        metrics->mean_carve = metrics->carve.cut_volume / (double)work->cells;
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
    double ratio = log2(other / exact);
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

/* Cells through each along receivers that may end in pits: every cell passes its own on once all of its
 * donors have. */
static void add_up(const uint32_t *receiver, size_t cells, unsigned char *donors, uint32_t *area)
{
    for (size_t i = 0; i < cells; i++) {
        area[i] = 1;
        donors[receiver[i]] = (unsigned char)(donors[receiver[i]] + (receiver[i] != i));
    }
    for (size_t start = 0; start < cells; start++) {
        size_t cell = start;
        while (donors[cell] == 0 && receiver[cell] != cell) {
            donors[cell] = UINT8_MAX; /* done */
            area[receiver[cell]] += area[cell];
            cell = receiver[cell];
            donors[cell]--;
        }
    }
}

static bool compare_steepest(struct work *work, struct oro_error *err)
{
    uint32_t *receiver = oro_alloc(work->cells, sizeof *receiver);
    uint32_t *area = oro_alloc(work->cells, sizeof *area);
    unsigned char *donors = oro_alloc(work->cells, 1);
    bool ok = receiver && area && donors;
    if (ok) {
        oro_route_steepest(work->ground, receiver);
        add_up(receiver, work->cells, donors, area);
        for (size_t i = 0; i < work->cells; i++)
            compare_area(&work->metrics->steepest, area[i], work->area[i]);
        end_comparison(&work->metrics->steepest);
    }
    oro_free(receiver);
    oro_free(area);
    oro_free(donors);
    return ok || oro_fail(err, ORO_E_MEMORY, "no memory to compare drainage areas");
}

static void compare_given(struct work *work, const float *given)
{
    for (size_t i = 0; given && i < work->cells; i++)
        compare_area(&work->metrics->given, (double)given[i], work->area[i] * work->cell * work->cell);
    end_comparison(&work->metrics->given);
}

/* ---- Hypsometry ---- */

static void measure_hypsometry(struct work *work)
{
    const float *z = work->ground->z;
    struct oro_metrics *metrics = work->metrics;
    size_t counts[ORO_HYPSOMETRY_POINTS] = {0};
    double low = (double)z[0], high = low, sum = 0, last = ORO_HYPSOMETRY_POINTS - 1;
    for (size_t i = 0; i < work->cells; i++) {
        low = fmin(low, (double)z[i]);
        high = fmax(high, (double)z[i]);
        sum += (double)z[i];
    }
    double relief = high - low;
    for (size_t i = 0; relief > 0 && i < work->cells; i++)
        counts[(int)floor(((double)z[i] - low) / relief * last)]++;
    size_t above = 0;
    for (int k = ORO_HYPSOMETRY_POINTS; k-- > 0;) {
        above += counts[k];
        metrics->hypsometry[k] = relief > 0 ? (double)above / (double)work->cells : NAN;
    }
    metrics->hypsometric_integral = relief > 0 ? (sum / (double)work->cells - low) / relief : NAN;
}

/* ---- All together ---- */

static bool make_room(struct work *work, struct oro_error *err)
{
    work->carved = oro_alloc(work->cells, sizeof *work->carved);
    work->area = oro_alloc(work->cells, sizeof *work->area);
    work->along = oro_alloc(work->cells, sizeof *work->along);
    work->outlet = oro_alloc(work->cells, sizeof *work->outlet);
    return (work->carved && work->area && work->along && work->outlet) ||
           oro_fail(err, ORO_E_MEMORY, "no memory to measure %d x %d cells", work->ground->width,
                    work->ground->height);
}

static bool measure_ways(struct work *work, const float *given, struct oro_error *err)
{
    struct oro_metrics *metrics = work->metrics;
    if (!oro_route(work->ground, &work->routing, err) || !make_room(work, err) || !measure_carving(work, err))
        return false;
    oro_drainage_cells(&work->routing, work->area);
    measure_lengths(work);
    measure_hack(work);
    measure_slope_area(work);
    metrics->chi_steepness = metrics->chi_r2 = NAN;
    if (metrics->breachable)
        measure_chi(work);
    compare_given(work, given);
    oro_free(work->carved);
    oro_free(work->along);
    oro_free(work->outlet);
    work->carved = work->along = work->outlet = NULL;
    return compare_steepest(work, err);
}

static void free_work(struct work *work)
{
    oro_routing_free(&work->routing);
    oro_free(work->carved);
    oro_free(work->area);
    oro_free(work->along);
    oro_free(work->outlet);
}

bool oro_metrics(const struct oro_ground *ground, const struct oro_metrics_options *options,
                 struct oro_metrics *metrics, struct oro_error *err)
{
    *metrics = (struct oro_metrics){0};
    if (!oro_certify(ground, &metrics->certificate, err))
        return false;
    struct work work = {.ground = ground,
                        .cells = (size_t)ground->width * (size_t)ground->height,
                        .cell = options->cell > 0 ? options->cell : 1,
                        .km = options->cell > 0 ? 1e-3 : 1,
                        .theta = options->theta > 0 ? options->theta : ORO_METRICS_THETA,
                        .metrics = metrics};
    measure_hypsometry(&work);
    bool ok = measure_ways(&work, options->drainage, err);
    free_work(&work);
    return ok;
}
