/* Gabor noise over the world: waves that run in one direction. */
#include "nodes/source/gabor_noise.h"

struct params {
    ORO_GABOR_PARAMS;
};

static const struct oro_input inputs[] = {
    ORO_IN_GABOR(struct params),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_FIELD("field", .role = ORO_ROLE_FIELD, .unit = ORO_METRE,
                  .doc = "Within `amplitude` of `offset`"),
    {0},
};

static bool shape(struct oro_shape *s, const void *data, struct oro_grid *grid)
{
    const struct params *p = data;
    return oro_gabor_noise_shape(s, p->frequency, p->regularity, grid);
}

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    const float sqrt2 =
        1.41421356f; /* over the standard deviation of the real part: the whole field's is 1 */
    return oro_gabor_noise_run(e, &(struct oro_gabor_noise){ORO_GABOR_FROM(p), .scale = sqrt2 / 3});
}

ORO_NODE(
    gabor, .version = 1, .category = "source",
    .words = "ripples, stripes, waves, directional noise, sand ripples, dunes",
    .doc =
        "Noise of one wavelength: stripes like ripples in sand, in a direction that may vary from place to "
        "place, or blobs of one size. The pattern is fixed to the world: a place has the same value at every "
        "resolution. Its standard deviation is a third of `amplitude`; the few waves that would pass "
        "`amplitude` (one cell in 600) are cut off there.",
    .paper = "Lagae 2009; Grenier 2023, eq. 13", .shape = shape, .spread = ORO_SPREAD_TILES,
    .reach = ORO_REACH_CELL, .kernel = "source/gabor.comp", .eval = eval);
