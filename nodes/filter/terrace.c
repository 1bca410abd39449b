/* Steps in a terrain, as horizontal beds of rock leave them. */
#include "graph/type/node.h"
#include "nodes/lib/noise_layers.h"
#include "nodes/lib/range.h"

enum { OCTAVES = 5 };

struct params {
    int method, count, seed;
    float spacing, low, high, sharpness, riser, uniformity, tilt, direction, roughness, feature, mask;
    struct oro_profile profile;
};

enum { SPACING, COUNT };
static const char *const methods[] = {"spacing", "count", NULL};

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.doc = "Elevation"),
    ORO_IN_CHOICE(struct params, method, SPACING, methods,
                  .doc =
                      "How high a step is. spacing: `spacing`. count: there are `count` of them from `low` "
                      "to `high`. They go on beyond both"),
    ORO_IN_MAP(struct params, spacing, 150, .when = "method=spacing", .min = 0.01, .max = 1e6, .soft_min = 5,
               .soft_max = 1000, .unit = ORO_METRE, .doc = "Height of a step"),
    ORO_IN_INT(struct params, count, 10, .when = "method=count", .min = 1, .max = 10000, .soft_max = 50,
               .doc = "Number of steps"),
    ORO_IN_FLOAT(struct params, low, 0, .min = -1e6, .max = 1e6, .soft_min = -1000, .soft_max = 8000,
                 .unit = ORO_METRE,
                 .doc = "Elevation at which a step begins. With count, `low` equal to `high` takes the "
                        "terrain's own range"),
    ORO_IN_FLOAT(struct params, high, 0, .min = -1e6, .max = 1e6, .soft_min = -1000, .soft_max = 8000,
                 .unit = ORO_METRE, .doc = "Elevation at which the last of `count` steps ends"),
    ORO_IN_MAP(struct params, sharpness, 0.7, .min = 0, .max = 1, .group = "Step",
               .doc = "0 leaves the ground as it is; towards 1 treads become level and risers steep; at 1 "
                      "they are cliffs"),
    ORO_IN_MAP(struct params, riser, 0.5, .min = 0, .max = 1, .group = "Step",
               .doc = "Where in a step the riser is: 0.5 in the middle, which keeps the mean elevation. "
                      "Towards 1 it is at the top and the ground is lowered; towards 0 at the bottom, and "
                      "the ground is raised"),
    ORO_IN_PROFILE(struct params, profile, "0 0, 1 1", .group = "Step",
                   .doc = "Bends what `sharpness` and `riser` make of a step: from 0..1, bottom to top, to "
                          "the same. With a sharpness of 0 it is the step's own shape"),
    ORO_IN_FLOAT(struct params, uniformity, 0.6, .min = 0, .max = 1, .group = "Step",
                 .doc = "1: all steps are of one height; towards 0 they differ at random"),
    ORO_IN_FLOAT(struct params, tilt, 0, .min = 0, .max = 80, .soft_max = 20, .unit = ORO_DEGREE,
                 .group = "Beds", .doc = "How steeply the beds dip: 0 for level ones"),
    ORO_IN_FLOAT(struct params, direction, 90, .handle = ORO_HANDLE_ROTATION, .min = -360, .max = 360,
                 .soft_min = 0, .unit = ORO_DEGREE, .group = "Beds",
                 .doc = "Where tilted beds dip to: 0 north, 90 east"),
    ORO_IN_MAP(struct params, roughness, 30, .min = 0, .max = 1e5, .soft_max = 500, .unit = ORO_METRE,
               .group = "Beds", .doc = "How far noise bends the beds up and down"),
    ORO_IN_FLOAT(struct params, feature, 0, .share = 0.2, .min = 0, .max = 1e7, .soft_max = 20000,
                 .unit = ORO_METRE, .group = "Beds",
                 .doc = "Size of the largest of these bends. 0: a fifth of the world's width"),
    ORO_IN_SEED(struct params, seed),
    ORO_IN_MASK(struct params),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_TERRAIN(.like = "terrain", .doc = "Elevation with steps"),
    ORO_OUT_FIELD("step", .like = "terrain",
                  .doc = "Where in its step a place was: 0 at the bottom to 1 at the top. For colours and "
                         "materials"),
    ORO_OUT_FIELD("layer", .like = "terrain",
                  .doc = "A random number of each step, 0..1: the kind of rock, for colours and hardness"),
    {0},
};

/* Elevation and height of the first step. */
static bool first_step(struct oro_eval *e, const struct params *p, float step[2])
{
    float range[2] = {p->low, p->high};
    if (p->method == COUNT && p->low == p->high && !oro_field_range(e, "terrain", range))
        return false;
    step[0] = range[0];
    step[1] = (range[1] - range[0]) / (float)p->count;
    return true;
}

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    float step[2];
    struct oro_noise_layers layers = {0};
    if (!first_step(e, p, step))
        return false;
    struct oro_dispatch extras = {.constants = {{"low", step[0]}, {"spacing", step[1]}}};
    oro_noise_place_octaves(&layers, OCTAVES, 1, oro_eval_grid(e), (double)p->feature, (uint32_t)p->seed);
    return oro_noise_upload(e, &layers, &extras) && oro_eval_default(e, &extras);
}

static bool shape(struct oro_shape *s, const void *data, struct oro_grid *grid)
{
    const struct params *p = data;
    if (p->method == COUNT && p->low > p->high)
        return oro_shape_fail(s, "'low' is %g and must not be above 'high', %g", (double)p->low,
                              (double)p->high);
    *grid = *oro_shape_input(s, "terrain");
    return true;
}

ORO_NODE(terrace, .version = 1, .category = "filter",
         .words = "mesas, strata, stratify, steps, layers, stepped, benches, beds, ledges, quantize, "
                  "posterize, rice paddies",
         .doc =
             "Cuts steps into a terrain, as beds of hard and soft rock, old shores or fields on a slope make "
             "them. The beds may be uneven, dip, and bend with noise. They are fixed to the world: the same "
             "place has the same step at every resolution.",
         .shape = shape, .kernel = "filter/terrace.comp", .reach = ORO_REACH_CELL, .spread = ORO_SPREAD_TILES,
         .eval = eval);
