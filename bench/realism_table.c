/* What orograph-bench says about ways to bring terrain back. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/print.h"
#include "bench/realism.h"

/* ---- Rows ---- */

struct row {
    const char *name, *key; /* for people, in JSON */
    int digits;
    double (*figure)(const struct bench_measured *m);
    bool contest; /* the way whose figure is nearest to the truth's wins it */
};

#define FIGURE(name, expression)                                                                             \
    static double name(const struct bench_measured *m)                                                       \
    {                                                                                                        \
        return expression;                                                                                   \
    }
FIGURE(slope_distance, m->off.slope_distance)
FIGURE(flat, 100 * m->of.flat)
FIGURE(spectrum, m->of.spectrum_slope)
FIGURE(fine_share, m->off.band_share[ORO_BAND_FINE])
FIGURE(broad_share, m->off.band_share[ORO_BAND_BROAD])
FIGURE(class_spread, m->off.class_spread)
FIGURE(patchiness, m->of.patchiness)
FIGURE(openness_distance, m->off.openness_distance)
FIGURE(convergent, 100 * m->of.convergent)
FIGURE(straight, m->of.straight)
FIGURE(junction_distance, m->off.junction_distance)
FIGURE(rivers, m->off.river_offset)
FIGURE(diagonal, m->of.diagonal_power)
FIGURE(eightfold, m->of.anisotropy[1])
FIGURE(mean_slope, m->of.mean_slope)
FIGURE(low_pass, m->off.low_pass_rmse)
FIGURE(detail, m->off.detail_correlation)
FIGURE(concavity, m->of.concavity)
FIGURE(hack, m->of.hack)
FIGURE(openness, m->of.openness)
FIGURE(coherence, m->of.coherence)
FIGURE(junction_angle, m->of.junction_angle)
FIGURE(axis, m->of.axis_power)
FIGURE(fourfold, m->of.anisotropy[0])
FIGURE(trench, m->of.deepest_trench)
FIGURE(trenches, (double)m->of.trench_cells)
FIGURE(longest, (double)m->of.longest_trench)
FIGURE(border, m->of.border_slope / m->of.inner_slope)
FIGURE(seconds, m->seconds)

static const struct row rows[] = {
    {"slopes' distance", "slope_distance", 3, slope_distance, true},
    {"below 2 degrees, %", "flat_percent", 2, flat, true},
    {"spectrum's slope", "spectrum_slope", 2, spectrum, true},
    {"rms at R..2R, share", "fine_share", 2, fine_share, true},
    {"rms at 4R..16R, share", "broad_share", 3, broad_share, true},
    {"detail by slope", "class_spread", 3, class_spread, true},
    {"patchiness", "patchiness", 3, patchiness, true},
    {"openness' distance", "openness_distance", 3, openness_distance, true},
    {"convergent cells, %", "convergent_percent", 2, convergent, true},
    {"straight runs", "straight", 3, straight, true},
    {"confluences' distance", "junction_distance", 3, junction_distance, true},
    {"rivers off, m", "river_offset", 1, rivers, true},
    {"diagonal power", "diagonal_power", 2, diagonal, true},
    {"8-fold anisotropy", "anisotropy8", 4, eightfold, true},
    {"mean slope, degrees", "mean_slope", 1, mean_slope, false},
    {"low-pass RMSE, m", "low_pass_rmse", 1, low_pass, false},
    {"correlation of detail", "detail_correlation", 3, detail, false},
    {"concavity", "concavity", 3, concavity, false},
    {"Hack's n", "hack", 3, hack, false},
    {"openness, degrees", "openness", 2, openness, false},
    {"coherence of detail", "coherence", 3, coherence, false},
    {"confluences, degrees", "junction_angle", 1, junction_angle, false},
    {"power on the axes", "axis_power", 2, axis, false},
    {"4-fold anisotropy", "anisotropy4", 4, fourfold, false},
    {"deepest trench, m", "deepest_trench", 1, trench, false},
    {"cells in trenches", "trench_cells", 0, trenches, false},
    {"longest trench, cells", "longest_trench", 0, longest, false},
    {"border / inside", "border", 2, border, false},
    {"seconds", "seconds", 1, seconds, false},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* The mean over the seeds. */
static double figure_of(const struct row *row, const struct bench_way *way)
{
    double sum = 0;
    for (int i = 0; i < way->count; i++)
        sum += row->figure(&way->measured[i]);
    return sum / way->count;
}

/* As it is printed, so that figures that look the same share a row. NaN is far from everything. */
static double distance_of(const struct row *row, const struct bench_realism *r, int way)
{
    double unit = pow(10, -row->digits);
    double distance = fabs(figure_of(row, &r->ways[way]) - figure_of(row, &r->ways[BENCH_TRUTH]));
    return isnan(distance) ? INFINITY : round(distance / unit);
}

static bool is_nearest(const struct row *row, const struct bench_realism *r, int way)
{
    if (!row->contest || way == BENCH_TRUTH)
        return false;
    double own = distance_of(row, r, way);
    for (int i = BENCH_TRUTH + 1; i < r->way_count; i++)
        if (!(r->ways[way].ours && r->ways[i].ours) && distance_of(row, r, i) < own)
            return false;
    return isfinite(own);
}

static int count_nearest(const struct bench_realism *r, int way)
{
    int count = 0;
    for (int k = 0; k < ROWS; k++)
        count += is_nearest(&rows[k], r, way);
    return count;
}

static int count_contests(void)
{
    int count = 0;
    for (int k = 0; k < ROWS; k++)
        count += rows[k].contest;
    return count;
}

/* ---- For people ---- */

enum { NAME = 24, COLUMN = 15 };

static void print_terrain(const struct bench_realism *r)
{
    printf("%s: %d x %d cells of %g m, R %g m; * nearest to the truth\n%-*s", r->name, r->width, r->height,
           r->cell, r->factor * r->cell, NAME, "");
    for (int i = 0; i < r->way_count; i++)
        printf("%*s", COLUMN, r->ways[i].name);
    putchar('\n');
    for (int k = 0; k < ROWS; k++) {
        if (k > 0 && rows[k - 1].contest && !rows[k].contest)
            printf("no contest:\n");
        printf("%-*s", NAME, rows[k].name);
        for (int i = 0; i < r->way_count; i++)
            printf("%*.*f%c", COLUMN - 1, rows[k].digits, figure_of(&rows[k], &r->ways[i]),
                   is_nearest(&rows[k], r, i) ? '*' : ' ');
        putchar('\n');
    }
    printf("%-*s%*s", NAME, "nearest in", COLUMN, "");
    for (int i = BENCH_TRUTH + 1; i < r->way_count; i++)
        printf("%*d ", COLUMN - 1, count_nearest(r, i));
    printf("of %d\n\n", count_contests());
}

static void print_summary(const struct bench_realism *results, int count)
{
    printf("Rows in which a way is nearest to the truth, of %d\n%-*s", count_contests(), NAME, "");
    for (int i = BENCH_TRUTH + 1; i < results[0].way_count; i++)
        printf("%*s", COLUMN, results[0].ways[i].name);
    putchar('\n');
    for (int k = 0; k < count; k++) {
        printf("%-*s", NAME, results[k].name);
        for (int i = BENCH_TRUTH + 1; i < results[k].way_count; i++)
            printf("%*d", COLUMN, count_nearest(&results[k], i));
        putchar('\n');
    }
}

void bench_realism_print(const struct bench_realism *results, int count)
{
    for (int k = 0; k < count; k++)
        print_terrain(&results[k]);
    if (count > 1)
        print_summary(results, count);
}

/* ---- For programs ---- */

json_t *bench_realism_json(const struct bench_realism *results, int count)
{
    json_t *terrains = json_array();
    for (int k = 0; k < count; k++) {
        const struct bench_realism *r = &results[k];
        json_t *ways = json_object();
        for (int i = 0; i < r->way_count; i++) {
            json_t *figures = json_object();
            for (int row = 0; row < ROWS; row++)
                json_object_set_new(figures, rows[row].key,
                                    bench_json_number(figure_of(&rows[row], &r->ways[i])));
            if (i != BENCH_TRUTH)
                json_object_set_new(figures, "nearest", json_integer(count_nearest(r, i)));
            json_object_set_new(ways, r->ways[i].name, figures);
        }
        json_array_append_new(terrains, json_pack("{s:s, s:i, s:i, s:f, s:f, s:o}", "terrain", r->name,
                                                  "width", r->width, "height", r->height, "cell", r->cell,
                                                  "scale", r->factor * r->cell, "ways", ways));
    }
    return terrains;
}
