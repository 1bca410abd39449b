/* Phasor noise over the world: waves of one height and any shape. */
#include <math.h>

#include "nodes/lib/phasor_profile.h"
#include "nodes/source/gabor_noise.h"

struct params {
    ORO_GABOR_PARAMS;
    int profile;
    float epsilon, c;
    struct oro_profile curve;
};

static const char *const profiles[] = {"sine", "triangle", "sawtooth", "square", "rounded", "drawn", NULL};
enum { ROUNDED = 4, DRAWN = 5 };

static const struct oro_input inputs[] = {
    ORO_IN_GABOR(struct params),
    ORO_IN_CHOICE(
        struct params, profile, 0, profiles, .group = "Profile",
        .doc = "Cross-section of a wave. sine: round. triangle: sharp above and below. sawtooth: rises to "
               "the right of where the stripes run, and drops. square: two levels. rounded: sharp crests, "
               "round bottoms, as `phasor` has them. drawn: as `curve` says"),
    ORO_IN_FLOAT(struct params, epsilon, 0.1, .when = "profile=rounded", .min = 0, .max = 10, .soft_max = 0.5,
                 .group = "Profile", .doc = "Of profile rounded: how round the bottoms are; 0 is sharp"),
    ORO_IN_PROFILE(
        struct params, curve, "0 0, 0.35 0.1, 0.5 1, 0.65 0.1, 1 0", .when = "profile=drawn",
        .group = "Profile",
        .doc = "Of profile drawn: height over a whole wave, 0 to 1 from left to right, of any range. Where "
               "its ends differ there is a step"),
    ORO_IN_FLOAT(struct params, c, 24, .label = "Evening c", .min = 0.1, .max = 1000, .soft_min = 2,
                 .soft_max = 100, .group = "Profile",
                 .doc = "Waves are evened out where they part and join: the smaller, the more widely"),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_FIELD("field", .role = ORO_ROLE_FIELD, .unit = ORO_METRE,
                  .doc = "Within `amplitude` of `offset`, which is its mean"),
    ORO_OUT_FIELD(
        "phase", .unit = ORO_DEGREE,
        .doc =
            "Place within the wave: -180 to 180 from left to right, 0 in its middle, where all profiles but "
            "sawtooth and drawn are highest; 0 where there is no wave"),
    {0},
};

/* Finds what brings a profile to -1..1 about its mean; the other shapes are so already. */
static void measure(const struct params *p, float *mean, float *scale)
{
    struct oro_phasor_profile profile = {p->profile == DRAWN ? &p->curve : NULL, (double)p->epsilon};
    struct oro_phasor_heights heights = oro_phasor_measure(&profile);
    double most = fmax(heights.high - heights.mean, heights.mean - heights.low);
    *mean = (float)heights.mean;
    *scale = most > 0 ? (float)fmin(1 / most, 1e30) : 0;
}

static bool shape(struct oro_shape *s, const void *data, struct oro_grid *grid)
{
    const struct params *p = data;
    return oro_gabor_noise_shape(s, p->frequency, p->regularity, grid);
}

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    struct oro_gabor_noise noise = {ORO_GABOR_FROM(p), .scale = 1};
    if (p->profile == ROUNDED || p->profile == DRAWN)
        measure(p, &noise.mean, &noise.scale);
    return oro_gabor_noise_run(e, &noise);
}

ORO_NODE(
    phasor_noise, .version = 1, .category = "source",
    .words = "dunes, ripples, waves, sand, furrows, stripes, corrugation",
    .doc = "Noise of waves that are all of the same height, with a cross-section to choose: dunes, ripples, "
           "terraces, furrows. As `gabor`, but with sharp crests where wanted. The profile's mean is taken "
           "off, so that the mean of the result is `offset`, and its farther end lies at `amplitude`. The "
           "pattern is fixed to the world: a place has the same value at every resolution. Waves have a left "
           "and a right: along lines where `orientation` turns about, as that of `tensor_field` may, they do "
           "not meet; those of `gabor` do.",
    .paper = "Tricard 2019; Grenier 2023, eq. 6 to 8", .shape = shape, .spread = ORO_SPREAD_TILES,
    .reach = ORO_REACH_CELL, .kernel = "source/phasor_noise.comp", .eval = eval);
