/* How far terrain looks like real ground, as `orograph measure` tells it; docs/realism.md defines the
 * figures.
 */
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/report/json.h"
#include "cli/report/measured.h"

/* A figure of struct oro_realism or oro_realism_difference. */
struct figure {
    const char *label;
    int digits;       /* behind the point */
    const char *name; /* in JSON; NULL: the second of the pair that begins in the row above */
    size_t offset;
    bool count;   /* it is a size_t, else a double */
    bool percent; /* of the share that it is, for people */
};

#define OF(member) offsetof(struct oro_realism, member)
static const struct figure figures[] = {
    {"mean slope, degrees", 1, "mean_slope", .offset = OF(mean_slope)},
    {"below 2 degrees, %", 2, "flat", .offset = OF(flat), .percent = true},
    {"openness, degrees", 2, "openness", .offset = OF(openness)},
    {"rms at R..2R, m", 2, "rms", .offset = OF(band_rms[ORO_BAND_FINE])},
    {"rms at 4R..16R, m", 1, NULL, .offset = OF(band_rms[ORO_BAND_BROAD])},
    {"spectrum's slope", 2, "spectrum_slope", .offset = OF(spectrum_slope)},
    {"diagonal power", 2, "diagonal_power", .offset = OF(diagonal_power)},
    {"power on the axes", 2, "axis_power", .offset = OF(axis_power)},
    {"patchiness", 3, "patchiness", .offset = OF(patchiness)},
    {"coherence of detail", 3, "coherence", .offset = OF(coherence)},
    {"concavity", 3, "concavity", .offset = OF(concavity)},
    {"Hack's n", 3, "hack", .offset = OF(hack)},
    {"straight runs", 3, "straight", .offset = OF(straight)},
    {"confluences, degrees", 1, "junction_angle", .offset = OF(junction_angle)},
    {"confluences", 0, "junctions", .offset = OF(junctions), .count = true},
    {"convergent cells, %", 2, "convergent", .offset = OF(convergent), .percent = true},
    {"4-fold anisotropy", 4, "anisotropy", .offset = OF(anisotropy[0])},
    {"8-fold anisotropy", 4, NULL, .offset = OF(anisotropy[1])},
    {"deepest trench, m", 1, "deepest_trench", .offset = OF(deepest_trench)},
    {"cells in trenches", 0, "trench_cells", .offset = OF(trench_cells), .count = true},
    {"longest trench, cells", 0, "longest_trench", .offset = OF(longest_trench), .count = true},
    {"slope across border", 3, "border_slope", .offset = OF(border_slope)},
    {"the same 32 cells in", 3, "inner_slope", .offset = OF(inner_slope)},
    {.label = NULL},
};
#undef OF

#define OF(member) offsetof(struct oro_realism_difference, member)
static const struct figure differences[] = {
    {"slopes' distance", 3, "slope_distance", .offset = OF(slope_distance)},
    {"openness' distance", 3, "openness_distance", .offset = OF(openness_distance)},
    {"confluences' distance", 3, "junction_distance", .offset = OF(junction_distance)},
    {"detail by slope", 3, "class_spread", .offset = OF(class_spread)},
    {"low-pass RMSE, m", 2, "low_pass_rmse", .offset = OF(low_pass_rmse)},
    {"correlation of detail", 3, "detail_correlation", .offset = OF(detail_correlation)},
    {"rms at R..2R, share", 3, "rms_share", .offset = OF(band_share[ORO_BAND_FINE])},
    {"rms at 4R..16R, share", 3, NULL, .offset = OF(band_share[ORO_BAND_BROAD])},
    {"rivers off, m", 1, "river_offset", .offset = OF(river_offset)},
    {.label = NULL},
};
#undef OF

static double value_of(const struct figure *figure, const void *of)
{
    const char *at = (const char *)of + figure->offset;
    return figure->count ? (double)*(const size_t *)(const void *)at : *(const double *)(const void *)at;
}

/* ---- For people ---- */

enum { LABEL = 22, COLUMN = 12 };

static void print_number(const struct figure *figure, const void *of)
{
    double value = value_of(figure, of) * (figure->percent ? 100 : 1);
    if (isfinite(value))
        printf(" %*.*f", COLUMN, figure->digits, value);
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
    for (const struct figure *figure = figures; figure->label; figure++) {
        printf("%-*s", LABEL, figure->label);
        for (int i = 0; i < realism->count; i++)
            print_number(figure, &realism->of[i]);
        putchar('\n');
    }
    for (const struct figure *figure = differences; realism->count > 1 && figure->label; figure++) {
        printf("%-*s", LABEL, figure->label);
        print_number(figure, &realism->difference);
        putchar('\n');
    }
}

/* ---- For programs ---- */

static void add_figures(json_t *object, const struct figure *figure, const void *of)
{
    for (; figure->label; figure++) {
        double pair[] = {value_of(figure, of), 0};
        if (figure->name && figure[1].label && !figure[1].name) {
            pair[1] = value_of(&figure[1], of);
            cli_json_pair(object, figure->name, pair);
        } else if (figure->name)
            cli_json_number(object, figure->name, pair[0]);
    }
}

static void add_difference(json_t *object, const struct cli_realism *realism)
{
    static const char *const names[] = {"file", "against"};
    for (int i = 0; i < 2; i++) {
        json_t *of = json_object();
        add_figures(of, figures, &realism->of[i]);
        cli_json_add(object, names[i], of);
    }
    add_figures(object, differences, &realism->difference);
}

void cli_realism_json(json_t *object, const struct cli_realism *realism)
{
    json_t *member = realism->known ? json_object() : NULL;
    if (realism->known) {
        cli_json_number(member, "scale", realism->of[0].scale);
        if (realism->count > 1)
            add_difference(member, realism);
        else
            add_figures(member, figures, &realism->of[0]);
    }
    cli_json_add(object, "realism", member);
}
