/*
 * Layers of lattice noise that are fixed to the world: a place has the same noise on every raster and at
 * every resolution. Where a lattice lies is worked out on the host in double precision, so that the kernel
 * (lib/noise_layers.glsl) adds the cell's place to a fraction and never holds a large coordinate in a float.
 */
#ifndef ORO_NODES_LIB_NOISE_LAYERS_H
#define ORO_NODES_LIB_NOISE_LAYERS_H

#include <stdint.h>

#include "graph/type/node.h"

enum { ORO_NOISE_LAYERS_MAX = 32 };

struct oro_noise_layers {
    /* Matrix from raster cells to lattice cells, by rows; then the fraction at the raster's corner. */
    float turn[ORO_NOISE_LAYERS_MAX][8];
    int32_t cell[ORO_NOISE_LAYERS_MAX][2]; /* lattice cell of the raster's corner */
};

/* Layers are turned against each other by the golden section of a right angle, so that no two lattices align.
 */
#define ORO_NOISE_ROTATION (0.6180339887498949 * 1.5707963267948966)

/* Places one layer; its offset is random. `frequency`: lattice cells per metre. `angle`: of the lattice.
 * `shear`: to the coordinates of simplex noise, else 0. */
void oro_noise_place(struct oro_noise_layers *layers, int index, const struct oro_grid *grid,
                     double frequency, double angle, double shear, uint32_t *random);

/* Places `count` layers from 0 on, `each` of a size, the first of `feature` metres to a cell, each further
 * size half of the one before. */
void oro_noise_place_octaves(struct oro_noise_layers *layers, int count, int each,
                             const struct oro_grid *grid, double feature, uint32_t seed);

/* Hands the layers to a dispatch whose kernel includes lib/noise_layers.glsl, as its slots `turn` and
 * `lattice`. */
bool oro_noise_upload(struct oro_eval *eval, const struct oro_noise_layers *layers,
                      struct oro_dispatch *dispatch);

#endif
