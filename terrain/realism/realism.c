#include "terrain/realism/realism.h"

#include <math.h>

#include "base/memory.h"
#include "terrain/realism/realism_private.h"

bool oro_realism_no_memory(const struct oro_realism_site *site, struct oro_error *err)
{
    return oro_fail(err, ORO_E_MEMORY, "no memory to measure %zu x %zu cells", site->width, site->height);
}

double oro_realism_line(const double *x, const double *y, size_t count)
{
    double n = (double)count, mean_x = 0, mean_y = 0, xx = 0, xy = 0;
    for (size_t i = 0; i < count; i++) {
        mean_x += x[i] / n;
        mean_y += y[i] / n;
    }
    for (size_t i = 0; i < count; i++) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
    }
    return count > 2 && xx > 0 ? xy / xx : NAN;
}

double oro_realism_channel_area(const struct oro_realism_site *site)
{
    double cells = site->scale / site->cell;
    return fmax(100, 2 * cells * cells);
}

static bool make_site(const struct oro_ground *ground, double cell, double scale,
                      struct oro_realism_site *site, struct oro_error *err)
{
    if (!oro_ground_check(ground, err))
        return false;
    if (!(cell > 0) || !isfinite(cell) || !(scale >= 0) || !isfinite(scale))
        return oro_fail(err, ORO_E_USAGE, "cells of %g m and a scale of %g m: both must be above 0", cell,
                        scale);
    size_t width = (size_t)ground->width, height = (size_t)ground->height;
    size_t quarter = (width < height ? width : height) / 4;
    scale = scale > 0 ? scale : ORO_REALISM_SCALE * cell;
    double margin = fmax(fmin(round(2 * scale / cell), (double)quarter), 1);
    *site = (struct oro_realism_site){.ground = ground,
                                      .z = ground->z,
                                      .width = width,
                                      .height = height,
                                      .from = (size_t)margin,
                                      .to_x = width - (size_t)margin,
                                      .to_y = height - (size_t)margin,
                                      .cell = cell,
                                      .scale = scale};
    return true;
}

/* Ground with less has no inside. */
static bool has_inside(const struct oro_ground *ground)
{
    return ground->width >= 4 && ground->height >= 4;
}

static const struct oro_realism no_figures = {.mean_slope = NAN,
                                              .flat = NAN,
                                              .openness = NAN,
                                              .spectrum_slope = NAN,
                                              .band_rms = {NAN, NAN},
                                              .diagonal_power = NAN,
                                              .axis_power = NAN,
                                              .patchiness = NAN,
                                              .coherence = NAN,
                                              .concavity = NAN,
                                              .drops = {NAN, NAN, NAN, NAN, 0, {{0}}, 0, 0},
                                              .hack = NAN,
                                              .straight = NAN,
                                              .junction_angle = NAN,
                                              .convergent = NAN,
                                              .anisotropy = {NAN, NAN},
                                              .border_slope = NAN,
                                              .inner_slope = NAN};

static bool measure_spectrum(const struct oro_realism_site *site, struct oro_realism *out,
                             struct oro_error *err)
{
    struct oro_power power = {0};
    bool ok = oro_power_find(site, &power, err) &&
              oro_realism_falloff(site, &power, &out->spectrum_slope, err) &&
              oro_realism_directions(site, &power, out, err);
    oro_free(power.power);
    return ok;
}

static bool measure_detail(const struct oro_realism_site *site, struct oro_realism *out,
                           struct oro_error *err)
{
    float *detail = oro_realism_detail(site);
    if (!detail)
        return oro_realism_no_memory(site, err);
    bool ok = oro_realism_patchiness(site, detail, &out->patchiness, err) &&
              oro_realism_coherence(site, detail, &out->coherence, err);
    oro_free(detail);
    return ok;
}

static bool measure_channels(const struct oro_realism_site *site, struct oro_realism *out,
                             struct oro_error *err)
{
    struct oro_channels channels = {0};
    bool ok = oro_channels_find(site, &channels, err) && oro_realism_concavity(site, &channels, out, err) &&
              oro_realism_ways(site, &channels, out, err) && oro_realism_forms(site, &channels, out, err) &&
              oro_realism_junctions(site, &channels, out, err);
    oro_channels_free(&channels);
    return ok;
}

bool oro_realism(const struct oro_ground *ground, double cell, double scale, struct oro_realism *figures,
                 struct oro_error *err)
{
    struct oro_realism_site site;
    *figures = no_figures;
    if (!make_site(ground, cell, scale, &site, err))
        return false;
    figures->cell = site.cell;
    figures->scale = site.scale;
    return !has_inside(ground) ||
           (oro_realism_slopes(&site, figures, err) && oro_realism_openness(&site, &figures->openness, err) &&
            oro_realism_bands(&site, figures->band_rms, err) && measure_spectrum(&site, figures, err) &&
            measure_detail(&site, figures, err) && measure_channels(&site, figures, err));
}

static bool compare_channels(const struct oro_realism_site *a, const struct oro_realism_site *truth,
                             struct oro_realism_difference *out, struct oro_error *err)
{
    struct oro_channels channels[2] = {0};
    bool ok = oro_channels_find(a, &channels[0], err) && oro_channels_find(truth, &channels[1], err) &&
              oro_realism_rivers(a, channels, &out->river_offset, err) &&
              oro_realism_junction_distance(a, channels, &out->junction_distance, err);
    oro_channels_free(&channels[0]);
    oro_channels_free(&channels[1]);
    return ok;
}

bool oro_realism_tubes(const struct oro_ground *ground, double cell, double scale,
                       struct oro_realism_tubes *tubes, struct oro_error *err)
{
    struct oro_realism_site site;
    struct oro_channels channels = {0};
    *tubes = (struct oro_realism_tubes){0};
    if (!make_site(ground, cell, scale, &site, err))
        return false;
    bool ok = !has_inside(ground) || (oro_channels_find(&site, &channels, err) &&
                                      oro_realism_find_tubes(&site, &channels, tubes, err));
    oro_channels_free(&channels);
    return ok;
}

bool oro_realism_against(const struct oro_ground *ground, const struct oro_ground *truth, double cell,
                         double scale, struct oro_realism_difference *difference, struct oro_error *err)
{
    struct oro_realism_site a, b;
    double rms[2][ORO_BANDS];
    *difference = (struct oro_realism_difference){NAN, NAN, NAN, NAN, NAN, NAN, {NAN, NAN}, NAN};
    if (ground->width != truth->width || ground->height != truth->height)
        return oro_fail(err, ORO_E_USAGE, "%d x %d cells cannot be held against a truth of %d x %d",
                        ground->width, ground->height, truth->width, truth->height);
    if (!make_site(ground, cell, scale, &a, err) || !make_site(truth, cell, scale, &b, err))
        return false;
    if (!has_inside(ground))
        return true;
    if (!oro_realism_slope_distance(&a, &b, &difference->slope_distance, err) ||
        !oro_realism_openness_distance(&a, &b, &difference->openness_distance, err) ||
        !oro_realism_slope_classes(&a, &b, &difference->class_spread, err) ||
        !oro_realism_low_pass(&a, &b, difference, err) || !oro_realism_bands(&a, rms[0], err) ||
        !oro_realism_bands(&b, rms[1], err) || !compare_channels(&a, &b, difference, err))
        return false;
    for (int k = 0; k < ORO_BANDS; k++)
        difference->band_share[k] = rms[1][k] > 0 ? rms[0][k] / rms[1][k] : NAN;
    return true;
}
