/*
 * Gabor noise over the world, as the nodes `gabor` and `phasor_noise` give it: their inputs, so that they
 * agree in name, range and meaning, and all of their evaluation but what they make of the field.
 * gabor_kernels.comp lays the kernels.
 */
#ifndef ORO_NODES_SOURCE_GABOR_NOISE_H
#define ORO_NODES_SOURCE_GABOR_NOISE_H

#include "graph/type/node.h"

/* Fields of the params struct that the macros below need. */
#define ORO_GABOR_PARAMS                                                                                     \
    float frequency, angle, spread, regularity, amplitude, offset;                                           \
    int seed

#define ORO_IN_GABOR(params)                                                                                 \
    ORO_IN_LIKE(.doc = "Gives the noise the size of this raster; without it, the world's base resolution"),  \
        ORO_IN_MAP(                                                                                          \
            params, frequency, 0, .share = 0.05, .min = 0, .max = 100, .soft_max = 0.02,                     \
            .unit = ORO_PER_METRE,                                                                           \
            .doc = "Waves in each metre across the stripes: 0.002 is one in 500 m. 0: twenty across the "    \
                   "world. What the cells cannot carry, more than one in four cells, is lowered to that. "   \
                   "Where a field that is linked is 0 there are none, nor where a wave is longer than four " \
                   "times the raster"),                                                                      \
        ORO_IN_MAP(params, amplitude, 1000, .min = -1e6, .max = 1e6, .soft_min = 0, .soft_max = 4000,        \
                   .unit = ORO_METRE,                                                                        \
                   .doc = "The result lies within this distance above and below `offset`"),                  \
        ORO_IN_FLOAT(params, offset, 0, .min = -1e6, .max = 1e6, .soft_min = -2000, .soft_max = 4000,        \
                     .unit = ORO_METRE, .doc = "Added to the result"),                                       \
        ORO_IN_SEED(params, seed),                                                                           \
        ORO_IN_MAP(params, angle, 0, .handle = ORO_HANDLE_ROTATION, .min = -360, .max = 360, .soft_min = 0,  \
                   .soft_max = 180, .unit = ORO_DEGREE, .group = "Direction",                                \
                   .doc = "Bearing in which the stripes run: 0 north and south, 90 east and west. Where "    \
                          "`orientation` is linked: how far they are turned from it, clockwise"),            \
        ORO_IN_VECTOR("orientation", .optional = true, .group = "Direction",                                 \
                      .doc = "Direction in which the stripes run; weaker where it is shorter than 1, and "   \
                             "none where it is 0. `flow_orientation` and `tensor_field` make such"),         \
        ORO_IN_FLOAT(params, spread, 0, .min = 0, .max = 180, .soft_max = 90, .unit = ORO_DEGREE,            \
                     .group = "Direction",                                                                   \
                     .doc = "How far the direction deviates at random, at most: 0 for stripes, 180 for "     \
                            "blobs that run nowhere"),                                                       \
        ORO_IN_FLOAT(params, regularity, 0.5, .min = 0.25, .max = 8, .soft_max = 2, .group = "Direction",    \
                     .doc = "How long stripes go on before they part or join, in multiples of their "        \
                            "distance: the standard deviation of the kernels")

struct oro_gabor_noise {
    float frequency, regularity;
    int seed;
    float mean, scale; /* bring a height to -1..1 around 0: `mean` is taken off, then `scale` multiplies */
};

/* The fields of struct oro_gabor_noise that every node takes from its params. */
#define ORO_GABOR_FROM(params)                                                                               \
    .frequency = (params)->frequency, .regularity = (params)->regularity, .seed = (params)->seed

/* For a node's `shape`: says how much memory the kernels take. */
bool oro_gabor_noise_shape(struct oro_shape *shape, float frequency, float regularity,
                           const struct oro_grid *grid);

/* Lays the kernels, runs the node's own and gives the outputs. The node's kernel includes lib/gabor.glsl, and
 * has the constants `each` (lattices; 0: there is no wave), `mean` and `scale`. */
bool oro_gabor_noise_run(struct oro_eval *eval, const struct oro_gabor_noise *noise);

#endif
