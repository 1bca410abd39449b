/* How far terrain looks like real ground, as `orograph measure` tells it; docs/realism.md defines the
 * figures.
 */
#include <math.h>
#include <stdio.h>

#include "cli/json.h"
#include "cli/measure.h"

/* ---- Figures of one terrain ---- */

struct figure {
    const char *label;
    int digits; /* behind the point */
    double (*of)(const struct oro_realism *realism);
};

#define FIGURE(name, expression)                                                                             \
    static double name(const struct oro_realism *r)                                                          \
    {                                                                                                        \
        return expression;                                                                                   \
    }
FIGURE(mean_slope, r->mean_slope)
FIGURE(fine_rms, r->band_rms[ORO_BAND_FINE])
FIGURE(broad_rms, r->band_rms[ORO_BAND_BROAD])
FIGURE(spectrum_slope, r->spectrum_slope)
FIGURE(concavity, r->concavity)
FIGURE(hack, r->hack)
FIGURE(straight, r->straight)
FIGURE(convergent_percent, 100 * r->convergent)
FIGURE(fourfold, r->anisotropy[0])
FIGURE(eightfold, r->anisotropy[1])
FIGURE(deepest_trench, r->deepest_trench)
FIGURE(trench_cells, (double)r->trench_cells)
FIGURE(longest_trench, (double)r->longest_trench)
FIGURE(border_slope, r->border_slope)
FIGURE(inner_slope, r->inner_slope)

static const struct figure figures[] = {
    {"mean slope, degrees", 1, mean_slope},
    {"rms at R..2R, m", 2, fine_rms},
    {"rms at 4R..16R, m", 1, broad_rms},
    {"spectrum's slope", 2, spectrum_slope},
    {"concavity", 3, concavity},
    {"Hack's n", 3, hack},
    {"straight runs", 3, straight},
    {"convergent cells, %", 2, convergent_percent},
    {"4-fold anisotropy", 4, fourfold},
    {"8-fold anisotropy", 4, eightfold},
    {"deepest trench, m", 1, deepest_trench},
    {"cells in trenches", 0, trench_cells},
    {"longest trench, cells", 0, longest_trench},
    {"slope across border", 3, border_slope},
    {"the same 32 cells in", 3, inner_slope},
};
enum { FIGURES = sizeof figures / sizeof *figures };

/* ---- Figures of two ---- */

struct difference {
    const char *label;
    int digits;
    double (*of)(const struct oro_realism_difference *difference);
};

#define DIFFERENCE(name, member)                                                                             \
    static double name(const struct oro_realism_difference *d)                                               \
    {                                                                                                        \
        return d->member;                                                                                    \
    }
DIFFERENCE(slope_distance, slope_distance)
DIFFERENCE(low_pass_rmse, low_pass_rmse)
DIFFERENCE(detail_correlation, detail_correlation)
DIFFERENCE(fine_share, band_share[ORO_BAND_FINE])
DIFFERENCE(broad_share, band_share[ORO_BAND_BROAD])
DIFFERENCE(river_offset, river_offset)

static const struct difference differences[] = {
    {"slopes' distance", 3, slope_distance},          {"low-pass RMSE, m", 2, low_pass_rmse},
    {"correlation of detail", 3, detail_correlation}, {"rms at R..2R, share", 3, fine_share},
    {"rms at 4R..16R, share", 3, broad_share},        {"rivers off, m", 1, river_offset},
};
enum { DIFFERENCES = sizeof differences / sizeof *differences };

/* ---- For people ---- */

enum { LABEL = 22, COLUMN = 12 };

static void print_number(double value, int digits)
{
    if (isfinite(value))
        printf(" %*.*f", COLUMN, digits, value);
    else
        printf(" %*s", COLUMN, "-");
}

void cli_realism_text(const struct cli_realism *realism)
{
    if (!realism->known) {
        printf("\nRealism: not known without --cell, and heights in metres\n");
        return;
    }
    printf("\nRealism (R %g m, by --scale)\n", realism->of[0].scale);
    if (realism->count > 1)
        printf("%-*s %*s %*s\n", LABEL, "", COLUMN, "file", COLUMN, "against");
    for (int k = 0; k < FIGURES; k++) {
        printf("%-*s", LABEL, figures[k].label);
        for (int i = 0; i < realism->count; i++)
            print_number(figures[k].of(&realism->of[i]), figures[k].digits);
        putchar('\n');
    }
    for (int k = 0; k < DIFFERENCES && realism->count > 1; k++) {
        printf("%-*s", LABEL, differences[k].label);
        print_number(differences[k].of(&realism->difference), differences[k].digits);
        putchar('\n');
    }
}

/* ---- For programs ---- */

static void add_figures(json_t *object, const struct oro_realism *r)
{
    cli_json_number(object, "mean_slope", r->mean_slope);
    cli_json_pair(object, "rms", r->band_rms);
    cli_json_number(object, "spectrum_slope", r->spectrum_slope);
    cli_json_number(object, "concavity", r->concavity);
    cli_json_number(object, "hack", r->hack);
    cli_json_number(object, "straight", r->straight);
    cli_json_number(object, "convergent", r->convergent);
    cli_json_pair(object, "anisotropy", r->anisotropy);
    cli_json_number(object, "deepest_trench", r->deepest_trench);
    cli_json_integer(object, "trench_cells", (int64_t)r->trench_cells);
    cli_json_integer(object, "longest_trench", (int64_t)r->longest_trench);
    cli_json_number(object, "border_slope", r->border_slope);
    cli_json_number(object, "inner_slope", r->inner_slope);
}

static void add_difference(json_t *object, const struct cli_realism *realism)
{
    const struct oro_realism_difference *d = &realism->difference;
    json_t *of[2] = {json_object(), json_object()};
    for (int i = 0; i < 2; i++)
        add_figures(of[i], &realism->of[i]);
    cli_json_add(object, "file", of[0]);
    cli_json_add(object, "against", of[1]);
    cli_json_number(object, "slope_distance", d->slope_distance);
    cli_json_number(object, "low_pass_rmse", d->low_pass_rmse);
    cli_json_number(object, "detail_correlation", d->detail_correlation);
    cli_json_pair(object, "rms_share", d->band_share);
    cli_json_number(object, "river_offset", d->river_offset);
}

void cli_realism_json(json_t *object, const struct cli_realism *realism)
{
    json_t *member = realism->known ? json_object() : NULL;
    if (realism->known) {
        cli_json_number(member, "scale", realism->of[0].scale);
        if (realism->count > 1)
            add_difference(member, realism);
        else
            add_figures(member, &realism->of[0]);
    }
    cli_json_add(object, "realism", member);
}
