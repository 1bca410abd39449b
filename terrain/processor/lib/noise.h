/* Noise on a lattice: gles_shaders/lib/noise.glsl, for vector loops. */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_NOISE_H
#define ORO_TERRAIN_PROCESSOR_LIB_NOISE_H

#include <stdbool.h>

#include "terrain/processor/lib/hash.h"

/* A lattice cell, and a place in it, both 0..1. */
struct oro_lattice_place {
    int32_t x, y;
    float u, v;
};

/* `u` and `v` may lie anywhere; what is too far for whole numbers is at the corner of some cell. */
ORO_INLINE struct oro_lattice_place oro_lattice_reduce(int32_t x, int32_t y, float u, float v)
{
    u = oro_of_bits(oro_bits(u) & -(int32_t)(oro_abs(u) < 1e9F));
    v = oro_of_bits(oro_bits(v) & -(int32_t)(oro_abs(v) < 1e9F));
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

struct oro_lattice_gradient {
    float x, y;
};

ORO_INLINE struct oro_lattice_gradient oro_noise_gradient(uint32_t h)
{
    struct oro_turn turn = oro_noise_direction(h);
    return (struct oro_lattice_gradient){turn.cosine, turn.sine};
}

/* The gradients at the corners of a lattice cell. */
struct oro_gradients {
    struct oro_lattice_gradient nw, ne, sw, se;
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

/* A value with its derivatives along both coordinates. */
struct oro_sloped {
    float value, east, south;
};

ORO_INLINE struct oro_sloped oro_gradient_noise_slope_of(const struct oro_gradients *g, float u, float v)
{
    float nw = g->nw.x * u + g->nw.y * v, ne = g->ne.x * (u - 1) + g->ne.y * v;
    float sw = g->sw.x * u + g->sw.y * (v - 1), se = g->se.x * (u - 1) + g->se.y * (v - 1);
    float s = oro_noise_fade(u), t = oro_noise_fade(v);
    float upper = oro_mix(nw, ne, s), lower = oro_mix(sw, se, s);
    float east = oro_mix(oro_mix(g->nw.x, g->ne.x, s), oro_mix(g->sw.x, g->se.x, s), t);
    float south = oro_mix(oro_mix(g->nw.y, g->ne.y, s), oro_mix(g->sw.y, g->se.y, s), t);
    east += 30 * u * u * (u - 1) * (u - 1) * oro_mix(ne - nw, se - sw, t);
    south += 30 * v * v * (v - 1) * (v - 1) * (lower - upper);
    return (struct oro_sloped){1.41421356F * oro_mix(upper, lower, t), 1.41421356F * east,
                               1.41421356F * south};
}

ORO_INLINE float oro_gradient_noise(struct oro_lattice_place at, uint32_t seed)
{
    struct oro_gradients gradients = oro_noise_gradients(at.x, at.y, seed);
    return oro_gradient_noise_of(&gradients, at.u, at.v);
}

/* Random values at the lattice's corners, with soft steps between them. */
ORO_INLINE float oro_value_noise(struct oro_lattice_place at, uint32_t seed)
{
    uint32_t seeded = oro_hash_number(seed), column = (uint32_t)at.x;
    uint32_t row = oro_hash_number((uint32_t)at.y + seeded),
             next = oro_hash_number((uint32_t)at.y + 1u + seeded);
    float nw = oro_hash_unit(oro_hash_number(column + row));
    float ne = oro_hash_unit(oro_hash_number(column + 1u + row));
    float sw = oro_hash_unit(oro_hash_number(column + next));
    float se = oro_hash_unit(oro_hash_number(column + 1u + next));
    float s = oro_noise_fade(at.u), t = oro_noise_fade(at.v);
    return 2 * oro_mix(oro_mix(nw, ne, s), oro_mix(sw, se, s), t) - 1;
}

ORO_INLINE float oro_simplex_corner(float x, float y, uint32_t h)
{
    float reach = oro_max(0.5F - (x * x + y * y), 0), squared = reach * reach;
    struct oro_lattice_gradient gradient = oro_noise_gradient(h);
    return squared * squared * (gradient.x * x + gradient.y * y);
}

/* `at` is in sheared coordinates. */
ORO_INLINE float oro_simplex_noise(struct oro_lattice_place at, uint32_t seed)
{
    const float unskew = 0.21132486541F, norm = 99.204334F;
    int32_t east = at.u > at.v, south = 1 - east;
    float back = (at.u + at.v) * unskew, x = at.u - back, y = at.v - back;
    float middle_x = x - (float)east + unskew, middle_y = y - (float)south + unskew;
    float last_x = x - 1 + 2 * unskew, last_y = y - 1 + 2 * unskew;
    uint32_t seeded = oro_hash_number(seed), column = (uint32_t)at.x;
    uint32_t row = oro_hash_number((uint32_t)at.y + seeded),
             next = oro_hash_number((uint32_t)at.y + 1u + seeded);
    float sum = oro_simplex_corner(x, y, oro_hash_number(column + row));
    sum += oro_simplex_corner(middle_x, middle_y,
                              oro_hash_number(column + (uint32_t)east + (east ? row : next)));
    return norm * (sum + oro_simplex_corner(last_x, last_y, oro_hash_number(column + 1u + next)));
}

/* Squared distances to the nearest and second nearest point of cellular noise. */
struct oro_worley {
    float nearest, second;
};

/* Takes the point of the lattice cell that lies `x`, `y` from that of a place into the distances. */
ORO_INLINE struct oro_worley oro_worley_add(struct oro_worley found, struct oro_lattice_place at, int x,
                                            int y, float jitter, uint32_t seed)
{
    uint32_t h = oro_hash_cell(at.x + x, at.y + y, seed);
    float east = (float)x + 0.5F + jitter * (oro_hash_point_x(h) - 0.5F) - at.u;
    float south = (float)y + 0.5F + jitter * (oro_hash_point_y(h) - 0.5F) - at.v;
    float d = east * east + south * south, farther = oro_max(found.nearest, d);
    return (struct oro_worley){oro_min(found.nearest, d), oro_min(found.second, farther)};
}

/* Whether a point outside the nine cells around may be nearer than the second. */
ORO_INLINE bool oro_worley_open(struct oro_worley found, struct oro_lattice_place at)
{
    float clear = 1 + oro_min(oro_min(at.u, 1 - at.u), oro_min(at.v, 1 - at.v));
    return found.second > clear * clear;
}

#endif
