/* Phasor noise: a profile over the phase of the field (gles_shaders/source/phasor_noise.comp). */
#include "terrain/processor/lib/gabor_noise.h"
#include "terrain/processor/lib/phasor_profile.h"

enum { SINE, TRIANGLE, SAWTOOTH, SQUARE, ROUNDED, DRAWN }; /* profile */

struct phasor_noise {
    struct oro_gabor_surface noise;
    int profile;
    float epsilon, c, mean;
    struct oro_profile curve;
    struct oro_setter phase;
};

/* Heights over the phases, which go from -pi to pi with a wave. */
ORO_INLINE void shape_row(const struct phasor_noise *k, int width, const float *restrict phase,
                          float *restrict height)
{
    int profile = k->profile;
    float epsilon = k->epsilon;
#pragma omp simd
    for (int x = 0; x < width; x++) {
        float aside = oro_abs(phase[x]) / ORO_PHASOR_PI, slope;
        float rounded = oro_phasor_rounded(epsilon, 1 - aside, &slope);
        float sharp = profile == TRIANGLE ? 1 - 2 * aside : phase[x] / ORO_PHASOR_PI;
        float flat = profile == SQUARE ? (aside < 0.5F ? 1.0F : -1.0F) : oro_sincos(phase[x]).cosine;
        height[x] = profile == ROUNDED ? rounded : profile == TRIANGLE || profile == SAWTOOTH ? sharp : flat;
    }
    if (profile == DRAWN) {
        float place[ORO_TILE_WIDTH], slope[ORO_TILE_WIDTH];
        for (int x = 0; x < width; x++)
            place[x] = 0.5F + 0.5F * phase[x] / ORO_PHASOR_PI;
        oro_profile_slopes(&k->curve, width, place, height, slope);
    }
}

static ORO_CLONES void fill_phasor_noise(const void *user, const struct oro_tile *tile)
{
    const struct phasor_noise *k = user;
    struct oro_gabor_row row;
    float phase[ORO_TILE_WIDTH], height[ORO_TILE_WIDTH], scale = k->noise.scale, mean = k->mean, c = k->c;
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        oro_gabor_level_row(&k->noise.gabor, 0, k->noise.each, tile, y, false, &row);
#pragma omp simd
        for (int x = 0; x < tile->width; x++) {
            float size = sqrtf(row.re[x] * row.re[x] + row.im[x] * row.im[x]);
            phase[x] = size > 1e-9F ? oro_atan2(row.im[x], row.re[x]) : 0;
            row.re[x] = oro_phasor_certain(c, size) * scale;
        }
        shape_row(k, tile->width, phase, height);
        for (int x = 0; x < tile->width; x++) {
            height[x] = row.re[x] * (height[x] - mean);
            phase[x] *= 180 / ORO_PHASOR_PI;
        }
        oro_gabor_noise_set(&k->noise, tile, y, height);
        oro_set_row(&k->phase, tile->x, y, tile->width, phase);
    }
}

ORO_PROCESSOR(source, phasor_noise)
{
    struct phasor_noise k = {.noise = oro_gabor_noise_of(run),
                             .profile = oro_run_int(run, "profile"),
                             .epsilon = oro_run_float(run, "epsilon"),
                             .c = oro_run_float(run, "c"),
                             .mean = oro_run_number(run, "mean"),
                             .phase = oro_run_setter(run, "phase")};
    const struct oro_profile *curve = oro_run_literal(run, "curve");
    if (!oro_run_ready(run))
        return;
    k.curve = *curve;
    oro_run_tiles(run, fill_phasor_noise, &k);
}
