/* Fractal noise over the world. */
#include "base/random.h"
#include "graph/type/node.h"
#include "nodes/lib/noise_layers.h"

/* Octaves of the noise that shifts the pattern by `warp`. */
enum { WARP_OCTAVES = 3, OCTAVES_MAX = 16 };

struct params {
    int method, fractal, octaves, distance, seed;
    float lacunarity, gain, feature, amplitude, offset, jitter, warp, warp_feature;
};

static const char *const methods[] = {"perlin", "simplex", "value", "worley", NULL};
static const char *const fractals[] = {"none", "fbm", "ridged", "billow", NULL};
static const char *const distances[] = {"nearest", "second", "difference", NULL};
enum { METHOD_SIMPLEX = 1, FRACTAL_FBM = 1 };

/* Simplex noise has more and smaller blobs per lattice cell than gradient noise: wider cells make them alike.
 */
static const double simplex_scale = 0.62;

static const struct oro_input inputs[] = {
    ORO_IN_LIKE(.doc = "Gives the noise the size of this raster; without it, the world's base resolution"),
    ORO_IN_CHOICE(
        struct params, method, 0, methods,
        .doc = "perlin: rolling. simplex: the same with less of a grid about it. value: blotchy. worley: "
               "cells around scattered points"),
    ORO_IN_CHOICE(
        struct params, fractal, FRACTAL_FBM, fractals,
        .doc = "none: one layer. fbm: smaller and smaller detail on top. ridged: sharp crests. billow: "
               "rounded humps with sharp valleys"),
    ORO_IN_FLOAT(struct params, feature, 0, .share = 0.4, .min = 0, .max = 1e7, .soft_max = 20000,
                 .unit = ORO_METRE,
                 .doc = "Size of the largest features: the lattice spacing of the first layer. 0: two fifths "
                        "of the world's width, so that worlds of all sizes have the same forms"),
    ORO_IN_MAP(struct params, amplitude, 1000, .min = -1e6, .max = 1e6, .soft_min = 0, .soft_max = 4000,
               .unit = ORO_METRE, .doc = "The result lies within this distance above and below `offset`"),
    ORO_IN_FLOAT(struct params, offset, 0, .min = -1e6, .max = 1e6, .soft_min = -2000, .soft_max = 4000,
                 .unit = ORO_METRE, .doc = "Added to the result"),
    ORO_IN_SEED(struct params, seed),
    ORO_IN_INT(struct params, octaves, 8, .when = "fractal!=none", .min = 1, .max = OCTAVES_MAX,
               .group = "Fractal", .doc = "Number of layers. Those finer than two cells only add grain"),
    ORO_IN_FLOAT(struct params, lacunarity, 2, .when = "fractal!=none", .min = 1, .max = 8, .soft_min = 1.5,
                 .soft_max = 3, .group = "Fractal",
                 .doc = "How many times smaller the features of each next layer are"),
    ORO_IN_FLOAT(struct params, gain, 0.5, .when = "fractal!=none", .min = 0, .max = 2, .soft_max = 1,
                 .group = "Fractal",
                 .doc = "Strength of each next layer relative to the one before: roughness"),
    ORO_IN_FLOAT(struct params, warp, 0, .min = 0, .max = 1e6, .soft_max = 4000, .unit = ORO_METRE,
                 .group = "Warp", .doc = "How far the pattern is pushed about, which bends it: 0 for none"),
    ORO_IN_FLOAT(struct params, warp_feature, 0, .share = 0.4, .min = 0, .max = 1e7, .soft_max = 20000,
                 .unit = ORO_METRE, .group = "Warp",
                 .doc = "Size of the bends. 0: two fifths of the world's width"),
    ORO_IN_CHOICE(
        struct params, distance, 0, distances, .when = "method=worley", .group = "Worley",
        .doc = "What worley shows: nearest: a cone around every point. second: the distance to the second "
               "nearest point. difference: plates, lowest along their borders"),
    ORO_IN_FLOAT(struct params, jitter, 1, .when = "method=worley", .min = 0, .max = 1, .group = "Worley",
                 .doc = "How irregularly the points of worley lie: 0 on a square grid, 1 anywhere"),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_FIELD("field", .role = ORO_ROLE_FIELD, .unit = ORO_METRE,
                  .doc = "Within `amplitude` of `offset`"),
    {0},
};

static void place_layers(struct oro_noise_layers *layers, const struct params *p, const struct oro_grid *grid)
{
    const double step = ORO_NOISE_ROTATION;
    const double skew = 0.3660254037844386; /* (sqrt(3) - 1) / 2 */
    bool simplex = p->method == METHOD_SIMPLEX;
    uint32_t random = (uint32_t)p->seed;
    double frequency = (simplex ? simplex_scale : 1) / (double)p->feature;
    double warp_frequency = 1 / (double)p->warp_feature;
    double angle = oro_random_between(&random, 0, 6.283185307179586);
    for (int i = 0; i < OCTAVES_MAX; i++, frequency *= (double)p->lacunarity)
        oro_noise_place(layers, i, grid, frequency, angle + i * step, simplex ? skew : 0, &random);
    for (int i = 0; i < WARP_OCTAVES; i++, warp_frequency *= 2)
        for (int axis = 0; axis < 2; axis++)
            oro_noise_place(layers, OCTAVES_MAX + 2 * i + axis, grid, warp_frequency,
                            angle + (i + 1) * step + axis, 0, &random);
}

static bool eval(struct oro_eval *e, const void *data)
{
    struct oro_noise_layers layers = {0};
    struct oro_dispatch extras = {0};
    place_layers(&layers, data, oro_eval_grid(e));
    return oro_noise_upload(e, &layers, &extras) && oro_eval_default(e, &extras);
}

static const struct oro_use uses[] = {
    {.id = "voronoi",
     .label = "Voronoi noise",
     .words = "worley, cellular, cells, crackle",
     .set = {{"method", "worley"}, {"fractal", "none"}}},
    {.id = "cracks",
     .label = "Voronoi cracks",
     .words = "plates, cells, cellular, borders, mud cracks, F2 - F1",
     .set = {{"method", "worley"}, {"fractal", "none"}, {"distance", "difference"}}},
    {.id = "ridged",
     .label = "Ridged noise",
     .words = "ridged multifractal, ridge, ridges, alpine, mountains, crests",
     .set = {{"fractal", "ridged"}}},
    {.id = "billow",
     .label = "Billow noise",
     .words = "billowy, puffy, clouds, humps, hills",
     .set = {{"fractal", "billow"}}},
    {.id = "simplex", .label = "Simplex noise", .words = "OpenSimplex", .set = {{"method", "simplex"}}},
    {.id = "value", .label = "Value noise", .words = "blotches, blobs", .set = {{"method", "value"}}},
    {0},
};

ORO_NODE(
    noise, .version = 1, .category = "source",
    .words = "perlin, simplex, fractal, fBm, multifractal, musgrave, random, procedural, terrain, turbulence",
    .uses = uses,
    .doc = "Noise: random hills, ridges or cells. The pattern is fixed to the world: a place has the same "
           "value at "
           "every resolution. A result in metres serves as elevation; with `amplitude` 0.5 and `offset` 0.5 "
           "it is a "
           "mask in 0..1.",
    .scratch_fields = 0, .spread = ORO_SPREAD_TILES, .reach = ORO_REACH_CELL, .kernel = "source/noise.comp",
    .eval = eval);
