/* What the opponents of erosion are made of: noise that goes on with a terrain's spectrum, and means that
 * stay. */
#include <math.h>

#include "bench/realism_trial.h"

static bool figures_of(const float *z, int width, int height, double cell, double scale,
                       struct oro_realism *figures, struct oro_error *err)
{
    struct oro_ground ground = {.width = width, .height = height, .z = z};
    return oro_realism(&ground, cell, scale, figures, err);
}

/* How strong R/2..R would be if the coarse ground's spectrum went on, and by how much each octave is weaker
 * than the one above it. The spectrum is taken from 2.33 R to 16 R, and the strength from 4 R to 8 R: shorter
 * waves have lost some to the reduction. Where power falls as k^b, octaves fall as k^(b/2 + 1). */
bool bench_realism_roughness(const struct trial *t, double *gain, double *rms, struct oro_error *err)
{
    const struct oro_heightfield *c = &t->coarse;
    struct oro_realism near, far;
    if (!figures_of(c->data, c->width, c->height, c->cell, 4 * c->cell, &near, err) ||
        !figures_of(c->data, c->width, c->height, c->cell, 8 * c->cell, &far, err))
        return false;
    bool known = isfinite(far.spectrum_slope);
    *gain = known ? fmin(exp2(far.spectrum_slope / 2 + 1), 1) : 0.5;
    *rms = near.band_rms[ORO_BAND_FINE] * pow(*gain, 3);
    return true;
}

bool bench_realism_roughen(const struct trial *t, float *z, const float *noise, double rms,
                           struct oro_error *err)
{
    const struct bench_realism *r = t->result;
    struct oro_realism plain, smooth;
    if (!figures_of(noise, r->width, r->height, r->cell, t->coarse.cell / 2, &plain, err) ||
        !figures_of(z, r->width, r->height, r->cell, t->coarse.cell / 2, &smooth, err))
        return false;
    double own = smooth.band_rms[ORO_BAND_FINE], of_noise = plain.band_rms[ORO_BAND_FINE];
    double times = of_noise > 0 && rms > own ? sqrt(rms * rms - own * own) / of_noise : 0;
    for (size_t i = 0; i < (size_t)r->width * (size_t)r->height; i++)
        z[i] += (float)(times * (double)noise[i]);
    return true;
}

/* ---- Back-projection ---- */

static bool project_once(const struct trial *t, const struct oro_heightfield *fine, struct oro_error *err)
{
    const struct oro_heightfield *c = &t->coarse;
    struct oro_heightfield means = {0}, lack = {0};
    bool ok = oro_heightfield_resize(fine, c->width, c->height, ORO_RESAMPLE_CATMULL_ROM, &means, err);
    for (size_t i = 0; ok && i < (size_t)c->width * (size_t)c->height; i++)
        means.data[i] = c->data[i] - means.data[i];
    ok =
        ok && oro_heightfield_resize(&means, fine->width, fine->height, ORO_RESAMPLE_CATMULL_ROM, &lack, err);
    for (size_t i = 0; ok && i < (size_t)fine->width * (size_t)fine->height; i++)
        fine->data[i] += lack.data[i];
    oro_heightfield_free(&means);
    oro_heightfield_free(&lack);
    return ok;
}

bool bench_realism_project(const struct trial *t, float *z, int sweeps, struct oro_error *err)
{
    const struct bench_realism *r = t->result;
    const struct oro_heightfield fine = {
        .width = r->width, .height = r->height, .data = z, .cell = r->cell, .metres = true};
    bool ok = true;
    for (int i = 0; ok && i < sweeps; i++)
        ok = project_once(t, &fine, err);
    return ok;
}
