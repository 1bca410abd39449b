/* Noise on a lattice: gles_shaders/lib/noise.glsl, for vector loops. */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_NOISE_H
#define ORO_TERRAIN_PROCESSOR_LIB_NOISE_H

#include "terrain/processor/lib/hash.h"

/* A lattice cell, and a place in it, both 0..1. */
struct oro_lattice_place {
    int32_t x, y;
    float u, v;
};

/* `u` and `v` may lie anywhere. */
ORO_INLINE struct oro_lattice_place oro_lattice_reduce(int32_t x, int32_t y, float u, float v)
{
    float column = oro_floor(u), row = oro_floor(v);
    return (struct oro_lattice_place){(int32_t)((uint32_t)x + (uint32_t)(int32_t)column),
                                      (int32_t)((uint32_t)y + (uint32_t)(int32_t)row), u - column, v - row};
}

ORO_INLINE float oro_noise_fade(float t)
{
    return t * t * t * (t * (t * 6 - 15) + 10);
}

/* Cosine and sine of a random angle, h / 2^32 of a turn: noise_direction. Absolute error 2e-7. */
ORO_INLINE struct oro_turn oro_noise_direction(uint32_t h)
{
    int32_t angle = (int32_t)(h >> 8u), quarter = (angle + (1 << 21)) >> 22;
    float r = (float)(angle - quarter * (1 << 22)) * (6.28318530718F / 16777216);
    return oro_turn_from(r, quarter);
}

struct oro_gradient {
    float x, y;
};

ORO_INLINE struct oro_gradient oro_noise_gradient(uint32_t h)
{
    struct oro_turn turn = oro_noise_direction(h);
    return (struct oro_gradient){turn.cosine, turn.sine};
}

/* The gradients at the corners of a lattice cell. */
struct oro_gradients {
    struct oro_gradient nw, ne, sw, se;
};

ORO_INLINE struct oro_gradients oro_noise_gradients(int32_t x, int32_t y, uint32_t seed)
{
    uint32_t seeded = oro_hash_number(seed), column = (uint32_t)x;
    uint32_t row = oro_hash_number((uint32_t)y + seeded), next = oro_hash_number((uint32_t)y + 1u + seeded);
    return (struct oro_gradients){oro_noise_gradient(oro_hash_number(column + row)),
                                  oro_noise_gradient(oro_hash_number(column + 1u + row)),
                                  oro_noise_gradient(oro_hash_number(column + next)),
                                  oro_noise_gradient(oro_hash_number(column + 1u + next))};
}

ORO_INLINE float oro_gradient_noise_of(const struct oro_gradients *g, float u, float v)
{
    float nw = g->nw.x * u + g->nw.y * v, ne = g->ne.x * (u - 1) + g->ne.y * v;
    float sw = g->sw.x * u + g->sw.y * (v - 1), se = g->se.x * (u - 1) + g->se.y * (v - 1);
    float s = oro_noise_fade(u), t = oro_noise_fade(v);
    return 1.41421356F * oro_mix(oro_mix(nw, ne, s), oro_mix(sw, se, s), t);
}

ORO_INLINE float oro_gradient_noise(struct oro_lattice_place at, uint32_t seed)
{
    struct oro_gradients gradients = oro_noise_gradients(at.x, at.y, seed);
    return oro_gradient_noise_of(&gradients, at.u, at.v);
}

#endif
