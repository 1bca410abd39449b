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
    double (*figure)(const struct bench_way *way);
    /* How near it is to the truth: the least counts. NULL: the row is no contest. */
    double (*distance)(const struct bench_way *way, const struct bench_way *truth);
};

#define FIGURE(name, expression)                                                                             \
    static double name(const struct bench_way *way)                                                          \
    {                                                                                                        \
        return expression;                                                                                   \
    }
FIGURE(mean_slope, way->of.mean_slope)
FIGURE(slope_distance, way->off.slope_distance)
FIGURE(low_pass, way->off.low_pass_rmse)
FIGURE(detail, way->off.detail_correlation)
FIGURE(fine_share, way->off.band_share[ORO_BAND_FINE])
FIGURE(broad_share, way->off.band_share[ORO_BAND_BROAD])
FIGURE(spectrum, way->of.spectrum_slope)
FIGURE(concavity, way->of.concavity)
FIGURE(hack, way->of.hack)
FIGURE(straight, way->of.straight)
FIGURE(convergent, 100 * way->of.convergent)
FIGURE(rivers, way->off.river_offset)
FIGURE(fourfold, way->of.anisotropy[0])
FIGURE(eightfold, way->of.anisotropy[1])
FIGURE(trench, way->of.deepest_trench)
FIGURE(trenches, (double)way->of.trench_cells)
FIGURE(longest, (double)way->of.longest_trench)
FIGURE(border, way->of.border_slope / way->of.inner_slope)
FIGURE(seconds, way->seconds)

#define AGAINST(figure)                                                                                      \
    static double figure##_off(const struct bench_way *way, const struct bench_way *truth)                   \
    {                                                                                                        \
        return fabs(figure(way) - figure(truth));                                                            \
    }
AGAINST(mean_slope)
AGAINST(slope_distance)
AGAINST(low_pass)
AGAINST(detail)
AGAINST(fine_share)
AGAINST(broad_share)
AGAINST(spectrum)
AGAINST(concavity)
AGAINST(hack)
AGAINST(straight)
AGAINST(convergent)
AGAINST(rivers)

static const struct row rows[] = {
    {"mean slope, degrees", "mean_slope", 1, mean_slope, mean_slope_off},
    {"slopes' distance", "slope_distance", 3, slope_distance, slope_distance_off},
    {"low-pass RMSE, m", "low_pass_rmse", 1, low_pass, low_pass_off},
    {"correlation of detail", "detail_correlation", 3, detail, detail_off},
    {"rms at R..2R, share", "fine_share", 2, fine_share, fine_share_off},
    {"rms at 4R..16R, share", "broad_share", 3, broad_share, broad_share_off},
    {"spectrum's slope", "spectrum_slope", 2, spectrum, spectrum_off},
    {"concavity", "concavity", 3, concavity, concavity_off},
    {"Hack's n", "hack", 3, hack, hack_off},
    {"straight runs", "straight", 3, straight, straight_off},
    {"convergent cells, %", "convergent_percent", 2, convergent, convergent_off},
    {"rivers off, m", "river_offset", 1, rivers, rivers_off},
    {"4-fold anisotropy", "anisotropy4", 4, fourfold, NULL},
    {"8-fold anisotropy", "anisotropy8", 4, eightfold, NULL},
    {"deepest trench, m", "deepest_trench", 1, trench, NULL},
    {"cells in trenches", "trench_cells", 0, trenches, NULL},
    {"longest trench, cells", "longest_trench", 0, longest, NULL},
    {"border / inside", "border", 2, border, NULL},
    {"seconds", "seconds", 1, seconds, NULL},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* As it is printed, so that figures that look the same share a row. NaN is far from everything. */
static double distance_of(const struct row *row, const struct bench_realism *r, int way)
{
    double unit = pow(10, -row->digits);
    double distance = row->distance(&r->ways[way], &r->ways[BENCH_TRUTH]);
    return isnan(distance) ? INFINITY : round(distance / unit);
}

static bool is_nearest(const struct row *row, const struct bench_realism *r, int way)
{
    if (!row->distance || way == BENCH_TRUTH)
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
        count += rows[k].distance != NULL;
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
        printf("%-*s", NAME, rows[k].name);
        for (int i = 0; i < r->way_count; i++)
            printf("%*.*f%c", COLUMN - 1, rows[k].digits, rows[k].figure(&r->ways[i]),
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
                json_object_set_new(figures, rows[row].key, bench_json_number(rows[row].figure(&r->ways[i])));
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
