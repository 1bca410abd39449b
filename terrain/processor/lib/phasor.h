/* Ravines from Gabor noise (Grenier 2023): gles_shaders/lib/phasor.glsl, in rows. Values come with their
 * derivatives east and south: [0], [1], [2]. */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_PHASOR_H
#define ORO_TERRAIN_PROCESSOR_LIB_PHASOR_H

#include "terrain/processor/lib/gabor.h"
#include "terrain/processor/lib/phasor_profile.h"

struct oro_phasor {
    float mean, epsilon, c, lambda;
    bool drawn;
    struct oro_profile curve;
};

typedef float oro_sloped_row[3][ORO_TILE_WIDTH];

/* What is added up level by level. */
struct oro_phasor_row {
    oro_sloped_row amplitude, detail;
    oro_sloped_row crest; /* of the last level */
};

ORO_INLINE struct oro_phasor oro_phasor_of(struct oro_run *run)
{
    struct oro_phasor phasor = {.mean = oro_run_number(run, "mean"),
                                .epsilon = oro_run_float(run, "epsilon"),
                                .c = oro_run_float(run, "c"),
                                .lambda = oro_run_float(run, "lambda"),
                                .drawn = oro_run_int(run, "profile") == 1};
    const struct oro_profile *curve = oro_run_literal(run, "curve");
    if (curve)
        phasor.curve = *curve;
    return phasor;
}

/* Cross-section over the size of the phase. */
ORO_INLINE void oro_phasor_profile(const struct oro_phasor *k, int width, const float *restrict phase,
                                   float *restrict height, float *restrict slope)
{
    float aside[ORO_TILE_WIDTH], epsilon = k->epsilon;
#pragma omp simd
    for (int x = 0; x < width; x++)
        aside[x] = oro_abs(phase[x]) / ORO_PHASOR_PI;
    if (k->drawn) {
        oro_profile_slopes(&k->curve, width, aside, height, slope);
        return;
    }
#pragma omp simd
    for (int x = 0; x < width; x++)
        height[x] = oro_phasor_rounded(epsilon, aside[x], &slope[x]);
}

/* Adds a level of ravines to the detail, and leaves the amplitude of the next: phasor_transfer and
 * phasor_add. */
ORO_INLINE void oro_phasor_add(const struct oro_phasor *k, int width,
                               const struct oro_gabor_row *restrict field, float nearest,
                               struct oro_phasor_row *restrict row)
{
    float phase[ORO_TILE_WIDTH], height[ORO_TILE_WIDTH], slope[ORO_TILE_WIDTH];
    float mean = k->mean, c = k->c, lambda = k->lambda;
#pragma omp simd
    for (int x = 0; x < width; x++)
        phase[x] = oro_atan2(field->im[x], field->re[x]);
    oro_phasor_profile(k, width, phase, height, slope);
#pragma omp simd
    for (int x = 0; x < width; x++) {
        float re = field->re[x], im = field->im[x], size = sqrtf(re * re + im * im);
        float east_re = field->east_re[x], east_im = field->east_im[x];
        float south_re = field->south_re[x], south_im = field->south_im[x];
        bool some = size > 1e-9F;
        float steep = east_re * east_re + east_im * east_im + south_re * south_re + south_im * south_im;
        float aside = oro_max(oro_max(size, nearest * sqrtf(steep)), 1e-9F);
        re /= oro_max(size, 1e-9F);
        im /= oro_max(size, 1e-9F);
        float certain = some ? oro_phasor_certain(c, size) : 0;
        float surer = some ? oro_phasor_certain_slope(c, aside) : 0;
        float certain_east = surer * (re * east_re + im * east_im);
        float certain_south = surer * (re * south_re + im * south_im);
        float turn = (phase[x] < 0 ? -certain : certain) / aside;
        float turn_east = turn * (re * east_im - im * east_re),
              turn_south = turn * (re * south_im - im * south_re);
        float above = height[x] - mean, profile_slope = slope[x] / ORO_PHASOR_PI;
        float h = certain * above, h_east = certain_east * above + profile_slope * turn_east;
        float h_south = certain_south * above + profile_slope * turn_south;
        float t = oro_clamp((oro_abs(phase[x]) - 0.25F * ORO_PHASOR_PI) / (0.5F * ORO_PHASOR_PI), 0, 1);
        float crest = t * t * (3 - 2 * t), crest_slope = 6 * t * (1 - t) / (0.5F * ORO_PHASOR_PI);
        row->crest[0][x] = certain * crest;
        row->crest[1][x] = certain_east * crest + crest_slope * turn_east;
        row->crest[2][x] = certain_south * crest + crest_slope * turn_south;
        float a = row->amplitude[0][x], a_east = row->amplitude[1][x], a_south = row->amplitude[2][x];
        row->detail[0][x] += a * h;
        row->detail[1][x] += a_east * h + a * h_east;
        row->detail[2][x] += a_south * h + a * h_south;
        row->amplitude[0][x] = lambda * (a * (mean + h));
        row->amplitude[1][x] = lambda * (a_east * (mean + h) + a * h_east);
        row->amplitude[2][x] = lambda * (a_south * (mean + h) + a * h_south);
    }
}

#endif
